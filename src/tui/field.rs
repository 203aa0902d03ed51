//! A text field: what was typed, and whether it is right. The validator is a domain type's `FromStr`.

use crate::domain::amount::count;
use crate::domain::invalid::Invalid;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler;

/// What a field takes of a paste, in letters: no name, no ARN and no path that AWS knows is longer, and what is drawn and judged
/// at each key is not to grow with whatever lay in the clipboard.
const MOST: usize = 2_048;

/// A one-line text with its cursor and its error.
///
/// An error is shown from the first leave of the field on, and vanishes while it is being mended.
#[derive(Debug, Clone, Default)]
pub struct Field {
    input: Input,
    left_once: bool,
    mending: bool,
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text() && self.left_once == other.left_once && self.mending == other.mending
    }
}

impl Field {
    /// A field that holds `text`, the cursor behind it.
    pub fn with(text: &str) -> Self {
        Self {
            input: Input::new(text.to_owned()),
            ..Self::default()
        }
    }

    /// What was typed, to the letter.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// The cursor's place, in characters from the start.
    pub fn cursor(&self) -> usize {
        self.input.cursor()
    }

    /// Replaces the text.
    pub fn set(&mut self, text: &str) {
        self.input = Input::new(text.to_owned());
        self.mending = true;
    }

    /// Hands a key to the field; true when it took it.
    pub fn key(&mut self, event: KeyEvent) -> bool {
        let plain = event.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let takes = match event.code {
            KeyCode::Char(_) => plain || event.modifiers == KeyModifiers::CONTROL,
            KeyCode::Backspace
            | KeyCode::Delete
            | KeyCode::Left
            | KeyCode::Right
            | KeyCode::Home
            | KeyCode::End => true,
            _ => false,
        };
        if !takes {
            return false;
        }
        let before = self.input.value().to_owned();
        let handled = self
            .input
            .handle_event(&crossterm::event::Event::Key(event))
            .is_some();
        if self.input.value() != before {
            self.mending = true;
        }
        handled
    }

    /// Puts a paste in as one edit. A newline never submits: the first line is taken, and the rest is told.
    pub fn paste(&mut self, text: &str) -> Option<String> {
        let mut lines = text
            .split(['\n', '\r'])
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        let clean = || first.chars().filter(|c| !c.is_control());
        let (whole, before_it) = (clean().count(), self.text().chars().count());
        let room = MOST.saturating_sub(before_it);
        let pasted: String = clean().take(room).collect();
        let at = self.input.cursor();
        let before: String = self.text().chars().take(at).collect();
        let after: String = self.text().chars().skip(at).collect();
        // At once: letter by letter a large paste would take longer the longer it is.
        self.input = Input::new(format!("{before}{pasted}{after}")).with_cursor(at + pasted.chars().count());
        self.mending = true;
        if whole > room {
            return Some(format!(
                "The paste had {} letters: the first {} were taken, a field holds {}.",
                count(whole as u64),
                count(room as u64),
                count(MOST as u64)
            ));
        }
        match lines.count() {
            0 => None,
            1 => Some("The paste had 2 lines: the first was taken.".into()),
            more => Some(format!("The paste had {} lines: the first was taken.", more + 1)),
        }
    }

    /// The field has been left: from now on its error is shown.
    pub fn leave(&mut self) {
        self.left_once = true;
        self.mending = false;
    }

    /// It has had the keys, and lost them.
    pub fn was_left(&self) -> bool {
        self.left_once
    }

    /// The value, or why it is none.
    ///
    /// # Errors
    /// The domain type's own message.
    pub fn parse<T: std::str::FromStr<Err = Invalid>>(&self) -> Result<T, Invalid> {
        self.text().trim().parse()
    }

    /// The error to be shown now, if any.
    pub fn error<T: std::str::FromStr<Err = Invalid>>(&self) -> Option<Invalid> {
        if self.left_once && !self.mending {
            self.parse::<T>().err()
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::region::Region;

    fn press(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    #[test]
    fn an_error_comes_with_the_first_leave_and_goes_while_mending() {
        let mut field = Field::with("nowhere");
        assert!(field.error::<Region>().is_none());
        field.leave();
        assert!(field.error::<Region>().is_some());
        assert!(field.key(press(KeyCode::Backspace)));
        assert!(field.error::<Region>().is_none());
        field.leave();
        assert!(field.error::<Region>().is_some());
    }

    #[test]
    fn a_pasted_newline_never_submits() {
        let mut field = Field::default();
        assert_eq!(field.paste("arn:aws:iam::012345678901:role/x\n"), None);
        assert_eq!(field.text(), "arn:aws:iam::012345678901:role/x");
        let mut field = Field::default();
        let told = field.paste("one\ntwo\nthree").unwrap();
        assert_eq!(field.text(), "one");
        assert!(told.contains("3 lines"), "{told}");
    }

    #[test]
    fn a_huge_paste_is_cut_and_what_was_there_stays() {
        let mut field = Field::with("eu-west-1");
        let told = field.paste(&"x".repeat(200_000)).unwrap();
        assert_eq!(field.text().len(), MOST);
        assert!(field.text().starts_with("eu-west-1x"));
        assert!(told.contains("200,000 letters"), "{told}");
        let mut full = Field::with(&"y".repeat(MOST + 5));
        assert!(full.paste("z").is_some());
        assert_eq!(full.text().len(), MOST + 5);
    }

    #[test]
    fn enter_and_escape_are_not_the_fields() {
        let mut field = Field::default();
        assert!(!field.key(press(KeyCode::Enter)));
        assert!(!field.key(press(KeyCode::Esc)));
        assert!(!field.key(press(KeyCode::Tab)));
        assert!(field.key(press(KeyCode::Char('q'))));
        assert_eq!(field.text(), "q");
    }
}
