//! Stories of the browser: databases, tables and a schema.

use crate::screens::fixtures::*;
use glueup::browse::{Outcome as Browsed, Update as BrowseUpdate};
use glueup::domain::glue::ResourceLink;
use glueup::domain::kind::{Format, Note, TableKind};
use glueup::domain::schema::{
    Column, PartitionField, Ref, RefKind, Schema, Snapshot, SortField, Source, Statistics, ToldBy,
};
use glueup::domain::sides::{DataFile, Difference, FileDifference, Mismatch};
use glueup::job::{Event, Outcome, Update};
use glueup::tui::effect::Slot;
use std::collections::BTreeMap;

pub fn browse_started() -> Story {
    let mut story = Story::with(in_use());
    story.enter();
    story
}

pub fn browse_databases() -> Story {
    let mut story = browse_started();
    let mut link = database("hr_link");
    link.link = Some(Box::new(ResourceLink {
        catalog_id: Some("111122223333".into()),
        database: Some("hr".into()),
        ..ResourceLink::default()
    }));
    let names = ["sales", "weather", "a-b", "日本"];
    let mut rows: Vec<_> = names.iter().map(|name| database(name)).collect();
    rows.push(link);
    story.event(
        Slot::Databases,
        Event::Update(Update::Browse(BrowseUpdate::Databases(rows))),
    );
    story.done(
        Slot::Databases,
        Ok(Outcome::Browse(Browsed::Databases { total: 5 })),
    );
    story
}

pub fn browse_tables() -> Story {
    let mut story = browse_databases();
    let rows = vec![
        table("orders", |t| {
            iceberg(t);
            t.description = Some(
                "What was ordered, one row an order.␊Corrected until the month is closed: read it with a snapshot, not \
                 with the newest state."
                    .into(),
            );
        }),
        table("orders_raw", |t| t.table_type = Some("EXTERNAL_TABLE".into())),
        table("broken", |_| {}),
        table("clicks\u{1b}]52;c;ZXZpbA==\u{7}", iceberg),
        table("a\u{202e}gnp.exe", iceberg),
        table("日本語👩‍🔬é①", iceberg),
        table("staff", |t| {
            t.target = Some(ResourceLink {
                catalog_id: Some("111122223333".into()),
                database: Some("hr".into()),
                table: Some("staff".into()),
                region: Some("us-east-1".into()),
            });
        }),
    ];
    story.event(
        Slot::Tables,
        Event::Update(Update::Browse(BrowseUpdate::Tables(rows))),
    );
    story.done(Slot::Tables, Ok(Outcome::Browse(Browsed::Tables { total: 7 })));
    story
}

pub fn column(name: &str, kind: &str, required: bool, children: Vec<Column>) -> Column {
    Column {
        name: name.into(),
        type_text: kind.into(),
        required,
        children,
        ..Column::default()
    }
}

fn sorted_by(columns: &[&str]) -> Vec<SortField> {
    columns
        .iter()
        .map(|column| SortField {
            source: (*column).into(),
            transform: "identity".into(),
            direction: "desc".into(),
            null_order: "nulls-last".into(),
        })
        .collect()
}

fn snapshots() -> Vec<Snapshot> {
    let one = |id: &str, seconds, operation: &str| Snapshot {
        id: id.into(),
        at: Some(at(seconds).wall),
        operation: Some(operation.into()),
        parent_id: None,
    };
    vec![
        one("3051729675574597004", 60, "append"),
        one("7741120305117264003", 0, "overwrite"),
    ]
}

fn refs() -> Vec<Ref> {
    let one = |name: &str, kind, id: &str| Ref {
        name: name.into(),
        kind,
        snapshot_id: id.into(),
    };
    vec![
        one("main", RefKind::Branch, "3051729675574597004"),
        one("end-of-year", RefKind::Tag, "7741120305117264003"),
    ]
}

fn differing(all: &[(&str, Option<&str>, Option<&str>)]) -> Vec<Difference> {
    all.iter()
        .map(|(column, glue, metadata)| Difference {
            column: (*column).into(),
            glue: glue.map(str::to_owned),
            metadata: metadata.map(str::to_owned),
        })
        .collect()
}

