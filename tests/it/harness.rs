//! The tools of the tests, tried on programs whose answers are known: a tool that lies would make every test lie.

use crate::support::home::{self, Home};
use crate::support::peers::{self, Peer};
use crate::support::term::{Term, key};
use crate::support::webdriver::Browser;
use crate::support::{http, wait_for};
use rustix::process::Signal;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

#[test]
fn a_home_hides_the_machine() {
    let home = Home::new().with("AWS_REGION", "eu-west-1");
    let ran = home::run(&mut home.command("env"), "").ok();
    let names: Vec<&str> = ran.stdout.lines().filter_map(|l| l.split('=').next()).collect();
    assert!(names.iter().all(|n| home.envs().contains_key(*n)), "{names:?}");
    assert!(ran.stdout.contains("AWS_REGION=eu-west-1\n"));
    assert!(ran.stdout.contains("RUST_BACKTRACE=0\n"));
    let other = Home::new();
    assert_ne!(home.records(), other.records());
}

#[test]
fn a_run_keeps_both_outputs_the_input_and_the_code() {
    let home = Home::new();
    let mut command = home.command("sh");
    command
        .args(["-c", "cat; echo oops >&2; exit 3"])
        .stdin(std::process::Stdio::piped());
    let ran = home::run(&mut command, "{\"a\":1}\n{\"a\":2}\n").exits(3);
    assert_eq!(ran.json_lines()[1]["a"], 2);
    assert_eq!(ran.stderr, "oops\n");
}

#[test]
fn a_terminal_shows_keys_colours_and_sizes() {
    let home = Home::new();
    let mut term = Term::start_program(&home, 40, 10, "sh", &[], &[("PS1", "ready> ")]);
    term.wait_for("ready> ");
    assert!(term.cooked() && !term.is_raw());
    term.keys("printf '\\033[1;32mgreen\\033[0m\\n'\r");
    term.wait("green text", |t| {
        t.screen(|s| s.contents().lines().any(|l| l == "green"))
    });
    let row = term.text().lines().position(|l| l == "green").unwrap();
    let (bold, colour) = term.screen(|s| {
        let cell = s.cell(row.try_into().unwrap(), 0).unwrap();
        (cell.bold(), cell.fgcolor())
    });
    assert!(bold);
    assert_eq!(colour, vt100::Color::Idx(2));
    term.resize(50, 12);
    term.keys("stty size\r");
    term.wait_for("12 50");
    term.keys("stty raw -echo; printf 'now ra''w'; dd bs=1 count=1 2>/dev/null | od -c; stty sane\r");
    // The line as it was typed, which stands there before it is obeyed, does not hold these words.
    term.wait_for("now raw");
    assert!(term.is_raw() && !term.cooked());
    term.keys(key::CTRL_C);
    term.wait_for("003");
    term.wait("a cooked terminal", Term::cooked);
    term.keys("exit 7\r");
    assert_eq!(term.exit_code(), 7);
    assert!(term.raw().windows(5).any(|w| w == b"\x1b[1;3"));
}

#[test]
fn a_terminal_tells_of_signals() {
    let home = Home::new();
    let script = "trap 'echo caught; exit 5' TERM; echo waiting; while :; do sleep 0.05; done";
    let mut term = Term::start_program(&home, 40, 10, "sh", &["-c", script], &[]);
    term.wait_for("waiting");
    assert!(term.running());
    term.signal(Signal::TERM);
    assert_eq!(term.exit_code(), 5);
    assert!(term.text().contains("caught"), "{}", term.text());
}

/// Serves `page` for every path until the test ends.
fn serve(page: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap_or(0) > 2 {
                line.clear();
            }
            let size = page.len();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n";
            write!(stream, "{head}Content-Length: {size}\r\n\r\n{page}").ok();
        }
    });
    address
}

#[test]
fn an_exchange_reads_status_headers_and_body() {
    let address = serve("<p>hello");
    let answer = http::get(&address, "/x").unwrap();
    assert_eq!((answer.status, answer.text().as_str()), (200, "<p>hello"));
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
}

#[test]
fn a_browser_fills_in_and_clicks() {
    if !peers::present("a_browser_fills_in_and_clicks", &[Peer::Browser]) {
        return;
    }
    let address = serve(
        "<!doctype html><title>Form</title><input id=name value=old><input id=ok type=checkbox>
         <button id=go disabled>Create</button><p id=out></p><script>
         const q = s => document.querySelector(s);
         q('#ok').onchange = () => q('#go').disabled = !q('#ok').checked;
         q('#go').onclick = () => setTimeout(() => q('#out').textContent = 'made ' + q('#name').value, 50);
         </script>",
    );
    let browser = Browser::start();
    browser.open(&format!("http://{address}/form#/a?b=c"));
    assert_eq!(browser.title(), "Form");
    assert!(browser.url().ends_with("/form#/a?b=c"));
    let (name, ok, go) = (browser.find("#name"), browser.find("#ok"), browser.find("#go"));
    assert_eq!(browser.attribute(&name, "value").as_deref(), Some("old"));
    assert!(!browser.is_enabled(&go) && !browser.is_selected(&ok));
    browser.clear(&name);
    browser.type_into(&name, "日本");
    assert_eq!(browser.property(&name, "value"), "日本");
    browser.click(&ok);
    assert!(browser.is_enabled(&go) && browser.is_selected(&ok));
    browser.click(&go);
    browser.wait_for("made 日本");
    assert_eq!(browser.script("return arguments[0] + 1", &[1.into()]), 2);
    assert!(browser.find_all("#absent").is_empty());
    browser.script("console.error('a complaint')", &[]);
    let heard = wait_for("complaint", String::new, || {
        browser
            .complaints()
            .into_iter()
            .find(|c| c.contains("a complaint"))
    });
    assert!(heard.starts_with("SEVERE"), "{heard}");
}

#[test]
fn ministack_enforces_and_knows_its_account() {
    if !peers::present(
        "ministack_enforces_and_knows_its_account",
        &[Peer::Ministack, Peer::Boto3],
    ) {
        return;
    }
    let ministack = peers::Emulator::ministack("012345678901");
    let code = "import boto3; print(boto3.client('sts').get_caller_identity()['Account'])";
    let ask = |home: &Home| home::run(peers::python_in(home).args(["-c", code]), "");
    assert_eq!(ask(&ministack.home()).ok().stdout, "012345678901\n");
    let mut stranger = ministack.home();
    stranger.set("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE");
    let refused = ask(&stranger).exits(1);
    assert!(
        refused.stderr.contains("InvalidClientTokenId"),
        "{}",
        refused.stderr
    );
}
