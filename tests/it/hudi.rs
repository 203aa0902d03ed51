//! Hudi tables: Glue has their columns, the folder beside their files says how new they are and what they are made for.

use crate::browse::{browse, deployed, schema, schema_of};
use crate::verify_breaks::through;
use glueup::demo::Options;
use glueup::domain::schema::Source;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[tokio::test]
async fn the_timeline_says_which_write_was_the_last() {
    let (world, _) = deployed(Options::default()).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let session = through(&world, move |one| {
        counted.fetch_add(usize::from(one.target.starts_with("/acme-lake")), SeqCst);
        None
    });
    let ran = browse(&session, schema_of("raw", "clicks_cow")).await;
    let (read, problem) = schema(&ran);
    assert_eq!((read.source, problem), (Source::Glue, None));
    let version = read.snapshot.as_ref().unwrap();
    assert_eq!(
        (version.id.as_str(), version.operation.as_deref()),
        ("20261130082325924", Some("commit"))
    );
    // Its clock is that of whoever wrote it: nobody knows which.
    assert_eq!(version.at, None);
    assert_eq!(read.properties["hoodie.table.type"], "COPY_ON_WRITE");
    assert_eq!(
        read.properties["spark.sql.sources.provider"], "hudi",
        "Glue's own stay"
    );
    assert_eq!(asked.load(SeqCst), 2);
    // Both sides of a merge-on-read table stand on the same files.
    for side in ["clicks_mor_ro", "clicks_mor_rt"] {
        let ran = browse(&session, schema_of("raw", side)).await;
        let version = schema(&ran).0.snapshot.clone().unwrap();
        assert_eq!(
            (version.id.as_str(), version.operation.as_deref()),
            ("20261130082329249", Some("deltacommit")),
            "{side}"
        );
    }
}

#[tokio::test]
async fn a_place_without_a_timeline_is_told_and_the_columns_stay() {
    let (_world, session) = deployed(Options::default()).await;
    let ran = browse(&session, schema_of("raw", "clicks_2018")).await;
    let (read, problem) = schema(&ran);
    assert_eq!(read.columns.len(), 8);
    assert!(read.notes.iter().any(|note| note.code == "metadata-missing"));
    let problem = problem.unwrap();
    assert_eq!(problem.what, "The table's hoodie.properties is missing");
    assert!(
        problem
            .why
            .contains("warehouse/raw/clicks_2018/.hoodie/hoodie.properties"),
        "{problem:?}"
    );
}
