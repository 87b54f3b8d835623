//! What a caller of `hierarch serve` cannot find out by any way round: secrets, facts, files of the machine; and that nobody can
//! keep the server from answering others.
#![cfg(feature = "serve")]

mod common;

use std::path::{Path, PathBuf};

use common::server::{Reply, Server, escaped, token_line};
use common::{folder_of, git, hierarch};
use serde_json::json;

const SECRET: &str = "TOPSECRETY2";

const HIERA: &str = "\
version: 5
hierarchy:
- name: Secrets
  lookup_key: eyaml_lookup_key
  path: secrets.eyaml
  options: {pkcs7_private_key: keys/private_key.pkcs7.pem, pkcs7_public_key: keys/public_key.pkcs7.pem}
- {name: Roles, path: 'roles/%{facts.role}.yaml'}
- {name: Common, path: common.yaml}
";
const COMMON: &str = "\
app::port: 80
app::sens: SENSITIVE-VALUE
lookup_options:
  app::sens: {convert_to: Sensitive}
";
const MANIFEST: &str = "\
class app(String $pw, Integer $port, Sensitive[String] $sens) {
  file { '/x': content => $sens }
  file { \"/y-${pw}\": content => \"a ${pw} b\", mode => '0600' }
  notify { 'list': message => ['free', $pw] }
  file { '/deferred': content => Deferred('sprintf', ['%s', $pw]) }
  file { '/base64': content => String(Binary($pw, '%s')) }
  file { '/parts': content => $pw.split('').join('-') }
  file { '/start': content => $pw[0, 4] }
}
";

/// A repository with a decrypted and a `Sensitive` value, and a file of data outside of it.
fn repository() -> (tempfile::TempDir, PathBuf) {
    let folder = folder_of(&[
        ("repo/hiera.yaml", &HIERA.replace("keys/", "KEYS/")),
        ("repo/data/common.yaml", COMMON),
        ("repo/data/roles/web.yaml", "app::role: web\n"),
        ("repo/facts/a.x.yaml", "{clientcert: a.x, role: web, ip: 10.0.0.4}\n"),
        ("repo/facts/b.x.yaml", "{clientcert: b.x, role: web, ip: 10.0.0.5}\n"),
        ("repo/modules/app/manifests/init.pp", MANIFEST),
        ("repo/manifests/site.pp", "include app\n"),
        ("outside/creds.yaml", "db::password: OUTSIDE_SECRET\n"),
    ]);
    let root = folder.path().canonicalize().expect("a folder").join("repo");
    let keys = root.join("keys").display().to_string();
    std::fs::write(root.join("hiera.yaml"), HIERA.replace("keys/", &format!("{keys}/"))).expect("written");
    assert_eq!(hierarch(&root, &["eyaml", "createkeys"], "").code, 0);
    let encrypted = hierarch(&root, &["eyaml", "encrypt", "-s", SECRET, "-o", "string"], "");
    let line = format!("app::pw: {}\n", encrypted.out.trim());
    std::fs::write(root.join("data/secrets.eyaml"), line).expect("written");
    (folder, root)
}

fn condition(server: &Server, token: Option<&str>, expression: &str) -> Reply {
    ask(server, token, &format!("/api/v1/where?expr={}", escaped(expression)))
}

fn ask(server: &Server, token: Option<&str>, path: &str) -> Reply {
    let given = token.map(|token| format!("Bearer {token}"));
    let headers: Vec<(&str, &str)> = given.iter().map(|given| ("Authorization", given.as_str())).collect();
    server.send("GET", path, &headers, "")
}

fn with_tokens(root: &Path) -> Server {
    let lines = [
        token_line("reader", "read", "reader-token"),
        token_line("keeper", "read secrets facts", "keeper-token"),
    ];
    std::fs::write(root.join("../tokens"), lines.join("\n")).expect("written");
    Server::start(root, &["--tokens", "../tokens"])
}

