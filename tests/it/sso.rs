//! Profiles of AWS SSO: what is said without a token, one key that signs in, and a token that ends while the screen
//! stands.

use crate::support::deployed::{Deployed, EXTERNAL_ID};
use crate::support::home::Home;
use crate::support::sso::{self, Portal, token, token_file};
use crate::support::term::{Term, key};
use glueup::demo::{Handle, Options, start};
use std::time::Duration;

const GOOD: &str = "2099-01-01T00:00:00Z";
const OVER: &str = "2020-01-01T00:00:00Z";
const F4: &str = "\x1bOS";

const SESSION: &str = "[profile prod]\nsso_session = corp\nsso_account_id = 012345678901\nsso_role_name = Lake\n\n\
    [sso-session corp]\nsso_start_url = https://acme.awsapps.com/start\nsso_region = us-west-2\n";

fn home(demo: &Handle, portal: &Portal, config: &str) -> Home {
    let home = Home::new()
        .with("AWS_ENDPOINT_URL", &demo.endpoint_url)
        .with("AWS_ENDPOINT_URL_SSO", &portal.url);
    std::fs::write(home.path().join("aws-config"), config).unwrap();
    home
}

/// Records of a catalog whose connection has this role, or will have one.
fn records(home: &Home, role: Option<&str>) {
    match role {
        Some(role) => home.record_lake(&["--role-arn", role, "--external-id", EXTERNAL_ID]),
        None => home.record_lake(&["--trust", "arn:aws:iam::012345678901:role/engine"]),
    }
}

const LS: [&str; 5] = ["--profile", "prod", "ls", "lake", "--as-caller"];

/// What `aws sso login` would leave, and a word about how it was called.
fn login(home: &Home, called: &str, value: &str) -> String {
    let file = token_file(home, called);
    let folder = file.parent().unwrap().display().to_string();
    format!(
        "echo \"$*\" >> \"$HOME/calls\"\nmkdir -p '{folder}'\necho '{}' > '{}'",
        token(value, GOOD),
        file.display()
    )
}

