//! The command-line twin of what is on the screen, each argument quoted for a shell.

use crate::domain::fqn::Fqn;
use crate::domain::quote::shell;
use crate::registry::GrantKind;
use crate::tui::model::{Browse, Half, HomeRow, Model, Of, Pane, Screen, Step, Wizard};
use crate::tui::update::{browse as browsing, connection, deploy, overlay};

/// Shows the command lines that do what is on the screen.
pub fn show(model: &mut Model) {
    let lines: Vec<String> = command_lines(model)
        .into_iter()
        .map(|line| led(model, &line))
        .collect();
    let copied = lines.join("\n");
    let mut body = lines.join("\n\n");
    if model.surroundings.demo {
        body.push_str(
            "\n\nThis reaches the demo's own records and its AWS, for as long as the demo runs. Its keys stay in that shell.",
        );
    }
    overlay::show(model, "command line", body, Some(copied));
}

/// A command line as it works from a shell: after what leads that one to the AWS of these records.
fn led(model: &Model, line: &str) -> String {
    match &model.surroundings.command_before {
        Some(before) => format!("{before} && {line}"),
        None => line.to_owned(),
    }
}

/// A command line that begins with `glueup` or `aws`, made to reach these records and their AWS.
pub fn reaching(model: &Model, line: &str) -> String {
    let prefix = &model.surroundings.command_prefix;
    let shared = |flag: &str| ["--profile", "--endpoint-url"].contains(&flag);
    let (program, rest, flags) = match (line.strip_prefix("glueup "), line.strip_prefix("aws ")) {
        (Some(rest), _) => ("glueup", rest, prefix.clone()),
        // The AWS CLI knows some of our flags.
        (_, Some(rest)) => {
            let pairs = prefix
                .windows(2)
                .filter(|pair| pair.first().is_some_and(|flag| shared(flag)));
            ("aws", rest, pairs.flatten().cloned().collect())
        }
        (None, None) => return line.to_owned(),
    };
    let flags: Vec<String> = flags.iter().map(|word| format!("{} ", shell(word))).collect();
    led(model, &format!("{program} {}{rest}", flags.concat()))
}

