//! A stack in which a change set waits and nothing is: whose it is, the stack itself does not say.

use crate::cloud::stacks::{StackDescription, Stacks};
use crate::domain::problem::{Kind, Problem};
use crate::stack::state::State;
use crate::stack::whose::{self, Marks, Owner};

/// Whose a stack is, in whatever state. One in review has no parameters and may have no tags: what its change sets
/// would give it says whose it will be. Without one it is a name and nothing else, which takes nothing from anybody.
///
/// # Errors
/// As CloudFormation answers.
pub async fn owner(stacks: &Stacks, stack: &StackDescription, marks: &Marks) -> Result<Owner, Problem> {
    let owner = whose::owner(&stack.tags, &stack.parameters, marks);
    if State::of(&stack.status) != State::Review || owner != Owner::Unmarked {
        return Ok(owner);
    }
    for set in stacks.change_sets(&stack.name).await? {
        // One that is deleted between the two calls is nobody's any more.
        if let Some(whole) = stacks.change_set(&stack.name, &set.id).await? {
            let owner = whose::owner(&whole.tags, &whole.parameters, marks);
            if owner != Owner::Ours {
                return Ok(owner);
            }
        }
    }
    Ok(Owner::Ours)
}

/// Somebody else's change set waits in a stack of that name.
pub fn not_ours(stack: &str, owner: &Owner) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!("{stack} is REVIEW_IN_PROGRESS, and not ours"),
        format!(
            "a change set waits in it that was {}; nothing has been made, but the name is taken",
            owner.whose()
        ),
        "give the record another name, or let its owner execute or delete the change set",
    )
}
