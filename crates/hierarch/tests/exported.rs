//! `catalog compile --exported`: what other nodes exported is collected as Puppet does it (`scripts/recorders/record_exported.rb`).

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value as Json;

/// What Puppet was asked, and what it answered.
const RECORDED: &str = include_str!("exported/puppet.json");

/// Compiles a program; the catalog, or what was said.
fn compile(code: &str, store: &std::path::Path) -> Result<Json, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args([
            "catalog",
            "compile",
            "node.example.com",
            "--render-as",
            "json",
            "--strict-types",
            "-e",
            code,
            "--exported",
        ])
        .arg(store)
        .current_dir(store.parent().unwrap_or(store))
        .output()
        .expect("the program runs");
    if output.status.success() {
        return Ok(serde_json::from_slice(&output.stdout).expect("a catalog"));
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Returns what counts of a resource: lines of a program without a file are said differently, and tags have no order.
fn shown(resource: &Json) -> Json {
    let tags: BTreeSet<String> =
        resource["tags"].as_array().into_iter().flatten().map(|tag| tag.to_string()).collect();
    let file = resource["file"].as_str().filter(|file| !file.is_empty());
    let line = file.and(resource["line"].as_i64());
    serde_json::json!({
        "is": [resource["type"], resource["title"]], "parameters": resource["parameters"], "exported": resource["exported"],
        "tags": tags, "file": file, "line": line,
    })
}

fn name(resource: &Json) -> Json {
    let part = |index: usize| resource["is"][index].as_str().unwrap_or_default().to_owned();
    format!("{}[{}]", part(0), part(1)).into()
}

fn resources(catalog: &Json) -> Vec<Json> {
    let all = catalog["resources"].as_array().into_iter().flatten();
    all.filter(|resource| resource["type"] != "Stage" && resource["type"] != "Class").map(shown).collect()
}

#[test]
fn exported_resources_are_collected_as_puppet_does() {
    let recorded: Json = serde_json::from_str(RECORDED).expect("JSON");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = folder.path().join("store.json");
    std::fs::write(&store, recorded["store"].to_string()).expect("written");
    for answer in recorded["answers"].as_array().expect("answers") {
        let code = answer["code"].as_str().expect("a program");
        let got = compile(code, &store);
        match (answer["error"].as_str(), got) {
            (None, Ok(catalog)) => {
                let (ours, mut theirs) = (resources(&catalog), resources(answer));
                // What is exported and not collected stays with the compiler; an agent does not get it.
                theirs.retain(|one| one["exported"] == false || ours.contains(one));
                assert_eq!(ours, theirs, "{code}");
                let names: Vec<Json> = ours.iter().map(name).collect();
                let is_own = |edge: &&Json| {
                    edge["target"].as_str().is_some_and(|to| to.starts_with("Class["))
                        || names.contains(&edge["target"])
                };
                let edges: Vec<&Json> =
                    answer["edges"].as_array().into_iter().flatten().filter(is_own).collect();
                assert_eq!(
                    catalog["edges"].as_array().into_iter().flatten().collect::<Vec<_>>(),
                    edges,
                    "{code}"
                );
            }
            // Puppet shows an address of its memory there.
            (Some(error), Err(said)) => {
                let words = error.split(" by #<").next().unwrap_or(error);
                assert!(said.contains(words), "{code}: {said}");
            }
            (expected, got) => panic!("{code}: expected {expected:?}, got {got:?}"),
        }
    }
}

#[test]
fn exports_of_other_nodes_are_a_store() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let catalogs = folder.path().join("catalogs");
    std::fs::create_dir(&catalogs).expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args([
            "catalog",
            "compile",
            "other.example.com",
            "-e",
            "@@notify { 'of other': tag => 'x' } notify { 'plain': }",
        ])
        .args(["--exports", "--exported"])
        .arg(&catalogs)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::write(catalogs.join("other.json"), &output.stdout).expect("written");
    let catalog = compile("Notify <<| tag == 'x' |>>", &catalogs).expect("a catalog");
    let titles: Vec<_> = resources(&catalog).into_iter().map(|one| one["is"][1].clone()).collect();
    assert_eq!(titles, ["of other"]);
}

#[test]
fn a_store_that_is_none_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = folder.path().join("store.json");
    std::fs::write(&store, "{}").expect("written");
    let said = compile("", &store).expect_err("it is not a catalog");
    assert!(said.contains("expected a catalog"), "{said}");
}

