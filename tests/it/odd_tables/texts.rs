//! Texts that would steer the terminal, in every place where a catalog holds text.

use super::{full, home, iceberg, link};
use crate::hostile::{judge, steers};
use crate::support::fake::{self, Fake, Reply};
use crate::support::term::{Term, key};
use serde_json::{Value, json};

/// Texts that steer a terminal, or the eye of its reader.
const HOSTILE: &[&str] = &[
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]8;;http://evil.example\u{1b}\\here\u{1b}]8;;\u{1b}\\",
    "\u{1b}P+q544e\u{1b}\\",
    "\u{1b}Pq#0;2;0;0;0#0~~\u{1b}\\",
    "\u{1b}_Gf=24,s=1,v=1;AAAA\u{1b}\\",
    "\u{1b}^private\u{1b}\\",
    "\u{1b}Xstring\u{1b}\\",
    "\u{1b}c",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}[6n",
    "\u{1b}[?1000h",
    "\u{1b}#8",
    "\u{1b}(0lqk",
    "\u{9b}2J",
    "\u{90}q\u{9c}",
    "\u{9d}0;title\u{9c}",
    "next\u{85}line",
    "\u{8d}up",
    "a\rb",
    "a\nb",
    "a\tb",
    "a\u{8}\u{8}b",
    "nul\u{0}",
    "\u{7f}del",
    "\u{e}shifted\u{f}",
    "a\u{202e}gnp.exe",
    "\u{2066}left\u{2069}",
    "\u{2067}right\u{2069}",
    "\u{2068}first\u{2069}",
    "join\u{200d}ed\u{200c}",
    "zero\u{200b}width\u{feff}",
    "mark\u{200e}\u{200f}\u{61c}",
    "line\u{2028}para\u{2029}",
    "word\u{2060}\u{206a}soft\u{ad}",
    "tag\u{e0041}\u{e007f}\u{fff9}x\u{fffb}",
];

#[track_caller]
fn harmless(output: &str) {
    let found = output
        .lines()
        .find(|line| line.contains(|c| steers(c) || matches!(c, '\u{1b}' | '\u{200d}')));
    assert_eq!(found, None);
}

/// Tables whose names, and a table all of whose texts are hostile.
fn hostile_tables() -> Vec<Value> {
    let mut tables: Vec<Value> = HOSTILE
        .iter()
        .enumerate()
        .map(|(n, text)| full(&format!("{n:02}{text}")))
        .collect();
    let columns: Vec<Value> = HOSTILE
        .iter()
        .map(|text| json!({ "Name": format!("n{text}"), "Type": format!("t{text}"), "Comment": format!("c{text}") }))
        .collect();
    let all = HOSTILE.concat();
    let mut texts = full("texts");
    texts["Description"] = json!(all);
    texts["Owner"] = json!(all);
    texts["StorageDescriptor"]["Columns"] = json!(columns);
    texts["StorageDescriptor"]["Location"] = json!(format!("s3://acme-lake/{all}"));
    texts["PartitionKeys"] = json!(columns);
    tables.push(texts);
    let mut foreign = full("foreign");
    foreign["StorageDescriptor"]["Location"] = json!(format!("{all}://x"));
    foreign["TableType"] = json!(all);
    tables.push(foreign);
    let mut pointing = link("link");
    pointing["TargetTable"] = json!({ "CatalogId": all, "DatabaseName": all, "Name": all, "Region": all });
    tables.push(pointing);
    let mut lost = iceberg("lost");
    lost["Parameters"]["metadata_location"] = json!(format!("s3://acme-lake/{all}"));
    tables.push(lost);
    tables
}

#[test]
fn no_text_of_a_catalog_reaches_the_terminal_as_it_is() {
    let tables = hostile_tables();
    let total = tables.len();
    let all = HOSTILE.concat();
    let world = Fake::start(move |asked| {
        if let Some(reply) = fake::sts(asked, "aws") {
            return reply;
        }
        let target = json!({ "CatalogId": all, "DatabaseName": all, "Region": all });
        match (asked.action(), asked.json("DatabaseName").as_str()) {
            ("GetDatabases", _) => Reply::json(&json!({ "DatabaseList": [
                { "Name": "d", "Description": all },
                { "Name": format!("e{all}"), "TargetDatabase": target },
            ] })),
            ("GetTables", "d") => Reply::json(&json!({ "TableList": tables })),
            ("GetTable", "d") => match tables.iter().find(|table| table["Name"] == asked.json("Name")) {
                Some(table) => Reply::json(&json!({ "Table": table })),
                None => Reply::error(400, "EntityNotFoundException", &all),
            },
            _ => Reply::error(400, "AccessDeniedException", &all),
        }
    });
    let home = home(&world);
    let mut runs = vec![
        vec!["ls", "lake"],
        vec!["ls", "lake.d"],
        vec!["ls", "lake.refused"],
        vec!["schema", "lake.d.not_there"],
    ];
    for name in ["texts", "foreign", "link", "lost"] {
        runs.push(vec!["schema", name]);
    }
    for run in runs {
        let fqn = format!("lake.d.{}", run[1]);
        let run = if run[1].starts_with("lake") {
            run
        } else {
            vec![run[0], &fqn]
        };
        for more in [&[][..], &["--output", "json"]] {
            let ran = home.glueup(&[&run[..], more].concat());
            assert!(!ran.stdout.is_empty() || !ran.stderr.is_empty());
            harmless(&ran.stdout);
            harmless(&ran.stderr);
        }
    }
    let rows = home
        .glueup(&["ls", "lake.d", "--output", "json"])
        .ok()
        .json_lines();
    for (row, (n, text)) in rows.iter().zip(HOSTILE.iter().enumerate()) {
        assert_eq!(row["table"], format!("{n:02}{text}"), "exact in JSON");
    }

    let mut term = Term::start(&home, 120, 40, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("DATABASES  2");
    term.keys("z");
    term.wait_for("␛]52;c;ZXZpbA==␇");
    term.wait_for("esc close");
    // An Esc with a key right behind it would be that key with Alt.
    term.keys(key::ESC);
    term.wait_gone("esc close");
    term.keys(key::ENTER);
    term.wait_for(&format!("TABLES  {total}"));
    term.wait_for("00␛]52");
    term.keys("/");
    term.keys("texts");
    term.wait_for("1 of ");
    term.keys(key::ENTER);
    term.wait_for("n␛]52");
    term.keys("z");
    term.wait_for("t␛]52");
    term.keys("G");
    term.keys(key::CTRL_C);
    term.exit_code();
    assert_eq!(judge(&term.raw()), Ok(()));
}
