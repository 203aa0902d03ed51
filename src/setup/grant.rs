//! What holds for every grant, a catalog's and a storage integration's: where its stack belongs, what it must fit to,
//! what is to be said about it, and what a change of it leaves behind.

use crate::domain::access::Access;
use crate::domain::arn::AnyArn;
use crate::domain::problem::Problem;
use crate::domain::s3_path::S3Path;
use crate::domain::stack_name::{StackKind, StackName};
use crate::registry::{Connection, Grant, Holder, LeftOver};
use crate::session::Session;
use crate::setup::{connection, names, rules};

/// The name of a grant's stack.
pub fn stack_name(prefix: &str, holder: &Holder, access: Access) -> StackName {
    let kind = match holder {
        Holder::Catalog(_) => StackKind::for_access(access),
        Holder::Storage(_) => StackKind::for_storage(access),
    };
    StackName::compose(prefix, kind, holder.name())
}

/// The connection's stack lives where the first that is bound to it is: IAM is the same everywhere, and one place is enough.
///
/// # Errors
/// When the connection's record cannot be read or written.
pub fn place(session: &Session, grant: &Grant) -> Result<(), Problem> {
    let serving = session.home.connection(&grant.connection)?;
    if serving.region.is_some() {
        return Ok(());
    }
    let region = Some(grant.region.clone());
    let placed = Connection {
        region,
        ..serving.record.clone()
    };
    session.home.update(&serving, placed).map(drop)
}

/// What does not go together is refused before it is written.
///
/// # Errors
/// `Usage`, naming both.
pub fn check(grant: &Grant, serving: &Connection) -> Result<(), Problem> {
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
        rules::same_partition(what, partition, &grant.region)?;
    }
    if let Some(region) = &serving.region {
        rules::same_partition("the connection's stack", region.partition(), &grant.region)?;
    }
    let key = grant.kms_key.as_ref().map(|key| key.as_str().parse::<AnyArn>());
    if let Some(Ok(key)) = key {
        rules::same_partition("the KMS key", key.partition(), &grant.region)?;
    }
    Ok(())
}

/// A role that was there before is not given a stack: what it must be able to do is for whoever keeps it to read.
pub fn no_stack(grant: &Grant, serving: &Connection) -> Option<String> {
    let role = serving.role_arn.as_ref().filter(|_| serving.adopted)?;
    Some(format!(
        "nothing is to be deployed: {role} is used as it is. The policy that it must carry: glueup template show {} \
         --policy. Whether it does: {}",
        grant.holder.command(),
        grant.holder.verify_command()
    ))
}

