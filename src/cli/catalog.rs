//! `glueup catalog`: the Glue catalogs that are connected.

use crate::cli::args::{OrNone, PointArgs, filled};
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::records;
use crate::cli::work::wrong_outcome;
use crate::domain::access::Access;
use crate::domain::arn::KmsKeyArn;
use crate::domain::names::{CatalogName, ConnectionName};
use crate::domain::quote::Dialect;
use crate::domain::region::Region;
use crate::domain::s3_path::S3Path;
use crate::job::{Job, Outcome};
use crate::registry::Verdict;
use crate::session::Session;
use crate::setup::{self, CatalogRow, NewCatalog};
use clap::{Args, Subcommand};
use serde_json::json;

/// What can be done with catalogs.
#[derive(Debug, Clone, Subcommand)]
pub enum CatalogVerb {
    /// Record a catalog and bind it to a connection
    Add(AddArgs),
    /// All catalogs
    List,
    /// One catalog
    Show(NameArgs),
    /// Change a catalog
    Set(SetArgs),
    /// Delete the record; its stack stays: if that is to go too, `glueup stack delete catalog NAME` comes first
    Delete(DeleteArgs),
}

/// A catalog's name.
#[derive(Debug, Clone, Args)]
pub struct NameArgs {
    /// The catalog
    #[arg(value_name = "NAME")]
    pub name: CatalogName,
}

/// What `catalog delete` takes.
#[derive(Debug, Clone, Args)]
pub struct DeleteArgs {
    /// The catalog
    #[arg(value_name = "NAME")]
    pub name: CatalogName,
    /// Do not ask: taken as by every verb that deletes, though nothing is asked for a record on this disk
    #[arg(long, short)]
    pub yes: bool,
}

/// What `catalog add` takes.
#[derive(Debug, Clone, Args)]
pub struct AddArgs {
    /// What you call it: the first part of its tables' names
    #[arg(long, value_name = "NAME")]
    pub name: CatalogName,
    /// The rest.
    #[command(flatten)]
    pub details: DetailArgs,
}

/// What `catalog set` takes.
#[derive(Debug, Clone, Args)]
pub struct SetArgs {
    /// The catalog
    #[arg(value_name = "NAME")]
    pub name: CatalogName,
    /// The rest.
    #[command(flatten)]
    pub details: DetailArgs,
}

/// What a catalog has. A new one needs region, path, access and connection.
#[derive(Debug, Clone, Args)]
pub struct DetailArgs {
    /// The Glue catalog's region
    #[arg(long, value_name = "REGION")]
    pub region: Option<Region>,
    /// The bucket and prefix of the tables' files; an access point of it by its ARN or alias
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
    /// A database to be granted; may be repeated; none: all
    #[arg(long = "database", value_name = "DATABASE", value_parser = filled)]
    pub databases: Vec<String>,
    /// The key that encrypts the bucket
    #[arg(long, value_name = "ARN")]
    pub kms_key: Option<KmsKeyArn>,
    /// The key that encrypts the Data Catalog; none: there is none any more
    #[arg(long, value_name = "ARN")]
    pub catalog_kms_key: Option<OrNone<KmsKeyArn>>,
}

impl DetailArgs {
    fn named(self, name: CatalogName) -> NewCatalog {
        NewCatalog {
            name,
            region: self.region,
            s3_path: self.s3_path,
            access_point: Box::new(self.access_point.given()),
            access: self.access,
            connection: self.connection,
            databases: self.databases,
            kms_key: self.kms_key.map(|arn| arn.to_string()),
            without_catalog_kms_key: self.catalog_kms_key.as_ref().is_some_and(OrNone::is_none),
            catalog_kms_key: self
                .catalog_kms_key
                .and_then(OrNone::given)
                .map(|arn| arn.to_string()),
        }
    }
}

