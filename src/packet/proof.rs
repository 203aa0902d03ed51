//! What Verify proves and what it cannot, what it leaves in CloudTrail, and how it ended last.

use super::Facts;
use super::document::{Document, Line, Span, told, value, values, with, words};
use crate::domain::platform::BrokerOf;
use crate::domain::status::Status;
use crate::registry::Verdict;
use crate::verify::{self, RungId, page};

pub(super) fn write(facts: &Facts, to: &mut Document) {
    to.heading(2, "What Verify proves, and what it cannot");
    to.say(with(
        "{} tries the connection by using it, as the engine will, check by check, and changes nothing: what it asks in order \
         to be refused names what does not exist. It may be run by anyone who may assume the first role, at any time. {}",
        &[
            values([facts.grant.holder.verify_command()]),
            words("Its exit code is 0 when all holds, and 1 when anything does not."),
        ],
    ));
    if let Some(broker) = vendors(facts) {
        let (whose, actions): (_, &[&str]) = match facts.grant.s3_path.point() {
            None => ("the bucket's", &["s3:GetBucketPolicy"]),
            Some(_) => (
                "that of the access point and its bucket",
                &["s3:GetAccessPointPolicy", "s3:GetBucketPolicy"],
            ),
        };
        to.say(with(
            "{} is a role of {}: nobody else can assume it, so that from here the checks behind it are judged by policy. The trust \
             policy is read with {} and evaluated, so is {} with {}, and the role's policies are asked of IAM's simulator \
             with {}, all with the rights of whoever verifies; each verdict says that its basis is the policy.",
            &[
                vec![value(broker)],
                vec![told(&facts.platform.name)],
                vec![value("iam:GetRole")],
                words(whose),
                values(actions),
                vec![value("iam:SimulatePrincipalPolicy")],
            ],
        ));
    }
    // Whoever asks for a prefix alone means to use it, whatever the platform's engines do without.
    let is_storage = facts.grant.databases.is_none();
    let climbed = |id: &RungId| match is_storage {
        true => verify::is_of_storage(*id),
        false => id.group() == "TRUST" || facts.platform.needs(id.as_str()),
    };
    let rows = RungId::ALL.into_iter().filter(climbed).map(|id| {
        let page = page::of(id);
        vec![
            vec![Span::Text(id.title().to_owned())],
            words(&page.proves),
            words(&page.cannot_prove),
            words(&page.in_cloudtrail),
        ]
    });
    to.table(
        &["Check", "Proves", "Cannot prove", "In CloudTrail"],
        rows.collect(),
    );
    let left_out: Vec<&str> = RungId::ALL
        .into_iter()
        .filter(|id| !climbed(id))
        .map(RungId::title)
        .collect();
    if is_storage {
        to.say(with(
            "Not climbed, since a storage integration asks for nothing of Glue: {}.",
            &[vec![told(left_out.join(", "))]],
        ));
    } else if !left_out.is_empty() {
        to.say(with(
            "Not climbed, since {} does not need it: {}.",
            &[vec![told(&facts.platform.name)], vec![told(left_out.join(", "))]],
        ));
    }
    to.heading(3, "In CloudTrail");
    to.say(words(
        "The sessions of Verify are called `glueup-verify`. Some of its calls are made in order to be refused; they show as \
         denials and may wake GuardDuty. `glueup ledger --probes` lists each of them with its time, so that they can be told from \
         an intruder's. What engines do shows as `AssumeRole` by the principals above, and then as Glue and S3 calls of the role.",
    ));
    to.heading(2, "The last verdict");
    match &facts.verdict {
        None => to.say(words("There is none yet: this has not been verified from here.")),
        Some(verdict) => last(verdict, to),
    }
}

/// The broker role that nobody here can assume, where nobody of this side may assume the connection's role itself.
fn vendors(facts: &Facts) -> Option<&str> {
    let broker = facts.connection.first_hop()?;
    (facts.platform.broker_of == BrokerOf::Vendor).then(|| broker.as_str())
}

fn last(verdict: &Verdict, to: &mut Document) {
    to.say(with(
        "At {}: {}. {}",
        &[
            vec![value(verdict.at.to_string())],
            vec![Span::Text(verdict.verdict.to_string())],
            vec![told(&verdict.sentence)],
        ],
    ));
    let rows = verdict.rungs.iter().map(|(id, status)| {
        let title = RungId::ALL.into_iter().find(|known| known.as_str() == id);
        let title = title.map_or_else(|| vec![value(id)], |id| words(id.title()));
        vec![title, state(*status)]
    });
    to.table(&["Check", "Ended"], rows.collect());
}

fn state(status: Status) -> Line {
    words(status.as_str())
}
