//! What a platform's engines call.

use serde::Deserialize;

use crate::domain::access::Access;

/// The actions that a platform's engines call, by its documentation or by their sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permissions {
    /// For reading: without one of them a read fails.
    #[serde(default)]
    pub read: Vec<String>,
    /// For writing.
    #[serde(default)]
    pub write: Vec<String>,
    /// Those without which it works too, only worse.
    #[serde(default)]
    pub useful: Vec<String>,
}

impl Permissions {
    /// Those that a grant of that level must have.
    pub fn of(&self, access: Access) -> impl Iterator<Item = &str> {
        let write = match access {
            Access::ReadOnly => &[][..],
            Access::ReadWrite => self.write.as_slice(),
        };
        self.read.iter().chain(write).map(String::as_str)
    }
}
