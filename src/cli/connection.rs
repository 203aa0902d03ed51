//! `glueup connection`: the roles through which catalogs are read.

use crate::cli::args::{OrNone, filled};
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::verify::Patience;
use crate::cli::work::wrong_outcome;
use crate::cli::{records, verify as verify_verb};
use crate::domain::account::AccountId;
use crate::domain::amount::counted;
use crate::domain::arn::{PolicyArn, PrincipalArn, RoleArn, RolePath, Verifier};
use crate::domain::external_id::ExternalId;
use crate::domain::names::ConnectionName;
use crate::job::{Job, Outcome};
use crate::session::Session;
use crate::setup::{self, ConnectionRow, NewConnection};
use crate::verify;
use clap::{Args, Subcommand};
use serde_json::json;

/// What can be done with connections.
#[derive(Debug, Clone, Subcommand)]
pub enum ConnectionVerb {
    /// Record a connection; its external ID is made here
    Add(AddArgs),
    /// All connections
    List,
    /// One connection
    Show(NameArgs),
    /// Change a connection
    Set(SetArgs),
    /// Climb the connection's ladder
    Verify(VerifyArgs),
    /// Delete the record; refused while a catalog is bound to it
    Delete(DeleteArgs),
}

/// A connection's name.
#[derive(Debug, Clone, Args)]
pub struct NameArgs {
    /// The connection
    #[arg(value_name = "NAME")]
    pub name: ConnectionName,
}

/// What `connection verify` takes.
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// Which.
    #[command(flatten)]
    pub of: NameArgs,
    /// How long it waits.
    #[command(flatten)]
    pub patience: Patience,
}

/// What `connection delete` takes.
#[derive(Debug, Clone, Args)]
pub struct DeleteArgs {
    /// The connection
    #[arg(value_name = "NAME")]
    pub name: ConnectionName,
    /// Do not ask: taken as by every verb that deletes, though nothing is asked for a record on this disk
    #[arg(long, short)]
    pub yes: bool,
}

/// What `connection add` takes.
#[derive(Debug, Clone, Args)]
pub struct AddArgs {
    /// What you call it
    #[arg(long, value_name = "NAME")]
    pub name: ConnectionName,
    /// The account whose catalog is to be read: 12 digits
    #[arg(long, value_name = "ACCOUNT")]
    pub account_id: AccountId,
    /// The rest.
    #[command(flatten)]
    pub details: DetailArgs,
}

/// What `connection set` takes.
#[derive(Debug, Clone, Args)]
pub struct SetArgs {
    /// The connection
    #[arg(value_name = "NAME")]
    pub name: ConnectionName,
    /// The account whose catalog is to be read: 12 digits
    #[arg(long, value_name = "ACCOUNT")]
    pub account_id: Option<AccountId>,
    /// The rest.
    #[command(flatten)]
    pub details: DetailArgs,
}

/// What a connection may have.
#[derive(Debug, Clone, Args)]
pub struct DetailArgs {
    /// The role that assumes the connection's role, where it is not the organization's; none: no such role
    #[arg(long, value_name = "ARN|none")]
    pub broker_role: Option<OrNone<RoleArn>>,
    /// Who else may assume the role; may be repeated
    #[arg(long, value_name = "ARN")]
    pub trust: Vec<PrincipalArn>,
    /// Who may assume the role too, so that Verify proves by use where the broker role is a vendor's: me, or somebody by
    /// name; none: nobody any more. Deploy the connection again after it
    #[arg(long, value_name = "ARN|me|none")]
    pub verifier: Option<OrNone<Verifier>>,
    /// An existing role: verified, never changed; `template show … --policy` prints what it should carry
    #[arg(long, value_name = "ARN")]
    pub role_arn: Option<RoleArn>,
    /// The external ID that an existing role asks for already; without it one is made
    #[arg(long, value_name = "ID")]
    pub external_id: Option<ExternalId>,
    /// A permissions boundary for the role
    #[arg(long, value_name = "ARN")]
    pub permissions_boundary: Option<PolicyArn>,
    /// The role's path, such as /engines/
    #[arg(long, value_name = "PATH")]
    pub role_path: Option<RolePath>,
    /// The AWS profile that deploys in the account
    #[arg(long, value_name = "PROFILE", value_parser = filled)]
    pub deploy_profile: Option<String>,
}

impl DetailArgs {
    fn named(self, name: ConnectionName, account_id: Option<AccountId>) -> NewConnection {
        NewConnection {
            name,
            account_id,
            without_broker: self.broker_role.as_ref().is_some_and(OrNone::is_none),
            broker_role_arn: self.broker_role.and_then(OrNone::given),
            trust: self.trust,
            without_verifier: self.verifier.as_ref().is_some_and(OrNone::is_none),
            verifier: self.verifier.and_then(OrNone::given),
            role_arn: self.role_arn,
            external_id: self.external_id,
            permissions_boundary: self.permissions_boundary.map(|arn| arn.to_string()),
            role_path: self.role_path.map(|path| path.to_string()),
            deploy_profile: self.deploy_profile,
        }
    }
}

