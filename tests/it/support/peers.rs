//! Programs of others that judge us: is one here, and how is it started.
//!
//! A test that needs a peer asks for it first. One that is missing is named as skipped; where `GLUEUP_REQUIRE` lists
//! it (`GLUEUP_REQUIRE=browser,boto3,ministack,moto,cfn-lint`) the test fails instead.

use super::home::{self, Home, Ran};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A program that a test cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    Browser,
    Boto3,
    Ministack,
    Moto,
    CfnLint,
    PyIceberg,
    Spark,
}

impl Peer {
    pub fn name(self) -> &'static str {
        match self {
            Peer::Browser => "browser",
            Peer::Boto3 => "boto3",
            Peer::Ministack => "ministack",
            Peer::Moto => "moto",
            Peer::CfnLint => "cfn-lint",
            Peer::PyIceberg => "pyiceberg",
            Peer::Spark => "spark",
        }
    }

    fn is_here(self) -> bool {
        match self {
            Peer::Browser => found("chromedriver").is_some() && found("chromium").is_some(),
            Peer::Boto3 => has_module("boto3"),
            Peer::Ministack => beside_python("ministack").is_some(),
            Peer::Moto => beside_python("moto_server").is_some(),
            Peer::CfnLint => beside_python("cfn-lint").is_some(),
            Peer::PyIceberg => has_module("pyiceberg"),
            Peer::Spark => {
                found("java").is_some()
                    && has_module("pyspark")
                    && maven().join("org/apache/iceberg/iceberg-aws-bundle").is_dir()
            }
        }
    }
}

/// Whether `test` can go on. Says on standard error what is skipped, past the capture of the test runner, so that
/// nobody takes a run without peers for a run with them.
pub fn present(test: &str, peers: &[Peer]) -> bool {
    let missing: Vec<Peer> = peers.iter().copied().filter(|p| !p.is_here()).collect();
    let required = std::env::var("GLUEUP_REQUIRE").unwrap_or_default();
    match judge(&missing, &required) {
        Ok(true) => true,
        Ok(false) => {
            let names: Vec<&str> = missing.iter().map(|p| p.name()).collect();
            use std::io::Write;
            writeln!(
                std::io::stderr(),
                "skipped: {test} needs {}, which is not here",
                names.join(" and ")
            )
            .ok();
            false
        }
        Err(name) => panic!("{test} needs {name}, which GLUEUP_REQUIRE says must be here, and it is not"),
    }
}

fn judge(missing: &[Peer], required: &str) -> Result<bool, &'static str> {
    let required: Vec<&str> = required.split(',').map(str::trim).collect();
    match missing.iter().find(|p| required.contains(&p.name())) {
        Some(peer) => Err(peer.name()),
        None => Ok(missing.is_empty()),
    }
}

fn found(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|dir| dir.join(program))
        .find(|p| p.is_file())
}

/// The Python that has the peers: `GLUEUP_PYTHON`, else the environment that `.ci/run` makes, else the system's.
pub fn python() -> PathBuf {
    if let Some(named) = std::env::var_os("GLUEUP_PYTHON") {
        return named.into();
    }
    let made = std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".cache/glueup-peers/bin/python"));
    made.filter(|p| p.is_file()).unwrap_or_else(|| "python3".into())
}

/// A program of the same environment as `python()`, else one on the path.
pub fn beside_python(program: &str) -> Option<PathBuf> {
    let beside = python()
        .parent()
        .map(|dir| dir.join(program))
        .filter(|p| p.is_file());
    beside.or_else(|| found(program))
}

/// Maven's folder of artifacts, in which Spark finds Iceberg.
pub fn maven() -> PathBuf {
    std::env::var_os("HOME")
        .map(PathBuf::from)
        .unwrap_or_default()
        .join(".m2/repository")
}

fn has_module(name: &str) -> bool {
    let mut command = Command::new(python());
    command
        .args(["-c", &format!("import {name}")])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|s| s.success())
}

/// Runs a script of `tests/peers/` in `home` (its environment is all the script sees).
pub fn script(home: &Home, name: &str, args: &[&str]) -> Ran {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/peers")
        .join(name);
    home::run(python_in(home).arg(path).args(args), "")
}

/// A command of Python in `home`.
pub fn python_in(home: &Home) -> Command {
    let mut command = home.command(&python().display().to_string());
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    // boto3 does not read AWS_REGION, which every other SDK reads
    if let Some(region) = home.envs().get("AWS_REGION") {
        command.env("AWS_DEFAULT_REGION", region);
    }
    command
}

/// An AWS that others wrote, running as a program of its own; its root key is `test` with secret `test`.
pub struct Emulator {
    child: Child,
    pub port: u16,
    _home: Home,
}

impl Emulator {
    /// `ministack`, which enforces trust and policies.
    pub fn ministack(account: &str) -> Emulator {
        Self::start("ministack", "/_ministack/health", |command, port| {
            command
                .envs([("AUTH", "true"), ("BIND_HOST", "127.0.0.1")])
                .env("MINISTACK_ACCOUNT_ID", account)
                .env("GATEWAY_PORT", port.to_string());
        })
    }

    /// `moto_server`, which keeps what it is told and refuses little of it.
    pub fn moto(account: &str) -> Emulator {
        Self::start("moto_server", "/moto-api/data.json", |command, port| {
            command
                .env("MOTO_ACCOUNT_ID", account)
                .args(["-H", "127.0.0.1", "-p", &port.to_string()]);
        })
    }

    fn start(program: &str, health: &str, set: impl FnOnce(&mut Command, u16)) -> Emulator {
        let port = free_port();
        let home = Home::new();
        let mut command = home.command(&beside_python(program).unwrap().display().to_string());
        set(&mut command, port);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let address = format!("127.0.0.1:{port}");
        super::wait_for(
            &format!("answer of {program}"),
            || address.clone(),
            || {
                if let Some(status) = child.try_wait().unwrap() {
                    panic!("{program} ended: {status}");
                }
                super::http::get(&address, health).ok()
            },
        );
        Emulator {
            child,
            port,
            _home: home,
        }
    }

    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// A new home whose AWS is this one, seen by its root.
    pub fn home(&self) -> Home {
        Home::new()
            .with("AWS_ENDPOINT_URL", self.endpoint())
            .with("AWS_ACCESS_KEY_ID", "test")
            .with("AWS_SECRET_ACCESS_KEY", "test")
            .with("AWS_REGION", "us-west-2")
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A port that nobody listens on now. It could be taken before it is used; no peer can be given port 0.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_peer_is_skipped_unless_it_is_required() {
        assert_eq!(judge(&[], "browser,boto3"), Ok(true));
        assert_eq!(judge(&[Peer::Boto3], ""), Ok(false));
        assert_eq!(judge(&[Peer::Boto3], "browser"), Ok(false));
        assert_eq!(
            judge(&[Peer::Ministack, Peer::Boto3], "browser, boto3"),
            Err("boto3")
        );
    }
}
