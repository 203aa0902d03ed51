//! What holds for every grant, a catalog's and a storage integration's: where its stack belongs, what it must fit to,
//! what is to be said about it, and what a change of it leaves behind.

use crate::domain::access::Access;
use crate::domain::arn::AnyArn;
use crate::domain::problem::{Kind, Problem};
use crate::domain::s3_path::S3Path;
use crate::domain::stack_name::{StackKind, StackName};
use crate::registry::{Connection, DraftOf, Grant, Granted, Holder, LeftOver, Record, Stored};
use crate::session::Session;
use crate::setup::seen::Look;
use crate::setup::{connection, names, past, point, rules};

/// Records a new catalog or storage integration; answers it with words of advice, those that were found already first.
///
/// # Errors
/// `Usage` for a taken name or stack name, and for what does not go together.
pub fn added<T: Record + Granted>(
    session: &Session,
    record: T,
    serving: &Connection,
    Look {
        lines: mut advice,
        is_absent,
    }: Look,
) -> Result<(T, Vec<String>), Problem> {
    let grant = record.grant();
    names::free_stack(session, &grant.stack_name, None)?;
    check(&grant, serving)?;
    advice.extend(grant.region.warning());
    advice.extend(no_stack(&grant, serving));
    advice.extend(of_path(&grant.s3_path, grant.access));
    advice.extend(point::advice(&grant, serving, is_absent));
    advice.extend(company(session, &grant)?);
    let record = session.home.create(record)?.record;
    place(session, &grant)?;
    forget_half_filled(session, &grant.holder)?;
    Ok((record, advice))
}

/// The wizard that was half-filled with this name has come to its record: nobody is to be led back into it. One that
/// was half-filled with another name is another one, and stays.
fn forget_half_filled(session: &Session, holder: &Holder) -> Result<(), Problem> {
    let new = DraftOf::New(holder.kind());
    let typed = session.home.draft(&new);
    let is_this = typed.is_some_and(|draft| {
        let typed = draft.fields.get("name").map(|typed| holder.kind().named(typed));
        matches!(typed, Some(Ok(typed)) if typed == *holder)
    });
    if is_this {
        session.home.forget_draft(&new)
    } else {
        Ok(())
    }
}

/// Writes a changed catalog or storage integration; answers it with words of advice, those that were found already first.
///
/// # Errors
/// `Usage` for a taken stack name, for what does not go together, and for a stack that would be lost from sight.
pub fn changed<T: Record + Granted>(
    session: &Session,
    stored: &Stored<T>,
    mut record: T,
    serving: &Connection,
    Look {
        lines: mut advice,
        is_absent,
    }: Look,
) -> Result<(T, Vec<String>), Problem> {
    let (before, mut grant) = (stored.record.grant(), record.grant());
    check(&grant, serving)?;
    same_account(session, &before, serving)?;
    advice.extend(grant.region.warning());
    advice.extend(no_stack(&grant, serving));
    let (_, platform) = rules::organization(session)?;
    moved_stack(session, &platform.stack_prefix, &before, &mut grant, &mut advice)?;
    record.take_stack(&grant);
    if before.s3_path != grant.s3_path || before.access != grant.access {
        advice.extend(of_path(&grant.s3_path, grant.access));
        advice.extend(point::advice(&grant, serving, is_absent));
    }
    advice.extend(company(session, &grant)?);
    let record = session.home.update(stored, record)?.record;
    place(session, &grant)?;
    Ok((record, advice))
}

/// What a new one lacks.
pub fn missing(holder: &Holder, what: &str, flag: &str) -> Problem {
    Problem::new(
        Kind::Usage,
        format!("the {} {holder} needs {what}", holder.noun()),
        "none was given",
        format!("give it with {flag}"),
    )
}

/// A stack is looked for in its connection's account: one that was made in another would be there and never be found.
fn same_account(session: &Session, before: &Grant, serving: &Connection) -> Result<(), Problem> {
    if before.connection == serving.name || !before.is_made() {
        return Ok(());
    }
    let was = session.home.connection(&before.connection)?;
    if was.account_id == serving.account_id {
        return Ok(());
    }
    Err(Problem::new(
        Kind::Usage,
        format!(
            "{} {} has a stack in account {}, and the connection {} is in {}",
            before.holder.noun(),
            before.holder,
            was.account_id.grouped(),
            serving.name,
            serving.account_id.grouped()
        ),
        "what that stack grants would be forgotten here, and stay there",
        format!(
            "delete it first ({}), or record a second {} for the other account",
            before.holder.delete_command(),
            before.holder.noun()
        ),
    ))
}

