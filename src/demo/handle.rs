//! Starting the embedded AWS, and reaching it.

use super::persist::{Files, OBJECTS};
use super::world::{State, World};
use super::{
    BROKER_ACCOUNT, CUSTOMER_ACCOUNT, REGION, broker_role_arn, console, iam, s3, seed, server,
    vendor_role_arn,
};
use serde_json::{Value, json};
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;

/// How to start.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Port on 127.0.0.1; any free one where none is given.
    pub port: Option<u16>,
    /// Folder of the state; in memory only where none is given.
    pub state_dir: Option<PathBuf>,
    /// Empty the folder first.
    pub reset: bool,
    /// How many generated tables the lake has besides its own.
    pub tables: u64,
    /// How long each answer waits.
    pub latency: Duration,
    /// One request in so many is refused as too many.
    pub throttle: Option<u32>,
    /// How long a change of IAM is not yet seen.
    pub iam_delay: Duration,
    /// How far the server's clock is ahead of the machine's, in seconds.
    pub clock_offset: i64,
}

/// Why the embedded AWS cannot start.
#[derive(Debug)]
pub enum StartError {
    /// The port cannot be bound.
    Port {
        /// The port asked for; 0 for any.
        port: u16,
        /// The system's reason.
        why: io::Error,
    },
    /// The folder of the state cannot be used.
    Folder {
        /// The path that failed.
        path: PathBuf,
        /// The system's reason.
        why: io::Error,
    },
    /// Another demo uses the folder.
    InUse {
        /// The folder.
        dir: PathBuf,
    },
    /// A file of the state cannot be read.
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        why: String,
    },
    /// The lake could not be filled, or the server's thread could not start.
    Inside(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port { port: 0, why } => write!(f, "no port of 127.0.0.1 can be bound: {why}"),
            Self::Port { port, why } => write!(f, "port {port} of 127.0.0.1 cannot be bound: {why}"),
            Self::Folder { path, why } => write!(f, "{} cannot be used: {why}", path.display()),
            Self::InUse { dir } => write!(f, "another demo is running on {}", dir.display()),
            Self::Broken { path, why } => {
                write!(
                    f,
                    "{} is broken ({why}); `glueup demo --reset` starts anew",
                    path.display()
                )
            }
            Self::Inside(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for StartError {}

/// A pair of access key id and secret.
#[derive(Clone)]
pub struct KeyPair {
    /// The access key id.
    pub id: String,
    /// The secret access key.
    pub secret: String,
}

impl fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyPair")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl KeyPair {
    fn to_json(&self) -> Value {
        json!({"access_key_id": self.id, "secret_access_key": self.secret})
    }
}

/// The variables by which a client reaches the demo on this port as its admin: its keys are the same everywhere.
pub fn environment(port: u16) -> [(&'static str, String); 5] {
    let admin = iam::principals::admin();
    [
        (
            "AWS_ENDPOINT_URL",
            format!("http://{}:{port}", Ipv4Addr::LOCALHOST),
        ),
        ("AWS_REGION", REGION.to_owned()),
        // The AWS CLI 1 reads this one alone.
        ("AWS_DEFAULT_REGION", REGION.to_owned()),
        ("AWS_ACCESS_KEY_ID", admin.id),
        ("AWS_SECRET_ACCESS_KEY", admin.secret),
    ]
}

/// A running embedded AWS. It stops when this is dropped.
#[derive(Debug)]
pub struct Handle {
    /// `http://127.0.0.1:PORT`.
    pub endpoint_url: String,
    /// Where the console's page is.
    pub console_url: String,
    /// The region.
    pub region: String,
    /// The customer's account.
    pub account_id: String,
    /// Keys of the user `admin` in the customer's account, who may do everything there and assume the broker role.
    pub admin: KeyPair,
    /// Keys of the user `engine` in the broker's account, who may assume the broker role and nothing else.
    pub engine: KeyPair,
    /// Keys of a user in a third account, who may do nothing.
    pub outsider: KeyPair,
    /// The broker's account.
    pub broker_account_id: String,
    /// The role that assumes the customer's roles.
    pub broker_role_arn: String,
    /// The serial number of the device of `admin`, and what an authenticator needs to show its codes.
    pub mfa: (String, String),
    /// A role of a vendor's that does the same, and that `admin` cannot assume: only `engine` can.
    pub vendor_role_arn: String,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Handle {
    /// What `glueup demo --headless` prints first: all that a client needs.
    pub fn describe(&self) -> Value {
        json!({
            "endpoint_url": self.endpoint_url,
            "console_url": self.console_url,
            "region": self.region,
            "account_id": self.account_id,
            "access_key_id": self.admin.id,
            "secret_access_key": self.admin.secret,
            "broker_account_id": self.broker_account_id,
            "broker_role_arn": self.broker_role_arn,
            "mfa": {"serial_number": self.mfa.0, "seed": self.mfa.1},
            "vendor_role_arn": self.vendor_role_arn,
            "principals": {"engine": self.engine.to_json(), "outsider": self.outsider.to_json()},
        })
    }

    /// Stops serving and waits until the port and the folder are free again.
    pub fn shutdown(mut self) {
        self.stop();
    }

    fn stop(&mut self) {
        // Nobody listens any more: then it has stopped already.
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Starts the embedded AWS. It listens when this returns.
pub fn start(options: Options) -> Result<Handle, StartError> {
    let port = options.port.unwrap_or(0);
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|why| StartError::Port { port, why })?;
    let address = listener
        .local_addr()
        .and_then(|address| listener.set_nonblocking(true).map(|()| address))
        .map_err(|why| StartError::Port { port, why })?;
    let endpoint = format!("http://{address}");

    let files = options
        .state_dir
        .as_deref()
        .map(|dir| Files::open(dir, options.reset))
        .transpose()?;
    let kept = files.as_ref().map(Files::load).transpose()?.flatten();
    let fresh = kept.is_none();
    let objects = options.state_dir.as_ref().map(|dir| dir.join(OBJECTS));
    let s3 = s3::Store::open(objects.as_deref()).map_err(|why| StartError::Folder {
        path: objects.unwrap_or_default(),
        why,
    })?;
    let world = World::new(
        kept.unwrap_or_else(State::default),
        files,
        endpoint.clone(),
        &options,
        s3,
    );
    let world = Arc::new(world);
    let inside = |why: super::error::AwsError| StartError::Inside(why.to_string());
    if fresh {
        // The principals are written last: a start that was killed while it filled the lake is still a fresh one.
        seed::seed(&world, &options, true).map_err(inside)?;
        world
            .change(|state| iam::principals::seed(&mut state.iam, world.moment()))
            .map_err(inside)?;
    } else {
        seed::seed(&world, &options, false).map_err(inside)?;
    }

    let (stop, stopped) = watch::channel(false);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("embedded-aws")
        .enable_all()
        .build()
        .map_err(|why| StartError::Inside(format!("the server's threads cannot start: {why}")))?;
    let thread = std::thread::Builder::new()
        .name("embedded-aws".to_owned())
        .spawn(move || {
            runtime.block_on(server::serve(listener, world, stopped));
            runtime.shutdown_timeout(Duration::from_secs(2));
        })
        .map_err(|why| StartError::Inside(format!("the server's thread cannot start: {why}")))?;

    Ok(Handle {
        console_url: format!("{endpoint}{}", console::PATH),
        endpoint_url: endpoint,
        region: REGION.to_owned(),
        account_id: CUSTOMER_ACCOUNT.to_owned(),
        admin: iam::principals::admin(),
        engine: iam::principals::engine(),
        outsider: iam::principals::outsider(),
        broker_account_id: BROKER_ACCOUNT.to_owned(),
        broker_role_arn: broker_role_arn(),
        mfa: (
            iam::mfa::device(CUSTOMER_ACCOUNT, "admin").unwrap_or_default(),
            iam::mfa::seed(),
        ),
        vendor_role_arn: vendor_role_arn(),
        stop,
        thread: Some(thread),
    })
}
