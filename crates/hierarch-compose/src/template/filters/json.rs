//! JSON as Python writes and reads it.

use hierarch_pcore::Value;
use hierarch_pcore::data::from_json;

use super::super::call::{BoundArguments, Function, function, int};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::show::type_name;
use super::super::value::{Flavor, Val};
use crate::expr::python;

pub(super) static FILTERS: &[Function] = &[
    function("to_json", &["a", "**kw"], |renderer, given| {
        let layout = layout(renderer, given, JsonLayout::new(true, false, None))?;
        stays(renderer, given, &layout)
    }),
    function("to_nice_json", &["a", "indent?", "sort_keys?", "**kw"], |renderer, given| {
        let indent = match given.get(1) {
            Some(Val::None) => None,
            _ => Some(given.count(1, 4)?),
        };
        let sorted = given.truth(renderer, 2, true)?;
        let mut layout = layout(renderer, given, JsonLayout::new(true, sorted, indent))?;
        layout.comma = ",".into();
        stays(renderer, given, &layout)
    }),
    function("tojson", &["value", "indent?"], tojson),
    function("from_json", &["s", "**kw"], |renderer, given| {
        let text = given.text_for(0, "decode")?;
        let json: serde_json::Value = serde_json::from_str(&text).map_err(|error| issues::no_json(&error))?;
        renderer.made(from_json(&json))
    }),
];

/// Reads the named arguments that Python's `json.dumps` takes.
fn layout(renderer: &mut Renderer, given: &BoundArguments, mut layout: JsonLayout) -> Checked<JsonLayout> {
    for (name, value) in &given.named {
        match name.as_str() {
            "indent" => {
                layout.indent = match value {
                    Val::None => None,
                    value => Some(usize::try_from(int(value)?.max(0)).unwrap_or(usize::MAX)),
                };
                layout.comma = if layout.indent.is_some() { "," } else { ", " }.into();
            }
            "sort_keys" => layout.sorted = renderer.truth(value)?,
            "ensure_ascii" => layout.ascii = renderer.truth(value)?,
            "separators" => {
                let parts = renderer.items(value)?;
                let [comma, colon] = parts.as_slice() else { return Err(issues::bad_separators()) };
                layout.comma = renderer.printed(comma)?;
                layout.colon = renderer.printed(colon)?;
            }
            "vault_to_text" | "preprocess_unsafe" | "skipkeys" | "allow_nan" | "check_circular" => {}
            other => return Err(issues::unknown_argument_named("to_json", other)),
        }
    }
    Ok(layout)
}

/// What Python's `json` has no form for, among the things that print themselves.
const NOT_WRITABLE: [&str; 3] = ["function", "method", "builtin_function_or_method"];

/// Refuses what Python's `json` refuses, wherever it stands: ranges, views of maps, functions, keys that are lists.
fn check_writable(renderer: &Renderer, value: &Val, depth: usize) -> Checked<()> {
    renderer.budget.fits_depth(depth)?;
    let name = type_name(value);
    match value {
        Val::Rolled(_) => Err(issues::not_json(name)),
        Val::Object(_) if NOT_WRITABLE.contains(&name) => Err(issues::not_json(name)),
        Val::List(list) | Val::Tuple(list) => {
            let items = list.items.borrow();
            items.iter().try_for_each(|item| check_writable(renderer, item, depth + 1))
        }
        Val::Dict(dict) => dict.pairs.borrow().values().try_for_each(|(key, value)| match key {
            Val::Tuple(_) => Err(issues::not_a_json_key(type_name(key))),
            _ => check_writable(renderer, value, depth + 1),
        }),
        _ => Ok(()),
    }
}

fn stays(renderer: &mut Renderer, given: &BoundArguments, layout: &JsonLayout) -> Checked<Val> {
    check_writable(renderer, given.value(0), 0)?;
    let value = renderer.finished(given.value(0))?;
    let text = layout.checked_text(renderer, &value)?;
    renderer.flavored(text, Flavor::Stays)
}

/// Jinja2's own: keys in order, and nothing in it that HTML would take for more than text.
fn tojson(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let indent = match given.get(1) {
        None | Some(Val::None) => None,
        Some(_) => Some(given.count(1, 0)?),
    };
    check_writable(renderer, given.value(0), 0)?;
    let value = renderer.finished(given.value(0))?;
    let text = JsonLayout::new(true, true, indent).checked_text(renderer, &value)?;
    let marks = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\'', "\\u0027")];
    let text = marks.iter().fold(text, |text, (letter, mark)| text.replace(*letter, mark));
    renderer.flavored(text, Flavor::Markup)
}

/// Writes JSON with an indentation of two, keys in their order.
pub(crate) fn pretty_json(value: &Value) -> String {
    JsonLayout::new(true, false, Some(2)).text(value)
}

struct JsonLayout {
    ascii: bool,
    sorted: bool,
    indent: Option<usize>,
    comma: String,
    colon: String,
}

impl JsonLayout {
    fn new(ascii: bool, sorted: bool, indent: Option<usize>) -> Self {
        let comma = if indent.is_some() { "," } else { ", " };
        Self { ascii, sorted, indent, comma: comma.into(), colon: ": ".into() }
    }
}

