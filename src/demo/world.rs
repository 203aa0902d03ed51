//! What all services share: the state, the clock, the knobs, the policy gate.

use super::caller::Caller;
use super::error::AwsError;
use super::knobs::Knobs;
use super::persist::Files;
use super::sts::Sessions;
use super::{Options, cloudformation, glue, iam, s3};
use crate::policy::Context;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// A part of the state that knows whether it was touched since it was last saved.
#[derive(Clone, Debug, Default)]
pub struct Tracked<T> {
    value: T,
    dirty: bool,
}

impl<T> Tracked<T> {
    pub(super) fn new(value: T) -> Self {
        Self { value, dirty: false }
    }

    pub(super) fn take_dirty(&mut self) -> bool {
        std::mem::take(&mut self.dirty)
    }

    pub(super) fn set_dirty(&mut self) {
        self.dirty = true;
    }
}

impl<T> Deref for Tracked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Tracked<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.dirty = true;
        &mut self.value
    }
}

/// Everything that is kept, but the bodies and the index of S3.
#[derive(Debug, Default)]
pub struct State {
    /// Users, roles, policies, access keys.
    pub iam: Tracked<iam::Store>,
    /// Sessions of assumed roles.
    pub sessions: Tracked<Sessions>,
    /// CloudFormation's stacks.
    pub stacks: Tracked<cloudformation::Store>,
    /// Glue's catalogs.
    pub glue: Tracked<glue::Store>,
}

/// The moment of a change, by both clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds since 1970 by the server's clock: what is shown.
    pub shown: i64,
    /// Milliseconds since 1970 by the machine's clock. The spreading of IAM changes is measured by it, so that moving
    /// the server's clock hides or reveals nothing.
    pub real: i64,
    /// Changes of IAM are seen that were made up to here, by the machine's clock.
    pub seen: i64,
}

/// An access key with the identity behind it.
#[derive(Clone)]
pub struct Key {
    /// The secret that signs.
    pub secret: String,
    /// The session token that must come with it.
    pub token: Option<String>,
    /// When it ends, in milliseconds since 1970 by the server's clock.
    pub expires: Option<i64>,
    /// Whose it is.
    pub caller: Caller,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("caller", &self.caller)
            .field("expires", &self.expires)
            .finish_non_exhaustive()
    }
}

/// The embedded AWS, without its server.
pub struct World {
    state: Mutex<State>,
    files: Option<Files>,
    endpoint: String,
    /// What can be turned while it runs.
    pub knobs: Knobs,
    /// S3 keeps its own state: its bodies are large and it has its own lock.
    pub s3: s3::Store,
}

impl World {
    pub(super) fn new(
        state: State,
        files: Option<Files>,
        endpoint: String,
        options: &Options,
        s3: s3::Store,
    ) -> Self {
        Self {
            state: Mutex::new(state),
            files,
            endpoint,
            knobs: Knobs::new(options),
            s3,
        }
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Milliseconds since 1970 by the server's clock.
    pub fn now(&self) -> i64 {
        self.moment().shown
    }

    /// This moment by both clocks.
    pub fn moment(&self) -> Moment {
        let real = super::clock::millis(SystemTime::now());
        let shown = real.saturating_add(self.knobs.clock_offset_s().saturating_mul(1000));
        // Without a delay everything is seen, also what was kept from a time when this machine's clock was ahead.
        let seen = match self.knobs.iam_delay_ms() {
            0 => i64::MAX,
            delay => real.saturating_sub(delay),
        };
        Moment { real, shown, seen }
    }

    /// Looks at the state. Keep it short: every service waits for it.
    pub fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.lock())
    }

    /// Changes the state; what was changed is on disk before this returns. A change that answers an error must not
    /// have changed anything: look first, then write.
    pub fn change<T>(&self, change: impl FnOnce(&mut State) -> Result<T, AwsError>) -> Result<T, AwsError> {
        let mut state = self.lock();
        let answer = change(&mut state);
        if let Some(files) = &self.files {
            files.save(&mut state).map_err(|why| {
                AwsError::internal(format!(
                    "The change was made but could not be kept on disk: {why}"
                ))
            })?;
        }
        answer
    }

    /// Whether a caller may do this: its own policies, its permissions boundary and its session policy, as they are
    /// seen now. The keys that every request carries (`aws:PrincipalArn` …) are added to `context`.
    pub fn authorize(
        &self,
        caller: &Caller,
        action: &str,
        resource: &str,
        context: &Context,
    ) -> Result<(), AwsError> {
        let moment = self.moment();
        self.read(|state| state.iam.authorize(moment, caller, action, resource, context))
    }

    /// The key of this id, also an ended one.
    pub fn key(&self, key_id: &str) -> Option<Key> {
        self.read(|state| state.iam.key(key_id).or_else(|| state.sessions.key(key_id)))
    }

    /// The key of this id, if it exists, the session token is its own, and it has not ended.
    pub fn usable_key(&self, key_id: &str, token: Option<&str>) -> Result<Key, AwsError> {
        let invalid = || {
            AwsError::new(
                403,
                "InvalidClientTokenId",
                "The security token included in the request is invalid.",
            )
        };
        let key = self.key(key_id).ok_or_else(invalid)?;
        if key.token.as_deref() != token {
            return Err(invalid());
        }
        if key.expires.is_some_and(|end| end <= self.now()) {
            return Err(AwsError::new(
                403,
                "ExpiredToken",
                "The security token included in the request is expired",
            ));
        }
        Ok(key)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic under the lock is a bug of one request; the others go on.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
impl World {
    /// A world in memory with the principals that every demo has, and no server.
    pub(super) fn for_tests() -> std::sync::Arc<Self> {
        let options = Options::default();
        let s3 = s3::Store::open(None).unwrap();
        let world = Self::new(
            State::default(),
            None,
            "http://127.0.0.1:1".to_owned(),
            &options,
            s3,
        );
        world
            .change(|state| iam::principals::seed(&mut state.iam, world.moment()))
            .unwrap();
        std::sync::Arc::new(world)
    }

    /// The caller of a key.
    pub(super) fn caller(&self, key_id: &str) -> Caller {
        self.key(key_id).unwrap().caller
    }
}
