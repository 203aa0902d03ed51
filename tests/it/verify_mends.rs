//! Next steps are true: what Verify prints is carried out word for word, and Verify turns green.

mod kept;

use crate::deploy::{recorded, yes};
use crate::setup::{add_catalog, new_catalog};
use crate::support::iam;
use crate::support::jobs::World;
use crate::verify::{deployed, report, verify};
use crate::verify_breaks::Expected;
use crate::verify_breaks::enforced::{doors, rooms};
use crate::verify_limits::hand_made;
use crate::verify_limits::holes::{Hole, holes};
use crate::verify_limits::{reads, right_trust};
use glueup::domain::access::Access;
use glueup::domain::arn::RoleArn;
use glueup::registry::Connection;
use glueup::session::Session;
use glueup::setup::NewCatalog;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

/// A break: its name, the trust policy and the statements of a role that somebody made by hand.
struct Break {
    name: String,
    trust: Value,
    statements: Vec<Value>,
}

fn doors_shut(world: &World) -> Vec<Break> {
    let of = |(expected, trust): (Expected, Value)| (expected.name, trust, reads());
    broken(doors(world).into_iter().map(of))
}

fn rooms_shut(world: &World) -> Vec<Break> {
    let of = |(expected, statements): (Expected, Vec<Value>)| (expected.name, right_trust(world), statements);
    let rooms = rooms()
        .into_iter()
        .filter(|(expected, _)| expected.name != ALL_BUT_ONE);
    broken(rooms.map(of))
}

/// A statement that denies all but what it names: no command of ours may narrow it.
const ALL_BUT_ONE: &str = "all but one denied";

fn too_open(world: &World) -> Vec<Break> {
    let of = |hole: Hole| {
        let trust = hole.trust.unwrap_or_else(|| right_trust(world));
        (hole.name, trust, hole.statements)
    };
    broken(holes(world).into_iter().map(of))
}

