//! A table's schema: Glue's columns at once, then, for an Iceberg table, what its metadata file says.

use super::request::{Outcome, Update};
use super::rows::judge;
use super::scope::Scope;
use crate::cloud::Aws;
use crate::domain::amount::counted;
use crate::domain::ddl;
use crate::domain::declared::{self, View};
use crate::domain::fqn::Fqn;
use crate::domain::glue::{self, Table};
use crate::domain::hive_type::{self, Tree};
use crate::domain::kind::{Classified, Note, TableKind, placeholder};
use crate::domain::problem::{Kind, Problem};
use crate::domain::schema::{Column, Difference, PartitionField, Schema, Source, Statistics, ToldBy, shown};
use crate::domain::text::scrub;
use crate::lake;
use crate::report::Reporter;

pub(super) async fn read(
    scope: &Scope,
    aws: &Aws,
    database: &str,
    name: &str,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let table = aws.glue(&scope.region).table(database, name).await?;
    // As the catalog has its name, not as it was typed: Glue folds case. Through a link another database may answer.
    let stored = |answered: Option<&str>, typed: &str| {
        let same = answered.filter(|name| name.to_lowercase() == typed.to_lowercase());
        same.unwrap_or(typed).to_owned()
    };
    let of = stored(table.database_name.as_deref(), database);
    let fqn = &Fqn::table(scope.name.clone(), of, stored(Some(&table.name), name));
    let from_glue = of_glue(&table, fqn, scope);
    reporter
        .tell(Update::GlueSchema(Box::new(from_glue.clone())))
        .await;
    let better = match from_glue.kind {
        TableKind::Iceberg => match table.metadata_location() {
            Some(location) => lake::load(aws, &scope.region, location)
                .await
                .map(|metadata| merged(from_glue.clone(), metadata)),
            None => return Ok(whole(from_glue)),
        },
        TableKind::Delta => match table.files_location() {
            Some(location) => {
                let unknown = from_glue.columns.is_empty();
                lake::delta_log(aws, &scope.region, location, unknown)
                    .await
                    .map(|log| by_log(from_glue.clone(), log))
            }
            None => return Ok(whole(from_glue)),
        },
        _ => return Ok(whole(from_glue)),
    };
    Ok(match better {
        Ok(schema) => whole(schema),
        Err(problem) => {
            let mut schema = from_glue;
            if problem.kind == Kind::NotFound {
                let text = "what Glue points to for its metadata is not there: no engine can read it";
                schema.notes.push(Note::new("metadata-missing", text));
            }
            Outcome::Schema {
                schema: Box::new(schema),
                metadata_problem: Some(Box::new(problem)),
            }
        }
    })
}

fn whole(schema: Schema) -> Outcome {
    Outcome::Schema {
        schema: Box::new(schema),
        metadata_problem: None,
    }
}

/// What a Delta table's log says: its columns, where it was asked for them, and its newest version.
fn by_log(mut from_glue: Schema, log: lake::Log) -> Schema {
    from_glue.snapshot = log.version;
    from_glue.properties.extend(log.properties);
    let Some(columns) = log.columns else {
        return from_glue;
    };
    from_glue.notes.retain(|note| note.code != UNKNOWN_SCHEMA);
    Schema {
        source: Source::DeltaLog,
        columns,
        partition: log.partition,
        ..from_glue
    }
}

/// The code of the note on a table whose columns nobody has told yet.
const UNKNOWN_SCHEMA: &str = "unknown-schema";

