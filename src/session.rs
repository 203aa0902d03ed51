//! What all work of one run of the program shares: where the records are, and how AWS is reached.

use crate::cloud::{Aws, Settings};
use crate::domain::problem::Problem;
use crate::registry::Home;
use std::sync::Arc;
use tokio::sync::Mutex;

/// Where the records are, and how AWS is reached.
///
/// Signing in happens on the first job that needs it and is then kept.
#[derive(Clone)]
pub struct Session {
    /// The records.
    pub home: Home,
    /// How AWS is reached.
    pub settings: Arc<Settings>,
    signed_in: Arc<Mutex<Option<Aws>>>,
}

impl Session {
    /// A session that has not signed in yet.
    pub fn new(home: Home, settings: Settings) -> Self {
        Self {
            home,
            settings: Arc::new(settings),
            signed_in: Arc::default(),
        }
    }

    /// The signed-in caller; signs in when that has not happened yet.
    ///
    /// # Errors
    /// When there are no credentials or they cannot be used.
    pub async fn aws(&self) -> Result<Aws, Problem> {
        let mut slot = self.signed_in.lock().await;
        if let Some(aws) = slot.as_ref() {
            return Ok(aws.clone());
        }
        let aws = Aws::sign_in(&self.settings).await?;
        *slot = Some(aws.clone());
        Ok(aws)
    }

    /// The caller, if somebody has signed in already. Never waits.
    pub fn signed_in(&self) -> Option<Aws> {
        self.signed_in.try_lock().ok().and_then(|slot| slot.clone())
    }

    /// The caller of a connection's deploying profile; the caller itself when none is named.
    ///
    /// # Errors
    /// As [`Session::aws`].
    pub async fn deployer(&self, profile: Option<&str>) -> Result<Aws, Problem> {
        match profile {
            None => self.aws().await,
            Some(profile) => Aws::sign_in(&self.settings.with_profile(profile)).await,
        }
    }
}
