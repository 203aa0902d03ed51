//! The chain: caller → broker role, where there is one → connection role with the external id.

use super::aws::Aws;
use super::credentials::Hop;
use crate::domain::arn::RoleArn;
use crate::domain::external_id::ExternalId;
use crate::domain::problem::Problem;
use crate::domain::region::Region;

/// Hop 1: the caller itself where there is no broker.
///
/// # Errors
/// Whatever STS answers.
pub async fn first(
    caller: &Aws,
    broker: Option<&RoleArn>,
    region: &Region,
    session_name: &str,
) -> Result<Aws, Problem> {
    match broker {
        None => Ok(caller.clone()),
        Some(broker) => {
            caller
                .assume(&Hop {
                    role_arn: broker.clone(),
                    external_id: None,
                    session_name: session_name.to_owned(),
                    region: region.clone(),
                })
                .await
        }
    }
}

/// Both hops: a session of the connection role, in `region`'s STS.
///
/// # Errors
/// Whatever STS answers at either hop; the Problem's resource says at which.
pub async fn connect(
    caller: &Aws,
    broker: Option<&RoleArn>,
    role: &RoleArn,
    external_id: &ExternalId,
    region: &Region,
    session_name: &str,
) -> Result<Aws, Problem> {
    first(caller, broker, region, session_name)
        .await?
        .assume(&Hop {
            role_arn: role.clone(),
            external_id: Some(external_id.clone()),
            session_name: session_name.to_owned(),
            region: region.clone(),
        })
        .await
}
