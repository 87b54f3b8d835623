//! Arrays and hashes as text, on one line or indented.

use std::sync::LazyLock;

use hierarch_source::Result;

use super::Format;
use super::convert::{is_container, text};
use super::map::FormatMap;
use crate::{Hash, Type, Value, infer, issues};

/// How deep a container stands, and whether lines are broken there.
#[derive(Clone, Copy)]
pub(super) struct Indent {
    pub(super) level: usize,
    is_first: bool,
    pub(super) is_indenting: bool,
    /// How many bytes a container may take.
    most: usize,
}

impl Indent {
    /// Outside of all containers.
    pub(super) fn top(most: usize) -> Self {
        Self { level: 0, is_first: true, is_indenting: false, most }
    }

    fn deeper(self, is_indenting: bool) -> Self {
        Self { level: self.level + 1, is_first: true, is_indenting, ..self }
    }

    fn breaks(self) -> bool {
        self.is_indenting && self.level > 0 && !self.is_first
    }

    fn padding(self) -> String {
        "  ".repeat(self.level)
    }
}

/// What is left of the bytes that the elements of a container may make: each may be wide, and there may be many.
struct Budget {
    most: usize,
    left: usize,
}

impl Budget {
    /// Takes the length of an element and of what stands after it.
    fn spend(&mut self, text: String, separator: &str) -> Result<String> {
        let length = text.len() + separator.len();
        self.left = self.left.checked_sub(length).ok_or_else(|| issues::too_large(self.most))?;
        Ok(text)
    }
}

/// The formats of elements where a container's format has none.
static CONTAINED: LazyLock<FormatMap> = LazyLock::new(|| {
    FormatMap::new(vec![(Type::any(), Format::parse("%p").expect("a built-in format is well-formed"))])
});

fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

fn element_text(value: &Value, format: &Format, formats: &FormatMap, indent: Indent) -> Result<String> {
    let type_ = infer::detailed(value);
    let contained = format.contained.as_ref().unwrap_or(&CONTAINED);
    text(value, &type_, if is_container(&type_) { formats } else { contained }, indent)
}

/// Starts a container on a line of its own where lines are broken.
fn opened(indent: Indent, delimiter: &str) -> String {
    if indent.breaks() { format!("\n{}{delimiter}", indent.padding()) } else { delimiter.to_owned() }
}

pub(super) fn array(
    elements: &[Value],
    format: &Format,
    formats: &FormatMap,
    indent: Indent,
) -> Result<String> {
    if !matches!(format.letter, 'a' | 's' | 'p') {
        return Err(issues::illegal_format("Array", format.letter, "asp"));
    }
    let separator = format.separator.as_deref().unwrap_or(", ");
    let delimiters = format.delimiters(["[", "]"]);
    let indent = Indent { is_indenting: format.alt || indent.is_indenting, ..indent };
    let children = Indent { is_first: false, ..indent.deeper(format.alt) };
    let mut budget = Budget { most: indent.most, left: indent.most };
    let texts: Vec<String> = elements
        .iter()
        .map(|element| budget.spend(element_text(element, format, formats, children)?, separator))
        .collect::<Result<_>>()?;
    let breaks_each = format.alt && format.width.is_some_and(|width| widest_run(elements, &texts) > width);
    let mut out = opened(indent, delimiters[0]);
    for (index, (element, text)) in elements.iter().zip(&texts).enumerate() {
        if index == 0 {
            if breaks_each && !is_nested(element) {
                out.push(' ');
            }
        } else {
            out.push_str(separator);
            let after_nested = format.alt && is_nested(&elements[index - 1]);
            if (breaks_each || after_nested) && !is_nested(element) {
                break_line(&mut out, &children.padding());
            }
        }
        if out.ends_with(' ') && text.starts_with('\n') {
            out.truncate(out.trim_end().len());
        }
        out.push_str(text);
    }
    out.push_str(delimiters[1]);
    Ok(out)
}

fn break_line(out: &mut String, padding: &str) {
    if !out.ends_with('\n') {
        out.truncate(out.trim_end().len());
    }
    out.push('\n');
    out.push_str(padding);
}

/// The length of the longest run of elements between nested containers.
fn widest_run(elements: &[Value], texts: &[String]) -> usize {
    let (mut widest, mut run) = (0, 0);
    for (element, text) in elements.iter().zip(texts) {
        run = if is_nested(element) { 0 } else { run + text.chars().count() };
        widest = widest.max(run);
    }
    widest
}

