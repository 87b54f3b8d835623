//! Version 5 of hiera.yaml.

use std::sync::{Arc, LazyLock};

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::types::{ArrayType, Element, IntegerType, PatternType, StringType, StructType};
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::Result;

use super::{Config, Draft, FunctionKind, Level, Locations, lines, text_data, texts_of};
use crate::data::Data;
use crate::issues::config as issue;
use crate::layers::LayerKind;
use crate::path;
use crate::template::Variable;

const FUNCTIONS: [FunctionKind; 4] =
    [FunctionKind::DataHash, FunctionKind::LookupKey, FunctionKind::DataDig, FunctionKind::Hiera3];
const ALL_FUNCTIONS: [FunctionKind; 5] = [
    FunctionKind::DataHash,
    FunctionKind::LookupKey,
    FunctionKind::DataDig,
    FunctionKind::Hiera3,
    FunctionKind::Legacy,
];
const LOCATIONS: [&str; 7] = ["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"];
const RESERVED_OPTIONS: [&str; 2] = ["path", "uri"];

pub(super) fn compile(draft: &Draft, mut raw: Hash) -> Result<Config> {
    fill_in_defaults(&mut raw);
    draft.check(&TYPE, &raw)?;
    let checker = Checker { draft, defaults: hash_at(&raw, "defaults") };
    checker.check_defaults()?;
    checker.check_levels(&raw, "hierarchy")?;
    checker.check_levels(&raw, "plan_hierarchy")?;
    if raw.contains_str("default_hierarchy") {
        if !matches!(draft.reader.layer, LayerKind::Module) {
            let line = lines::of_key(&draft.text, "default_hierarchy", true);
            return Err(draft.fail(issue::default_hierarchy_not_in_module(), line));
        }
        checker.check_levels(&raw, "default_hierarchy")?;
    }
    let hierarchy = checker.levels(&raw, "hierarchy");
    let complaint = draft.repeated_name(&hierarchy);
    let mut config = draft.finish(5, hierarchy);
    config.complaint = complaint;
    if raw.contains_str("default_hierarchy") {
        let levels = checker.levels(&raw, "default_hierarchy");
        config.complaint = config.complaint.or_else(|| draft.repeated_name(&levels));
        config.default_hierarchy = Some(levels.into_iter().map(Arc::new).collect());
    }
    Ok(config)
}

fn fill_in_defaults(raw: &mut Hash) {
    let is_missing = |raw: &Hash, key: &str| !raw.get_str(key).is_some_and(Value::is_truthy);
    if raw.is_empty() {
        raw.insert("version", 5);
    }
    if is_missing(raw, "defaults") {
        let defaults: Hash = [("datadir", "data"), ("data_hash", "yaml_data")].into_iter().collect();
        raw.insert("defaults", Value::hash(defaults));
    }
    if is_missing(raw, "hierarchy") {
        let level: Hash = [("name", "Common"), ("path", "common.yaml")].into_iter().collect();
        raw.insert("hierarchy", Value::array(vec![Value::hash(level)]));
    }
}

fn hash_at(raw: &Hash, key: &str) -> Hash {
    raw.get_str(key).and_then(Value::as_hash).cloned().unwrap_or_default()
}

struct Checker<'a> {
    draft: &'a Draft<'a>,
    defaults: Hash,
}

fn functions_in(entry: &Hash, kinds: &[FunctionKind]) -> Vec<FunctionKind> {
    kinds.iter().copied().filter(|kind| entry.contains_str(kind.tag())).collect()
}

