//! AWS SSO on this machine: a portal that gives the demo's keys for the token of the hour, and an `aws` that logs in.

use super::home::Home;
use serde_json::json;
use sha1::{Digest, Sha1};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The portal.
pub struct Portal {
    pub url: String,
    state: Arc<Mutex<State>>,
}

struct State {
    /// The only token that it takes.
    token: String,
    /// How long what it gives lasts.
    life: Duration,
    keys: (String, String),
    asked: usize,
}

impl Portal {
    pub fn start(keys: &glueup::demo::KeyPair) -> Portal {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            token: "token-1".into(),
            life: Duration::from_secs(3_600),
            keys: (keys.id.clone(), keys.secret.clone()),
            asked: 0,
        }));
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = shared.clone();
                std::thread::spawn(move || answer(stream, &state));
            }
        });
        Portal { url, state }
    }

    /// From now on only this token counts, and what it gives lasts so long.
    pub fn takes(&self, token: &str, life: Duration) {
        let mut state = self.state.lock().unwrap();
        state.token = token.to_owned();
        state.life = life;
    }

    pub fn asked(&self) -> usize {
        self.state.lock().unwrap().asked
    }
}

fn answer(mut stream: TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut token = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "x-amz-sso_bearer_token" => token = value.trim().to_owned(),
            "content-length" => length = value.trim().parse().unwrap_or(0),
            _ => {}
        }
    }
    reader.take(length).read_to_end(&mut Vec::new()).ok();
    let mut state = state.lock().unwrap();
    state.asked += 1;
    let end = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + state.life;
    let (status, kind, body) = if token == state.token {
        let given = json!({"roleCredentials": {"accessKeyId": state.keys.0, "secretAccessKey": state.keys.1,
            "expiration": u64::try_from(end.as_millis()).unwrap()}});
        ("200 OK", "", given)
    } else {
        let refused = json!({"message": "Session token not found or invalid"});
        (
            "401 Unauthorized",
            "x-amzn-ErrorType: UnauthorizedException\r\n",
            refused,
        )
    };
    let body = body.to_string();
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{kind}Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .ok();
}

/// Where the token lies of whatever is called so: a session's name, or a start URL.
pub fn token_file(home: &Home, called: &str) -> PathBuf {
    let name: String = Sha1::digest(called)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    home.path().join(format!(".aws/sso/cache/{name}.json"))
}

/// A token that holds until `end` (RFC 3339).
pub fn token(value: &str, end: &str) -> String {
    json!({"accessToken": value, "expiresAt": end, "startUrl": "https://acme.awsapps.com/start", "region": "us-west-2"})
        .to_string()
}

pub fn put(path: &std::path::Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// An `aws` before all others on the path, which runs these lines of a shell.
pub fn aws(home: Home, script: &str) -> Home {
    use std::os::unix::fs::PermissionsExt;
    let folder = home.path().join("bin");
    put(&folder.join("aws"), &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(folder.join("aws"), PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), home.envs()["PATH"]);
    home.with("PATH", path)
}
