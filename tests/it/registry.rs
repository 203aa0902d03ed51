//! Records under several writers at once, and under writers that are killed between any two steps.
//!
//! The writers are real processes: this test binary, started again for the one test that does the writing, which does
//! nothing unless it is told to.

use std::{
    env, fs,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use glueup::{
    domain::{
        external_id::ExternalId,
        problem::Kind,
        stack_name::{StackKind, StackName},
    },
    registry::{Connection, Home, Stored, ledger::Intent, write::Step},
};

const HOME: &str = "GLUEUP_TEST_WRITER_HOME";
const WORK: &str = "GLUEUP_TEST_WRITER_WORK";
const WRITERS: usize = 8;
const CHANGES: usize = 12;

fn connection() -> Connection {
    Connection {
        version: 1,
        name: "shared".parse().unwrap(),
        id: "0a1b2c3d".into(),
        account_id: "012345678901".parse().unwrap(),
        role_arn: None,
        adopted: false,
        external_id: ExternalId::from_random([1; 16]),
        broker_role_arn: None,
        trust: vec![],
        verifier: None,
        stack_name: StackName::compose("glueup", StackKind::Connection, "shared"),
        region: None,
        permissions_boundary: None,
        role_path: None,
        // Long enough that a half-written file would not parse.
        deploy_profile: Some("before ".repeat(2000).trim().to_owned()),
        stack_id: None,
    }
}

fn read(home: &Home) -> Stored<Connection> {
    let listing = home.connections().unwrap();
    assert!(listing.broken.is_empty(), "{:?}", listing.broken);
    home.connection(&"shared".parse().unwrap()).unwrap()
}

fn start(home: &Path, work: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["registry::writer", "--exact", "--nocapture"])
        .env(HOME, home)
        .env(WORK, work)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What a started writer does; alone it is an empty test.
#[test]
fn writer() {
    let (Some(home), Ok(work)) = (env::var_os(HOME), env::var(WORK)) else {
        return;
    };
    let home = Home::at(home);
    match work.split_once(' ').unwrap() {
        ("add", who) => add(&home, who),
        ("die", step) => {
            STEP.store(step.parse().unwrap(), Ordering::Relaxed);
            let home = home.observed(|step| {
                if Step::ALL.iter().position(|s| *s == step) == Some(STEP.load(Ordering::Relaxed)) {
                    kill_myself();
                }
            });
            let stored = read(&home);
            let mut record = stored.record.clone();
            record.deploy_profile = Some("after ".repeat(2000).trim().to_owned());
            home.update(&stored, record).unwrap();
            unreachable!("the writer outlived its last step");
        }
        other => panic!("{other:?}"),
    }
}

static STEP: AtomicUsize = AtomicUsize::new(usize::MAX);

/// SIGKILL: nothing is cleaned up, no destructor runs.
fn kill_myself() {
    let pid = rustix::process::getpid();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    loop {
        std::thread::park();
    }
}

/// Adds lines to one field of one record, a change each, as a careful program does: again when it was overtaken.
fn add(home: &Home, who: &str) {
    for n in 0..CHANGES {
        loop {
            let stored = read(home);
            let mut record = stored.record.clone();
            let lines = record.stack_id.get_or_insert_default();
            lines.push_str(&format!("{who}.{n} "));
            match home.update(&stored, record) {
                Ok(_) => break,
                Err(problem) => assert_eq!(problem.kind, Kind::CheckFailed, "{problem:?}"),
            }
        }
        let intent = Intent {
            service: "cloudformation".into(),
            action: format!("{who}.{n}"),
            resource: "x".repeat(500),
        };
        let at = "2026-11-30T14:00:00Z".parse().unwrap();
        let id = home.ledger().intend(at, &intent).unwrap();
        home.ledger()
            .settle(at, &id, &format!("done {who}.{n}"), None)
            .unwrap();
    }
}

#[test]
fn eight_writers_lose_no_update_and_leave_no_invalid_file() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    home.create(connection()).unwrap();
    let mut writers: Vec<_> = (0..WRITERS)
        .map(|who| start(dir.path(), &format!("add w{who}")))
        .collect();
    // A reader beside them never sees anything but a whole record.
    while writers
        .iter_mut()
        .any(|writer| writer.try_wait().unwrap().is_none())
    {
        read(&home);
    }
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let lines = read(&home).stack_id.clone().unwrap();
    let mut seen: Vec<_> = lines.split_whitespace().map(str::to_owned).collect();
    seen.sort();
    let mut wanted: Vec<_> = (0..WRITERS)
        .flat_map(|who| (0..CHANGES).map(move |n| format!("w{who}.{n}")))
        .collect();
    wanted.sort();
    assert_eq!(seen, wanted);

    let mut entries: Vec<_> = home
        .ledger()
        .entries()
        .unwrap()
        .into_iter()
        .map(|entry| {
            assert_eq!(entry.outcome, Some(format!("done {}", entry.intent.action)));
            entry.intent.action
        })
        .collect();
    entries.sort();
    assert_eq!(entries, wanted);
}

#[test]
fn a_writer_killed_at_any_step_leaves_the_old_or_the_new_record_and_blocks_nobody() {
    for (at, step) in Step::ALL.into_iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        home.create(connection()).unwrap();
        let output = start(dir.path(), &format!("die {at}"))
            .wait_with_output()
            .unwrap();
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&output.status),
            Some(9),
            "{step:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let stored = read(&home);
        let profile = stored.deploy_profile.as_deref().unwrap();
        let (word, count) = (profile.split(' ').next().unwrap(), profile.split(' ').count());
        assert_eq!(count, 2000, "{step:?}");
        assert_eq!(
            word,
            if step >= Step::Renamed { "after" } else { "before" },
            "{step:?}"
        );

        let mut record = stored.record.clone();
        record.deploy_profile = None;
        home.update(&stored, record.clone()).unwrap();
        assert_eq!(read(&home).record, record);
        let left: Vec<_> = fs::read_dir(dir.path().join("connections")).unwrap().collect();
        assert_eq!(left.len(), 1, "{step:?}: an unfinished file was left: {left:?}");
    }
}
