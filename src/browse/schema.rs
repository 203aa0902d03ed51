//! A table's schema: Glue's columns at once, then, for an Iceberg table, what its metadata file says.

use super::request::{Outcome, Update};
use super::rows::judge;
use super::scope::Scope;
use super::{governed, linked};
use crate::cloud::Aws;
use crate::domain::amount::counted;
use crate::domain::declared::{self, View};
use crate::domain::fqn::Fqn;
use crate::domain::glue::{self, Table};
use crate::domain::hive_type::{self, Tree};
use crate::domain::kind::{Classified, Note, TableKind, placeholder};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::schema::{Column, PartitionField, Schema, Source, Statistics, ToldBy, shown};
use crate::domain::secrets::masked;
use crate::domain::sides::{self, Difference};
use crate::domain::text::scrub;
use crate::lake::{self, Sought, Unread, Wanted};
use crate::report::Reporter;

/// Which table is read, and how far.
pub(super) struct Asked<'a> {
    /// Its database, by its stored name.
    pub database: &'a str,
    /// The table, by its stored name.
    pub name: &'a str,
    /// Read a data file's footer, too.
    pub file: bool,
}

pub(super) async fn read(
    scope: &Scope,
    aws: &Aws,
    asked: Asked<'_>,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let region = &scope.region;
    let table = aws.glue(region).table(asked.database, asked.name).await?;
    // As the catalog has its name, not as it was typed: Glue folds case. Through a link another database may answer.
    let stored = |answered: Option<&str>, typed: &str| {
        let same = answered.filter(|name| name.to_lowercase() == typed.to_lowercase());
        same.unwrap_or(typed).to_owned()
    };
    let of = stored(table.database_name.as_deref(), asked.database);
    let fqn = &Fqn::table(scope.name.clone(), of, stored(Some(&table.name), asked.name));
    let from_glue = of_glue(&table, fqn, scope);
    reporter
        .tell(Update::GlueSchema(Box::new(from_glue.clone())))
        .await;
    let link = (from_glue.kind == TableKind::ResourceLink).then_some(from_glue.clone());
    let (table, region, from_glue) = match (&link, &table.target) {
        (Some(link), Some(to)) => match linked::target(aws, region, to).await {
            Ok(target) => {
                let mut of = of_glue(&target.table, fqn, scope);
                of.notes.splice(0..0, link.notes.iter().cloned());
                (target.table, target.region, of)
            }
            Err(problem) => {
                return Ok(Outcome::Schema {
                    schema: Box::new(from_glue),
                    metadata_problem: Some(Box::new(problem)),
                    file_problem: None,
                });
            }
        },
        _ => (table, region.clone(), from_glue),
    };
    let region = &region;
    let mut wanted = match table.files_location() {
        Some(location) => Wanted::Below(location.to_owned()),
        None => Wanted::None("Glue has no location for it"),
    };
    // What could not be read while what leads to the files could.
    let mut behind = None;
    let better = match (from_glue.kind, table.metadata_location(), table.files_location()) {
        (TableKind::Iceberg, Some(location), _) => {
            let loaded = lake::load(aws, region, location).await;
            loaded.map(|mut metadata| {
                wanted = Wanted::Snapshot(metadata.manifests.clone());
                let mut from_glue = from_glue.clone();
                if table.registered_with_lake_formation == Some(true) {
                    let note = governed::withhold(&mut metadata, &from_glue);
                    from_glue.notes.extend(note);
                }
                merged(from_glue, metadata)
            })
        }
        (TableKind::Delta, _, Some(location)) => {
            let sought = Sought {
                schema: from_glue.columns.is_empty(),
                file: asked.file,
            };
            let read = lake::delta_log(aws, region, location, sought).await;
            read.map_err(Unread::NotHad).map(|mut log| {
                wanted = Wanted::Commit(log.added.clone());
                behind = log.problem.take();
                let mut schema = by_log(from_glue.clone(), log);
                if sought.schema && behind.is_none() {
                    undeclared(&mut schema);
                }
                schema
            })
        }
        (TableKind::Hudi, _, Some(location)) => {
            let read = lake::hudi_timeline(aws, region, location).await;
            let read = read.map_err(Unread::NotHad);
            read.map(|timeline| by_timeline(from_glue.clone(), timeline))
        }
        _ => Ok(from_glue.clone()),
    };
    let is_led = better.is_ok();
    let (mut schema, problem) = match better {
        Ok(schema) => (schema, behind),
        Err(unread) => (without(from_glue, &unread), Some(Problem::from(unread))),
    };
    let file_problem = match asked.file && is_led {
        true => beside(aws, region, wanted, &mut schema).await.err().map(Box::new),
        // What would lead to the file could not be read: that has been told.
        false => None,
    };
    // It has its target's columns and files, and is a link all the same.
    if let Some(link) = link {
        schema.kind = link.kind;
    }
    Ok(Outcome::Schema {
        schema: Box::new(schema),
        metadata_problem: problem.map(Box::new),
        file_problem,
    })
}

