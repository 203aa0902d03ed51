//! Catalogs: made, changed and deleted.

use crate::domain::names::CatalogName;
use crate::domain::problem::{Kind, Problem};
use crate::registry::{Catalog, Grant, Granted, Holder};
use crate::session::Session;
use crate::setup::{NewCatalog, Outcome, grant, names, random, rules};

/// Records a new catalog.
///
/// # Errors
/// `Denied` for who may not create; `NotFound` for a connection that is not there; `Usage` for a taken name or stack
/// name, for what is missing, and for a region in another partition than the connection.
pub async fn add(session: &Session, new: NewCatalog) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let (_, platform) = rules::organization(session)?;
    session.home.free_name::<Catalog>(new.name.as_str())?;
    let missing = |what: &str, flag: &str| {
        Problem::new(
            Kind::Usage,
            format!("the catalog {} needs {what}", new.name),
            "none was given",
            format!("give it with {flag}"),
        )
    };
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
    let holder = Holder::Catalog(new.name.clone());
    let stack_name = grant::stack_name(&platform.stack_prefix, &holder, access);
    names::free_stack(session, &stack_name, None)?;
    let catalog = Catalog {
        version: 1,
        name: new.name,
        id: random::record_id()?,
        region,
        s3_path,
        access,
        connection: bound_to,
        databases: new.databases,
        kms_key: new.kms_key.map(|arn| arn.parse()).transpose()?,
        stack_name,
        stack_id: None,
        deployed: false,
        left_over_stacks: Vec::new(),
    };
    let asked = Grant::from(&catalog);
    grant::check(&asked, &serving)?;
    let mut advice = Vec::new();
    advice.extend(catalog.region.warning());
    advice.extend(grant::no_stack(&asked, &serving));
    advice.extend(grant::of_path(&catalog.s3_path, access));
    advice.extend(grant::company(session, &asked)?);
    let catalog = session.home.create(catalog)?.record;
    grant::place(session, &asked)?;
    forget_half_filled(session, &catalog.name)?;
    Ok(Outcome::Catalog(Box::new(catalog), advice))
}

/// The wizard that was half-filled with this name has come to its record: nobody is to be led back into it. One that
/// was half-filled with another name is another catalog, and stays.
fn forget_half_filled(session: &Session, name: &CatalogName) -> Result<(), Problem> {
    let typed = session.home.draft(None);
    let is_this = typed.is_some_and(|draft| {
        let typed = draft.fields.get("name").map(|typed| typed.parse::<CatalogName>());
        matches!(typed, Some(Ok(typed)) if typed == *name)
    });
    if is_this {
        session.home.forget_draft(None)
    } else {
        Ok(())
    }
}

/// Changes what can be changed of a catalog.
///
/// # Errors
/// `NotFound`, `Denied`, `Usage` as for a new one.
pub async fn set(session: &Session, new: NewCatalog) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let (_, platform) = rules::organization(session)?;
    let stored = session.home.catalog(&new.name)?;
    let before = &stored.record;
    let mut catalog = before.clone();
    if let Some(name) = new.connection {
        catalog.connection = name;
    }
    let serving = session.home.connection(&catalog.connection)?;
    if let Some(region) = new.region {
        catalog.region = region;
    }
    if let Some(path) = new.s3_path {
        catalog.s3_path = path;
    }
    if let Some(access) = new.access {
        catalog.access = access;
    }
    if !new.databases.is_empty() {
        catalog.databases = new.databases;
    }
    if let Some(arn) = new.kms_key {
        catalog.kms_key = Some(arn.parse()?);
    }
    let before = Grant::from(before);
    let mut asked = Grant::from(&catalog);
    grant::check(&asked, &serving)?;
    let mut advice = Vec::new();
    advice.extend(catalog.region.warning());
    advice.extend(grant::no_stack(&asked, &serving));
    grant::moved_stack(session, &platform.stack_prefix, &before, &mut asked, &mut advice)?;
    catalog.take_stack(&asked);
    if before.s3_path != asked.s3_path || before.access != asked.access {
        advice.extend(grant::of_path(&asked.s3_path, asked.access));
    }
    advice.extend(grant::company(session, &asked)?);
    let catalog = session.home.update(&stored, catalog)?.record;
    grant::place(session, &asked)?;
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
    Ok(Outcome::Deleted(grant::stays(&Grant::from(&catalog.record))))
}
