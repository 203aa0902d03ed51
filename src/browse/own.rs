//! What a table says of itself, put beside what Glue says of it: the metadata of an Iceberg table, the log of a Delta table, the
//! timeline of a Hudi table.

use super::governed;
use super::schema::UNKNOWN_SCHEMA;
use crate::cloud::Aws;
use crate::domain::amount::counted;
use crate::domain::glue::Table;
use crate::domain::kind::{Note, TableKind};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::schema::{Schema, Source};
use crate::domain::sides::{self, Difference};
use crate::lake::{self, Sought, Unread, Wanted};

/// What Glue and the table itself say together.
pub(super) struct Told {
    /// The schema.
    pub schema: Schema,
    /// Why not all of it could be read.
    pub problem: Option<Problem>,
    /// Where one of its data files is found; `None` where what would lead there could not be read.
    pub wanted: Option<Wanted>,
}

/// Asks the table, if it is one that tells; `file`: where a data file is, too.
pub(super) async fn told(aws: &Aws, region: &Region, table: &Table, from_glue: Schema, file: bool) -> Told {
    let files = table.files_location();
    match (from_glue.kind, table.metadata_location(), files) {
        (TableKind::Iceberg, Some(location), _) => match lake::load(aws, region, location).await {
            Ok(metadata) => Told {
                wanted: Some(Wanted::Snapshot(metadata.manifests.clone())),
                schema: of_iceberg(table, from_glue, metadata),
                problem: None,
            },
            Err(unread) => untold(from_glue, unread),
        },
        (TableKind::Delta, _, Some(location)) => {
            let sought = Sought {
                schema: from_glue.columns.is_empty(),
                file,
            };
            match lake::delta_log(aws, region, location, sought).await {
                Ok(mut log) => {
                    let problem = log.problem.take();
                    Told {
                        wanted: Some(Wanted::Commit(log.added.take())),
                        schema: by_log(from_glue, log, sought.schema && problem.is_none()),
                        problem,
                    }
                }
                Err(problem) => untold(from_glue, Unread::NotHad(problem)),
            }
        }
        (TableKind::Hudi, _, Some(location)) => match lake::hudi_timeline(aws, region, location).await {
            Ok(timeline) => Told {
                schema: by_timeline(from_glue, timeline),
                problem: None,
                wanted: Some(Wanted::Below(location.to_owned())),
            },
            Err(problem) => untold(from_glue, Unread::NotHad(problem)),
        },
        _ => Told {
            schema: from_glue,
            problem: None,
            wanted: Some(match files {
                Some(location) => Wanted::Below(location.to_owned()),
                None => Wanted::None("Glue has no location for it"),
            }),
        },
    }
}

fn untold(from_glue: Schema, unread: Unread) -> Told {
    Told {
        schema: without(from_glue, &unread),
        problem: Some(unread.into()),
        wanted: None,
    }
}

fn of_iceberg(table: &Table, mut from_glue: Schema, mut metadata: lake::Metadata) -> Schema {
    if table.registered_with_lake_formation == Some(true) {
        let note = governed::withhold(&mut metadata, &from_glue);
        from_glue.notes.extend(note);
    }
    merged(from_glue, metadata)
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

/// What a Delta table's log says: its columns, where it was asked for them, and its newest version.
fn by_log(mut from_glue: Schema, log: lake::Log, is_read: bool) -> Schema {
    from_glue.snapshot = log.version;
    from_glue.properties.extend(log.properties);
    let Some(columns) = log.columns else {
        if is_read {
            undeclared(&mut from_glue);
        }
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
pub(super) fn merged(mut from_glue: Schema, metadata: lake::Metadata) -> Schema {
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
