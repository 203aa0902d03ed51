//! What a verb stands on: the records and the way to AWS, as the flags and the surroundings say.

use crate::cli::args::Globals;
use crate::cli::environment::Environment;
use crate::domain::problem::{Kind, Problem};
use std::path::PathBuf;

/// The flags and the surroundings of one run.
#[derive(Debug, Clone)]
pub struct Ground {
    /// The flags that hold for every verb.
    pub globals: Globals,
    /// The surroundings.
    pub environment: Environment,
}

impl Ground {
    /// The directory of the records: `--home`, else `GLUEUP_HOME`, else the platform's.
    ///
    /// # Errors
    /// When nobody says where it is.
    pub fn home(&self) -> Result<PathBuf, Problem> {
        let home = self
            .globals
            .home
            .clone()
            .or_else(|| self.environment.default_home());
        home.ok_or_else(|| {
            Problem::new(
                Kind::Usage,
                "there is no place for the records",
                "neither --home nor GLUEUP_HOME is given, and this system names no data directory",
                "give --home DIR",
            )
        })
    }

    /// The demo's directory: a home of its own beside the records, which it never opens.
    ///
    /// # Errors
    /// As [`Ground::home`].
    pub fn demo_home(&self) -> Result<PathBuf, Problem> {
        Ok(self.home()?.join("demo"))
    }
}
