//! References as catalogs write them: `File[/tmp/a]`, `Class[A::B]`.

use hierarch_pcore::types::{Kind, capitalized};
use hierarch_pcore::{Str, Type, Value};

/// Tells whether a type is a reference to a resource or a class.
pub fn is_reference(type_: &Type) -> bool {
    matches!(type_.kind(), Kind::Resource(_) | Kind::Class(_))
}

/// Returns a reference as catalogs write it; anything else as its text.
pub fn reference(value: &Value) -> Str {
    match value.as_type().map(Type::kind) {
        Some(Kind::Resource(resource)) => {
            let name = resource.type_name().map_or("", |name| name.as_str());
            let title = resource.title().cloned().unwrap_or_default();
            let is_class = name.eq_ignore_ascii_case("class");
            let title = if is_class { class_title(&title) } else { title };
            let mut text = String::with_capacity(name.len() + title.len() + 2);
            push_capitalized(&mut text, name);
            text.extend(["[", &title, "]"]);
            text.into()
        }
        Some(Kind::Class(class)) => {
            let name = class.class().map_or("", |name| name.as_str());
            format!("Class[{}]", class_title(name)).into()
        }
        _ => value.to_string().into(),
    }
}

/// Adds the name of a type, every segment capitalized and otherwise in lower case.
fn push_capitalized(text: &mut String, name: &str) {
    let mut is_first = true;
    for c in name.chars() {
        match c {
            _ if is_first => text.extend(c.to_uppercase()),
            _ => text.extend(c.to_lowercase()),
        }
        is_first = c == ':';
    }
}

/// Returns a class' name as titles have it: every segment capitalized, without leading colons.
pub(crate) fn class_title(name: &str) -> Str {
    let bare = name.strip_prefix("::").unwrap_or(name);
    // The main program's own title is the only one in lower case.
    if bare == "main" { "Main".into() } else { capitalized(bare) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found_by_any_spelling() {
        assert_eq!(class_title("::a::b_c"), "A::B_c");
        assert_eq!(class_title("main"), "Main");
    }
}
