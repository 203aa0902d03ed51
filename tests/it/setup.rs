//! The house's rules on records: who may, what is taken, what does not go together, and what is said about it.

use crate::support::jobs::{World, setup, try_setup};
use glueup::domain::access::Access;
use glueup::domain::problem::Kind;
use glueup::registry::{Catalog, Connection, Stage};
use glueup::session::Session;
use glueup::setup::{NewCatalog, NewConnection, NewOrganization, Outcome, Overview, Request};

pub fn new_connection(name: &str) -> NewConnection {
    NewConnection {
        account_id: Some("0123-4567-8901".parse().unwrap()),
        ..NewConnection::named(name.parse().unwrap())
    }
}

pub fn new_catalog(name: &str, connection: &str) -> NewCatalog {
    NewCatalog {
        name: name.parse().unwrap(),
        region: Some("us-west-2".parse().unwrap()),
        s3_path: Some("s3://acme-lake/warehouse".parse().unwrap()),
        access_point: Default::default(),
        access: Some(Access::ReadOnly),
        connection: Some(connection.parse().unwrap()),
        databases: Vec::new(),
        kms_key: None,
        catalog_kms_key: None,
        without_catalog_kms_key: false,
    }
}

pub async fn add_connection(session: &Session, new: NewConnection) -> (Connection, Vec<String>) {
    match setup(session, Request::AddConnection(Box::new(new))).await {
        Outcome::Connection(connection, advice) => (*connection, advice),
        other => panic!("{other:?}"),
    }
}

pub async fn add_catalog(session: &Session, new: NewCatalog) -> (Catalog, Vec<String>) {
    match setup(session, Request::AddCatalog(new)).await {
        Outcome::Catalog(catalog, advice) => (*catalog, advice),
        other => panic!("{other:?}"),
    }
}

pub async fn set_catalog(session: &Session, new: NewCatalog) -> (Catalog, Vec<String>) {
    match setup(session, Request::SetCatalog(new)).await {
        Outcome::Catalog(catalog, advice) => (*catalog, advice),
        other => panic!("{other:?}"),
    }
}

