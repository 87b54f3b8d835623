//! `--compile` in questions over revisions: lookups see what manifests of each side set.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, folder_of, hierarch};
use serde_json::Value as Json;

/// Levels by a variable of the top scope and by one of a class.
const SITE: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n- {name: v, path: \"t/%{tier}.yaml\"}\n- {name: w, path: \"t/%{::m::zone}.yaml\"}\n- {name: c, path: common.yaml}\n",
    ),
    ("environment.conf", "modulepath = modules\n"),
    ("data/common.yaml", "k: common\nm::p: 5\nm::zone: z1\n"),
    ("data/t/gold.yaml", "k: gold\n"),
    ("data/t/z1.yaml", "k: z1\nq: fromzone\n"),
    ("data/t/z2.yaml", "q: other\n"),
    ("manifests/site.pp", "$tier = \"gold\"\nnode default { include m }\n"),
    ("modules/m/manifests/init.pp", "class m($p, $zone) { notice($p) }\n"),
    ("facts/n1.yaml", "clientcert: n1\n"),
    ("facts/n2.yaml", "clientcert: n2\n"),
];

fn site() -> tempfile::TempDir {
    let folder = folder_of(SITE);
    git(folder.path(), &["init", "--quiet"]);
    commit(folder.path(), "1");
    folder
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@b"];
    let run = std::process::Command::new("git").args(identity).args(arguments).current_dir(folder).status();
    assert!(run.expect("git runs").success());
}

fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "-m", message]);
}

fn write(folder: &Path, file: &str, text: &str) {
    fs::write(folder.join(file), text).expect("written");
}

fn impact(folder: &Path) -> (Run, Json) {
    let run = hierarch(folder, &["impact", "--compile", "--render-as", "json"], "");
    let json = serde_json::from_str(&run.out).unwrap_or_default();
    (run, json)
}

/// Each group: the key, how many nodes, the file of its cause.
fn groups(json: &Json) -> Vec<(String, u64, String)> {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let one = |group: &Json| {
        (text(&group["key"]), group["count"].as_u64().unwrap_or_default(), text(&group["causes"][0]["file"]))
    };
    json["groups"].as_array().into_iter().flatten().map(one).collect()
}

#[test]
fn impact_sees_levels_that_manifests_name() {
    let row = |key: &str, file: &str| (key.to_owned(), 2, file.to_owned());
    for (file, text, expected) in [
        // Data of such a level.
        ("data/t/gold.yaml", "k: platin\n", vec![row("k", "data/t/gold.yaml")]),
        ("data/t/z1.yaml", "k: z1\nq: new\n", vec![row("q", "data/t/z1.yaml")]),
        // Code that names another level.
        (
            "manifests/site.pp",
            "$tier = \"silver\"\nnode default { include m }\n",
            vec![row("k", "manifests/site.pp")],
        ),
        // Data that a class takes its variable from.
        (
            "data/common.yaml",
            "k: common\nm::p: 5\nm::zone: z2\n",
            vec![row("m::zone", "data/common.yaml"), row("q", "data/common.yaml")],
        ),
    ] {
        let folder = site();
        write(folder.path(), file, text);
        let (run, json) = impact(folder.path());
        assert_eq!(run.code, 2, "{file}: {}{}", run.out, run.err);
        assert_eq!(groups(&json), expected, "{file}: {}", run.out);
    }
    let folder = site();
    assert_eq!(impact(folder.path()).0.code, 0);
}

#[test]
fn a_node_whose_catalog_does_not_compile_is_not_asked() {
    let folder = site();
    write(
        folder.path(),
        "manifests/site.pp",
        "$tier = \"gold\"\nnode 'n1' { include nothing }\nnode default { include m }\n",
    );
    write(folder.path(), "data/t/gold.yaml", "k: platin\n");
    let (run, json) = impact(folder.path());
    assert_eq!(run.code, 2, "{}", run.err);
    assert_eq!(json["unanswered"][0]["node"], "n1", "{}", run.out);
    assert_eq!(json["groups"][0]["nodes"], serde_json::json!(["n2"]), "{}", run.out);
}

