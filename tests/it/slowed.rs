//! AWS slows us: the work takes longer, says so in one line, and comes to its end.

use crate::cli_journey::deployed;
use crate::support::demo::Demo;
use crate::support::fake::{Fake, Reply};
use crate::support::http;
use crate::support::term::{Term, key};
use glueup::cloud::{Aws, Settings};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

fn knobs(demo: &Demo, wanted: &str) {
    let address = demo.endpoint().strip_prefix("http://").unwrap().to_owned();
    let answer = http::request(&address, "PUT", "/_glueup/knobs", &[], wanted.as_bytes()).unwrap();
    assert_eq!(answer.status, 200);
}

const ONE_IN_THREE: &str = r#"{"throttle": 3, "latency_ms": 60}"#;

#[test]
fn hundreds_of_tables_are_listed_although_one_request_in_three_is_refused() {
    let demo = Demo::start(&["--tables", "700"]);
    let home = deployed(&demo);
    knobs(&demo, ONE_IN_THREE);
    let ran = home
        .glueup(&["ls", "Lake House.generated", "--output", "json"])
        .ok();
    let rows = ran.json_lines();
    let names: BTreeSet<&str> = rows.iter().map(|row| row["table"].as_str().unwrap()).collect();
    assert_eq!((rows.len(), names.len()), (700, 700));
    // Nobody looks at a terminal: nothing is said of it.
    assert_eq!(ran.stderr, "");
    let report = home
        .glueup(&["verify", "Lake House", "--output", "json"])
        .ok()
        .json();
    assert_ne!(report["verdict"], "failed", "{report}");
}

/// Whoever looks at the terminal sees one line that comes and goes.
#[test]
fn one_line_says_so_and_goes_again() {
    let demo = Demo::start(&["--tables", "700"]);
    let home = deployed(&demo);
    knobs(&demo, ONE_IN_THREE);
    let mut term = Term::start(&home, 100, 30, &["ls", "Lake House.generated", "--names"], &[]);
    assert_eq!(term.exit_code(), 0);
    let raw = String::from_utf8_lossy(&term.raw()).into_owned();
    assert!(raw.contains("slowed by AWS (retry "), "{raw}");
    assert!(!term.text().contains("slowed by AWS"), "{}", term.text());
}

#[test]
fn the_foot_of_the_screen_says_so_and_no_box_does() {
    let demo = Demo::start(&["--tables", "700"]);
    let home = deployed(&demo);
    knobs(&demo, ONE_IN_THREE);
    let mut term = Term::start(&home, 100, 30, &[], &[]);
    term.wait_for("Lake House");
    term.keys("b");
    term.wait_for("slowed by AWS (retry ");
    term.wait_for("sales");
    // The list comes to its end, and nothing else is said.
    term.keys(":generated\r");
    term.wait("the whole list", |term| {
        let text = term.text();
        assert!(!text.contains('✗') && !text.contains("used up"), "{text}");
        text.contains("TABLES  700") && !text.contains("still listing")
    });
    knobs(&demo, r#"{"throttle": 0}"#);
    term.keys(key::ESC);
    term.keys("r");
    term.wait_gone("slowed by AWS");
}

/// A Glue that bears two requests at once, and says so of every further one.
fn bears_two() -> (Fake, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let (under_way, most, bears) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicUsize::new(2)),
    );
    let (seen, limit) = (most.clone(), bears.clone());
    let fake = Fake::start(move |_| {
        let now = under_way.fetch_add(1, SeqCst) + 1;
        seen.fetch_max(now, SeqCst);
        std::thread::sleep(Duration::from_millis(100));
        under_way.fetch_sub(1, SeqCst);
        match now > limit.load(SeqCst) {
            true => Reply::error(400, "ThrottlingException", "Rate exceeded"),
            false => Reply::json(&json!({ "DatabaseList": [] })),
        }
    });
    (fake, most, bears)
}

#[tokio::test]
async fn fewer_requests_are_under_way_while_aws_slows_us_and_as_many_again_after() {
    let (fake, most, bears) = bears_two();
    let region = "us-west-2".parse().unwrap();
    let aws = Aws::sign_in(&Settings::demo(fake.url(), region, "a", "b"))
        .await
        .unwrap();
    let asked = async |times: usize| {
        most.store(0, SeqCst);
        let glue = aws.glue(aws.region());
        let all = futures_util::future::join_all((0..times).map(|_| glue.databases_page(None))).await;
        for answer in all {
            answer.unwrap();
        }
        most.load(SeqCst)
    };
    let at_first = asked(16).await;
    assert!(at_first > 6, "all at once: {at_first}");
    let slowed = asked(16).await;
    assert!(slowed <= at_first / 2, "{slowed} after {at_first}");
    bears.store(usize::MAX, SeqCst);
    asked(120).await;
    let after = asked(16).await;
    assert!(after > slowed && after >= 8, "{after} after {slowed}");
}
