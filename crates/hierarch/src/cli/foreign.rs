//! TOML and HOCON as documents: read wherever YAML is read, never written.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cli::issues;
use clap::ValueEnum;
use hierarch_compose::Notations;
use hierarch_hiera::read::{HoconPlaces, hocon_with_places};
use hierarch_pcore::Value;
use hierarch_source::{Error, Result, Source, Span};
use hierarch_yaml::{DocumentLimits, ForeignNode, PlacedValue, Tree, foreign_tree};
use toml::de::{DeTable, DeValue};

/// What a document is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Notation {
    /// YAML, and JSON as a part of it
    Yaml,
    Toml,
    Hocon,
}

impl Notation {
    /// The notation that the ending of a file's name stands for.
    pub(crate) fn of(name: &str) -> Self {
        let ending = Path::new(name).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("toml") => Self::Toml,
            Some("hocon" | "conf") => Self::Hocon,
            _ => Self::Yaml,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
            Self::Hocon => "HOCON",
        }
    }
}

/// Which texts are in another notation: those whose ending says so, and those that a flag was given for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foreign {
    /// The notation that the flag names.
    given: Option<Notation>,
    /// The names of the texts that it was given for.
    names: Arc<Mutex<BTreeSet<String>>>,
}

impl Foreign {
    /// Takes a flag, if it was given.
    pub(crate) fn new(given: Option<Notation>) -> Self {
        Self { given, ..Self::default() }
    }

    /// Notes that the flag is meant for a text; what that text includes goes by its own name.
    pub(crate) fn name(&self, name: &Path) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(name.display().to_string());
    }

    /// Returns the notation of a text by its name.
    pub(crate) fn notation(&self, name: &str) -> Notation {
        match self.given {
            Some(given) if self.names.lock().unwrap_or_else(PoisonError::into_inner).contains(name) => given,
            _ => Notation::of(name),
        }
    }
}

impl Notations for Foreign {
    fn knows(&self, name: &str) -> bool {
        self.notation(name) != Notation::Yaml
    }

    fn read(&self, source: &Arc<Source>, limits: DocumentLimits) -> Result<Tree> {
        let notation = self.notation(source.name().unwrap_or_default());
        if source.text().len() > limits.bytes {
            return hierarch_yaml::read(source, hierarch_yaml::Dialect::Core, limits);
        }
        let top = match notation {
            Notation::Hocon => hocon(source)?,
            _ => toml(source)?,
        };
        foreign_tree(source, &top, limits)
    }
}

/// A file that is only read was to be written.
pub(crate) fn not_written(name: &str, notation: Notation) -> Error {
    let notation = notation.name();
    issues::only_read(name, notation)
}

fn hocon(source: &Arc<Source>) -> Result<ForeignNode> {
    let problem = |text: String| issues::hocon(&text).at(source, Span::point(0));
    let (value, places) = hocon_with_places(source.text()).map_err(problem)?;
    let whole = Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX));
    Ok(hocon_value(&value, &places, &mut Vec::new(), whole))
}

fn hocon_value(value: &Value, places: &HoconPlaces, path: &mut Vec<Value>, around: Span) -> ForeignNode {
    let span = places.at(path).map_or(around, |(start, end)| Span::new(start, end));
    let value = match value {
        Value::Hash(hash) => PlacedValue::Map(
            hash.iter()
                .map(|(key, value)| {
                    path.push(key.clone());
                    let value = hocon_value(value, places, path, span);
                    path.pop();
                    (ForeignNode { span: value.span, value: PlacedValue::Text(key.to_string()) }, value)
                })
                .collect(),
        ),
        Value::Array(items) => PlacedValue::List(
            items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    path.push(Value::from(index));
                    let item = hocon_value(item, places, path, span);
                    path.pop();
                    item
                })
                .collect(),
        ),
        Value::String(text) => PlacedValue::Text(text.to_string()),
        Value::Undef => PlacedValue::Plain("null".to_owned()),
        other => PlacedValue::Plain(other.to_string()),
    };
    ForeignNode { span, value }
}

fn toml(source: &Arc<Source>) -> Result<ForeignNode> {
    let parsed = DeTable::parse(source.text()).map_err(|error| {
        let at = error.span().map_or(Span::point(0), of_range);
        issues::toml(error.message().trim_end()).at(source, at)
    })?;
    let span = Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX));
    Ok(ForeignNode { span, value: toml_table(parsed.get_ref()) })
}

fn of_range(range: std::ops::Range<usize>) -> Span {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(number(range.start), number(range.end))
}

fn toml_table(table: &DeTable) -> PlacedValue {
    let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue>)| {
        let name: &toml::de::DeString = key.get_ref();
        (
            ForeignNode { span: of_range(key.span()), value: PlacedValue::Text(name.to_string()) },
            ForeignNode { span: of_range(value.span()), value: toml_value(value.get_ref()) },
        )
    };
    PlacedValue::Map(table.iter().map(entry).collect())
}

