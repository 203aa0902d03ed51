//! What an access point says itself: its policy, and the VPC that it is bound to.

use super::ARN;
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{new_catalog, set_catalog};
use crate::support::jobs::World;
use crate::support::signed;
use crate::verify::{report, rung, verify};
use crate::verify_by_policy::vendors;
use crate::verify_limits::part;
use glueup::domain::s3_path::AccessPoint;
use glueup::domain::status::Status::{Failed, Passed, Warning};
use glueup::registry::Catalog;
use glueup::session::Session;
use glueup::setup::NewCatalog;
use glueup::verify::{Rung, RungId};
use serde_json::{Value, json};

const ACCOUNT: &str = "012345678901";

/// What S3 Control answers about the access point `finance`, or a part of it.
pub fn control(world: &World, (method, part): (&str, &str), body: &str) -> String {
    let path = format!("/v20180820/accesspoint/{part}");
    let keys = (world.demo.admin.id.as_str(), world.demo.admin.secret.as_str());
    let scope = ("s3", "us-west-2");
    let headers = [("x-amz-account-id", ACCOUNT)];
    let answer = signed::send(
        &world.demo.endpoint_url,
        keys,
        scope,
        (method, &path),
        &headers,
        body,
    );
    assert_eq!(answer.status, 200, "{method} {part}: {}", answer.text());
    answer.text().to_string()
}

/// Makes it on the demo's lake; answers its alias.
pub fn finance(world: &World) -> String {
    let body = "<CreateAccessPointRequest><Bucket>acme-lake</Bucket></CreateAccessPointRequest>";
    super::between(&control(world, ("PUT", "finance"), body), "Alias").to_owned()
}

fn policy(world: &World, statements: &Value) {
    let text = json!({ "Statement": statements })
        .to_string()
        .replace('"', "&quot;");
    let body = format!("<PutAccessPointPolicyRequest><Policy>{text}</Policy></PutAccessPointPolicyRequest>");
    control(world, ("PUT", "finance/policy"), &body);
}

/// The catalog `Lake House` on a path.
pub fn by(path: &str) -> NewCatalog {
    NewCatalog {
        s3_path: Some(path.parse().unwrap()),
        ..new_catalog("Lake House", "sales")
    }
}

pub async fn on(session: &Session, path: &str) -> (Catalog, Vec<String>) {
    set_catalog(session, by(path)).await
}

/// A deployed catalog on the access point: its role can be assumed from here, or a vendor alone can.
pub async fn deployed(world: &World, by_use: bool) -> Session {
    deployed_on(world, by_use, ARN).await
}

async fn deployed_on(world: &World, by_use: bool, arn: &str) -> Session {
    let session = match by_use {
        true => recorded(world).await,
        false => vendors(world).await,
    };
    on(&session, &format!("{arn}/warehouse")).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    session
}

/// What Verify says of listing, where that fails.
pub async fn not_listed(session: &Session) -> Rung {
    let ran = yes(session, verify()).await;
    let report = report(&ran);
    assert_eq!(report.verdict, Failed, "{report:#?}");
    let list = rung(report, RungId::List);
    assert_eq!(list.status, Failed, "{list:#?}");
    list.clone()
}

#[tokio::test]
async fn what_it_opens_is_found_by_use_and_by_policy() {
    for by_use in [true, false] {
        let world = World::start();
        finance(&world);
        let session = deployed(&world, by_use).await;
        let ran = yes(&session, verify()).await;
        let before = rung(report(&ran), RungId::Neighbour);
        assert_eq!(before.status, Passed, "{before:#?}");

        let all = [ARN.to_owned(), format!("{ARN}/object/*")];
        policy(
            &world,
            &json!([{"Effect": "Allow", "Principal": "*", "Action": "s3:*", "Resource": all}]),
        );
        // The bucket leaves it to its access points, as AWS recommends.
        let delegated = json!({"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "*",
            "Resource": ["arn:aws:s3:::acme-lake", "arn:aws:s3:::acme-lake/*"],
            "Condition": {"StringEquals": {"s3:DataAccessPointAccount": ACCOUNT}}}]});
        let put = world.s3().put_bucket_policy().bucket("acme-lake");
        put.policy(delegated.to_string()).send().await.unwrap();
        let ran = yes(&session, verify()).await;
        for (id, title) in [
            (RungId::Write, "s3:PutObject"),
            (RungId::Neighbour, "read beside the prefix"),
        ] {
            let hole = part(rung(report(&ran), id), title);
            assert_eq!(hole.status, Failed, "{by_use}: {hole:#?}");
        }
        // The bucket itself it opens to nobody.
        let past = part(
            rung(report(&ran), RungId::Neighbour),
            "write past the access point",
        );
        assert_eq!(past.status, Passed, "{by_use}: {past:#?}");
        let next = rung(report(&ran), RungId::Neighbour).next.clone().unwrap();
        assert!(
            next.contains("aws s3control get-access-point-policy --account-id 012345678901 --name finance"),
            "{by_use}: {next}"
        );
    }
}

