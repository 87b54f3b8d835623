//! A version 3 hiera.yaml as version 5.

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use crate::document::read_yaml;
use crate::issues;

/// Returns the version 5 text of a version 3 text, and remarks about what has no equal.
pub fn convert(path: &str, text: &str) -> Result<(String, Vec<String>)> {
    let document = read_yaml(path, text.as_bytes().to_vec()).map_err(issues::unparsable_configuration)?;
    let old = document.to_hash()?;
    if let Some(version) = old.get_str("version").filter(|version| version.as_integer() != Some(3)) {
        return Err(issues::not_version_3(path, &version.to_string()));
    }
    let mut remarks = Vec::new();
    let backends = list(&old, "backends", &["yaml"]);
    let paths = list(&old, "hierarchy", &["nodes/%{::trusted.certname}", "common"]);
    let levels = backends.iter().map(|backend| level(&old, backend, &paths, &mut remarks)).collect();
    if let Some(behavior) =
        old.get_str("merge_behavior").filter(|behavior| behavior.as_str() != Some("native"))
    {
        remarks.push(format!(
            "merge_behavior {behavior} only affected hiera_hash; use lookup_options in data instead"
        ));
    }
    let new: Hash = [("version", Value::from(5)), ("hierarchy", Value::array(levels))].into_iter().collect();
    Ok((Value::hash(new).to_yaml(), remarks))
}

fn list(old: &Hash, key: &str, default: &[&str]) -> Vec<String> {
    match old.get_str(key) {
        Some(Value::Array(items)) => items.iter().map(Value::to_string).collect(),
        Some(Value::Undef) | None => default.iter().map(|text| (*text).to_owned()).collect(),
        Some(other) => vec![other.to_string()],
    }
}

fn level(old: &Hash, backend: &str, paths: &[String], remarks: &mut Vec<String>) -> Value {
    let own = old.get_str(backend).and_then(Value::as_hash).cloned().unwrap_or_default();
    let (kind, function) = match backend {
        "yaml" => ("data_hash", "yaml_data"),
        "json" => ("data_hash", "json_data"),
        "hocon" => ("data_hash", "hocon_data"),
        "eyaml" => ("lookup_key", "eyaml_lookup_key"),
        other => {
            remarks
                .push(format!("the backend {other} exists only in Ruby; find a function that replaces it"));
            ("hiera3_backend", other)
        }
    };
    let extension = own.get_str("extension").map_or_else(
        || if backend == "hocon" { ".conf".to_owned() } else { format!(".{backend}") },
        |extension| format!(".{extension}"),
    );
    let complete = |path: &String| {
        let path = if path.ends_with(&extension) { path.clone() } else { format!("{path}{extension}") };
        Value::from(path)
    };
    let mut level: Hash = [("name", backend), (kind, function)].into_iter().collect();
    match own.get_str("datadir") {
        Some(datadir) => level.insert("datadir", datadir.clone()),
        None => level.insert("datadir", "/etc/puppetlabs/code/environments/%{::environment}/hieradata"),
    };
    level.insert("paths", Value::array(paths.iter().map(complete).collect()));
    let options: Hash = own
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), Some("datadir" | "extension")))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if kind != "data_hash" && !options.is_empty() {
        level.insert("options", options);
    }
    Value::hash(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_backend_becomes_a_level_with_all_paths() {
        let old = ":backends: [eyaml, yaml]\n:hierarchy: ['nodes/%{::fqdn}', common]\n:yaml:\n  :datadir: /d\n\
                   :eyaml:\n  :datadir: /e\n  :extension: yaml\n  :pkcs7_private_key: /k\n:merge_behavior: deeper\n";
        let (new, remarks) = convert("hiera.yaml", old).expect("converted");
        let expected = "---\nversion: 5\nhierarchy:\n- name: eyaml\n  lookup_key: eyaml_lookup_key\n  datadir: \"/e\"\n  \
                        paths:\n  - nodes/%{::fqdn}.yaml\n  - common.yaml\n  options:\n    pkcs7_private_key: \"/k\"\n\
                        - name: yaml\n  data_hash: yaml_data\n  datadir: \"/d\"\n  paths:\n  - nodes/%{::fqdn}.yaml\n  - common.yaml\n";
        assert_eq!(new, expected);
        assert_eq!(remarks.len(), 1);
        assert!(convert("hiera.yaml", "version: 5\n").is_err());
    }
}