/// Does what was asked with the connections.
///
/// # Errors
/// As the setup and verify rooms; not found, with the name that was probably meant.
pub async fn run(front: &mut Front, session: &Session, verb: ConnectionVerb) -> Result<u8, Stop> {
    match verb {
        ConnectionVerb::Add(args) => {
            let new = args.details.named(args.name, Some(args.account_id));
            record(front, session, setup::Request::AddConnection(Box::new(new))).await?;
        }
        ConnectionVerb::Set(args) => {
            let new = args.details.named(args.name, args.account_id);
            record(front, session, setup::Request::SetConnection(Box::new(new))).await?;
        }
        ConnectionVerb::List => return list(front, session).await,
        ConnectionVerb::Show(args) => {
            let row = find(front, session, &args.name).await?;
            show(front, &row)?;
        }
        ConnectionVerb::Verify(args) => {
            let request = verify::Request::Connection(args.of.name);
            return verify_verb::one(front, session, request, args.patience).await;
        }
        ConnectionVerb::Delete(args) => {
            let request = setup::Request::DeleteConnection(args.name.clone());
            records::delete(front, session, request, args.name.as_str()).await?;
        }
    }
    Ok(0)
}

async fn record(front: &mut Front, session: &Session, request: setup::Request) -> Result<(), Stop> {
    let Outcome::Setup(setup::Outcome::Connection(connection, advice)) =
        front.run_quiet(session, Job::Setup(request)).await?
    else {
        return Err(wrong_outcome());
    };
    for line in advice {
        front.note(&line);
    }
    let row = find(front, session, &connection.name).await?;
    show(front, &row)
}

async fn find(front: &mut Front, session: &Session, name: &ConnectionName) -> Result<ConnectionRow, Stop> {
    // Whether it is there, and what else was probably meant, the records know best.
    session.home.connection(name)?;
    let overview = records::overview(front, session).await?;
    overview
        .connections
        .into_iter()
        .find(|row| row.connection.name == *name)
        .ok_or_else(wrong_outcome)
}

async fn list(front: &mut Front, session: &Session) -> Result<u8, Stop> {
    let overview = records::overview(front, session).await?;
    let code = records::exit(&overview);
    if front.is_json() {
        let rows: Vec<_> = overview
            .connections
            .iter()
            .map(records::connection_json)
            .collect();
        front.json(&json!({ "connections": rows }))?;
        return Ok(code);
    }
    let rows: Vec<Vec<String>> = overview
        .connections
        .iter()
        .map(|row| {
            vec![
                row.connection.name.to_string(),
                row.connection.account_id.to_string(),
                row.connection
                    .role_arn
                    .as_ref()
                    .map_or_else(|| "no role yet".to_owned(), ToString::to_string),
                bound(row),
                records::verified_text(row.verdict.as_ref()),
            ]
        })
        .collect();
    front.rows(&rows)?;
    Ok(code)
}

/// `2 catalogs`; `1 catalog, 1 storage` where there are both.
fn bound(row: &ConnectionRow) -> String {
    let number = |list: usize| u64::try_from(list).unwrap_or(u64::MAX);
    let catalogs = counted(number(row.catalogs.len()), "catalog", "catalogs");
    match row.storages.len() {
        0 => catalogs,
        some => format!("{catalogs}, {}", counted(number(some), "storage", "storages")),
    }
}

fn show(front: &mut Front, row: &ConnectionRow) -> Result<(), Stop> {
    if front.is_json() {
        return front.json(&records::connection_json(row));
    }
    let connection = &row.connection;
    let words = |words: Vec<String>| (!words.is_empty()).then(|| words.join(" "));
    front.fields(&[
        ("connection", Some(connection.name.to_string())),
        ("account", Some(connection.account_id.to_string())),
        (
            "role",
            connection
                .role_arn
                .as_ref()
                .map(ToString::to_string)
                .or(Some("not made yet".to_owned())),
        ),
        ("external ID", Some(connection.external_id.to_string())),
        (
            "broker role",
            connection.broker_role_arn.as_ref().map(ToString::to_string),
        ),
        (
            "trusts",
            words(connection.trust.iter().map(ToString::to_string).collect()),
        ),
        ("verifier", connection.verifier.as_ref().map(ToString::to_string)),
        (
            "boundary",
            connection.permissions_boundary.as_ref().map(ToString::to_string),
        ),
        (
            "role path",
            connection.role_path.as_ref().map(ToString::to_string),
        ),
        ("deploys as", connection.deploy_profile.clone()),
        (
            "stack",
            Some(if connection.adopted {
                "none: the role was there before and is used as it is".to_owned()
            } else {
                connection.stack_name.to_string()
            }),
        ),
        ("region", connection.region.as_ref().map(ToString::to_string)),
        (
            "catalogs",
            words(row.catalogs.iter().map(ToString::to_string).collect()),
        ),
        (
            "storages",
            words(row.storages.iter().map(ToString::to_string).collect()),
        ),
        ("verified", Some(records::verified_text(row.verdict.as_ref()))),
    ])
}
