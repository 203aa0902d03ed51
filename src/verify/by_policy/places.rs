//! Each table's location against the role's policies: the tables as whoever keeps the catalog sees them.

use super::super::climb::Climb;
use super::super::mend;
use super::super::place::Place;
use super::super::rung::Verdict;
use super::super::rungs::Tally;
use super::books::unread;
use super::said::{Said, said};
use super::{judge, rights};
use crate::cloud::iam::Question;
use crate::domain::amount::counted;
use crate::domain::status::Status;
use std::collections::BTreeSet;

/// Places that are asked about at most, so that the answer is one page.
const ASKED: usize = 1_000;
/// Places that are named.
const NAMED: usize = 5;

pub(super) async fn locations(climb: &Climb) -> Verdict {
    const ACTION: &str = "s3:GetObject";
    let (grant, grants) = match rights::grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    let reader = match climb.books.reader(climb).await {
        Ok(reader) => reader,
        Err(problem) => return unread(climb, problem),
    };
    let mut tally = Tally::default();
    let mut verdict = tally.look(climb, &reader.aws.glue(&climb.region)).await;
    let catalog = format!("the Glue catalog in {}", climb.region);
    if verdict.status == Status::Skipped {
        return verdict.of(reader.aws.caller(), "glue:GetTables", catalog);
    }
    let places: Vec<(bool, Place)> = tally
        .below
        .iter()
        .map(|place| (true, place))
        .chain(tally.places.iter().map(|place| (false, place)))
        .filter(|(_, (_, key))| is_plain(key))
        .take(ASKED)
        .map(|(below, (bucket, key))| {
            let key = match key.as_str() {
                "" => grants.name.clone(),
                key => format!("{key}/{}", grants.name),
            };
            (below, Place::Object(bucket.clone(), key))
        })
        .collect();
    if places.is_empty() {
        return verdict.of(reader.aws.caller(), "glue:GetTables", catalog);
    }
    let question = Question {
        actions: vec![ACTION],
        resources: places.iter().flat_map(|(_, place)| place.arns(climb)).collect(),
        context: Vec::new(),
    };
    let answers = match reader.iam.simulate(&climb.role, &question).await {
        Ok(answers) => answers,
        Err(problem) => return unread(climb, &problem),
    };
    let told = |place: &Place| {
        let arns = place.arns(climb);
        let own = said(&answers, ACTION, &arns, &arns);
        grants.bucket.beside(climb, ACTION, place, own)
    };
    let folder = |place: &Place| {
        let text = place.text(climb);
        text.strip_suffix(&grants.name).unwrap_or(&text).to_owned()
    };
    let odd = |places: &BTreeSet<(String, String)>| places.iter().filter(|(_, key)| !is_plain(key)).count();
    let odd = (odd(&tally.below) + odd(&tally.places)) as u64;
    let (mut shut, mut open, mut hang, mut unshown) = (Vec::new(), Vec::new(), 0_u64, 0_u64);
    for (below, place) in &places {
        let (said, is_shown) = match told(place) {
            Said::Unshown { own, .. } => (*own, false),
            said => (said, true),
        };
        match (below, said) {
            (true, Said::Refused { .. }) => shut.push(folder(place)),
            (false, Said::Allowed { .. }) => open.push(folder(place)),
            (_, Said::Open { .. } | Said::Nothing { .. } | Said::Unshown { .. }) => hang += 1,
            (true, Said::Allowed { .. }) | (false, Said::Refused { .. }) => unshown += u64::from(!is_shown),
        }
    }
    if verdict.status == Status::Passed && shut.is_empty() && hang + odd + unshown == 0 {
        verdict.answer.push_str(", where the policies let the role read");
    }
    if !open.is_empty() {
        verdict = Verdict::warning(
            format!(
                "{}; the policies let the role read all the same in {}",
                verdict.answer,
                named(&open)
            ),
            verdict.next.unwrap_or_default(),
        );
    }
    if hang > 0 {
        verdict.answer = format!(
            "{}; not proven for {}: it hangs on what only a request itself has",
            verdict.answer,
            counted(hang, "place", "places")
        );
    }
    if unshown > 0 {
        verdict.answer = format!(
            "{}; not proven for {}: {}",
            verdict.answer,
            counted(unshown, "place", "places"),
            judge::unseen(grant)
        );
    }
    if odd > 0 {
        verdict.answer = format!(
            "{}; not proven for {}: IAM's simulator reads *, ?, $ and letters beyond Latin in a name as something else",
            verdict.answer,
            counted(odd, "place", "places")
        );
    }
    if !shut.is_empty() {
        let words = "The whole policy that it needs:";
        verdict = Verdict::warning(
            format!(
                "{}; though below the prefix, reading would be refused in {}",
                verdict.answer,
                named(&shut)
            ),
            mend::put_grant(climb, grant, words),
        );
    }
    verdict.of(reader.aws.caller(), "glue:GetTables", catalog)
}

/// Whether a key means itself in a question to the simulator.
fn is_plain(key: &str) -> bool {
    let counts = |c: char| matches!(c, ' '..='~' | '\u{A1}'..='\u{FF}');
    key.chars().all(|c| counts(c) && !matches!(c, '*' | '?' | '$'))
}

fn named(places: &[String]) -> String {
    let shown: Vec<&str> = places.iter().take(NAMED).map(String::as_str).collect();
    match places.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
