//! A table's schema: Glue's columns at once, then what the table itself says, and one of its data files where that is asked for.

use super::own::{self, Told};
use super::request::{Outcome, Update};
use super::rows::judge;
use super::scope::Scope;
use super::{governed, linked};
use crate::cloud::Aws;
use crate::domain::declared::{self, View};
use crate::domain::fqn::Fqn;
use crate::domain::glue::{self, Table};
use crate::domain::hive_type::{self, Tree};
use crate::domain::kind::{Classified, Note, TableKind, placeholder};
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::schema::{Column, PartitionField, Schema, Source, Statistics, ToldBy, shown};
use crate::domain::secrets::masked;
use crate::domain::text::scrub;
use crate::lake::{self, Wanted};
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
    let Told {
        mut schema,
        problem,
        wanted,
    } = own::told(aws, &region, &table, from_glue, asked.file).await;
    let file_problem = match wanted.filter(|_| asked.file) {
        Some(wanted) => beside(aws, &region, wanted, &mut schema)
            .await
            .err()
            .map(Box::new),
        // What would lead to the file could not be read: that has been told.
        None => None,
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

/// The code of the note on a table whose columns nobody has told yet.
pub(super) const UNKNOWN_SCHEMA: &str = "unknown-schema";

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

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
