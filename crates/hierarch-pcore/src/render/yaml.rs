//! YAML as Ruby's library writes it through libyaml: block style, lines folded at 80 columns.

use super::scalar::{Style, is_break, is_printable, is_simple_key, style_of};
use crate::value::Foreign;
use crate::value::number::float_text;
use crate::{Hash, Value};

/// Returns a YAML document. libyaml takes an indentation that it does not like for two, and a width of zero for 80.
pub(super) fn render(value: &Value, indentation: Option<usize>, width: Option<usize>) -> String {
    let step = indentation.filter(|columns| (2..10).contains(columns)).unwrap_or(2);
    // Lines are folded at the first blank after the width, which is at least twice the indentation.
    let width = width.filter(|width| *width > step * 2).unwrap_or(80);
    let mut emitter = Emitter {
        out: "---".into(),
        step,
        width,
        column: 3,
        whitespace: false,
        indention: false,
        open_ended: false,
    };
    emitter.node(value, Place { step, indent: None, in_mapping: false });
    if !emitter.is_on_new_line() {
        emitter.out.push('\n');
    }
    if emitter.open_ended {
        emitter.out.push_str("...\n");
    }
    emitter.out
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Place {
    /// The columns of a level.
    step: usize,
    /// The indent of what encloses it; none at the top.
    indent: Option<usize>,
    /// It is the value of a key, so that a sequence need not be indented.
    in_mapping: bool,
}

impl Place {
    fn deeper(self) -> usize {
        self.indent.map_or(0, |indent| indent + self.step)
    }

    /// The indent of a scalar's further lines.
    fn of_scalar(self) -> usize {
        self.indent.unwrap_or(0) + self.step
    }
}

struct Emitter {
    out: String,
    step: usize,
    width: usize,
    column: usize,
    /// The last thing written was white space or an indicator that counts as such.
    whitespace: bool,
    /// Only indentation and indicators stand on this line so far.
    indention: bool,
    /// A scalar kept its trailing newlines, so that the end must be marked.
    open_ended: bool,
}

impl Emitter {
    fn node(&mut self, value: &Value, place: Place) {
        match value {
            Value::Array(elements) if elements.is_empty() => self.word("[]"),
            Value::Hash(hash) if hash.is_empty() => self.word("{}"),
            Value::Array(elements) => self.sequence(elements, place),
            Value::Hash(hash) => self.mapping(hash, place),
            Value::Undef => {}
            Value::Default => self.word(":default"),
            Value::Boolean(truth) => self.word(if *truth { "true" } else { "false" }),
            Value::Integer(number) => self.word(&number.to_string()),
            Value::Float(number) => self.word(&float(*number)),
            Value::String(text) => self.string(text, place, false),
            Value::Foreign(foreign) => self.foreign(&**foreign, place, false),
            Value::Binary(binary) => self.binary(&binary.base64(), place),
            other => self.string(&other.to_string(), place, false),
        }
    }

    /// Bytes that are not a text: `!binary |-` and their digits in base 64.
    fn binary(&mut self, digits: &str, place: Place) {
        self.word("!binary");
        self.literal(digits, place.of_scalar());
    }

    fn sequence(&mut self, elements: &[Value], place: Place) {
        let indentless = place.in_mapping && !self.indention;
        let indent = if indentless { place.indent.unwrap_or(0) } else { place.deeper() };
        for element in elements {
            self.indent(indent);
            self.indicator("-", true);
            self.node(element, Place { step: self.step, indent: Some(indent), in_mapping: false });
        }
    }

    fn mapping(&mut self, hash: &Hash, place: Place) {
        let indent = place.deeper();
        let inner = Place { step: self.step, indent: Some(indent), in_mapping: true };
        for (key, value) in hash {
            self.indent(indent);
            if self.key(key, inner) {
                self.put(":");
                self.whitespace = false;
                self.indention = false;
            } else {
                self.indent(indent);
                self.indicator(":", true);
            }
            self.node(value, inner);
        }
    }

    /// Writes a key, and tells whether the colon follows on the same line.
    fn key(&mut self, key: &Value, place: Place) -> bool {
        match key {
            Value::String(text) if is_simple_key(text) => self.string(text, place, true),
            // What Ruby writes for a key that is nil.
            Value::Undef => self.word("! ''"),
            Value::String(_) => return self.complex_key(key, place),
            Value::Array(elements) if !elements.is_empty() => return self.complex_key(key, place),
            Value::Hash(hash) if !hash.is_empty() => return self.complex_key(key, place),
            Value::Array(_)
            | Value::Hash(_)
            | Value::Default
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::Float(_) => self.node(key, place),
            Value::Foreign(foreign) => self.foreign(&**foreign, place, true),
            other => self.string(&other.to_string(), place, true),
        }
        true
    }

    fn complex_key(&mut self, key: &Value, place: Place) -> bool {
        self.indicator("?", true);
        self.node(key, place);
        false
    }

    fn string(&mut self, text: &str, place: Place, is_key: bool) {
        let indent = place.of_scalar();
        if text == "<<" {
            // A merge key to most readers, so that it is tagged as a string.
            return self.word("!!str '<<'");
        }
        match style_of(text, is_key) {
            Style::Plain => self.plain(text, indent, !is_key),
            Style::Single => self.single(text, indent, !is_key),
            Style::Double => self.double(text, indent, !is_key),
            Style::Literal => self.literal(text, indent),
        }
    }

    fn foreign(&mut self, foreign: &dyn Foreign, place: Place, is_key: bool) {
        match foreign.yaml() {
            Some(literal) => self.word(&literal),
            None => self.string(&foreign.text(), place, is_key),
        }
    }

    fn plain(&mut self, text: &str, indent: usize, folds: bool) {
        self.space();
        let chars: Vec<char> = text.chars().collect();
        let mut after_space = false;
        for (index, c) in chars.iter().enumerate() {
            let next_is_space = chars.get(index + 1) == Some(&' ');
            if *c == ' ' && folds && !after_space && self.column > self.width && !next_is_space {
                self.indent(indent);
            } else {
                self.put_char(*c);
            }
            after_space = *c == ' ';
            self.whitespace = false;
            self.indention = false;
        }
    }

    fn single(&mut self, text: &str, indent: usize, folds: bool) {
        self.indicator("'", false);
        let chars: Vec<char> = text.chars().collect();
        let (mut after_space, mut after_break) = (false, false);
        for (index, c) in chars.iter().enumerate() {
            let inside = index > 0 && index + 1 < chars.len();
            let next_is_space = chars.get(index + 1) == Some(&' ');
            if *c == ' ' {
                if folds && !after_space && self.column > self.width && inside && !next_is_space {
                    self.indent(indent);
                } else {
                    self.put_char(' ');
                }
                after_space = true;
            } else if is_break(*c) {
                if !after_break && *c == '\n' {
                    self.put_break('\n');
                }
                self.put_break(*c);
                self.indention = true;
                after_break = true;
            } else {
                if after_break {
                    self.indent(indent);
                }
                if *c == '\'' {
                    self.put_char('\'');
                }
                self.put_char(*c);
                self.indention = false;
                (after_space, after_break) = (false, false);
            }
        }
        if after_break {
            self.indent(indent);
        }
        self.put_char('\'');
        self.whitespace = false;
        self.indention = false;
    }

    fn double(&mut self, text: &str, indent: usize, folds: bool) {
        self.indicator("\"", false);
        let chars: Vec<char> = text.chars().collect();
        let mut after_space = false;
        for (index, c) in chars.iter().enumerate() {
            if !is_printable(*c) || is_break(*c) || *c == '"' || *c == '\\' {
                self.put(&escape(*c));
                after_space = false;
            } else if *c == ' ' {
                let inside = index > 0 && index + 1 < chars.len();
                if folds && !after_space && self.column > self.width && inside {
                    self.indent(indent);
                    if chars.get(index + 1) == Some(&' ') {
                        self.put_char('\\');
                    }
                } else {
                    self.put_char(' ');
                }
                after_space = true;
            } else {
                self.put_char(*c);
                after_space = false;
            }
        }
        self.put_char('"');
        self.whitespace = false;
        self.indention = false;
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.indicator("|", false);
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.put(&self.step.to_string());
        }
        let mut tail = text.chars().rev();
        // What a later block scalar says about its end is what counts.
        self.open_ended = false;
        match (tail.next().is_some_and(is_break), tail.next().is_none_or(is_break)) {
            (false, _) => self.put("-"),
            (true, true) => {
                self.put("+");
                self.open_ended = true;
            }
            (true, false) => {}
        }
        let mut after_break = true;
        self.put_break('\n');
        for c in text.chars() {
            if is_break(c) {
                self.put_break(c);
                after_break = true;
            } else {
                if after_break {
                    self.put(&" ".repeat(indent));
                }
                self.put_char(c);
                after_break = false;
            }
        }
        self.whitespace = after_break;
        self.indention = after_break;
    }

    /// Writes a scalar that never needs quotes or folding.
    fn word(&mut self, text: &str) {
        self.space();
        self.put(text);
        self.whitespace = false;
        self.indention = false;
    }

    fn space(&mut self) {
        if !self.whitespace {
            self.put_char(' ');
        }
    }

    fn indicator(&mut self, text: &str, is_indention: bool) {
        self.space();
        self.put(text);
        self.whitespace = false;
        self.indention = self.indention && is_indention;
    }

    fn is_on_new_line(&self) -> bool {
        self.indention && self.column == 0
    }

    /// Starts a new line unless this one holds nothing but the indentation wanted.
    fn indent(&mut self, indent: usize) {
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.put_break('\n');
        }
        while self.column < indent {
            self.put_char(' ');
        }
        self.whitespace = true;
        self.indention = true;
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn put_char(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    fn put_break(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
    }
}

fn float(number: f64) -> String {
    match number {
        n if n.is_nan() => ".nan".into(),
        n if n.is_infinite() => {
            if n > 0.0 {
                ".inf".into()
            } else {
                "-.inf".into()
            }
        }
        n => float_text(n),
    }
}

fn escape(c: char) -> String {
    match c {
        '\0' => "\\0".into(),
        '\u{7}' => "\\a".into(),
        '\u{8}' => "\\b".into(),
        '\t' => "\\t".into(),
        '\n' => "\\n".into(),
        '\u{b}' => "\\v".into(),
        '\u{c}' => "\\f".into(),
        '\r' => "\\r".into(),
        '\u{1b}' => "\\e".into(),
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        '\u{85}' => "\\N".into(),
        '\u{2028}' => "\\L".into(),
        '\u{2029}' => "\\P".into(),
        c if u32::from(c) <= 0xff => format!("\\x{:02X}", u32::from(c)),
        c if u32::from(c) <= 0xffff => format!("\\u{:04X}", u32::from(c)),
        c => format!("\\U{:08X}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<Value>, expected: &str) {
        assert_eq!(render(&value.into(), None, None), expected);
    }

    #[test]
    fn strings_that_would_read_as_something_else_are_quoted() {
        for (text, expected) in [
            ("a", "--- a\n"),
            ("", "--- ''\n"),
            ("yes", "--- 'yes'\n"),
            ("y", "--- \"y\"\n"),
            ("~", "--- \"~\"\n"),
            ("1", "--- '1'\n"),
            ("0x1f", "--- '0x1f'\n"),
            ("08", "--- '08'\n"),
            ("1e3", "--- 1e3\n"),
            ("1.0e+5", "--- '1.0e+5'\n"),
            ("12:30", "--- '12:30'\n"),
            ("1:60", "--- 1:60\n"),
            ("2020-1-1", "--- '2020-1-1'\n"),
            ("2020-13-01", "--- 2020-13-01\n"),
            ("a: b", "--- 'a: b'\n"),
            ("a #c", "--- 'a #c'\n"),
            ("- a", "--- \"- a\"\n"),
            ("it's", "--- it's\n"),
            ("trail ", "--- 'trail '\n"),
            ("tab\there", "--- \"tab\\there\"\n"),
            ("\u{1f600}", "--- \"\\U0001F600\"\n"),
            ("<<", "--- !!str '<<'\n"),
            ("é\n", "--- 'é\n\n  '\n"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn several_lines_are_a_block() {
        check("multi\nline", "--- |-\n  multi\n  line\n");
        check("multi\nline\n", "--- |\n  multi\n  line\n");
        check("a\nb\n\n", "--- |+\n  a\n  b\n\n...\n");
        check(" a\nb", "--- |2-\n   a\n  b\n");
        check("x\n\n", "--- \"x\\n\\n\"\n");
        check("a \nb", "--- \"a \\nb\"\n");
    }

    #[test]
    fn long_lines_are_folded_after_column_80() {
        let words = "word ".repeat(18);
        let expected = format!("--- {}\n  word word\n", "word ".repeat(16).trim_end());
        check(words.trim_end(), &expected);
    }

    #[test]
    fn collections_nest_as_blocks() {
        let inner: Hash = [("d", Value::Undef)].into_iter().collect();
        let list = Value::array(vec![
            Value::from("c"),
            inner.into(),
            Value::array(vec![Value::from(1), Value::from(2)]),
        ]);
        let hash: Hash = [("b", list), ("e", Value::array(vec![]))].into_iter().collect();
        check(hash, "---\nb:\n- c\n- d:\n- - 1\n  - 2\ne: []\n");
    }

    #[test]
    fn keys_that_do_not_fit_a_line_are_marked() {
        let array = Value::array(vec![Value::from(1), Value::from(2)]);
        let hash: Hash = [(array, 3), (Value::from("a\nb"), 4), (Value::Undef, 5)].into_iter().collect();
        check(hash, "---\n? - 1\n  - 2\n: 3\n? |-\n  a\n  b\n: 4\n! '': 5\n");
    }
}
