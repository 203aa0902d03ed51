//! Storage integrations: an S3 path without a catalog, made, changed and deleted.

use crate::domain::names::StorageName;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::registry::{Connection, Granted, Holder, Storage};
use crate::session::Session;
use crate::setup::{NewStorage, Outcome, PointGiven, grant, point, random, rules, seen};

/// Records a new storage integration.
///
/// # Errors
/// `Denied` for who may not create; `NotFound` for a connection that is not there; `Usage` for a taken name or stack
/// name, and for what is missing.
pub async fn add(session: &Session, new: NewStorage) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let (_, platform) = rules::organization(session)?;
    session.home.free_name::<Storage>(new.name.as_str())?;
    let holder = Holder::Storage(new.name.clone());
    let missing = |what: &str, flag: &str| grant::missing(&holder, what, flag);
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
    let (access_point, seen) =
        seen::of(session, &s3_path, *new.access_point, None, &serving, &region).await?;
    let access_point = access_point.map(Box::new);
    let stack_name = grant::stack_name(&platform.stack_prefix, &holder, access);
    let storage = Storage {
        version: 1,
        name: new.name,
        id: random::record_id()?,
        region,
        s3_path,
        access_point,
        access,
        connection: bound_to,
        kms_key: new.kms_key.map(|arn| arn.parse()).transpose()?,
        stack_name,
        stack_id: None,
        deployed: false,
        left_over_stacks: Vec::new(),
    };
    let (storage, advice) = grant::added(session, storage, &serving, seen)?;
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
    let stored = session.home.storage(&new.name)?;
    let mut storage = stored.record.clone();
    if let Some(name) = new.connection {
        storage.connection = name;
    }
    let serving = session.home.connection(&storage.connection)?;
    if storage.connection != stored.connection {
        storage.region = stack_region(session, &serving).await?;
    }
    let touched = new.s3_path.is_some();
    if let Some(path) = new.s3_path {
        storage.s3_path = path;
    }
    let before = storage.access_point.take().map(|point| *point);
    let (path, given) = (&storage.s3_path, *new.access_point);
    let (access_point, seen) = match touched || given != PointGiven::default() {
        true => seen::of(session, path, given, before, &serving, &storage.region).await?,
        false => (point::of(path, given, before, &serving)?, seen::Look::default()),
    };
    storage.access_point = access_point.map(Box::new);
    if let Some(access) = new.access {
        storage.access = access;
    }
    if let Some(arn) = new.kms_key {
        storage.kms_key = Some(arn.parse()?);
    }
    let (storage, advice) = grant::changed(session, &stored, storage, &serving, seen)?;
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
    Ok(Outcome::Deleted(grant::stays(&storage.grant())))
}
