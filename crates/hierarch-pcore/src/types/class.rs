//! `Class[name]`: references to classes.

use std::hash::{Hash, Hasher};

use super::build::Arity;
use super::build::{KeyError, Keyed, flattened, is_list};
use super::guide::Guide;
use super::resource::capitalized;
use super::{Guard, Kind, Printer, Rules, Type};
use crate::{Str, Value, issues};

/// Classes of the language, all or one by name.
#[derive(Clone, Default)]
pub struct ClassType {
    class: Option<Str>,
    /// It was handed to a class or a defined type: texts then name it as catalogs do. It is equal to one that was not.
    is_entry: bool,
}

impl PartialEq for ClassType {
    fn eq(&self, other: &Self) -> bool {
        self.class == other.class
    }
}

impl Eq for ClassType {}

impl Hash for ClassType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.class.hash(state);
    }
}

impl ClassType {
    /// Makes the reference to a class.
    pub fn named(name: impl Into<Str>) -> Self {
        Self { class: Some(name.into()), is_entry: false }
    }

    /// Returns the name of the class.
    pub fn class(&self) -> Option<&Str> {
        self.class.as_ref()
    }

    /// Returns it as an attribute hands it on.
    pub(super) fn as_entry(&self) -> Self {
        Self { is_entry: true, ..self.clone() }
    }

    /// Returns what texts call it, if an attribute handed it on: `Class[My::Class]`.
    pub(super) fn entry_text(&self) -> Option<String> {
        let class = self.class.as_ref().filter(|_| self.is_entry)?;
        Some(format!("Class[{}]", capitalized(class)))
    }
}

impl Rules for ClassType {
    fn name(&self) -> &'static str {
        "Class"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Class", parameters: "name, …", what: "References to classes" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    /// The name of a class is printed without quotes.
    fn write(&self, printer: &mut Printer) {
        printer.push("Class");
        if let Some(name) = &self.class {
            printer.push(&format!("[{name}]"));
        }
    }

    fn has(&self, _: &Value, _: &mut Guard) -> bool {
        false
    }

    fn accepts(&self, other: &Type, _: &mut Guard) -> bool {
        matches!(other.kind(), Kind::Class(other) if self.class.is_none() || self.class == other.class)
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        if keys.is_empty() {
            return Err(KeyError::whole(issues::type_slice_arity("Class", 1, None, 0)));
        }
        let gives_list = is_list(keys);
        let names: Vec<Value> = flattened(keys).into_iter().filter(|key| !key.is_undef()).collect();
        if names.is_empty() {
            return Ok(if gives_list { Value::array(Vec::new()) } else { Value::Undef });
        }
        if self.class.is_some() {
            return Err(KeyError::whole(issues::needs_catalog()));
        }
        let mut classes = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            classes
                .push(Value::from(Type::from(reference(name).map_err(|error| KeyError::key(index, error))?)));
        }
        Ok(if gives_list { Value::array(classes) } else { classes.swap_remove(0) })
    }
}

fn reference(name: &Value) -> hierarch_source::Result<ClassType> {
    let Value::String(text) = name else {
        let label =
            if matches!(name, Value::Default) { "Object".to_owned() } else { issues::value_label(name) };
        return Err(issues::bad_class_name(&label));
    };
    let lower = text.to_lowercase();
    let bare = lower.strip_prefix("::").unwrap_or(&lower);
    if !is_class_name(bare) {
        return Err(issues::illegal_name(text));
    }
    Ok(ClassType::named(bare))
}

/// Tells whether a text is a name of the language, possibly qualified.
pub(crate) fn is_class_name(text: &str) -> bool {
    let segment = |segment: &str| {
        segment.starts_with(|c: char| c.is_ascii_lowercase())
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    text.strip_prefix("::").unwrap_or(text).split("::").all(segment)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_prints};

    #[test]
    fn names_are_in_lower_case_and_absolute() {
        check_prints("Class['::Foo::Bar']", "Class[foo::bar]");
        check_prints("Class['a', 'b']", "[Class[a], Class[b]]");
        check_prints(
            "Class['9']",
            r"Illegal name. The given name '9' does not conform to the naming rule /^((::)?[a-z_]\w*)(::[a-z]\w*)*$/",
        );
        check_accepts("Class", &["Class['a']"], &["File"]);
    }

    #[test]
    fn classes_by_name() {
        check_facts(&[
            ("Class[a]", "Class[a]"),
            ("Class['A']", "Class[a]"),
            ("Class['::a::b']", "Class[a::b]"),
            ("Class[a, 'b']", "[Class[a], Class[b]]"),
            ("Class[[a]]", "[Class[a]]"),
            (
                "Class['a-b']",
                r"Illegal name. The given name 'a-b' does not conform to the naming rule /^((::)?[a-z_]\w*)(::[a-z]\w*)*$/",
            ),
            (
                "Class['']",
                r"Illegal name. The given name '' does not conform to the naming rule /^((::)?[a-z_]\w*)(::[a-z]\w*)*$/",
            ),
            (
                "Class[1]",
                "Illegal Class name in class reference. An Integer cannot be used where a String is expected",
            ),
            (
                "Class[Integer]",
                "Illegal Class name in class reference. An Integer-Type cannot be used where a String is expected",
            ),
            ("Class[undef]", "undef"),
        ]);
    }
}
