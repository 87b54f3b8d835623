//! `--repository NAME=URL@REV --allow-remote`: repositories that are fetched over HTTP, from servers of all kinds.
#![cfg(feature = "clone")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Run, folder_of, git, program};

fn commit(folder: &Path, version: &str) -> String {
    std::fs::write(folder.join("base.yaml"), format!("version: {version}\n")).expect("a file");
    git(folder, &["add", "."]);
    git(folder, &["commit", "-qm", version]);
    git(folder, &["rev-parse", "HEAD"])
}

/// A document, and a repository with the tag `v1` and the branch `main`.
fn work() -> (tempfile::TempDir, String) {
    let folder = folder_of(&[("doc/main.yaml", "+include: {file: base.yaml, repository: base}\n")]);
    let base = folder.path().join("base");
    std::fs::create_dir(&base).expect("a folder");
    git(&base, &["init", "-q"]);
    commit(&base, "one");
    git(&base, &["tag", "v1"]);
    let second = commit(&base, "two");
    (folder, second)
}

/// One request: method, path, query, headers, body.
struct Asked {
    method: String,
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Asked {
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let mut words = line.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim().split_once(':') else { break };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let mut body = vec![0; length.and_then(|(_, length)| length.parse().ok()).unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        Some(Self { method, path: path.to_owned(), query: query.to_owned(), headers, body })
    }

    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// What git's own program for web servers answers.
    fn by_git(&self, root: &Path) -> Vec<u8> {
        let mut backend = Command::new("git")
            .arg("http-backend")
            .env("GIT_PROJECT_ROOT", root)
            .env("GIT_HTTP_EXPORT_ALL", "1")
            .env("REQUEST_METHOD", &self.method)
            .env("PATH_INFO", &self.path)
            .env("QUERY_STRING", &self.query)
            .env("CONTENT_TYPE", self.header("content-type"))
            .env("CONTENT_LENGTH", self.body.len().to_string())
            .env("GIT_PROTOCOL", self.header("git-protocol"))
            .env("HOME", root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("git http-backend");
        let _ = backend.stdin.take().expect("piped").write_all(&self.body);
        let answer = backend.wait_with_output().expect("an answer").stdout;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK");
        let mut whole = format!("HTTP/1.1 {status}\r\nConnection: close\r\n{head}\r\n\r\n").into_bytes();
        whole.extend_from_slice(answer.get(end + 4..).unwrap_or_default());
        whole
    }
}

/// Serves on loopback, as long as the test runs; returns the address.
fn serve(answer: impl Fn(&Asked, &mut TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            if let Some(asked) = Asked::read(&stream) {
                answer(&asked, &mut stream);
            }
        }
    });
    address
}

/// A server that has the repositories of a folder.
fn git_server(root: PathBuf) -> String {
    serve(move |asked, stream| drop(stream.write_all(&asked.by_git(&root))))
}

