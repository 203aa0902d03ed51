//! What a program behind `credential_process` said. Nothing of its answer is ever shown, of its complaint no secret.

use crate::domain::moment::Moment;
use aws_credential_types::Credentials;
use serde_json::{Map, Value};
use std::time::{Duration, SystemTime};

/// Bytes of a complaint that are shown: its end, where the reason stands.
const SHOWN: usize = 1_000;
/// A secret key has so many letters, a session's token more.
const SECRET: usize = 40;

/// The credentials of an answer; else why there are none.
pub(super) fn credentials(said: &[u8]) -> Result<Credentials, String> {
    if said.trim_ascii().is_empty() {
        return Err("it said nothing".to_owned());
    }
    let members: Map<String, Value> = serde_json::from_slice(said.trim_ascii()).map_err(|why| {
        format!(
            "what it said is not JSON with credentials: line {}, column {}",
            why.line(),
            why.column()
        )
    })?;
    // Whatever case they are in: the SDKs do not mind.
    let member = |name: &str| {
        let found = members.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    };
    let text = |name: &str| member(name)?.as_str().filter(|text| !text.is_empty());
    let needed = |name: &str| text(name).ok_or_else(|| format!("what it said has no {name}"));
    match member("Version") {
        Some(version) if version.as_i64() == Some(1) => {}
        Some(_) => return Err("what it said is of another version than 1".to_owned()),
        None => return Err("what it said has no Version".to_owned()),
    }
    let (id, secret) = (needed("AccessKeyId")?, needed("SecretAccessKey")?);
    let token = text("SessionToken").map(str::to_owned);
    let end = match text("Expiration") {
        None => None,
        Some(end) => Some(moment(end).ok_or("its Expiration is no time as in 2026-11-30T14:02:11Z")?),
    };
    Ok(Credentials::new(id, secret, token, end, "glueup"))
}

fn moment(text: &str) -> Option<SystemTime> {
    let end: Moment = text.parse().ok()?;
    let millis = u64::try_from(end.unix_millis()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(millis))
}

/// The end of a complaint without what may be a secret; `None` where there is none.
pub(super) fn complaint(said: &[u8]) -> Option<String> {
    let whole = without_secrets(String::from_utf8_lossy(said).trim());
    let from = whole.len().saturating_sub(SHOWN);
    let from = (from..=whole.len()).find(|at| whole.is_char_boundary(*at))?;
    let end = whole.get(from..)?;
    match (end.is_empty(), from) {
        (true, _) => None,
        (false, 0) => Some(end.to_owned()),
        (false, _) => Some(format!("…{end}")),
    }
}

/// Each run of letters, digits and signs that is as long and as mixed as a key or a token is masked.
fn without_secrets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = String::new();
    for letter in text.chars().map(Some).chain([None]) {
        match letter {
            Some(letter) if letter.is_ascii_alphanumeric() || "+/=_-".contains(letter) => run.push(letter),
            other => {
                out.push_str(if is_secret(&run) { "***" } else { &run });
                run.clear();
                out.extend(other);
            }
        }
    }
    out
}

fn is_secret(run: &str) -> bool {
    let any = |sort: fn(&char) -> bool| run.chars().any(|letter| sort(&letter));
    run.len() >= SECRET
        && any(char::is_ascii_uppercase)
        && any(char::is_ascii_lowercase)
        && any(char::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

    #[test]
    fn an_answer_is_read_as_the_sdks_read_it() {
        let said = format!(
            "\r\n{{\"version\": 1, \"ACCESSKEYID\": \"a\", \"SecretAccessKey\": \"{SECRET}\", \"SessionToken\": \"\",\
             \"Expiration\": \"2099-05-02T18:36:00+02:00\", \"More\": {{}}}}\n"
        );
        let read = credentials(said.as_bytes()).unwrap();
        assert_eq!((read.access_key_id(), read.session_token()), ("a", None));
        let end = read.expiry().unwrap().duration_since(SystemTime::UNIX_EPOCH);
        assert_eq!(end.unwrap().as_secs(), 4_081_422_960);
    }

    #[test]
    fn what_is_no_answer_is_told_without_a_word_of_it() {
        let long = "x".repeat(500);
        for (said, why) in [
            (String::new(), "said nothing"),
            (" \n\t".to_owned(), "said nothing"),
            (format!("export KEY={SECRET}"), "not JSON"),
            (format!("[\"{SECRET}\"]"), "not JSON"),
            (
                format!("{{\"Version\": 1, \"AccessKeyId\": \"{SECRET}"),
                "not JSON",
            ),
            (format!("{{\"SecretAccessKey\": \"{SECRET}\"}}"), "no Version"),
            (format!("{{\"Version\": \"{SECRET}\"}}"), "another version"),
            (
                format!("{{\"Version\": 1, \"SecretAccessKey\": \"{SECRET}\"}}"),
                "no AccessKeyId",
            ),
            (
                "{\"Version\": 1, \"AccessKeyId\": \"a\", \"SecretAccessKey\": 7}".to_owned(),
                "no SecretAccessKey",
            ),
            (
                format!(
                    "{{\"Version\": 1, \"AccessKeyId\": \"a\", \"SecretAccessKey\": \"s\", \"Expiration\": \"{SECRET}\"}}"
                ),
                "Expiration",
            ),
            (long, "not JSON"),
        ] {
            let told = credentials(said.as_bytes()).unwrap_err();
            assert!(told.contains(why) && told.len() < 120, "{said}: {told}");
            assert!(!told.contains(SECRET), "{told}");
        }
        assert!(credentials(b"\xff\xfe{").is_err());
    }

    #[test]
    fn a_complaint_is_cut_at_its_beginning_and_holds_no_secret() {
        assert_eq!(complaint(b" \n"), None);
        assert_eq!(complaint(b"no vault\n").unwrap(), "no vault");
        let said = format!(
            "+ export AWS_SECRET_ACCESS_KEY={SECRET}\n+ \"{SECRET}\" /usr/share/some/long/path/to/some/place/where"
        );
        assert_eq!(
            complaint(said.as_bytes()).unwrap(),
            "+ export ***\n+ \"***\" /usr/share/some/long/path/to/some/place/where"
        );
        let said = format!("{SECRET}{}the end", "ü ".repeat(900));
        let shown = complaint(said.as_bytes()).unwrap();
        assert!(shown.len() < 1_010 && shown.starts_with('…') && shown.ends_with("the end"));
    }
}