/// Runs `catalog compile` in a folder and returns whether it went well, and what it said.
fn run_in(folder: &std::path::Path, arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args(["catalog", "compile", "--render-as", "json"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// The titles of a catalog's notices.
fn notices(catalog: &str) -> Vec<String> {
    let catalog: Json = serde_json::from_str(catalog).expect("a catalog");
    let resources = catalog["resources"].as_array().cloned().unwrap_or_default();
    let notices = resources.iter().filter(|one| one["type"] == "Notify");
    notices.map(|one| one["title"].as_str().unwrap_or_default().to_owned()).collect()
}

const COLLECTS: &str = "Notify <<| tag == 'x' |>>";

#[test]
fn a_database_keeps_what_nodes_export() {
    hold_exports("sqlite:s.db");
}

/// The same with a server, where `HIERARCH_TEST_POSTGRES` names one (`scripts/test-postgres` starts one).
#[cfg(feature = "postgres")]
#[test]
fn a_server_keeps_what_nodes_export() {
    if let Ok(server) = std::env::var("HIERARCH_TEST_POSTGRES") {
        hold_exports(&server);
    }
}

/// Compiles nodes that export into a store, and others that collect from it.
fn hold_exports(store: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let keep = ["--keep-exports", store];
    for (node, code) in
        [("a", "@@notify { 'old of a': tag => 'x' }"), ("b", "@@notify { 'of b': tag => 'x' }")]
    {
        let (is_good, _, said) = run_in(folder.path(), &[&[node, "-e", code][..], &keep].concat());
        assert!(is_good, "{said}");
    }
    // What a node exports goes in place of what it exported before, and it does not collect its own.
    let code = format!("@@notify {{ 'of a': tag => 'x' }} {COLLECTS}");
    let (_, catalog, _) =
        run_in(folder.path(), &[&["a", "-e", &code, "--exported", store][..], &keep].concat());
    assert_eq!(notices(&catalog), ["of a", "of b"]);
    let (_, catalog, _) = run_in(folder.path(), &["c", "-e", COLLECTS, "--exported", store]);
    assert_eq!(notices(&catalog), ["of a", "of b"]);
}

/// What is exported may be secret.
#[cfg(unix)]
#[test]
fn a_store_of_exports_is_not_for_others() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a temporary folder");
    let mode = |name: &str| {
        let found = std::fs::metadata(folder.path().join(name)).expect("a file");
        found.permissions().mode() & 0o777
    };
    let code = "@@notify { 'of a': message => Sensitive('canary') }";
    let keep = |store: &str| run_in(folder.path(), &["a", "-e", code, "--keep-exports", store]);
    assert!(keep("sqlite:new.db").0);
    assert_eq!(mode("new.db"), 0o600);
    // One that was made for all, with what SQLite left beside it.
    let open = std::fs::Permissions::from_mode(0o664);
    for name in ["old.db", "old.db-wal"] {
        std::fs::write(folder.path().join(name), "").expect("a file");
        std::fs::set_permissions(folder.path().join(name), open.clone()).expect("a mode");
    }
    let (is_good, _, said) = keep("sqlite:old.db");
    assert!(is_good, "{said}");
    assert_eq!(mode("old.db"), 0o660);
    for entry in std::fs::read_dir(folder.path()).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let mode = mode(&name.to_string_lossy());
        assert_eq!(mode & 0o007, 0, "{}: {mode:o}", name.display());
    }
}

#[test]
fn placeholders_are_not_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let keep = ["--keep-exports", "sqlite:s.db"];
    let (is_good, _, _) = run_in(folder.path(), &[&["a", "-e", "@@notify { 'of a': }"][..], &keep].concat());
    assert!(is_good);
    let code = "$x = no::such() @@notify { \"of ${x}\": }";
    let (is_good, _, said) =
        run_in(folder.path(), &[&["a", "--stub-missing", "-e", code][..], &keep].concat());
    assert!(!is_good && said.contains("sqlite:s.db keeps what was there"), "{said}");
    let (_, catalog, _) = run_in(folder.path(), &["c", "-e", "Notify <<| |>>", "--exported", "sqlite:s.db"]);
    assert_eq!(notices(&catalog), ["of a"]);
}

#[test]
fn a_wrong_store_is_named_before_anything_is_compiled() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (is_good, catalog, said) = run_in(folder.path(), &["a", "-e", "", "--keep-exports", "s.db"]);
    assert!(!is_good && catalog.is_empty() && said.contains("'s.db' is not a store"), "{said}");
    let (is_good, _, said) = run_in(folder.path(), &["a", "-e", "", "--exported", "sqlite:none.db"]);
    assert!(!is_good && said.contains("there is no store"), "{said}");
}

/// Answers one request with a text, and returns its first line.
fn serve(listener: std::net::TcpListener, answer: &'static str) -> std::thread::JoinHandle<String> {
    use std::io::{Read as _, Write as _};
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a request");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("a head");
            head.extend(byte);
        }
        let length = answer.len();
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{answer}")
            .expect("an answer");
        String::from_utf8_lossy(&head).lines().next().unwrap_or_default().to_owned()
    })
}

#[test]
fn puppetdb_is_asked_for_what_nodes_export() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let source = format!("puppetdb:http://{}", listener.local_addr().expect("an address"));
    let server = serve(
        listener,
        r#"[{"certname": "o", "type": "Notify", "title": "of o", "exported": true, "tags": ["x"], "parameters": {"message": "m"}}]"#,
    );
    let (is_good, catalog, said) = run_in(folder.path(), &["c", "-e", COLLECTS, "--exported", &source]);
    assert!(is_good, "{said}");
    assert_eq!(notices(&catalog), ["of o"]);
    let asked = server.join().expect("it ends");
    assert!(
        asked.contains("/pdb/query/v4/resources?query=%5B%22%3D%22%2C%22exported%22%2Ctrue%5D&order_by="),
        "{asked}"
    );
}
