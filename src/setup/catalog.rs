//! Catalogs: made, changed and deleted.

use crate::domain::access::Access;
use crate::domain::arn::AnyArn;
use crate::domain::names::CatalogName;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::shell;
use crate::domain::s3_path::S3Path;
use crate::domain::stack_name::{StackKind, StackName};
use crate::registry::{Catalog, Connection, LeftOver};
use crate::session::Session;
use crate::setup::{NewCatalog, Outcome, connection, names, random, rules};

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
    let stack_name = StackName::compose(
        &platform.stack_prefix,
        StackKind::for_access(access),
        new.name.as_str(),
    );
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
    check(&catalog, &serving)?;
    let mut advice = Vec::new();
    advice.extend(catalog.region.warning());
    advice.extend(no_stack(&catalog, &serving));
    advice.extend(whole_bucket(&catalog.s3_path, access));
    advice.extend(catalog.s3_path.blank());
    advice.extend(company(session, &catalog)?);
    let catalog = session.home.create(catalog)?.record;
    place(session, &catalog)?;
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

/// The connection's stack lives where its first catalog is: IAM is the same everywhere, and one place is enough.
fn place(session: &Session, catalog: &Catalog) -> Result<(), Problem> {
    let serving = session.home.connection(&catalog.connection)?;
    if serving.region.is_some() {
        return Ok(());
    }
    let region = Some(catalog.region.clone());
    let placed = Connection {
        region,
        ..serving.record.clone()
    };
    session.home.update(&serving, placed).map(drop)
}

/// What does not go together is refused before it is written.
fn check(catalog: &Catalog, serving: &Connection) -> Result<(), Problem> {
    let arns = serving
        .role_arn
        .iter()
        .map(|arn| ("the connection's role", arn.partition()))
        .chain(
            serving
                .broker_role_arn
                .iter()
                .map(|arn| ("the connection's broker role", arn.partition())),
        )
        .chain(
            serving
                .trust
                .iter()
                .map(|arn| ("a principal that the connection trusts", arn.partition())),
        );
    for (what, partition) in arns {
        rules::same_partition(what, partition, &catalog.region)?;
    }
    if let Some(region) = &serving.region {
        rules::same_partition("the connection's stack", region.partition(), &catalog.region)?;
    }
    let key = catalog.kms_key.as_ref().map(|key| key.as_str().parse::<AnyArn>());
    if let Some(Ok(key)) = key {
        rules::same_partition("the KMS key", key.partition(), &catalog.region)?;
    }
    Ok(())
}

/// A role that was there before is not given a stack: what it must be able to do is for whoever keeps it to read.
fn no_stack(catalog: &Catalog, serving: &Connection) -> Option<String> {
    let role = serving.role_arn.as_ref().filter(|_| serving.adopted)?;
    Some(format!(
        "nothing is to be deployed: {role} is used as it is. The policy that it must carry: glueup template show \
         catalog {0} --policy. Whether it does: glueup verify {0}",
        shell(catalog.name.as_str())
    ))
}

/// What to say about a grant on a whole bucket. Both fronts let the name be typed before they ask for one that writes.
fn whole_bucket(path: &S3Path, access: Access) -> Option<String> {
    if !path.whole_bucket() {
        return None;
    }
    let bucket = path.bucket();
    Some(match access {
        Access::ReadOnly => format!("whole bucket: the policy will cover every object of {bucket}"),
        Access::ReadWrite => {
            format!(
                "whole bucket, read-write: the policy will let every object of {bucket} be changed and deleted"
            )
        }
    })
}

