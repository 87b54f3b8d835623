//! What earlier versions wrote is read: stores, exports, lists of nodes, lock files, tokens. What a newer one wrote is refused with
//! both numbers, and left as it is.
#![cfg(all(feature = "store", feature = "git", feature = "serve"))]

mod common;

use std::path::{Path, PathBuf};

use common::server::Server;
use common::{Run, folder_of, git, hierarch};

const HIERA: &str = "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n";
const SITE: &str = "@@file { \"/srv/${trusted['certname']}\": content => $facts['site'] }\nFile <<| |>>\n";

fn written(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/written_by_0_1").join(name)
}

/// A control repository, with a copy of some files of before: SQLite writes beside what it reads.
fn site(files: &[&str]) -> tempfile::TempDir {
    let folder = folder_of(&[
        ("hiera.yaml", HIERA),
        ("data/common.yaml", "a::site: \"%{facts.site}\"\n"),
        ("manifests/site.pp", SITE),
        ("facts/two.example.com.yaml", "site: tokyo\n"),
    ]);
    for file in files {
        std::fs::copy(written(file), folder.path().join(file)).expect("a copy");
    }
    folder
}

#[track_caller]
fn gives(folder: &Path, line: &str) -> String {
    let run = hierarch(folder, &line.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(run.code, 0, "{line}: {}", run.err);
    run.out
}

#[test]
fn nodes_of_a_store_and_of_its_exports_are_read() {
    let folder = site(&["nodes.db", "nodes.yaml", "nodes.json"]);
    for source in ["sqlite:nodes.db", "nodes.yaml", "nodes.json"] {
        let values = gives(folder.path(), &format!("dump a::site --render-as jsonl --nodes {source}"));
        let expected = "{\"node\":\"one.example.com\",\"key\":\"a::site\",\"value\":\"berlin\"}\n\
                        {\"node\":\"two.example.com\",\"key\":\"a::site\",\"value\":\"tokyo\"}\n";
        assert_eq!(values, expected, "{source}");
    }
    let shown = gives(folder.path(), "nodes show one.example.com --store sqlite:nodes.db");
    for kept in ["\"production\"", "18446744073709551616", "\"pp_role\": \"web\"", "0.1"] {
        assert!(shown.contains(kept), "{kept}: {shown}");
    }
    let exported = gives(folder.path(), "nodes export again.json --store sqlite:nodes.db");
    assert_eq!(exported, "wrote 2 nodes\n");
    let text = |path: &Path| std::fs::read_to_string(path).expect("a list");
    assert_eq!(text(&folder.path().join("again.json")), text(&written("nodes.json")));
}

#[test]
fn a_store_can_be_written_on() {
    let folder = site(&["nodes.db"]);
    let again = gives(folder.path(), "nodes import facts --store sqlite:nodes.db");
    assert!(again.contains("1 changed"), "{again}");
    let values = gives(folder.path(), "dump a::site --render-as jsonl --nodes sqlite:nodes.db");
    assert_eq!(values.lines().count(), 2, "{values}");
}

#[test]
fn exported_resources_are_collected() {
    let folder = site(&["nodes.db", "exports.json"]);
    for source in ["sqlite:nodes.db", "exports.json"] {
        let compile = format!("catalog compile two.example.com --facts facts --exported {source}");
        let catalog = gives(folder.path(), &compile);
        assert!(catalog.contains("/srv/one.example.com"), "{source}: {catalog}");
    }
}

#[test]
fn inputs_of_catalogs_are_read() {
    let folder = site(&["nodes.db", "inputs.json"]);
    let line = "unused --proof compiled --inputs inputs.json --nodes sqlite:nodes.db";
    let run = hierarch(folder.path(), &line.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.out.contains("a::site: no catalog of 2 nodes asks for it"), "{}", run.out);
}

/// Expands a document whose included repository has moved on since a lock file was written.
fn expanded(lock: impl Fn(&str) -> String) -> Run {
    let folder = folder_of(&[
        ("doc/main.yaml", "+include: {file: base.yaml, repository: base}\n"),
        ("base/base.yaml", "version: one\n"),
    ]);
    let base = folder.path().join("base");
    git(&base, &["init", "-q"]);
    git(&base, &["add", "."]);
    git(&base, &["commit", "-qm", "one"]);
    let first = git(&base, &["rev-parse", "HEAD"]);
    std::fs::write(base.join("base.yaml"), "version: two\n").expect("written");
    git(&base, &["commit", "-qam", "two"]);
    std::fs::write(folder.path().join("doc/hierarch.lock"), lock(&first)).expect("written");
    hierarch(
        &folder.path().join("doc"),
        &["yaml", "expand", "main.yaml", "--repository", "base=../base@main"],
        "",
    )
}

#[test]
fn a_lock_file_pins_what_it_pinned() {
    let text = std::fs::read_to_string(written("hierarch.lock")).expect("a lock file");
    let (before, _) = text.split_once("3242e6ae").expect("the commit of then");
    let run = expanded(|commit| format!("{before}{commit}\n"));
    assert_eq!((run.code, run.out.as_str()), (0, "version: one\n"), "{}", run.err);
    let newer = expanded(|commit| format!("format: 2\n{before}{commit}\n"));
    assert_eq!((newer.code, newer.out.as_str()), (1, ""));
    let words = "hierarch.lock has format 2, and this program knows formats up to 1: use a newer hierarch";
    assert!(newer.err.contains(words), "{}", newer.err);
}

#[test]
fn tokens_of_a_server_still_open_it() {
    let folder = site(&["tokens"]);
    let server = Server::start(folder.path(), &["--nodes", "facts", "--tokens", "tokens"]);
    let asked = |token: &str| {
        let bearer = format!("Bearer {token}");
        server.send("GET", "/api/v1/keys", &[("Authorization", &bearer)], "").status
    };
    assert_eq!(asked("a472308ce1327fc2074f33cbe428b6a7e2c544d93789b578"), 200);
    assert_eq!(asked("a472308ce1327fc2074f33cbe428b6a7e2c544d93789b579"), 401);
}

#[test]
fn a_store_of_a_newer_version_is_refused_with_both_numbers_and_left_as_it_is() {
    let folder = site(&["of_a_newer_version.db"]);
    let store = "sqlite:of_a_newer_version.db";
    for line in [
        format!("dump a::site --nodes {store}"),
        format!("nodes list --store {store}"),
        format!("nodes import facts --store {store}"),
        format!("catalog compile two.example.com --facts facts --exported {store}"),
        format!("catalog compile two.example.com --facts facts --keep-exports {store}"),
    ] {
        let run = hierarch(folder.path(), &line.split(' ').collect::<Vec<_>>(), "");
        assert_eq!(run.code, 1, "{line}: {}", run.out);
        let words = "has format 2, and this program knows formats up to 1: use a newer hierarch";
        assert!(run.err.contains(words), "{line}: {}", run.err);
    }
    let read = |path: &Path| std::fs::read(path).expect("a store");
    assert!(
        read(&folder.path().join("of_a_newer_version.db")) == read(&written("of_a_newer_version.db")),
        "it was changed"
    );
}
