//! Credentials that are kept until they are about to end, and renewed before they do.

use super::credentials::Ended;
use super::logins::Logins;
use super::meter::Meter;
use crate::domain::problem::Problem;
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider, future};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Mutex;

/// After a renewal that brought nothing better the next one waits so long, while what is there still holds.
const PAUSE: Duration = Duration::from_secs(30);

/// Asks its source only when what it has ends soon, so that a person with a code, a program behind
/// `credential_process`, or a role is not asked by every client anew. A clone keeps the same credentials.
///
/// Nobody else caches them: the SDK asks here for each request.
#[derive(Debug, Clone)]
pub(super) struct Kept(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    source: SharedCredentialsProvider,
    before: Duration,
    meter: Meter,
    explain: Explain,
    state: Mutex<State>,
    /// Access keys that AWS calls ended, since the last renewal. Apart from the state, which is locked while the source
    /// is asked.
    ended: std::sync::Mutex<HashSet<String>>,
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
    /// The last refusal, and when it came: whoever asked before that gets the same one.
    refused: Option<(Instant, Problem)>,
}

impl State {
    /// Credentials came `now`. What lives short is not renewed for most of its life: a fifth of it is enough.
    fn keep(&mut self, fresh: Credentials, before: Duration, now: SystemTime) {
        self.renew_at = fresh.expiry().map(|end| {
            let life = end.duration_since(now).unwrap_or_default();
            end - before.min(life / 5)
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
        Self(Arc::new(Inner {
            source,
            before,
            meter,
            explain,
            state: Mutex::new(state),
            ended: std::sync::Mutex::default(),
        }))
    }

    /// The credentials, renewed where they are about to end.
    pub(super) async fn give(&self) -> Result<Credentials, Problem> {
        let asked = Instant::now();
        if let Some(good) = self.0.good(&*self.0.state.lock().await) {
            return Ok(good);
        }
        let inner = self.0.clone();
        // In a task of its own: whoever asked may be cancelled, the question that is open then still gets its answer.
        tokio::spawn(async move { inner.renew(asked).await })
            .await
            .unwrap_or_else(|_| Err(Problem::interrupted()))
    }

    /// Uses the credentials of this access key no more: AWS says that they have ended. What was renewed since stays.
    pub(super) fn forget(&self, access_key_id: &str) {
        self.0.ended().insert(access_key_id.to_owned());
    }
}

impl Inner {
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

    async fn renew(&self, asked: Instant) -> Result<Credentials, Problem> {
        let mut state = self.state.lock().await;
        if let Some(good) = self.good(&state) {
            return Ok(good);
        }
        if let Some((when, why)) = &state.refused
            && *when > asked
        {
            return Err(why.clone());
        }
        let now = self.meter.later();
        // An hour's session that cannot be renewed for the moment still has minutes to go.
        let old = state
            .have
            .take()
            .filter(|old| !self.has_ended(old) && old.expiry().is_some_and(|end| now < end));
        let fresh = match self.source.provide_credentials().await {
            Ok(fresh) => match fresh.expiry() {
                Some(end) if self.meter.both_past(end) => Err(CredentialsError::provider_error(Ended(end))),
                _ => Ok(fresh),
            },
            Err(why) => Err(why),
        };
        let better = |fresh: &Credentials| match (fresh.expiry(), old.as_ref().and_then(Credentials::expiry))
        {
            (Some(fresh), Some(old)) => fresh > old,
            _ => true,
        };
        state.pause = None;
        match (fresh, old.clone()) {
            (Ok(fresh), _) if better(&fresh) => {
                self.explain.fine();
                // Whoever gives the same again is believed once more.
                self.ended().clear();
                state.keep(fresh.clone(), self.before, self.meter.later());
                Ok(fresh)
            }
            (_, Some(old)) => {
                state.pause = Some(now + PAUSE);
                state.have = Some(old.clone());
                Ok(old)
            }
            (Ok(fresh), None) => {
                state.keep(fresh.clone(), self.before, self.meter.later());
                Ok(fresh)
            }
            (Err(why), None) => {
                let why = self.explain.problem(&why);
                state.refused = Some((Instant::now(), why.clone()));
                Err(why)
            }
        }
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
pub(super) mod tests {
    use super::super::clock::Clock;
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

    /// Gives sessions of so many seconds, a new one each time; refuses while it is told to.
    #[derive(Debug, Clone)]
    pub(in crate::cloud) struct Source {
        count: Arc<AtomicU64>,
        refuses: Arc<AtomicBool>,
        clock: Clock,
        life: u64,
    }

    impl ProvideCredentials for Source {
        fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
        where
            Self: 'a,
        {
            future::ProvideCredentials::new(async {
                let number = self.count.fetch_add(1, Relaxed);
                tokio::task::yield_now().await;
                if self.refuses.load(Relaxed) {
                    return Err(CredentialsError::provider_error(format!("no {number}")));
                }
                let end = self.clock.now() + Duration::from_secs(self.life);
                Ok(Credentials::new(format!("k{number}"), "s", None, Some(end), "t"))
            })
        }
    }

    pub(in crate::cloud) fn kept(life: u64) -> (Kept, Source, Meter) {
        let meter = Meter::default();
        let source = Source {
            count: Arc::default(),
            refuses: Arc::default(),
            clock: meter.ours().clone(),
            life,
        };
        let shared = SharedCredentialsProvider::new(source.clone());
        let explain = Explain::new(&Logins::default(), None, |why| {
            super::super::remedy::unusable(why, None, None)
        });
        let kept = Kept::new(shared, Duration::from_secs(720), meter.clone(), explain, None);
        (kept, source, meter)
    }

    pub(in crate::cloud) async fn key(kept: &Kept) -> String {
        kept.give().await.unwrap().access_key_id().to_owned()
    }

    #[tokio::test]
    async fn a_source_is_asked_again_only_near_the_end() {
        let (kept, source, _) = kept(3_600);
        let mut keys = Vec::new();
        for minutes in [0, 20, 47, 49, 60, 96, 98] {
            source.clock.set_ahead(minutes * 60);
            keys.push(key(&kept).await);
        }
        assert_eq!(keys, ["k0", "k0", "k0", "k1", "k1", "k1", "k2"]);
    }

    #[tokio::test]
    async fn a_clock_of_ours_that_is_behind_does_not_let_a_session_end() {
        let (kept, _, meter) = kept(3_600);
        assert_eq!(key(&kept).await, "k0");
        let now = SystemTime::now();
        let ours = now.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        meter.clock(i64::try_from(ours).unwrap() + 50 * 60, now);
        assert_eq!(key(&kept).await, "k1");
    }

    #[tokio::test]
    async fn what_cannot_be_renewed_is_used_to_its_end_and_not_asked_for_at_each_call() {
        let (kept, source, _) = kept(3_600);
        key(&kept).await;
        source.refuses.store(true, Relaxed);
        source.clock.set_ahead(50 * 60);
        for _ in 0..3 {
            assert_eq!(key(&kept).await, "k0");
        }
        assert_eq!(source.count.load(Relaxed), 2);
        source.clock.set_ahead(60 * 60 + 1);
        assert!(kept.give().await.is_err());
        source.refuses.store(false, Relaxed);
        assert_eq!(key(&kept).await, "k3");
    }

    #[tokio::test]
    async fn one_refusal_answers_all_who_waited_for_it() {
        let (kept, source, _) = kept(3_600);
        source.refuses.store(true, Relaxed);
        let all = futures_util::future::join_all((0..6).map(|_| kept.give())).await;
        assert!(all.iter().all(Result::is_err));
        assert_eq!(source.count.load(Relaxed), 1);
        // Whoever asks later asks anew.
        assert!(kept.give().await.is_err());
        assert_eq!(source.count.load(Relaxed), 2);
    }

    #[tokio::test]
    async fn who_is_cancelled_leaves_the_question_to_the_next() {
        let (kept, source, _) = kept(3_600);
        let gone = kept.clone();
        let waiting = tokio::spawn(async move { gone.give().await.map(drop) });
        tokio::task::yield_now().await;
        waiting.abort();
        assert_eq!(key(&kept).await, "k0");
        assert_eq!(source.count.load(Relaxed), 1);
    }

    #[tokio::test]
    async fn what_has_ended_when_it_comes_is_refused() {
        let (kept, source, _) = kept(0);
        let why = kept.give().await.unwrap_err();
        assert!(why.what.contains("had ended"), "{why:?}");
        assert_eq!(source.count.load(Relaxed), 1);
    }

    #[tokio::test]
    async fn what_aws_calls_ended_is_renewed_once_and_a_late_word_of_it_takes_nothing_new() {
        let (kept, source, _) = kept(3_600);
        assert_eq!(key(&kept).await, "k0");
        kept.forget("k0");
        assert_eq!(key(&kept).await, "k1");
        // Of a request that was on its way when they were renewed.
        kept.forget("k0");
        assert_eq!(key(&kept).await, "k1");
        assert_eq!(source.count.load(Relaxed), 2);
        // Not even while nothing better is to be had.
        source.refuses.store(true, Relaxed);
        kept.forget("k1");
        assert!(kept.give().await.is_err());
    }

    #[tokio::test]
    async fn what_ended_while_it_was_renewed_is_not_used_again() {
        let (kept, source, _) = kept(3_600);
        key(&kept).await;
        source.clock.set_ahead(50 * 60);
        source.refuses.store(true, Relaxed);
        let (given, ()) = tokio::join!(kept.give(), async {
            tokio::task::yield_now().await;
            kept.forget("k0");
        });
        drop(given);
        assert!(kept.give().await.is_err());
    }

    #[tokio::test]
    async fn what_lives_short_is_used_for_most_of_its_life() {
        for (life, until) in [(300, 239), (900, 719), (3_600, 2_879)] {
            let (kept, source, _) = kept(life);
            key(&kept).await;
            source.clock.set_ahead(until);
            assert_eq!(key(&kept).await, "k0", "of {life} s");
            source.clock.set_ahead(until + 2);
            assert_eq!(key(&kept).await, "k1", "of {life} s");
        }
    }
}
