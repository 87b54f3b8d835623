//! The bill of materials: every crate that is in the binary, as CycloneDX, from what cargo knows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::{command, output, version};
use crate::tidy::repository;

/// Writes the bill for a target.
pub(super) fn write(path: &Path, target: &str) -> io::Result<()> {
    let arguments = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target];
    let known: Json = serde_json::from_slice(&output(&mut command("cargo", &arguments))?)?;
    let lock = fs::read_to_string(repository().join("Cargo.lock"))?;
    fs::write(path, format!("{:#}\n", bill(&known, &checksums(&lock))))
}

/// Makes the bill of what `cargo metadata` says.
fn bill(known: &Json, checksums: &BTreeMap<(String, String), String>) -> Json {
    let packages = known["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let by_id: BTreeMap<&str, &Json> =
        packages.iter().filter_map(|package| Some((package["id"].as_str()?, package))).collect();
    let main = packages.iter().find(|package| package["name"] == "hierarch");
    let main_id = main.and_then(|package| package["id"].as_str()).unwrap_or_default();
    let edges = edges(known);
    let needed = reached(main_id, &edges);
    let component = |id: &&str| by_id.get(*id).map(|package| component(package, checksums));
    let dependency = |id: &&str| {
        let below: Vec<String> =
            edges.get(*id).into_iter().flatten().filter_map(|id| reference(by_id.get(id)?)).collect();
        Some(json!({"ref": reference(by_id.get(*id)?)?, "dependsOn": below}))
    };
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "name": "hierarch", "version": version(), "bom-ref": main.and_then(reference),
            "licenses": [{"expression": "Apache-2.0"}],
        }},
        "components": needed.iter().filter(|id| **id != main_id).filter_map(component).collect::<Vec<_>>(),
        "dependencies": needed.iter().filter_map(dependency).collect::<Vec<_>>(),
    })
}

/// What each package needs to run; what only builds or tests need is not in the binary.
fn edges(known: &Json) -> BTreeMap<&str, Vec<&str>> {
    let nodes = known["resolve"]["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_normal = |dependency: &&Json| {
        dependency["dep_kinds"]
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
    };
    nodes
        .iter()
        .filter_map(|node| {
            let all = node["deps"].as_array()?.iter();
            let needed = all.filter(is_normal).filter_map(|dependency| dependency["pkg"].as_str()).collect();
            Some((node["id"].as_str()?, needed))
        })
        .collect()
}

fn reached<'k>(main: &'k str, edges: &BTreeMap<&'k str, Vec<&'k str>>) -> BTreeSet<&'k str> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![main]);
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            waiting.extend(edges.get(id).into_iter().flatten());
        }
    }
    found
}

/// What a package is called in the bill.
fn reference(package: &Json) -> Option<String> {
    Some(format!("pkg:cargo/{}@{}", package["name"].as_str()?, package["version"].as_str()?))
}

fn component(package: &Json, checksums: &BTreeMap<(String, String), String>) -> Json {
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let name = reference(package);
    let mut component = json!({
        "type": "library", "name": text("name"), "version": text("version"), "bom-ref": name, "purl": name,
    });
    if let Some(licence) = package["license"].as_str() {
        component["licenses"] = json!([{"expression": licence.replace('/', " OR ")}]);
    }
    if let Some(sum) = checksums.get(&(text("name"), text("version"))) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
    }
    component
}

/// Reads the sums of crates from the lock file.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for entry in lock.split("[[package]]") {
        let value = |key: &str| {
            let line = entry.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")))?;
            line.strip_suffix('"').map(str::to_owned)
        };
        if let (Some(name), Some(version), Some(sum)) = (value("name"), value("version"), value("checksum")) {
            found.insert((name, version), sum);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_has_what_runs_and_nothing_else() {
        let package =
            |name: &str| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0"});
        let dependency = |name: &str, kind: Json| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let known = json!({
            "packages": [package("hierarch"), package("a"), package("b"), package("tests")],
            "resolve": {"nodes": [
                {"id": "hierarch", "deps": [dependency("a", Json::Null), dependency("tests", json!("dev"))]},
                {"id": "a", "deps": [dependency("b", Json::Null)]},
                {"id": "b", "deps": []},
                {"id": "tests", "deps": []},
            ]},
        });
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let bill = bill(&known, &checksums(lock));
        let names: Vec<&str> = bill["components"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|found| found["name"].as_str())
            .collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(bill["components"][0]["hashes"][0]["content"], "abc");
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["dependencies"][1], json!({"ref": "pkg:cargo/b@1.0.0", "dependsOn": []}));
    }
}
