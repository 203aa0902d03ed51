//! What a role needs: all of it is granted, and what it lacks is named.

use super::{CATALOG, allow, hand_made, part, reads, right_trust};
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::support::iam;
use crate::support::jobs::World;
use crate::verify::{report, rung, verify};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Passed, Warning};
use glueup::registry::Catalog;
use glueup::verify::{Basis, RungId};

#[tokio::test]
async fn what_our_own_stack_grants_read_write_is_all_of_it() {
    for databases in [vec![], vec!["sales".to_owned()]] {
        let world = World::start();
        let session = recorded(&world).await;
        let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
        let changed = Catalog {
            access: Access::ReadWrite,
            databases: databases.clone(),
            ..stored.record.clone()
        };
        world.home.update(&stored, changed).unwrap();
        yes(&session, deploy(connection())).await.deployed();
        yes(&session, deploy(catalog())).await.deployed();
        let ran = yes(&session, verify()).await;
        let write = rung(report(&ran), RungId::Write);
        assert_eq!(write.status, Passed, "{write:#?}");
        for action in ["s3:PutObject", "glue:UpdateTable", "glue:DeleteTable"] {
            assert_eq!(part(write, action).status, Passed, "{write:#?}");
        }
        if databases.is_empty() {
            assert_eq!(part(write, "glue:DeleteDatabase").status, Passed, "{write:#?}");
        }
    }
}

#[tokio::test]
async fn what_the_rungs_do_not_try_and_engines_call_is_named() {
    let world = World::start();
    let session = recorded(&world).await;
    let mut statements = reads();
    let tried = [
        "glue:GetCatalog",
        "glue:GetDatabase*",
        "glue:GetTable",
        "glue:GetTables",
    ];
    statements[0] = allow(&tried, &[CATALOG]);
    let trust = right_trust(&world);
    hand_made(&world, &session, "narrow", trust, &statements, Access::ReadOnly).await;
    let ran = yes(&session, verify()).await;
    let tables = rung(report(&ran), RungId::Tables);
    assert_eq!(tables.status, Warning, "{tables:#?}");
    for action in [
        "glue:GetPartitions",
        "glue:BatchGetPartition",
        "glue:GetTableVersions",
    ] {
        assert!(tables.answer.contains(action), "{tables:#?}");
    }
    for command in iam::commands(tables.next.as_deref().unwrap()) {
        iam::run(&world.demo, &command);
    }
    let ran = yes(&session, verify()).await;
    let tables = rung(report(&ran), RungId::Tables);
    assert_eq!(tables.status, Passed, "{tables:#?}");
    assert_eq!(part(tables, "what its engines call besides").basis, Basis::Policy);
}
