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