pub async fn overview(session: &Session) -> Overview {
    match setup(session, Request::Overview).await {
        Outcome::Overview(overview) => *overview,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_external_id_is_made_and_the_caller_trusted_where_there_is_no_broker() {
    let world = World::start();
    let session = world.admin();
    let (first, advice) = add_connection(&session, new_connection("sales-prod")).await;
    let (second, _) = add_connection(&session, new_connection("Sales Prod")).await;
    assert_ne!(first.external_id, second.external_id);
    assert_eq!(first.stack_name.as_str(), "glueup-connection-sales-prod");
    assert!(
        second
            .stack_name
            .as_str()
            .starts_with("glueup-connection-sales-prod-"),
        "{}",
        second.stack_name
    );
    let admin = format!("arn:aws:iam::{}:user/admin", world.demo.account_id);
    assert_eq!(
        first.trust.iter().map(|p| p.as_str()).collect::<Vec<_>>(),
        [admin.as_str()]
    );
    assert!(
        advice.iter().any(|line| line.contains("hop 1 is skipped")),
        "{advice:?}"
    );
    assert_eq!((first.role_arn, first.adopted), (None, false));
}

#[tokio::test]
async fn the_organizations_broker_is_trusted_and_nobody_has_to_sign_in() {
    let world = World::start();
    // Wrong keys: a sign-in would be refused.
    let session = world.caller(&glueup::demo::handle::KeyPair {
        id: "AKIANOBODY".into(),
        secret: "x".into(),
    });
    let broker: glueup::domain::arn::RoleArn = world.demo.broker_role_arn.parse().unwrap();
    let new = NewOrganization {
        broker_role_arn: Some(broker.clone()),
        ..NewOrganization::default()
    };
    setup(&session, Request::Init(new)).await;
    let (connection, _) = add_connection(&session, new_connection("sales")).await;
    assert_eq!(
        (connection.broker_role_arn, connection.trust),
        (Some(broker), Vec::new())
    );
}

#[tokio::test]
async fn taken_names_are_refused_and_so_are_names_whose_stack_is_taken() {
    let world = World::start();
    let session = world.admin();
    let (odd, _) = add_connection(&session, new_connection("Sales Prod")).await;
    let taken = try_setup(
        &session,
        Request::AddConnection(Box::new(new_connection("Sales Prod"))),
    )
    .await
    .unwrap_err();
    assert_eq!(taken.kind, Kind::Usage);
    assert!(taken.what.contains("a connection called Sales Prod"), "{taken:?}");
    add_catalog(&session, new_catalog("Lake House", "Sales Prod")).await;
    let taken = try_setup(
        &session,
        Request::AddCatalog(new_catalog("Lake House", "Sales Prod")),
    )
    .await
    .unwrap_err();
    assert_eq!(taken.kind, Kind::Usage);
    assert!(taken.what.contains("a catalog called Lake House"), "{taken:?}");
    // Another name, whose stack's name is the very one that the odd name got with its hash.
    let slug = odd
        .stack_name
        .as_str()
        .strip_prefix("glueup-connection-")
        .unwrap();
    let taken = try_setup(&session, Request::AddConnection(Box::new(new_connection(slug))))
        .await
        .unwrap_err();
    assert!(
        taken.what.contains("is taken") && taken.why.contains("Sales Prod"),
        "{taken:?}"
    );
}

#[tokio::test]
async fn a_user_is_told_who_the_admins_are() {
    let world = World::start();
    world.admins(&["arn:aws:iam::*:user/boss"]);
    let session = world.admin();
    for request in [
        Request::AddConnection(Box::new(new_connection("sales"))),
        Request::AddCatalog(new_catalog("lake", "sales")),
        Request::DeleteConnection("sales".parse().unwrap()),
        Request::Init(NewOrganization {
            admins: vec!["*".into()],
            ..NewOrganization::default()
        }),
    ] {
        let problem = try_setup(&session, request).await.unwrap_err();
        assert_eq!((problem.kind, problem.exit_code()), (Kind::Denied, 4));
        assert!(
            problem.why.contains("arn:aws:iam::*:user/boss"),
            "{}",
            problem.why
        );
    }
    let seen = overview(&session).await;
    assert_eq!(seen.role.unwrap().0, glueup::domain::organization::Role::User);
}

#[tokio::test]
async fn an_edition_that_may_not_create_says_so() {
    let world = World::start();
    let session = world.admin();
    let new = NewOrganization {
        platform: Some("wherobots".into()),
        edition: Some("community".into()),
        broker_role_arn: Some(world.demo.broker_role_arn.parse().unwrap()),
        ..NewOrganization::default()
    };
    setup(&session, Request::Init(new)).await;
    let problem = try_setup(
        &session,
        Request::AddConnection(Box::new(new_connection("sales"))),
    )
    .await
    .unwrap_err();
    assert_eq!(problem.kind, Kind::Denied);
    assert!(problem.why.contains("Community"), "{}", problem.why);
    let edition = NewOrganization {
        edition: Some("Enterprise".into()),
        ..NewOrganization::default()
    };
    setup(&session, Request::Init(edition)).await;
    let (connection, _) = add_connection(&session, new_connection("sales")).await;
    assert_eq!(connection.stack_name.as_str(), "wherobots-connection-sales");
}

#[tokio::test]
async fn partitions_are_not_mixed() {
    let world = World::start();
    let session = world.admin();
    let mixed = NewConnection {
        broker_role_arn: Some("arn:aws-cn:iam::999988887777:role/broker".parse().unwrap()),
        trust: vec!["arn:aws:iam::012345678901:user/ann".parse().unwrap()],
        ..new_connection("mixed")
    };
    let problem = try_setup(&session, Request::AddConnection(Box::new(mixed)))
        .await
        .unwrap_err();
    assert!(problem.what.contains("mixes partitions"), "{problem:?}");
    add_connection(&session, new_connection("sales")).await;
    let china = NewCatalog {
        region: Some("cn-north-1".parse().unwrap()),
        ..new_catalog("lake", "sales")
    };
    let problem = try_setup(&session, Request::AddCatalog(china)).await.unwrap_err();
    assert_eq!(problem.kind, Kind::Usage);
    assert!(problem.why.contains("aws-cn"), "{}", problem.why);
    assert!(overview(&session).await.catalogs.is_empty());
}

#[tokio::test]
async fn the_first_catalog_decides_where_the_connections_stack_lives() {
    let world = World::start();
    let session = world.admin();
    add_connection(&session, new_connection("sales")).await;
    let eu = NewCatalog {
        region: Some("eu-west-1".parse().unwrap()),
        ..new_catalog("first", "sales")
    };
    add_catalog(&session, eu).await;
    add_catalog(&session, new_catalog("second", "sales")).await;
    let seen = overview(&session).await;
    assert_eq!(
        seen.connections[0].connection.region.as_ref().unwrap().as_str(),
        "eu-west-1"
    );
    assert_eq!(seen.connections[0].catalogs.len(), 2);
    assert_eq!(seen.catalogs[0].stage, Stage::Deploy);
    let problem = try_setup(&session, Request::AddCatalog(new_catalog("third", "nowhere")))
        .await
        .unwrap_err();
    assert_eq!(problem.kind, Kind::NotFound);
}

#[tokio::test]
async fn a_wide_grant_and_wide_company_are_said() {
    let world = World::start();
    let session = world.admin();
    add_connection(&session, new_connection("sales")).await;
    let wide = NewCatalog {
        access: Some(Access::ReadWrite),
        s3_path: Some("s3://acme-lake".parse().unwrap()),
        ..new_catalog("wide", "sales")
    };
    let (catalog, advice) = add_catalog(&session, wide).await;
    assert_eq!(catalog.stack_name.as_str(), "glueup-glue-readwrite-wide");
    assert!(
        advice
            .iter()
            .any(|line| line.starts_with("whole bucket, read-write")),
        "{advice:?}"
    );
    let (_, advice) = add_catalog(&session, new_catalog("narrow", "sales")).await;
    let company = advice
        .iter()
        .find(|line| line.contains("second connection"))
        .expect("words about the company");
    assert!(company.contains("wide (read-write, s3://acme-lake)"), "{company}");
}

#[tokio::test]
async fn a_connection_that_serves_catalogs_is_not_deleted() {
    let world = World::start();
    let session = world.admin();
    add_connection(&session, new_connection("sales")).await;
    add_catalog(&session, new_catalog("Lake House", "sales")).await;
    let delete = || Request::DeleteConnection("sales".parse().unwrap());
    let problem = try_setup(&session, delete()).await.unwrap_err();
    assert_eq!(problem.kind, Kind::CheckFailed);
    assert!(problem.why.contains("Lake House"), "{}", problem.why);
    setup(&session, Request::DeleteCatalog("Lake House".parse().unwrap())).await;
    setup(&session, delete()).await;
    assert!(overview(&session).await.connections.is_empty());
}

#[tokio::test]
async fn an_adopted_role_must_be_in_the_connections_account() {
    let world = World::start();
    let session = world.admin();
    let role = |account: &str| {
        Some(
            format!("arn:aws:iam::{account}:role/lake-reader")
                .parse()
                .unwrap(),
        )
    };
    let stray = NewConnection {
        role_arn: role("111122223333"),
        ..new_connection("old")
    };
    assert_eq!(
        try_setup(&session, Request::AddConnection(Box::new(stray)))
            .await
            .unwrap_err()
            .kind,
        Kind::Usage
    );
    let new = NewConnection {
        role_arn: role("012345678901"),
        ..new_connection("old")
    };
    let (connection, advice) = add_connection(&session, new).await;
    assert!(connection.adopted);
    assert!(
        advice
            .iter()
            .any(|line| line.contains(connection.external_id.as_str())),
        "{advice:?}"
    );
}

#[tokio::test]
async fn one_broken_record_hides_no_other() {
    let world = World::start();
    let session = world.admin();
    add_connection(&session, new_connection("sales")).await;
    let file = world.home.root().join("connections/broken.yaml");
    std::fs::write(&file, "name: broken\naccount_id: 012345670123\n").unwrap();
    let seen = overview(&session).await;
    assert_eq!((seen.connections.len(), seen.broken.len()), (1, 1));
    assert_eq!(seen.broken[0].file, file);
}
