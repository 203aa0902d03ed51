//! `glueup verify` and `glueup connection verify`: the ladder, rung by rung, and what it proves.

use crate::cli::front::{Consent, Front};
use crate::cli::output::Stop;
use crate::cli::records;
use crate::cli::work::wrong_outcome;
use crate::domain::names::CatalogName;
use crate::domain::problem::{Kind, Problem};
use crate::job::{Job, Outcome, Update};
use crate::registry::{Grant, Holder, Verdict};
use crate::session::Session;
use crate::verify::{self, Basis, Report, Rung, Status};
use clap::Args;
use serde_json::{Value, json};

/// How long a ladder waits.
#[derive(Debug, Clone, Copy, Args)]
pub struct Patience {
    /// Take each verdict as it is: do not wait for IAM that may still be spreading after a change
    #[arg(long)]
    pub no_wait: bool,
}

/// What `verify` takes.
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// The catalog
    #[arg(value_name = "NAME", required_unless_present = "all", conflicts_with = "all")]
    pub name: Option<CatalogName>,
    /// Every catalog and storage integration on record, one after the other
    #[arg(long)]
    pub all: bool,
    /// How long it waits.
    #[command(flatten)]
    pub patience: Patience,
}

/// Climbs one ladder, or all.
///
/// # Errors
/// As the verify room. A failed rung is no error here: it is the answer, and exit code 1.
pub async fn run(front: &mut Front, session: &Session, args: VerifyArgs) -> Result<u8, Stop> {
    match args.name {
        Some(name) => {
            catalog(front, session, &name)?;
            let request = verify::Request::Grant(Holder::Catalog(name));
            one(front, session, request, args.patience).await
        }
        None => {
            front.hurried = args.patience.no_wait;
            all(front, session).await
        }
    }
}

/// Refuses a name that no catalog has; one that a storage integration has is shown its own verb, beside the catalog too.
fn catalog(front: &mut Front, session: &Session, name: &CatalogName) -> Result<(), Problem> {
    let storages = session.home.storages()?;
    let storage = storages
        .named(name.as_str())
        .map(|found| Grant::from(&found.record).holder);
    match (session.home.catalog(name), storage) {
        (Err(problem), Some(storage)) if problem.kind == Kind::NotFound => {
            let next = format!("It is a storage integration: {}", storage.verify_command());
            Err(Problem { next, ..problem })
        }
        (Ok(_), Some(storage)) => {
            front.note(&format!(
                "a storage integration is called {name} too: {}",
                storage.verify_command()
            ));
            Ok(())
        }
        (found, _) => found.map(drop),
    }
}

/// Climbs one ladder and shows it.
///
/// # Errors
/// As [`run`].
pub async fn one(
    front: &mut Front,
    session: &Session,
    request: verify::Request,
    patience: Patience,
) -> Result<u8, Stop> {
    front.hurried = patience.no_wait;
    let report = climb(front, session, request).await?;
    if front.is_json() {
        front.json(&report)?;
    }
    Ok(report.exit_code())
}

async fn climb(front: &mut Front, session: &Session, request: verify::Request) -> Result<Report, Stop> {
    let told = |front: &mut Front, update: Update| match update {
        Update::Verify(verify::Update::Finished(rung)) if !front.is_json() => show(front, &rung),
        Update::Verify(verify::Update::Spreading { rung, seconds, open }) => {
            let what = if open { "still open" } else { "still refused" };
            front.progress(&format!(
                "{}: {what}, IAM may still be spreading, next try in {seconds} s",
                rung.title()
            ));
            Ok(())
        }
        Update::Verify(verify::Update::NotKept(problem)) => {
            front.note(&format!("the outcome is not kept: {problem}"));
            Ok(())
        }
        _ => Ok(()),
    };
    let outcome = front
        .run(session, Job::Verify(request), Consent::Asked, told)
        .await?;
    let Outcome::Verify(report) = outcome else {
        return Err(wrong_outcome());
    };
    if !front.is_json() {
        let sentence = front.paint(color(report.verdict), &report.sentence);
        front.line(&sentence)?;
        front.flush()?;
    }
    Ok(*report)
}

