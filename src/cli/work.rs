//! Runs a job for a verb: hands on how far it is, and answers what it asks.

use crate::cli::ask;
use crate::cli::front::{Consent, Front};
use crate::cli::output::Stop;
use crate::cli::slowed::{self, StatusLine};
use crate::domain::problem::{Kind, Problem};
use crate::job::{self, Event, Job, Outcome, Update};
use crate::report::Answer;
use crate::session::Session;
use futures_util::{StreamExt, stream};

/// Jobs that look at once: enough to hide the way to AWS and back, few enough not to be throttled.
const ABREAST: usize = 8;

impl Front {
    /// Runs a job to its end. Its updates go to `told`, its questions are answered as `consent` says.
    ///
    /// # Errors
    /// The job's problem; [`Stop::ClosedPipe`] when nobody reads the answer any more. A job that changes something
    /// is then still brought to its end first.
    pub async fn run(
        &mut self,
        session: &Session,
        job: Job,
        consent: Consent,
        mut told: impl FnMut(&mut Self, Update) -> Result<(), Stop>,
    ) -> Result<Outcome, Stop> {
        let writes = job.writes();
        let mut running = job::start(session, job);
        if self.hurried {
            running.hurrier().cancel();
        }
        let (cancel, interrupt) = (running.canceller(), self.interrupt());
        let mut unread = None;
        let (mut agreed, mut declined) = (false, false);
        let mut status = StatusLine::new(self.sees_status());
        let mut look = tokio::time::interval(slowed::EVERY);
        loop {
            let event = tokio::select! {
                event = running.next() => event,
                () = interrupt.cancelled(), if !cancel.is_cancelled() => {
                    if writes {
                        status.clear(&mut std::io::stderr());
                        self.note("stopping; press Ctrl-C again to leave at once");
                    }
                    cancel.cancel();
                    continue;
                }
                _ = look.tick() => {
                    status.show(&session.settings.meter.reading(), &mut std::io::stderr());
                    continue;
                }
            };
            status.clear(&mut std::io::stderr());
            match event {
                Some(Event::Update(update)) => {
                    if unread.is_some() {
                        continue;
                    }
                    match told(self, update) {
                        Err(stop) if writes => unread = Some(stop),
                        other => other?,
                    }
                }
                Some(Event::Ask(question)) => {
                    let answer = match consent {
                        // A yes given beforehand does not outlive a Ctrl-C: what has not begun does not begin.
                        _ if interrupt.is_cancelled() => Answer::No,
                        Consent::Given => Answer::Yes,
                        Consent::Asked => tokio::select! {
                            answer = ask::on_terminal(question) => answer,
                            () = interrupt.cancelled() => Answer::No,
                        },
                    };
                    agreed |= answer == Answer::Yes;
                    declined |= answer == Answer::No;
                    running.answer(answer).await;
                }
                Some(Event::Done(_)) if declined && interrupt.is_cancelled() => {
                    return Err(Problem::interrupted().into());
                }
                // Else a no has left something that the room can say: a stack that could not be deleted.
                Some(Event::Done(Err(problem))) if declined && problem.kind == Kind::Interrupted => {
                    return Err(declined_problem(agreed, problem).into());
                }
                Some(Event::Done(result)) => {
                    let outcome = result?;
                    return unread.map_or(Ok(outcome), Err);
                }
                None => return Err(Problem::interrupted().into()),
            }
        }
    }

    /// Runs jobs that only look, several at once, and hands each one's end to `told`, in the order of the jobs.
    ///
    /// # Errors
    /// As `told` says, and when the user wants to stop: what is still under way then ends with it.
    pub async fn run_abreast(
        &mut self,
        session: &Session,
        jobs: Vec<Job>,
        mut told: impl FnMut(&mut Self, Result<Outcome, Problem>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let interrupt = self.interrupt();
        let mut ends = stream::iter(jobs)
            .map(|job| end_of(session, job))
            .buffered(ABREAST);
        let mut status = StatusLine::new(self.sees_status());
        let mut look = tokio::time::interval(slowed::EVERY);
        loop {
            let end = tokio::select! {
                end = ends.next() => end,
                () = interrupt.cancelled() => return Err(Problem::interrupted().into()),
                _ = look.tick() => {
                    status.show(&session.settings.meter.reading(), &mut std::io::stderr());
                    continue;
                }
            };
            status.clear(&mut std::io::stderr());
            match end {
                Some(end) => told(self, end)?,
                None => return Ok(()),
            }
        }
    }

    /// Runs a job that tells nothing on its way.
    ///
    /// # Errors
    /// As [`Front::run`].
    pub async fn run_quiet(&mut self, session: &Session, job: Job) -> Result<Outcome, Stop> {
        self.run(session, job, Consent::Asked, |_, _| Ok(())).await
    }
}

/// Runs a job to its end, whatever it tells on its way. One that is dropped half-way stops.
async fn end_of(session: &Session, job: Job) -> Result<Outcome, Problem> {
    let mut running = job::start(session, job);
    while let Some(event) = running.next().await {
        match event {
            Event::Done(result) => return result,
            Event::Ask(_) => running.answer(Answer::No).await,
            Event::Update(_) => {}
        }
    }
    Err(Problem::interrupted())
}

/// After a no. What came of a yes before it the room knows, and says what the no leaves.
fn declined_problem(agreed: bool, told: Problem) -> Problem {
    if agreed {
        return Problem {
            kind: Kind::CheckFailed,
            ..told
        };
    }
    Problem::new(
        Kind::CheckFailed,
        "not done",
        "the answer was no",
        "nothing has been changed; run it again to be asked again",
    )
}

/// The problem of a job that answered with another room's outcome. It cannot happen; it is said rather than panicked.
pub fn wrong_outcome() -> Stop {
    Problem::new(
        Kind::Internal,
        "the answer was of another kind",
        "this is a fault in glueup",
        "report it, with the command",
    )
    .into()
}