#[test]
fn every_shape_of_an_sso_profile_signs_in_and_what_is_missing_is_named() {
    let demo = start(Options::default()).unwrap();
    let portal = Portal::start(&demo.admin);
    let own = "sso_account_id = 012345678901\nsso_role_name = Lake\n";
    let place = "sso_start_url = https://acme.awsapps.com/start\nsso_region = us-west-2\n";
    let start_url = "https://acme.awsapps.com/start";
    let shapes = [
        ("as aws configure sso writes it", SESSION.to_owned(), "corp"),
        (
            "before there were sessions",
            format!("[profile prod]\n{own}{place}"),
            start_url,
        ),
        (
            "both in one",
            format!("[profile prod]\nsso_session = corp\n{own}{place}[sso-session corp]\n{place}"),
            "corp",
        ),
        (
            "the region beside the session",
            format!(
                "[profile prod]\nsso_session = my-corp\nsso_region = us-west-2\n{own}\n[sso-session my-corp]\n\
                     sso_start_url = {start_url}\nsso_registration_scopes = sso:account:access\n"
            ),
            "my-corp",
        ),
        (
            "a session whose name has a blank, as aws configure sso writes it",
            format!("[profile prod]\nsso_session = my corp\n{own}\n[sso-session 'my corp']\n{place}"),
            "my corp",
        ),
        (
            "behind a role",
            format!(
                "[profile base]\n{own}{place}\n[profile prod]\nsource_profile = base\n\
                     role_arn = arn:aws:iam::999988887777:role/glueup-broker\n"
            ),
            start_url,
        ),
    ];
    for (shape, config, called) in shapes {
        let home = home(&demo, &portal, &config);
        records(&home, None);
        // Without a token it is said which command gets one: that of the profile that says how.
        let ran = home.glueup(&LS).exits(4);
        let base = if shape == "behind a role" { "base" } else { "prod" };
        assert!(
            ran.stderr.contains(&format!("aws sso login --profile {base}")),
            "{shape}: {}",
            ran.stderr
        );
        sso::put(&token_file(&home, called), &token("token-1", GOOD));
        let ran = home.glueup(&LS);
        if shape == "behind a role" {
            assert!(
                ran.stderr.contains("assumed-role/glueup-broker"),
                "{shape}: {}",
                ran.stderr
            );
        } else {
            assert!(ran.ok().stdout.contains("sales"), "{shape}");
        }
    }
    assert_eq!(portal.asked(), 6);
    for (config, missing) in [
        (
            format!("[profile prod]\nsso_session = crop\n{own}\n[sso-session corp]\n{place}"),
            "[sso-session crop]",
        ),
        (
            format!("[profile prod]\nsso_session = my corp\n{own}\n[sso-session my corp]\n{place}"),
            "needs quotes around its name, as the AWS CLI wants it: [sso-session \"my corp\"]",
        ),
        (
            format!(
                "[profile prod]\nsso_session = corp\n{own}\n[sso-session corp]\nsso_start_url = {start_url}\n"
            ),
            "sso_region",
        ),
        (
            format!("[profile prod]\nsso_session = corp\n[sso-session corp]\n{place}"),
            "sso_account_id",
        ),
    ] {
        let home = home(&demo, &portal, &config);
        records(&home, None);
        let ran = home.glueup(&LS).exits(2);
        assert!(ran.stderr.contains(missing), "{missing}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("aws configure sso --profile prod"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn one_key_signs_in_and_the_half_filled_wizard_is_still_there() {
    let demo = start(Options::default()).unwrap();
    let portal = Portal::start(&demo.admin);
    let home = home(&demo, &portal, SESSION);
    sso::put(&token_file(&home, "corp"), &token("token-0", OVER));
    let script = format!(
        "printf 'Enter the code ABCD-EFGH? '\nread answer\necho \"answer $answer\" >> \"$HOME/calls\"\n{}",
        login(&home, "corp", "token-1")
    );
    let home = sso::aws(home, &script);
    let mut term = Term::start(&home, 100, 30, &["--profile", "prod"], &[]);
    term.wait_for("AWS SSO has ended for prod: S signs in");
    assert!(term.text().contains("not signed in"), "{}", term.text());
    term.keys("n");
    term.wait_for("Details");
    term.keys("half a lake");
    term.wait_for("half a lake");
    term.wait_for("F4 signs in");
    term.keys(F4);
    term.wait_for("Enter the code ABCD-EFGH?");
    assert!(
        term.text().contains("aws sso login --profile prod"),
        "{}",
        term.text()
    );
    assert!(term.cooked());
    // Every key belongs to the program now.
    term.keys("yes\r");
    term.wait_for("half a lake");
    term.wait_gone("signs in");
    term.wait_for("0123-4567-8901");
    assert!(term.is_raw());
    term.keys("!");
    term.wait_for("half a lake!");
    let calls = std::fs::read_to_string(home.path().join("calls")).unwrap();
    assert_eq!(calls, "answer yes\nsso login --profile prod\n");
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
}

#[test]
fn ctrl_c_ends_the_login_alone_and_a_login_that_fails_is_said() {
    let demo = start(Options::default()).unwrap();
    let portal = Portal::start(&demo.admin);
    let mut home = home(&demo, &portal, SESSION);
    for (script, keys, said) in [
        (
            "echo waiting for the browser\nexec sleep 60",
            key::CTRL_C,
            "signal: 2",
        ),
        (
            "echo An error occurred: Invalid grant >&2\nexit 255",
            "",
            "Invalid grant",
        ),
    ] {
        home = sso::aws(home, script);
        let mut term = Term::start(&home, 100, 30, &["--profile", "prod"], &[]);
        term.wait_for("S signs in");
        term.keys("S");
        if !keys.is_empty() {
            term.wait_for("waiting for the browser");
            term.keys(keys);
        }
        term.wait_for("aws sso login did not sign in");
        assert!(term.text().contains(said), "{}", term.text());
        // The screen is whole, and its keys work.
        assert!(term.is_raw());
        term.keys("?");
        term.wait_for("Everywhere");
        term.keys(key::CTRL_C);
        assert_eq!(term.exit_code(), 0);
    }
    let home = home.with("PATH", "/nowhere");
    let mut term = Term::start(&home, 100, 30, &["--profile", "prod"], &[]);
    term.wait_for("S signs in");
    term.keys("S");
    term.wait_for("is not on the PATH");
    assert!(
        term.text().contains("aws sso login --profile prod"),
        "{}",
        term.text()
    );
    // Signed in elsewhere: r asks again.
    sso::put(&token_file(&home, "corp"), &token("token-1", GOOD));
    term.keys("\x1b");
    term.wait_gone("is not on the PATH");
    term.keys("r");
    term.wait_gone("S signs in");
    term.wait_for("0123-4567-8901");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_ends_while_one_browses_is_met_by_the_same_key() {
    let world = Deployed::start(Options::default()).await;
    let role = world.connection("glueup-connection-sales").await;
    world
        .access("glueup-read", &role, "acme-lake", "warehouse/")
        .await;
    tokio::task::spawn_blocking(move || browse(&world.handle, &role))
        .await
        .unwrap();
}

fn browse(demo: &Handle, role: &str) {
    let portal = Portal::start(&demo.admin);
    let home = home(demo, &portal, SESSION);
    let script = login(&home, "corp", "token-2");
    let home = sso::aws(home, &script);
    sso::put(&token_file(&home, "corp"), &token("token-1", GOOD));
    let broker = ["init", "--name", "Acme", "--broker-role", &demo.broker_role_arn];
    home.glueup(&broker).ok();
    records(&home, Some(role));
    portal.takes("token-1", Duration::from_secs(2));
    let mut term = Term::start(&home, 100, 30, &["--profile", "prod"], &[]);
    term.wait_for("0123-4567-8901");
    // The token dies: what it has opened ends, and is not opened again.
    portal.takes("token-2", Duration::from_secs(3_600));
    std::thread::sleep(Duration::from_millis(2_100));
    term.keys("b");
    term.wait_for("AWS SSO has ended for prod: S signs in");
    term.keys("S");
    term.wait_gone("signs in");
    // What failed is tried again by itself.
    term.wait_for("sales");
    assert!(term.text().contains("lake"), "{}", term.text());
}
