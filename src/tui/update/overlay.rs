//! Texts over the screen: help, log, the whole of a long value, and the command-line twin of what is shown.

use crate::domain::problem::Problem;
use crate::domain::text::{scrub, sentence, width};
use crate::setup::ConnectionRow;
use crate::stack;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Binding, Context};
use crate::tui::model::{Listing, Model, Of, Overlay, Pane, Remote, Screen};
use crate::tui::update::{browse as browsing, checks, command, contexts, deploy};
use crate::tui::view::{engines, overlay_end, sides, whole, words};
use crate::verify::is_command;

/// A key while a text lies over the screen.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let page = usize::from(model.size.1.saturating_sub(4).max(1));
    let end = overlay_end(model);
    let Some(overlay) = &mut model.overlay else {
        return Vec::new();
    };
    match action {
        // What a text of the browser shows has a command of its own.
        Action::Command if overlay.of != Of::Nothing => {
            command::show(model);
            return Vec::new();
        }
        Action::NewCatalog if overlay.of == Of::Census => {
            model.overlay = None;
            return browsing::act(model, action);
        }
        Action::Command | Action::NewCatalog => {
            other_key(model);
            return Vec::new();
        }
        Action::Down => overlay.scroll = overlay.scroll.saturating_add(1),
        Action::Up => overlay.scroll = overlay.scroll.saturating_sub(1),
        Action::PageDown => overlay.scroll = overlay.scroll.saturating_add(page),
        Action::PageUp => overlay.scroll = overlay.scroll.saturating_sub(page),
        Action::Top => overlay.scroll = 0,
        Action::Bottom => overlay.scroll = end,
        Action::Copy => {
            let text = overlay.copy.clone().unwrap_or_else(|| overlay.body.clone());
            return vec![Effect::Copy(text)];
        }
        Action::Close => {
            model.overlay = None;
            return Vec::new();
        }
        _ => {}
    }
    // No further than there is something to see: else the way back would begin with keys that do nothing.
    overlay.scroll = overlay.scroll.min(end);
    Vec::new()
}

pub(super) fn show(model: &mut Model, title: impl Into<String>, body: String, copy: Option<String>) {
    model.overlay = Some(Overlay {
        title: title.into(),
        body,
        headings: Vec::new(),
        of: Of::Nothing,
        copy,
        scroll: 0,
    });
}

/// Draws these lines of the text just shown as headings.
pub(super) fn head(model: &mut Model, headings: &[&str]) {
    if let Some(overlay) = &mut model.overlay {
        overlay.headings = headings.iter().map(|line| (*line).to_owned()).collect();
    }
}

/// All keys of this moment, then those that work everywhere.
pub fn help(model: &mut Model) {
    let mut places = contexts(model);
    if places == [Context::Field] {
        places.push(Context::Choice);
    }
    if matches!(model.screen, Screen::Browse(_)) {
        places.extend([Context::Filter, Context::Menu]);
    }
    if !places.contains(&Context::Global) {
        places.push(Context::Global);
    }
    // The keys of all places have one column, as wide as they need.
    let keys = |binding: &Binding| -> String {
        let keys: Vec<String> = binding.keys.iter().map(|key| key.in_words()).collect();
        keys.join(" ")
    };
    let column = places
        .iter()
        .flat_map(|place| model.keymap.bindings(*place))
        .map(|binding| width(&keys(binding)))
        .max()
        .unwrap_or(0);
    let mut lines = Vec::new();
    let mut headings = Vec::new();
    for place in places {
        let heading = match place {
            Context::Global => "Everywhere",
            Context::Field => "In a text field",
            Context::Choice => "On the access choice",
            Context::Filter => "While typing a filter",
            Context::Menu => "In a list to choose from",
            _ => "Here",
        };
        headings.push(heading);
        lines.push(heading.to_owned());
        for binding in model.keymap.bindings(place) {
            lines.push(format!("  {:<column$}  {}", keys(binding), binding.help));
        }
        lines.push(String::new());
    }
    if matches!(&model.screen, Screen::Wizard(wizard) if wizard.stale_from.is_some()) {
        lines.push(
            "(stale) at a step: something before it was changed since. Going through it again makes it good."
                .to_owned(),
        );
        lines.push(String::new());
    }
    lines.push(match &model.no_log {
        None => format!("The log file is {}", model.surroundings.log_file),
        Some(_) => no_log(model),
    });
    show(model, "keys", lines.join("\n"), None);
    head(model, &headings);
}

