//! Reading a record: strictly, and with words that help to mend it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::{
    mend,
    record::{Record, VERSION},
};
use crate::domain::{
    problem::{Kind, Problem},
    text,
};

/// A file that is no record; the others still load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1; 0 when the file could not be read at all.
    pub line: u64,
    /// The column, counted from 1.
    pub column: u64,
    /// The line itself, made safe to show.
    pub snippet: String,
    /// What is wrong, and how to mend it.
    pub problem: Problem,
}

/// What tells whether a file was changed since it was read.
pub(super) type Fingerprint = [u8; 32];

pub(super) fn fingerprint(text: &str) -> Fingerprint {
    Sha256::digest(text.as_bytes()).into()
}

/// A record as text. Numbers that are text (account ids) are quoted by the writer.
pub(super) fn to_yaml<T: Record>(record: &T) -> Result<String, Problem> {
    serde_saphyr::to_string(record).map_err(|error| {
        Problem::new(
            Kind::Internal,
            format!("The {} cannot be written as YAML", T::NOUN),
            error.to_string(),
            "Report this: it should not happen",
        )
    })
}

/// The largest record, in bytes: thousands of lines, where one is some dozens.
const LARGEST: u64 = 256 * 1024;

/// Reads one file: `None` when it is gone.
pub(super) fn file<T: Record>(path: &Path) -> Result<Option<(T, Fingerprint)>, Box<Broken>> {
    let next = "Move it away, or restore the file from git or a copy";
    let bytes = match fs::metadata(path).and_then(|found| {
        // To read a pipe or a device may never end.
        let fits = found.is_file() && found.len() <= LARGEST;
        fits.then(|| fs::read(path)).transpose()
    }) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            return Err(unreadable::<T>(
                path,
                "it is no file, or too large for a record",
                next,
            ));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(unreadable::<T>(
                path,
                &error.to_string(),
                "Look at its owner and mode",
            ));
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => text_of(path, &text).map(|record| Some((record, fingerprint(&text)))),
        Err(_) => Err(unreadable::<T>(path, "it is not UTF-8 text", "Save it as UTF-8")),
    }
}

fn unreadable<T: Record>(path: &Path, why: &str, next: &str) -> Box<Broken> {
    let what = format!("The {} file {} cannot be read", T::NOUN, path.display());
    let problem = Problem::new(Kind::CheckFailed, what, why, next);
    Box::new(Broken {
        file: path.to_owned(),
        line: 0,
        column: 0,
        snippet: String::new(),
        problem,
    })
}

/// YAML as people write it: `no` is text, and so is a number with a leading zero.
fn parse<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, serde_saphyr::Error> {
    serde_saphyr::from_str_with_options(
        text,
        serde_saphyr::options! {
            strict_booleans: true,
            leading_zero_numbers_as_strings: true,
            underscored_numbers_as_strings: true,
        },
    )
}

fn text_of<T: Record>(path: &Path, text: &str) -> Result<T, Box<Broken>> {
    let error = match parse::<T>(text) {
        Ok(record) if record.version() == VERSION => return Ok(record),
        Ok(record) => return Err(wrong_version::<T>(path, text, record.version())),
        Err(error) => error,
    };
    // A file of a newer glueup fails on fields that this one does not know; its version is the better reason.
    if let Ok(Versioned { version }) = parse::<Versioned>(text)
        && version > VERSION
    {
        return Err(wrong_version::<T>(path, text, version));
    }
    let (line, column) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
    let why = error.without_snippet().to_string();
    let (line, why, next) = mend::words(&why, text, line);
    Err(broken::<T>(path, text, line, column, &why, &next))
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

fn wrong_version<T: Record>(path: &Path, text: &str, version: u32) -> Box<Broken> {
    let line = text
        .lines()
        .position(|line| line.starts_with("version"))
        .map_or(1, |at| at as u64 + 1);
    let why = format!("it has version {version}; this glueup reads version {VERSION}");
    let next = if version > VERSION {
        "Use a newer glueup"
    } else {
        "Set version: 1"
    };
    broken::<T>(path, text, line, 1, &why, next)
}

fn broken<T: Record>(path: &Path, text: &str, line: u64, column: u64, why: &str, next: &str) -> Box<Broken> {
    let what = format!(
        "The {} file {} is broken at line {line}, column {column}",
        T::NOUN,
        path.display()
    );
    Box::new(Broken {
        file: path.to_owned(),
        line,
        column,
        snippet: text::scrub(mend::nth(text, line).trim_end()),
        problem: Problem::new(Kind::CheckFailed, what, why, next),
    })
}
