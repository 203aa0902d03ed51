//! Connections: made, changed and deleted.

use crate::domain::arn::{AnyArn, RoleArn};
use crate::domain::names::ConnectionName;
use crate::domain::platform::{Broker, Platform};
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::domain::stack_name::{StackKind, StackName};
use crate::registry::{Connection, Grant, Holder};
use crate::session::Session;
use crate::setup::who::{partition_of, trust_caller, verifier};
use crate::setup::{NewConnection, Outcome, names, random, rules, trust};

/// Records a new connection.
///
/// # Errors
/// `Denied` for who may not create; `Usage` for a taken name or stack name, and for ARNs that do not go together.
pub async fn add(session: &Session, new: NewConnection) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let (organization, platform) = rules::organization(session)?;
    session.home.free_name::<Connection>(new.name.as_str())?;
    let account_id = new.account_id.ok_or_else(|| {
        Problem::new(
            Kind::Usage,
            format!("the connection {} needs an AWS account", new.name),
            "no account ID was given",
            "give the 12 digits of the account whose catalog is to be read (--account-id)",
        )
    })?;
    let stack_name = StackName::compose(&platform.stack_prefix, StackKind::Connection, new.name.as_str());
    names::free_stack(session, &stack_name, None)?;
    let external_id = match new.external_id {
        Some(given) if new.role_arn.is_some() => given,
        Some(_) => return Err(id_is_made(new.name.as_str())),
        None => random::external_id()?,
    };
    let mut advice = Vec::new();
    let broker = if new.without_broker {
        needs_no_broker(platform)?;
        None
    } else {
        new.broker_role_arn.or(organization.broker_role_arn)
    };
    let mut trusted = new.trust;
    // A role that is used as it is has its trust policy already.
    if broker.is_none() && new.role_arn.is_none() {
        if platform.broker == Broker::Required {
            advice.push(format!(
                "{} assumes the role through a role of its own, and none is on record: give it with glueup init --broker-role",
                platform.name
            ));
        }
        trust_caller(session, &mut trusted, &mut advice).await?;
    }
    let verifier = match new.verifier {
        Some(given) => {
            let partition = partition_of(new.role_arn.as_ref(), broker.as_ref());
            Some(verifier(session, given, partition).await?)
        }
        None => None,
    };
    let connection = Connection {
        version: 1,
        name: new.name,
        id: random::record_id()?,
        account_id,
        adopted: new.role_arn.is_some(),
        role_arn: new.role_arn,
        external_id,
        broker_role_arn: broker,
        trust: trusted,
        verifier,
        stack_name,
        region: None,
        permissions_boundary: new.permissions_boundary.map(|arn| arn.parse()).transpose()?,
        role_path: new.role_path.map(|path| path.parse()).transpose()?,
        deploy_profile: new.deploy_profile,
        stack_id: None,
    };
    check(&connection)?;
    if let Some(role) = &connection.role_arn {
        advice.push(adopted(&connection, role));
    }
    let stored = session.home.create(connection)?;
    Ok(Outcome::Connection(Box::new(stored.record), advice))
}

/// Refuses to leave the broker role out where the platform's engines come through theirs.
fn needs_no_broker(platform: &Platform) -> Result<(), Problem> {
    if platform.broker != Broker::Required {
        return Ok(());
    }
    Err(Problem::new(
        Kind::Usage,
        format!("{} needs a broker role", platform.name),
        "its engines assume a connection's role through a role of the platform's own",
        "give that role: --broker-role ARN",
    ))
}

