//! `hierarch serve` from outside: its answers are those of the commands, and nobody gets more than is theirs.
#![cfg(feature = "serve")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::server::{Reply, Server, escaped, token_line};
use common::{copy_folder, folder_of, git, hierarch};
use hierarch_bits::dice::Dice;

const NODE: &str = "web01.berlin.example.com";

/// Makes a copy of the bundled control repository.
fn repository() -> (tempfile::TempDir, PathBuf) {
    let folder = folder_of(&[]);
    let root = folder.path().canonicalize().expect("a folder").join("repo");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), &root);
    (folder, root)
}

/// Puts a folder under git.
fn track(root: &Path) {
    git(root, &["init", "--quiet"]);
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "-m", "start"]);
}

fn out(root: &Path, arguments: &[&str]) -> String {
    hierarch(root, arguments, "").out
}

fn names(reply: &Reply, list: &str, field: &str) -> Vec<String> {
    let json = reply.json();
    let entries = json[list].as_array().expect("a list").iter();
    entries.map(|entry| entry[field].as_str().expect("a text").to_owned()).collect()
}

/// `HIERARCH_QUESTIONS=2000` asks more of them (`scripts/test-serve`).
#[test]
fn answers_are_those_of_the_commands() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &[]);
    let count: usize =
        std::env::var("HIERARCH_QUESTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(30);
    let nodes = names(&server.get("/api/v1/nodes?limit=1000"), "nodes", "name");
    let mut keys = names(&server.get("/api/v1/keys?limit=1000"), "keys", "key");
    assert!(nodes.len() == 12 && keys.len() > 20, "{nodes:?} {keys:?}");
    keys.extend(["profile::web::sites.default.root", "ntp::servers.0", "no::such::key"].map(str::to_owned));
    let merges = ["", "first", "unique", "hash", "deep"].map(str::to_owned);
    let mut chance = Dice::new(88_172_645_463_325_252);
    for number in 0..count {
        let (node, key, merge) = (chance.pick(&nodes), chance.pick(&keys), chance.pick(&merges));
        let merged = if merge.is_empty() { String::new() } else { format!("&merge={merge}") };
        let query = format!("node={}&key={}{merged}", escaped(node), escaped(key));
        let mut flags = vec!["lookup", key, "--node", node];
        if !merge.is_empty() {
            flags.extend(["--merge", merge]);
        }
        match number % 3 {
            0 => same_value(&server, &root, &query, &flags),
            1 => same_origin(&server, &root, &query, &flags),
            _ => same_explanation(&server, &root, &query, &flags),
        }
        if number % 10 == 9 {
            let dump = server.body(&format!("/api/v1/dump?node={}", escaped(node)));
            assert_eq!(dump, out(&root, &["dump", "--node", node, "--render-as", "jsonl"]), "dump of {node}");
        }
    }
}

fn same_value(server: &Server, root: &Path, query: &str, flags: &[&str]) {
    let reply = server.get(&format!("/api/v1/lookup?{query}"));
    let command = hierarch(root, &[flags, &["--render-as", "json"]].concat(), "");
    match (reply.status, reply.status == 200 && reply.json()["found"] == true) {
        (200, true) => {
            let value = reply.body.split_once("\"value\":").expect("a value").1;
            let value = value.rsplit_once(",\"strategy\"").expect("a strategy").0;
            // A secret is shown by the command and hidden by the server.
            if !value.contains("hidden") && !value.contains("redacted") {
                assert_eq!(value, command.out.trim_end(), "{query}");
            }
        }
        (200, false) => assert_eq!((command.code, command.out.as_str()), (1, ""), "{query}"),
        (422, _) => assert_eq!(command.code, 1, "{query}: {}", reply.body),
        _ => panic!("{query}: {} {}", reply.status, reply.body),
    }
}

fn same_origin(server: &Server, root: &Path, query: &str, flags: &[&str]) {
    let reply = server.get(&format!("/api/v1/origin?{query}"));
    let command = hierarch(root, &[flags, &["--origin", "--render-as", "json"]].concat(), "");
    if reply.status == 200 {
        let relative =
            command.out.trim_end().replace(&format!("\"file\":\"{}/", root.display()), "\"file\":\"");
        assert_eq!(reply.body, relative, "{query}");
    } else {
        assert_eq!(command.code, 1, "{query}: {} {}", reply.status, reply.body);
    }
}

