//! The next step for a denial, and for credentials that cannot be had.

mod access_point;

use super::denial::RefusedBy;
use super::failure::told;
use super::http::chain;
use super::problem::Told;
use crate::domain::problem::{Detail, Kind, Problem};
use crate::domain::quote::shell;
use aws_credential_types::provider::error::CredentialsError;
use serde_json::json;

/// What to do about a refused action that AWS refused in these words; of the detail the caller and the resource are read.
pub fn denial(by: RefusedBy, explicit: bool, action: &str, detail: &Detail, words: &str) -> String {
    let who = detail
        .caller
        .as_deref()
        .map_or_else(|| "the caller".to_owned(), role_behind);
    let on = detail.resource.as_deref().unwrap_or("the resource");
    if action.starts_with("kms:") && !(explicit && by == RefusedBy::Identity) {
        return format!("Allow {action} on {on} to {who}, in the key's policy and in the role's");
    }
    if let Some(told) = access_point::denial(by, explicit, action, on, &who) {
        return told;
    }
    match by {
        RefusedBy::Identity if explicit => {
            format!("Take the statement that denies {action} on {on} out of the policies of {who}")
        }
        RefusedBy::Identity => format!("Allow {action} on {on} in a policy of {who}"),
        RefusedBy::Resource if explicit && action.starts_with("s3:") => {
            let bucket = bucket_of(on);
            format!(
                "The policy of the bucket {bucket} denies {action}: whoever keeps the bucket must let {who} through:\n\
                 aws s3api get-bucket-policy --bucket {} --query Policy --output text",
                shell(bucket)
            )
        }
        RefusedBy::Resource if explicit => {
            format!("The policy of {on} denies {action}: whoever keeps it must let {who} through")
        }
        RefusedBy::Resource if on.contains(":s3:::") => {
            let bucket = on.split_once('/').map_or(on, |(bucket, _)| bucket);
            format!("Allow {action} to {who} in the policy of {bucket}")
        }
        RefusedBy::Resource => format!("Allow {action} to {who} in the policy of {on}"),
        RefusedBy::Trust => format!("Let the trust policy of {on} name {who}, and compare the external ID"),
        RefusedBy::Boundary => format!("Allow {action} in the permissions boundary of {who}"),
        RefusedBy::Session => format!("Allow {action} in the session policy that {who} was assumed with"),
        RefusedBy::Scp | RefusedBy::Rcp => {
            format!("Ask the administrator of the AWS organization to allow {action} in this account")
        }
        RefusedBy::VpcEndpoint => format!("Allow {action} on {on} in the policy of the VPC endpoint"),
        RefusedBy::LakeFormation => lake_formation(&who, detail, words),
        // S3 seldom says who refused.
        RefusedBy::Unsaid if action.starts_with("s3:") => format!(
            "One of:\n1. no policy of {who} allows {action} on {on}\n2. the policy of the bucket, of a VPC endpoint on the \
             way, or of the organization refuses it"
        ),
        RefusedBy::Unsaid => format!("Check that a policy of {who} allows {action} on {on}"),
    }
}

/// The bucket of an object's ARN or location: a policy is the bucket's.
fn bucket_of(on: &str) -> &str {
    let path = on
        .strip_prefix("s3://")
        .or_else(|| on.split_once(":s3:::").map(|(_, path)| path));
    let path = path.unwrap_or(on);
    path.split_once('/').map_or(path, |(bucket, _)| bucket)
}

/// The command that grants what Lake Formation asks for, ready to paste: what its words require, else what the call reads.
fn lake_formation(who: &str, detail: &Detail, words: &str) -> String {
    let place = detail.resource.as_deref().and_then(glue_path);
    let database = |name: &str| json!({"Database": {"Name": name}});
    let all_tables = |database: &str| json!({"Table": {"DatabaseName": database, "TableWildcard": {}}});
    let table = |database: &str, name: &str| json!({"Table": {"DatabaseName": database, "Name": name}});
    let (permission, resource) = match (required(words), place) {
        (Some((permission, "Catalog")), _) => (permission, json!({"Catalog": {}})),
        (Some((permission, name)), Some(GluePath::Table(of, _)))
            if !OF_DATABASES.contains(&permission.as_str()) && name != of =>
        {
            (permission, table(of, name))
        }
        (Some((permission, name)), _) => (permission, database(name)),
        (None, Some(GluePath::Database(name))) => ("DESCRIBE".to_owned(), database(name)),
        (None, Some(GluePath::Table(of, "*"))) => ("DESCRIBE".to_owned(), all_tables(of)),
        (None, Some(GluePath::Table(of, name))) => ("SELECT".to_owned(), table(of, name)),
        (None, None) => ("DESCRIBE".to_owned(), database("DATABASE")),
    };
    format!(
        "Grant it in Lake Formation:\naws lakeformation grant-permissions --principal \
         DataLakePrincipalIdentifier={who} --permissions {permission} --resource {}",
        single_quoted(&resource.to_string())
    )
}

