//! Whether the home can be written, and by its owner alone.

use std::{fs, io, path::Path};

use super::{home::Home, write};
use crate::domain::{finding::Finding, quote::shell};

impl Home {
    /// Whether the home can be written, is its owner's alone, and is ours. One that does not exist is not made by looking.
    pub fn rights(&self) -> Finding {
        let root = self.root();
        let shown = root.display();
        match fs::metadata(root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return to_be_made(root),
            Err(error) => {
                return Finding::failed(format!("{shown} cannot be looked at: {error}"), elsewhere());
            }
            Ok(found) if !found.is_dir() => {
                return Finding::failed(format!("{shown} is no directory"), elsewhere());
            }
            Ok(found) => {
                if let Some(finding) = owner(root, &found) {
                    return finding;
                }
            }
        }
        match try_writing(root) {
            Err(error) => Finding::failed(
                format!("{shown} cannot be written: {error}"),
                format!("chmod u+rwx {}\nor {}", shell(&shown.to_string()), elsewhere()),
            ),
            Ok(()) => {
                mode(root).unwrap_or_else(|| Finding::passed(format!("{shown} can be written, by you alone")))
            }
        }
    }
}

/// The way out that works for every home.
fn elsewhere() -> String {
    "export GLUEUP_HOME=\"$HOME/glueup\"".to_owned()
}

/// The first record makes the home: whether it could is seen on the nearest directory that is there.
fn to_be_made(root: &Path) -> Finding {
    let shown = root.display();
    let nearest = root.ancestors().skip(1).find(|above| above.is_dir());
    // A relative path of one part has the present directory above it.
    let nearest = nearest
        .filter(|above| !above.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    match try_writing(nearest) {
        Ok(()) => Finding::passed(format!("{shown} is not there yet; the first record makes it")),
        Err(error) => Finding::failed(
            format!(
                "{shown} is not there, and {} cannot be written: {error}",
                nearest.display()
            ),
            elsewhere(),
        ),
    }
}

/// What a file system allows is known for certain only by trying: it may be full, or mounted read-only.
fn try_writing(dir: &Path) -> io::Result<()> {
    tempfile::Builder::new()
        .prefix(write::UNFINISHED)
        .tempfile_in(dir)?
        .close()
}

#[cfg(unix)]
fn owner(root: &Path, found: &fs::Metadata) -> Option<Finding> {
    let (owner, us) = (
        std::os::unix::fs::MetadataExt::uid(found),
        rustix::process::geteuid().as_raw(),
    );
    (owner != us).then(|| {
        let shown = root.display().to_string();
        Finding::warning(
            format!("{shown} belongs to the user of number {owner}, and you are {us}"),
            format!("sudo chown -R {us} {}", shell(&shown)),
        )
    })
}

#[cfg(not(unix))]
fn owner(_root: &Path, _found: &fs::Metadata) -> Option<Finding> {
    None
}

#[cfg(unix)]
fn mode(root: &Path) -> Option<Finding> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(root).ok()?.permissions()) & 0o777;
    let shown = root.display().to_string();
    (mode & 0o077 != 0).then(|| {
        Finding::warning(
            format!(
                "{shown} can be written; its mode is {mode:04o}: others on this machine may look into it"
            ),
            format!("chmod 700 {}", shell(&shown)),
        )
    })
}

#[cfg(not(unix))]
fn mode(_root: &Path) -> Option<Finding> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::domain::status::Status;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_home_is_written_by_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("my home");
        let home = Home::at(&root);
        let found = home.rights();
        assert_eq!(found.status, Status::Passed, "{found:?}");
        assert!(!root.exists(), "looking makes no home");
        fs::create_dir(&root).unwrap();
        fs::set_permissions(&root, fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(home.rights().status, Status::Passed);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "looking leaves nothing");
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
        let found = home.rights();
        assert_eq!(found.status, Status::Warning);
        assert_eq!(found.next, Some(format!("chmod 700 '{}'", root.display())));
    }

    #[test]
    fn a_home_that_is_a_file_or_below_one_fails() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "x").unwrap();
        for root in [file.clone(), file.join("home")] {
            let found = Home::at(&root).rights();
            assert_eq!(found.status, Status::Failed, "{found:?}");
            assert!(found.next.is_some());
        }
    }
}
