//! The embedded AWS says no as AWS does: shown by boto3 alone, and asked of another's emulator with the same script.

use crate::support::demo::Demo;
use crate::support::home::Ran;
use crate::support::peers::{self, Peer};

fn counts(ran: &Ran) -> (usize, usize) {
    let last = ran.stdout.lines().last().unwrap_or_default();
    let number = |word: &str| {
        let at = last.split(", ").find_map(|part| part.strip_suffix(word));
        at.and_then(|n| n.trim().parse().ok())
            .unwrap_or_else(|| panic!("no count in:\n{}", ran.stdout))
    };
    (number("passed"), number("skipped"))
}

#[test]
fn the_embedded_aws_enforces() {
    if !peers::present("the_embedded_aws_enforces", &[Peer::Boto3]) {
        return;
    }
    let demo = Demo::start(&[]);
    let ran = peers::script(&demo.home(), "enforce.py", &["--flavour", "glueup"]).ok();
    let (passed, skipped) = counts(&ran);
    assert!(passed > 100 && skipped == 0, "{}", ran.stdout);
}

#[test]
fn ministack_gives_the_same_answers() {
    if !peers::present(
        "ministack_gives_the_same_answers",
        &[Peer::Boto3, Peer::Ministack],
    ) {
        return;
    }
    let ministack = peers::Emulator::ministack("012345678901");
    let ran = peers::script(&ministack.home(), "enforce.py", &["--flavour", "ministack"]).ok();
    let (passed, _) = counts(&ran);
    assert!(passed > 70, "{}", ran.stdout);
}

#[test]
fn the_policy_simulator_decides_as_the_manual_says() {
    if !peers::present("the_policy_simulator_decides_as_the_manual_says", &[Peer::Boto3]) {
        return;
    }
    let demo = Demo::start(&[]);
    let ran = peers::script(&demo.home(), "simulate.py", &["--flavour", "glueup"]).ok();
    let (passed, skipped) = counts(&ran);
    assert!(passed > 35 && skipped == 0, "{}", ran.stdout);
}

#[test]
fn ministack_simulates_the_same() {
    if !peers::present("ministack_simulates_the_same", &[Peer::Boto3, Peer::Ministack]) {
        return;
    }
    let ministack = peers::Emulator::ministack("012345678901");
    let ran = peers::script(&ministack.home(), "simulate.py", &["--flavour", "ministack"]).ok();
    let (passed, _) = counts(&ran);
    assert!(passed > 20, "{}", ran.stdout);
}
