//! What a stack's status means for somebody who waits for it or wants to change it.

use crate::stack::Target;

/// What a `StackStatus` allows. CloudFormation knows 23 of them; these are the cases that differ for us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// A change set was made and never executed: nothing exists, yet the name is taken.
    Review,
    /// CloudFormation is at work towards a stack that lives.
    Working,
    /// CloudFormation is undoing what it did.
    Undoing,
    /// CloudFormation is deleting it.
    Deleting,
    /// What the template says is there.
    Complete,
    /// An update failed and was undone: the version before is live.
    UpdateUndone,
    /// A create failed and was undone: nothing is there, the name is taken, and only a delete is possible.
    CreateUndone,
    /// It failed and left something behind: only a delete, or a hand in the console, gets it out.
    Stuck,
    /// It is gone.
    Gone,
    /// A status that was not known when this was written.
    Unknown,
}

impl State {
    /// Reads CloudFormation's word.
    pub fn of(status: &str) -> Self {
        match status {
            "REVIEW_IN_PROGRESS" => Self::Review,
            "CREATE_IN_PROGRESS" | "UPDATE_IN_PROGRESS" | "IMPORT_IN_PROGRESS" => Self::Working,
            "ROLLBACK_IN_PROGRESS"
            | "UPDATE_ROLLBACK_IN_PROGRESS"
            | "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS"
            | "IMPORT_ROLLBACK_IN_PROGRESS" => Self::Undoing,
            "DELETE_IN_PROGRESS" => Self::Deleting,
            // The new version is live already, but the stack takes no other change until this is over.
            "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS" => Self::Working,
            "CREATE_COMPLETE" | "UPDATE_COMPLETE" | "IMPORT_COMPLETE" => Self::Complete,
            "UPDATE_ROLLBACK_COMPLETE" | "IMPORT_ROLLBACK_COMPLETE" => Self::UpdateUndone,
            "ROLLBACK_COMPLETE" => Self::CreateUndone,
            "CREATE_FAILED"
            | "ROLLBACK_FAILED"
            | "DELETE_FAILED"
            | "UPDATE_FAILED"
            | "UPDATE_ROLLBACK_FAILED"
            | "IMPORT_ROLLBACK_FAILED" => Self::Stuck,
            "DELETE_COMPLETE" => Self::Gone,
            _ => Self::Unknown,
        }
    }

    /// True while the status will change without anybody's doing.
    pub fn moves(self) -> bool {
        matches!(self, Self::Working | Self::Undoing | Self::Deleting)
    }
}

/// What to do about the target's stack when it can neither be used nor updated: why that is so, and the way out.
///
/// `None` for a status that is no dead end.
pub fn dead_end(status: &str, target: &Target) -> Option<(String, String)> {
    let deploy = format!("glueup deploy {}", target.command());
    let delete = target.delete_command();
    let anew = || {
        format!(
            "deploy from here deletes it and creates it again, after a question ({deploy}); or delete it ({delete})"
        )
    };
    let way = match status {
        "REVIEW_IN_PROGRESS" => (
            "a change set was begun for it and never executed; nothing has been made, but the name is taken",
            format!("deploy from here takes it up, after a question ({deploy})"),
        ),
        "ROLLBACK_COMPLETE" => (
            "its creation failed and was undone: nothing is in it, but the name is taken",
            anew(),
        ),
        "CREATE_FAILED" => (
            "its creation failed, and what had been made was kept (rollback was switched off)",
            anew(),
        ),
        "ROLLBACK_FAILED" => (
            "its creation failed, and so did undoing it: something is left behind",
            anew(),
        ),
        "DELETE_FAILED" => (
            "it could not be deleted: something in it is in use or may not be deleted",
            format!(
                "once that is mended, {}; what cannot be deleted can be let stay: {delete} asks about it",
                anew()
            ),
        ),
        "UPDATE_FAILED" => (
            "an update failed, and what it had done was kept (rollback was switched off)",
            format!(
                "deploy from here takes that update back, after a question, and then shows what this record would change \
                 ({deploy}); or delete it ({delete})"
            ),
        ),
        "UPDATE_ROLLBACK_FAILED" => (
            "an update failed, and so did undoing it",
            format!(
                "once that is mended, deploy from here undoes it, after a question, and then shows what this record would \
                 change ({deploy}); or delete it ({delete})"
            ),
        ),
        "IMPORT_ROLLBACK_FAILED" => (
            "an import failed, and so did undoing it",
            "mend it in the CloudFormation console".to_owned(),
        ),
        _ => return None,
    };
    Some((way.0.to_owned(), way.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every `StackStatus` of the CloudFormation API.
    const ALL: [&str; 23] = [
        "CREATE_IN_PROGRESS",
        "CREATE_FAILED",
        "CREATE_COMPLETE",
        "ROLLBACK_IN_PROGRESS",
        "ROLLBACK_FAILED",
        "ROLLBACK_COMPLETE",
        "DELETE_IN_PROGRESS",
        "DELETE_FAILED",
        "DELETE_COMPLETE",
        "UPDATE_IN_PROGRESS",
        "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
        "UPDATE_COMPLETE",
        "UPDATE_FAILED",
        "UPDATE_ROLLBACK_IN_PROGRESS",
        "UPDATE_ROLLBACK_FAILED",
        "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE",
        "REVIEW_IN_PROGRESS",
        "IMPORT_IN_PROGRESS",
        "IMPORT_COMPLETE",
        "IMPORT_ROLLBACK_IN_PROGRESS",
        "IMPORT_ROLLBACK_FAILED",
        "IMPORT_ROLLBACK_COMPLETE",
    ];

    #[test]
    fn every_status_of_the_api_is_known() {
        for status in ALL {
            assert_ne!(State::of(status), State::Unknown, "{status}");
        }
        assert_eq!(State::of("MADE_UP"), State::Unknown);
    }

    #[test]
    fn every_dead_end_has_a_way_out_and_nothing_else_has() {
        for status in ALL {
            let dead = matches!(
                State::of(status),
                State::Review | State::CreateUndone | State::Stuck
            );
            let target = Target::Connection("s".parse().unwrap());
            assert_eq!(dead_end(status, &target).is_some(), dead, "{status}");
        }
    }

    #[test]
    fn an_update_that_was_undone_is_not_the_new_version() {
        assert_eq!(State::of("UPDATE_ROLLBACK_COMPLETE"), State::UpdateUndone);
        assert!(State::of("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS").moves());
    }
}
