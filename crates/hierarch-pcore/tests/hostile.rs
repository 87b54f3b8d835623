//! Nothing that reads text panics, whatever the text.

use hierarch_bits::dice::Dice;
use hierarch_pcore::regex::Regexp;
use hierarch_pcore::types::{NoDefinitions, guide};
use hierarch_pcore::value::time::{Formats, Timespan, Timestamp, offset_of, strftime};
use hierarch_pcore::value::{Binary, SemVer, SemVerRange, Uri, number};
use hierarch_pcore::{Type, Value, convert, format};

/// What means something to one of the readers.
const PIECES: &[&str] = &[
    "a",
    "é",
    "😀",
    "1",
    "0",
    "9999999999999999999999",
    "-",
    "+",
    ".",
    ":",
    "/",
    " ",
    "\t",
    "\n",
    "\0",
    "%",
    "#",
    "'",
    "\"",
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "|",
    "*",
    "?",
    "^",
    "$",
    ",",
    "=",
    "~",
    "!",
    "&",
    "@",
    "0x",
    "0b",
    "e",
    "T",
    "Z",
    "x",
    "Integer",
    "String[",
    "Struct[{",
    "=>",
    "Array",
    "[[:",
    ":]]",
    "[:]",
    "(?<",
    "(?<n>",
    "(?",
    "\\k<",
    "\\p{",
    "\\u{",
    "{2,1}",
    "{999999}",
    "&&",
    "\\c",
    "\\x",
    "\\1",
    "UTC",
    "EST",
    "GMT+",
    "2020-01-01",
    "12:30:00",
    "%Y",
    "%s",
    "%N",
    "%D",
    "%-",
    "%_9",
    "1.2.3",
    ">=",
    "||",
    "rc",
    "YQ==",
    "http://",
    "p",
    "d",
    "s",
    "A",
];

#[test]
fn nothing_that_reads_text_panics() {
    let mut random = Dice::new(7);
    for _ in 0..5_000 {
        let (text, other) = (random.text(PIECES, 8), random.text(PIECES, 8));
        let _ = Type::parse(&text, &NoDefinitions).map(|type_| type_.to_string());
        let _ = Regexp::new(text.clone()).and_then(|regexp| regexp.captures(&other));
        let _ = SemVer::parse(&text);
        let _ = SemVerRange::parse(&text).map(|range| range.normalized());
        let _ = Uri::parse(&text).map(|uri| uri.join(&Uri::parse(&other).unwrap_or_default()).to_string());
        let _ = (number::read_number(&text), offset_of(&text), Binary::from_base64_strict(&text));
        let _ = (Binary::from_base64_url(&text), Binary::from_base64_lenient(&text));
        let _ = strftime(random.below(1_000_000) as i128 * 1_000_000_007_000, None, &text);
        for formats in [Formats::Default, Formats::One(other.clone())] {
            let _ = Timestamp::parse(&text, &formats, None);
            let _ = Timestamp::parse(&text, &formats, Some(&other));
            let _ = Timespan::parse(&text, &formats).map(|span| span.to_string());
        }
        let _ = Timespan(-(random.below(usize::MAX) as i128)).format(&text);
    }
}

#[test]
fn no_conversion_panics() {
    let mut random = Dice::new(11);
    let mut names: Vec<&str> = guide::names().collect();
    names.extend(["Deferred", "Error", "Init[Integer]", "Tuple[Integer, String]"]);
    let values = [
        Value::Undef,
        Value::Default,
        Value::from(true),
        Value::from(i64::MIN),
        Value::from(f64::NAN),
        Value::from(1e300),
        Value::array(vec![Value::from(1), Value::from("a")]),
        Value::from(Type::integer()),
    ];
    for _ in 0..5_000 {
        let type_ = Type::parse(names[random.below(names.len())], &NoDefinitions).expect("a type");
        let argument = |random: &mut Dice| match random.below(3) {
            0 => values[random.below(values.len())].clone(),
            _ => Value::from(random.text(PIECES, 8)),
        };
        let arguments: Vec<Value> = (0..random.below(4)).map(|_| argument(&mut random)).collect();
        let _ = convert::new(&type_, &arguments, &NoDefinitions)
            .map(|value| (value.to_yaml(), value.program_text()));
        let format = Value::from(format!(
            "%{}",
            random.text(
                &["#", "-", "0", "+", " ", "[", "5", ".3", "d", "x", "s", "p", "a", "f", "g", "b", "c"],
                8
            )
        ));
        let _ = format::converted(&argument(&mut random), &format, 1_000_000);
    }
}

#[test]
fn types_cannot_be_nested_without_end() {
    let mut type_ = Type::integer();
    let error = loop {
        match Type::array().parametrize(&[type_.clone().into()]) {
            Ok(Value::Type(deeper)) => type_ = deeper,
            Ok(_) => panic!("an array type is a type"),
            Err(failure) => break failure.error,
        }
    };
    assert_eq!(error.message, "types are nested too deep");
}
