//! Hop 2 as the role's trust policy has it, by our own evaluator: IAM's simulator leaves trust policies out.

use super::super::climb::Climb;
use super::super::mend;
use super::super::report::RungId;
use super::super::rung::Verdict;
use super::super::tries::{Basics, Part};
use super::books::unread;
use super::shut::shut;
use super::who::{ACTION, PRINCIPAL, Told, Who, account_of, external_ids, external_patterns};
use crate::domain::arn::PrincipalArn;
use crate::domain::quote::operand;
use crate::domain::status::Status;
use crate::domain::text::scrub;
use crate::policy::{Document, Opening};
use crate::setup::{random, trust};
use crate::stack::parameters::literal;

const OF: RungId = RungId::ExternalId;

/// Whom a policy without any bounds lets in, as they are called in a sentence.
pub(in crate::verify) const EVERYBODY: &str = "everybody in AWS";

/// Whether the trust policy lets the broker in with the external id.
pub(super) async fn role(climb: &Climb) -> Verdict {
    let document = match climb.books.trust(climb).await {
        Ok(document) => document,
        Err(problem) => return unread(climb, problem),
    };
    let Some(broker) = &climb.broker else {
        return Verdict::skipped("no broker role, so nobody to judge the trust policy for");
    };
    let who = Who::role(broker);
    let id = climb.connection.external_id.as_str();
    match who.ask(document, &climb.role, Some(id)) {
        Told::In => Verdict::passed(format!("The trust policy lets {broker} in with the external ID")),
        Told::Hangs(keys) => Verdict::skipped(format!(
            "not proven: the trust policy also asks for {keys}, which only {} request has",
            super::own(climb)
        )),
        Told::Out(denied) => Verdict::failed(
            shut(&who, document, id, denied),
            mend::put_trust(climb, "The trust policy that lets it in:").await,
        ),
    }
    .of(Some(broker.to_string()), ACTION, climb.role.as_str())
}

/// Whether anybody gets in with another external id, with none, or without having been meant.
pub(super) async fn external_id(climb: &Climb) -> Verdict {
    let document = match climb.books.trust(climb).await {
        Ok(document) => document,
        Err(problem) => return unread(climb, problem),
    };
    let wrong = match random::external_id() {
        Ok(id) => id,
        Err(problem) => return Verdict::refused(&problem),
    };
    let caller = climb.broker.as_ref().map(ToString::to_string);
    let part = |title: &str, verdict: Verdict| {
        let verdict = verdict.of(caller.clone(), ACTION, climb.role.as_str());
        Part::judged(OF, title, verdict.by_policy())
    };
    let parts = vec![
        part(
            "with a random external ID",
            without(climb, document, Some(wrong.as_str())).await,
        ),
        part("with no external ID", without(climb, document, None).await),
        part("anybody else", anybody_else(climb, document).await),
    ];
    let warned = parts.iter().find(|part| part.verdict.status == Status::Warning);
    let verdict = if let Some(hole) = parts.iter().find(|part| part.verdict.status == Status::Failed) {
        Verdict::failed_for(hole.verdict.answer.clone())
    } else if let Some(part) = warned {
        Verdict::warning(
            part.verdict.answer.clone(),
            part.verdict.next.clone().unwrap_or_default(),
        )
    } else {
        Basics::of(&parts).refused()
    };
    verdict.of(caller, ACTION, climb.role.as_str()).made_of(parts)
}

/// All of it in one verdict, for a ladder that has tried the door itself for one principal only: the others' too.
pub(super) async fn anybody(climb: &Climb, document: &Document) -> Verdict {
    let wrong = match random::external_id() {
        Ok(id) => id,
        Err(problem) => return Verdict::refused(&problem),
    };
    let verdicts = [
        anybody_else(climb, document).await,
        without(climb, document, Some(wrong.as_str())).await,
        without(climb, document, None).await,
    ];
    let rank = |verdict: &Verdict| match verdict.status {
        Status::Failed => 0,
        Status::Warning => 1,
        Status::Skipped => 2,
        Status::Passed => 3,
    };
    let worst = verdicts.into_iter().min_by_key(rank);
    worst.unwrap_or_else(|| Verdict::passed("Nobody else is named"))
}

/// Those who are meant to get in, and whoever else the policy names: principals, whole accounts, everybody.
fn callers(climb: &Climb, document: &Document) -> Vec<Who> {
    let connection = &climb.connection;
    // The widest hole comes first: what is said of it is what is read.
    let everybody = |opening: &Opening<'_>| {
        let all = strangers(climb, opening).into_iter();
        all.filter(|(account, _)| account == "*").flat_map(|(_, who)| who)
    };
    let mut all: Vec<Who> = Vec::new();
    for opening in document.openings(ACTION) {
        all.extend(everybody(&opening));
    }
    all.extend(climb.broker.iter().map(Who::role));
    let named = connection.trust.iter().chain(&connection.verifier);
    all.extend(named.filter(|principal| !principal.is_root()).map(Who::principal));
    for opening in document.openings(ACTION) {
        let named = opening
            .named()
            .filter_map(|named| named.parse::<PrincipalArn>().ok());
        let named = named.filter(|principal| !principal.is_root());
        all.extend(named.map(|principal| Who::principal(&principal)));
        all.extend(strangers(climb, &opening).into_iter().flat_map(|(_, who)| who));
        if opening.everyone() || opening.named().any(|named| account_of(named).is_some()) {
            all.extend(Who::narrowed(&opening));
        }
    }
    all
}

