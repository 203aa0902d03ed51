//! Whoever takes every connection and says nothing, as a proxy or in AWS's place: it is named, and soon.

use crate::sign_in::silent;
use crate::support::fake;
use crate::support::home::{Home, Ran};
use crate::support::term::{Term, key};
use glueup::cloud::{Aws, Settings};
use glueup::domain::problem::Kind;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// Patience with a proxy or a server that says nothing, and what a busy machine adds to it; without an end of its own
/// this takes half a minute.
const SOON: Duration = Duration::from_secs(20);

/// Each verb that asks AWS, and what else it wants to hear.
const VERBS: [&[&str]; 4] = [
    &["ls", "lake"],
    &["verify", "lake"],
    &["deploy", "catalog", "lake", "--yes"],
    &["preflight", "lake"],
];

fn home() -> Home {
    fake::recorded("aws", "us-west-2", false)
}

/// Runs all the verbs at once, each in time, and answers what each has said.
#[track_caller]
fn ran(home: &Home) -> Vec<(String, Ran)> {
    std::thread::scope(|scope| {
        let running: Vec<_> = VERBS
            .iter()
            .map(|verb| {
                scope.spawn(move || {
                    let begun = Instant::now();
                    let ran = home.glueup(verb);
                    let took = begun.elapsed();
                    assert!(
                        took < SOON,
                        "{verb:?} took {took:?}\n{}{}",
                        ran.stdout,
                        ran.stderr
                    );
                    assert!(!matches!(ran.code, Some(0) | None), "{verb:?}: {ran:?}");
                    (format!("{} {}", ran.stdout, ran.stderr), ran)
                })
            })
            .collect();
        running
            .into_iter()
            .map(|running| running.join().unwrap())
            .collect()
    })
}

#[track_caller]
fn each_says(home: &Home, all: &[&str]) {
    for (said, ran) in ran(home) {
        for word in all {
            assert!(said.contains(word), "{word}: {ran:?}");
        }
    }
}

/// A proxy that opens every tunnel, and the tunnel leads nowhere.
fn dead_tunnel() -> String {
    ends_with("HTTP/1.1 200 Connection established\r\n\r\n")
}

/// A server that answers every request with these words, and then says nothing more.
fn ends_with(words: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for mut stream in listener.incoming().flatten() {
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
                head.extend(byte);
            }
            // Whoever has hung up in the middle hears nothing.
            let _ = stream.write_all(words.as_bytes());
            kept.push(stream);
        }
    });
    address
}

#[test]
fn a_proxy_that_says_nothing_is_named_by_every_verb() {
    for proxy in [silent().0, dead_tunnel()] {
        let home = home().with("HTTPS_PROXY", &proxy);
        let named = format!("{proxy} (HTTPS_PROXY)");
        each_says(&home, &[&named, "amazonaws.com", "glueup doctor"]);
    }
}

#[test]
fn an_endpoint_that_says_nothing_is_named_by_every_verb() {
    let (plain, _) = silent();
    let place = plain.strip_prefix("http://").unwrap().to_owned();
    for endpoint in [plain.clone(), format!("https://{place}")] {
        let home = home().with("AWS_ENDPOINT_URL", endpoint);
        each_says(&home, &[&place, "gave no answer", "glueup doctor"]);
    }
}

/// One service may be behind a proxy's back while the others answer.
#[test]
fn a_store_that_says_nothing_does_not_hold_the_ladder() {
    let world = fake::glue(vec![]);
    let home = fake::at(home(), &world).with("AWS_ENDPOINT_URL_S3", silent().0);
    let begun = Instant::now();
    let ran = home.glueup(&["verify", "lake"]).exits(1);
    assert!(begun.elapsed() < SOON, "{:?}\n{}", begun.elapsed(), ran.stdout);
    assert!(ran.stdout.contains("gave no answer"), "{}", ran.stdout);
}

/// Doctor looks at each part of the way by itself, and names the one that is silent.
#[test]
fn doctor_names_the_proxy_that_says_nothing() {
    let (proxy, _) = silent();
    let ran = home().with("HTTPS_PROXY", &proxy).glueup(&["doctor"]);
    let named = format!("{proxy} (HTTPS_PROXY)");
    let asked = ran.stdout.matches(&named).count();
    assert!(asked >= 2, "the way, and who was silent on it: {}", ran.stdout);
}

#[test]
fn while_nobody_answers_the_screen_is_usable_and_a_stop_is_a_stop() {
    let (proxy, _) = silent();
    let home = home().with("HTTPS_PROXY", &proxy).with("AWS_REGION", "us-west-2");
    let mut term = Term::start(&home, 100, 30, &[], &[]);
    term.wait_for("lake");
    term.keys("v");
    term.wait_for("s stop");
    // Other keys are heard meanwhile.
    term.keys("?");
    term.wait_for("Everywhere");
    term.keys(key::ESC);
    term.wait_gone("Everywhere");
    let begun = Instant::now();
    term.keys("s");
    term.wait_gone("s stop");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    // Climbed to the end it names who was silent.
    term.keys("r");
    let begun = Instant::now();
    term.wait_for("(HTTPS_PROXY)");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

/// An answer that has begun is not waited for without end, neither by the SDK's clients nor by ours, and nor is whoever
/// waits until the place is free.
#[tokio::test]
async fn an_answer_that_breaks_off_in_the_middle_comes_to_an_end() {
    let signed_in = async |words| {
        let region = "us-west-2".parse().unwrap();
        let settings = Settings::demo(ends_with(words), region, "a", "b");
        Aws::sign_in(&settings).await.unwrap()
    };
    let refusing = signed_in(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: application/x-amz-json-1.1\r\ncontent-length: 99\r\n\r\n{\"__type\":",
    )
    .await;
    let answering =
        signed_in("HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\ncontent-length: 99\r\n\r\n<GetRoleResponse>")
            .await;
    let glue = refusing.glue(refusing.region());
    let iam = answering.iam(answering.partition());
    let role = "arn:aws:iam::012345678901:role/r".parse().unwrap();
    let begun = Instant::now();
    let (refused, answered) = tokio::time::timeout(Duration::from_secs(40), async {
        tokio::join!(glue.databases_page(None), iam.role(&role))
    })
    .await
    .expect("both come to an end");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    for (problem, status) in [
        (refused.unwrap_err(), "HTTP 400"),
        (answered.unwrap_err(), "HTTP 200"),
    ] {
        assert_eq!(problem.kind, Kind::Unreachable, "{problem:?}");
        assert!(problem.what.starts_with("No answer from AWS "), "{problem:?}");
        assert!(problem.why.contains(status), "{problem:?}");
    }
}
