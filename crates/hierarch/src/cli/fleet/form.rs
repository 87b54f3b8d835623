//! How answers about many nodes are written: numbers, names, values in one line.

use std::path::Path;

use hierarch_fleet::Because;
use hierarch_pcore::Value;

use super::super::failure::Failure;
use super::super::issues;

/// As many names as are printed before `+N`.
const NAMES: usize = 3;
/// A value longer than this is cut in a text answer; other forms have it whole.
const WIDEST: usize = 200;

/// Refuses `-o` without Parquet, and Parquet without `-o`.
pub(crate) fn check_output(is_parquet: bool, output: Option<&Path>) -> Result<(), Failure> {
    match (is_parquet, output) {
        (true, None) => Err(issues::parquet_needs_output()),
        (false, Some(_)) => Err(issues::output_needs_parquet()),
        (true, Some(_)) | (false, None) => Ok(()),
    }
}

/// Returns some names and how many there are besides.
pub(crate) fn some_names(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(" ");
    if names.len() > NAMES { format!("{shown} +{}", names.len() - NAMES) } else { shown }
}

/// Returns a value in one line.
pub(crate) fn value_text(value: &Value) -> String {
    let text = value.to_json();
    if text.chars().count() <= WIDEST {
        return text;
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}

/// Returns reasons: `facts.location=berlin`.
pub(crate) fn because_text(because: &Because) -> String {
    let one = |(name, value): &(String, Value)| {
        format!("{name}={}", value.as_str().map_or_else(|| value.to_json(), str::to_owned))
    };
    because.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Returns a number with its thousands apart: `3,120`.
pub(crate) fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number and what is counted: `1 node`, `2 nodes`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", number(count), if count == 1 { "" } else { "s" })
}

/// Returns a field of a CSV line.
pub(crate) fn csv_field(text: &str) -> String {
    let must_be_quoted = text.contains([',', '"', '\n', '\r']);
    if must_be_quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_thousands_apart() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (3_120_000, "3,120,000")] {
            assert_eq!(number(count), text);
        }
        assert_eq!((counted(1, "node"), counted(2, "node")), ("1 node".into(), "2 nodes".into()));
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(csv_field("a b"), "a b");
        assert_eq!(csv_field("[1,\"x\"]"), "\"[1,\"\"x\"\"]\"");
    }
}
