//! The access point that a path stands on: what of it must be known, and what may.

use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::shell;
use crate::domain::s3_path::{AccessPoint, AccessPointAlias, AccessPointArn, BucketName, S3Path};
use crate::registry::{Connection, Grant};
use crate::setup::rules;

/// What is said of it beside the path; `None` keeps what is on record of the same one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PointGiven {
    /// Its ARN, which the policy names.
    pub arn: Option<AccessPointArn>,
    /// Its alias, by which requests go.
    pub alias: Option<AccessPointAlias>,
    /// The bucket behind it.
    pub bucket: Option<BucketName>,
}

/// What the record keeps of the access point that the path stands on; nothing for a bucket, and nothing where the path itself
/// says all that is known.
///
/// # Errors
/// `Usage` for an alias whose ARN nobody gave, and for what does not belong to the path.
pub fn of(
    path: &S3Path,
    given: PointGiven,
    before: Option<AccessPoint>,
    serving: &Connection,
) -> Result<Option<AccessPoint>, Problem> {
    let own = path.point().map(|point| point.arn.clone());
    let alias = path.is_alias().then(|| path.bucket().parse()).transpose()?;
    if own.is_none() && alias.is_none() {
        return match given == PointGiven::default() {
            true => Ok(None),
            false => Err(usage(
                format!("{path} stands on a bucket"),
                "an access point was given beside it, and the policy names the one or the other",
                "give the access point as the path: arn:aws:s3:REGION:ACCOUNT:accesspoint/NAME/PREFIX",
            )),
        };
    }
    let differs = |what: &str, given: &str| {
        Err(usage(
            format!("{path} is another access point"),
            format!("beside it {what} {given} was given"),
            "give both of one access point, or the path alone",
        ))
    };
    if let (Some(own), Some(given)) = (&own, &given.arn)
        && own != given
    {
        return differs("the ARN", &given.to_string());
    }
    if let (Some(alias), Some(given)) = (&alias, &given.alias)
        && alias != given
    {
        return differs("the alias", given.as_str());
    }
    let fits = |before: &AccessPoint| match (own.as_ref().or(given.arn.as_ref()), &alias) {
        (Some(arn), _) => *arn == before.arn,
        (None, alias) => before.alias == *alias,
    };
    let before = before.filter(fits);
    let arn = given
        .arn
        .or(own.clone())
        .or(before.as_ref().map(|point| point.arn.clone()));
    let Some(arn) = arn else {
        return Err(no_arn(path, serving));
    };
    let (was_alias, was_bucket) = before.map_or((None, None), |point| (point.alias, point.bucket));
    let point = AccessPoint {
        alias: given.alias.or(alias).or(was_alias),
        bucket: given.bucket.or(was_bucket),
        arn,
    };
    Ok((own.is_none() || point.alias.is_some() || point.bucket.is_some()).then_some(point))
}

/// What does not go together.
///
/// # Errors
/// `Usage`, naming both.
pub fn check(grant: &Grant) -> Result<(), Problem> {
    match grant.s3_path.point() {
        Some(point) => rules::same_partition("the access point", point.arn.partition(), &grant.region),
        None => Ok(()),
    }
}

/// What is to be known of an access point before its stack is made.
pub fn advice(grant: &Grant, serving: &Connection, is_absent: bool) -> Vec<String> {
    let Some(point) = grant.s3_path.point() else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    if *point.arn.account() != serving.account_id {
        lines.push(format!(
            "the access point {} is account {}'s: its policy and that of its bucket must let the role in too",
            point.arn.name(),
            point.arn.account().grouped()
        ));
    }
    if point.bucket.is_none() && !is_absent {
        lines.push(format!(
            "which bucket is behind the access point {} is not on record: a table that names the bucket counts as one that \
             lies elsewhere. To say it: glueup {} set {}",
            point.arn.name(),
            grant.holder.verb(),
            crate::domain::quote::operand(grant.holder.name(), "--access-point-bucket BUCKET")
        ));
    }
    lines
}

/// From an alias one learns neither account nor region.
fn no_arn(path: &S3Path, serving: &Connection) -> Problem {
    let query = format!("AccessPointList[?Alias=='{}'].AccessPointArn", path.bucket());
    usage(
        format!("the ARN of the access point {} is needed", path.bucket()),
        "it was given by its alias. Requests can be sent to that, but a policy that names an alias grants nothing",
        "",
    )
    .with_steps(&format!(
            "give the ARN as the path, or beside it with --access-point ARN. To see it:\naws s3control list-access-points \
             --account-id {} --region REGION --query {} --output text",
            serving.account_id,
            shell(&query)
    ))
}

fn usage(what: String, why: impl AsRef<str>, next: impl AsRef<str>) -> Problem {
    Problem::new(Kind::Usage, what, why, next)
}
