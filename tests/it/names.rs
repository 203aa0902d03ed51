//! Names and paths as people write them: any name makes a stack name that AWS takes, and one path in all its spellings
//! is one path.

use crate::support::demo::Demo;
use crate::support::fake::{self, ACCOUNT};
use crate::support::home::{Home, Ran};
use std::collections::BTreeSet;

const NAMES: [&str; 20] = [
    "My Catalog.v2 日本",
    "日本",
    "🦆 lake",
    "👩\u{200d}🔬",
    "a.b.c",
    "..",
    "/etc/passwd",
    "--help",
    "-x",
    "`tick`",
    "quote'\"\\",
    "$(id) ; | & < >",
    "%2F %s {} !{}",
    "cafe\u{301}",
    "café",
    "con",
    "1e3",
    "null",
    "Lake House",
    "LAKE HOUSE",
];

fn add_connection(home: &Home, name: &str) -> Ran {
    let (name, trust) = (
        format!("--name={name}"),
        format!("arn:aws:iam::{ACCOUNT}:role/engine"),
    );
    home.glueup(&[
        "connection",
        "add",
        &name,
        "--account-id",
        ACCOUNT,
        "--trust",
        &trust,
    ])
}

fn add_catalog(home: &Home, name: &str, path: &str, access: &str, connection: &str) -> Ran {
    let (name, connection) = (format!("--name={name}"), format!("--connection={connection}"));
    let add = [
        "catalog",
        "add",
        &name,
        "--region",
        "us-west-2",
        "--s3-path",
        path,
    ];
    home.glueup(&[&add[..], &["--access", access, &connection, "--output", "json"]].concat())
}

#[track_caller]
fn is_stack_name(name: &str) {
    assert!(name.len() <= 128, "{name}");
    assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
    assert!(
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'),
        "{name}"
    );
}

#[test]
fn any_name_makes_a_stack_name_that_aws_takes_and_no_two_the_same() {
    let home = Home::new();
    let long = ["n".repeat(64), "長".repeat(64)];
    let names: Vec<&str> = NAMES.into_iter().chain(long.iter().map(String::as_str)).collect();
    for name in &names {
        add_connection(&home, name).ok();
        add_catalog(&home, name, "s3://acme-lake/wh", "read-only", name).ok();
    }
    for (verb, records) in [("connection", "connections"), ("catalog", "catalogs")] {
        let list = home.glueup(&[verb, "list", "--output", "json"]).ok().json();
        let rows = list[records].as_array().unwrap();
        let listed: BTreeSet<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
        assert_eq!(listed, names.iter().copied().collect());
        let stacks: BTreeSet<&str> = rows
            .iter()
            .map(|row| row["stack_name"].as_str().unwrap())
            .collect();
        assert_eq!(stacks.len(), names.len());
        for stack in stacks {
            is_stack_name(stack);
        }
        let files = std::fs::read_dir(home.records().join(records)).unwrap();
        for file in files {
            let file = file.unwrap().file_name().into_string().unwrap();
            assert!(file.is_ascii() && file.ends_with(".yaml"), "{file}");
        }
    }
    let shown = home
        .glueup(&["catalog", "show", "--output", "json", "--", "My Catalog.v2 日本"])
        .ok()
        .json();
    let stack = shown["stack_name"].as_str().unwrap();
    let hash = stack.strip_prefix("glueup-glue-readonly-my-catalog-v2-").unwrap();
    assert!(
        hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()),
        "{stack}"
    );
    assert_eq!(shown["quoted"]["spark"], "`My Catalog.v2 日本`");

    // A name that is just what another one was made into would get its stack.
    let taken = format!("my-catalog-v2-{hash}");
    let refused = add_catalog(&home, &taken, "s3://acme-lake/wh", "read-only", "con").exits(2);
    assert!(refused.error().to_string().contains(stack), "{}", refused.stderr);
}

