//! Where the tables lie, by policy: as whoever keeps the catalog sees them.

use super::{judged, refuses, vendors, vendors_own};
use crate::support::jobs::World;
use crate::verify::rung;
use crate::verify_breaks::through;
use crate::verify_limits::{allow, hand_made, reads, right_trust, with};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Skipped, Warning};
use glueup::verify::{Basis, RungId};
use serde_json::json;

#[tokio::test]
async fn tables_elsewhere_are_found_by_policy_and_what_policies_say_of_their_places() {
    let world = World::start();
    let session = vendors(&world).await;
    let trust = vendors_own(&world, &right_trust(&world));
    hand_made(
        &world,
        &session,
        "right",
        trust.clone(),
        &reads(),
        Access::ReadOnly,
    )
    .await;
    let found = rung(&judged(&session).await, RungId::Locations).clone();
    assert_eq!(
        (found.status, found.basis),
        (Warning, Basis::Policy),
        "{found:#?}"
    );
    for name in ["odd.no_slash", "odd.on_hdfs", "sales.orders_2023", "sales.prices"] {
        assert!(found.answer.contains(name), "{found:#?}");
    }
    assert!(!found.answer.contains("all the same"), "{found:#?}");
    assert!(!found.answer.contains("would be refused"), "{found:#?}");
    let next = found.next.as_deref().unwrap();
    assert!(
        next.contains("s3://acme-lake/archive/sales/orders_2023/"),
        "{next}"
    );

    let archive = with(allow(&["s3:GetObject"], &["arn:aws:s3:::acme-lake/archive/*"]));
    hand_made(
        &world,
        &session,
        "wide",
        trust.clone(),
        &archive,
        Access::ReadOnly,
    )
    .await;
    let found = rung(&judged(&session).await, RungId::Locations).clone();
    let words = "the policies let the role read all the same in s3://acme-lake/archive/sales/orders_2023/";
    assert!(found.answer.contains(words), "{found:#?}");

    let below = "arn:aws:s3:::acme-lake/warehouse/sales/*";
    let shut = with(json!({"Effect": "Deny", "Action": "s3:GetObject", "Resource": below}));
    hand_made(&world, &session, "shut", trust, &shut, Access::ReadOnly).await;
    let found = rung(&judged(&session).await, RungId::Locations).clone();
    let words = "though below the prefix, reading would be refused in s3://acme-lake/warehouse/sales/";
    assert!(found.answer.contains(words), "{found:#?}");

    let blind = through(&world, refuses("GetTables"));
    let found = rung(&judged(&blind).await, RungId::Locations).clone();
    assert_eq!(found.status, Skipped, "{found:#?}");
    assert!(found.answer.contains("the tables cannot be listed"), "{found:#?}");
}