/// What Glue alone says.
fn of_glue(table: &Table, fqn: &Fqn, scope: &Scope) -> Schema {
    let Classified {
        kind,
        format,
        mut notes,
    } = judge(table, scope.granted.as_ref());
    let views = declared::views(table, kind).unwrap_or_else(|why| {
        notes.push(Note::new(
            "broken-view",
            format!("its text cannot be read: {why}"),
        ));
        Vec::new()
    });
    let (dropped, current): (Vec<_>, Vec<_>) = table.columns().iter().partition(|column| column.dropped());
    let mut columns: Vec<Column> = current
        .into_iter()
        .map(|column| of_column(column, false))
        .collect();
    columns.extend(table.partition_keys.iter().map(|column| of_column(column, true)));
    let columns = match instead(table, kind, &views, &mut notes) {
        Some(declared) => declared,
        None => columns,
    };
    let partition = columns
        .iter()
        .filter(|column| column.key)
        .map(|column| PartitionField {
            source: column.name.clone(),
            transform: "identity".to_owned(),
            name: column.name.clone(),
        })
        .collect();
    Schema {
        fqn: fqn.display(),
        kind,
        format,
        source: Source::Glue,
        location: table.location().map(scrub),
        format_version: None,
        snapshot: None,
        columns,
        partition,
        sort: Vec::new(),
        history: dropped
            .into_iter()
            .map(|column| of_column(column, false))
            .collect(),
        statistics: counted_by_glue(table),
        snapshots: Vec::new(),
        refs: Vec::new(),
        properties: shown(
            table
                .parameters
                .iter()
                .map(|(key, value)| (scrub(key), scrub(value))),
        ),
        differences: Vec::new(),
        views,
        notes,
    }
}

/// How much the table holds, as a crawler or an engine has left it in the parameters. Negative numbers there mean that nobody
/// has counted.
fn counted_by_glue(table: &Table) -> Option<Statistics> {
    let number = |keys: &[&str]| {
        let values = keys.iter().filter_map(|key| table.parameters.get(*key));
        values.filter_map(|value| value.trim().parse().ok()).next()
    };
    Statistics::of(ToldBy::Parameters, number)
}

/// The columns that an engine left elsewhere, where those in Glue are but a stand-in.
fn instead(table: &Table, kind: TableKind, views: &[View], notes: &mut Vec<Note>) -> Option<Vec<Column>> {
    // Trino leaves a dummy in the columns of its views.
    let of_view = views
        .iter()
        .map(|view| &view.columns)
        .find(|columns| !columns.is_empty());
    if of_view.is_some() || !matches!(kind, TableKind::Delta | TableKind::SparkSource) {
        return of_view.cloned();
    }
    match declared::spark_columns(&table.parameters) {
        Some(Ok(columns)) => {
            let text = "columns as Spark wrote them to the table's parameters";
            notes.push(Note::new("schema-in-parameters", text));
            return Some(columns);
        }
        Some(Err(why)) => {
            let text = format!("the schema in its parameters cannot be read: {why}");
            notes.push(Note::new("broken-parameters", text));
        }
        None => {}
    }
    placeholder(table.columns()).then(|| {
        let text = "its columns are not in Glue: only the table's own log has them";
        notes.push(Note::new(UNKNOWN_SCHEMA, text));
        Vec::new()
    })
}

fn of_column(column: &glue::Column, key: bool) -> Column {
    let tree = column
        .type_text
        .as_deref()
        .map(|text| hive_type::tree(&column.name, text))
        .unwrap_or_else(|| Tree::untyped(&column.name));
    Column {
        name: scrub(&column.name),
        // The raw text, whatever could be read of it.
        type_text: column.type_text.as_deref().map_or_else(|| "?".to_owned(), scrub),
        id: column
            .parameters
            .get("iceberg.field.id")
            .and_then(|id| id.parse().ok()),
        required: column
            .parameters
            .get("iceberg.field.optional")
            .is_some_and(|v| v == "false"),
        key,
        doc: column.comment.clone().filter(|comment| !comment.is_empty()),
        children: tree.children,
        notes: tree.notes,
    }
}

/// Columns that a sentence names; the whole of it is in the list of differences.
const NAMED: usize = 3;

/// That Glue's columns, which some engines and all consoles show, are not those of the metadata.
fn stale(differences: &[Difference]) -> Option<Note> {
    let names: Vec<&str> = differences
        .iter()
        .map(|one| one.column.as_str())
        .take(NAMED)
        .collect();
    let more = differences.len().saturating_sub(names.len());
    let more = (more > 0).then(|| format!(" and {more} more"));
    (!names.is_empty()).then(|| {
        let text = format!(
            "Glue has {} otherwise than the metadata: {}{}",
            counted(differences.len() as u64, "column", "columns"),
            names.join(", "),
            more.unwrap_or_default()
        );
        Note::new("stale-columns", text)
    })
}

