//! What in data is more than data: expression maps and template strings.

use hierarch_pcore::{Hash, Value};

use super::functions;

/// The keys that may stand beside `eval`.
const CLAUSES: &[&str] = &["vars", "select", "foreach", "trace", "strict"];

/// Tells whether a map in data is an expression.
///
/// A map with `eval` (or `ref`) and nothing but clauses beside it, or with a stand-alone function alone.
pub(crate) fn is_expression(map: &Hash) -> bool {
    let Some((first, _)) = map.at(0) else { return false };
    if map.len() == 1 && first.as_str().is_some_and(functions::stands_alone) {
        return true;
    }
    let Some(main) = main_key(map) else { return false };
    map.keys().all(|key| key.as_str().is_some_and(|key| key == main || CLAUSES.contains(&key)))
}

/// Returns `eval` or its older name, whichever the map has.
pub(crate) fn main_key(map: &Hash) -> Option<&'static str> {
    ["eval", "ref"].into_iter().find(|key| map.contains_str(key))
}

/// Tells whether a text in data is rendered.
pub(crate) fn is_template(text: &str) -> bool {
    let bytes = text.as_bytes();
    let marks = |pair: &[u8]| matches!(pair, b"{{" | b"}}" | b"{%" | b"%}");
    bytes.windows(2).any(marks)
}

/// Tells whether a value itself is to be evaluated; what it contains is another question.
pub(crate) fn is_active(value: &Value) -> bool {
    match value {
        Value::String(text) => is_template(text),
        Value::Hash(map) => is_expression(map),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_is_not_enough_to_be_an_expression() {
        let map = |keys: &[&str]| keys.iter().map(|key| (*key, 1)).collect::<Hash>();
        for keys in [&["eval"][..], &["ref"], &["select", "eval", "vars"], &["concat"], &["q"]] {
            assert!(is_expression(&map(keys)), "{keys:?}");
        }
        for keys in [&[][..], &["eval", "other"], &["concat", "b"], &["if"], &["vars"], &["eval", "ref"]] {
            assert!(!is_expression(&map(keys)), "{keys:?}");
        }
    }

    #[test]
    fn a_comment_alone_makes_no_template() {
        for text in ["{{ 1 }}", "a }} b", "{% if x %}"] {
            assert!(is_template(text), "{text}");
        }
        for text in ["{# note #}", "a { b } c", "100% {sure}", ""] {
            assert!(!is_template(text), "{text}");
        }
    }
}
