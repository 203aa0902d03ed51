//! One HTTP/1.1 exchange over a plain socket: enough for a driver and for a page on this machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The answer of a server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Sends one request to `host:port` (a literal address) and reads its whole answer.
pub fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<Answer> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    read(&mut BufReader::new(stream))
}

pub fn get(address: &str, path: &str) -> std::io::Result<Answer> {
    request(address, "GET", path, &[], b"")
}

fn read(from: &mut impl BufRead) -> std::io::Result<Answer> {
    let broken = |what: &str| std::io::Error::other(what.to_string());
    let mut line = String::new();
    from.read_line(&mut line)?;
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|s| s.parse().ok())
        .ok_or_else(|| broken("no status line"))?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| broken("a header without a colon"))?;
        headers.push((name.to_string(), value.trim().to_string()));
    }
    let mut answer = Answer {
        status,
        headers,
        body: Vec::new(),
    };
    if answer
        .header("transfer-encoding")
        .is_some_and(|v| v.eq_ignore_ascii_case("chunked"))
    {
        read_chunks(from, &mut answer.body)?;
    } else if let Some(length) = answer.header("content-length").and_then(|l| l.parse().ok()) {
        answer.body = vec![0; length];
        from.read_exact(&mut answer.body)?;
    } else {
        from.read_to_end(&mut answer.body)?;
    }
    Ok(answer)
}

fn read_chunks(from: &mut impl BufRead, body: &mut Vec<u8>) -> std::io::Result<()> {
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(std::io::Error::other)?;
        from.take(size).read_to_end(body)?;
        from.read_line(&mut String::new())?;
        if size == 0 {
            return Ok(());
        }
    }
}
