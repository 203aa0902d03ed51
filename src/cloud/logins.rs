//! Which profile's sign-in through AWS SSO has run out, as whoever needed it last found.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The profile that `aws sso login` would sign in again, where one is needed. A clone tells the same.
#[derive(Clone, Default)]
pub struct Logins(Arc<Mutex<Option<String>>>);

impl Logins {
    /// The profile, where one is needed.
    pub fn wanted(&self) -> Option<String> {
        self.lock().clone()
    }

    /// Nobody is waited for any more: it is tried anew.
    pub fn forget(&self) {
        *self.lock() = None;
    }

    pub(super) fn want(&self, profile: &str) {
        *self.lock() = Some(profile.to_owned());
    }

    /// The profile has signed in.
    pub(super) fn met(&self, profile: &str) {
        let mut wanted = self.lock();
        if wanted.as_deref() == Some(profile) {
            *wanted = None;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Logins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wanted().fmt(f)
    }
}