/// What has been said so far, newest first.
pub fn log(model: &mut Model) {
    let lines: Vec<String> = model
        .log
        .iter()
        .rev()
        .map(|(at, line)| format!("{} {line}", at.clock()))
        .collect();
    let body = if lines.is_empty() {
        "Nothing has been said yet.".to_owned()
    } else {
        lines.join("\n")
    };
    let body = match &model.no_log {
        None => format!("{body}\n\nAll of it is in {}", model.surroundings.log_file),
        Some(_) => format!("{body}\n\n{}", no_log(model)),
    };
    show(model, "log", body, None);
}

fn no_log(model: &Model) -> String {
    format!(
        "There is no log file: {} cannot be written ({})",
        model.surroundings.log_file,
        model.no_log.as_deref().unwrap_or_default()
    )
}

/// A key that means nothing here.
pub fn other_key(model: &mut Model) {
    let key = |action| {
        let key = model.keymap.key(Context::Overlay, action);
        key.map(|key| key.in_words()).unwrap_or_default()
    };
    let line = format!(
        "{} closes this text, {} and {} scroll it, {} copies it: other keys work on what lies behind.",
        key(Action::Close),
        key(Action::Down),
        key(Action::Up),
        key(Action::Copy)
    );
    model.say(line);
}

/// A problem, whole: for what failed where no pane is its own.
pub fn problem(model: &mut Model, title: &str, problem: &Problem) {
    let mut lines = vec![sentence(&problem.what)];
    for (lead, text) in [("", &problem.why), ("Next: ", &problem.next)] {
        if !text.is_empty() {
            lines.extend([String::new(), format!("{lead}{text}")]);
        }
    }
    show(model, title, lines.join("\n"), None);
}

/// The whole link, with nothing beside it, so that it can be selected; below it the way out of another account.
pub fn link(model: &mut Model) {
    let Screen::Wizard(wizard) = &model.screen else {
        return;
    };
    let Some(link) = wizard.deploy.link.value() else {
        return;
    };
    let url = link.leads_to().to_owned();
    let mut body = url.clone();
    if let Some(first) = &link.sign_out_url {
        body.push_str(
            "\n\nIf the browser is signed in to another AWS account, this one signs it out first:\n",
        );
        body.push_str(first);
    }
    if let Some(forwarding) = &model.surroundings.forwarding {
        body.push_str("\n\nThe demo's AWS is on this machine. Over SSH, run this where the browser is, and leave it running:\n");
        body.push_str(forwarding);
    }
    show(model, "link", body, Some(url));
}

/// Where a stack was found.
pub fn found(model: &mut Model, search: &stack::Search) {
    let next: Vec<&str> = search
        .sightings
        .iter()
        .filter_map(|s| s.next.as_deref())
        .collect();
    let commands: Vec<&str> = next
        .iter()
        .flat_map(|next| next.lines())
        .filter(|l| is_command(l))
        .collect();
    let commands: Vec<String> = commands
        .into_iter()
        .map(|line| command::reaching(model, line))
        .collect();
    let copy = Some(commands.join("\n")).filter(|text| !text.is_empty());
    show(model, "all regions", search.lines().join("\n"), copy);
}

/// What Details as filled in will grant, whole.
pub fn grant(model: &mut Model) {
    let Screen::Wizard(wizard) = &model.screen else {
        return;
    };
    let lines: Vec<String> = words::grant(model, &wizard.details)
        .into_iter()
        .map(|(heading, sentence)| format!("{heading:<7}{sentence}"))
        .collect();
    if lines.is_empty() {
        model.say("Name and S3 path come first: they decide what will be granted.");
        return;
    }
    show(model, "what will be granted", lines.join("\n"), None);
}

/// What the stack grants, and why.
pub fn policy(model: &mut Model) {
    let Some((grant, connection)) = deploy::records(model) else {
        return;
    };
    let lines = stack::grant::policy_in_words(&grant, connection);
    show(model, "what is granted, and why", lines.join("\n"), None);
}

/// What is known about a connection.
pub fn connection(model: &mut Model, row: &ConnectionRow) {
    let column = words::CONNECTION_LABELS;
    let lines: Vec<String> = words::connection(row)
        .into_iter()
        .map(|(label, value)| format!("{label:<column$}{value}"))
        .collect();
    let copy = row.connection.role_arn.as_ref().map(ToString::to_string);
    show(
        model,
        format!("connection {}", row.connection.name),
        lines.join("\n"),
        copy,
    );
}