#[test]
fn odd_names_are_deployed_and_browsed_like_any_other() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    for name in ["My Catalog.v2 日本", "--`tick` $(id)"] {
        // Nobody else is trusted than who sets it up.
        let connection = format!("--name={name}");
        home.glueup(&["connection", "add", &connection, "--account-id", ACCOUNT])
            .ok();
        add_catalog(&home, name, "s3://acme-lake/warehouse", "read-only", name).ok();
        for sort in ["connection", "catalog"] {
            home.glueup(&["deploy", sort, "--yes", "--", name]).ok();
        }
        let fqn = format!("`{}`", name.replace('`', "``"));
        let databases = home.glueup(&["ls", "--names", "--", &fqn]).ok().stdout;
        assert!(databases.lines().any(|name| name == "sales"), "{databases}");
    }
}

#[test]
fn one_path_in_all_its_spellings_is_one_path() {
    let home = fake::recorded("aws", "us-west-2", false);
    for (spellings, shown, bucket, prefix) in [
        (
            &[
                "s3://dummy",
                "s3://dummy/",
                "S3://dummy",
                "s3a://dummy/",
                "s3n://dummy",
                " s3://dummy/ ",
            ][..],
            "s3://dummy",
            "dummy",
            "",
        ),
        (
            &[
                "s3://dummy/a/b",
                "s3://dummy/a/b/",
                "s3a://dummy/a/b",
                "S3N://dummy/a/b/",
            ][..],
            "s3://dummy/a/b",
            "dummy",
            "a/b/",
        ),
        (
            &["s3://dummy/a b/ü=1", "s3://dummy/a b/ü=1/"][..],
            "s3://dummy/a b/ü=1",
            "dummy",
            "a b/ü=1/",
        ),
    ] {
        for spelling in spellings {
            let json = ["--output", "json"];
            let set = ["catalog", "set", "lake", "--s3-path", spelling];
            let catalog = home.glueup(&[&set[..], &json].concat()).ok().json();
            assert_eq!(catalog["s3_path"], shown, "{spelling:?}");
            let show = ["template", "show", "catalog", "lake"];
            let template = home.glueup(&[&show[..], &json].concat()).ok().json();
            assert_eq!(template["parameters"]["BucketName"], bucket);
            assert_eq!(template["parameters"]["Prefix"], prefix, "{spelling:?}");
        }
    }
}

#[test]
fn another_spelling_of_the_path_is_nothing_to_deploy() {
    let demo = Demo::start(&[]);
    let home = crate::cli_journey::deployed(&demo);
    for spelling in ["s3a://acme-lake/warehouse/", "S3://acme-lake/warehouse"] {
        home.glueup(&["catalog", "set", "Lake House", "--s3-path", spelling])
            .ok();
        let again = home.glueup(&["deploy", "catalog", "Lake House", "--yes"]).ok();
        let said = format!("{}{}", again.stdout, again.stderr);
        assert!(said.contains("nothing to do"), "{said}");
    }
}

#[test]
fn a_whole_bucket_is_taken_and_said_to_be_one() {
    let home = fake::recorded("aws", "us-west-2", false);
    for (n, (path, access, said)) in [
        ("s3://bucket", "read-only", "cover every object of bucket"),
        ("s3://bucket/", "read-only", "cover every object of bucket"),
        (
            "s3a://bucket",
            "read-write",
            "every object of bucket be changed and deleted",
        ),
        (
            "S3://bucket/",
            "read-write",
            "every object of bucket be changed and deleted",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let ran = add_catalog(&home, &format!("w{n}"), path, access, "c").ok();
        assert!(
            ran.stderr.contains("whole bucket") && ran.stderr.contains(said),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.json()["s3_path"], "s3://bucket");
    }
    let narrow = add_catalog(&home, "narrow", "s3://bucket/x", "read-write", "c").ok();
    assert!(!narrow.stderr.starts_with("whole bucket"), "{}", narrow.stderr);
}
