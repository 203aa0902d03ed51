//! The signals that ask the program to end.

use std::io;
use std::time::Duration;

/// The signals that ask the program to end.
#[cfg(unix)]
pub(super) struct Signals {
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    pub(super) async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.terminate.recv() => 15,
            _ = self.hang_up.recv() => 1,
            _ = self.interrupt.recv() => 2,
        }
    }
}

/// Ends the program `grace` after its terminal was closed, if nothing else has: whoever reads keys from a terminal that
/// is gone may be told that there are none, again and again, and never get to the signal.
#[cfg(unix)]
pub(super) fn end_when_hung_up(grace: Duration) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hang_up = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        if hang_up.recv().await.is_some() {
            tokio::time::sleep(grace).await;
            std::process::exit(129);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn end_when_hung_up(_: Duration) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    pub(super) async fn next(&mut self) -> i32 {
        // Without a console's Ctrl-C handler there is nothing to wait for; keys reach us as keys.
        std::future::pending().await
    }
}
