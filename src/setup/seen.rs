//! What S3 shows of an access point to who goes on record with one: the ARN behind an alias, the alias and the bucket behind an
//! ARN, and who can use it at all.

use crate::cloud::access_points::SeenPoint;
use crate::cloud::{Aws, NO_POINT, has_code};
use crate::domain::account::AccountId;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::{AccessPoint, AccessPointAlias, AccessPointArn, S3Path};
use crate::registry::Connection;
use crate::session::Session;
use crate::setup::{PointGiven, point};

/// What a look at an access point came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// What there is to say of it.
    pub lines: Vec<String>,
    /// Whether S3 knows of no such access point: nobody can say which bucket is behind it then.
    pub is_absent: bool,
}

/// What the record keeps of the access point, with what S3 shows of it where the caller may look; and what there is to say.
///
/// # Errors
/// As [`point::of`]; `Usage` where what was given is not what S3 shows.
pub async fn of(
    session: &Session,
    path: &S3Path,
    mut given: PointGiven,
    before: Option<AccessPoint>,
    serving: &Connection,
    region: &Region,
) -> Result<(Option<AccessPoint>, Look), Problem> {
    let on_bucket = path.point().is_none() && !path.is_alias();
    if on_bucket {
        return Ok((point::of(path, given, before, serving)?, Look::default()));
    }
    let of_path = path.point().map(|point| &point.arn);
    let on_record = before.as_ref().filter(|before| {
        before
            .alias
            .as_ref()
            .is_some_and(|alias| alias.as_str() == path.bucket())
    });
    let known = of_path
        .or(given.arn.as_ref())
        .or(on_record.map(|before| &before.arn));
    let mut told = Look::default();
    match look(session, path, known, serving, region).await {
        Ok(seen) => {
            told.lines = in_words(&seen);
            fits(path, &given, &seen.point)?;
            let AccessPoint { arn, alias, bucket } = seen.point;
            given.arn.get_or_insert(arn);
            given.alias = given.alias.or(alias);
            given.bucket = given.bucket.or(bucket);
        }
        Err(problem) if known.is_none() => {
            let looked = |lacking: Problem| Problem {
                why: format!("{}. Looked for here: {}", lacking.why, problem.what),
                ..lacking
            };
            return match point::of(path, given, before, serving) {
                Ok(point) => Ok((point, told)),
                Err(lacking) => Err(looked(lacking)),
            };
        }
        Err(problem) if has_code(&problem, NO_POINT) => {
            told.is_absent = true;
            told.lines.extend(known.map(|arn| {
                format!("there is no access point {arn} (NoSuchAccessPoint): Verify fails until it is made")
            }));
        }
        Err(problem) => told
            .lines
            .push(format!("the access point was not looked at: {}", problem.what)),
    }
    Ok((point::of(path, given, before, serving)?, told))
}

async fn look(
    session: &Session,
    path: &S3Path,
    known: Option<&AccessPointArn>,
    serving: &Connection,
    region: &Region,
) -> Result<SeenPoint, Problem> {
    let aws = session.deployer(serving.deploy_profile.as_deref()).await?;
    point_of(&aws, path, known, &serving.account_id, region).await
}

/// The access point that a path stands on: by its ARN, else by the name in its alias, in this account.
///
/// # Errors
/// `NotFound` where there is none of that alias; whatever S3 answers.
pub async fn point_of(
    aws: &Aws,
    path: &S3Path,
    known: Option<&AccessPointArn>,
    account: &AccountId,
    region: &Region,
) -> Result<SeenPoint, Problem> {
    if let Some(arn) = known {
        return aws
            .access_points(arn.region())
            .get(arn.account(), arn.name())
            .await;
    }
    let alias: AccessPointAlias = path.bucket().parse()?;
    // Whose it is S3 tells nobody, where its bucket is it tells everybody.
    let own = aws.s3(region).bucket_region(alias.as_str()).await.ok().flatten();
    let region = own.as_ref().unwrap_or(region);
    let seen = aws.access_points(region).get(account, alias.point_name()).await?;
    if seen.point.alias.as_ref() == Some(&alias) {
        return Ok(seen);
    }
    // An alias holds the first letters of a long name: another one may be called just so.
    Err(Problem::new(
        Kind::NotFound,
        format!(
            "account {} has no access point of the alias {alias}",
            account.grouped()
        ),
        format!("its access point {} has another one", alias.point_name()),
        "",
    ))
}

/// What was given and what S3 shows must be one.
fn fits(path: &S3Path, given: &PointGiven, seen: &AccessPoint) -> Result<(), Problem> {
    let own = path.is_alias().then(|| path.bucket());
    let alias = given.alias.as_ref().map(AccessPointAlias::as_str).or(own);
    let pairs = [
        ("alias", alias, seen.alias.as_ref().map(|alias| alias.as_str())),
        (
            "bucket",
            given.bucket.as_ref().map(|bucket| bucket.as_str()),
            seen.bucket.as_ref().map(|bucket| bucket.as_str()),
        ),
    ];
    for (what, given, seen_one) in pairs {
        if let (Some(given), Some(own)) = (given, seen_one)
            && given != own
        {
            return Err(Problem::new(
                Kind::Usage,
                format!("the {what} {given} is not that of {}", seen.arn),
                format!("S3 shows {own} for it"),
                "leave it out: what S3 shows is put on record",
            ));
        }
    }
    Ok(())
}

/// What was found, in words: of which bucket it is, and who can use it at all.
pub fn in_words(seen: &SeenPoint) -> Vec<String> {
    let (arn, own) = (&seen.point.arn, seen.point.arn.account());
    let of = match &seen.point.bucket {
        Some(bucket) => format!("access point {} of bucket {bucket}", arn.name()),
        None => format!("access point {}", arn.name()),
    };
    let what = match seen.bucket_account.as_ref().filter(|account| *account != own) {
        None => format!("{of}, account {}", own.grouped()),
        Some(account) => format!(
            "{of}, which is account {}'s: its policy and that of the access point, account {}'s, must both let the role in",
            account.grouped(),
            own.grouped()
        ),
    };
    let vpc = seen.vpc.as_ref().map(|vpc| {
        format!(
            "the access point {} takes requests from the VPC {vpc} alone: an engine elsewhere, and Verify from elsewhere, is refused",
            arn.name()
        )
    });
    std::iter::once(what).chain(vpc).collect()
}
