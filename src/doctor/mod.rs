//! Whether this machine is fit for the work: the way to AWS, the terminal, and the place of the records.
//!
//! Each check ends in seconds, changes nothing, and says what to do where something is wrong.

mod place;
mod terminal;

pub use terminal::Terminal;

use crate::cloud::Checkup;
use crate::domain::finding::{Check, Finding};
use crate::domain::moment::Moment;
use crate::domain::problem::Kind;
use crate::domain::status::Status;
use crate::session::Session;
use std::future::Future;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// What is to be looked at besides what the session knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The terminal.
    pub terminal: Terminal,
    /// What the terminal itself has said of the width of its characters: only the front can ask it.
    pub width: Finding,
}

/// How long any check may take. All are made at once.
const PATIENCE: Duration = Duration::from_millis(3_500);

/// Makes all checks, and answers in a fixed order.
pub async fn run(session: &Session, request: Request) -> Vec<Check> {
    let Request { terminal, width } = request;
    let now = Moment::from(time::OffsetDateTime::now_utc());
    let hermetic = session.settings.hermetic;
    let checkup = Checkup::new(&session.settings).await;
    let home = session.home.clone();
    // A disk that hangs holds a thread, and nobody else.
    let place = tokio::task::spawn_blocking(move || {
        (
            place::home(&home),
            place::records(&home),
            place::demo(&home, hermetic),
        )
    });
    let (clock, proxy, sso, credentials, metadata, clipboard, place) = tokio::join!(
        within(checkup.clock()),
        within(checkup.proxy()),
        within(checkup.sso(now)),
        credentials(session, &checkup, now),
        checkup.metadata(),
        within(terminal::clipboard(&terminal)),
        timeout(PATIENCE, place),
    );
    let late = || {
        Finding::failed(
            late(),
            "Look at the disk; or try another one: glueup doctor --home DIR",
        )
    };
    let (home, records, demo) = match place {
        Ok(Ok(found)) => found,
        _ => (late(), late(), late()),
    };
    let check = |id, title, finding| Check { id, title, finding };
    vec![
        check("clock", "endpoint and clock", clock),
        check("proxy", "proxy", proxy),
        check("ca-bundle", "certificates", checkup.bundle()),
        check("sso", "SSO token", sso),
        check("credentials", "credentials", credentials),
        check("imds", "metadata service", metadata),
        check("browser", "browser", terminal::browser(&terminal)),
        check("clipboard", "clipboard", clipboard),
        check("colours", "colours", terminal::colours(&terminal)),
        check("width", "width of characters", width),
        check("home", "home directory", home),
        check("records", "records", records),
        check("demo", "demo", demo),
    ]
}

async fn within(check: impl Future<Output = Finding>) -> Finding {
    timeout(PATIENCE, check)
        .await
        .unwrap_or_else(|_| Finding::failed(late(), "Try again; if it stays so, look at the network"))
}

fn late() -> String {
    format!("no answer within {} s", PATIENCE.as_secs_f32())
}

/// Where the credentials came from, until when they hold, and who AWS says that we are.
async fn credentials(session: &Session, checkup: &Checkup, now: Moment) -> Finding {
    let end = Instant::now() + PATIENCE;
    if !checkup.may_sign_in(now).await {
        return Finding::skipped(
            "not asked for: the SSO token comes first, and asking would use or renew it",
        );
    }
    if let Some(profile) = checkup.wants_code()
        && session.signed_in().is_none()
    {
        return Finding::skipped(format!(
            "not asked for: profile {profile} signs in with a code of its MFA device"
        ));
    }
    let signed_in = async {
        let aws = session.aws().await?;
        aws.provenance().await
    };
    let mut found = match timeout_at(end, signed_in).await {
        Ok(Ok(provenance)) => checkup.credentials(&provenance, now),
        Ok(Err(problem)) => return Finding::from(&problem),
        Err(_) => {
            let next = "Look at what the profile asks: a credential_process that waits, a role, the metadata service";
            return Finding::failed(
                format!("no credentials came within {} s", PATIENCE.as_secs_f32()),
                next,
            );
        }
    };
    if found.status == Status::Failed {
        return found;
    }
    match timeout_at(end, session.identity(None)).await {
        Ok(Ok(identity)) => found.answer = format!("{}, {}", identity.arn, found.answer),
        Ok(Err(problem)) if problem.kind != Kind::Unreachable => {
            return Finding::failed(format!("{}; {problem}", found.answer), &problem.next);
        }
        _ => found.answer.push_str("; not tried, since AWS was not reached"),
    }
    found
}
