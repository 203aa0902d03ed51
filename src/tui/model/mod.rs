//! Everything the screen shows. Plain data; only [`crate::tui::update`] changes it.

mod browse;
mod code;
mod details;
mod kept;
pub mod listing;
mod menu;
mod overlay;
mod prompt;
mod remote;
mod trail;
mod wizard;

pub use browse::{Browse, Pane, PendingSchema, SchemaView};
pub use code::CodeForm;
pub use details::{Details, DetailsFocus};
pub use kept::Kept;
pub use listing::{Listing, Named, Only};
pub use menu::{Choice, Entry, Menu, MenuOf, Place};
pub use overlay::{Dialog, DialogFor, Of, Overlay, Toast};
pub use prompt::{Prompt, PromptFor};
pub use remote::Remote;
pub use trail::Trail;
pub use wizard::{
    ConnectionForm, ConnectionStep, DeployStep, FormFocus, Half, RungState, RungView, Step, VerifyStep,
    Wizard,
};

use crate::cloud::{Identity, Reading};
use crate::doctor::Terminal;
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::registry::Catalog;
use crate::setup::{CatalogRow, ConnectionRow, GrantRow, Overview, StorageRow};
use crate::stack::Target;
use crate::stack::look::Sight;
use crate::tui::effect::Slots;
use crate::tui::keymap::Keymap;
use std::collections::VecDeque;
use std::time::Duration;

/// The time at which something happened; it arrives with each message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// Since the program's start: for spinners, delays and ages.
    pub since_start: Duration,
    /// The wall clock: for what is said to people.
    pub wall: Moment,
}

/// What the surroundings are; read once at the start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surroundings {
    /// On the embedded AWS.
    pub demo: bool,
    /// Over SSH, or without a display: a browser cannot be opened here.
    pub no_browser: Option<String>,
    /// The command that lets a browser at the other end of an SSH session reach the demo.
    pub forwarding: Option<String>,
    /// What the caller is signed in with, such as a profile's name.
    pub signed_in_with: Option<String>,
    /// Arguments that every command line shown with `!` needs, such as `--profile sso-prod`.
    pub command_prefix: Vec<String>,
    /// What a shell runs before it: what leads to the embedded AWS, without a secret in it.
    pub command_before: Option<String>,
    /// Where the log is.
    pub log_file: String,
    /// The terminal, as the checks of this machine look at it.
    pub terminal: Terminal,
}

/// The screen that has the floor.
#[derive(Debug, Clone, PartialEq)]
pub enum Screen {
    /// Catalogs and connections.
    Home,
    /// Details → Connection → Deploy → Verify.
    Wizard(Box<Wizard>),
    /// A catalog's databases and tables.
    Browse(Box<Browse>),
}

/// A row of the home screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HomeRow<'a> {
    /// A catalog.
    Catalog(&'a CatalogRow),
    /// A storage integration.
    Storage(&'a StorageRow),
    /// A connection.
    Connection(&'a ConnectionRow),
}

/// Everything the screen shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Columns and rows of the window.
    pub size: (u16, u16),
    /// The last time told.
    pub now: Now,
    /// The surroundings.
    pub surroundings: Surroundings,
    /// The keys.
    pub keymap: Keymap,
    /// Work under way.
    pub slots: Slots,
    /// Who we are.
    pub identity: Remote<Identity>,
    /// The records.
    pub overview: Remote<Box<Overview>>,
    /// Stacks that are not as the records say, as they were last seen.
    pub sights: Vec<Sight>,
    /// The selected row of the home screen, by the record's name: `catalog NAME`, `storage NAME` or `connection NAME`.
    pub home_selected: Option<String>,
    /// The screen.
    pub screen: Screen,
    /// The browser as it was left, with the record of its catalog at that time.
    pub left: Option<(Catalog, Box<Browse>)>,
    /// Codes that are asked for, the open question first.
    pub codes: VecDeque<CodeForm>,
    /// The profile that `aws sso login` has to sign in again.
    pub login: Option<String>,
    /// Something may have failed because nobody is signed in any more: it is tried again after a sign-in.
    pub logged_out: bool,
    /// A question over the screen.
    pub dialog: Option<Dialog>,
    /// A text over the screen.
    pub overlay: Option<Overlay>,
    /// A line over the foot.
    pub toast: Option<Toast>,
    /// What has been said so far, newest last.
    pub log: VecDeque<(Moment, String)>,
    /// How many lines that were, in all.
    pub noted: u64,
    /// Why there is no log file, where there is none.
    pub no_log: Option<String>,
    /// Whether the terminal reports the mouse.
    pub mouse: bool,
    /// What has been sent and received.
    pub meter: Reading,
    /// The writing job, while one runs.
    pub writing: Option<Writing>,
}

/// What is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writing {
    /// What it does, in words that go on after "glueup is at work:".
    pub what: String,
    /// The stack that it works on, if it is one.
    pub stack: Option<StackWrite>,
}

