//! `hierarch catalog diff` between revisions of a control repository, and the scopes that logs come from.

mod common;

use std::path::Path;

use common::{Run, folder_of, git, hierarch};

const SITE: &str =
    "node default { include a }\nclass a($size = 1) { notice('here') file { '/a': mode => \"${size}\" } }\n";

/// A repository with two revisions: in the second, data change the mode of a file.
fn repository() -> tempfile::TempDir {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n"),
        ("data/all.yaml", "x: 1\n"),
        ("manifests/site.pp", SITE),
        ("facts/one.example.com.json", r#"{"kernel": "Linux"}"#),
        ("facts/two.example.com.yaml", "kernel: Linux\n"),
    ]);
    let path = folder.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("data/all.yaml"), "a::size: 2\n").expect("written");
    git(path, &["commit", "-qam", "two"]);
    folder
}

fn diff(folder: &Path, arguments: &[&str]) -> Run {
    hierarch(folder, &[&["catalog", "diff"], arguments].concat(), "")
}

#[test]
fn revisions_are_compared_for_all_nodes_that_have_facts() {
    let folder = repository();
    let run = diff(folder.path(), &["HEAD~1", "HEAD", "--facts", "facts", "--ignore", "Class[A]"]);
    let one = "~ File[/a] (manifests/site.pp:2)\n-   mode => \"1\"\n+   mode => \"2\"\nresources: 0 added, 0 removed, 1 changed\n";
    let all = "2 of 2 nodes differ; resources: 0 added, 0 removed, 2 changed\n";
    assert_eq!((run.code, run.out), (2, format!("one.example.com\n{one}two.example.com\n{one}{all}")));
    let quiet = diff(folder.path(), &["HEAD~1", "HEAD", "--facts", "facts", "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (2, ""));
    assert_eq!(run.err, "Notice: Scope(Class[A]): here\n".repeat(4));
}

#[test]
fn the_exit_code_tells_same_failure_and_differences() {
    let folder = repository();
    let node = ["--node", "one.example.com", "--facts", "facts"];
    let code = |old: &str, new: &str| diff(folder.path(), &[&[old, new], &node[..]].concat()).code;
    assert_eq!((code("HEAD", "."), code("HEAD", "HEAD~1"), code("HEAD", "nope")), (0, 2, 1));
    assert_eq!(diff(folder.path(), &["HEAD", "."]).code, 1, "somebody has to say which node");
}

#[test]
fn what_is_wrong_in_a_revision_is_named_as_git_does() {
    let folder = repository();
    std::fs::write(folder.path().join("manifests/site.pp"), "include nope\n").expect("written");
    git(folder.path(), &["commit", "-qam", "three"]);
    let run = diff(folder.path(), &["HEAD", "HEAD~1", "--facts", "facts"]);
    assert!(run.code == 1 && run.err.contains("(file: HEAD:manifests/site.pp, line: 1"), "{}", run.err);
}

#[test]
fn json_has_a_difference_by_node() {
    let folder = repository();
    let run = diff(folder.path(), &["HEAD~1", "HEAD", "--facts", "facts", "--render-as", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    let changed = &json["two.example.com"]["changed"][1];
    assert_eq!((run.code, &changed["parameters"]["mode"]["to"]), (2, &serde_json::json!("2")));
}
