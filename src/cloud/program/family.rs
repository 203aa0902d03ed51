//! A program and whatever it has started: a shell that is killed leaves its children behind.

use std::io;
use std::process::ExitStatus;
use tokio::process::Child;

/// Killed when it is dropped before it has ended.
pub(super) struct Family {
    head: Child,
    ended: bool,
}

impl Family {
    pub(super) fn of(head: Child) -> Self {
        Self { head, ended: false }
    }

    /// Waits until the first of it has ended.
    pub(super) async fn ended(&mut self) -> io::Result<ExitStatus> {
        let status = self.head.wait().await?;
        self.ended = true;
        Ok(status)
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let heirs = self.head.id().filter(|_| !self.ended).map(heirs);
        // Nothing is left to be done where the system refuses.
        let _ = self.head.start_kill();
        #[cfg(unix)]
        for heir in heirs.into_iter().flatten() {
            if let Some(heir) = rustix::process::Pid::from_raw(heir) {
                let _ = rustix::process::kill_process(heir, rustix::process::Signal::KILL);
            }
        }
    }
}

/// Whom this process has started, and whom those have, as far as the system tells.
#[cfg(unix)]
fn heirs(head: u32) -> Vec<i32> {
    let kin = kin();
    let mut found: Vec<i32> = i32::try_from(head).into_iter().collect();
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        next += 1;
        let children = kin.iter().filter(|(_, of)| *of == parent);
        let children: Vec<i32> = children.map(|(child, _)| *child).collect();
        found.extend(children.into_iter().filter(|child| *child > 1));
    }
    found.split_off(1.min(found.len()))
}

/// On Windows whoever was started lives on: the head alone is ended.
#[cfg(not(unix))]
fn heirs(_: u32) -> Vec<i32> {
    Vec::new()
}

/// Every process and its parent.
#[cfg(target_os = "linux")]
fn kin() -> Vec<(i32, i32)> {
    let Ok(all) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pair = |entry: std::fs::DirEntry| {
        let child = entry.file_name().to_str()?.parse().ok()?;
        // `pid (name) state parent …`, and the name may hold anything (proc(5)).
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        Some((child, rest.split_whitespace().nth(1)?.parse().ok()?))
    };
    all.flatten().filter_map(pair).collect()
}

/// Every process and its parent.
#[cfg(all(unix, not(target_os = "linux")))]
fn kin() -> Vec<(i32, i32)> {
    let all = std::process::Command::new("ps")
        .args(["-A", "-o", "pid=,ppid="])
        .output();
    let all = all.map(|all| all.stdout).unwrap_or_default();
    let pair = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    };
    String::from_utf8_lossy(&all).lines().filter_map(pair).collect()
}
