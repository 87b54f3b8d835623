//! hiera.yaml: read, checked, and compiled into levels.
//!
//! `Config::load` reads the file and decides by its version who understands it.

mod convert;
mod lines;
mod v3;
mod v4;
mod v5;

use std::collections::HashSet;
use std::sync::Arc;

pub use convert::convert;

use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::{Error, Files, Result};

use crate::data::Data;
use crate::document::{self, Content};
use crate::issues::{self, config::Issue};
use crate::layers::LayerKind;
use crate::locate::is_file_there;
use crate::log::Log;
use crate::merge::{Strategy, type_mismatch};
use crate::path;
use crate::settings::{LookupSettings, Strict};
use crate::template::{Template, Variable};

/// The name of the file in environments and modules.
pub const FILE_NAME: &str = "hiera.yaml";

/// A configuration, ready to be used.
#[derive(Debug)]
pub struct Config {
    /// 3, 4 or 5.
    pub version: u8,
    /// The file; none where the built-in configuration stands in for a missing one.
    pub path: Option<String>,
    /// The levels from high to low priority.
    pub hierarchy: Vec<Arc<Level>>,
    /// What modules may fall back to.
    pub default_hierarchy: Option<Vec<Arc<Level>>>,
    /// How `hiera_hash` merges; version 3 only.
    pub merge_behavior: Option<Strategy>,
    /// What is wrong with the levels, said at their first use.
    pub(crate) complaint: Option<Error>,
    text: String,
}

/// One level of a hierarchy.
#[derive(Debug)]
pub struct Level {
    /// Its name.
    pub name: Str,
    /// How its function is called.
    pub kind: FunctionKind,
    /// The name of the function.
    pub function: Str,
    /// The folder of its data.
    pub datadir: Data,
    /// Where its data are; none for a function that needs no place.
    pub locations: Option<Locations>,
    /// What is appended to paths that do not end so.
    pub extension: Option<String>,
    /// What the function is told besides the place.
    pub options: Data,
}

/// How a data function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// Returns all data of a location.
    DataHash,
    /// Returns the value of a key.
    LookupKey,
    /// Returns the value at a path of segments.
    DataDig,
    /// A backend of Hiera 3.
    Hiera3,
    /// A function without parameters that returns all data, as before version 5.
    Legacy,
}

impl FunctionKind {
    /// Returns the key that names such a function in hiera.yaml.
    pub fn tag(self) -> &'static str {
        match self {
            Self::DataHash => "data_hash",
            Self::LookupKey => "lookup_key",
            Self::DataDig => "data_dig",
            Self::Hiera3 => "hiera3_backend",
            Self::Legacy => "v4_data_hash",
        }
    }
}

/// Where the data of a level are.
#[derive(Debug)]
pub enum Locations {
    /// `path` and `paths`.
    Paths(Vec<Data>),
    /// `glob` and `globs`.
    Globs(Vec<Data>),
    /// `uri` and `uris`.
    Uris(Vec<Data>),
    /// `mapped_paths`.
    Mapped {
        /// The variable whose values are mapped.
        variable: Variable,
        /// The name that each value gets.
        name: Str,
        /// The path that it is put into.
        template: Data,
    },
}

/// What a configuration is read from.
pub(crate) struct Reader<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) settings: &'a LookupSettings,
    pub(crate) log: &'a Log,
    pub(crate) layer: LayerKind,
}

impl Config {
    /// Reads a configuration. A missing file is as good as the built-in one.
    pub(crate) fn load(reader: &Reader, file: &str) -> Result<Self> {
        let root = path::parent(file).to_owned();
        if file.is_empty() || !is_file_there(reader.files, file) {
            let draft = Draft { path: None, root, text: String::new(), reader };
            let config = v5::compile(&draft, Hash::new())?;
            // Without a path there is no folder either whose data could be meant.
            let hierarchy = if file.is_empty() { Vec::new() } else { config.hierarchy };
            return Ok(Self { hierarchy, ..config });
        }
        let most = reader.settings.largest_file;
        let bytes = reader
            .files
            .read_at_most(file.as_ref(), most)
            .map_err(|error| issues::unreadable(file, &error))?;
        let document = document::read_yaml(file, bytes).map_err(issues::unparsable_configuration)?;
        let text = document.text().to_owned();
        let draft = Draft { path: Some(file.to_owned()), root, text, reader };
        match document.content() {
            Content::Hash => draft.compile(document.to_hash()?),
            Content::Nothing | Content::Other => {
                reader.log.warn(format!(
                    "{file}: File exists but does not contain a valid YAML hash. Falling back to Hiera version 3 default config"
                ));
                v3::compile(&draft, Hash::new())
            }
        }
    }

