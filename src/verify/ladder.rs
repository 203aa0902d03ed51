//! The ladder: which rungs there are, in which order, and how they are climbed.
//!
//! A rung begins as soon as what it needs has ended, so independent rungs run side by side; verdicts are told in the
//! ladder's order all the same. To add a rung, write it in a file of its own and name it in [`LADDER`].

use super::climb::Climb;
use super::report::{Rung, RungId};
use super::rung::{Probe, Verdict};
use super::rungs;
use super::{Update, by_policy};
use super::{culprit, gone, key, mend, outdated};
use crate::domain::status::Status;
use crate::report::Reporter;
use futures_util::future::join_all;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The rungs, in the order in which their verdicts are given.
pub(super) static LADDER: &[&dyn Probe] = &[
    &rungs::Reach,
    &rungs::Identity,
    &rungs::Broker,
    &rungs::Role,
    &rungs::ExternalId,
    &rungs::Databases,
    &rungs::Tables,
    &rungs::Rest,
    &rungs::List,
    &rungs::Read,
    &rungs::Write,
    &rungs::Neighbour,
    &rungs::Locations,
];

/// How patiently a denial is tried again while IAM spreads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Between two tries.
    pub retry: Duration,
    /// Before the second pass of a rung that had failed.
    pub confirm: Duration,
}

impl Pace {
    pub(super) const USUAL: Self = Self {
        retry: Duration::from_secs(4),
        confirm: Duration::from_secs(1),
    };
}

/// How a rung ended, as those that wait for it see it.
#[derive(Debug, Clone)]
struct Ended {
    rung: Rung,
    /// The failed rung because of which this one does not hold.
    broken: Option<RungId>,
}

type Ends = [watch::Receiver<Option<Ended>>];

/// Climbs the given rungs; answers all verdicts in order.
pub(super) async fn climb(
    climb: &Climb,
    ladder: &[&dyn Probe],
    pace: Pace,
    reporter: &Reporter<Update>,
) -> Vec<Rung> {
    reporter
        .tell(Update::Planned(ladder.iter().map(|probe| probe.id()).collect()))
        .await;
    let (senders, ends): (Vec<_>, Vec<_>) = ladder.iter().map(|_| watch::channel(None::<Ended>)).unzip();
    let ids: Vec<RungId> = ladder.iter().map(|probe| probe.id()).collect();
    let (ids, ends) = (&ids, &ends);
    let work = ladder.iter().zip(senders).map(|(probe, sender)| async move {
        let ended = one(climb, *probe, ids, ends, pace, reporter).await;
        sender.send_replace(Some(ended));
    });
    let tell = async {
        let mut rungs = Vec::new();
        for end in ends {
            if let Some(ended) = wait(end.clone()).await {
                reporter.tell(Update::Finished(ended.rung.clone())).await;
                rungs.push(ended.rung);
            }
        }
        rungs
    };
    tokio::join!(join_all(work), tell).1
}

async fn wait(mut end: watch::Receiver<Option<Ended>>) -> Option<Ended> {
    end.wait_for(Option::is_some)
        .await
        .ok()
        .and_then(|ended| ended.clone())
}

