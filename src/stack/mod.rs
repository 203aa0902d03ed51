//! CloudFormation templates, quick-create links, deploy and watch.

pub mod cfn;
