//! `glueup packet` by the real program: before anything is deployed, without a sign-in, and with names that would like to
//! be more than names.

use crate::cli_journey::deployed;
use crate::support::demo::Demo;
use crate::support::home::Home;

/// Records made without any AWS: whom the role trusts is named.
fn offline(catalog: &str) -> Home {
    let home = Home::new();
    let broker = "arn:aws:iam::999988887777:role/broker";
    home.glueup(&[
        "init",
        "--name",
        "Acme <i>",
        "--platform",
        "wherobots",
        "--edition",
        "Enterprise",
        "--broker-role",
        broker,
    ])
    .ok();
    home.glueup(&[
        "connection",
        "add",
        "--name",
        "sales",
        "--account-id",
        "012345678901",
    ])
    .ok();
    let line = [
        "catalog",
        "add",
        "--name",
        catalog,
        "--region",
        "eu-west-1",
        "--s3-path",
        "s3://acme-lake/ware|house",
        "--access",
        "read-write",
        "--connection",
        "sales",
        "--database",
        "a_b*c",
        "--kms-key",
        "arn:aws:kms:eu-west-1:012345678901:key/11112222-3333-4444-5555-666677778888",
    ];
    home.glueup(&line).ok();
    home
}

#[test]
fn it_is_written_from_the_records_alone() {
    let home = offline("Lake House");
    let text = home.glueup(&["packet", "Lake House"]).ok();
    assert_eq!(text.stderr, "");
    for needed in [
        "# Security packet: `Lake House`",
        "through Wherobots,",
        "`arn:aws:iam::999988887777:role/broker`",
        "| `UseBucketKey` |",
        "`arn:aws:glue:eu-west-1:012345678901:database/a_b${*}c`",
        "wherobots-glue-readwrite-lake-house",
        "glueup stack delete catalog 'Lake House'",
    ] {
        assert!(text.stdout.contains(needed), "no {needed} in {}", text.stdout);
    }
    assert_eq!(home.glueup(&["packet", "Lake House"]).ok().stdout, text.stdout);
    let trust = home
        .glueup(&["template", "show", "connection", "sales", "--policy"])
        .ok();
    assert!(text.stdout.contains(trust.stdout.trim_end()), "{}", trust.stdout);
    let grant = home
        .glueup(&["template", "show", "catalog", "Lake House", "--policy"])
        .ok();
    assert!(text.stdout.contains(grant.stdout.trim_end()), "{}", grant.stdout);
    assert_eq!(trust.json()["Statement"][0]["Action"], "sts:AssumeRole");

    let page = home.glueup(&["packet", "Lake House", "--html"]).ok().stdout;
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("Acme &lt;i&gt;") && !page.contains("<i>"), "{page}");

    let json = home
        .glueup(&["packet", "Lake House", "--output", "json"])
        .ok()
        .json();
    assert_eq!(
        (json["format"].as_str(), json["text"].as_str()),
        (Some("markdown"), Some(&*text.stdout))
    );
}

#[test]
fn it_goes_to_a_file_that_is_not_there_yet() {
    let home = offline("Lake House");
    let at = |name: &str| home.path().join(name);
    home.glueup(&["packet", "Lake House", "--out", "p.HTML"]).ok();
    let page = std::fs::read_to_string(at("p.HTML")).unwrap();
    assert!(page.starts_with("<!doctype html>"));
    let ran = home
        .glueup(&["packet", "Lake House", "--out", ".", "--output", "json"])
        .ok();
    let saved = ran.json()["saved"].as_str().unwrap().to_owned();
    assert!(
        std::fs::read_to_string(at(&saved))
            .unwrap()
            .starts_with("# Security packet")
    );

    std::fs::write(at("mine.md"), "mine").unwrap();
    let ran = home
        .glueup(&["packet", "Lake House", "--out", "mine.md"])
        .exits(1);
    assert!(
        ran.stderr.contains("mine.md is not overwritten"),
        "{}",
        ran.stderr
    );
    assert_eq!(std::fs::read_to_string(at("mine.md")).unwrap(), "mine");
    home.glueup(&["packet", "Lake Huose"]).exits(3);
}