/// The name of a grant's stack.
pub fn stack_name(prefix: &str, holder: &Holder, access: Access) -> StackName {
    StackName::compose(prefix, kind(holder, access), holder.name())
}

fn kind(holder: &Holder, access: Access) -> StackKind {
    match holder {
        Holder::Catalog(_) => StackKind::for_access(access),
        Holder::Storage(_) => StackKind::for_storage(access),
    }
}

/// The name of the stack that a changed grant has now. IAM is one for all regions: two stacks of one name, in two regions,
/// would put the same inline policy on the role, and the end of one would take what the other grants.
fn stack_name_now(prefix: &str, before: &Grant, grant: &Grant) -> StackName {
    let kind = kind(&grant.holder, grant.access);
    let plain = stack_name(prefix, &grant.holder, grant.access);
    let regional = StackName::compose(prefix, kind, &format!("{} {}", grant.holder, grant.region));
    let stood = (before.deployed || before.is_outdated()).then(|| before.place());
    let made: Vec<&LeftOver> = stood.iter().chain(&grant.left_over_stacks).collect();
    let is = |name: &StackName, here: bool| {
        made.iter()
            .any(|left| left.stack_name == *name && (left.region == grant.region) == here)
    };
    if is(&regional, true) || (is(&plain, false) && !is(&plain, true)) {
        regional
    } else {
        plain
    }
}

/// The connection's stack lives where the first that is bound to it is: IAM is the same everywhere, and one place is enough.
///
/// # Errors
/// When the connection's record cannot be read or written.
fn place(session: &Session, grant: &Grant) -> Result<(), Problem> {
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
fn check(grant: &Grant, serving: &Connection) -> Result<(), Problem> {
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
    point::check(grant)?;
    let keys = [
        ("the KMS key", &grant.kms_key),
        ("the KMS key of the Data Catalog", &grant.catalog_kms_key),
    ];
    for (what, key) in keys {
        if let Some(Ok(key)) = key.as_ref().map(|key| key.as_str().parse::<AnyArn>()) {
            rules::same_partition(what, key.partition(), &grant.region)?;
        }
    }
    Ok(())
}

/// A role that was there before is not given a stack: what it must be able to do is for whoever keeps it to read.
fn no_stack(grant: &Grant, serving: &Connection) -> Option<String> {
    let role = serving.role_arn.as_ref().filter(|_| serving.adopted)?;
    Some(format!(
        "nothing is to be deployed: {role} is used as it is. The policy that it must carry: glueup template show {}. \
         Whether it does: {}",
        grant.holder.command_with("--policy"),
        grant.holder.verify_command()
    ))
}

/// What to say about the path of a grant.
fn of_path(path: &S3Path, access: Access) -> impl Iterator<Item = String> {
    whole_bucket(path, access).into_iter().chain(path.blank())
}

/// What to say about a grant on a whole bucket. Both fronts let the name be typed before they ask for one that writes.
fn whole_bucket(path: &S3Path, access: Access) -> Option<String> {
    if !path.whole_bucket() {
        return None;
    }
    let bucket = match path.point() {
        Some(_) => path.stands_on(),
        None => path.bucket().to_owned(),
    };
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
fn company(session: &Session, grant: &Grant) -> Result<Vec<String>, Problem> {
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
            .map(|c| format!("{} ({}, {})", named(&c.holder), c.access, c.s3_path))
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
            named(&grant.holder),
            grant.holder
        ));
    }
    if !narrower.is_empty() {
        lines.push(format!(
            "{} widens what the connection {} can do for {}. To keep them narrow use a second connection",
            named(&grant.holder),
            grant.connection,
            names(&narrower)
        ));
    }
    lines.extend(past::advice(grant, &others));
    Ok(lines)
}

/// What it is, and its name: a catalog and a storage integration may have the same one.
fn named(holder: &Holder) -> String {
    format!("the {} {holder}", holder.noun())
}

/// True when `other` lets the shared role do to what is near `grant` something that `grant` does not ask for.
fn widens(other: &Grant, grant: &Grant) -> bool {
    let same_bucket = other.s3_path.policy_bucket() == grant.s3_path.policy_bucket();
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
    writes_more || more_databases || more_objects || past::opens(other, grant)
}

/// What a change means for a stack that is deployed: the same stack once more, or another one beside it.
///
/// # Errors
/// `Usage` when the name of the stack that it would have now is taken.
fn moved_stack(
    session: &Session,
    prefix: &str,
    before: &Grant,
    grant: &mut Grant,
    advice: &mut Vec<String>,
) -> Result<(), Problem> {
    let another_stack = before.access != grant.access || before.region != grant.region;
    if another_stack {
        let name = stack_name_now(prefix, before, grant);
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
