//! Where credentials come from, besides AWS SSO and codes: programs, role chains, the environment.

use crate::support::deployed::{Deployed, EXTERNAL_ID};
use crate::support::fake::{self, Fake, Reply};
use crate::support::home::{Home, Ran};
use glueup::demo::{Handle, Options, start};

const LS: [&str; 5] = ["--profile", "p", "ls", "lake", "--as-caller"];

/// A home with one catalog whose AWS is the demo's, and these profiles.
fn home(demo: &Handle, config: &str) -> Home {
    let home = Home::new().with("AWS_ENDPOINT_URL", &demo.endpoint_url);
    std::fs::write(home.path().join("aws-config"), config).unwrap();
    home.record_lake(&["--trust", "arn:aws:iam::012345678901:role/engine"]);
    home
}

/// `ls` with a program of these lines behind the profile.
fn with_program(demo: &Handle, lines: &str) -> (Home, Ran) {
    let home = home(demo, "[profile p]\ncredential_process = sh ./program\n");
    std::fs::write(home.path().join("program"), format!("echo x >> runs\n{lines}\n")).unwrap();
    let ran = home.glueup(&LS);
    (home, ran)
}

#[test]
fn a_credential_process_works_once_and_each_way_of_failing_is_said_without_a_secret() {
    let demo = start(Options::default()).unwrap();
    let (id, secret) = (&demo.admin.id, &demo.admin.secret);
    let set = |more: &str| {
        format!(
            "echo '{{\"Version\": 1, \"AccessKeyId\": \"{id}\", \"SecretAccessKey\": \"{secret}\"{more}}}'"
        )
    };
    for good in [
        set(""),
        format!("sleep 1; {}", set(", \"Expiration\": \"2099-01-01T00:00:00Z\"")),
    ] {
        let (home, ran) = with_program(&demo, &good);
        assert!(ran.ok().stdout.contains("sales"));
        assert_eq!(std::fs::read_to_string(home.path().join("runs")).unwrap(), "x\n");
    }
    for (lines, said) in [
        ("echo no vault is open >&2; exit 3".to_owned(), "no vault is open"),
        (
            "exec /nowhere/to-be-found".to_owned(),
            "credential_process failed",
        ),
        (
            format!("echo 'export AWS_SECRET_ACCESS_KEY={secret}'"),
            "credential_process failed",
        ),
        (
            format!("echo '{{\"Version\": 1, \"SecretAccessKey\": \"{secret}\"}}'"),
            "AccessKeyId",
        ),
        (
            format!("echo '{{\"Version\": 2, \"SecretAccessKey\": \"{secret}\"}}'"),
            "version",
        ),
        (format!("echo '[\"{secret}\"'"), "credential_process failed"),
        ("true".to_owned(), "credential_process failed"),
        (
            set(", \"Expiration\": \"2020-05-01T10:00:00Z\""),
            "ended at 2020-05-01 10:00",
        ),
        (
            "echo 'The SSO session has expired, sign in' >&2; exit 1".to_owned(),
            "credential_process failed",
        ),
    ] {
        let (_, ran) = with_program(&demo, &lines);
        let ran = ran.exits(4);
        assert!(ran.stderr.contains(said), "{lines}\n{}", ran.stderr);
        assert!(ran.stderr.contains("  next"), "{}", ran.stderr);
        assert!(!ran.stderr.contains(secret.as_str()), "{lines}\n{}", ran.stderr);
        assert!(!ran.stderr.contains("aws sso login"), "{lines}\n{}", ran.stderr);
    }
}

