//! Data as text: scalars that read back as what they are, collections in block or flow style.

use std::fmt::Write;

use hierarch_bits::{base64, decimal};

use crate::data::Data;
use crate::node::{Dialect, Style};
use crate::schema::{self, Scalar};

/// Returns the text of a scalar as it is written without quotes.
pub fn scalar_text(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Null => "null".into(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Big(digits) => digits.clone(),
        Scalar::Float(value) => float_text(*value),
        Scalar::Str(text) => text.to_string(),
        Scalar::Symbol(name) => format!(":{name}"),
        Scalar::Binary(bytes) => base64::encode(bytes),
    }
}

fn float_text(value: f64) -> String {
    if value.is_nan() {
        ".nan".into()
    } else if value.is_infinite() {
        if value > 0.0 { ".inf".into() } else { "-.inf".into() }
    } else {
        let text = format!("{value:?}");
        let Some((mantissa, exponent)) = text.split_once('e') else {
            let shortest = decimal::plain(value);
            return if shortest.contains('.') { shortest } else { shortest + ".0" };
        };
        // Both dialects want a dot and a signed exponent: 1e300 is written 1.0e+300.
        let dot = if mantissa.contains('.') { "" } else { ".0" };
        let sign = if exponent.starts_with('-') { "" } else { "+" };
        format!("{mantissa}{dot}e{sign}{exponent}")
    }
}

/// Returns a short one-line form for messages.
pub fn brief(data: &Data) -> String {
    shortened(flow(data, &Layout::default()))
}

/// Returns a text for messages, shortened if it is long.
pub fn shortened(text: String) -> String {
    if text.chars().count() <= 60 { text } else { text.chars().take(57).collect::<String>() + "..." }
}

/// Returns data in one line, whole.
pub fn line(data: &Data) -> String {
    flow(data, &Layout::default())
}

/// How new text is laid out.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Whose reader must read it back.
    pub dialect: Dialect,
    /// How much deeper the children of a map stand.
    pub step: usize,
    /// How much deeper the items of a list stand than the key of the list.
    pub list_step: usize,
    /// The line break.
    pub newline: &'static str,
    /// JSON allows double quotes only, and wants null by name.
    pub json: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self { dialect: Dialect::Core, step: 2, list_step: 0, newline: "\n", json: false }
    }
}

/// Where a scalar is to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// A key of a block map.
    Key,
    /// Between brackets.
    Flow,
    /// A value in a block collection whose parent stands at this column.
    Block(usize),
}

/// Writes a scalar, in the wanted style if that can hold it.
pub(crate) fn scalar(scalar: &Scalar, wanted: Option<Style>, spot: Spot, layout: &Layout) -> String {
    match scalar {
        Scalar::Str(text) => string(text, wanted, spot, layout),
        Scalar::Null if layout.json => "null".into(),
        Scalar::Null => match spot {
            Spot::Block(_) => String::new(),
            Spot::Flow | Spot::Key => "null".into(),
        },
        Scalar::Binary(bytes) => format!("!!binary {}", base64::encode(bytes)),
        other => {
            let text = scalar_text(other);
            // A symbol or a number is only itself where its dialect reads it so.
            if schema::reads_as(&text, other, layout.dialect) { text } else { single(&text) }
        }
    }
}

fn string(text: &str, wanted: Option<Style>, spot: Spot, layout: &Layout) -> String {
    if layout.json {
        return double(text);
    }
    match wanted {
        Some(Style::Single) if fits_single(text) => return single(text),
        Some(Style::Double) => return double(text),
        Some(style @ (Style::Literal | Style::Folded)) => {
            if let Spot::Block(column) = spot
                && fits_literal(text)
            {
                return literal(
                    text,
                    if style == Style::Folded && !folds_badly(text) { '>' } else { '|' },
                    column,
                    layout,
                );
            }
        }
        _ => {}
    }
    if let Spot::Block(column) = spot
        && text.contains('\n')
        && fits_literal(text)
    {
        return literal(text, '|', column, layout);
    }
    if fits_plain(text, spot) && schema::is_text_everywhere(text) {
        text.to_owned()
    } else if fits_single(text) {
        single(text)
    } else {
        double(text)
    }
}