#[tokio::test]
async fn what_it_denies_is_told_by_use_and_by_policy() {
    for by_use in [true, false] {
        let world = World::start();
        finance(&world);
        let session = deployed(&world, by_use).await;
        policy(
            &world,
            &json!([{"Effect": "Deny", "Principal": "*", "Action": "s3:ListBucket", "Resource": ARN}]),
        );
        let list = not_listed(&session).await;
        let next = list.next.as_deref().unwrap();
        assert!(
            next.contains(&format!(
                "The policy of the access point {ARN}, or of its bucket, denies"
            )) && next
                .contains("aws s3control get-access-point-policy --account-id 012345678901 --name finance")
                && !next.contains("s3api get-bucket-policy --bucket arn"),
            "{by_use}: {next}"
        );
    }
}

#[tokio::test]
async fn nothing_is_green_where_its_policy_is_not_shown() {
    let world = World::start();
    finance(&world);
    let session = deployed(&world, false).await;
    let ran = yes(&session, verify()).await;
    assert_eq!(
        rung(report(&ran), RungId::List).status,
        Passed,
        "{:#?}",
        report(&ran)
    );
    // Another account's shows its policy to nobody here.
    let world = World::start();
    let theirs = "arn:aws:s3:us-west-2:222233334444:accesspoint/payroll";
    let session = deployed_on(&world, false, theirs).await;
    let catalog = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let mut known = catalog.record.clone();
    let point = AccessPoint {
        bucket: Some("acme-lake".parse().unwrap()),
        ..AccessPoint::of(theirs.parse().unwrap())
    };
    known.access_point = Some(Box::new(point));
    world.home.update(&catalog, known).unwrap();
    let ran = yes(&session, verify()).await;
    let neighbour = rung(report(&ran), RungId::Neighbour);
    assert_eq!(neighbour.status, Warning, "{neighbour:#?}");
    let next = neighbour.next.as_deref().unwrap();
    assert!(
        neighbour
            .answer
            .contains("the policy of the access point, or of its bucket, was not shown")
            && next.contains("s3:GetAccessPointPolicy and s3:GetBucketPolicy"),
        "{neighbour:#?}"
    );
}

#[tokio::test]
async fn one_vpc_alone_is_told_on_record_and_where_it_refuses() {
    let world = World::start();
    let body = "<CreateAccessPointRequest><Bucket>acme-lake</Bucket><VpcConfiguration><VpcId>vpc-1a2b</VpcId>\
                </VpcConfiguration></CreateAccessPointRequest>";
    control(&world, ("PUT", "finance"), body);
    let session = deployed(&world, true).await;
    let (_, advice) = on(&session, &format!("{ARN}/warehouse")).await;
    assert!(
        advice
            .iter()
            .any(|line| line.contains("takes requests from the VPC vpc-1a2b alone")),
        "{advice:?}"
    );
    let list = not_listed(&session).await;
    let next = list.next.as_deref().unwrap();
    assert!(
        next.contains("one VPC only")
            && next.contains("aws s3control get-access-point --account-id 012345678901 --name finance"),
        "{next}"
    );
}

#[tokio::test]
async fn without_its_alias_it_cannot_be_asked_at_an_endpoint_that_was_set() {
    let world = World::start();
    let session = deployed(&world, true).await;
    let list = not_listed(&session).await;
    assert!(
        list.answer.contains("The alias of")
            && list.next.as_deref().unwrap().contains("--access-point-alias"),
        "{list:#?}"
    );
}
