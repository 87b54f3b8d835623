//! What a real Puppet Server answered to catalog requests, good and bad, and what `hierarch serve` answers.
//! `scripts/record-puppetserver` writes the answers.
#![cfg(feature = "serve")]

mod common;

use std::fs;
use std::path::Path;

use common::folder_of;
use common::server::Server;
use serde_json::Value;

/// The folder of environments when it was recorded.
const RECORDED: &str = "/etc/puppet/code/environments";

/// What begins the same and goes on differently: the words of another JSON reader, and of a schema for what is not an object.
const OTHER_WORDS: [(&str, &str); 3] = [
    ("v3: facts that are no JSON", "{\"message\":\"Server Error: Could not intern from json: "),
    ("v4: no object", "Invalid input: "),
    ("v4: no JSON", "Error parsing JSON: "),
];

#[test]
fn agents_are_answered_as_by_puppet_server() {
    let folder = folder_of(&[]);
    let environments = folder.path().canonicalize().expect("a folder").join("environments");
    let manifests = environments.join("production/manifests");
    fs::create_dir_all(&manifests).expect("a folder");
    let recorder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/record-puppetserver");
    let recorder = fs::read_to_string(recorder).expect("the recorder");
    let manifest = recorder.split("MANIFEST = \"\"\"").nth(1).and_then(|rest| rest.split("\"\"\"").next());
    fs::write(manifests.join("site.pp"), manifest.expect("the recorder has the manifest")).expect("written");
    // Puppet Server keeps the facts of the request before.
    let facts = folder.path().join("facts");
    fs::create_dir(&facts).expect("a folder");
    fs::write(facts.join("agent.example.com.yaml"), "role: web\nclientcert: agent.example.com\n")
        .expect("written");
    let (place, facts) = (environments.display().to_string(), facts.display().to_string());
    let flags = ["--environmentpath", &place, "--nodes", &facts, "--strict-types"];
    let flags = [&flags[..], &["--behind-proxy", "--allow-v4", "compiler.example.com"]].concat();
    let server = Server::start(&environments, &flags);
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/serve/puppetserver.jsonl");
    let recorded = fs::read_to_string(recorded).expect("recorded answers");
    let mut differences = Vec::new();
    for line in recorded.lines() {
        let asked: Value = serde_json::from_str(line).expect("JSON");
        if let Some(difference) = ask(&server, &asked, &place) {
            differences.push(difference);
        }
    }
    assert!(recorded.lines().count() > 30 && differences.is_empty(), "{}", differences.join("\n\n"));
}

/// Asks what Puppet Server was asked; returns how the answers differ.
fn ask(server: &Server, asked: &Value, place: &str) -> Option<String> {
    let text = |name: &str| asked[name].as_str().unwrap_or_default();
    let subject = format!("CN={}", text("who"));
    let mut headers = vec![("Content-Type", text("type"))];
    if !text("who").is_empty() {
        headers.extend([("X-Client-Verify", "SUCCESS"), ("X-Client-DN", subject.as_str())]);
    }
    let reply = server.send(text("method"), text("path"), &headers, text("body"));
    let theirs = text("answer").replace(RECORDED, place);
    let name = text("name");
    let is_same = if reply.status == 200 && asked["status"] == 200 {
        comparable(&reply.body) == comparable(&theirs)
    } else if let Some((_, words)) = OTHER_WORDS.iter().find(|(known, _)| *known == name) {
        theirs.starts_with(words) && reply.body.starts_with(words)
    } else {
        reply.body == theirs
    };
    let media = (reply.header("content-type"), asked["answer_type"].as_str());
    let is_same = is_same && asked["status"] == reply.status && media.0 == media.1;
    (!is_same)
        .then(|| format!("{name}: {} {media:?}\nours:   {}\ntheirs: {theirs}", reply.status, reply.body))
}

/// Takes out of an answer what differs from one catalog to the next, and the time and source of logs.
fn comparable(answer: &str) -> Value {
    let mut json: Value = serde_json::from_str(answer).expect("JSON");
    let catalog = if json["catalog"].is_object() { &mut json["catalog"] } else { &mut json };
    for field in ["version", "catalog_uuid"] {
        catalog[field] = Value::Null;
    }
    for log in json["logs"].as_array_mut().into_iter().flatten() {
        log["time"] = Value::Null;
    }
    json
}
