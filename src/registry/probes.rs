//! The probes: calls that Verify makes to learn, in forms that change nothing.
//!
//! They are no part of the ledger, which tells what was changed. They are kept all the same: each one that is refused,
//! as it should be, shows in CloudTrail as a denial, and whoever finds it there can look here.

use std::path::PathBuf;

use super::{
    home::Home,
    jsonl,
    ledger::{Entry, Intent, Noted},
    write,
};
use crate::domain::{moment::Moment, problem::Problem};

/// So many are kept, the latest.
pub const MOST: usize = 10_000;
/// So many more may gather before the file is written anew without the oldest.
const SLACK: usize = 2_000;

/// A probe and what AWS answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// When it was answered, by this machine's clock.
    pub at: Moment,
    /// The call.
    pub intent: Intent,
    /// `allowed`, or AWS's code: `AccessDenied`.
    pub outcome: String,
    /// AWS's request id.
    pub request_id: Option<String>,
}

impl Home {
    /// Notes the probes of one Verify, in one write. Without any nothing is written.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note_probes(&self, probes: &[Probe]) -> Result<(), Problem> {
        self.note_at_most(probes, MOST, SLACK)
    }

    /// The probes that are kept, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read; a line that cannot be is no error.
    pub fn probes(&self) -> Result<Noted, Problem> {
        let mut noted = Noted::default();
        for (number, entry) in jsonl::lines::<Entry>(&jsonl::bytes(&self.probes_file())?) {
            match entry {
                Some(entry) => noted.entries.push(entry.clean()),
                None => noted.broken.push(number),
            }
        }
        let oldest = noted.entries.len().saturating_sub(MOST);
        noted.entries.drain(..oldest);
        Ok(noted)
    }

    fn probes_file(&self) -> PathBuf {
        self.path("probes.jsonl")
    }

    fn note_at_most(&self, probes: &[Probe], most: usize, slack: usize) -> Result<(), Problem> {
        if probes.is_empty() {
            return Ok(());
        }
        let path = self.probes_file();
        let fail = |error: &std::io::Error| write::failed("write", &path, error);
        let mut added = String::new();
        for probe in probes {
            let entry = Entry {
                at: probe.at,
                intent: probe.intent.clone(),
                outcome: Some(probe.outcome.clone()),
                request_id: probe.request_id.clone(),
            };
            added += &serde_json::to_string(&entry.clean()).map_err(|error| fail(&error.into()))?;
            added.push('\n');
        }
        let lock = write::lock(self)?;
        let kept = jsonl::bytes(&path)?;
        let lines = |bytes: &[u8]| {
            bytes
                .split(|byte| *byte == b'\n')
                .filter(|l| !l.is_empty())
                .count()
        };
        if lines(&kept) + probes.len() <= most + slack {
            return jsonl::append(&path, &added).map_err(|error| fail(&error));
        }
        // Bytes that are no text have been passed over until now, and are not worth more.
        let all = String::from_utf8_lossy(&kept).into_owned() + "\n" + &added;
        let all: Vec<&str> = all.lines().filter(|line| !line.is_empty()).collect();
        let latest = all.get(all.len().saturating_sub(most)..).unwrap_or_default();
        lock.replace(&path, &(latest.join("\n") + "\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(resource: &str) -> Probe {
        Probe {
            at: "2026-11-30T14:00:00Z".parse().unwrap(),
            intent: Intent {
                service: "s3".into(),
                action: "UploadPart".into(),
                resource: resource.into(),
            },
            outcome: "AccessDenied".into(),
            request_id: Some("r\u{1b}1".into()),
        }
    }

    fn resources(home: &Home) -> Vec<String> {
        let entries = home.probes().unwrap().entries;
        entries.into_iter().map(|entry| entry.intent.resource).collect()
    }

    #[test]
    fn probes_are_kept_apart_from_the_ledger_and_the_oldest_go() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("home"));
        home.note_probes(&[]).unwrap();
        assert!(!home.root().exists(), "a Verify without probes leaves no file");
        home.note_at_most(&[probe("a"), probe("b")], 3, 2).unwrap();
        home.note_at_most(&[probe("c"), probe("d"), probe("e")], 3, 2)
            .unwrap();
        assert_eq!(resources(&home), ["a", "b", "c", "d", "e"]);
        home.note_at_most(&[probe("f")], 3, 2).unwrap();
        assert_eq!(resources(&home), ["d", "e", "f"]);
        let noted = home.probes().unwrap();
        assert_eq!(noted.entries[0].request_id.as_deref(), Some("r␛1"));
        assert_eq!(noted.entries[0].outcome.as_deref(), Some("AccessDenied"));
        assert!(home.ledger().entries().unwrap().is_empty());
        assert!(!home.root().join("ledger.jsonl").exists());
    }

    #[test]
    fn a_broken_line_hides_no_probe_and_goes_with_the_oldest() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("home"));
        home.note_at_most(&[probe("a")], 3, 2).unwrap();
        std::fs::OpenOptions::new()
            .append(true)
            .open(home.probes_file())
            .and_then(|mut file| std::io::Write::write_all(&mut file, b"{\"at\":\"2026\xff"))
            .unwrap();
        home.note_at_most(&[probe("b")], 3, 2).unwrap();
        assert_eq!(resources(&home), ["a", "b"]);
        assert_eq!(home.probes().unwrap().broken, [2]);
        home.note_at_most(&[probe("c"), probe("d"), probe("e")], 3, 2)
            .unwrap();
        assert_eq!(resources(&home), ["c", "d", "e"]);
        assert!(home.probes().unwrap().broken.is_empty());
    }
}