    /// Makes the configuration of a layer whose data come from one function without parameters.
    pub(crate) fn of_legacy_function(name: &str) -> Self {
        let level = Level {
            name: format!("Legacy function '{name}'").into(),
            kind: FunctionKind::Legacy,
            function: name.into(),
            datadir: Data::Plain(Value::from("")),
            locations: None,
            extension: None,
            options: Data::Plain(Value::hash(Hash::new())),
        };
        Self {
            version: 5,
            path: None,
            hierarchy: vec![Arc::new(level)],
            default_hierarchy: None,
            merge_behavior: None,
            complaint: None,
            text: String::new(),
        }
    }

    /// Returns what explanations call it.
    pub fn name(&self) -> String {
        format!("hiera configuration version {}", self.version)
    }

    /// Makes an error that names the file.
    pub(crate) fn fail(&self, issue: Issue, line: Option<usize>) -> Error {
        issues::config::located(issue, self.path.as_deref(), line)
    }

    /// Makes the error for a variable that has no value, with the line where it stands.
    pub(crate) fn undefined_variable(&self, name: &str) -> Error {
        let line = lines::of_token(&self.text, name);
        self.fail(issues::config::undefined_variable(name), line)
    }

    /// Adds the file to an error that has an issue code and was raised while this file was filled in.
    pub(crate) fn named(&self, error: Error) -> Error {
        if error.code.starts_with("HIERA_INTERPOLATION") {
            issues::config::located((error.code, error.message.clone()), self.path.as_deref(), None)
        } else {
            error
        }
    }
}

/// A configuration on its way from the file to its levels.
pub(crate) struct Draft<'a> {
    path: Option<String>,
    root: String,
    text: String,
    reader: &'a Reader<'a>,
}

impl Draft<'_> {
    fn compile(&self, raw: Hash) -> Result<Config> {
        let version = match raw.get_str("version") {
            None | Some(Value::Undef) => 3,
            Some(value) => to_integer(value),
        };
        match version {
            5 => v5::compile(self, raw),
            4 => v4::compile(self, raw),
            3 => v3::compile(self, raw),
            other => Err(self.fail(issues::config::unsupported_version(other), None)),
        }
    }

    fn fail(&self, issue: Issue, line: Option<usize>) -> Error {
        issues::config::located(issue, self.path.as_deref(), line)
    }

    fn check(&self, wanted: &Type, raw: &Hash) -> Result<()> {
        let value = Value::hash(raw.clone());
        if wanted.has(&value) {
            return Ok(());
        }
        let subject = format!("The Lookup Configuration at '{}'", self.path.as_deref().unwrap_or(""));
        Err(type_mismatch(&subject, wanted, &value))
    }

    fn warn_of_version(&self, version: u8) {
        if self.reader.settings.strict != Strict::Off {
            let path = self.path.as_deref().unwrap_or("");
            self.reader.log.warn_about_file(&format!("{path}: Use of 'hiera.yaml' version {version} is deprecated. It should be converted to version 5"),
                path,
            );
        }
    }

    fn finish(&self, version: u8, hierarchy: Vec<Level>) -> Config {
        Config {
            version,
            path: self.path.clone(),
            hierarchy: hierarchy.into_iter().map(Arc::new).collect(),
            default_hierarchy: None,
            merge_behavior: None,
            complaint: None,
            text: self.text.clone(),
        }
    }

    /// Complains about a name that a level before this one has.
    fn repeated_name(&self, levels: &[Level]) -> Option<Error> {
        let mut known = HashSet::with_capacity(levels.len());
        let level = levels.iter().find(|level| !known.insert(&level.name))?;
        let (first, second) = lines::pair(|from| lines::of_name(&self.text, &level.name, from));
        Some(self.fail(issues::config::repeated_name(&level.name, first), second))
    }
}