/// What Glue says of a table whose own metadata could not be read.
fn without(mut from_glue: Schema, unread: &Unread) -> Schema {
    let (code, text) = match unread {
        Unread::NotHad(problem) if problem.kind == Kind::NotFound => (
            "metadata-missing",
            "what Glue points to for its metadata is not there: no engine can read it",
        ),
        Unread::NotHad(_) => (
            "metadata-unread",
            "its metadata could not be read here: this is what Glue alone tells",
        ),
        Unread::Broken(_) => (
            "metadata-broken",
            "what Glue points to for its metadata is broken: no engine can read it",
        ),
    };
    from_glue.notes.push(Note::new(code, text));
    from_glue
}

/// Puts one of its data files beside a schema.
async fn beside(aws: &Aws, region: &Region, wanted: Wanted, schema: &mut Schema) -> Result<(), Problem> {
    let wanted = match schema.kind {
        kind if kind.is_view() => Wanted::None("It is a view: it has no files of its own"),
        TableKind::ResourceLink => Wanted::None("It is a link to a link"),
        TableKind::Federated => Wanted::None("It stands for a table of another system"),
        _ if governed::is_withheld(schema) => {
            Wanted::None("Lake Formation withholds some of its columns, and a file has all of them")
        }
        _ => wanted,
    };
    let file = lake::data_file(aws, region, wanted).await?;
    schema.file = Some(Box::new(file.beside(schema)));
    Ok(())
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

/// Of a table whose log was read to no avail.
fn undeclared(schema: &mut Schema) {
    let note = schema.notes.iter_mut().find(|note| note.code == UNKNOWN_SCHEMA);
    if let Some(note) = note {
        note.text = "its columns are not in Glue, and neither the newest commits of its log nor a checkpoint declare them: no \
                     engine reads it before they do"
            .to_owned();
    }
}

/// What a Hudi table keeps of itself: its newest write, and its properties. Its columns are in Glue.
fn by_timeline(mut from_glue: Schema, timeline: lake::Timeline) -> Schema {
    from_glue.snapshot = timeline.version;
    from_glue.properties.extend(timeline.properties);
    from_glue
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
        format,
        location: table.location().map(|location| masked(&scrub(location))),
        columns,
        partition,
        history: dropped
            .into_iter()
            .map(|column| of_column(column, false))
            .collect(),
        statistics: counted_by_glue(table),
        properties: shown(
            table
                .parameters
                .iter()
                .map(|(key, value)| (scrub(key), scrub(value))),
        ),
        views,
        notes,
        ..Schema::bare(kind, Source::Glue)
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
        sides::differences(&from_glue.columns, &metadata.columns)
    };
    from_glue.notes.extend(stale(&differences));
    from_glue.notes.extend(metadata.notes);
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
#[path = "schema_tests.rs"]
mod tests;
