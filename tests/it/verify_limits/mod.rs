//! The negative proofs: what a role may do beyond what was asked is found by use, and nothing is changed in finding it.

mod culprits;
pub mod holes;
mod needs;

use crate::deploy::{recorded, yes};
use crate::setup::{add_catalog, new_catalog};
use crate::support::jobs::World;
use crate::verify::{deployed, report, rung, verify};
use glueup::cloud::Aws;
use glueup::cloud::stacks::{NewStack, Template};
use glueup::domain::access::Access;
use glueup::domain::region::Region;
use glueup::domain::status::Status::{Failed, Passed, Warning};
use glueup::registry::{Catalog, Connection, Holder};
use glueup::session::Session;
use glueup::verify::{Basis, Report, Rung, RungId};
pub use holes::holes;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn region() -> Region {
    "us-west-2".parse().unwrap()
}

/// A trust policy's statement for the broker, with this condition.
pub fn trust(world: &World, condition: Value) -> Value {
    let mut statement = json!({"Effect": "Allow", "Principal": {"AWS": world.demo.broker_role_arn},
        "Action": "sts:AssumeRole"});
    if !condition.is_null() {
        statement["Condition"] = condition;
    }
    json!({"Version": "2012-10-17", "Statement": [statement]})
}

pub fn right_trust(world: &World) -> Value {
    let id = world
        .home
        .connection(&"sales".parse().unwrap())
        .unwrap()
        .external_id
        .clone();
    trust(world, json!({"StringEquals": {"sts:ExternalId": id.as_str()}}))
}

pub fn allow(actions: &[&str], resources: &[&str]) -> Value {
    json!({"Effect": "Allow", "Action": actions, "Resource": resources})
}

/// All of the Glue catalog that is asked for.
pub const CATALOG: &str = "arn:aws:glue:us-west-2:012345678901:*";

/// What a read-only catalog of `s3://acme-lake/warehouse` needs, statement by statement.
pub fn reads() -> Vec<Value> {
    let mut list = allow(&["s3:ListBucket"], &["arn:aws:s3:::acme-lake"]);
    list["Condition"] = json!({"StringLike": {"s3:prefix": ["warehouse/", "warehouse/*"]}});
    vec![
        allow(&["glue:Get*"], &[CATALOG]),
        list,
        allow(&["s3:GetObject"], &["arn:aws:s3:::acme-lake/warehouse/*"]),
    ]
}

pub fn with(extra: Value) -> Vec<Value> {
    let mut statements = reads();
    statements.push(extra);
    statements
}