fn toml_value(value: &DeValue) -> PlacedValue {
    match value {
        DeValue::String(text) => PlacedValue::Text(text.to_string()),
        DeValue::Integer(number) => PlacedValue::Plain(toml_integer(number.as_str(), number.radix())),
        DeValue::Float(number) => PlacedValue::Plain(toml_float(number.as_str())),
        DeValue::Boolean(truth) => PlacedValue::Plain(truth.to_string()),
        // YAML 1.2 has no dates: they are texts there, too.
        DeValue::Datetime(date) => PlacedValue::Text(date.to_string()),
        DeValue::Array(items) => PlacedValue::List(
            items
                .iter()
                .map(|item| ForeignNode { span: of_range(item.span()), value: toml_value(item.get_ref()) })
                .collect(),
        ),
        DeValue::Table(table) => toml_table(table),
    }
}

/// Integers come without their underscores and without the sign of their radix.
fn toml_integer(digits: &str, radix: u32) -> String {
    if radix == 10 {
        return digits.trim_start_matches('+').to_owned();
    }
    i128::from_str_radix(digits, radix).map_or_else(|_| digits.to_owned(), |number| number.to_string())
}

fn toml_float(digits: &str) -> String {
    let (sign, rest) = match digits.as_bytes().first() {
        Some(b'-') => ("-", &digits[1..]),
        Some(b'+') => ("", &digits[1..]),
        _ => ("", digits),
    };
    match rest {
        "inf" => format!("{sign}.inf"),
        "nan" => ".nan".to_owned(),
        _ => format!("{sign}{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, expected: &str) {
        let (source, limits) = (Source::new(name, text), DocumentLimits::default());
        let tree = Foreign::default().read(&source, limits).unwrap_or_else(|error| panic!("{text}: {error}"));
        let root = tree.root().expect("a document");
        assert_eq!(hierarch_yaml::brief(&tree.data(root, limits).expect("data")), expected, "{text}");
    }

    #[test]
    fn toml_is_data() {
        check(
            "a.toml",
            "b = 2\na = 'x'\n[t.u]\nl = [1, {c = true}]\n",
            "{b: 2, a: x, t: {u: {l: [1, {c: true}]}}}",
        );
        check(
            "a.toml",
            "x = 0xff\no = 0o17\nb = 0b11\nn = -1_000\np = +7\n",
            "{x: 255, o: 15, b: 3, n: -1000, p: 7}",
        );
        check(
            "a.toml",
            "f = 1_0.5e3\ni = -inf\nn = nan\ns = \"1\"\n",
            "{f: 10500.0, i: -.inf, n: .nan, s: '1'}",
        );
        check("a.toml", "d = 1979-05-27\nt = 07:32:00\n", "{d: '1979-05-27', t: '07:32:00'}");
        check("a.toml", "[[s]]\nn = 1\n[[s]]\nn = 2\n", "{s: [{n: 1}, {n: 2}]}");
        check("a.toml", "", "{}");
    }

    #[test]
    fn hocon_is_data() {
        check(
            "a.conf",
            "a.b = 1\na { c = ${a.b} }\nl = [x, true, null]\n",
            "{a: {c: 1, b: 1}, l: [x, true, null]}",
        );
    }

    #[test]
    fn values_know_where_they_stand() {
        let places = |name: &str, text: &str, key: &str| {
            let source = Source::new(name, text);
            let tree = Foreign::default().read(&source, DocumentLimits::default()).expect(text);
            let node = tree.get(tree.root().expect("a document"), key).expect(key);
            source.text()[tree.span(node).range()].to_owned()
        };
        assert_eq!(places("a.toml", "x = 1\nport = 8_080 # web\n", "port"), "8_080");
        assert_eq!(places("a.conf", "x = 1\nport = 8080\n", "port"), "8080");
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        for (name, text, line) in [("a.toml", "a = 1\nb = = 2\n", 2), ("a.conf", "a = {\n", 1)] {
            let error =
                Foreign::default().read(&Source::new(name, text), DocumentLimits::default()).expect_err(text);
            assert_eq!(error.position().map(|(line, _)| line), Some(line), "{error}");
        }
    }

    #[test]
    fn the_ending_says_what_it_is_unless_a_flag_does() {
        let foreign = Foreign::new(Some(Notation::Yaml));
        foreign.name(Path::new("b.conf"));
        assert_eq!(foreign.notation("a.conf"), Notation::Hocon);
        assert_eq!(foreign.notation("b.conf"), Notation::Yaml);
        assert_eq!(foreign.notation("x.TOML"), Notation::Toml);
        assert_eq!(foreign.notation("x.yaml"), Notation::Yaml);
    }
}
