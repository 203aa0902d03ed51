//! The directory that everything is in.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::write::Step;
use crate::domain::problem::{Kind, Problem};

/// A glueup home. Nothing is created before the first write, so a home that does not exist is an empty one.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
    steps: fn(Step),
}

/// Where a home may be, as main reads it from the command line and the environment.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// `--home`.
    pub flag: Option<PathBuf>,
    /// `GLUEUP_HOME`.
    pub glueup_home: Option<OsString>,
    /// `XDG_DATA_HOME`.
    pub xdg_data_home: Option<OsString>,
    /// `HOME`.
    pub home: Option<OsString>,
    /// `APPDATA`, on Windows.
    pub app_data: Option<OsString>,
}

impl Home {
    /// The home in this directory.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            steps: |_| {},
        }
    }

    /// The home that was asked for, else the platform's data directory: `$XDG_DATA_HOME/glueup` or
    /// `~/.local/share/glueup`, `~/Library/Application Support/glueup`, `%APPDATA%\glueup`.
    ///
    /// # Errors
    /// When none of the places is known.
    pub fn locate(places: &Places) -> Result<Self, Problem> {
        let set = |value: &Option<OsString>| value.clone().filter(|v| !v.is_empty()).map(PathBuf::from);
        // XDG: a relative path is to be ignored.
        let absolute = |value: &Option<OsString>| set(value).filter(|path| path.is_absolute());
        let data = || {
            if cfg!(windows) {
                absolute(&places.app_data)
            } else if cfg!(target_os = "macos") {
                set(&places.home).map(|home| home.join("Library/Application Support"))
            } else {
                absolute(&places.xdg_data_home)
                    .or_else(|| set(&places.home).map(|home| home.join(".local/share")))
            }
        };
        let root = places
            .flag
            .clone()
            .or_else(|| set(&places.glueup_home))
            .or_else(|| data().map(|data| data.join("glueup")));
        root.map(Self::at).ok_or_else(|| {
            Problem::new(
                Kind::Usage,
                "No place for glueup's records",
                "neither --home, GLUEUP_HOME nor HOME is set",
                "Give --home DIR",
            )
        })
    }

    /// The same home, telling of each step of a write as it is reached: tests end the process there.
    #[must_use]
    pub fn observed(mut self, steps: fn(Step)) -> Self {
        self.steps = steps;
        self
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The home of the embedded AWS, inside this one: the demo opens no other records.
    #[must_use]
    pub fn demo(&self) -> Self {
        Self {
            root: self.root.join("demo"),
            steps: self.steps,
        }
    }

    /// The directory of the embedded AWS's own state, beside its records; meant for [`Home::demo`].
    pub fn aws_state(&self) -> PathBuf {
        self.root.join("aws")
    }

    pub(super) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    pub(super) fn steps(&self) -> fn(Step) {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flag_beats_environment_beats_data_directory() {
        let all = Places {
            flag: Some("/flag".into()),
            glueup_home: Some("/env".into()),
            xdg_data_home: Some("/xdg".into()),
            home: Some("/home/ana".into()),
            app_data: Some(r"C:\data".into()),
        };
        let root = |places: &Places| Home::locate(places).unwrap().root().to_owned();
        assert_eq!(root(&all), Path::new("/flag"));
        let all = Places { flag: None, ..all };
        assert_eq!(root(&all), Path::new("/env"));
        let all = Places {
            glueup_home: Some("".into()),
            ..all
        };
        if cfg!(target_os = "linux") {
            assert_eq!(root(&all), Path::new("/xdg/glueup"));
            let all = Places {
                xdg_data_home: Some("relative".into()),
                ..all
            };
            assert_eq!(root(&all), Path::new("/home/ana/.local/share/glueup"));
        }
        assert_eq!(Home::locate(&Places::default()).unwrap_err().kind, Kind::Usage);
    }
}