/// What does not go together is refused before it is written.
fn check(connection: &Connection) -> Result<(), Problem> {
    let partitions = connection
        .role_arn
        .iter()
        .map(|arn| ("its role", arn.partition(), arn.to_string()))
        .chain(
            connection
                .broker_role_arn
                .iter()
                .map(|arn| ("its broker role", arn.partition(), arn.to_string())),
        )
        .chain(
            connection
                .trust
                .iter()
                .map(|arn| ("a trusted principal", arn.partition(), arn.to_string())),
        )
        .chain(
            connection
                .verifier
                .iter()
                .map(|arn| ("its verifier", arn.partition(), arn.to_string())),
        )
        .chain(connection.permissions_boundary.iter().filter_map(|arn| {
            let partition = arn.as_str().parse::<AnyArn>().ok()?.partition();
            Some(("its permissions boundary", partition, arn.to_string()))
        }));
    let mut first = None;
    for (what, partition, arn) in partitions {
        match &first {
            None => first = Some((what, partition, arn)),
            Some((_, other, _)) if *other == partition => {}
            Some((before, other, earlier)) => {
                return Err(Problem::new(
                    Kind::Usage,
                    format!("the connection {} mixes partitions", connection.name),
                    format!(
                        "{before} {earlier} is in {other}, {what} {arn} in {partition}; no role is assumed across"
                    ),
                    "give ARNs of one partition",
                ));
            }
        }
    }
    if let (Some((what, partition, _)), Some(region)) = (&first, &connection.region) {
        rules::same_partition(what, *partition, region)?;
    }
    trust::check_itself(connection)?;
    if let Some(verifier) = connection.verifier.as_ref().filter(|arn| arn.is_root()) {
        return Err(Problem::new(
            Kind::Usage,
            format!("the verifier of {} is a whole account", connection.name),
            format!("{verifier} means everybody in it whose own policies allow it"),
            format!(
                "name one role, one user or one session: glueup connection set {}",
                operand(connection.name.as_str(), "--verifier ARN")
            ),
        ));
    }
    if let Some(role) = &connection.role_arn
        && role.account() != connection.account_id
    {
        return Err(Problem::new(
            Kind::Usage,
            format!("the role is not in the account of connection {}", connection.name),
            format!(
                "{role} is in {}, the connection in {}",
                role.account(),
                connection.account_id
            ),
            "give a role of that account, or the account of that role",
        ));
    }
    Ok(())
}

fn adopted(connection: &Connection, role: &RoleArn) -> String {
    format!(
        "{role} is used as it is and never changed: its trust policy must ask for the external ID {}. The whole policy: \
         glueup template show connection {}",
        connection.external_id,
        operand(connection.name.as_str(), "--policy")
    )
}

/// An id of somebody's own choice may be another customer's too: then it keeps nobody out.
fn id_is_made(name: &str) -> Problem {
    Problem::new(
        Kind::Usage,
        format!("the external ID of connection {name} cannot be chosen"),
        "for a role that glueup makes it is made at random, so that it is nobody else's",
        "leave out --external-id; for a role that exists already give its ARN with --role-arn",
    )
}

/// Changes what can be changed of a connection.
///
/// # Errors
/// `NotFound`, `Denied`, and `Usage` for a change that would make another connection of it.
pub async fn set(session: &Session, new: NewConnection) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let stored = session.home.connection(&new.name)?;
    let before = &stored.record;
    let mut connection = before.clone();
    if let Some(account) = new.account_id
        && account != connection.account_id
    {
        if made(before) || !session.home.bound(&new.name)?.is_empty() {
            return Err(Problem::new(
                Kind::Usage,
                format!("the account of {} cannot be changed any more", new.name),
                "a connection belongs to one account, and this one is deployed or in use",
                "make a second connection for the other account",
            ));
        }
        connection.account_id = account;
    }
    if new.broker_role_arn.is_some() {
        connection.broker_role_arn = new.broker_role_arn;
    }
    if new.without_broker {
        needs_no_broker(rules::organization(session)?.1)?;
        connection.broker_role_arn = None;
    }
    if let Some(given) = new.external_id {
        if !connection.adopted && new.role_arn.is_none() {
            return Err(id_is_made(new.name.as_str()));
        }
        connection.external_id = given;
    }
    if !new.trust.is_empty() {
        connection.trust = new.trust;
    }
    let mut advice = Vec::new();
    if let Some(given) = new.verifier {
        connection.verifier = Some(
            verifier(
                session,
                given,
                partition_of(connection.role_arn.as_ref(), connection.broker_role_arn.as_ref()),
            )
            .await?,
        );
    }
    if new.without_verifier {
        connection.verifier = None;
    }
    let leaves_nobody = new.without_broker && connection.trust.is_empty();
    if leaves_nobody && new.role_arn.is_none() && !connection.adopted {
        trust_caller(session, &mut connection.trust, &mut advice).await?;
    }
    if let Some(role) = new.role_arn {
        advice.push(adopted(&connection, &role));
        if made(before) {
            advice.push(format!(
                "the stack {} stays, and with it its role: delete it when it is not needed",
                before.stack_name
            ));
        }
        connection.role_arn = Some(role);
        connection.adopted = true;
    }
    if let Some(arn) = new.permissions_boundary {
        connection.permissions_boundary = Some(arn.parse()?);
    }
    if let Some(path) = new.role_path {
        connection.role_path = Some(path.parse()?);
    }
    if new.deploy_profile.is_some() {
        connection.deploy_profile = new.deploy_profile;
    }
    check(&connection)?;
    if made(before) && differs_in_stack(before, &connection) {
        advice.push(format!(
            "the stack {} still is what it was: deploy it again for the change to take effect",
            connection.stack_name
        ));
    }
    let stored = session.home.update(&stored, connection)?;
    Ok(Outcome::Connection(Box::new(stored.record), advice))
}

