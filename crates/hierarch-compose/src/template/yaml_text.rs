//! YAML as PyYAML writes it, which is what Ansible's `to_yaml` and `to_nice_yaml` give.

use std::cmp::Ordering;
use std::sync::OnceLock;

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::{Hash, Value};

use crate::expr::python;

/// How a document is written.
pub(super) struct Layout {
    pub(super) indent: usize,
    pub(super) width: usize,
    pub(super) sorted: bool,
    /// Which collections stand on one line.
    pub(super) flow: Flow,
}

/// Which collections stand on one line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Never,
    /// Those that hold scalars only.
    Leaves,
    Always,
}

impl Layout {
    pub(super) const NEVER: Flow = Flow::Never;
    pub(super) const LEAVES: Flow = Flow::Leaves;
    pub(super) const ALWAYS: Flow = Flow::Always;

    /// Writes a document.
    pub(super) fn text(&self, value: &Value) -> String {
        let mut writer = Writer { layout: self, out: String::new(), flow: 0 };
        match value {
            Value::Array(items) if !writer.is_flow(value) => writer.list(items, 0, false),
            Value::Hash(map) if !writer.is_flow(value) => writer.map(map, 0),
            _ => {
                writer.inline(value, 0);
                writer.out.push('\n');
            }
        }
        writer.out
    }
}

impl Flow {
    fn holds(self, leaf: bool) -> bool {
        self == Self::Always || (self == Self::Leaves && leaf)
    }
}

struct Writer<'l> {
    layout: &'l Layout,
    out: String,
    /// How many collections on one line are open.
    flow: usize,
}