fn expand(folder: &Path, repository: &str, more: &[&str]) -> Run {
    let output = Command::new(program())
        .args(["yaml", "expand", "main.yaml", "--repository", &format!("base={repository}")])
        .args(more)
        .current_dir(folder.join("doc"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("XDG_STATE_HOME", folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
}

#[track_caller]
fn gives(folder: &Path, repository: &str, more: &[&str], version: &str) {
    let run = expand(folder, repository, more);
    assert_eq!((run.code, run.out), (0, format!("version: {version}\n")), "{repository}: {}", run.err);
}

#[track_caller]
fn fails(folder: &Path, repository: &str, more: &[&str], wanted: &str) -> String {
    let run = expand(folder, repository, more);
    assert_eq!(run.code, 1, "{repository}: {}", run.out);
    assert!(run.err.contains(wanted), "{repository}: {}", run.err);
    run.err
}

const REMOTE: &[&str] = &["--allow-remote"];

#[test]
fn a_repository_is_fetched_once_it_is_allowed_and_again_when_a_branch_may_have_moved() {
    let (folder, second) = work();
    let (path, address) = (folder.path(), git_server(folder.path().to_owned()));
    let url = format!("http://{address}/base/.git");
    fails(path, &format!("{url}@v1"), &[], "fetch it with --allow-remote");
    gives(path, &format!("{url}@v1"), REMOTE, "one");
    // What is there needs no server, and nobody's permission.
    gives(path, &format!("{url}@main"), &[], "two");
    gives(path, &url, REMOTE, "two");
    commit(&path.join("base"), "three");
    gives(path, &format!("{url}@main"), &[], "two");
    gives(path, &format!("{url}@main"), REMOTE, "three");
    gives(path, &format!("{url}@{second}"), REMOTE, "two");
    fails(path, &format!("{url}@v2"), REMOTE, "did you mean v1?");
    fails(path, &format!("{url}@--upload-pack=x"), REMOTE, "is no revision");
}

#[test]
fn a_lock_pins_what_was_fetched() {
    let (folder, second) = work();
    let (path, address) = (folder.path(), git_server(folder.path().to_owned()));
    let branch = format!("http://{address}/base/.git@main");
    gives(path, &branch, &["--allow-remote", "--lock", "hierarch.lock"], "two");
    commit(&path.join("base"), "three");
    gives(path, &branch, REMOTE, "two");
    let lock = std::fs::read_to_string(path.join("doc/hierarch.lock")).expect("a lock");
    assert!(lock.contains(&second), "{lock}");
    gives(path, &branch, &["--allow-remote", "--relock"], "three");
}

#[test]
fn a_server_that_is_not_there_or_not_git_is_named() {
    let (folder, _) = work();
    let path = folder.path();
    let address = git_server(path.to_owned());
    fails(path, &format!("http://{address}/nothing@v1"), REMOTE, "the server has no such repository");
    fails(path, "http://127.0.0.1:9/x@v1", REMOTE, "http://127.0.0.1:9/x could not be fetched");
    let page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html>";
    let web = serve(|_, stream| drop(stream.write_all(page)));
    fails(path, &format!("http://{web}/x@v1"), REMOTE, "could not be fetched");
    let silent = serve(|_, _| std::thread::sleep(std::time::Duration::from_mins(1)));
    let short = ["--allow-remote", "--max-fetch-time", "1"];
    fails(path, &format!("http://{silent}/x@v1"), &short, "could not be fetched");
}

#[test]
fn what_a_server_sends_is_bounded_and_a_broken_fetch_can_be_made_again() {
    let (folder, _) = work();
    let path = folder.path();
    let address = git_server(path.to_owned());
    let url = format!("http://{address}/base/.git@v1");
    fails(path, &url, &["--allow-remote", "--max-fetch", "300"], "larger than --max-fetch allows");
    gives(path, &url, REMOTE, "one");
    // A folder that an interrupted fetch left behind is begun anew.
    let clones = path.join("cache/hierarch/repositories");
    let clone = std::fs::read_dir(&clones).expect("clones").flatten().find(|entry| entry.path().is_dir());
    std::fs::remove_file(clone.expect("a clone").path().join("HEAD")).expect("its head");
    gives(path, &url, REMOTE, "one");
}

#[test]
fn passwords_are_kept_out_of_messages_locks_and_names() {
    let (folder, _) = work();
    let path = folder.path();
    let refused = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let address = serve(|_, stream| drop(stream.write_all(refused)));
    let url = format!("https://me:geheim@{address}/x@v1");
    let text = fails(path, &url, REMOTE, "could not be fetched");
    assert!(!text.contains("geheim"), "{text}");
    let plain = fails(path, &format!("http://{address}/x@v1"), REMOTE, "without a name and a token");
    assert!(plain.contains("https://NAME:TOKEN@host"), "{plain}");
    for entry in std::fs::read_dir(path.join("cache/hierarch/repositories")).expect("clones").flatten() {
        assert!(!entry.file_name().to_string_lossy().contains("geheim"), "{entry:?}");
    }
}

#[test]
fn several_at_once_wait_for_each_other() {
    let (folder, _) = work();
    let path = folder.path();
    let address = git_server(path.to_owned());
    let url = format!("http://{address}/base/.git@main");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| gives(path, &url, REMOTE, "two"));
        }
    });
}
