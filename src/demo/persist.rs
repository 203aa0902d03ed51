//! The state on disk. A change is durable before it is answered, so that a killed demo goes on where it was.

use super::StartError;
use super::world::{State, Tracked};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Version of the files; another one is refused, not guessed at.
const VERSION: u32 = 1;
/// Users, roles, sessions and stacks. They stand in one file because one operation changes several of them.
const ACCOUNT: &str = "account.json";
const GLUE: &str = "glue.json";
/// The folder in which S3 keeps its objects.
pub(super) const OBJECTS: &str = "objects";

/// Creates a folder of the state and its parents. What is new belongs to the user alone, and so does the folder in any
/// case: what an earlier version left in it with wider modes is out of others' reach then.
pub(super) fn own_folder(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)?;
    #[cfg(unix)]
    fs::set_permissions(dir, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// The folder of a demo's state. It is held by one server at a time.
#[derive(Debug)]
pub(super) struct Files {
    dir: PathBuf,
    _lock: File,
}

impl Files {
    /// Opens the folder and takes its lock; with `reset` what is in it is removed first.
    pub(super) fn open(dir: &Path, reset: bool) -> Result<Self, StartError> {
        let broken = |path: &Path, why: io::Error| StartError::Folder {
            path: path.to_owned(),
            why,
        };
        own_folder(dir).map_err(|why| broken(dir, why))?;
        let path = dir.join("lock");
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let lock = options.open(&path).map_err(|why| broken(&path, why))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StartError::InUse { dir: dir.to_owned() }),
            Err(TryLockError::Error(why)) => return Err(broken(&path, why)),
        }
        let files = Self {
            dir: dir.to_owned(),
            _lock: lock,
        };
        if reset {
            files.reset().map_err(|why| broken(dir, why))?;
        }
        Ok(files)
    }

    /// Removes only what a demo writes: a folder given by mistake keeps its own files.
    fn reset(&self) -> io::Result<()> {
        let gone = |result: io::Result<()>| match result {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        };
        gone(fs::remove_file(self.dir.join(ACCOUNT)))?;
        gone(fs::remove_file(self.dir.join(GLUE)))?;
        gone(fs::remove_dir_all(self.dir.join(OBJECTS)))
    }

    /// Reads the state; `None` where there is none yet.
    pub(super) fn load(&self) -> Result<Option<State>, StartError> {
        let Some((iam, sessions, stacks)) = self.read(ACCOUNT)? else {
            return Ok(None);
        };
        let glue = self.read(GLUE)?.unwrap_or_default();
        Ok(Some(State {
            iam: Tracked::new(iam),
            sessions: Tracked::new(sessions),
            stacks: Tracked::new(stacks),
            glue: Tracked::new(glue),
        }))
    }

    /// Writes the parts that were touched. When writing fails they stay marked, so that the next change tries again.
    pub(super) fn save(&self, state: &mut State) -> io::Result<()> {
        let account = [
            state.iam.take_dirty(),
            state.sessions.take_dirty(),
            state.stacks.take_dirty(),
        ]
        .contains(&true);
        let glue = state.glue.take_dirty();
        let mut result = Ok(());
        if account {
            result = self.write(ACCOUNT, &(&*state.iam, &*state.sessions, &*state.stacks));
            if result.is_err() {
                state.iam.set_dirty();
            }
        }
        if glue {
            let written = self.write(GLUE, &*state.glue);
            if written.is_err() {
                state.glue.set_dirty();
            }
            result = result.and(written);
        }
        result
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StartError> {
        let path = self.dir.join(name);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(StartError::Folder { path, why }),
        };
        match serde_json::from_slice::<(u32, T)>(&text) {
            Ok((VERSION, value)) => Ok(Some(value)),
            Ok((other, _)) => Err(StartError::Broken {
                path,
                why: format!("it has version {other}, not {VERSION}"),
            }),
            Err(why) => Err(StartError::Broken {
                path,
                why: why.to_string(),
            }),
        }
    }

    /// Temporary file, fsync, rename, fsync of the folder: after a crash the file is the old one or the new one.
    fn write<T: Serialize + ?Sized>(&self, name: &str, value: &T) -> io::Result<()> {
        let text = serde_json::to_vec(&(VERSION, value))?;
        let mut file = tempfile::Builder::new()
            .prefix(".state-")
            .tempfile_in(&self.dir)?;
        file.write_all(&text)?;
        file.as_file().sync_all()?;
        file.persist(self.dir.join(name)).map_err(|failed| failed.error)?;
        File::open(&self.dir)?.sync_all()
    }
}
