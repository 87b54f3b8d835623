//! Finding resources: by type and title, by what a title stands for, and by the text of a reference.

use hierarch_pcore::{Str, Value};

use super::Compilation;
use crate::catalog::class_title;
use crate::resource::{DeclaredResource, KindId, ResourceId, ResourceKind};

impl Compilation {
    /// Finds a resource.
    pub(crate) fn find(&self, kind: KindId, title: &str) -> Option<ResourceId> {
        let class = (kind == KindId::CLASS).then(|| class_title(title));
        let title = class.as_deref().unwrap_or(title);
        let kind = self.kind(kind);
        if let Some(id) = kind.titles.get(title) {
            return Some(*id);
        }
        let key = key_of_title(kind, title)?;
        kind.titles.get(&key).copied()
    }

    /// Finds a resource by the text of its reference; `Err` if the text is not a reference.
    pub(crate) fn find_reference(&self, text: &str) -> Result<Option<ResourceId>, ()> {
        let Some((kind, title)) = split_reference(text) else { return Err(()) };
        let known = |name: &str| self.kinds_by_name.get(name).copied();
        let Some(kind) = known(kind).or_else(|| known(&kind.to_lowercase())) else { return Ok(None) };
        Ok(self.find(kind, title))
    }

    /// Returns what a resource is known as besides its title: the values of its name variables.
    pub(crate) fn unique_key(&self, resource: &DeclaredResource) -> Option<(Vec<Value>, Str)> {
        let kind = self.kind(resource.kind);
        let Some(native) = &kind.native else {
            let name = resource.value("name").filter(|name| !name.is_undef()).cloned();
            let name = name.unwrap_or_else(|| title_value(resource));
            let key = key_text(std::slice::from_ref(&name));
            return Some((vec![name], key));
        };
        if !native.is_unique {
            return None;
        }
        let of_title = native.attributes_of_title(&resource.title);
        let mut names: Vec<&Str> = native.namevars.iter().collect();
        names.sort();
        let value = |name: &Str| {
            let given = resource.value(name).filter(|value| !value.is_undef()).cloned();
            let of_title = of_title.iter().find(|(known, _)| known == name);
            given.or_else(|| of_title.map(|(_, value)| Value::from(value.clone()))).unwrap_or_default()
        };
        let values: Vec<Value> = names.into_iter().map(value).collect();
        let key = key_text(&values);
        Some((values, key))
    }
}

fn title_value(resource: &DeclaredResource) -> Value {
    Value::from(resource.title.clone())
}

/// Splits `Type[title]`.
fn split_reference(text: &str) -> Option<(&str, &str)> {
    let (kind, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    (!kind.is_empty() && !kind.contains(']') && !title.is_empty()).then_some((kind, title))
}

/// Returns what a title alone stands for, where that is not the title itself.
fn key_of_title(kind: &ResourceKind, title: &str) -> Option<Str> {
    let native = kind.native.as_ref()?;
    let of_title = native.attributes_of_title(title);
    let mut names: Vec<&Str> = native.namevars.iter().collect();
    names.sort();
    let values: Vec<Value> = names
        .into_iter()
        .map(|name| of_title.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).into())
        .collect();
    Some(key_text(&values))
}

/// Returns the key of name variables: a single text as it is, anything else told apart from all texts.
fn key_text(values: &[Value]) -> Str {
    if let [Value::String(only)] = values {
        return only.clone();
    }
    let parts: Vec<String> = values.iter().map(Value::program_text).collect();
    format!("\0{}", parts.join("\0")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_split_at_its_outer_brackets() {
        assert_eq!(split_reference("File[/a[1]]"), Some(("File", "/a[1]")));
        for text in ["File", "File[]", "[a]", "File[a", "a]b[c]"] {
            assert_eq!(split_reference(text), None, "{text}");
        }
    }
}