#[test]
fn a_catalog_shows_no_secret_to_who_may_not_see_it() {
    let (_folder, root) = repository();
    let server = with_tokens(&root);
    let reply = ask(&server, Some("reader-token"), "/api/v1/catalog/a.x");
    assert_eq!(reply.status, 200, "{}", reply.body);
    for secret in [SECRET, "SENSITIVE-VALUE", "VE9QU0VDUkVUWTI=", "T-O-P", "TOPS"] {
        assert!(!reply.body.contains(secret), "{secret}: {}", reply.body);
    }
    assert!(reply.body.contains(r#""mode":"0600""#) && reply.body.contains("\"free\""), "{}", reply.body);
    let path = "/api/v1/catalog/a.x?secrets=true";
    assert_eq!(ask(&server, Some("reader-token"), path).status, 403);
    let shown = ask(&server, Some("keeper-token"), path);
    assert_eq!((shown.status, shown.header("cache-control")), (200, Some("no-store")));
    assert!(shown.body.contains(SECRET) && shown.body.contains("SENSITIVE-VALUE"), "{}", shown.body);
}

#[test]
fn a_condition_tells_nothing_of_secrets() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &[]);
    for expression in [
        "fail(app::pw[0,6])",
        "fail(app::pw.split('').join('-'))",
        "app::pw =~ /^T/",
        "md5(app::pw) == 'x'",
        "app::sens.unwrap =~ /^S/",
        "lookup('app::pw') =~ /^T/",
        "lookup('app::sens').unwrap =~ /^S/",
        "call('lookup', 'app::pw') =~ /^T/",
        "lookup('app::pw', Pattern[/^X/]) == 1",
        "lookup('app::pw', {value_type => String[1, 3]}) == 1",
        "lookup('app::sens', Sensitive[Pattern[/^X/]]) == 1",
        "lookup('none', {default_values_hash => {}, default_value => lookup('app::pw')}) =~ /^T/",
    ] {
        let reply = condition(&server, None, expression);
        assert!(
            !reply.body.contains("TOPS") && !reply.body.contains("T-O-P"),
            "{expression}: {}",
            reply.body
        );
        let json = reply.json();
        assert_eq!(
            (json["count"].as_u64(), json["unanswered"].as_array().map(Vec::len)),
            (Some(0), Some(2)),
            "{expression}: {json}"
        );
        assert!(reply.body.contains("is a secret"), "{expression}: {}", reply.body);
    }
    let plain = condition(&server, None, "app::port == 80 and lookup('app::role') == 'web'").json();
    assert_eq!(plain["count"], json!(2), "{plain}");
}

#[test]
fn who_may_see_secrets_may_ask_for_them() {
    let (_folder, root) = repository();
    let server = with_tokens(&root);
    let path = format!("/api/v1/where?secrets=true&expr={}", escaped("app::pw =~ /^T/"));
    let reply = ask(&server, Some("keeper-token"), &path).json();
    assert_eq!(reply["count"], json!(2), "{reply}");
}

#[test]
fn a_condition_reads_no_files_whatever_way_it_calls() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &[]);
    for expression in [
        "fail(file('/etc/hostname'))",
        "fail(call('file', '/etc/hostname'))",
        "fail(call(\"fi${''}le\", '/etc/hostname'))",
        "fail(Deferred('file', ['/etc/hostname']).call)",
        "inline_epp('<%= file(\"/etc/hostname\") %>') == ''",
        "call('inline_epp', '<%= 1 %>') == '1'",
        "call('inline_template', '<%= 1 %>') == '1'",
        "['/etc/hostname'].map |$f| { call('binary_file', $f) } == []",
    ] {
        let reply = condition(&server, None, expression);
        assert!(reply.body.contains("is refused in a condition"), "{expression}: {}", reply.body);
        let told = hierarch(&root, &["where", expression], "");
        assert!(
            told.code == 1 && told.err.contains("is refused in a condition"),
            "{expression}: {}",
            told.err
        );
    }
}

