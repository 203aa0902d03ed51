//! Which engines read what: the lens on a table, and the census of a catalog, as texts.

use crate::browse::{Census, TableRow};
use crate::domain::amount::{count, counted};
use crate::domain::kind::TableKind;
use crate::domain::lens::{self, Engine, Facts, Judgement, Verdict};
use crate::domain::text::scrub;
use crate::tui::model::{Browse, Listing};
use crate::tui::view::words;
use std::cmp::Reverse;
use std::time::Duration;

/// The lines of the census that are headings.
pub const HEADINGS: [&str; 3] = ["BY KIND", "WHAT IS ODD", "BY ENGINE, as far as Glue alone tells"];

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
    let schema = browse.schema_of(&row.name).map(|view| &view.schema);
    Facts {
        kind: schema.map_or(row.kind, |schema| schema.kind),
        format: row.format,
        notes: schema.map_or(&row.notes, |schema| &schema.notes),
        database: browse.open_database.as_deref().unwrap_or_default(),
        table: &row.name,
        format_version: schema.and_then(|schema| schema.format_version),
        columns: schema.map_or(&[], |schema| &schema.columns),
    }
}

fn of_engine(one: &Judgement) -> Vec<String> {
    let (glyph, word) = match one.verdict {
        Verdict::Yes => ("✓", "yes, by"),
        Verdict::WithSetting => ("!", "with a setting:"),
        Verdict::No => ("✗", "no:"),
    };
    let mut lines = vec![format!("{glyph} {:<11} {word} {}", one.name, one.why)];
    let mut below = |text: String| lines.push(format!("{:14}{text}", ""));
    one.settings
        .iter()
        .for_each(|setting| below(format!("set: {setting}")));
    one.hints.iter().for_each(|hint| below(format!("note: {hint}")));
    for column in &one.columns {
        below(format!("column {}: {}", column.column, column.why));
    }
    lines
}

/// The census as far as it is, with what could not be read.
pub fn census(browse: &Browse, now: Duration) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(since) = browse.census.loading_since() {
        let seconds = now.saturating_sub(since).as_secs();
        lines.push(format!("counting, {seconds} s so far"));
    }
    if let Some(problem) = browse.census.problem() {
        lines.push(format!(
            "✗ {} {} {}",
            words::sentence(&problem.what),
            problem.why,
            problem.next
        ));
    }
    let Some(census) = browse.census.value() else {
        return lines;
    };
    let databases = counted(census.databases, "database", "databases");
    lines.push(format!(
        "{databases}, {}",
        counted(census.tables, "table", "tables")
    ));
    for (number, what) in [
        (
            census.links,
            "links to others: their tables are counted where they are",
        ),
        (census.federated, "of other systems: their tables are not counted"),
    ] {
        if number > 0 {
            lines.push(format!("{} {what}", counted(number, "database", "databases")));
        }
    }
    for unread in &census.unreadable {
        let what = unread
            .database
            .as_deref()
            .map_or("the list of databases".to_owned(), scrub);
        lines.push(format!(
            "✗ {what}: {} {}",
            words::sentence(&unread.problem.what),
            unread.problem.next
        ));
    }
    let [kinds, odd, engines] = HEADINGS;
    lines.extend([String::new(), kinds.to_owned()]);
    let mut by_kind: Vec<_> = census
        .by_kind
        .iter()
        .map(|(kind, n)| (kind.as_str(), *n))
        .collect();
    lines.append(&mut most_first(&mut by_kind));
    lines.extend([String::new(), odd.to_owned()]);
    let mut by_note: Vec<_> = census.by_note.iter().map(|(code, n)| (*code, *n)).collect();
    lines.append(&mut most_first(&mut by_note));
    lines.extend([String::new(), engines.to_owned()]);
    lines.append(&mut by_engine(census));
    lines
}

/// The most first; words as `glueup census` takes them.
fn most_first(of: &mut [(&str, u64)]) -> Vec<String> {
    of.sort_by_key(|(word, number)| (Reverse(*number), *word));
    let line = |(word, number): &(&str, u64)| format!("{:>NUMBER$}  {word}", count(*number));
    match of {
        [] => vec![format!("{:>NUMBER$}  nothing", "")],
        of => of.iter().map(line).collect(),
    }
}

fn by_engine(census: &Census) -> Vec<String> {
    let mut lines = vec![format!(
        "{:>NUMBER$}{:>NUMBER$}{:>NUMBER$}",
        "yes", "setting", "no"
    )];
    for engine in Engine::all() {
        let per = census
            .by_engine
            .get(engine.id.as_str())
            .copied()
            .unwrap_or_default();
        let [yes, with, no] = [per.yes, per.with_setting, per.no].map(count);
        lines.push(format!(
            "{yes:>NUMBER$}{with:>NUMBER$}{no:>NUMBER$}  {}",
            engine.name
        ));
    }
    lines
}
