//! `impact`: the worked example of the guide, every form, what is noted and what is no answer.

mod common;

use std::fs;
use std::path::Path;

use common::control_repo::{commit, edit, example, replace};
use common::{Run, folder_of, git, hierarch};
use serde_json::Value as Json;

const WORKED: &str = "3 keys change on 10 of 12 nodes

data/common.yaml:57  profile::web::port: 80 -> 8000
  profile::web::port            8 nodes  80 -> 8000
  profile::monitoring::targets  8 nodes  1.port: \"80\" -> \"8000\", through %{lookup('profile::web::port')}
data/locations/berlin.yaml:6  ntp::servers.1: \"ntp2.berlin.example.com\" -> \"ntp3.berlin.example.com\"
  ntp::servers                  7 nodes  facts.location=berlin
";

fn check(run: &Run, code: i32, out: &str) {
    assert_eq!((run.code, run.out.as_str()), (code, out), "{}", run.err);
}

fn impact(folder: &Path, arguments: &[&str]) -> Run {
    hierarch(folder, &[&["impact"], arguments].concat(), "")
}

#[test]
fn impact_names_keys_nodes_and_lines_in_every_state() {
    let folder = example();
    let path = folder.path();
    check(&impact(path, &[]), 0, "nothing changes on 12 nodes\n");
    edit(path);
    check(&impact(path, &["--nodes", "facts"]), 2, WORKED);
    check(&impact(path, &["--staged"]), 0, "nothing changes on 12 nodes\n");
    git(path, &["add", "--all"]);
    check(&impact(path, &["--staged"]), 2, WORKED);
    commit(path, "edit");
    check(&impact(path, &[]), 0, "nothing changes on 12 nodes\n");
    check(&impact(path, &["HEAD~1..HEAD"]), 2, WORKED);
    check(&impact(path, &["HEAD~1"]), 2, WORKED);
    git(path, &["checkout", "--quiet", "-b", "other", "HEAD~1"]);
    replace(path, "data/common.yaml", "domain: example.com", "domain: example.org");
    commit(path, "elsewhere");
    check(&impact(path, &["other...main"]), 2, WORKED);
    let keys = impact(path, &["main~1..main", "--keys", "ntp::*"]);
    assert!(keys.out.starts_with("1 key changes on 7 of 12 nodes\n"), "{}", keys.out);
    let limited = impact(path, &["main~1..main", "--limit", "1"]);
    assert!(limited.out.starts_with("3 keys") && limited.out.ends_with("+2 more\n"), "{}", limited.out);
}

#[test]
fn every_form_of_impact_says_the_same() {
    let folder = example();
    let path = folder.path();
    edit(path);
    let json: Json = serde_json::from_str(&impact(path, &["--render-as", "json"]).out).expect("JSON");
    assert_eq!(json["format"], "hierarch.impact/1");
    assert_eq!((json["asked"].as_u64(), json["changed"].as_u64()), (Some(12), Some(10)));
    assert_eq!(json["to"], "working tree");
    let group = &json["groups"][2];
    assert_eq!((group["key"].as_str(), group["count"].as_u64()), (Some("ntp::servers"), Some(7)));
    assert_eq!(group["because"], serde_json::json!({"facts.location": "berlin"}));
    assert_eq!(group["proof"], "undone");
    assert_eq!(group["causes"][0]["path"], serde_json::json!(["ntp::servers", "1"]));
    let sarif: Json = serde_json::from_str(&impact(path, &["--render-as", "sarif"]).out).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(3));
    let climate: Json =
        serde_json::from_str(&impact(path, &["--render-as", "codeclimate"]).out).expect("JSON");
    assert_eq!(climate[0]["location"]["lines"]["begin"], 57);
    let github = impact(path, &["--render-as", "github"]).out;
    assert!(github.starts_with(
        "::warning file=data/common.yaml,line=57,col=21,title=impact::profile::web::port on 8 nodes"
    ));
    assert!(impact(path, &["--render-as", "junit"]).out.contains("tests=\"3\" failures=\"3\""));
    assert!(impact(path, &["--render-as", "markdown"]).out.contains("| `ntp::servers` | 7 |"));
}

