//! The files of AWS profiles as people and tools leave them.

use crate::support::home::Home;
use glueup::demo::{Handle, Options, start};

/// A home with such files: of the config file, and of the credentials file.
fn home(demo: &Handle, config: &[u8], credentials: &str) -> Home {
    let home = Home::new().with("AWS_ENDPOINT_URL", &demo.endpoint_url);
    std::fs::write(home.path().join("aws-config"), config).unwrap();
    std::fs::write(home.path().join("aws-credentials"), credentials).unwrap();
    home
}

/// Who the profile signs in as, else what is said.
fn who(home: &Home, profile: &str) -> String {
    let ran = home.glueup(&["--profile", profile, "doctor"]);
    let line = ran
        .stdout
        .lines()
        .find(|line| line.contains("credentials"))
        .unwrap_or_default();
    format!("{line} {}", ran.stderr)
}

fn keys(demo: &Handle) -> String {
    let (id, secret) = (&demo.admin.id, &demo.admin.secret);
    format!("aws_access_key_id = {id}\naws_secret_access_key = {secret}\n")
}

#[test]
fn files_of_every_editor_are_read() {
    let demo = start(Options::default()).unwrap();
    let keys = keys(&demo);
    let lines = format!(
        "[default]\nregion = us-west-2\n[profile twice]\nregion = eu-west-1\n[profile 'my prod'] # mine\n{keys}\n\
         [profile twice]\n{keys}[profile onward]\nsource_profile = my prod\nrole_arn = \
         arn:aws:iam::999988887777:role/glueup-broker\n[profile büro]\n{keys}"
    );
    let windows = format!("\u{feff}{}", lines.replace('\n', "\r\n"));
    for config in [lines, windows] {
        let home = home(
            &demo,
            config.as_bytes(),
            &format!("\u{feff}[in two words]\n{keys}"),
        );
        for (profile, arn) in [
            ("my prod", ":user/admin"),
            ("büro", ":user/admin"),
            ("twice", ":user/admin"),
            ("in two words", ":user/admin"),
            ("onward", "assumed-role/glueup-broker"),
        ] {
            let who = who(&home, profile);
            assert!(who.contains(arn), "{profile}: {who}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_no_missing_profile() {
    let demo = start(Options::default()).unwrap();
    let keys = keys(&demo);
    // Root reads what nobody may, so a folder stands in for a file that is somebody else's.
    let folder = home(&demo, b"", "");
    std::fs::remove_file(folder.path().join("aws-config")).unwrap();
    std::fs::create_dir(folder.path().join("aws-config")).unwrap();
    // As PowerShell's `>` writes it.
    let lines = format!("[profile p]\n{keys}");
    let utf_16: Vec<u8> = lines.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf_16 = home(&demo, &[&[0xff, 0xfe], &utf_16[..]].concat(), "");
    for (home, why) in [
        (&folder, "cannot be read: Is a directory"),
        (&utf_16, "it is no UTF-8 text"),
    ] {
        for args in [
            &["--profile", "p", "ls", "--as-caller", "x.y"][..],
            &["--profile", "p", "doctor"],
        ] {
            let ran = home.glueup(args);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert!(said.contains(why) || args.contains(&"ls"), "{said}");
            assert!(!said.contains("There is no AWS profile"), "{said}");
        }
    }
    // What does not need the file does not mind.
    let by_keys = folder
        .with("AWS_ACCESS_KEY_ID", &demo.admin.id)
        .with("AWS_SECRET_ACCESS_KEY", &demo.admin.secret);
    let ran = by_keys.glueup(&["doctor"]);
    assert!(ran.stdout.contains(":user/admin"), "{}", ran.stdout);
}

#[test]
fn a_mistake_in_a_file_is_said_with_the_file_and_the_line() {
    let demo = start(Options::default()).unwrap();
    let home = home(
        &demo,
        b"[default]\nregion = us-west-2\n",
        "[a]\nx = y\nnonsense\n",
    );
    let ran = home.glueup(&["--profile", "a", "doctor"]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        said.contains("aws-credentials: line 3: Expected an '=' sign"),
        "{said}"
    );
}

#[test]
fn a_name_that_lacks_its_quotes_is_said() {
    let demo = start(Options::default()).unwrap();
    let config = format!("[profile two words]\n{}", keys(&demo));
    let home = home(&demo, config.as_bytes(), "");
    let said = who(&home, "two words");
    let ran = home.glueup(&["--profile", "two words", "doctor"]);
    let said = format!("{said}{}", ran.stdout);
    assert!(said.contains("[profile \"two words\"]"), "{said}");
}

#[test]
fn where_no_profile_is_the_places_that_were_looked_at_are_said() {
    let demo = start(Options::default()).unwrap();
    let home = home(&demo, b"", "");
    let said = home.glueup(&["--profile", "p", "doctor"]).stdout;
    for file in ["aws-config", "aws-credentials"] {
        let place = home.path().join(file).display().to_string();
        assert!(said.contains(&place), "{said}");
    }
}
