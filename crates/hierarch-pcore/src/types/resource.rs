//! `Resource[type, title]`, `File['/tmp']`: references to resources.

use super::guide::Guide;
use std::hash::{Hash, Hasher};

use super::build::{KeyError, Keyed, flattened, is_list};
use super::{Guard, Kind, Printer, Rules, Type};
use crate::{Str, Value, issues};

/// Resources: all, those of a type, or one by title.
#[derive(Clone, Default)]
pub struct ResourceType {
    type_name: Option<Str>,
    title: Option<Str>,
    /// It was handed to a class or a defined type: texts then name it as catalogs do. It is equal to one that was not.
    is_entry: bool,
}

impl ResourceType {
    /// Makes the reference to a resource type, capitalized as needed.
    pub fn named(type_name: &str) -> Self {
        Self { type_name: Some(capitalized(type_name)), ..Self::default() }
    }

    /// Makes the reference to a resource.
    pub fn titled(type_name: &str, title: impl Into<Str>) -> Self {
        Self { title: Some(title.into()), ..Self::named(type_name) }
    }

    /// Returns the resource type, capitalized.
    pub fn type_name(&self) -> Option<&Str> {
        self.type_name.as_ref()
    }

    /// Returns the title.
    pub fn title(&self) -> Option<&Str> {
        self.title.as_ref()
    }

    /// Returns it as an attribute hands it on.
    pub(super) fn as_entry(&self) -> Self {
        Self { is_entry: true, ..self.clone() }
    }

    /// Returns what texts call it, if an attribute handed it on: `File[/x]`.
    pub(super) fn entry_text(&self) -> Option<String> {
        let (name, title) = self.type_name.as_ref().zip(self.title.as_ref())?;
        self.is_entry.then(|| format!("{name}[{title}]"))
    }

    fn is_of(&self, other: &Self) -> bool {
        match (&self.type_name, &other.type_name) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl PartialEq for ResourceType {
    /// The case of the type's name does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.is_of(other) && self.title == other.title
    }
}

impl Eq for ResourceType {}

impl Hash for ResourceType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.type_name.as_ref().map(|name| name.to_lowercase()).hash(state);
        self.title.hash(state);
    }
}

/// Capitalizes every segment of a name, unless it starts with a capital already.
///
/// ```
/// use hierarch_pcore::types::capitalized;
///
/// assert_eq!(capitalized("apache::vhost"), "Apache::Vhost");
/// assert_eq!(capitalized("MyThing"), "MyThing");
/// ```
pub fn capitalized(name: &str) -> Str {
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.into();
    }
    let capitalize = |segment: &str| {
        let mut chars = segment.chars();
        chars.next().map_or(String::new(), |first| {
            first.to_uppercase().chain(chars.flat_map(char::to_lowercase)).collect()
        })
    };
    name.split("::").map(capitalize).collect::<Vec<_>>().join("::").into()
}

impl Rules for ResourceType {
    fn name(&self) -> &'static str {
        "Resource"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Resource",
            parameters: "type[, title, …]",
            what: "References to resources; File['/a'] is one as well",
        })
    }

    fn write(&self, printer: &mut Printer) {
        match &self.type_name {
            Some(name) => {
                let title: Vec<Value> = self.title.clone().map(Value::from).into_iter().collect();
                printer.parametrized(name, &title);
            }
            None => printer.push("Resource"),
        }
    }

    fn has(&self, _: &Value, _: &mut Guard) -> bool {
        false
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        let Kind::Resource(other) = other.kind() else { return false };
        self.type_name.is_none() || (self.is_of(other) && (self.title.is_none() || self.title == other.title))
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let Some(first) = keys.first() else {
            return Err(KeyError::whole(issues::type_slice_arity(&self.text(), 1, None, 0)));
        };
        let (name, titles) = match &self.type_name {
            Some(name) => (name.clone(), keys),
            None => (type_name_of(first)?, &keys[1..]),
        };
        if !is_type_name(&name) {
            return Err(KeyError::key(0, issues::illegal_type_name(&name)));
        }
        let gives_list = is_list(titles);
        let all: Vec<Value> = flattened(titles).into_iter().filter(|title| !title.is_undef()).collect();
        if all.is_empty() && !titles.is_empty() {
            return Ok(if gives_list { Value::array(Vec::new()) } else { Value::Undef });
        }
        if self.title.is_some() {
            return Err(KeyError::whole(issues::needs_catalog()));
        }
        if all.is_empty() {
            return Ok(Type::from(Self::named(&name)).into());
        }
        let mut references = self.references(&name, &all, titles.len())?;
        Ok(if gives_list { Value::array(references) } else { references.swap_remove(0) })
    }
}