#[test]
fn modules_that_git_does_not_track_are_read_from_the_disk() {
    let folder = example();
    let path = folder.path();
    fs::write(path.join(".gitignore"), "modules/\n").expect("written");
    git(path, &["rm", "-r", "--quiet", "--cached", "modules"]);
    commit(path, "modules come from elsewhere");
    let at = hierarch(path, &["dump", "--nodes", "facts", "--at", "HEAD"], "");
    assert_eq!((at.code, &at.out), (0, &hierarch(path, &["dump", "--nodes", "facts"], "").out), "{}", at.err);
    fs::write(path.join("Puppetfile"), "mod 'x'\n").expect("written");
    commit(path, "versions");
    let run = impact(path, &["HEAD~1..HEAD"]);
    assert!(run.out.contains("note: modules is not tracked by git"), "{}", run.out);
    assert!(run.out.contains("Puppetfile differs between the sides"), "{}", run.out);
}

#[test]
fn a_broken_file_leaves_other_nodes_their_answers() {
    let folder = example();
    let path = folder.path();
    fs::write(path.join("data/nodes/db01.berlin.example.com.yaml"), "a: [\n").expect("written");
    let run = hierarch(path, &["values", "ntp::servers"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("db01.berlin.example.com.yaml"), "{}", run.out);
    assert!(run.out.ends_with("1 of 12 nodes could not be asked\n"), "{}", run.out);
    assert_eq!(hierarch(path, &["values", "ntp::servers", "--fail-on-unanswered"], "").code, 1);
    let changed = impact(path, &["--keys", "ntp::servers"]);
    assert!(
        changed.out.contains("(the whole file)") && changed.out.contains("fails now:"),
        "{}",
        changed.out
    );
    // What failed before and fails now is not a change.
    commit(path, "broken");
    let run = impact(path, &["--keys", "ntp::servers"]);
    assert!(run.code == 0 && run.out.ends_with("nothing changes on 12 nodes\n"), "{}", run.out);
    fs::write(path.join("data/nodes/web01.berlin.example.com.yaml"), "ntp::servers: [x]\n").expect("written");
    let run = impact(path, &["--keys", "ntp::servers"]);
    assert!(run.out.starts_with("1 key changes on 1 of 12 nodes"), "{}", run.out);
    fs::write(path.join("facts/bad.yaml"), "- 1\n").expect("written");
    let run = hierarch(path, &["where", "profile::web::port == 80"], "");
    assert!(run.code == 0 && run.err.contains("bad: its facts can't be read"), "{}", run.err);
}

/// Values that differ in the same way are one example, whatever else they hold.
#[test]
fn equal_changed_parts_belong_together() {
    let folder = example();
    let path = folder.path();
    replace(path, "data/roles/web.yaml", "8080", "8081");
    let told = impact(path, &[]).out;
    assert!(!told.contains("(1), "), "{told}");
    let sites = told.lines().find(|line| line.trim_start().starts_with("profile::web::sites "));
    assert_eq!(sites.map(|line| line.matches("8080 -> 8081").count()), Some(1), "{told}");
}

/// A token is named only where the change came through it.
#[test]
fn an_edit_of_the_text_itself_came_through_no_token() {
    let folder = example();
    let path = folder.path();
    replace(path, "data/common.yaml", "Questions to", "Queries to");
    let told = impact(path, &[]).out;
    assert!(told.contains("motd::message") && !told.contains("through"), "{told}");
}

#[test]
fn facts_that_git_tracks_are_those_of_each_side() {
    let folder = example();
    let path = folder.path();
    replace(path, "facts/web01.berlin.example.com.yaml", "location: berlin", "location: tokyo");
    fs::write(path.join("facts/new.example.com.yaml"), "clientcert: new.example.com\nlocation: tokyo\n")
        .expect("written");
    let ask = |arguments: &[&str]| {
        let run =
            hierarch(path, &[&["impact", "--keys", "ntp::*", "--render-as", "json"], arguments].concat(), "");
        (run.code, serde_json::from_str::<Json>(&run.out).unwrap_or_else(|_| panic!("{}", run.err)))
    };
    assert_eq!(ask(&[]).0, 0, "facts are those of now on both sides");
    let (code, answer) = ask(&["--facts-at-revisions"]);
    assert_eq!(code, 2, "{answer}");
    let group = &answer["groups"][0];
    assert_eq!(answer["groups"].as_array().map(Vec::len), Some(1), "{answer}");
    assert_eq!(group["nodes"], serde_json::json!(["web01.berlin.example.com"]));
    assert_eq!((&group["key"], &group["proof"]), (&"ntp::servers".into(), &"undone".into()), "{group}");
    let cause = &group["causes"][0];
    assert_eq!(
        (&cause["file"], &cause["path"], &cause["old"], &cause["new"]),
        (
            &"facts/web01.berlin.example.com.yaml".into(),
            &serde_json::json!(["location"]),
            &"berlin".into(),
            &"tokyo".into()
        ),
    );
    assert!(answer["notes"].to_string().contains("new.example.com"), "{answer}");
    // The facts and the data: only both together bring the old value back.
    replace(path, "data/locations/tokyo.yaml", "ntp1.tokyo", "ntp1.berlin");
    replace(path, "data/locations/berlin.yaml", "ntp2.berlin", "ntp9.berlin");
    let (_, answer) = ask(&["--facts-at-revisions", "--only", "web01*"]);
    assert_eq!(answer["groups"][0]["proof"], "undone together", "{answer}");
    for source in ["/tmp", "sqlite:x.db"] {
        let run = hierarch(path, &["impact", "--facts-at-revisions", "--nodes", source], "");
        assert!(run.code == 1 && run.err.contains("git has no past of"), "{}", run.err);
    }
}

#[test]
fn a_repository_without_commits_is_told() {
    let folder = folder_of(&[("hiera.yaml", "version: 5\n"), ("facts/n.yaml", "x: 1\n")]);
    git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    let run = hierarch(folder.path(), &["impact"], "");
    assert!(run.code == 1 && run.err.contains("this repository has no commit yet"), "{}", run.err);
}

#[test]
fn an_edit_that_code_merges_itself_is_noted() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: N, paths: ['%{trusted.certname}.yaml', c.yaml]}]\n"),
        ("data/c.yaml", "classes: [a]\nother: 1\n"),
        ("data/n.yaml", "classes: [b]\n"),
        ("facts/n.yaml", "x: 1\n"),
        ("manifests/site.pp", "\nlookup('classes', Array[String], 'unique').each |$x| { notify { $x: } }\n"),
    ]);
    let path = folder.path();
    git(path, &["init", "--quiet", "--initial-branch=main"]);
    commit(path, "start");
    replace(path, "data/c.yaml", "[a]", "[a, c]");
    let run = hierarch(path, &["impact"], "");
    check(
        &run,
        0,
        "nothing changes on 1 node\nnote: manifests/site.pp:2 merges the levels of classes in a way of its own, which is not compared here; --catalogs does\n",
    );
    let run = hierarch(path, &["impact", "--catalogs"], "");
    assert!(run.code == 2 && run.out.contains("Notify[c]"), "{}", run.out);
    git(path, &["checkout", "--quiet", "."]);
    replace(path, "data/c.yaml", "other: 1", "other: 2");
    assert!(!hierarch(path, &["impact"], "").out.contains("note:"));
}