/// What to say about the path of a grant.
pub fn of_path(path: &S3Path, access: Access) -> impl Iterator<Item = String> {
    whole_bucket(path, access).into_iter().chain(path.blank())
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

/// A role is as wide as the widest grant on it: says which of the connection's others widens this one, and which this
/// one widens.
///
/// # Errors
/// When the records cannot be listed.
pub fn company(session: &Session, grant: &Grant) -> Result<Vec<String>, Problem> {
    let others = connection::grants_of(session, &grant.connection)?;
    let (wider, narrower): (Vec<&Grant>, Vec<&Grant>) = (
        others
            .iter()
            .filter(|o| o.holder != grant.holder && widens(o, grant))
            .collect(),
        others
            .iter()
            .filter(|o| o.holder != grant.holder && widens(grant, o))
            .collect(),
    );
    let names = |list: &[&Grant]| {
        list.iter()
            .map(|c| format!("{} ({}, {})", c.holder, c.access, c.s3_path))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut lines = Vec::new();
    if !wider.is_empty() {
        lines.push(format!(
            "the connection {} also serves {}: its one role can do for {} what it can do there. For a narrow {} use \
             a second connection",
            grant.connection,
            names(&wider),
            grant.holder,
            grant.holder
        ));
    }
    if !narrower.is_empty() {
        lines.push(format!(
            "{} widens what the connection {} can do for {}. To keep them narrow use a second connection",
            grant.holder,
            grant.connection,
            names(&narrower)
        ));
    }
    Ok(lines)
}

/// True when `other` lets the shared role do to what is near `grant` something that `grant` does not ask for.
fn widens(other: &Grant, grant: &Grant) -> bool {
    let same_bucket = other.s3_path.bucket() == grant.s3_path.bucket();
    let writes_more = other.access == Access::ReadWrite && grant.access == Access::ReadOnly;
    // A storage integration asks for nothing of Glue: it writes more only where the paths meet.
    let writes_more = writes_more && (other.databases.is_some() && grant.databases.is_some() || same_bucket);
    // Glue's rights know no prefix: a catalog that names no databases reaches all of its region.
    let more_databases = other.region == grant.region
        && !grant.named_databases().is_empty()
        && (other.all_databases()
            || other
                .named_databases()
                .iter()
                .any(|d| !grant.named_databases().contains(d)));
    let more_objects = same_bucket
        && other.s3_path.prefix() != grant.s3_path.prefix()
        && grant.s3_path.prefix().starts_with(other.s3_path.prefix());
    writes_more || more_databases || more_objects
}

/// What a change means for a stack that is deployed: the same stack once more, or another one beside it.
///
/// # Errors
/// `Usage` when the name of the stack that it would have now is taken.
pub fn moved_stack(
    session: &Session,
    prefix: &str,
    before: &Grant,
    grant: &mut Grant,
    advice: &mut Vec<String>,
) -> Result<(), Problem> {
    let another_stack = before.access != grant.access || before.region != grant.region;
    if before.access != grant.access {
        let name = stack_name(prefix, &grant.holder, grant.access);
        names::free_stack(session, &name, Some(&grant.holder))?;
        grant.stack_name = name;
    }
    if another_stack {
        // Going back to what was left behind makes that the catalog's own stack again.
        let back = grant.place();
        let was_there = grant.left_over_stacks.contains(&back);
        grant.left_over_stacks.retain(|left| *left != back);
        if before.deployed || before.is_outdated() {
            grant.left_over_stacks.push(before.place());
        }
        // What it was made for then, nobody here knows any more: deploying looks. CloudFormation takes its name for an id.
        grant.deployed = false;
        grant.stack_id = was_there.then(|| grant.stack_name.to_string());
    }
    if !before.asks_for_the_same(grant) && !another_stack && before.deployed {
        // The stack is there, but not for this connection's role, or not for what is asked for now.
        grant.deployed = false;
        grant
            .stack_id
            .get_or_insert_with(|| before.stack_name.to_string());
    }
    if !before.deployed && !before.is_outdated() {
        return Ok(());
    }
    if another_stack {
        advice.push(format!(
            "the stack {} ({}) stays, and with it what it grants, until it is deleted; deploy {} now",
            before.stack_name, before.region, grant.stack_name
        ));
    } else if before.connection != grant.connection {
        advice.push(format!(
            "the stack {} still serves the connection {}: deploy it again, and the grant moves to {}",
            grant.stack_name, before.connection, grant.connection
        ));
    } else if !before.asks_for_the_same(grant) {
        advice.push(format!(
            "the stack {} still grants what it granted: deploy it again for the change to take effect",
            grant.stack_name
        ));
    }
    Ok(())
}

/// What stays in AWS when the record is deleted.
pub fn stays(grant: &Grant) -> Vec<String> {
    // A stack that was seen may still be there, even if it is not what the record asks for any more.
    let made = grant.deployed || grant.stack_id.is_some();
    let own = made.then(|| grant.place());
    own.iter()
        .chain(&grant.left_over_stacks)
        .map(|LeftOver { stack_name, region }| {
            format!(
                "the stack {stack_name} in {region} stays, and with it what it grants: delete it in the CloudFormation \
                 console or with aws cloudformation delete-stack --stack-name {stack_name} --region {region}"
            )
        })
        .collect()
}