/// Converts as Ruby's `to_i` does: leading digits count.
fn to_integer(value: &Value) -> i64 {
    match value {
        Value::Integer(number) => *number,
        Value::Float(number) => *number as i64,
        Value::String(text) => {
            let text = text.trim_start();
            let end = text.bytes().take_while(u8::is_ascii_digit).count();
            text[..end].parse().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Compiles a text that may have tokens.
fn text_data(text: &str) -> Data {
    Data::new(Value::from(text))
}

fn texts_of(value: &Value) -> Vec<Data> {
    match value {
        Value::Array(items) => {
            items.iter().map(|item| text_data(item.as_str().unwrap_or_default())).collect()
        }
        other => vec![text_data(other.as_str().unwrap_or_default())],
    }
}

impl Data {
    /// Returns the text as it was written, for explanations.
    pub(crate) fn original(&self) -> String {
        match self {
            Self::Plain(value) => value.to_string(),
            Self::Text(template) => Template::clone(template).source.to_string(),
            Self::List(_) | Self::Map(_) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_configurations;

    /// Texts of `hiera.yaml`, and what they find for `k`, or why they cannot be.
    const CONFIGURATIONS_ARE_TAKEN_OR_REFUSED: &[(&str, &str)] = &[
        ("version: 5\n", "2"),
        ("", "fails: hiera.yaml version 3 cannot be used in an environment (file: hiera.yaml)"),
        ("version: 6\n", "fails: This runtime does not support hiera.yaml version 6 (file: hiera.yaml)"),
        ("version: 4\n", "2"),
        ("version: 3\n", "fails: hiera.yaml version 3 cannot be used in an environment (file: hiera.yaml)"),
        (
            "version: '5'\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'version' expects an Integer value, got String",
        ),
        (
            "version: 5.0\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'version' expects an Integer value, got Float",
        ),
        ("[]\n", "fails: hiera.yaml version 3 cannot be used in an environment (file: hiera.yaml)"),
        ("a\n", "fails: hiera.yaml version 3 cannot be used in an environment (file: hiera.yaml)"),
        ("version: 5\nhierarchy: []\n", "not found"),
        (
            "version: 5\nhierarchy: {}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' expects an Array value, got Hash",
        ),
        (
            "version: 5\nhierarchy:\n- path: c.yaml\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 expects a value for key 'name'",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L}\n",
            "fails: 'yaml_data' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this data_hash function",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, paths: [c.yaml]}\n",
            "fails: Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy 'L' (file: hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, glob: '*'}\n",
            "fails: Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy 'L' (file: hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, paths: []}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'paths' expects size to be at least 1, got 0",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, paths: c.yaml}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'paths' expects an Array value, got String",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: [c.yaml]}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'path' expects a String value, got Tuple",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: ''}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'path' expects a String[1] value, got String",
        ),
        (
            "version: 5\nhierarchy:\n- {name: '', path: c.yaml}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'name' expects a String[1] value, got String",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml}\n- {name: L, path: c.yaml}\n",
            "fails: Hierarchy name 'L' defined more than once. (file: hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, data_hash: yaml_data, lookup_key: x}\n",
            "fails: Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined in hierarchy 'L' (file: hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, data_hash: nope}\n",
            "fails: Unable to find 'data_hash' function named 'nope' (file: hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, data_hash: Nope}\n",
            "fails: Unable to find 'data_hash' function named 'Nope' (file: hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, odd: 1}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 unrecognized key 'odd'",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, options: {path: x}}\n",
            "fails: Option key 'path' used in hierarchy 'L' is reserved by Puppet (file: hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, options: {uri: x}}\n",
            "fails: Option key 'uri' used in hierarchy 'L' is reserved by Puppet (file: hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, options: {a: 1}}\n",
            "fails: 'yaml_data' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this data_hash function",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, options: {'A b': 1}}\n",
            r"fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'options' key of entry 'A b' expects a match for Pattern[/\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z/], got 'A b'",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, uri: 'http://x y'}\n",
            r#"fails: bad URI(is not URI?): "http://x y""#,
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, mapped_paths: [a]}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'mapped_paths' expects size to be 3, got 1",
        ),
        ("version: 5\nhierarchy:\n- {name: L, mapped_paths: [x, y, 'c%{y}']}\n", "not found"),
        ("version: 5\nhierarchy:\n- {name: L, path: c.yaml, datadir: data}\n", "1"),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, datadir: ''}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'datadir' expects a String[1] value, got String",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, hiera3_backend: yaml}\n",
            "fails: 'hiera3_backend' is only allowed in the global layer (file: hiera.yaml, line: 3)",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml, hiera3_backend: x}\n",
            "fails: 'hiera3_backend' is only allowed in the global layer (file: hiera.yaml, line: 3)",
        ),
        (
            "version: 5\ndefaults: {data_hash: yaml_data, lookup_key: x}\nhierarchy:\n- {name: L, path: c.yaml}\n",
            "fails: Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined in defaults (file: hiera.yaml)",
        ),
        (
            "version: 5\ndefaults: {options: {path: x}}\nhierarchy:\n- {name: L, path: c.yaml}\n",
            "fails: Option key 'path' used in defaults is reserved by Puppet (file: hiera.yaml)",
        ),
        (
            "version: 5\ndefaults: {datadir: data}\nhierarchy:\n- {name: L, path: c.yaml}\n",
            "fails: One of data_hash, lookup_key, data_dig, or hiera3_backend must be defined in hierarchy 'L' (file: hiera.yaml)",
        ),
        (
            "version: 5\ndefaults: {odd: 1}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'defaults' unrecognized key 'odd'",
        ),
        (
            "version: 5\ndefault_hierarchy:\n- {name: L, path: c.yaml}\n",
            "fails: 'default_hierarchy' is only allowed in the module layer (file: hiera.yaml, line: 2)",
        ),
        (
            "version: 5\nodd: 1\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, unrecognized key 'odd'",
        ),
        (
            "version: 5\nhierarchy:\n- {name: L, path: c.yaml}\n  x\n",
            "fails: (hiera.yaml): did not find expected key while parsing a block mapping at line 1 column 1",
        ),
        (
            "version: 5\nhierarchy: [\n",
            "fails: (hiera.yaml): did not find expected node content while parsing a flow node at line 3 column 1",
        ),
        ("version: 5\nhierarchy:\n- {name: L, path: 'c%{nope}.yaml'}\n", "1"),
        ("version: 5\nhierarchy:\n- {name: L, path: 'c%{x.yaml'}\n", "not found"),
        (
            "version: 5\nhierarchy:\n- {name: L, path: \"%{lookup('x')}.yaml\"}\n",
            "fails: Interpolation using method syntax is not allowed in this context (file: hiera.yaml)",
        ),
        ("version: 5\nhierarchy:\n- {name: L, path: 'c%{lookup(x)}'}\n", "not found"),
        ("version: 5\nhierarchy:\n- {name: L, globs: ['*.yaml', 'd/*']}\n", "1"),
        (
            "version: 5\nhierarchy:\n- {name: L, glob: 5}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'glob' expects a String value, got Integer",
        ),
        ("version: 4\nhierarchy:\n- {name: c, backend: yaml}\n", "1"),
        (
            "version: 4\nhierarchy:\n- {name: c, backend: odd}\n",
            "fails: No data provider is registered for backend 'odd' (file: hiera.yaml, line: 3)",
        ),
        (
            "version: 4\nhierarchy:\n- {name: c}\n",
            "fails: The Lookup Configuration at 'hiera.yaml' has wrong type, entry 'hierarchy' index 0 expects a value for key 'backend'",
        ),
        (
            "version: 4\ndatadir: data\nhierarchy:\n- {name: c, backend: yaml, path: c}\n- {name: c, backend: yaml}\n",
            "fails: Hierarchy name 'c' defined more than once. (file: hiera.yaml)",
        ),
        (
            ":backends: yaml\n",
            "fails: hiera.yaml version 3 cannot be used in an environment (file: hiera.yaml)",
        ),
    ];

    #[test]
    fn configurations_are_taken_or_refused() {
        check_configurations(CONFIGURATIONS_ARE_TAKEN_OR_REFUSED);
    }
}
