//! Stores that answer the probes otherwise than S3: nothing may be left behind in any of them.

use super::canned::through;
use crate::deploy::{recorded, yes};
use crate::support::fake::{Asked, Reply};
use crate::support::jobs::World;
use crate::verify::{report, rung, verify};
use crate::verify_limits::{hand_made, part, reads, right_trust};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Failed, Passed};
use glueup::verify::RungId;
use std::sync::{Arc, Mutex};

/// A store without uploads in parts; what it makes of a `PutObject` that names an object's tag is the test's.
fn store(put: fn() -> Reply, asked_for: Arc<Mutex<Vec<String>>>) -> impl Fn(&Asked) -> Option<Reply> {
    move |asked| {
        let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
        let note = |what: &str| asked_for.lock().unwrap().push(format!("{what} {path}"));
        match asked.method.as_str() {
            "PUT" if query.contains("uploadId") => Some(Reply::s3_error(501, "NotImplemented", "not here")),
            "PUT" if !asked.header("if-match").is_empty() => {
                note("PUT");
                Some(put())
            }
            "DELETE" => {
                note("DELETE");
                Some(Reply {
                    status: 204,
                    ..Reply::xml("")
                })
            }
            _ => None,
        }
    }
}

#[tokio::test]
async fn a_store_without_uploads_in_parts_is_asked_otherwise_and_left_as_it_was() {
    let stored: fn() -> Reply = || Reply::xml("");
    let gone: fn() -> Reply = || Reply::s3_error(404, "NoSuchKey", "The specified key does not exist.");
    let unmet: fn() -> Reply = || {
        Reply::s3_error(
            412,
            "PreconditionFailed",
            "At least one of the preconditions did not hold",
        )
    };
    let refused: fn() -> Reply = || Reply::s3_error(403, "AccessDenied", "Access Denied");
    for (name, put, allowed, removes) in [
        ("ignores If-Match", stored, true, true),
        ("finds nothing", gone, true, false),
        ("holds the precondition", unmet, true, false),
        ("refuses", refused, false, false),
    ] {
        let world = World::start();
        let session = recorded(&world).await;
        hand_made(
            &world,
            &session,
            "reads",
            right_trust(&world),
            &reads(),
            Access::ReadOnly,
        )
        .await;
        let calls = Arc::new(Mutex::new(Vec::new()));
        let ran = yes(&through(&world, store(put, calls.clone())), verify()).await;
        let write = rung(report(&ran), RungId::Write);
        let object = part(write, "s3:PutObject");
        let wanted = if allowed { Failed } else { Passed };
        assert_eq!(object.status, wanted, "{name}: {write:#?}");
        let calls = calls.lock().unwrap();
        // Each key that was written, below the prefix and beside it, is removed again, and no other.
        let of = |what: &str| {
            let mut keys: Vec<String> = calls
                .iter()
                .filter_map(|call| call.strip_prefix(what).map(str::to_owned))
                .collect();
            keys.sort();
            keys
        };
        let (written, removed) = (of("PUT "), of("DELETE "));
        assert_eq!(written.len(), 2, "{name}: {calls:?}");
        assert!(
            written.iter().all(|key| key.contains("glueup_probe_")),
            "{name}: {calls:?}"
        );
        assert_eq!(removed, if removes { written } else { Vec::new() }, "{name}");
    }
}
