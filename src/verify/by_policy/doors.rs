//! The role's trust policy as it should be: what is ours put right, what belongs to others left as it is.

use super::super::climb::Climb;
use super::trust::{Door, door, known, open_to_all};
use super::who::{ACTION, EXTERNAL_ID, PRINCIPAL, Told, Who, account_of, external_ids};
use crate::domain::text::scrub;
use crate::policy::{Document, Opening};
use crate::setup::{random, trust};
use serde_json::{Value, json};

/// A trust policy, mended.
pub(in crate::verify) struct Mended {
    /// The document to put in place.
    pub document: Value,
    /// How many statements of others stay in it as they are.
    pub kept: usize,
    /// What does not stay as it is, a line each.
    pub changed: Vec<String>,
}

/// What becomes of one statement.
enum Kept {
    AsItIs,
    /// Ours takes its place.
    Ours,
    /// These take its place, and a line says why.
    Instead(Vec<Value>, String),
}

/// Puts the statements of `right`, which are ours, among those of others. `only_if_shut`: nobody is on record, and `right`
/// names who asks, which is of no use where others' statements let them in.
pub(in crate::verify) fn mended(
    climb: &Climb,
    document: &Document,
    right: &Value,
    only_if_shut: Option<&Who>,
) -> Mended {
    let frame = document.value();
    if !frame.is_object() {
        return Mended {
            document: right.clone(),
            kept: 0,
            changed: Vec::new(),
        };
    }
    let mut statements = Vec::new();
    let (mut kept, mut changed) = (0, Vec::new());
    for statement in list(&frame) {
        match keep(climb, &frame, statement) {
            Kept::AsItIs => {
                kept += 1;
                statements.push(statement.clone());
            }
            Kept::Ours => {}
            Kept::Instead(others, words) => {
                statements.extend(others);
                changed.push(words);
            }
        }
    }
    let of = |statements: &[Value]| {
        let mut whole = frame.clone();
        if let Some(fields) = whole.as_object_mut() {
            fields.insert("Statement".to_owned(), Value::Array(statements.to_vec()));
        }
        whole
    };
    let id = Some(climb.connection.external_id.as_str());
    let is_in = |who: &Who| who.ask(&Document::read(&of(&statements)), &climb.role, id) == Told::In;
    if !only_if_shut.is_some_and(is_in) {
        let taken: Vec<Value> = statements.iter().filter_map(|s| s.get("Sid").cloned()).collect();
        for ours in list(right) {
            let mut ours = ours.clone();
            // IAM takes each Sid once.
            if let Some(fields) = ours.as_object_mut()
                && fields.get("Sid").is_some_and(|sid| taken.contains(sid))
            {
                fields.remove("Sid");
            }
            statements.push(ours);
        }
    }
    Mended {
        document: of(&statements),
        kept,
        changed,
    }
}

fn list(document: &Value) -> Vec<&Value> {
    match document.get("Statement") {
        Some(Value::Array(statements)) => statements.iter().collect(),
        Some(statement) => vec![statement],
        None => Vec::new(),
    }
}

/// A statement as a policy of its own, of the same version.
fn alone(frame: &Value, statement: &Value) -> Document {
    let mut whole = frame.clone();
    if let Some(fields) = whole.as_object_mut() {
        fields.insert("Statement".to_owned(), json!([statement]));
    }
    Document::read(&whole)
}

fn keep(climb: &Climb, frame: &Value, statement: &Value) -> Kept {
    let lone = alone(frame, statement);
    if statement.get("Effect").and_then(Value::as_str) == Some("Deny") {
        return guard(climb, frame, statement, &lone);
    }
    let Some(opening) = lone.openings(ACTION).next() else {
        return Kept::AsItIs;
    };
    let open = is_open(climb, &lone);
    if is_ours(climb, &opening) {
        let id = climb.connection.external_id.as_str();
        let asked = external_ids(&opening);
        // The same broker with another id: another connection's, on a role that serves more than this one.
        let of_another = !asked.is_empty() && !asked.contains(&id);
        return match climb.connection.adopted && !open && of_another {
            true => Kept::AsItIs,
            false => Kept::Ours,
        };
    }
    if open {
        shut(climb, frame, statement, &opening)
    } else {
        Kept::AsItIs
    }
}

