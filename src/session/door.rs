//! Signing in, once for all who need it.

use crate::cloud::{Aws, Settings};
use crate::domain::problem::Problem;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Mutex;

/// Where one profile signs in.
#[derive(Default)]
pub(super) struct Door(Mutex<State>);

#[derive(Default)]
struct State {
    inside: Option<Aws>,
    /// The last refusal, and when it came.
    refused: Option<(Instant, Problem)>,
}

impl Door {
    /// The signed-in caller; signs in when that has not happened yet. Whoever waited while another was refused is
    /// refused too, so that nobody is asked for a code twice over one no.
    pub(super) async fn enter(self: Arc<Self>, settings: Arc<Settings>) -> Result<Aws, Problem> {
        let asked = Instant::now();
        if let Some(aws) = &self.0.lock().await.inside {
            return Ok(aws.clone());
        }
        // In a task of its own: a job that is cancelled meanwhile must not take back a question that is open.
        let signing_in = tokio::spawn(async move {
            let mut state = self.0.lock().await;
            if let Some(aws) = &state.inside {
                return Ok(aws.clone());
            }
            if let Some((when, problem)) = &state.refused
                && *when > asked
            {
                return Err(problem.clone());
            }
            let answer = Aws::sign_in(&settings).await;
            match &answer {
                Ok(aws) => state.inside = Some(aws.clone()),
                Err(problem) => state.refused = Some((Instant::now(), problem.clone())),
            }
            answer
        });
        signing_in.await.unwrap_or_else(|_| Err(Problem::interrupted()))
    }

    /// The caller, if somebody has signed in already. Never waits.
    pub(super) fn inside(&self) -> Option<Aws> {
        self.0.try_lock().ok().and_then(|state| state.inside.clone())
    }
}
