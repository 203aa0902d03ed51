//! Whom a trust policy lets in, and why it shuts the broker out.

use super::{judged, vendors, vendors_own};
use crate::deploy::recorded;
use crate::support::fake::Reply;
use crate::support::jobs::World;
use crate::verify::rung;
use crate::verify_breaks::through;
use crate::verify_limits::{hand_made, reads, right_trust};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Failed, Passed, Skipped, Warning};
use glueup::verify::{Basis, RungId};
use serde_json::{Value, json};

/// Trust policies with the right id that let in more than the broker: the principals, further conditions, the status, a
/// word of the answer.
fn doors(broker: &str, id: &str) -> Vec<(&'static str, Value, Value, glueup::verify::Status, &'static str)> {
    let narrow = |pattern: &str| json!({"ArnLike": {"aws:PrincipalArn": pattern}});
    vec![
        (
            "the broker alone",
            json!(broker),
            json!({}),
            Passed,
            "Nobody else",
        ),
        (
            "the account root",
            json!("arn:aws:iam::999988887777:root"),
            json!({}),
            Failed,
            "the whole account 999988887777",
        ),
        (
            "the account's id",
            json!(["999988887777", broker]),
            json!({}),
            Failed,
            "the whole account",
        ),
        (
            "the account root, narrowed",
            json!("arn:aws:iam::999988887777:root"),
            narrow(broker),
            Passed,
            "Nobody else",
        ),
        (
            "the account root, narrowed to all",
            json!("arn:aws:iam::999988887777:root"),
            narrow("arn:aws:iam::999988887777:*"),
            Failed,
            "the whole account",
        ),
        (
            "another account's root, narrowed to somebody who is not on record",
            json!([broker, "arn:aws:iam::444455556666:root"]),
            json!({"ArnLike": {"aws:PrincipalArn": [broker, "arn:aws:iam::444455556666:role/theirs"]}}),
            Warning,
            "role/theirs, which is not on record",
        ),
        ("everybody", json!("*"), json!({}), Failed, "everybody in AWS"),
        (
            "everybody, narrowed",
            json!("*"),
            json!({"StringEquals": {"aws:PrincipalArn": broker}}),
            Passed,
            "Nobody else",
        ),
        (
            "somebody who is not on record",
            json!([broker, "arn:aws:iam::444455556666:user/outsider"]),
            json!({}),
            Warning,
            "user/outsider, which is not on record",
        ),
        (
            "a second id",
            json!(broker),
            json!({"StringLike": {"sts:ExternalId": [id, "of-before"]}}),
            Warning,
            "takes the external ID of-before too",
        ),
        (
            "an id that is a pattern",
            json!(broker),
            json!({"StringLike": {"sts:ExternalId": format!("{}*", &id[..4])}}),
            Failed,
            "any external ID like ",
        ),
    ]
}

#[tokio::test]
async fn whom_else_the_trust_policy_lets_in_is_found_by_policy_and_beside_what_is_tried() {
    for own in [false, true] {
        let world = World::start();
        let (session, broker) = if own {
            (recorded(&world).await, world.demo.broker_role_arn.clone())
        } else {
            (vendors(&world).await, world.demo.vendor_role_arn.clone())
        };
        let id = right_trust(&world)["Statement"][0]["Condition"]["StringEquals"]["sts:ExternalId"].clone();
        for (at, (name, principal, further, status, answer)) in
            doors(&broker, id.as_str().unwrap()).into_iter().enumerate()
        {
            let mut condition = further;
            if condition.pointer("/StringLike").is_none() {
                condition["StringEquals"]["sts:ExternalId"] = id.clone();
            }
            let trust = json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
                "Principal": {"AWS": principal}, "Action": "sts:AssumeRole", "Condition": condition}]});
            hand_made(
                &world,
                &session,
                &format!("door-{at}"),
                trust,
                &reads(),
                Access::ReadOnly,
            )
            .await;
            let report = judged(&session).await;
            let found = rung(&report, RungId::ExternalId);
            assert_eq!(found.status, status, "{name}, {own}: {found:#?}");
            let said = found.parts.iter().any(|part| part.answer.contains(answer));
            assert!(said, "{name}, {own}: {found:#?}");
            assert_eq!(found.basis, if own { Basis::Use } else { Basis::Policy });
            assert_eq!(rung(&report, RungId::Role).status, Passed, "{name}: {report:#?}");
        }
    }
}

#[tokio::test]
async fn an_account_that_is_trusted_whole_is_narrowed_by_a_command_on_this_connection() {
    let world = World::start();
    let session = vendors(&world).await;
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let mut changed = stored.record.clone();
    changed.trust = vec!["arn:aws:iam::444455556666:root".parse().unwrap()];
    world.home.update(&stored, changed).unwrap();
    let mut trust = right_trust(&world);
    trust["Statement"][0]["Principal"] =
        json!({"AWS": [world.demo.vendor_role_arn, "arn:aws:iam::444455556666:root"]});
    hand_made(&world, &session, "whole", trust, &reads(), Access::ReadOnly).await;
    let report = judged(&session).await;
    let next = rung(&report, RungId::ExternalId).next.clone().unwrap_or_default();
    assert!(
        next.ends_with("glueup connection set sales --trust ARN"),
        "{report:#?}"
    );
}

