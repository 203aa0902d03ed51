//! IAM's commands as a user would paste them, carried out against an embedded AWS.

use super::http;
use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use glueup::demo::Handle;
use std::time::SystemTime;

/// The lines of a next step that are `aws iam …` commands which change something.
pub fn commands(next: &str) -> Vec<Vec<String>> {
    let changes = [
        "put-role-policy",
        "delete-role-policy",
        "detach-role-policy",
        "update-assume-role-policy",
    ];
    next.lines()
        .filter(|line| line.starts_with("aws iam "))
        .map(words)
        .filter(|words| changes.contains(&words[2].as_str()))
        .collect()
}

/// Splits a line as a POSIX shell does, as far as our quoting goes: blanks, single quotes, backslashes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quoted) {
            ('\'', _) => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            (' ', false) => words.extend(word.take()),
            ('\\', false) => word.get_or_insert_default().extend(chars.next()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    assert!(!quoted, "{line}");
    words.extend(word);
    words
}

/// Carries one out as the embedded AWS's admin; answers what IAM says.
pub fn run(handle: &Handle, command: &[String]) -> String {
    let action: String = command[2]
        .split('-')
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect();
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("Action", &action)
        .append_pair("Version", "2010-05-08");
    for pair in command[3..].chunks(2) {
        let name: String = pair[0]
            .trim_start_matches("--")
            .split('-')
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect();
        form.append_pair(&name, &pair[1]);
    }
    let body = form.finish();
    let url = format!("{}/", handle.endpoint_url);
    let keys = &handle.admin;
    let identity = Credentials::new(&keys.id, &keys.secret, None, None, "test").into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region("us-east-1")
        .name("iam")
        .time(SystemTime::now())
        .settings(SigningSettings::default())
        .build()
        .unwrap()
        .into();
    let address = handle.endpoint_url.trim_start_matches("http://");
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let headers = [("host", address), kind];
    let request = SignableRequest::new(
        "POST",
        &url,
        headers.into_iter(),
        SignableBody::Bytes(body.as_bytes()),
    )
    .unwrap();
    let (signed, _) = sign(request, &params).unwrap().into_parts();
    let headers: Vec<(&str, &str)> = std::iter::once(kind).chain(signed.headers()).collect();
    let answer = http::request(address, "POST", "/", &headers, body.as_bytes()).unwrap();
    assert_eq!(answer.status, 200, "{command:?}: {}", answer.text());
    answer.text().to_string()
}
