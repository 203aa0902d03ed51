//! The one door to everything that takes time: both fronts run the same jobs and get the same answers.
//!
//! A job answers over a bounded channel with any number of [`Update`]s, at most one open [`Ask`], and one `Done`.

use crate::cloud;
use crate::domain::finding::Check;
use crate::domain::problem::Problem;
use crate::report::{Answer, Ask, Reporter};
use crate::session::Session;
use crate::{browse, doctor, setup, stack, verify};
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};
use tokio_util::sync::CancellationToken;

/// A request to one of the rooms.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Who the caller is.
    Identity,
    /// The same, signed in anew.
    SignInAgain,
    /// Records: made, changed, deleted, listed.
    Setup(setup::Request),
    /// Stacks: links, templates, deploy, watch, delete, advice.
    Stack(stack::Request),
    /// The ladder.
    Verify(verify::Request),
    /// Databases, tables, schemas.
    Browse(browse::Request),
    /// Whether this machine is fit.
    Doctor(Box<doctor::Request>),
}

impl Job {
    /// True for a job that changes something: it is never cancelled by a successor, and quitting says that it runs.
    pub fn writes(&self) -> bool {
        match self {
            Self::Identity | Self::SignInAgain | Self::Verify(_) | Self::Browse(_) | Self::Doctor(_) => false,
            Self::Setup(request) => !matches!(request, setup::Request::Overview),
            Self::Stack(request) => request.writes(),
        }
    }
}

/// How far a job is.
#[derive(Debug, Clone, PartialEq)]
pub enum Update {
    /// From the stack room.
    Stack(stack::Update),
    /// From Verify.
    Verify(verify::Update),
    /// From the browser.
    Browse(browse::Update),
}

/// What a job found.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Who the caller is.
    Identity(cloud::Identity),
    /// From the setup room.
    Setup(setup::Outcome),
    /// From the stack room.
    Stack(stack::Outcome),
    /// Verify's report; a failed rung is an outcome, not a problem.
    Verify(Box<verify::Report>),
    /// From the browser.
    Browse(browse::Outcome),
    /// The checks of this machine; one that failed is an outcome, not a problem.
    Doctor(Vec<Check>),
}

/// What comes over a job's channel.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// How far it is.
    Update(Update),
    /// A question that must be answered through [`Running::answer`] before the job goes on.
    Ask(Ask),
    /// The end; nothing follows.
    Done(Result<Outcome, Problem>),
}

/// Events that may wait before the job does.
const CHANNEL: usize = 64;

/// A job under way. Dropping it cancels the job, unless it writes.
pub struct Running {
    /// What the job says.
    pub events: mpsc::Receiver<Event>,
    answers: mpsc::Sender<Answer>,
    cancel: CancellationToken,
    hurry: CancellationToken,
}

impl Running {
    /// Answers the open question.
    pub async fn answer(&self, answer: Answer) {
        // A closed channel means that the job has ended meanwhile; its Done is on the way.
        let _ = self.answers.send(answer).await;
    }

    /// The next event; `None` after `Done`.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// A handle that asks the job to stop.
    pub fn canceller(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// A handle that says that nobody wants to wait any more for what may change by itself, such as IAM that spreads.
    pub fn hurrier(&self) -> CancellationToken {
        self.hurry.clone()
    }

    /// A handle that answers questions while another task reads the events.
    pub fn answerer(&self) -> mpsc::Sender<Answer> {
        self.answers.clone()
    }
}

/// Starts a job on the current tokio runtime.
pub fn start(session: &Session, job: Job) -> Running {
    let (event_tx, events) = mpsc::channel(CHANNEL);
    let (answers, answer_rx) = mpsc::channel::<Answer>(1);
    let cancel = CancellationToken::new();
    let hurry = CancellationToken::new();
    let reporter = reporter(event_tx.clone(), answer_rx, cancel.clone()).hurried_by(hurry.clone());
    let session = session.clone();
    let token = cancel.clone();
    let stops = !job.writes();
    tokio::spawn(async move {
        let work = Box::pin(run(&session, job, &reporter));
        let result = if stops {
            tokio::select! {
                result = work => result,
                () = token.cancelled() => Err(Problem::interrupted()),
            }
        } else {
            work.await
        };
        // Nobody listens any more: there is nobody to tell.
        let _ = event_tx.send(Event::Done(result)).await;
    });
    Running {
        events,
        answers,
        cancel,
        hurry,
    }
}

fn reporter(
    events: mpsc::Sender<Event>,
    answers: mpsc::Receiver<Answer>,
    cancel: CancellationToken,
) -> Reporter<Update> {
    let tell_events = events.clone();
    let answers = Arc::new(Mutex::new(answers));
    Reporter::new(
        cancel,
        move |update| {
            let events = tell_events.clone();
            async move {
                let _ = events.send(Event::Update(update)).await;
            }
        },
        move |ask| {
            let (events, answers) = (events.clone(), answers.clone());
            async move {
                if events.send(Event::Ask(ask)).await.is_err() {
                    return Answer::No;
                }
                answers.lock().await.recv().await.unwrap_or(Answer::No)
            }
        },
    )
}

async fn run(session: &Session, job: Job, reporter: &Reporter<Update>) -> Result<Outcome, Problem> {
    match job {
        Job::Identity => session.identity(None).await.map(Outcome::Identity),
        Job::SignInAgain => {
            session.forget();
            session.identity(None).await.map(Outcome::Identity)
        }
        Job::Setup(request) => setup::run(session, request).await.map(Outcome::Setup),
        Job::Stack(request) => stack::run(session, request, &reporter.map(Update::Stack))
            .await
            .map(Outcome::Stack),
        Job::Verify(request) => Box::pin(verify::run(session, request, &reporter.map(Update::Verify)))
            .await
            .map(|report| Outcome::Verify(Box::new(report))),
        Job::Browse(request) => browse::run(session, request, &reporter.map(Update::Browse))
            .await
            .map(Outcome::Browse),
        Job::Doctor(request) => Ok(Outcome::Doctor(doctor::run(session, *request).await)),
    }
}
