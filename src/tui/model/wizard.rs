//! The wizard: Details → Connection → Deploy → Verify, and what has been typed into it.

use crate::domain::access::Access;
use crate::domain::account::AccountId;
use crate::domain::arn::Verifier;
use crate::domain::finding::Check;
use crate::domain::invalid::Invalid;
use crate::domain::names::{CatalogName, ConnectionName};
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::s3_path::S3Path;
use crate::stack::link::Link;
use crate::stack::{Advice, StackEvent};
use crate::tui::field::Field;
use crate::tui::model::Remote;
use crate::verify::{Report, Rung, RungId, Status};
use std::time::Duration;

/// A step of the wizard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Name, region, path, access.
    Details,
    /// Which connection serves the catalog.
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
    /// The catalog's record, once there is one.
    pub catalog: Option<CatalogName>,
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
}

impl Wizard {
    /// An empty wizard.
    pub fn new() -> Self {
        Self {
            step: Step::Details,
            furthest: Step::Details,
            catalog: None,
            details: Details::default(),
            connection: ConnectionStep::default(),
            deploy: DeployStep::default(),
            verify: VerifyStep::default(),
            stale_from: None,
            draft_due: None,
        }
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

impl Default for Wizard {
    fn default() -> Self {
        Self::new()
    }
}

/// The field that has the keys in Details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "named like the fields")]
pub enum DetailsFocus {
    #[default]
    Name,
    Region,
    S3Path,
    Access,
}

impl DetailsFocus {
    /// The fields, from top to bottom.
    pub const ALL: [Self; 4] = [Self::Name, Self::Region, Self::S3Path, Self::Access];
}

/// Step 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Details {
    /// The catalog's name.
    pub name: Field,
    /// Its region.
    pub region: Field,
    /// The bucket and prefix.
    pub s3_path: Field,
    /// Read-only or read-write.
    pub access: Access,
    /// The field that has the keys.
    pub focus: DetailsFocus,
    /// What the caller's own rights show, with what was asked about.
    pub advice: Remote<Advice>,
    /// What the advice is about.
    pub advised: Option<(Region, S3Path)>,
    /// Read-write on a whole bucket was confirmed by typing.
    pub wide_confirmed: bool,
}

impl Default for Details {
    fn default() -> Self {
        Self {
            name: Field::default(),
            region: Field::default(),
            s3_path: Field::default(),
            access: Access::ReadOnly,
            focus: DetailsFocus::default(),
            advice: Remote::Idle,
            advised: None,
            wide_confirmed: false,
        }
    }
}

impl Details {
    /// The field that has the keys, unless it is the access choice.
    pub fn focused(&mut self) -> Option<&mut Field> {
        match self.focus {
            DetailsFocus::Name => Some(&mut self.name),
            DetailsFocus::Region => Some(&mut self.region),
            DetailsFocus::S3Path => Some(&mut self.s3_path),
            DetailsFocus::Access => None,
        }
    }

    /// The first field that is not right.
    pub fn first_bad(&self) -> Option<DetailsFocus> {
        if self.name.parse::<CatalogName>().is_err() {
            Some(DetailsFocus::Name)
        } else if self.region.parse::<Region>().is_err() {
            Some(DetailsFocus::Region)
        } else if self.s3_path.parse::<S3Path>().is_err() {
            Some(DetailsFocus::S3Path)
        } else {
            None
        }
    }

    /// The regions that fit what has been typed, at most `most`; none when the text already is one.
    pub fn region_suggestions(&self, most: usize) -> Vec<&'static str> {
        let typed = self.region.text().trim().to_lowercase();
        if Region::all().iter().any(|region| region.id == typed) {
            return Vec::new();
        }
        Region::all()
            .iter()
            .filter(|region| region.id.contains(&typed) || region.label.to_lowercase().contains(&typed))
            .take(most)
            .map(|region| region.id)
            .collect()
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
    /// Why the catalog could not be recorded.
    pub problem: Option<Problem>,
}

/// Which stack is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Half {
    /// The connection's.
    #[default]
    Connection,
    /// The catalog's.
    Catalog,
    /// Both are made.
    Done,
}

/// Step 3.
#[derive(Debug, Clone, PartialEq)]
pub struct DeployStep {
    /// Which stack is being made.
    pub half: Half,
    /// The connection that the catalog was given last: the records on screen may still name the one before.
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
    /// Denied while IAM may still be spreading; the next try comes in so many seconds.
    Spreading {
        /// Seconds until the next try.
        seconds: u64,
        /// True when something is still allowed that should be refused.
        open: bool,
    },
    /// Ended.
    Done(Rung),
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
