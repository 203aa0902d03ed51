//! A role or a policy that is not there because its stack was deleted behind our back. Looked for only where something
//! failed, and never needed for the verdict.

use super::Update;
use super::climb::Climb;
use super::report::RungId;
use super::rung::Verdict;
use crate::domain::status::Status;
use crate::domain::text::capital;
use crate::report::Reporter;
use crate::stack::Target;
use crate::stack::gone::{self, Gone};

/// The stack that is gone and without which a rung cannot hold, as far as the caller may look for it.
pub(super) async fn of<'a>(climb: &'a Climb, id: RungId, verdict: &Verdict) -> Option<&'a Gone> {
    if verdict.status != Status::Failed {
        return None;
    }
    let found = match (id, &climb.grant) {
        (RungId::Role, _) => {
            climb
                .own_gone
                .get_or_init(|| {
                    Box::pin(async {
                        let target = Target::Connection(climb.connection.name.clone());
                        gone::look(&climb.session, &target, climb.own_seen()).await
                    })
                })
                .await
        }
        (id, Some(grant)) if id > RungId::ExternalId && verdict.denied => {
            climb
                .access_gone
                .get_or_init(|| {
                    Box::pin(async {
                        let target = Target::Grant(grant.holder.clone());
                        gone::look(&climb.session, &target, climb.access_seen()).await
                    })
                })
                .await
        }
        _ => return None,
    };
    found.as_ref()
}

/// Puts the stack that is gone in the place of what else could be done: no policy put beside it makes it come back.
pub(super) async fn say(climb: &Climb, id: RungId, verdict: &mut Verdict) {
    if let Some(gone) = of(climb, id, verdict).await {
        verdict.answer = format!("{}. {}", capital(&gone.words()), verdict.answer);
        verdict.next = Some(gone.next());
        // No waiting mends that.
        verdict.denied = false;
    }
}

/// Takes what was found to be gone out of the records: what it stood for has to be deployed again.
pub(super) async fn note(climb: &Climb, reporter: &Reporter<Update>) {
    for cell in [&climb.own_gone, &climb.access_gone] {
        if let Some(Some(gone)) = cell.get()
            && let Err(problem) = gone::forget(&climb.session, gone)
        {
            reporter.tell(Update::NotKept(Box::new(problem))).await;
        }
    }
}
