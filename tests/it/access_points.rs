//! Access points: a path that stands on one, from the record to a climbed ladder.

mod absent;
mod beside_the_bucket;
mod found;
mod own_policy;

use crate::cli_journey::recorded;
use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::signed;
use serde_json::Value;

const ARN: &str = "arn:aws:s3:us-west-2:012345678901:accesspoint/finance";

/// What S3 Control answers about the access point `finance`.
fn control(demo: &Demo, method: &str, account: &str, body: &str) -> (u16, String) {
    let keys = (demo.field("access_key_id"), demo.field("secret_access_key"));
    let answer = signed::send(
        demo.endpoint(),
        keys,
        ("s3", "us-west-2"),
        (method, "/v20180820/accesspoint/finance"),
        &[("x-amz-account-id", account)],
        body,
    );
    (answer.status, answer.text().to_string())
}

fn between<'a>(text: &'a str, tag: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("<{tag}>")).unwrap();
    rest.split_once(&format!("</{tag}>")).unwrap().0
}

/// Makes the access point on the demo's lake; answers its alias.
fn made(demo: &Demo) -> String {
    let account = demo.field("account_id");
    let body = "<CreateAccessPointRequest><Bucket>acme-lake</Bucket></CreateAccessPointRequest>";
    let (status, text) = control(demo, "PUT", account, body);
    assert_eq!((status, between(&text, "AccessPointArn")), (200, ARN), "{text}");
    between(&text, "Alias").to_owned()
}

/// Connections with a catalog each, deployed.
fn connected(home: &Home, name: &str, path: &[&str]) {
    home.glueup(&[
        "connection",
        "add",
        "--name",
        name,
        "--account-id",
        "012345678901",
    ])
    .ok();
    let fixed = [
        "catalog",
        "add",
        "--name",
        name,
        "--region",
        "us-west-2",
        "--access",
        "read-only",
    ];
    home.glueup(&[&fixed as &[&str], &["--connection", name], path].concat())
        .ok();
    home.glueup(&["deploy", "connection", name, "--yes"]).ok();
    home.glueup(&["deploy", "catalog", name, "--yes"]).ok();
}

fn rung<'a>(report: &'a Value, id: &str) -> &'a Value {
    let rungs = report["rungs"].as_array().unwrap();
    rungs
        .iter()
        .find(|rung| rung["id"] == id)
        .unwrap_or_else(|| panic!("no {id} in {report}"))
}

fn part<'a>(rung: &'a Value, title: &str) -> &'a Value {
    let parts = rung["parts"].as_array().unwrap();
    parts
        .iter()
        .find(|part| part["title"] == title)
        .unwrap_or_else(|| panic!("no {title} in {rung}"))
}

#[test]
fn s3_control_tells_what_it_made() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let account = demo.field("account_id");
    let (status, text) = control(&demo, "GET", account, "");
    assert_eq!((status, between(&text, "Code")), (404, "NoSuchAccessPoint"));
    let alias = made(&demo);
    assert!(
        alias.starts_with("finance-") && alias.ends_with("-s3alias"),
        "{alias}"
    );
    let (status, text) = control(&demo, "GET", account, "");
    assert_eq!(status, 200, "{text}");
    for (tag, value) in [
        ("Name", "finance"),
        ("Bucket", "acme-lake"),
        ("BucketAccountId", account),
        ("Alias", &alias),
        ("AccessPointArn", ARN),
        ("NetworkOrigin", "Internet"),
    ] {
        assert_eq!(between(&text, tag), value);
    }
    assert_eq!(control(&demo, "GET", "999988887777", "").0, 403);
    let again = "<CreateAccessPointRequest><Bucket>acme-lake</Bucket></CreateAccessPointRequest>";
    assert_eq!(control(&demo, "PUT", account, again).0, 409);
}

