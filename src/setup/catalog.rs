//! Catalogs: made, changed and deleted.

use crate::domain::names::CatalogName;
use crate::domain::problem::Problem;
use crate::registry::{Catalog, Granted, Holder};
use crate::session::Session;
use crate::setup::{NewCatalog, Outcome, PointGiven, grant, point, random, rules, seen};

/// Records a new catalog.
///
/// # Errors
/// `Denied` for who may not create; `NotFound` for a connection that is not there; `Usage` for a taken name or stack
/// name, for what is missing, and for a region in another partition than the connection.
pub async fn add(session: &Session, new: NewCatalog) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let (_, platform) = rules::organization(session)?;
    session.home.free_name::<Catalog>(new.name.as_str())?;
    let holder = Holder::Catalog(new.name.clone());
    let missing = |what: &str, flag: &str| grant::missing(&holder, what, flag);
    let region = new
        .region
        .clone()
        .ok_or_else(|| missing("a region", "--region"))?;
    let s3_path = new
        .s3_path
        .clone()
        .ok_or_else(|| missing("an S3 path", "--s3-path"))?;
    let access = new.access.ok_or_else(|| missing("an access level", "--access"))?;
    let bound_to = new
        .connection
        .clone()
        .ok_or_else(|| missing("a connection", "--connection"))?;
    let serving = session.home.connection(&bound_to)?;
    let (access_point, seen) =
        seen::of(session, &s3_path, *new.access_point, None, &serving, &region).await?;
    let access_point = access_point.map(Box::new);
    let stack_name = grant::stack_name(&platform.stack_prefix, &holder, access);
    let catalog = Catalog {
        version: 1,
        name: new.name,
        id: random::record_id()?,
        region,
        s3_path,
        access_point,
        access,
        connection: bound_to,
        databases: new.databases,
        kms_key: new.kms_key.map(|arn| arn.parse()).transpose()?,
        catalog_kms_key: new.catalog_kms_key.map(|arn| arn.parse()).transpose()?,
        stack_name,
        stack_id: None,
        deployed: false,
        left_over_stacks: Vec::new(),
    };
    let (catalog, advice) = grant::added(session, catalog, &serving, seen)?;
    Ok(Outcome::Catalog(Box::new(catalog), advice))
}

/// Changes what can be changed of a catalog.
///
/// # Errors
/// `NotFound`, `Denied`, `Usage` as for a new one.
pub async fn set(session: &Session, new: NewCatalog) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let stored = session.home.catalog(&new.name)?;
    let mut catalog = stored.record.clone();
    if let Some(name) = new.connection {
        catalog.connection = name;
    }
    let serving = session.home.connection(&catalog.connection)?;
    if let Some(region) = new.region {
        catalog.region = region;
    }
    let touched = new.s3_path.is_some();
    if let Some(path) = new.s3_path {
        catalog.s3_path = path;
    }
    let before = catalog.access_point.take().map(|point| *point);
    let (path, given) = (&catalog.s3_path, *new.access_point);
    let (access_point, seen) = match touched || given != PointGiven::default() {
        true => seen::of(session, path, given, before, &serving, &catalog.region).await?,
        false => (point::of(path, given, before, &serving)?, seen::Look::default()),
    };
    catalog.access_point = access_point.map(Box::new);
    if let Some(access) = new.access {
        catalog.access = access;
    }
    if !new.databases.is_empty() {
        catalog.databases = new.databases;
    }
    if let Some(arn) = new.kms_key {
        catalog.kms_key = Some(arn.parse()?);
    }
    if let Some(arn) = new.catalog_kms_key {
        catalog.catalog_kms_key = Some(arn.parse()?);
    }
    if new.without_catalog_kms_key {
        catalog.catalog_kms_key = None;
    }
    let (catalog, advice) = grant::changed(session, &stored, catalog, &serving, seen)?;
    Ok(Outcome::Catalog(Box::new(catalog), advice))
}

/// Deletes a catalog's record.
///
/// # Errors
/// `NotFound`, `Denied`.
pub async fn delete(session: &Session, name: &CatalogName) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let catalog = session.home.catalog(name)?;
    session.home.delete(&catalog)?;
    Ok(Outcome::Deleted(grant::stays(&catalog.grant())))
}