#[test]
fn facts_are_for_those_who_may_see_them() {
    let (_folder, root) = repository();
    let server = with_tokens(&root);
    for expression in [
        "fail(\"${facts}\")",
        "$facts['ip'] =~ /^10/",
        "$ip =~ /^10/",
        "fact('ip') =~ /^10/",
        "getvar('facts.ip') =~ /^10/",
        "fail($trusted['certname'])",
    ] {
        let reply = condition(&server, Some("reader-token"), expression);
        assert!(!reply.body.contains("10.0.0."), "{expression}: {}", reply.body);
        assert_eq!(reply.status, 400, "no answer looks like one: {expression}: {}", reply.body);
        let nodes = format!("/api/v1/nodes?where={}", escaped(expression));
        let nodes = ask(&server, Some("reader-token"), &nodes);
        assert!(!nodes.body.contains("10.0.0.") || nodes.status == 400, "{expression}: {}", nodes.body);
    }
    let lookup = condition(&server, Some("reader-token"), "lookup('app::role') == 'web'");
    assert_eq!(lookup.status, 400, "{}", lookup.body);
    let key = condition(&server, Some("reader-token"), "app::role == 'web'").json();
    assert_eq!(key["count"], json!(2), "{key}");
    let own = condition(&server, Some("keeper-token"), "$facts['ip'] == '10.0.0.4'").json();
    assert_eq!(own["nodes"], json!(["a.x"]), "{own}");
}

fn preview(server: &Server, token: &str, body: &serde_json::Value) -> Reply {
    let token = format!("Bearer {token}");
    let headers = [("Content-Type", "application/json"), ("Authorization", token.as_str())];
    server.send("POST", "/api/v1/preview", &headers, &body.to_string())
}

#[test]
fn a_preview_is_not_a_way_to_secrets_or_facts() {
    let (_folder, root) = repository();
    let server = with_tokens(&root);
    let common = |path: serde_json::Value, value: serde_json::Value| json!({"edits": [{"file": "data/common.yaml", "path": path, "value": value}]});
    let removal = json!({"edits": [{"file": "data/common.yaml", "path": ["lookup_options", "app::sens"], "remove": true}]});
    let by_key = json!({"key": "app::port", "value": "%{facts.ip}", "node": "a.x", "level": "Common"});
    for body in [
        common(json!(["lookup_options", "app::pw"]), json!({"convert_to": ["Array"]})),
        common(json!(["lookup_options", "app::sens", "convert_to"]), json!("String")),
        common(json!(["lookup_options"]), json!({})),
        removal,
        // Options of a higher level, or for the name instead of a pattern, take the place of those that hide the value.
        json!({"edits": [{"file": "data/roles/web.yaml", "path": ["lookup_options"], "value": {"app::sens": {"merge": "first"}}}]}),
        json!({"edits": [{"file": "data/roles/web.yaml", "path": ["lookup_options"], "value": {"^app::.*": {"merge": "first"}}}]}),
        by_key,
        common(json!(["app::new"]), json!({"%{trusted.certname}": 1})),
    ] {
        let reply = preview(&server, "reader-token", &body);
        assert_eq!(
            (reply.status, &reply.json()["code"]),
            (403, &json!("MISSING_ROLE")),
            "{body}: {}",
            reply.body
        );
        let seen = preview(&server, "keeper-token", &body);
        assert_eq!(seen.status, 200, "{body}: {}", seen.body);
    }
    let edit = common(json!(["app::port"]), json!(81));
    let reply = preview(&server, "reader-token", &edit);
    let diff = reply.json()["diff"].as_str().unwrap_or_default().to_owned();
    assert!(diff.contains("+app::port: 81") && diff.contains(" app::sens: [hidden]"), "{diff}");
    assert!(!reply.body.contains("SENSITIVE-VALUE"), "{}", reply.body);
    let own = preview(&server, "reader-token", &common(json!(["app::sens"]), json!("mine")));
    assert!(!own.body.contains("SENSITIVE-VALUE"), "{}", own.body);
    assert_eq!(own.json()["withheld"], json!(["app::sens"]), "{}", own.body);
    assert!(preview(&server, "keeper-token", &edit).body.contains("app::sens: SENSITIVE-VALUE"));
    let merge = common(json!(["lookup_options", "app::port"]), json!({"merge": "first"}));
    assert_eq!(preview(&server, "reader-token", &merge).status, 200);
}