fn same_explanation(server: &Server, root: &Path, query: &str, flags: &[&str]) {
    for (style, more) in [("", &["--explain"][..]), ("&style=tree", &["--explain", "--render-as", "json"])] {
        let reply = server.get(&format!("/api/v1/explain?{query}{style}"));
        let command = hierarch(root, &[flags, more].concat(), "");
        if reply.status == 422 {
            // A strategy that does not fit the values.
            let detail = reply.json()["detail"].as_str().expect("words").to_owned();
            assert!(command.code == 1 && command.err.contains(&detail), "{query}: {detail} {}", command.err);
        } else {
            assert_eq!(reply.status, 200, "{query}: {}", reply.body);
            assert_eq!(reply.body.trim_end(), command.out.trim_end(), "{query}");
        }
    }
}

#[test]
fn questions_over_many_nodes_are_those_of_the_commands() {
    let (_folder, root) = repository();
    track(&root);
    let server = Server::start(&root, &[]);
    for key in ["ntp::servers", "profile::web::port", "no::such"] {
        let command = out(&root, &["values", key, "--render-as", "json"]);
        assert_eq!(server.body(&format!("/api/v1/values?key={}", escaped(key))), command.trim_end());
    }
    for name in ["check", "unused"] {
        let command = out(&root, &[name, "--render-as", "json"]);
        assert!(command.contains(&format!("hierarch.{name}/1")), "{command}");
        assert_eq!(server.body(&format!("/api/v1/{name}")), command.trim_end());
    }
    let expression = "profile::web::port == 80 and $facts[\"os\"][\"family\"] == \"Debian\"";
    let command = out(&root, &["where", expression, "--values", "--render-as", "json"]);
    let path = format!("/api/v1/where?expr={}&values=true", escaped(expression));
    assert_eq!(server.body(&path), command.trim_end());
    let common = root.join("data/common.yaml");
    let text = fs::read_to_string(&common).expect("a file");
    fs::write(&common, text.replace("profile::web::port: 80", "profile::web::port: 8000")).expect("written");
    let command = out(&root, &["impact", "--render-as", "json"]);
    assert!(command.contains("8000"), "{command}");
    assert_eq!(server.body("/api/v1/impact?from=HEAD"), command.trim_end());
    let commit = "git -c user.name=me -c user.email=me@example.com commit --quiet --all -m port";
    std::process::Command::new("sh").args(["-c", commit]).current_dir(&root).status().expect("git");
    let node = "db01.berlin.example.com";
    let command = out(&root, &["history", "profile::web::port", "--node", node, "--render-as", "jsonl"]);
    assert!(command.contains("\"old\":80,\"new\":8000"), "{command}");
    assert_eq!(server.body(&format!("/api/v1/history?node={node}&key=profile::web::port")), command);
    let before = server.body(&format!("/api/v1/lookup?node={node}&key=profile::web::port&at=HEAD~1"));
    assert!(before.contains("\"value\":80,"), "{before}");
    let catalog = server.body(&format!("/api/v1/catalog/{NODE}"));
    let command = out(&root, &["catalog", "compile", NODE, "--render-as", "json"]);
    assert_eq!(without_chance(&catalog), without_chance(command.trim_end()));
}

/// Takes out of a catalog what differs between any two.
fn without_chance(catalog: &str) -> serde_json::Value {
    let mut json: serde_json::Value = serde_json::from_str(catalog).expect("JSON");
    for field in ["version", "catalog_uuid"] {
        json[field] = serde_json::Value::Null;
    }
    json
}

#[test]
fn every_path_of_the_openapi_document_answers() {
    let (_folder, root) = repository();
    track(&root);
    let server = Server::start(&root, &["--allow-edit"]);
    let document = server.body("/openapi.json");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&committed, &document).expect("written");
    }
    let kept = fs::read_to_string(&committed).expect("docs/openapi.json");
    assert_eq!(document, kept, "UPDATE_DOCS=1 cargo test -p hierarch --test serve renews docs/openapi.json");
    assert_eq!(document, out(&root, &["serve", "--print-openapi"]));
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            if path.ends_with("/events") {
                continue;
            }
            let (mut path, mut query) = (path.clone(), Vec::new());
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let Some(example) = parameter["example"].as_str() else { continue };
                let name = parameter["name"].as_str().expect("a name");
                if parameter["in"] == "path" {
                    path = path.replace(&format!("{{{name}}}"), example);
                } else {
                    query.push(format!("{name}={}", escaped(example)));
                }
            }
            let body = &operation["requestBody"]["content"]["application/json"]["example"];
            let body = if body.is_null() { String::new() } else { body.to_string() };
            let path = format!("{path}?{}", query.join("&"));
            let reply = server.send(&method.to_uppercase(), &path, &[("If-Match", "*")], &body);
            assert_eq!(reply.status, 200, "{method} {path}: {}", reply.body);
            assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        }
    }
}

