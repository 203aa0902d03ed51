//! The ARNs of a Glue catalog and of what is in it.

use crate::domain::{account::AccountId, region::Region};

/// One catalog: that of an account in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlueArns {
    front: String,
}

impl GlueArns {
    /// The catalog of this account in this region.
    pub fn new(region: &Region, account: &AccountId) -> Self {
        Self::of(region.partition().id(), region.as_str(), account.as_str())
    }

    /// The same, from texts.
    pub fn of(partition: &str, region: &str, account: &str) -> Self {
        Self {
            front: format!("arn:{partition}:glue:{region}:{account}"),
        }
    }

    /// The catalog itself.
    pub fn catalog(&self) -> String {
        format!("{}:catalog", self.front)
    }

    /// A database.
    pub fn database(&self, name: &str) -> String {
        format!("{}:database/{name}", self.front)
    }

    /// A table, or a pattern of tables.
    pub fn table(&self, database: &str, name: &str) -> String {
        format!("{}:table/{database}/{name}", self.front)
    }
}
