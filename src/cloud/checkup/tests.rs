//! The checkup on invented machines: their environment and their files are in memory.

use super::*;
use crate::domain::status::Status;
use std::time::{Duration, Instant};

const CONFIG: &str = "[profile keys]\naws_access_key_id = AKIA1\naws_secret_access_key = s3cr3t\n\n\
    [profile prod]\nsso_session = corp\nsso_account_id = 012345678901\nsso_role_name = admin\n\n\
    [profile role]\nrole_arn = arn:aws:iam::012345678901:role/y\nsource_profile = prod\n\n\
    [profile old]\nsso_start_url = https://acme.awsapps.com/start\n\n\
    [sso-session corp]\nsso_start_url = https://acme.awsapps.com/start\nsso_region = us-east-1\n";

/// Called after the SHA-1 of `corp`, as by the SDK and the AWS CLI.
const BY_SESSION: &str = "/home/me/.aws/sso/cache/ee0bfd2552fbd840c02cc48b6e823320543c450f.json";

fn now() -> Moment {
    "2026-11-30T14:00:00Z".parse().unwrap()
}

async fn checkup(profile: Option<&str>, vars: &[(&str, &str)], files: &[(&str, String)]) -> Checkup {
    let mut env = vec![("HOME", "/home/me")];
    env.extend_from_slice(vars);
    let mut all = vec![("/home/me/.aws/config".to_owned(), CONFIG.to_owned())];
    all.extend(
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.clone())),
    );
    let fs = Fs::from_map(
        all.into_iter()
            .map(|(path, text)| (path, text.into_bytes()))
            .collect(),
    );
    let settings = Settings {
        profile: profile.map(str::to_owned),
        ..Settings::default()
    };
    Checkup::of(&settings, fs, Env::from_slice(&env)).await
}

fn token(ends: &str, rest: &str) -> String {
    format!(
        r#"{{"startUrl":"https://acme.awsapps.com/start","accessToken":"t0ps3cr3t","expiresAt":"{ends}"{rest}}}"#
    )
}

const RENEWABLE: &str = r#","refreshToken":"t0ps3cr3t","clientId":"c","clientSecret":"t0ps3cr3t","registrationExpiresAt":"2027-01-01T00:00:00Z""#;

async fn sso(profile: &str, text: Option<String>) -> (Finding, bool) {
    let files: Vec<(&str, String)> = text.map(|text| (BY_SESSION, text)).into_iter().collect();
    let checkup = checkup(Some(profile), &[], &files).await;
    let found = checkup.sso(now()).await;
    assert!(!format!("{found:?}").contains("t0ps3cr3t"), "{found:?}");
    (found, checkup.may_sign_in(now()).await)
}

#[tokio::test]
async fn a_token_that_is_there_and_holds_is_used() {
    for profile in ["prod", "role"] {
        let (found, may) = sso(profile, Some(token("2026-11-30T14:52:30Z", ""))).await;
        assert_eq!(found.status, Status::Passed, "{found:?}");
        assert!(found.answer.contains("52 min more"), "{found:?}");
        assert!(may);
    }
}

#[tokio::test]
async fn a_token_that_has_ended_names_the_login() {
    let (found, may) = sso("role", Some(token("2026-11-30T12:00:00Z", ""))).await;
    assert_eq!(found.status, Status::Failed);
    assert!(
        found.answer.contains("2 h ago") || found.answer.contains("120 min ago"),
        "{found:?}"
    );
    // The login is the profile's that holds the session, not the one whose role starts from it.
    assert_eq!(found.next.as_deref(), Some("aws sso login --profile prod"));
    assert!(!may, "signing in would fail, or change the token's file");
}

#[tokio::test]
async fn a_token_that_can_be_renewed_is_not_renewed_by_looking() {
    let (found, may) = sso("prod", Some(token("2026-11-30T13:00:00Z", RENEWABLE))).await;
    assert_eq!(found.status, Status::Warning, "{found:?}");
    assert_eq!(found.next.as_deref(), Some("aws sso login --profile prod"));
    assert!(!may);
    let (found, may) = sso("prod", Some(token("2026-11-30T14:04:00Z", RENEWABLE))).await;
    assert_eq!(found.status, Status::Passed);
    assert!(!may, "the SDK renews during the last five minutes");
}

#[tokio::test]
async fn no_token_and_no_real_token_name_the_login() {
    for text in [
        None,
        Some("no json".to_owned()),
        Some("{}".to_owned()),
        Some(token("2026-11-30T14:00:00UTC", "")),
    ] {
        let (found, may) = sso("prod", text).await;
        assert_eq!(found.status, Status::Failed, "{found:?}");
        assert_eq!(found.next.as_deref(), Some("aws sso login --profile prod"));
        assert!(!may);
    }
    // A file that is called after the start URL is not the session's: the SDK does not look there.
    let (found, _) = sso("old", Some(token("2026-11-30T15:00:00Z", ""))).await;
    assert_eq!(found.status, Status::Failed, "{found:?}");
}

