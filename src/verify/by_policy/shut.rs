//! Why a role does not let somebody in, as far as its trust policy says.

use super::super::climb::Climb;
use super::who::{Told, Who, external_ids};
use crate::cloud::is_not_found;
use crate::domain::problem::Problem;
use crate::domain::quote::operand;
use crate::domain::text::scrub;
use crate::policy::Document;
use crate::stack::role_gone;

/// What IAM shows about a role that did not let us in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::verify) enum Cause {
    /// IAM does not show it to us: what is not known stays open.
    Unread,
    /// There is no such role: what there is instead, and what to do.
    Absent(String),
    /// Its trust policy does not let us in.
    Shut(String),
    /// Its trust policy lets us in.
    Open,
}

/// What to do about a role that is not there: one that goes by another ARN is put on record, one that is gone is made again.
/// Its stack has not noticed: to deploy it once more would change nothing.
fn put_on_record(climb: &Climb, problem: &Problem) -> String {
    let connection = &climb.connection;
    if problem.next.contains("--role-arn") {
        problem.next.clone()
    } else if connection.adopted {
        let set = operand(connection.name.as_str(), "--role-arn ARN");
        format!("Put the right ARN on record:\nglueup connection set {set}")
    } else {
        let whole = role_gone::next(&climb.session, &connection.name);
        whole.unwrap_or_else(|problem| problem.next)
    }
}

/// Looks into the role's trust policy, once hop 2 was refused by use.
pub(in crate::verify) async fn cause(climb: &Climb) -> Cause {
    let document = match climb.books.trust(climb).await {
        Ok(document) => document,
        Err(problem) if is_not_found(problem) => {
            return Cause::Absent(format!(
                "IAM has no {}, or its path or upper and lower case differ: {}. {}",
                climb.role,
                problem.why.trim_end_matches('.'),
                put_on_record(climb, problem)
            ));
        }
        Err(_) => return Cause::Unread,
    };
    let asking = climb.first().caller().and_then(|arn| arn.parse().ok());
    let who = match (&climb.broker, asking) {
        (Some(broker), _) => Who::role(broker),
        (None, Some(principal)) => Who::principal(&principal),
        (None, None) => return Cause::Unread,
    };
    let id = climb.connection.external_id.as_str();
    match who.ask(document, &climb.role, Some(id)) {
        Told::In => Cause::Open,
        Told::Out(denied) => Cause::Shut(shut(&who, document, id, denied)),
        Told::Hangs(keys) => Cause::Shut(format!(
            "The trust policy also asks {} for {keys}, and gets no answer that it takes",
            who.name
        )),
    }
}

/// Why it does not let them in.
pub(super) fn shut(who: &Who, document: &Document, id: &str, denied: bool) -> String {
    let name = &who.name;
    if denied {
        return format!("A statement of the trust policy denies the role to {name}");
    }
    let asked: Vec<String> = who
        .openings(document)
        .flat_map(|opening| external_ids(&opening))
        .map(scrub)
        .collect();
    if who.openings(document).next().is_none() {
        let gone: Vec<String> = document
            .principals()
            .filter(|named| is_gone(named))
            .map(scrub)
            .collect();
        let gone = match gone.as_slice() {
            [] => String::new(),
            gone => format!(
                "; it names {}, which is there no more: a role that is made again is another one to it",
                gone.join(", ")
            ),
        };
        return format!("The trust policy does not name {name}{gone}");
    }
    if !asked.is_empty() && !asked.iter().any(|asked| asked == id) {
        return format!(
            "The trust policy asks {name} for another external ID than {id}: {}",
            asked.join(", ")
        );
    }
    format!("The trust policy names {name}, but under a condition that it does not meet")
}

/// A principal that was deleted is left with its unique id.
fn is_gone(named: &str) -> bool {
    (named.starts_with("AROA") || named.starts_with("AIDA")) && !named.contains(':')
}
