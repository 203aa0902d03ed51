//! The ladder of checks that proves a connection: proof by use, never by hope.

mod asks;
mod by_policy;
mod climb;
mod culprit;
mod gone;
mod key;
mod ladder;
mod mend;
mod outdated;
pub mod page;
mod place;
mod probes;
mod report;
mod rung;
mod rungs;
mod summary;
mod tries;

pub use crate::domain::status::Status;
pub use report::{Basis, Report, Rung, RungId, is_command};

use crate::domain::names::ConnectionName;
use crate::domain::organization::Organization;
use crate::domain::platform::Platform;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::registry::{Connection, Grant, Holder, Stage, Subject, Verdict, stage};
use crate::report::Reporter;
use crate::session::Session;
use climb::{Climb, Target};
use ladder::{LADDER, Pace};

/// Whose ladder is climbed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// All rungs of a catalog; of a storage integration those of trust and of S3.
    Grant(Holder),
    /// A connection's ladder: it ends with the trust rungs.
    Connection(ConnectionName),
}

/// What Verify tells while it climbs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// The rungs that will be tried, in order.
    Planned(Vec<RungId>),
    /// A rung has begun.
    Started(RungId),
    /// A rung failed shortly after its stack changed: IAM may still be spreading; the next try comes in `seconds`.
    Spreading {
        /// Which rung.
        rung: RungId,
        /// Seconds until the next try.
        seconds: u64,
        /// True when something is still allowed that should be refused, false when something is still refused.
        open: bool,
    },
    /// A rung has ended. Verdicts come in the ladder's order.
    Finished(Rung),
    /// The outcome stands, but the home could not take note of it.
    NotKept(Box<Problem>),
}

/// Whether a rung belongs to the ladder of a storage integration: those of trust, and those that ask something of S3.
pub fn is_of_storage(id: RungId) -> bool {
    let mut ladder = LADDER.iter();
    ladder.any(|probe| probe.id() == id && (probe.is_trust() || probe.is_s3()))
}

/// Climbs the ladder, tells each verdict, and notes the outcome in the home. A failed rung is a report, not a problem.
///
/// # Errors
/// Unknown names, a role or stack that is not deployed yet, no credentials, interruption.
pub async fn run(
    session: &Session,
    request: Request,
    reporter: &Reporter<Update>,
) -> Result<Report, Problem> {
    let (serving, grant) = match request {
        Request::Connection(name) => (name, None),
        Request::Grant(holder) => {
            let grant = session.home.grant(&holder)?;
            (grant.connection.clone(), Some(grant))
        }
    };
    let connection = session.home.connection(&serving)?.record;
    let (name, subject) = match &grant {
        Some(grant) => (grant.holder.to_string(), grant.holder.subject()),
        None => (serving.to_string(), Subject::Connection(serving)),
    };
    let role = match deployed(&connection, grant.as_ref()) {
        Ok(role) => role,
        Err(problem) => return Err(outdated::explained(session, grant.as_ref(), problem).await),
    };
    let organization = session.home.organization()?;
    let aws = session.aws().await?;
    let region = grant
        .as_ref()
        .map(|grant| grant.region.clone())
        .or_else(|| connection.region.clone())
        .unwrap_or_else(|| aws.region().clone());
    let others = match &grant {
        Some(grant) => others(session, grant, connection.adopted)?,
        None => Vec::new(),
    };
    let target = Target {
        platform: platform(organization.as_deref())?,
        broker: connection.broker_role_arn.clone(),
        connection,
        grant,
        others,
        region,
        role,
    };
    let before = aws.meter().reading();
    let climb = Climb::new(session.clone(), aws.clone(), target);
    let ladder: Vec<_> = LADDER
        .iter()
        .copied()
        .filter(|probe| climb.asks_for(*probe))
        .collect();
    let rungs = ladder::climb(&climb, &ladder, Pace::USUAL, reporter).await;
    if reporter.is_cancelled() {
        return Err(Problem::interrupted());
    }
    let after = aws.meter().reading();
    let access = climb.grant.as_ref().map(|grant| grant.access);
    let report = Report {
        calls: after.calls.saturating_sub(before.calls),
        bytes: after.bytes.saturating_sub(before.bytes),
        ..Report::of(name, access, rungs, climb::now_moment()).cut_off(
            climb.cut_off.get().copied(),
            session.home.verdict(&subject).as_ref(),
        )
    };
    gone::note(&climb, reporter).await;
    // What AWS answered is worth the same on a full disk, or with records that may only be read.
    if let Err(problem) = keep(session, &subject, &report, &climb) {
        reporter.tell(Update::NotKept(Box::new(problem))).await;
    }
    Ok(report)
}

