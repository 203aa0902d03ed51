//! Step 2: choose the connection that serves the catalog or the storage integration, or make one.

use crate::domain::account::AccountId;
use crate::domain::names::ConnectionName;
use crate::domain::platform::BrokerOf;
use crate::domain::problem::Problem;
use crate::domain::s3_path::S3Path;
use crate::job::{Job, Outcome};
use crate::registry::{Grant, Holder};
use crate::setup::{self, NewCatalog, NewConnection, NewStorage};
use crate::tui::effect::Effect;
use crate::tui::field::Field;
use crate::tui::keymap::Action;
use crate::tui::model::{ConnectionForm, FormFocus, Model, Screen, Step, Wizard};
use crate::tui::update::{deploy, draft, home, overlay, prompt, write};
use crossterm::event::KeyEvent;

fn wizard(model: &mut Model) -> Option<&mut Wizard> {
    match &mut model.screen {
        Screen::Wizard(wizard) => Some(wizard),
        _ => None,
    }
}

/// Opens the form for a new connection, filled with what is known already.
pub fn open_form(model: &mut Model) {
    if let Some(refusal) = model.refusal() {
        model.say(format!("No new connection: {refusal}."));
        return;
    }
    let account = model
        .identity
        .value()
        .map(|who| who.account.to_string())
        .unwrap_or_default();
    let vendors = model
        .records()
        .is_some_and(|records| records.platform.broker_of == BrokerOf::Vendor);
    let Some(wizard) = wizard(model) else { return };
    if wizard.connection.form.is_none() {
        wizard.connection.form = Some(ConnectionForm {
            account: Field::with(&account),
            verifier: vendors.then(Field::default),
            ..ConnectionForm::default()
        });
    }
}

/// A key for the form's field.
pub fn typed(model: &mut Model, event: KeyEvent) {
    let due = draft::due(model);
    let Some(wizard) = wizard(model) else { return };
    if let Some(form) = &mut wizard.connection.form {
        form.problem = None;
        if form.focused().key(event) {
            wizard.draft_due = Some(due);
        }
    }
}

/// A paste into the form's field.
pub fn paste(model: &mut Model, text: &str) -> Option<String> {
    let due = draft::due(model);
    let wizard = wizard(model)?;
    wizard.draft_due = Some(due);
    wizard
        .connection
        .form
        .as_mut()
        .and_then(|form| form.focused().paste(text))
}

/// A key that is not text.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    if wizard.connection.form.is_some() {
        return form_act(model, action);
    }
    match action {
        Action::Down => select(model, 1),
        Action::Up => select(model, -1),
        Action::NewConnection => open_form(model),
        Action::Back => wizard.step = Step::Details,
        Action::Delete => delete(model),
        Action::Copy => return copy(model),
        Action::Continue => return choose(model),
        _ => {}
    }
    Vec::new()
}

fn form_act(model: &mut Model, action: Action) -> Vec<Effect> {
    let none = model.records().is_none_or(|r| r.connections.is_empty());
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    let Some(form) = &mut wizard.connection.form else {
        return Vec::new();
    };
    match action {
        Action::NextField | Action::PreviousField => {
            form.focused().leave();
            let forward = action == Action::NextField;
            form.focus = match (form.focus, form.verifier.is_some()) {
                (FormFocus::Name, true) if !forward => FormFocus::Verifier,
                (FormFocus::Name, _) => FormFocus::Account,
                (FormFocus::Account, true) if forward => FormFocus::Verifier,
                (FormFocus::Verifier, _) if !forward => FormFocus::Account,
                _ => FormFocus::Name,
            };
        }
        Action::Back => {
            // With no connection to choose there is nothing behind the form but Details.
            if none {
                wizard.step = Step::Details;
            } else {
                wizard.connection.form = None;
            }
        }
        Action::Continue => return create(model),
        _ => {}
    }
    Vec::new()
}

fn create(model: &mut Model) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    let Some(form) = &mut wizard.connection.form else {
        return Vec::new();
    };
    form.name.leave();
    form.account.leave();
    if let Some(verifier) = &mut form.verifier {
        verifier.leave();
    }
    if let Some(bad) = form.first_bad() {
        form.focus = bad;
        return Vec::new();
    }
    let (Ok(name), Ok(account), Ok(verifier)) = (
        form.name.parse::<ConnectionName>(),
        form.account.parse::<AccountId>(),
        form.verifier(),
    ) else {
        return Vec::new();
    };
    let request = NewConnection {
        account_id: Some(account),
        verifier,
        ..NewConnection::named(name)
    };
    write(
        model,
        "recording the connection",
        Job::Setup(setup::Request::AddConnection(Box::new(request))),
    )
}

fn names(model: &Model) -> Vec<ConnectionName> {
    model
        .records()
        .map(|r| {
            r.connections
                .iter()
                .map(|row| row.connection.name.clone())
                .collect()
        })
        .unwrap_or_default()
}

/// The connection under the pointer.
pub fn selected(model: &Model) -> Option<ConnectionName> {
    let Screen::Wizard(wizard) = &model.screen else {
        return None;
    };
    let names = names(model);
    wizard
        .connection
        .selected
        .clone()
        .filter(|name| names.contains(name))
        .or_else(|| names.first().cloned())
}

