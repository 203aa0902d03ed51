//! The home screen: catalogs and connections, and what can be done with them.

use crate::browse::own_catalog;
use crate::domain::problem::Problem;
use crate::domain::text::{capital, sentence};
use crate::job::{Job, Outcome};
use crate::registry::{DraftOf, Grant, GrantKind, Stage};
use crate::report::Ask;
use crate::setup;
use crate::stack::look::Sight;
use crate::stack::{self, Target};
use crate::tui::effect::{Effect, Slot};
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Dialog, DialogFor, HomeRow, Model, Remote, Screen};
use crate::tui::update::{browse, command, doctor, overlay, sign_in, stacks, wizard, write};

/// Reads the records again; what is shown stays until they have come.
pub fn reload(model: &mut Model) -> Effect {
    model.overview.load(model.now.since_start);
    model
        .slots
        .run(Slot::Overview, Job::Setup(setup::Request::Overview))
}

/// Looks at the stacks of all records, in the background: one may be gone, or made while nobody watched.
pub fn look(model: &mut Model) -> Option<Effect> {
    let at_home = matches!(model.screen, Screen::Home) && model.writing.is_none();
    if !at_home || model.identity.value().is_none() {
        return None;
    }
    // What is gone stays gone, though its record does not know of it any more.
    model.sights.retain(|sight| matches!(sight, Sight::Gone(_)));
    Some(model.slots.run(Slot::Stacks, Job::Stack(stack::Request::Look)))
}

/// A stack is not as its record says.
pub fn seen(model: &mut Model, sight: Sight) -> Vec<Effect> {
    model.sights.retain(|before| before.target() != sight.target());
    let effects = match &sight {
        Sight::Gone(gone) => {
            // In the demo a key is nearer than what leads a shell there.
            let again = match model.surroundings.demo {
                true => {
                    let open = model.keymap.word(Context::Home, Action::Open);
                    let here = model.keymap.word(Context::Deploy, Action::DeployHere);
                    format!("{open} on {}, then {here}, deploys it again.", gone.target.name())
                }
                false => command::reaching(model, &gone.command()),
            };
            model.say(format!("{}: {again}", capital(&gone.words())));
            vec![reload(model)]
        }
        Sight::Made(target) => {
            model.say(format!("The stack of {} is made.", target.name()));
            vec![reload(model)]
        }
        Sight::Stands(..) | Sight::Unlike(_) | Sight::AsSaid(_) => Vec::new(),
    };
    model.sights.push(sight);
    effects
}

/// The records have come, or not.
pub fn loaded(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match result {
        Ok(Outcome::Setup(setup::Outcome::Overview(overview))) => {
            let draft = overview.drafts.first().cloned();
            let first = model.overview.value().is_none();
            model.overview.ready(overview, model.now.since_start);
            if first && let Some(draft) = draft {
                return wizard::resume(model, &draft);
            }
            wizard::records_changed(model)
        }
        Ok(_) => Vec::new(),
        Err(problem) => {
            model.overview.fail(problem);
            Vec::new()
        }
    }
}

/// A key on the home screen.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Down => select(model, 1),
        Action::Up => select(model, -1),
        Action::Top => select(model, isize::MIN),
        Action::Bottom => select(model, isize::MAX),
        Action::Refresh if matches!(model.identity, Remote::Failed { .. }) || model.login.is_some() => {
            return vec![reload(model), sign_in::again(model)];
        }
        Action::Refresh => {
            let mut effects = vec![reload(model)];
            effects.extend(look(model));
            return effects;
        }
        Action::NewCatalog => return begin(model, GrantKind::Catalog),
        Action::NewStorage => return begin(model, GrantKind::Storage),
        Action::Open => return open(model),
        Action::Verify => return verify(model),
        Action::Browse => return browse(model),
        Action::BrowseOwn => return browse_as_caller(model),
        Action::Delete => delete(model),
        Action::Doctor => return vec![doctor::open(model)],
        Action::DeleteStack => return stacks::delete_of_row(model),
        _ => {}
    }
    Vec::new()
}

