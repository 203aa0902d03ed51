//! What `!` shows does what is on the screen, on the records that are on it.

use super::fixtures::*;
use super::keys::words;
use super::states::build::*;
use clap::Parser;
use crossterm::event::KeyCode;
use glueup::cli::{Cli, demo::leads_to};
use glueup::domain::quote::{operand, option};
use glueup::job::Job;
use glueup::registry::{Draft, DraftOf, GrantKind, Holder, Stage};
use glueup::setup::{Overview, Request};
use glueup::stack::Target;
use glueup::tui::effect::Effect;
use glueup::tui::model::{Screen, Wizard};
use glueup::tui::update::command_lines;

fn wizard(story: &Story) -> &Wizard {
    match &story.model.screen {
        Screen::Wizard(wizard) => wizard,
        other => panic!("not in the wizard: {other:?}"),
    }
}

const ADD: &str = "glueup catalog add --name 'Lake House' --region us-west-2 --s3-path s3://acme-lake/warehouse \
                   --access read-only --connection";

#[test]
fn in_the_demo_the_command_reaches_the_demo() {
    let mut story = Story::with(in_use());
    story.model.surroundings.command_prefix = vec!["--home".into(), "/home/ada/my demo".into()];
    story.model.surroundings.command_before = Some(leads_to("4566"));
    story.press("!");
    let overlay = story.model.overlay.as_ref().unwrap();
    let line = "eval \"$(glueup demo --env --port 4566)\" && glueup --home '/home/ada/my demo' catalog show 'Lake House'";
    assert_eq!(overlay.copy.as_deref(), Some(line));
    assert!(overlay.body.starts_with(line), "{}", overlay.body);
    assert!(
        overlay.body.contains("the demo's own records"),
        "{}",
        overlay.body
    );
}

#[test]
fn in_the_form_for_a_connection_it_is_recorded_before_the_catalog() {
    let mut story = connection_form();
    story.press("sales");
    assert_eq!(
        command_lines(&story.model),
        [
            "glueup connection add --name sales --account-id 012345678901".to_owned(),
            format!("{ADD} sales")
        ]
    );
}

#[test]
fn the_connection_under_the_pointer_is_named_and_none_that_is_gone() {
    let mut story = Story::with(in_use());
    story
        .press("n")
        .press("Lake House")
        .tab()
        .tab()
        .press("s3://acme-lake/warehouse")
        .enter();
    assert_eq!(command_lines(&story.model), [format!("{ADD} sales-prod")]);
    story.key(KeyCode::Down);
    assert_eq!(command_lines(&story.model), [format!("{ADD} old-trial")]);
    // Somebody deletes it meanwhile.
    let mut overview = in_use();
    overview.connections.truncate(1);
    story.press("r");
    story.effects.clear();
    let effect = glueup::tui::update::update(&mut story.model, at(9), glueup::tui::msg::Msg::Started);
    story.effects.extend(effect);
    story.records(overview);
    assert_eq!(command_lines(&story.model), [format!("{ADD} sales-prod")]);
}

#[test]
fn the_key_of_an_encrypted_catalog_is_recorded_with_it() {
    let mut story = details_of_a_catalog(in_use(), Some(KEY));
    story.enter();
    assert_eq!(
        command_lines(&story.model),
        [format!("{ADD} sales-prod --catalog-kms-key {KEY}")]
    );
    story.effects.clear();
    story.enter();
    let recorded = story.effects.iter().any(|effect| {
        let Effect::Run(_, job) = effect else { return false };
        matches!(&**job, Job::Setup(Request::AddCatalog(new))
            if new.catalog_kms_key.as_deref() == Some(KEY) && new.kms_key.is_none())
    });
    assert!(recorded, "{:?}", story.effects);
}

#[test]
fn a_recorded_catalog_is_changed_and_keeps_its_name() {
    let mut story = deploy_waiting();
    story.key(KeyCode::Esc).key(KeyCode::Esc).press("x");
    assert_eq!(wizard(&story).details.name.text(), "日本 raw");
    let (_, said) = story.model.log.back().unwrap();
    assert!(said.contains("keeps its name"), "{said}");
    story.tab().tab().press("/deep");
    let line = &command_lines(&story.model)[0];
    assert!(
        line.starts_with("glueup catalog set '日本 raw' --region us-west-2"),
        "{line}"
    );
    assert!(line.contains("warehouse/deep"), "{line}");
}

/// The first start after the program was killed with this draft on disk.
fn resumed(records: Overview, fields: &[(&str, &str)]) -> Story {
    let mut draft = Draft {
        of: DraftOf::New(GrantKind::Catalog),
        step: Stage::Connection,
        fields: Default::default(),
        at: at(0).wall,
    };
    let details = [
        ("name", "Lake House"),
        ("region", "us-west-2"),
        ("s3_path", "s3://acme-lake/warehouse"),
        ("access", "read-only"),
    ];
    for (name, value) in details.iter().chain(fields) {
        draft.fields.insert((*name).to_owned(), (*value).to_owned());
    }
    let mut story = Story::new();
    story.records(Overview {
        drafts: vec![draft],
        ..records
    });
    story
}