async fn all(front: &mut Front, session: &Session) -> Result<u8, Stop> {
    let overview = records::overview(front, session).await?;
    let catalogs = overview.catalogs.iter();
    let storages = overview.storages.iter();
    let all: Vec<(Holder, Option<&Verdict>)> = catalogs
        .map(|row| (Holder::Catalog(row.catalog.name.clone()), row.verdict.as_ref()))
        .chain(storages.map(|row| (Holder::Storage(row.storage.name.clone()), row.verdict.as_ref())))
        .collect();
    if all.is_empty() {
        return Err(Problem::new(
            Kind::NotFound,
            "there is no catalog to verify",
            "neither a catalog nor a storage integration is on record",
            "glueup catalog add --name … connects one",
        )
        .into());
    }
    let (mut results, mut code) = (Vec::new(), records::exit(&overview));
    for (holder, verdict) in all {
        if !front.is_json() {
            front.line(&format!("{} {holder}", holder.noun()))?;
        }
        let (name, of) = (holder.name().to_owned(), holder.verb());
        let before = verdict.map(|v| v.rungs.clone()).unwrap_or_default();
        match climb(front, session, verify::Request::Grant(holder)).await {
            Ok(report) => {
                code = code.max(report.exit_code());
                results.push(with_changes(&report, of, &before)?);
            }
            Err(Stop::Problem(problem)) => {
                code = 1;
                if !front.is_json() {
                    front.problem(&problem);
                }
                results.push(json!({ "name": name, "of": of, "error": problem }));
            }
            Err(closed) => return Err(closed),
        }
    }
    if front.is_json() {
        front.json(&json!({ "results": results }))?;
    }
    Ok(code)
}

/// The report with what differs from the ladder before: `{"rung","was","is"}` each.
fn with_changes(report: &Report, of: &str, before: &[(String, Status)]) -> Result<Value, Stop> {
    let changed: Vec<Value> = report
        .rungs
        .iter()
        .filter_map(|rung| {
            let (_, was) = before.iter().find(|(id, _)| id == rung.id.as_str())?;
            (*was != rung.status).then(|| json!({ "rung": rung.id, "was": was, "is": rung.status }))
        })
        .collect();
    let mut json = serde_json::to_value(report).map_err(|_| wrong_outcome())?;
    if let Some(fields) = json.as_object_mut() {
        fields.insert("of".to_owned(), of.into());
        fields.insert("changed".to_owned(), changed.into());
    }
    Ok(json)
}

/// The colour of a status, as an SGR number.
pub fn color(status: Status) -> u8 {
    match status {
        Status::Passed => 32,
        Status::Warning => 33,
        Status::Failed => 31,
        Status::Skipped => 2,
    }
}

/// `passed   role         use        44 ms  answer`; under a rung that is not well, what was tried and the next step.
fn show(front: &mut Front, rung: &Rung) -> Result<(), Stop> {
    let status = front.paint(color(rung.status), &format!("{:<7}", rung.status));
    front.line(&format!(
        "{status}  {:<11}  {:<6}  {:>6} ms  {}",
        rung.id.as_str(),
        basis(rung.basis),
        rung.ms,
        rung.answer
    ))?;
    for part in &rung.parts {
        let status = front.paint(color(part.status), &format!("{:<7}", part.status));
        // Said where it is another one than the rung's.
        let by = if part.basis == rung.basis || part.status == Status::Skipped {
            String::new()
        } else {
            format!(" (by {})", basis(part.basis))
        };
        front.line(&format!("         {status}  {}{by}  {}", part.title, part.answer))?;
    }
    if rung.status == Status::Skipped {
        next(front, rung)?;
    }
    if matches!(rung.status, Status::Failed | Status::Warning) {
        let details = [
            ("caller", rung.caller.as_deref()),
            ("action", rung.action.as_deref()),
            ("resource", rung.resource.as_deref()),
            ("request", rung.request_id.as_deref()),
        ];
        for (label, value) in details {
            if let Some(value) = value {
                front.line(&format!("         {label:<8}  {value}"))?;
            }
        }
        next(front, rung)?;
    }
    front.flush()
}

fn next(front: &mut Front, rung: &Rung) -> Result<(), Stop> {
    for (at, line) in rung.next.iter().flat_map(|next| next.lines()).enumerate() {
        let label = if at == 0 { "next" } else { "" };
        front.line(&format!("         {label:<8}  {line}"))?;
    }
    Ok(())
}

/// What a verdict rests on, in a word.
fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Use => "use",
        Basis::Policy => "policy",
    }
}