fn select(model: &mut Model, by: isize) {
    let last = model.home_rows().len().saturating_sub(1);
    let to = model.home_index().saturating_add_signed(by).min(last);
    model.home_selected = model.home_rows().get(to).map(HomeRow::key);
}

/// The key that begins a new one.
pub fn new_key(kind: GrantKind) -> Action {
    match kind {
        GrantKind::Catalog => Action::NewCatalog,
        GrantKind::Storage => Action::NewStorage,
    }
}

/// A new catalog or storage integration.
fn begin(model: &mut Model, kind: GrantKind) -> Vec<Effect> {
    if let Some(refusal) = model.refusal() {
        model.say(format!("Not connected: {refusal}."));
        return Vec::new();
    }
    // What was typed before and has no record yet is not lost by starting anew.
    let kept = model.records().and_then(|records| {
        let mut drafts = records.drafts.iter();
        drafts.find(|draft| draft.of == DraftOf::New(kind)).cloned()
    });
    match kept {
        Some(kept) => wizard::resume(model, &kept),
        None => wizard::start(model, kind),
    }
}

fn verify(model: &mut Model) -> Vec<Effect> {
    match model.home_row().as_ref().and_then(HomeRow::grant) {
        Some(row) => wizard::open_at_verify(model, &row),
        None => {
            if model.home_row().is_some() {
                model.say("That works on a catalog or a storage integration: choose one above.");
            }
            Vec::new()
        }
    }
}

