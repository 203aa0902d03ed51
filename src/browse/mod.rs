//! The databases, tables and schemas of a catalog.

mod census;
mod every;
mod governed;
mod linked;
mod list;
mod own;
mod request;
mod rows;
mod schema;
mod scope;

pub use census::{Census, PerVerdict, Unread, Which};
pub use request::{DatabaseRow, Outcome, Request, TableRow, Update};

use crate::domain::problem::{Kind, Problem};
use crate::report::Reporter;
use crate::session::Session;
use scope::open;
pub use scope::own_catalog;

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
            let (scope, aws) = open(session, &catalog, as_caller).await?;
            list::databases(&scope, &aws, false, reporter).await
        }
        Request::AllTables {
            catalog,
            only_names,
            as_caller,
        } => {
            let (scope, aws) = open(session, &catalog, as_caller).await?;
            every::tables(&scope, &aws, only_names, reporter).await
        }
        Request::DatabaseNames { catalog, as_caller } => {
            let (scope, aws) = open(session, &catalog, as_caller).await?;
            list::databases(&scope, &aws, true, reporter).await
        }
        Request::Tables {
            catalog,
            database,
            as_caller,
        } => {
            let (scope, aws) = open(session, &catalog, as_caller).await?;
            list::tables(&scope, &aws, &database, reporter).await
        }
        Request::TableNames {
            catalog,
            database,
            as_caller,
        } => {
            let (scope, aws) = open(session, &catalog, as_caller).await?;
            list::table_names(&scope, &aws, &database, reporter).await
        }
        Request::Census {
            catalog,
            which,
            rows,
            as_caller,
        } => {
            let (scope, aws) = open(session, &catalog, as_caller).await?;
            census::take(&scope, &aws, &which, rows, reporter).await
        }
        Request::Schema { fqn, file, as_caller } => {
            let (Some(database), Some(table)) = (&fqn.database, &fqn.table) else {
                return Err(Problem::new(
                    Kind::Usage,
                    format!("{fqn} names no table"),
                    "A schema belongs to one table",
                    "Give CATALOG.DATABASE.TABLE",
                ));
            };
            let (scope, aws) = open(session, &fqn.catalog, as_caller).await?;
            let asked = schema::Asked {
                database,
                name: table,
                file,
            };
            schema::read(&scope, &aws, asked, reporter).await
        }
    }
}
