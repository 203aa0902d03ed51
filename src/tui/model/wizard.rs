//! The wizard: Details → Connection → Deploy → Verify, and what has been typed into it.

use crate::domain::account::AccountId;
use crate::domain::arn::{RoleArn, Verifier};
use crate::domain::finding::Check;
use crate::domain::invalid::Invalid;
use crate::domain::names::ConnectionName;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::registry::{DraftOf, GrantKind, Holder};
use crate::stack::StackEvent;
use crate::stack::link::Link;
use crate::tui::field::Field;
use crate::tui::model::{Browse, Details, Prompt, Remote};
use crate::verify::{Report, Rung, RungId, Status};
use std::time::Duration;

/// A step of the wizard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Name, region of a catalog, path, access.
    Details,
    /// Which connection serves it.
    Connection,
    /// The two stacks.
    Deploy,
    /// The ladder.
    Verify,
}

impl Step {
    /// All steps, in order.
    pub const ALL: [Self; 4] = [Self::Details, Self::Connection, Self::Deploy, Self::Verify];

    /// The word in the stepper, and in a kept draft.
    pub fn title(self) -> &'static str {
        match self {
            Self::Details => "Details",
            Self::Connection => "Connection",
            Self::Deploy => "Deploy",
            Self::Verify => "Verify",
        }
    }
}

/// The wizard's whole state.
#[derive(Debug, Clone, PartialEq)]
pub struct Wizard {
    /// Where we are.
    pub step: Step,
    /// The furthest step that has been reached.
    pub furthest: Step,
    /// What is on record, once something is.
    pub recorded: Option<Holder>,
    /// Step 1.
    pub details: Details,
    /// Step 2.
    pub connection: ConnectionStep,
    /// Step 3.
    pub deploy: DeployStep,
    /// Step 4.
    pub verify: VerifyStep,
    /// Results from here on rest on something that was changed since.
    pub stale_from: Option<Step>,
    /// When what was typed is to be kept on disk, from the program's start.
    pub draft_due: Option<Duration>,
    /// The browser in which a prefix was chosen to be connected: the way back leads there.
    pub from: Option<Box<Browse>>,
    /// The path that it was begun with, and that nobody has typed.
    pub begun_with: String,
}

impl Wizard {
    /// An empty wizard for a new catalog or storage integration.
    pub fn new(kind: GrantKind) -> Self {
        Self {
            step: Step::Details,
            furthest: Step::Details,
            recorded: None,
            details: Details {
                kind,
                ..Details::default()
            },
            connection: ConnectionStep::default(),
            deploy: DeployStep::default(),
            verify: VerifyStep::default(),
            stale_from: None,
            draft_due: None,
            from: None,
            begun_with: String::new(),
        }
    }

    /// What a draft of it is about.
    pub fn draft_of(&self) -> DraftOf {
        match &self.recorded {
            Some(holder) => DraftOf::Recorded(holder.clone()),
            None => DraftOf::New(self.details.kind),
        }
    }

    /// Its name on record, else `NAME` as commands say it.
    pub fn name(&self) -> &str {
        self.recorded.as_ref().map_or("NAME", Holder::name)
    }

    /// Goes to a step, which then counts as reached.
    pub fn go(&mut self, step: Step) {
        self.step = step;
        self.furthest = self.furthest.max(step);
    }

    /// Something in `step` was changed: what comes after rests on what was there before.
    pub fn changed(&mut self, step: Step) {
        let next = Step::ALL.into_iter().find(|s| *s > step);
        if let Some(next) = next
            && next <= self.furthest
        {
            self.stale_from = Some(self.stale_from.map_or(next, |s| s.min(next)));
        }
    }
}

/// The field that has the keys in the form for a new connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "named like the fields")]
pub enum FormFocus {
    #[default]
    Name,
    Account,
    Verifier,
}

/// The form for a new connection.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConnectionForm {
    /// Its name.
    pub name: Field,
    /// The account id.
    pub account: Field,
    /// Who may assume the role to verify it, where the broker role is a vendor's; `None`: not asked.
    pub verifier: Option<Field>,
    /// The field that has the keys.
    pub focus: FormFocus,
    /// Why it could not be recorded.
    pub problem: Option<Problem>,
}

