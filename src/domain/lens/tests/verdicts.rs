//! What each rule comes to, a line a rule: no rule without a line.

use super::super::rules::{Data, FILE};
use super::*;

/// What the table is, the engine, and what it makes of it: a verdict, `hint` where it is a yes with a word, `column` where
/// it is a yes but for the column. Without a kind it is an Iceberg table.
const LINES: &str = "
note=metadata-missing                           snowflake   no
note=metadata-broken                            athena      no
note=metadata-unread                            trino       hint
kind=hive                                       pyiceberg   no
kind=delta                                      clickhouse  no
kind=hudi                                       chalk       no
kind=materialized-view                          wherobots   no
kind=federated                                  duckdb      no
kind=hive                                       duckdb      with-setting
kind=multi-dialect-view                         duckdb      with-setting
kind=delta                                      duckdb      with-setting
kind=hudi                                       duckdb      no
kind=spark-view                                 spark       with-setting
kind=spark-source                               spark       with-setting
kind=delta                                      spark       with-setting
kind=hudi                                       spark       with-setting
kind=multi-dialect-view                         spark       with-setting
kind=materialized-view                          spark       with-setting
kind=presto-view                                spark       no
kind=hive                                       trino       with-setting
kind=presto-view                                trino       with-setting
kind=hive-view                                  trino       with-setting
kind=delta                                      trino       with-setting
kind=hudi                                       trino       with-setting
kind=spark-view                                 trino       no
kind=hive-view                                  athena      no
kind=spark-source                               athena      no
kind=multi-dialect-view                         athena      hint
kind=multi-dialect-view note=no-athena-dialect  athena      no
kind=materialized-view                          athena      hint
kind=federated                                  athena      with-setting
kind=delta                                      athena      yes
kind=delta note=placeholder-schema              athena      with-setting
kind=governed                                   trino       no
kind=resource-link                              athena      yes
kind=resource-link                              trino       with-setting
kind=resource-link                              spark       with-setting
note=never-committed                            duckdb      no
kind=hive note=no-location                      spark       no
note=no-location                                clickhouse  no
note=no-location                                pyiceberg   yes
note=not-s3                                     athena      no
note=outside-grant                              trino       no
kind=hive note=duplicate-column                 athena      no
note=duplicate-column                           trino       no
note=duplicate-column                           spark       with-setting
note=duplicate-column                           clickhouse  yes
kind=hive note=union-type                       spark       no
kind=hive note=union-type                       athena      no
kind=hive note=union-type                       trino       with-setting
kind=hive note=unknown-type                     spark       no
kind=hive note=ambiguous-name                   trino       no
kind=hive note=nonstandard-type                 athena      no
kind=hive note=partition-projection             spark       no
kind=hive note=partition-projection             trino       with-setting
kind=hive note=partition-projection             duckdb      with-setting
kind=hive note=partition-projection             athena      yes
kind=hive format=xml                            athena      no
kind=hive format=xml                            spark       no
kind=hive format=ion                            spark       with-setting
kind=hive format=ion                            trino       no
kind=hive format=ion                            athena      yes
kind=hive format=regex                          trino       with-setting
kind=hive format=orc                            duckdb      no
kind=hive format=avro                           duckdb      with-setting
format=orc                                      duckdb      no
format=orc                                      pyiceberg   yes
format=avro                                     pyiceberg   no
format=orc                                      snowflake   no
format=avro                                     pinot       no
format=avro                                     athena      yes
table=with-hyphen                               spark       with-setting
database=1digit                                 spark       yes
table=a.b                                       pyiceberg   with-setting
table=a.b                                       chalk       with-setting
table=a.b                                       duckdb      yes
database=a.b                                    duckdb      no
table=日本                                      duckdb      no
table=with-hyphen                               duckdb      yes
table=a$b                                       trino       no
database=a$b                                    trino       yes
table=a.b                                       clickhouse  no
database=a.b                                    clickhouse  yes
table=日本                                      clickhouse  hint
table=with-hyphen                               athena      hint
version=2                                       athena      yes
version=3                                       athena      no
version=3                                       chalk       no
version=3                                       trino       with-setting
version=3                                       clickhouse  hint
version=3                                       pinot       hint
version=3                                       snowflake   yes
version=3                                       pyiceberg   yes
version=4                                       pyiceberg   no
version=4                                       duckdb      hint
type=timestamptz_ns                             wherobots   no
type=time                                       spark       no
type=timestamp_ns                               spark       no
type=variant                                    spark       with-setting
type=geography                                  spark       with-setting
type=unknown                                    spark       yes
type=variant                                    trino       with-setting
type=geometry                                   trino       with-setting
type=unknown                                    trino       no
type=geometry                                   duckdb      with-setting
type=timestamptz_ns                             duckdb      with-setting
type=geography                                  duckdb      no
type=variant                                    clickhouse  no
type=timestamp_ns                               clickhouse  yes
type=time                                       clickhouse  hint
type=variant                                    pyiceberg   no
type=geometry                                   pyiceberg   yes
type=geometry(OGC:CRS84)                        pyiceberg   no
type=timestamptz_ns                             pyiceberg   yes
type=unknown                                    snowflake   hint
type=geography                                  snowflake   yes
type=variant                                    pinot       hint
type=decimal(12,2)                              chalk       with-setting
type=uuid                                       chalk       with-setting
type=fixed[4]                                   athena      column
type=uuid                                       athena      hint
type=timestamptz                                athena      hint
";

