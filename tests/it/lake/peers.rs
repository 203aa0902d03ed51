//! The same, asked by programs of others.

use crate::support::demo::Demo;
use crate::support::peers::{self, Peer};

#[test]
fn boto3_finds_s3_as_it_expects_it() {
    if !peers::present("boto3_finds_s3_as_it_expects_it", &[Peer::Boto3]) {
        return;
    }
    let demo = Demo::start(&[]);
    let ran = peers::script(&demo.home(), "s3.py", &[]).ok();
    assert!(ran.stdout.contains(", 0 failed"), "{}", ran.stdout);
    let passed = ran
        .stdout
        .lines()
        .last()
        .and_then(|line| line.split_once(' ')?.0.parse().ok());
    assert!(passed.is_some_and(|passed: u32| passed > 90), "{}", ran.stdout);
}

#[test]
fn pyiceberg_scans_the_lake_and_writes_to_it() {
    if !peers::present("pyiceberg_scans_the_lake_and_writes_to_it", &[Peer::PyIceberg]) {
        return;
    }
    let demo = Demo::start(&[]);
    let ran = peers::script(&demo.home(), "lake.py", &[]).ok();
    assert!(ran.stdout.contains(", 0 failed"), "{}", ran.stdout);
}
