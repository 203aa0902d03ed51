//! The statements. Transforms, clauses and properties as each engine's documentation of its Iceberg and Hive tables has
//! them: <https://iceberg.apache.org/docs/latest/spark-ddl/>,
//! <https://trino.io/docs/current/connector/iceberg.html>,
//! <https://docs.aws.amazon.com/athena/latest/ug/querying-iceberg-creating-tables.html>.

use super::Engine;
use super::words::Writer;
use crate::domain::column_type::Field;
use crate::domain::fqn::Fqn;
use crate::domain::kind::{Format, TableKind};
use crate::domain::schema::{PartitionField, Schema, SortField, Source};
use std::collections::BTreeSet;

/// Two rows of a statement that belong together are indented by this.
const IN: &str = "  ";

/// A text literal.
fn text(engine: Engine, text: &str) -> String {
    match engine {
        // Spark and Hive's grammar read a backslash as the beginning of an escape.
        Engine::Spark | Engine::Athena => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Engine::Trino => format!("'{}'", text.replace('\'', "''")),
    }
}

fn target(fqn: &Fqn, writer: &Writer, engine: Engine) -> String {
    let catalog = (engine != Engine::Athena).then(|| fqn.catalog.as_str());
    let parts = [catalog, fqn.database.as_deref(), fqn.table.as_deref()];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .map(|part| writer.name(part))
        .collect();
    parts.join(".")
}

/// A table with columns: Iceberg's, or files of a format.
pub(super) fn table(fqn: &Fqn, schema: &Schema, engine: Engine, fields: &[Field]) -> String {
    let iceberg = schema.kind == TableKind::Iceberg;
    let mut writer = Writer::new(engine);
    writer.lost.extend(cautions(schema, engine, fields));
    let is_key = |field: &Field| {
        !iceberg
            && schema
                .partition
                .iter()
                .any(|partition| partition.source == field.name)
    };
    let (keys, plain): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|field| is_key(field));
    // Athena lists the columns that Hive is partitioned by apart, Trino wants them last.
    let listed: Vec<&Field> = match engine {
        Engine::Athena => plain.clone(),
        Engine::Spark | Engine::Trino => plain.iter().chain(&keys).copied().collect(),
    };
    let columns: Vec<String> = listed
        .iter()
        .map(|field| column(&mut writer, field, engine))
        .collect();
    let external = engine == Engine::Athena && !iceberg;
    let create = if external {
        "CREATE EXTERNAL TABLE"
    } else {
        "CREATE TABLE"
    };
    let mut lines = vec![
        format!("{create} {} (", target(fqn, &writer, engine)),
        columns.join(",\n"),
        ")".to_owned(),
    ];
    let clauses = match engine {
        Engine::Spark => spark(schema, &mut writer),
        Engine::Trino => trino(schema, &mut writer),
        Engine::Athena => athena(schema, &keys, &mut writer),
    };
    lines.extend(clauses);
    if engine == Engine::Spark && iceberg && !schema.sort.is_empty() {
        let fields: Vec<String> = schema
            .sort
            .iter()
            .map(|field| sorted(field, &writer, engine))
            .collect();
        writer.lost.push(format!(
            "sort order: ALTER TABLE {} WRITE ORDERED BY {}",
            target(fqn, &writer, engine),
            fields.join(", ")
        ));
    }
    let comments = writer.lost.iter().map(|lost| format!("-- {lost}\n"));
    comments.collect::<String>() + &lines.join("\n") + ";"
}

/// What is to be known before the statement is run.
fn cautions(schema: &Schema, engine: Engine, fields: &[Field]) -> Vec<String> {
    let label = engine.label();
    let mut found = Vec::new();
    if schema.location.is_some() && schema.kind == TableKind::Iceberg {
        found.push("LOCATION is the table's own: give a copy another one".to_owned());
    }
    if schema.kind == TableKind::Iceberg && schema.source == Source::Glue {
        found.push("these are Glue's columns, which may be old: the metadata could not be read".to_owned());
    }
    if schema
        .notes
        .iter()
        .any(|note| note.code == "partition-projection")
    {
        found.push("the table's partition projection is in Glue, and is not written here".to_owned());
    }
    match (engine, schema.format) {
        _ if schema.kind == TableKind::Iceberg => {}
        (_, None) => found.push("the format of its files is not known".to_owned()),
        (Engine::Trino, Some(Format::Csv)) => {
            found.push(
                "Trino reads every column of CSV as VARCHAR; the SerDe's settings are not written here"
                    .to_owned(),
            );
        }
        (Engine::Spark, Some(Format::Csv)) => {
            found.push("the SerDe's settings, such as the separator, are not written here".to_owned());
        }
        (
            Engine::Spark | Engine::Trino,
            Some(format @ (Format::Symlink | Format::Ion | Format::Xml | Format::Regex)),
        ) => {
            found.push(format!("{label} creates no tables of the format {format}"));
        }
        _ => {}
    }
    if engine == Engine::Athena && fields.iter().any(|field| field.required) {
        found.push("Athena has no NOT NULL".to_owned());
    }
    let mut names = BTreeSet::new();
    for field in fields {
        if !names.insert(field.name.to_lowercase()) {
            found.push(format!("{}: there are two columns of this name", field.name));
        }
    }
    found
}

