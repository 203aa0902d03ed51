//! What an event of the terminal means to the program.

use crate::tui::msg::{Mouse, Msg};
use crossterm::event::{Event as TerminalEvent, KeyEventKind, MouseButton, MouseEventKind};

/// What an event of the terminal means to the program, if anything.
pub(super) fn message(event: TerminalEvent) -> Option<Msg> {
    match event {
        // Some terminals report releases too: only presses and repeats act.
        TerminalEvent::Key(key) if key.kind == KeyEventKind::Release => None,
        TerminalEvent::Key(key) => Some(Msg::Key(key)),
        TerminalEvent::Paste(text) => Some(Msg::Paste(text)),
        TerminalEvent::Resize(columns, rows) => Some(Msg::Resize(columns, rows)),
        TerminalEvent::Mouse(event) => {
            let what = match event.kind {
                MouseEventKind::Down(MouseButton::Left) => Mouse::Click,
                MouseEventKind::ScrollUp => Mouse::Wheel(-1),
                MouseEventKind::ScrollDown => Mouse::Wheel(1),
                _ => return None,
            };
            Some(Msg::Mouse(what, event.column, event.row))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    #[test]
    fn a_key_acts_when_it_goes_down_and_not_again_when_it_comes_up() {
        for code in [KeyCode::Down, KeyCode::Enter, KeyCode::Char('q'), KeyCode::Esc] {
            let acts = [KeyEventKind::Press, KeyEventKind::Repeat, KeyEventKind::Release].map(|kind| {
                let key = KeyEvent::new_with_kind(code, KeyModifiers::NONE, kind);
                message(TerminalEvent::Key(key)).is_some()
            });
            assert_eq!(acts, [true, true, false], "{code:?}");
        }
    }
}