#[test]
fn a_catalog_on_an_access_point_is_proven_through_it_and_no_further() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let alias = made(&demo);
    let home = recorded(&demo);
    let by_arn = format!("{ARN}/warehouse");
    let by_alias = format!("s3://{alias}/warehouse");
    for (name, path) in [
        (
            "by-arn",
            [
                "--s3-path",
                &by_arn,
                "--access-point-alias",
                &alias,
                "--access-point-bucket",
                "acme-lake",
            ],
        ),
        (
            "by-alias",
            [
                "--s3-path",
                &by_alias,
                "--access-point",
                ARN,
                "--access-point-bucket",
                "acme-lake",
            ],
        ),
    ] {
        connected(&home, name, &path);
        let policy = home
            .glueup(&["template", "show", "catalog", name, "--policy"])
            .ok()
            .stdout;
        assert!(
            policy.contains(&format!("\"{ARN}/object/warehouse/*\"")),
            "{policy}"
        );
        assert!(
            !policy.contains(":s3:::") && !policy.contains("s3alias"),
            "{policy}"
        );
        let shown = home
            .glueup(&["catalog", "show", name, "--output", "json"])
            .ok()
            .json();
        assert_eq!(shown["access_point"]["arn"], ARN, "{shown}");
        assert_eq!(shown["access_point"]["alias"], alias.as_str(), "{shown}");

        let report = home.glueup(&["verify", name, "--output", "json"]).ok().json();
        for id in ["list", "read", "write", "neighbour"] {
            assert_eq!(rung(&report, id)["status"], "passed", "{name}: {report:#}");
        }
        let write = part(rung(&report, "write"), "s3:PutObject");
        assert!(
            write["answer"].as_str().unwrap().contains("Refused, as asked"),
            "{write}"
        );
        let past = part(rung(&report, "neighbour"), "read past the access point");
        assert_eq!(past["status"], "passed", "{past}");
        // The demo's tables name the bucket: an engine has to be told.
        let locations = rung(&report, "locations");
        assert_eq!(locations["status"], "warning", "{locations}");
        let next = locations["next"].as_str().unwrap();
        assert!(
            next.contains(&format!("s3.access-points.acme-lake={ARN}")),
            "{next}"
        );
        assert_eq!(report["verdict"], "warning", "{report:#}");
    }
}

#[test]
fn a_policy_on_the_bucket_does_not_open_its_access_point() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let alias = made(&demo);
    let home = crate::cli_journey::deployed(&demo);
    let path = format!("s3://{alias}/warehouse");
    let add = [
        "storage",
        "add",
        "--name",
        "raw",
        "--s3-path",
        &path,
        "--access-point",
        ARN,
        "--access",
        "read-write",
    ];
    home.glueup(&[&add as &[&str], &["--connection", "sales-prod"]].concat())
        .ok();
    home.glueup(&["deploy", "storage", "raw", "--yes"]).ok();
    // Which bucket it is decides whose policy may deny it: S3 has shown it.
    let shown = home
        .glueup(&["storage", "show", "raw", "--output", "json"])
        .ok()
        .json();
    assert_eq!(shown["access_point"]["bucket"], "acme-lake", "{shown}");
    let verify = ["storage", "verify", "raw", "--output", "json"];
    let report = home.glueup(&verify).ok().json();
    for id in ["list", "read", "write"] {
        assert_eq!(rung(&report, id)["status"], "passed", "{report:#}");
    }
    // Without it the role still has the catalog's rights on the bucket itself.
    let connection = home
        .glueup(&["connection", "show", "sales-prod", "--output", "json"])
        .ok()
        .json();
    let role = connection["role_arn"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap();
    let body = format!(
        "Action=DeleteRolePolicy&Version=2010-05-08&RoleName={role}&PolicyName=glueup-storage-readwrite-raw"
    );
    let keys = (demo.field("access_key_id"), demo.field("secret_access_key"));
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let answer = signed::post(demo.endpoint(), keys, ("iam", "us-east-1"), &[kind], &body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let report = home.glueup(&verify).exits(1).json();
    for id in ["list", "write"] {
        assert_eq!(rung(&report, id)["status"], "failed", "{report:#}");
    }
    let list = rung(&report, "list");
    assert!(list.to_string().contains(ARN), "{list:#}");
    let others = home
        .glueup(&["verify", "Lake House", "--output", "json"])
        .ok()
        .json();
    assert_eq!(rung(&others, "list")["status"], "passed", "{others:#}");
}

#[test]
fn what_does_not_tell_one_access_point_is_refused() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = recorded(&demo);
    let alias = "s3://finance-x7k2hq3-s3alias/wh";
    let other = "arn:aws:s3:us-west-2:012345678901:accesspoint/other";
    let cn = "arn:aws-cn:s3:cn-north-1:012345678901:accesspoint/finance";
    let cases: [(&[&str], &str); 5] = [
        (
            &["--s3-path", alias],
            "To see it:\n            aws s3control list-access-points --account-id 012345678901",
        ),
        (
            &["--s3-path", "s3://acme-lake/wh", "--access-point", ARN],
            "stands on a bucket",
        ),
        (
            &["--s3-path", ARN, "--access-point", other],
            "is another access point",
        ),
        (
            &[
                "--s3-path",
                alias,
                "--access-point",
                ARN,
                "--access-point-alias",
                "finance-other-s3alias",
            ],
            "is another access point",
        ),
        (&["--s3-path", cn], "the access point"),
    ];
    for (path, said) in cases {
        let fixed = [
            "storage",
            "add",
            "--name",
            "raw",
            "--access",
            "read-only",
            "--connection",
            "sales-prod",
        ];
        let ran = home.glueup(&[&fixed as &[&str], path].concat()).exits(2);
        assert!(ran.stderr.contains(said), "{path:?}: {}", ran.stderr);
    }
}
