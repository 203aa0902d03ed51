//! The place of the records: its rights, its broken files, and what the demo has left there.

use crate::domain::amount::counted;
use crate::domain::finding::Finding;
use crate::domain::problem::Problem;
use crate::domain::quote::shell;
use crate::registry::{Broken, Home};
use std::fs::{self, File, TryLockError};
use std::path::Path;

pub(super) fn home(home: &Home) -> Finding {
    home.rights()
}

/// Every record is read; those that cannot be are named.
pub(super) fn records(home: &Home) -> Finding {
    let mut broken: Vec<Problem> = Vec::new();
    let mut read = 0_u64;
    match home.organization() {
        Ok(organization) => read += u64::from(organization.is_some()),
        Err(problem) => broken.push(problem),
    }
    let mut take = |listing: Result<(usize, Vec<Broken>), Problem>| match listing {
        Ok((records, not)) => {
            read += u64::try_from(records).unwrap_or(u64::MAX);
            broken.extend(not.into_iter().map(|broken| broken.problem));
        }
        Err(problem) => broken.push(problem),
    };
    take(home.connections().map(|all| (all.records.len(), all.broken)));
    take(home.catalogs().map(|all| (all.records.len(), all.broken)));
    take(home.storages().map(|all| (all.records.len(), all.broken)));
    let Some(first) = broken.first() else {
        return match read {
            0 => Finding::passed("there are none yet"),
            some => Finding::passed(format!("{}, all readable", counted(some, "record", "records"))),
        };
    };
    let lines: Vec<String> = broken.iter().map(ToString::to_string).collect();
    Finding::failed(lines.join("\n"), &first.next)
}

/// What the demo has kept. `inside`: the home is the demo's own.
pub(super) fn demo(home: &Home, inside: bool) -> Finding {
    let dir = if inside {
        home.aws_state()
    } else {
        home.demo().aws_state()
    };
    let shown = dir.display();
    if !dir.exists() {
        return Finding::passed("it has not been used here: glueup demo");
    }
    let reset = if inside {
        "glueup demo --reset".to_owned()
    } else {
        format!(
            "glueup --home {} demo --reset",
            shell(&home.root().display().to_string())
        )
    };
    match broken_state(&dir) {
        Err(why) => Finding::failed(format!("its state in {shown} cannot be used: {why}"), reset),
        Ok(()) if is_held(&dir.join("lock")) => Finding::passed(format!("a demo is running on {shown}")),
        Ok(()) => Finding::passed(format!(
            "its state is in {shown}; the next one goes on from there"
        )),
    }
}

/// The state's files are JSON, each written whole or not at all.
fn broken_state(dir: &Path) -> Result<(), String> {
    let entries = fs::read_dir(dir).map_err(|why| why.to_string())?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let bytes = fs::read(&path).map_err(|why| format!("{name}: {why}"))?;
        serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}

/// Whether a running demo holds its lock. It is tried in a way that lets others try too.
fn is_held(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