#[test]
fn a_preview_does_not_tell_whether_a_guess_is_right() {
    let (_folder, root) = repository();
    let list = hierarch(&root, &["eyaml", "encrypt", "-s", "MIDDLE", "-o", "string"], "");
    let path = root.join("data/secrets.eyaml");
    let old = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, format!("{old}app::list: ['{}', plain]\n", list.out.trim())).expect("written");
    let common = "app::made: ['%{lookup(\"app::pw\")}', other]\napp::open: [a]\n";
    let options =
        "  app::made: {merge: unique}\n  app::list: {merge: {strategy: deep, sort_merged_arrays: true}}\n";
    std::fs::write(root.join("data/common.yaml"), format!("{common}{COMMON}{options}")).expect("written");
    let server = with_tokens(&root);
    let file = |key: &str, value: serde_json::Value| json!({"edits": [{"file": "data/roles/web.yaml", "path": [key], "value": value}]});
    let sens = |value: &str| json!({"key": "app::sens", "value": value, "node": "a.x", "level": "Common"});
    let pw = |value: &str| json!({"key": "app::pw", "value": value, "node": "a.x"});
    let dug = |value: &str| {
        let mut body = file("app::list", json!([value]));
        body["edits"].as_array_mut().expect("a list").push(
            json!({"file": "data/roles/web.yaml", "path": ["app::first"], "value": "%{lookup('app::list.0')}"}),
        );
        body
    };
    for (right, wrong) in [
        (sens("SENSITIVE-VALUE"), sens("other")),
        (pw(SECRET), pw("other")),
        (file("app::made", json!([SECRET])), file("app::made", json!(["other word"]))),
        (dug("AAA"), dug("ZZZ")),
    ] {
        let told = |body: &serde_json::Value| {
            let reply = preview(&server, "reader-token", body);
            let json = reply.json();
            let fields = ["diff", "impact", "withheld", "warnings"].map(|name| json[name].clone());
            (reply.status, fields)
        };
        let (status, fields) = told(&right);
        assert_eq!((status, &fields), (200, &told(&wrong).1), "{right}");
        assert_ne!(fields[2], json!([]), "{right}");
        assert_eq!(preview(&server, "keeper-token", &wrong).json()["withheld"], json!([]));
    }
    let open = preview(&server, "reader-token", &file("app::open", json!(["b"]))).json();
    assert_eq!((&open["withheld"], &open["impact"]["changed"]), (&json!([]), &json!(2)), "{open}");
    for (key, options) in [
        ("app::list", json!({"merge": {"strategy": "deep", "sort_merged_arrays": true}})),
        ("app::pw", json!({"merge": "unique"})),
        ("app::made", json!({"merge": "unique"})),
    ] {
        let edit = json!({"edits": [{"file": "data/roles/web.yaml", "path": ["lookup_options", key], "value": options}]});
        let reply = preview(&server, "reader-token", &edit);
        assert_eq!(
            (reply.status, &reply.json()["code"]),
            (403, &json!("MISSING_ROLE")),
            "{key}: {}",
            reply.body
        );
    }
}

/// What a reader is told after a guess was written above the secret, for one node of two.
fn told_of_a_guess(root: &Path, guess: &str) -> [String; 3] {
    std::fs::write(root.join("data/nodes/a.x.yaml"), format!("app::pw: {guess}\n")).expect("written");
    told_to_a_reader(root, ["values?key=app::pw", "unused?proof=fleet", "impact?from=HEAD"], guess)
}

fn told_to_a_reader<const N: usize>(root: &Path, questions: [&str; N], guess: &str) -> [String; N] {
    let server = with_tokens(root);
    questions.map(|question| {
        let reply = ask(&server, Some("reader-token"), &format!("/api/v1/{question}"));
        assert!([200, 403].contains(&reply.status), "{}", reply.body);
        reply.body.replace(guess, "GUESS")
    })
}

