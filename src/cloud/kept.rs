//! Credentials that are kept until they are about to end, and renewed before they do.

use super::credentials::Ended;
use super::gate::Gate;
use super::logins::Logins;
use super::meter::Meter;
use crate::domain::problem::Problem;
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider, future};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// After a renewal that brought nothing better the next one waits so long, while what is there still holds.
const PAUSE: Duration = Duration::from_secs(30);

/// Asks its source only when what it has ends soon, so that a person with a code, a program behind
/// `credential_process`, or a role is not asked by every client anew. A clone keeps the same credentials.
///
/// Nobody else caches them: the SDK asks here for each request.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    source: Arc<Source>,
    gate: Arc<Gate<State>>,
}

#[derive(Debug)]
struct Source {
    provider: SharedCredentialsProvider,
    before: Duration,
    meter: Meter,
    explain: Explain,
    /// Access keys that AWS calls ended, since the last renewal. Apart from what is had, which nobody reaches while the
    /// provider is asked.
    ended: Mutex<HashSet<String>>,
}

/// What is to be said when the source has none, and who hears that a sign-in through AWS SSO has run out.
#[derive(Clone)]
pub(super) struct Explain {
    words: Arc<dyn Fn(&CredentialsError) -> Problem + Send + Sync>,
    logins: Logins,
    sso: Option<String>,
}

impl Explain {
    /// `sso` is the profile that signs in there, where one does.
    pub(super) fn new(
        logins: &Logins,
        sso: Option<String>,
        words: impl Fn(&CredentialsError) -> Problem + Send + Sync + 'static,
    ) -> Self {
        Self {
            words: Arc::new(words),
            logins: logins.clone(),
            sso,
        }
    }

    fn problem(&self, why: &CredentialsError) -> Problem {
        let problem = (self.words)(why);
        if let Some(profile) = &problem.login {
            self.logins.want(profile);
        }
        problem
    }

    fn fine(&self) {
        if let Some(profile) = &self.sso {
            self.logins.met(profile);
        }
    }
}

impl fmt::Debug for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explain")
            .field("sso", &self.sso)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct State {
    have: Option<Credentials>,
    /// From when on something better is asked for; `None` where they do not end.
    renew_at: Option<SystemTime>,
    /// Not renewed before then.
    pause: Option<SystemTime>,
}

impl State {
    /// Credentials came `now`. What lives short is not renewed for most of its life: a fifth of it is enough. Where one of
    /// the two clocks says that they have ended already, the other is believed for a while.
    fn keep(&mut self, fresh: Credentials, before: Duration, now: SystemTime) {
        self.renew_at = fresh.expiry().map(|end| {
            let life = end.duration_since(now).unwrap_or_default();
            match life.is_zero() {
                true => now + PAUSE,
                false => end - before.min(life / 5),
            }
        });
        self.have = Some(fresh);
    }
}

impl Kept {
    /// Keeps what `source` gives, and asks it again `before` it ends; `have` is what it has given already.
    pub(super) fn new(
        source: SharedCredentialsProvider,
        before: Duration,
        meter: Meter,
        explain: Explain,
        have: Option<Credentials>,
    ) -> Self {
        let mut state = State::default();
        if let Some(have) = have {
            state.keep(have, before, meter.later());
        }
        let source = Source {
            provider: source,
            before,
            meter,
            explain,
            ended: Mutex::default(),
        };
        Self {
            source: Arc::new(source),
            gate: Arc::new(Gate::holding(state)),
        }
    }

    /// The credentials, renewed where they are about to end.
    pub(super) async fn give(&self) -> Result<Credentials, Problem> {
        let (holding, renewing) = (self.source.clone(), self.source.clone());
        let gate = self.gate.clone();
        gate.pass(
            move |state| holding.good(state),
            |state| async move { renewing.renew(state).await },
        )
        .await
    }

    /// Uses the credentials of this access key no more: AWS says that they have ended. What was renewed since stays.
    pub(super) fn forget(&self, access_key_id: &str) {
        self.source.ended().insert(access_key_id.to_owned());
    }
}

impl Source {
    /// What it has, unless that has to be renewed.
    fn good(&self, state: &State) -> Option<Credentials> {
        let have = state.have.as_ref().filter(|have| !self.has_ended(have))?;
        let now = self.meter.later();
        let pausing = state.pause.is_some_and(|until| now < until);
        let good = state.renew_at.is_none_or(|from| now < from)
            || pausing && have.expiry().is_some_and(|end| now < end);
        good.then(|| have.clone())
    }

    fn ended(&self) -> MutexGuard<'_, HashSet<String>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self, have: &Credentials) -> bool {
        self.ended().contains(have.access_key_id())
    }

    async fn renew(&self, mut state: State) -> (State, Result<Credentials, Problem>) {
        let now = self.meter.later();
        // An hour's session that cannot be renewed for the moment still has minutes to go.
        let old = state
            .have
            .take()
            .filter(|old| !self.has_ended(old) && old.expiry().is_some_and(|end| now < end));
        let fresh = match self.provider.provide_credentials().await {
            Ok(fresh) => match fresh.expiry() {
                Some(end) if self.meter.both_past(end) => Err(CredentialsError::provider_error(Ended(end))),
                _ => Ok(fresh),
            },
            Err(why) => Err(why),
        };
        let ends = |of: &Credentials| of.expiry();
        let is_better = match (fresh.as_ref().map(ends), old.as_ref().and_then(ends)) {
            (Ok(Some(fresh)), Some(old)) => fresh > old,
            (Ok(_), _) => true,
            (Err(_), _) => false,
        };
        state.pause = None;
        let answer = match (fresh, old.filter(|_| !is_better)) {
            (_, Some(old)) => {
                state.pause = Some(now + PAUSE);
                state.have = Some(old.clone());
                Ok(old)
            }
            (Ok(fresh), None) => {
                self.explain.fine();
                // Whoever gives the same again is believed once more.
                self.ended().clear();
                state.keep(fresh.clone(), self.before, self.meter.later());
                Ok(fresh)
            }
            (Err(why), None) => Err(self.explain.problem(&why)),
        };
        (state, answer)
    }
}

impl ProvideCredentials for Kept {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(async {
            let given = self.give().await;
            given.map_err(CredentialsError::provider_error)
        })
    }
}

#[cfg(test)]
#[path = "kept_tests.rs"]
pub(super) mod tests;
