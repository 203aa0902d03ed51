//! A role that was deleted behind the back of the stack that made it. CloudFormation does not notice: to it the stack is what it
//! should be, and to deploy it once more changes nothing.

use crate::cloud::is_not_found;
use crate::cloud::stacks::StackDescription;
use crate::domain::arn::RoleArn;
use crate::domain::names::ConnectionName;
use crate::domain::problem::{Kind, Problem};
use crate::session::Session;
use crate::setup::connection;
use crate::stack::Target;
use crate::stack::desk::Desk;

/// The command lines that make a connection's role again, in the order that works: a stack that put its policy on the role goes
/// before the role's, and is made after it.
///
/// # Errors
/// When the records cannot be listed.
pub fn commands(session: &Session, name: &ConnectionName) -> Result<Vec<String>, Problem> {
    let bound = connection::grants_of(session, name)?.into_iter();
    let grants: Vec<Target> = bound
        .filter(|grant| grant.is_made())
        .map(|grant| Target::Grant(grant.holder))
        .collect();
    let own = [Target::Connection(name.clone())];
    let deleted = grants.iter().chain(&own).map(Target::delete_command);
    let made = own.iter().chain(&grants);
    let made = made.map(|target| format!("glueup deploy {}", target.command()));
    Ok(deleted.chain(made).collect())
}

/// What to do, as a next step.
///
/// # Errors
/// As [`commands`].
pub fn next(session: &Session, name: &ConnectionName) -> Result<String, Problem> {
    Ok(format!(
        "Its stack does not notice; delete what was made and make it again, in this order:\n{}",
        commands(session, name)?.join("\n")
    ))
}

/// Whether the role of a stack that is what it should be is there. Who may not look at it is not held up.
///
/// # Errors
/// `CheckFailed` where IAM says that there is none.
pub async fn check(session: &Session, desk: &Desk, found: &StackDescription) -> Result<(), Problem> {
    let site = &desk.site;
    let role: Option<RoleArn> = match &site.target {
        Target::Connection(_) => found.outputs.get("RoleArn").and_then(|arn| arn.parse().ok()),
        Target::Grant(_) => site.connection.role_arn.clone(),
    };
    let Some(role) = role.filter(|role| role.account() == site.account) else {
        return Ok(());
    };
    let Err(problem) = desk.aws.iam(role.partition()).role(&role).await else {
        return Ok(());
    };
    if !is_not_found(&problem) || site.check_not_adopted().is_err() {
        return Ok(());
    }
    let name = site.connection_name();
    Err(Problem::new(
        Kind::CheckFailed,
        format!("the role of connection {name} is gone"),
        format!(
            "the stack {} says that it stands, and IAM has no {role}: somebody deleted it",
            site.connection.stack_name
        ),
        "",
    )
    .with_steps(&next(session, name)?)
    .with_detail(*problem.detail))
}
