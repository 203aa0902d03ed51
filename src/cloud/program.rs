//! A program behind `credential_process`: run, not waited for for ever, and killed when it is given up.
//!
//! See <https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html>.

mod answer;
mod family;

use super::role_step::Notes;
use crate::domain::problem::{Kind, Problem};
use aws_credential_types::Credentials;
use aws_credential_types::credential_feature::AwsCredentialFeature as Feature;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, future};
use family::Family;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;

/// The longest answer that is read, in bytes; credentials are some two thousand.
const MOST: usize = 65_536;
/// How long what it has said may still come once it has ended.
const LINGER: Duration = Duration::from_millis(200);

/// Asks the program each time anew.
pub(super) struct Program {
    profile: String,
    /// May hold a secret: it is never shown.
    command: String,
    patience: Duration,
}

/// Why it gave none.
enum Failed {
    /// It cannot be run or read.
    Unrun(std::io::Error),
    /// It said more than anybody reads.
    TooMuch,
    /// It ended with a complaint.
    Ended(ExitStatus, Vec<u8>),
    /// What it said are no credentials.
    Unread(String),
}

impl Program {
    /// `command` is the one of that profile; it is given up after `patience`.
    pub(super) fn new(profile: &str, command: &str, patience: Duration) -> Self {
        Self {
            profile: profile.to_owned(),
            command: command.to_owned(),
            patience,
        }
    }

    async fn ask(&self) -> Result<Credentials, Problem> {
        match tokio::time::timeout(self.patience, run(&self.command)).await {
            Ok(Ok(mut credentials)) => {
                credentials.set_property(vec![Feature::CredentialsProcess]);
                credentials.set_property(Notes::default());
                Ok(credentials)
            }
            Ok(Err(failed)) => Err(self.failed(failed)),
            Err(_) => Err(Problem::new(
                Kind::Unreachable,
                "The profile's credential_process does not answer",
                format!(
                    "Profile {}: nothing came within {} s, and it was ended",
                    self.profile,
                    self.patience.as_secs()
                ),
                "Run that command by hand: it may wait for somebody",
            )),
        }
    }

    fn failed(&self, failed: Failed) -> Problem {
        let why = match failed {
            Failed::Unrun(why) => format!("it cannot be run: {why}"),
            Failed::TooMuch => format!("it said more than {} KiB, and was ended", MOST / 1_024),
            Failed::Ended(status, complaint) => match answer::complaint(&complaint) {
                None => format!("it ended with {status}, and said nothing on stderr"),
                Some(said) => format!("it ended with {status}: {said}"),
            },
            Failed::Unread(why) => why,
        };
        Problem::new(
            Kind::Denied,
            "The profile's credential_process failed",
            format!("Profile {}: {why}", self.profile),
            "Run that command by hand and mend what it says",
        )
    }
}

/// Runs it to its end. Whoever drops this kills it.
async fn run(command: &str) -> Result<Credentials, Failed> {
    let spawned = shell(command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let mut child = spawned.map_err(Failed::Unrun)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let mut family = Family::of(child);
    let (mut said, mut complaint) = (Vec::new(), Vec::new());
    let mut reading = Box::pin(async { tokio::try_join!(read(out, &mut said), read(err, &mut complaint)) });
    let mut is_read = false;
    let status = loop {
        tokio::select! {
            read = &mut reading, if !is_read => {
                read?;
                is_read = true;
            }
            status = family.ended() => break status.map_err(Failed::Unrun)?,
        }
    };
    // Whoever it has left behind may hold the pipes for ever.
    if !is_read && let Ok(read) = tokio::time::timeout(LINGER, &mut reading).await {
        read?;
    }
    drop(reading);
    if status.success() {
        answer::credentials(&said).map_err(Failed::Unread)
    } else {
        Err(Failed::Ended(status, complaint))
    }
}

#[cfg(not(windows))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    shell
}

