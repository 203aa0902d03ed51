//! A catalog on an access point, on a connection that also serves one on the bucket itself: the role gets past the point as far
//! as that one goes, and no further, and nothing of it goes without a word.

use super::{ARN, connected, made, part, rung};
use crate::cli_journey::recorded;
use crate::support::demo::Demo;
use crate::support::home::{Home, Ran};
use serde_json::Value;

/// One more catalog on the connection `lake`, read-write.
fn read_write(home: &Home, name: &str, on: &[&str]) -> Ran {
    let add = ["catalog", "add", "--name", name, "--connection", "lake"];
    let what = ["--region", "us-west-2", "--access", "read-write"];
    home.glueup(&[&add[..], &what, on].concat()).ok()
}

#[test]
fn what_another_catalog_opens_past_the_access_point_is_told_and_the_rest_is_proven() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let alias = made(&demo);
    let home = recorded(&demo);
    connected(&home, "lake", &["--s3-path", "s3://acme-lake/warehouse"]);
    let path = format!("s3://{alias}/warehouse");
    let added = read_write(&home, "rwap", &["--s3-path", &path, "--access-point", ARN]);
    let told = format!("{}{}", added.stdout, added.stderr);
    assert!(
        told.contains(
            "the catalog lake stands on the bucket itself: for the catalog rwap the role gets past the access point \
             finance there, read-only"
        ),
        "{told}"
    );
    assert!(told.contains("the catalog rwap widens what"), "{told}");
    home.glueup(&["deploy", "catalog", "rwap", "--yes"]).ok();

    let ran = home.glueup(&["verify", "rwap", "--output", "json"]).ok();
    let report: Value = ran.json();
    let neighbour = rung(&report, "neighbour");
    let read = part(neighbour, "read past the access point");
    assert_eq!(
        (read["status"].as_str(), read["answer"].as_str()),
        (Some("skipped"), Some("granted by lake")),
        "{neighbour:#}"
    );
    // Writing there is nobody's: it is tried, and refused.
    let write = part(neighbour, "write past the access point");
    assert_eq!(write["status"], "passed", "{neighbour:#}");
    let locations = rung(&report, "locations");
    assert_eq!(locations["status"], "warning", "{locations:#}");
    let answer = locations["answer"].as_str().unwrap();
    assert!(
        answer.contains("86 below the prefix by the name of the bucket, where lake lets the role read alone"),
        "{answer}"
    );
    let next = locations["next"].as_str().unwrap();
    assert!(
        next.contains("an engine writes them where it is told")
            && next.contains(&format!("s3.access-points.acme-lake={ARN}")),
        "{next}"
    );
    assert_eq!(report["verdict"], "warning", "{report:#}");

    let packet = home.glueup(&["packet", "rwap"]).ok().stdout;
    assert!(
        packet.contains("opens it past that") && !packet.contains("not past it"),
        "{packet}"
    );
}

#[test]
fn a_read_write_catalog_is_told_of_tables_that_another_grant_lets_it_read_alone() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = recorded(&demo);
    connected(&home, "lake", &["--s3-path", "s3://acme-lake/warehouse"]);
    read_write(&home, "other", &["--s3-path", "s3://acme-lake/warehouse-two"]);
    home.glueup(&["deploy", "catalog", "other", "--yes"]).ok();
    let ran = home.glueup(&["verify", "other", "--output", "json"]);
    let report: Value = ran.json();
    let locations = rung(&report, "locations");
    assert_eq!(locations["status"], "warning", "{locations:#}");
    let answer = locations["answer"].as_str().unwrap();
    assert!(
        answer.contains("86 where lake lets the role read alone"),
        "{answer}"
    );
    let next = locations["next"].as_str().unwrap();
    assert!(
        next.contains("\nglueup catalog set lake --access read-write"),
        "{next}"
    );
}