/// A table as a line tells of it.
struct Told {
    kind: TableKind,
    format: Option<Format>,
    notes: Vec<Note>,
    database: String,
    table: String,
    version: Option<u32>,
    columns: Vec<Column>,
}

impl Told {
    fn of(words: &[&str]) -> Self {
        let word = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
        let formats = [Format::Orc, Format::Avro, Format::Ion, Format::Xml, Format::Regex];
        Self {
            kind: word("kind=").map_or(TableKind::Iceberg, |kind| TableKind::named(kind).unwrap()),
            format: word("format=").map(|named| *formats.iter().find(|f| f.as_str() == named).unwrap()),
            notes: word("note=")
                .map(|code| Note::new(code.to_owned().leak(), "x"))
                .into_iter()
                .collect(),
            database: word("database=").unwrap_or("sales").to_owned(),
            table: word("table=").unwrap_or("orders").to_owned(),
            version: word("version=").map(|version| version.parse().unwrap()),
            columns: word("type=")
                .map(|kind| Column {
                    name: "c".to_owned(),
                    type_text: kind.to_owned(),
                    ..Column::default()
                })
                .into_iter()
                .collect(),
        }
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            kind: self.kind,
            format: self.format,
            notes: &self.notes,
            database: &self.database,
            table: &self.table,
            format_version: self.version,
            columns: &self.columns,
        }
    }
}

/// The lines: the table, the engine, the verdict.
fn lines() -> Vec<(Told, &'static str, &'static str)> {
    let words = LINES
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    words
        .filter(|words| !words.is_empty())
        .map(|words| {
            let [told @ .., engine, verdict] = words.as_slice() else {
                panic!("{words:?}")
            };
            (Told::of(told), *engine, *verdict)
        })
        .collect()
}

#[test]
fn each_rule_comes_to_what_its_line_says() {
    let mut wrong = Vec::new();
    for ((told, engine, expected), line) in lines().iter().zip(LINES.trim().lines()) {
        let judged = judge(&told.facts());
        let one = of(&judged, engine);
        let is = match (one.verdict, one.columns.first().map(|column| column.verdict)) {
            (Verdict::Yes, Some(Verdict::No)) => "column",
            (Verdict::Yes, Some(_)) => "hint",
            (Verdict::Yes, None) if !one.hints.is_empty() => "hint",
            (verdict, _) => verdict.as_str(),
        };
        if is != *expected {
            wrong.push(format!("{line}: {is}, {}", one.why));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_rule_is_without_a_line() {
    let data: Data = serde_saphyr::from_str(FILE).unwrap();
    let lines = lines();
    let tried = |rule: &Rule| {
        lines.iter().any(|(told, engine, _)| {
            rule.engines.iter().any(|of| of == engine)
                && rule.holds(&told.facts())
                && (rule.types.is_empty() || told.columns.iter().any(|column| rule.names(&column.type_text)))
        })
    };
    let untried: Vec<&Rule> = data.rules.iter().filter(|rule| !tried(rule)).collect();
    assert!(untried.is_empty(), "{untried:#?}");
}
