//! `glueup storage`: buckets and prefixes that are read without a catalog.

use crate::cli::args::PointArgs;
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::records;
use crate::cli::verify;
use crate::cli::work::wrong_outcome;
use crate::domain::access::Access;
use crate::domain::arn::KmsKeyArn;
use crate::domain::names::{ConnectionName, StorageName};
use crate::domain::s3_path::S3Path;
use crate::job::{Job, Outcome};
use crate::registry::Holder;
use crate::session::Session;
use crate::setup::{self, NewStorage, StorageRow};
use crate::verify::Request;
use clap::{Args, Subcommand};
use serde_json::json;

/// What can be done with storage integrations.
#[derive(Debug, Clone, Subcommand)]
pub enum StorageVerb {
    /// Record a storage integration and bind it to a connection
    Add(AddArgs),
    /// All storage integrations
    List,
    /// One storage integration
    Show(NameArgs),
    /// Change a storage integration
    Set(SetArgs),
    /// Prove a storage integration: the rungs of trust and of S3
    Verify(VerifyArgs),
    /// Delete the record; its stack stays: if that is to go too, `glueup stack delete storage NAME` comes first
    Delete(DeleteArgs),
}

/// A storage integration's name.
#[derive(Debug, Clone, Args)]
pub struct NameArgs {
    /// The storage integration
    #[arg(value_name = "NAME")]
    pub name: StorageName,
}

/// What `storage verify` takes.
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// Which.
    #[command(flatten)]
    pub of: NameArgs,
    /// How long it waits.
    #[command(flatten)]
    pub patience: verify::Patience,
}

/// What `storage delete` takes.
#[derive(Debug, Clone, Args)]
pub struct DeleteArgs {
    /// The storage integration
    #[arg(value_name = "NAME")]
    pub name: StorageName,
    /// Do not ask: taken as by every verb that deletes, though nothing is asked for a record on this disk
    #[arg(long, short)]
    pub yes: bool,
}

/// What `storage add` takes.
#[derive(Debug, Clone, Args)]
pub struct AddArgs {
    /// What you call it
    #[arg(long, value_name = "NAME")]
    pub name: StorageName,
    /// The rest.
    #[command(flatten)]
    pub details: DetailArgs,
}

/// What `storage set` takes.
#[derive(Debug, Clone, Args)]
pub struct SetArgs {
    /// The storage integration
    #[arg(value_name = "NAME")]
    pub name: StorageName,
    /// The rest.
    #[command(flatten)]
    pub details: DetailArgs,
}

/// What a storage integration has. A new one needs path, access and connection.
#[derive(Debug, Clone, Args)]
pub struct DetailArgs {
    /// The bucket and prefix; an access point of it by its ARN or alias
    #[arg(long, value_name = "S3PATH")]
    pub s3_path: Option<S3Path>,
    /// The access point that the path stands on.
    #[command(flatten)]
    pub access_point: PointArgs,
    /// read-only or read-write
    #[arg(long, value_name = "ACCESS")]
    pub access: Option<Access>,
    /// The connection that serves it
    #[arg(long, value_name = "NAME")]
    pub connection: Option<ConnectionName>,
    /// The key that encrypts the bucket
    #[arg(long, value_name = "ARN")]
    pub kms_key: Option<KmsKeyArn>,
}

impl DetailArgs {
    fn named(self, name: StorageName) -> NewStorage {
        NewStorage {
            name,
            s3_path: self.s3_path,
            access_point: Box::new(self.access_point.given()),
            access: self.access,
            connection: self.connection,
            kms_key: self.kms_key.map(|arn| arn.to_string()),
        }
    }
}

/// Does what was asked with the storage integrations.
///
/// # Errors
/// As the setup and the verify room; not found, with the name that was probably meant.
pub async fn run(front: &mut Front, session: &Session, verb: StorageVerb) -> Result<u8, Stop> {
    match verb {
        StorageVerb::Add(args) => {
            let request = setup::Request::AddStorage(args.details.named(args.name));
            record(front, session, request).await?;
        }
        StorageVerb::Set(args) => {
            let request = setup::Request::SetStorage(args.details.named(args.name));
            record(front, session, request).await?;
        }
        StorageVerb::List => return list(front, session).await,
        StorageVerb::Show(args) => show(front, session, &args.name).await?,
        StorageVerb::Verify(args) => {
            let request = Request::Grant(Holder::Storage(args.of.name));
            return verify::one(front, session, request, args.patience).await;
        }
        StorageVerb::Delete(args) => {
            let request = setup::Request::DeleteStorage(args.name.clone());
            records::delete(front, session, request, args.name.as_str()).await?;
        }
    }
    Ok(0)
}

async fn record(front: &mut Front, session: &Session, request: setup::Request) -> Result<(), Stop> {
    let Outcome::Setup(setup::Outcome::Storage(storage, advice)) =
        front.run_quiet(session, Job::Setup(request)).await?
    else {
        return Err(wrong_outcome());
    };
    for line in advice {
        front.note(&line);
    }
    show(front, session, &storage.name).await
}

async fn list(front: &mut Front, session: &Session) -> Result<u8, Stop> {
    let overview = records::overview(front, session).await?;
    let code = records::exit(&overview);
    if front.is_json() {
        let rows: Vec<_> = overview.storages.iter().map(records::storage_json).collect();
        front.json(&json!({ "storages": rows }))?;
        return Ok(code);
    }
    let rows: Vec<Vec<String>> = overview
        .storages
        .iter()
        .map(|row| {
            vec![
                row.storage.name.to_string(),
                row.storage.access.to_string(),
                row.stage.to_string(),
                records::verified_text(row.verdict.as_ref()),
                row.storage.s3_path.to_string(),
            ]
        })
        .collect();
    front.rows(&rows)?;
    Ok(code)
}

async fn show(front: &mut Front, session: &Session, name: &StorageName) -> Result<(), Stop> {
    // Whether it is there, and what else was probably meant, the records know best.
    session.home.storage(name)?;
    let overview = records::overview(front, session).await?;
    let named = |row: &&StorageRow| row.storage.name == *name;
    let row = overview.storages.iter().find(named).ok_or_else(wrong_outcome)?;
    if front.is_json() {
        return front.json(&records::storage_json(row));
    }
    let storage = &row.storage;
    let adopted = overview
        .connections
        .iter()
        .any(|row| row.connection.name == storage.connection && row.connection.adopted);
    front.fields(&[
        ("storage", Some(storage.name.to_string())),
        ("S3 path", Some(storage.s3_path.to_string())),
        (
            "access point",
            records::point_text(storage.access_point.as_deref()),
        ),
        ("access", Some(storage.access.to_string())),
        ("KMS key", storage.kms_key.as_ref().map(ToString::to_string)),
        ("connection", Some(storage.connection.to_string())),
        (
            "stack",
            Some(records::stack_text(
                &storage.stack_name,
                adopted && !crate::registry::Grant::from(storage).is_made(),
            )),
        ),
        ("stage", Some(row.stage.to_string())),
        ("verified", Some(records::verified_text(row.verdict.as_ref()))),
    ])
}