/// As `cmd.exe` wants it: the command as it is, in one more pair of quotes.
#[cfg(windows)]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd.exe");
    shell.arg("/C").raw_arg(format!("\"{command}\""));
    shell
}

async fn read(from: Option<impl AsyncRead + Unpin>, bytes: &mut Vec<u8>) -> Result<(), Failed> {
    let Some(mut from) = from else {
        return Ok(());
    };
    while from.read_buf(bytes).await.map_err(Failed::Unrun)? > 0 {
        if bytes.len() > MOST {
            return Err(Failed::TooMuch);
        }
    }
    Ok(())
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program")
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

impl ProvideCredentials for Program {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(async { self.ask().await.map_err(CredentialsError::provider_error) })
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::time::Instant;

    const SHORT: Duration = Duration::from_millis(300);

    async fn refused(command: &str, patience: Duration) -> Problem {
        Program::new("slow", command, patience).ask().await.unwrap_err()
    }

    /// Whether somebody of that id runs; whoever has ended and is not yet waited for does not.
    fn runs(pid: &str) -> bool {
        let ps = std::process::Command::new("ps")
            .args(["-o", "stat=", "-p", pid])
            .output()
            .unwrap();
        let state = String::from_utf8(ps.stdout).unwrap();
        !state.trim().is_empty() && !state.trim().starts_with('Z')
    }

    async fn all_end(pids: &Path, count: usize) {
        let text = std::fs::read_to_string(pids).unwrap();
        assert_eq!(text.lines().count(), count, "{text}");
        let end = Instant::now() + Duration::from_secs(5);
        while text.lines().any(runs) {
            assert!(Instant::now() < end, "{text} live on");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    #[tokio::test]
    async fn a_program_that_is_given_up_ends_and_so_does_whatever_it_has_started() {
        let dir = tempfile::tempdir().unwrap();
        let pids = dir.path().join("pids");
        let script = dir.path().join("script");
        let log = format!(">> '{}'", pids.display());
        std::fs::write(
            &script,
            format!("echo $$ {log}\nsleep 60 &\necho $! {log}\nwait\n"),
        )
        .unwrap();
        let command = format!("echo $$ {log}; sh '{}'; true", script.display());
        let problem = refused(&command, SHORT).await;
        assert_eq!(problem.kind, Kind::Unreachable);
        assert!(
            problem.why.contains("slow: nothing came within 0 s"),
            "{problem:?}"
        );
        all_end(&pids, 3).await;
    }

    #[tokio::test]
    async fn a_program_that_never_stops_talking_is_ended_at_once() {
        for stream in ["", ">&2"] {
            let begun = Instant::now();
            let problem = refused(&format!("yes {stream}"), Duration::from_secs(20)).await;
            assert_eq!(
                problem.why,
                "Profile slow: it said more than 64 KiB, and was ended",
            );
            assert!(begun.elapsed() < Duration::from_secs(10));
        }
    }

    #[tokio::test]
    async fn whoever_a_program_leaves_behind_keeps_nobody_waiting() {
        let said = r#"{"Version":1,"AccessKeyId":"a","SecretAccessKey":"s"}"#;
        let program = Program::new("p", &format!("sleep 5 & echo '{said}'"), Duration::from_secs(20));
        let begun = Instant::now();
        assert_eq!(program.ask().await.unwrap().access_key_id(), "a");
        assert!(begun.elapsed() < Duration::from_secs(3));
    }

    #[tokio::test]
    async fn the_command_itself_is_never_shown() {
        let shown = format!("{:?}", Program::new("p", "fetch --secret s3cr3t", SHORT));
        assert!(!shown.contains("s3cr3t"), "{shown}");
        let problem = refused("exit 3 # s3cr3t", SHORT).await;
        assert!(!format!("{problem:?}").contains("s3cr3t"), "{problem:?}");
        assert_eq!(
            problem.why,
            "Profile slow: it ended with exit status: 3, and said nothing on stderr"
        );
    }
}
