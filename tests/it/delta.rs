//! Delta tables, whose columns Glue most often does not know: their log tells.

use crate::browse::{browse, deployed, schema, schema_of};
use crate::support::jobs::World;
use crate::verify_breaks::through;
use glueup::demo::Options;
use glueup::domain::schema::{Schema, Source};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

const LOG: &str = "warehouse/raw/app_events/_delta_log";

fn names(schema: &Schema) -> Vec<&str> {
    schema.columns.iter().map(|column| column.name.as_str()).collect()
}

fn codes(schema: &Schema) -> Vec<&str> {
    schema.notes.iter().map(|note| note.code).collect()
}

async fn put(world: &World, name: &str, text: &str) {
    let body = text.as_bytes().to_vec().into();
    world
        .s3()
        .put_object()
        .bucket("acme-lake")
        .key(format!("{LOG}/{name}"))
        .body(body)
        .send()
        .await
        .unwrap();
}

/// A commit that declares nothing.
async fn write(world: &World, version: u64) {
    let name = format!("{version:020}.json");
    put(world, &name, "{\"commitInfo\":{\"operation\":\"WRITE\"}}\n").await;
}

/// A commit that declares these columns.
fn declaring(columns: &[&str]) -> String {
    let fields: Vec<String> = columns
        .iter()
        .map(|name| {
            format!(r#"{{\"name\":\"{name}\",\"type\":\"long\",\"nullable\":true,\"metadata\":{{}}}}"#)
        })
        .collect();
    format!(
        "{{\"commitInfo\":{{\"timestamp\":1800000000000,\"operation\":\"CHANGE COLUMNS\"}}}}\n\
         {{\"metaData\":{{\"schemaString\":\"{{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[{}]}}\",\"partitionColumns\":[]}}}}\n",
        fields.join(",")
    )
}

#[tokio::test]
async fn the_log_has_the_columns_that_glue_has_not() {
    let (world, session) = deployed(Options::default()).await;
    let ran = browse(&session, schema_of("raw", "app_events")).await;
    let (read, problem) = schema(&ran);
    assert_eq!((read.source, problem), (Source::DeltaLog, None));
    assert_eq!(names(read), ["event_id", "user", "kind", "day"]);
    assert_eq!(read.columns[0].type_text, "long");
    assert!(read.columns[3].key && read.partition[0].source == "day");
    assert_eq!(codes(read), ["placeholder-schema"], "they are known now");
    let version = read.snapshot.as_ref().unwrap();
    assert_eq!(
        (version.id.as_str(), version.parent_id.as_deref()),
        ("1", Some("0"))
    );
    assert!(version.at.is_some() && version.operation.is_some(), "{version:?}");
    // The newest schema counts, and many commits after it do not hide it.
    put(&world, "00000000000000000002.json", &declaring(&["a", "b"])).await;
    for version in 3..12 {
        write(&world, version).await;
    }
    let ran = browse(&session, schema_of("raw", "app_events")).await;
    let (read, _) = schema(&ran);
    assert_eq!(
        (names(read), read.snapshot.as_ref().unwrap().id.as_str()),
        (vec!["a", "b"], "11")
    );
}

#[tokio::test]
async fn where_glue_knows_the_columns_the_newest_commit_says_how_old_they_are() {
    let (world, _) = deployed(Options::default()).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let session = through(&world, move |one| {
        let reads = one.action() == "GetTable" || one.target.starts_with("/acme-lake");
        counted.fetch_add(usize::from(reads), SeqCst);
        None
    });
    let ran = browse(&session, schema_of("raw", "app_events_typed")).await;
    let (read, problem) = schema(&ran);
    assert_eq!((read.source, problem), (Source::Glue, None));
    assert_eq!(read.snapshot.as_ref().unwrap().id, "1");
    assert!(codes(read).contains(&"schema-in-parameters"));
    // One for the table, one for the listing of the log, one for its newest commit.
    assert_eq!(asked.load(SeqCst), 3);
}

#[tokio::test]
async fn a_log_that_cannot_be_read_leaves_what_glue_has_and_says_why() {
    let (world, session) = deployed(Options::default()).await;
    put(&world, "00000000000000000002.json", "{\"commitInfo\":").await;
    let ran = browse(&session, schema_of("raw", "app_events")).await;
    let (read, problem) = schema(&ran);
    assert_eq!((read.source, names(read)), (Source::Glue, vec![]));
    assert!(codes(read).contains(&"unknown-schema"));
    let problem = problem.unwrap();
    assert!(
        problem
            .why
            .contains("Version 2 of s3://acme-lake/warehouse/raw/app_events"),
        "{problem:?}"
    );
    // Behind a newest commit that is whole it hides the columns alone.
    write(&world, 3).await;
    let ran = browse(&session, schema_of("raw", "app_events")).await;
    let (read, problem) = schema(&ran);
    assert_eq!(read.snapshot.as_ref().unwrap().id, "3");
    assert!(problem.unwrap().why.contains("Version 2 of"), "{problem:?}");
    let listed = world
        .s3()
        .list_objects_v2()
        .bucket("acme-lake")
        .prefix(LOG)
        .send()
        .await
        .unwrap();
    for object in listed.contents() {
        world
            .s3()
            .delete_object()
            .bucket("acme-lake")
            .key(object.key().unwrap())
            .send()
            .await
            .unwrap();
    }
    let ran = browse(&session, schema_of("raw", "app_events")).await;
    let (read, problem) = schema(&ran);
    assert_eq!(read.source, Source::Glue);
    assert!(problem.unwrap().what.contains("no Delta log"), "{problem:?}");
    // No commit is left that has the schema, and no checkpoint: it stays unknown, and nobody claims otherwise.
    write(&world, 30).await;
    let ran = browse(&session, schema_of("raw", "app_events")).await;
    let (read, problem) = schema(&ran);
    assert_eq!((read.source, problem), (Source::Glue, None));
    assert!(codes(read).contains(&"unknown-schema") && read.columns.is_empty());
    assert_eq!(read.snapshot.as_ref().unwrap().id, "30");
}

/// What a log has been packed into: the schema is in there alone, once the commits before it are far away or gone.
#[tokio::test]
async fn the_checkpoint_has_the_columns_that_no_commit_near_it_declares() {
    let (world, session) = deployed(Options::default()).await;
    let s3 = world.s3();
    for version in 0..2 {
        let key = format!("{LOG}/{version:020}.json");
        s3.delete_object()
            .bucket("acme-lake")
            .key(key)
            .send()
            .await
            .unwrap();
    }
    let checkpoint = include_bytes!("../data/delta-checkpoint.parquet");
    s3.put_object()
        .bucket("acme-lake")
        .key(format!("{LOG}/00000000000000000040.checkpoint.parquet"))
        .body(checkpoint.to_vec().into())
        .send()
        .await
        .unwrap();
    for version in 40..70 {
        write(&world, version).await;
    }
    let ran = browse(&session, schema_of("raw", "app_events")).await;
    let (read, problem) = schema(&ran);
    assert_eq!(problem, None);
    assert_eq!(
        (read.source, names(read)),
        (Source::DeltaLog, vec!["id", "name", "day"])
    );
    assert!(read.columns[2].key && !read.columns[0].key);
    assert_eq!(read.snapshot.as_ref().unwrap().id, "69");
    // A torn one is told, and what Glue has stays.
    s3.put_object()
        .bucket("acme-lake")
        .key(format!("{LOG}/00000000000000000050.checkpoint.parquet"))
        .body(checkpoint[..9_000].to_vec().into())
        .send()
        .await
        .unwrap();
    let ran = browse(&session, schema_of("raw", "app_events")).await;
    let (read, problem) = schema(&ran);
    assert_eq!(read.source, Source::Glue);
    // What the commits told stays.
    assert_eq!(read.snapshot.as_ref().unwrap().id, "69");
    let why = &problem.unwrap().why;
    assert!(
        why.contains("Version 50") && why.ends_with("its checkpoint: it is not Parquet"),
        "{why}"
    );
}