/// A Deny stays, unless it is what keeps out those who are meant to get in: then they alone are taken out of it, where it
/// names them, and it is shown.
fn guard(climb: &Climb, frame: &Value, statement: &Value, lone: &Document) -> Kept {
    let id = Some(climb.connection.external_id.as_str());
    let asking = climb.first().caller().and_then(|arn| trust::caller(&arn));
    let mut meant: Vec<Who> = climb.broker.iter().map(Who::role).collect();
    meant.extend(climb.connection.trust.iter().map(Who::principal));
    meant.extend(asking.iter().map(Who::principal));
    let denies = |lone: &Document, who: &Who| who.ask(lone, &climb.role, id) == Told::Out(true);
    let Some(who) = meant.iter().find(|who| denies(lone, who)) else {
        return Kept::AsItIs;
    };
    let denies_them = |named: &Value| {
        let lone = alone(frame, &with(statement, "Principal", json!({ "AWS": [named] })));
        meant.iter().any(|who| denies(&lone, who))
    };
    let principal = statement.get("Principal").and_then(Value::as_object);
    let listed = principal.and_then(|principal| match principal.get("AWS") {
        Some(Value::Array(all)) => Some(all.clone()),
        Some(one) => Some(vec![one.clone()]),
        None => None,
    });
    let (gone, stay): (Vec<Value>, Vec<Value>) =
        listed.unwrap_or_default().into_iter().partition(denies_them);
    let mut rest = principal.cloned().unwrap_or_default();
    rest.remove("AWS");
    if !stay.is_empty() {
        rest.insert("AWS".to_owned(), Value::Array(stay));
    }
    let everybody = statement.get("NotPrincipal").is_some()
        || statement.get("Principal").and_then(Value::as_str) == Some("*")
        || gone.iter().any(|named| named.as_str() == Some("*"));
    let whom = match everybody {
        true => format!("everybody whom it meets, {} among them,", who.name),
        false => who.name.clone(),
    };
    let (instead, what) = if rest.is_empty() || gone.is_empty() {
        (Vec::new(), "is left out".to_owned())
    } else {
        let names: Vec<String> = gone.iter().filter_map(Value::as_str).map(scrub).collect();
        let mut changed = statement.clone();
        if let Some(fields) = changed.as_object_mut() {
            fields.insert("Principal".to_owned(), Value::Object(rest));
        }
        (vec![changed], format!("stays without {}", names.join(", ")))
    };
    Kept::Instead(
        instead,
        format!(
            "The statement that denies the role to {whom} {what}. It is somebody's guard: whether that may go, whoever keeps \
             the role knows:\n{statement}"
        ),
    )
}

/// Whether it lets anybody in without the external id, or a whole account.
fn is_open(climb: &Climb, lone: &Document) -> bool {
    let wrong = random::external_id().ok();
    let ids = [None, wrong.as_ref().map(|id| id.as_str())];
    ids.into_iter()
        .any(|id| matches!(door(climb, lone, id), Door::Open(_)))
        || open_to_all(climb, lone).is_some()
}

/// Whether it names those on record and nobody else.
fn is_ours(climb: &Climb, opening: &Opening<'_>) -> bool {
    let known = known(climb);
    let mut named = opening.named().peekable();
    if opening.everyone() || opening.others().next().is_some() || named.peek().is_none() {
        return false;
    }
    // An account's root stands for a session of ours only where it is narrowed to that one's role.
    let patterns = trust::of(None, &climb.connection.trust).patterns;
    let verifier = trust::of(None, climb.connection.verifier.as_slice()).patterns;
    let ours = |pattern: &str| patterns.iter().chain(&verifier).any(|own| own == pattern);
    let narrowed_to_others = opening.wanted(PRINCIPAL).any(|pattern| !ours(pattern));
    named.all(|named| {
        known.iter().any(|known| known == named) && !(account_of(named).is_some() && narrowed_to_others)
    })
}