/// The stack that a writing job works on: the screen may be about another one by the time it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackWrite {
    /// Whose.
    pub target: Target,
    /// It is deleted, not deployed.
    pub deletes: bool,
}

/// Lines kept for the log screen.
const LOG_LINES: usize = 500;
/// How long a toast stays.
const TOAST: Duration = Duration::from_secs(3);
/// Letters that are read in that time; each of the others takes as long as [`LETTER`].
const SHORT: u32 = 80;
const LETTER: Duration = Duration::from_millis(40);
/// Loading that lasts longer says so.
pub const PATIENCE: Duration = Duration::from_millis(150);
/// One step of the spinner.
pub const SPIN: Duration = Duration::from_millis(120);

impl Model {
    /// The model of a program that has just started.
    pub fn new(size: (u16, u16), now: Now, surroundings: Surroundings, keymap: Keymap) -> Self {
        Self {
            size,
            now,
            surroundings,
            keymap,
            slots: Slots::default(),
            identity: Remote::Idle,
            overview: Remote::Idle,
            sights: Vec::new(),
            home_selected: None,
            screen: Screen::Home,
            left: None,
            codes: VecDeque::new(),
            login: None,
            logged_out: false,
            dialog: None,
            overlay: None,
            toast: None,
            log: VecDeque::new(),
            noted: 0,
            no_log: None,
            mouse: false,
            meter: Reading::default(),
            writing: None,
        }
    }

    /// The time of day at a moment counted from the program's start: `14:02`, UTC.
    pub fn clock_at(&self, at: Duration) -> String {
        let ago = self.now.since_start.saturating_sub(at).as_millis();
        let then = self.now.wall.unix_millis() - i64::try_from(ago).unwrap_or(0);
        let clock = Moment::from_unix_millis(then).unwrap_or(self.now.wall).clock();
        clock.chars().take("14:02".len()).collect()
    }

    /// Says a line at the foot, and keeps it in the log.
    pub fn say(&mut self, line: impl Into<String>) {
        let line = line.into();
        self.note(line.clone());
        self.show(line);
    }

    /// Shows a line at the foot only: a long one for longer.
    fn show(&mut self, line: String) {
        let rest = u32::try_from(line.chars().count()).unwrap_or(u32::MAX);
        let until = self.now.since_start + TOAST + LETTER.saturating_mul(rest.saturating_sub(SHORT));
        self.toast = Some(Toast { line, until });
    }

    /// Keeps a line in the log only.
    pub fn note(&mut self, line: String) {
        if self.log.len() >= LOG_LINES {
            self.log.pop_front();
        }
        self.log.push_back((self.now.wall, line));
        self.noted = self.noted.saturating_add(1);
    }

