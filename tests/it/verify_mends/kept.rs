//! What a mend shows, and does not take away unseen.

use super::{adopt, document, mend, put};
use crate::deploy::{recorded, yes};
use crate::support::jobs::World;
use crate::verify::{report, verify};
use crate::verify_limits::{hand_made, reads, right_trust};
use glueup::domain::access::Access;
use serde_json::{Value, json};

#[tokio::test]
async fn somebodys_guard_is_shown_and_denies_others_after_the_mend_too() {
    let world = World::start();
    let session = recorded(&world).await;
    let broker = world.demo.broker_role_arn.clone();
    let theirs = "arn:aws:iam::444455556666:root";
    let id = right_trust(&world)["Statement"][0]["Condition"].clone();
    let list =
        json!({"Sid": "Guard", "Effect": "Deny", "Principal": {"AWS": [broker, theirs]}, "Action": "sts:*"});
    let all = json!({"Effect": "Deny", "Principal": "*", "Action": "sts:AssumeRole", "Condition": id});
    for (name, guard, said) in [
        ("guard-list", list, format!("stays without {broker}. ")),
        ("guard-all", all, "to everybody whom it meets, ".to_owned()),
    ] {
        let mut trust = right_trust(&world);
        trust["Statement"].as_array_mut().unwrap().push(guard.clone());
        hand_made(&world, &session, name, trust, &reads(), Access::ReadOnly).await;
        adopt(&world);
        let ran = yes(&session, verify()).await;
        let next = report(&ran).first_failed().unwrap().next.clone().unwrap();
        assert!(next.contains(&said), "{name}: {next}");
        assert!(next.contains(&format!("\n{guard}\n")), "{name}: {next}");
        assert!(mend(&world, &session, name).await > 0);
        let mended = document(&world, None);
        let denies: Vec<&Value> = mended["Statement"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|s| s["Effect"] == "Deny")
            .collect();
        if name == "guard-list" {
            let left =
                json!({"Sid": "Guard", "Effect": "Deny", "Principal": {"AWS": [theirs]}, "Action": "sts:*"});
            assert_eq!(denies, [&left], "{mended:#}");
        } else {
            assert!(denies.is_empty(), "{mended:#}");
        }
    }
}

#[tokio::test]
async fn what_grants_all_but_some_is_shown_and_not_taken_away() {
    let world = World::start();
    let session = recorded(&world).await;
    for (name, all_but, field) in [
        (
            "not-action",
            json!({"Effect": "Allow", "NotAction": ["iam:*", "glue:*", "sts:*"], "Resource": "*"}),
            "by NotAction, which grants all but",
        ),
        (
            "not-resource",
            json!({"Effect": "Allow", "Action": "s3:*", "NotResource": "arn:aws:s3:::elsewhere/*"}),
            "by NotResource, which grants all but",
        ),
    ] {
        hand_made(
            &world,
            &session,
            name,
            right_trust(&world),
            &reads(),
            Access::ReadOnly,
        )
        .await;
        put(
            &world,
            "bystander",
            &json!({"Version": "2012-10-17", "Statement": [all_but]}),
        );
        let ran = yes(&session, verify()).await;
        let next = report(&ran).first_failed().unwrap().next.clone().unwrap();
        assert!(
            next.contains(field) && next.contains(&all_but.to_string()),
            "{next}"
        );
        assert!(next.contains("--policy-name bystander"), "{next}");
        assert!(!next.contains("delete-role-policy"), "{next}");
        assert!(!next.contains("put-role-policy"), "{next}");
    }
}
