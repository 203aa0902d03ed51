//! Parses the arguments, chooses a front, and turns its answer into an exit code.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what a verb prints is its answer"
)]

use clap::{Parser, Subcommand};
use glueup::demo;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Parser)]
#[command(name = "glueup", version, about)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Serves the embedded AWS until it is told to stop.
    Demo(Demo),
}

#[derive(clap::Args)]
struct Demo {
    /// No terminal: one line of JSON that says how to reach it, then serve.
    #[arg(long, required = true)]
    headless: bool,
    /// Where records and state are kept; in memory only where none is given.
    #[arg(long, env = "GLUEUP_HOME")]
    home: Option<PathBuf>,
    /// Port on 127.0.0.1; any free one where none is given.
    #[arg(long)]
    port: Option<u16>,
    /// Start anew.
    #[arg(long)]
    reset: bool,
    /// Generated tables besides the lake's own.
    #[arg(long, default_value_t = 0)]
    tables: u64,
    /// Milliseconds that each answer waits.
    #[arg(long, default_value_t = 0)]
    latency: u64,
    /// One request in so many is throttled.
    #[arg(long)]
    throttle: Option<u32>,
    /// Seconds until a change of IAM is seen.
    #[arg(long, default_value_t = 0)]
    iam_delay: u64,
    /// Seconds that the server's clock is ahead.
    #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
    clock_offset: i64,
}

fn main() -> ExitCode {
    let Verb::Demo(arguments) = Arguments::parse().verb;
    match serve(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("glueup: {why}");
            ExitCode::FAILURE
        }
    }
}

fn serve(arguments: Demo) -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let _inside = runtime.enter();
    // Before the first line is printed: whoever reads it may send a signal at once.
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    let mut interrupt = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
    let aws = demo::start(demo::Options {
        port: arguments.port,
        state_dir: arguments.home.map(|home| home.join("demo").join("aws")),
        reset: arguments.reset,
        tables: arguments.tables,
        latency: Duration::from_millis(arguments.latency),
        throttle: arguments.throttle,
        iam_delay: Duration::from_secs(arguments.iam_delay),
        clock_offset: arguments.clock_offset,
    })?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", aws.describe())?;
    out.flush()?;
    runtime.block_on(async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    });
    aws.shutdown();
    Ok(())
}