impl Writer<'_> {
    fn is_flow(&self, value: &Value) -> bool {
        let scalar = |value: &Value| !matches!(value, Value::Array(_) | Value::Hash(_));
        match value {
            Value::Array(items) => items.is_empty() || self.layout.flow.holds(items.iter().all(scalar)),
            Value::Hash(map) => map.is_empty() || self.layout.flow.holds(map.values().all(scalar)),
            _ => true,
        }
    }

    fn start_line(&mut self, level: usize) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', level));
    }

    fn pairs<'v>(&self, map: &'v Hash) -> Vec<(&'v Value, &'v Value)> {
        let mut pairs: Vec<_> = map.iter().collect();
        if self.layout.sorted {
            // Keys that Python can not compare stay in their order.
            if pairs.iter().all(|(key, _)| key.as_str().is_some()) {
                pairs.sort_by_key(|(key, _)| python::text(key));
            } else if pairs.iter().all(|(key, _)| key.as_number().is_some()) {
                pairs.sort_by(|(a, _), (b, _)| {
                    a.as_number().partial_cmp(&b.as_number()).unwrap_or(Ordering::Equal)
                });
            }
        }
        pairs
    }

    fn map(&mut self, map: &Hash, level: usize) {
        for (index, (key, value)) in self.pairs(map).into_iter().enumerate() {
            if index > 0 || !self.out.ends_with(' ') {
                self.start_line(level);
            }
            self.inline(key, level);
            self.out.push(':');
            self.below(value, level);
        }
    }

    /// Writes what follows a key: on its line, or on lines of its own. Lists are not indented there.
    fn below(&mut self, value: &Value, level: usize) {
        match value {
            Value::Hash(map) if !self.is_flow(value) => self.map(map, level + self.layout.indent),
            Value::Array(items) if !self.is_flow(value) => self.list(items, level, false),
            other => {
                self.out.push(' ');
                self.inline(other, level + self.layout.indent);
                self.out.push('\n');
            }
        }
    }

    fn list(&mut self, items: &[Value], level: usize, begun: bool) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 || !begun {
                self.start_line(level);
            }
            self.out.push('-');
            let inner = level + self.layout.indent;
            match item {
                Value::Hash(map) if !self.is_flow(item) => {
                    self.out.extend(std::iter::repeat_n(' ', self.layout.indent.saturating_sub(1)));
                    self.map(map, inner);
                }
                Value::Array(items) if !self.is_flow(item) => {
                    self.out.extend(std::iter::repeat_n(' ', self.layout.indent.saturating_sub(1)));
                    self.list(items, inner, true);
                }
                other => {
                    self.out.push(' ');
                    self.inline(other, inner);
                    self.out.push('\n');
                }
            }
        }
    }

    fn inline(&mut self, value: &Value, level: usize) {
        match value {
            Value::Array(items) => {
                let level = level.max(self.layout.indent);
                self.out.push('[');
                self.flow += 1;
                for (index, item) in items.iter().enumerate() {
                    self.next_member(index, level);
                    self.inline(item, level + self.layout.indent);
                }
                self.flow -= 1;
                self.out.push(']');
            }
            Value::Hash(map) => {
                let level = level.max(self.layout.indent);
                self.out.push('{');
                self.flow += 1;
                for (index, (key, value)) in self.pairs(map).into_iter().enumerate() {
                    self.next_member(index, level);
                    self.inline(key, level + self.layout.indent);
                    self.out.push_str(": ");
                    self.inline(value, level + self.layout.indent);
                }
                self.flow -= 1;
                self.out.push('}');
            }
            Value::Undef => self.out.push_str("null"),
            Value::Boolean(truth) => self.out.push_str(if *truth { "true" } else { "false" }),
            Value::Integer(_) => self.out.push_str(&python::repr(value)),
            Value::Float(number) => self.out.push_str(&float(*number)),
            other => self.string(&python::text(other), level),
        }
    }

    /// Goes on to the next member of a collection on one line; where that is too long already, on a new one.
    fn next_member(&mut self, index: usize, level: usize) {
        self.out.push_str(if index > 0 { "," } else { "" });
        let column = self.out.rsplit('\n').next().map_or(0, |line| line.chars().count());
        if column > self.layout.width {
            self.start_line(level);
        } else if index > 0 {
            self.out.push(' ');
        }
    }

    fn string(&mut self, text: &str, level: usize) {
        let level = level.max(self.layout.indent);
        if needs_double_quotes(text) {
            self.double_quoted(text, level);
        } else if can_be_plain(text, self.flow > 0) {
            self.folded(text, level, "", str::to_owned);
        } else {
            self.folded(text, level, "'", |piece| piece.replace('\'', "''"));
        }
    }

    /// Writes a text, broken at single blanks where the line gets too long; a line break becomes an empty line.
    fn folded(&mut self, text: &str, level: usize, quote: &str, escape: impl Fn(&str) -> String) {
        self.out.push_str(quote);
        let mut rest = text;
        loop {
            let line = rest.split('\n').next().unwrap_or_default();
            self.words(line, level, &escape);
            rest = &rest[line.len()..];
            let breaks = rest.len() - rest.trim_start_matches('\n').len();
            if breaks == 0 {
                break;
            }
            self.out.extend(std::iter::repeat_n('\n', breaks + 1));
            self.out.extend(std::iter::repeat_n(' ', level));
            rest = &rest[breaks..];
        }
        self.out.push_str(quote);
    }

    fn words(&mut self, line: &str, level: usize, escape: &impl Fn(&str) -> String) {
        let mut rest = line;
        while let Some((word, after)) = rest.split_once(' ') {
            self.out.push_str(&escape(word));
            let single = !word.is_empty() && !after.starts_with(' ') && !after.is_empty();
            if single && self.column() > self.layout.width {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', level));
            } else {
                self.out.push(' ');
            }
            rest = after;
        }
        self.out.push_str(&escape(rest));
    }

    /// Writes a text with escapes, broken at single blanks where the line gets too long.
    fn double_quoted(&mut self, text: &str, level: usize) {
        self.out.push('"');
        let last = text.chars().count().saturating_sub(1);
        let mut characters = text.chars().enumerate().peekable();
        let mut is_after_blank = false;
        while let Some((index, c)) = characters.next() {
            let may_break = c == ' ' && !is_after_blank && index > 0 && index < last;
            if may_break && self.column() > self.layout.width {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', level));
                if characters.peek().is_some_and(|(_, next)| *next == ' ') {
                    self.out.push('\\');
                }
            } else {
                push_escaped(&mut self.out, c);
            }
            is_after_blank = c == ' ';
        }
        self.out.push('"');
    }

    fn column(&self) -> usize {
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        line.chars().count()
    }
}

fn float(number: f64) -> String {
    if number.is_nan() {
        return ".nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf".into() } else { "-.inf".into() };
    }
    let text = python::repr(&number.into());
    // YAML 1.1 wants a point in what is a float.
    if text.contains('.') { text } else { text.replacen('e', ".0e", 1) }
}