#[test]
fn a_draft_says_nothing_about_connections_that_the_records_know_better() {
    // Killed between the connection's record and the catalog's: the form would offer to make it once more.
    let typed = [("new_connection", "sales-prod"), ("new_account", "012345678901")];
    let story = resumed(in_use(), &typed);
    assert!(wizard(&story).connection.form.is_none());
    assert_eq!(command_lines(&story.model), [format!("{ADD} sales-prod")]);
    let story = resumed(empty(), &typed);
    assert_eq!(
        wizard(&story).connection.form.as_ref().unwrap().name.text(),
        "sales-prod"
    );
    let with_verifier = [&typed[..], &[("new_verifier", "me")]].concat();
    let story = resumed(empty(), &with_verifier);
    assert!(
        command_lines(&story.model)[0].ends_with("--account-id 012345678901 --verifier me"),
        "{:?}",
        command_lines(&story.model)
    );
    // Chosen then, deleted since.
    let story = resumed(in_use(), &[("connection", "long-gone")]);
    assert_eq!(command_lines(&story.model), [format!("{ADD} sales-prod")]);
}

/// Reads a command line as the program does, and answers how it read it.
fn read(line: &str) -> String {
    match Cli::try_parse_from(words(line)) {
        Ok(cli) => format!("{cli:?}"),
        Err(error) => panic!("{line}\n{error}"),
    }
}

#[test]
fn a_name_that_begins_with_a_hyphen_is_no_flag_in_any_command() {
    for name in ["-rf", "--yes", "-it's a lake", "plain"] {
        let catalog = Holder::Catalog(name.parse().unwrap());
        let storage = Holder::Storage(name.parse().unwrap());
        let connection = Target::Connection(name.parse().unwrap());
        let mut lines = vec![
            catalog.verify_command(),
            storage.verify_command(),
            catalog.delete_command(),
            format!("glueup ls {}", operand(name, "")),
            format!("glueup connection set {}", operand(name, "--trust ARN")),
            format!(
                "glueup connection add {} --account-id 012345678901",
                option("--name", name)
            ),
            format!(
                "glueup catalog set {}",
                operand("lake", &option("--connection", name))
            ),
        ];
        for target in [Target::Grant(catalog), Target::Grant(storage), connection] {
            lines.extend([
                target.delete_command(),
                target.delete_command_with("--take-over --yes"),
                format!("glueup deploy {}", target.command()),
                format!("glueup deploy {}", target.command_with("--take-over --yes")),
                format!("glueup link {}", target.command()),
                format!("glueup template show {}", target.command_with("--policy")),
            ]);
        }
        for line in lines {
            let told = read(&line.replace("ARN", "arn:aws:iam::012345678901:role/r"));
            assert!(told.contains(&format!("{name:?}")), "{line}\n{told}");
            let flags = ["--policy", "--take-over"]
                .iter()
                .filter(|flag| line.contains(**flag));
            for flag in flags {
                let field = flag.trim_start_matches('-').replace('-', "_");
                assert!(told.contains(&format!("{field}: true")), "{line}\n{told}");
            }
        }
    }
    assert_eq!(operand("Lake House", "--policy"), "'Lake House' --policy");
    assert_eq!(operand("-rf", "--policy"), "--policy -- -rf");
}

#[test]
fn a_record_whose_name_begins_with_a_hyphen_has_its_command_lines() {
    let mut overview = in_use();
    overview.catalogs[0].catalog.name = "-rf".parse().unwrap();
    let mut story = Story::with(overview);
    assert_eq!(command_lines(&story.model), ["glueup catalog show -- -rf"]);
    story.enter();
    let lines = command_lines(&story.model);
    assert_eq!(lines, ["glueup ls -- -rf"]);
    assert!(read(&lines[0]).contains("-rf"));
    let mut story = Story::with(empty());
    story
        .press("n")
        .press("-rf")
        .tab()
        .tab()
        .press("s3://acme-lake/warehouse");
    let lines = command_lines(&story.model);
    assert!(lines[0].contains(" --name=-rf --region "), "{lines:?}");
    read(&lines[0]);
}

#[test]
fn over_the_lens_and_the_census_the_command_is_theirs() {
    let mut story = browse_schema();
    story.press("e!");
    let body = |story: &Story| story.model.overlay.as_ref().unwrap().body.clone();
    assert!(
        body(&story).starts_with("glueup lens 'Lake House.sales.orders'\n"),
        "{}",
        body(&story)
    );
    story.key(KeyCode::Esc).press("c!");
    assert!(
        body(&story).starts_with("glueup census 'Lake House'\n"),
        "{}",
        body(&story)
    );
    // Over the whole of a table it is the table's.
    story.key(KeyCode::Esc).press("z!");
    assert!(
        body(&story).starts_with("glueup schema 'Lake House.sales.orders'\n"),
        "{}",
        body(&story)
    );
}
