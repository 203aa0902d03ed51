//! Profiles that sign in with the code of a device: asked for, never shown, and asked for again when its session ends.

use crate::support::deployed::{Deployed, EXTERNAL_ID};
use crate::support::home::Home;
use crate::support::http;
use crate::support::term::{Term, key};
use glueup::demo::iam::mfa;
use glueup::demo::{Handle, Options, start};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A home with a profile of each kind that wants a code, and the embedded AWS that checks it.
struct Careful {
    demo: Handle,
    home: Home,
}

const DEVICE: &str = "arn:aws:iam::012345678901:mfa/admin";
const LS: [&str; 3] = ["ls", "lake", "--as-caller"];

impl Careful {
    fn new() -> Self {
        Self::on(start(Options::default()).unwrap())
    }

    fn on(demo: Handle) -> Self {
        let home = Home::new().with("AWS_ENDPOINT_URL", &demo.endpoint_url);
        let role = "role_arn = arn:aws:iam::999988887777:role/glueup-broker";
        let config = format!(
            "[profile keys]\nmfa_serial = {DEVICE}\n\n\
             [profile role]\n{role}\nsource_profile = plain\nmfa_serial = {DEVICE}\nduration_seconds = 900\n\n\
             [profile both]\n{role}\nsource_profile = keys\nmfa_serial = {DEVICE}\nduration_seconds = 43200\n\n\
             [profile strange]\n{role}\nsource_profile = plain\nmfa_serial = {DEVICE}x\n"
        );
        let (id, secret) = (&demo.admin.id, &demo.admin.secret);
        let keys = format!("aws_access_key_id = {id}\naws_secret_access_key = {secret}\n");
        std::fs::write(home.path().join("aws-config"), config).unwrap();
        std::fs::write(
            home.path().join("aws-credentials"),
            format!("[plain]\n{keys}\n[keys]\n{keys}"),
        )
        .unwrap();
        let this = Self { demo, home };
        for args in [
            &[
                "connection",
                "add",
                "--name",
                "sales",
                "--account-id",
                "012345678901",
                "--trust",
                "arn:aws:iam::012345678901:role/engine",
            ][..],
            &[
                "catalog",
                "add",
                "--name",
                "lake",
                "--region",
                "us-west-2",
                "--s3-path",
                "s3://acme-lake/wh",
                "--access",
                "read-only",
                "--connection",
                "sales",
            ][..],
        ] {
            this.home.glueup(args).ok();
        }
        this
    }

    /// What the device shows so many half minutes from now.
    fn code(&self, steps: i64) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        mfa::code_at(i64::try_from(now).unwrap() + 30 * steps)
    }

    fn ls(&self, profile: &str) -> Term {
        let args = ["--profile", profile, LS[0], LS[1], LS[2]];
        Term::start(&self.home, 120, 30, &args, &[])
    }

    /// Nothing of a code is on the screen or in any file.
    fn hides(&self, term: &Term, code: &str) {
        let raw = String::from_utf8_lossy(&term.raw()).into_owned();
        assert!(!raw.contains(code), "{raw}");
        for file in files_below(self.home.path()) {
            let bytes = std::fs::read(&file).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            assert!(
                !text.contains(code) && !text.contains("ASIA"),
                "{}",
                file.display()
            );
        }
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files_below(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn without_a_terminal_it_says_that_the_profile_needs_a_code() {
    let careful = Careful::new();
    for profile in ["keys", "role", "both"] {
        let args = ["--profile", profile, "--output", "json", LS[0], LS[1], LS[2]];
        let ran = careful.home.glueup(&args).exits(4);
        let error = ran.error();
        assert_eq!(error["what"], "profile needs MFA", "{error}");
        assert!(error["why"].as_str().unwrap().contains(DEVICE), "{error}");
        let doctor = careful.home.glueup(&["--profile", profile, "doctor"]);
        assert!(
            doctor.stdout.contains("signs in with a code of its MFA device"),
            "{}",
            doctor.stdout
        );
        let next = error["next"].as_str().unwrap();
        assert!(
            next.contains("--serial-number arn:aws:iam::012345678901:mfa/admin"),
            "{error}"
        );
    }
}

#[test]
fn on_a_terminal_a_code_is_asked_for_without_being_shown_and_a_wrong_one_again() {
    for profile in ["keys", "both", "role"] {
        let careful = Careful::new();
        let mut term = careful.ls(profile);
        term.wait_for(&format!("6-digit code of {DEVICE}:"));
        let wrong = format!("{:06}", (careful.code(0).parse::<u32>().unwrap() + 7) % 1_000_000);
        term.keys(&format!("{wrong}{}", key::ENTER));
        term.wait_for("AWS did not take that code");
        let right = careful.code(0);
        term.wait("a second question", |t| t.text().matches("6-digit").count() == 2);
        term.keys(&format!("{right}{}", key::ENTER));
        let ended = term.exit_code();
        let text = term.text();
        // The broker role may not list databases: then it is the caller that is told of, and nothing about codes.
        match profile {
            "keys" => assert_eq!(ended, 0, "{text}"),
            _ => assert!(
                ended == 4 && text.contains("assumed-role/glueup-broker"),
                "{text}"
            ),
        }
        assert!(text.contains("******"), "{text}");
        careful.hides(&term, &wrong);
        careful.hides(&term, &right);
    }
}

#[test]
fn a_device_of_somebody_else_and_no_code_at_all_are_said() {
    let careful = Careful::new();
    let mut term = careful.ls("strange");
    term.wait_for("6-digit code");
    term.keys(&format!("{}{}", careful.code(0), key::ENTER));
    assert_eq!(term.exit_code(), 4);
    let text = term.text();
    assert!(
        text.contains("AWS does not take codes of") && text.contains("list-mfa-devices"),
        "{text}"
    );

    let mut term = careful.ls("keys");
    term.wait_for("6-digit code");
    assert!(!term.cooked());
    term.keys(key::ENTER);
    assert_eq!(term.exit_code(), 4);
    assert!(term.text().contains("and none was given"), "{}", term.text());
    assert!(term.cooked());

    // Ctrl-C while it asks: the terminal shows keys again.
    let mut term = careful.ls("keys");
    term.wait_for("6-digit code");
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 130);
    assert!(term.cooked());
}

#[test]
fn the_question_on_the_screen_outlives_every_window_and_ctrl_c_leaves_it() {
    let careful = Careful::new();
    let mut term = Term::start(&careful.home, 100, 30, &["--profile", "role"], &[]);
    term.wait_for("The profile role signs in with a code");
    term.keys("12");
    for size in [(1, 1), (2, 40), (300, 1), (9, 3), (250, 90), (100, 30)] {
        term.resize(size.0, size.1);
        std::thread::sleep(Duration::from_millis(60));
        assert!(term.running(), "{size:?}");
    }
    term.wait_for("The profile role signs in with a code");
    term.wait_for("**");
    let right = careful.code(0);
    term.keys("\u{8}\u{8}");
    term.keys(&format!("{right}{}", key::ENTER));
    term.wait_gone("signs in with a code");
    careful.hides(&term, &right);
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);

    let mut term = Term::start(&careful.home, 100, 30, &["--profile", "keys"], &[]);
    term.wait_for("signs in with a code");
    term.keys(&format!("12{}", key::CTRL_C));
    assert_eq!(term.exit_code(), 0);
    assert!(term.cooked());
}

