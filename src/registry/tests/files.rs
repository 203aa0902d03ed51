//! Records as files: what they look like, and what a broken one says.

use super::{ledger::Intent, *};

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
    let at = at("2026-11-30T14:00:00Z");
    let intent = Intent {
        service: "s".into(),
        action: "a".into(),
        resource: "r".into(),
    };
    home.ledger().intend(at, &intent).unwrap();
    home.open_log().unwrap();
    home.note_draft(&Draft {
        of: DraftOf::New(GrantKind::Catalog),
        step: Stage::Details,
        fields: [].into(),
        at,
    })
    .unwrap();
    for private in [
        "ledger.jsonl",
        "log/glueup.log",
        "state/drafts/new-catalog.json",
        ".lock",
    ] {
        assert_eq!(mode(&home.root().join(private)), 0o600, "{private}");
    }
    assert_eq!(
        home.connection(&"Lake House".parse().unwrap()).unwrap().record,
        connection("Lake House")
    );
}

#[test]
fn what_is_no_file_of_that_size_is_not_read() {
    let (_dir, home) = home();
    let good = home.create(connection("good")).unwrap().file;
    let beside = |name: &str| good.with_file_name(name);
    let pipe = std::process::Command::new("mkfifo")
        .arg(beside("pipe.yaml"))
        .status();
    assert!(pipe.unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", beside("device.yaml")).unwrap();
    fs::create_dir(beside("folder.yaml")).unwrap();
    fs::write(beside("large.yaml"), "# x\n".repeat(100_000)).unwrap();
    let listing = home.connections().unwrap();
    assert_eq!(listing.records.len(), 1);
    let whys: Vec<&str> = listing.broken.iter().map(|b| b.problem.why.as_str()).collect();
    assert_eq!(whys, ["it is no file, or too large for a record"; 4]);
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
fn hand_written_words_stay_text_in_every_field() {
    let (_dir, home) = home();
    home.create(connection("c")).unwrap();
    let stored = home.create(catalog("lake", "c")).unwrap();
    let text = fs::read_to_string(&stored.file).unwrap();
    let with = |key: &str, value: &str| {
        let lines = text.lines().map(|line| {
            if line.starts_with(&format!("{key}:")) {
                format!("{key}: {value}")
            } else {
                line.to_owned()
            }
        });
        let lines: Vec<String> = lines.collect();
        let mut text = lines.join("\n");
        if !lines.iter().any(|line| line.starts_with(&format!("{key}:"))) {
            text.push_str(&format!("\n{key}: {value}"));
        }
        fs::write(&stored.file, text + "\n").unwrap();
        home.catalogs().unwrap()
    };
    let words = [
        "no",
        "NO",
        "off",
        "y",
        "1e3",
        "0x10",
        "0o17",
        "012",
        "1_000",
        ".inf",
        "1.0",
        "12:30:45",
        "2026-11-30",
    ];
    let listing = with("databases", &format!("[{}]", words.join(", ")));
    assert!(listing.broken.is_empty(), "{:?}", listing.broken);
    assert_eq!(listing.records[0].databases, words);
    for word in words {
        let listing = with("connection", word);
        assert_eq!(listing.records[0].connection.as_str(), word);
        // No region is called that: it is refused as the text that stands there, not as a truth value.
        let listing = with("region", word);
        let broken = &listing.broken[0];
        assert!(
            broken
                .problem
                .why
                .contains(&format!("\"{}\"", word.to_lowercase()))
                || broken.problem.why.contains(&format!("\"{word}\"")),
            "{:?}",
            broken.problem
        );
        assert!(broken.line > 0);
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
    for id in [
        "012345678901",
        "012345670123",
        "020222070707",
        "000000000000",
        "000000000017",
        "089999999999",
        "123456789012",
        "\"012345670123\"",
        "'020222070707'",
    ] {
        fs::write(&stored.file, text.replace(&quoted, &format!("account_id: {id}"))).unwrap();
        let listing = home.connections().unwrap();
        let read = listing.records[0].account_id.as_str();
        assert_eq!(read, id.trim_matches(['"', '\'']));
        assert_eq!(
            serde_json::to_value(&listing.records[0].account_id).unwrap(),
            read
        );
    }
    for id in [
        "1402433619",
        "2185785799",
        "12345678901",
        "0o17",
        "0x1F",
        "1e11",
        "1.2345678901e11",
        "20:22:07",
        "null",
        "~",
        "no",
        "",
    ] {
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
        (text.replace("\nid: ", "\n\tid: "), 3, "tab", "Line 3: use blanks"),
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
