//! The databases, tables and schemas of a catalog.

mod census;
mod list;
mod request;
mod rows;
mod schema;

pub use census::{Census, PerVerdict, Unread, Which};
pub use request::{DatabaseRow, Outcome, Request, TableRow, Update};

use crate::cloud::Aws;
use crate::domain::names::CatalogName;
use crate::domain::problem::{Kind, Problem};
use crate::registry::{Catalog, Grant, Stage, stage};
use crate::report::Reporter;
use crate::session::Session;

/// Lists, or reads one schema. Pages are told as they come; a denial is a problem, never an empty list.
///
/// Where Glue refuses to list the databases and the record names some, each of those is asked for by its name.
///
/// # Errors
/// Unknown names, a catalog that is not deployed, refused hops, whatever Glue answers.
pub async fn run(
    session: &Session,
    request: Request,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    match request {
        Request::Databases { catalog, as_caller } => {
            let (catalog, aws) = open(session, &catalog, as_caller).await?;
            list::databases(&catalog, &aws, false, reporter).await
        }
        Request::DatabaseNames { catalog, as_caller } => {
            let (catalog, aws) = open(session, &catalog, as_caller).await?;
            list::databases(&catalog, &aws, true, reporter).await
        }
        Request::Tables {
            catalog,
            database,
            as_caller,
        } => {
            let (catalog, aws) = open(session, &catalog, as_caller).await?;
            list::tables(&catalog, &aws, &database, reporter).await
        }
        Request::TableNames {
            catalog,
            database,
            as_caller,
        } => {
            let (catalog, aws) = open(session, &catalog, as_caller).await?;
            list::table_names(&catalog, &aws, &database, reporter).await
        }
        Request::Census {
            catalog,
            which,
            rows,
            as_caller,
        } => {
            let (catalog, aws) = open(session, &catalog, as_caller).await?;
            census::take(&catalog, &aws, &which, rows, reporter).await
        }
        Request::Schema { fqn, as_caller } => {
            let (Some(database), Some(table)) = (&fqn.database, &fqn.table) else {
                return Err(Problem::new(
                    Kind::Usage,
                    format!("{fqn} names no table"),
                    "A schema belongs to one table",
                    "Give CATALOG.DATABASE.TABLE",
                ));
            };
            let (catalog, aws) = open(session, &fqn.catalog, as_caller).await?;
            schema::read(&catalog, &aws, &fqn, database, table, reporter).await
        }
    }
}

/// The catalog's record, and who reads it: the connection's role, or the caller.
async fn open(session: &Session, name: &CatalogName, as_caller: bool) -> Result<(Catalog, Aws), Problem> {
    let catalog = (*session.home.catalog(name)?).clone();
    if as_caller {
        return Ok((catalog, session.aws().await?));
    }
    let connection = session.home.connection(&catalog.connection)?;
    let grant = Grant::from(&catalog);
    let at = stage(&grant, Some(&connection), None);
    // A stack that was made for what was asked for before grants that: AWS says what of it can be read.
    let grants = at == Stage::Deploy && grant.is_outdated() && connection.role_arn.is_some();
    if at < Stage::Verify && !grants {
        return Err(Problem::new(
            Kind::CheckFailed,
            format!("{name} cannot be browsed yet: it is at the stage {at}"),
            format!(
                "It is read with the role of connection {}, which has no access yet",
                catalog.connection
            ),
            "Deploy it first, or browse with your own rights (--as-caller)",
        ));
    }
    let aws = session.role(&connection, &catalog.region).await?;
    Ok((catalog, aws))
}
