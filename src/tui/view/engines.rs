//! Which engines read what: the lens on a table, and the census of a catalog, as texts.

use crate::browse::TableRow;
use crate::domain::amount::{count, counted};
use crate::domain::kind::TableKind;
use crate::domain::lens::{self, Facts, Judgement, Verdict};
use crate::domain::text::{scrub, sentence};
use crate::tui::model::{Browse, Listing};
use crate::tui::view::words;
use std::time::Duration;

/// The lines of the census that are headings.
pub const HEADINGS: [&str; 4] = [
    "BY KIND",
    "WHAT IS ODD",
    "BY ENGINE, as far as Glue alone tells",
    "WHERE THE FILES LIE",
];

/// Prefixes that are listed; `glueup census --output json` has them all.
const PREFIXES: usize = 20;

/// The columns of a count.
const NUMBER: usize = 11;

/// The lens on the table under the pointer: the title and the lines; `None` where there is no table.
pub fn lens(browse: &Browse) -> Option<(String, Vec<String>)> {
    let row = browse.tables.value().and_then(Listing::selected)?;
    let view = browse.schema_of(&row.name);
    let facts = facts(browse, row);
    let name = words::exact(&row.name);
    let mut lines = vec![name.clone(), words::kind(row, view), String::new()];
    for one in lens::judge(&facts) {
        lines.extend(of_engine(&one));
    }
    if row.kind == TableKind::Iceberg && view.is_none_or(|view| view.schema.format_version.is_none()) {
        let unknown = "Its metadata has not been read: a version or a type that an engine does not know may still stand in \
                       the way.";
        lines.extend([String::new(), unknown.to_owned()]);
    }
    Some((name, lines))
}

/// All that is known of a table: its schema's word where that has come, else its row's.
fn facts<'a>(browse: &'a Browse, row: &'a TableRow) -> Facts<'a> {
    let facts = row.facts(browse.open_database.as_deref().unwrap_or_default());
    match browse.schema_of(&row.name).map(|view| &view.schema) {
        Some(schema) => Facts {
            kind: schema.kind,
            notes: &schema.notes,
            format_version: schema.format_version,
            columns: &schema.columns,
            ..facts
        },
        None => facts,
    }
}

fn of_engine(one: &Judgement) -> Vec<String> {
    let (glyph, word) = match one.verdict {
        Verdict::Yes => ("✓", "yes, by"),
        Verdict::WithSetting => ("!", "with a setting:"),
        Verdict::No => ("✗", "no:"),
    };
    let mut lines = vec![format!("{glyph} {:<11} {word} {}", one.name, one.why)];
    lines.extend(one.beneath().iter().map(|line| format!("{:14}{line}", "")));
    lines
}

/// The census as far as it is, with what could not be read.
///
/// `connected` names the catalogs on record that cover a prefix.
pub fn census(browse: &Browse, now: Duration, connected: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(since) = browse.census.loading_since() {
        let seconds = now.saturating_sub(since).as_secs();
        lines.push(format!("counting, {seconds} s so far"));
    }
    if let Some(problem) = browse.census.problem() {
        lines.push(format!("✗ {}", problem.told()));
    }
    let Some(census) = browse.census.value() else {
        return lines;
    };
    let databases = counted(census.databases, "database", "databases");
    lines.push(format!(
        "{databases}, {}",
        counted(census.tables, "table", "tables")
    ));
    for (number, one, many) in [
        (
            census.links,
            "of the databases is a link: its tables count where they lie, those of another account not here",
            "of the databases are links: their tables count where they lie, those of another account not here",
        ),
        (
            census.federated,
            "of the databases stands for another system: its tables are not counted",
            "of the databases stand for other systems: their tables are not counted",
        ),
    ] {
        if number > 0 {
            lines.push(counted(number, one, many));
        }
    }
    for unread in &census.unreadable {
        let what = unread
            .database
            .as_deref()
            .map_or("the list of databases".to_owned(), scrub);
        lines.push(format!(
            "✗ {what}: {} {}",
            sentence(&unread.problem.what),
            unread.problem.next
        ));
    }
    let [kinds, odd, engines, files] = HEADINGS;
    lines.extend([String::new(), kinds.to_owned()]);
    lines.extend(numbered(&census.kinds()));
    lines.extend([String::new(), odd.to_owned()]);
    lines.extend(numbered(&census.notes()));
    lines.extend([String::new(), engines.to_owned()]);
    let row = |cells: [String; 3]| cells.map(|cell| format!("{cell:>NUMBER$}")).concat();
    lines.push(row(["yes", "setting", "no"].map(str::to_owned)));
    let engines = census.engines();
    lines.extend(engines.map(|(engine, per)| format!("{}  {}", row(per.numbers().map(count)), engine.name)));
    lines.extend([String::new(), files.to_owned()]);
    let prefixes = census.cover.prefixes();
    let more = prefixes.len().saturating_sub(PREFIXES);
    lines.extend(prefixes.iter().take(PREFIXES).map(|one| {
        let by = connected(&one.prefix).join(", ");
        let by = match by.is_empty() {
            true => String::new(),
            false => format!("  connected: {}", scrub(&by)),
        };
        format!("{:>NUMBER$}  {}{by}", count(one.locations), scrub(&one.prefix))
    }));
    if more > 0 {
        lines.push(format!("{:NUMBER$}  and {more} more", ""));
    }
    if prefixes.is_empty() {
        lines.push(format!("{:NUMBER$}  nothing on S3", ""));
    }
    lines
}

/// Counts with their words, as `glueup census` takes them.
fn numbered(counts: &[(&str, u64)]) -> Vec<String> {
    match counts {
        [] => vec![format!("{:NUMBER$}  nothing", "")],
        counts => counts
            .iter()
            .map(|(word, number)| format!("{:>NUMBER$}  {word}", count(*number)))
            .collect(),
    }
}
