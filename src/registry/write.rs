//! Writing a file whole or not at all, by one writer at a time.
//!
//! A side lock file serialises the writers of a home; its lock ends with the process, however that ends. The new text
//! goes to a file of a unique name in the same directory, reaches the disk, and is renamed over the old one.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::home::Home;
use crate::domain::problem::{Kind, Problem};

/// How long a writer waits for another one. A write takes milliseconds; a stopped process can hold a lock for ever.
const PATIENCE: Duration = Duration::from_secs(30);
/// How unfinished files are called; what a killed writer left is removed by the next one.
pub(super) const UNFINISHED: &str = ".glueup-unfinished-";

/// The steps of a write, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// This writer holds the home's lock.
    Locked,
    /// The unfinished file exists and is empty.
    Created,
    /// The first half of the text is in it.
    HalfWritten,
    /// The whole text is in it.
    Written,
    /// The text has reached the disk.
    Synced,
    /// The file has its true name.
    Renamed,
    /// The directory has reached the disk.
    Settled,
}

impl Step {
    /// All steps.
    pub const ALL: [Self; 7] = [
        Self::Locked,
        Self::Created,
        Self::HalfWritten,
        Self::Written,
        Self::Synced,
        Self::Renamed,
        Self::Settled,
    ];
}

/// The lock of a home; dropped, it is free for the next writer.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
    steps: fn(Step),
}

/// Waits for the lock of a home, creating the home if need be.
pub(super) fn lock(home: &Home) -> Result<Lock, Problem> {
    let path = home.path(".lock");
    create_dirs(home.root()).map_err(|error| failed("create", home.root(), &error))?;
    let file = private(OpenOptions::new().create(true).truncate(false).write(true))
        .open(&path)
        .map_err(|error| failed("open", &path, &error))?;
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(5))
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Problem::new(
                    Kind::CheckFailed,
                    "The records could not be written",
                    format!(
                        "another glueup has held {} for {} seconds",
                        path.display(),
                        PATIENCE.as_secs()
                    ),
                    "End the other glueup (it may be stopped in the background), then try again",
                ));
            }
            Err(TryLockError::Error(error)) => return Err(failed("lock", &path, &error)),
        }
    }
    (home.steps())(Step::Locked);
    Ok(Lock {
        _file: file,
        steps: home.steps(),
    })
}

impl Lock {
    /// Replaces a file with a new text, or leaves it as it is.
    pub(super) fn replace(&self, path: &Path, text: &str) -> Result<(), Problem> {
        self.try_replace(path, text)
            .map_err(|error| failed("write", path, &error))
    }

    fn try_replace(&self, path: &Path, text: &str) -> io::Result<()> {
        // A record that is a link (into a git checkout, say) stays one.
        let path = if path.is_symlink() {
            fs::canonicalize(path)?
        } else {
            path.to_owned()
        };
        let dir = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        create_dirs(dir)?;
        sweep(dir);
        let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(dir)?;
        (self.steps)(Step::Created);
        let (first, second) = text.as_bytes().split_at(text.len() / 2);
        file.write_all(first)?;
        (self.steps)(Step::HalfWritten);
        file.write_all(second)?;
        (self.steps)(Step::Written);
        file.as_file().sync_all()?;
        (self.steps)(Step::Synced);
        file.persist(&path).map_err(|error| error.error)?;
        (self.steps)(Step::Renamed);
        sync_dir(dir)?;
        (self.steps)(Step::Settled);
        Ok(())
    }

    /// Removes a file; one that is not there is removed already.
    pub(super) fn remove(&self, path: &Path) -> Result<(), Problem> {
        match fs::remove_file(path) {
            Ok(()) => path
                .parent()
                .map_or(Ok(()), sync_dir)
                .map_err(|error| failed("delete", path, &error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(failed("delete", path, &error)),
        }
    }
}

/// Removes what killed writers left. The lock is held, so no unfinished file is in use.
fn sweep(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            // It is in nobody's way: the next writer tries again.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates a directory and its parents; those that are new belong to the user alone.
pub(super) fn create_dirs(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Files are created for the user alone.
pub(super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

#[cfg(unix)]
fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Elsewhere a directory cannot be opened; the rename is durable as far as the system makes it.
#[cfg(not(unix))]
fn sync_dir(_dir: &Path) -> io::Result<()> {
    Ok(())
}

/// A problem with a file of the home.
pub(super) fn failed(verb: &str, path: &Path, error: &io::Error) -> Problem {
    let next = match error.kind() {
        io::ErrorKind::PermissionDenied => "Make the directory yours, or give another one with --home",
        io::ErrorKind::StorageFull => "Free some space, then try again",
        _ => "Look at the file, or give another home with --home",
    };
    Problem::new(
        Kind::Internal,
        format!("Could not {verb} {}", path.display()),
        error.to_string(),
        next,
    )
}

/// The text of a file, or `None` if there is none.
pub(super) fn read_if_there(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8(bytes).map_err(io::Error::other)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The files of a directory with an extension, sorted by name; none if there is no such directory.
pub(super) fn files_in(dir: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let hidden = path
            .file_name()
            .is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if !hidden && path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