/// True when the connection's role was made by its stack.
pub fn made(connection: &Connection) -> bool {
    connection.role_arn.is_some() && !connection.adopted
}

/// True when the stack's parameters are others than before.
fn differs_in_stack(before: &Connection, after: &Connection) -> bool {
    before.broker_role_arn != after.broker_role_arn
        || before.trust != after.trust
        || before.verifier != after.verifier
        || before.permissions_boundary != after.permissions_boundary
        || before.role_path != after.role_path
}

/// Deletes a connection's record.
///
/// # Errors
/// `NotFound`; `Denied`; `CheckFailed` while something is bound to it, naming each.
pub async fn delete(session: &Session, name: &ConnectionName) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let connection = session.home.connection(name)?;
    let bound = session.home.bound(name)?;
    if !bound.is_empty() {
        let list: Vec<String> = bound
            .iter()
            .map(|holder| match holder {
                Holder::Catalog(name) => name.to_string(),
                Holder::Storage(name) => format!("{name} (storage integration)"),
            })
            .collect();
        let first = bound.first().map(Holder::command).unwrap_or_default();
        let first = first.replacen(' ', " delete ", 1);
        return Err(Problem::new(
            Kind::CheckFailed,
            format!("the connection {name} is in use"),
            format!("bound to it: {}", list.join(", ")),
            format!("delete these first (glueup {first}), or bind them to another connection"),
        ));
    }
    session.home.delete(&connection)?;
    let mut stays = Vec::new();
    // One that adopted a role later may still have the stack that made its first one.
    if made(&connection) || connection.stack_id.is_some() {
        let region = connection.region.as_ref();
        let place = region.map(|r| format!(", {r}")).unwrap_or_default();
        let flag = region.map(|r| format!(" --region {r}")).unwrap_or_default();
        stays.push(format!(
            "the stack {} in account {}{place} stays, and with it the role that it made: delete it in the CloudFormation console \
             or with aws cloudformation delete-stack --stack-name {}{flag}",
            connection.stack_name,
            connection.account_id.grouped(),
            connection.stack_name
        ));
    }
    if let Some(role) = connection.role_arn.as_ref().filter(|_| connection.adopted) {
        stays.push(format!("the role {role} stays: it was not made by glueup"));
    }
    Ok(Outcome::Deleted(stays))
}

/// What all that is bound to a connection asks for.
///
/// # Errors
/// When the records cannot be listed.
pub fn grants_of(session: &Session, name: &ConnectionName) -> Result<Vec<Grant>, Problem> {
    let mut all = session.home.grants()?;
    all.retain(|grant| grant.connection == *name);
    Ok(all)
}