fn column(writer: &mut Writer, field: &Field, engine: Engine) -> String {
    let kind = writer.kind(&field.kind, &field.name);
    let name = writer.name(&field.name);
    // Athena's grammar knows no NOT NULL.
    let null = if field.required && engine != Engine::Athena {
        " NOT NULL"
    } else {
        ""
    };
    let doc = field
        .doc
        .as_ref()
        .map(|doc| format!(" COMMENT {}", text(engine, doc)));
    format!("{IN}{name} {kind}{null}{}", doc.unwrap_or_default())
}

/// A transform in Spark's and Athena's way: `days(ts)`, `bucket(16, id)`.
fn transformed(field: &PartitionField, writer: &Writer, engine: Engine) -> String {
    let source: Vec<String> = field.source.split('.').map(|part| writer.name(part)).collect();
    let source = source.join(".");
    let (word, number) = match field.transform.split_once('[') {
        Some((word, number)) => (word, Some(number.trim_end_matches(']'))),
        None => (field.transform.as_str(), None),
    };
    match (engine, word, number) {
        (_, "identity", _) => source,
        (Engine::Trino, word, Some(number)) => format!("{word}({source}, {number})"),
        (_, word, Some(number)) => format!("{word}({number}, {source})"),
        (Engine::Spark, "year" | "month" | "day" | "hour", None) => format!("{word}s({source})"),
        (_, word, None) => format!("{word}({source})"),
    }
}

fn sorted(field: &SortField, writer: &Writer, engine: Engine) -> String {
    let as_partition = PartitionField {
        source: field.source.clone(),
        transform: field.transform.clone(),
        name: String::new(),
    };
    let by = transformed(&as_partition, writer, engine);
    let nulls = field.null_order.replace('-', " ").to_uppercase();
    format!("{by} {} {nulls}", field.direction.to_uppercase())
}

fn spark(schema: &Schema, writer: &mut Writer) -> Vec<String> {
    let using = match (schema.kind, schema.format) {
        (TableKind::Iceberg, _) => "iceberg",
        (_, Some(format)) => format.as_str(),
        (_, None) => "parquet",
    };
    let mut lines = vec![format!("USING {using}")];
    lines.extend(partitioned(schema, writer, Engine::Spark));
    lines.extend(
        schema
            .location
            .as_ref()
            .map(|at| format!("LOCATION {}", text(Engine::Spark, at))),
    );
    lines.extend(
        schema
            .format_version
            .map(|version| format!("TBLPROPERTIES ('format-version' = '{version}')")),
    );
    lines
}

fn partitioned(schema: &Schema, writer: &Writer, engine: Engine) -> Option<String> {
    let by: Vec<String> = schema
        .partition
        .iter()
        .filter(|field| field.transform != "void")
        .map(|field| transformed(field, writer, engine))
        .collect();
    (!by.is_empty()).then(|| format!("PARTITIONED BY ({})", by.join(", ")))
}

