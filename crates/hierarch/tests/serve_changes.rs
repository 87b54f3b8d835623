//! `hierarch serve` while things change: edits of files, nodes in a store, templates; and answers that are long.
#![cfg(all(feature = "serve", feature = "store"))]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::server::Server;
use common::{copy_folder, folder_of, hierarch};

const NODE: &str = "db01.berlin.example.com";

/// Makes a copy of a bundled repository.
fn example(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = folder_of(&[]);
    let root = folder.path().canonicalize().expect("a folder").join("repo");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name), &root);
    (folder, root)
}

fn edits(list: &[&str]) -> String {
    format!("{{\"edits\":[{}]}}", list.join(","))
}

#[test]
fn places_in_several_files_are_edited_together() {
    let (_folder, root) = example("control-repo");
    let server = Server::start(&root, &["--allow-edit"]);
    let body = edits(&[
        r#"{"file":"data/common.yaml","path":["profile::web::port"],"value":8000}"#,
        r#"{"file":"data/common.yaml","path":["profile::base::users","alice","shell"],"remove":true}"#,
        r#"{"file":"data/roles/web.yaml","path":["profile::web::port"],"remove":true}"#,
    ]);
    let preview = server.send("POST", "/api/v1/preview", &[], &body);
    assert_eq!(preview.status, 200, "{}", preview.body);
    let json = preview.json();
    assert_eq!(json["files"], serde_json::json!(["data/common.yaml", "data/roles/web.yaml"]));
    let diff = json["diff"].as_str().expect("a diff");
    for line in [
        "-profile::web::port: 80\n+profile::web::port: 8000\n",
        "-    shell: /bin/bash\n",
        "-profile::web::port: 8080\n",
    ] {
        assert!(diff.contains(line), "{line} in {diff}");
    }
    // Eight nodes have the common port, and three web servers that of their role.
    assert!(json["impact"]["changed"].as_u64().is_some_and(|count| count >= 11), "{json}");
    let before = [read(&root, "data/common.yaml"), read(&root, "data/roles/web.yaml")];
    let tag = json["etag"].as_str().expect("a tag");
    let saved = server.send("POST", "/api/v1/edit", &[("If-Match", tag)], &body);
    assert_eq!(saved.status, 200, "{}", saved.body);
    let after = before[0].replace("profile::web::port: 80\n", "profile::web::port: 8000\n");
    let after = after.replacen("    shell: /bin/bash\n", "", 1);
    assert_eq!(read(&root, "data/common.yaml"), after);
    assert_eq!(read(&root, "data/roles/web.yaml"), before[1].replace("profile::web::port: 8080\n", ""));
    let seen = server.body("/api/v1/lookup?node=web02.berlin.example.com&key=profile::web::port");
    assert!(seen.contains("\"value\":8000"), "{seen}");
    assert_eq!(
        server.send("POST", "/api/v1/edit", &[("If-Match", tag)], &body).status,
        422,
        "it is gone already"
    );
}

fn read(root: &Path, file: &str) -> String {
    fs::read_to_string(root.join(file)).expect("a file")
}

