//! `glueup demo`: the embedded AWS, served for any client, or as the ground for the terminal interface.

use crate::cli::front::Front;
use crate::cli::link;
use crate::cli::output::Stop;
use crate::cloud::Settings;
use crate::demo::{self, Handle, Options, StartError};
use crate::domain::organization::Organization;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::shell;
use crate::registry::Home;
use crate::session::Session;
use clap::Args;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `demo` takes.
#[derive(Debug, Clone, Args)]
pub struct DemoArgs {
    /// Generated tables beside those of the lake, in one database; from 10000 on as many again in 1000 small ones
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tables: u64,
    /// Serve AWS clients until stopped, without the terminal interface; the first line says how to reach it
    ///
    /// Give its values to a client as AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION; to
    /// boto3, which does not read AWS_REGION, also as AWS_DEFAULT_REGION.
    #[arg(long)]
    pub headless: bool,
    /// Print what leads a shell to the demo on this port, keys and all: eval "$(glueup demo --env --port PORT)"
    #[arg(long, requires = "port", conflicts_with_all = ["headless", "reset", "tables", "latency", "throttle", "iam_delay", "clock_offset"])]
    pub env: bool,
    /// The port on 127.0.0.1; without it, any free one
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Forget what was done in the demo before: its AWS, and the records of its terminal interface
    ///
    /// The demo is one, with --headless or without it: what is made in the one is there in the other, and both are emptied.
    /// Records that verbs keep elsewhere (GLUEUP_HOME, --home) are left alone.
    #[arg(long)]
    pub reset: bool,
    /// Answer each request this many milliseconds later
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub latency: u64,
    /// Refuse one request in N as too many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub throttle: Option<u32>,
    /// Let a change of IAM be seen only after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub iam_delay: u64,
    /// Set the server's clock this many seconds ahead (or behind, if negative)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub clock_offset: i64,
}

/// What lies in the demo's home beside its AWS's state.
const RECORDS: [&str; 9] = [
    "organization.yaml",
    "connections",
    "catalogs",
    "storages",
    "onboardings",
    "state",
    "ledger.jsonl",
    "probes.jsonl",
    "log",
];

/// Starts the embedded AWS with its state under `home`, the demo's own.
///
/// # Errors
/// When the port is taken, or the state cannot be used.
pub fn start(args: &DemoArgs, home: &Home) -> Result<Handle, Problem> {
    started(options(args, Some(home.aws_state())), args, home).map_err(problem)
}

/// A session on the embedded AWS and on the demo's own records, whatever AWS settings the surroundings hold.
///
/// The first time it says who connects: an organization whose broker role is the demo's.
///
/// # Errors
/// When the records cannot be used.
pub fn session(demo: &Handle, home: Home) -> Result<Session, Problem> {
    let settings = Settings::demo(
        &demo.endpoint_url,
        demo.region.parse()?,
        &demo.admin.id,
        &demo.admin.secret,
    );
    if home.organization()?.is_none() {
        let mut organization = Organization::implicit("demo".parse()?);
        organization.name = "Demo".to_owned();
        organization.broker_role_arn = Some(demo.broker_role_arn.parse()?);
        home.create(organization)?;
    }
    Ok(Session::new(home, settings))
}

/// `demo --headless`: says how to reach it, then serves until it is told to stop.
///
/// While another demo uses the state, this one keeps its own in memory: servers side by side are what programs want.
///
/// # Errors
/// As [`start`]; when the first line cannot be written.
pub async fn serve(front: &mut Front, args: &DemoArgs, home: &Home) -> Result<u8, Stop> {
    let handle = match started(options(args, Some(home.aws_state())), args, home) {
        Err(StartError::InUse { dir }) => {
            front.note(&format!(
                "another demo uses {}: this one keeps its state in memory",
                dir.display()
            ));
            if args.reset {
                front.note(
                    "nothing is reset: what was done in the demo is that one's. Stop it, then start again with --reset",
                );
            }
            demo::start(options(args, None))
        }
        started => started,
    }
    .map_err(problem)?;
    front.json(&handle.describe())?;
    front.flush()?;
    if let Some(forwarding) = front.environment.forwarding(&handle.endpoint_url) {
        front.note(&link::forwarded(&forwarding));
    }
    front.interrupted().await;
    // Stopping waits for the server's threads.
    let _ = tokio::task::spawn_blocking(move || handle.shutdown()).await;
    Ok(0)
}

/// What leads a shell to the demo on this port.
pub fn leads_to(port: &str) -> String {
    format!("eval \"$(glueup demo --env --port {port})\"")
}

/// `demo --env`: the variables by which any AWS client reaches the demo, as a POSIX shell takes them. Nothing is asked of it.
///
/// # Errors
/// When it cannot be written.
pub fn environment(front: &mut Front, args: &DemoArgs) -> Result<u8, Stop> {
    let variables = demo::environment(args.port.unwrap_or_default());
    if front.is_json() {
        let all: serde_json::Map<_, _> = variables
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect();
        front.json(&serde_json::Value::Object(all))?;
        return Ok(0);
    }
    for (name, value) in variables {
        front.line(&format!("export {name}={}", shell(&value)))?;
    }
    // Those of another sign-in would go with the demo's keys, or before them.
    front.line("unset AWS_SESSION_TOKEN AWS_PROFILE")?;
    Ok(0)
}

fn options(args: &DemoArgs, state_dir: Option<PathBuf>) -> Options {
    Options {
        port: args.port,
        state_dir,
        reset: args.reset,
        tables: args.tables,
        latency: Duration::from_millis(args.latency),
        throttle: args.throttle,
        iam_delay: Duration::from_secs(args.iam_delay),
        clock_offset: args.clock_offset,
    }
}

fn started(options: Options, args: &DemoArgs, home: &Home) -> Result<Handle, StartError> {
    let handle = demo::start(options)?;
    // Only now is it certain that no other demo works on these records.
    if args.reset {
        for name in RECORDS {
            remove(&home.root().join(name))?;
        }
    }
    Ok(handle)
}

fn remove(path: &Path) -> Result<(), StartError> {
    let removed = if path.is_dir() {
        std::fs::remove_dir_all(path)
    } else {
        std::fs::remove_file(path)
    };
    match removed {
        Err(why) if why.kind() != ErrorKind::NotFound => Err(StartError::Folder {
            path: path.to_owned(),
            why,
        }),
        _ => Ok(()),
    }
}

fn problem(why: StartError) -> Problem {
    let next = match &why {
        StartError::Port { .. } => "give another --port, or none to get a free one",
        StartError::InUse { .. } => "stop the other demo, or give another --home",
        StartError::Folder { .. } => "give a --home that can be written",
        StartError::Broken { .. } => "start with --reset: it forgets what was done in the demo",
        StartError::Inside(_) => "report it, with the command",
    };
    Problem::new(
        Kind::CheckFailed,
        "the embedded AWS cannot start",
        why.to_string(),
        next,
    )
}
