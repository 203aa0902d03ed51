//! Signing in while the screen stands: codes that are asked for, and AWS SSO when its token has ended.

use crate::cloud::{CodeWanted, sso_login};
use crate::domain::mfa_code::MfaCode;
use crate::job::Job;
use crate::tui::effect::{Effect, Slot};
use crate::tui::keymap::{Action, Context, Key};
use crate::tui::model::{CodeForm, Model, Screen, Step};
use crate::tui::msg::LoggedIn;
use crate::tui::update::{browse, deploy, details, draft, overlay, verify};
use crossterm::event::{KeyCode, KeyEvent};

/// Somebody below needs a code. Questions wait for each other.
pub fn code_wanted(model: &mut Model, number: u64, wanted: CodeWanted) {
    model.codes.push_back(CodeForm::new(number, wanted));
}

/// The open question, where it has the keys.
fn open(model: &mut Model) -> Option<&mut CodeForm> {
    model.question()?;
    model.codes.front_mut()
}

/// The open question takes the typed keys itself; Enter and Esc stay the table's, and so do control keys that mean
/// nothing in a line.
pub fn takes(model: &mut Model, event: KeyEvent) -> bool {
    let suspends = model.keymap.action(Context::Global, Key::from(event)) == Some(Action::Suspend);
    let Some(form) = open(model).filter(|_| !suspends) else {
        return false;
    };
    if matches!(event.code, KeyCode::Enter | KeyCode::Esc | KeyCode::F(_)) {
        return false;
    }
    form.said = None;
    form.typed.key(event);
    true
}

/// A paste into the open question; false when there is none.
pub fn paste(model: &mut Model, text: &str) -> bool {
    let Some(form) = open(model) else {
        return false;
    };
    form.said = None;
    form.typed.paste(text);
    true
}

/// A key of the open question.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(form) = open(model) else {
        return Vec::new();
    };
    let code = match action {
        Action::Accept => match form.typed.parse::<MfaCode>() {
            Ok(code) => Some(code),
            Err(why) => {
                form.typed.set("");
                form.said = Some(format!(
                    "The {} {}. Expected: {}.",
                    why.part, why.why, why.expected
                ));
                return Vec::new();
            }
        },
        Action::No => None,
        _ => return Vec::new(),
    };
    let number = form.number;
    model.codes.pop_front();
    vec![Effect::Code(number, code)]
}

/// The key that signs in: what was typed so far is kept first, since the screen is left meanwhile.
pub fn login(model: &mut Model) -> Vec<Effect> {
    let Some(profile) = model.login.clone() else {
        model.say("No profile needs to sign in again.");
        return Vec::new();
    };
    let mut effects = draft::keep(model);
    effects.push(Effect::Login(profile));
    effects
}

/// `aws sso login` has ended, or could not begin.
pub fn logged_in(model: &mut Model, profile: &str, ended: LoggedIn) -> Vec<Effect> {
    match ended {
        LoggedIn::Yes => {
            model.say("aws sso login is through; AWS is asked again who we are.");
            return vec![again(model)];
        }
        LoggedIn::No(why) => model.say(format!("aws sso login did not sign in: {why}")),
        LoggedIn::NoProgram => {
            let command = sso_login(Some(profile));
            let again = model.keymap.word(Context::Home, Action::Refresh);
            let body = format!(
                "The AWS CLI (aws) is not on the PATH of this terminal. Run this where it is:\n\n{command}\n\nThen \
                 {again} on the home screen asks again; nothing typed here is lost."
            );
            overlay::show(model, "sign in", body, Some(command));
        }
    }
    Vec::new()
}

/// Asks anew who we are, with credentials asked for anew.
pub fn again(model: &mut Model) -> Effect {
    model.identity.load(model.now.since_start);
    model.slots.run(Slot::Identity, Job::SignInAgain)
}

/// Signed in again: what failed on the screen because of it is tried again. What writes waits for the user.
pub fn retry(model: &mut Model) -> Vec<Effect> {
    if !std::mem::take(&mut model.logged_out) {
        return Vec::new();
    }
    match &model.screen {
        Screen::Home => Vec::new(),
        Screen::Browse(_) => browse::act(model, Action::Refresh),
        Screen::Wizard(wizard) => match wizard.step {
            Step::Deploy => deploy::act(model, Action::Refresh),
            Step::Verify if !model.slots.is_running(Slot::Verify) => verify::act(model, Action::Again),
            Step::Details => details::advise_again(model),
            Step::Connection | Step::Verify => Vec::new(),
        },
    }
}
