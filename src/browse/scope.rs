//! Whose Glue is browsed, and with whose rights.

use crate::cloud::Aws;
use crate::domain::names::CatalogName;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Path;
use crate::registry::{Grant, Stage, stage};
use crate::session::Session;

/// By this name the caller's own Glue catalog is browsed before there is a record of it, as Athena calls it.
const OWN: &str = "AwsDataCatalog";

/// The name of the caller's own Glue catalog, of which there need be no record.
pub fn own_catalog() -> Option<CatalogName> {
    OWN.parse().ok()
}

/// What is browsed.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    /// The catalog's name as it is on record, however it was typed.
    pub name: CatalogName,
    /// The region of the Glue catalog.
    pub region: Region,
    /// What is granted of S3; `None` before a grant has been thought of: then nothing lies outside.
    pub granted: Option<S3Path>,
    /// The databases that the record names.
    pub databases: Vec<String>,
}

/// The catalog, and who reads it: the connection's role, or the caller.
pub(super) async fn open(
    session: &Session,
    name: &CatalogName,
    as_caller: bool,
) -> Result<(Scope, Aws), Problem> {
    let stored = match session.home.catalog(name) {
        Ok(stored) => stored,
        Err(problem) if problem.kind == Kind::NotFound && name.as_str().eq_ignore_ascii_case(OWN) => {
            return own(session, name, as_caller).await;
        }
        Err(problem) => return Err(problem),
    };
    let catalog = (*stored).clone();
    let scope = Scope {
        name: catalog.name.clone(),
        region: catalog.region.clone(),
        granted: Some(Grant::from(&catalog).s3_path),
        databases: catalog.databases.clone(),
    };
    if as_caller {
        return Ok((scope, session.aws().await?));
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
    Ok((scope, aws))
}

/// The Glue catalog of whoever asks, in the region that is set.
async fn own(session: &Session, name: &CatalogName, as_caller: bool) -> Result<(Scope, Aws), Problem> {
    if !as_caller {
        return Err(Problem::new(
            Kind::NotFound,
            format!("There is no catalog called {OWN}"),
            "By this name your own Glue catalog is browsed, with your own rights only: no role reads it yet",
            format!("glueup ls {OWN} --as-caller, or connect it first: glueup catalog add"),
        ));
    }
    let aws = session.aws().await?;
    let scope = Scope {
        name: own_catalog().unwrap_or_else(|| name.clone()),
        region: aws.region().clone(),
        granted: None,
        databases: Vec::new(),
    };
    Ok((scope, aws))
}