/// Notes the verdict. The first rungs are the connection's whole ladder: so the connection has its verdict too.
fn keep(session: &Session, subject: &Subject, report: &Report, climb: &Climb) -> Result<(), Problem> {
    let counted = climb.table_count.get().copied();
    let seen = climb.tables.get().map(|found| found.len() as u64);
    let access = climb.grant.as_ref().map(|grant| grant.access);
    session.home.note_probes(&probes::of(report, access))?;
    // Nothing was asked: what was proven before is as true as it was.
    if report.cut_off.is_some() {
        return Ok(());
    }
    let mut verdict = note(report);
    verdict.tables = counted.or(seen);
    verdict.more_tables = counted.is_none() && seen.is_some();
    session.home.note_verdict(subject, &verdict)?;
    if climb.grant.is_none() {
        return Ok(());
    }
    let trust = |rung: &&Rung| {
        LADDER
            .iter()
            .any(|probe| probe.id() == rung.id && probe.is_trust())
    };
    let rungs = report.rungs.iter().filter(trust).cloned().collect();
    let verdict = note(&Report::of(
        climb.connection.name.as_str(),
        None,
        rungs,
        report.at,
    ));
    let connection = Subject::Connection(climb.connection.name.clone());
    session.home.note_verdict(&connection, &verdict)
}

/// The other grants that the same role carries. What a role that is not ours carries nobody has deployed: it is meant
/// to serve all that is bound to it.
fn others(session: &Session, grant: &Grant, adopted: bool) -> Result<Vec<Grant>, Problem> {
    let mut bound = crate::setup::connection::grants_of(session, &grant.connection)?;
    bound.retain(|other| other.holder != grant.holder && (other.is_made() || adopted));
    Ok(bound)
}

/// The role to climb with; refused while a stack is missing.
fn deployed(connection: &Connection, grant: Option<&Grant>) -> Result<crate::domain::arn::RoleArn, Problem> {
    let missing = |what: String, why: String, target: String| {
        Err(Problem::new(
            Kind::CheckFailed,
            what,
            why,
            format!("glueup deploy {target}"),
        ))
    };
    let Some(role) = &connection.role_arn else {
        return missing(
            format!(
                "{} cannot be verified yet: it is at the stage deploy",
                connection.name
            ),
            format!(
                "The connection's stack {} has not been made, or its outputs are not known here",
                connection.stack_name
            ),
            format!("connection {}", operand(connection.name.as_str(), "")),
        );
    };
    if let Some(grant) = grant {
        let at = stage(grant, Some(connection), None);
        if at < Stage::Verify {
            return missing(
                format!("{} cannot be verified yet: it is at the stage {at}", grant.holder),
                format!(
                    "Its access stack {} has not been made, or is not known here",
                    grant.stack_name
                ),
                grant.holder.command(),
            );
        }
    }
    Ok(role.clone())
}

fn platform(organization: Option<&Organization>) -> Result<&'static Platform, Problem> {
    let id = organization.map_or("self", |organization| organization.platform.as_str());
    Platform::named(id).ok_or_else(|| {
        Problem::new(
            Kind::Usage,
            format!("The platform {id} is not known"),
            "organization.yaml names it",
            "Choose a known one: glueup init --platform",
        )
    })
}

fn note(report: &Report) -> Verdict {
    Verdict {
        verdict: report.verdict,
        at: report.at,
        sentence: report.sentence.clone(),
        rungs: report
            .rungs
            .iter()
            .map(|rung| (rung.id.as_str().to_owned(), rung.status))
            .collect(),
        tables: None,
        more_tables: false,
    }
}
