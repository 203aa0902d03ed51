//! What the caller's own rights show about a bucket and a catalog: advice while a form is filled in, never a verdict.

use crate::cloud::Aws;
use crate::cloud::access_points::SeenPoint;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Path;
use crate::session::Session;
use crate::setup::seen;
use crate::stack::encryption::{self, Thing};
use crate::stack::{Advice, Outcome};

/// Looks at the bucket and the catalog. What may not be looked at is said to be that, not to be absent.
///
/// # Errors
/// Only when nobody can sign in: every answer of S3 and Glue is advice.
pub async fn run(session: &Session, region: Option<&Region>, path: &S3Path) -> Result<Outcome, Problem> {
    let aws = session.aws().await?;
    let near = region.unwrap_or_else(|| aws.region());
    let point = point(&aws, near, path).await;
    let path = &match &point {
        Some(Ok(seen)) => path.clone().through(Some(&seen.point)),
        _ => path.clone(),
    };
    let (bucket, catalog, of_bucket, of_catalog) = tokio::join!(
        async { bucket(aws.s3(near).bucket_region(path.bucket()).await, path, region) },
        async {
            let region = region?;
            let page = aws.glue(region).databases_page(None).await;
            Some(catalog(page.map(|p| (p.items.len(), p.next.is_some())), region))
        },
        async { encryption::of_bucket(aws.s3(near), path).await },
        async { Some(encryption::of_catalog(&aws.glue(region?)).await) },
    );
    let mut lines = vec![bucket];
    if let Some(point) = &point {
        of_point(point, path, &mut lines);
    }
    let key_of_catalog = of_catalog.as_ref().and_then(|found| found.key());
    Ok(Outcome::Advice(Advice {
        bucket: lines,
        access_point: point.and_then(Result::ok).map(|seen| seen.point.arn),
        catalog,
        encryption: of_bucket.advice(Thing::Files),
        kms_key: of_bucket.key().cloned(),
        catalog_kms_key: key_of_catalog.cloned(),
        catalog_encryption: of_catalog.and_then(|found| found.advice(Thing::Catalog)),
    }))
}

fn bucket(found: Result<Option<Region>, Problem>, path: &S3Path, region: Option<&Region>) -> (bool, String) {
    if path.is_alias() || path.point().is_some() {
        return through(found, path);
    }
    let name = path.bucket();
    match (found, region) {
        (Ok(Some(there)), Some(region)) if there != *region => (
            false,
            format!(
                "bucket {name} is in {there}, the catalog in {region}: it works, and costs transfer between regions"
            ),
        ),
        (Ok(Some(there)), _) => (true, format!("bucket {name} is there, in {there}")),
        (Ok(None), _) => (true, format!("bucket {name} is there")),
        (Err(problem), _) if problem.kind == Kind::NotFound => (false, format!("there is no bucket {name}")),
        (Err(problem), _) => (false, not_seen(&format!("bucket {name}"), &problem)),
    }
}

/// The access point that the path stands on; that of an alias is looked for in the caller's account.
async fn point(aws: &Aws, near: &Region, path: &S3Path) -> Option<Result<SeenPoint, Problem>> {
    if path.point().is_none() && !path.is_alias() {
        return None;
    }
    let account = match aws.identity().await {
        Ok(who) => who.account,
        Err(problem) => return Some(Err(problem)),
    };
    let known = path.point().map(|point| &point.arn);
    Some(seen::point_of(aws, path, known, &account, near).await)
}

/// What was found of it; of an alias, that a policy needs more than it.
fn of_point(point: &Result<SeenPoint, Problem>, path: &S3Path, lines: &mut Vec<(bool, String)>) {
    match point {
        // Whose it is is good to know; that it is not for everybody is a warning.
        Ok(seen) => lines.extend(
            seen::in_words(seen)
                .into_iter()
                .enumerate()
                .map(|(at, line)| (at == 0, line)),
        ),
        Err(problem) if path.is_alias() => lines.push((
            false,
            format!(
                "its ARN, which the policy needs, was not found ({}): give it in place of the alias, \
                 arn:aws:s3:REGION:ACCOUNT:accesspoint/NAME/PREFIX",
                problem.what
            ),
        )),
        Err(problem) => lines.push((false, not_seen("which bucket is behind it", problem))),
    }
}

/// An access point, as far as a request through it tells.
fn through(found: Result<Option<Region>, Problem>, path: &S3Path) -> (bool, String) {
    let what = path.stands_on();
    match found {
        Ok(_) => (
            true,
            format!(
                "{what} answers; tables that name its bucket need an engine that is told to go through it"
            ),
        ),
        Err(problem) if problem.kind == Kind::NotFound => {
            (false, format!("there is no {}", what.trim_start_matches("the ")))
        }
        Err(problem) => (false, not_seen(&what, &problem)),
    }
}

fn catalog(found: Result<(usize, bool), Problem>, region: &Region) -> (bool, String) {
    match found {
        Ok((0, false)) => (
            false,
            format!(
                "no database can be seen in {region}: an empty catalog, another region, or Lake Formation hides them"
            ),
        ),
        Ok((1, false)) => (true, format!("1 database in {region}")),
        Ok((n, false)) => (true, format!("{n} databases in {region}")),
        Ok((n, true)) => (true, format!("{n} databases and more in {region}")),
        Err(problem) => (false, not_seen(&format!("the catalog in {region}"), &problem)),
    }
}

fn not_seen(what: &str, problem: &Problem) -> String {
    match problem.kind {
        Kind::Denied => {
            format!("{what}: you are not allowed to look, which says nothing about the connection's role")
        }
        _ => format!("{what}: {problem}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region() -> Region {
        "us-west-2".parse().unwrap()
    }

    #[test]
    fn denied_is_not_absent() {
        let path: S3Path = "s3://acme-lake/w".parse().unwrap();
        let denied = Problem::new(Kind::Denied, "x", "y", "z");
        let (good, words) = bucket(Err(denied.clone()), &path, Some(&region()));
        assert!(!good && words.contains("not allowed to look"), "{words}");
        assert!(catalog(Err(denied), &region()).1.contains("not allowed to look"));
        let absent = Problem::new(Kind::NotFound, "x", "y", "z");
        assert_eq!(
            bucket(Err(absent), &path, Some(&region())),
            (false, "there is no bucket acme-lake".to_owned())
        );
    }

    #[test]
    fn a_bucket_in_another_region_is_named_with_it() {
        let path: S3Path = "s3://acme-lake/w".parse().unwrap();
        let there = "eu-west-1".parse().unwrap();
        assert!(
            bucket(Ok(Some(there)), &path, Some(&region()))
                .1
                .contains("in eu-west-1")
        );
    }
}
