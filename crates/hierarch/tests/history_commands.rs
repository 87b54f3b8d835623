//! `hierarch history`: what a lookup after each checkout says, and where the look back ends.

mod common;

use std::fs;
use std::path::Path;

use common::control_repo::{commit, edit, example};
use common::{folder_of, git, hierarch};
use serde_json::Value as Json;

/// Asks each commit after checking it out, oldest first, and returns the subjects of those that changed the value.
fn changes_by_checkout(path: &Path, words: &[&str], count: usize) -> Vec<String> {
    let mut subjects = Vec::new();
    let mut last: Option<(i32, String)> = None;
    for back in (0..count).rev() {
        let revision = format!("main~{back}");
        git(path, &["checkout", "--quiet", &revision]);
        let run = hierarch(path, words, "");
        let told = (run.code, run.out);
        if last.as_ref().is_some_and(|last| *last != told) {
            subjects.push(git(path, &["log", "-1", "--format=%s"]));
        }
        last = Some(told);
    }
    git(path, &["checkout", "--quiet", "main"]);
    subjects.reverse();
    subjects
}

#[test]
fn history_is_what_a_lookup_after_each_checkout_says() {
    let folder = example();
    let path = folder.path();
    let edits: [(&str, &str, &str); 6] = [
        ("data/common.yaml", "profile::web::port: 80\n", "profile::web::port: 81\n"),
        ("data/common.yaml", "contact:", "# nothing\ncontact:"),
        ("data/os/RedHat.yaml", "\n", "\nprofile::unread: 1\n"),
        ("hiera.yaml", "  - name: Role\n    path: \"roles/%{facts.role}.yaml\"\n", ""),
        ("data/common.yaml", "profile::web::port: 81\n", "profile::web::port: 82\n"),
        ("README.md", "\n", "\n\n"),
    ];
    for (number, (file, from, to)) in edits.into_iter().enumerate() {
        let text = fs::read_to_string(path.join(file)).expect("a file");
        assert!(text.contains(from), "{file} has {from}");
        fs::write(path.join(file), text.replacen(from, to, 1)).expect("written");
        commit(path, &format!("edit {number}"));
    }
    for node in ["web02.berlin.example.com", "db01.berlin.example.com"] {
        let lookup = ["lookup", "profile::web::port", "--node", node, "--facts", "facts"];
        let wanted = changes_by_checkout(path, &lookup, 7);
        let run =
            hierarch(path, &["history", "profile::web::port", "--node", node, "--render-as", "jsonl"], "");
        assert_eq!(run.code, 0, "{}", run.err);
        let mut lines: Vec<Json> =
            run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.pop().and_then(|line| line["first"].as_bool()), Some(true), "{}", run.out);
        let found: Vec<&str> = lines.iter().filter_map(|line| line["subject"].as_str()).collect();
        assert_eq!(found, wanted, "{node}");
        assert!(!wanted.is_empty() && lines.iter().all(|line| line["proof"] == "undone"), "{}", run.out);
    }
    let text =
        hierarch(path, &["history", "profile::web::port", "--node", "db01.berlin.example.com"], "").out;
    assert!(
        text.starts_with("profile::web::port of db01.berlin.example.com, with the facts of now"),
        "{text}"
    );
    assert!(
        text.contains("data/common.yaml:58  81 -> 82  edit 4") && text.contains("first seen  80  start"),
        "{text}"
    );
    let since = hierarch(
        path,
        &["history", "profile::web::port", "--node", "db01.berlin.example.com", "--since", "HEAD~3"],
        "",
    )
    .out;
    assert!(since.contains("edit 4") && !since.contains("edit 0"), "{since}");
    let run = hierarch(path, &["history", "x", "--node", "db1.berlin.example.com"], "");
    assert!(run.code == 1 && run.err.contains("did you mean db01.berlin.example.com"), "{}", run.err);
    let run =
        hierarch(path, &["history", "x", "--node", "db01.berlin.example.com", "--since", "tomorow"], "");
    assert!(run.code == 1 && run.err.contains("--since takes 90d"), "{}", run.err);
}

#[test]
fn a_key_that_never_had_a_value_has_no_history() {
    let folder = example();
    let run = hierarch(folder.path(), &["history", "ntp::servrs", "--node", "web01.berlin.example.com"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.err.contains("ntp::servrs in no commit; did you mean ntp::servers"), "{}", run.err);
}

#[test]
fn a_history_is_in_order_where_its_first_commit_cannot_be_asked() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"),
        ("data/c.yaml", "k: [\n"),
        ("facts/n.yaml", "x: 1\n"),
    ]);
    let path = folder.path();
    git(path, &["init", "--quiet", "--initial-branch=main"]);
    commit(path, "one");
    for (text, subject) in [("k: 1\n", "two"), ("k: 2\n", "three")] {
        fs::write(path.join("data/c.yaml"), text).expect("written");
        commit(path, subject);
    }
    let run = hierarch(path, &["history", "k", "--node", "n"], "");
    let subjects: Vec<&str> =
        run.out.lines().skip(1).filter_map(|line| line.split(' ').next_back()).collect();
    assert_eq!(subjects, ["three", "two", "one"], "{}", run.out);
}

#[test]
fn lines_of_a_history_have_its_first_value() {
    let folder = example();
    let path = folder.path();
    let words = ["history", "ntp::servers", "--node", "web01.berlin.example.com", "--render-as", "jsonl"];
    let lines = || -> Vec<Json> {
        let run = hierarch(path, &words, "");
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let first = lines();
    assert_eq!(first.len(), 1);
    assert_eq!(
        (&first[0]["first"], &first[0]["old"], &first[0]["new"][0]),
        (&Json::from(true), &Json::Null, &Json::from("ntp1.berlin.example.com"))
    );
    edit(path);
    commit(path, "edit");
    let both = lines();
    assert_eq!((both.len(), both[0].get("first"), &both[1]), (2, None, &first[0]));
}

#[test]
fn a_clone_that_is_cut_off_does_not_tell_since_when() {
    let folder = example();
    let path = folder.path();
    edit(path);
    commit(path, "edit");
    let other = folder_of(&[]);
    let from = format!("file://{}", path.display());
    git(other.path(), &["clone", "--quiet", "--depth", "1", &from, "c"]);
    let words = ["history", "ntp::servers", "--node", "web01.berlin.example.com"];
    let run = hierarch(&other.path().join("c"), &words, "");
    assert!(run.out.contains("before this clone begins") && !run.out.contains("first seen"), "{}", run.out);
    assert!(run.err.contains("this clone has only 1 commit"), "{}", run.err);
    assert!(hierarch(path, &words, "").out.contains("first seen"));
}