pub fn schema(source: Source) -> Schema {
    let geo = vec![
        column("lat", "double", false, vec![]),
        column("lon", "double", false, vec![]),
    ];
    let address = vec![
        column("street", "string", false, vec![]),
        column("geo", "struct", false, geo),
    ];
    let iceberg = source == Source::Iceberg;
    Schema {
        fqn: "`Lake House`.sales.orders".into(),
        kind: TableKind::Iceberg,
        format: Some(Format::Parquet),
        file: None,
        views: vec![],
        source,
        sort: sorted_by(if iceberg { &["ts"] } else { &[] }),
        statistics: iceberg.then(|| Statistics {
            told_by: ToldBy::Snapshot,
            rows: Some(1_204_332),
            bytes: Some(412 << 20),
            files: Some(14),
            delete_files: Some(2),
            distinct: BTreeMap::from([("id".to_owned(), 1_204_332)]),
        }),
        snapshots: if iceberg { snapshots() } else { vec![] },
        refs: if iceberg { refs() } else { vec![] },
        properties: BTreeMap::from([("write.format.default".to_owned(), "parquet".to_owned())]),
        differences: differing(if iceberg {
            &[
                ("id", Some("int"), Some("bigint")),
                ("note", Some("string"), None),
            ]
        } else {
            &[]
        }),
        location: Some("s3://acme-lake/warehouse/sales.db/orders".into()),
        format_version: iceberg.then_some(2),
        snapshot: iceberg.then(|| Snapshot {
            id: "3051729675574597004".into(),
            at: Some(at(0).wall),
            operation: Some("append".into()),
            parent_id: None,
        }),
        columns: vec![
            column("id", "long", true, vec![]),
            column("ts", "timestamptz", false, vec![]),
            column(
                "address",
                "struct<street: string, geo: struct<lat: double, lon: double>>",
                false,
                address,
            ),
            column(
                "tags",
                "list<string>",
                false,
                vec![column("element", "string", false, vec![])],
            ),
        ],
        partition: vec![PartitionField {
            source: "ts".into(),
            transform: "day".into(),
            name: "ts_day".into(),
        }],
        history: vec![column("old_price", "float", false, vec![])],
        notes: vec![Note::new(
            "outside-grant",
            "its files lie outside the granted prefix",
        )],
    }
}

pub fn browse_schema() -> Story {
    browse_a_schema_of(schema(Source::Iceberg))
}

/// Long names, long types, a deep tree, names that are nothing but trouble, and a column that is never null.
pub fn odd_schema() -> Schema {
    let mut odd = schema(Source::Iceberg);
    let deep = (0..5).fold(column("leaf", "decimal(38,18)", true, vec![]), |child, n| {
        column(&format!("level_{n}"), "struct", false, vec![child])
    });
    odd.columns = vec![
        column("id", "long", true, vec![]),
        column(
            "amount_in_the_currency_of_the_order",
            "decimal(38,18)",
            true,
            vec![],
        ),
        column("日本語の列", "timestamptz_ns", false, vec![]),
        column("", "string", false, vec![]),
        column("a<U+202E>b", "fixed(16)", false, vec![]),
        deep,
    ];
    odd.columns[1].notes = vec![Note::new("unknown-type", "a type that no engine knows")];
    let mut renamed = column("amount", "decimal(12,2)", false, vec![]);
    renamed.notes = vec![Note::new(
        "renamed-column",
        "Now called amount_in_the_currency_of_the_order",
    )];
    odd.history.push(renamed);
    odd
}

/// The orders, with a file that was written before the table was changed.
pub fn with_file() -> Schema {
    let mut schema = schema(Source::Iceberg);
    let difference = |column: &str, table: Option<&str>, file: Option<&str>, why| FileDifference {
        column: column.into(),
        table: table.map(Into::into),
        file: file.map(Into::into),
        why,
    };
    schema.file = Some(Box::new(DataFile {
        location: "s3://acme-lake/warehouse/sales.db/orders/data/ts_day=2026-10-04/00000-0-d8cc6cdf-2f7e-4d16-b66b-a95daec32267.parquet".into(),
        bytes: 3_481,
        rows: 84,
        row_groups: 1,
        compression: Some("ZSTD".into()),
        written_by: Some("parquet-mr version 1.17.1 (build 78a8d3230eb4769db93de5f2f2e18363c04cae81)".into()),
        columns: schema.columns.iter().take(2).cloned().collect(),
        differences: vec![
            difference("id", Some("long"), Some("int"), Mismatch::Widened),
            difference("amount_in_the_currency_of_the_order", Some("decimal(12,2)"), Some("amount decimal(12,2)"), Mismatch::Renamed),
            difference("日本語の列.e\u{301}", Some("string"), None, Mismatch::Missing),
            difference("flag", None, Some("boolean"), Mismatch::Extra),
            difference("ts", Some("timestamptz"), Some("timestamp"), Mismatch::OtherType),
        ],
        notes: vec![Note::new("no-field-ids", "it has no field ids: engines read it by the table's schema.name-mapping.default")],
    }));
    schema
}

pub fn browse_a_schema_of(schema: Schema) -> Story {
    let mut story = browse_tables();
    story.enter().wait(1);
    let outcome = Browsed::Schema {
        schema: Box::new(schema),
        metadata_problem: None,
        file_problem: None,
    };
    story.done(Slot::Schema, Ok(Outcome::Browse(outcome)));
    story.tab();
    story
}
