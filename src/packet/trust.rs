//! Who may assume the role, and why only with an external id.

use super::document::{Document, Line, told, value, values, with, words};
use super::{Facts, Made, is_nobody};
use crate::domain::json_text;
use crate::domain::quote::operand;
use crate::setup::trust;

pub(super) fn write(facts: &Facts, made: &Made, to: &mut Document) {
    let connection = &facts.connection;
    to.heading(2, "Who may assume the role");
    if made.trust.names_nobody {
        to.say(with(
            "Nobody is on record. Name them with {}; below a principal that does not exist stands in their place, and \
             IAM refuses the policy until it is replaced.",
            &[vec![value(format!(
                "glueup connection set {}",
                operand(connection.name.as_str(), "--trust ARN")
            ))]],
        ));
    } else {
        to.points(principals(facts));
    }
    to.say(with(
        "Each of them only with the external ID {}. Without it, and with any other, AWS refuses.",
        &[vec![value(connection.external_id.as_str())]],
    ));
    to.code("json", json_text::pretty(&made.trust.document));
    to.heading(3, "Why the external ID");
    to.say(words(if connection.broker_role_arn.is_some() {
        "A vendor serves many customers with the same role of its own. Somebody else could give that vendor the ARN of this \
         role, and be served from this account: the confused deputy. The external ID ties the role to this one connection, \
         since the vendor sends it only when it works for that."
    } else {
        "A trusted principal may work for many others, as a scheduler, a notebook server or a vendor's service does. Any of \
         them could give it the ARN of this role, and be served from this account: the confused deputy. The external ID ties \
         the role to this one connection, since it is sent only when that is meant."
    }));
    to.say(words(if facts.adopted() {
        "It is no secret; what counts is that nobody else is given the same. Verify proves that the role is refused without it."
    } else {
        "It was made at random, and it is no secret; what counts is that nobody else is given the same. Verify proves that \
         the role is refused without it."
    }));
    to.points(limits(facts));
}

fn principals(facts: &Facts) -> Vec<Line> {
    let connection = &facts.connection;
    let mut lines = Vec::new();
    if let Some(broker) = &connection.broker_role_arn {
        lines.push(with(
            "{}, the role through which {} acts for its customers",
            &[
                vec![value(broker.as_str())],
                vec![told(match facts.platform.id.as_str() {
                    "self" => "the organization",
                    _ => facts.platform.name.as_str(),
                })],
            ],
        ));
    }
    for principal in &connection.trust {
        lines.push(match principal.role_of_session() {
            Some(role) => with(
                "sessions of the role {}, such as {}: a session's ARN does not tell the path of its role, so the policy names \
                 the account, narrowed to roles of that name by {}",
                &[
                    vec![value(role.role_name())],
                    vec![value(principal.as_str())],
                    values(["aws:PrincipalArn"]),
                ],
            ),
            None if principal.is_root() => with(
                "{}: every principal of that account which its own administrators let assume this role",
                &[vec![value(principal.as_str())]],
            ),
            None => vec![value(principal.as_str())],
        });
    }
    let patterns = trust::of(connection.broker_role_arn.as_ref(), &connection.trust).patterns;
    if !patterns.is_empty() {
        lines.push(with("as narrowed to {}", &[values(patterns)]));
    }
    if let Some(verifier) = &connection.verifier {
        lines.push(with(
            "{}, only in order to verify: the vendor's role lets nobody but the vendor in, so that without it the connection \
             could not be proven by using it. To take it away again: {}, then deploy",
            &[
                vec![value(verifier.as_str())],
                vec![value(format!(
                    "glueup connection set {}",
                    operand(connection.name.as_str(), "--verifier none")
                ))],
            ],
        ));
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// What else bounds the role, for one that is made here.
fn limits(facts: &Facts) -> Vec<Line> {
    let connection = &facts.connection;
    if facts.adopted() {
        return Vec::new();
    }
    let mut lines = vec![words(
        "A session lasts at most one hour; the role's `MaxSessionDuration` says so, and AWS grants no more to a role that is \
         reached through another one.",
    )];
    if let Some(boundary) = &connection.permissions_boundary {
        lines.push(with(
            "The permissions boundary {} is set on the role: whatever its policies say, it may do no more.",
            &[vec![value(boundary.as_str())]],
        ));
    }
    if let Some(path) = &connection.role_path {
        lines.push(with(
            "The role is made under the path {}.",
            &[vec![value(path.as_str())]],
        ));
    }
    lines
}

/// The principals of a trust policy's statement, with words for the one that stands for nobody.
pub(super) fn named(principals: &[String]) -> Line {
    if principals.iter().any(|principal| is_nobody(principal)) {
        return words("nobody yet");
    }
    values(principals)
}
