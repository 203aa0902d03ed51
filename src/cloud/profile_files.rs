//! The profile files as the AWS CLI reads them: the SDK passes over what it cannot read, and over sections whose names
//! hold a blank, without a word.

use super::sign_in::var;
use aws_runtime::env_config::file::{EnvConfigFileKind, EnvConfigFiles};
use aws_runtime::fs_util::{Os, home_dir};
use aws_types::os_shim_internal::{Env, Fs};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Names that the SDK does not take begin with this once they are written so that it does.
const WRITTEN: &str = "//";

/// What the two files say, in a form that the SDK reads.
#[derive(Debug, Clone)]
pub(super) struct Files {
    config: File,
    credentials: File,
}

#[derive(Debug, Clone, Default)]
struct File {
    path: PathBuf,
    text: String,
    /// Why it cannot be read, where it is there.
    unread: Option<String>,
    /// Sections whose name has a blank without quotes around it, which the AWS CLI passes over too.
    unquoted: Vec<String>,
}

impl Files {
    /// Reads both. What is not there is empty; what cannot be read is too, and is said where that matters.
    pub(super) async fn read(fs: &Fs, env: &Env) -> Self {
        Self {
            config: file(fs, env, EnvConfigFileKind::Config).await,
            credentials: file(fs, env, EnvConfigFileKind::Credentials).await,
        }
    }

    /// As the SDK takes them.
    pub(super) fn for_sdk(&self) -> EnvConfigFiles {
        EnvConfigFiles::builder()
            .with_contents(EnvConfigFileKind::Config, self.config.text.clone())
            .with_contents(EnvConfigFileKind::Credentials, self.credentials.text.clone())
            .build()
    }

    /// Each alone, by its path: the SDK does not say in which of them a mistake is.
    pub(super) fn each(&self) -> [(&Path, EnvConfigFiles); 2] {
        let alone = |file: &File, kind| {
            let files = EnvConfigFiles::builder().with_contents(kind, file.text.clone());
            files.build()
        };
        [
            (&self.config.path, alone(&self.config, EnvConfigFileKind::Config)),
            (
                &self.credentials.path,
                alone(&self.credentials, EnvConfigFileKind::Credentials),
            ),
        ]
    }

    /// Where they are looked for.
    pub(super) fn places(&self) -> String {
        format!(
            "{} and {}",
            self.config.path.display(),
            self.credentials.path.display()
        )
    }

    /// What could not be read, in a sentence.
    pub(super) fn unread(&self) -> Option<String> {
        let files = [&self.config, &self.credentials].into_iter();
        let said = files.filter_map(|file| {
            let why = file.unread.as_ref()?;
            Some(format!("{} cannot be read: {why}", file.path.display()))
        });
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    /// What a section that is looked for in vain should be called, where its name only lacks quotes.
    pub(super) fn quoted(&self, prefix: &str, name: &str) -> Option<String> {
        let bare = format!("{prefix} {name}");
        self.config.unquoted.contains(&bare).then(|| {
            format!("[{bare}] needs quotes around its name, as the AWS CLI wants it: [{prefix} \"{name}\"]")
        })
    }
}

/// A name as it stands in [`Files::for_sdk`].
pub(super) fn written(name: &str) -> Cow<'_, str> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "_-/.%@:+".contains(c);
    if name.chars().all(fine) && !name.starts_with(WRITTEN) {
        return name.into();
    }
    format!("{WRITTEN}{}", utf8_percent_encode(name, NON_ALPHANUMERIC)).into()
}

/// The name behind it.
pub(super) fn meant(written: &str) -> Cow<'_, str> {
    match written.strip_prefix(WRITTEN) {
        Some(encoded) => percent_decode_str(encoded).decode_utf8_lossy(),
        None => written.into(),
    }
}

