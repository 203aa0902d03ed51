//! `glueup doctor` by the real program, on machines where something is wrong.

use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::term::Term;
use serde_json::Value;
use std::net::TcpListener;
use std::time::{Duration, Instant};

const IDS: [&str; 13] = [
    "clock",
    "proxy",
    "ca-bundle",
    "sso",
    "credentials",
    "imds",
    "browser",
    "clipboard",
    "colours",
    "width",
    "home",
    "records",
    "demo",
];

/// The checks by id, and the exit code that fits them.
#[track_caller]
fn checks(home: &Home) -> impl Fn(&str) -> Value + use<> {
    let ran = home.glueup(&["doctor", "--output", "json"]);
    let all = ran.json()["checks"].as_array().unwrap().clone();
    let ids: Vec<&str> = all.iter().map(|check| check["id"].as_str().unwrap()).collect();
    assert_eq!(ids, IDS);
    let failed = all.iter().any(|check| check["status"] == "failed");
    assert_eq!(ran.code, Some(i32::from(failed)), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stderr, "");
    for check in &all {
        let status = check["status"].as_str().unwrap();
        assert!(
            ["passed", "warning", "failed", "skipped"].contains(&status),
            "{check}"
        );
        let wrong = status == "warning" || status == "failed";
        assert_eq!(
            check["next"].is_string(),
            wrong,
            "what is wrong has a mend: {check}"
        );
        for text in ["title", "answer"] {
            assert!(!check[text].as_str().unwrap().is_empty(), "{check}");
        }
    }
    move |id| all.iter().find(|check| check["id"] == id).unwrap().clone()
}

#[track_caller]
fn is(check: &Value, status: &str, word: &str) {
    assert_eq!(check["status"], status, "{check}");
    assert!(check.to_string().contains(word), "no {word:?} in {check}");
}

#[test]
fn a_machine_that_is_fit_passes_and_is_left_as_it_was() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    let found = checks(&home);
    is(&found("clock"), "passed", demo.endpoint());
    is(
        &found("credentials"),
        "passed",
        ":user/admin, from the environment",
    );
    is(&found("records"), "passed", "none yet");
    for id in ["width", "colours", "clipboard", "browser", "imds", "sso"] {
        assert_eq!(found(id)["status"], "skipped", "{}", found(id));
    }
    let ran = home.glueup(&["doctor"]).ok();
    assert_eq!(ran.stdout.lines().count(), IDS.len(), "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("passed   clock        http"),
        "{}",
        ran.stdout
    );
    let secret = demo.field("secret_access_key");
    let key = demo.field("access_key_id");
    assert!(
        !ran.stdout.contains(secret) && !ran.stdout.contains(key),
        "{}",
        ran.stdout
    );
    assert!(!home.records().exists(), "looking makes no home");
}

#[test]
fn a_clock_that_is_off_fails_with_a_command() {
    let demo = Demo::start(&["--clock-offset", "900"]);
    let found = checks(&demo.home());
    is(&found("clock"), "failed", "min behind");
    is(&found("clock"), "failed", "timedatectl");
}

#[test]
fn keys_that_aws_does_not_know_fail() {
    let demo = Demo::start(&[]);
    let found = checks(&demo.home().with("AWS_ACCESS_KEY_ID", "AKIANOBODYKNOWSTHIS0"));
    is(
        &found("credentials"),
        "failed",
        "AWS does not know these credentials",
    );
    is(&found("clock"), "passed", "clocks agree");
}

/// Takes connections and stays silent, as a network does that loses everything.
fn silent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let kept: Vec<_> = listener.incoming().flatten().collect();
        drop(kept);
    });
    address
}

#[test]
fn a_network_that_is_gone_keeps_nobody_waiting() {
    let home = Home::new()
        .without("AWS_EC2_METADATA_DISABLED")
        .with("AWS_EC2_METADATA_SERVICE_ENDPOINT", silent())
        .with("AWS_ENDPOINT_URL", silent())
        .with("AWS_ACCESS_KEY_ID", "a")
        .with("AWS_SECRET_ACCESS_KEY", "s3cr3t");
    let begun = Instant::now();
    let found = checks(&home);
    // Less than five seconds, and as many again for a machine that is busy with other tests.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    is(&found("clock"), "failed", "No answer");
    is(
        &found("imds"),
        "warning",
        "unset AWS_EC2_METADATA_SERVICE_ENDPOINT",
    );
    is(&found("credentials"), "passed", "not tried");
}

#[test]
fn a_proxy_and_a_bundle_are_named_without_what_is_secret() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let home = Home::new()
        .with("HTTPS_PROXY", format!("http://me:s3cr3t@{closed}"))
        .with("AWS_CA_BUNDLE", "/dev/null")
        .with("AWS_ACCESS_KEY_ID", "a")
        .with("AWS_SECRET_ACCESS_KEY", "s3cr3t");
    let found = checks(&home);
    is(
        &found("proxy"),
        "failed",
        &format!("http://{closed} (HTTPS_PROXY) is not reached"),
    );
    is(&found("ca-bundle"), "failed", "holds no certificate");
    is(&found("ca-bundle"), "failed", "unset AWS_CA_BUNDLE");
    is(&found("credentials"), "failed", "CA bundle");
    assert_eq!(found("clock")["status"], "skipped");
    let ran = home.glueup(&["doctor", "-v"]).exits(1);
    assert!(!(ran.stdout + &ran.stderr).contains("s3cr3t"));
}

