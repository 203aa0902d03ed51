use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::domain::{
    access::Access, external_id::ExternalId, moment::Moment, organization::Organization, problem::Kind,
    stack_name::StackKind, stack_name::StackName, status::Status,
};

fn home() -> (TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("home"));
    (dir, home)
}

fn connection(name: &str) -> Connection {
    Connection {
        version: 1,
        name: name.parse().unwrap(),
        id: "0a1b2c3d".into(),
        account_id: "012345678901".parse().unwrap(),
        role_arn: None,
        adopted: false,
        external_id: ExternalId::from_random([7; 16]),
        broker_role_arn: None,
        trust: vec!["arn:aws:iam::012345678901:root".parse().unwrap()],
        stack_name: StackName::compose("glueup", StackKind::Connection, name),
        region: None,
        permissions_boundary: None,
        role_path: None,
        deploy_profile: None,
        stack_id: None,
    }
}

fn catalog(name: &str, connection: &str) -> Catalog {
    Catalog {
        version: 1,
        name: name.parse().unwrap(),
        id: "1a1b2c3d".into(),
        region: "us-west-2".parse().unwrap(),
        s3_path: "s3://acme-lake/warehouse".parse().unwrap(),
        access: Access::ReadOnly,
        connection: connection.parse().unwrap(),
        databases: Vec::new(),
        kms_key: None,
        stack_name: StackName::compose("glueup", StackKind::GlueReadOnly, name),
        stack_id: None,
        deployed: false,
        left_over_stacks: Vec::new(),
    }
}

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

#[test]
fn a_home_that_does_not_exist_is_empty_and_reading_creates_nothing() {
    let (_dir, home) = home();
    assert!(home.connections().unwrap().records.is_empty());
    assert!(home.organization().unwrap().is_none());
    assert!(home.draft(None).is_none() && home.published().is_empty());
    let missing = home.catalog(&"x".parse().unwrap()).unwrap_err();
    assert_eq!(missing.kind, Kind::NotFound);
    assert!(!home.root().exists());
}

