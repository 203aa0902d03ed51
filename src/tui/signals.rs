//! What reaches the program from outside its terminal's keys: signals, and that the terminal has gone.

use std::io;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What was asked of the program from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// To end: the signal's number.
    End(i32),
    /// To stop, as by Ctrl-Z in a terminal that is not raw.
    Suspend,
    /// It runs again after having been stopped, by whichever signal.
    Resume,
}

/// The signals that the program answers.
#[cfg(unix)]
pub(super) struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    stop: tokio::signal::unix::Signal,
    go_on: tokio::signal::unix::Signal,
    gone: CancellationToken,
}

#[cfg(unix)]
impl Signals {
    /// Listens from now on. Once the terminal has gone (`SIGHUP`, or its other end is closed and nobody told us) the
    /// program is over `grace` later, whatever it is at: crossterm goes on to read such a terminal for ever.
    pub(super) fn new(grace: Duration) -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            stop: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            gone: watch_terminal(grace)?,
        })
    }

    pub(super) async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.terminate.recv() => Asked::End(15),
            () = self.gone.cancelled() => Asked::End(1),
            _ = self.interrupt.recv() => Asked::End(2),
            _ = self.stop.recv() => Asked::Suspend,
            _ = self.go_on.recv() => Asked::Resume,
        }
    }

    /// Ctrl-C that has come so far was for somebody else.
    pub(super) fn forget_interrupts(&mut self) {
        use futures_util::FutureExt;
        while self.interrupt.recv().now_or_never().is_some() {}
    }

    /// Stops the process; returns when it runs again, or is asked to end.
    pub(super) async fn stop(&mut self) -> io::Result<Asked> {
        use futures_util::FutureExt;
        use rustix::process::{Signal, getpid, kill_process};
        // What was said before is no sign that we run again.
        while self.go_on.recv().now_or_never().is_some() {}
        // Not SIGTSTP: that one is caught, here, and cannot be given back without unsafe code.
        kill_process(getpid(), Signal::STOP)?;
        loop {
            // A process of several threads may run on for a moment: only SIGCONT says that it has been stopped.
            match self.next().await {
                Asked::Suspend => {}
                asked => return Ok(asked),
            }
        }
    }
}

/// Whether a shell waits behind us that could start us again. Where none does (the terminal was opened for this program
/// alone), the kernel lets SIGTSTP stop nobody, and neither do we: nobody could ever undo it.
#[cfg(unix)]
pub(super) fn has_shell() -> bool {
    use rustix::process::{getpgrp, getppid, getsid};
    let (Ok(session), Some(parent)) = (getsid(None), getppid()) else {
        return false;
    };
    // A shell with job control gives each job a group of its own within its session.
    getpgrp() != session && getsid(Some(parent)) == Ok(session)
}

/// Stops the whole job, as the terminal would if it were not raw: us, and a wrapper that waits for us.
#[cfg(unix)]
pub(super) fn stop_job() -> io::Result<()> {
    Ok(rustix::process::kill_current_process_group(
        rustix::process::Signal::TSTP,
    )?)
}

/// Whether the terminal has gone.
#[cfg(unix)]
pub(super) fn is_gone() -> bool {
    rustix::termios::tcgetattr(io::stdin()).is_err()
}

/// Fires when the terminal has gone.
#[cfg(unix)]
fn watch_terminal(grace: Duration) -> io::Result<CancellationToken> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hang_up = signal(SignalKind::hangup())?;
    let gone = CancellationToken::new();
    let fires = gone.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = hang_up.recv() => {}
            () = other_end_closed() => {}
        }
        fires.cancel();
        tokio::time::sleep(grace).await;
        std::process::exit(129);
    });
    Ok(gone)
}

/// Returns when the other end of the terminal is closed: a hang-up signal reaches only the terminal's own session.
#[cfg(unix)]
#[expect(
    deprecated,
    reason = "what is wrong with it, that the descriptor may be closed meanwhile, does not happen to standard input; the new one is unsafe"
)]
async fn other_end_closed() {
    use tokio::io::{Interest, unix::AsyncFd};
    if let Ok(terminal) = AsyncFd::with_interest(io::stdin(), Interest::READABLE) {
        while let Ok(mut ready) = terminal.readable().await {
            if ready.ready().is_read_closed() {
                return;
            }
            // Keys: they are for somebody else.
            ready.clear_ready();
        }
    }
    // Where such a terminal cannot be watched, the signal has to do.
    std::future::pending().await
}

#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(super) fn new(_: Duration) -> io::Result<Self> {
        Ok(Self)
    }

    pub(super) async fn next(&mut self) -> Asked {
        // Without a console's Ctrl-C handler there is nothing to wait for; keys reach us as keys.
        std::future::pending().await
    }

    pub(super) fn forget_interrupts(&mut self) {}

    pub(super) async fn stop(&mut self) -> io::Result<Asked> {
        Ok(Asked::Resume)
    }
}

#[cfg(not(unix))]
pub(super) fn has_shell() -> bool {
    false
}

#[cfg(not(unix))]
pub(super) fn stop_job() -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn is_gone() -> bool {
    false
}
