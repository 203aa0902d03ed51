//! Glue through the Rust SDK.

use super::{admin, code, config, message, outsider, session, status};
use crate::support::demo::Demo;
use crate::support::signed;
use aws_sdk_glue::Client;
use aws_sdk_glue::types::{DatabaseAttributes, DatabaseInput, TableAttributes, TableInput};
use glueup::demo::{self, Options};
use serde_json::json;
use std::time::{Duration, Instant};

async fn databases(client: &Client) -> Vec<String> {
    let pages = client.get_databases().into_paginator().send();
    let pages = pages.collect::<Result<Vec<_>, _>>().await.unwrap();
    pages
        .into_iter()
        .flat_map(|page| page.database_list)
        .map(|database| database.name)
        .collect()
}

async fn tables(client: &Client, database: &str) -> Vec<aws_sdk_glue::types::Table> {
    let pages = client
        .get_tables()
        .database_name(database)
        .into_paginator()
        .send();
    let pages = pages.collect::<Result<Vec<_>, _>>().await.unwrap();
    pages
        .into_iter()
        .flat_map(|page| page.table_list.unwrap_or_default())
        .collect()
}

#[tokio::test]
async fn the_lake_is_listed_and_every_table_is_answered_alone_as_in_the_list() {
    let start = Instant::now();
    let aws = demo::start(Options::default()).unwrap();
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let client = Client::new(&admin(&aws));
    let names = databases(&client).await;
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(names, sorted);
    for name in [
        "sales",
        "weather",
        "a-b",
        "日本",
        "2024_raw",
        "no",
        "empty",
        "sales_link",
        "odd",
        "raw",
    ] {
        assert!(names.iter().any(|found| found == name), "{name}");
    }
    let mut all = 0;
    for database in names.iter().filter(|name| *name != "partner_link") {
        for table in tables(&client, database).await {
            let one = client
                .get_table()
                .database_name(database)
                .name(table.name())
                .send()
                .await;
            assert_eq!(one.unwrap().table(), Some(&table), "{database}.{}", table.name());
            all += 1;
        }
    }
    assert!(all > 100, "{all}");
    let linked: Vec<_> = tables(&client, "sales_link").await;
    assert_eq!(
        linked,
        tables(&client, "sales").await,
        "a link leads to its target"
    );
    let away = client.get_tables().database_name("partner_link").send().await;
    assert!(
        message(&away).contains("glue:us-east-1:111122223333:catalog"),
        "{}",
        message(&away)
    );
    let all_kinds = client
        .get_databases()
        .resource_share_type("ALL".into())
        .send()
        .await
        .unwrap();
    assert_eq!(
        all_kinds.database_list().len(),
        names.len() + 1,
        "the federated one"
    );
    let only = client
        .get_databases()
        .attributes_to_get(DatabaseAttributes::Name)
        .send()
        .await
        .unwrap();
    assert!(
        only.database_list()
            .iter()
            .all(|database| database.create_time().is_none())
    );
}

#[tokio::test]
async fn a_million_tables_come_in_pages_of_a_hundred() {
    let aws = demo::start(Options {
        tables: 1_000_000,
        ..Options::default()
    })
    .unwrap();
    let client = Client::new(&admin(&aws));
    let ask = || client.get_tables().database_name("generated");
    let first = ask().send().await.unwrap();
    assert_eq!(first.table_list().len(), 100);
    let second = ask()
        .set_next_token(first.next_token().map(str::to_owned))
        .send()
        .await
        .unwrap();
    assert_eq!(second.table_list()[0].name(), "t_000000100");
    let few = ask()
        .max_results(7)
        .attributes_to_get(TableAttributes::Name)
        .send()
        .await
        .unwrap();
    assert_eq!(few.table_list().len(), 7);
    assert!(
        few.table_list()
            .iter()
            .all(|table| table.storage_descriptor().is_none())
    );
    for wrong in [0, 101] {
        assert_eq!(
            code(&ask().max_results(wrong).send().await),
            "ValidationException",
            "{wrong}"
        );
    }
    assert_eq!(
        code(&ask().next_token("nonsense").send().await),
        "InvalidInputException"
    );
    let last = ask().expression("t_00099999.").send().await.unwrap();
    assert_eq!((last.table_list().len(), last.next_token()), (10, None));
    let exact = ask().expression("t_00000000").send().await.unwrap();
    assert_eq!(exact.table_list().len(), 0, "an expression is for the whole name");
    let one = client
        .get_table()
        .database_name("generated")
        .name("t_000999999")
        .send()
        .await
        .unwrap();
    assert_eq!(one.table().unwrap().version_id(), Some("0"));
}