#[tokio::test]
async fn a_profile_without_sso_has_no_token_to_look_at() {
    let keys = [
        ("AWS_ACCESS_KEY_ID", "a"),
        ("AWS_SECRET_ACCESS_KEY", "b"),
        ("AWS_PROFILE", "prod"),
    ];
    for (profile, vars) in [(Some("keys"), &[][..]), (None, &[]), (None, &keys)] {
        let checkup = checkup(profile, vars, &[]).await;
        assert_eq!(checkup.sso(now()).await.status, Status::Skipped);
        assert!(checkup.may_sign_in(now()).await);
    }
}

#[tokio::test]
async fn an_unknown_profile_keeps_nobody_from_looking_at_the_rest() {
    let checkup = checkup(Some("prd"), &[], &[]).await;
    let clock = checkup.clock().await;
    assert_eq!(clock.status, Status::Skipped);
    assert!(clock.answer.contains("no AWS profile \"prd\""), "{clock:?}");
    assert_eq!(checkup.proxy().await.status, Status::Passed);
    assert_eq!(checkup.bundle().status, Status::Passed);
}

#[tokio::test]
async fn a_bundle_without_certificates_fails_and_one_with_some_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bundle.pem");
    let shown = path.display().to_string();
    let check = async || checkup(None, &[("AWS_CA_BUNDLE", &shown)], &[]).await.bundle();
    let found = check().await;
    assert_eq!(found.status, Status::Failed, "{found:?}");
    assert!(found.next.unwrap().contains("export AWS_CA_BUNDLE="));
    std::fs::write(&path, "nothing").unwrap();
    assert!(check().await.answer.contains("holds no certificate"));
    let body = base64::Engine::encode(
        &base64::engine::general_purpose::STANDARD,
        [&[0x30, 0x82][..], &[7; 200]].concat(),
    );
    let one = format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
    std::fs::write(&path, format!("{one}{one}")).unwrap();
    assert_eq!(
        super::bundle::check(None, &Env::from_slice(&[("AWS_CA_BUNDLE", &shown)])).answer,
        format!("{shown} holds 2 certificates, trusted beside this machine's own")
    );
}

/// Takes connections and stays silent, as a firewall makes the metadata service of a laptop look.
fn silent() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let kept: Vec<_> = listener.incoming().flatten().collect();
        drop(kept);
    });
    address
}

#[tokio::test]
async fn a_metadata_service_that_is_silent_is_left_after_a_blink() {
    let own = silent();
    let checkup = checkup(None, &[("AWS_EC2_METADATA_SERVICE_ENDPOINT", &own)], &[]).await;
    let begun = Instant::now();
    let found = checkup.metadata().await;
    assert!(
        begun.elapsed() < Duration::from_millis(600),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(found.status, Status::Warning, "{found:?}");
    assert_eq!(
        found.next.as_deref(),
        Some("unset AWS_EC2_METADATA_SERVICE_ENDPOINT")
    );
}

#[tokio::test]
async fn a_metadata_service_that_is_switched_off_is_not_asked() {
    let off = checkup(None, &[("AWS_EC2_METADATA_DISABLED", "TRUE")], &[]).await;
    assert_eq!(off.metadata().await.status, Status::Skipped);
}

fn env_keys(ends: Option<&str>) -> (aws_credential_types::Credentials, Vec<(&'static str, String)>) {
    let mut keys =
        aws_credential_types::Credentials::new("AKIA1", "s3cr3t", Some("s3cr3t".into()), None, "x");
    keys.set_property(vec![
        aws_credential_types::credential_feature::AwsCredentialFeature::CredentialsEnvVars,
    ]);
    let mut vars = vec![
        ("AWS_ACCESS_KEY_ID", "AKIA1".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "s3cr3t".to_owned()),
    ];
    vars.extend(ends.map(|ends| ("AWS_CREDENTIAL_EXPIRATION", ends.to_owned())));
    (keys, vars)
}

#[tokio::test]
async fn credentials_say_where_they_came_from_and_when_they_end_and_nothing_else() {
    for (ends, more, status, word) in [
        (None, None, Status::Passed, "not said"),
        (Some("2026-11-30T15:00:00Z"), None, Status::Passed, "60 min more"),
        (Some("2026-11-30T14:10:00Z"), None, Status::Warning, "10 min more"),
        (Some("2026-11-30T13:00:00Z"), None, Status::Failed, "ended"),
        (
            None,
            Some(("AWS_PROFILE", "prod")),
            Status::Warning,
            "before AWS_PROFILE",
        ),
    ] {
        let (keys, vars) = env_keys(ends);
        let mut vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (*name, value.as_str())).collect();
        vars.extend(more);
        let checkup = checkup(None, &vars, &[]).await;
        let found = checkup.credentials(&Provenance::of(&keys), now());
        assert_eq!(found.status, status, "{found:?}");
        assert!(
            found.answer.starts_with("from the environment") && found.answer.contains(word),
            "{found:?}"
        );
        assert!(!format!("{found:?}").contains("s3cr3t"));
    }
}
