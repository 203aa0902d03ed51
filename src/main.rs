//! Parses the arguments, chooses a front, and turns its answer into an exit code.

mod interface;

use clap::Parser;
use color_eyre::eyre::WrapErr;
use glueup::cli::{self, Cli, Environment, Front, Ground, Verb, usage};
use glueup::domain::problem::Kind;
use glueup::guard;
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long what is still under way may take to be put down.
const LEAVING: Duration = Duration::from_millis(50);

fn main() -> color_eyre::Result<ExitCode> {
    color_eyre::install()?;
    guard::install();
    let environment = Environment::read();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return Ok(usage::refuse(&error, &arguments).into()),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .wrap_err("the threads that talk to AWS cannot be started")?;
    let ground = Ground {
        globals: cli.globals,
        environment,
    };
    let code = runtime.block_on(run(ground, cli.verb));
    cli::show_keys();
    // A thread that still waits for a key on stdin would hold the process; a program behind `credential_process` that
    // is still asked is ended by whoever asks it.
    runtime.shutdown_timeout(LEAVING);
    Ok(code.into())
}

async fn run(ground: Ground, verb: Option<Verb>) -> u8 {
    let (globals, environment) = (&ground.globals, &ground.environment);
    let interactive = match &verb {
        None => true,
        Some(Verb::Demo(args)) => !args.headless && !args.env,
        Some(_) => false,
    };
    let interrupt = CancellationToken::new();
    let mut front = Front::new(
        globals.output,
        globals.no_color,
        environment.clone(),
        interrupt.clone(),
    );
    match verb {
        Some(verb) if !interactive => {
            stop_on_signals(interrupt);
            cli::run(&mut front, &ground, verb).await
        }
        verb => {
            let opened = if environment.can_draw() {
                interface::open(&ground, verb).await
            } else {
                Err(cli::no_screen(environment, verb.is_some()))
            };
            opened.unwrap_or_else(|problem| {
                front.problem(&problem);
                problem.exit_code()
            })
        }
    }
}

/// Fires `interrupt` at the first Ctrl-C or SIGTERM; the second ends the process at once.
///
/// The handlers stand when this returns, so that a signal right after the start is not missed.
fn stop_on_signals(interrupt: CancellationToken) {
    let mut signals = Signals::new();
    tokio::spawn(async move {
        signals.next().await;
        interrupt.cancel();
        signals.next().await;
        cli::show_keys();
        std::process::exit(Kind::Interrupted.exit_code().into());
    });
}

/// The signals that ask a process to stop. Where a handler cannot be set, the signal ends the process by itself.
#[cfg(unix)]
struct Signals {
    interrupt: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        Self {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
        }
    }

    async fn next(&mut self) {
        async fn one(signal: &mut Option<tokio::signal::unix::Signal>) {
            match signal {
                Some(signal) => {
                    signal.recv().await;
                }
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = one(&mut self.interrupt) => {}
            () = one(&mut self.terminate) => {}
        }
    }
}

/// Ctrl-C. Where a handler cannot be set, the key ends the process by itself.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> Self {
        Self
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