/// Tells whether a text can stand without quotes at a spot, whatever it would mean there.
fn fits_plain(text: &str, spot: Spot) -> bool {
    let Some(first) = text.chars().next() else { return false };
    if text.chars().any(|c| c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{85}')) {
        return false;
    }
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        return false;
    }
    let indicator = matches!(
        first,
        '[' | ']' | '{' | '}' | ',' | '#' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`'
    );
    let second_blank = text.chars().nth(1).is_none_or(char::is_whitespace);
    if indicator || (matches!(first, '-' | '?' | ':') && second_blank) || first == ':' {
        return false;
    }
    if text.starts_with("---")
        || text.starts_with("...")
        || text.contains(": ")
        || text.contains(" #")
        || text.ends_with(':')
    {
        return false;
    }
    let flow_safe =
        !text.contains(['[', ']', '{', '}', ',']) && !text.contains(':') && !matches!(first, '-' | '?');
    // A colon inside a flow scalar is read differently by different readers.
    spot != Spot::Flow || flow_safe
}

fn fits_single(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{85}'))
}

fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn double(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}') => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A literal block keeps lines as they are: it cannot hold control characters, and leading blanks or a text
/// of blank lines would need an indentation indicator.
fn fits_literal(text: &str) -> bool {
    !text.chars().any(|c| {
        (c.is_control() && c != '\n') || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{85}')
    }) && !text.starts_with([' ', '\n'])
        && !text.is_empty()
        && !text.lines().any(|line| line.ends_with(' '))
}

/// Folding joins lines, so only a text without inner line breaks survives it.
fn folds_badly(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n')
}

fn literal(text: &str, sign: char, column: usize, layout: &Layout) -> String {
    let body = text.trim_end_matches('\n');
    let chomp = match text.len() - body.len() {
        0 => "-",
        1 => "",
        _ => "+",
    };
    let pad = " ".repeat(column + layout.step);
    let mut written = format!("{sign}{chomp}");
    let lines = if chomp == "+" { text.strip_suffix('\n').unwrap_or(text) } else { body };
    for line in lines.split('\n') {
        written.push_str(layout.newline);
        if !line.is_empty() {
            written.push_str(&pad);
            written.push_str(line);
        }
    }
    written
}

/// Writes data between brackets.
pub(crate) fn flow(data: &Data, layout: &Layout) -> String {
    match data {
        Data::Scalar(value) => scalar(value, None, Spot::Flow, layout),
        Data::List(items) => {
            let items: Vec<String> = items.iter().map(|item| flow(item, layout)).collect();
            format!("[{}]", items.join(", "))
        }
        Data::Map(entries) => {
            let entries: Vec<String> = entries.iter().map(|(k, v)| flow_entry(k, v, layout)).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

/// Writes a key and its value between brackets.
pub(crate) fn flow_entry(key: &Data, value: &Data, layout: &Layout) -> String {
    format!("{}: {}", flow(key, layout), flow(value, layout))
}

/// Writes a value behind `key:` or `-` in block style, with what separates the two: `" 1"`, a line break and
/// lines, or nothing for null. `column` is where the key or the dash stands.
pub(crate) fn block_value(data: &Data, column: usize, under_dash: bool, layout: &Layout) -> String {
    match data {
        Data::Scalar(value) => {
            let text = scalar(value, None, Spot::Block(column), layout);
            if text.is_empty() { text } else { format!(" {text}") }
        }
        Data::List(items) if items.is_empty() => " []".into(),
        Data::Map(entries) if entries.is_empty() => " {}".into(),
        Data::List(items) if under_dash => format!(" {}", block_items(items, column + 2, layout)),
        Data::Map(entries) if under_dash => format!(" {}", block_entries(entries, column + 2, layout)),
        Data::List(items) => {
            let column = column + layout.list_step;
            format!("{}{}{}", layout.newline, " ".repeat(column), block_items(items, column, layout))
        }
        Data::Map(entries) => {
            let column = column + layout.step;
            format!("{}{}{}", layout.newline, " ".repeat(column), block_entries(entries, column, layout))
        }
    }
}

/// Writes items at a column; the first without its indentation.
pub(crate) fn block_items(items: &[Data], column: usize, layout: &Layout) -> String {
    let gap = format!("{}{}", layout.newline, " ".repeat(column));
    let items: Vec<String> = items.iter().map(|item| block_item(item, column, layout)).collect();
    items.join(&gap)
}

/// Writes one item, dash included.
pub(crate) fn block_item(item: &Data, column: usize, layout: &Layout) -> String {
    format!("-{}", block_value(item, column, true, layout))
}

/// Writes entries at a column; the first without its indentation.
pub(crate) fn block_entries(entries: &[(Data, Data)], column: usize, layout: &Layout) -> String {
    let gap = format!("{}{}", layout.newline, " ".repeat(column));
    let entries: Vec<String> = entries.iter().map(|(k, v)| block_entry(k, v, column, layout)).collect();
    entries.join(&gap)
}

/// Writes one entry.
pub(crate) fn block_entry(key: &Data, value: &Data, column: usize, layout: &Layout) -> String {
    let key = match key {
        Data::Scalar(key) => scalar(key, None, Spot::Key, layout),
        // A collection as a key: rare, and always writable between brackets.
        other => flow(other, layout),
    };
    // How a map or list is to be merged is one thing and stands in one line.
    if key == "+%" {
        return format!("{key}: {}", flow(value, layout));
    }
    format!("{key}:{}", block_value(value, column, false, layout))
}

/// Writes a whole document.
pub fn document(data: &Data, layout: &Layout) -> String {
    let text = match data {
        Data::Map(entries) if !entries.is_empty() => block_entries(entries, 0, layout),
        Data::List(items) if !items.is_empty() => block_items(items, 0, layout),
        Data::Scalar(value) => scalar(value, None, Spot::Flow, layout),
        empty => flow(empty, layout),
    };
    format!("{text}{}", layout.newline)
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;
    use crate::limits::DocumentLimits;
    use crate::scan::read;

    /// Texts that look like something else, or are hard to write.
    const TEXTS: &[&str] = &[
        "",
        " ",
        "a",
        "a b",
        " a",
        "a ",
        "null",
        "~",
        "true",
        "no",
        "on",
        "1",
        "0x1F",
        "1.5",
        "1e3",
        ".inf",
        "-",
        "- a",
        "?",
        ": ",
        "a: b",
        "a #b",
        "#",
        "[",
        "{",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a",
        "'",
        "\"",
        "a'b",
        "\\",
        "\n",
        "a\nb",
        "a\n",
        "a\n\n",
        "\na",
        " \n",
        "\t",
        "a\tb",
        "é",
        "\u{1F600}",
        "\u{7}",
        "\u{85}",
        "\u{feff}",
        "---",
        "...",
        "<<",
        "=",
        ":sym",
        "2001-01-01",
        "12:30:45",
        "1_000",
        "0o17",
        "017",
        "0b1",
        "+1",
        "y",
        "|",
        ">",
        "a,b",
        "a]b",
        "key: |\n  x",
    ];

    fn samples() -> Vec<Data> {
        let mut scalars: Vec<Data> = TEXTS.iter().map(|text| Data::text(*text)).collect();
        let others = [
            Scalar::Null,
            Scalar::Bool(true),
            Scalar::Int(-7),
            Scalar::Int(i64::MIN),
            Scalar::Big("123456789012345678901234567890".into()),
            Scalar::Float(1.5),
            Scalar::Float(1e300),
            Scalar::Float(f64::INFINITY),
            Scalar::Binary(vec![0, 255, 10]),
        ];
        scalars.extend(others.into_iter().map(Data::Scalar));
        let mut samples = Vec::new();
        for scalar in &scalars {
            let pair = |key: &str, value: &Data| (Data::text(key), value.clone());
            samples.push(Data::Map(vec![
                pair("k", scalar),
                pair("l", &Data::List(vec![scalar.clone(), Data::NULL])),
            ]));
            samples.push(Data::List(vec![
                Data::Map(vec![pair("a", scalar), pair("b", scalar)]),
                scalar.clone(),
            ]));
            samples.push(Data::List(vec![
                Data::List(vec![scalar.clone()]),
                Data::Map(Vec::new()),
                Data::List(Vec::new()),
            ]));
        }
        // A text as a key.
        samples.extend(TEXTS.iter().map(|text| Data::Map(vec![(Data::text(*text), Data::text("v"))])));
        samples.extend(scalars);
        samples
    }

    #[test]
    fn what_is_written_is_read_back() {
        for dialect in [Dialect::Core, Dialect::Psych] {
            for (step, list_step, newline) in [(2, 0, "\n"), (4, 2, "\n"), (2, 2, "\r\n")] {
                let layout = Layout { dialect, step, list_step, newline, json: false };
                for sample in samples() {
                    let text = document(&sample, &layout);
                    let tree = read(&Source::unnamed(text.as_str()), dialect, DocumentLimits::default())
                        .unwrap_or_else(|error| panic!("{sample:?} is written as {text:?}: {error}"));
                    let found =
                        tree.root().map_or(Ok(Data::NULL), |root| tree.data(root, DocumentLimits::default()));
                    assert_eq!(found.expect(&text), sample, "{dialect:?}: {text:?}");
                }
            }
        }
    }

    #[test]
    fn a_short_form_is_one_short_line() {
        assert_eq!(brief(&Data::text("a\nb")), r#""a\nb""#);
        let long = brief(&Data::List((0..100).map(|number| Data::Scalar(Scalar::Int(number))).collect()));
        assert!(long.chars().count() == 60 && long.ends_with("..."), "{long}");
    }
}