#[tokio::test]
async fn tables_are_made_changed_and_dropped_with_versions() {
    let aws = demo::start(Options::default()).unwrap();
    let client = Client::new(&admin(&aws));
    let input = |name: &str, text: &str| {
        TableInput::builder()
            .name(name)
            .description(text)
            .build()
            .unwrap()
    };
    let database = DatabaseInput::builder().name("Mine").build().unwrap();
    let create = || client.create_database().database_input(database.clone()).send();
    assert_eq!(code(&create().await), "allowed");
    assert_eq!(code(&create().await), "AlreadyExistsException");
    let found = client.get_database().name("MINE").send().await.unwrap();
    assert_eq!(found.database().unwrap().name(), "mine", "names are folded");

    let create = |name: &str| {
        client
            .create_table()
            .database_name("mine")
            .table_input(input(name, "v0"))
            .send()
    };
    assert_eq!(code(&create("T").await), "allowed");
    assert_eq!(code(&create("t").await), "AlreadyExistsException");
    assert_eq!(code(&create(&"x".repeat(256)).await), "ValidationException");
    assert_eq!(code(&create("two\nlines").await), "ValidationException");
    let update = |text: &str| {
        client
            .update_table()
            .database_name("mine")
            .table_input(input("t", text))
    };
    assert_eq!(code(&update("v1").version_id("0").send().await), "allowed");
    let stale = update("lost").version_id("0").send().await;
    assert_eq!(
        (code(&stale), status(&stale)),
        ("ConcurrentModificationException".to_owned(), 400)
    );
    assert_eq!(
        code(&update("v2").version_id("1").skip_archive(true).send().await),
        "allowed"
    );
    let versions = client
        .get_table_versions()
        .database_name("mine")
        .table_name("t")
        .send()
        .await
        .unwrap();
    let shown: Vec<_> = versions
        .table_versions()
        .iter()
        .map(|version| version.version_id().unwrap())
        .collect();
    assert_eq!(shown, ["2", "0"], "the skipped one was not archived");
    let table = client
        .get_table()
        .database_name("mine")
        .name("T")
        .send()
        .await
        .unwrap();
    assert_eq!(table.table().unwrap().description(), Some("v2"));

    assert_eq!(
        code(&client.delete_table().database_name("mine").name("t").send().await),
        "allowed"
    );
    let gone = client.get_table().database_name("mine").name("t").send().await;
    assert_eq!(
        (code(&gone).as_str(), message(&gone).as_str()),
        ("EntityNotFoundException", "Entity Not Found")
    );
    let nowhere = client.get_tables().database_name("nowhere").send().await;
    assert_eq!(message(&nowhere), "Database nowhere not found.");
    assert_eq!(
        code(&client.get_crawlers().send().await),
        "UnknownOperationException"
    );
    assert_eq!(
        code(&client.delete_database().name("mine").send().await),
        "allowed"
    );
}

#[tokio::test]
async fn of_concurrent_updates_of_one_version_exactly_one_is_taken() {
    let aws = demo::start(Options::default()).unwrap();
    let client = Client::new(&admin(&aws));
    let update = |n: usize| {
        let input = TableInput::builder()
            .name("forecast")
            .description(n.to_string())
            .build()
            .unwrap();
        tokio::spawn(
            client
                .update_table()
                .database_name("sales")
                .table_input(input)
                .version_id("0")
                .send(),
        )
    };
    let mut taken = 0;
    for update in (0..8).map(update).collect::<Vec<_>>() {
        match code(&update.await.unwrap()).as_str() {
            "allowed" => taken += 1,
            other => assert_eq!(other, "ConcurrentModificationException"),
        }
    }
    assert_eq!(taken, 1);
}

