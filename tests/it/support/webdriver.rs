//! A real browser: headless Chromium behind chromedriver, spoken to in the W3C WebDriver protocol.
//!
//! The protocol is a handful of JSON requests on a local socket. A client crate would bring a second cookie and
//! internationalisation tree, and would change the features of crates that the program itself uses.

use super::http;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The name under which the protocol hides the id of an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one window and a fresh profile, closed when dropped.
pub struct Browser {
    driver: Child,
    address: String,
    session: String,
    _stdout: BufReader<ChildStdout>,
    _profile: tempfile::TempDir,
}

/// An element of the page; stale once the page has replaced it.
#[derive(Debug, Clone)]
pub struct Element(String);

impl Browser {
    pub fn start() -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .env("HOME", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(driver.stdout.take().unwrap());
        let port = loop {
            let mut line = String::new();
            assert_ne!(
                stdout.read_line(&mut line).unwrap(),
                0,
                "chromedriver ended before it named its port"
            );
            if let Some(port) = line
                .trim_end()
                .trim_end_matches('.')
                .split("successfully on port ")
                .nth(1)
            {
                break port.to_string();
            }
        };
        let mut browser = Browser {
            driver,
            address: format!("127.0.0.1:{port}"),
            session: String::new(),
            _stdout: stdout,
            _profile: profile,
        };
        let profile = format!(
            "--user-data-dir={}",
            browser._profile.path().join("profile").display()
        );
        // no sandbox: continuous integration runs as root; the pages are our own
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-proxy-server",
            "--window-size=1200,900",
            &profile,
        ];
        let wish = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": args}, "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let session = browser
            .call("POST", "/session", &wish)
            .unwrap_or_else(|e| panic!("no session: {e}"));
        browser.session = session["sessionId"].as_str().unwrap().to_string();
        browser
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if method == "POST" {
            body.to_string()
        } else {
            String::new()
        };
        let headers = [("Content-Type", "application/json; charset=utf-8")];
        let answer = http::request(&self.address, method, path, &headers, body.as_bytes())
            .map_err(|e| e.to_string())?;
        let value: Value =
            serde_json::from_slice(&answer.body).map_err(|e| format!("{e}: {}", answer.text()))?;
        let value = value["value"].clone();
        if answer.status == 200 {
            Ok(value)
        } else {
            Err(format!("{}: {}", value["error"], value["message"]))
        }
    }

    fn get(&self, path: &str) -> Result<Value, String> {
        self.call("GET", &format!("/session/{}{path}", self.session), &Value::Null)
    }

    fn post(&self, path: &str, body: Value) -> Result<Value, String> {
        self.call("POST", &format!("/session/{}{path}", self.session), &body)
    }

    pub fn open(&self, url: &str) {
        self.post("/url", json!({"url": url})).unwrap();
    }

    pub fn reload(&self) {
        self.post("/refresh", json!({})).unwrap();
    }

    pub fn url(&self) -> String {
        self.get("/url").unwrap().as_str().unwrap().to_string()
    }

    pub fn title(&self) -> String {
        self.get("/title").unwrap().as_str().unwrap().to_string()
    }

    /// The text of the page, as a person sees it.
    pub fn text(&self) -> String {
        self.text_of(&self.find("body"))
    }

    pub fn find_all(&self, css: &str) -> Vec<Element> {
        let found = self
            .post("/elements", json!({"using": "css selector", "value": css}))
            .unwrap();
        let id = |e: &Value| Element(e[ELEMENT].as_str().unwrap().to_string());
        found.as_array().unwrap().iter().map(id).collect()
    }

    /// Waits for the first element that the CSS selector matches.
    #[track_caller]
    pub fn find(&self, css: &str) -> Element {
        super::wait_for(
            css,
            || format!("{} {}", self.url(), self.source()),
            || self.find_all(css).into_iter().next(),
        )
    }

    pub fn click(&self, element: &Element) {
        self.post(&format!("/element/{}/click", element.0), json!({}))
            .unwrap();
    }

    pub fn type_into(&self, element: &Element, text: &str) {
        self.post(&format!("/element/{}/value", element.0), json!({"text": text}))
            .unwrap();
    }

    pub fn clear(&self, element: &Element) {
        self.post(&format!("/element/{}/clear", element.0), json!({}))
            .unwrap();
    }

    pub fn text_of(&self, element: &Element) -> String {
        self.get(&format!("/element/{}/text", element.0))
            .unwrap()
            .as_str()
            .unwrap()
            .to_string()
    }

    pub fn attribute(&self, element: &Element, name: &str) -> Option<String> {
        self.get(&format!("/element/{}/attribute/{name}", element.0))
            .unwrap()
            .as_str()
            .map(str::to_string)
    }

    /// A property as the page's script sees it, such as the current `value` of a field.
    pub fn property(&self, element: &Element, name: &str) -> Value {
        self.get(&format!("/element/{}/property/{name}", element.0))
            .unwrap()
    }

    pub fn is_enabled(&self, element: &Element) -> bool {
        self.get(&format!("/element/{}/enabled", element.0)).unwrap() == json!(true)
    }

    pub fn is_selected(&self, element: &Element) -> bool {
        self.get(&format!("/element/{}/selected", element.0)).unwrap() == json!(true)
    }

    /// Runs a script in the page and returns what it returns.
    pub fn script(&self, script: &str, args: &[Value]) -> Value {
        self.post("/execute/sync", json!({"script": script, "args": args}))
            .unwrap()
    }

    /// What the page's scripts complained of so far.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", json!({"type": "browser"})).unwrap();
        let entry = |e: &Value| format!("{}: {}", e["level"].as_str().unwrap_or_default(), e["message"]);
        log.as_array().unwrap().iter().map(entry).collect()
    }

    /// Waits until the page shows `text`.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        super::wait_for(
            &format!("{text:?} on the page"),
            || self.text(),
            || self.text().contains(text).then_some(()),
        );
    }

    fn source(&self) -> String {
        self.get("/source").map(|s| s.to_string()).unwrap_or_default()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // the driver ends its browser with the session; killed alone it would leave it behind
        if !self.session.is_empty() {
            self.call("DELETE", &format!("/session/{}", self.session), &Value::Null)
                .ok();
        }
        self.driver.kill().ok();
        self.driver.wait().ok();
    }
}
