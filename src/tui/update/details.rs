//! Step 1: name, region, path, access; what is wrong is said under the field, and nothing typed is lost.

use crate::domain::access::Access;
use crate::domain::problem::Problem;
use crate::domain::s3_path::S3Path;
use crate::job::{Job, Outcome};
use crate::report::Ask;
use crate::stack;
use crate::tui::effect::{Effect, Slot};
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Details, DetailsFocus, Dialog, DialogFor, Model, Screen, Step, Wizard};
use crate::tui::update::{browse, draft, go_home, home};
use crossterm::event::{KeyCode, KeyEvent};

/// Where keys are looked up in Details.
pub fn contexts(details: &Details) -> Vec<Context> {
    match details.focus {
        // A path that is typed here by mistake holds letters that mean something elsewhere.
        DetailsFocus::Access => vec![Context::Choice],
        _ => vec![Context::Field],
    }
}

fn wizard(model: &mut Model) -> Option<&mut Wizard> {
    match &mut model.screen {
        Screen::Wizard(wizard) => Some(wizard),
        _ => None,
    }
}

/// A key for the field that has the focus.
pub fn typed(model: &mut Model, event: KeyEvent) {
    let Some(wizard) = wizard(model) else { return };
    let before = wizard.details.clone();
    match wizard.details.focused() {
        Some(field) => drop(field.key(event)),
        None if matches!(event.code, KeyCode::Char(_)) => {
            let told = chosen(model);
            return model.say(told);
        }
        None => {}
    }
    name_stays(model);
    edited(model, &before);
}

/// What is said to who types where something is chosen.
fn chosen(model: &Model) -> String {
    let key = |action| model.keymap.word(Context::Choice, action);
    format!(
        "Access is chosen with {} and {}: what is typed changes nothing here.",
        key(Action::Left),
        key(Action::Right)
    )
}

/// The name on record is what its stack, its marks and a catalog's FQN go by: what is typed over it is taken back.
fn name_stays(model: &mut Model) {
    let Some(wizard) = wizard(model) else { return };
    let Some(recorded) = wizard.recorded.clone() else {
        return;
    };
    if wizard.details.name.text() != recorded.name() {
        wizard.details.name.set(recorded.name());
        let key = model.keymap.word(Context::Home, home::new_key(recorded.kind()));
        let back = model.keymap.word(Context::Field, Action::Back);
        model.say(format!(
            "{recorded} is on record and keeps its name: another name is another {} ({back}, then {key}).",
            recorded.noun()
        ));
    }
}

/// A paste into the field that has the focus.
pub fn paste(model: &mut Model, text: &str) -> Option<String> {
    let wizard = wizard(model)?;
    let before = wizard.details.clone();
    let Some(field) = wizard.details.focused() else {
        return Some(chosen(model));
    };
    let told = field.paste(text);
    name_stays(model);
    edited(model, &before);
    told
}

fn edited(model: &mut Model, before: &Details) {
    let due = draft::due(model);
    let Some(wizard) = wizard(model) else { return };
    let now = &wizard.details;
    let same = now.name.text() == before.name.text()
        && now.region.text() == before.region.text()
        && now.s3_path.text() == before.s3_path.text()
        && now.access == before.access;
    if !same {
        wizard.details.wide_confirmed = false;
        wizard.draft_due = Some(due);
        wizard.changed(Step::Details);
    }
}

/// A key that is not text.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::NextField => walk(model, 1),
        Action::PreviousField => walk(model, -1),
        Action::Left | Action::Right => {
            switch_access(model);
            Vec::new()
        }
        Action::Complete => {
            complete(model);
            Vec::new()
        }
        Action::Continue => proceed(model),
        Action::Back => browse::back(model).unwrap_or_else(|| go_home(model)),
        _ => Vec::new(),
    }
}

fn walk(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    let details = &mut wizard.details;
    if let Some(field) = details.focused() {
        field.leave();
    }
    let fields = details.fields();
    let at = fields
        .iter()
        .position(|f| *f == details.focus)
        .unwrap_or_default();
    let to = (at + fields.len()).saturating_add_signed(by) % fields.len();
    details.focus = fields.get(to).copied().unwrap_or_default();
    advise(model)
}