/// A merge leaves out what is equal: what is left of a list of guesses would tell which of them is the secret.
#[test]
fn a_merge_with_a_secret_tells_nothing_of_it() {
    let (_folder, root) = repository();
    let options = "lookup_options:\n  app::pw: {merge: unique}\n  app::sens: {convert_to: Sensitive}\n";
    let common = COMMON.replace("lookup_options:\n  app::sens: {convert_to: Sensitive}\n", options);
    std::fs::write(root.join("data/common.yaml"), common).expect("written");
    let questions = [
        "lookup?node=a.x&key=app::pw",
        "lookup?node=a.x&key=app::pw&merge=deep",
        "origin?node=a.x&key=app::pw",
        "explain?node=a.x&key=app::pw",
        "values?key=app::pw",
        "dump?node=a.x",
    ];
    let told = |guess: &str| {
        let list = format!("app::role: web\napp::pw: [one, {guess}, two]\n");
        std::fs::write(root.join("data/roles/web.yaml"), list).expect("written");
        told_to_a_reader(&root, questions, guess)
    };
    let right = told(SECRET);
    assert_eq!(right, told("OTHERSECRET"));
    assert!(right.iter().all(|body| !body.contains(SECRET)), "{right:?}");
    assert!(right[0].contains("[decrypted value hidden]"), "{}", right[0]);
    let first = told_to_a_reader(&root, ["lookup?node=a.x&key=app::pw&merge=first"], "-");
    assert!(first[0].contains("[decrypted value hidden]"), "{}", first[0]);
    let server = with_tokens(&root);
    let shown = ask(&server, Some("keeper-token"), "/api/v1/origin?node=a.x&key=app::pw&secrets=true");
    assert!(shown.status == 200 && shown.body.contains(SECRET), "{}", shown.body);
}

#[test]
fn questions_over_all_nodes_do_not_tell_whether_a_guess_is_right() {
    let (_folder, root) = repository();
    let node = "hierarchy:\n- name: Nodes\n  lookup_key: eyaml_lookup_key\n  path: 'nodes/%{trusted.certname}.yaml'\n  options: {pkcs7_private_key: KEYS/private_key.pkcs7.pem, pkcs7_public_key: KEYS/public_key.pkcs7.pem}\n";
    let keys = root.join("keys").display().to_string();
    let hiera = std::fs::read_to_string(root.join("hiera.yaml")).expect("a file");
    std::fs::write(root.join("hiera.yaml"), hiera.replace("hierarchy:\n", &node.replace("KEYS", &keys)))
        .expect("written");
    std::fs::create_dir(root.join("data/nodes")).expect("made");
    std::fs::write(root.join("data/nodes/a.x.yaml"), "app::other: 1\n").expect("written");
    git(&root, &["init", "-q"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "all"]);
    let encrypted = |text: &str| {
        hierarch(&root, &["eyaml", "encrypt", "-s", text, "-o", "string"], "").out.trim().to_owned()
    };
    for (right, wrong) in
        [(SECRET.to_owned(), "OTHERSECRET".to_owned()), (encrypted(SECRET), encrypted("OTHERSECRET"))]
    {
        let told = told_of_a_guess(&root, &right);
        assert_eq!(told, told_of_a_guess(&root, &wrong));
        assert!(told.iter().all(|body| !body.contains(SECRET)), "{told:?}");
        assert!(told[2].contains("app::pw is not told"), "{}", told[2]);
    }
    let server = with_tokens(&root);
    for (token, key, status) in [
        ("reader-token", "app::pw", 403),
        ("keeper-token", "app::pw", 200),
        ("reader-token", "app::port", 200),
    ] {
        let path = format!("/api/v1/history?node=a.x&key={key}");
        assert_eq!(ask(&server, Some(token), &path).status, status, "{token} {key}");
    }
    // Who has the keys of the machine is not told the secret of another node in clear either.
    std::fs::write(root.join("data/nodes/a.x.yaml"), format!("app::pw: {SECRET}\n")).expect("written");
    let values = hierarch(&root, &["values", "app::pw", "--render-as", "jsonl"], "");
    let line = values.out.lines().find(|line| line.contains("b.x")).unwrap_or_default();
    assert!(line.contains("hidden") && !line.contains(SECRET), "{}", values.out);
}

#[test]
fn an_encrypted_value_is_edited_as_it_was_looked_at() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &["--allow-edit"]);
    let body = json!({"key": "app::pw", "value": "NEWSECRET", "node": "a.x"}).to_string();
    let send = |path: &str, headers: &[(&str, &str)]| server.send("POST", path, headers, &body);
    let (one, two) = (send("/api/v1/preview", &[]), send("/api/v1/preview", &[]));
    assert_eq!((one.status, one.header("etag")), (200, two.header("etag")), "{}", one.body);
    let tag = one.header("etag").expect("a tag").to_owned();
    let saved = send("/api/v1/edit", &[("If-Match", &tag)]);
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(send("/api/v1/edit", &[("If-Match", &tag)]).status, 412, "it has changed now");
    let text = std::fs::read_to_string(root.join("data/secrets.eyaml")).expect("a file");
    assert!(text.contains("ENC[") && !text.contains("NEWSECRET"), "{text}");
    let found = hierarch(&root, &["lookup", "app::pw", "--node", "a.x"], "");
    assert_eq!(found.out.trim(), "--- NEWSECRET");
}

