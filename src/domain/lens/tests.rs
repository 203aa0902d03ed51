use super::rules::{Data, FILE};
use super::*;
use std::collections::BTreeSet;

mod verdicts;

const NOTES: &[Note] = &[];

fn facts(kind: TableKind) -> Facts<'static> {
    Facts {
        kind,
        format: None,
        notes: NOTES,
        database: "sales",
        table: "orders",
        format_version: None,
        columns: &[],
    }
}

fn of<'a>(judged: &'a [Judgement], engine: &str) -> &'a Judgement {
    judged.iter().find(|j| j.engine == engine).unwrap()
}

fn said(facts: &Facts<'_>, engine: &str) -> String {
    let judged = judge(facts);
    let one = of(&judged, engine);
    format!("{}: {}", one.verdict, one.why)
}

/// A page, not a host; on GitHub an issue or a file, not a repository.
fn leads_somewhere(source: &str) -> bool {
    let parts: Vec<&str> = source
        .strip_prefix("https://")
        .unwrap_or_default()
        .split('/')
        .collect();
    let least = if parts.first() == Some(&"github.com") {
        5
    } else {
        2
    };
    parts.len() >= least && parts.iter().all(|part| !part.is_empty() && !part.contains(' '))
}

#[test]
fn the_file_is_whole_and_says_where_it_has_everything_from() {
    let data: Data = serde_saphyr::from_str(FILE).unwrap();
    let ids: Vec<&str> = data.engines.iter().map(|e| e.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "spark",
            "pyiceberg",
            "duckdb",
            "trino",
            "athena",
            "snowflake",
            "clickhouse",
            "chalk",
            "wherobots",
            "pinot"
        ]
    );
    for rule in &data.rules {
        assert!(leads_somewhere(&rule.source), "{rule:?}");
        assert!(
            rule.engines.iter().all(|e| ids.contains(&e.as_str())) && !rule.engines.is_empty(),
            "{rule:?}"
        );
        assert!(
            rule.kind.iter().all(|kind| TableKind::named(kind).is_some()),
            "{rule:?}"
        );
        assert_eq!(
            rule.verdict() == Verdict::WithSetting,
            rule.setting.is_some(),
            "{rule:?}"
        );
        assert!(!rule.why.ends_with('.') && !rule.why.is_empty(), "{rule:?}");
        let conditions = [rule.kind.is_empty(), rule.note.is_empty(), rule.types.is_empty()];
        assert!(conditions.contains(&false), "it would hold always: {rule:?}");
    }
}

/// Every kind is judged on purpose by every engine: nothing that is no Iceberg table is a yes for want of a rule.
#[test]
fn only_iceberg_is_a_yes_without_a_rule() {
    let yes: BTreeSet<(&str, &str)> = TableKind::ALL
        .into_iter()
        .filter(|kind| *kind != TableKind::Iceberg)
        .flat_map(|kind| {
            let judged = judge(&facts(kind))
                .into_iter()
                .filter(|j| j.verdict == Verdict::Yes);
            judged.map(move |j| (kind.as_str(), j.engine))
        })
        .collect();
    let athena = [
        "delta",
        "hive",
        "hudi",
        "materialized-view",
        "multi-dialect-view",
        "presto-view",
        "resource-link",
    ];
    assert_eq!(yes, athena.map(|kind| (kind, "athena")).into());
    assert!(
        judge(&facts(TableKind::Iceberg))
            .iter()
            .all(|j| j.verdict == Verdict::Yes)
    );
}

#[test]
fn the_worst_verdict_counts_with_all_its_reasons() {
    let notes = [
        Note::new("union-type", "x"),
        Note::new("partition-projection", "x"),
    ];
    let table = Facts {
        notes: &notes,
        ..facts(TableKind::Hive)
    };
    assert_eq!(
        said(&table, "spark"),
        "no: UNSUPPORTED_HIVE_TYPE, it does not read unions; it does not know partition projection, and would find no rows"
    );
    let judged = judge(&table);
    assert!(
        of(&judged, "spark").settings.is_empty(),
        "a setting does not help against a no"
    );
    assert_eq!(of(&judged, "trino").verdict, Verdict::WithSetting);
    assert_eq!(of(&judged, "trino").settings.len(), 2);
    assert_eq!(
        of(&judged, "trino").hints,
        ["a union of ORC or Avro files is struct(tag, field0, field1, …)"]
    );
    assert_eq!(said(&table, "clickhouse"), "no: not Iceberg");
}

#[test]
fn names_and_types_count() {
    let hyphen = Facts {
        database: "my-db",
        ..facts(TableKind::Iceberg)
    };
    assert!(said(&hyphen, "spark").starts_with("with-setting: Iceberg's Glue catalog takes lower-case"));
    assert_eq!(of(&judge(&hyphen), "trino").verdict, Verdict::Yes);
    let dotted = Facts {
        table: "a.b",
        ..facts(TableKind::Iceberg)
    };
    assert!(said(&dotted, "chalk").starts_with("with-setting: it cuts names at dots"));
    let column = |name: &str, kind: &str, children| Column {
        name: name.into(),
        type_text: kind.into(),
        children,
        ..Column::default()
    };
    let columns = [
        column(
            "place",
            "struct",
            vec![column("where", "geometry(OGC:CRS84)", vec![])],
        ),
        column("at", "timestamptz", vec![]),
    ];
    let v3 = Facts {
        columns: &columns,
        format_version: Some(3),
        ..facts(TableKind::Iceberg)
    };
    let judged = judge(&v3);
    for (engine, verdict) in [
        ("spark", Verdict::WithSetting),
        ("trino", Verdict::WithSetting),
        ("wherobots", Verdict::No),
        ("clickhouse", Verdict::No),
        ("pyiceberg", Verdict::No),
    ] {
        let one = of(&judged, engine);
        assert_eq!(
            (one.verdict, one.columns[0].column.as_str()),
            (verdict, "place.where"),
            "{engine}"
        );
    }
    assert_eq!(
        of(&judged, "trino").settings,
        ["Trino 480 or later", "Trino 482 or later"]
    );
    let athena = of(&judged, "athena");
    assert!(athena.why.contains("versions 1 and 2"), "{}", athena.why);
    // Of a table that is not read, only what is at fault is told.
    let at = |judged: &[Judgement]| {
        let columns = &of(judged, "athena").columns;
        columns.iter().find(|c| c.column == "at").cloned()
    };
    assert_eq!(at(&judged), None);
    let v2 = Facts {
        format_version: Some(2),
        columns: &columns[1..],
        ..facts(TableKind::Iceberg)
    };
    let at = at(&judge(&v2)).unwrap();
    assert_eq!(
        (at.verdict, at.why),
        (Verdict::Yes, "CTAS to a Hive table needs CAST(… AS timestamp)")
    );
}

#[test]
fn columns_of_which_the_same_is_said_share_a_line() {
    let column = |name: &str, kind: &str| Column {
        name: name.into(),
        type_text: kind.into(),
        ..Column::default()
    };
    let columns = [
        column("a", "variant"),
        column("b", "int"),
        column("c", "geometry(OGC:CRS84)"),
    ];
    let three = |columns: &[Column]| {
        let facts = Facts {
            columns,
            format_version: Some(3),
            ..facts(TableKind::Iceberg)
        };
        of(&judge(&facts), "wherobots").beneath()
    };
    assert_eq!(three(&columns), ["columns a, c"]);
    assert_eq!(three(&columns[..2]), ["column a"]);
}