/// What of a statement that lets in whom it should not is others': services and identity providers as they are, others'
/// principals with the external id.
fn shut(climb: &Climb, frame: &Value, statement: &Value, opening: &Opening<'_>) -> Kept {
    let mut instead = Vec::new();
    if let Some(mut principal) = statement.get("Principal").and_then(Value::as_object).cloned() {
        principal.remove("AWS");
        if !principal.is_empty() {
            instead.push(with(statement, "Principal", Value::Object(principal)));
        }
    }
    let known = known(climb);
    let is_known = |named: &str| known.iter().any(|known| known == named) && account_of(named).is_none();
    let foreign: Vec<&str> = opening
        .named()
        .filter(|named| *named != "*" && !is_known(named))
        .collect();
    let (accounts, people): (Vec<&str>, Vec<&str>) = foreign
        .iter()
        .copied()
        .partition(|named| account_of(named).is_some());
    let asking = |named: &[&str]| {
        let mut asking = with(statement, "Principal", json!({ "AWS": named }));
        ask_for_id(&mut asking, climb.connection.external_id.as_str());
        asking
    };
    let is_shut = |asking: &Value| !is_open(climb, &alone(frame, asking));
    // Those who come by name with an external ID of their own keep it.
    let own = with(statement, "Principal", json!({ "AWS": people }));
    let keep_theirs = !people.is_empty() && !external_ids(opening).is_empty() && is_shut(&own);
    if keep_theirs {
        instead.push(own);
    }
    let named = [foreign, people]
        .into_iter()
        .find(|named| !keep_theirs && !named.is_empty() && is_shut(&asking(named)));
    let stays = named
        .as_ref()
        .is_some_and(|named| named.iter().any(|named| accounts.contains(named)));
    let mut words = Vec::new();
    if let Some(named) = named {
        instead.push(asking(&named));
        let names: Vec<String> = named.into_iter().map(scrub).collect();
        words.push(format!(
            "{} stays, and has to send the external ID from then on: tell them, or ask whoever keeps the role",
            names.join(", ")
        ));
    }
    if opening.everyone() {
        words.push("What lets everybody in is left out".to_owned());
    } else if !stays && !accounts.is_empty() {
        let names: Vec<String> = accounts.into_iter().map(scrub).collect();
        words.push(format!("The whole account {} is left out", names.join(", ")));
    }
    match (words.is_empty(), instead.is_empty()) {
        (true, true) => Kept::Ours,
        (true, false) => Kept::Instead(
            instead,
            "What a service or an identity provider comes in by stays".to_owned(),
        ),
        (false, _) => Kept::Instead(instead, words.join(". ")),
    }
}

fn with(statement: &Value, field: &str, value: Value) -> Value {
    let mut changed = statement.clone();
    if let Some(fields) = changed.as_object_mut() {
        fields.insert(field.to_owned(), value);
        // One statement may become two, and IAM takes each Sid once.
        fields.remove("Sid");
    }
    changed
}

/// Sets the condition on the external id, whatever was asked of it before.
fn ask_for_id(statement: &mut Value, id: &str) {
    let mut conditions = statement
        .get("Condition")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    for keys in conditions.values_mut().filter_map(Value::as_object_mut) {
        keys.retain(|key, _| !key.eq_ignore_ascii_case(EXTERNAL_ID));
    }
    conditions.retain(|_, keys| keys.as_object().is_none_or(|keys| !keys.is_empty()));
    let equals = conditions.entry("StringEquals").or_insert_with(|| json!({}));
    if let Some(keys) = equals.as_object_mut() {
        keys.insert(EXTERNAL_ID.to_owned(), json!(id));
    }
    if let Some(fields) = statement.as_object_mut() {
        fields.insert("Condition".to_owned(), Value::Object(conditions));
    }
}