/// People of the accounts that a statement opens whole, by account; `*` for everybody.
fn strangers(climb: &Climb, opening: &Opening<'_>) -> Vec<(String, [Who; 2])> {
    let partition = climb.role.partition();
    let mut all = Vec::new();
    if opening.everyone() {
        all.push(("*".to_owned(), Who::anybody(partition, "000000000000", EVERYBODY)));
    }
    for account in opening.named().filter_map(account_of) {
        let name = format!("everybody in account {account}");
        let who = Who::anybody(partition, &account, &name);
        all.push((account, who));
    }
    all
}

/// What a trust policy says to all whom it may concern.
pub(super) enum Door {
    /// It lets somebody in, as these words say.
    Open(String),
    /// Whether it does hangs on what only a request itself has, as these words say.
    Hangs(String),
    Shut,
}

/// Whether anybody gets in with another external id, or none.
pub(super) fn door(climb: &Climb, document: &Document, id: Option<&str>) -> Door {
    let how = if id.is_some() {
        "a random external ID"
    } else {
        "no external ID"
    };
    let mut hangs = None;
    for who in callers(climb, document) {
        match who.ask(document, &climb.role, id) {
            Told::In => {
                return Door::Open(format!(
                    "The trust policy lets {} in with {how}: whoever can make a trusted principal act for them could read \
                     this data (confused deputy)",
                    who.name
                ));
            }
            Told::Hangs(keys) => hangs = Some((who.name, keys)),
            Told::Out(_) => {}
        }
    }
    let patterns: Vec<String> = document
        .openings(ACTION)
        .flat_map(|opening| external_patterns(&opening))
        .map(scrub)
        .collect();
    if id.is_some() && !patterns.is_empty() {
        return Door::Open(format!(
            "The trust policy takes any external ID like {}: an ID that others can meet keeps nobody out",
            patterns.join(", ")
        ));
    }
    match hangs {
        Some((name, keys)) => Door::Hangs(format!(
            "whether {name} gets in with {how} hangs on {keys}, which only a request itself has"
        )),
        None => Door::Shut,
    }
}

/// With another external id, or none, nobody may get in.
async fn without(climb: &Climb, document: &Document, id: Option<&str>) -> Verdict {
    match door(climb, document, id) {
        Door::Open(text) => Verdict::failed(text, mend::trust(climb).await),
        Door::Hangs(text) => Verdict::skipped(format!("not proven: {text}")),
        Door::Shut => Verdict::passed("Would be refused"),
    }
    .by_policy()
}

/// Whom the policy lets in by a whole account that nobody asked for: `everybody in AWS`, `the whole account …`.
pub(super) fn open_to_all(climb: &Climb, document: &Document) -> Option<String> {
    let own = climb.connection.external_id.as_str();
    let found = document.openings(ACTION).find_map(|opening| {
        let ids = ids(climb, &opening);
        strangers(climb, &opening).into_iter().find_map(|(account, who)| {
            if asked_for_whole(climb, &account) {
                return None;
            }
            let lets_in = |id: &&str| {
                let mut who = who.iter();
                who.any(|who| who.ask(document, &climb.role, Some(id)) == Told::In)
            };
            let id = ids.iter().copied().find(lets_in)?;
            Some((account, id.to_owned()))
        })
    });
    let (account, id) = found?;
    let whose = if account == "*" {
        EVERYBODY.to_owned()
    } else {
        format!("the whole account {account}")
    };
    Some(match id == own {
        true => whose,
        false => format!("{whose} with the external ID {}, which is not ours,", scrub(&id)),
    })
}

/// The external ids with which a statement may let somebody in: ours, and those that it asks for itself.
fn ids<'a>(climb: &'a Climb, opening: &Opening<'a>) -> Vec<&'a str> {
    let mut ids = vec![climb.connection.external_id.as_str()];
    ids.extend(external_ids(opening));
    ids
}

/// Whether an account is trusted whole on record.
fn asked_for_whole(climb: &Climb, account: &str) -> bool {
    let mut trusted = climb.connection.trust.iter();
    trusted.any(|principal| principal.is_root() && principal.account().as_str() == account)
}

/// The ways into a role that are no `sts:AssumeRole`.
const OTHER_DOORS: [&str; 2] = ["sts:AssumeRoleWithWebIdentity", "sts:AssumeRoleWithSAML"];

