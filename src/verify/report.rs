//! What Verify answers: rungs, their verdicts, and the one sentence at the end.

use super::summary;
use crate::domain::access::Access;
use crate::domain::moment::Moment;
use crate::domain::problem::Kind;
use crate::domain::status::Status;
use crate::registry::Verdict;
use serde::{Deserialize, Serialize};

/// The rungs of the ladder in the order in which their verdicts are given. The serialised form is a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RungId {
    /// The endpoint answers, and its clock agrees with ours.
    Reach,
    /// Who the caller is: `sts:GetCallerIdentity`.
    Identity,
    /// Hop 1: the broker role can be assumed.
    Broker,
    /// Hop 2: the connection role can be assumed with the external id.
    Role,
    /// Hop 2 must fail with a wrong external id, and with none.
    ExternalId,
    /// `glue:GetDatabases`.
    Databases,
    /// `glue:GetTables`.
    Tables,
    /// The Glue Iceberg REST endpoint.
    Rest,
    /// `s3:ListBucket` below the granted prefix.
    List,
    /// `s3:GetObject` of one real object below the granted prefix.
    Read,
    /// Writing, tried in forms that cannot write.
    Write,
    /// Access beside the granted prefix must be refused.
    Neighbour,
    /// Every table's location against the granted prefix.
    Locations,
}

impl RungId {
    /// All of them, in their order.
    pub const ALL: [Self; 13] = [
        Self::Reach,
        Self::Identity,
        Self::Broker,
        Self::Role,
        Self::ExternalId,
        Self::Databases,
        Self::Tables,
        Self::Rest,
        Self::List,
        Self::Read,
        Self::Write,
        Self::Neighbour,
        Self::Locations,
    ];

    /// The word used in JSON, such as `external-id`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reach => "reach",
            Self::Identity => "identity",
            Self::Broker => "broker",
            Self::Role => "role",
            Self::ExternalId => "external-id",
            Self::Databases => "databases",
            Self::Tables => "tables",
            Self::Rest => "rest",
            Self::List => "list",
            Self::Read => "read",
            Self::Write => "write",
            Self::Neighbour => "neighbour",
            Self::Locations => "locations",
        }
    }

    /// What the rung asks, as short as a list row allows.
    pub fn title(self) -> &'static str {
        match self {
            Self::Reach => "reach and clock",
            Self::Identity => "who we are",
            Self::Broker => "hop 1, broker role",
            Self::Role => "hop 2, with external ID",
            Self::ExternalId => "no or wrong external ID",
            Self::Databases => "databases",
            Self::Tables => "tables",
            Self::Rest => "Iceberg REST",
            Self::List => "list below the prefix",
            Self::Read => "read one object",
            Self::Write => "write",
            Self::Neighbour => "outside the prefix",
            Self::Locations => "table locations",
        }
    }

    /// The heading under which the rung stands: `TRUST`, `GLUE`, `S3` or `LIMITS`.
    pub fn group(self) -> &'static str {
        match self {
            Self::Reach | Self::Identity | Self::Broker | Self::Role | Self::ExternalId => "TRUST",
            Self::Databases | Self::Tables | Self::Rest => "GLUE",
            Self::List | Self::Read => "S3",
            Self::Write | Self::Neighbour | Self::Locations => "LIMITS",
        }
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The call was made.
    Use,
    /// The documents were read.
    Policy,
}

/// One rung's verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// Which rung.
    pub id: RungId,
    /// Its title, for people.
    pub title: String,
    /// How it ended.
    pub status: Status,
    /// What the verdict rests on.
    pub basis: Basis,
    /// What AWS answered, in one line of clean text.
    pub answer: String,
    /// Who asked: the caller's ARN.
    #[serde(default)]
    pub caller: Option<String>,
    /// The action, such as `sts:AssumeRole`.
    #[serde(default)]
    pub action: Option<String>,
    /// The resource asked for.
    #[serde(default)]
    pub resource: Option<String>,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// When a single try was answered, by this machine's clock: for the probes, and no part of the report.
    #[serde(skip)]
    pub at: Option<Moment>,
    /// The single next step, when there is one; may hold several lines that can be pasted.
    #[serde(default)]
    pub next: Option<String>,
    /// AWS's request id, where one was given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    /// The single tries of a rung that makes several.
    #[serde(default)]
    pub parts: Vec<Rung>,
}

impl Rung {
    /// The commands of the next step, one a line, as a shell takes them; the prose between them left out.
    pub fn commands(&self) -> Vec<&str> {
        let lines = self.next.iter().flat_map(|next| next.lines());
        lines.filter(|line| is_command(line)).collect()
    }
}

/// Whether a line of a next step is a command for a shell, and no prose.
pub fn is_command(line: &str) -> bool {
    line.starts_with("aws ") || line.starts_with("glueup ")
}

/// The whole answer of one Verify.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The catalog or connection.
    pub name: String,
    /// The worst status among the rungs; never `skipped`.
    pub verdict: Status,
    /// The verdict in one sentence.
    pub sentence: String,
    /// When it ended.
    pub at: Moment,
    /// How many requests it took.
    pub calls: u64,
    /// How many bytes of answers were read.
    #[serde(default)]
    pub bytes: u64,
    /// Why nothing was asked: AWS was not reached, or nobody could sign in. Nothing is proven then and nothing disproven.
    #[serde(skip)]
    pub cut_off: Option<Kind>,
    /// The rungs, in the ladder's order.
    pub rungs: Vec<Rung>,
}

impl Report {
    /// The report on these rungs: the verdict is the worst of those that were tried, and says so in one sentence.
    /// `access` is the catalog's; a connection has none. What it took to climb is not counted here.
    pub fn of(name: impl Into<String>, access: Option<Access>, rungs: Vec<Rung>, at: Moment) -> Self {
        Self {
            name: name.into(),
            verdict: summary::verdict(&rungs),
            sentence: summary::sentence(&rungs, access),
            at,
            calls: 0,
            bytes: 0,
            cut_off: None,
            rungs,
        }
    }

    /// The same where nothing was asked. The last proof stands: it says so.
    pub(super) fn cut_off(mut self, why: Option<Kind>, last: Option<&Verdict>) -> Self {
        self.cut_off = why;
        if why.is_some()
            && let Some(last) = last
        {
            self.sentence = format!(
                "{} Nothing was proven or disproven: the last verdict, of {} UTC, stands ({}).",
                self.sentence,
                last.at.date_and_clock(),
                last.verdict
            );
        }
        self
    }

    /// The exit code that it stands for: a failed rung is a 1 whatever its cause, but where nobody could sign in.
    pub fn exit_code(&self) -> u8 {
        match self.cut_off {
            Some(Kind::Denied) => Kind::Denied.exit_code(),
            _ => u8::from(self.verdict == Status::Failed),
        }
    }

    /// The first failed rung, if any: the one to mend first.
    pub fn first_failed(&self) -> Option<&Rung> {
        self.rungs.iter().find(|r| r.status == Status::Failed)
    }
}
