//! What the embedded AWS refuses by its own evaluation.

use super::{Expected, assert_found};
use crate::deploy::{recorded, yes};
use crate::support::jobs::World;
use crate::verify::{deployed, report, verify};
use crate::verify_limits::{CATALOG, allow, hand_made, reads, right_trust, trust, with};
use glueup::cloud::Settings;
use glueup::demo::Options;
use glueup::domain::access::Access;
use glueup::registry::{Catalog, Connection};
use glueup::session::Session;
use glueup::verify::RungId;
use serde_json::{Value, json};
use std::time::Duration;

fn deny(actions: &[&str]) -> Value {
    json!({"Effect": "Deny", "Action": actions, "Resource": "*"})
}

fn without(at: usize) -> Vec<Value> {
    let mut statements = reads();
    statements.remove(at);
    statements
}

fn expected(name: &'static str, rung: RungId, cause: &'static str, next: &'static str) -> Expected {
    Expected {
        name,
        rung,
        cause,
        next,
    }
}

/// Trust policies that shut us out.
pub fn doors(world: &World) -> Vec<(Expected, Value)> {
    let id = right_trust(world)["Statement"][0]["Condition"]["StringEquals"].clone();
    let role = |name, next| expected(name, RungId::Role, "sts:AssumeRole", next);
    let another =
        "The trust policy asks arn:aws:iam::999988887777:role/glueup-broker for another external ID than ";
    let mut stranger = right_trust(world);
    stranger["Statement"][0]["Principal"] = json!({"AWS": "arn:aws:iam::999988887777:user/engine"});
    let mut denied = right_trust(world);
    let broker = json!({"AWS": world.demo.broker_role_arn});
    let statements = denied["Statement"].as_array_mut().unwrap();
    statements.push(json!({"Effect": "Deny", "Principal": broker, "Action": "sts:AssumeRole"}));
    vec![
        (
            role(
                "trust of somebody else",
                "The trust policy does not name arn:aws:iam::999988887777:role/glueup-broker",
            ),
            stranger,
        ),
        (
            role("another external id", another),
            trust(world, json!({"StringEquals": {"sts:ExternalId": "another-id"}})),
        ),
        (
            role("an external id in other letters", another),
            trust(world, json!({"StringEquals": {"sts:ExternalId": "ID"}})),
        ),
        (
            role(
                "a pattern that we do not match",
                "but under a condition that it does not meet",
            ),
            trust(
                world,
                json!({"StringEquals": id.clone(),
                    "ArnLike": {"aws:PrincipalArn": "arn:aws:iam::999988887777:role/other-*"}}),
            ),
        ),
        (
            role(
                "a condition that nobody meets",
                "The trust policy also asks arn:aws:iam::999988887777:role/glueup-broker for aws:MultiFactorAuthPresent",
            ),
            trust(
                world,
                json!({"StringEquals": id, "Bool": {"aws:MultiFactorAuthPresent": "true"}}),
            ),
        ),
        (
            role(
                "a deny at the door",
                "A statement of the trust policy denies the role to arn:aws:iam::999988887777:role/glueup-broker",
            ),
            denied,
        ),
    ]
}

/// Policies that lack something, or deny it.
pub fn rooms() -> Vec<(Expected, Vec<Value>)> {
    let none = "no identity-based policy allows it";
    let denies = "an identity-based policy denies it";
    let allow_in = "in a policy of";
    let mut other_prefix = reads();
    other_prefix[1]["Condition"] = json!({"StringLike": {"s3:prefix": ["elsewhere/*"]}});
    let mut other_objects = reads();
    other_objects[2]["Resource"] = json!("arn:aws:s3:::acme-lake/elsewhere/*");
    let mut tagged = reads();
    tagged[0]["Condition"] = json!({"StringEquals": {"aws:PrincipalTag/team": "lake"}});
    let mut other_account = reads();
    other_account[0]["Resource"] = json!("arn:aws:glue:us-west-2:111122223333:*");
    let mut other_region = reads();
    other_region[0]["Resource"] = json!("arn:aws:glue:eu-west-1:012345678901:*");
    let mut only_catalog = reads();
    only_catalog[0]["Resource"] = json!("arn:aws:glue:us-west-2:012345678901:catalog");
    let mut no_catalog = reads();
    no_catalog[0] = allow(&["glue:GetDatabase*", "glue:GetTable*"], &[CATALOG]);
    vec![
        (
            expected("no glue at all", RungId::Databases, none, allow_in),
            without(0),
        ),
        (
            expected(
                "glue denied",
                RungId::Databases,
                denies,
                "denies glue:GetDatabases",
            ),
            with(deny(&["glue:*"])),
        ),
        (
            expected("databases denied", RungId::Databases, denies, "glue:GetDatabases"),
            with(deny(&["glue:GetDatabases"])),
        ),
        (
            expected("tables denied", RungId::Tables, denies, "glue:GetTables"),
            with(deny(&["glue:GetTables"])),
        ),
        (
            expected("another account", RungId::Databases, none, allow_in),
            other_account,
        ),
        (
            expected("another region", RungId::Databases, none, allow_in),
            other_region,
        ),
        (
            expected("a condition unmet", RungId::Databases, none, allow_in),
            tagged,
        ),
        (
            expected("the catalog alone", RungId::Tables, none, "database/"),
            only_catalog,
        ),
        (
            expected("no catalog for rest", RungId::Rest, none, "glue:GetCatalog"),
            no_catalog,
        ),
        (
            expected("no list", RungId::List, none, "s3:ListBucket"),
            without(1),
        ),
        (
            expected("list elsewhere", RungId::List, none, "s3:ListBucket"),
            other_prefix,
        ),
        (
            expected("list denied", RungId::List, denies, "s3:ListBucket"),
            with(deny(&["s3:ListBucket"])),
        ),
        (
            expected("no read", RungId::Read, none, "s3:GetObject"),
            without(2),
        ),
        (
            expected("read elsewhere", RungId::Read, none, "s3:GetObject"),
            other_objects,
        ),
        (
            expected("read denied", RungId::Read, denies, "s3:GetObject"),
            with(deny(&["s3:GetObject"])),
        ),
        (
            expected("all but one denied", RungId::Read, denies, "s3:GetObject"),
            with(json!({"Effect": "Deny", "Action": "s3:*", "NotResource": "arn:aws:s3:::acme-lake"})),
        ),
    ]
}

