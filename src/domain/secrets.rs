//! Secrets that somebody has left in a text where they do not belong: in an address, in the parameters of a connection string.

/// What stands in the place of a secret.
pub const HIDDEN: &str = "(not shown)";

/// Words in the name of a value that nobody is to read off a screen.
const SECRET: [&str; 9] = [
    "password",
    "passwd",
    "pwd",
    "secret",
    "token",
    "credential",
    "access.key",
    "accesskey",
    "access-key",
];

/// Whether what has this name is a secret.
pub fn is_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    SECRET.iter().any(|word| lower.contains(word))
}

/// The text without the secrets in it: `user:PASSWORD@host` of an address, and `password=PASSWORD` among parameters.
pub fn masked(text: &str) -> String {
    parameters(&addresses(text))
}

/// Hides what stands between a user's name and his host.
fn addresses(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        out.push_str(before);
        out.push_str("://");
        let end = after
            .find(['/', '?', '#', ' ', '"', '\'', ','])
            .unwrap_or(after.len());
        let (host, further) = after.split_at(end);
        match host
            .rsplit_once('@')
            .map(|(user, host)| (user.split_once(':'), host))
        {
            Some((Some((user, _)), host)) => out.push_str(&format!("{user}:{HIDDEN}@{host}")),
            _ => out.push_str(host),
        }
        rest = further;
    }
    out + rest
}

/// Hides the values of parameters whose names say that they are secrets.
fn parameters(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('=') {
        out.push_str(before);
        out.push('=');
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let name = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
        rest = after;
        if is_secret(name) && !after.is_empty() {
            let end = after
                .find(['&', ';', ',', ' ', '"', '\'', ')', '}'])
                .unwrap_or(after.len());
            if end > 0 {
                out.push_str(HIDDEN);
            }
            rest = after.split_at(end).1;
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_in_a_text_is_not_in_what_is_shown() {
        for (text, shown) in [
            (
                "jdbc:postgresql://u:hunter3@h:5432/db?user=u&password=hunter4&ssl=true",
                "jdbc:postgresql://u:(not shown)@h:5432/db?user=u&password=(not shown)&ssl=true",
            ),
            (
                "jdbc:sqlserver://h:1433;databaseName=d;Password=hun=ter;x=1",
                "jdbc:sqlserver://h:1433;databaseName=d;Password=(not shown);x=1",
            ),
            ("s3n://AKIA:abc/def@bucket/k", "s3n://AKIA:abc/def@bucket/k"),
            ("s3n://AKIA:abcdef@bucket/k", "s3n://AKIA:(not shown)@bucket/k"),
            (
                "https://x.example/?sig=1&X-Amz-Security-Token=abc",
                "https://x.example/?sig=1&X-Amz-Security-Token=(not shown)",
            ),
            ("s3://bucket/day=2026-10-01/a@b", "s3://bucket/day=2026-10-01/a@b"),
            ("password=", "password="),
            ("a = b, pwd=x y", "a = b, pwd=(not shown) y"),
            ("", ""),
        ] {
            assert_eq!(masked(text), shown);
        }
    }

    proptest::proptest! {
        #[test]
        fn a_password_never_comes_through(before in "[a-z:/?&=@ ]{0,12}", secret in "[A-Z0-9]{6,12}", after in "[&; ][a-z=&]{0,8}") {
            let shown = masked(&format!("{before}&password={secret}{after}"));
            proptest::prop_assert!(!shown.contains(&secret), "{}", shown);
        }
    }
}
