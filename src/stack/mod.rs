//! CloudFormation templates, quick-create links, deploy and watch.