impl ResourceType {
    fn text(&self) -> String {
        Type::from(self.clone()).to_string()
    }

    fn references(&self, name: &str, titles: &[Value], given: usize) -> Result<Vec<Value>, KeyError> {
        let mut references = Vec::with_capacity(titles.len());
        for (index, title) in titles.iter().enumerate() {
            let Value::String(title) = title else {
                let place = if given == titles.len() { index } else { index + 1 };
                return Err(KeyError::key(place, issues::bad_title(&self.text(), title)));
            };
            references.push(Type::from(Self::titled(name, title.clone())).into());
        }
        Ok(references)
    }
}

fn type_name_of(key: &Value) -> Result<Str, KeyError> {
    match key {
        Value::String(name) => return Ok(capitalized(name)),
        Value::Type(type_) => {
            if let Kind::Resource(ResourceType { type_name: Some(name), .. }) = type_.kind() {
                return Ok(name.clone());
            }
        }
        _ => {}
    }
    Err(KeyError::key(0, issues::bad_resource_type(&issues::key_type_name(key))))
}

/// Tells whether a text is the name of a type, possibly qualified.
fn is_type_name(text: &str) -> bool {
    let segment = |segment: &str| {
        segment.starts_with(|c: char| c.is_ascii_uppercase())
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    text.strip_prefix("::").unwrap_or(text).split("::").all(segment)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn references_are_types() {
        check_has("Type[Resource]", &["File['a']", "File"], &["Class['a']", "'File[a]'"]);
        check_accepts("Resource", &["File", "File['a']"], &["Class['a']"]);
        check_accepts("File['a']", &["File['a']"], &["File['b']", "File"]);
        check_accepts("CatalogEntry", &["File", "Class['a']"], &["Integer"]);
    }

    #[test]
    fn several_titles_give_several_references() {
        for (text, expected) in [
            ("File['a', 'b']", "[File['a'], File['b']]"),
            ("File[['a']]", "[File['a']]"),
            ("File[undef]", "undef"),
            ("Resource[file, 'a']", "File['a']"),
            ("Resource[File]", "File"),
            (
                "File[1]",
                "Error creating type specialization of a File-Type, Cannot use Integer where a resource title String is expected",
            ),
            ("Resource[1]", "First argument to Resource[] must be a resource type or a String. Got Integer."),
        ] {
            check_prints(text, expected);
        }
    }

    #[test]
    fn resources_by_type_and_title() {
        check_facts(&[
            ("Resource['file']", "File"),
            ("Resource['File', 'a', 'b']", "[File['a'], File['b']]"),
            ("Resource[File, a]", "File['a']"),
            ("Resource['a::b', 't']", "A::B['t']"),
            (
                "Resource['9x']",
                "Illegal type reference. The given name '9x' does not conform to the naming rule",
            ),
            (
                "Resource[Integer]",
                "First argument to Resource[] must be a resource type or a String. Got Type[Integer].",
            ),
            ("Resource['file'][a]", "File['a']"),
            ("File['']", "File['']"),
            (
                "File[default]",
                "Error creating type specialization of a File-Type, Cannot use Default where a resource title String is expected",
            ),
            ("File[[a, [b]]]", "[File['a'], File['b']]"),
            (
                "File[true]",
                "Error creating type specialization of a File-Type, Cannot use Boolean where a resource title String is expected",
            ),
            (
                "File[Notify[a]]",
                "Error creating type specialization of a File-Type, Cannot use Type[Notify['a']] where a resource title String is expected",
            ),
        ]);
    }
}