fn broken(rows: impl Iterator<Item = (&'static str, Value, Vec<Value>)>) -> Vec<Break> {
    rows.map(|(name, trust, statements)| Break {
        name: name.to_owned(),
        trust,
        statements,
    })
    .collect()
}

/// The role is one that was there before, made by somebody else.
fn adopt(world: &World) {
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let changed = Connection {
        adopted: true,
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
}

/// Carries out what the first failed rung prints until nothing has failed; answers how many commands it took.
async fn mend(world: &World, session: &Session, name: &str) -> usize {
    let mut carried_out = 0;
    for _ in 0..4 {
        let ran = yes(session, verify()).await;
        let Some(failed) = report(&ran).first_failed() else {
            return carried_out;
        };
        let next = failed.next.as_deref().unwrap_or_default();
        let commands = iam::commands(next);
        assert!(!commands.is_empty(), "{name}: nothing to carry out: {failed:#?}");
        for command in &commands {
            iam::run(&world.demo, command);
        }
        carried_out += commands.len();
    }
    panic!(
        "{name}: still failed: {:#?}",
        report(&yes(session, verify()).await).first_failed()
    )
}

/// What others have on the role, in the broken policies and beside them, is there after the mend as it was.
async fn mended_beside_others(breaks: fn(&World) -> Vec<Break>, least: usize) {
    let world = World::start();
    let session = recorded(&world).await;
    let other = NewCatalog {
        s3_path: Some("s3://acme-lake/second".parse().unwrap()),
        ..new_catalog("Second", "sales")
    };
    add_catalog(&session, other).await;
    let other = world.home.catalog(&"Second".parse().unwrap()).unwrap();
    let other = other.stack_name.to_string();
    let logs = json!({"Sid": "Logs", "Effect": "Allow", "Action": "logs:PutLogEvents", "Resource": "*"});
    let theirs = json!({"Version": "2012-10-17", "Statement": [logs]});
    let second = json!({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::acme-lake/second/*"}]});
    let breaks = breaks(&world);
    assert!(breaks.len() >= least);
    for (number, mut broken) in breaks.into_iter().enumerate() {
        let name = &broken.name;
        let trust = broken.trust["Statement"].as_array_mut().unwrap();
        trust.extend(of_others());
        broken.statements.push(logs.clone());
        hand_made(
            &world,
            &session,
            &format!("mend-{number}"),
            broken.trust,
            &broken.statements,
            Access::ReadOnly,
        )
        .await;
        adopt(&world);
        put(&world, "theirs", &theirs);
        put(&world, &other, &second);
        let commands = mend(&world, &session, name).await;
        assert!(commands > 0, "{name}: nothing was broken");
        for statement in of_others() {
            let left = document(&world, None);
            let left = left["Statement"].as_array().unwrap();
            assert!(
                left.contains(&statement),
                "{name}: {statement} is gone: {left:#?}"
            );
        }
        let left = document(&world, Some("grant"));
        let left = left["Statement"].as_array().unwrap();
        assert!(left.contains(&logs), "{name}: {left:#?}");
        assert_eq!(document(&world, Some("theirs")), theirs, "{name}");
        // A grant of ours may be put in place whole: what it asks for is there in any case.
        let left = document(&world, Some(&other)).to_string();
        assert!(left.contains("arn:aws:s3:::acme-lake/second/*"), "{name}: {left}");
    }
}

#[tokio::test]
async fn a_door_is_mended_as_printed_beside_what_others_have() {
    mended_beside_others(doors_shut, 6).await;
}

#[tokio::test]
async fn a_room_is_mended_as_printed_beside_what_others_have() {
    mended_beside_others(rooms_shut, 15).await;
}

#[tokio::test]
async fn what_denies_all_but_some_is_shown_and_left_to_its_keeper() {
    let world = World::start();
    let session = recorded(&world).await;
    let mut rooms = rooms().into_iter();
    let (_, statements) = rooms.find(|(expected, _)| expected.name == ALL_BUT_ONE).unwrap();
    let trust = right_trust(&world);
    hand_made(&world, &session, "kept", trust, &statements, Access::ReadOnly).await;
    let ran = yes(&session, verify()).await;
    let next = report(&ran).first_failed().unwrap().next.clone().unwrap();
    assert!(next.contains("whoever keeps the policy must narrow it"), "{next}");
    let shown = statements.last().unwrap().to_string();
    assert!(next.contains(&shown), "{next}");
    let changes = iam::commands(&next);
    let of_it = |command: &Vec<String>| command.iter().any(|word| word == "grant");
    assert!(!changes.iter().any(of_it), "{changes:?}");
}

#[tokio::test]
async fn a_hole_is_mended_as_printed_beside_what_others_have() {
    mended_beside_others(too_open, 20).await;
}

fn put(world: &World, name: &str, document: &Value) {
    let (role, document) = (role(world), document.to_string());
    let front = ["put-role-policy", "--role-name", role.role_name()];
    run(
        world,
        &[
            &front[..],
            &["--policy-name", name, "--policy-document", &document],
        ]
        .concat(),
    );
}

fn run(world: &World, command: &[&str]) -> String {
    let words: Vec<String> = ["aws", "iam"]
        .iter()
        .chain(command)
        .map(|word| (*word).to_owned())
        .collect();
    iam::run(&world.demo, &words)
}

fn role(world: &World) -> RoleArn {
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    stored.role_arn.clone().unwrap()
}

/// The role's trust policy, or one of its inline policies, as IAM has it.
fn document(world: &World, policy: Option<&str>) -> Value {
    let role = role(world);
    let name = role.role_name();
    let (answer, field) = match policy {
        None => (
            run(world, &["get-role", "--role-name", name]),
            "AssumeRolePolicyDocument",
        ),
        Some(policy) => {
            let command = ["get-role-policy", "--role-name", name, "--policy-name", policy];
            (run(world, &command), "PolicyDocument")
        }
    };
    let (_, text) = answer.split_once(&format!("<{field}>")).unwrap();
    let (text, _) = text.split_once('<').unwrap();
    serde_json::from_str(&percent_decode_str(text).decode_utf8().unwrap()).unwrap()
}

/// Statements of others in the trust policy: a service's, an identity provider's, and another team's.
fn of_others() -> Vec<Value> {
    let team = "arn:aws:iam::444455556666:user/outsider";
    vec![
        json!({"Sid": "Machines", "Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}),
        json!({"Effect": "Allow", "Principal": {"Federated": "arn:aws:iam::012345678901:saml-provider/Idp"},
            "Action": "sts:AssumeRoleWithSAML", "Condition": {"StringEquals": {"SAML:aud": "https://signin.aws.amazon.com/saml"}}}),
        json!({"Effect": "Allow", "Principal": {"AWS": team}, "Action": "sts:AssumeRole",
            "Condition": {"StringEquals": {"sts:ExternalId": "theirs-1"}}}),
        json!({"Effect": "Deny", "Principal": "*", "Action": "sts:AssumeRole",
            "Condition": {"StringEquals": {"aws:PrincipalAccount": "777788889999"}}}),
    ]
}

#[tokio::test]
async fn what_others_have_in_the_trust_policy_stays() {
    let world = World::start();
    let session = recorded(&world).await;
    let broker = world.demo.broker_role_arn.clone();
    let mixed = json!({"Effect": "Allow", "Action": "sts:AssumeRole",
        "Principal": {"AWS": [broker, "arn:aws:iam::444455556666:user/outsider"], "Service": "glue.amazonaws.com"}});
    let open =
        |principal: Value| json!({"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": principal});
    for (name, own, stays) in [
        ("open", open(json!({"AWS": broker})), None),
        (
            "gone",
            open(json!({"Service": "lambda.amazonaws.com"})),
            Some("lambda.amazonaws.com"),
        ),
        ("mixed", mixed, Some("glue.amazonaws.com")),
        ("everybody", open(json!({"AWS": "*"})), None),
    ] {
        let mut trust = right_trust(&world);
        let mut statements = of_others();
        statements.push(own);
        trust["Statement"] = json!(statements);
        hand_made(&world, &session, name, trust, &reads(), Access::ReadOnly).await;
        adopt(&world);
        let ran = yes(&session, verify()).await;
        let next = report(&ran).first_failed().unwrap().next.clone().unwrap();
        assert!(
            next.contains("It replaces the whole trust policy; "),
            "{name}: {next}"
        );
        assert!(mend(&world, &session, name).await > 0);
        let mended = document(&world, None);
        let statements = mended["Statement"].as_array().unwrap();
        for theirs in of_others() {
            assert!(
                statements.contains(&theirs),
                "{name}: {theirs} is gone: {mended:#}"
            );
        }
        if let Some(stays) = stays {
            assert!(mended.to_string().contains(stays), "{name}: {mended:#}");
        }
        let theirs = "user/outsider";
        let asked = |s: &&Value| s.to_string().contains(theirs) && s["Condition"].is_object();
        let number = statements
            .iter()
            .filter(|s| s.to_string().contains(theirs))
            .count();
        assert_eq!(number, if name == "mixed" { 2 } else { 1 }, "{mended:#}");
        assert_eq!(statements.iter().filter(asked).count(), number, "{mended:#}");
    }
}

#[tokio::test]
async fn a_policy_that_somebody_changed_or_attached_is_named_and_taken_back() {
    let world = World::start();
    let session = deployed(&world).await;
    let role = world
        .home
        .connection(&"sales".parse().unwrap())
        .unwrap()
        .role_arn
        .clone()
        .unwrap();
    let stack = world
        .home
        .catalog(&"Lake House".parse().unwrap())
        .unwrap()
        .stack_name
        .to_string();
    let all = r#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}"#;

    let of_stack = [
        "put-role-policy",
        "--role-name",
        role.role_name(),
        "--policy-name",
        &stack,
    ];
    run(&world, &[&of_stack[..], &["--policy-document", all]].concat());
    let ran = yes(&session, verify()).await;
    let next = report(&ran).first_failed().unwrap().next.clone().unwrap();
    assert!(
        next.contains("Its own policy was changed; as its stack made it:"),
        "{next}"
    );
    assert_eq!(mend(&world, &session, "changed by hand").await, 1);

    run(
        &world,
        &["create-policy", "--policy-name", "wide", "--policy-document", all],
    );
    let wide = "arn:aws:iam::012345678901:policy/wide";
    run(
        &world,
        &[
            "attach-role-policy",
            "--role-name",
            role.role_name(),
            "--policy-arn",
            wide,
        ],
    );
    let ran = yes(&session, verify()).await;
    let next = report(&ran).first_failed().unwrap().next.clone().unwrap();
    assert!(next.contains("The role's policy wide allows"), "{next}");
    assert_eq!(mend(&world, &session, "attached").await, 1);
}
