//! Questions over many nodes and revisions: states without a checkout, facts that are not so, bad input.

mod common;

use std::fs;
use std::process::Command;

use common::control_repo::{commit, edit, example, replace};
use common::{Run, folder_of, git, hierarch};
use serde_json::Value as Json;

#[test]
fn a_state_without_a_checkout_answers_as_after_one() {
    let folder = example();
    let path = folder.path();
    edit(path);
    commit(path, "edit");
    fs::rename(path.join("data/os/Debian.yaml"), path.join("data/os/Debian2.yaml")).expect("renamed");
    std::os::unix::fs::symlink("Debian2.yaml", path.join("data/os/Debian.yaml")).expect("a link");
    commit(path, "a renamed file and a link");
    replace(path, "data/common.yaml", "contact: ", "contact: \"x\" # ");
    commit(path, "last");
    let node = ["--node", "web01.berlin.example.com", "--facts", "facts"];
    let compile =
        ["catalog", "compile", "web01.berlin.example.com", "--facts", "facts", "--render-as", "json"];
    let questions: [&[&str]; 4] = [
        &["dump", "--nodes", "facts", "--render-as", "jsonl"],
        &["values", "ntp::servers", "profile::base::packages", "--render-as", "json"],
        &["where", "profile::web::port == 80", "--values"],
        &[&["lookup", "contact", "--origin"], &node[..]].concat(),
    ];
    let uuid = |text: &str| {
        let mut catalog: Json = serde_json::from_str(text).expect("a catalog");
        catalog["catalog_uuid"] = Json::Null;
        catalog["version"] = Json::Null;
        catalog
    };
    for back in 0..4 {
        let revision = format!("main~{back}");
        git(path, &["checkout", "--quiet", "main"]);
        let at: Vec<Run> = questions
            .iter()
            .map(|words| hierarch(path, &[words, &["--at", &revision][..]].concat(), ""))
            .collect();
        let compiled = hierarch(path, &[&compile, &["--at", &revision][..]].concat(), "");
        git(path, &["checkout", "--quiet", &revision]);
        for (words, at) in questions.iter().zip(&at) {
            let checked_out = hierarch(path, words, "");
            assert_eq!(
                (at.code, &at.out),
                (checked_out.code, &checked_out.out),
                "{revision} {words:?}: {}",
                at.err
            );
        }
        let checked_out = hierarch(path, &compile, "");
        assert_eq!(compiled.code, 0, "{}", compiled.err);
        assert_eq!(uuid(&compiled.out), uuid(&checked_out.out), "{revision}");
    }
}

#[test]
fn what_does_not_exist_is_named_with_the_nearest_that_does() {
    let folder = example();
    let path = folder.path();
    for (words, wanted) in [
        (&["impact", "mian"][..], "mian is no revision of this repository; did you mean main?"),
        (
            &["values", "domain", "--only", "web01.berlin.example.co"][..],
            "did you mean web01.berlin.example.com,",
        ),
        (
            &["values", "domain", "--nodes", "nowhere"][..],
            "nowhere is neither a folder of fact files nor a file",
        ),
        (&["values", "domain", "--fact", "x"][..], "'x' is no NAME=VALUE"),
        (&["where", "file('/etc/passwd') == ''"][..], "'file' is refused in a condition"),
        (&["where", "domain =="][..], "Syntax error at end of input"),
        (&["set", "a", "1", "--at", "HEAD"][..], "set works on the files that stand there now"),
        (&["impact", "--at", "HEAD"][..], "impact works on the files that stand there now"),
    ] {
        let run = hierarch(path, words, "");
        assert_eq!(run.code, 1, "{words:?}: {}", run.out);
        assert!(run.err.contains(wanted), "{words:?}: {}", run.err);
    }
    let run = hierarch(path, &["values", "ntp::server"], "");
    let near = "no node has a value for ntp::server; did you mean ntp::servers, ntp::service?";
    assert!(run.code == 2 && run.err.contains(near), "{}: {}", run.code, run.err);
    assert_eq!(hierarch(path, &["where", "domain == 'nowhere'"], "").code, 2);
    fs::remove_dir_all(path.join("facts")).expect("removed");
    let run = hierarch(path, &["values", "domain"], "");
    assert!(
        run.code == 1 && run.err.contains("HIERARCH_NODES") && run.err.contains("--nodes"),
        "{}",
        run.err
    );
}