fn needs_double_quotes(text: &str) -> bool {
    let special = |c: char| c != '\n' && (is_unprintable(c) || matches!(c, '\u{2028}' | '\u{2029}'));
    text.chars().any(special) || text.contains(" \n") || text.contains("\n ")
}

/// Tells whether libyaml, which Ansible writes with, escapes a character wherever it stands.
fn is_unprintable(c: char) -> bool {
    c.is_control() || c > '\u{fffd}' || c == '\u{feff}'
}

fn push_escaped(out: &mut String, c: char) {
    let short = match c {
        '"' | '\\' => c,
        '\n' => 'n',
        '\t' => 't',
        '\r' => 'r',
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\u{85}' => 'N',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        '\u{1b}' => 'e',
        c if !is_unprintable(c) => return out.push(c),
        c => {
            let code = u32::from(c);
            let (letter, width) = match code {
                0..=0xff => ('x', 2),
                0x100..=0xffff => ('u', 4),
                _ => ('U', 8),
            };
            return out.push_str(&format!("\\{letter}{code:0width$X}"));
        }
    };
    out.extend(['\\', short]);
}

fn can_be_plain(text: &str, flow: bool) -> bool {
    let indicator = |c: char| "#,[]{}&*!|>'\"%@` ".contains(c);
    let lone =
        |mark: char| text.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let bad_start = text.chars().next().is_none_or(indicator)
        || ['?', ':', '-'].into_iter().any(lone)
        || text.starts_with("---")
        || text.starts_with("...");
    let inside =
        text.contains(": ") || text.ends_with([':', ' ']) || text.contains(" #") || text.contains('\n');
    let in_flow = flow && text.contains([',', '?', '[', ']', '{', '}', ':']);
    !bad_start && !inside && !in_flow && !is_resolved(text)
}

/// Tells whether YAML 1.1 reads a plain text as something other than a text.
fn is_resolved(text: &str) -> bool {
    static RULES: OnceLock<Option<Regexp>> = OnceLock::new();
    const WORDS: &str =
        "yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|false|False|FALSE|~|null|Null|NULL|=|<<";
    const INTEGERS: &str = "[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+";
    const FLOATS: &str = r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)";
    const DATES: &str = r"\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?";
    let rules =
        RULES.get_or_init(|| Regexp::new(format!(r"\A(?:{WORDS}|{INTEGERS}|{FLOATS}|{DATES})\z")).ok());
    rules.as_ref().is_some_and(|rules| rules.is_match(text).unwrap_or(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<Value>, wanted: &str) {
        let layout = Layout { indent: 4, width: 80, sorted: true, flow: Flow::Never };
        assert_eq!(layout.text(&value.into()), wanted);
    }

    #[test]
    fn texts_are_quoted_where_pyyaml_quotes_them() {
        let texts = [
            ("a b", "- a b\n"),
            ("yes", "- 'yes'\n"),
            ("1", "- '1'\n"),
            ("", "- ''\n"),
            ("a: b", "- 'a: b'\n"),
            ("it's", "- it's\n"),
            ("- x", "- '- x'\n"),
            ("2024-01-01", "- '2024-01-01'\n"),
            ("a\tb", "- \"a\\tb\"\n"),
            ("a, b", "- a, b\n"),
            ("x:y", "- x:y\n"),
            ("a #b", "- 'a #b'\n"),
            (":sym", "- :sym\n"),
            ("a [b]", "- a [b]\n"),
            ("1e3", "- 1e3\n"),
            ("1:30", "- '1:30'\n"),
            ("a\n", "- 'a\n\n    '\n"),
            ("a\n\nb", "- 'a\n\n\n    b'\n"),
            ("a\n b", "- \"a\\n b\"\n"),
            ("x ", "- 'x '\n"),
        ];
        for (text, wanted) in texts {
            check(Value::array(vec![text.into()]), wanted);
        }
    }

    #[test]
    fn scalars_alone_are_a_line() {
        check(1, "1\n");
        check("yes", "'yes'\n");
        check(Value::array(Vec::new()), "[]\n");
    }

    #[test]
    fn lists_in_lists_begin_on_the_same_line() {
        let inner = Value::array(vec![1.into(), 2.into()]);
        check(Value::array(vec![inner, 3.into()]), "-   - 1\n    - 2\n- 3\n");
    }
}