async fn file(fs: &Fs, env: &Env, kind: EnvConfigFileKind) -> File {
    let path = path(env, kind);
    let mut file = File {
        path: path.clone(),
        ..File::default()
    };
    match fs.read_to_end(&path).await {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => {
                let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
                file.text = rewritten(text, kind, &mut file.unquoted);
            }
            Err(_) => file.unread = Some("it is no UTF-8 text".to_owned()),
        },
        Err(why) if why.kind() == ErrorKind::NotFound => {}
        Err(why) => file.unread = Some(why.to_string()),
    }
    file
}

fn path(env: &Env, kind: EnvConfigFileKind) -> PathBuf {
    let (variable, usual) = match kind {
        EnvConfigFileKind::Credentials => ("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials"),
        _ => ("AWS_CONFIG_FILE", "~/.aws/config"),
    };
    let path = PathBuf::from(var(env, variable).unwrap_or_else(|| usual.to_owned()));
    match (path.strip_prefix("~"), home_dir(env, Os::real())) {
        (Ok(below), Some(home)) => Path::new(&home).join(below),
        _ => path,
    }
}

/// The text with the names of its sections in a form that the SDK takes.
fn rewritten(text: &str, kind: EnvConfigFileKind, unquoted: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let header = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        match header.and_then(|(section, rest)| Some((section_for_sdk(section, kind, unquoted)?, rest))) {
            Some((section, rest)) => {
                out.push('[');
                out.push_str(&section);
                out.push(']');
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// `None` where it is to stay as it is.
fn section_for_sdk(section: &str, kind: EnvConfigFileKind, unquoted: &mut Vec<String>) -> Option<String> {
    let section = section.trim();
    if matches!(kind, EnvConfigFileKind::Credentials) {
        // There the whole of it is the name.
        return Some(written(section).into_owned());
    }
    let (prefix, name) = section.split_once([' ', '\t'])?;
    if !matches!(prefix, "profile" | "sso-session") {
        return None;
    }
    let name = name.trim();
    let quoted = |quote| name.strip_prefix(quote)?.strip_suffix(quote);
    match quoted('"').or_else(|| quoted('\'')) {
        Some(inner) if !inner.contains(['"', '\'', '\\']) => Some(format!("{prefix} {}", written(inner))),
        Some(_) => None,
        None if name.contains(['"', '\'']) => None,
        None if name.contains(char::is_whitespace) => {
            unquoted.push(format!("{prefix} {name}"));
            None
        }
        None => Some(format!("{prefix} {}", written(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_form_and_back() {
        for (name, form) in [
            ("prod", "prod"),
            ("a/b.c%20@d:e+f_g-h", "a/b.c%20@d:e+f_g-h"),
            ("my prod", "//my%20prod"),
            ("büro", "//b%C3%BCro"),
            ("//x", "//%2F%2Fx"),
            ("", ""),
        ] {
            assert_eq!(written(name), form);
            assert_eq!(meant(form), name);
        }
    }

    #[test]
    fn sections_are_read_as_the_aws_cli_reads_them() {
        let mut unquoted = Vec::new();
        let config = "[default]\r\n[profile \"my prod\"] # mine\n[profile 'x']\n[sso-session \"my sso\"]\n[profile two words]\n\
                      [services s]\n[profile a\"b\"]\nregion = [profile \"q r\"]\n [profile \"in value\"]\n[profile a#b]";
        assert_eq!(
            rewritten(config, EnvConfigFileKind::Config, &mut unquoted),
            "[default]\r\n[profile //my%20prod] # mine\n[profile x]\n[sso-session //my%20sso]\n[profile two words]\n\
             [services s]\n[profile a\"b\"]\nregion = [profile \"q r\"]\n [profile \"in value\"]\n[profile //a%23b]"
        );
        assert_eq!(unquoted, ["profile two words"]);
        assert_eq!(
            rewritten(
                "[my prod]\nx=y\n[base]",
                EnvConfigFileKind::Credentials,
                &mut unquoted
            ),
            "[//my%20prod]\nx=y\n[base]"
        );
    }
}
