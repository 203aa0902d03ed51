//! The token of AWS SSO (IAM Identity Center) that `aws sso login` leaves in a file.

use super::super::profile::SignOn;
use super::super::remedy::{span, sso_login};
use crate::domain::finding::Finding;
use crate::domain::moment::Moment;
use aws_runtime::fs_util::{Os, home_dir};
use aws_types::os_shim_internal::{Env, Fs};
use serde_json::Value;
use sha1::{Digest, Sha1};

/// The SDK exchanges a token for another from here on, where it can.
const RENEWED: i64 = 300;

/// What is known of the token; never the token itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// There is no file, or none that can be used: why.
    None(String),
    /// It holds until then.
    Until {
        /// Its end.
        end: Moment,
        /// Whether it can be exchanged for another without a login.
        renewable: bool,
    },
}

/// Looks for the token where the SDK does: in a file called after the session's name, or after the start URL of a
/// profile without a session.
pub(super) async fn read(called: &str, fs: &Fs, env: &Env) -> Token {
    let Some(home) = home_dir(env, Os::real()) else {
        return Token::None("there is no home directory to look in".to_owned());
    };
    let name = hex::encode(Sha1::digest(called.as_bytes()));
    let path = std::path::Path::new(&home).join(format!(".aws/sso/cache/{name}.json"));
    match fs.read_to_end(&path).await {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
            Token::None(format!("there is no token: no file {}", path.display()))
        }
        Err(why) => Token::None(format!("{} cannot be read: {why}", path.display())),
        Ok(bytes) => parse(&bytes)
            .unwrap_or_else(|| Token::None(format!("{} holds no token with an end", path.display()))),
    }
}

fn parse(bytes: &[u8]) -> Option<Token> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let text = |name: &str| {
        let (_, value) = value
            .as_object()?
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))?;
        value.as_str().filter(|text| !text.is_empty())
    };
    text("accessToken")?;
    let end: Moment = text("expiresAt")?.parse().ok()?;
    // Without the registration's end the SDK does not renew.
    let registration: Option<Moment> = text("registrationExpiresAt").and_then(|end| end.parse().ok());
    let complete = ["refreshToken", "clientId", "clientSecret"]
        .iter()
        .all(|name| text(name).is_some());
    Some(Token::Until {
        end,
        renewable: complete && registration.is_some_and(|registration| registration > end),
    })
}

impl Token {
    /// Whether it can be used as it is.
    pub(super) fn is_good(&self, now: Moment) -> bool {
        match self {
            Self::None(_) => false,
            Self::Until { end, renewable } => {
                let left = end.seconds_since(now);
                left > if *renewable { RENEWED } else { 0 }
            }
        }
    }

    /// What is to be said of it.
    pub(super) fn finding(&self, sign_on: &SignOn, now: Moment) -> Finding {
        let login = sso_login(Some(&sign_on.profile));
        let profile = &sign_on.profile;
        let (end, renewable) = match self {
            Self::None(why) => return Finding::failed(format!("profile {profile}: {why}"), login),
            Self::Until { end, renewable } => (*end, *renewable),
        };
        let left = end.seconds_since(now);
        let amount = span(left.unsigned_abs());
        let at = end.date_and_clock();
        match (left > 0, renewable) {
            (true, true) => Finding::passed(format!(
                "the token of profile {profile} holds until {at} UTC, {amount} more, and is then renewed"
            )),
            (true, false) => Finding::passed(format!(
                "the token of profile {profile} holds until {at} UTC, {amount} more"
            )),
            (false, true) => Finding::warning(
                format!(
                    "the token of profile {profile} ended at {at} UTC, {amount} ago; the next call renews it, if it still can"
                ),
                login,
            ),
            (false, false) => Finding::failed(
                format!("the token of profile {profile} ended at {at} UTC, {amount} ago"),
                login,
            ),
        }
    }
}
