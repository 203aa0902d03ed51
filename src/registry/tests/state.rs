//! Notes, and the stage that follows from the records.

use super::*;

#[test]
fn drafts_verdicts_and_templates_are_kept() {
    let (_dir, home) = home();
    let (older, newer) = (at("2026-11-30T14:00:00Z"), at("2026-11-30T14:01:00Z"));
    let fields = [
        ("name".to_owned(), "L\u{1b}ake\n".to_owned()),
        ("s3_path".to_owned(), "s3:/".to_owned()),
    ];
    let new = Draft {
        of: DraftOf::New(GrantKind::Catalog),
        step: Stage::Details,
        fields: fields.into(),
        at: older,
    };
    home.note_draft(&new).unwrap();
    let of = Draft {
        of: DraftOf::Recorded(Holder::Catalog("Lake House".parse().unwrap())),
        step: Stage::Deploy,
        fields: [].into(),
        at: newer,
    };
    home.note_draft(&of).unwrap();
    // One of a storage integration is another one, whatever its name.
    assert_eq!(home.draft(&DraftOf::New(GrantKind::Storage)), None);
    assert_eq!(
        home.draft(&DraftOf::Recorded(Holder::Storage("Lake House".parse().unwrap()))),
        None
    );
    assert_eq!(home.draft(&new.of), Some(new.clone()));
    assert_eq!(home.drafts(), [of.clone(), new.clone()]);
    home.forget_draft(&new.of).unwrap();
    home.forget_draft(&new.of).unwrap();
    assert_eq!(home.drafts(), [of]);

    let subject = Subject::Catalog("Lake House".parse().unwrap());
    let verdict = Verdict {
        verdict: Status::Passed,
        at: newer,
        sentence: "Connected.".into(),
        rungs: vec![("reach".into(), Status::Passed)],
        tables: Some(1204),
        more_tables: true,
    };
    assert_eq!(verdict.tables_text().as_deref(), Some("1,204+"));
    home.note_verdict(&subject, &verdict).unwrap();
    assert_eq!(home.verdict(&subject), Some(verdict));
    // As an earlier version noted it.
    let noted =
        r#"{"verdict":"passed","at":"2026-11-30T14:00:00Z","sentence":"Connected.","rungs":[],"tables":12}"#;
    fs::write(home.verdict_file(&subject), noted).unwrap();
    let read = home.verdict(&subject).unwrap();
    assert_eq!(read.tables_text().as_deref(), Some("12"));
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
        more_tables: false,
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
        more_tables: false,
    };
    assert_eq!(stage(&Grant::from(&lake), None, None), Stage::Connection);
    assert_eq!(stage(&Grant::from(&lake), Some(&role), None), Stage::Deploy);
    role.role_arn = Some("arn:aws:iam::012345678901:role/x".parse().unwrap());
    assert_eq!(stage(&Grant::from(&lake), Some(&role), None), Stage::Deploy);
    lake.deployed = true;
    assert_eq!(stage(&Grant::from(&lake), Some(&role), None), Stage::Verify);
    assert_eq!(
        stage(&Grant::from(&lake), Some(&role), Some(&verdict(Status::Failed))),
        Stage::Verify
    );
    assert_eq!(
        stage(&Grant::from(&lake), Some(&role), Some(&verdict(Status::Warning))),
        Stage::Ready
    );
    lake.deployed = false;
    role.adopted = true;
    assert_eq!(
        stage(&Grant::from(&lake), Some(&role), Some(&verdict(Status::Passed))),
        Stage::Ready
    );
    lake.region = "cn-north-1".parse().unwrap();
    assert_eq!(stage(&Grant::from(&lake), Some(&role), None), Stage::Details);
}

#[test]
fn a_verdict_does_not_outlive_what_it_judged() {
    let (_dir, home) = home();
    let role = home.create(connection("c")).unwrap();
    let lake = home.create(catalog("x", "c")).unwrap();
    let (of_role, of_lake) = (
        Subject::Connection(role.name.clone()),
        Subject::Catalog(lake.name.clone()),
    );
    let verdict = Verdict {
        verdict: Status::Passed,
        at: at("2026-11-30T14:00:00Z"),
        sentence: String::new(),
        rungs: vec![],
        tables: None,
        more_tables: false,
    };
    let note = || {
        home.note_verdict(&of_role, &verdict).unwrap();
        home.note_verdict(&of_lake, &verdict).unwrap();
    };
    let kept = || (home.verdict(&of_role).is_some(), home.verdict(&of_lake).is_some());

    note();
    let mut record = lake.record.clone();
    record.stack_id = Some("s".into());
    let lake = home.update(&lake, record.clone()).unwrap();
    assert_eq!(kept(), (true, true), "a stack's id is not judged");
    record.access = Access::ReadWrite;
    home.update(&lake, record).unwrap();
    assert_eq!(kept(), (true, false));

    note();
    let mut record = role.record.clone();
    record.deploy_profile = Some("prod".into());
    let role = home.update(&role, record.clone()).unwrap();
    assert_eq!(kept(), (true, true));
    record.role_arn = Some("arn:aws:iam::012345678901:role/x".parse().unwrap());
    home.update(&role, record).unwrap();
    assert_eq!(
        kept(),
        (false, false),
        "the catalogs of a connection are judged through its role"
    );
}