#[test]
fn records_are_private_readable_files_with_quoted_account_ids() {
    let (_dir, home) = home();
    let stored = home.create(connection("Lake House")).unwrap();
    let text = fs::read_to_string(&stored.file).unwrap();
    assert!(
        text.contains("account_id: \"012345678901\"") || text.contains("account_id: '012345678901'"),
        "{text}"
    );
    assert!(text.starts_with("version: 1\nname: Lake House\n"), "{text}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&stored.file), 0o600);
    assert_eq!(mode(stored.file.parent().unwrap()), 0o700);
    assert_eq!(mode(home.root()), 0o700);
    assert_eq!(
        home.connection(&"Lake House".parse().unwrap()).unwrap().record,
        connection("Lake House")
    );
}

#[test]
fn words_that_yaml_would_take_for_something_else_stay_text() {
    let (_dir, home) = home();
    home.create(connection("c")).unwrap();
    for (at, name) in [
        "no",
        "on",
        "null",
        "~",
        "1e3",
        "0x10",
        "012",
        "1_000",
        "true",
        "2026-11-30",
        "- a",
        "a: b",
        "#x",
        "'",
        "\"",
    ]
    .into_iter()
    .enumerate()
    {
        let mut record = catalog(name, "c");
        record.stack_name = format!("stack-{at}").parse().unwrap();
        record.databases = vec![name.to_owned(), " edge ".to_owned(), "tab\tinside".to_owned()];
        let stored = home.create(record.clone()).unwrap();
        let read = home.catalog(&record.name).unwrap();
        assert_eq!(
            read.record,
            record,
            "{}",
            fs::read_to_string(&stored.file).unwrap()
        );
    }
}

#[test]
fn hand_written_words_stay_text_too() {
    let (_dir, home) = home();
    let stored = home.create(connection("c")).unwrap();
    let text = fs::read_to_string(&stored.file).unwrap();
    for name in [
        "no",
        "on",
        "yes",
        "1e3",
        "0x10",
        "012",
        "1_000",
        "true",
        "2026-11-30",
        "~x",
    ] {
        fs::write(
            &stored.file,
            text.replace("name: c\n", &format!("name: {name}\n")),
        )
        .unwrap();
        let listing = home.connections().unwrap();
        assert!(listing.broken.is_empty(), "{name}: {:?}", listing.broken);
        assert_eq!(listing.records[0].name.as_str(), name);
    }
}

#[test]
fn an_unquoted_account_id_keeps_its_zeros_or_is_refused_with_the_mend() {
    let (_dir, home) = home();
    let stored = home.create(connection("c")).unwrap();
    let text = fs::read_to_string(&stored.file).unwrap();
    let quoted = text
        .lines()
        .find(|line| line.starts_with("account_id"))
        .unwrap()
        .to_owned();
    for id in ["012345678901", "012345670123", "020222070707", "123456789012"] {
        fs::write(&stored.file, text.replace(&quoted, &format!("account_id: {id}"))).unwrap();
        assert_eq!(home.connections().unwrap().records[0].account_id.as_str(), id);
    }
    for id in ["1402433619", "0o17", "1e11", "null", ""] {
        fs::write(&stored.file, text.replace(&quoted, &format!("account_id: {id}"))).unwrap();
        let listing = home.connections().unwrap();
        let broken = &listing.broken[0];
        assert_eq!(broken.line, 4, "{id}");
        assert!(
            broken.problem.next.contains("put the account ID in quotes"),
            "{id}: {:?}",
            broken.problem
        );
    }
}

#[test]
fn a_broken_file_names_line_and_mend_and_the_others_still_load() {
    let (_dir, home) = home();
    home.create(connection("good")).unwrap();
    let bad = home.create(connection("bad")).unwrap();
    let text = fs::read_to_string(&bad.file).unwrap();
    for (broken_text, line, why, next) in [
        (
            text.replace("adopted:", "adoptde:"),
            6,
            "adoptde",
            "correct the name of the key",
        ),
        (text.replace("name: bad\n", ""), 0, "name", "Add the key"),
        (text.replace("id: ", "\tid: "), 0, "tab", "use blanks"),
        (format!("{text}name: again\n"), 0, "twice", "Keep one of the two"),
        (
            text.replace("version: 1", "version: 2"),
            1,
            "version 2",
            "newer glueup",
        ),
        (
            text.replace("version: 1", "version: 2\nnewer: field"),
            1,
            "version 2",
            "newer glueup",
        ),
        (
            text.replace("external_id: ", "external_id: a b #"),
            7,
            "blank",
            "line 7",
        ),
        ("[".to_owned(), 1, "", ""),
        (String::new(), 1, "", ""),
    ] {
        fs::write(&bad.file, &broken_text).unwrap();
        let listing = home.connections().unwrap();
        assert_eq!(listing.records.len(), 1, "{broken_text}");
        assert_eq!(listing.records[0].name(), "good");
        let broken = &listing.broken[0];
        assert_eq!(broken.file, bad.file);
        assert!(line == 0 || broken.line == line, "{broken:?}");
        assert!(broken.line > 0 && broken.problem.why.contains(why), "{broken:?}");
        assert!(
            broken.problem.next.to_lowercase().contains(&next.to_lowercase()),
            "{broken:?}"
        );
        let problem = home.connection(&"bad".parse().unwrap()).unwrap_err();
        assert_eq!(
            problem, broken.problem,
            "the broken file is named, not \"not found\""
        );
    }
    fs::write(&bad.file, [0xff, 0xfe]).unwrap();
    assert!(
        home.connections().unwrap().broken[0]
            .problem
            .why
            .contains("UTF-8")
    );
}

#[test]
fn a_taken_name_and_a_taken_stack_name_are_refused() {
    let (_dir, home) = home();
    home.create(connection("a")).unwrap();
    let taken = home.create(connection("a")).unwrap_err();
    assert!(taken.what.contains("already") && taken.kind == Kind::Usage);
    let mut same_stack = connection("b");
    same_stack.stack_name = connection("a").stack_name;
    let taken = home.create(same_stack).unwrap_err();
    assert!(
        taken.what.contains("is taken") && taken.why.contains("connection a"),
        "{taken:?}"
    );
    let mut record = catalog("c", "a");
    record.stack_name = connection("a").stack_name;
    assert!(home.create(record).unwrap_err().what.contains("is taken"));
}

#[test]
fn names_that_slug_alike_are_two_records() {
    let (_dir, home) = home();
    for name in [
        "lake house",
        "lake-house",
        "Lake House",
        "lake_house",
        "caf\u{e9}",
        "cafe\u{301}",
    ] {
        home.create(connection(name)).unwrap();
    }
    assert_eq!(home.connections().unwrap().records.len(), 6);
}

#[test]
fn a_change_on_disk_is_not_overwritten() {
    let (_dir, home) = home();
    let mine = home.create(connection("c")).unwrap();
    let theirs = home.connection(&"c".parse().unwrap()).unwrap();
    let mut record = theirs.record.clone();
    record.stack_id = Some("theirs".into());
    home.update(&theirs, record).unwrap();
    let mut record = mine.record.clone();
    record.stack_id = Some("mine".into());
    let problem = home.update(&mine, record.clone()).unwrap_err();
    assert!(
        problem.what.contains(&mine.file.display().to_string()),
        "{problem:?}"
    );
    assert!(problem.why.contains("changed on disk"));
    assert_eq!(
        home.connection(&"c".parse().unwrap())
            .unwrap()
            .stack_id
            .as_deref(),
        Some("theirs")
    );
    assert!(home.delete(&mine).unwrap_err().why.contains("changed on disk"));
    let fresh = home.connection(&"c".parse().unwrap()).unwrap();
    let fresh = home.update(&fresh, record).unwrap();
    home.delete(&fresh).unwrap();
    assert!(
        home.update(&fresh, fresh.record.clone())
            .unwrap_err()
            .why
            .contains("deleted")
    );
}

#[test]
fn a_connection_with_bound_catalogs_is_not_deleted() {
    let (_dir, home) = home();
    assert_eq!(home.create(catalog("x", "c")).unwrap_err().kind, Kind::NotFound);
    let stored = home.create(connection("c")).unwrap();
    let bound = home.create(catalog("Lake House", "c")).unwrap();
    assert_eq!(home.bound(&stored.name).unwrap(), ["Lake House".parse().unwrap()]);
    assert!(home.delete(&stored).unwrap_err().why.contains("Lake House"));
    let text = fs::read_to_string(&bound.file).unwrap();
    fs::write(&bound.file, "broken").unwrap();
    assert!(home.delete(&stored).unwrap_err().why.contains("may be bound"));
    fs::write(&bound.file, text).unwrap();
    home.delete(&bound).unwrap();
    home.delete(&stored).unwrap();
    assert!(home.connections().unwrap().records.is_empty());
}

#[test]
fn a_role_and_a_region_of_two_partitions_do_not_fit() {
    let (_dir, home) = home();
    let mut record = connection("c");
    record.role_arn = Some("arn:aws:iam::012345678901:role/x".parse().unwrap());
    home.create(record).unwrap();
    let mut china = catalog("x", "c");
    china.region = "cn-north-1".parse().unwrap();
    assert!(home.create(china).unwrap_err().why.contains("aws-cn"));
}

#[test]
fn a_missing_name_offers_the_nearest() {
    let (_dir, home) = home();
    home.create(connection("sales-prod")).unwrap();
    let problem = home.connection(&"sales-prd".parse().unwrap()).unwrap_err();
    assert!(problem.why.contains("did you mean sales-prod?"));
    let problem = home.connection(&"x".parse().unwrap()).unwrap_err();
    assert!(problem.why.contains("there are: sales-prod"));
}

#[test]
fn a_file_with_another_file_name_is_found_by_its_true_name() {
    let (_dir, home) = home();
    let stored = home.create(connection("c")).unwrap();
    let renamed = stored.file.with_file_name("mine.yaml");
    fs::rename(&stored.file, &renamed).unwrap();
    let found = home.connection(&"c".parse().unwrap()).unwrap();
    let found = home.update(&found, found.record.clone()).unwrap();
    assert_eq!(found.file, renamed);
    fs::copy(&renamed, &stored.file).unwrap();
    let listing = home.connections().unwrap();
    assert_eq!((listing.records.len(), listing.broken.len()), (1, 1));
    assert!(listing.broken[0].problem.why.contains("called c too"));
}

#[test]
fn a_linked_record_stays_a_link() {
    let (dir, home) = home();
    let stored = home.create(connection("c")).unwrap();
    let elsewhere = dir.path().join("checkout.yaml");
    fs::rename(&stored.file, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &stored.file).unwrap();
    let mut record = stored.record.clone();
    record.stack_id = Some("s".into());
    home.update(&stored, record).unwrap();
    assert!(stored.file.is_symlink());
    assert!(fs::read_to_string(&elsewhere).unwrap().contains("stack_id: s"));
}

#[test]
fn the_organization_is_one_file() {
    let (_dir, home) = home();
    let mut acme = Organization::implicit("acme".parse().unwrap());
    let stored = home.create(acme.clone()).unwrap();
    assert_eq!(stored.file, home.root().join("organization.yaml"));
    assert_eq!(home.create(acme.clone()).unwrap_err().kind, Kind::Usage);
    acme.name = "Acme Inc.".into();
    acme.admins = vec!["arn:aws:sts::*:assumed-role/Admin/*".into()];
    home.update(&stored, acme.clone()).unwrap();
    assert_eq!(home.organization().unwrap().unwrap().record, acme);
}

#[test]
fn drafts_verdicts_and_templates_are_kept() {
    let (_dir, home) = home();
    let (older, newer) = (at("2026-11-30T14:00:00Z"), at("2026-11-30T14:01:00Z"));
    let fields = [
        ("name".to_owned(), "L\u{1b}ake\n".to_owned()),
        ("s3_path".to_owned(), "s3:/".to_owned()),
    ];
    let new = Draft {
        catalog: None,
        step: Stage::Details,
        fields: fields.into(),
        at: older,
    };
    home.note_draft(&new).unwrap();
    let name = "Lake House".parse().unwrap();
    let of = Draft {
        catalog: Some(name),
        step: Stage::Deploy,
        fields: [].into(),
        at: newer,
    };
    home.note_draft(&of).unwrap();
    assert_eq!(home.draft(None), Some(new.clone()));
    assert_eq!(home.drafts(), [of.clone(), new]);
    home.forget_draft(None).unwrap();
    home.forget_draft(None).unwrap();
    assert_eq!(home.drafts(), [of]);

    let subject = Subject::Catalog("Lake House".parse().unwrap());
    let verdict = Verdict {
        verdict: Status::Passed,
        at: newer,
        sentence: "Connected.".into(),
        rungs: vec![("reach".into(), Status::Passed)],
        tables: Some(1204),
    };
    home.note_verdict(&subject, &verdict).unwrap();
    assert_eq!(home.verdict(&subject), Some(verdict));
    assert_eq!(
        home.verdict(&Subject::Connection("Lake House".parse().unwrap())),
        None
    );
    fs::write(home.verdict_file(&subject), "torn{").unwrap();
    assert_eq!(home.verdict(&subject), None);

    let template = PublishedTemplate {
        url: "https://b.s3.us-west-2.amazonaws.com/k".into(),
        bucket: "b".into(),
        key: "k".into(),
        sha256: "00".into(),
        at: older,
    };
    home.note_published("connection.yaml", template.clone()).unwrap();
    assert_eq!(home.published().get("connection.yaml"), Some(&template));
}

#[test]
fn a_deleted_record_takes_its_verdict_along() {
    let (_dir, home) = home();
    let stored = home.create(connection("c")).unwrap();
    let subject = Subject::Connection(stored.name.clone());
    let verdict = Verdict {
        verdict: Status::Failed,
        at: at("2026-11-30T14:00:00Z"),
        sentence: String::new(),
        rungs: vec![],
        tables: None,
    };
    home.note_verdict(&subject, &verdict).unwrap();
    home.delete(&stored).unwrap();
    assert_eq!(home.verdict(&subject), None);
}

#[test]
fn the_stage_follows_from_the_records() {
    let mut lake = catalog("x", "c");
    let mut role = connection("c");
    let verdict = |status| Verdict {
        verdict: status,
        at: at("2026-11-30T14:00:00Z"),
        sentence: String::new(),
        rungs: vec![],
        tables: None,
    };
    assert_eq!(stage(&lake, None, None), Stage::Connection);
    assert_eq!(stage(&lake, Some(&role), None), Stage::Deploy);
    role.role_arn = Some("arn:aws:iam::012345678901:role/x".parse().unwrap());
    assert_eq!(stage(&lake, Some(&role), None), Stage::Deploy);
    lake.deployed = true;
    assert_eq!(stage(&lake, Some(&role), None), Stage::Verify);
    assert_eq!(
        stage(&lake, Some(&role), Some(&verdict(Status::Failed))),
        Stage::Verify
    );
    assert_eq!(
        stage(&lake, Some(&role), Some(&verdict(Status::Warning))),
        Stage::Ready
    );
    lake.deployed = false;
    role.adopted = true;
    assert_eq!(
        stage(&lake, Some(&role), Some(&verdict(Status::Passed))),
        Stage::Ready
    );
    lake.region = "cn-north-1".parse().unwrap();
    assert_eq!(stage(&lake, Some(&role), None), Stage::Details);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn any_record_reads_back(
        name in "\\PC{1,64}", database in "[ -~é日\t]{0,200}", profile in proptest::option::of("\\PC{0,80}"),
        prefix in "[ -)+->@-~é]{0,300}",
    ) {
        prop_assume!(name.parse::<crate::domain::names::CatalogName>().is_ok());
        let (_dir, home) = home();
        let mut role = connection("c");
        role.deploy_profile = profile;
        home.create(role.clone()).unwrap();
        let mut lake = catalog(&name, "c");
        lake.databases = vec![database];
        if let Ok(path) = format!("s3://acme-lake/{prefix}").parse() {
            lake.s3_path = path;
        }
        let stored = home.create(lake.clone()).unwrap();
        let text = fs::read_to_string(&stored.file).unwrap();
        let listing = home.catalogs().unwrap();
        prop_assert!(listing.broken.is_empty(), "{:?}\n{}", listing.broken, text);
        prop_assert_eq!(&listing.records[0].record, &lake, "{}", text);
        prop_assert_eq!(home.connection(&role.name).unwrap().record, role);
    }
}