#[test]
fn what_cannot_be_answered_is_told_with_its_code() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &[]);
    for (path, status, code) in [
        ("/api/v1/lookup?node=web01&key=a&enviroment=x", 400, "UNKNOWN_PARAMETER"),
        ("/api/v1/lookup?node=web01", 400, "MISSING_PARAMETER"),
        ("/api/v1/lookup?node=web99.berlin.example.com&key=a", 404, "UNKNOWN_NODE"),
        ("/api/v1/lookup?node=web01.berlin.example.com&key=a&at=HEAD", 404, "NO_REVISIONS"),
        ("/api/v1/lookup?node=web01.berlin.example.com&key=a&merge=most", 400, "BAD_PARAMETER"),
        ("/api/v1/lookup?node=web01.berlin.example.com&key=a&secrets=true", 403, "MISSING_ROLE"),
        ("/api/v1/origin?node=web01.berlin.example.com&key=none", 404, "NOT_FOUND"),
        ("/api/v1/where?expr=a+%3D%3D", 400, "SYNTAX_ERROR"),
        ("/api/v1/nothing", 404, "UNKNOWN_ROUTE"),
        ("/api/v1/../../etc/passwd", 404, "UNKNOWN_ROUTE"),
        ("/api/v1/nodes/%2e%2e%2fdata%2fcommon/facts", 404, "UNKNOWN_NODE"),
        ("/puppet/v3/file_metadata/x", 404, "NOT_SERVED"),
        ("/api/v1/lookup?node=%ff&key=a", 400, "BAD_ENCODING"),
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, status, "{path}: {}", reply.body);
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{path}");
        let json = reply.json();
        assert!(code == "SYNTAX_ERROR" || json["code"] == code, "{path}: {json}");
        assert_eq!(json["status"], status, "{path}");
    }
    let reply = server.get("/api/v1/lookup?node=web99.berlin.example.com&key=a");
    assert!(reply.body.contains("give them with POST, or import them; did you mean web0"), "{}", reply.body);
    assert_eq!(server.send("DELETE", "/api/v1/lookup", &[], "").status, 405);
    let long = format!("/api/v1/lookup?node={}", "a".repeat(20_000));
    assert!(server.get(&long).status == 431 || server.get(&long).status == 414);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn facts_may_come_with_the_question() {
    let (_folder, root) = repository();
    fs::remove_dir_all(root.join("facts")).expect("removed");
    let server = Server::start(&root, &[]);
    assert!(server.line.contains("(0 nodes"), "{}", server.line);
    let body = r#"{"keys":["ntp::servers","none"],"facts":{"location":"tokyo","role":"web","os":{"name":"Debian","family":"Debian","release":{"major":"12"}},"networking":{"fqdn":"x"},"clientcert":"x.example.com"}}"#;
    let reply = server.send("POST", "/api/v1/lookup", &[], body);
    assert_eq!(reply.status, 200, "{}", reply.body);
    let json = reply.json();
    assert_eq!(json[0]["value"], serde_json::json!(["ntp1.tokyo.example.com"]));
    assert_eq!((json[1]["key"].as_str(), &json[1]["found"]), (Some("none"), &serde_json::json!(false)));
    for body in [
        "",
        "[]",
        "{\"keys\":1}",
        "{\"keys\":[],\"facts\":[]}",
        "{\"keys\":[],\"fact\":{}}",
        "{\"keys\":[\"a\"]}",
    ] {
        assert_eq!(server.send("POST", "/api/v1/lookup", &[], body).status, 400, "{body}");
    }
}

