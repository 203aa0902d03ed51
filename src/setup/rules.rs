//! The house's rules: who may create, deploy and delete, and what may not be mixed.

use crate::domain::organization::{Organization, Role};
use crate::domain::platform::Platform;
use crate::domain::problem::{Detail, Kind, Problem};
use crate::domain::region::{Partition, Region};
use crate::session::Session;

/// The id of the organization of a home that has none on record.
const IMPLICIT: &str = "self";

/// Whether the caller may create, deploy and delete.
///
/// # Errors
/// `Denied` for a user (it says who may) and for an edition that may not create; as [`Session::aws`] otherwise.
pub async fn may_create(session: &Session) -> Result<(), Problem> {
    let (organization, platform) = organization(session)?;
    if let Err(why) = organization.may_create(platform) {
        return Err(Problem::new(
            Kind::Denied,
            "this organization may not create connections and catalogs",
            why,
            "use what exists, or set another edition with glueup init --edition",
        ));
    }
    is_admin(session).await
}

/// Whether the caller is an admin of the organization, whatever its edition may create.
///
/// Signs in only when the organization names admins: where it names none, everyone is one.
///
/// # Errors
/// `Denied` for a user (it says who may); as [`Session::aws`] otherwise.
pub async fn is_admin(session: &Session) -> Result<(), Problem> {
    let organization = self::organization(session)?.0;
    if organization.admins.is_empty() {
        return Ok(());
    }
    let identity = session.identity(None).await?;
    match organization.role_of(&identity.arn) {
        Role::Admin => Ok(()),
        Role::User => Err(user_denied(&organization, &identity.arn)),
    }
}

fn user_denied(organization: &Organization, arn: &str) -> Problem {
    Problem::new(
        Kind::Denied,
        "only an admin may create, deploy or delete",
        format!(
            "{arn} is a user of {}: the admins are {}",
            organization.name,
            organization.admins.join(", ")
        ),
        "use, verify and browse what exists, or ask one of the admins",
    )
    .with_detail(Detail {
        caller: Some(arn.to_owned()),
        ..Detail::default()
    })
}

/// The organization on record and its platform.
///
/// # Errors
/// When `organization.yaml` cannot be read, or names a platform that is not known.
pub fn organization(session: &Session) -> Result<(Organization, &'static Platform), Problem> {
    let organization = match session.home.organization()? {
        Some(stored) => stored.record,
        None => Organization::implicit(IMPLICIT.parse()?),
    };
    let platform = platform(&organization.platform)?;
    Ok((organization, platform))
}

/// The platform of that name.
///
/// # Errors
/// When there is none; says which there are.
pub fn platform(name: &str) -> Result<&'static Platform, Problem> {
    Platform::named(name).ok_or_else(|| {
        let known: Vec<&str> = Platform::all().iter().map(|p| p.id.as_str()).collect();
        Problem::new(
            Kind::Usage,
            format!("there is no platform {name}"),
            "platforms are data files that come with glueup",
            format!("choose one of: {}", known.join(", ")),
        )
    })
}

/// Refuses a region in another partition than the connection's ARNs: no role is assumed across partitions.
///
/// # Errors
/// `Usage`, naming both.
pub fn same_partition(what: &str, arn_partition: Partition, region: &Region) -> Result<(), Problem> {
    if arn_partition == region.partition() {
        return Ok(());
    }
    Err(Problem::new(
        Kind::Usage,
        format!("{what} and the region {region} do not go together"),
        format!(
            "{what} is in the partition {arn_partition}, {region} in {}; no role is assumed across partitions",
            region.partition()
        ),
        format!(
            "choose a region of {arn_partition}, or a connection in {}",
            region.partition()
        ),
    ))
}