#[tokio::test]
async fn doors_that_are_shut() {
    let world = World::start();
    let session = recorded(&world).await;
    for (number, (expected, trust)) in doors(&world).into_iter().enumerate() {
        let name = format!("door-{number}");
        hand_made(&world, &session, &name, trust, &reads(), Access::ReadOnly).await;
        assert_found(&expected, report(&yes(&session, verify()).await));
    }
    let there = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let there = there.role_arn.clone().unwrap();
    for (name, arn, next) in [
        (
            "a role that is not there",
            "arn:aws:iam::012345678901:role/gone",
            "IAM has no arn:aws:iam::012345678901:role/gone",
        ),
        (
            "a path that is wrong",
            "arn:aws:iam::012345678901:role/some/path/ROLE",
            "the role of that name is arn:aws:iam::012345678901:role/",
        ),
    ] {
        set_role(&world, &arn.replace("ROLE", there.role_name()));
        let expected = expected(name, RungId::Role, "sts:AssumeRole", next);
        assert_found(&expected, report(&yes(&session, verify()).await));
    }
    set_role(&world, "arn:aws:iam::111122223333:role/there");
    let expected = expected(
        "a role of another account",
        RungId::Role,
        "sts:AssumeRole",
        "the connection's account is 0123-4567-8901",
    );
    assert_found(&expected, report(&yes(&session, verify()).await));
}

fn set_role(world: &World, arn: &str) {
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let changed = Connection {
        role_arn: Some(arn.parse().unwrap()),
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
}

#[tokio::test]
async fn rooms_that_are_shut() {
    let world = World::start();
    let session = recorded(&world).await;
    for (number, (expected, statements)) in rooms().into_iter().enumerate() {
        let name = format!("room-{number}");
        hand_made(
            &world,
            &session,
            &name,
            right_trust(&world),
            &statements,
            Access::ReadOnly,
        )
        .await;
        assert_found(&expected, report(&yes(&session, verify()).await));
    }
}

#[tokio::test]
async fn callers_that_aws_does_not_take() {
    let world = World::start();
    deployed(&world).await;
    let keys = |id: &str, secret: &str| {
        let settings = Settings::demo(&world.demo.endpoint_url, "us-west-2".parse().unwrap(), id, secret);
        Session::new(world.home.clone(), settings)
    };
    let (admin, outsider) = (&world.demo.admin, &world.demo.outsider);
    for (expected, session) in [
        (
            expected(
                "unknown key",
                RungId::Identity,
                "does not know these credentials",
                "--profile",
            ),
            keys("AKIAUNKNOWN000000000", "x"),
        ),
        (
            expected(
                "wrong secret",
                RungId::Identity,
                "refused the signature",
                "secret key",
            ),
            keys(&admin.id, "wrong"),
        ),
        (
            expected("a stranger", RungId::Broker, "sts:AssumeRole", "sts:AssumeRole"),
            keys(&outsider.id, &outsider.secret),
        ),
    ] {
        assert_found(&expected, report(&yes(&session, verify()).await));
    }
}

#[tokio::test]
async fn places_that_are_not_there() {
    let world = World::start();
    let session = deployed(&world).await;
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let changed = Catalog {
        s3_path: "s3://no-such-bucket-of-acme/warehouse".parse().unwrap(),
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
    let expected = expected(
        "no bucket",
        RungId::List,
        "no-such-bucket-of-acme",
        "Check the name",
    );
    assert_found(&expected, report(&yes(&session, verify()).await));
}

#[tokio::test]
async fn a_server_that_only_slows_us_down_is_no_denial() {
    let world = World::start();
    deployed(&world).await;
    let slow = World::with(Options {
        throttle: Some(1),
        ..Options::default()
    });
    let settings = Settings::demo(
        &slow.demo.endpoint_url,
        "us-west-2".parse().unwrap(),
        &slow.demo.admin.id,
        &slow.demo.admin.secret,
    );
    let session = Session::new(world.home.clone(), settings);
    let expected = expected("throttled", RungId::Reach, "AWS kept slowing", "Wait a minute");
    let ran = tokio::time::timeout(Duration::from_secs(60), yes(&session, verify())).await;
    assert_found(&expected, report(&ran.unwrap()));
}

#[tokio::test]
async fn one_request_in_three_refused_as_too_many_hides_nothing() {
    let world = World::with(Options {
        throttle: Some(3),
        ..Options::default()
    });
    let session = deployed(&world).await;
    for _ in 0..3 {
        let ran = yes(&session, verify()).await;
        assert_eq!(report(&ran).first_failed(), None);
    }
}
