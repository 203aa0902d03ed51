//! The ladder of a platform that needs less of it.

use crate::deploy::{catalog, connection, deploy, yes};
use crate::setup::{add_catalog, add_connection, new_catalog, new_connection};
use crate::support::jobs::{World, setup};
use crate::verify::{report, rung, verify};
use glueup::domain::status::Status::{Passed, Skipped, Warning};
use glueup::setup::{NewCatalog, NewOrganization, Request as Setup};
use glueup::verify::RungId;

#[tokio::test]
async fn a_platform_that_never_lists_is_not_asked_to() {
    let world = World::start();
    let session = world.admin();
    let new = NewOrganization {
        platform: Some("chalk".into()),
        ..NewOrganization::default()
    };
    setup(&session, Setup::Init(new)).await;
    add_connection(&session, new_connection("sales")).await;
    add_catalog(&session, new_catalog("Lake House", "sales")).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let ran = yes(&session, verify()).await;
    let report = report(&ran);
    let broker = rung(report, RungId::Broker);
    assert_eq!(broker.status, Skipped, "{broker:?}");
    for id in [RungId::Databases, RungId::List] {
        let rung = rung(report, id);
        assert_eq!(rung.status, Skipped);
        assert!(rung.answer.contains("Chalk"), "{rung:?}");
    }
    let tables = rung(report, RungId::Tables);
    assert_eq!(
        (tables.status, tables.action.as_deref()),
        (Passed, Some("glue:GetTable")),
        "{tables:?}"
    );
    // What was not looked at is neither counted as none nor laid at anybody's door.
    let read = rung(report, RungId::Read);
    assert_eq!(read.status, Warning, "{read:?}");
    assert!(read.answer.contains("Chalk lists nothing"), "{read:?}");
    assert!(!read.next.as_deref().unwrap().contains("listing"), "{read:?}");
    let locations = rung(report, RungId::Locations);
    assert_eq!(locations.status, Skipped, "{locations:?}");
    assert!(locations.answer.contains("--database"), "{locations:?}");

    let named = NewCatalog {
        databases: vec!["sales".into()],
        ..new_catalog("Lake House", "sales")
    };
    setup(&session, Setup::SetCatalog(named)).await;
    yes(&session, deploy(catalog())).await.deployed();
    let ran = yes(&session, verify()).await;
    let locations = rung(crate::verify::report(&ran), RungId::Locations);
    assert!(
        locations.status != Skipped && !locations.answer.contains(" 0 tables"),
        "{locations:?}"
    );
}