fn select(model: &mut Model, by: isize) {
    let names = names(model);
    let at = selected(model)
        .and_then(|name| names.iter().position(|n| *n == name))
        .unwrap_or_default();
    let to = at.saturating_add_signed(by).min(names.len().saturating_sub(1));
    if let Some(wizard) = wizard(model) {
        wizard.connection.selected = names.get(to).cloned();
    }
}

fn delete(model: &mut Model) {
    if let Some(refusal) = model.refusal() {
        model.say(format!("Not deleted: {refusal}."));
        return;
    }
    let name = selected(model);
    let dialog = model
        .records()
        .and_then(|r| {
            r.connections
                .iter()
                .find(|row| Some(&row.connection.name) == name.as_ref())
        })
        .map(|row| home::delete_connection(model, row));
    model.dialog = dialog;
}

/// The connection under the pointer, whole.
pub fn zoom(model: &mut Model) {
    let name = selected(model);
    let row = model.records().and_then(|r| {
        r.connections
            .iter()
            .find(|row| Some(&row.connection.name) == name.as_ref())
    });
    if let Some(row) = row.cloned() {
        overlay::connection(model, &row);
    }
}

fn copy(model: &Model) -> Vec<Effect> {
    let name = selected(model);
    let row = model.records().and_then(|r| {
        r.connections
            .iter()
            .find(|row| Some(&row.connection.name) == name.as_ref())
    });
    row.map(|row| match &row.connection.role_arn {
        Some(arn) => Effect::Copy(arn.to_string()),
        None => Effect::Copy(row.connection.external_id.to_string()),
    })
    .into_iter()
    .collect()
}

/// Records it with the chosen connection.
pub fn choose(model: &mut Model) -> Vec<Effect> {
    let Some(connection) = selected(model) else {
        open_form(model);
        return Vec::new();
    };
    record(model, connection)
}

/// A write of this step has ended.
pub fn written(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match result {
        Ok(Outcome::Setup(setup::Outcome::Connection(connection, advice))) => {
            if let Some(wizard) = wizard(model) {
                wizard.connection.form = None;
                wizard.connection.selected = Some(connection.name.clone());
            }
            for line in advice {
                model.say(line);
            }
            let mut effects = vec![home::reload(model)];
            if wizard(model).is_some_and(|wizard| wizard.step == Step::Deploy) {
                effects.extend(prompt::recorded(model));
                return effects;
            }
            // The connection has been made for this: go on with it.
            effects.extend(record(model, connection.name));
            effects
        }
        Ok(Outcome::Setup(setup::Outcome::Catalog(catalog, advice))) => {
            recorded(model, &Grant::from(&*catalog), advice)
        }
        Ok(Outcome::Setup(setup::Outcome::Storage(storage, advice))) => {
            recorded(model, &Grant::from(&*storage), advice)
        }
        Ok(Outcome::Setup(setup::Outcome::Deleted(stays))) => {
            home::deleted_but(model, &stays);
            vec![home::reload(model)]
        }
        Ok(_) => Vec::new(),
        Err(problem) => {
            if let Some(wizard) = wizard(model) {
                match &mut wizard.connection.form {
                    Some(form) => form.problem = Some(problem),
                    None => wizard.connection.problem = Some(problem),
                }
            }
            Vec::new()
        }
    }
}

/// What was asked for is on record: its stacks come next.
fn recorded(model: &mut Model, grant: &Grant, advice: Vec<String>) -> Vec<Effect> {
    if let Some(wizard) = wizard(model) {
        wizard.recorded = Some(grant.holder.clone());
        wizard.go(Step::Deploy);
    }
    for line in advice {
        model.say(line);
    }
    let mut effects = vec![home::reload(model)];
    effects.extend(draft::keep(model));
    effects.extend(deploy::enter(model, grant));
    effects
}

/// Records what Details has, served by `connection`.
fn record(model: &mut Model, connection: ConnectionName) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    wizard.connection.selected = Some(connection.clone());
    wizard.connection.problem = None;
    let details = &wizard.details;
    let (Ok(typed), Ok(region), Ok(s3_path)) = (
        details.holder(),
        details.own_region(),
        details.s3_path.parse::<S3Path>(),
    ) else {
        wizard.step = Step::Details;
        return Vec::new();
    };
    let is_new = wizard.recorded.is_none();
    let access = Some(details.access);
    let point = setup::PointGiven {
        arn: details.access_point().cloned(),
        ..setup::PointGiven::default()
    };
    let kms_key = details.kms_key().map(ToString::to_string);
    let catalog_kms_key = details.catalog_kms_key().map(ToString::to_string);
    let holder = wizard.recorded.clone().unwrap_or(typed);
    let what = format!("recording the {}", holder.noun());
    let request = match holder {
        Holder::Catalog(name) => {
            let request = NewCatalog {
                name,
                region,
                s3_path: Some(s3_path),
                access_point: Box::new(point),
                access,
                connection: Some(connection),
                databases: Vec::new(),
                kms_key,
                catalog_kms_key,
                without_catalog_kms_key: false,
            };
            if is_new {
                setup::Request::AddCatalog(request)
            } else {
                setup::Request::SetCatalog(request)
            }
        }
        Holder::Storage(name) => {
            let request = NewStorage {
                name,
                s3_path: Some(s3_path),
                access_point: Box::new(point),
                access,
                connection: Some(connection),
                kms_key,
            };
            if is_new {
                setup::Request::AddStorage(request)
            } else {
                setup::Request::SetStorage(request)
            }
        }
    };
    write(model, &what, Job::Setup(request))
}
