//! Browsing on an embedded AWS: pages stream, a denial is a problem, and no table of the lake breaks anything.

use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::support::jobs::{Ran, World};
use glueup::browse::{DatabaseRow, Outcome as Browsed, Request, TableRow, Update as Told};
use glueup::demo::Options;
use glueup::domain::fqn::Fqn;
use glueup::domain::kind::TableKind;
use glueup::domain::problem::{Kind, Problem};
use glueup::domain::schema::{Schema, Source};
use glueup::job::{Job, Outcome, Update};
use glueup::session::Session;

fn databases() -> Request {
    Request::Databases {
        catalog: "Lake House".parse().unwrap(),
        as_caller: false,
    }
}

fn tables(database: &str) -> Request {
    Request::Tables {
        catalog: "Lake House".parse().unwrap(),
        database: database.into(),
        as_caller: false,
    }
}

pub fn schema_of(database: &str, table: &str) -> Request {
    Request::Schema {
        file: false,
        fqn: Fqn::table("Lake House".parse().unwrap(), database, table),
        as_caller: false,
    }
}

pub async fn browse(session: &Session, request: Request) -> Ran {
    yes(session, Job::Browse(request)).await
}

fn told(ran: &Ran) -> Vec<&Told> {
    ran.updates
        .iter()
        .map(|update| match update {
            Update::Browse(told) => told,
            other => panic!("{other:?}"),
        })
        .collect()
}

fn database_rows(ran: &Ran) -> Vec<DatabaseRow> {
    told(ran)
        .into_iter()
        .flat_map(|t| {
            if let Told::Databases(rows) = t {
                rows.clone()
            } else {
                vec![]
            }
        })
        .collect()
}

fn table_rows(ran: &Ran) -> Vec<TableRow> {
    told(ran)
        .into_iter()
        .flat_map(|t| {
            if let Told::Tables(rows) = t {
                rows.clone()
            } else {
                vec![]
            }
        })
        .collect()
}

pub fn schema(ran: &Ran) -> (&Schema, Option<&Problem>) {
    match &ran.end {
        Ok(Outcome::Browse(Browsed::Schema {
            schema,
            metadata_problem,
            ..
        })) => (schema, metadata_problem.as_deref()),
        other => panic!("{other:?}"),
    }
}

pub async fn deployed(options: Options) -> (World, Session) {
    let world = World::with(options);
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    (world, session)
}

#[tokio::test]
async fn every_table_of_the_lake_is_a_row_and_has_a_schema_or_a_clean_problem() {
    let (_world, session) = deployed(Options::default()).await;
    let listed = browse(&session, databases()).await;
    let rows = database_rows(&listed);
    assert!(matches!(&listed.end, Ok(Outcome::Browse(Browsed::Databases { total })) if *total == rows.len()));
    assert!(rows.len() >= 10, "{rows:?}");
    let (mut seen, mut iceberg, mut outside) = (0, 0, 0);
    for database in rows {
        let ran = browse(&session, tables(&database.name)).await;
        if let Err(problem) = &ran.end {
            assert!(database.link.is_some(), "{}: {problem:?}", database.name);
            continue;
        }
        for row in table_rows(&ran) {
            seen += 1;
            let ran = browse(&session, schema_of(&database.name, &row.name)).await;
            let (schema, problem) = schema(&ran);
            assert!(matches!(told(&ran)[..], [Told::GlueSchema(_)]), "{row:?}");
            assert_eq!(schema.kind, row.kind, "{row:?}");
            if row.notes.iter().any(|note| note.code == "outside-grant") {
                outside += 1;
                assert!(row.kind != TableKind::Iceberg || problem.is_some(), "{row:?}");
            }
            match (schema.source, problem) {
                (Source::Iceberg, None) => {
                    iceberg += 1;
                    assert!(
                        !schema.columns.is_empty() && schema.format_version.is_some(),
                        "{row:?}"
                    );
                }
                (Source::Glue, Some(problem)) => {
                    assert!(
                        matches!(
                            row.kind,
                            TableKind::Iceberg | TableKind::Hudi | TableKind::ResourceLink
                        ),
                        "{row:?}"
                    );
                    assert!(
                        !problem.what.is_empty() && !problem.next.is_empty(),
                        "{problem:?}"
                    );
                }
                (Source::DeltaLog, None) => assert_eq!(row.kind, TableKind::Delta),
                (Source::Glue, None) => {}
                (Source::Iceberg | Source::DeltaLog, Some(problem)) => panic!("{row:?}: {problem:?}"),
            }
            let text = format!("{schema:?}");
            assert!(!text.contains("\\u{1b}") && !text.contains('\u{1b}'), "{text}");
        }
    }
    assert!(
        seen >= 30 && iceberg >= 3 && outside >= 1,
        "{seen} tables, {iceberg} Iceberg, {outside} outside"
    );
}

