//! The embedded AWS as a program of its own: `glueup demo --headless`.

use super::home::{GLUEUP, Home};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, mpsc};

/// A running `glueup demo --headless`, ended when dropped.
pub struct Demo {
    child: Child,
    /// Its first line: where it listens and with which keys.
    pub line: Value,
    messages: Arc<Mutex<String>>,
    home: Option<Home>,
}

impl Demo {
    /// Starts it in a home of its own.
    pub fn start(args: &[&str]) -> Demo {
        let home = Home::new();
        let mut demo = Demo::start_in(&home, args);
        demo.home = Some(home);
        demo
    }

    /// Starts it in `home`, which outlives it, so that it can be started there again.
    pub fn start_in(home: &Home, args: &[&str]) -> Demo {
        let mut child = home
            .command(GLUEUP)
            .args(["demo", "--headless", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let messages = Arc::new(Mutex::new(String::new()));
        let mut stderr = child.stderr.take().unwrap();
        let kept = messages.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = stderr.read(&mut bytes) {
                kept.lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&bytes[..n]));
            }
        });
        let (send, first) = mpsc::channel();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut line = String::new();
            stdout.read_line(&mut line).ok();
            send.send(line).ok();
            // reads on, so that the server never meets a closed pipe
            std::io::copy(&mut stdout, &mut std::io::sink()).ok();
        });
        let line = first.recv_timeout(super::PATIENCE).unwrap_or_default();
        let mut demo = Demo {
            child,
            line: Value::Null,
            messages,
            home: None,
        };
        demo.line = serde_json::from_str(&line).unwrap_or_else(|e| {
            demo.child.kill().ok();
            demo.child.wait().ok();
            panic!(
                "the first line of `demo --headless` is {line:?} ({e}); it says:\n{}",
                demo.stderr()
            )
        });
        demo
    }

    pub fn stderr(&self) -> String {
        self.messages.lock().unwrap().clone()
    }

    /// A text field of the first line; `principals/engine/access_key_id` goes into it.
    #[track_caller]
    pub fn field(&self, path: &str) -> &str {
        let value = self.line.pointer(&format!("/{path}")).and_then(Value::as_str);
        value.unwrap_or_else(|| panic!("no {path} in {}", self.line))
    }

    pub fn endpoint(&self) -> &str {
        self.field("endpoint_url")
    }

    /// The four settings that are enough for every verb and for any AWS client.
    pub fn envs(&self) -> [(&'static str, String); 4] {
        self.envs_of("")
    }

    /// The same for another principal: `engine`, `outsider`.
    pub fn envs_as(&self, principal: &str) -> [(&'static str, String); 4] {
        self.envs_of(&format!("principals/{principal}/"))
    }

    fn envs_of(&self, at: &str) -> [(&'static str, String); 4] {
        [
            ("AWS_ENDPOINT_URL", self.endpoint().to_string()),
            (
                "AWS_ACCESS_KEY_ID",
                self.field(&format!("{at}access_key_id")).to_string(),
            ),
            (
                "AWS_SECRET_ACCESS_KEY",
                self.field(&format!("{at}secret_access_key")).to_string(),
            ),
            ("AWS_REGION", self.field("region").to_string()),
        ]
    }

    /// A new home whose AWS is this one.
    pub fn home(&self) -> Home {
        let mut home = Home::new();
        for (name, value) in self.envs() {
            home.set(name, value);
        }
        home
    }

    /// Kills it without a word, as a crash would.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, and says with which code it did.
    pub fn terminate(mut self) -> Option<i32> {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        super::wait_for(
            "end of the demo",
            || self.messages.lock().unwrap().clone(),
            || self.child.try_wait().unwrap(),
        )
        .code()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