fn switch_access(model: &mut Model) {
    let Some(wizard) = wizard(model) else { return };
    let before = wizard.details.clone();
    wizard.details.access = match wizard.details.access {
        Access::ReadOnly => Access::ReadWrite,
        Access::ReadWrite => Access::ReadOnly,
    };
    edited(model, &before);
}

fn complete(model: &mut Model) {
    let Some(wizard) = wizard(model) else { return };
    if wizard.details.focus != DetailsFocus::Region {
        return;
    }
    let before = wizard.details.clone();
    if let Some(region) = wizard.details.region_suggestions(1).first() {
        wizard.details.region.set(region);
    }
    edited(model, &before);
}

/// Looks again at what the caller's rights show, whatever was seen before.
pub fn advise_again(model: &mut Model) -> Vec<Effect> {
    if let Some(wizard) = wizard(model) {
        wizard.details.advised = None;
    }
    advise(model)
}

/// Looks, with the caller's own rights, whether bucket and catalog are there: once both are known and right.
fn advise(model: &mut Model) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    let details = &mut wizard.details;
    let (Ok(region), Ok(s3_path)) = (details.own_region(), details.s3_path.parse::<S3Path>()) else {
        return Vec::new();
    };
    let about = (region.clone(), s3_path.clone());
    if details.advised.as_ref() == Some(&about) {
        return Vec::new();
    }
    details.advised = Some(about);
    details.advice.take();
    details.advice.load(since);
    vec![model.slots.run(
        Slot::Advice,
        Job::Stack(stack::Request::Advise { region, s3_path }),
    )]
}

/// The advice has come.
pub fn advised(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    let at = model.now.since_start;
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    match result {
        Ok(Outcome::Stack(stack::Outcome::Advice(advice))) => wizard.details.advice.ready(advice, at),
        Ok(_) => {}
        Err(problem) => wizard.details.advice.fail(problem),
    }
    Vec::new()
}

/// Forward needs validity: an invalid form goes to its first bad field.
fn proceed(model: &mut Model) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    let details = &mut wizard.details;
    for field in [&mut details.name, &mut details.region, &mut details.s3_path] {
        field.leave();
    }
    if let Some(bad) = details.first_bad() {
        details.focus = bad;
        return Vec::new();
    }
    if wide(details) && !details.wide_confirmed {
        let Ok(holder) = details.holder() else {
            return Vec::new();
        };
        let bucket = details
            .s3_path
            .parse::<S3Path>()
            .map(|p| p.bucket().to_owned())
            .unwrap_or_default();
        model.dialog = Some(Dialog::new(
            Ask {
                title: format!("Grant read-write on the whole bucket {bucket}?"),
                will: vec!["let the role create, change and delete every object in it".into()],
                will_not: vec!["reach any other bucket".into()],
                yes: "grant it".into(),
                acknowledge: None,
                type_to_confirm: Some(holder.to_string()),
            },
            DialogFor::WholeBucket,
        ));
        return Vec::new();
    }
    forward(model)
}

fn wide(details: &Details) -> bool {
    details.access == Access::ReadWrite && details.s3_path.parse::<S3Path>().is_ok_and(|p| p.whole_bucket())
}

/// The whole bucket was confirmed by typing the name.
pub fn wide_confirmed(model: &mut Model) -> Vec<Effect> {
    if let Some(wizard) = wizard(model) {
        wizard.details.wide_confirmed = true;
    }
    proceed(model)
}

fn forward(model: &mut Model) -> Vec<Effect> {
    let only = model.records().and_then(|r| match r.connections.as_slice() {
        [only] => Some(only.connection.name.clone()),
        _ => None,
    });
    let none = model.records().is_some_and(|r| r.connections.is_empty());
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    wizard.go(Step::Connection);
    if wizard.connection.selected.is_none() {
        wizard.connection.selected = only;
    }
    let mut effects = Vec::new();
    if none {
        super::connection::open_form(model);
    }
    effects.extend(draft::keep(model));
    effects
}
