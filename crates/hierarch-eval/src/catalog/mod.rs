//! The catalog: what a node is to look like, as resources and what contains them.
//!
//! ```
//! use hierarch_eval::{Codebase, Evaluator};
//! use hierarch_source::Source;
//!
//! let environment = Codebase::default();
//! let site = Source::new("site.pp", "notify { 'hello': message => 'Hello' }");
//! let catalog = Evaluator::new(&environment).compile(&[site])?;
//! let hello = catalog.find("Notify", "hello").expect("it was declared");
//! assert_eq!(hello.parameter("message").map(|value| value.to_string()), Some("Hello".to_owned()));
//! # Ok::<(), hierarch_source::Error>(())
//! ```

mod json;
mod read_rich;
mod reference;
mod rich_type;
mod tags;

use std::fmt;
use std::sync::OnceLock;

use hierarch_pcore::{Str, Value};
use hierarch_source::Place;
use rustc_hash::FxHashMap;

pub use json::rich;
pub use read_rich::from_rich;
pub(crate) use reference::class_title;
pub use reference::{is_reference, reference};
pub(crate) use tags::{TagNames, Tags, is_valid_tag};

/// All that is declared for a node.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The name of the node.
    pub name: String,
    /// When it was compiled, in seconds since 1970.
    pub version: i64,
    /// The environment it was compiled in.
    pub environment: String,
    /// Its tags: those of all its classes.
    pub tags: Vec<Str>,
    /// The classes that were declared, in the order of their evaluation.
    pub classes: Vec<Str>,
    /// The resources in the order of their declaration. Virtual ones that nobody realized are left out.
    pub resources: Vec<Resource>,
    /// Which resource contains which, as indices into the resources.
    pub edges: Vec<(usize, usize)>,
    /// The placeholders that stand for what functions did not give.
    pub stubs: Vec<crate::substitute::Stub>,
    /// What a real Ruby ran.
    pub help: Vec<crate::substitute::Help>,
    /// Where resources are by type and title, once it was asked for.
    index: OnceLock<FxHashMap<(Str, Str), usize>>,
}

/// What stands for the value of an attribute that is `Sensitive`, as everywhere.
const REDACTED: &str = "Sensitive [value redacted]";

/// Returns a value with what is `Sensitive` inside it hidden.
fn without_sensitive(value: &Value) -> Value {
    match value {
        Value::Sensitive(_) => REDACTED.into(),
        Value::Array(items) => Value::array(items.iter().map(without_sensitive).collect()),
        Value::Hash(hash) => {
            let pair = |(key, value): (&Value, &Value)| (without_sensitive(key), without_sensitive(value));
            Value::hash(hash.iter().map(pair).collect())
        }
        other => other.clone(),
    }
}

/// One thing that a node is to have.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The type, its segments capitalized.
    pub type_name: Str,
    /// The title.
    pub title: Str,
    /// The attributes that have a value, in order. One that is secret is given as it is and listed below.
    pub parameters: Vec<(Str, Value)>,
    /// The names of the attributes that were given as `Sensitive`.
    pub sensitive: Vec<Str>,
    /// The tags, in the order in which they were added.
    pub tags: Vec<Str>,
    /// Whether nobody realized it; only an exported one is here then.
    pub is_virtual: bool,
    /// Whether it is for other nodes.
    pub is_exported: bool,
    /// Where it was declared, unless by `include` or the like.
    pub place: Option<Place>,
    /// What stands behind its type.
    pub kind: Kind,
}

/// What stands behind the type of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A class that was declared as a resource.
    Class,
    /// A type defined in the Puppet language.
    Define,
    /// A type that the agent knows.
    Native,
    /// Anything else: a class that was included, a node, a stage.
    Other,
}

impl Catalog {
    /// Hides what is `Sensitive`, and in all else what the two functions hide in texts and in values.
    pub fn hide(&mut self, in_text: &dyn Fn(&str) -> String, in_value: &dyn Fn(&Value) -> Value) {
        for resource in &mut self.resources {
            resource.title = in_text(&resource.title).into();
            for tag in &mut resource.tags {
                *tag = in_text(tag).into();
            }
            for (name, value) in &mut resource.parameters {
                let is_secret = resource.sensitive.contains(name);
                *value = if is_secret { REDACTED.into() } else { without_sensitive(&in_value(value)) };
            }
        }
        self.index = OnceLock::new();
    }

    /// Finds a resource by type and title.
    pub fn find(&self, type_name: &str, title: &str) -> Option<&Resource> {
        let key = |resource: &Resource| (resource.type_name.clone(), resource.title.clone());
        let all =
            || self.resources.iter().enumerate().map(|(index, resource)| (key(resource), index)).collect();
        let index = self.index.get_or_init(all).get(&(type_name.into(), title.into()))?;
        self.resources.get(*index)
    }
}

impl Resource {
    /// Returns the value of an attribute.
    pub fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns the name of the file that declares it.
    pub fn file(&self) -> Option<&str> {
        self.place.as_ref().and_then(|place| place.source.name())
    }

    /// Returns the line of its declaration.
    pub fn line(&self) -> Option<u32> {
        self.place.as_ref().map(|place| place.position().0)
    }
}

impl fmt::Display for Resource {
    /// Writes its reference: `File[/tmp/a]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.type_name, self.title)
    }
}

impl Kind {
    /// Returns the word that a catalog has for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Define => "defined_type",
            Self::Native => "compilable_type",
            Self::Other => "unknown",
        }
    }
}
