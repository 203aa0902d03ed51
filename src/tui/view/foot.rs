//! The foot: the keys of this moment, what has been spent, and what is being written.

use crate::domain::amount;
use crate::domain::text::{cut, scrub, width};
use crate::registry::GrantKind;
use crate::tui::effect::Slot;
use crate::tui::keymap::{Action, Binding, Context};
use crate::tui::model::{DialogFor, Half, HomeRow, Model, Of, RungState, Screen, Wizard};
use crate::tui::theme::Theme;
use crate::tui::update::{contexts, next_step, no_stack, own_write};
use crate::tui::view::{NARROW, overlay_end, problem};
use ratatui::text::{Line, Span};

/// From here on there is room for all that the right corner may say, beside the keys.
const WIDE: u16 = 100;

/// Whose sign-in through AWS SSO has run out, and the key that signs in again from here.
pub fn signed_out(model: &Model, theme: &Theme, columns: u16) -> Option<Line<'static>> {
    let profile = model.login.as_ref()?;
    let key = contexts(model)
        .into_iter()
        .find_map(|place| model.keymap.key(place, Action::SignIn));
    let key = key.map_or_else(String::new, |key| format!(": {} signs in", key.in_words()));
    let room = usize::from(columns.saturating_sub(5));
    const ENDED: &str = "AWS SSO has ended";
    // The key is never cut: a long profile is.
    let left = room.saturating_sub(width(&key) + width(ENDED) + width(" for "));
    let profile = match left {
        0..4 => String::new(),
        _ => format!(" for {}", cut(&scrub(profile), left)),
    };
    Some(Line::from(vec![
        Span::styled(format!(" {} ", theme.glyphs.warning), theme.warn),
        Span::styled(format!("{ENDED}{profile}{key} "), theme.text),
    ]))
}

/// What is being written, where no pane shows it.
pub fn at_work(model: &Model, theme: &Theme, columns: u16) -> Option<Line<'static>> {
    let writing = model.writing.as_ref()?;
    // A step of the wizard shows what it is about itself.
    let shown = matches!(model.screen, Screen::Wizard(_)) && (writing.stack.is_none() || own_write(model));
    // A question says itself what it is about, and nothing is written yet.
    if shown || model.dialog.is_some() {
        return None;
    }
    let frame = problem::spinner(model.now.since_start, theme);
    let text = cut(&scrub(&writing.what), usize::from(columns.saturating_sub(6)));
    Some(Line::from(vec![
        Span::styled(format!(" {frame} "), theme.accent),
        Span::styled(format!("{text} "), theme.text),
    ]))
}

/// What has been sent and read. Where the foot is narrow the keys come first; that AWS slows us is always said.
pub fn spent(model: &Model, theme: &Theme, columns: u16) -> Line<'static> {
    let reading = &model.meter;
    let mut spans = Vec::new();
    if let Some(slow) = reading.slow {
        spans.push(Span::styled(theme.glyphs.warning, theme.warn));
        let words = match columns >= NARROW {
            true => format!(" {slow}"),
            false => format!(" {}", slow.what()),
        };
        spans.push(Span::styled(words, theme.text));
    }
    // Beside what slows us the count would push out the keys of all but a wide window.
    let room = reading.slow.is_none() || columns >= WIDE;
    if reading.calls > 0 && columns >= NARROW && room {
        let joint = if reading.slow.is_some() { " · " } else { "" };
        let calls = amount::counted(reading.calls, "call", "calls");
        spans.push(Span::styled(
            format!("{joint}{calls} · {}", amount::size(reading.bytes)),
            theme.dim,
        ));
    }
    Line::from(spans)
}

/// The keys of this moment, most useful first; how to get help and how to leave is never cut.
pub fn hints(model: &Model, theme: &Theme, room: usize) -> Line<'static> {
    let places = contexts(model);
    let mut hinted: Vec<(Context, &Binding)> = places
        .iter()
        .flat_map(|place| {
            model
                .keymap
                .bindings(*place)
                .iter()
                .map(move |binding| (*place, binding))
        })
        .filter(|(_, binding)| binding.hint.is_some())
        .filter(|(_, binding)| !matches!(binding.action, Action::Help | Action::Quit))
        .filter(|(place, binding)| applies(model, *place, binding))
        .collect();
    // Going on is hinted in Deploy only when nothing else is left to do there.
    hinted.sort_by_key(|(place, binding)| {
        !matches!((place, binding.action), (Context::Deploy, Action::Continue))
    });
    let help = places
        .iter()
        .find_map(|place| model.keymap.key(*place, Action::Help))
        .map(|key| format!("{key} help"))
        .unwrap_or_default();
    let quit = matches!(model.screen, Screen::Home) && places.contains(&Context::Global);
    let quit = model.keymap.key(Context::Global, Action::Quit).filter(|_| quit);
    let kept = match quit {
        Some(key) => format!("{help}  {key} quit"),
        None => help,
    };
    let mut left = room.saturating_sub(width(&kept));
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (place, binding) in hinted {
        let (Some(key), Some(hint)) = (key(model, place, binding, theme), &binding.hint) else {
            continue;
        };
        let hint = match (place, binding.action) {
            (Context::Dialog, Action::Accept) if only_says(model) => "close",
            _ => hint,
        };
        let wide = width(&key) + 1 + width(hint) + 2;
        if wide > left {
            break;
        }
        left -= wide;
        let refused = refused(model, place, binding);
        let style = if refused { theme.dim } else { theme.text };
        spans.push(Span::styled(key, if refused { theme.dim } else { theme.accent }));
        spans.push(Span::styled(format!(" {hint}  "), style));
    }
    spans.push(Span::styled(kept, theme.dim));
    Line::from(spans)
}

