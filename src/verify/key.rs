//! A KMS key that refuses. What was asked for is there, and must not be taken for missing: the key is named, and how the role
//! gets the right to use it.

use super::climb::Climb;
use super::mend;
use super::report::RungId;
use super::rung::Verdict;
use crate::domain::arn::KmsKeyArn;
use crate::domain::status::Status;
use crate::registry::Grant;
use crate::stack::encryption::{self, Encryption, Thing};

/// Puts the key's name, and the commands that give the role the right to use it, into a verdict on what a key refused.
pub(super) async fn say(climb: &Climb, id: RungId, verdict: &mut Verdict) {
    let Some(grant) = &climb.grant else { return };
    if verdict.status != Status::Failed || !verdict.by_key {
        return;
    }
    let thing = match id {
        RungId::Databases | RungId::Tables | RungId::Rest => Thing::Catalog,
        _ => Thing::Files,
    };
    // What refused counts more than what is set by now: what was there before keeps its key.
    let named = verdict.resource.as_deref().and_then(|on| on.parse().ok());
    let key = match named {
        Some(key) => key,
        None => match found(climb, grant, thing).await {
            Some(Encryption::Key(key)) => key,
            Some(Encryption::Named(name)) => {
                verdict.answer = format!("{}; the key is {name}", verdict.answer);
                return;
            }
            _ => return,
        },
    };
    if !verdict.answer.contains(key.as_str()) {
        verdict.answer = format!("{}; the key is {key}", verdict.answer);
    }
    if thing.on_record(grant) != Some(&key) {
        verdict.next = Some(put_on_record(climb, grant, thing, &key));
    } else if climb.connection.adopted {
        let next = verdict.next.take().unwrap_or_default();
        let right = mend::put_grant(climb, grant, "The whole policy that the role needs:");
        verdict.next = Some(format!("{next}\n{right}"));
    }
}

/// A platform that never lists reads what it is told to read, and a table that does not exist is not decrypted: where the
/// catalog has a key that is not on record, that is said beside the verdict.
pub(super) async fn beside(climb: &Climb, verdict: Verdict) -> Verdict {
    let Some(grant) = climb.grant.as_ref().filter(|_| verdict.status == Status::Passed) else {
        return verdict;
    };
    let missing = found(climb, grant, Thing::Catalog).await;
    let missing = missing.as_ref().and_then(Encryption::key);
    match missing.filter(|key| grant.catalog_kms_key.as_ref() != Some(*key)) {
        Some(key) => Verdict {
            status: Status::Warning,
            answer: format!(
                "{}; the catalog is encrypted with {key}, which is not on record: no table could be read",
                verdict.answer
            ),
            next: Some(put_on_record(climb, grant, Thing::Catalog, key)),
            ..verdict
        },
        None => verdict,
    }
}

/// The commands that give the role the right to use a key.
pub(super) fn put_on_record(climb: &Climb, grant: &Grant, thing: Thing, key: &KmsKeyArn) -> String {
    const OWN_POLICY: &str = "The key's own policy must allow it too, where it does not leave that to IAM.";
    let set = thing.set_command(grant, key.as_str());
    if !climb.connection.adopted {
        return format!(
            "Put the key on record, and deploy again so that the role may use it. {OWN_POLICY}\n{set}\nglueup deploy {}",
            grant.holder.command()
        );
    }
    let mut with_key = grant.clone();
    match thing {
        Thing::Files => with_key.kms_key = Some(key.clone()),
        Thing::Catalog => with_key.catalog_kms_key = Some(key.clone()),
    }
    let words = format!("The whole policy that the role needs, for whoever keeps it. {OWN_POLICY}");
    format!(
        "Put the key on record:\n{set}\n{}",
        mend::put_grant(climb, &with_key, &words)
    )
}

/// The key as whoever may look sees it: the caller where it is in the role's account, else the role itself.
pub(super) async fn found(climb: &Climb, grant: &Grant, thing: Thing) -> Option<Encryption> {
    let reader = climb.books.reader(climb).await.ok().map(|reader| &reader.aws);
    for aws in reader.into_iter().chain(climb.role_session.get()) {
        let found = match thing {
            Thing::Catalog => encryption::of_catalog(&aws.glue(&climb.region)).await,
            Thing::Files => encryption::of_bucket(aws.s3(climb.bucket_region()), &grant.s3_path).await,
        };
        if !matches!(found, Encryption::Unseen(_)) {
            return Some(found);
        }
    }
    None
}