#[test]
fn an_sso_token_that_has_ended_names_the_login() {
    let home = Home::new();
    let config = "[profile prod]\nsso_session = corp\nsso_account_id = 012345678901\nsso_role_name = admin\n\n\
        [sso-session corp]\nsso_start_url = https://acme.awsapps.com/start\nsso_region = us-east-1\n";
    std::fs::write(home.path().join("aws-config"), config).unwrap();
    let home = home.with("AWS_PROFILE", "prod");
    let found = checks(&home);
    is(&found("sso"), "failed", "there is no token");
    is(&found("sso"), "failed", "aws sso login --profile prod");
    let cache = home.path().join(".aws/sso/cache");
    std::fs::create_dir_all(&cache).unwrap();
    let file = cache.join("ee0bfd2552fbd840c02cc48b6e823320543c450f.json");
    let token = r#"{"accessToken":"t0ps3cr3t","expiresAt":"2020-01-01T00:00:00Z"}"#;
    std::fs::write(&file, token).unwrap();
    let ran = home.glueup(&["doctor"]).exits(1);
    assert!(
        ran.stdout.contains("ended at 2020-01-01 00:00 UTC"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("\n         next         aws sso login --profile prod\n"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("t0ps3cr3t"), "{}", ran.stdout);
    // Nobody is asked for what cannot be given.
    is(&checks(&home)("credentials"), "skipped", "SSO token comes first");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), token);
}

#[cfg(unix)]
#[test]
fn the_home_its_records_and_the_demo_are_looked_at() {
    use std::os::unix::fs::PermissionsExt;
    let demo = Demo::start(&[]);
    let home = demo.home();
    home.glueup(&["init", "--name", "Acme"]).ok();
    let connection = ["connection", "add", "--name", "c", "--account-id", "012345678901"];
    home.glueup(&connection).ok();
    is(&checks(&home)("home"), "passed", "by you alone");
    is(&checks(&home)("records"), "passed", "2 records, all readable");

    std::fs::set_permissions(home.records(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(
        home.records().join("connections/bad.yaml"),
        "version: 1\n\tname: bad\n",
    )
    .unwrap();
    let state = home.records().join("demo/aws");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("account.json"), "[1,").unwrap();
    let found = checks(&home);
    is(&found("home"), "warning", "0755");
    is(
        &found("home"),
        "warning",
        &format!("chmod 700 {}", home.records().display()),
    );
    is(&found("records"), "failed", "bad.yaml is broken at line 2");
    is(&found("demo"), "failed", "account.json");
    is(&found("demo"), "failed", "demo --reset");

    let running = Home::new();
    let _demo = Demo::start_in(&running, &[]);
    is(&checks(&running)("demo"), "passed", "a demo is running");
}

#[test]
fn the_terminal_is_asked_how_wide_it_draws() {
    let demo = Demo::start(&[]);
    // The second terminal draws ambiguous characters wide, the third says nothing.
    for (columns, shown) in [
        (
            Some([3, 2, 3]),
            "passed   width        columns taken, as counted: 日 2, ① 1",
        ),
        (Some([3, 3, 3]), "① takes 2, and 1 is counted"),
        (None, "the terminal does not tell where its cursor is"),
    ] {
        let mut term = Term::start(&demo.home(), 200, 50, &["doctor"], &[]);
        for (asked, column) in columns.iter().flatten().enumerate() {
            term.wait("question", |term| {
                String::from_utf8_lossy(&term.raw()).matches("\x1b[6n").count() > asked
            });
            term.keys(&format!("\x1b[7;{column}R"));
        }
        term.wait_for(shown);
        assert_eq!(term.exit_code(), 0, "{}", term.text());
        let text = term.text();
        assert!(
            text.starts_with("passed   clock"),
            "nothing of the question is left:\n{text}"
        );
        assert!(
            text.contains("sixteen") && text.contains("TERM=xterm-256color"),
            "{text}"
        );
        assert!(text.contains("OSC 52"), "{text}");
        assert!(term.cooked(), "the terminal is as it was");
    }
}

#[test]
fn the_screen_shows_the_same_checks() {
    let home = Home::new();
    let mut term = Term::start(&home, 100, 40, &["demo"], &[]);
    term.wait_for("connect a Glue catalog");
    term.keys("D");
    term.wait_for("passed: endpoint and clock");
    term.wait_for(":user/admin, the keys of the demo");
    assert!(!term.text().contains("failed: "), "{}", term.text());
    term.keys("\x1b[F");
    term.wait_for("glueup doctor does");
    term.keys("\x1b");
    term.wait_gone("glueup doctor does");
    term.keys("q");
    assert_eq!(term.exit_code(), 0);
}
