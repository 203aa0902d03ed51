//! `glueup demo --headless`, and what the program says when it has nothing to do.

use crate::support::demo::Demo;
use crate::support::home::{GLUEUP, Home, run};
use crate::support::term::Term;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn the_first_line_of_a_headless_demo_says_how_to_reach_it() {
    let demo = Demo::start(&[]);
    let mut fields: Vec<&str> = demo
        .line
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        [
            "access_key_id",
            "account_id",
            "broker_account_id",
            "broker_role_arn",
            "console_url",
            "endpoint_url",
            "mfa",
            "principals",
            "region",
            "secret_access_key",
            "vendor_role_arn"
        ]
    );
    assert_eq!(demo.field("account_id"), "012345678901");
    for principal in ["engine", "outsider"] {
        assert!(
            demo.field(&format!("principals/{principal}/access_key_id"))
                .starts_with("AKIA")
        );
        assert!(
            !demo
                .field(&format!("principals/{principal}/secret_access_key"))
                .is_empty()
        );
    }
    assert_eq!(demo.terminate(), Some(0));
}

#[test]
fn two_headless_demos_share_a_home() {
    let home = Home::new();
    let first = Demo::start_in(&home, &[]);
    let second = Demo::start_in(&home, &["--reset"]);
    assert_ne!(first.endpoint(), second.endpoint());
    let said = second.stderr();
    assert!(said.contains("in memory"), "{said}");
    assert!(
        said.contains("nothing is reset") && said.contains("Stop it"),
        "{said}"
    );
}

#[test]
fn a_reset_forgets_the_demos_records_and_no_others() {
    let home = Home::new();
    let records = home.records();
    std::fs::create_dir_all(records.join("demo/catalogs")).unwrap();
    for file in [
        "organization.yaml",
        "demo/organization.yaml",
        "demo/catalogs/a.yaml",
    ] {
        std::fs::write(records.join(file), "x").unwrap();
    }
    drop(Demo::start_in(&home, &[]));
    assert!(records.join("demo/catalogs/a.yaml").exists());
    drop(Demo::start_in(&home, &["--reset"]));
    assert!(!records.join("demo/catalogs").exists());
    assert!(!records.join("demo/organization.yaml").exists());
    assert!(records.join("organization.yaml").exists());
}

#[test]
fn a_taken_port_is_said() {
    let demo = Demo::start(&[]);
    let port = demo.endpoint().rsplit(':').next().unwrap().to_owned();
    let home = Home::new();
    let ran = home
        .glueup(&["demo", "--headless", "--port", &port, "--output", "json"])
        .exits(1);
    assert!(ran.stdout.is_empty());
    assert!(
        ran.error()["why"].as_str().unwrap().contains(&port),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_shell_is_led_to_the_demo_by_one_line() {
    let demo = Demo::start(&[]);
    let port = demo.endpoint().rsplit(':').next().unwrap().to_owned();
    let home = Home::new();
    // What the shell had before leads elsewhere.
    let line = format!(
        "export AWS_PROFILE=nobody AWS_SESSION_TOKEN=old; eval \"$({GLUEUP} demo --env --port {port})\" && \
         {GLUEUP} ls AwsDataCatalog --as-caller --names"
    );
    let ran = run(home.command("sh").args(["-c", &line]), "").ok();
    assert!(ran.stdout.lines().any(|name| name == "weather"), "{}", ran.stdout);
    home.glueup(&["demo", "--env"]).exits(2);
    home.glueup(&["demo", "--env", "--port", "1", "--headless"])
        .exits(2);
}

#[test]
fn without_a_terminal_and_without_a_verb_it_says_which() {
    for arguments in [&[] as &[&str], &["demo"]] {
        let ran = Home::new().glueup(arguments).exits(2);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
        assert!(ran.stderr.contains("glueup --help"), "{}", ran.stderr);
        assert_eq!(ran.stderr.contains("--headless"), !arguments.is_empty());
    }
}

#[test]
fn a_terminal_that_can_draw_nothing_is_none() {
    for (arguments, word) in [(&[] as &[&str], "catalog list"), (&["demo"], "--headless")] {
        let home = Home::new();
        let mut term = Term::start(&home, 100, 30, arguments, &[("TERM", "dumb")]);
        assert_eq!(term.exit_code(), 2);
        let text = term.text();
        assert!(text.contains("TERM=dumb") && text.contains(word), "{text}");
        assert!(!term.raw().contains(&0x1b), "{text}");
        assert!(!home.records().exists());
    }
}

#[test]
fn a_wrong_word_is_usage() {
    let home = Home::new();
    for arguments in [
        &["nonsense"] as &[&str],
        &["quote"],
        &["quote", "x", "--dialect", "cobol"],
        &["quote", "x", "--dialect", "spark", "--region", "us west"],
        &["demo", "--headless", "--throttle", "0"],
    ] {
        let ran = home.glueup(arguments).exits(2);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
        let ran = home
            .glueup(&[arguments, &["--output", "json"] as &[&str]].concat())
            .exits(2);
        let error = ran.error();
        for field in ["what", "why", "next"] {
            assert!(!error[field].as_str().unwrap().is_empty(), "{error}");
        }
    }
}

#[test]
fn help_and_version_are_no_failures() {
    let home = Home::new();
    let help = home.glueup(&["--help"]).ok();
    assert!(help.stdout.contains("demo") && help.stderr.is_empty());
    let version = home.glueup(&["--version"]).ok();
    assert_eq!(
        version.stdout,
        concat!("glueup ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn quoting_needs_no_home() {
    let mut home = Home::new();
    home.set("HOME", "");
    home.set("GLUEUP_HOME", "");
    home.set("XDG_DATA_HOME", "");
    let text = home.glueup(&["quote", "Lake House", "--dialect", "spark"]).ok();
    assert_eq!(text.stdout, "`Lake House`\n");
    let json = home
        .glueup(&["quote", "orders", "--dialect", "trino", "--output", "json"])
        .ok()
        .json();
    assert_eq!(json["quoted"], "orders");
    assert_eq!(json["needed"], false);
    assert!(json["why"].is_string());
}

#[test]
fn completions_know_the_verbs() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = home.glueup(&["completions", shell]).ok();
        assert!(
            ran.stdout.contains("glueup") && ran.stdout.contains("quote"),
            "{shell}"
        );
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let home = Home::new();
    let mut child = home
        .command(GLUEUP)
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    // The reader's buffer is smaller than what is written, and it is dropped with the pipe.
    BufReader::with_capacity(16, child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}
