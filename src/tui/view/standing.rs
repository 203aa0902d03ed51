//! How far a record is, as a row of the home screen says it: its next step, or its last verdict.

use crate::domain::names::ConnectionName;
use crate::domain::text::scrub;
use crate::registry::{Grant, Stage, Verdict};
use crate::setup::ConnectionRow;
use crate::stack::Target;
use crate::stack::look::Sight;
use crate::tui::model::Model;
use crate::tui::theme::Theme;
use crate::tui::view::words;
use ratatui::text::Span;

/// How far a catalog or a storage integration is, or its last verdict.
pub fn state(
    model: &Model,
    grant: &Grant,
    stage: Stage,
    verdict: Option<&Verdict>,
    theme: &Theme,
) -> (Span<'static>, String) {
    if stage == Stage::Deploy
        && let Some(seen) = seen(model, &Target::Grant(grant.holder.clone()))
    {
        return waiting(&format!("Deploy: its stack is {seen}"), theme);
    }
    match stage {
        Stage::Details | Stage::Connection => waiting("Connection comes next", theme),
        Stage::Deploy if grant.is_outdated() => waiting("Deploy: its stack is not up to date", theme),
        Stage::Deploy if !grant.left_over_stacks.is_empty() => waiting(
            "Deploy: its old stack still grants, the new one is not made",
            theme,
        ),
        Stage::Deploy => waiting("Deploy: its stack is not made yet", theme),
        Stage::Verify | Stage::Ready => self::verdict(model, verdict, theme),
    }
}

/// How the stack of a record that waits for it was last seen.
pub fn seen(model: &Model, target: &Target) -> Option<String> {
    let sight = model.sights.iter().find(|sight| sight.target() == target)?;
    match sight {
        Sight::Gone(gone) => Some(match gone.at {
            Some(at) => format!("gone (deleted {})", at.relative(model.now.wall)),
            None => "gone".to_owned(),
        }),
        Sight::Stands(_, status) => Some(status.clone()),
        Sight::Unlike(_) => Some("not up to date".to_owned()),
        Sight::Made(_) | Sight::AsSaid(_) => None,
    }
}

/// The last verdict on a connection, which is one on trust alone; and who does not get through with it all the same.
pub fn of_connection(model: &Model, row: &ConnectionRow, theme: &Theme) -> (Span<'static>, String) {
    use crate::verify::Status;
    let last = verdict(model, row.verdict.as_ref(), theme);
    let holds = |status| matches!(status, Status::Passed | Status::Warning);
    if !row.verdict.as_ref().is_some_and(|verdict| holds(verdict.verdict)) {
        return last;
    }
    let failed = |verdict: &Option<Verdict>| verdict.as_ref().is_some_and(|v| v.verdict == Status::Failed);
    let records = model.records().into_iter();
    let fails: Vec<&str> = records
        .flat_map(|records| {
            let bound = |of: &ConnectionName| *of == row.connection.name;
            let catalogs = records.catalogs.iter();
            let catalogs = catalogs.filter(move |c| bound(&c.catalog.connection) && failed(&c.verdict));
            let storages = records.storages.iter();
            let storages = storages.filter(move |s| bound(&s.storage.connection) && failed(&s.verdict));
            let catalogs = catalogs.map(|c| c.catalog.name.as_str());
            catalogs.chain(storages.map(|s| s.storage.name.as_str()))
        })
        .collect();
    if fails.is_empty() {
        return last;
    }
    let glyph = Span::styled(theme.glyphs.warning, theme.warn);
    (
        glyph,
        format!("trust holds, {}; fails: {}", last.1, scrub(&fails.join(", "))),
    )
}

/// What is waited for.
pub fn waiting(text: &str, theme: &Theme) -> (Span<'static>, String) {
    (Span::styled(theme.glyphs.waiting, theme.dim), text.to_owned())
}

/// The last verdict, and how old it is.
pub fn verdict(model: &Model, verdict: Option<&Verdict>, theme: &Theme) -> (Span<'static>, String) {
    use crate::verify::Status;
    let Some(verdict) = verdict else {
        return waiting("not verified yet", theme);
    };
    let age = verdict.at.relative(model.now.wall);
    let status = verdict.verdict;
    let glyph = Span::styled(words::glyph(status, theme), words::style(status, theme));
    match status {
        Status::Passed => (glyph, age),
        // It works: which rungs have a word to say is enough for a row.
        Status::Warning => {
            let warned = verdict
                .rungs
                .iter()
                .filter(|(_, status)| *status == Status::Warning);
            let warned: Vec<&str> = warned.map(|(id, _)| id.as_str()).collect();
            (glyph, format!("{age}, caution: {}", warned.join(", ")))
        }
        _ => (glyph, format!("{age}: {}", verdict.sentence)),
    }
}
