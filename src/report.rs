//! How work that takes time tells its front how far it is: a bounded channel of updates, and at most one open question.
//!
//! A room below [`crate::job`] knows only its own update type; [`Reporter::map`] lifts it into the front's.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A question that a job puts to the person at the keyboard before it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The question, one sentence.
    pub title: String,
    /// What a yes will do, a line each.
    pub will: Vec<String>,
    /// What it will not do, a line each.
    pub will_not: Vec<String>,
    /// The word on the key that says yes, such as `Create stack`.
    pub yes: String,
    /// A box to be ticked before yes counts, such as the IAM acknowledgement.
    pub acknowledge: Option<String>,
    /// A text that must be typed before yes counts: for what is wide or cannot be undone.
    pub type_to_confirm: Option<String>,
}

/// The answer to an [`Ask`]. Whoever cannot ask (no terminal, no `--yes`) answers [`Answer::No`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Go on.
    Yes,
    /// Stop here; nothing has been changed.
    No,
}

type Tell<U> = dyn Fn(U) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync;
type Put = dyn Fn(Ask) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Send + Sync;

/// The end of the channel that the working room holds.
pub struct Reporter<U> {
    tell: Arc<Tell<U>>,
    ask: Arc<Put>,
    cancel: CancellationToken,
    hurry: CancellationToken,
}

impl<U> Clone for Reporter<U> {
    fn clone(&self) -> Self {
        Self {
            tell: self.tell.clone(),
            ask: self.ask.clone(),
            cancel: self.cancel.clone(),
            hurry: self.hurry.clone(),
        }
    }
}

impl<U: Send + 'static> Reporter<U> {
    /// A reporter that hands each update to `tell` and each question to `ask`.
    pub fn new<T, TF, A, AF>(cancel: CancellationToken, tell: T, ask: A) -> Self
    where
        T: Fn(U) -> TF + Send + Sync + 'static,
        TF: Future<Output = ()> + Send + 'static,
        A: Fn(Ask) -> AF + Send + Sync + 'static,
        AF: Future<Output = Answer> + Send + 'static,
    {
        Self {
            tell: Arc::new(move |u| Box::pin(tell(u))),
            ask: Arc::new(move |a| Box::pin(ask(a))),
            cancel,
            hurry: CancellationToken::new(),
        }
    }

    /// The same, whose work waits no longer for what may change by itself once `hurry` fires.
    #[must_use]
    pub fn hurried_by(mut self, hurry: CancellationToken) -> Self {
        self.hurry = hurry;
        self
    }

    /// A reporter nobody listens to: every question is answered with no.
    pub fn silent() -> Self {
        Self::new(CancellationToken::new(), |_| async {}, |_| async { Answer::No })
    }

    /// Tells the front one update; waits while the channel is full, so that a slow front slows the work.
    pub async fn tell(&self, update: U) {
        (self.tell)(update).await;
    }

    /// Puts a question and waits for its answer.
    pub async fn ask(&self, ask: Ask) -> Answer {
        (self.ask)(ask).await
    }

    /// True once the front has asked the work to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Waits for `time`, or until cancelled; false when cancelled.
    pub async fn sleep(&self, time: std::time::Duration) -> bool {
        tokio::select! {
            () = self.cancel.cancelled() => false,
            () = tokio::time::sleep(time) => true,
        }
    }

    /// True once nobody wants to wait any more for what may change by itself.
    pub fn is_hurried(&self) -> bool {
        self.hurry.is_cancelled()
    }

    /// Waits for what may change by itself: for `time`, or until nobody wants to wait any more; false when cancelled.
    pub async fn wait(&self, time: std::time::Duration) -> bool {
        tokio::select! {
            slept = self.sleep(time) => slept,
            () = self.hurry.cancelled() => !self.is_cancelled(),
        }
    }

    /// The same channel, for a room with an update type of its own.
    pub fn map<V: Send + 'static>(&self, lift: impl Fn(V) -> U + Send + Sync + 'static) -> Reporter<V> {
        let tell = self.tell.clone();
        Reporter {
            tell: Arc::new(move |v| tell(lift(v))),
            ask: self.ask.clone(),
            cancel: self.cancel.clone(),
            hurry: self.hurry.clone(),
        }
    }
}
