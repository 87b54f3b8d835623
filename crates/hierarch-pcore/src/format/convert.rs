//! One value as text: which format applies to it, and what the format's letter means for its type.

use std::sync::LazyLock;

use hierarch_source::Result;

use super::collection::{Indent, array, hash};
use super::map::FormatMap;
use super::{Format, sprintf};
use crate::types::{Kind, Printer};
use crate::value::number::float_text;
use crate::value::{double_quoted, quoted};
use crate::{Hash, Type, Value, infer, issues};

/// The formats that apply where a program says nothing.
static DEFAULTS: LazyLock<FormatMap> = LazyLock::new(|| {
    let plain = |text: &str| Format::parse(text).expect("a built-in format is well-formed");
    let contained = Some(FormatMap::new(vec![(Type::any(), plain("%p"))]));
    let container = |text: &str, separator2: &str| Format {
        separator: Some(", ".into()),
        separator2: Some(separator2.into()),
        contained: contained.clone(),
        ..plain(text)
    };
    FormatMap::new(vec![
        (Type::object(), plain("%p")),
        (Type::float(), plain("%f")),
        (Type::numeric(), plain("%d")),
        (Type::array(), container("%a", ", ")),
        (Type::hash(), container("%h", " => ")),
        (Type::binary(), plain("%B")),
        (Type::any(), plain("%s")),
    ])
});

/// Converts a value to text of at most so many bytes by formats: `default`, one format, or a hash of types and formats.
pub fn converted(value: &Value, formats: &Value, most: usize) -> Result<String> {
    match (formats, value) {
        (Value::Default, Value::String(text)) => return Ok(text.to_string()),
        (Value::Default, Value::Integer(number)) => return Ok(number.to_string()),
        (Value::String(format), value) if format == "%p" && !matches!(value, Value::Foreign(_)) => {
            return Ok(value.program_text());
        }
        (Value::Default, _) => return text(value, &infer::detailed(value), &DEFAULTS, Indent::top(most)),
        _ => {}
    }
    let type_ = infer::detailed(value);
    let given = match formats {
        Value::String(format) => FormatMap::of_hash(&format_for(&type_, format))?,
        Value::Hash(formats) => FormatMap::of_hash(formats)?,
        other => return Err(issues::bad_formats(crate::types::ruby_class(other))),
    };
    text(value, &type_, &FormatMap::merged(&DEFAULTS, &given), Indent::top(most))
}

/// Makes a map of one format: that of arrays or hashes if it is for one, else for this very type.
fn format_for(type_: &Type, format: &str) -> Hash {
    let container: Hash = [("format", format)].into_iter().collect();
    let entry = if Type::array().accepts(type_) {
        (Value::from(Type::array()), Value::from(container))
    } else if Type::hash().accepts(type_) {
        (Value::from(Type::hash()), Value::from(container))
    } else {
        (Value::from(type_.clone()), Value::from(format))
    };
    [entry].into_iter().collect()
}

/// Returns the text of a value of a type.
pub(super) fn text(value: &Value, type_: &Type, formats: &FormatMap, indent: Indent) -> Result<String> {
    static PLAIN: LazyLock<Format> =
        LazyLock::new(|| Format::parse("%s").expect("a built-in format is well-formed"));
    let format = formats.get(type_).unwrap_or(&PLAIN);
    match value {
        Value::Undef => undef(format),
        Value::Default => default(format),
        Value::Boolean(truth) => boolean(format, *truth),
        Value::Integer(number) => integer(format, *number),
        Value::Float(number) => float(format, *number),
        Value::String(text) => string(format, text),
        Value::Array(elements) => array(elements, format, formats, indent),
        Value::Hash(entries) => hash(entries, format, formats, indent),
        Value::Regexp(regexp) => pattern(format, regexp),
        Value::Type(type_) => of_type(format, type_),
        Value::Binary(bytes) => binary(format, bytes),
        Value::Uri(uri) => of_uri(format, &uri.to_string()),
        Value::Object(_) => object(format, value, indent),
        Value::Foreign(foreign) => match foreign.elements() {
            Some(elements) => {
                let elements = Value::array(elements.collect::<Result<_>>()?);
                text(&elements, &infer::detailed(&elements), formats, indent)
            }
            None => match foreign.digits() {
                Some(digits) => big_integer(format, digits),
                None => foreign_text(format, &foreign.text()),
            },
        },
        other => rare(format, other),
    }
}