    /// Says a problem at the foot, and keeps all of it in the log.
    pub fn say_problem(&mut self, problem: &Problem) {
        self.show(problem.what.clone());
        let line = problem.told();
        // Where a job ended with it, it has been noted.
        if self.log.back().is_none_or(|(_, last)| *last != line) {
            self.note(line);
        }
    }

    /// The records, as far as they have been read.
    pub fn records(&self) -> Option<&Overview> {
        self.overview.value().map(AsRef::as_ref)
    }

    /// The rows of the home screen: catalogs first.
    pub fn home_rows(&self) -> Vec<HomeRow<'_>> {
        let Some(records) = self.records() else {
            return Vec::new();
        };
        records
            .catalogs
            .iter()
            .map(HomeRow::Catalog)
            .chain(records.storages.iter().map(HomeRow::Storage))
            .chain(records.connections.iter().map(HomeRow::Connection))
            .collect()
    }

    /// The place of the selected row among [`Model::home_rows`].
    pub fn home_index(&self) -> usize {
        let rows = self.home_rows();
        self.home_selected
            .as_ref()
            .and_then(|key| rows.iter().position(|row| row.key() == *key))
            .unwrap_or_default()
    }

    /// The selected row.
    pub fn home_row(&self) -> Option<HomeRow<'_>> {
        self.home_rows().get(self.home_index()).copied()
    }

    /// Why the caller may not create or delete, if that is so.
    pub fn refusal(&self) -> Option<String> {
        use crate::domain::organization::Role;
        match self.records()?.role.as_ref()? {
            (Role::Admin, _) => None,
            (Role::User, arn) => Some(format!(
                "only an admin of the organization may do that; you are {arn}"
            )),
        }
    }

    /// How long the screen can stay as it is; `None`: until something happens.
    pub fn next_tick(&self) -> Option<Duration> {
        if matches!(&self.screen, Screen::Browse(browse) if browse.is_sifting()) {
            return Some(Duration::ZERO);
        }
        let spins = self.is_busy().then_some(SPIN);
        let toast = self
            .toast
            .as_ref()
            .map(|t| t.until.saturating_sub(self.now.since_start));
        let schema = match &self.screen {
            Screen::Browse(browse) => browse
                .pending
                .as_ref()
                .map(|p| p.due.saturating_sub(self.now.since_start)),
            _ => None,
        };
        let draft = match &self.screen {
            Screen::Wizard(wizard) => wizard
                .draft_due
                .map(|due| due.saturating_sub(self.now.since_start)),
            _ => None,
        };
        // What slowed the last work is said until it is over.
        let slow = self.meter.slow.map(|_| Duration::from_millis(500));
        [spins, toast, schema, draft, slow]
            .into_iter()
            .flatten()
            .min()
            .map(|d| d.max(Duration::from_millis(1)))
    }

    /// True while something on the screen is loading or running.
    pub fn is_busy(&self) -> bool {
        use crate::tui::effect::Slot;
        [
            Slot::Overview,
            Slot::Advice,
            Slot::Link,
            Slot::Watch,
            Slot::Verify,
            Slot::Databases,
            Slot::Tables,
            Slot::Schema,
            Slot::Census,
            Slot::Write,
            Slot::Identity,
        ]
        .iter()
        .any(|slot| self.slots.is_running(*slot))
    }
}

impl HomeRow<'_> {
    /// What it asks for and how far it has come; `None`: a connection.
    pub fn grant(&self) -> Option<GrantRow> {
        match self {
            Self::Catalog(row) => Some((*row).into()),
            Self::Storage(row) => Some((*row).into()),
            Self::Connection(_) => None,
        }
    }

    /// What the selection follows when the rows change.
    pub fn key(&self) -> String {
        match self {
            Self::Catalog(row) => format!("catalog {}", row.catalog.name),
            Self::Storage(row) => format!("storage {}", row.storage.name),
            Self::Connection(row) => format!("connection {}", row.connection.name),
        }
    }
}