#[test]
fn what_if_a_fact_were_different() {
    let folder = example();
    let run = hierarch(
        folder.path(),
        &["values", "ntp::servers", "--fact", "location=tokyo", "--render-as", "json"],
        "",
    );
    let json: Json = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (json["groups"][0]["count"].as_u64(), json["groups"][0]["because"].as_null()),
        (Some(12), Some(()))
    );
    let some = hierarch(
        folder.path(),
        &["values", "ntp::servers", "--where", "$facts['role'] == 'web'", "--render-as", "csv"],
        "",
    );
    assert_eq!(some.out.lines().count(), 5, "{}", some.out);
    let compiled =
        hierarch(folder.path(), &["values", "ntp::servers", "--compile", "--render-as", "json"], "");
    let plain = hierarch(folder.path(), &["values", "ntp::servers", "--render-as", "json"], "");
    assert_eq!((compiled.code, compiled.out), (0, plain.out), "{}", compiled.err);
}

/// Ctrl-C ends a question early: what is known is printed and marked, and the exit code is that of the signal.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_answer_is_marked_incomplete() {
    let node = |number: usize| format!("{{\"node\": \"n{number:04}\", \"facts\": {{\"n\": {number}}}}}");
    let list: Vec<String> = (0..6000).map(node).collect();
    // Each node is asked in its own way, and takes a while.
    let slow = "function slow(Hash $options, $context) {\n  $x = Integer[1, 2000].map |$i| { $i * 2 }\n  $y = { 'a' => $x[0] }\n  $y\n}\n";
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: A, data_hash: slow, options: {n: '%{facts.n}'}}]\n"),
        ("functions/slow.pp", slow),
        ("nodes.json", &format!("[{}]", list.join(","))),
    ]);
    // How long it takes until some nodes were asked depends on the machine and on what else it does.
    for patience in 0..10 {
        let answer = interrupted(folder.path(), std::time::Duration::from_millis(125 << patience));
        assert_eq!(answer["incomplete"], true);
        let unasked = answer["unanswered"].as_array().expect("a list").len();
        assert!(unasked > 0, "all nodes were asked before it was interrupted");
        if unasked < 6000 {
            return;
        }
    }
    panic!("no node was asked within a minute");
}

