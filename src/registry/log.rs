//! The log file: what glueup did, for those who look into it later; it never grows without end.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{home::Home, write};

/// The size at which the log is set aside as `glueup.log.1`, and a new one begun: so at most twice this is kept.
pub const MOST_BYTES: u64 = 2 * 1024 * 1024;

/// The log file, a `Write` that keeps its size. Put it behind a mutex for a tracing subscriber.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    file: File,
    size: u64,
    most: u64,
}

impl Home {
    /// Where the log is.
    pub fn log_path(&self) -> PathBuf {
        self.path("log/glueup.log")
    }

    /// Opens the log to append to it.
    ///
    /// # Errors
    /// When it cannot be created; glueup works without one.
    pub fn open_log(&self) -> io::Result<LogFile> {
        LogFile::open(self.log_path(), MOST_BYTES)
    }
}

impl LogFile {
    fn open(path: PathBuf, most: u64) -> io::Result<Self> {
        if let Some(dir) = path.parent() {
            write::create_dirs(dir)?;
        }
        let file = append(&path)?;
        let size = file.metadata()?.len();
        Ok(Self {
            path,
            file,
            size,
            most,
        })
    }

    fn set_aside(&mut self) -> io::Result<()> {
        fs::rename(&self.path, self.path.with_extension("log.1"))?;
        self.file = append(&self.path)?;
        self.size = 0;
        Ok(())
    }
}

fn append(path: &Path) -> io::Result<File> {
    write::private(OpenOptions::new().create(true).append(true)).open(path)
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.size > 0 && self.size + bytes.len() as u64 > self.most {
            self.set_aside()?;
        }
        let written = self.file.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_keeps_its_size_and_its_last_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log/glueup.log");
        let mut log = LogFile::open(path.clone(), 100).unwrap();
        for n in 0..100 {
            writeln!(log, "line {n:03}").unwrap();
        }
        drop(log);
        let mut log = LogFile::open(path.clone(), 100).unwrap();
        writeln!(log, "after").unwrap();
        let now = fs::read_to_string(&path).unwrap();
        let before = fs::read_to_string(path.with_extension("log.1")).unwrap();
        assert!(now.len() <= 100 && before.len() <= 100);
        assert!(format!("{before}{now}").ends_with("line 099\nafter\n"));
    }
}
