//! The example with Ruby in it: its catalogs are those that Puppet 8.10 compiled, and lookups say what its backend did.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/ruby-repo")
}

fn hierarch(arguments: &[&str], node: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args(arguments)
        .args(["--facts", &format!("facts/{node}.yaml")])
        .current_dir(repository())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the program prints UTF-8")
}

/// Returns what a catalog says, without files, lines and versions.
fn essence(catalog: &Value) -> Value {
    let resources = catalog["resources"].as_array().into_iter().flatten().map(|resource| {
        let mut tags: Vec<&str> =
            resource["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        tags.sort_unstable();
        json!([resource["type"], resource["title"], resource["parameters"], tags])
    });
    json!({ "classes": catalog["classes"], "edges": catalog["edges"], "resources": resources.collect::<Vec<_>>() })
}

#[test]
fn catalogs_are_those_of_puppet() {
    for node in ["web01.example.com", "db01.example.com"] {
        let recorded =
            std::fs::read_to_string(repository().join(format!("catalogs/{node}.json"))).expect("recorded");
        let recorded: Value = serde_json::from_str(&recorded).expect("JSON");
        let ours = hierarch(&["catalog", "compile", node, "--render-as", "json"], node);
        let ours: Value = serde_json::from_str(&ours).expect("JSON");
        assert_eq!(essence(&ours), essence(&recorded), "{node}");
    }
}

#[test]
fn lookups_say_what_the_backend_did() {
    let (node, key) = ("web01.example.com", "site::listen");
    let explained = hierarch(&["lookup", key, "--node", node, "--explain"], node);
    assert!(explained.contains("web01 is one of the web servers"), "{explained}");
    let origin = hierarch(&["lookup", key, "--node", node, "--origin"], node);
    assert!(origin.contains("site::patterns") && origin.contains("data/patterns.yaml"), "{origin}");
    let dumped = hierarch(&["dump", "--node", node], node);
    assert!(dumped.contains("10.1.2.3:443") || dumped.contains("site::workers"), "{dumped}");
}