/// Tells that a letter means nothing for a type.
fn illegal<T>(format: &Format, type_: &str, letters: &str) -> Result<T> {
    Err(issues::illegal_format(type_, format.letter, letters))
}

fn alternative<'a>(format: &Format, alternate: &'a str, plain: &'a str) -> &'a str {
    if format.alt { alternate } else { plain }
}

fn undef(format: &Format) -> Result<String> {
    let text = match format.letter {
        'n' => alternative(format, "null", "nil"),
        'u' => alternative(format, "undefined", "undef"),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => "NaN",
        'v' => "n/a",
        'V' => "N/A",
        's' => alternative(format, "\"\"", ""),
        'p' => alternative(format, "\"undef\"", "undef"),
        _ => return illegal(format, "Undef", "nudxXobBeEfgGaAvVsp"),
    };
    Ok(format.padded(text))
}

fn default(format: &Format) -> Result<String> {
    let text = match format.letter {
        'd' | 's' | 'p' => alternative(format, "\"default\"", "default"),
        'D' => alternative(format, "\"Default\"", "Default"),
        _ => return illegal(format, "Default", "dDsp"),
    };
    Ok(format.padded(text))
}

fn boolean(format: &Format, truth: bool) -> Result<String> {
    let word = |yes: &'static str, no: &'static str| {
        let word = if truth { yes } else { no };
        Ok(format.padded(if format.alt { &word[..1] } else { word }))
    };
    match format.letter {
        't' => word("true", "false"),
        'T' => word("True", "False"),
        'y' => word("yes", "no"),
        'Y' => word("Yes", "No"),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => integer(format, i64::from(truth)),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => float(format, f64::from(u8::from(truth))),
        's' | 'p' => Ok(format.padded(if truth { "true" } else { "false" })),
        _ => illegal(format, "Boolean", "tTyYdxXobBeEfgGaAsp"),
    }
}

const INTEGER_LETTERS: &str = "dxXobBeEfgGaAspc";

/// An integer beyond 64 bits; beyond 128 bits only its digits can be had.
fn big_integer(format: &Format, digits: &str) -> Result<String> {
    format.check_plain()?;
    let spec = format.spec();
    Ok(match (format.letter, digits.parse::<i128>()) {
        ('d' | 'x' | 'X' | 'o' | 'b' | 'B', Ok(number)) => sprintf::integer(&spec, format.letter, number),
        ('e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A', _) => {
            sprintf::float(&spec, format.letter, digits.parse().unwrap_or(f64::NAN))
        }
        ('s', _) if format.alt => sprintf::text(&spec, &format!("\"{digits}\"")),
        ('d' | 's' | 'p', _) => sprintf::text(&spec, digits),
        ('c', _) => return Err(issues::bad_code_point()),
        ('x' | 'X' | 'o' | 'b' | 'B', Err(_)) => return Err(issues::integer_overflow()),
        _ => return illegal(format, "Integer", INTEGER_LETTERS),
    })
}

fn integer(format: &Format, number: i64) -> Result<String> {
    let code_point =
        |number| u32::try_from(number).ok().and_then(char::from_u32).ok_or_else(issues::bad_code_point);
    let c = if format.letter == 'c' { code_point(number)? } else { ' ' };
    if INTEGER_LETTERS.contains(format.letter) {
        format.check_plain()?;
    }
    let spec = format.spec();
    Ok(match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => sprintf::integer(&spec, format.letter, number),
        'p' => sprintf::text(&spec, &number.to_string()),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => sprintf::float(&spec, format.letter, number as f64),
        'c' => sprintf::text(&spec, &if format.alt { format!("\"{c}\"") } else { c.to_string() }),
        's' if format.alt => sprintf::text(&spec, &format!("\"{number}\"")),
        's' => sprintf::text(&spec, &number.to_string()),
        _ => return illegal(format, "Integer", INTEGER_LETTERS),
    })
}

