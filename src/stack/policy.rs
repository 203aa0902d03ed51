//! The IAM documents that a role should carry, as they would be sent to IAM: for whoever keeps a role by hand or by a
//! tool of their own, and for whoever reviews what a stack will make.
//!
//! They are evaluated from the templates, so that what is shown for a role that glueup does not touch is what it would
//! have made itself.

use crate::domain::arn::{PrincipalArn, RoleArn};
use crate::domain::problem::{Kind, Problem};
use crate::registry::{Connection, Grant};
use crate::session::Session;
use crate::stack::Target;
use crate::stack::policy_view;
use crate::stack::site::Site;
use serde_json::Value;

/// Stands in a trust policy where nobody is on record who may assume the role. IAM refuses a policy that names a role
/// which is not there, so that it cannot be put in place unread.
pub const NOBODY: &str = "role/WHO-MAY-ASSUME-THIS-ROLE";

/// Stands for the name of a role that is not made yet.
pub const ROLE_TO_COME: &str = "the-role-to-come";

/// One IAM document, and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The document, as IAM takes it.
    pub document: Value,
    /// The role that it belongs to, once that is known.
    pub role_arn: Option<RoleArn>,
    /// The name of an inline policy; `None` for a trust policy.
    pub name: Option<String>,
    /// True for a trust policy with [`NOBODY`] in it.
    pub names_nobody: bool,
}

/// The document of a target: a connection's trust policy, a grant's permissions.
///
/// # Errors
/// `NotFound` for a record that is not there; `Usage` for values that the template does not take.
pub fn of(session: &Session, target: &Target) -> Result<Policy, Problem> {
    match target {
        Target::Connection(name) => trust(&session.home.connection(name)?.record),
        Target::Grant(holder) => {
            let grant = session.home.grant(holder)?;
            let connection = session.home.connection(&grant.connection)?.record;
            permissions(&grant, &connection)
        }
    }
}

/// Who may assume a connection's role.
///
/// # Errors
/// `Usage` for values that the template does not take.
pub fn trust(connection: &Connection) -> Result<Policy, Problem> {
    let names_nobody = connection.broker_role_arn.is_none() && connection.trust.is_empty();
    let mut connection = connection.clone();
    if names_nobody {
        connection.trust.push(nobody(&connection)?);
    }
    let role_arn = connection.role_arn.clone();
    // Whose tags the role would carry says nothing about who may assume it.
    let site = Site::of_connection(connection, "self")?;
    Ok(Policy {
        document: document(&site)?,
        role_arn,
        name: None,
        names_nobody,
    })
}

/// What a grant lets the role do.
///
/// # Errors
/// `Usage` for values that the template does not take.
pub fn permissions(grant: &Grant, connection: &Connection) -> Result<Policy, Problem> {
    let role_arn = connection.role_arn.clone();
    let role = role_arn.as_ref().map_or(ROLE_TO_COME, |arn| arn.role_name());
    let site = Site::of_grant(grant.clone(), connection.clone(), role, "self")?;
    Ok(Policy {
        document: document(&site)?,
        name: Some(site.stack.to_string()),
        role_arn,
        names_nobody: false,
    })
}

fn nobody(connection: &Connection) -> Result<PrincipalArn, Problem> {
    let partition = connection
        .role_arn
        .as_ref()
        .map(RoleArn::partition)
        .or_else(|| connection.region.as_ref().map(|region| region.partition()))
        .unwrap_or(crate::domain::region::Partition::Aws);
    Ok(format!("arn:{partition}:iam::{}:{NOBODY}", connection.account_id).parse()?)
}

fn document(site: &Site) -> Result<Value, Problem> {
    policy_view::documents(site)?.pop().ok_or_else(|| {
        Problem::new(
            Kind::Internal,
            format!("the template of {} makes no policy", site.stack),
            "each of our templates makes one",
            "report this",
        )
    })
}