#[test]
fn edits_that_cannot_be_are_refused_by_their_number() {
    let (_folder, root) = example("control-repo");
    let server = Server::start(&root, &["--allow-edit"]);
    let common = read(&root, "data/common.yaml");
    for (edit, status, words) in [
        (r#"{"file":"data/common.yaml","path":[],"value":1}"#, 400, "edits[0]: 'path' is a list"),
        (r#"{"file":"data/common.yaml","path":["a"]}"#, 400, "either a 'value', or 'remove'"),
        (r#"{"file":"data/common.yaml","path":["a"],"value":1,"remove":true}"#, 400, "either a 'value'"),
        (r#"{"file":"data/common.yaml","path":[1.5],"value":1}"#, 400, "texts and whole numbers"),
        (r#"{"file":"data/common.yaml","path":["a"],"valeu":1}"#, 400, "there is no field 'valeu'"),
        (r#"{"file":"../x.yaml","path":["a"],"value":1}"#, 400, "not a data file below"),
        (r#"{"file":"/etc/x.yaml","path":["a"],"value":1}"#, 400, "not a data file below"),
        (r#"{"file":"manifests/site.pp","path":["a"],"value":1}"#, 400, "not a data file below"),
        (
            r#"{"file":"data/common.yaml","path":["a"],"value":["Sensitive [value redacted]"]}"#,
            400,
            "give the secret itself",
        ),
        (r#"{"file":"data/common.yaml","path":["no::such"],"remove":true}"#, 422, "has no no::such"),
        (r#"{"file":"data/common.yaml","path":["profile::web::port","a"],"value":1}"#, 422, "leads nowhere"),
    ] {
        let reply = server.send("POST", "/api/v1/preview", &[], &edits(&[edit]));
        assert_eq!(reply.status, status, "{edit}: {}", reply.body);
        assert!(reply.body.contains(words), "{edit}: {}", reply.body);
    }
    assert_eq!(server.send("POST", "/api/v1/preview", &[], r#"{"edits":[],"key":"a"}"#).status, 400);
    assert_eq!(read(&root, "data/common.yaml"), common);
}

#[test]
fn nodes_of_a_store_are_those_of_now_and_facts_are_kept_in_it() {
    let (folder, root) = example("control-repo");
    let store = format!("sqlite:{}", folder.path().join("nodes.db").display());
    let done = hierarch(&root, &["nodes", "import", "facts", "--store", &store], "");
    assert_eq!(done.code, 0, "{}", done.err);
    let server = Server::start(&root, &["--nodes", &store, "--behind-proxy", "--allow-v4", "compiler"]);
    assert!(server.line.contains("(12 nodes"), "{}", server.line);
    let path = |node: &str| format!("/api/v1/lookup?node={node}&key=ntp::servers");
    let known = hierarch(&root, &["lookup", "ntp::servers", "--node", NODE, "--render-as", "json"], "").out;
    assert!(server.body(&path(NODE)).contains(known.trim_end()));
    // Another program changes the store.
    let forgotten = hierarch(&root, &["nodes", "forget", NODE, "--store", &store], "");
    assert_eq!(forgotten.code, 0, "{}", forgotten.err);
    server.until(&path(NODE), |reply| reply.status == 404);
    // An agent's facts are kept, and later questions see them.
    let body = |certname: &str, location: &str, persistence: &str| {
        format!(
            r#"{{"certname":"{certname}","environment":"production","persistence":{persistence},"facts":{{"values":{{"location":"{location}","role":"web","clientcert":"{certname}","os":{{"name":"Debian","family":"Debian","release":{{"major":"12"}}}},"networking":{{"fqdn":"{certname}"}}}}}}}}"#
        )
    };
    let ask = |body: &str| {
        let named = [("X-Client-Verify", "SUCCESS"), ("X-Client-DN", "CN=compiler")];
        server.send("POST", "/puppet/v4/catalog", &named, body)
    };
    let kept = ask(&body("new.example.com", "tokyo", r#"{"facts":true,"catalog":false}"#));
    assert_eq!(kept.status, 200, "{}", kept.body);
    server.until(&path("new.example.com"), |reply| reply.body.contains("ntp1.tokyo.example.com"));
    assert!(hierarch(&root, &["nodes", "list", "--store", &store], "").out.contains("new.example.com"));
    let both = ask(&body("new.example.com", "tokyo", r#"{"facts":true,"catalog":true}"#));
    assert!(both.status == 400 && both.body.contains("catalogs are not stored here"), "{}", both.body);
    let generation = |path: &str| server.get(path).header("hierarch-generation").map(str::to_owned);
    let before = generation("/healthz");
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert_eq!(generation("/healthz"), before, "a store that nobody writes makes no new states");
}

#[test]
fn edited_templates_and_functions_are_seen() {
    let (_folder, root) = example("ruby-repo");
    let node = fs::read_dir(root.join("facts")).expect("a folder").flatten().next().expect("a node");
    let node = node.path().file_stem().expect("a name").to_string_lossy().into_owned();
    let server = Server::start(&root, &[]);
    let path = format!("/api/v1/catalog/{node}");
    let first = server.get(&path);
    assert_eq!(first.status, 200, "{}", first.body);
    let template = root.join("modules/site/templates/site.conf.erb");
    let text = fs::read_to_string(&template).expect("a template");
    fs::write(&template, format!("# edited while it is served\n{text}")).expect("written");
    server.until(&path, |reply| reply.body.contains("# edited while it is served"));
    let old = first.header("etag").expect("a tag").to_owned();
    assert_eq!(server.send("GET", &path, &[("If-None-Match", &old)], "").status, 200);
    fs::write(&template, &text).expect("written");
    server.until(&path, |reply| !reply.body.contains("# edited"));
    fs::write(root.join("modules/site/templates/more.epp"), "one <%= 1 + 1 %>").expect("written");
    let manifests = root.join("manifests/more.pp");
    fs::write(&manifests, "notify { epp('site/more.epp'): }\n").expect("written");
    server.until(&path, |reply| reply.body.contains("one 2"));
    fs::write(root.join("modules/site/templates/more.epp"), "one <%= 1 + 2 %>").expect("written");
    server.until(&path, |reply| reply.body.contains("one 3"));
}

#[test]
fn long_dumps_are_sent_in_parts_and_are_those_of_the_command() {
    let folder = folder_of(&[]);
    let root = folder.path().canonicalize().expect("a folder");
    let many: String =
        (0..4_000).map(|number| format!("k::n{number:04}: \"{}\"\n", "v".repeat(60))).collect();
    for (file, text) in [
        ("hiera.yaml", "version: 5\nhierarchy: [{name: A, path: a.yaml}]\n"),
        ("data/a.yaml", &many),
        ("facts/n.yaml", "clientcert: n\nx: 1\n"),
    ] {
        fs::create_dir_all(root.join(file).parent().expect("a folder")).expect("made");
        fs::write(root.join(file), text).expect("written");
    }
    let server = Server::start(&root, &[]);
    let reply = server.get("/api/v1/dump?node=n");
    assert_eq!((reply.status, reply.header("transfer-encoding")), (200, Some("chunked")));
    let command = hierarch(&root, &["dump", "--node", "n", "--render-as", "jsonl"], "").out;
    assert!(command.len() > 300_000 && reply.body == command, "{} {}", reply.body.len(), command.len());
    let tag = reply.header("etag").expect("a tag").to_owned();
    assert_eq!(server.send("GET", "/api/v1/dump?node=n", &[("If-None-Match", &tag)], "").status, 304);
    assert_eq!(
        server.send("GET", "/api/v1/dump?node=n&keys=k::n0*", &[("If-None-Match", &tag)], "").status,
        200
    );
    let packed = server.send("GET", "/api/v1/dump?node=n", &[("Accept-Encoding", "gzip")], "");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let again = Server::start(&root, &[]);
    assert_eq!(
        again.send("GET", "/api/v1/dump?node=n", &[("If-None-Match", &tag)], "").status,
        200,
        "another start"
    );
}

#[test]
fn levels_tell_what_their_files_have_for_an_edit_to_begin_with() {
    let folder = folder_of(&[
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n- {name: Roles, path: 'roles/%{facts.role}.yaml'}\n- {name: Common, path: common.yaml}\n",
        ),
        (
            "data/common.yaml",
            "'a.dotted.key': 1\nids: {serial: 9007199254740993, host: 'www.%{facts.role}'}\nhush: S3CRET\nlookup_options:\n  ids: {merge: hash}\n  hush: {convert_to: Sensitive}\n",
        ),
        ("data/roles/web.yaml", "ids: {n: 1}\n"),
        ("facts/a.yaml", "{clientcert: a, role: web}\n"),
    ]);
    let server = Server::start(folder.path(), &["--allow-edit"]);
    let written = |key: &str| {
        let levels = server.get(&format!("/api/v1/layers?node=a&key={key}")).json();
        let levels =
            levels.as_array().expect("levels").iter().filter(|level| level["layer"] == "environment");
        levels
            .map(|level| level["written"].as_str().unwrap_or("-").replace(['\n', ' '], ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(written("ids"), [r#"{"n":1}"#, r#"{"serial":9007199254740993,"host":"www.%{facts.role}"}"#]);
    assert_eq!(written("ids.serial"), ["-", "9007199254740993"]);
    assert_eq!(written("%27a.dotted.key%27"), ["-", "1"]);
    assert_eq!(written("hush"), ["-", "-"], "what is secret is not there");
    // A name with dots near an edit is not a secret.
    let preview = server.send(
        "POST",
        "/api/v1/preview",
        &[],
        r#"{"key":"ids","value":{"n":2},"node":"a","level":"Common"}"#,
    );
    let diff = preview.json()["diff"].as_str().unwrap_or_default().to_owned();
    assert!(diff.contains("'a.dotted.key': 1") && !diff.contains("S3CRET"), "{}", preview.body);
}