#[test]
fn a_file_whose_name_says_something_else_is_refused() {
    let home = offline("Lake House");
    for (out, more) in [
        ("p.pdf", &[][..]),
        ("p.docx", &[]),
        ("p.v2.json", &[]),
        ("p.md", &["--html"]),
    ] {
        let ran = home.glueup(&[&["packet", "Lake House", "--out", out], more].concat());
        let ran = ran.exits(2);
        for word in [".md", ".html", "printed to PDF"] {
            assert!(ran.stderr.contains(word), "{out}: {}", ran.stderr);
        }
        assert!(!home.path().join(out).exists());
    }
    for out in ["p", "p.md", "p.MD", "p.txt", "p.htm"] {
        home.glueup(&["packet", "Lake House", "--out", out]).ok();
    }
}

#[test]
fn a_storage_integration_has_one_too_also_beside_a_catalog_of_its_name() {
    let home = offline("raw");
    let add = |name: &str| {
        let line = ["storage", "add", "--name", name, "--s3-path", "s3://acme-raw/in"];
        let rest = ["--access", "read-only", "--connection", "sales"];
        home.glueup(&[&line[..], &rest].concat()).ok()
    };
    add("raw");
    add("files only");
    let text = home.glueup(&["packet", "files only"]).ok();
    assert!(
        text.stdout.contains("glueup storage verify 'files only'"),
        "{}",
        text.stdout
    );
    assert_eq!(text.stderr, "");
    let catalog = home.glueup(&["packet", "raw"]).ok();
    assert!(catalog.stdout.contains("`glue:GetCatalog`"), "{}", catalog.stdout);
    assert!(
        catalog.stderr.contains("glueup packet raw --storage"),
        "{}",
        catalog.stderr
    );
    let storage = home.glueup(&["packet", "raw", "--storage"]).ok();
    assert!(
        !storage.stdout.contains("`glue:GetCatalog`"),
        "{}",
        storage.stdout
    );
    let missing = home.glueup(&["packet", "rav"]).exits(3);
    assert!(
        missing
            .stderr
            .contains("no catalog and no storage integration called rav"),
        "{}",
        missing.stderr
    );
    home.glueup(&["packet", "rav", "--storage"]).exits(3);
    // Whoever verifies by that name hears of the other one, though neither can be verified yet.
    let verify = home.glueup(&["verify", "raw"]).exits(1);
    assert!(
        verify
            .stderr
            .contains("a storage integration is called raw too: glueup storage verify raw"),
        "{}",
        verify.stderr
    );
    // Advice tells the two apart.
    let wide = ["storage", "set", "raw", "--s3-path", "s3://acme-lake"];
    let advice = home.glueup(&wide).ok().stderr;
    assert!(
        advice.contains("the storage integration raw widens") && advice.contains("the catalog raw ("),
        "{advice}"
    );
}

#[test]
fn a_catalog_of_any_name_has_one() {
    let name = "</code><script>alert(1)</script>|`*[x](http://e)";
    let home = offline(name);
    let page = home.glueup(&["packet", name, "--html"]).ok().stdout;
    assert!(!page.contains("<script"), "{page}");
    let text = home.glueup(&["packet", name]).ok().stdout;
    assert!(
        text.starts_with(&format!("# Security packet: ``{name}``\n")),
        "{text}"
    );
}

#[test]
fn what_is_deployed_and_proven_is_in_it_and_no_key_is() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    home.glueup(&["verify", "Lake House"]).ok();
    let shown = home
        .glueup(&["catalog", "show", "Lake House", "--output", "json"])
        .ok()
        .json();
    let text = home.glueup(&["packet", "Lake House"]).ok().stdout;
    let at = shown["verified"]["at"].as_str().unwrap();
    assert!(text.contains(&format!("At `{at}`: ")), "{text}");
    assert!(text.contains("Read-only, proven"), "{text}");
    assert!(!text.contains("not made yet"), "{text}");
    for key in [
        "access_key_id",
        "secret_access_key",
        "principals/engine/secret_access_key",
    ] {
        assert!(!text.contains(demo.field(key)), "{key}");
    }
}
