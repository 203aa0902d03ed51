//! Who may assume a connection's role: from the principals on record to what a trust policy can say.

use crate::domain::arn::{PrincipalArn, RoleArn};

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