/// The metadata is the truth about columns and partitions; what Glue has beside it stays.
fn merged(mut from_glue: Schema, metadata: lake::Metadata) -> Schema {
    // Whoever writes no columns to Glue at all has none there that could be wrong.
    let differences = if from_glue.columns.is_empty() {
        Vec::new()
    } else {
        ddl::differences(&from_glue.columns, &metadata.columns)
    };
    from_glue.notes.extend(stale(&differences));
    let mut history = metadata.history;
    for column in from_glue.history {
        if !history.iter().any(|known| known.name == column.name) {
            history.push(column);
        }
    }
    Schema {
        source: Source::Iceberg,
        location: from_glue.location.or(metadata.location),
        format_version: metadata.format_version,
        snapshot: metadata.snapshot,
        columns: metadata.columns,
        partition: metadata.partition,
        sort: metadata.sort,
        history,
        statistics: metadata.statistics,
        snapshots: metadata.snapshots,
        refs: metadata.refs,
        properties: metadata.properties,
        differences,
        ..from_glue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::glue::{Parameters, StorageDescriptor};
    use crate::lake::metadata;

    fn scope() -> Scope {
        Scope {
            name: "Lake".parse().unwrap(),
            region: "us-west-2".parse().unwrap(),
            granted: Some("s3://lake/wh".parse().unwrap()),
            databases: Vec::new(),
        }
    }

    fn fqn() -> Fqn {
        Fqn::table("Lake".parse().unwrap(), "sales", "orders")
    }

    fn column(name: &str, current: bool) -> glue::Column {
        glue::Column {
            name: name.into(),
            type_text: Some("bigint".into()),
            parameters: Parameters::from([("iceberg.field.current".to_owned(), current.to_string())]),
            ..glue::Column::default()
        }
    }

    fn iceberg() -> Table {
        Table {
            name: "orders".into(),
            parameters: Parameters::from([("table_type".to_owned(), "ICEBERG".to_owned())]),
            storage: Some(StorageDescriptor {
                columns: vec![column("id", true), column("gone", false)],
                location: Some("s3://lake/wh/orders".into()),
                ..StorageDescriptor::default()
            }),
            ..Table::default()
        }
    }

    #[test]
    fn dropped_columns_are_history() {
        let schema = of_glue(&iceberg(), &fqn(), &scope());
        let names = |columns: &[Column]| columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        assert_eq!(
            (names(&schema.columns), names(&schema.history)),
            (vec!["id".into()], vec!["gone".into()])
        );
        assert_eq!(
            (schema.fqn.as_str(), schema.source),
            ("Lake.sales.orders", Source::Glue)
        );
    }

    #[test]
    fn partition_columns_of_hive_are_keys() {
        let table = Table {
            name: "t".into(),
            partition_keys: vec![column("day\u{1b}", true)],
            ..Table::default()
        };
        let schema = of_glue(&table, &fqn(), &scope());
        assert!(schema.columns[0].key);
        assert_eq!(schema.columns[0].name, "day␛");
        assert_eq!(schema.partition[0].transform, "identity");
    }

    #[test]
    fn the_metadata_is_the_truth() {
        let json = br#"{"format-version":2,"current-schema-id":0,"schemas":[{"schema-id":0,"fields":[
            {"id":1,"name":"id","required":true,"type":"long"},{"id":2,"name":"note","type":"string"}]}]}"#;
        let schema = merged(
            of_glue(&iceberg(), &fqn(), &scope()),
            metadata::read(json, "x").unwrap(),
        );
        assert_eq!(schema.source, Source::Iceberg);
        assert_eq!(schema.columns.len(), 2);
        assert_eq!(schema.columns[0].type_text, "long");
        assert_eq!(schema.history[0].name, "gone");
        assert_eq!(schema.location.as_deref(), Some("s3://lake/wh/orders"));
    }

    #[test]
    fn a_table_with_nothing_but_a_name_has_an_empty_schema() {
        let schema = of_glue(
            &Table {
                name: "t".into(),
                ..Table::default()
            },
            &fqn(),
            &scope(),
        );
        assert!(schema.columns.is_empty() && schema.location.is_none());
    }
}