#[tokio::test]
async fn a_table_whose_metadata_file_is_gone_says_so_although_s3_calls_it_denied() {
    let (_world, session) = deployed(Options::default()).await;
    let ran = browse(&session, schema_of("sales", "orders_lost")).await;
    let (schema, problem) = schema(&ran);
    let problem = problem.unwrap();
    assert_eq!(problem.kind, Kind::NotFound, "{problem:?}");
    assert_eq!(problem.what, "The table's metadata file is missing");
    assert!(
        problem.why.contains("orders_lost/metadata/00007") && !problem.why.contains("ListBucket"),
        "{problem:?}"
    );
    assert!(!schema.columns.is_empty(), "what Glue says is shown all the same");
}

#[tokio::test]
async fn long_lists_stream_page_by_page_through_one_session_of_the_role() {
    let (_world, session) = deployed(Options {
        tables: 250,
        ..Options::default()
    })
    .await;
    let calls = |session: &Session| session.settings.meter.reading().calls;
    let ran = browse(&session, tables("generated")).await;
    let pages: Vec<usize> = told(&ran)
        .iter()
        .map(|t| if let Told::Tables(rows) = t { rows.len() } else { 0 })
        .collect();
    assert_eq!(pages, [100, 100, 50]);
    let before = calls(&session);
    browse(&session, tables("generated")).await;
    assert_eq!(
        calls(&session) - before,
        3,
        "the role is assumed once, not for each step"
    );
}

#[tokio::test]
async fn what_is_not_deployed_says_its_stage_and_the_caller_may_look_all_the_same() {
    let world = World::start();
    let session = recorded(&world).await;
    let ran = browse(&session, databases()).await;
    assert_eq!(ran.problem().kind, Kind::CheckFailed);
    assert!(
        ran.problem().what.contains("at the stage deploy"),
        "{:?}",
        ran.problem()
    );
    let own = Request::Databases {
        catalog: "Lake House".parse().unwrap(),
        as_caller: true,
    };
    let ran = browse(&session, own.clone()).await;
    assert!(!database_rows(&ran).is_empty());

    let ran = browse(&world.caller(&world.demo.outsider), own).await;
    assert!(
        database_rows(&ran).is_empty(),
        "another account's catalog is not this one"
    );
}

#[tokio::test]
async fn a_denied_listing_is_a_problem_and_never_an_empty_list() {
    let (world, _) = deployed(Options::default()).await;
    let engine = world.caller(&world.demo.engine);
    let own = Request::Databases {
        catalog: "Lake House".parse().unwrap(),
        as_caller: true,
    };
    let ran = browse(&engine, own).await;
    let problem = ran.problem();
    assert_eq!(problem.kind, Kind::Denied, "{problem:?}");
    assert!(problem.what.contains("glue:GetDatabases"), "{problem:?}");
    // The broker lets the engine through, and the role is what reads.
    let ran = browse(&engine, databases()).await;
    assert!(!database_rows(&ran).is_empty(), "{:?}", ran.end);
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let (_world, session) = deployed(Options::default()).await;
    for request in [
        schema_of("sales", "no_such_table"),
        tables("no_such_database"),
        Request::Databases {
            catalog: "nowhere".parse().unwrap(),
            as_caller: false,
        },
    ] {
        let ran = browse(&session, request.clone()).await;
        assert_eq!(
            ran.problem().kind,
            Kind::NotFound,
            "{request:?}: {:?}",
            ran.problem()
        );
    }
    let ran = browse(
        &session,
        Request::Schema {
            file: false,
            fqn: "`Lake House`.sales".parse().unwrap(),
            as_caller: false,
        },
    )
    .await;
    assert_eq!(ran.problem().kind, Kind::Usage);
}
