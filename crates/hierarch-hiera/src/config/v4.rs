//! Version 4 of hiera.yaml: environments and modules only, and deprecated.

use hierarch_pcore::types::{Element, StructType};
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::Result;

use super::v5::text;
use super::{Config, Draft, FunctionKind, Level, Locations, lines, texts_of};
use crate::data::Data;
use crate::issues::config as issue;
use crate::path;

pub(super) fn compile(draft: &Draft, mut raw: Hash) -> Result<Config> {
    draft.warn_of_version(4);
    if !raw.get_str("datadir").is_some_and(Value::is_truthy) {
        raw.insert("datadir", "data");
    }
    if !raw.get_str("hierarchy").is_some_and(Value::is_truthy) {
        let level: Hash = [("name", "common"), ("backend", "yaml")].into_iter().collect();
        raw.insert("hierarchy", Value::array(vec![Value::hash(level)]));
    }
    draft.check(&wanted(), &raw)?;
    let datadir = raw.get_str("datadir").and_then(Value::as_str).unwrap_or("data");
    let entries = raw.get_str("hierarchy").and_then(Value::as_array).unwrap_or_default();
    let (mut levels, mut complaint) = (Vec::new(), None);
    for entry in entries.iter().filter_map(Value::as_hash) {
        match level(draft, entry, datadir) {
            Ok(level) => levels.push(level),
            Err(error) => complaint = complaint.or(Some(error)),
        }
    }
    let complaint = draft.repeated_name(&levels).or(complaint);
    let mut config = draft.finish(4, levels);
    config.complaint = complaint;
    Ok(config)
}

fn level(draft: &Draft, entry: &Hash, datadir: &str) -> Result<Level> {
    let text = |key: &str| entry.get_str(key).and_then(Value::as_str);
    let name = text("name").unwrap_or_default();
    let backend = text("backend").unwrap_or_default();
    let (function, extension) = match backend {
        "yaml" => ("yaml_data", ".yaml"),
        "json" => ("json_data", ".json"),
        "hocon" => ("hocon_data", ".conf"),
        other => {
            let line = lines::of_word(&draft.text, other, 1);
            return Err(draft.fail(issue::no_provider(other), line));
        }
    };
    let default_path = Value::from(name);
    let paths = entry.get_str("paths").or_else(|| entry.get_str("path")).unwrap_or(&default_path);
    Ok(Level {
        name: Str::from(name),
        kind: FunctionKind::DataHash,
        function: function.into(),
        // Version 4 does not interpolate here.
        datadir: Data::Plain(Value::from(path::join(&draft.root, text("datadir").unwrap_or(datadir)))),
        locations: Some(Locations::Paths(texts_of(paths))),
        extension: Some(extension.to_owned()),
        options: Data::Plain(Value::hash(Hash::new())),
    })
}

fn wanted() -> Type {
    let level = StructType::new(vec![
        Element::required("backend", text()),
        Element::required("name", text()),
        Element::optional("datadir", text()),
        Element::optional("path", text()),
        Element::optional("paths", Type::array_of(text())),
    ]);
    StructType::new(vec![
        Element::required("version", Type::integer_range(Some(4), Some(4))),
        Element::optional("datadir", text()),
        Element::optional("hierarchy", Type::array_of(level.into())),
    ])
    .into()
}
