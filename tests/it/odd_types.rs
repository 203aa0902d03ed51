//! Column types as they stand in real catalogs, through Glue of the embedded AWS: in JSON and on the screen.

use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::signed;
use crate::support::term::{Term, key};
use crate::support::walk;
use serde_json::{Value, json};

/// A table and the types of its columns.
const TABLES: [(&str, &[(&str, &str)]); 9] = [
    (
        "a_colons",
        &[("one", "struct<b:c:int>"), ("two", "struct<:b::c:::int>")],
    ),
    (
        "b_signs",
        &[("age", "struct<!@#$%^&*()_age:int>"), ("nothing", "struct<>")],
    ),
    ("c_quoted", &[("q", "array<struct<`abc,xyz`:int>>")]),
    ("d_torn", &[("q", "array<struct<abc,xyz:int>>"), ("id", "bigint")]),
    (
        "e_unions",
        &[
            ("u", "uniontype<int,double>"),
            ("s", "struct<a:uniontype<int,string>>"),
            ("my_uniontype", "string"),
        ],
    ),
    ("f_unknown", &[("id", "bigint(20)"), ("name", "string")]),
    ("g_words", &[("n", "long"), ("p", "double precision")]),
    (
        "h_deep",
        &[("d", "array<map<string,struct<x:array<struct<y:decimal(10,2)>>>>>")],
    ),
    ("i_plain", &[("id", "bigint")]),
];

fn world() -> (Demo, Home) {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    signed::glue(
        &demo,
        "CreateDatabase",
        &json!({"DatabaseInput": {"Name": "types"}}),
    );
    for (name, columns) in TABLES {
        let columns: Vec<Value> = columns
            .iter()
            .map(|(name, kind)| json!({"Name": name, "Type": kind}))
            .collect();
        let table = json!({"Name": name, "TableType": "EXTERNAL_TABLE", "PartitionKeys": [],
            "Parameters": {"classification": "parquet"},
            "StorageDescriptor": {"Columns": columns, "Location": "s3://acme-lake/warehouse/types"}});
        signed::glue(
            &demo,
            "CreateTable",
            &json!({"DatabaseName": "types", "TableInput": table}),
        );
    }
    (demo, home)
}

/// A column and what is beneath it, in one line.
fn said(column: &Value) -> String {
    let children: Vec<String> = column["children"].as_array().unwrap().iter().map(said).collect();
    let word = column["type"]
        .as_str()
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned();
    let below = if children.is_empty() {
        String::new()
    } else {
        format!("[{}]", children.join("; "))
    };
    format!("{}: {word}{below}", column["name"].as_str().unwrap())
}