fn float(format: &Format, number: f64) -> Result<String> {
    const LETTERS: &str = "dxXobBeEfgGaAsp";
    if LETTERS.contains(format.letter) {
        format.check_plain()?;
    }
    let spec = format.spec();
    Ok(match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => {
            if !number.is_finite() {
                return Err(issues::no_integer(&float_text(number)));
            }
            sprintf::integer(&spec, format.letter, number)
        }
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => sprintf::float(&spec, format.letter, number),
        'p' => sprintf::text(&spec, &float_text(number)),
        's' if format.alt => sprintf::text(&spec, &format!("\"{}\"", float_text(number))),
        's' => sprintf::text(&spec, &float_text(number)),
        _ => return illegal(format, "Float", LETTERS),
    })
}

fn string(format: &Format, text: &str) -> Result<String> {
    let changed = match format.letter {
        's' => {
            format.check_plain()?;
            return Ok(sprintf::text(&format.spec(), text));
        }
        'p' => return Ok(format.padded(&if format.alt { double_quoted(text) } else { quoted(text) })),
        'c' => capitalized(text),
        'C' => text.split("::").map(capitalized).collect::<Vec<_>>().join("::"),
        'u' => text.to_uppercase(),
        // Letter by letter, as Ruby does: a sigma at the end of a word is like any other.
        'd' => text.chars().flat_map(char::to_lowercase).collect(),
        't' => text.trim_matches(|c: char| c == '\0' || c.is_ascii_whitespace() || c == '\u{b}').to_owned(),
        _ => return illegal(format, "String", "cCudspt"),
    };
    if format.alt {
        return Ok(format.padded(&quoted(&changed)));
    }
    format.check_plain()?;
    Ok(sprintf::text(&format.spec(), &changed))
}

/// The first letter in upper case, the others in lower case.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(chars.flat_map(char::to_lowercase)).collect()
    })
}

fn pattern(format: &Format, regexp: &crate::regex::Regexp) -> Result<String> {
    match format.letter {
        'p' => {
            format.check_plain()?;
            Ok(sprintf::text(&format.spec(), &regexp.with_slashes()))
        }
        's' => {
            format.check_plain()?;
            let source = regexp.source();
            let text = if regexp.is_bound() { format!("(?-imx:{source})") } else { source.to_owned() };
            let text = if format.alt { quoted(&text) } else { text };
            Ok(sprintf::text(&format.spec(), &text))
        }
        _ => illegal(format, "Regexp", "sp"),
    }
}

fn of_type(format: &Format, type_: &Type) -> Result<String> {
    let text = match format.letter {
        's' if format.alt => format!("\"{type_}\""),
        's' | 'p' => type_.to_string(),
        _ => return illegal(format, "Type", "sp"),
    };
    format.check_plain()?;
    Ok(sprintf::text(&format.spec(), &text))
}

fn binary(format: &Format, bytes: &crate::value::Binary) -> Result<String> {
    let text = match format.letter {
        's' if format.alt => return Ok(sprintf::text(&format.spec(), &inspect_bytes(bytes.bytes()))),
        's' => {
            String::from_utf8(bytes.bytes().to_vec()).map_err(|error| issues::not_utf8(error.as_bytes()))?
        }
        'p' => {
            format.check_plain()?;
            let body = sprintf::text(&format.spec(), &bytes.base64());
            return Ok(format!("Binary(\"{body}\")"));
        }
        'b' => bytes.base64_lines(),
        'B' => bytes.base64(),
        'u' => bytes.base64_url(),
        't' => "Binary".into(),
        'T' => "BINARY".into(),
        _ => return illegal(format, "Binary", "bButTsp"),
    };
    format.check_plain()?;
    // The alternate form shows the text as Ruby does.
    let text = if format.alt { format!("\"{}\"", text.replace('\n', "\\n")) } else { text };
    Ok(sprintf::text(&format.spec(), &text))
}

fn inspect_bytes(bytes: &[u8]) -> String {
    let shown = |byte: &u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(*byte)),
        b'\n' => "\\n".into(),
        b'\t' => "\\t".into(),
        b'\r' => "\\r".into(),
        0x1b => "\\e".into(),
        0x20..=0x7e => char::from(*byte).to_string(),
        byte => format!("\\x{byte:02X}"),
    };
    format!("\"{}\"", bytes.iter().map(shown).collect::<String>())
}

