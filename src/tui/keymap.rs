//! The table of keys: dispatch, foot and help read the same one. Duplicates are refused, keys can be rebound.

mod key;

pub use key::Key;

use crate::domain::invalid::Invalid;
use serde::Deserialize;
use std::collections::HashMap;

/// Where a key is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Context {
    /// The question for a code of an MFA device.
    Code,
    /// A dialog's buttons.
    Dialog,
    /// A text shown over the screen: help, log, zoom.
    Overlay,
    /// A text field.
    Field,
    /// A choice within a form.
    Choice,
    /// The filter line of a list.
    Filter,
    /// A list to choose from, over the browser.
    Menu,
    /// The home screen.
    Home,
    /// The connection step's list.
    Connection,
    /// The deploy step.
    Deploy,
    /// The verify step.
    Verify,
    /// The browser.
    Browse,
    /// Everywhere, when nothing before took the key.
    Global,
}

/// What a key can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(
    missing_docs,
    reason = "each action is described by its `help` line in the key table"
)]
pub enum Action {
    Accept,
    Again,
    Back,
    Bottom,
    Bookmark,
    Boundary,
    Browse,
    BrowseOwn,
    Clear,
    Close,
    Census,
    Checks,
    Command,
    Complete,
    Continue,
    Copy,
    CopyAs,
    CopyNext,
    DataFile,
    Delete,
    DeleteStack,
    DeployHere,
    Doctor,
    Down,
    Elsewhere,
    Find,
    Help,
    Hurry,
    Jump,
    Kind,
    Left,
    Lens,
    Log,
    Mouse,
    NewCatalog,
    NewConnection,
    NewStorage,
    Newer,
    Next,
    NextField,
    NextHit,
    NextPane,
    No,
    Older,
    Open,
    OpenBrowser,
    PageDown,
    PageUp,
    Policy,
    PreviousField,
    PreviousHit,
    PreviousPane,
    Quit,
    QuitNow,
    Redraw,
    Refresh,
    Right,
    ServiceRole,
    SignIn,
    Stop,
    Suspend,
    Template,
    Toggle,
    Top,
    Up,
    Verify,
    Yes,
    Zoom,
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// What the key means.
    pub action: Action,
    /// Its keys; the first is shown at the foot.
    pub keys: Vec<Key>,
    /// The word at the foot, if it is shown there.
    pub hint: Option<String>,
    /// The sentence in the help.
    pub help: String,
}

/// The whole table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    tables: Vec<(Context, Vec<Binding>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    action: Action,
    keys: Vec<String>,
    #[serde(default)]
    hint: Option<String>,
    #[serde(default)]
    help: String,
}

const BUILT_IN: &str = include_str!("../../assets/keymap.yaml");

impl Keymap {
    /// The built-in table, with the admin's own `keymap.yaml` over it.
    ///
    /// # Errors
    /// A key that has no meaning, or that means two things in one place.
    pub fn load(own: Option<&str>) -> Result<Self, Invalid> {
        let mut keymap = Self {
            tables: parse(BUILT_IN)?,
        };
        if let Some(own) = own {
            for (context, lines) in parse(own)? {
                keymap.rebind(context, lines)?;
            }
        }
        keymap.refuse_duplicates()?;
        Ok(keymap)
    }

    fn rebind(&mut self, context: Context, lines: Vec<Binding>) -> Result<(), Invalid> {
        for line in lines {
            let binding = self
                .tables
                .iter_mut()
                .find(|(c, _)| *c == context)
                .and_then(|(_, bindings)| bindings.iter_mut().find(|b| b.action == line.action));
            let Some(binding) = binding else {
                return Err(Invalid {
                    part: "keymap",
                    given: format!("{:?}", line.action),
                    why: format!("there is no such action in {context:?}"),
                    expected: "an action that the help lists there".into(),
                });
            };
            binding.keys = line.keys;
        }
        Ok(())
    }