impl Checker<'_> {
    fn check_defaults(&self) -> Result<()> {
        if functions_in(&self.defaults, &FUNCTIONS).len() > 1 {
            return Err(self.draft.fail(issue::several_default_functions(), None));
        }
        let options = hash_at(&self.defaults, "options");
        match RESERVED_OPTIONS.iter().find(|key| options.contains_str(key)) {
            Some(key) => Err(self.draft.fail(issue::reserved_default_option(key), None)),
            None => Ok(()),
        }
    }

    fn check_levels(&self, raw: &Hash, key: &str) -> Result<()> {
        let levels = raw.get_str(key).and_then(Value::as_array).unwrap_or_default();
        levels.iter().filter_map(Value::as_hash).try_for_each(|level| self.check_level(level))
    }

    fn check_level(&self, level: &Hash) -> Result<()> {
        let name = level.get_str("name").and_then(Value::as_str).unwrap_or_default();
        let fail = |issue| Err(self.draft.fail(issue, None));
        match functions_in(level, &ALL_FUNCTIONS).len() {
            0 if functions_in(&self.defaults, &FUNCTIONS).is_empty() => {
                return fail(issue::no_function(name));
            }
            0 | 1 => {}
            _ => return fail(issue::several_functions(name)),
        }
        self.check_hiera3(level)?;
        if LOCATIONS.iter().filter(|key| level.contains_str(key)).count() > 1 {
            return fail(issue::several_locations(name));
        }
        let options = hash_at(level, "options");
        match RESERVED_OPTIONS.iter().find(|key| options.contains_str(key)) {
            Some(key) => fail(issue::reserved_option(key, name)),
            None => Ok(()),
        }
    }

    fn check_hiera3(&self, level: &Hash) -> Result<()> {
        let Some(backend) = level.get_str("hiera3_backend").and_then(Value::as_str) else { return Ok(()) };
        if !matches!(self.draft.reader.layer, LayerKind::Global) {
            let line = lines::of_key(&self.draft.text, "hiera3_backend", false);
            return Err(self.draft.fail(issue::hiera3_not_global(), line));
        }
        if matches!(backend, "json" | "yaml" | "hocon") {
            let line = lines::of_entry(&self.draft.text, "hiera3_backend", backend, 1);
            return Err(self.draft.fail(issue::hiera3_replaced(backend), line));
        }
        Ok(())
    }

    fn levels(&self, raw: &Hash, key: &str) -> Vec<Level> {
        let levels = raw.get_str(key).and_then(Value::as_array).unwrap_or_default();
        levels.iter().filter_map(Value::as_hash).map(|level| self.level(level)).collect()
    }

    fn level(&self, level: &Hash) -> Level {
        let text = |hash: &Hash, key: &str| hash.get_str(key).and_then(Value::as_str).map(Str::from);
        let (kind, function) = if let Some(kind) = functions_in(level, &ALL_FUNCTIONS).first() {
            (*kind, text(level, kind.tag()))
        } else {
            let kind = *functions_in(&self.defaults, &FUNCTIONS).first().unwrap_or(&FunctionKind::DataHash);
            (kind, text(&self.defaults, kind.tag()))
        };
        let datadir = text(level, "datadir").or_else(|| text(&self.defaults, "datadir"));
        let datadir = path::join(&self.draft.root, datadir.as_deref().unwrap_or("data"));
        let options = [level, &self.defaults].into_iter().find_map(|hash| hash.get_str("options"));
        Level {
            name: text(level, "name").unwrap_or_default(),
            kind,
            function: function.unwrap_or_default(),
            datadir: text_data(&datadir),
            locations: LOCATIONS.iter().find_map(|key| Some(locations(key, level.get_str(key)?))),
            extension: None,
            options: Data::new(options.cloned().unwrap_or_else(|| Value::hash(Hash::new()))),
        }
    }
}

fn locations(key: &str, value: &Value) -> Locations {
    match key {
        "path" | "paths" => Locations::Paths(texts_of(value)),
        "glob" | "globs" => Locations::Globs(texts_of(value)),
        "uri" | "uris" => Locations::Uris(texts_of(value)),
        _ => {
            let item =
                |index: usize| value.as_array().and_then(|items| items.get(index)?.as_str()).unwrap_or("");
            Locations::Mapped {
                variable: Variable::new(item(0)),
                name: item(1).into(),
                template: text_data(item(2)),
            }
        }
    }
}

/// A text that is not empty.
pub(super) fn text() -> Type {
    StringType::sized(IntegerType { min: Some(1), max: None }).into()
}

/// A letter, then letters, digits, underscores and dashes, ending in a letter or digit.
fn option_name() -> Type {
    let pattern = Regexp::new(r"\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z");
    PatternType::new(pattern.into_iter().map(Arc::new)).into()
}

/// What a version 5 file may hold. Messages list its keys in this order.
static TYPE: LazyLock<Type> = LazyLock::new(|| {
    let texts = |min, max| Type::from(ArrayType::new(text(), Some(IntegerType { min: Some(min), max })));
    let options = Type::hash_of(option_name(), Type::data());
    let level = StructType::new(vec![
        Element::required("name", text()),
        Element::optional("options", options.clone()),
        Element::optional("data_hash", text()),
        Element::optional("lookup_key", text()),
        Element::optional("hiera3_backend", text()),
        Element::optional("v4_data_hash", text()),
        Element::optional("data_dig", text()),
        Element::optional("path", text()),
        Element::optional("paths", texts(1, None)),
        Element::optional("glob", text()),
        Element::optional("globs", texts(1, None)),
        Element::optional("uri", text()),
        Element::optional("uris", texts(1, None)),
        Element::optional("mapped_paths", texts(3, Some(3))),
        Element::optional("datadir", text()),
    ]);
    let levels = Type::array_of(level.into());
    let defaults = StructType::new(vec![
        Element::optional("data_hash", text()),
        Element::optional("lookup_key", text()),
        Element::optional("data_dig", text()),
        Element::optional("datadir", text()),
        Element::optional("options", options),
    ]);
    StructType::new(vec![
        Element::required("version", Type::integer_range(Some(5), Some(5))),
        Element::optional("defaults", defaults.into()),
        Element::optional("hierarchy", levels.clone()),
        Element::optional("plan_hierarchy", levels.clone()),
        Element::optional("default_hierarchy", levels),
    ])
    .into()
});