fn of_uri(format: &Format, uri: &str) -> Result<String> {
    match format.letter {
        'p' => Ok(format!("URI({})", quoted(uri))),
        's' => {
            format.check_plain()?;
            Ok(sprintf::text(&format.spec(), &if format.alt { quoted(uri) } else { uri.to_owned() }))
        }
        _ => illegal(format, "URI", "sp"),
    }
}

fn object(format: &Format, value: &Value, indent: Indent) -> Result<String> {
    match format.letter {
        'p' => {
            let is_indenting = format.alt || indent.is_indenting;
            Ok(Printer::value_text(value, is_indenting.then_some(indent.level)))
        }
        's' | 'q' => Ok(value.to_string()),
        _ => illegal(format, "Object", "spq"),
    }
}

fn foreign_text(format: &Format, text: &str) -> Result<String> {
    match format.letter {
        's' | 'q' => Ok(text.to_owned()),
        'p' => Ok(quoted(text)),
        _ => illegal(format, "Runtime", "spq"),
    }
}

/// Versions, times and secrets go through Ruby's own formatting, which knows nothing of them.
fn rare(format: &Format, value: &Value) -> Result<String> {
    format.check_plain()?;
    let spec = format.spec();
    let seconds = match value {
        Value::Timestamp(time) => Some(time.0),
        Value::Timespan(time) => Some(time.0),
        _ => None,
    };
    Ok(match (format.letter, seconds) {
        ('s', _) => sprintf::text(&spec, &value.to_string()),
        ('p', _) => sprintf::text(&spec, &value.program_text()),
        ('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B', Some(nanos)) => {
            sprintf::integer(&spec, format.letter, nanos.div_euclid(crate::value::time::NANOS))
        }
        ('e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A', Some(nanos)) => {
            sprintf::float(&spec, format.letter, nanos as f64 / crate::value::time::NANOS as f64)
        }
        ('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B', None) => {
            return Err(issues::not_convertible(crate::types::ruby_class(value), "Integer"));
        }
        ('e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A', None) => {
            return Err(issues::not_convertible(crate::types::ruby_class(value), "Float"));
        }
        (letter, _) => return Err(issues::malformed_format(letter)),
    })
}

/// Tells whether values of a type are formatted by the formats for containers.
pub(super) fn is_container(type_: &Type) -> bool {
    matches!(
        type_.kind(),
        Kind::Array(_) | Kind::Hash(_) | Kind::Struct(_) | Kind::Tuple(_) | Kind::Object(_)
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn letters_mean_what_the_type_makes_of_them() {
        for (code, expected) in [
            ("String(1)", "'1'"),
            ("String('a')", "'a'"),
            ("String(File['a'])", "'File[\\'a\\']'"),
            ("String(SemVerRange('>=1.0.0'))", "'>=1.0.0'"),
            ("String(255,'%#x')", "'0xff'"),
            ("String(5,'%#b')", "'0b101'"),
            ("String(5,'%+d')", "'+5'"),
            ("String(5,'%f')", "'5.000000'"),
            ("String(5,'%#s')", "'\"5\"'"),
            ("String(1.5,'%f')", "'1.500000'"),
            ("String(1.5,'%g')", "'1.5'"),
            ("String('abc','%s')", "'abc'"),
            ("String('ABC','%d')", "'abc'"),
            (
                "String('abc','%10s|')",
                "The format '%10s|' is not a valid format on the form '%<flags><width>.<prec><format>'",
            ),
            ("String('a$b','%p')", "'\\'a$b\\''"),
            ("String(true,'%T')", "'True'"),
            ("String(true,'%x')", "'1'"),
            ("String(undef,'%u')", "'undef'"),
            ("String(default,'%d')", "'default'"),
            ("String(/a/,'%#p')", "'/a/'"),
            ("String([1,2],'%<a')", "'<1, 2>'"),
            ("String([1,[2,3],{a=>1}],'%#p')", "\"[1,\\n  [2, 3],\\n  {'a' => 1}]\""),
            ("String({a=>1},'%h')", "'{\\'a\\' => 1}'"),
            ("String({a=>[1,2]},{Hash=>'%#h',Array=>'%#a'})", "\"{\\n  'a' => [1, 2]\\n}\""),
            ("String(File['a'],'%p')", "'File[\\'a\\']'"),
            ("String(Binary('YWJj'),'%b')", "\"YWJj\\n\""),
        ] {
            check_prints(code, expected);
        }
    }
}
