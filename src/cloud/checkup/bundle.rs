//! Whose certificates are trusted.

use super::super::http::certificates;
use super::super::profile::Profiles;
use super::super::sign_in::{bundle_path, var};
use crate::domain::amount::counted;
use crate::domain::finding::Finding;
use aws_types::os_shim_internal::Env;

/// A bundle that is set must hold certificates. The machine's own are trusted beside it, wherever those are.
pub(super) fn check(profiles: Option<&Profiles>, env: &Env) -> Finding {
    let set = match profiles {
        Some(profiles) => bundle_path(profiles, env),
        None => var(env, "AWS_CA_BUNDLE"),
    };
    if let Some(path) = set {
        return match count(&path) {
            Ok(count) => Finding::passed(format!("{path} holds {count}, trusted beside this machine's own")),
            Err(why) => Finding::failed(
                format!("the CA bundle {path} cannot be used: {why}"),
                "export AWS_CA_BUNDLE=/path/to/bundle.pem\nor, if no proxy here inspects TLS: unset AWS_CA_BUNDLE",
            ),
        };
    }
    match var(env, "SSL_CERT_FILE") {
        None => Finding::passed("no bundle is set: this machine's certificates are trusted"),
        Some(path) => match count(&path) {
            Ok(count) => Finding::passed(format!(
                "no bundle is set; SSL_CERT_FILE makes {path} this machine's own: {count}"
            )),
            Err(why) => Finding::failed(
                format!("SSL_CERT_FILE makes {path} this machine's own, and it cannot be used: {why}"),
                "unset SSL_CERT_FILE",
            ),
        },
    }
}

fn count(path: &str) -> Result<String, String> {
    let found = std::fs::metadata(path).map_err(|why| why.to_string())?;
    if found.is_dir() {
        return Err("it is a directory".to_owned());
    }
    // To read a pipe or a device may never end.
    let pem = if found.is_file() {
        std::fs::read(path).map_err(|why| why.to_string())?
    } else {
        Vec::new()
    };
    match u64::try_from(certificates(&pem)).unwrap_or(u64::MAX) {
        0 => Err("it holds no certificate".to_owned()),
        some => Ok(counted(some, "certificate", "certificates")),
    }
}
