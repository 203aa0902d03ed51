//! Lists of names: on standard input, in listings as text, and as files.

use crate::support::demo::Demo;
use crate::support::fake::{self, Fake, Reply};
use crate::support::home::{Home, Ran};
use crate::support::walk;
use serde_json::{Value, json};

/// Databases `a` and `denied`, of which the second may not be read, and ` b`, whose name begins with a blank.
fn partly_denied() -> (Home, Fake) {
    let world = Fake::start(|asked| {
        if let Some(reply) = fake::sts(asked, "aws") {
            return reply;
        }
        match (asked.action(), asked.json("DatabaseName").as_str()) {
            ("GetDatabases", _) => {
                Reply::json(&json!({ "DatabaseList": [{"Name": "a"}, {"Name": "denied"}, {"Name": " b"}] }))
            }
            ("GetTables", "denied") => Reply::error(
                400,
                "AccessDeniedException",
                "not authorized to perform: glue:GetTables",
            ),
            ("GetTables", _) => Reply::json(&json!({ "TableList": [{"Name": "t"}, {"Name": "trailing "}] })),
            _ => Reply::error(400, "EntityNotFoundException", "Entity Not Found"),
        }
    });
    (fake::at(fake::recorded("aws", "us-west-2", false), &world), world)
}

#[test]
fn a_list_on_standard_input_skips_comments_and_names_the_line_that_is_wrong() {
    let glue = fake::glue(vec![json!({ "Name": "t1" })]);
    let home = fake::at(fake::recorded("aws", "us-west-2", false), &glue);
    for verb in ["schema", "lens"] {
        let reading = |text: &str| -> Ran { home.glueup_reading(&[verb, "-", "--output", "json"], text) };
        for nothing in ["", "\n  \n", "# none yet\n"] {
            let ran = reading(nothing).exits(2);
            assert_eq!(ran.error()["what"], "no names on standard input", "{verb}");
        }
        let wrong = reading("# tables\n\nlake.d.t1\nlake.d\n").exits(2);
        assert_eq!(wrong.stdout, "");
        let what = wrong.error()["what"].as_str().unwrap().to_owned();
        assert_eq!(what, "line 4 of standard input: lake.d is not a table", "{verb}");
        let broken = reading("lake.d.`t1\n").exits(2);
        let what = broken.error()["what"].as_str().unwrap().to_owned();
        assert!(what.starts_with("line 1 of standard input: "), "{what}");
    }
}

#[test]
fn blanks_at_the_ends_of_names_are_seen_and_a_denied_database_stands_apart() {
    let (home, _world) = partly_denied();
    let databases = home.glueup(&["ls", "lake"]).ok().stdout;
    assert_eq!(databases, "a\ndenied\n` b`\n");
    let ran = home.glueup(&["ls", "lake", "--tables"]).exits(1);
    let rows: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(rows.len(), 4, "{}", ran.stdout);
    assert!(
        rows[1].contains(" `trailing ` ") && rows[2].starts_with("` b` "),
        "{}",
        ran.stdout
    );
    // One column for all databases.
    let kinds: Vec<Option<usize>> = rows.iter().map(|row| row.find("unknown")).collect();
    assert!(kinds.iter().all(|at| *at == kinds[0]), "{}", ran.stdout);
    assert!(
        ran.stderr.lines().any(|line| line.starts_with("denied: ")),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_census_knows_its_words_and_its_file_what_could_not_be_read() {
    let (home, _world) = partly_denied();
    for (flag, word) in [
        ("--note", "unparsed-type"),
        ("--kind", "iceberg"),
        ("--engine", "trino"),
    ] {
        let ran = home.glueup(&["census", "lake", flag, "nosuch"]).exits(2);
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
    }
    let file = home.path().join("census.csv");
    home.glueup(&["census", "lake", "--to", file.to_str().unwrap()])
        .exits(1);
    let csv = std::fs::read_to_string(&file).unwrap();
    let last = csv.lines().last().unwrap();
    assert!(last.starts_with("denied,,unreadable,,"), "{csv}");
    let cells = |line: &str| line.split(',').count();
    assert_eq!(cells(last), cells(csv.lines().next().unwrap()), "{csv}");
}

#[test]
fn the_notes_of_the_demos_tables_are_all_known_to_the_census() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    let census = home
        .glueup(&["census", "AwsDataCatalog", "--as-caller", "--output", "json"])
        .ok()
        .json();
    let notes = census["by_note"].as_object().unwrap();
    assert!(notes.len() > 5, "{notes:?}");
    for (note, number) in notes {
        let some = home
            .glueup(&[
                "census",
                "AwsDataCatalog",
                "--as-caller",
                "--note",
                note,
                "--output",
                "json",
            ])
            .ok()
            .json();
        assert_eq!(&some["tables"], number, "{note}");
    }
}

#[test]
fn several_schemas_for_arrow_are_a_document_a_line() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let names = "Lake House.sales.orders\nLake House.sales.nothing\nLake House.SALES.Returns\n";
    let ran = home
        .glueup_reading(&["schema", "-", "--as", "arrow"], names)
        .exits(1);
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let fqns: Vec<&str> = lines.iter().map(|line| line["fqn"].as_str().unwrap()).collect();
    // As the catalog has them.
    assert_eq!(
        fqns,
        ["`Lake House`.sales.orders", "`Lake House`.sales.returns"].map(|name| name.replace('`', ""))
    );
    assert!(lines.iter().all(|line| line["fields"].is_array()), "{lines:?}");
    assert!(ran.stderr.contains("sales/nothing"), "{}", ran.stderr);
    let typed = [
        "lens",
        "awsdatacatalog.Sales.ORDERS",
        "--as-caller",
        "--output",
        "json",
    ];
    assert_eq!(
        home.glueup(&typed).ok().json()["fqn"],
        "AwsDataCatalog.sales.orders"
    );
    let one = home
        .glueup(&["schema", "Lake House.sales.orders", "--as", "arrow"])
        .ok();
    assert!(one.stdout.starts_with("{\n"), "{}", one.stdout);
}

#[test]
fn a_table_that_is_not_there_is_named_with_ones_own_rights_too() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    for (verb, what, named) in [
        (
            "schema",
            "AwsDataCatalog.sales.nothing",
            "the table sales.nothing",
        ),
        ("ls", "AwsDataCatalog.nowhere", "the database nowhere"),
    ] {
        let ran = home
            .glueup(&[verb, what, "--as-caller", "--output", "json"])
            .exits(3);
        let said = ran.error()["what"].as_str().unwrap().to_owned();
        assert_eq!(said, format!("Not found: {named}"));
    }
}