impl ConnectionForm {
    /// The field that has the keys.
    pub fn focused(&mut self) -> &mut Field {
        match self.focus {
            FormFocus::Name => &mut self.name,
            FormFocus::Account => &mut self.account,
            FormFocus::Verifier => self.verifier.as_mut().unwrap_or(&mut self.account),
        }
    }

    /// The first field that is not right.
    pub fn first_bad(&self) -> Option<FormFocus> {
        if self.name.parse::<ConnectionName>().is_err() {
            Some(FormFocus::Name)
        } else if self.account.parse::<AccountId>().is_err() {
            Some(FormFocus::Account)
        } else if self.verifier().is_err() {
            Some(FormFocus::Verifier)
        } else {
            None
        }
    }

    /// The verifier, where one is given; to give none is right too.
    pub fn verifier(&self) -> Result<Option<Verifier>, Invalid> {
        match &self.verifier {
            Some(field) if !field.text().trim().is_empty() => field.parse().map(Some),
            _ => Ok(None),
        }
    }
}

/// Step 2.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConnectionStep {
    /// The connection under the pointer.
    pub selected: Option<ConnectionName>,
    /// The form for a new one, when it is open.
    pub form: Option<ConnectionForm>,
    /// Why it could not be recorded.
    pub problem: Option<Problem>,
}

/// Which stack is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Half {
    /// The connection's.
    #[default]
    Connection,
    /// What grants access on its role.
    Access,
    /// Both are made.
    Done,
}

/// Step 3.
#[derive(Debug, Clone, PartialEq)]
pub struct DeployStep {
    /// Which stack is being made.
    pub half: Half,
    /// The connection that was given last: the records on screen may still name the one before.
    pub serving: Option<ConnectionName>,
    /// The quick-create link.
    pub link: Remote<Box<Link>>,
    /// Whether the caller can deploy here, looked at before anything is launched.
    pub preflight: Remote<Vec<Check>>,
    /// The events, newest first.
    pub events: Vec<StackEvent>,
    /// The stack's status; `None` until it has been seen.
    pub status: Option<String>,
    /// The account and region that are looked at.
    pub looking_in: Option<(AccountId, Region)>,
    /// Why the stack is not made.
    pub problem: Option<Problem>,
    /// Why it was not made before the try that is under way.
    pub failed_before: Option<Problem>,
    /// The role that CloudFormation is to work with; `None`: it works with the caller's rights, or with the one that the stack
    /// keeps.
    pub role_arn: Option<RoleArn>,
    /// What is asked for just now.
    pub prompt: Option<Prompt>,
    /// The principal that IAM does not know yet, and the seconds until the next try.
    pub again: Option<(String, u64)>,
    /// Since when we wait, from the program's start.
    pub since: Duration,
    /// Events scrolled past.
    pub scroll: usize,
}

impl Default for DeployStep {
    fn default() -> Self {
        Self {
            half: Half::default(),
            serving: None,
            link: Remote::Idle,
            preflight: Remote::Idle,
            events: Vec::new(),
            status: None,
            looking_in: None,
            problem: None,
            failed_before: None,
            role_arn: None,
            prompt: None,
            again: None,
            since: Duration::ZERO,
            scroll: 0,
        }
    }
}

/// Where a rung is.
#[derive(Debug, Clone, PartialEq)]
pub enum RungState {
    /// Its turn has not come.
    Waiting,
    /// Under way, since then.
    Running(Duration),
    /// Denied while IAM may still be spreading.
    Spreading {
        /// When the next try comes, since the program's start.
        next: Duration,
        /// True when something is still allowed that should be refused.
        open: bool,
    },
    /// Ended.
    Done(Box<Rung>),
}

/// A rung as a row.
#[derive(Debug, Clone, PartialEq)]
pub struct RungView {
    /// Which.
    pub id: RungId,
    /// Where it is.
    pub state: RungState,
}

/// Step 4.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VerifyStep {
    /// The rungs.
    pub rungs: Vec<RungView>,
    /// The report, when all have ended.
    pub report: Option<Box<Report>>,
    /// Why the ladder could not be climbed at all.
    pub problem: Option<Problem>,
    /// The rung under the pointer; follows the work until somebody moves it.
    pub selected: usize,
    /// Somebody has moved it.
    pub moved: bool,
}

impl VerifyStep {
    /// The verdict, when there is one.
    pub fn verdict(&self) -> Option<Status> {
        self.report.as_ref().map(|r| r.verdict)
    }
}
