//! `glueup ledger`: what has been changed in AWS from here, or what Verify tried in order to learn.

use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::registry::Home;
use crate::registry::ledger::{Entry, Noted};
use clap::Args;

/// What `ledger` takes.
#[derive(Debug, Clone, Args)]
pub struct LedgerArgs {
    /// The probes instead: what Verify tried in order to learn, in forms that change nothing
    ///
    /// Those that are refused, as they should be, show in CloudTrail as denials under the session name glueup-verify.
    #[arg(long)]
    pub probes: bool,
}

/// Writes the entries, oldest first. Lines that cannot be read are told on stderr and hide none of the others.
///
/// # Errors
/// When the file cannot be read.
pub fn run(front: &mut Front, home: &Home, args: &LedgerArgs) -> Result<u8, Stop> {
    let (noted, file) = if args.probes {
        (home.probes()?, "probes.jsonl")
    } else {
        (home.ledger().read()?, "ledger.jsonl")
    };
    if front.is_json() {
        for entry in &noted.entries {
            front.json(entry)?;
        }
    } else {
        let rows: Vec<Vec<String>> = noted.entries.iter().map(row).collect();
        front.rows(&rows)?;
    }
    front.flush()?;
    tell(front, &noted, file, args.probes);
    Ok(0)
}

/// `2026-11-30T14:02:11Z  cloudformation:CreateStack  RESOURCE  done  REQUEST`; `-` for what is not known.
fn row(entry: &Entry) -> Vec<String> {
    let intent = &entry.intent;
    let or_none = |text: Option<&str>| match text {
        None | Some("") => "-".to_owned(),
        Some(text) => text.to_owned(),
    };
    vec![
        entry.at.to_string(),
        format!("{}:{}", intent.service, intent.action),
        or_none(Some(&intent.resource)),
        or_none(entry.request_id.as_deref()),
        entry.outcome.clone().unwrap_or_else(|| "not known".to_owned()),
    ]
}

/// What is no entry, on stderr: it is no part of the answer.
fn tell(front: &Front, noted: &Noted, file: &str, probes: bool) {
    if !noted.broken.is_empty() {
        let first: Vec<String> = noted.broken.iter().take(5).map(ToString::to_string).collect();
        let more = if noted.broken.len() > first.len() {
            " …"
        } else {
            ""
        };
        front.note(&format!(
            "{file}: {} {} not be read and {} passed over (line {}{more}): what a killed process left half-written",
            noted.broken.len(),
            if noted.broken.len() == 1 { "line could" } else { "lines could" },
            if noted.broken.len() == 1 { "was" } else { "were" },
            first.join(", "),
        ));
    }
    if noted.entries.is_empty() {
        front.progress(if probes {
            "no probe has been made from here"
        } else {
            "nothing has been changed in AWS from here"
        });
    }
}