/// The command lines that do what is on the screen, in their order.
pub fn command_lines(model: &Model) -> Vec<String> {
    let commands: Vec<Vec<String>> = match &model.screen {
        Screen::Home => vec![home(model)],
        Screen::Wizard(wizard) => match wizard.step {
            Step::Details => vec![record(
                wizard,
                connection::selected(model).as_ref().map(AsRef::as_ref),
            )],
            Step::Connection => match &wizard.connection.form {
                // What Enter does in the form: the connection first, then what is bound to it.
                Some(form) => {
                    let [name, account] = [&form.name, &form.account].map(|field| field.text().trim());
                    let mut add = words(&["connection", "add"]);
                    add.extend(flag("--name", name));
                    add.extend(words(&["--account-id", account]));
                    let verifier = form.verifier.as_ref().map_or("", |field| field.text().trim());
                    if !verifier.is_empty() {
                        add.extend(flag("--verifier", verifier));
                    }
                    vec![add, record(wizard, Some(name))]
                }
                None => vec![record(
                    wizard,
                    connection::selected(model).as_ref().map(AsRef::as_ref),
                )],
            },
            Step::Deploy => vec![stack(model, wizard)],
            Step::Verify => vec![verify(wizard)],
        },
        Screen::Browse(browse) => {
            let of = model.overlay.as_ref().map_or(Of::Nothing, |overlay| overlay.of);
            let fqn = browsed(browse, of);
            let verb = match of {
                Of::Census => "census",
                Of::Lens => "lens",
                Of::Sides => "schema",
                Of::Table | Of::Nothing if fqn.table.is_some() => "schema",
                Of::Table | Of::Nothing => "ls",
            };
            let flags = [(of == Of::Sides, "--file"), (browse.as_caller, "--as-caller")];
            let flags = flags.iter().filter(|(is, _)| *is);
            let flags = flags.map(|(_, flag)| (*flag).to_owned()).collect();
            vec![on(&[verb], &fqn.to_string(), flags)]
        }
    };
    let line = |command: Vec<String>| {
        let prefix = &model.surroundings.command_prefix;
        let all = std::iter::once("glueup").chain(prefix.iter().map(String::as_str));
        let all = all.chain(command.iter().map(String::as_str));
        all.map(shell).collect::<Vec<_>>().join(" ")
    };
    commands.into_iter().map(line).collect()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// A command on a record: the flags behind its name, or before it where it begins with a hyphen and would be one itself.
fn on(command: &[&str], name: &str, flags: Vec<String>) -> Vec<String> {
    let mut all = words(command);
    if name.starts_with('-') {
        all.extend(flags);
        all.extend(words(&["--", name]));
    } else {
        all.push(name.to_owned());
        all.extend(flags);
    }
    all
}

/// A flag and its value: in one word where the value begins with a hyphen, which is no flag.
fn flag(flag: &str, value: &str) -> Vec<String> {
    if value.starts_with('-') {
        vec![format!("{flag}={value}")]
    } else {
        words(&[flag, value])
    }
}

fn home(model: &Model) -> Vec<String> {
    match model.home_row() {
        Some(HomeRow::Connection(row)) => {
            on(&["connection", "show"], row.connection.name.as_str(), Vec::new())
        }
        Some(HomeRow::Catalog(row)) => on(&["catalog", "show"], row.catalog.name.as_str(), Vec::new()),
        Some(HomeRow::Storage(row)) => on(&["storage", "show"], row.storage.name.as_str(), Vec::new()),
        None => words(&["catalog", "list"]),
    }
}

/// Records what Details has, or changes the record that there is.
fn record(wizard: &Wizard, connection: Option<&str>) -> Vec<String> {
    let details = &wizard.details;
    let texts = [details.name.text(), details.region.text(), details.s3_path.text()];
    let [name, region, path] = texts.map(str::trim);
    let kind = details.kind;
    let mut flags = Vec::new();
    if kind == GrantKind::Catalog {
        flags.extend(words(&["--region", region]));
    }
    let access = details.access.to_string();
    flags.extend(words(&["--s3-path", path, "--access", &access]));
    let connection = connection.filter(|name| !name.is_empty()).unwrap_or("NAME");
    flags.extend(flag("--connection", connection));
    if let Some(key) = details.kms_key() {
        flags.extend(words(&["--kms-key", key.as_ref()]));
    }
    if let Some(key) = details.catalog_kms_key() {
        flags.extend(words(&["--catalog-kms-key", key.as_ref()]));
    }
    match &wizard.recorded {
        Some(recorded) => on(&[kind.verb(), "set"], recorded.name(), flags),
        None => [words(&[kind.verb(), "add"]), flag("--name", name), flags].concat(),
    }
}

fn verify(wizard: &Wizard) -> Vec<String> {
    match wizard.details.kind {
        GrantKind::Catalog => on(&["verify"], wizard.name(), Vec::new()),
        GrantKind::Storage => on(&["storage", "verify"], wizard.name(), Vec::new()),
    }
}

fn stack(model: &Model, wizard: &Wizard) -> Vec<String> {
    let connection = deploy::serving(model);
    let role = wizard.deploy.role_arn.as_ref();
    let flags = role.map_or_else(Vec::new, |arn| words(&["--role-arn", arn.as_str()]));
    match wizard.deploy.half {
        Half::Connection => {
            let name = connection.as_ref().map_or("NAME", |name| name.as_str());
            on(&["deploy", "connection"], name, flags)
        }
        _ => on(&["deploy", wizard.details.kind.verb()], wizard.name(), flags),
    }
}

/// What is browsed: the census is about all of it, the lens about a table whichever pane has the keys.
fn browsed(browse: &Browse, of: Of) -> Fqn {
    let inside = of == Of::Lens || (of != Of::Census && browse.pane != Pane::Databases);
    let database = browse.open_database.clone().filter(|_| inside);
    let table = browsing::table_under_pointer(browse).filter(|_| database.is_some());
    Fqn {
        catalog: browse.catalog.clone(),
        database,
        table,
    }
}
