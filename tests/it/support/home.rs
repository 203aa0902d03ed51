//! A home of its own for each test, and the binary run in it.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program under test.
pub const GLUEUP: &str = env!("CARGO_BIN_EXE_glueup");

/// How long one run of the program may take.
const LONGEST_RUN: Duration = Duration::from_secs(900);

/// An empty home in a temporary folder, and the only environment that a program started by a test gets to see:
/// nothing of the machine's AWS settings, colour wishes or backtraces leaks in.
pub struct Home {
    dir: tempfile::TempDir,
    envs: BTreeMap<String, String>,
}

/// What a finished run left.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Home {
    pub fn new() -> Home {
        let dir = tempfile::tempdir().unwrap();
        let mut envs = BTreeMap::new();
        let at = |name: &str| dir.path().join(name).display().to_string();
        for (name, value) in [
            ("HOME", at("")),
            ("GLUEUP_HOME", at("glueup")),
            ("XDG_DATA_HOME", at("data")),
            ("XDG_CONFIG_HOME", at("config")),
            ("XDG_CACHE_HOME", at("cache")),
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("LANG", "C.UTF-8".into()),
            ("RUST_BACKTRACE", "0".into()),
            // no test may wait for, or learn from, the machine it runs on
            ("AWS_EC2_METADATA_DISABLED", "true".into()),
            ("AWS_CONFIG_FILE", at("aws-config")),
            ("AWS_SHARED_CREDENTIALS_FILE", at("aws-credentials")),
        ] {
            envs.insert(name.to_string(), value);
        }
        Home { dir, envs }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The folder of records.
    pub fn records(&self) -> PathBuf {
        self.path().join("glueup")
    }

    /// Records of a catalog `lake` and of its connection `sales`, which says this besides (`--trust ARN`).
    pub fn record_lake(&self, besides: &[&str]) {
        let connection = "connection add --name sales --account-id 012345678901";
        let connection: Vec<&str> = connection.split(' ').chain(besides.iter().copied()).collect();
        self.glueup(&connection).ok();
        let catalog = "catalog add --name lake --region us-west-2 --s3-path s3://acme-lake/warehouse --access read-only \
            --connection sales";
        let catalog: Vec<&str> = catalog.split_whitespace().collect();
        self.glueup(&catalog).ok();
    }

    pub fn with(mut self, name: &str, value: impl Into<String>) -> Home {
        self.envs.insert(name.to_string(), value.into());
        self
    }

    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.envs.insert(name.to_string(), value.into());
    }

    /// Takes a setting away again.
    pub fn without(mut self, name: &str) -> Home {
        self.envs.remove(name);
        self
    }

    pub fn envs(&self) -> &BTreeMap<String, String> {
        &self.envs
    }

    /// A command of any program in this home, its input closed.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(&self.envs)
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs `glueup ARGS…` without a terminal.
    pub fn glueup(&self, args: &[&str]) -> Ran {
        run(self.command(GLUEUP).args(args), "")
    }

    /// The same, with `input` on its standard input.
    pub fn glueup_reading(&self, args: &[&str], input: &str) -> Ran {
        run(self.command(GLUEUP).args(args).stdin(Stdio::piped()), input)
    }
}

impl Ran {
    #[track_caller]
    pub fn ok(self) -> Ran {
        self.exits(0)
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Ran {
        assert_eq!(
            self.code,
            Some(code),
            "stdout:\n{}\nstderr:\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// The one JSON document of standard output.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e} in stdout:\n{}", self.stdout))
    }

    /// The JSON lines of standard output.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let line = |l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e} in the line:\n{l}"));
        self.stdout.lines().map(line).collect()
    }

    /// The error that `--output json` promises as the last line of standard error.
    #[track_caller]
    pub fn error(&self) -> serde_json::Value {
        let last = self.stderr.lines().last().unwrap_or_default();
        let value: serde_json::Value = serde_json::from_str(last)
            .unwrap_or_else(|e| panic!("{e} in the last line of stderr:\n{}", self.stderr));
        value["error"].clone()
    }
}

/// Runs to the end, reading both pipes meanwhile; a run that does not end is killed and fails the test.
pub fn run(command: &mut Command, input: &str) -> Ran {
    let shown = format!("{command:?}");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let out = drain(child.stdout.take().unwrap());
    let err = drain(child.stderr.take().unwrap());
    if let Some(mut stdin) = child.stdin.take() {
        // a program that ends without reading closes the pipe: that is its right
        stdin.write_all(input.as_bytes()).ok();
    }
    let code = ended(&mut child, &shown);
    Ran {
        code,
        stdout: out.join().unwrap(),
        stderr: err.join().unwrap(),
    }
}

fn drain(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn ended(child: &mut Child, shown: &str) -> Option<i32> {
    let end = Instant::now() + LONGEST_RUN;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if Instant::now() > end {
            child.kill().ok();
            child.wait().ok();
            panic!("{shown} did not end in {} s", LONGEST_RUN.as_secs());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
