//! Files that grow line by line, a JSON object each.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

use serde::de::DeserializeOwned;

use super::write;
use crate::domain::problem::Problem;

/// Adds whole lines, each with its end, in one write that has reached the disk when this returns.
///
/// A line that a killed process left without its end gets one first, so that nothing is glued to it.
pub(super) fn append(path: &Path, lines: &str) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        write::create_dirs(dir)?;
    }
    let mut file = write::private(OpenOptions::new().create(true).read(true).append(true)).open(path)?;
    let mut text = String::with_capacity(lines.len() + 1);
    if torn(&mut file)? {
        text.push('\n');
    }
    text.push_str(lines);
    // One write of an appending file: lines of two processes do not mix.
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Whether the last line has no end, so that another would be glued to it.
fn torn(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// What is in the file; nothing when there is none.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(write::failed("read", path, &error)),
    }
}

/// The lines with their numbers, counted from 1; a line that cannot be read, whatever bytes it holds, is `None`.
pub(super) fn lines<T: DeserializeOwned>(bytes: &[u8]) -> impl Iterator<Item = (u64, Option<T>)> + '_ {
    bytes
        .split(|byte| *byte == b'\n')
        .zip(1..)
        .filter(|(line, _)| !line.is_empty())
        .map(|(line, number)| (number, serde_json::from_slice(line).ok()))
}