fn codes(value: &Value) -> Vec<&str> {
    value["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| note["code"].as_str().unwrap())
        .collect()
}

#[test]
fn every_type_is_a_tree_or_says_why_not_and_every_table_is_a_row() {
    let (_demo, home) = world();
    let rows = home
        .glueup(&["ls", "Lake House.types", "--output", "json"])
        .ok()
        .json_lines();
    let noted: Vec<(&str, Vec<&str>)> = rows
        .iter()
        .map(|row| (row["table"].as_str().unwrap(), codes(row)))
        .collect();
    assert_eq!(
        noted,
        [
            ("a_colons", vec!["ambiguous-name"]),
            ("b_signs", vec![]),
            ("c_quoted", vec!["ambiguous-name"]),
            ("d_torn", vec!["unparsed-type"]),
            ("e_unions", vec!["union-type"]),
            ("f_unknown", vec!["unknown-type"]),
            ("g_words", vec!["nonstandard-type"]),
            ("h_deep", vec![]),
            ("i_plain", vec![]),
        ]
    );
    let unknown = rows.iter().find(|row| row["table"] == "f_unknown").unwrap();
    assert_eq!(
        unknown["notes"][0]["text"],
        "unknown type bigint(20) on column id"
    );
    let asked: String = TABLES
        .iter()
        .map(|(name, _)| format!("Lake House.types.{name}\n"))
        .collect();
    let schemas = home
        .glueup_reading(&["schema", "-", "--output", "json"], &asked)
        .ok()
        .json_lines();
    let said: Vec<String> = schemas
        .iter()
        .flat_map(|schema| schema["columns"].as_array().unwrap().iter().map(said))
        .collect();
    assert_eq!(
        said,
        [
            "one: struct[b:c: int]",
            "two: struct[:b::c::: int]",
            "age: struct[!@#$%^&*()_age: int]",
            "nothing: struct",
            "q: array[element: struct[abc,xyz: int]]",
            "q: array",
            "id: bigint",
            "u: uniontype[branch 0: int; branch 1: double]",
            "s: struct[a: uniontype[branch 0: int; branch 1: string]]",
            "my_uniontype: string",
            "id: bigint(20)",
            "name: string",
            "n: long",
            "p: double precision",
            "d: array[element: map[key: string; value: struct[x: array[element: struct[y: decimal(10,2)]]]]]",
            "id: bigint",
        ]
    );
    // what could not be read is whole, and says where it is torn
    let torn = &schemas[3]["columns"][0];
    assert_eq!(torn["type"], "array<struct<abc,xyz:int>>");
    assert_eq!(
        torn["notes"][0]["text"],
        "cannot parse at offset 16: expected ':' after 'abc'"
    );
    assert_eq!(
        codes(&schemas[4]["columns"][2]),
        [""; 0],
        "a column that is only called so"
    );
}

#[test]
fn the_pane_shows_the_trees_and_what_is_odd_about_them() {
    let (_demo, home) = world();
    let mut term = Term::start(&home, 140, 40, &[], &[]);
    term.wait_for("Lake House");
    term.keys(key::ENTER);
    term.wait_for("b browse");
    term.keys("b");
    term.wait_for("DATABASES");
    term.keys("/types");
    term.wait_for("▸ types");
    term.keys(key::ENTER);
    term.wait_for("a_colons");
    term.keys(key::ENTER);
    for (table, wanted) in [
        ("a_colons", &["b:c", ":b::c::", "ambiguous name b:c"][..]),
        ("b_signs", &["!@#$%^&*()_age", "struct (0 fields)"]),
        ("c_quoted", &["abc,xyz", "element"]),
        (
            "d_torn",
            &["array<struct<abc,xyz:int>>", "cannot parse at offset 16", "'abc'"],
        ),
        ("e_unions", &["branch 0", "branch 1", "uniontype", "my_uniontype"]),
        ("f_unknown", &["bigint(20)", "unknown type bigint(20)"]),
        ("g_words", &["double precision", "not Hive's"]),
        ("h_deep", &["decimal(10,2)", "array", "map"]),
    ] {
        term.wait(table, |term| {
            let text = term.text();
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            text.contains(&format!("▸ {table}"))
                && wanted
                    .iter()
                    .all(|word| words.contains(word) || text.contains(word))
        });
        term.keys(key::DOWN);
    }
}

/// The longest type that Glue takes; a longer one there cannot be.
const LONGEST: usize = 131_072;

#[test]
fn the_longest_type_there_can_be_is_a_tree_in_json_and_on_the_screen() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let rows = home
        .glueup(&["ls", "Lake House.odd", "--output", "json"])
        .ok()
        .json_lines();
    let row = rows.iter().find(|row| row["table"] == "long_type").unwrap();
    assert_eq!((&row["kind"], &row["notes"]), (&json!("hive"), &json!([])));
    let schema = home
        .glueup(&["schema", "Lake House.odd.long_type", "--output", "json"])
        .ok()
        .json();
    let wide = &schema["columns"][0];
    let kind = wide["type"].as_str().unwrap();
    assert_eq!((kind.len(), &wide["notes"]), (LONGEST, &json!([])));
    let fields = wide["children"].as_array().unwrap();
    assert_eq!(fields.len(), kind.split(',').count());
    let last = fields.last().unwrap()["name"].as_str().unwrap();
    assert!(kind.contains(&format!(",{last}:")), "{last}");
    // One character more is refused by Glue.
    let body = json!({"DatabaseName": "odd", "TableInput": {"Name": "longer",
        "StorageDescriptor": {"Columns": [{"Name": "wide", "Type": format!("{kind} ")}]}}});
    let headers = [
        ("content-type", "application/x-amz-json-1.1"),
        ("x-amz-target", "AWSGlue.CreateTable"),
    ];
    let keys = (demo.field("access_key_id"), demo.field("secret_access_key"));
    let scope = ("glue", demo.field("region"));
    let refused = signed::post(demo.endpoint(), keys, scope, &headers, &body.to_string());
    assert!(
        refused.status == 400 && refused.text().contains("ValidationException"),
        "{}",
        refused.text()
    );

    let mut term = Term::start(&home, 120, 30, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("DATABASES");
    term.keys(":odd.long_type\r");
    term.wait_for("▸ long_type");
    for part in ["wide", "├ first", "├ f00000", " more"] {
        term.wait_for(part);
    }
    // Its last field is found, too.
    term.keys(key::TAB);
    term.keys(&format!("/{last}\r"));
    term.wait_for(&format!("└ {last}"));
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
}