/// Does what was asked with the catalogs.
///
/// # Errors
/// As the setup room; not found, with the name that was probably meant.
pub async fn run(front: &mut Front, session: &Session, verb: CatalogVerb) -> Result<u8, Stop> {
    match verb {
        CatalogVerb::Add(args) => {
            record(
                front,
                session,
                setup::Request::AddCatalog(args.details.named(args.name)),
            )
            .await?;
        }
        CatalogVerb::Set(args) => {
            record(
                front,
                session,
                setup::Request::SetCatalog(args.details.named(args.name)),
            )
            .await?;
        }
        CatalogVerb::List => return list(front, session).await,
        CatalogVerb::Show(args) => {
            show(front, session, &args.name).await?;
        }
        CatalogVerb::Delete(args) => {
            let request = setup::Request::DeleteCatalog(args.name.clone());
            records::delete(front, session, request, args.name.as_str()).await?;
        }
    }
    Ok(0)
}

async fn record(front: &mut Front, session: &Session, request: setup::Request) -> Result<(), Stop> {
    let Outcome::Setup(setup::Outcome::Catalog(catalog, advice)) =
        front.run_quiet(session, Job::Setup(request)).await?
    else {
        return Err(wrong_outcome());
    };
    for line in advice {
        front.note(&line);
    }
    show(front, session, &catalog.name).await
}

async fn list(front: &mut Front, session: &Session) -> Result<u8, Stop> {
    let overview = records::overview(front, session).await?;
    let code = records::exit(&overview);
    if front.is_json() {
        let rows: Vec<_> = overview.catalogs.iter().map(records::catalog_json).collect();
        front.json(&json!({ "catalogs": rows }))?;
        return Ok(code);
    }
    let rows: Vec<Vec<String>> = overview
        .catalogs
        .iter()
        .map(|row| {
            vec![
                row.catalog.name.to_string(),
                row.catalog.region.to_string(),
                row.catalog.access.to_string(),
                row.stage.to_string(),
                records::verified_text(row.verdict.as_ref()),
                row.catalog.s3_path.to_string(),
            ]
        })
        .collect();
    front.rows(&rows)?;
    Ok(code)
}

async fn show(front: &mut Front, session: &Session, name: &CatalogName) -> Result<(), Stop> {
    // Whether it is there, and what else was probably meant, the records know best.
    session.home.catalog(name)?;
    let overview = records::overview(front, session).await?;
    let named = |row: &&CatalogRow| row.catalog.name == *name;
    let row = overview.catalogs.iter().find(named).ok_or_else(wrong_outcome)?;
    if front.is_json() {
        return front.json(&records::catalog_json(row));
    }
    let catalog = &row.catalog;
    let adopted = overview
        .connections
        .iter()
        .any(|row| row.connection.name == catalog.connection && row.connection.adopted);
    let databases = if catalog.databases.is_empty() {
        "all".to_owned()
    } else {
        catalog.databases.join(" ")
    };
    front.fields(&[
        ("catalog", Some(catalog.name.to_string())),
        ("in Spark", records::quoted(catalog.name.as_str(), Dialect::Spark)),
        ("in Trino", records::quoted(catalog.name.as_str(), Dialect::Trino)),
        ("region", Some(catalog.region.to_string())),
        ("S3 path", Some(catalog.s3_path.to_string())),
        (
            "access point",
            records::point_text(catalog.access_point.as_deref()),
        ),
        ("access", Some(catalog.access.to_string())),
        ("databases", Some(databases)),
        ("KMS key", catalog.kms_key.as_ref().map(ToString::to_string)),
        (
            "catalog's key",
            catalog.catalog_kms_key.as_ref().map(ToString::to_string),
        ),
        ("connection", Some(catalog.connection.to_string())),
        (
            "stack",
            Some(records::stack_text(
                &catalog.stack_name,
                adopted && !crate::registry::Grant::from(catalog).is_made(),
            )),
        ),
        ("stage", Some(row.stage.to_string())),
        ("verified", Some(records::verified_text(row.verdict.as_ref()))),
        ("tables", row.verdict.as_ref().and_then(Verdict::tables_text)),
    ])
}
