//! Names as they stand in real catalogs, through Glue of the embedded AWS: in JSON and on the screen.

use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::signed;
use crate::support::term::{Term, key};
use crate::support::walk;
use glueup::domain::fqn::Fqn;
use glueup::domain::quote::{Dialect, parse};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const HYPHENS: &str = "my-glue-database";
const WILD: &str = "tempdb-test$21.asdj123||#^@#^$@$$!@#@!#";
/// One name to the eye, two to Glue.
const COMPOSED: &str = "twin_caf\u{e9}";
const COMBINED: &str = "twin_cafe\u{301}";

/// Databases and the one table in each, as they are made; Glue stores them in lower case.
fn made() -> [(String, &'static str); 7] {
    [
        (HYPHENS.to_owned(), "t"),
        (WILD.to_owned(), "MyTable"),
        (COMPOSED.to_owned(), "as_one_letter"),
        (COMBINED.to_owned(), "as_two_letters"),
        ("1st".to_owned(), "2nd"),
        ("n".repeat(255), "t"),
        (
            "日本語_👩\u{200d}🔬_①_±_e\u{301}".to_owned(),
            "日本語_👩\u{200d}🔬_①_±_e\u{301}",
        ),
    ]
}

fn world() -> (Demo, Home) {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let orders = signed::glue(
        &demo,
        "GetTable",
        &json!({"DatabaseName": "sales", "Name": "orders"}),
    );
    let orders = &orders["Table"];
    for (database, table) in made() {
        let input = json!({"DatabaseInput": {"Name": database}});
        signed::glue(&demo, "CreateDatabase", &input);
        // Iceberg tables over the files of one that is there.
        let table = json!({"Name": table, "TableType": "EXTERNAL_TABLE", "Parameters": orders["Parameters"],
            "StorageDescriptor": {"Columns": [], "Location": orders["StorageDescriptor"]["Location"]}});
        let input = json!({"DatabaseName": database, "TableInput": table});
        signed::glue(&demo, "CreateTable", &input);
    }
    (demo, home)
}

/// A whole name, quoted where it must be.
fn fqn(database: &str, table: Option<&str>) -> String {
    let fqn = Fqn {
        catalog: walk::CATALOG.parse().unwrap(),
        database: Some(database.to_owned()),
        table: table.map(str::to_owned),
    };
    fqn.display()
}

fn ask(home: &Home, verb: &str, what: &str) -> Vec<Value> {
    home.glueup(&[verb, what, "--output", "json"]).ok().json_lines()
}

fn codes(row: &Value) -> BTreeSet<&str> {
    let notes = row["notes"].as_array().unwrap().iter();
    notes.map(|note| note["code"].as_str().unwrap()).collect()
}

#[test]
fn every_name_is_a_row_of_its_own_exactly_as_glue_has_it() {
    let (_demo, home) = world();
    let databases = ask(&home, "ls", walk::CATALOG);
    let rows: BTreeMap<&str, &Value> = databases
        .iter()
        .map(|row| (row["database"].as_str().unwrap(), row))
        .collect();
    assert_eq!(rows.len(), databases.len(), "no name twice");
    for (database, table) in made() {
        let row = rows.get(database.as_str());
        let row = row.unwrap_or_else(|| panic!("{database} is not in {databases:?}"));
        // Of two that look alike the one that is composed of more letters says so.
        let combined = database.ends_with("e\u{301}");
        assert_eq!(codes(row).contains("not-nfc"), combined, "{row}");
        let tables = ask(&home, "ls", &fqn(&database, None));
        let stored = table.to_lowercase();
        assert_eq!(tables.len(), 1, "{database}: {tables:?}");
        assert_eq!(
            (&tables[0]["database"], &tables[0]["table"]),
            (&json!(database), &json!(stored))
        );
        // However it is typed.
        let schema = &ask(&home, "schema", &fqn(&database, Some(table)))[0];
        let whole: Fqn = schema["fqn"].as_str().unwrap().parse().unwrap();
        assert_eq!((whole.database, whole.table), (Some(database), Some(stored)));
        assert_eq!(
            (&schema["source"], schema["columns"].as_array().unwrap().len()),
            (&json!("iceberg"), 6)
        );
    }
    // The lake's own oddities.
    let lake: Value = serde_json::from_str(include_str!("../../assets/demo/lake/odd.json")).unwrap();
    let names = |rows: &[Value], field: &str| -> BTreeSet<String> {
        let names = rows.iter().map(|row| row[field].as_str().unwrap().to_owned());
        names.collect()
    };
    let listed = ask(&home, "ls", &fqn("odd", None));
    assert_eq!(
        names(&listed, "table"),
        names(lake["Tables"].as_array().unwrap(), "Name")
    );
    let asked: String = listed
        .iter()
        .map(|row| format!("{}\n", fqn("odd", row["table"].as_str())))
        .collect();
    let schemas = home
        .glueup_reading(&["schema", "-", "--output", "json"], &asked)
        .json_lines();
    let read: String = schemas
        .iter()
        .map(|s| format!("{}\n", s["fqn"].as_str().unwrap()))
        .collect();
    assert_eq!(read, asked);
    // As text the twins are told apart, too.
    let text = home.glueup(&["ls", walk::CATALOG]).ok().stdout;
    let twins: Vec<&str> = text.lines().filter(|line| line.starts_with("twin_")).collect();
    assert!(
        twins.len() == 2 && twins[0].ends_with("not-nfc") && !twins[1].contains("not-nfc"),
        "{twins:?}"
    );
}

#[test]
fn names_are_quoted_as_each_engine_wants_them_and_read_back() {
    let home = Home::new();
    let quoted = |name: &str, dialect: Dialect| {
        let asked = ["quote", name, "--dialect", dialect.as_str(), "--output", "json"];
        home.glueup(&asked).ok().json()
    };
    for dialect in Dialect::ALL
        .into_iter()
        .filter(|dialect| *dialect != Dialect::Pinot)
    {
        for (name, _) in made() {
            let said = quoted(&name, dialect);
            let text = said["quoted"].as_str().unwrap();
            let read = if said["needed"] == true || dialect != Dialect::Snowflake {
                parse(text, dialect).unwrap()
            } else {
                vec![text.to_owned()]
            };
            assert_eq!(read, [name.as_str()], "{dialect}: {said}");
        }
        let backticks = [
            Dialect::Spark,
            Dialect::AthenaDdl,
            Dialect::Hive,
            Dialect::ClickHouse,
        ];
        let mark = if backticks.contains(&dialect) { '`' } else { '"' };
        for name in [HYPHENS, WILD] {
            let said = quoted(name, dialect);
            assert_eq!(said["quoted"], format!("{mark}{name}{mark}"), "{dialect}");
            assert_eq!(said["needed"], true);
            assert!(!said["why"].as_str().unwrap().is_empty());
        }
    }
}

/// The rows of a pane that hold this text, and what stands left of the next rule.
fn rows(term: &Term, part: &str) -> Vec<String> {
    let text = term.text();
    let rows = text
        .lines()
        .filter_map(|line| line.split('│').find(|cell| cell.contains(part)));
    rows.map(|row| row.trim_end().to_owned()).collect()
}

#[test]
fn odd_names_are_shown_found_and_copied_like_any_other() {
    let (_demo, home) = world();
    let mut term = Term::start(&home, 240, 40, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("DATABASES  18");
    term.wait_for(" 1st");
    // Two rows, of which one is marked, and behind each its own tables.
    term.keys("/twin");
    term.wait_for("2 of 18");
    let twins = rows(&term, "twin_");
    assert!(
        twins.len() == 2 && twins[0].ends_with(&format!("{COMBINED} !")) && twins[1].ends_with(COMPOSED),
        "{twins:?}"
    );
    term.keys(key::ENTER);
    term.wait_for("as_two_letters");
    assert!(!term.text().contains("as_one_letter"));
    term.keys(key::DOWN);
    term.wait_for("as_one_letter");
    // Hyphens: its table is read, and its names are there to be copied.
    term.keys(&format!(":{HYPHENS}\r"));
    term.wait_for("▸ t ");
    term.wait_for("Iceberg schema, written");
    term.keys("Y");
    for quoted in [
        "`Lake House`.`my-glue-database`.t",
        "\"Lake House\".\"my-glue-database\".t",
        "\"my-glue-database\".t",
        "`my-glue-database`.t",
    ] {
        term.wait_for(&format!(" {quoted}"));
    }
    term.keys(key::ESC);
    term.wait_gone("name for Spark");
    // The dot does not split it, and what is copied for a shell is in single quotes.
    term.keys(":tempdb\r");
    term.wait_for(&format!("Lake House ▸ {WILD} "));
    term.wait_for("mytable  Iceberg v2");
    term.wait_for("Iceberg schema, written");
    assert_eq!(
        rows(&term, "tempdb").len(),
        1 + 1,
        "a row, and the head: {}",
        term.text()
    );
    term.keys("!");
    term.wait_for(&format!("glueup schema 'Lake House.`{WILD}`.mytable'"));
    term.wait_for("esc close");
    term.keys(key::ESC);
    term.wait_gone("esc close");
    // Glue has all names in lower case, whoever looks for them.
    term.keys("/MyTable");
    term.wait_for("1 of 1");
    term.wait_for("▸ mytable");
    term.keys(key::ENTER);
    term.keys(":Weather.Stations\r");
    term.wait_for("▸ stations");
    term.wait_for("Lake House ▸ weather ");
    // A digit first, and the longest name that there can be.
    term.keys(":1st\r");
    term.wait_for("Lake House ▸ 1st ");
    term.wait_for("▸ 2nd");
    term.keys(":nnnn\r");
    term.wait_for("▸ nnnnnnnn");
    term.wait_for("TABLES  1");
    // Back among the databases.
    term.keys("h");
    term.keys("z");
    term.wait("the whole name", |term| {
        let text: String = term.text().split_whitespace().collect();
        text.contains(&"n".repeat(255))
    });
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
}
