//! `glueup doctor`: whether this machine is fit for the work, and what to do where it is not.

use crate::cli::front::Front;
use crate::cli::ground::Ground;
use crate::cli::output::Stop;
use crate::cli::verify::color;
use crate::cli::{width, work::wrong_outcome};
use crate::doctor::Request;
use crate::domain::finding::Check;
use crate::domain::status::Status;
use crate::job::{Job, Outcome};
use crate::session::Session;
use serde_json::json;

/// Makes all checks. One that failed is no error: it is the answer, and exit code 1.
///
/// # Errors
/// When the answer cannot be written.
pub async fn run(front: &mut Front, ground: &Ground, session: &Session) -> Result<u8, Stop> {
    let environment = &ground.environment;
    let request = Request {
        terminal: environment.terminal(ground.globals.no_color),
        width: width::finding(environment).await,
    };
    let Outcome::Doctor(checks) = front.run_quiet(session, Job::Doctor(Box::new(request))).await? else {
        return Err(wrong_outcome());
    };
    if front.is_json() {
        front.json(&json!({ "checks": checks }))?;
    } else {
        for check in &checks {
            show(front, check, 11)?;
        }
    }
    Ok(u8::from(Check::any_failed(&checks)))
}

/// `passed   clock        answer`; below it what to do, where there is something.
///
/// # Errors
/// When the answer cannot be written.
pub fn show(front: &mut Front, check: &Check, columns: usize) -> Result<(), Stop> {
    let found = &check.finding;
    let status = front.paint(color(found.status), &format!("{:<7}", found.status));
    for (at, line) in found.answer.lines().enumerate() {
        front.line(&match at {
            0 => format!("{status}  {:<columns$}  {line}", check.id),
            _ => format!("{:1$}{line}", "", columns + 11),
        })?;
    }
    let lines = found.next.iter().flat_map(|next| next.lines());
    for (at, line) in lines.filter(|_| found.status != Status::Passed).enumerate() {
        let label = if at == 0 { "next" } else { "" };
        front.line(&format!("{:<9}{label:<columns$}  {line}", ""))?;
    }
    Ok(())
}