pub(super) fn hash(hash: &Hash, format: &Format, formats: &FormatMap, indent: Indent) -> Result<String> {
    match format.letter {
        'a' => {
            let pairs =
                hash.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect();
            let pairs = Value::array(pairs);
            return text(&pairs, &infer::detailed(&pairs), formats, indent);
        }
        'h' | 's' | 'p' => {}
        _ => return Err(issues::illegal_format("Hash", format.letter, "hasp")),
    }
    let mut separator = format.separator.as_deref().unwrap_or(", ").to_owned();
    let arrow = format.separator2.as_deref().unwrap_or(" => ");
    let delimiters = format.delimiters(["{", "}"]);
    if format.alt {
        if !separator.ends_with('\n') {
            separator.truncate(separator.trim_end().len());
        }
        separator.push('\n');
    }
    let indent = Indent { is_indenting: format.alt || indent.is_indenting, ..indent };
    let children = indent.deeper(false);
    let padding = if format.alt { children.padding() } else { String::new() };
    let mut entries = Vec::with_capacity(hash.len());
    let mut budget = Budget { most: indent.most, left: indent.most };
    for (key, value) in hash {
        let key = element_text(key, format, formats, children)?;
        let value = element_text(value, format, formats, children)?;
        entries.push(budget.spend(format!("{padding}{key}{arrow}{value}"), &separator)?);
    }
    let (before, after) =
        if format.alt { ("\n", format!("\n{}", indent.padding())) } else { ("", String::new()) };
    Ok(format!(
        "{}{before}{}{after}{}",
        opened(indent, delimiters[0]),
        entries.join(&separator),
        delimiters[1]
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    #[test]
    fn lists_are_enclosed_and_separated() {
        check_facts(&[
            ("String([], '%a')", "'[]'"),
            ("String([1, 'a', undef], '%a')", r"'[1, \'a\', undef]'"),
            ("String([1, 'a', undef], '%s')", r"'[1, \'a\', undef]'"),
            ("String([1, 'a', undef], '%p')", r"'[1, \'a\', undef]'"),
            ("String([1, 'a'], '%(a')", r"'(1, \'a\')'"),
            ("String([1, 'a'], '%<a')", r"'<1, \'a\'>'"),
            ("String([1, 'a'], '%{a')", r"'{1, \'a\'}'"),
            ("String([1, 'a'], '%|a')", r"'|1, \'a\'|'"),
            ("String([1, 'a'], '% a')", r"'1, \'a\''"),
            ("String([1, [2, [3]]], '% a')", "'1, 2, 3'"),
            ("String([1, [2, [3]]], '%(a')", "'(1, (2, (3)))'"),
            ("String([1, 2], {Array => {format => '%a', separator => '; '}})", "'[1; 2]'"),
            ("String([1, 2], {Array => {format => '% a', separator => ''}})", "'12'"),
            (
                "String([1, 'a'], {Array => {format => '%a', string_formats => {Integer => '%#x'}}})",
                r"'[0x1, \'a\']'",
            ),
            ("String([1, 'a'], {Array => {format => '%a', string_formats => {Any => '%s'}}})", "'[1, a]'"),
            (
                "String([1, ['b', 2]], {Array => {format => '%a', string_formats => {String => '%u'}}})",
                "'[1, [B, 2]]'",
            ),
            ("String([1, ['b', 2]], {Array => '%(a', Integer => '%x'})", r"'(1, (\'b\', 2))'"),
            ("String({}, '%h')", "'{}'"),
            ("String({a => 1, 2 => [b]}, '%h')", r"'{\'a\' => 1, 2 => [\'b\']}'"),
            ("String({a => 1, 2 => [b]}, '%a')", r"'[[\'a\', 1], [2, [\'b\']]]'"),
            ("String({a => 1}, '%(h')", r"'(\'a\' => 1)'"),
            ("String({a => 1}, '% h')", r"'\'a\' => 1'"),
            (
                "String({a => 1, b => 2}, {Hash => {format => '%h', separator => '; ', separator2 => ': '}})",
                r"'{\'a\': 1; \'b\': 2}'",
            ),
            (
                "String({a => 1, b => 2}, {Hash => {format => '% h', separator => '&', separator2 => '=', string_formats => {Any => '%s'}}})",
                "'a=1&b=2'",
            ),
            ("String({a => {b => {c => 1}}}, {Hash => '%<h'})", r"'<\'a\' => <\'b\' => <\'c\' => 1>>>'"),
            ("String({a => [1, 2]}, {Hash => '%(h', Array => '%|a'})", r"'(\'a\' => |1, 2|)'"),
        ]);
    }

    /// `#` breaks lines: each hash, and lists inside of others that are wider than the format allows.
    #[test]
    fn indented_collections_have_their_lines() {
        check_facts(&[
            ("String([1, 2, 3], '%#a')", "'[1, 2, 3]'"),
            ("String([1, [2, 3], 4], '%#a')", r#""[1,\n  [2, 3],\n  4]""#),
            ("String([[1], [2]], '%#a')", r#""[\n  [1],\n  [2]]""#),
            ("String([1, 2, {a => 1}], '%#a')", r#""[1, 2,\n  {'a' => 1}]""#),
            ("String(['aaaa', 'bbbb', 'cccc'], '%#10a')", r#""[ 'aaaa',\n  'bbbb',\n  'cccc']""#),
            ("String(['aaaa', 'bbbb', 'cccc'], '%#40a')", r"'[\'aaaa\', \'bbbb\', \'cccc\']'"),
            ("String(['aaaa', ['bbbb', 'cccc']], '%#4a')", r#""[ 'aaaa',\n  [ 'bbbb',\n    'cccc']]""#),
            ("String({a => 1, b => 2}, '%#h')", r#""{\n  'a' => 1,\n  'b' => 2\n}""#),
            (
                "String({a => {b => {c => 1}}}, '%#h')",
                r#""{\n  'a' => {\n    'b' => {\n      'c' => 1\n    }\n  }\n}""#,
            ),
            ("String({a => [1, 2]}, '%#h')", r#""{\n  'a' => [1, 2]\n}""#),
            (
                "String({a => [1, [2, 3]], b => []}, {Hash => '%#h', Array => '%#a'})",
                r#""{\n  'a' => [1,\n    [2, 3]],\n  'b' => []\n}""#,
            ),
            (
                "String([{a => 1}, {b => 2}], {Hash => '%#h', Array => '%#a'})",
                r#""[\n  {\n    'a' => 1\n  },\n  {\n    'b' => 2\n  }]""#,
            ),
            ("String({}, '%#h')", r#""{\n\n}""#),
            ("String([], '%#a')", "'[]'"),
            (
                r#"String({a => 1}, {Hash => {format => '%#h', separator => ";\n", separator2 => ' = '}})"#,
                r#""{\n  'a' = 1\n}""#,
            ),
            ("String([1, [2]], {Array => {format => '%#a', separator => ' '}})", r#""[1\n  [2]]""#),
        ]);
    }
}
