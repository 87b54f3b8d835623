//! Object stores of clouds: a run whose tree, chunks and results lie in a bucket, asked from a small server that speaks as S3 does.
#![cfg(feature = "cloud")]

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use common::{copy_folder, folder_of, program};

/// Objects by path, and how many of the next requests find the server busy.
#[derive(Default)]
struct Bucket {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    busy: AtomicUsize,
    refuses: bool,
}

impl Bucket {
    /// Listens on loopback as long as the test runs.
    fn serve(self) -> (Arc<Self>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let bucket = Arc::new(self);
        let own = Arc::clone(&bucket);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let bucket = Arc::clone(&own);
                // Whoever asked has gone away; so much the better.
                std::thread::spawn(move || bucket.answer(&stream).ok());
            }
        });
        (bucket, address)
    }

    fn answer(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        loop {
            let mut head = String::new();
            while reader.read_line(&mut head)? > 0 && !head.ends_with("\r\n\r\n") {}
            let Some((method, path)) =
                head.split_once(' ').and_then(|(method, rest)| Some((method, rest.split(' ').next()?)))
            else {
                return Ok(());
            };
            let lower = head.to_ascii_lowercase();
            let field = |name: &str| lower.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            let mut body = vec![0; field("content-length:").and_then(|text| text.parse().ok()).unwrap_or(0)];
            reader.read_exact(&mut body)?;
            let is_signed = field("authorization:").is_some_and(|text| {
                text.starts_with("aws4-hmac-sha256 credential=tester/") && text.contains("/eu-test-1/s3/")
            });
            let (status, body) = self.reply(method, path, is_signed && !self.refuses, body);
            let etag = format!("\"{}\"", body.len());
            let length = body.len();
            write!(
                &mut &*stream,
                "HTTP/1.1 {status}\r\nETag: {etag}\r\nLast-Modified: Mon, 16 Nov 2026 10:00:00 GMT\r\nContent-Length: {length}\r\n\r\n"
            )?;
            if method != "HEAD" {
                (&mut &*stream).write_all(&body)?;
            }
        }
    }

    fn reply(&self, method: &str, path: &str, is_known: bool, body: Vec<u8>) -> (&'static str, Vec<u8>) {
        let told =
            |code: &str| format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code></Error>").into_bytes();
        let is_busy = |left: usize| left.checked_sub(1);
        if self.busy.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_busy).is_ok() {
            return ("503 Slow Down", told("SlowDown"));
        }
        if !is_known {
            return ("403 Forbidden", told("SignatureDoesNotMatch"));
        }
        let mut objects = self.objects.lock().expect("not poisoned");
        match method {
            "PUT" => {
                objects.insert(path.to_owned(), body);
                ("200 OK", Vec::new())
            }
            _ => match objects.get(path) {
                Some(bytes) => ("200 OK", bytes.clone()),
                None => ("404 Not Found", told("NoSuchKey")),
            },
        }
    }
}

fn example() -> tempfile::TempDir {
    let folder = folder_of(&[]);
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo");
    copy_folder(&site, &folder.path().join("site"));
    folder
}

/// Runs the program with credentials that the bucket knows.
fn hierarch(folder: &Path, endpoint: &str, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(program())
        .args(arguments)
        .current_dir(folder)
        .env("AWS_ENDPOINT", endpoint)
        .env("AWS_ALLOW_HTTP", "true")
        .env("AWS_REGION", "eu-test-1")
        .env("AWS_ACCESS_KEY_ID", "tester")
        .env("AWS_SECRET_ACCESS_KEY", "s3cret-of-the-tester")
        .env_remove("HTTP_PROXY")
        .env_remove("http_proxy")
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

const STORE: [&str; 2] = ["--objects", "s3://fleet/team/a"];

#[test]
fn a_run_lies_in_a_bucket() {
    let folder = example();
    let (bucket, endpoint) = Bucket { busy: AtomicUsize::new(2), ..Bucket::default() }.serve();
    let site = folder.path().join("site");
    let ask = |arguments: &[&str]| hierarch(&site, &endpoint, &[arguments, &STORE].concat());
    // Twice the server is busy, and is asked again.
    let (code, out, err) = ask(&["fleet", "run", "--chunk", "5"]);
    assert_eq!(code, 0, "{err}");
    let id = out.lines().find_map(|line| line.strip_prefix("run ")).expect("a run").to_owned();
    let (code, _, err) = ask(&["fleet", "work", "--run", &id, "--index", "0", "--of", "1"]);
    assert_eq!(code, 0, "{err}");
    let (code, joined, err) = ask(&["fleet", "run", "--collect", &id]);
    assert_eq!(code, 0, "{err}");
    let dump = hierarch(&site, &endpoint, &["dump", "--nodes", "facts", "--render-as", "jsonl"]).1;
    assert_eq!(joined, dump);
    let objects = bucket.objects.lock().expect("not poisoned");
    assert!(objects.keys().all(|path| path.starts_with("/fleet/team/a/")), "{:?}", objects.keys());
    assert!(objects.keys().any(|path| path.ends_with("/run.json")));
}

#[test]
fn who_is_not_known_is_told_so_without_a_secret() {
    let folder = example();
    let (_, endpoint) = Bucket { refuses: true, ..Bucket::default() }.serve();
    let (code, _, err) =
        hierarch(&folder.path().join("site"), &endpoint, &[&["fleet", "run"][..], &STORE].concat());
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("s3://fleet/team/a: could not") && err.contains("403"), "{err}");
    assert!(!err.contains("s3cret"), "{err}");
}

#[test]
fn an_unknown_store_is_told() {
    let folder = example();
    let arguments = ["fleet", "run", "--objects", "ftp://x/y"];
    let (code, _, err) = hierarch(&folder.path().join("site"), "http://127.0.0.1:1", &arguments);
    assert_eq!(code, 1);
    assert!(err.contains("ftp://x/y is not the address of an object store"), "{err}");
}
