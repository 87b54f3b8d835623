//! Types as text.

use super::builtin::is_builtin_alias;
use super::{AliasType, Kind, ObjectType, Rules, Type};
use crate::value::quoted;
use crate::{Hash, Value};

/// Writes types, and the values that parametrize them.
#[derive(Default)]
pub struct Printer {
    out: String,
    /// Aliases and object types are written out rather than named.
    is_expanded: bool,
    /// The aliases being written out.
    open: Vec<usize>,
    /// The type set being written out, with the colons after its name.
    set: Option<String>,
    /// The level of indentation; none: all on one line.
    indent: Option<usize>,
}

impl Printer {
    /// Returns the text of a type. At the top an alias or an object type is written out.
    pub fn text(type_: &Type) -> String {
        let is_expanded = matches!(type_.kind(), Kind::Alias(_) | Kind::Object(_) | Kind::TypeSet(_));
        let mut printer = Self { is_expanded, ..Self::default() };
        printer.type_(type_);
        printer.out
    }

    /// Returns the text of a type with all aliases written out.
    pub fn expanded(type_: &Type) -> String {
        let mut printer = Self { is_expanded: true, ..Self::default() };
        printer.type_(type_);
        printer.out
    }

    /// Returns the text of a value as it stands in a type, broken into lines at a level if wanted.
    pub fn value_text(value: &Value, indent: Option<usize>) -> String {
        let mut printer = Self { indent, ..Self::default() };
        printer.value(value);
        printer.out
    }

    /// Returns what was written.
    pub fn finish(self) -> String {
        self.out
    }

    /// Appends a text.
    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Appends a type.
    pub fn type_(&mut self, type_: &Type) {
        type_.kind().rules().write(self);
    }

    /// Appends `Name[params]`, or the bare name.
    pub fn parametrized(&mut self, name: &str, params: &[Value]) {
        self.push(name);
        if !params.is_empty() {
            self.push("[");
            self.list(params);
            self.push("]");
        }
    }

    /// Appends a value.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Type(type_) => self.type_(type_),
            Value::Undef => self.push("undef"),
            Value::String(text) => self.push(&quoted(text)),
            Value::Array(elements) => self.array(elements),
            Value::Hash(hash) => self.hash(hash),
            Value::SemVer(_) | Value::SemVerRange(_) | Value::Timestamp(_) | Value::Timespan(_) => {
                self.push(&format!("'{value}'"));
            }
            Value::Uri(uri) => self.push(&format!("URI({})", quoted(&uri.to_string()))),
            Value::Object(object) => {
                self.push(&format!("{}(", object.type_name()));
                self.hash(&object.init_hash());
                self.push(")");
            }
            Value::Sensitive(_) | Value::Binary(_) | Value::Foreign(_) => {
                self.push("Instance of ");
                self.type_(&crate::infer::reduced(value));
            }
            other => self.push(&other.to_string()),
        }
    }

    /// Appends an alias: its name, and if written out and not inside of itself, its definition.
    pub(super) fn alias(&mut self, alias: &AliasType) {
        let is_member = self.set.as_deref().is_some_and(|set| alias.name().starts_with(set));
        if is_member
            && self.is_expanded
            && let Some(resolved) = alias.resolved()
        {
            return self.type_(resolved);
        }
        self.name(alias.name());
        let is_open = self.open.contains(&alias.address());
        if self.is_expanded
            && !is_open
            && !is_builtin_alias(alias.name())
            && let Some(resolved) = alias.resolved()
        {
            self.push(" = ");
            self.open.push(alias.address());
            self.type_(resolved);
            self.open.pop();
        }
    }

    /// Appends a name; within a type set those of its types are simple.
    fn name(&mut self, name: &str) {
        let simple = self.set.as_deref().and_then(|set| name.strip_prefix(set));
        self.push(simple.unwrap_or(name));
    }

    /// Appends a type set: what it is made of.
    pub(super) fn type_set(&mut self, name: &str, init: &Hash) {
        let outer = self.set.replace(format!("{name}::"));
        self.push("TypeSet[");
        self.bare_hash(init);
        self.push("]");
        self.set = outer;
    }

    /// Appends an object type: its initializer if written out, else its name.
    pub(super) fn object(&mut self, object: &ObjectType) {
        if !self.is_expanded {
            return self.name(object.label());
        }
        self.is_expanded = false;
        let mut init = object.init_hash();
        if self.set.is_some() {
            init.remove(&"name".into());
        }
        self.push("Object");
        self.push("[{");
        for (index, (key, value)) in init.iter().enumerate() {
            self.separator(index);
            self.push(&format!("{key} => "));
            self.object_part(&key.to_string(), value);
        }
        self.push("}]");
        self.is_expanded = true;
    }

    fn object_part(&mut self, key: &str, value: &Value) {
        match (key, value) {
            ("attributes" | "functions", Value::Hash(members)) => {
                self.push("{");
                for (index, (name, spec)) in members.iter().enumerate() {
                    self.separator(index);
                    self.value(name);
                    self.push(" => ");
                    match spec {
                        Value::Hash(spec) => self.bare_hash(spec),
                        other => self.value(other),
                    }
                }
                self.push("}");
            }
            _ => self.value(value),
        }
    }

    /// Appends a hash whose keys, and kinds of attributes, are written without quotes.
    pub(super) fn bare_hash(&mut self, hash: &Hash) {
        self.push("{");
        for (index, (key, value)) in hash.iter().enumerate() {
            self.separator(index);
            self.push(&format!("{key} => "));
            match (key.as_str(), value) {
                (Some("kind"), Value::String(kind)) => self.push(kind),
                (Some("types" | "references"), Value::Hash(members)) => self.bare_hash(members),
                _ => self.value(value),
            }
        }
        self.push("}");
    }

    fn separator(&mut self, index: usize) {
        if index > 0 {
            self.push(", ");
        }
    }

    fn list(&mut self, values: &[Value]) {
        for (index, value) in values.iter().enumerate() {
            self.separator(index);
            self.value(value);
        }
    }

    fn array(&mut self, elements: &[Value]) {
        self.push("[");
        match self.indent {
            Some(level) if !is_short(elements, level) => {
                self.indent = Some(level + 1);
                for (index, element) in elements.iter().enumerate() {
                    self.separator(index);
                    self.new_line();
                    self.value(element);
                }
                self.indent = Some(level);
                self.new_line();
            }
            _ => self.list(elements),
        }
        self.push("]");
    }

    fn hash(&mut self, hash: &Hash) {
        self.push("{");
        let level = self.indent;
        self.indent = level.map(|level| level + 1);
        for (index, (key, value)) in hash.iter().enumerate() {
            self.separator(index);
            self.new_line();
            self.value(key);
            self.push(" => ");
            self.value(value);
        }
        self.indent = level;
        self.new_line();
        self.push("}");
    }

    /// Starts a new line when lines are broken.
    fn new_line(&mut self) {
        if let Some(level) = self.indent {
            self.out.truncate(self.out.trim_end().len());
            self.push("\n");
            self.push(&"  ".repeat(level));
        }
    }
}

/// Tells whether an array may stand on one line.
fn is_short(elements: &[Value], level: usize) -> bool {
    let width = |element: &Value| match element {
        Value::Undef => 3,
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => element.to_string().len(),
        Value::Default => 8,
        Value::String(text) => 2 + text.chars().count(),
        Value::Array(elements) if elements.is_empty() => 2,
        Value::Hash(hash) if hash.is_empty() => 2,
        _ => 1000,
    };
    elements.is_empty() || elements.iter().map(width).sum::<usize>() + level * 2 < 100
}
