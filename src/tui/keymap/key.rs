//! A key: how the table writes it, and how the screen shows it.

use crate::domain::invalid::Invalid;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers, as the table writes it: `enter`, `ctrl-n`, `G`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// Its name without a sign: for the help, and for terminals that cannot draw the sign.
    pub fn in_words(self) -> String {
        let sign = self.to_string();
        let (named, word) = match self.code {
            KeyCode::Enter => ("⏎", "enter"),
            KeyCode::Up => ("↑", "up"),
            KeyCode::Down => ("↓", "down"),
            KeyCode::Left => ("←", "left"),
            KeyCode::Right => ("→", "right"),
            KeyCode::BackTab => ("⇧", "shift-"),
            KeyCode::Backspace => ("⌫", "backspace"),
            _ => return sign,
        };
        sign.replace(named, word)
    }

    /// A key that writes something where text is typed.
    pub fn is_letter(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && self.modifiers.is_empty()
    }
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        // Whether Shift is reported beside an upper-case letter differs between terminals; the letter says it already.
        let mut modifiers = event.modifiers;
        if matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab) {
            modifiers.remove(KeyModifiers::SHIFT);
        }
        Self {
            code: event.code,
            modifiers,
        }
    }
}

impl std::str::FromStr for Key {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        loop {
            if let Some(tail) = rest.strip_prefix("ctrl-") {
                (modifiers, rest) = (modifiers | KeyModifiers::CONTROL, tail);
            } else if let Some(tail) = rest.strip_prefix("alt-") {
                (modifiers, rest) = (modifiers | KeyModifiers::ALT, tail);
            } else {
                break;
            }
        }
        let mut characters = rest.chars();
        let code = match (characters.next(), characters.next()) {
            (Some(c), None) => KeyCode::Char(c),
            _ => match rest {
                "enter" => KeyCode::Enter,
                "esc" => KeyCode::Esc,
                "tab" => KeyCode::Tab,
                "backtab" => KeyCode::BackTab,
                "space" => KeyCode::Char(' '),
                "up" => KeyCode::Up,
                "down" => KeyCode::Down,
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "home" => KeyCode::Home,
                "end" => KeyCode::End,
                "pageup" => KeyCode::PageUp,
                "pagedown" => KeyCode::PageDown,
                "delete" => KeyCode::Delete,
                "backspace" => KeyCode::Backspace,
                _ => match rest.strip_prefix('f').and_then(|n| n.parse::<u8>().ok()) {
                    Some(n @ 1..=12) => KeyCode::F(n),
                    _ => {
                        return Err(Invalid {
                            part: "key",
                            given: text.to_owned(),
                            why: "no key has this name".into(),
                            expected: "one character, or a name such as enter, esc, tab, f1, with ctrl- or alt- before it"
                                .into(),
                        });
                    }
                },
            },
        };
        Ok(Self { code, modifiers })
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            f.write_str("^")?;
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            f.write_str("alt-")?;
        }
        match self.code {
            KeyCode::Char(' ') => f.write_str("space"),
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::Enter => f.write_str("⏎"),
            KeyCode::Esc => f.write_str("esc"),
            KeyCode::Tab => f.write_str("tab"),
            KeyCode::BackTab => f.write_str("⇧tab"),
            KeyCode::Up => f.write_str("↑"),
            KeyCode::Down => f.write_str("↓"),
            KeyCode::Left => f.write_str("←"),
            KeyCode::Right => f.write_str("→"),
            KeyCode::Home => f.write_str("home"),
            KeyCode::End => f.write_str("end"),
            KeyCode::PageUp => f.write_str("pgup"),
            KeyCode::PageDown => f.write_str("pgdn"),
            KeyCode::Delete => f.write_str("del"),
            KeyCode::Backspace => f.write_str("⌫"),
            KeyCode::F(n) => write!(f, "F{n}"),
            _ => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_a_name_without_signs() {
        let names = [
            "enter", "ctrl-n", "alt-down", "backtab", "G", "space", "f1", "pagedown",
        ]
        .map(|name| name.parse::<Key>().unwrap().in_words());
        assert_eq!(
            names,
            ["enter", "^n", "alt-down", "shift-tab", "G", "space", "F1", "pgdn"]
        );
        assert!(names.iter().all(|name| name.is_ascii()));
    }
}