/// Permissions that are given on a database, whatever the call was about.
const OF_DATABASES: [&str; 1] = ["CREATE_TABLE"];

/// What Lake Formation's words require: `… : Required Create Database on Catalog` is `CREATE_DATABASE` on `Catalog`.
fn required(words: &str) -> Option<(String, &str)> {
    const PERMISSIONS: [&str; 10] = [
        "ALL",
        "ALTER",
        "CREATE_DATABASE",
        "CREATE_TABLE",
        "DATA_LOCATION_ACCESS",
        "DELETE",
        "DESCRIBE",
        "DROP",
        "INSERT",
        "SELECT",
    ];
    let (_, rest) = words.split_once("Required ")?;
    let (permission, resource) = rest.split_once(" on ")?;
    let permission = permission.trim().to_ascii_uppercase().replace(' ', "_");
    let resource = resource
        .split_whitespace()
        .next()?
        .trim_end_matches(['.', ',', ')']);
    let known = PERMISSIONS.contains(&permission.as_str()) && !resource.is_empty();
    known.then_some((permission, resource))
}

enum GluePath<'a> {
    Database(&'a str),
    Table(&'a str, &'a str),
}

fn glue_path(arn: &str) -> Option<GluePath<'_>> {
    let path = arn.splitn(6, ':').nth(5)?;
    if let Some(rest) = path.strip_prefix("table/") {
        let (database, table) = rest.split_once('/')?;
        return Some(GluePath::Table(database, table));
    }
    path.strip_prefix("database/").map(GluePath::Database)
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The role behind an assumed-role session: policies belong to the role. Its path is not part of a session's ARN.
pub(super) fn role_behind(caller: &str) -> String {
    let mut parts = caller.splitn(6, ':');
    let (Some(_), Some(partition), Some("sts"), Some(_), Some(account), Some(rest)) = (
        parts.next(),
        parts.next(),
        parts.next(),
        parts.next(),
        parts.next(),
        parts.next(),
    ) else {
        return caller.to_owned();
    };
    match rest
        .strip_prefix("assumed-role/")
        .and_then(|r| r.split('/').next())
    {
        Some(role) => format!("arn:{partition}:iam::{account}:role/{role}"),
        None => caller.to_owned(),
    }
}

/// Whether these words of a provider mean that the token of AWS SSO is missing or has ended.
fn wants_login(words: &str) -> bool {
    let lower = words.to_ascii_lowercase();
    [
        "sso token",
        "sso credentials",
        "token has expired",
        "cached token",
        "sso/cache",
        r"sso\cache",
        "sso session",
        "unauthorizedexception",
    ]
    .iter()
    .any(|needle| lower.contains(needle))
}

/// The command that signs in through AWS SSO.
pub(crate) fn sso_login(profile: Option<&str>) -> String {
    match profile {
        Some(profile) => format!("aws sso login --profile {}", shell(profile)),
        None => "aws sso login".to_owned(),
    }
}

/// Why there are no usable credentials. `profile` is the one that was asked for, `sso` the one that signs in through
/// AWS SSO, where one does.
pub(super) fn credentials(words: &str, profile: Option<&str>, sso: Option<&str>) -> Told {
    let lower = words.to_ascii_lowercase();
    let login = sso_login(sso.or(profile));
    let any = |needles: &[&str]| needles.iter().any(|n| lower.contains(n));
    if any(&["they ended at"]) {
        return Told(
            Kind::Denied,
            "The credentials had ended before they could be used".to_owned(),
            words.to_owned(),
            match profile {
                Some(profile) => format!(
                    "Get new ones where profile {profile} gets them: run its credential_process by hand, or sign in \
                     there again"
                ),
                None => "Get new ones where these came from, then repeat".to_owned(),
            },
        );
    }
    if wants_login(words) {
        return Told(
            Kind::Denied,
            "You are not signed in with AWS SSO".to_owned(),
            words.to_owned(),
            format!("Run: {login}"),
        );
    }
    if any(&[
        "expiredtoken",
        "token included in the request is expired",
        "invalid_grant",
    ]) {
        return Told(
            Kind::Denied,
            "The credentials have expired".to_owned(),
            words.to_owned(),
            format!("Sign in again (with SSO: {login}), then repeat"),
        );
    }
    if any(&[
        "dispatch failure",
        "connect error",
        "dns error",
        "connection refused",
        "timed out",
        "timeout",
    ]) {
        return Told(
            Kind::Unreachable,
            "The place that issues the credentials was not reached".to_owned(),
            words.to_owned(),
            "Check the network and the proxy (HTTPS_PROXY, NO_PROXY), then try again".to_owned(),
        );
    }
    Told(
        Kind::Denied,
        "The credentials could not be used".to_owned(),
        words.to_owned(),
        "Mend the profile in ~/.aws/config, or choose another one with --profile".to_owned(),
    )
}

