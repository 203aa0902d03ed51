//! A server between the program and an embedded AWS: it lets everything pass, except what the test answers itself.

use super::fake::{Asked, Fake, Reply};
use std::io::{Read, Write};
use std::net::TcpStream;

/// Starts one before `endpoint`; whatever `answer` has nothing to say to is passed on as it came.
pub fn before(endpoint: &str, answer: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static) -> Fake {
    let host = endpoint
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .to_owned();
    Fake::raw(move |asked| match answer(asked) {
        Some(reply) => reply.bytes(),
        None => passed_on(&host, asked),
    })
}

/// What the server behind answers, byte by byte. The signature covers the headers that it names and the host that was
/// asked for, so they go on unchanged; how the connection is kept is no part of it.
fn passed_on(host: &str, asked: &Asked) -> Vec<u8> {
    let mut request = format!("{} {} HTTP/1.1\r\n", asked.method, asked.target).into_bytes();
    for (name, value) in &asked.headers {
        if !name.eq_ignore_ascii_case("connection") {
            request.extend(format!("{name}: {value}\r\n").into_bytes());
        }
    }
    request.extend(b"Connection: close\r\n\r\n");
    request.extend(&asked.raw);
    let mut answer = Vec::new();
    let mut to = TcpStream::connect(host).unwrap();
    to.write_all(&request).unwrap();
    // A server that hangs up has said all that it will say.
    let _ = to.read_to_end(&mut answer);
    answer
}
