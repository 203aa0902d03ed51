//! A catalog, counted.

use crate::screens::fixtures::denied;
use glueup::browse::{Census, PerVerdict, Unread};
use glueup::domain::kind::TableKind;
use glueup::domain::s3_path::S3Location;

/// A census of a catalog that could not be read whole.
pub fn census() -> Census {
    let mut census = Census {
        databases: 14,
        links: 2,
        federated: 1,
        tables: 1_204,
        complete: false,
        ..Census::default()
    };
    census.by_kind.extend([
        (TableKind::Iceberg, 1_100),
        (TableKind::Hive, 90),
        (TableKind::PrestoView, 14),
    ]);
    census
        .by_note
        .extend([("outside-grant", 7), ("unknown-type", 1), ("never-committed", 7)]);
    let engines = [
        ("spark", 1_093, 90, 21),
        ("trino", 1_093, 104, 7),
        ("clickhouse", 1_093, 0, 111),
    ];
    census
        .by_engine
        .extend(engines.map(|(engine, yes, with_setting, no)| {
            (
                engine,
                PerVerdict {
                    yes,
                    with_setting,
                    no,
                },
            )
        }));
    let files = [
        "s3://acme-lake/warehouse/sales/orders",
        "s3://acme-lake/warehouse/weather/readings",
        "s3://acme-partner/shared/prices",
    ];
    for location in files {
        census.cover.add(&S3Location::new(location));
    }
    census.unreadable.push(Unread {
        database: Some("hr".into()),
        problem: Box::new(denied()),
    });
    census
}