#[test]
fn a_pattern_that_fits_no_key_is_no_answer() {
    let folder = example();
    let path = folder.path();
    edit(path);
    let run = impact(path, &["--keys", "profile::wbe::*"]);
    assert!(
        run.code == 1 && run.err.contains("no key is called profile::wbe::* on either side"),
        "{}",
        run.err
    );
    let run = impact(path, &["--keys", "contact"]);
    check(&run, 0, "nothing changes on 12 nodes\n");
    fs::write(path.join("facts/db01.berlin.example.com.yaml"), "x: [\n").expect("written");
    let run = impact(path, &["--keys", "contact"]);
    assert!(run.out.starts_with("nothing changes on 11 of 12 nodes\n"), "{}", run.out);
}

#[test]
fn an_object_that_git_cannot_read_is_no_change() {
    let folder = example();
    let path = folder.path();
    let id = git(path, &["rev-parse", "HEAD:data/common.yaml"]);
    let object = path.join(".git/objects").join(&id[..2]).join(&id[2..]);
    fs::remove_file(&object).expect("a loose object");
    fs::write(&object, "garbage").expect("written");
    let run = impact(path, &[]);
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    assert!(run.err.contains(&id) && run.err.contains("git fsck"), "{}", run.err);
    let run = hierarch(path, &["values", "timezone", "--at", "HEAD~3"], "");
    assert!(run.err.contains("HEAD has no such ancestor") && !run.err.contains("traverse"), "{}", run.err);
}

