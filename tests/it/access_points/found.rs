//! What S3 shows of an access point to who may look: on record, and in Details.

use super::ARN;
use super::own_policy::{by, finance, on};
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::support::jobs::{World, try_setup};
use crate::verify::{report, rung, verify};
use glueup::domain::problem::Kind;
use glueup::domain::status::Status::Warning;
use glueup::job::{Job, Outcome};
use glueup::setup::{NewCatalog, PointGiven, Request as Setup};
use glueup::stack::{self, Request};
use glueup::verify::RungId;

fn given(path: &str, bucket: &str) -> Setup {
    Setup::SetCatalog(NewCatalog {
        access_point: Box::new(PointGiven {
            bucket: Some(bucket.parse().unwrap()),
            ..PointGiven::default()
        }),
        ..by(path)
    })
}

#[tokio::test]
async fn the_arn_behind_an_alias_and_the_rest_behind_an_arn_go_on_record() {
    let world = World::start();
    let session = recorded(&world).await;
    let alias = finance(&world);
    for path in [format!("{ARN}/warehouse"), format!("s3://{alias}/warehouse")] {
        on(&session, "s3://acme-lake/warehouse").await;
        let (record, advice) = on(&session, &path).await;
        let point = record.access_point.unwrap();
        assert_eq!(
            (
                point.arn.to_string().as_str(),
                point.alias.unwrap().as_str(),
                point.bucket.unwrap().as_str()
            ),
            (ARN, alias.as_str(), "acme-lake"),
            "{path}"
        );
        assert_eq!(
            advice[0],
            "access point finance of bucket acme-lake, account 0123-4567-8901"
        );
    }
    // Back to the bucket nothing of it is left.
    let (record, advice) = on(&session, "s3://acme-lake/warehouse").await;
    assert_eq!(record.access_point, None);
    assert!(
        !advice.iter().any(|line| line.contains("access point")),
        "{advice:?}"
    );
}

#[tokio::test]
async fn what_s3_shows_otherwise_is_refused_and_what_it_does_not_show_is_said() {
    let world = World::start();
    let session = recorded(&world).await;
    let alias = finance(&world);
    let problem = try_setup(&session, given(ARN, "acme-raw")).await.unwrap_err();
    assert_eq!(problem.kind, Kind::Usage);
    assert!(
        problem.what.contains("the bucket acme-raw is not that of") && problem.why.contains("acme-lake"),
        "{problem:?}"
    );
    // The name in it is that of an access point, and the alias is another's.
    let other = alias.replace("finance-", "finance-0");
    let unknown = try_setup(&session, Setup::SetCatalog(by(&format!("s3://{other}/w")))).await;
    assert_eq!(unknown.unwrap_err().kind, Kind::Usage);
    let far = "arn:aws:s3:us-west-2:222233334444:accesspoint/payroll";
    let (record, advice) = on(&session, &format!("{far}/w")).await;
    assert!(
        record.access_point.is_none() && advice[0].starts_with("the access point was not looked at"),
        "{advice:?}"
    );
}

#[tokio::test]
async fn which_bucket_it_is_of_is_asked_for_where_nobody_said() {
    let world = World::start();
    let session = recorded(&world).await;
    finance(&world);
    on(&session, &format!("{ARN}/warehouse")).await;
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let mut untold = stored.record.clone();
    untold.access_point.as_mut().unwrap().bucket = None;
    world.home.update(&stored, untold).unwrap();
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let ran = yes(&session, verify()).await;
    let write = rung(report(&ran), RungId::Write);
    assert_eq!(write.status, Warning, "{write:#?}");
    let next = write.next.as_deref().unwrap();
    assert!(
        next.contains("glueup catalog set 'Lake House' --access-point-bucket BUCKET"),
        "{next}"
    );
}

#[tokio::test]
async fn details_say_what_was_found_and_what_the_policy_lacks() {
    let world = World::start();
    let session = recorded(&world).await;
    let alias = finance(&world);
    let advise = |path: String| {
        Job::Stack(Request::Advise {
            region: Some("us-west-2".parse().unwrap()),
            s3_path: path.parse().unwrap(),
        })
    };
    for path in [format!("{ARN}/warehouse"), format!("s3://{alias}/warehouse")] {
        let ran = yes(&session, advise(path.clone())).await;
        let Ok(Outcome::Stack(stack::Outcome::Advice(advice))) = &ran.end else {
            panic!("{:?}", ran.end)
        };
        assert_eq!(advice.access_point.as_ref().unwrap().to_string(), ARN, "{path}");
        let found = (
            true,
            "access point finance of bucket acme-lake, account 0123-4567-8901".to_owned(),
        );
        assert!(
            advice.bucket[0].0 && advice.bucket.contains(&found),
            "{:?}",
            advice.bucket
        );
    }
    let ran = yes(&session, advise("s3://payroll-x7k2q9-s3alias/w".into())).await;
    let Ok(Outcome::Stack(stack::Outcome::Advice(advice))) = &ran.end else {
        panic!("{:?}", ran.end)
    };
    assert_eq!(advice.access_point, None);
    let (good, last) = advice.bucket.last().unwrap();
    assert!(
        !good && last.contains("its ARN, which the policy needs, was not found"),
        "{last}"
    );
}
