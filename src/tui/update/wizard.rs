//! The wizard as a whole: how it is opened, resumed, and which step gets a key.

use crate::domain::names::ConnectionName;
use crate::domain::region::Region;
use crate::registry::{Draft, DraftOf, GrantKind, Stage};
use crate::setup::GrantRow;
use crate::tui::effect::Effect;
use crate::tui::field::Field;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Details, Half, Model, Screen, Step, Wizard};
use crate::tui::update::{browse, connection, deploy, details, draft, overlay, prompt, verify};
use crossterm::event::KeyEvent;

/// A new catalog or storage integration.
pub fn start(model: &mut Model, kind: GrantKind) -> Vec<Effect> {
    let region = model
        .identity
        .value()
        .and_then(|who| who.region.as_ref())
        .map(ToString::to_string);
    let mut wizard = Wizard::new(kind);
    if let Some(region) = region {
        wizard.details.region = Field::with(&region);
    }
    model.screen = Screen::Wizard(Box::new(wizard));
    Vec::new()
}

/// A new catalog whose files lie there, as they were found in the browser that is open.
pub fn start_at(model: &mut Model, region: Option<Region>, path: &str) -> Vec<Effect> {
    let from = browse::put_down(model);
    let mut effects = start(model, GrantKind::Catalog);
    if let Screen::Wizard(wizard) = &mut model.screen {
        if let Some((browse, cancelled)) = from {
            wizard.from = Some(browse);
            effects.extend(cancelled);
        }
        wizard.details.s3_path = Field::with(path);
        path.clone_into(&mut wizard.begun_with);
        if let Some(region) = region {
            wizard.details.region = Field::with(region.as_str());
        }
    }
    effects
}

/// The wizard of what is on record, at the step it has come to.
pub fn open(model: &mut Model, row: &GrantRow) -> Vec<Effect> {
    model.screen = Screen::Wizard(Box::new(from_record(row)));
    match row.stage {
        Stage::Verify | Stage::Ready => verify::climb(model, row.grant.holder.clone()),
        _ => deploy::enter(model, &row.grant),
    }
}

/// The same, but straight to the ladder.
pub fn open_at_verify(model: &mut Model, row: &GrantRow) -> Vec<Effect> {
    if !matches!(row.stage, Stage::Verify | Stage::Ready) {
        model.say(if row.grant.is_outdated() {
            "Its stack was made for what was asked for before: deploying it again comes first."
        } else {
            "Its stacks are not made yet: that comes first."
        });
    }
    open(model, row)
}

fn from_record(row: &GrantRow) -> Wizard {
    let grant = &row.grant;
    let kind = grant.holder.kind();
    let mut wizard = Wizard {
        recorded: Some(grant.holder.clone()),
        details: Details {
            kind,
            name: Field::with(grant.holder.name()),
            region: Field::with(grant.region.as_str()),
            s3_path: Field::with(&grant.s3_path.to_string()),
            access: grant.access,
            ..Details::default()
        },
        ..Wizard::new(kind)
    };
    wizard.connection.selected = Some(grant.connection.clone());
    let made = matches!(row.stage, Stage::Verify | Stage::Ready);
    wizard.go(if made { Step::Verify } else { Step::Deploy });
    if made {
        wizard.deploy.half = Half::Done;
    }
    wizard
}

/// A wizard that was left half-way, as it was kept on disk.
pub fn resume(model: &mut Model, kept: &Draft) -> Vec<Effect> {
    let recorded = match &kept.of {
        DraftOf::Recorded(holder) => model.records().and_then(|records| records.grant(holder)),
        DraftOf::New(_) => None,
    };
    if let Some(row) = recorded {
        model.say(format!("Resumed where it was left: {}.", row.grant.holder));
        return open(model, &row);
    }
    let recorded: Vec<ConnectionName> = model
        .records()
        .map(|r| {
            r.connections
                .iter()
                .map(|row| row.connection.name.clone())
                .collect()
        })
        .unwrap_or_default();
    let wizard = draft::restore(kept, &recorded);
    model.screen = Screen::Wizard(Box::new(wizard));
    let back = model.keymap.word(Context::Field, Action::Back);
    model.say(format!(
        "Resumed where it was left: {back} goes back, nothing is lost."
    ));
    Vec::new()
}

/// A key for a text of this step.
pub fn typed(model: &mut Model, step: Step, event: KeyEvent) {
    match step {
        Step::Details => details::typed(model, event),
        Step::Connection => connection::typed(model, event),
        Step::Deploy => prompt::typed(model, event),
        Step::Verify => {}
    }
}

/// A key of the wizard.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Screen::Wizard(wizard) = &model.screen else {
        return Vec::new();
    };
    match wizard.step {
        Step::Connection if action == Action::Zoom && wizard.connection.form.is_none() => {
            connection::zoom(model);
            Vec::new()
        }
        Step::Details | Step::Connection if action == Action::Zoom => {
            overlay::grant(model);
            Vec::new()
        }
        Step::Details => details::act(model, action),
        Step::Connection => connection::act(model, action),
        Step::Deploy => deploy::act(model, action),
        Step::Verify => verify::act(model, action),
    }
}

/// The records have been read again.
pub fn records_changed(model: &mut Model) -> Vec<Effect> {
    match &model.screen {
        Screen::Wizard(wizard) if wizard.step == Step::Deploy => deploy::records_changed(model),
        _ => Vec::new(),
    }
}
