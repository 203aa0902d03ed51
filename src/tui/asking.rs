//! Codes that are asked for from below while the screen stands: each question has a number, by which it is answered.

use crate::cloud::Codes;
use crate::domain::mfa_code::MfaCode;
use crate::tui::msg::Msg;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// The questions that are open.
#[derive(Clone)]
pub(super) struct Asking {
    to_self: mpsc::Sender<Msg>,
    open: Arc<Mutex<HashMap<u64, oneshot::Sender<Option<MfaCode>>>>>,
    next: Arc<AtomicU64>,
}

impl Asking {
    /// Questions reach the screen as messages.
    pub(super) fn new(to_self: mpsc::Sender<Msg>) -> Self {
        Self {
            to_self,
            open: Arc::default(),
            next: Arc::default(),
        }
    }

    /// What the rooms below ask.
    pub(super) fn codes(&self) -> Codes {
        let this = self.clone();
        Codes::new(move |wanted| {
            let this = this.clone();
            async move {
                let number = this.next.fetch_add(1, Ordering::Relaxed);
                let (answer, answered) = oneshot::channel();
                this.open
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(number, answer);
                this.to_self.send(Msg::CodeWanted(number, wanted)).await.ok()?;
                answered.await.ok().flatten()
            }
        })
    }

    /// Answers a question; `None` is a no.
    pub(super) fn answer(&self, number: u64, code: Option<MfaCode>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = open.remove(&number) {
            // Whoever asked may have been told to stop meanwhile.
            let _ = answer.send(code);
        }
    }
}
