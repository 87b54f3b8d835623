//! `hierarch nodes`: the store gives the answers that the folder gives, and servers that misbehave leave it whole.
#![cfg(feature = "store")]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use common::{Run, copy_folder, folder_of, hierarch};

fn example() -> tempfile::TempDir {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    folder
}

fn nodes(folder: &Path, arguments: &[&str]) -> Run {
    hierarch(folder, &[&["nodes"], arguments].concat(), "")
}

#[test]
fn a_store_answers_as_the_folder_that_it_was_made_from() {
    let folder = example();
    let path = folder.path();
    let ask = |source: &[&str]| {
        let words = ["values", "ntp::servers", "profile::web::port", "motd::message", "--render-as", "json"];
        let run = hierarch(path, &[&words, source].concat(), "");
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let from_folder = ask(&["--nodes", "facts"]);
    let first = nodes(path, &["import", "facts"]);
    assert_eq!(first.out, "facts: 12 nodes: 12 new, 0 changed, 0 the same, 0 gone\n", "{}", first.err);
    assert_eq!(
        nodes(path, &["import", "facts"]).out,
        "facts: 12 nodes: 0 new, 0 changed, 12 the same, 0 gone\n"
    );
    assert_eq!(fs::read_to_string(path.join(".hierarch/.gitignore")).expect("a file"), "*\n");
    fs::rename(path.join("facts"), path.join("elsewhere")).expect("moved");
    assert_eq!(ask(&[]), from_folder, "the store of the repository is found");
    assert_eq!(ask(&["--nodes", "sqlite:.hierarch/nodes.db"]), from_folder);
    for target in ["out", "out.json"] {
        assert_eq!(nodes(path, &["export", target]).out, "wrote 12 nodes\n");
        assert_eq!(ask(&["--nodes", target]), from_folder, "{target}");
    }
}

#[test]
fn nodes_are_listed_shown_and_forgotten() {
    let folder = example();
    let path = folder.path();
    let none = nodes(path, &["list"]);
    assert!(none.code == 1 && none.err.contains("there is no store"), "{}", none.err);
    nodes(path, &["import", "facts"]);
    let list = nodes(path, &["list", "--only", "web*"]);
    assert!(
        list.out.starts_with("web01.berlin.example.com") && list.out.ends_with("4 nodes\n"),
        "{}",
        list.out
    );
    let chosen = nodes(path, &["list", "--where", "$facts['location'] == 'tokyo'"]);
    assert!(chosen.out.ends_with("5 nodes\n"), "{}{}", chosen.out, chosen.err);
    let show = nodes(path, &["show", "web01.berlin.example.com"]);
    assert!(show.out.contains("\"location\": \"berlin\""), "{}", show.out);
    let wrong = nodes(path, &["show", "web01.berlin.example.co"]);
    assert!(wrong.code == 1 && wrong.err.contains("did you mean web01.berlin.example.com"), "{}", wrong.err);
    assert_eq!(
        nodes(path, &["forget", "web01.berlin.example.com", "nobody"]).code,
        1,
        "all of them, or none"
    );
    assert!(nodes(path, &["list"]).out.ends_with("12 nodes\n"));
    assert_eq!(nodes(path, &["forget", "web01.berlin.example.com"]).out, "forgot 1 node\n");
    assert!(nodes(path, &["list"]).out.ends_with("11 nodes\n"));
    let bad = nodes(path, &["list", "--store", "mysql:x"]);
    assert!(bad.err.contains("'mysql:x' is no store"), "{}", bad.err);
}

/// Answers each request in turn, and returns the address.
fn serve(answers: Vec<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("puppetdb:http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for answer in answers {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let _ = stream.read(&mut [0; 8192]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    address
}

fn page(names: std::ops::Range<usize>) -> String {
    let node = |number: usize| {
        format!(
            r#"{{"certname":"n{number:04}","environment":"production","timestamp":"t","facts":{{"n":{number}}},"trusted":{{"certname":"n{number:04}"}}}}"#
        )
    };
    let body = format!("[{}]", names.map(node).collect::<Vec<_>>().join(","));
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(feature = "fetch")]
#[test]
fn puppetdb_is_asked_page_by_page() {
    let folder = example();
    let path = folder.path();
    let address = serve(vec![page(0..500), page(500..620)]);
    let run = nodes(path, &["import", &address]);
    assert!(run.out.contains("620 nodes: 620 new"), "{}{}", run.out, run.err);
    let cut = page(0..500);
    let address = serve(vec![page(0..500), cut[..cut.len() / 2].to_owned()]);
    let run = nodes(path, &["import", &address]);
    assert_eq!(run.code, 1, "a server that stops in the middle of a page: {}", run.out);
    assert!(nodes(path, &["list"]).out.ends_with("620 nodes\n"), "the store is whole");
    let head = |status: &str, body: &str| {
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    };
    for (answer, words) in [
        (head("401 Unauthorized", ""), "status 401; give a certificate with --cert"),
        (head("200 OK", "<html></html>"), "answers with HTML"),
        (head("200 OK", "{}"), "the answer is no list"),
        (head("200 OK", "[{\"certname\": \"a\"}]"), "item 1 of the answer is no node"),
    ] {
        let run = nodes(path, &["import", &serve(vec![answer])]);
        assert!(run.code == 1 && run.err.contains(words), "{words}: {}", run.err);
    }
}