impl JsonLayout {
    /// Writes a value, unless the blanks in front of its lines alone are too many.
    fn checked_text(&self, renderer: &Renderer, value: &Value) -> Checked<String> {
        if self.sorted {
            sortable(value)?;
        }
        renderer.fits(margins(value, self.indent.unwrap_or(0), 1))?;
        Ok(self.text(value))
    }

    fn text(&self, value: &Value) -> String {
        let mut out = String::new();
        self.write(value, 0, &mut out);
        out
    }

    fn write(&self, value: &Value, level: usize, out: &mut String) {
        match value {
            Value::Undef => out.push_str("null"),
            Value::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Value::Array(items) => {
                self.members(out, level, ['[', ']'], items.iter(), |item, out| {
                    self.write(item, level + 1, out);
                });
            }
            Value::Hash(map) => {
                let mut pairs: Vec<(String, &Value)> =
                    map.iter().map(|(key, value)| (key_text(key), value)).collect();
                if self.sorted {
                    pairs.sort_by(|a, b| a.0.cmp(&b.0));
                }
                self.members(out, level, ['{', '}'], pairs.iter(), |(key, value), out| {
                    self.quote(key, out);
                    out.push_str(&self.colon);
                    self.write(value, level + 1, out);
                });
            }
            Value::Float(number) if !number.is_finite() => {
                out.push_str(if number.is_nan() {
                    "NaN"
                } else if *number > 0.0 {
                    "Infinity"
                } else {
                    "-Infinity"
                });
            }
            Value::Integer(_) | Value::Float(_) => out.push_str(&python::repr(value)),
            Value::Foreign(foreign) if foreign.digits().is_some() => out.push_str(&foreign.text()),
            other => self.quote(&python::text(other), out),
        }
    }

    fn members<T>(
        &self,
        out: &mut String,
        level: usize,
        [open, close]: [char; 2],
        members: impl ExactSizeIterator<Item = T>,
        write: impl Fn(T, &mut String),
    ) {
        out.push(open);
        let any = members.len() > 0;
        for (index, member) in members.enumerate() {
            if index > 0 {
                out.push_str(&self.comma);
            }
            self.line(level + 1, out);
            write(member, out);
        }
        if any {
            self.line(level, out);
        }
        out.push(close);
    }

    fn line(&self, level: usize, out: &mut String) {
        if let Some(indent) = self.indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent * level));
        }
    }

    fn quote(&self, text: &str, out: &mut String) {
        let quoted = serde_json::Value::from(text).to_string();
        if !self.ascii {
            out.push_str(&quoted);
            return;
        }
        for c in quoted.chars() {
            if c.is_ascii() && c != '\u{7f}' {
                out.push(c);
            } else {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
}

/// Refuses maps whose keys Python can not compare.
fn sortable(value: &Value) -> Checked<()> {
    match value {
        Value::Array(items) => items.iter().try_for_each(sortable),
        Value::Hash(map) => {
            let keys: Vec<&Value> = map.keys().collect();
            let is_unlike = |pair: &&[&Value]| !are_ordered(pair[0], pair[1]);
            if let Some(pair) = keys.windows(2).find(is_unlike) {
                return Err(issues::not_ordered("<", key_type(pair[1]), key_type(pair[0])));
            }
            map.values().try_for_each(sortable)
        }
        _ => Ok(()),
    }
}

/// Tells whether Python can say which of two keys comes first.
fn are_ordered(a: &Value, b: &Value) -> bool {
    let is_number = |key: &Value| !matches!(key, Value::Undef | Value::String(_));
    !a.is_undef() && !b.is_undef() && is_number(a) == is_number(b)
}

fn key_type(key: &Value) -> &'static str {
    match key {
        Value::Undef => "NoneType",
        Value::Boolean(_) => "bool",
        Value::Float(_) => "float",
        Value::String(_) => "str",
        _ => "int",
    }
}

/// Counts the blanks in front of the lines of what is in a value.
fn margins(value: &Value, indent: usize, level: usize) -> usize {
    let line = |part: &Value| {
        indent.saturating_mul(level).saturating_add(margins(part, indent, level.saturating_add(1)))
    };
    let lines = |sum: usize, part: &Value| sum.saturating_add(line(part));
    match value {
        Value::Array(items) => items.iter().fold(0, lines),
        Value::Hash(map) => map.values().fold(0, lines),
        _ => 0,
    }
}

fn key_text(key: &Value) -> String {
    match key {
        Value::Undef => "null".into(),
        Value::Boolean(truth) => truth.to_string(),
        other => python::text(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_python_does() {
        let value = from_json(&serde_json::json!({"b": [1, true, null], "a": "é"}));
        let layout = JsonLayout::new(true, true, None);
        assert_eq!(layout.text(&value), r#"{"a": "\u00e9", "b": [1, true, null]}"#);
        assert_eq!(pretty_json(&from_json(&serde_json::json!({"a": 1}))), "{\n  \"a\": 1\n}");
    }
}