#[test]
fn secrets_are_for_those_who_may_see_them() {
    let (_folder, root) = repository();
    let token = "0123456789abcdef";
    let lines = format!(
        "{}\n{}\n",
        token_line("reader", "read", token),
        token_line("owner", "read secrets facts", "owner-token")
    );
    fs::write(root.join("../tokens"), lines).expect("written");
    let server = Server::start(&root, &["--tokens", "../tokens"]);
    let path = format!("/api/v1/lookup?node={NODE}&key=profile::database::password");
    let with = |token: &str, path: &str| {
        server.send("GET", path, &[("Authorization", &format!("Bearer {token}"))], "")
    };
    let unknown = server.get(&path);
    assert_eq!((unknown.status, unknown.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(with("wrong", &path).status, 401);
    let hidden = with(token, &path);
    assert!(hidden.status == 200 && !hidden.body.contains("change-me"), "{}", hidden.body);
    for route in ["layers", "origin", "explain", "values", "dump"] {
        let query = if route == "values" { "" } else { "node=web01.berlin.example.com&" };
        let key = if route == "dump" { "" } else { "key=profile::database::password" };
        let reply = with(token, &format!("/api/v1/{route}?{query}{key}"));
        assert!(reply.status == 200 && !reply.body.contains("change-me"), "{route}: {}", reply.body);
    }
    let secret = format!("{path}&secrets=true");
    assert_eq!(with(token, &secret).status, 403);
    let shown = with("owner-token", &secret);
    assert_eq!((shown.status, shown.header("cache-control")), (200, Some("no-store")), "{}", shown.body);
    let facts = format!("/api/v1/nodes/{NODE}/facts");
    assert_eq!((with(token, &facts).status, with("owner-token", &facts).status), (403, 200));
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn other_names_and_pages_of_others_are_refused() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &["--host", "hiera.example.com"]);
    let path = format!("/api/v1/lookup?node={NODE}&key=profile::web::port");
    let asked_as = |host: &str| server.send("GET", &path, &[("Host", host)], "").status;
    for (host, status) in [
        ("hiera.example.com", 200),
        ("localhost:1", 200),
        ("[::1]:80", 200),
        ("evil.example.com", 421),
        ("", 421),
    ] {
        assert_eq!(asked_as(host), status, "{host}");
    }
    let body = format!("{{\"keys\":[\"profile::web::port\"],\"node\":\"{NODE}\"}}");
    let own = format!("http://{}", server.address);
    for (origin, status) in [(own.as_str(), 200), ("https://evil.example.com", 403), ("null", 403)] {
        let reply = server.send("POST", "/api/v1/lookup", &[("Origin", origin)], &body);
        assert_eq!(reply.status, status, "{origin}: {}", reply.body);
    }
}

#[test]
fn others_are_not_served_without_protection() {
    let (_folder, root) = repository();
    let run = hierarch(&root, &["serve", "--listen", "0.0.0.0:0"], "");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("serving others needs --tls-cert and --tokens or --client-ca"), "{}", run.err);
}

#[test]
fn an_edit_is_shown_first_and_written_whole() {
    let (_folder, root) = repository();
    let (readonly, server) = (Server::start(&root, &[]), Server::start(&root, &["--allow-edit"]));
    let node = "db01.berlin.example.com";
    let body = format!(r#"{{"key":"profile::web::port","value":8000,"node":"{node}","level":"Common"}}"#);
    let preview = server.send("POST", "/api/v1/preview", &[], &body);
    assert_eq!(preview.status, 200, "{}", preview.body);
    let json = preview.json();
    assert!(
        json["diff"]
            .as_str()
            .expect("a diff")
            .contains("-profile::web::port: 80\n+profile::web::port: 8000\n")
    );
    assert_eq!(
        (&json["impact"]["changed"], &json["may_edit"]),
        (&serde_json::json!(8), &serde_json::json!(true))
    );
    let tag = json["etag"].as_str().expect("a tag");
    assert_eq!(preview.header("etag"), Some(tag), "one tag, wherever a client looks for it");
    let common = root.join("data/common.yaml");
    let before = fs::read_to_string(&common).expect("a file");
    assert!(before.contains("profile::web::port: 80\n"));
    assert_eq!(readonly.send("POST", "/api/v1/edit", &[("If-Match", tag)], &body).status, 403);
    assert_eq!(server.send("POST", "/api/v1/edit", &[], &body).status, 428);
    assert_eq!(server.send("POST", "/api/v1/edit", &[("If-Match", "\"other\"")], &body).status, 412);
    let saved = server.send("POST", "/api/v1/edit", &[("If-Match", tag.trim_matches('"'))], &body);
    assert_eq!(saved.status, 200, "{}", saved.body);
    let after = fs::read_to_string(&common).expect("a file");
    assert_eq!(after, before.replace("profile::web::port: 80\n", "profile::web::port: 8000\n"));
    let path = format!("/api/v1/lookup?node={node}&key=profile::web::port");
    assert!(server.body(&path).contains("\"value\":8000"), "the next question sees it");
    readonly.until(&path, |reply| reply.body.contains("\"value\":8000"));
    assert_eq!(server.send("POST", "/api/v1/edit", &[("If-Match", tag)], &body).status, 412);
    let outside = format!(r#"{{"key":"a","value":1,"node":"{node}","file":"../../etc/x.yaml"}}"#);
    assert_eq!(server.send("POST", "/api/v1/preview", &[], &outside).status, 400);
}

#[test]
fn changes_are_seen_soon_and_a_broken_file_is_told() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &[]);
    let path = format!("/api/v1/lookup?node={NODE}&key=profile::monitoring::targets");
    let first = server.get(&path);
    let generation = |reply: &Reply| reply.header("hierarch-generation").map(str::to_owned);
    assert_eq!(generation(&first).as_deref(), Some("1"));
    let hiera = root.join("hiera.yaml");
    let good = fs::read_to_string(&hiera).expect("a file");
    fs::write(&hiera, "version: 5\nhierarchy: [").expect("written");
    server.until("/readyz", |reply| reply.status == 503 && reply.body.contains("hiera.yaml"));
    assert_eq!(server.get(&path).status, 422);
    fs::write(&hiera, &good).expect("written");
    server.until("/readyz", |reply| reply.status == 200);
    assert_eq!(server.get(&path).body, first.body);
    let own = root.join(format!("data/nodes/{NODE}.yaml"));
    let text = fs::read_to_string(&own).expect("a file");
    fs::write(&own, format!("{text}\nfresh::key: 1\n")).expect("written");
    let fresh = format!("/api/v1/lookup?node={NODE}&key=fresh::key");
    server.until(&fresh, |reply| reply.body.contains("\"found\":true"));
    fs::remove_file(&own).expect("removed");
    server.until(&fresh, |reply| reply.body.contains("\"found\":false"));
    fs::rename(root.join("facts").join(format!("{NODE}.yaml")), root.join("facts/web09.yaml"))
        .expect("renamed");
    server.until(&fresh, |reply| reply.status == 404);
}

