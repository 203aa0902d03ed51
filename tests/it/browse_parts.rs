//! Listings that may be read in part, names alone, and many schemas at once.

use crate::cli_journey::recorded;
use crate::cli_refusals::json_of;
use crate::support::demo::Demo;
use crate::support::deployed::{Deployed, EXTERNAL_ID};
use crate::support::fake::{self, Asked, Fake, Reply};
use crate::support::home::Home;
use crate::support::term::{Term, key};
use glueup::cloud::stacks::{NewStack, Template};
use glueup::cloud::{Aws, Hop, Settings};
use glueup::demo::Options;
use glueup::domain::problem::{Kind, Problem};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A role that may look at one database, and may not list them.
async fn one_database(demo: &Demo) -> Home {
    let home = recorded(demo);
    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    home.glueup(&[
        "catalog",
        "set",
        "Lake House",
        "--database",
        "sales",
        "--database",
        "raw",
    ])
    .ok();
    let shown = json_of(&home, &["connection", "show", "sales-prod"]).ok().json();
    let role = shown["role_arn"].as_str().unwrap().rsplit('/').next().unwrap();
    let glue = |what: &str| format!("arn:aws:glue:us-west-2:{}:{what}", demo.field("account_id"));
    let body = json!({"Resources": {"Grant": {"Type": "AWS::IAM::Policy", "Properties": {
        "PolicyName": "grant", "Roles": [role], "PolicyDocument": {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Action": "glue:GetDatabase", "Resource": [glue("catalog"), glue("database/sales")]}]}}}}});
    let settings = Settings::demo(
        demo.endpoint(),
        "us-west-2".parse().unwrap(),
        demo.field("access_key_id"),
        demo.field("secret_access_key"),
    );
    let aws = Aws::sign_in(&settings).await.unwrap();
    let stacks = aws.stacks(&"us-west-2".parse().unwrap());
    let grant = NewStack {
        name: "grant".into(),
        template: Template::Body(body.to_string()),
        parameters: Vec::new(),
        tags: Vec::new(),
        capability: Some("CAPABILITY_IAM".into()),
        role_arn: None,
        token: None,
    };
    stacks.create(grant).await.unwrap();
    let status = || async { stacks.describe("grant").await.unwrap().unwrap().status };
    for _ in 0..300 {
        if status().await == "CREATE_COMPLETE" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(status().await, "CREATE_COMPLETE");
    let records = std::fs::read_dir(home.records().join("catalogs")).unwrap();
    let record = records.map(|entry| entry.unwrap().path()).next().unwrap();
    fake::set(&home, record.to_str().unwrap(), "deployed", "true");
    home
}

#[tokio::test]
async fn a_catalog_that_is_partly_denied_lists_what_is_readable_and_says_why_the_rest_is_not() {
    let demo = Demo::start(&[]);
    let home = one_database(&demo).await;
    let ran = json_of(&home, &["ls", "Lake House"]).exits(1);
    let lines = ran.json_lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0]["database"], "sales");
    assert!(lines[0].get("link").is_some() && lines[0].get("error").is_none());
    assert_eq!(lines[1]["database"], "raw");
    let error = &lines[1]["error"];
    for field in ["what", "why", "next"] {
        assert!(!error[field].as_str().unwrap().is_empty(), "{error}");
    }
    assert_eq!(error["detail"]["action"], "glue:GetDatabase", "{error}");

    let text = home.glueup(&["ls", "Lake House"]).exits(1).stdout;
    let raw = text.lines().find(|line| line.starts_with("raw ")).unwrap();
    assert!(
        text.starts_with("sales") && raw.contains("glue:GetDatabase"),
        "{text}"
    );

    let names = home.glueup(&["ls", "Lake House", "--names"]).exits(1);
    assert_eq!(names.stdout, "sales\n");
    assert!(names.stderr.starts_with("raw: "), "{}", names.stderr);

    // Where nothing may be read, the refusal is the answer.
    home.glueup(&["catalog", "set", "Lake House", "--database", "raw"])
        .ok();
    let denied = json_of(&home, &["ls", "Lake House"]).exits(4);
    assert_eq!(denied.stdout, "");
    assert_eq!(denied.error()["detail"]["action"], "glue:GetDatabases");
}

#[test]
fn names_alone_are_asked_for_in_the_cheap_form() {
    let glue = fake::glue(vec![json!({ "Name": "t1" }), json!({ "Name": "t2" })]);
    let home = fake::at(fake::recorded("aws", "us-west-2", false), &glue);
    assert_eq!(home.glueup(&["ls", "lake.d", "--names"]).ok().stdout, "t1\nt2\n");
    assert_eq!(home.glueup(&["ls", "lake", "--names"]).ok().stdout, "d\n");
    let lines = json_of(&home, &["ls", "lake.d", "--names"]).ok().json_lines();
    assert_eq!(lines[1], json!({ "database": "d", "table": "t2" }));
    home.glueup(&["ls", "lake.d"]).ok();
    home.glueup(&["ls", "lake"]).ok();
    let asked: Vec<(String, Value)> = glue
        .asked()
        .iter()
        .filter(|asked| asked.action().starts_with("Get") && asked.action() != "GetCallerIdentity")
        .map(|asked| {
            let body: Value = serde_json::from_str(&asked.body).unwrap();
            (asked.action().to_owned(), body["AttributesToGet"].clone())
        })
        .collect();
    let (tables, databases) = ("GetTables".to_owned(), "GetDatabases".to_owned());
    assert_eq!(
        asked,
        [
            (tables.clone(), json!(["NAME"])),
            (databases.clone(), json!(["NAME"])),
            (tables.clone(), json!(["NAME"])),
            (tables, Value::Null),
            (databases, Value::Null),
        ]
    );
}

/// A search answers with a part of a large catalog, and does not say so: nothing here is found by one.
#[test]
fn lists_are_asked_for_in_the_largest_pages_and_never_by_a_search() {
    let glue = Fake::start(|asked| {
        if let Some(reply) = fake::sts(asked, "aws") {
            return reply;
        }
        let (list, first, second) = match asked.action() {
            "GetDatabases" => ("DatabaseList", "d", "e"),
            "GetTables" => ("TableList", "t1", "t2"),
            _ => return Reply::json(&json!({ "Table": { "Name": "t1" } })),
        };
        Reply::json(&match asked.json("NextToken").as_str() {
            "" => json!({ list: [{ "Name": first }], "NextToken": "more" }),
            _ => json!({ list: [{ "Name": second }] }),
        })
    });
    let home = fake::at(fake::recorded("aws", "us-west-2", false), &glue);
    for (what, lines) in [
        (&["ls", "lake"][..], 2),
        (&["ls", "lake", "--names"], 2),
        (&["ls", "lake", "--tables"], 4),
        (&["ls", "lake", "--tables", "--names"], 4),
        (&["ls", "lake.d"], 2),
        (&["ls", "lake.d", "--names"], 2),
        (&["schema", "lake.d.t1"], 1),
        (&["lens", "lake.d.t1"], 1),
    ] {
        assert_eq!(json_of(&home, what).ok().json_lines().len(), lines, "{what:?}");
    }
    let census = json_of(&home, &["census", "lake"]).ok().json();
    let counted = ["databases", "tables", "complete"].map(|key| census[key].clone());
    assert_eq!(counted, [json!(2), json!(4), json!(true)]);
    // The screen: its lists, what is looked for in them, the places to go to, and the census.
    let mut term = Term::start(&home, 120, 40, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("DATABASES  2");
    term.wait_for("TABLES  2");
    term.keys("/e");
    term.wait_for("1 of 2");
    term.keys(key::ENTER);
    term.keys(":d.t2\r");
    term.wait_for("▸ t2");
    term.keys("c");
    term.wait_for("2 databases, 4 tables");
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
    for asked in glue.asked() {
        let body: Value = serde_json::from_str(&asked.body).unwrap_or_default();
        match asked.action() {
            // As many as Glue gives.
            "GetDatabases" | "GetTables" => assert_eq!(body["MaxResults"], 100, "{body}"),
            "GetTable" | "GetCallerIdentity" | "AssumeRole" => {}
            other => panic!("{other}: {}", asked.body),
        }
    }
}

#[test]
fn many_schemas_are_asked_for_abreast_and_shown_in_order() {
    let (under_way, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let kept = most.clone();
    let glue = Fake::start(move |asked: &Asked| {
        if let Some(reply) = fake::sts(asked, "aws") {
            return reply;
        }
        let now = under_way.fetch_add(1, Ordering::SeqCst) + 1;
        kept.fetch_max(now, Ordering::SeqCst);
        let name = asked.json("Name");
        // Later ones answer sooner.
        let number: u64 = name.trim_start_matches('t').parse().unwrap();
        std::thread::sleep(Duration::from_millis(400 - 10 * number));
        under_way.fetch_sub(1, Ordering::SeqCst);
        if number == 7 {
            return Reply::error(400, "EntityNotFoundException", "Table not found.");
        }
        Reply::json(&json!({ "Table": { "Name": name } }))
    });
    let home = fake::at(fake::recorded("aws", "us-west-2", false), &glue);
    let names: Vec<String> = (0..20).map(|n| format!("lake.d.t{n}")).collect();
    let arguments: Vec<&str> = ["schema", "--output", "json"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    let lines = home.glueup(&arguments).exits(1).json_lines();
    let shown: Vec<&str> = lines.iter().map(|line| line["fqn"].as_str().unwrap()).collect();
    assert_eq!(shown, names);
    assert!(lines[7].get("error").is_some() && lines[8].get("error").is_none());
    let most = most.load(Ordering::SeqCst);
    assert!((2..=8).contains(&most), "{most} at once");
}

/// A role that may read what lies below `warehouse/`, and may list nothing.
async fn reads_only() -> (Deployed, Aws) {
    let world = Deployed::start(Options::default()).await;
    let role = world.connection("glueup-connection-sales").await;
    let statement = json!([{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::acme-lake/warehouse/*"}]);
    world.grant("reads", &role, statement).await;
    let hop = |arn: String, id: Option<&str>| Hop {
        role_arn: arn.parse().unwrap(),
        external_id: id.map(|id| id.parse().unwrap()),
        session_name: "t".into(),
        region: world.region(),
    };
    let broker = world
        .admin
        .assume(&hop(world.handle.broker_role_arn.clone(), None))
        .await
        .unwrap();
    let session = broker.assume(&hop(role, Some(EXTERNAL_ID))).await.unwrap();
    (world, session)
}

#[tokio::test]
async fn a_metadata_file_that_is_gone_is_told_from_one_that_is_refused() {
    let (world, session) = reads_only().await;
    let gone = "s3://acme-lake/warehouse/sales/orders_lost/metadata/gone.metadata.json";
    let load = |aws: Aws, location: &'static str| {
        let region = world.region();
        async move { Problem::from(glueup::lake::load(&aws, &region, location).await.unwrap_err()) }
    };
    // Who may list the bucket is told by S3.
    let problem = load(world.admin.clone(), gone).await;
    assert_eq!(problem.kind, Kind::NotFound, "{problem:?}");
    // That the whole bucket is gone is said, and a bucket alone is no file.
    let problem = load(world.admin.clone(), "s3://not-a-bucket-of-ours/m.json").await;
    assert!(problem.why.ends_with("there is no such bucket"), "{problem:?}");
    let problem = load(world.admin.clone(), "s3://acme-lake").await;
    assert!(
        problem.why.ends_with("names a bucket and no file in it"),
        "{problem:?}"
    );
    // Without a right to list S3 answers both alike, and both are said.
    let problem = load(session.clone(), gone).await;
    assert_eq!(problem.kind, Kind::Denied, "{problem:?}");
    assert!(
        problem.why.contains("is missing, or this role may not read it"),
        "{problem:?}"
    );
    let outside = "s3://acme-lake/archive/sales/orders_2023/metadata/gone.metadata.json";
    let problem = load(session, outside).await;
    assert_eq!(
        problem.detail.action.as_deref(),
        Some("s3:GetObject"),
        "{problem:?}"
    );
    assert!(!problem.why.contains("missing"), "{problem:?}");
}