#[test]
fn history_compiles_each_commit() {
    let folder = site();
    for (text, message) in [("k: platin\n", "2"), ("k: platin\nother: 1\n", "3"), ("k: iron\n", "4")] {
        write(folder.path(), "data/t/gold.yaml", text);
        commit(folder.path(), message);
    }
    write(folder.path(), "manifests/site.pp", "$tier = \"silver\"\nnode default { include m }\n");
    commit(folder.path(), "5");
    let run =
        hierarch(folder.path(), &["history", "k", "--node", "n1", "--compile", "--render-as", "jsonl"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<Json> = run.out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let changes: Vec<(&str, &str)> =
        lines.iter().filter_map(|line| Some((line["old"].as_str()?, line["new"].as_str()?))).collect();
    assert_eq!(changes, [("iron", "z1"), ("platin", "iron"), ("gold", "platin")], "{}", run.out);
}

#[test]
fn check_knows_variables_that_manifests_set() {
    let folder = site();
    write(folder.path(), "data/common.yaml", "k: \"%{tier} %{nowhere}\"\nm::p: 5\nm::zone: z1\n");
    let plain = hierarch(folder.path(), &["check", "--only", "HC204,HC205"], "");
    assert!(plain.out.contains("'%{tier}'") && plain.out.contains("'%{m::zone}'"), "{}", plain.out);
    let run = hierarch(folder.path(), &["check", "--only", "HC204,HC205", "--compile"], "");
    assert!(!run.out.contains("tier}'") && !run.out.contains("zone}'"), "{}", run.out);
    assert!(run.out.contains("'%{nowhere}'"), "{}", run.out);
}

#[test]
fn nodes_of_other_environments_are_told_of() {
    let folder = site();
    write(folder.path(), "nodes.yaml", "- {node: a, facts: {}, environment: dev}\n- {node: b, facts: {}}\n");
    let run = hierarch(folder.path(), &["values", "k", "--nodes", "nodes.yaml"], "");
    assert!(run.err.contains("dev") && run.err.contains("--environmentpath"), "{}", run.err);
}

#[test]
fn secrets_that_no_key_opens_are_not_called_broken_now() {
    let hiera = "version: 5\nhierarchy:\n  - {name: S, lookup_key: eyaml_lookup_key, path: s.eyaml, options: {pkcs7_private_key: keys/private_key.pkcs7.pem, pkcs7_public_key: keys/public_key.pkcs7.pem}}\n";
    let folder = folder_of(&[("hiera.yaml", hiera), ("data/.keep", ""), ("facts/a.yaml", "clientcert: a\n")]);
    let path = folder.path();
    assert_eq!(hierarch(path, &["eyaml", "createkeys"], "").code, 0);
    let encrypt = |text: &str| {
        hierarch(path, &["eyaml", "encrypt", "-o", "string", "-s", text], "").out.trim().to_owned()
    };
    write(path, "data/s.eyaml", &format!("top: {}\n", encrypt("one")));
    write(path, ".gitignore", "keys\n");
    git(path, &["init", "--quiet"]);
    commit(path, "1");
    write(path, "data/s.eyaml", &format!("top: {}\n", encrypt("two")));
    fs::remove_dir_all(path.join("keys")).expect("removed");
    let run = hierarch(path, &["impact"], "");
    assert!(!run.out.contains("fails now") && !run.out.contains("MII"), "{}", run.out);
    assert!(run.out.contains("could not be asked") && run.out.contains("ENC[…]"), "{}", run.out);
}

#[test]
fn the_warning_about_extensions_says_how_to_give_them() {
    let hiera = "version: 5\nhierarchy:\n  - {name: R, path: \"roles/%{trusted.extensions.pp_role}.yaml\"}\n  - {name: C, path: common.yaml}\n";
    let folder = folder_of(&[
        ("hiera.yaml", hiera),
        ("data/common.yaml", "k: 1\n"),
        ("facts/a.yaml", "clientcert: a\n"),
    ]);
    let run = hierarch(folder.path(), &["values", "k"], "");
    assert!(run.err.contains("trusted: {extensions: {pp_role: web}}"), "{}", run.err);
    assert!(!run.err.contains("add clientcert"), "{}", run.err);
}