fn trino(schema: &Schema, writer: &mut Writer) -> Vec<String> {
    let iceberg = schema.kind == TableKind::Iceberg;
    let list = |entries: Vec<String>| {
        let entries: Vec<String> = entries.iter().map(|entry| text(Engine::Trino, entry)).collect();
        format!("ARRAY[{}]", entries.join(", "))
    };
    let by: Vec<String> = schema
        .partition
        .iter()
        .filter(|field| field.transform != "void")
        .map(|field| match iceberg {
            true => transformed(field, writer, Engine::Trino),
            false => field.source.clone(),
        })
        .collect();
    let order: Vec<String> = schema
        .sort
        .iter()
        .map(|field| sorted(field, writer, Engine::Trino))
        .collect();
    let mut with = Vec::new();
    with.extend(schema.format.map(|format| {
        format!(
            "format = {}",
            text(Engine::Trino, &format.as_str().to_uppercase())
        )
    }));
    with.extend(
        schema
            .format_version
            .map(|version| format!("format_version = {version}")),
    );
    let (partitions, location) = match iceberg {
        true => ("partitioning", "location"),
        false => ("partitioned_by", "external_location"),
    };
    with.extend((!by.is_empty()).then(|| format!("{partitions} = {}", list(by))));
    with.extend((!order.is_empty()).then(|| format!("sorted_by = {}", list(order))));
    with.extend(
        schema
            .location
            .as_ref()
            .map(|at| format!("{location} = {}", text(Engine::Trino, at))),
    );
    if with.is_empty() {
        return Vec::new();
    }
    vec![format!("WITH (\n{IN}{}\n)", with.join(&format!(",\n{IN}")))]
}

fn athena(schema: &Schema, keys: &[&Field], writer: &mut Writer) -> Vec<String> {
    let iceberg = schema.kind == TableKind::Iceberg;
    let mut lines = Vec::new();
    if iceberg {
        lines.extend(partitioned(schema, writer, Engine::Athena));
    } else if !keys.is_empty() {
        let keys: Vec<String> = keys
            .iter()
            .map(|field| column(writer, field, Engine::Athena))
            .collect();
        lines.push(format!("PARTITIONED BY (\n{}\n)", keys.join(",\n")));
    }
    if !iceberg {
        lines.extend(stored(schema.format, writer));
    }
    lines.extend(
        schema
            .location
            .as_ref()
            .map(|at| format!("LOCATION {}", text(Engine::Athena, at))),
    );
    if iceberg {
        lines.push("TBLPROPERTIES ('table_type' = 'ICEBERG')".to_owned());
    }
    lines
}

/// How Hive's grammar says the format of files.
fn stored(format: Option<Format>, writer: &mut Writer) -> Option<String> {
    Some(match format? {
        Format::Parquet => "STORED AS PARQUET".to_owned(),
        Format::Orc => "STORED AS ORC".to_owned(),
        Format::Avro => "STORED AS AVRO".to_owned(),
        Format::Json => "ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe'".to_owned(),
        Format::Ion => "STORED AS ION".to_owned(),
        Format::SequenceFile => "STORED AS SEQUENCEFILE".to_owned(),
        Format::RcFile => "STORED AS RCFILE".to_owned(),
        other => {
            writer.lost.push(format!(
                "the SerDe and its settings for {other} are in Glue, and are not written here"
            ));
            return None;
        }
    })
}

/// A Delta or Hudi table: its own log has the columns. `None` where the engine takes in such a table by a call.
pub(super) fn by_log(fqn: &Fqn, schema: &Schema, engine: Engine) -> Option<String> {
    let writer = Writer::new(engine);
    let target = target(fqn, &writer, engine);
    let at = text(engine, schema.location.as_deref()?);
    match (engine, schema.kind) {
        (Engine::Spark, TableKind::Delta) => {
            Some(format!("CREATE TABLE {target}\nUSING delta\nLOCATION {at};"))
        }
        (Engine::Spark, _) => Some(format!("CREATE TABLE {target}\nUSING hudi\nLOCATION {at};")),
        (Engine::Athena, TableKind::Delta) => Some(format!(
            "CREATE EXTERNAL TABLE {target}\nLOCATION {at}\nTBLPROPERTIES ('table_type' = 'DELTA');"
        )),
        (Engine::Athena | Engine::Trino, _) => None,
    }
}

/// A view, where one of its texts is in the engine's SQL.
pub(super) fn view(fqn: &Fqn, schema: &Schema, engine: Engine) -> Option<String> {
    let known: &[&str] = match engine {
        Engine::Spark => &["spark"],
        // Athena's views are Trino's.
        Engine::Trino | Engine::Athena => &["trino", "presto", "athena"],
    };
    let view = schema
        .views
        .iter()
        .find(|view| known.contains(&view.dialect.as_str()))?;
    // A view is a query: Athena writes names there as Trino does.
    let writer = Writer::new(if engine == Engine::Athena {
        Engine::Trino
    } else {
        engine
    });
    let sql = view.sql.trim().trim_end_matches(';');
    let kept = match schema.kind {
        TableKind::MaterializedView => "-- a materialized view: this statement makes a plain one\n",
        _ => "",
    };
    Some(format!(
        "{kept}CREATE VIEW {} AS\n{sql};",
        target(fqn, &writer, engine)
    ))
}
