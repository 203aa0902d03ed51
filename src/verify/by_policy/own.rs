//! What S3 refused without a word on why, where the role's own policies allow it.

use super::super::climb::Climb;
use super::super::place::Asked;
use super::bucket;
use super::said::{Refuser, Said, said};
use crate::cloud::iam::Question;
use crate::registry::Grant;

/// What the bucket's policy says then.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::verify) enum OfBucket {
    /// It does not refuse it, or there is none.
    Lets,
    /// Why it was not shown.
    Unseen(String),
    /// It hangs on these condition keys of a request.
    Hangs(String),
    /// It refuses it.
    Refuses,
}

/// What the bucket's policy says of what the role's own policies allow; `None` where they do not allow it all, or where
/// nobody here can tell.
pub(in crate::verify) async fn beside_own(climb: &Climb, grant: &Grant, asked: &[Asked]) -> Option<OfBucket> {
    if asked.is_empty() || !asked.iter().all(|asked| asked.action.starts_with("s3:")) {
        return None;
    }
    let reader = climb.books.reader(climb).await.ok()?;
    let mut allowed = Vec::new();
    for asked in asked {
        let arns = asked.place.arns(climb);
        let question = Question {
            actions: vec![asked.action],
            resources: arns.clone(),
            context: asked.place.context(),
        };
        let answers = reader.iam.simulate(&climb.role, &question).await.ok()?;
        let own = said(&answers, asked.action, &arns, &arns);
        if !matches!(own, Said::Allowed { .. }) {
            return None;
        }
        allowed.push((asked, own));
    }
    let policy = bucket::look(climb, reader, grant).await;
    let of_bucket =
        allowed.into_iter().map(
            |(asked, own)| match policy.beside(climb, asked.action, &asked.place, own) {
                Said::Refused {
                    why: Refuser::Bucket | Refuser::AccessPoint,
                    ..
                } => OfBucket::Refuses,
                Said::Open { keys } => OfBucket::Hangs(keys),
                Said::Unshown { why, .. } => OfBucket::Unseen(why),
                _ => OfBucket::Lets,
            },
        );
    of_bucket.max()
}