fn browse(model: &mut Model) -> Vec<Effect> {
    match model.home_row() {
        Some(HomeRow::Catalog(row)) => {
            let row = row.clone();
            browse::open(model, row)
        }
        Some(_) => {
            model.say("That works on a catalog: choose one above.");
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Before any grant: the catalog that is chosen, else the caller's own Glue.
fn browse_as_caller(model: &mut Model) -> Vec<Effect> {
    if let Some(problem) = model.identity.problem() {
        model.say(format!("Not browsed: {}.", problem.what));
        return Vec::new();
    }
    let chosen = match model.home_row() {
        Some(HomeRow::Catalog(row)) => Some(row.catalog.name.clone()),
        _ => own_catalog(),
    };
    chosen
        .map(|catalog| browse::open_as_caller(model, catalog))
        .unwrap_or_default()
}

fn open(model: &mut Model) -> Vec<Effect> {
    match model.home_row() {
        Some(HomeRow::Catalog(row)) if row.stage == Stage::Ready => {
            let row = row.clone();
            browse::open(model, row)
        }
        Some(HomeRow::Connection(row)) => {
            let row = row.clone();
            overlay::connection(model, &row);
            Vec::new()
        }
        Some(row) => row
            .grant()
            .map(|row| wizard::open(model, &row))
            .unwrap_or_default(),
        None => begin(model, GrantKind::Catalog),
    }
}

fn delete(model: &mut Model) {
    if let Some(refusal) = model.refusal() {
        model.say(format!("Not deleted: {refusal}."));
        return;
    }
    let dialog = match model.home_row() {
        Some(HomeRow::Catalog(row)) => {
            let touch = "touch tables or files";
            Some(delete_grant(model, &Grant::from(&row.catalog), touch))
        }
        Some(HomeRow::Storage(row)) => Some(delete_grant(model, &Grant::from(&row.storage), "touch files")),
        Some(HomeRow::Connection(row)) => Some(delete_connection(model, row)),
        None => None,
    };
    model.dialog = dialog;
}

/// The dialog for deleting the record of a catalog or a storage integration.
fn delete_grant(model: &Model, grant: &Grant, touch: &str) -> Dialog {
    Dialog::new(
        Ask {
            title: format!("Delete the {} {} from glueup?", grant.holder.noun(), grant.holder),
            will: vec!["delete the record here".into()],
            will_not: grant_stays(model, grant)
                .into_iter()
                .chain([touch.to_owned()])
                .collect(),
            yes: "delete".into(),
            acknowledge: None,
            type_to_confirm: None,
        },
        DialogFor::Delete(grant.holder.clone()),
    )
}

/// What deleting a grant's record leaves in AWS: its stack, if it was ever made; where a role that was there before serves
/// it, that role.
fn grant_stays(model: &Model, grant: &Grant) -> Option<String> {
    let serving = model.records().and_then(|records| {
        let named = |serving: &&setup::ConnectionRow| serving.connection.name == grant.connection;
        records.connections.iter().find(named)
    });
    let role = serving
        .filter(|serving| serving.connection.adopted && !grant.is_made())
        .and_then(|serving| serving.connection.role_arn.as_ref());
    match role {
        Some(role) => Some(format!("touch the role {role}")),
        None => grant.is_made().then(|| {
            let first = stack_first(model, &Target::Grant(grant.holder.clone()));
            format!(
                "delete the stack {}: its policy stays in AWS; {first}",
                grant.stack_name
            )
        }),
    }
}

/// That a stack which is to go too goes before its record: after it only CloudFormation itself knows the stack.
fn stack_first(model: &Model, target: &Target) -> String {
    let key = model.keymap.word(Context::Home, Action::DeleteStack);
    let first = format!("if it is to go too, that comes first: {key} on the home screen");
    // In the demo it is nearer than what leads a shell there.
    if model.surroundings.demo {
        return first;
    }
    format!(
        "{first}, or {}",
        command::reaching(model, &target.delete_command())
    )
}

/// The dialog for deleting a connection: blocked while a catalog is bound, with the list.
pub fn delete_connection(model: &Model, row: &setup::ConnectionRow) -> Dialog {
    let name = &row.connection.name;
    if !row.catalogs.is_empty() || !row.storages.is_empty() {
        let mut will: Vec<String> = vec!["These are bound to it; delete them first:".into()];
        will.extend(row.catalogs.iter().map(|catalog| format!("  {catalog}")));
        will.extend(
            row.storages
                .iter()
                .map(|storage| format!("  {storage} (storage integration)")),
        );
        return Dialog::new(
            Ask {
                title: format!("The connection {name} cannot be deleted."),
                will,
                will_not: Vec::new(),
                yes: String::new(),
                acknowledge: None,
                type_to_confirm: None,
            },
            DialogFor::Acknowledge,
        );
    }
    Dialog::new(
        Ask {
            title: format!("Delete the connection {name} from glueup?"),
            will: vec!["delete the record here, with its external ID".into()],
            will_not: match (&row.connection.role_arn, row.connection.adopted) {
                (Some(role), true) => vec![format!("touch the role {role}")],
                // Nothing was made, so nothing stays.
                (None, _) if row.connection.stack_id.is_none() => Vec::new(),
                _ => vec![format!(
                    "delete the stack {}: its role stays in AWS; {}",
                    row.connection.stack_name,
                    stack_first(model, &Target::Connection(name.clone()))
                )],
            },
            yes: "delete".into(),
            acknowledge: None,
            type_to_confirm: None,
        },
        DialogFor::DeleteConnection(name.clone()),
    )
}

/// The answer to a delete dialog was yes.
pub fn deleted(model: &mut Model, request: setup::Request, what: &str) -> Vec<Effect> {
    write(model, what, Job::Setup(request))
}

/// Says that a record is deleted, and what stays.
pub fn deleted_but(model: &mut Model, stays: &[String]) {
    let sentences = stays.iter().map(|line| sentence(&capital(line)));
    let told: Vec<String> = std::iter::once("Deleted.".to_owned()).chain(sentences).collect();
    model.say(told.join(" "));
}

/// A write that was started outside the wizard has ended.
pub fn written(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match result {
        Ok(Outcome::Setup(setup::Outcome::Deleted(lines))) => {
            deleted_but(model, &lines);
        }
        Ok(_) => {}
        Err(problem) => model.say_problem(&problem),
    }
    if matches!(model.screen, Screen::Home) {
        vec![reload(model)]
    } else {
        Vec::new()
    }
}
