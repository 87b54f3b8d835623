//! JSON made of parts that are JSON already, so that values are written by the one printer they have.

use hierarch_hiera::render::Format;
use hierarch_pcore::Value;

use crate::problem::Problem;

/// Writes a text.
pub(crate) fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes a text, or null.
pub(crate) fn optional(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), self::text)
}

/// Writes a value as `lookup --render-as json` does.
pub(crate) fn value(value: &Value) -> Result<String, Problem> {
    let mut text = Format::Json.render(value).map_err(|error| Problem::from_error(&error))?;
    text.truncate(text.trim_end().len());
    Ok(text)
}

/// Writes an object of parts.
pub(crate) fn object<'n>(fields: impl IntoIterator<Item = (&'n str, String)>) -> String {
    let fields: Vec<String> =
        fields.into_iter().map(|(name, part)| format!("{}:{part}", text(name))).collect();
    format!("{{{}}}", fields.join(","))
}

/// Writes a list of parts.
pub(crate) fn list(parts: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", parts.into_iter().collect::<Vec<_>>().join(","))
}

/// Writes a list of texts.
pub(crate) fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    list(texts.into_iter().map(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_one_text() {
        let whole = object([
            ("a\"", list(["1".to_owned(), text("x\ny")])),
            ("b", optional(None)),
            ("c", value(&Value::from(2)).unwrap_or_default()),
        ]);
        assert_eq!(whole, r#"{"a\"":[1,"x\ny"],"b":null,"c":2}"#);
    }
}