/// The key that is shown for a binding: its first, unless that one is a letter and letters are typed.
fn key(model: &Model, place: Context, binding: &Binding, theme: &Theme) -> Option<String> {
    let dialog = model.dialog.as_ref().filter(|_| place == Context::Dialog);
    let typing = dialog.is_some_and(|dialog| dialog.ask.type_to_confirm.is_some());
    // The blank that ticks the box is no letter of the text.
    let ticks = binding.action == Action::Toggle;
    let key = binding
        .keys
        .iter()
        .find(|key| !typing || ticks || !key.is_letter())?;
    // One cell has no room for the word that stands for a sign.
    Some(if theme.glyphs.ascii {
        key.in_words()
    } else {
        key.to_string()
    })
}

/// The dialog asks nothing.
fn only_says(model: &Model) -> bool {
    model
        .dialog
        .as_ref()
        .is_some_and(|dialog| dialog.answers == DialogFor::Acknowledge)
}

/// Whether a key means something right now.
fn applies(model: &Model, place: Context, binding: &Binding) -> bool {
    match (&model.screen, place, binding.action) {
        (_, Context::Dialog, Action::No) => !only_says(model),
        (_, Context::Dialog, Action::Toggle) => model
            .dialog
            .as_ref()
            .is_some_and(|dialog| dialog.ask.acknowledge.is_some()),
        (_, Context::Dialog, Action::Yes) => model
            .dialog
            .as_ref()
            .is_some_and(|d| !d.ask.yes.is_empty() && d.ask.type_to_confirm.is_none()),
        (_, _, Action::SignIn) => model.login.is_some(),
        (_, Context::Overlay, Action::Down) => overlay_end(model) > 0,
        (_, Context::Overlay, Action::NewCatalog) => model
            .overlay
            .as_ref()
            .is_some_and(|overlay| overlay.of == Of::Census),
        (Screen::Home, Context::Home, Action::BrowseOwn) => model.home_rows().is_empty(),
        (Screen::Home, Context::Home, Action::NewCatalog) => true,
        (Screen::Home, Context::Home, Action::Browse) => {
            matches!(model.home_row(), Some(HomeRow::Catalog(_)))
        }
        (Screen::Home, Context::Home, Action::Verify) => {
            matches!(model.home_row(), Some(HomeRow::Catalog(_) | HomeRow::Storage(_)))
        }
        (Screen::Home, Context::Home, _) => !model.home_rows().is_empty(),
        (Screen::Wizard(wizard), Context::Deploy, action) => {
            let done = wizard.deploy.half == Half::Done;
            match action {
                Action::Continue => done,
                Action::OpenBrowser | Action::Template | Action::Checks => !done,
                Action::Zoom | Action::Copy => !done && wizard.deploy.link.value().is_some(),
                _ => true,
            }
        }
        (Screen::Wizard(wizard), Context::Verify, action) => {
            let running = model.slots.is_running(Slot::Verify);
            match action {
                Action::Stop => running,
                Action::Hurry => running && spreads(wizard),
                Action::Browse => !running && wizard.details.kind == GrantKind::Catalog,
                Action::Again => !running,
                Action::Zoom | Action::Copy => wizard.verify.report.is_some(),
                Action::CopyNext => next_step(model).is_some(),
                _ => true,
            }
        }
        (Screen::Wizard(_), Context::Field, Action::Complete) => false,
        _ => true,
    }
}

/// Whether a rung waits for IAM to spread.
fn spreads(wizard: &Wizard) -> bool {
    let mut rungs = wizard.verify.rungs.iter();
    rungs.any(|rung| matches!(rung.state, RungState::Spreading { .. }))
}

/// Whether a key is refused to this caller: drawn dim, and it says why when pressed.
fn refused(model: &Model, place: Context, binding: &Binding) -> bool {
    if (place, binding.action) == (Context::Home, Action::DeleteStack) {
        return no_stack(model).is_some();
    }
    let admins_only = matches!(
        (place, binding.action),
        (
            _,
            Action::NewCatalog
                | Action::NewConnection
                | Action::DeployHere
                | Action::OpenBrowser
                | Action::DeleteStack
        ) | (Context::Home | Context::Connection, Action::Delete)
    );
    admins_only && model.refusal().is_some()
}
