//! The sessions that were given out.

use crate::demo::caller::Caller;
use crate::demo::clock::iso;
use crate::demo::ids;
use crate::demo::world::Key;
use crate::demo::xml::Xml;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// How long an ended session is remembered, in milliseconds, so that its key is answered "expired" and not "unknown".
const REMEMBERED_MS: i64 = 2 * 24 * 3600 * 1000;
/// Above so many sessions the ended ones are forgotten at once: all are written anew with each change.
const CROWDED: usize = 500;

/// The sessions, by access key id.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sessions(BTreeMap<String, Session>);

#[derive(Clone, Serialize, Deserialize)]
struct Session {
    caller: Caller,
    secret: String,
    token: String,
    end: i64,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("caller", &self.caller)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

/// What a session's holder is given.
pub(super) struct Credentials {
    key_id: String,
    secret: String,
    token: String,
    end: i64,
}

impl Credentials {
    pub(super) fn to_xml(&self) -> Xml {
        Xml::new()
            .text("AccessKeyId", &self.key_id)
            .text("SecretAccessKey", &self.secret)
            .text("SessionToken", &self.token)
            .text("Expiration", iso(self.end))
    }
}

impl Sessions {
    /// The key of a session, also of an ended one.
    pub fn key(&self, key_id: &str) -> Option<Key> {
        let session = self.0.get(key_id)?;
        Some(Key {
            secret: session.secret.clone(),
            token: Some(session.token.clone()),
            expires: Some(session.end),
            caller: session.caller.clone(),
        })
    }

    /// Begins a session. `now` and `end` are milliseconds since 1970 by the server's clock.
    pub(super) fn begin(&mut self, caller: Caller, now: i64, end: i64) -> Credentials {
        let remembered = if self.0.len() > CROWDED { 0 } else { REMEMBERED_MS };
        self.0
            .retain(|_, session| session.end.saturating_add(remembered) > now);
        let key_id = ids::unique("ASIA");
        let session = Session {
            caller: Caller {
                key_id: key_id.clone(),
                ..caller
            },
            secret: ids::secret(),
            token: ids::token(),
            // Whole seconds, as the answer says it.
            end: end - end.rem_euclid(1000),
        };
        let credentials = Credentials {
            key_id: key_id.clone(),
            secret: session.secret.clone(),
            token: session.token.clone(),
            end: session.end,
        };
        self.0.insert(key_id, session);
        credentials
    }
}