async fn one(
    climb: &Climb,
    probe: &dyn Probe,
    ids: &[RungId],
    ends: &Ends,
    pace: Pace,
    reporter: &Reporter<Update>,
) -> Ended {
    let id = probe.id();
    let mut broken = None;
    for (other, end) in ids.iter().zip(ends) {
        let needed = probe.needs().contains(other);
        if needed || probe.after().contains(other) {
            let ended = wait(end.clone()).await;
            if needed && broken.is_none() {
                broken = ended.and_then(|ended| ended.broken);
            }
        }
    }
    if let Some(root) = broken {
        let verdict = Verdict::skipped(format!("not tried: {} failed", short(root)));
        return Ended {
            rung: verdict.into_rung(id, 0),
            broken,
        };
    }
    // Trust is climbed hop by hop whatever the platform; the broker's rung sees itself whether there is one.
    // What a platform's engines do without is told of catalogs: whoever asks for a prefix alone means to use it.
    let storage = climb
        .grant
        .as_ref()
        .is_some_and(|grant| grant.databases.is_none());
    let needed = probe.is_trust() || storage || climb.platform.needs(id.as_str());
    if !needed {
        let verdict = Verdict::skipped(format!("not needed: {} does not use it", climb.platform.name));
        return Ended {
            rung: verdict.into_rung(id, 0),
            broken: None,
        };
    }
    reporter.tell(Update::Started(id)).await;
    let begun = Instant::now();
    // Boxed, as what it holds is large: 13 of these futures are climbed side by side.
    let mut verdict = Box::pin(patiently(climb, probe, pace, reporter)).await;
    gone::say(climb, id, &mut verdict).await;
    Box::pin(mend::put_right(climb, id, &mut verdict)).await;
    Box::pin(culprit::name(climb, id, &mut verdict)).await;
    Box::pin(key::say(climb, id, &mut verdict)).await;
    Box::pin(outdated::say(climb, id, &mut verdict)).await;
    let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let broken = (verdict.status == Status::Failed).then_some(id);
    Ended {
        rung: verdict.into_rung(id, ms),
        broken,
    }
}

/// A denial or a hole shortly after a change is tried again, and a rung that failed once must pass twice: different servers of
/// AWS may know of the change and not know of it.
async fn patiently(climb: &Climb, probe: &dyn Probe, pace: Pace, reporter: &Reporter<Update>) -> Verdict {
    let mut tries = 1_u32;
    let mut to_confirm = false;
    loop {
        // Known once hop 1 has ended, which every rung that is judged by policy waits for.
        let mut verdict = if climb.by_policy.initialized() && probe.id() > RungId::Broker {
            by_policy::probe(climb, probe.id()).await
        } else {
            probe.probe(climb).await
        };
        let wait = if verdict.status == Status::Failed {
            if !verdict.may_pass()
                || gone::of(climb, probe.id(), &verdict).await.is_some()
                || !climb.may_still_spread().await
            {
                return verdict;
            }
            if reporter.is_hurried() {
                verdict.answer = format!("{} (not waited for: IAM may still be spreading)", verdict.answer);
                return verdict;
            }
            to_confirm = true;
            let seconds = pace.retry.as_secs();
            let open = verdict.open;
            reporter
                .tell(Update::Spreading {
                    rung: probe.id(),
                    seconds,
                    open,
                })
                .await;
            pace.retry
        } else if to_confirm && !reporter.is_hurried() {
            to_confirm = false;
            pace.confirm
        } else {
            if tries > 1 {
                verdict.answer = format!(
                    "{} (after {tries} tries: IAM was still spreading)",
                    verdict.answer
                );
            }
            return verdict;
        };
        if !reporter.wait(wait).await {
            return verdict;
        }
        tries = tries.saturating_add(1);
    }
}

/// A rung in the middle of a sentence.
pub(super) fn short(id: RungId) -> &'static str {
    match id {
        RungId::Broker => "hop 1",
        RungId::Role => "hop 2",
        RungId::ExternalId => "the external ID",
        other => other.title(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_is_in_the_order_of_the_report_and_needs_only_what_is_below() {
        let ids: Vec<RungId> = LADDER.iter().map(|probe| probe.id()).collect();
        assert!(ids.is_sorted());
        for probe in LADDER {
            for below in probe.needs().iter().chain(probe.after()) {
                assert!(
                    *below < probe.id() && ids.contains(below),
                    "{:?} needs {below:?}",
                    probe.id()
                );
            }
        }
    }

    #[test]
    fn every_rung_has_its_page() {
        let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rungs");
        let index = std::fs::read_to_string(pages.join("README.md")).unwrap();
        for (at, probe) in LADDER.iter().enumerate() {
            let (id, title) = (probe.id().as_str(), probe.id().title());
            let row = format!("| {} | [{title}]({id}.md) | `{id}` |", at + 1);
            assert!(index.contains(&row), "no {row}");
            let page = std::fs::read_to_string(pages.join(format!("{id}.md"))).unwrap();
            for part in [
                "**Proves.**",
                "**Cannot prove.**",
                "**Calls.**",
                "**In CloudTrail.**",
            ] {
                assert!(page.contains(part), "{id}: no {part}");
            }
        }
    }
}
