//! What is had once for all who need it: one asks, and the answer is everybody's.

use crate::domain::problem::Problem;
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Mutex;

/// Holds what there is, and lets one at a time ask for something better.
#[derive(Debug, Default)]
pub struct Gate<S>(Mutex<State<S>>);

#[derive(Debug, Default)]
struct State<S> {
    held: S,
    /// The last refusal, and when it came.
    refused: Option<(Instant, Problem)>,
}

impl<S: Default + Send + 'static> Gate<S> {
    /// A gate that holds this.
    pub fn holding(held: S) -> Self {
        Self(Mutex::new(State { held, refused: None }))
    }

    /// What `good` finds in what is held; else what `ask` makes of it. Whoever waited while another was refused is refused
    /// too, so that nobody is asked for a code twice over one no.
    ///
    /// # Errors
    /// Whatever `ask` answers.
    pub async fn pass<T, F>(
        self: Arc<Self>,
        good: impl Fn(&S) -> Option<T> + Send + 'static,
        ask: impl FnOnce(S) -> F + Send + 'static,
    ) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: Future<Output = (S, Result<T, Problem>)> + Send + 'static,
    {
        let asked = Instant::now();
        if let Some(good) = good(&self.0.lock().await.held) {
            return Ok(good);
        }
        // In a task of its own: whoever asked may be cancelled, the question that is open then still gets its answer.
        let asking = tokio::spawn(async move {
            let mut state = self.0.lock().await;
            if let Some(good) = good(&state.held) {
                return Ok(good);
            }
            if let Some((when, why)) = &state.refused
                && *when > asked
            {
                return Err(why.clone());
            }
            let (held, answer) = ask(std::mem::take(&mut state.held)).await;
            state.held = held;
            if let Err(why) = &answer {
                state.refused = Some((Instant::now(), why.clone()));
            }
            answer
        });
        asking.await.unwrap_or_else(|_| Err(Problem::interrupted()))
    }
}

impl<S: Clone + Send + 'static> Gate<Option<S>> {
    /// What is held; `ask` is asked for it once.
    ///
    /// # Errors
    /// Whatever `ask` answers.
    pub async fn enter<F>(self: Arc<Self>, ask: impl FnOnce() -> F + Send + 'static) -> Result<S, Problem>
    where
        F: Future<Output = Result<S, Problem>> + Send + 'static,
    {
        self.pass(Clone::clone, |_| async {
            let answer = ask().await;
            (answer.as_ref().ok().cloned(), answer)
        })
        .await
    }

    /// What is held, if anything is. Never waits.
    pub fn inside(&self) -> Option<S> {
        self.0.try_lock().ok().and_then(|state| state.held.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// Answers with the number of the question, slowly.
    async fn ask(count: Arc<AtomicU32>, refuse: bool) -> Result<u32, Problem> {
        let number = count.fetch_add(1, Relaxed);
        tokio::task::yield_now().await;
        match refuse {
            true => Err(Problem::interrupted()),
            false => Ok(number),
        }
    }

    #[tokio::test]
    async fn one_answer_is_for_all_and_one_refusal_for_all_who_waited() {
        let (gate, count) = (Arc::new(Gate::default()), Arc::new(AtomicU32::default()));
        let enter = |refuse| {
            let count = count.clone();
            gate.clone().enter(move || ask(count, refuse))
        };
        assert_eq!(gate.inside(), None);
        let all = futures_util::future::join_all((0..6).map(|_| enter(true))).await;
        assert!(all.iter().all(Result::is_err));
        assert_eq!(count.load(Relaxed), 1);
        let all = futures_util::future::join_all((0..6).map(|_| enter(false))).await;
        assert!(
            all.iter()
                .all(|answer| answer.as_ref().is_ok_and(|number| *number == 1))
        );
        assert_eq!(gate.inside(), Some(1));
    }

    #[tokio::test]
    async fn who_is_cancelled_leaves_the_question_to_the_next() {
        let (gate, count) = (Arc::new(Gate::default()), Arc::new(AtomicU32::default()));
        let gone = tokio::spawn({
            let count = count.clone();
            gate.clone().enter(move || ask(count, false))
        });
        tokio::task::yield_now().await;
        gone.abort();
        let next = count.clone();
        assert_eq!(gate.enter(move || ask(next, false)).await.unwrap(), 0);
    }
}
