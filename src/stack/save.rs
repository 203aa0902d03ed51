//! Saving a template to a file, with a note of the parameters beside it, for whoever reviews or deploys it by hand.

use crate::domain::problem::{Kind, Problem};
use crate::stack::site::Site;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Free names that are tried before giving up.
const TRIES: u32 = 100;

/// Writes `NAME.yaml` and `NAME.parameters.json`.
///
/// A file of another content is never overwritten: without a path a free name beside it is taken, with one it is said.
///
/// # Errors
/// When a file is in the way of a given path, or cannot be written.
pub fn run(site: &Site, path: Option<&Path>) -> Result<PathBuf, Problem> {
    let parameters = parameters_json(site)?;
    let texts = [site.kind.text(), parameters.as_str()];
    if let Some(path) = path {
        let path = if path.is_dir() {
            path.join(format!("{}.yaml", site.stack))
        } else {
            path.to_owned()
        };
        if !fits(&path, texts) {
            return Err(in_the_way(&path));
        }
        return write_both(&path, texts);
    }
    for number in 1..=TRIES {
        let stem = if number == 1 {
            site.stack.to_string()
        } else {
            format!("{}-{number}", site.stack)
        };
        let path = PathBuf::from(format!("{stem}.yaml"));
        if fits(&path, texts) {
            return write_both(&path, texts);
        }
    }
    Err(in_the_way(&PathBuf::from(format!("{}.yaml", site.stack))))
}

/// The parameters as `aws cloudformation create-stack --parameters file://…` reads them.
fn parameters_json(site: &Site) -> Result<String, Problem> {
    let list: Vec<serde_json::Value> = site
        .marks
        .parameters
        .iter()
        .map(|(name, value)| serde_json::json!({"ParameterKey": name, "ParameterValue": value}))
        .collect();
    serde_json::to_string_pretty(&list)
        .map(|text| text + "\n")
        .map_err(|error| {
            Problem::new(
                Kind::Internal,
                "the parameters cannot be written as JSON",
                error.to_string(),
                "report this",
            )
        })
}

/// Writes one file, unless another one of that name is there.
///
/// # Errors
/// When a file of another content is in the way, or it cannot be written.
pub fn file(path: &Path, text: &str) -> Result<(), Problem> {
    if same(path, text) {
        write(path, text)
    } else {
        Err(in_the_way(path))
    }
}

/// The note beside a template: `x.yaml` → `x.parameters.json`.
fn beside(path: &Path) -> PathBuf {
    path.with_extension("parameters.json")
}

/// True when both files are absent or hold exactly what would be written.
fn fits(path: &Path, [body, parameters]: [&str; 2]) -> bool {
    same(path, body) && same(&beside(path), parameters)
}

/// True when the file is absent, or holds exactly this text.
fn same(path: &Path, text: &str) -> bool {
    // A device or a pipe may be read without end, and is no place for a file that is kept.
    match std::fs::metadata(path) {
        Ok(found) => {
            found.is_file()
                && found.len() == text.len() as u64
                && std::fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
        }
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

fn write_both(path: &Path, [body, parameters]: [&str; 2]) -> Result<PathBuf, Problem> {
    write(path, body)?;
    write(&beside(path), parameters)?;
    Ok(path.to_owned())
}

/// Writes a new file that others may read: it is made to be handed on, and holds no secret.
fn write(path: &Path, text: &str) -> Result<(), Problem> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o644);
    }
    let result = match options.open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).and_then(|()| file.sync_all()),
        // The same content is there already.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return if std::fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes()) {
                Ok(())
            } else {
                Err(in_the_way(path))
            };
        }
        Err(error) => Err(error),
    };
    result.map_err(|error| {
        Problem::new(
            Kind::CheckFailed,
            format!("{} cannot be written", path.display()),
            error.to_string(),
            "name another place",
        )
    })
}

fn in_the_way(path: &Path) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!("{} is not overwritten", path.display()),
        "there is another file of that name",
        "name another file, or move that one away",
    )
}