/// The same as a Problem; what a provider of ours has said is said as it is.
pub(super) fn unusable(why: &CredentialsError, profile: Option<&str>, sso: Option<&str>) -> Problem {
    if let Some(problem) = told(why) {
        return problem;
    }
    let words = chain(why);
    let told = credentials(&words, profile, sso);
    let problem = Problem::new(told.0, told.1, told.2, told.3);
    if wants_login(&words) {
        problem.with_login(sso)
    } else {
        problem
    }
}

/// `12 min behind` or `40 s ahead`: our clock, given the server's lead in seconds.
pub(crate) fn off_by(skew: i64) -> String {
    let amount = span(skew.unsigned_abs());
    format!("{amount} {}", if skew > 0 { "behind" } else { "ahead" })
}

/// `40 s`, `12 min`, `24 h`: so many seconds.
pub(super) fn span(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_belong_to_the_role_not_to_its_session() {
        let session = "arn:aws-cn:sts::012345678901:assumed-role/engine/glueup-verify";
        assert_eq!(role_behind(session), "arn:aws-cn:iam::012345678901:role/engine");
        for same in ["arn:aws:iam::012345678901:user/admin", "nonsense", ""] {
            assert_eq!(role_behind(same), same);
        }
    }

    #[test]
    fn the_grant_for_lake_formation_can_be_pasted() {
        let detail = Detail {
            caller: Some("arn:aws:sts::012345678901:assumed-role/engine/s".into()),
            resource: Some("arn:aws:glue:us-west-2:012345678901:table/sal'es/*".into()),
            ..Detail::default()
        };
        let next = denial(RefusedBy::LakeFormation, false, "glue:GetTables", &detail, "");
        assert!(
            next.contains("DataLakePrincipalIdentifier=arn:aws:iam::012345678901:role/engine"),
            "{next}"
        );
        assert!(
            next.ends_with(r#"'{"Table":{"DatabaseName":"sal'\''es","TableWildcard":{}}}'"#),
            "{next}"
        );
    }

    #[test]
    fn lake_formation_is_granted_what_its_words_require() {
        let granted = |resource: Option<&str>, words: &str| {
            let detail = Detail {
                caller: Some("arn:aws:iam::012345678901:role/engine".into()),
                resource: resource.map(|path| format!("arn:aws:glue:us-west-2:012345678901:{path}")),
                ..Detail::default()
            };
            let words = format!("AccessDeniedException: Insufficient Lake Formation permission(s){words}");
            let next = denial(RefusedBy::LakeFormation, false, "glue:X", &detail, &words);
            let (_, after) = next.split_once("--permissions ").unwrap();
            after.to_owned()
        };
        for (resource, words, wanted) in [
            (
                Some("catalog"),
                ": Required Create Database on Catalog",
                r#"CREATE_DATABASE --resource '{"Catalog":{}}'"#,
            ),
            (
                Some("catalog"),
                ": Required Describe on sales",
                r#"DESCRIBE --resource '{"Database":{"Name":"sales"}}'"#,
            ),
            (
                Some("table/sales/orders"),
                ": Required Create Table on sales",
                r#"CREATE_TABLE --resource '{"Database":{"Name":"sales"}}'"#,
            ),
            (
                Some("table/sales/orders"),
                ": Required Select on orders (Service: AWSGlue)",
                r#"SELECT --resource '{"Table":{"DatabaseName":"sales","Name":"orders"}}'"#,
            ),
            (
                Some("table/sales/*"),
                ": Required Describe on sales.",
                r#"DESCRIBE --resource '{"Database":{"Name":"sales"}}'"#,
            ),
            // Words that say less, or something unheard of, leave what the call reads.
            (
                Some("database/sales"),
                " on sales",
                r#"DESCRIBE --resource '{"Database":{"Name":"sales"}}'"#,
            ),
            (
                Some("table/sales/orders"),
                ": Required Dance on orders",
                r#"SELECT --resource '{"Table":{"DatabaseName":"sales","Name":"orders"}}'"#,
            ),
        ] {
            assert_eq!(granted(resource, words), wanted, "{words}");
        }
    }

    #[test]
    fn a_missing_sso_token_names_the_login() {
        let told = credentials(
            "failed to load the cached SSO token",
            Some("role"),
            Some("my prod"),
        );
        assert_eq!(told.3, "Run: aws sso login --profile 'my prod'");
        assert_eq!(told.0, Kind::Denied);
    }

    #[test]
    fn the_clock_is_behind_when_the_server_is_ahead() {
        assert_eq!(off_by(720), "12 min behind");
        assert_eq!(off_by(-40), "40 s ahead");
        assert_eq!(off_by(-86_400), "24 h ahead");
    }
}
