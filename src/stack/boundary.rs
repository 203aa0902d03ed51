//! Accounts that demand a permissions boundary on new roles, by a Deny of `iam:CreateRole` without it.

use crate::domain::problem::Problem;
use crate::domain::quote::{operand, option};
use crate::domain::text::scrub;
use crate::stack::Target;
use crate::stack::site::Site;

/// Puts the commands behind a failure that a permissions boundary may mend: those that name it and deploy again.
pub fn explained(site: &Site, problem: Problem) -> Problem {
    let Target::Connection(name) = &site.target else {
        return problem;
    };
    let why = problem.why.to_ascii_lowercase();
    if !(why.contains("iam:createrole") && why.contains("explicit deny")) {
        return problem;
    }
    if let Some(given) = site.boundary() {
        let next = format!(
            "{}. The connection names the boundary {given}: another one may be demanded",
            problem.next
        );
        return Problem { next, ..problem };
    }
    let name = scrub(name.as_str());
    let steps = format!(
        "{}:\nglueup connection set {}\nglueup deploy connection {}",
        problem.next,
        operand(&name, &option("--permissions-boundary", "ARN")),
        operand(&name, "")
    );
    problem.with_steps(&steps)
}
