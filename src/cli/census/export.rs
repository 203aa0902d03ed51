//! The census as a file: CSV with a row a table, JSON with everything, Markdown to be read.

use crate::browse::{Census, TableRow};
use crate::domain::amount::count;
use crate::domain::lens::{self, Engine};
use crate::domain::names::CatalogName;
use crate::domain::problem::{Kind, Problem};
use crate::domain::text::scrub;
use crate::stack::save;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The forms, by the end of the file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Csv,
    Json,
    Markdown,
}

/// A file in the making. Tables come in the order in which their databases answer; the file has them by name.
pub struct Export {
    path: PathBuf,
    form: Form,
    rows: Vec<(String, TableRow)>,
}

impl Export {
    /// A file whose name says its form.
    ///
    /// # Errors
    /// `Usage` for a name that ends in none of the forms.
    pub fn new(path: PathBuf) -> Result<Self, Problem> {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        let form = match end.as_deref() {
            Some("csv") => Form::Csv,
            Some("json") => Form::Json,
            Some("md") => Form::Markdown,
            _ => {
                return Err(Problem::new(
                    Kind::Usage,
                    format!("{} is no name for a census", path.display()),
                    "its end says the form of the file",
                    "end it in .csv (a row a table), .json (all of it) or .md (to be read)",
                ));
            }
        };
        Ok(Self {
            path,
            form,
            rows: Vec::new(),
        })
    }

    /// Takes tables of a database in.
    pub fn rows(&mut self, database: &str, rows: &[TableRow]) {
        self.rows
            .extend(rows.iter().map(|row| (database.to_owned(), row.clone())));
    }

    /// Writes the file, unless another one is in the way; says where it is.
    ///
    /// # Errors
    /// As [`save::file`].
    pub fn finish(mut self, catalog: &CatalogName, census: &Census) -> Result<PathBuf, Problem> {
        self.rows
            .sort_by(|(da, a), (db, b)| (da, &a.name).cmp(&(db, &b.name)));
        let text = match self.form {
            Form::Csv => csv(&self.rows, census),
            Form::Json => format!("{:#}\n", whole(catalog, census, &self.rows)),
            Form::Markdown => markdown(catalog, census, &self.rows),
        };
        save::file(Path::new(&self.path), &text)?;
        Ok(self.path)
    }
}

fn codes(row: &TableRow) -> Vec<&'static str> {
    row.notes.iter().map(|note| note.code).collect()
}

fn format_of(row: &TableRow) -> &'static str {
    row.format.map_or("", |format| format.as_str())
}

/// A row a table; then a row of the kind `unreadable` for each database that could not be read, with the reason in the place
/// of the notes: without it a file would look whole that is not.
fn csv(rows: &[(String, TableRow)], census: &Census) -> String {
    let mut text = "database,table,kind,format,notes,location".to_owned();
    Engine::all().iter().for_each(|engine| {
        text.push(',');
        text.push_str(&engine.id);
    });
    text.push_str("\r\n");
    for (database, row) in rows {
        let mut cells = vec![
            cell(database),
            cell(&row.name),
            row.kind.as_str().to_owned(),
            format_of(row).to_owned(),
            codes(row).join(" "),
            cell(row.location.as_deref().unwrap_or_default()),
        ];
        cells.extend(
            lens::judge(&row.facts(database))
                .iter()
                .map(|one| one.verdict.to_string()),
        );
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    for unread in &census.unreadable {
        let mut cells = vec![
            cell(unread.database.as_deref().unwrap_or_default()),
            String::new(),
            "unreadable".to_owned(),
            String::new(),
            cell(&unread.problem.what),
            String::new(),
        ];
        cells.extend(Engine::all().iter().map(|_| String::new()));
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

/// A cell by RFC 4180. What a spreadsheet would take for a formula gets an apostrophe before it: names come from outside.
fn cell(given: &str) -> String {
    let clean = scrub(given);
    let guarded = if clean.starts_with(['=', '+', '-', '@']) {
        format!("'{clean}")
    } else {
        clean
    };
    if guarded.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", guarded.replace('"', "\"\""));
    }
    guarded
}

fn whole(catalog: &CatalogName, census: &Census, rows: &[(String, TableRow)]) -> Value {
    let list: Vec<Value> = rows
        .iter()
        .map(|(database, row)| {
            let engines: serde_json::Map<String, Value> = lens::judge(&row.facts(database))
                .into_iter()
                .map(|one| {
                    (
                        one.engine.to_owned(),
                        json!({ "verdict": one.verdict, "why": one.why }),
                    )
                })
                .collect();
            json!({
                "database": database, "table": row.name, "kind": row.kind, "format": row.format,
                "notes": row.notes, "location": row.location, "engines": engines,
            })
        })
        .collect();
    json!({ "catalog": catalog, "census": census, "list": list })
}

fn markdown(catalog: &CatalogName, census: &Census, rows: &[(String, TableRow)]) -> String {
    let mut text = format!("# Census of {}\n\n", plain(catalog.as_str()));
    let complete = if census.complete {
        ""
    } else {
        ", **not all of it could be read**"
    };
    let (databases, tables) = (count(census.databases), count(census.tables));
    let _ = writeln!(text, "{databases} databases, {tables} tables{complete}.\n");
    for unread in &census.unreadable {
        let what = unread.database.as_deref().unwrap_or("the list of databases");
        let _ = writeln!(
            text,
            "- not read: {}: {}",
            plain(what),
            plain(&unread.problem.what)
        );
    }
    text.push_str("\n| kind | tables |\n|---|---:|\n");
    for (kind, number) in census.kinds() {
        let _ = writeln!(text, "| {kind} | {} |", count(number));
    }
    text.push_str("\n| note | tables |\n|---|---:|\n");
    for (code, number) in census.notes() {
        let _ = writeln!(text, "| {code} | {} |", count(number));
    }
    text.push_str("\n| engine | yes | with a setting | no |\n|---|---:|---:|---:|\n");
    for (engine, per) in census.engines() {
        let [yes, with, no] = per.numbers().map(count);
        let _ = writeln!(text, "| {} | {yes} | {with} | {no} |", engine.name);
    }
    text.push_str("\n## Tables that something is odd about\n\n| table | kind | what |\n|---|---|---|\n");
    for (database, row) in rows.iter().filter(|(_, row)| !row.notes.is_empty()) {
        let notes: Vec<String> = row.notes.iter().map(|note| plain(&note.text)).collect();
        let name = plain(&format!("{database}.{}", row.name));
        let _ = writeln!(text, "| {name} | {} | {} |", row.kind, notes.join("<br>"));
    }
    text
}

/// Text from outside that Markdown would not take for its own signs.
fn plain(given: &str) -> String {
    let mut text = String::with_capacity(given.len());
    for c in scrub(given).chars() {
        if matches!(c, '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '\\' | '#') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}
