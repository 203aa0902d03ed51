//! Tables that boto3 and PyIceberg make are read as those tools themselves report them: on the embedded AWS, and on moto.

use crate::support::demo::Demo;
use crate::support::fake;
use crate::support::home::Home;
use crate::support::peers::{self, Emulator, Peer};
use crate::support::walk;
use serde_json::{Value, json};

/// A schema's columns with path, type, id, whether they are required, and comment, as the script prints them.
fn columns(of: &Value, path: &str, found: &mut Vec<Value>) {
    for column in of.as_array().unwrap() {
        let path = format!("{path}{}", column["name"].as_str().unwrap());
        let word = column["type"].as_str().unwrap().replace(' ', "");
        found.push(json!([
            path,
            word,
            column["id"],
            column["required"],
            column["doc"]
        ]));
        columns(&column["children"], &format!("{path}."), found);
    }
}

fn agrees(said: &Value, home: &Home, catalog: &str) {
    let list = format!("{catalog}.peer");
    let rows = home.glueup(&["ls", &list, "--output", "json"]).ok().json_lines();
    let names: Vec<&Value> = rows.iter().map(|row| &row["table"]).collect();
    assert_eq!(json!(names), said["tables"]);
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["iceberg", "iceberg", "hive"]);
    for name in ["every", "facts"] {
        let wanted = &said["iceberg"][name];
        let fqn = format!("{catalog}.peer.{name}");
        let schema = home.glueup(&["schema", &fqn, "--output", "json"]).ok().json();
        let mut found = Vec::new();
        columns(&schema["columns"], "", &mut found);
        assert_eq!(json!(found), wanted["columns"], "{name}");
        assert_eq!(schema["source"], "iceberg");
        for field in ["format_version", "location"] {
            assert_eq!(schema[field], wanted[field], "{name}: {field}");
        }
        assert_eq!(schema["snapshot"]["id"], wanted["snapshot"], "{name}");
        let partition: Vec<Value> = schema["partition"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| json!([field["source"], field["transform"], field["name"]]))
            .collect();
        assert_eq!(json!(partition), wanted["partition"], "{name}");
    }
    let key = home
        .glueup(&["schema", &format!("{catalog}.peer.every"), "--output", "json"])
        .ok()
        .json();
    assert_eq!(
        (&key["columns"][0]["key"], &key["columns"][1]["key"]),
        (&json!(true), &json!(false))
    );
    let facts = home
        .glueup(&["schema", &format!("{catalog}.peer.facts"), "--output", "json"])
        .ok()
        .json();
    let history: Vec<&Value> = facts["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| &column["name"])
        .collect();
    assert_eq!(history, ["old", "note"], "dropped and renamed");
    let hits = home
        .glueup(&["schema", &format!("{catalog}.peer.hits"), "--output", "json"])
        .ok()
        .json();
    let mut found = Vec::new();
    columns(&hits["columns"], "", &mut found);
    let paths: Vec<&str> = found.iter().map(|column| column[0].as_str().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "id",
            "deep",
            "deep.element",
            "deep.element.a",
            "deep.element.b",
            "deep.element.b.key",
            "deep.element.b.value",
            "year",
            "country"
        ]
    );
    assert_eq!(
        said["hits"],
        json!([["2023", "de"], ["2023", "fr"], ["2024", "de"], ["2024", "fr"]])
    );
    assert_eq!(said["chosen"], json!([["2024", "de"]]));
}

const PEERS: [Peer; 2] = [Peer::Boto3, Peer::PyIceberg];

#[test]
fn what_others_make_on_the_embedded_aws_is_read_as_they_report_it() {
    if !peers::present(
        "what_others_make_on_the_embedded_aws_is_read_as_they_report_it",
        &PEERS,
    ) {
        return;
    }
    let demo = Demo::start(&[]);
    let said = peers::script(&demo.home(), "browse.py", &[]).ok().json();
    agrees(&said, &walk::ready_home(&demo), walk::CATALOG);
}

#[test]
fn what_others_make_on_moto_is_read_as_they_report_it() {
    let all = [&PEERS[..], &[Peer::Moto]].concat();
    if !peers::present("what_others_make_on_moto_is_read_as_they_report_it", &all) {
        return;
    }
    let aws = Emulator::moto(fake::ACCOUNT);
    let said = peers::script(&aws.home(), "browse.py", &[]).ok().json();
    let mut home = fake::recorded("aws", "us-west-2", false);
    home.set("AWS_ENDPOINT_URL", aws.endpoint());
    agrees(&said, &home, "lake");
}
