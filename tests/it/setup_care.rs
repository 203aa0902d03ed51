//! Nobody is shut out by a typo, nothing half-typed is lost, and lists are in the order of their readers.

use crate::setup::{add_catalog, add_connection, new_catalog, new_connection, overview};
use crate::support::jobs::{World, setup, try_setup};
use glueup::domain::problem::Kind;
use glueup::registry::{Connection, Draft, DraftOf, GrantKind, Holder, Stage};
use glueup::setup::{NewOrganization, Outcome, Request};

#[tokio::test]
async fn nobody_shuts_himself_out_by_a_typo() {
    let world = World::start();
    let admins = |pattern: &str| {
        Request::Init(NewOrganization {
            admins: vec![pattern.into()],
            ..NewOrganization::default()
        })
    };
    let problem = try_setup(&world.admin(), admins("arn:aws:iam::*:user/amdin"))
        .await
        .unwrap_err();
    let me = format!("arn:aws:iam::{}:user/admin", world.demo.account_id);
    assert_eq!(problem.kind, Kind::Usage, "{problem:?}");
    assert!(
        problem.why.contains(&me) && problem.why.contains("user/amdin"),
        "{problem:?}"
    );
    assert!(problem.next.contains(&format!("--admin '{me}'")), "{problem:?}");
    assert!(world.home.organization().unwrap().is_none());

    let Outcome::Organization(_, advice) = setup(&world.admin(), admins("arn:aws:iam::*:user/admin")).await
    else {
        panic!("no organization")
    };
    assert!(advice.is_empty(), "{advice:?}");

    // Who is nobody cannot be looked up: that is said, and how to undo it.
    let world = World::start();
    let nobody = world.caller(&glueup::demo::handle::KeyPair {
        id: "AKIANOBODY".into(),
        secret: "x".into(),
    });
    let Outcome::Organization(written, advice) = setup(&nobody, admins("arn:aws:iam::*:user/boss")).await
    else {
        panic!("no organization")
    };
    assert_eq!(written.admins, ["arn:aws:iam::*:user/boss"]);
    assert!(advice[0].contains("organization.yaml"), "{advice:?}");
}

#[tokio::test]
async fn a_half_typed_catalog_stays_until_its_own_record_is_made() {
    let world = World::start();
    let session = world.admin();
    add_connection(&session, new_connection("sales")).await;
    let draft = |of: DraftOf, name: &str| Draft {
        of,
        step: Stage::Details,
        fields: [("name".to_owned(), name.to_owned())].into(),
        at: "2026-11-30T14:00:00Z".parse().unwrap(),
    };
    let typed = draft(DraftOf::New(GrantKind::Catalog), " Half Typed ");
    // A storage integration of that name is another thing.
    let storage = draft(DraftOf::New(GrantKind::Storage), "Half Typed");
    setup(&session, Request::SaveDraft(typed.clone())).await;
    setup(&session, Request::SaveDraft(storage.clone())).await;
    add_catalog(&session, new_catalog("Another", "sales")).await;
    let another = DraftOf::Recorded(Holder::Catalog("Another".parse().unwrap()));
    setup(&session, Request::SaveDraft(draft(another.clone(), "Another"))).await;
    setup(&session, Request::DropDraft(another)).await;
    assert_eq!(world.home.drafts().len(), 2);
    assert!(world.home.drafts().contains(&typed));
    add_catalog(&session, new_catalog("Half Typed", "sales")).await;
    assert_eq!(world.home.drafts(), [storage]);
}

#[tokio::test]
async fn lists_are_sorted_as_people_read_names() {
    let world = World::start();
    let session = world.admin();
    for name in ["zoo", "Zoo", "beta 2", "Alpha", "Ärger"] {
        add_connection(&session, new_connection(name)).await;
        add_catalog(&session, new_catalog(name, name)).await;
    }
    let seen = overview(&session).await;
    let sorted = ["Alpha", "beta 2", "Zoo", "zoo", "Ärger"];
    let names: Vec<&str> = seen
        .connections
        .iter()
        .map(|row| row.connection.name.as_str())
        .collect();
    assert_eq!(names, sorted);
    let names: Vec<&str> = seen
        .catalogs
        .iter()
        .map(|row| row.catalog.name.as_str())
        .collect();
    assert_eq!(names, sorted);
}

#[tokio::test]
async fn a_verifier_that_is_a_whole_account_is_refused_with_a_command_for_this_connection() {
    let world = World::start();
    let session = world.admin();
    add_connection(&session, new_connection("the lake")).await;
    // No form takes one; a record that is written by hand may have it.
    let stored = world.home.connection(&"the lake".parse().unwrap()).unwrap();
    let by_hand = Connection {
        verifier: Some("arn:aws:iam::012345678901:root".parse().unwrap()),
        ..stored.record.clone()
    };
    world.home.update(&stored, by_hand).unwrap();
    let set = Request::SetConnection(Box::new(new_connection("the lake")));
    let problem = try_setup(&session, set).await.unwrap_err();
    let command = "glueup connection set 'the lake' --verifier ARN";
    assert!(problem.next.ends_with(command), "{problem:?}");
}