/// On the screen: stars are typed, a wrong code is said, and once the session ends the question comes again.
#[tokio::test(flavor = "multi_thread")]
async fn on_the_screen_a_code_is_asked_for_and_again_when_its_session_ends() {
    let world = Deployed::start(Options::default()).await;
    let role = world.connection("glueup-connection-sales").await;
    world
        .access("glueup-read", &role, "acme-lake", "warehouse/")
        .await;
    tokio::task::spawn_blocking(move || on_the_screen(world.handle, &role))
        .await
        .unwrap();
}

fn on_the_screen(demo: Handle, role: &str) {
    let careful = Careful::on(demo);
    let home = &careful.home;
    let broker = &careful.demo.broker_role_arn;
    home.glueup(&["init", "--name", "Acme", "--broker-role", broker])
        .ok();
    let adopt = ["--role-arn", role, "--external-id", EXTERNAL_ID];
    let connection = [
        "connection",
        "add",
        "--name",
        "read",
        "--account-id",
        "012345678901",
    ];
    home.glueup(&[&connection[..], &adopt].concat()).ok();
    let path = "s3://acme-lake/warehouse";
    home.glueup(&[
        "catalog",
        "add",
        "--name",
        "a lake",
        "--region",
        "us-west-2",
        "--s3-path",
        path,
        "--access",
        "read-only",
        "--connection",
        "read",
    ])
    .ok();
    let mut term = Term::start(home, 100, 30, &["--profile", "keys"], &[]);
    term.wait_for("The profile keys signs in with a code");
    term.wait_for("a lake");
    let wrong = format!("{:06}", (careful.code(0).parse::<u32>().unwrap() + 7) % 1_000_000);
    term.keys(&wrong);
    term.wait_for("******");
    term.keys(key::ENTER);
    term.wait_for("AWS did not take that code");
    let right = careful.code(0);
    term.keys(&format!("{right}{}", key::ENTER));
    term.wait_for("0123-4567-8901 ");
    term.wait_gone("signs in with a code");
    term.keys("b");
    term.wait_for("sales");
    // Twelve hours later: the session that the code has opened is at its end.
    let later = 12 * 3_600 - 30;
    let address = careful
        .demo
        .endpoint_url
        .strip_prefix("http://")
        .unwrap()
        .to_owned();
    let knob = format!("{{\"clock_offset_s\": {later}}}");
    http::request(&address, "PUT", "/_glueup/knobs", &[], knob.as_bytes()).unwrap();
    for _ in 0..100 {
        if term.text().contains("signs in with a code") {
            break;
        }
        term.keys("r");
        std::thread::sleep(Duration::from_millis(200));
    }
    term.wait_for("signs in with a code");
    // A no is a no: the screen says what is missing, and goes on asking only when it is told to.
    term.keys(key::ESC);
    term.wait_gone("signs in with a code");
    careful.hides(&term, &wrong);
    careful.hides(&term, &right);
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
}