/// Two keys that are always written together are always seen together, in one file and in a folder that is swapped.
#[test]
fn no_answer_mixes_two_states() {
    let folder = folder_of(&[]);
    let top = folder.path().canonicalize().expect("a folder");
    let write = |name: &str, number: usize| {
        let root = top.join(name);
        fs::create_dir_all(root.join("data")).expect("a folder");
        fs::create_dir_all(root.join("facts")).expect("a folder");
        fs::write(root.join("facts/n.yaml"), "clientcert: n\nx: 1\n").expect("written");
        fs::write(
            root.join("hiera.yaml"),
            "version: 5\nhierarchy: [{name: A, path: a.yaml}, {name: B, path: b.yaml}]\n",
        )
        .expect("written");
        fs::write(root.join("data/a.yaml"), format!("a: {number}\nc: {number}\n")).expect("written");
        fs::write(root.join("data/b.yaml"), format!("b: {number}\n")).expect("written");
    };
    write("r0", 0);
    std::os::unix::fs::symlink("r0", top.join("repo")).expect("a link");
    let server =
        Server::start(&top, &["--nodes", "r0/facts", "--environmentpath", ".", "--environment", "repo"]);
    let rounds = std::env::var("HIERARCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(25);
    let (mut seen, mut asked) = (std::collections::BTreeSet::new(), 0);
    for number in 1..=rounds {
        let name = format!("r{}", number % 2 + 1);
        let _ = fs::remove_dir_all(top.join(&name));
        write(&name, number);
        std::os::unix::fs::symlink(&name, top.join("next")).expect("a link");
        fs::rename(top.join("next"), top.join("repo")).expect("swapped");
        for _ in 0..6 {
            let reply = server.send("POST", "/api/v1/lookup", &[], r#"{"node":"n","keys":["a","b","c"]}"#);
            assert_eq!(reply.status, 200, "{}", reply.body);
            let json = reply.json();
            assert_eq!(json[0]["value"], json[1]["value"], "{json}");
            assert_eq!(json[0]["value"], json[2]["value"], "{json}");
            seen.insert(json[0]["value"].to_string());
            asked += 1;
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    assert!(seen.len() > rounds / 4, "{} states were seen in {asked} answers", seen.len());
    let last = rounds.to_string();
    server.until("/api/v1/lookup?node=n&key=b", |reply| reply.body.contains(&format!("\"value\":{last},")));
}

#[test]
fn an_agent_gets_its_own_catalog_and_no_other() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &["--behind-proxy", "--allow-v4", "compiler"]);
    let named = |name: &str| {
        vec![
            ("X-Client-Verify".to_owned(), "SUCCESS".to_owned()),
            ("X-Client-DN".to_owned(), format!("CN={name}")),
        ]
    };
    let ask = |name: &str, path: &str, body: &str| {
        let headers = named(name);
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        server.send("POST", path, &headers, body)
    };
    let known = server.get(&format!("/api/v1/nodes/{NODE}/facts")).json();
    let facts = serde_json::json!({"name": NODE, "values": known["facts"]}).to_string();
    // Agents escape facts once more than a form needs.
    let facts = escaped(&escaped(&facts));
    let form = format!(
        "environment=production&facts_format=application%2Fjson&facts={facts}&transaction_uuid=11111111-2222-4333-8444-555555555555"
    );
    let path = format!("/puppet/v3/catalog/{NODE}");
    let own = ask(NODE, &path, &form);
    assert_eq!(own.status, 200, "{}", own.body);
    let json = own.json();
    assert_eq!(json["name"], NODE);
    let other = ask("web02.berlin.example.com", &path, &form);
    assert!(other.status == 403 && other.body.starts_with("Forbidden request: "), "{}", other.body);
    assert_eq!(server.send("POST", &path, &[], &form).status, 403);
    let v4 = format!(
        r#"{{"certname":"{NODE}","environment":"production","persistence":{{"facts":false,"catalog":false}}}}"#
    );
    assert_eq!(ask(NODE, "/puppet/v4/catalog", &v4).status, 403);
    let whole = ask("compiler", "/puppet/v4/catalog", &v4);
    assert_eq!(whole.status, 200, "{}", whole.body);
    assert_eq!(whole.json()["catalog"]["name"], NODE);
    assert_eq!(ask("compiler", "/puppet/v4/catalog", "{}").status, 400);
    let stored = v4.replace("\"facts\":false", "\"facts\":true");
    assert!(ask("compiler", "/puppet/v4/catalog", &stored).body.contains("nothing is stored here"));
    assert_eq!(server.body("/status/v1/simple"), "running");
}

#[test]
fn a_server_over_nothing_does_not_start() {
    let folder = folder_of(&[]);
    let nowhere = folder.path().join("environments").display().to_string();
    let ended = hierarch(folder.path(), &["serve", "--listen", "127.0.0.1:0"], "");
    assert_eq!(ended.code, 1, "{}", ended.out);
    assert!(ended.err.contains("there is no control repository here"), "{}", ended.err);
    let ended = hierarch(folder.path(), &["serve", "--listen", "127.0.0.1:0", "-C", &nowhere], "");
    assert_eq!(ended.code, 1, "{}", ended.out);
}

#[test]
fn answers_say_that_a_manifest_may_know_more() {
    let hiera = "version: 5\nhierarchy:\n- {name: Tiers, path: '%{tier}.yaml'}\n- {name: Common, path: common.yaml}\n";
    let folder = folder_of(&[
        ("hiera.yaml", hiera),
        ("data/gold.yaml", "k: gold\n"),
        ("data/common.yaml", "k: common\n"),
        ("facts/a.yaml", "clientcert: a\n"),
        ("manifests/site.pp", "$tier = 'gold'\n"),
    ]);
    let server = Server::start(folder.path(), &[]);
    let warned = |path: &str| server.get(path).json()["warnings"].as_array().cloned().unwrap_or_default();
    for path in ["/api/v1/lookup?node=a&key=k", "/api/v1/about"] {
        let warnings = warned(path);
        let text = warnings.first().and_then(|text| text.as_str()).unwrap_or_default();
        assert!(text.starts_with("hiera.yaml:3:") && text.contains("tier"), "{path}: {warnings:?}");
    }
    let asked = server.send(
        "POST",
        "/api/v1/lookup",
        &[("Content-Type", "application/json")],
        r#"{"node":"a","keys":["k"]}"#,
    );
    assert_eq!(asked.json()[0]["warnings"].as_array().map(Vec::len), Some(1), "{}", asked.body);
    // A node that has it takes the doubt away, and the server sees that by itself.
    fs::write(folder.path().join("facts/b.yaml"), "{clientcert: b, tier: gold}\n").expect("it is written");
    let begin = std::time::Instant::now();
    while !warned("/api/v1/lookup?node=a&key=k").is_empty() {
        assert!(begin.elapsed().as_secs() < 60, "the warning stays");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(server.get("/api/v1/lookup?node=b&key=k").json()["value"], "gold");
}