/// A role is as wide as the widest catalog on it: says which of the connection's other catalogs widens this one, and
/// which this one widens.
fn company(session: &Session, catalog: &Catalog) -> Result<Vec<String>, Problem> {
    let others = connection::catalogs_of(session, &catalog.connection)?;
    let (wider, narrower): (Vec<&Catalog>, Vec<&Catalog>) = (
        others
            .iter()
            .filter(|o| o.name != catalog.name && widens(o, catalog))
            .collect(),
        others
            .iter()
            .filter(|o| o.name != catalog.name && widens(catalog, o))
            .collect(),
    );
    let names = |list: &[&Catalog]| {
        list.iter()
            .map(|c| format!("{} ({}, {})", c.name, c.access, c.s3_path))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut lines = Vec::new();
    if !wider.is_empty() {
        lines.push(format!(
            "the connection {} also serves {}: its one role can do for {} what it can do there. For a narrow {} use \
             a second connection",
            catalog.connection,
            names(&wider),
            catalog.name,
            catalog.name
        ));
    }
    if !narrower.is_empty() {
        lines.push(format!(
            "{} widens what the connection {} can do for {}. To keep them narrow use a second connection",
            catalog.name,
            catalog.connection,
            names(&narrower)
        ));
    }
    Ok(lines)
}

/// True when `other` lets the shared role do to what is near `catalog` something that `catalog` does not ask for.
fn widens(other: &Catalog, catalog: &Catalog) -> bool {
    let writes_more = other.access == Access::ReadWrite && catalog.access == Access::ReadOnly;
    let same_region = other.region == catalog.region;
    // Glue's rights know no prefix: a catalog that names no databases reaches all of its region.
    let more_databases = same_region
        && !catalog.databases.is_empty()
        && (other.databases.is_empty() || other.databases.iter().any(|d| !catalog.databases.contains(d)));
    let more_objects = other.s3_path.bucket() == catalog.s3_path.bucket()
        && other.s3_path.prefix() != catalog.s3_path.prefix()
        && catalog.s3_path.prefix().starts_with(other.s3_path.prefix());
    writes_more || more_databases || more_objects
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
    check(&catalog, &serving)?;
    let mut advice = Vec::new();
    advice.extend(catalog.region.warning());
    advice.extend(no_stack(&catalog, &serving));
    moved_stack(session, &platform.stack_prefix, before, &mut catalog, &mut advice)?;
    if before.s3_path != catalog.s3_path || before.access != catalog.access {
        advice.extend(whole_bucket(&catalog.s3_path, catalog.access));
        advice.extend(catalog.s3_path.blank());
    }
    advice.extend(company(session, &catalog)?);
    let catalog = session.home.update(&stored, catalog)?.record;
    place(session, &catalog)?;
    Ok(Outcome::Catalog(Box::new(catalog), advice))
}

/// What a change means for a stack that is deployed: the same stack once more, or another one beside it.
fn moved_stack(
    session: &Session,
    prefix: &str,
    before: &Catalog,
    catalog: &mut Catalog,
    advice: &mut Vec<String>,
) -> Result<(), Problem> {
    let another_stack = before.access != catalog.access || before.region != catalog.region;
    if before.access != catalog.access {
        let name = StackName::compose(
            prefix,
            StackKind::for_access(catalog.access),
            catalog.name.as_str(),
        );
        names::free_stack(session, &name, Some(&catalog.name))?;
        catalog.stack_name = name;
    }
    let here = |c: &Catalog| LeftOver {
        stack_name: c.stack_name.clone(),
        region: c.region.clone(),
    };
    if another_stack {
        // Going back to what was left behind makes that the catalog's own stack again.
        let back = here(catalog);
        let was_there = catalog.left_over_stacks.contains(&back);
        catalog.left_over_stacks.retain(|left| *left != back);
        if before.deployed {
            catalog.left_over_stacks.push(here(before));
        }
        catalog.deployed = was_there;
        catalog.stack_id = None;
    }
    if before.connection != catalog.connection && !another_stack {
        // The stack is there, but not for this connection's role.
        catalog.deployed = false;
    }
    if !before.deployed {
        return Ok(());
    }
    if another_stack {
        advice.push(format!(
            "the stack {} ({}) stays, and with it what it grants, until it is deleted; deploy {} now",
            before.stack_name, before.region, catalog.stack_name
        ));
    } else if before.connection != catalog.connection {
        advice.push(format!(
            "the stack {} still serves the connection {}: deploy it again, and the grant moves to {}",
            catalog.stack_name, before.connection, catalog.connection
        ));
    } else if before.s3_path != catalog.s3_path
        || before.databases != catalog.databases
        || before.kms_key != catalog.kms_key
    {
        advice.push(format!(
            "the stack {} still grants what it granted: deploy it again for the change to take effect",
            catalog.stack_name
        ));
    }
    Ok(())
}

/// Deletes a catalog's record.
///
/// # Errors
/// `NotFound`, `Denied`.
pub async fn delete(session: &Session, name: &CatalogName) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let catalog = session.home.catalog(name)?;
    session.home.delete(&catalog)?;
    let mut stays = Vec::new();
    let own = LeftOver {
        stack_name: catalog.stack_name.clone(),
        region: catalog.region.clone(),
    };
    // A stack that was seen may still be there, even if it is not what the record asks for any more.
    let made = catalog.deployed || catalog.stack_id.is_some();
    for LeftOver { stack_name, region } in made.then_some(&own).into_iter().chain(&catalog.left_over_stacks) {
        stays.push(format!(
            "the stack {stack_name} in {region} stays, and with it what it grants: delete it in the CloudFormation \
             console or with aws cloudformation delete-stack --stack-name {stack_name} --region {region}"
        ));
    }
    Ok(Outcome::Deleted(stays))
}