#[tokio::test]
async fn a_table_needs_its_database_and_the_catalog_too() {
    let aws = demo::start(Options::default()).unwrap();
    let arn = |what: &str| format!("arn:aws:glue:us-west-2:012345678901:{what}");
    let allow = |action: &str, resources: Vec<String>| json!([{"Effect": "Allow", "Action": action, "Resource": resources}]);
    let orphan = session(
        &aws,
        "orphan",
        allow("glue:*", vec![arn("database/*"), arn("table/*/*")]),
    )
    .await;
    let list = Client::new(&orphan)
        .get_tables()
        .database_name("sales")
        .send()
        .await;
    assert_eq!(status(&list), 400);
    assert_eq!(
        message(&list),
        format!(
            "User: arn:aws:sts::012345678901:assumed-role/orphan/test is not authorized to perform: glue:GetTables on \
             resource: {} because no identity-based policy allows the glue:GetTables action",
            arn("catalog")
        )
    );
    assert_eq!(code(&list), "AccessDeniedException");

    let narrow = allow(
        "glue:Get*",
        vec![arn("catalog"), arn("database/sales"), arn("table/sales/*")],
    );
    let narrow = Client::new(&session(&aws, "narrow", narrow).await);
    assert!(
        databases(&narrow).await.len() > 8,
        "names are listed with the right on the catalog"
    );
    assert!(tables(&narrow, "sales").await.len() > 20);
    let other = narrow.get_tables().database_name("weather").send().await;
    assert!(
        message(&other).contains(&arn("database/weather")),
        "{}",
        message(&other)
    );
    // The probes for writing: what is absent is told only to who may write.
    let input = TableInput::builder().name("t").build().unwrap();
    let probe = |client: &Client| {
        client
            .create_table()
            .database_name("no_such_database")
            .table_input(input.clone())
            .send()
    };
    assert_eq!(code(&probe(&narrow).await), "AccessDeniedException");
    assert_eq!(
        code(&probe(&Client::new(&admin(&aws))).await),
        "EntityNotFoundException"
    );
}

#[tokio::test]
async fn another_accounts_catalog_needs_its_policy_too() {
    let aws = demo::start(Options::default()).unwrap();
    let ours = Client::new(&admin(&aws));
    let theirs = Client::new(&outsider(&aws));
    let list = || theirs.get_databases().catalog_id("012345678901").send();
    assert_eq!(code(&list().await), "AccessDeniedException");
    let policy = json!({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": "*", "Action": "glue:*", "Resource": "arn:aws:glue:us-west-2:012345678901:*",
    }]});
    ours.put_resource_policy()
        .policy_in_json(policy.to_string())
        .send()
        .await
        .unwrap();
    assert_eq!(
        code(&list().await),
        "AccessDeniedException",
        "their own policies allow nothing"
    );
    let foreign = ours.get_databases().catalog_id("444455556666").send().await;
    assert!(
        message(&foreign).contains("no resource-based policy"),
        "{}",
        message(&foreign)
    );
    let elsewhere = config(&aws.endpoint_url, &aws.admin.id, &aws.admin.secret, None);
    let elsewhere = elsewhere
        .into_builder()
        .region(aws_types::region::Region::new("eu-west-1"))
        .build();
    assert_eq!(
        databases(&Client::new(&elsewhere)).await,
        Vec::<String>::new(),
        "another region is empty"
    );
}

#[test]
fn the_rest_door_reads_metadata_that_was_packed() {
    let demo = Demo::start(&[]);
    for table in ["orders", "returns"] {
        let keys = (demo.field("access_key_id"), demo.field("secret_access_key"));
        let path = format!("/iceberg/v1/catalogs/012345678901/namespaces/sales/tables/{table}");
        let answer = signed::send(
            demo.endpoint(),
            keys,
            ("glue", "us-west-2"),
            ("GET", &path),
            &[],
            "",
        );
        assert_eq!(answer.status, 200, "{table}: {}", answer.text());
        let loaded: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
        let location = loaded["metadata-location"].as_str().unwrap();
        assert_eq!(location.ends_with(".gz.metadata.json"), table == "returns");
        assert!(loaded["metadata"]["schemas"].is_array(), "{table}");
    }
}