/// A role as somebody made it by hand, on the connection; the catalog is taken for deployed.
pub async fn hand_made(
    world: &World,
    session: &Session,
    name: &str,
    trust: Value,
    statements: &[Value],
    access: Access,
) {
    let policy = json!({"PolicyName": "grant",
        "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}});
    let body = json!({
        "Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": {
            "AssumeRolePolicyDocument": trust, "Policies": [policy]}}},
        "Outputs": {"RoleArn": {"Value": {"Fn::GetAtt": ["Role", "Arn"]}}}});
    let stacks = session.aws().await.unwrap().stacks(&region());
    stacks
        .create(NewStack {
            name: name.into(),
            template: Template::Body(body.to_string()),
            parameters: vec![],
            tags: vec![],
            capability: Some("CAPABILITY_IAM".into()),
            role_arn: None,
            token: None,
        })
        .await
        .unwrap();
    let end = Instant::now() + Duration::from_secs(30);
    let made = loop {
        let stack = stacks.describe(name).await.unwrap().unwrap();
        if stack.status == "CREATE_COMPLETE" {
            break stack;
        }
        assert!(Instant::now() < end, "{:?}", stacks.events(name).await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let changed = Connection {
        role_arn: Some(made.outputs["RoleArn"].parse().unwrap()),
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let changed = Catalog {
        deployed: true,
        access,
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
}

/// Everything that a write could have changed.
pub async fn inventory(aws: &Aws) -> String {
    let mut all = String::new();
    let s3 = aws.s3(&region());
    for object in s3.list("acme-lake", "", 100_000).await.unwrap().objects {
        all += &format!("{} {}\n", object.key, object.size);
    }
    let glue = aws.glue(&region());
    for database in glue.databases_page(None).await.unwrap().items {
        all += &format!("{database:?}\n");
        if database.target.is_some() {
            continue;
        }
        let mut token = None;
        loop {
            let page = glue.tables_page(&database.name, token).await.unwrap();
            all += &format!("{:?}\n", page.items);
            token = page.next;
            if token.is_none() {
                break;
            }
        }
    }
    all
}

pub fn part<'a>(rung: &'a Rung, title: &str) -> &'a Rung {
    let found = rung.parts.iter().find(|part| part.title == title);
    found.unwrap_or_else(|| panic!("no {title} in {rung:#?}"))
}

#[tokio::test]
async fn each_hole_is_found_named_and_leaves_no_trace() {
    let world = World::start();
    let session = recorded(&world).await;
    let admin = session.aws().await.unwrap();
    let before = inventory(&admin).await;
    for hole in holes(&world) {
        let trust = hole.trust.clone().unwrap_or_else(|| right_trust(&world));
        hand_made(&world, &session, hole.name, trust, &hole.statements, hole.access).await;
        let ran = yes(&session, verify()).await;
        let report = report(&ran);
        let failed = rung(report, hole.rung);
        assert_eq!(failed.status, Failed, "{}: {report:#?}", hole.name);
        let found = part(failed, hole.part);
        assert_eq!(found.status, Failed, "{}: {failed:#?}", hole.name);
        let next = failed.next.as_deref().unwrap_or_default();
        assert!(next.contains(hole.next), "{}: {next}", hole.name);
        assert_eq!(report.verdict, Failed, "{}", hole.name);
        if hole.rung == RungId::ExternalId {
            // What is open at the door says nothing of the rooms.
            assert_eq!(rung(report, RungId::Write).status, Passed, "{report:#?}");
            assert_eq!(rung(report, RungId::Neighbour).status, Passed, "{report:#?}");
        } else {
            assert_eq!(rung(report, RungId::ExternalId).status, Passed, "{report:#?}");
        }
    }
    assert_eq!(inventory(&admin).await, before);
    assert!(world.home.ledger().entries().unwrap().is_empty());
    let probes = world.home.probes().unwrap().entries;
    assert!(probes.len() > 100, "{}", probes.len());
    assert!(
        probes
            .iter()
            .any(|p| p.intent.action == "CreateTable" && p.outcome.as_deref() == Some("allowed"))
    );
}

#[tokio::test]
async fn the_printed_trust_policy_closes_the_hole() {
    let world = World::start();
    let session = recorded(&world).await;
    hand_made(
        &world,
        &session,
        "open",
        trust(&world, Value::Null),
        &reads(),
        Access::ReadOnly,
    )
    .await;
    let ran = yes(&session, verify()).await;
    let next = rung(report(&ran), RungId::ExternalId).next.clone().unwrap();
    let policy = next.split_once("--policy-document '").unwrap().1;
    let policy: Value = serde_json::from_str(policy.trim_end_matches('\'')).unwrap();
    hand_made(&world, &session, "closed", policy, &reads(), Access::ReadOnly).await;
    let ran = yes(&session, verify()).await;
    assert_eq!(rung(report(&ran), RungId::ExternalId).status, Passed);
    assert_eq!(report(&ran).first_failed(), None);
}

#[tokio::test]
async fn read_write_must_be_allowed_action_by_action() {
    let world = World::start();
    let session = recorded(&world).await;
    let writes = |actions: &[&str]| {
        let mut statements = reads();
        statements.push(allow(actions, &["*"]));
        let objects = ["s3:PutObject", "s3:DeleteObject"];
        statements.push(allow(&objects, &["arn:aws:s3:::acme-lake/warehouse/*"]));
        statements
    };
    let all = [
        "glue:CreateTable",
        "glue:UpdateTable",
        "glue:DeleteTable",
        "glue:DeleteDatabase",
    ];
    hand_made(
        &world,
        &session,
        "all",
        right_trust(&world),
        &writes(&all),
        Access::ReadWrite,
    )
    .await;
    let ran = yes(&session, verify()).await;
    let write = rung(report(&ran), RungId::Write);
    assert_eq!(write.status, Passed, "{write:#?}");
    assert_eq!(part(write, "s3:PutObject").answer, "Allowed");
    // No form of it could not delete an object: its policies are asked.
    let delete = part(write, "s3:DeleteObject");
    assert_eq!(
        (delete.status, delete.basis),
        (Passed, Basis::Policy),
        "{delete:#?}"
    );
    assert!(
        report(&ran)
            .sentence
            .starts_with("Connected. Read-write, proven: 11 things work, 2 are refused"),
        "{}",
        report(&ran).sentence
    );

    hand_made(
        &world,
        &session,
        "few",
        right_trust(&world),
        &writes(&all[..1]),
        Access::ReadWrite,
    )
    .await;
    let ran = yes(&session, verify()).await;
    let write = rung(report(&ran), RungId::Write);
    assert_eq!(write.status, Failed);
    assert_eq!(part(write, "glue:CreateTable").status, Passed);
    let update = part(write, "glue:UpdateTable");
    assert_eq!(update.status, Failed);
    assert!(
        update.answer.contains("no identity-based policy allows it"),
        "{update:#?}"
    );
    assert_eq!(write.action.as_deref(), Some("glue:UpdateTable"));
}

#[tokio::test]
async fn a_read_write_neighbour_on_the_same_role_is_named_as_what_widens_it() {
    let world = World::start();
    let session = deployed(&world).await;
    let mut wide = new_catalog("Wide", "sales");
    wide.access = Some(Access::ReadWrite);
    add_catalog(&session, wide).await;
    let job = glueup::job::Job::Stack(glueup::stack::Request::Deploy {
        target: glueup::stack::Target::Grant(Holder::Catalog("Wide".parse().unwrap())),
        role_arn: None,
        take_over: true,
    });
    yes(&session, job).await.deployed();
    let ran = yes(&session, verify()).await;
    let write = rung(report(&ran), RungId::Write);
    assert_eq!(write.status, Failed, "{write:#?}");
    let next = write.next.as_deref().unwrap();
    assert!(next.contains("The role also serves Wide"), "{next}");
    assert!(
        next.contains("glueup catalog set 'Lake House' --connection sales-narrow"),
        "{next}"
    );
    let summary: &Report = report(&ran);
    assert!(
        summary
            .sentence
            .starts_with("Connected, but not as asked: write failed."),
        "{}",
        summary.sentence
    );
}

#[tokio::test]
async fn a_missing_get_catalog_shuts_the_rest_door_only() {
    let world = World::start();
    let session = recorded(&world).await;
    let mut statements = reads();
    statements[0] = allow(&["glue:GetDatabase*", "glue:GetTable*"], &[CATALOG]);
    hand_made(
        &world,
        &session,
        "no-catalog",
        right_trust(&world),
        &statements,
        Access::ReadOnly,
    )
    .await;
    let ran = yes(&session, verify()).await;
    let rest = rung(report(&ran), RungId::Rest);
    assert_eq!(
        (rest.status, rest.action.as_deref()),
        (Failed, Some("glue:GetCatalog")),
        "{rest:#?}"
    );
    assert!(
        rest.resource.as_deref().unwrap().contains("012345678901:catalog"),
        "{rest:#?}"
    );
    // Partitions and versions, which engines call, are not in it.
    assert_eq!(rung(report(&ran), RungId::Tables).status, Warning);
}

#[tokio::test]
async fn tables_elsewhere_are_named_with_the_prefixes_that_would_cover_them() {
    let world = World::start();
    let session = deployed(&world).await;
    let ran = yes(&session, verify()).await;
    let locations = rung(report(&ran), RungId::Locations);
    for name in ["odd.no_slash", "odd.on_hdfs", "sales.orders_2023", "sales.prices"] {
        assert!(locations.answer.contains(name), "{locations:#?}");
    }
    let next = locations.next.as_deref().unwrap();
    assert!(
        next.contains("\ns3://acme-lake/archive/sales/orders_2023/\n"),
        "{next}"
    );
    assert!(next.contains("1 location is not on S3"), "{next}");
}

#[tokio::test]
async fn another_door_of_the_role_is_named() {
    let world = World::start();
    let session = recorded(&world).await;
    let mut trust = right_trust(&world);
    let provider = "arn:aws:iam::012345678901:oidc-provider/token.actions.githubusercontent.com";
    let door = json!({"Effect": "Allow", "Principal": {"Federated": provider},
        "Action": "sts:AssumeRoleWithWebIdentity"});
    trust["Statement"].as_array_mut().unwrap().push(door);
    hand_made(&world, &session, "doors", trust, &reads(), Access::ReadOnly).await;
    let ran = yes(&session, verify()).await;
    let found = part(rung(report(&ran), RungId::ExternalId), "anybody else");
    assert_eq!(found.status, Warning, "{found:#?}");
    for words in [provider, "sts:AssumeRoleWithWebIdentity"] {
        assert!(found.answer.contains(words), "{found:#?}");
    }
}
