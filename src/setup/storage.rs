//! Storage integrations: an S3 path without a catalog, made, changed and deleted.

use crate::domain::names::StorageName;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::registry::{Connection, Grant, Granted, Holder, Storage};
use crate::session::Session;
use crate::setup::{NewStorage, Outcome, grant, names, random, rules};

/// Records a new storage integration.
///
/// # Errors
/// `Denied` for who may not create; `NotFound` for a connection that is not there; `Usage` for a taken name or stack
/// name, and for what is missing.
pub async fn add(session: &Session, new: NewStorage) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let (_, platform) = rules::organization(session)?;
    session.home.free_name::<Storage>(new.name.as_str())?;
    let missing = |what: &str, flag: &str| {
        Problem::new(
            Kind::Usage,
            format!("the storage integration {} needs {what}", new.name),
            "none was given",
            format!("give it with {flag}"),
        )
    };
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
    let region = stack_region(session, &serving).await?;
    let holder = Holder::Storage(new.name.clone());
    let stack_name = grant::stack_name(&platform.stack_prefix, &holder, access);
    names::free_stack(session, &stack_name, None)?;
    let storage = Storage {
        version: 1,
        name: new.name,
        id: random::record_id()?,
        region,
        s3_path,
        access,
        connection: bound_to,
        kms_key: new.kms_key.map(|arn| arn.parse()).transpose()?,
        stack_name,
        stack_id: None,
        deployed: false,
        left_over_stacks: Vec::new(),
    };
    let asked = Grant::from(&storage);
    grant::check(&asked, &serving)?;
    let mut advice = Vec::new();
    advice.extend(grant::no_stack(&asked, &serving));
    advice.extend(grant::of_path(&storage.s3_path, access));
    advice.extend(grant::company(session, &asked)?);
    let storage = session.home.create(storage)?.record;
    grant::place(session, &asked)?;
    Ok(Outcome::Storage(Box::new(storage), advice))
}

/// Where its stack belongs: IAM is the same everywhere, so it stands beside the connection's.
async fn stack_region(session: &Session, serving: &Connection) -> Result<Region, Problem> {
    match &serving.region {
        Some(region) => Ok(region.clone()),
        None => Ok(session.aws().await?.region().clone()),
    }
}

/// Changes what can be changed of a storage integration.
///
/// # Errors
/// `NotFound`, `Denied`, `Usage` as for a new one.
pub async fn set(session: &Session, new: NewStorage) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let (_, platform) = rules::organization(session)?;
    let stored = session.home.storage(&new.name)?;
    let before = Grant::from(&stored.record);
    let mut storage = stored.record.clone();
    if let Some(name) = new.connection {
        storage.connection = name;
    }
    let serving = session.home.connection(&storage.connection)?;
    if storage.connection != before.connection {
        storage.region = stack_region(session, &serving).await?;
    }
    if let Some(path) = new.s3_path {
        storage.s3_path = path;
    }
    if let Some(access) = new.access {
        storage.access = access;
    }
    if let Some(arn) = new.kms_key {
        storage.kms_key = Some(arn.parse()?);
    }
    let mut asked = Grant::from(&storage);
    grant::check(&asked, &serving)?;
    let mut advice = Vec::new();
    advice.extend(grant::no_stack(&asked, &serving));
    grant::moved_stack(session, &platform.stack_prefix, &before, &mut asked, &mut advice)?;
    storage.take_stack(&asked);
    if before.s3_path != asked.s3_path || before.access != asked.access {
        advice.extend(grant::of_path(&asked.s3_path, asked.access));
    }
    advice.extend(grant::company(session, &asked)?);
    let storage = session.home.update(&stored, storage)?.record;
    grant::place(session, &asked)?;
    Ok(Outcome::Storage(Box::new(storage), advice))
}

/// Deletes a storage integration's record.
///
/// # Errors
/// `NotFound`, `Denied`.
pub async fn delete(session: &Session, name: &StorageName) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let storage = session.home.storage(name)?;
    session.home.delete(&storage)?;
    Ok(Outcome::Deleted(grant::stays(&Grant::from(&storage.record))))
}