    fn refuse_duplicates(&self) -> Result<(), Invalid> {
        for (context, bindings) in &self.tables {
            let mut seen: HashMap<Key, Action> = HashMap::new();
            for binding in bindings {
                for key in &binding.keys {
                    if let Some(other) = seen.insert(*key, binding.action) {
                        return Err(Invalid {
                            part: "keymap",
                            given: key.to_string(),
                            why: format!("in {context:?} it means both {other:?} and {:?}", binding.action),
                            expected: "one meaning for a key in one place".into(),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// The bindings of one place, most useful first.
    pub fn bindings(&self, context: Context) -> &[Binding] {
        self.tables
            .iter()
            .find(|(c, _)| *c == context)
            .map_or(&[], |(_, b)| b)
    }

    /// What a key means in one place.
    pub fn action(&self, context: Context, key: Key) -> Option<Action> {
        self.bindings(context)
            .iter()
            .find(|b| b.keys.contains(&key))
            .map(|b| b.action)
    }

    /// The key that is shown for an action, in words; nothing where it has none.
    pub fn word(&self, context: Context, action: Action) -> String {
        let key = self.key(context, action);
        key.map(|key| key.in_words()).unwrap_or_default()
    }

    /// The key that is shown for an action.
    pub fn key(&self, context: Context, action: Action) -> Option<Key> {
        self.bindings(context)
            .iter()
            .find(|b| b.action == action)?
            .keys
            .first()
            .copied()
    }
}

fn parse(text: &str) -> Result<Vec<(Context, Vec<Binding>)>, Invalid> {
    let broken = |why: String| Invalid {
        part: "keymap",
        given: String::new(),
        why,
        expected: "a list of {action, keys} under the name of a place".into(),
    };
    let options = serde_saphyr::options! { strict_booleans: true };
    let tables: HashMap<Context, Vec<Line>> =
        serde_saphyr::from_str_with_options(text, options).map_err(|e| broken(e.to_string()))?;
    tables
        .into_iter()
        .map(|(context, lines)| {
            let bindings = lines
                .into_iter()
                .map(|line| {
                    let keys = line.keys.iter().map(|k| k.parse()).collect::<Result<_, _>>()?;
                    Ok(Binding {
                        action: line.action,
                        keys,
                        hint: line.hint,
                        help: line.help,
                    })
                })
                .collect::<Result<_, Invalid>>()?;
            Ok((context, bindings))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    #[test]
    fn the_built_in_table_loads() {
        let keymap = Keymap::load(None).unwrap();
        let q = Key::from(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE));
        assert_eq!(keymap.action(Context::Global, q), Some(Action::Quit));
        assert_eq!(
            keymap.action(Context::Field, q),
            None,
            "q is a letter in a text field"
        );
    }

    #[test]
    fn own_keys_replace_and_duplicates_are_refused() {
        let own = "home:\n  - {action: verify, keys: [V]}\n";
        let keymap = Keymap::load(Some(own)).unwrap();
        assert_eq!(
            keymap.key(Context::Home, Action::Verify).unwrap().to_string(),
            "V"
        );
        let twice = "home:\n  - {action: verify, keys: [n]}\n";
        let error = Keymap::load(Some(twice)).unwrap_err().to_string();
        assert!(error.contains("both"), "{error}");
    }

    #[test]
    fn an_unknown_key_says_what_a_key_looks_like() {
        let error = Keymap::load(Some("home:\n  - {action: verify, keys: [hyper-x]}\n")).unwrap_err();
        assert!(error.to_string().contains("enter"), "{error}");
    }

    #[test]
    fn shift_beside_a_letter_changes_nothing() {
        let with = Key::from(KeyEvent::new(KeyCode::Char('D'), KeyModifiers::SHIFT));
        let without = Key::from(KeyEvent::new(KeyCode::Char('D'), KeyModifiers::NONE));
        assert_eq!(with, without);
    }
}
