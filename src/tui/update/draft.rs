//! The half-filled wizard on disk: so that a killed one resumes where it was left.

use crate::domain::access::Access;
use crate::domain::moment::Moment;
use crate::domain::names::ConnectionName;
use crate::domain::problem::Problem;
use crate::job::{Job, Outcome};
use crate::registry::{Draft, DraftOf, Stage};
use crate::setup;
use crate::tui::effect::{Effect, Slot};
use crate::tui::field::Field;
use crate::tui::model::{ConnectionForm, Model, Screen, Step, Wizard};
use std::collections::BTreeMap;
use std::time::Duration;

/// What was typed is kept this long after the last key.
const SETTLE: Duration = Duration::from_millis(700);

/// When an edit made now is to be kept.
pub fn due(model: &Model) -> Duration {
    model.now.since_start + SETTLE
}

/// Keeps what was typed, once the keys have been still for a while.
pub fn tick(model: &mut Model) -> Vec<Effect> {
    let Screen::Wizard(wizard) = &model.screen else {
        return Vec::new();
    };
    match wizard.draft_due {
        // What is being recorded just now is not to be found half-filled beside its record.
        Some(due) if due <= model.now.since_start && model.writing.is_some() => {
            let later = self::due(model);
            if let Screen::Wizard(wizard) = &mut model.screen {
                wizard.draft_due = Some(later);
            }
            Vec::new()
        }
        Some(due) if due <= model.now.since_start => keep(model),
        _ => Vec::new(),
    }
}

/// Keeps what was typed now. A wizard without a word in it leaves no draft.
pub fn keep(model: &mut Model) -> Vec<Effect> {
    let Screen::Wizard(wizard) = &mut model.screen else {
        return Vec::new();
    };
    wizard.draft_due = None;
    let path = wizard.details.s3_path.text();
    let empty = wizard.recorded.is_none()
        && wizard.details.name.text().is_empty()
        && (path.is_empty() || path == wizard.begun_with);
    let finished = wizard.step == Step::Verify && wizard.verify.report.is_some();
    let request = if empty || finished {
        setup::Request::DropDraft(wizard.draft_of())
    } else {
        setup::Request::SaveDraft(draft_of(wizard, model.now.wall))
    };
    if model.slots.is_running(Slot::Draft) {
        // The one under way cannot be overtaken on disk: this one follows it.
        wizard.draft_due = Some(model.now.since_start + SETTLE);
        return Vec::new();
    }
    vec![model.slots.run(Slot::Draft, Job::Setup(request))]
}

/// The user leaves the wizard for the home screen. What has no record yet is kept; what is on record needs no draft:
/// its record says how far it has come, and the next start need not open it again.
pub fn put_down(model: &mut Model) -> Vec<Effect> {
    let Screen::Wizard(wizard) = &mut model.screen else {
        return Vec::new();
    };
    if wizard.recorded.is_none() || model.slots.is_running(Slot::Draft) {
        return keep(model);
    }
    let request = setup::Request::DropDraft(wizard.draft_of());
    vec![model.slots.run(Slot::Draft, Job::Setup(request))]
}

/// The draft has been kept, or not.
pub fn kept(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    if let Err(problem) = result {
        model.say_problem(&problem);
    }
    Vec::new()
}

fn draft_of(wizard: &Wizard, at: Moment) -> Draft {
    let mut fields = BTreeMap::new();
    let details = &wizard.details;
    fields.insert("name".to_owned(), details.name.text().to_owned());
    fields.insert("region".to_owned(), details.region.text().to_owned());
    fields.insert("s3_path".to_owned(), details.s3_path.text().to_owned());
    fields.insert("access".to_owned(), details.access.to_string());
    if let Some(connection) = &wizard.connection.selected {
        fields.insert("connection".to_owned(), connection.to_string());
    }
    if let Some(form) = &wizard.connection.form {
        fields.insert("new_connection".to_owned(), form.name.text().to_owned());
        fields.insert("new_account".to_owned(), form.account.text().to_owned());
        if let Some(verifier) = &form.verifier {
            fields.insert("new_verifier".to_owned(), verifier.text().to_owned());
        }
    }
    let step = match wizard.step {
        Step::Details => Stage::Details,
        Step::Connection => Stage::Connection,
        Step::Deploy => Stage::Deploy,
        Step::Verify => Stage::Verify,
    };
    Draft {
        of: wizard.draft_of(),
        step,
        fields,
        at,
    }
}

/// A wizard with what a draft kept. What it says of connections counts as far as the records, which may have changed
/// since, agree: one that was made from the form meanwhile is chosen, one that is there no more is not.
pub fn restore(kept: &Draft, recorded: &[ConnectionName]) -> Wizard {
    let text = |key: &str| kept.fields.get(key).map(String::as_str).unwrap_or_default();
    let mut wizard = Wizard::new(match &kept.of {
        DraftOf::New(kind) => *kind,
        DraftOf::Recorded(holder) => holder.kind(),
    });
    wizard.details.name = Field::with(text("name"));
    wizard.details.region = Field::with(text("region"));
    wizard.details.s3_path = Field::with(text("s3_path"));
    wizard.details.access = text("access").parse().unwrap_or(Access::ReadOnly);
    let on_record = |name: &str| name.parse().ok().filter(|name| recorded.contains(name));
    wizard.connection.selected = on_record(text("connection"));
    if let Some(made) = on_record(text("new_connection")) {
        wizard.connection.selected = Some(made);
    } else if kept.fields.contains_key("new_connection") {
        wizard.connection.form = Some(ConnectionForm {
            name: Field::with(text("new_connection")),
            account: Field::with(text("new_account")),
            verifier: kept.fields.get("new_verifier").map(|typed| Field::with(typed)),
            ..ConnectionForm::default()
        });
    }
    // Without a record there is nothing to deploy yet: the furthest a draft goes is Connection.
    if kept.step != Stage::Details && wizard.details.first_bad().is_none() {
        wizard.go(Step::Connection);
    }
    wizard
}
