//! A running server and a small client for it.
#![allow(dead_code, reason = "no test of commands uses all of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that ends with the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) line: String,
}

/// What the server answered.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Server {
    /// Starts a server in a folder, on any free port.
    pub(crate) fn start(folder: &Path, flags: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hierarch"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "off"])
            .args(flags)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("it was piped");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.split("://").nth(1).and_then(|rest| rest.split(' ').next());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).trim().to_owned();
        Self { child, address, line }
    }

    /// Asks with GET.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], "")
    }

    /// Asks and expects an answer.
    pub(crate) fn body(&self, path: &str) -> String {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        reply.body
    }

    /// Asks with a method, headers and a body.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a socket");
        let mut text =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{text}\r\n{body}").as_bytes()).expect("it is sent");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("it is read");
        parse(&bytes)
    }

    /// Asks again and again until something holds, for at most ten seconds.
    pub(crate) fn until(&self, path: &str, holds: impl Fn(&Reply) -> bool) -> Duration {
        let begin = Instant::now();
        loop {
            let reply = self.get(path);
            if holds(&reply) {
                return begin.elapsed();
            }
            assert!(begin.elapsed() < Duration::from_secs(10), "{path} stays {}", reply.body);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends the server as the system does, and returns its exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().expect("kill runs");
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parse(bytes: &[u8]) -> Reply {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status");
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let headers: Vec<(String, String)> = headers.collect();
    let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if is_chunked { unchunked(&bytes[end + 4..]) } else { bytes[end + 4..].to_vec() };
    let body = String::from_utf8_lossy(&body).into_owned();
    Reply { status: status.parse().expect("a number"), headers, body }
}

/// Puts the chunks of a body together; the last one has no bytes.
fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|two| two == b"\r\n").expect("the length of a chunk");
        let length = std::str::from_utf8(&bytes[..end]).expect("digits");
        let length = usize::from_str_radix(length, 16).expect("a length");
        if length == 0 {
            return body;
        }
        body.extend(&bytes[end + 2..end + 2 + length]);
        bytes = &bytes[end + 4 + length..];
    }
}

/// Writes a text as it stands in a query.
pub(crate) fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Writes a line of the file of tokens.
#[allow(dead_code)] // not every file of tests has tokens
pub(crate) fn token_line(name: &str, roles: &str, token: &str) -> String {
    let mut sum = std::process::Command::new("sha256sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("sha256sum");
    std::io::Write::write_all(&mut sum.stdin.take().expect("piped"), token.as_bytes()).expect("written");
    let out = sum.wait_with_output().expect("it ends").stdout;
    let hash = String::from_utf8_lossy(&out).split(' ').next().expect("a hash").to_owned();
    format!("{name} {roles} {hash}")
}