/// Whether the caller can deploy here, check by check.
pub fn preflight(model: &mut Model) {
    let Screen::Wizard(wizard) = &model.screen else {
        return;
    };
    let body = match &wizard.deploy.preflight {
        Remote::Failed { problem, .. } => format!("{problem}\n{}", problem.next),
        other => match other.value() {
            Some(checks) => checks::text(checks, "Nothing keeps this caller from deploying here."),
            None if *other == Remote::Idle => {
                model.say("Not looked at: both stacks are made.");
                return;
            }
            None => {
                model.say("It is being looked at.");
                return;
            }
        },
    };
    show(model, "preflight", body, None);
}

/// The whole of what is selected in the browser.
pub fn browse(model: &mut Model) {
    let Screen::Browse(browse) = &model.screen else {
        return;
    };
    let of = if browse.pane == Pane::Databases {
        Of::Nothing
    } else {
        Of::Table
    };
    let lines = match browse.pane {
        Pane::Databases => browse.databases.value().and_then(Listing::selected).map(|row| {
            let mut lines = vec![words::exact(&row.name)];
            lines.extend(
                row.link
                    .as_ref()
                    .map(|link| format!("→ {}", scrub(&link.to_string()))),
            );
            lines.extend(row.description.as_deref().map(words::prose));
            lines.extend(row.notes.iter().map(|note| format!("! {}", note.text)));
            lines
        }),
        Pane::Tables | Pane::Schema => browse
            .tables
            .value()
            .and_then(Listing::selected)
            .map(|row| whole::lines(row, browse.schema_of(&row.name), browse.schema_problem(&row.name))),
    };
    if let Some(lines) = lines {
        let name = lines.first().cloned().unwrap_or_default();
        // The way here stands before it in the head: its own name is enough.
        show(model, name.clone(), lines.join("\n"), None);
        let headings: Vec<&str> = [name.as_str()].into_iter().chain(whole::HEADINGS).collect();
        head(model, &headings);
        about(model, of);
    }
}

/// Which engines read the table under the pointer.
pub fn lens(model: &mut Model) {
    let Screen::Browse(browse) = &model.screen else {
        return;
    };
    let Some((title, lines)) = engines::lens(browse) else {
        model.say("The lens looks at a table: choose one first.");
        return;
    };
    let heading = lines.first().cloned().unwrap_or_default();
    show(model, title, lines.join("\n"), None);
    head(model, &[&heading]);
    about(model, Of::Lens);
}

/// The sides of the table under the pointer: Glue, its metadata, one of its data files.
pub fn data_file(model: &mut Model) {
    let Screen::Browse(browse) = &model.screen else {
        return;
    };
    let row = browse.tables.value().and_then(Listing::selected);
    let Some(row) = row else { return };
    let lines = sides::lines(
        &row.name,
        browse.schema_of(&row.name),
        browse.schema_problem(&row.name),
        browse.schema.loading_since().is_some(),
    );
    let name = lines.first().cloned().unwrap_or_default();
    show(model, "data file", lines.join("\n"), None);
    let headings: Vec<&str> = [name.as_str()].into_iter().chain(sides::HEADINGS).collect();
    head(model, &headings);
    about(model, Of::Sides);
}

/// The catalog, counted, as far as that is.
pub fn census(model: &mut Model) {
    let Screen::Browse(browse) = &model.screen else {
        return;
    };
    let connected = |prefix: &str| browsing::connected(model, prefix);
    let lines = engines::census(browse, model.now.since_start, connected);
    show(model, "census", lines.join("\n"), None);
    head(model, &engines::HEADINGS);
    about(model, Of::Census);
}

fn about(model: &mut Model, of: Of) {
    if let Some(overlay) = &mut model.overlay {
        overlay.of = of;
    }
}

/// More has come about what is looked at whole: it is shown, at the place that has been scrolled to.
pub fn refresh(model: &mut Model) {
    let Some((of, scroll)) = model.overlay.as_ref().map(|o| (o.of, o.scroll)) else {
        return;
    };
    match of {
        Of::Nothing => return,
        Of::Table => browse(model),
        Of::Lens => lens(model),
        Of::Sides => data_file(model),
        Of::Census => census(model),
    }
    if let Some(overlay) = &mut model.overlay {
        overlay.scroll = scroll;
    }
}