#[tokio::test]
async fn a_trust_policy_that_shuts_the_broker_out_says_why() {
    let world = World::start();
    let session = vendors(&world).await;
    let broker = world.demo.vendor_role_arn.clone();
    let right = vendors_own(&world, &right_trust(&world));
    let mut denied = right.clone();
    denied["Statement"]
        .as_array_mut()
        .unwrap()
        .push(json!({"Effect": "Deny", "Principal": {"AWS": broker}, "Action": "sts:AssumeRole"}));
    let mut stranger = right.clone();
    stranger["Statement"][0]["Principal"] = json!({"AWS": "arn:aws:iam::999988887777:user/engine"});
    let mut other = right.clone();
    other["Statement"][0]["Condition"] = json!({"StringEquals": {"sts:ExternalId": "another-id"}});
    let mut narrowed = right.clone();
    narrowed["Statement"][0]["Condition"]["ArnLike"] =
        json!({"aws:PrincipalArn": "arn:aws:iam::9*:role/other"});
    let mut factor = right.clone();
    factor["Statement"][0]["Condition"]["Bool"] = json!({"aws:MultiFactorAuthPresent": "true"});
    for (at, (trust, status, answer)) in [
        (denied, Failed, "A statement of the trust policy denies"),
        (
            stranger,
            Failed,
            "does not name arn:aws:iam::999988887777:role/vendor-broker",
        ),
        (other, Failed, "for another external ID than"),
        (narrowed, Failed, "under a condition that it does not meet"),
        (factor, Skipped, "also asks for aws:MultiFactorAuthPresent"),
    ]
    .into_iter()
    .enumerate()
    {
        hand_made(
            &world,
            &session,
            &format!("shut-{at}"),
            trust,
            &reads(),
            Access::ReadOnly,
        )
        .await;
        let report = judged(&session).await;
        let role = rung(&report, RungId::Role);
        assert_eq!(role.status, status, "{role:#?}");
        assert!(role.answer.contains(answer), "{role:#?}");
        let databases = rung(&report, RungId::Databases);
        if status == Failed {
            assert_eq!(databases.answer, "not tried: hop 2 failed");
            let next = role.next.as_deref().unwrap();
            assert!(next.contains("aws iam update-assume-role-policy"), "{next}");
        } else {
            assert_eq!(databases.status, Passed);
            assert_eq!(report.verdict, Warning, "{}", report.sentence);
        }
    }
}

#[tokio::test]
async fn whoever_has_a_statement_of_their_own_is_tried_as_well() {
    let outsider = "arn:aws:iam::444455556666:user/outsider";
    let root = "arn:aws:iam::444455556666:root";
    for own in [false, true] {
        let world = World::start();
        let session = match own {
            true => recorded(&world).await,
            false => vendors(&world).await,
        };
        let right = match own {
            true => right_trust(&world),
            false => vendors_own(&world, &right_trust(&world)),
        };
        let mut asked = right["Statement"][0]["Condition"].clone();
        asked["StringEquals"]["aws:PrincipalOrgID"] = json!("o-1234567890");
        let partner = json!({"StringEquals": {"sts:ExternalId": "partner"}});
        for (at, (who, condition, status, answer)) in [
            (
                outsider,
                json!({}),
                Failed,
                "lets arn:aws:iam::444455556666:user/outsider in with ",
            ),
            (
                root,
                asked,
                Warning,
                "whoever of everybody in account 444455556666 meets aws:PrincipalOrgID",
            ),
            (
                "*",
                partner.clone(),
                Failed,
                "lets everybody in AWS with the external ID partner, which is not ours, in",
            ),
            (
                root,
                partner.clone(),
                Failed,
                "lets the whole account 444455556666 with the external ID partner, which is not ours, in",
            ),
            (
                outsider,
                partner.clone(),
                Warning,
                "user/outsider, which is not on record",
            ),
            (
                "*",
                json!({}),
                Failed,
                "The trust policy lets everybody in AWS in",
            ),
        ]
        .into_iter()
        .enumerate()
        {
            let mut trust = right.clone();
            let statement = json!({"Effect": "Allow", "Principal": {"AWS": who}, "Action": "sts:AssumeRole",
                "Condition": &condition});
            trust["Statement"].as_array_mut().unwrap().push(statement);
            hand_made(
                &world,
                &session,
                &format!("own-{at}"),
                trust,
                &reads(),
                Access::ReadOnly,
            )
            .await;
            let found = rung(&judged(&session).await, RungId::ExternalId).clone();
            assert_eq!(found.status, status, "{own}: {found:#?}");
            assert!(found.answer.contains(answer), "{own}: {found:#?}");
            if who == "*" && condition == json!({}) {
                assert!(found.answer.starts_with(answer), "{own}: {found:#?}");
            }
        }
    }
}

#[tokio::test]
async fn an_answer_that_tells_nothing_hides_no_hole() {
    let world = World::start();
    let session = recorded(&world).await;
    let mut trust = right_trust(&world);
    trust["Statement"][0]["Principal"] = json!("*");
    hand_made(&world, &session, "everybody", trust, &reads(), Access::ReadOnly).await;
    let id = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let id = format!("ExternalId={}", id.external_id);
    let unclear = through(&world, move |asked| {
        let wrong = asked.body.contains("ExternalId=") && !asked.body.contains(&id);
        wrong.then(|| Reply::query_error(400, "ValidationError", "not now"))
    });
    let found = rung(&judged(&unclear).await, RungId::ExternalId).clone();
    assert_eq!(found.status, Failed, "{found:#?}");
    assert!(found.answer.contains("everybody in AWS"), "{found:#?}");
}
