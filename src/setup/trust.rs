//! Who may assume a connection's role: from the principals on record to what a trust policy can say.

use crate::domain::arn::{PrincipalArn, RoleArn};
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::domain::text::scrub;
use crate::registry::Connection;

/// What the role's trust policy names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trusted {
    /// Principals, each once, in order.
    pub principals: Vec<String>,
    /// `ArnLike` patterns on `aws:PrincipalArn` that narrow a trusted account root; empty: none is needed.
    pub patterns: Vec<String>,
}

/// The trust policy's principals for a broker and the principals on record.
///
/// A session's ARN (`assumed-role/NAME/SESSION`) has lost its role's path, so the role cannot be named by it: its
/// account's root is trusted instead, narrowed to roles of that name.
pub fn of(broker: Option<&RoleArn>, named: &[PrincipalArn]) -> Trusted {
    let mut trusted = Trusted::default();
    if let Some(role) = broker {
        push(&mut trusted.principals, role.to_string());
    }
    let mut whole_accounts = Vec::new();
    for principal in named {
        match principal.role_of_session() {
            Some(role) => {
                let root = PrincipalArn::root(principal.partition(), &principal.account());
                push(&mut trusted.principals, root.to_string());
                for pattern in patterns_of(&role) {
                    push(&mut trusted.patterns, pattern);
                }
            }
            None => {
                push(&mut trusted.principals, principal.to_string());
                if principal.is_root() {
                    whole_accounts.push(format!(
                        "arn:{}:iam::{}:*",
                        principal.partition(),
                        principal.account()
                    ));
                }
            }
        }
    }
    // One condition for all: an account that is trusted whole must pass the patterns meant for another principal.
    if !trusted.patterns.is_empty() {
        for pattern in whole_accounts {
            push(&mut trusted.patterns, pattern);
        }
    }
    trusted
}

/// Patterns of the roles of that name, at whatever path.
fn patterns_of(role: &RoleArn) -> Vec<String> {
    let front = format!("arn:{}:iam::{}:role", role.partition(), role.account());
    let name = role.role_name();
    if name.starts_with("AWSReservedSSO_") {
        // IAM Identity Center puts its roles there, with the region as one more step outside us-east-1. Nobody else
        // can make a role at that path, so this pattern cannot be met by an impostor.
        return vec![format!("{front}/aws-reserved/sso.amazonaws.com/*{name}")];
    }
    vec![format!("{front}/{name}"), format!("{front}/*/{name}")]
}

/// As many characters of a stack's name are surely kept in the names of what it makes: how CloudFormation cuts a long one is
/// not documented.
const SURE: usize = 24;

/// The principal on record that is the very role which the connection's stack makes, or made before. A session of it is not
/// meant: a trust policy names no session.
///
/// CloudFormation makes up the role's name: `STACK-ConnectionRole-…`.
pub fn itself(connection: &Connection) -> Option<&PrincipalArn> {
    let stack = connection.stack_name.as_str();
    let is_own = |role: &RoleArn| {
        let front = role
            .role_name()
            .split_once("-ConnectionRole-")
            .map(|(front, _)| front);
        let named =
            front.is_some_and(|front| front == stack || (front.len() >= SURE && stack.starts_with(front)));
        named && role.account() == connection.account_id
    };
    let mut all = connection.trust.iter().chain(&connection.verifier);
    all.find(|principal| principal.as_str().parse().is_ok_and(|role| is_own(&role)))
}

/// Refuses a role that would have to be there before it is made. One that is there by now may trust itself.
///
/// # Errors
/// `Usage`, with how a role comes to trust itself.
pub fn check_itself(connection: &Connection) -> Result<(), Problem> {
    let there = |arn: &PrincipalArn| {
        connection
            .role_arn
            .as_ref()
            .is_some_and(|role| role.as_str() == arn.as_str())
    };
    match itself(connection) {
        Some(arn) if !connection.adopted && !there(arn) => Err(own_role(connection, arn)),
        _ => Ok(()),
    }
}

/// Why a role cannot be named in its own trust policy while it is made.
pub fn own_role(connection: &Connection, principal: &PrincipalArn) -> Problem {
    let name = connection.name.as_str();
    Problem::new(
        Kind::Usage,
        format!("the role of connection {name} cannot trust itself before it is there"),
        format!(
            "{principal} is the role that the connection's own stack makes, and IAM takes no trust policy that names a role \
             which is not there"
        ),
        "",
    )
    .with_steps(&format!(
            "leave it out and deploy; then name it beside the others, as the stack's output RoleArn tells it, and deploy \
             again:\nglueup connection set {}",
            operand(&scrub(name), "--trust ARN --trust ROLE-ARN")
        ))
}

/// The caller as a principal that can be put on record, if it can be.
pub fn caller(arn: &str) -> Option<PrincipalArn> {
    arn.parse().ok()
}

fn push(list: &mut Vec<String>, value: String) {
    if !list.contains(&value) {
        list.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn principals(arns: &[&str]) -> Vec<PrincipalArn> {
        arns.iter().map(|a| a.parse().unwrap()).collect()
    }

    #[test]
    fn a_broker_and_plain_principals_are_named() {
        let broker: RoleArn = "arn:aws:iam::999988887777:role/broker".parse().unwrap();
        let trusted = of(
            Some(&broker),
            &principals(&["arn:aws:iam::012345678901:user/ann"]),
        );
        assert_eq!(
            trusted.principals,
            [
                "arn:aws:iam::999988887777:role/broker",
                "arn:aws:iam::012345678901:user/ann"
            ]
        );
        assert!(trusted.patterns.is_empty());
    }

    #[test]
    fn a_single_sign_on_session_becomes_its_account_narrowed_to_its_role() {
        let arn = "arn:aws:sts::012345678901:assumed-role/AWSReservedSSO_Admin_0123456789abcdef/ann@acme.io";
        let trusted = of(None, &principals(&[arn]));
        assert_eq!(trusted.principals, ["arn:aws:iam::012345678901:root"]);
        assert_eq!(
            trusted.patterns,
            [
                "arn:aws:iam::012345678901:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_Admin_0123456789abcdef"
            ]
        );
    }

    #[test]
    fn a_plain_session_is_narrowed_to_its_role_with_or_without_a_path() {
        let trusted = of(
            None,
            &principals(&["arn:aws-cn:sts::012345678901:assumed-role/engine/i-1"]),
        );
        assert_eq!(trusted.principals, ["arn:aws-cn:iam::012345678901:root"]);
        assert_eq!(
            trusted.patterns,
            [
                "arn:aws-cn:iam::012345678901:role/engine",
                "arn:aws-cn:iam::012345678901:role/*/engine"
            ]
        );
    }

    #[test]
    fn an_account_trusted_whole_stays_whole_beside_a_session() {
        let trusted = of(
            None,
            &principals(&[
                "arn:aws:sts::012345678901:assumed-role/engine/i-1",
                "arn:aws:iam::111122223333:root",
            ]),
        );
        assert_eq!(trusted.principals.len(), 2);
        assert!(
            trusted
                .patterns
                .contains(&"arn:aws:iam::111122223333:*".to_owned())
        );
    }
}