#[test]
fn numbers_beyond_64_bits_are_refused_not_rounded() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &[]);
    for number in ["12345678901234567890123", "9223372036854775808", "-9223372036854775809"] {
        let edit = format!(r#"{{"key":"app::port","value":[{number}],"node":"a.x","level":"Common"}}"#);
        let reply = server.send("POST", "/api/v1/preview", &[], &edit);
        assert_eq!((reply.status, &reply.json()["code"]), (400, &json!("BIG_NUMBER")), "{}", reply.body);
        let facts = format!(r#"{{"keys":["app::port"],"facts":{{"big":{number}}}}}"#);
        assert_eq!(server.send("POST", "/api/v1/lookup", &[], &facts).status, 400, "{number}");
    }
    let edit = r#"{"key":"app::port","value":9223372036854775807,"node":"a.x","level":"Common"}"#;
    assert!(
        server.send("POST", "/api/v1/preview", &[], edit).body.contains("+app::port: 9223372036854775807")
    );
}

#[test]
fn an_edit_names_data_files_alone() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &[]);
    let outside = root.join("../outside").canonicalize().expect("a folder").display().to_string();
    let level = json!({"name": "x", "datadir": outside, "path": "creds.yaml"});
    for (file, path, value) in [
        ("hiera.yaml", json!(["hierarchy", 2]), level),
        ("facts/a.x.yaml", json!(["zz"]), json!(1)),
        ("modules/app/hiera.yaml", json!(["version"]), json!(5)),
        ("../outside/creds.yaml", json!(["db::password"]), json!(1)),
        ("data/roles/../../../outside/creds.yaml", json!(["db::password"]), json!(1)),
        ("metadata.json", json!(["name"]), json!("x")),
    ] {
        let body = json!({"edits": [{"file": file, "path": path, "value": value}]}).to_string();
        let reply = server.send("POST", "/api/v1/preview", &[("Content-Type", "application/json")], &body);
        assert_eq!((reply.status, &reply.json()["code"]), (400, &json!("OUTSIDE")), "{file}: {}", reply.body);
    }
    let body =
        json!({"edits": [{"file": "data/roles/db.yaml", "path": ["app::role"], "value": "db"}]}).to_string();
    let reply = server.send("POST", "/api/v1/preview", &[("Content-Type", "application/json")], &body);
    assert_eq!(reply.status, 200, "{}", reply.body);
}

#[test]
fn facts_of_the_callers_choice_lead_to_no_file_outside() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &[]);
    let ask = |role: &str| {
        let body = json!({"keys": ["db::password", "app::role"], "facts": {"role": role}}).to_string();
        server.send("POST", "/api/v1/lookup", &[("Content-Type", "application/json")], &body)
    };
    let outside = ask("../../../outside/creds");
    assert_eq!((outside.status, &outside.json()["code"]), (400, &json!("OUTSIDE")), "{}", outside.body);
    assert!(!outside.body.contains("OUTSIDE_SECRET"), "{}", outside.body);
    assert_eq!(ask("web").json()[1]["value"], json!("web"));
    assert_eq!(ask("../roles/web").json()[1]["value"], json!("web"));
}

#[test]
fn what_nobody_waits_for_any_more_is_given_up() {
    let (_folder, root) = repository();
    let server = Server::start(&root, &["--timeout", "1"]);
    for _ in 0..4 {
        let reply = condition(&server, None, "Integer[1, 9999999999].each |$x| { $x }");
        assert_eq!(reply.status, 504, "{}", reply.body);
    }
    // Without an end to the four there would be no thread left for this one.
    let reply = server.get("/api/v1/lookup?node=a.x&key=app::port");
    assert_eq!(reply.status, 200, "{}", reply.body);
}
