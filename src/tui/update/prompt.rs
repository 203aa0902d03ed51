//! The texts that the Deploy step asks for: a role for CloudFormation to work with, a permissions boundary.

use crate::domain::arn::{PolicyArn, RoleArn};
use crate::job::Job;
use crate::setup::{self, NewConnection};
use crate::tui::effect::Effect;
use crate::tui::field::Field;
use crate::tui::keymap::Action;
use crate::tui::model::{Half, Model, Prompt, PromptFor, Remote};
use crate::tui::update::deploy::{records, serving, wizard};
use crate::tui::update::{deploy, write};
use crossterm::event::KeyEvent;

/// Asks for it.
pub fn open(model: &mut Model, of: PromptFor) {
    if let Some(refusal) = model.refusal() {
        model.say(format!("Not deployed: {refusal}."));
        return;
    }
    let known = records(model).and_then(|(_, connection)| connection.permissions_boundary.clone());
    let Some(wizard) = wizard(model) else { return };
    let text = match of {
        PromptFor::ServiceRole => wizard.deploy.role_arn.as_ref().map(ToString::to_string),
        PromptFor::Boundary if wizard.deploy.half != Half::Connection => {
            model.say(
                "The role is made: a boundary is set by glueup connection set, and by deploying it again.",
            );
            return;
        }
        PromptFor::Boundary => known.map(|arn| arn.to_string()),
    };
    wizard.deploy.prompt = Some(Prompt {
        of,
        field: Field::with(&text.unwrap_or_default()),
    });
}

fn field(model: &mut Model) -> Option<&mut Field> {
    Some(&mut wizard(model)?.deploy.prompt.as_mut()?.field)
}

/// A key for the field.
pub fn typed(model: &mut Model, event: KeyEvent) {
    if let Some(field) = field(model) {
        field.key(event);
    }
}

/// A paste into the field.
pub fn paste(model: &mut Model, text: &str) -> Option<String> {
    field(model)?.paste(text)
}

/// A key that is not text.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    match action {
        Action::Continue => give(model),
        Action::Back => {
            wizard.deploy.prompt = None;
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn give(model: &mut Model) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    let Some(prompt) = &mut wizard.deploy.prompt else {
        return Vec::new();
    };
    prompt.field.leave();
    if prompt.error().is_some() {
        return Vec::new();
    }
    let (of, field) = (prompt.of, prompt.field.clone());
    wizard.deploy.prompt = None;
    match of {
        PromptFor::ServiceRole => {
            wizard.deploy.role_arn = field.parse::<RoleArn>().ok();
            wizard.deploy.preflight = Remote::Idle;
            deploy::preflight(model).into_iter().collect()
        }
        PromptFor::Boundary => match (field.parse::<PolicyArn>(), serving(model)) {
            (Ok(arn), Some(name)) => {
                let change = NewConnection {
                    permissions_boundary: Some(arn.to_string()),
                    ..NewConnection::named(name)
                };
                let job = Job::Setup(setup::Request::SetConnection(Box::new(change)));
                write(model, "recording the boundary", job)
            }
            _ => Vec::new(),
        },
    }
}

/// The connection's record was changed from here: its stack is to be made as it says now.
pub fn recorded(model: &mut Model) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    wizard.deploy.preflight = Remote::Idle;
    let half = wizard.deploy.half;
    deploy::begin(model, half)
}
