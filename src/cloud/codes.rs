//! Codes of a device for multi-factor authentication: who is asked for them.

use crate::domain::mfa_code::MfaCode;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A code that is needed before work can go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeWanted {
    /// The profile that asks for it.
    pub profile: String,
    /// The device's serial number, as the profile names it; in clean text.
    pub device: String,
    /// What it opens: `a session of its keys`, or a role's ARN; in clean text.
    pub opens: String,
    /// Why the code before was refused, if there was one.
    pub refused: Option<String>,
}

type Ask = dyn Fn(CodeWanted) -> Pin<Box<dyn Future<Output = Option<MfaCode>> + Send>> + Send + Sync;

/// Whoever can be asked for a code: the person at the keyboard, or nobody.
#[derive(Clone, Default)]
pub struct Codes(Option<Arc<Ask>>);

impl Codes {
    /// Codes come from `ask`; `None` means that the person will not give one. Questions come one at a time for a
    /// profile, and wait as long as it takes.
    pub fn new<F>(ask: impl Fn(CodeWanted) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<MfaCode>> + Send + 'static,
    {
        Self(Some(Arc::new(move |wanted| Box::pin(ask(wanted)))))
    }

    /// Whether there is anybody to ask.
    pub(super) fn can_ask(&self) -> bool {
        self.0.is_some()
    }

    pub(super) async fn ask(&self, wanted: CodeWanted) -> Option<MfaCode> {
        match &self.0 {
            Some(ask) => ask(wanted).await,
            None => None,
        }
    }
}

impl fmt::Debug for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Codes").field(&self.can_ask()).finish()
    }
}