/// Asks for a key, interrupts that after some time, and returns the answer.
#[cfg(target_os = "linux")]
fn interrupted(folder: &std::path::Path, after: std::time::Duration) -> Json {
    let child = Command::new(common::program())
        .args(["values", "a", "--nodes", "nodes.json", "--render-as", "json"])
        .current_dir(folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let id = child.id();
    wait_until_caught(id);
    std::thread::sleep(after);
    assert!(Command::new("kill").args(["-INT", &id.to_string()]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    serde_json::from_slice(&output.stdout).expect("a whole answer")
}

/// Waits until a process catches SIGINT.
#[cfg(target_os = "linux")]
fn wait_until_caught(id: u32) {
    for _ in 0..6000 {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|text| u64::from_str_radix(text.trim(), 16).ok()).unwrap_or(0);
        if caught & 2 != 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the program never watched for SIGINT");
}

#[test]
fn a_node_whose_facts_do_not_say_who_it_is_has_its_own_data() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: N, paths: ['%{trusted.certname}.yaml', c.yaml]}]\n"),
        ("data/c.yaml", "k: common\n"),
        ("data/n.yaml", "k: own\n"),
        ("facts/n.yaml", "x: 1\n"),
        ("facts/bare.yaml", "{}\n"),
    ]);
    let path = folder.path();
    git(path, &["init", "--quiet", "--initial-branch=main"]);
    commit(path, "start");
    let dump = hierarch(path, &["dump", "--nodes", "facts", "--render-as", "jsonl"], "").out;
    assert!(dump.contains(r#"{"node":"n","key":"k","value":"own"}"#), "{dump}");
    let values = hierarch(path, &["values", "k", "--render-as", "jsonl"], "").out;
    assert_eq!(
        values,
        "{\"key\":\"k\",\"node\":\"bare\",\"value\":\"common\"}\n{\"key\":\"k\",\"node\":\"n\",\"value\":\"own\"}\n"
    );
    assert_eq!(hierarch(path, &["where", "lookup('k') == own"], "").out, "n\n");
    replace(path, "data/n.yaml", "own", "other");
    let impact = hierarch(path, &["impact", "--render-as", "csv"], "").out;
    assert_eq!(
        impact,
        "node,key,kind,old,new,file,line,proof\nn,k,changed,\"\"\"own\"\"\",\"\"\"other\"\"\",data/n.yaml,1,undone\n"
    );
    let lines = hierarch(path, &["impact", "--render-as", "jsonl"], "").out;
    let line: Json = serde_json::from_str(&lines).expect("one line");
    assert_eq!((&line["node"], &line["old"], &line["line"]), (&"n".into(), &"own".into(), &1.into()));
    assert!(hierarch(path, &["history", "k", "--node", "n"], "").out.contains("first seen  \"own\""));
}

#[test]
fn a_slip_in_a_condition_is_told_once_and_in_words() {
    let folder = example();
    let path = folder.path();
    let ask = |words: &[&str]| {
        let run = hierarch(path, words, "");
        (run.code, run.out, run.err)
    };
    let (code, out, err) = ask(&["where", "profile::web::prt == 80"]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(
        err.contains("no node has a value for profile::web::prt; did you mean profile::web::port"),
        "{err}"
    );
    // A condition may be true of all nodes because none has the fact.
    for (condition, warning) in [
        ("$facts['rol'] != 'web'", "no node has the fact rol; did you mean role"),
        ("$facts[os]['famly'] == 'Debian'", "no node has the fact os.famly; did you mean family"),
        (
            "$facts['os']['name'] =~ /b/ and $facts['nothing']['like']['it']",
            "no node has the fact nothing.like.it",
        ),
    ] {
        let (_, _, err) = ask(&["where", condition]);
        assert!(err.contains(warning), "{condition}: {err}");
        let (_, _, err) = ask(&["values", "profile::web::port", "--where", condition]);
        assert!(err.contains(warning), "{condition}: {err}");
    }
    let (_, _, err) = ask(&["where", "role == 'nowhere'"]);
    assert!(err.contains("role is a text here; $facts['role'] is the fact"), "{err}");
    let (_, _, err) = ask(&["where", "timezone == 'Europe/Berlin'"]);
    assert!(err.contains("timezone is a text here; lookup('timezone') asks for the key"), "{err}");
    let (code, out, err) = ask(&["where", "$facts['role'] == web", "--only", "web01*"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "web01.berlin.example.com\n", ""));
    for words in [
        &["where", "profile::web::port = 80"][..],
        &["values", "motd::message", "--where", "$facts['role'] = 'x'"],
    ] {
        let (code, out, err) = ask(words);
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains("= assigns; == compares") && !err.contains("_0_"), "{err}");
        assert!(err.matches("Illegal attempt").count() == 1, "{err}");
    }
    let (code, _, err) = ask(&["values", "motd::message", "--where", "$facts['memory'] > 1"]);
    assert_eq!(code, 1, "{err}");
    assert!(err.lines().count() < 6 && err.contains("--where is true for none, and 12 nodes"), "{err}");
    let (_, out, _) = ask(&[
        "where",
        "lookup('timezone') == 'Asia/Tokyo'",
        "--only",
        "web03*",
        "--values",
        "--render-as",
        "csv",
    ]);
    assert_eq!(out, "node,timezone\nweb03.tokyo.example.com,\"\"\"Asia/Tokyo\"\"\"\n");
}

#[test]
fn a_file_of_a_revision_that_is_too_large_is_not_unpacked() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"),
        ("data/c.yaml", &format!("k: 1\n{}", "#".repeat(100_000))),
        ("facts/a.yaml", "x: 1\n"),
    ]);
    let path = folder.path();
    git(path, &["init", "--quiet", "--initial-branch=main"]);
    commit(path, "start");
    let ask = |most: &str| {
        hierarch(path, &["lookup", "k", "--node", "a", "--at", "HEAD", "--max-file-size", most], "")
    };
    assert_eq!(ask("200000").out, "--- 1\n");
    let run = ask("50000");
    assert!(run.code == 1 && run.err.contains("--max-file-size"), "{}", run.err);
}

#[test]
fn a_history_of_nothing_prints_nothing() {
    let folder = example();
    let run = hierarch(folder.path(), &["history", "nosuch", "--node", "web01.berlin.example.com"], "");
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
}
