//! What a verb stands on: the records and the way to AWS, as the flags and the surroundings say.

use crate::cli::args::Globals;
use crate::cli::code;
use crate::cli::environment::Environment;
use crate::cloud::{Codes, Settings};
use crate::domain::problem::Problem;
use crate::registry::{Home, Places};
use crate::session::Session;

/// The flags and the surroundings of one run.
#[derive(Debug, Clone)]
pub struct Ground {
    /// The flags that hold for every verb.
    pub globals: Globals,
    /// The surroundings.
    pub environment: Environment,
}

impl Ground {
    /// The home of the records: `--home`, else `GLUEUP_HOME`, else in the platform's data directory.
    ///
    /// # Errors
    /// When nobody says where it is.
    pub fn home(&self) -> Result<Home, Problem> {
        Home::locate(&Places {
            flag: self.globals.home.clone(),
            ..self.environment.places.clone()
        })
    }

    /// A session on the records and on AWS; nothing is signed in yet.
    ///
    /// # Errors
    /// As [`Ground::home`].
    pub fn session(&self) -> Result<Session, Problem> {
        let settings = Settings {
            profile: self.globals.profile.clone(),
            region: self.globals.region.clone(),
            endpoint_url: self.globals.endpoint_url.clone(),
            codes: if self.environment.can_ask() {
                code::on_terminal()
            } else {
                Codes::default()
            },
            ..Settings::default()
        };
        Ok(Session::new(self.home()?, settings))
    }
}