#[test]
fn a_chain_of_profiles_that_leads_nowhere_says_where() {
    let demo = start(Options::default()).unwrap();
    let role = "role_arn = arn:aws:iam::999988887777:role/glueup-broker\n";
    for (config, code, said) in [
        (
            format!("[profile p]\n{role}source_profile = basis\n[profile base]\n"),
            3,
            "no AWS profile \"basis\"",
        ),
        (
            format!("[profile p]\n{role}source_profile = q\n[profile q]\n{role}source_profile = p\n"),
            2,
            "lead back",
        ),
        (
            format!("[profile p]\n{role}"),
            2,
            "neither a source_profile nor a credential_source",
        ),
        (
            format!("[profile p]\n{role}credential_source = Moon\n"),
            2,
            "Moon is none of Environment",
        ),
        (
            format!("[profile p]\n{role}source_profile = p\n"),
            2,
            "its own source_profile",
        ),
        (
            "[profile p]\nregion = us-west-2\n".to_owned(),
            4,
            "profile p, which holds none",
        ),
        (
            "[profile p]\naws_access_key_id = AKIA1\n".to_owned(),
            4,
            "missing aws_secret_access_key",
        ),
        (
            format!(
                "[profile p]\n{role}source_profile = p\naws_access_key_id = a\naws_secret_access_key = b\n\
                  duration_seconds = 5 h\n"
            ),
            2,
            "duration_seconds is 5 h",
        ),
    ] {
        let ran = home(&demo, &config).glueup(&LS).exits(code);
        assert!(ran.stderr.contains(said), "{config}\n{}", ran.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_of_roles_keeps_to_what_aws_allows_and_doctor_says_so() {
    let world = Deployed::start(Options::default()).await;
    let role = world.connection("glueup-connection-sales").await;
    world
        .access("glueup-read", &role, "acme-lake", "warehouse/")
        .await;
    tokio::task::spawn_blocking(move || chain(&world.handle, &role))
        .await
        .unwrap();
}

fn chain(demo: &Handle, role: &str) {
    let (broker, keys) = (&demo.broker_role_arn, &demo.admin);
    for source in ["source_profile = base", "credential_source = Environment"] {
        let config = format!(
            "[profile base]\naws_access_key_id = {}\naws_secret_access_key = {}\n\n\
             [profile broker]\nrole_arn = {broker}\n{source}\nduration_seconds = 43200\n\n\
             [profile p]\nrole_arn = {role}\nsource_profile = broker\nexternal_id = {EXTERNAL_ID}\n\
             duration_seconds = 43200\nrole_session_name = me@work\n",
            keys.id, keys.secret
        );
        let mut home = home(demo, &config);
        if source.contains("Environment") {
            home.set("AWS_ACCESS_KEY_ID", &keys.id);
            home.set("AWS_SECRET_ACCESS_KEY", &keys.secret);
        }
        assert!(home.glueup(&LS).ok().stdout.contains("sales"));
        let doctor = home.glueup(&["--profile", "p", "--output", "json", "doctor"]);
        let checks = doctor.json();
        let check = checks["checks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|c| c["id"] == "credentials");
        let answer = check.unwrap()["answer"].as_str().unwrap().to_owned();
        for part in [
            "/me@work",
            "through a role",
            "profile broker asks for longer",
            "profile p asks for longer",
        ] {
            assert!(answer.contains(part), "{part}: {answer}");
        }
    }
}

#[test]
fn half_a_key_in_the_environment_is_no_reason_to_be_somebody_else() {
    let demo = start(Options::default()).unwrap();
    let keys = format!(
        "[default]\naws_access_key_id = {}\naws_secret_access_key = {}\n",
        demo.admin.id, demo.admin.secret
    );
    let ls = &LS[2..];
    for (there, missing) in [
        ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
        ("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"),
    ] {
        let home = home(&demo, &keys).with(there, "x").with(missing, " ");
        let ran = home.glueup(ls).exits(4);
        let said = format!("{there} is set, but {missing} is not");
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
        // A profile that was asked for comes before all of the environment.
        home.glueup(&["--profile", "default", ls[0], ls[1], ls[2]]).ok();
        home.without(there).glueup(ls).ok();
    }
}

/// Glue and S3 are asked by the same caller, and both the way that the proxy's setting says.
#[test]
fn glue_and_s3_see_the_same_caller_and_go_the_same_way() {
    let out = Fake::start(|_| Reply {
        status: 502,
        ..Reply::xml("")
    });
    let world = fake::glue(vec![]);
    let home = fake::recorded("aws", "us-west-2", true)
        .with("HTTPS_PROXY", out.url())
        .with("AWS_ENDPOINT_URL_STS", world.url())
        .with("AWS_ENDPOINT_URL_GLUE", world.url());
    let ran = home.glueup(&["--output", "json", "verify", "lake"]).exits(1);
    let report = ran.json();
    let rungs = report["rungs"].as_array().unwrap();
    let caller = |id: &str| {
        let rung = rungs.iter().find(|rung| rung["id"] == id).unwrap();
        rung["caller"].as_str().unwrap_or_default().to_owned()
    };
    assert!(caller("databases").contains(":assumed-role/r/"), "{report}");
    assert_eq!(caller("databases"), caller("list"), "{report}");
    let asked = out.asked();
    assert!(
        asked
            .iter()
            .any(|asked| asked.method == "CONNECT" && asked.target.contains("s3.us-west-2.amazonaws.com")),
        "{asked:?}"
    );
    // The metadata service of a machine is not behind any proxy.
    let metadata = Fake::start(|_| Reply {
        status: 404,
        ..Reply::xml("")
    });
    let before = out.asked().len();
    let home = Home::new()
        .without("AWS_EC2_METADATA_DISABLED")
        .with("HTTPS_PROXY", out.url())
        .with("HTTP_PROXY", out.url())
        .with("AWS_EC2_METADATA_SERVICE_ENDPOINT", metadata.url());
    let ran = home.glueup(&["doctor"]);
    assert!(!metadata.asked().is_empty(), "{}", ran.stdout);
    // What looks whether the proxy is there says nothing to it.
    let strays: Vec<_> = out.asked().split_off(before);
    let through = |method: &str| method.is_empty() || method == "CONNECT";
    assert!(strays.iter().all(|asked| through(&asked.method)), "{strays:?}");
}
