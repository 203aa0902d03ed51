//! CloudFormation templates, quick-create links, deploy and watch.

pub mod cfn;
pub mod link;
pub mod parameters;
pub mod template;
#[cfg(test)]
mod tests;
