//! Who may assume a connection's role: what depends on who is signed in.

use crate::domain::arn::{PrincipalArn, RoleArn, Verifier};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Partition;
use crate::session::Session;
use crate::setup::trust;

/// Without a broker the role must trust somebody: who sets it up, and whom they name.
pub(super) async fn trust_caller(
    session: &Session,
    trusted: &mut Vec<PrincipalArn>,
    advice: &mut Vec<String>,
) -> Result<(), Problem> {
    let partition = trusted.first().map(PrincipalArn::partition);
    match session.identity(partition).await.map(|identity| identity.arn) {
        Ok(arn) => match trust::caller(&arn) {
            Some(caller) => {
                if !trusted.contains(&caller) {
                    advice.push(format!(
                        "no broker role: {caller} may assume the role, and hop 1 is skipped"
                    ));
                    trusted.push(caller);
                }
                Ok(())
            }
            None if !trusted.is_empty() => Ok(()),
            None => Err(nobody(&format!(
                "{arn} is no role and no user that a trust policy can name"
            ))),
        },
        // Who names principals may do so without being signed in.
        Err(_) if !trusted.is_empty() => Ok(()),
        Err(problem) => Err(Problem {
            next: nobody("").next,
            ..problem
        }),
    }
}

fn nobody(why: &str) -> Problem {
    Problem::new(
        Kind::Usage,
        "nobody would be trusted with this connection's role",
        format!("there is no broker role, and {why}"),
        "name who may assume the role with --trust ARN, or the platform's role with --broker-role ARN; or sign in, \
         so that you are trusted yourself",
    )
}

/// The principal that a verifier is: of `me`, who is signed in, asked in the partition of the role.
pub(super) async fn verifier(
    session: &Session,
    given: Verifier,
    partition: Option<Partition>,
) -> Result<PrincipalArn, Problem> {
    let arn = match given {
        Verifier::Principal(principal) => return Ok(principal),
        Verifier::Me => session.identity(partition).await?.arn,
    };
    trust::caller(&arn).filter(|me| !me.is_root()).ok_or_else(|| {
        Problem::new(
            Kind::Usage,
            format!("{arn} cannot be a verifier"),
            "it is no role, no user and no session of a role",
            "name one: --verifier ARN",
        )
    })
}

/// The partition that a connection's ARNs are of, as far as one is known.
pub(super) fn partition_of(role: Option<&RoleArn>, broker: Option<&RoleArn>) -> Option<Partition> {
    role.or(broker).map(RoleArn::partition)
}
