//! Version 3 of hiera.yaml: the global layer only, and deprecated.

use hierarch_pcore::types::{Element, EnumType, StructType};
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::Result;

use super::v5::text;
use super::{Config, Draft, FunctionKind, Level, Locations, lines, text_data, texts_of};
use crate::data::Data;
use crate::issues::config as issue;
use crate::merge::Strategy;

pub(super) fn compile(draft: &Draft, mut raw: Hash) -> Result<Config> {
    draft.warn_of_version(3);
    fill_in_defaults(&mut raw);
    let backends = list_of(&raw, "backends");
    draft.check(&wanted(&backends), &raw)?;
    let levels = backends.iter().map(|backend| level(draft, &raw, backend)).collect();
    let mut config = draft.finish(3, levels);
    let repeated = backends.iter().enumerate().find(|(index, backend)| backends[..*index].contains(backend));
    config.complaint = repeated.map(|(_, backend)| {
        let (first, second) = lines::pair(|from| lines::of_word(&draft.text, backend, from));
        draft.fail(issue::repeated_backend(backend, first), second)
    });
    config.merge_behavior = merge_behavior(&raw)?;
    Ok(config)
}

fn fill_in_defaults(raw: &mut Hash) {
    let hierarchy = ["nodes/%{::trusted.certname}", "common"].map(Value::from).to_vec();
    let defaults = [
        ("version", Value::from(3)),
        ("backends", Value::array(vec![Value::from("yaml")])),
        ("hierarchy", Value::array(hierarchy)),
        ("merge_behavior", Value::from("native")),
        ("deep_merge_options", Value::hash(Hash::new())),
    ];
    for (key, value) in defaults {
        if !raw.get_str(key).is_some_and(Value::is_truthy) {
            raw.insert(key, value);
        }
    }
}

fn list_of(raw: &Hash, key: &str) -> Vec<String> {
    match raw.get_str(key) {
        Some(Value::Array(items)) => items.iter().map(Value::to_string).collect(),
        Some(other) => vec![other.to_string()],
        None => Vec::new(),
    }
}

fn level(draft: &Draft, raw: &Hash, backend: &str) -> Level {
    let own = raw.get_str(backend).and_then(Value::as_hash).cloned().unwrap_or_default();
    let default_datadir =
        format!("{}/environments/%{{::environment}}/hieradata", draft.reader.settings.codedir);
    let datadir = own.get_str("datadir").and_then(Value::as_str).unwrap_or(&default_datadir);
    let extension = match own.get_str("extension").and_then(Value::as_str) {
        Some(extension) => format!(".{extension}"),
        None if backend == "hocon" => ".conf".to_owned(),
        None => format!(".{backend}"),
    };
    let (kind, function) = match backend {
        "yaml" => (FunctionKind::DataHash, "yaml_data"),
        "json" => (FunctionKind::DataHash, "json_data"),
        "hocon" => (FunctionKind::DataHash, "hocon_data"),
        "eyaml" => (FunctionKind::LookupKey, "eyaml_lookup_key"),
        other => (FunctionKind::Hiera3, other),
    };
    let options = if kind == FunctionKind::LookupKey { own.clone() } else { Hash::new() };
    Level {
        name: Str::from(backend),
        kind,
        function: function.into(),
        datadir: text_data(datadir),
        locations: raw.get_str("hierarchy").map(|paths| Locations::Paths(texts_of(paths))),
        extension: Some(extension),
        options: Data::new(Value::hash(options)),
    }
}

fn merge_behavior(raw: &Hash) -> Result<Option<Strategy>> {
    let name = match raw.get_str("merge_behavior").and_then(Value::as_str) {
        Some("deep") => "reverse_deep",
        Some("deeper") => "unconstrained_deep",
        _ => return Ok(None),
    };
    let mut merge: Hash = [("strategy", name)].into_iter().collect();
    merge.extend(raw.get_str("deep_merge_options").and_then(Value::as_hash).cloned().unwrap_or_default());
    Strategy::new(&Value::hash(merge)).map(Some)
}

fn wanted(backends: &[String]) -> Type {
    let text_or_texts = || Type::variant_of(vec![text(), Type::array_of(text())]);
    let flags = Type::variant_of(vec![Type::string(), Type::boolean()]);
    let behaviors = EnumType::new(["deep", "deeper", "native"].map(Str::from), false);
    let mut elements = vec![
        Element::optional("version", Type::integer_range(Some(3), Some(3))),
        Element::optional("backends", text_or_texts()),
        Element::optional("logger", text()),
        Element::optional("merge_behavior", behaviors.into()),
        Element::optional("deep_merge_options", Type::hash_of(text(), flags)),
        Element::optional("hierarchy", text_or_texts()),
    ];
    // A repeated one is a key all the same, and complained about later.
    let first = |(index, name): &(usize, &String)| !backends[..*index].contains(name);
    elements.extend(
        backends
            .iter()
            .enumerate()
            .filter(first)
            .map(|(_, name)| Element::optional(name.as_str(), Type::hash_of(text(), Type::any()))),
    );
    StructType::new(elements).into()
}