/// Whom else the policy lets in, though with the right external id.
async fn anybody_else(climb: &Climb, document: &Document) -> Verdict {
    if let Some(whose) = open_to_all(climb, document) {
        return Verdict::failed(
            format!("The trust policy lets {whose} in: no condition on aws:PrincipalArn narrows it"),
            mend::put_trust(climb, "Name the principals that are meant, and nobody else:").await,
        )
        .by_policy();
    }
    let unknown = unknown(climb, document);
    if !unknown.is_empty() {
        return Verdict::warning(
            format!(
                "The trust policy also names {}, which is not on record",
                unknown.join(", ")
            ),
            "Whoever keeps the role knows why; else take them out of its trust policy",
        )
        .by_policy();
    }
    let other = other_ids(climb, document);
    if !other.is_empty() {
        return Verdict::warning(
            format!(
                "The trust policy takes the external ID {} too, which is not the one on record: who was given it gets in \
                 like the platform itself",
                other.join(", ")
            ),
            mend::put_trust(climb, "Once nobody uses it, take the one on record alone:").await,
        )
        .by_policy();
    }
    let (whole, hangs) = whole(climb, document);
    if !hangs.is_empty() {
        return Verdict::warning(
            format!(
                "The trust policy lets in {}: not on record, and no condition on aws:PrincipalArn says who",
                hangs.join(", ")
            ),
            "Whoever keeps the role knows who meets that; else narrow it to those on record",
        )
        .by_policy();
    }
    if !whole.is_empty() {
        return Verdict::warning(
            format!(
                "The whole account {} is trusted, as it is on record: each of its principals whose own policies allow it",
                whole.join(", ")
            ),
            format!(
                "Name roles or users of that account instead: glueup connection set {}",
                operand(climb.connection.name.as_str(), "--trust ARN")
            ),
        )
        .by_policy();
    }
    Verdict::passed("Nobody else is named").by_policy()
}

/// The external ids that the policy takes beside the one on record; what it takes by a pattern is told as that.
fn other_ids(climb: &Climb, document: &Document) -> Vec<String> {
    let mut other = Vec::new();
    for opening in document.openings(ACTION) {
        let patterns = external_patterns(&opening);
        let plain = external_ids(&opening).into_iter();
        other.extend(
            plain
                .filter(|id| *id != climb.connection.external_id.as_str() && !patterns.contains(id))
                .map(scrub),
        );
    }
    other.sort();
    other.dedup();
    other
}

/// The accounts that get in whole, and those of whom whoever meets a condition that only a request itself can meet does.
fn whole(climb: &Climb, document: &Document) -> (Vec<String>, Vec<String>) {
    let (mut whole, mut hangs) = (Vec::new(), Vec::new());
    for opening in document.openings(ACTION) {
        let ids = ids(climb, &opening);
        for (account, who) in strangers(climb, &opening) {
            let ask = |id: &str| {
                who.each_ref()
                    .map(|who| (who.ask(document, &climb.role, Some(id)), &who.name))
            };
            let told: Vec<(Told, &String)> = ids.iter().flat_map(|id| ask(id)).collect();
            if told.iter().any(|(told, _)| *told == Told::In) {
                whole.push(account);
            } else if let Some((keys, name)) = told.into_iter().find_map(|(told, name)| match told {
                Told::Hangs(keys) => Some((keys, name)),
                Told::In | Told::Out(_) => None,
            }) {
                hangs.push(format!("whoever of {name} meets {keys}"));
            }
        }
    }
    (whole, hangs)
}

/// Whom the policy names that is not on record: by name, by a pattern that narrows an account to them, or through a door
/// that is no `sts:AssumeRole`.
fn unknown(climb: &Climb, document: &Document) -> Vec<String> {
    let known = known(climb);
    let is_known = |named: &str| known.iter().any(|known| known == named);
    let mut unknown: Vec<String> = Vec::new();
    for opening in document.openings(ACTION) {
        unknown.extend(opening.others().map(scrub));
        let accounts = opening.everyone() || opening.named().any(|named| account_of(named).is_some());
        let narrowed = opening.wanted(PRINCIPAL).filter(|_| accounts);
        let named = opening.named().filter(|named| account_of(named).is_none());
        unknown.extend(named.chain(narrowed).filter(|named| !is_known(named)).map(scrub));
    }
    // The other doors of a role ask for no external id at all: whoever comes through them comes unasked.
    for door in OTHER_DOORS {
        for opening in document.openings(door) {
            let named = opening.others().chain(opening.named());
            unknown.extend(named.map(|named| format!("{} ({door})", scrub(named))));
            if opening.everyone() {
                unknown.push(format!("everybody ({door})"));
            }
        }
    }
    unknown.sort();
    unknown.dedup();
    unknown
}

/// The principals that the policy should name, and the patterns that it should narrow accounts to.
pub(super) fn known(climb: &Climb) -> Vec<String> {
    let connection = &climb.connection;
    let trusted = trust::of(climb.broker.as_ref(), &connection.trust);
    let verifier = trust::of(None, connection.verifier.as_slice());
    let written = connection.trust.iter().chain(&connection.verifier);
    let mut known: Vec<String> = written.map(PrincipalArn::to_string).collect();
    for trusted in [trusted, verifier] {
        // As they stand in a pattern.
        known.extend(trusted.principals.iter().map(|named| literal(named)));
        known.extend(trusted.principals);
        known.extend(trusted.patterns);
    }
    known
}