#[test]
fn the_order_of_a_hash_is_noted_and_kept() {
    let folder = folder_of(&[
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n- {name: n, path: \"%{trusted.certname}.yaml\"}\n- {name: c, path: common.yaml}\n",
        ),
        ("data/common.yaml", "lookup_options: {h: {merge: hash}}\nh: {a: 1, b: 2}\n"),
        ("data/n1.yaml", "h: {b: 2, a: 1}\n"),
        ("facts/n1.yaml", "clientcert: n1\n"),
        ("manifests/site.pp", "$x = lookup('h')\n"),
    ]);
    let path = folder.path();
    git(path, &["init", "--quiet", "--initial-branch=main"]);
    commit(path, "start");
    let ask = || hierarch(path, &["lookup", "h", "--node", "n1", "--render-as", "json"], "").out;
    let before = ask();
    let run = hierarch(path, &["unused", "--fix"], "");
    assert_eq!((run.code, ask()), (0, before), "{}", run.out);
    git(path, &["checkout", "--quiet", "."]);
    replace(path, "data/common.yaml", "{a: 1, b: 2}", "{b: 2, a: 1}");
    let run = impact(path, &[]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("note: h: the entries of a hash are in another order on 1 node"), "{}", run.out);
    replace(path, "data/common.yaml", "h: {b: 2, a: 1}", "h: 1");
    fs::write(path.join("data/n1.yaml"), "{}\n").expect("written");
    commit(path, "number");
    replace(path, "data/common.yaml", "h: 1", "h: 1.0");
    let run = impact(path, &[]);
    assert!(run.out.contains("data/common.yaml:2  h: 1 -> 1.0"), "{}", run.out);
}

#[test]
fn an_answer_of_nobody_is_no_answer() {
    let folder = example();
    let path = folder.path();
    edit(path);
    for entry in fs::read_dir(path.join("facts")).expect("a folder").flatten() {
        fs::write(entry.path(), "x: [\n").expect("written");
    }
    for words in [&["impact"][..], &["check", "--only", "HC101"], &["sql", "select * from answers"]] {
        assert_eq!(hierarch(path, words, "").code, 1, "{words:?}");
    }
}

#[test]
fn what_is_not_compared_is_noted() {
    let folder = example();
    let path = folder.path();
    replace(path, "modules/motd/manifests/init.pp", "class motd", "# changed\nclass motd");
    fs::write(path.join("data/nodes/future.example.com.yaml"), "ntp::servers: [x]\n").expect("written");
    git(path, &["add", "--all"]);
    let run = impact(path, &["--staged"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(
        run.out.contains("note: 1 file of code differs, which is not compared here; --catalogs does"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("note: data/nodes/future.example.com.yaml differs, and no node loads it"),
        "{}",
        run.out
    );
    let run = impact(path, &["--staged", "--catalogs"]);
    assert!(!run.out.contains("not compared here"), "catalogs do compare it: {}", run.out);
    commit(path, "two");
    let words = ["history", "contact", "--node", "web01.berlin.example.com", "--max", "1"];
    let run = hierarch(path, &words, "");
    assert!(run.out.contains("looked no further") && !run.out.contains("first seen"), "{}", run.out);
}

#[test]
fn objects_of_another_kind_are_named() {
    let folder = folder_of(&[("hiera.yaml", "version: 5\n"), ("facts/a.yaml", "clientcert: a\n")]);
    git(folder.path(), &["init", "--quiet", "--object-format=sha256"]);
    let run = impact(folder.path(), &[]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("SHA-256 objects, which are not read yet"), "{}", run.err);
}

#[test]
fn what_a_node_exports_is_compared() {
    let manifest =
        "node 'a' { @@notify { 'n': message => lookup('port') } }\nnode default { Notify <<| |>> }\n";
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"),
        ("data/c.yaml", "port: 1\n"),
        ("manifests/site.pp", manifest),
        ("facts/a.yaml", "clientcert: a\n"),
        ("facts/b.yaml", "clientcert: b\n"),
    ]);
    git(folder.path(), &["init", "--quiet"]);
    commit(folder.path(), "start");
    fs::write(folder.path().join("data/c.yaml"), "port: 2\n").expect("written");
    let run = impact(folder.path(), &["--catalogs"]);
    assert!(run.out.contains("@@Notify[n]") && run.out.contains("message: 1 -> 2"), "{}{}", run.out, run.err);
}
