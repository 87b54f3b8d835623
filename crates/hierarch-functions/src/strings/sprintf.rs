//! `sprintf`: values written into a text, by Ruby's format directives.

use hierarch_pcore::format::sprintf::{self as directive, Spec, Whole};
use hierarch_pcore::types::Kind;
use hierarch_source::Result as Checked;

use crate::prelude::*;
use crate::ruby::{implicit_text, inspected, read_float, read_integer};

/// The function `sprintf`.
pub(super) static SPRINTF: Function = Function {
    name: "sprintf",
    doc: "Returns a text made by a format such as `%05.2f`: each directive is replaced by the next argument, by a numbered one (`%2$s`) or by an entry of one Hash (`%<name>d`, `%{name}`).",
    dispatches: &[legacy(-2, sprintf)],
    examples: &[
        Gives("sprintf('%s has %05.1f%%', 'a', 2.5)", "'a has 002.5%'"),
        Gives("sprintf('%2$s %1$s', 'a', 'b')", "'b a'"),
        Gives("sprintf('%<a>03d %{b}', {a => 1, b => 2})", "'001 2'"),
        Gives("sprintf('%x %+d %-3s|', -255, 5, 'a')", "'..f01 +5 a  |'"),
        Fails("sprintf('%s %s', 'a')", "too few arguments"),
        Fails("sprintf('%d', 'a')", "invalid value for Integer(): \"a\""),
    ],
};

fn sprintf(call: &mut Call) -> Result<Value> {
    let mut arguments = call.take_all().into_iter().map(as_old_argument);
    let format = arguments.next().unwrap_or_default();
    let arguments: Vec<Value> = arguments.collect();
    let mut writer = Writer {
        rest: implicit_text(&format)?,
        arguments: &arguments,
        used: ArgumentUse::Nothing,
        out: String::new(),
    };
    while writer.directive(call)? {}
    Ok(writer.out.into())
}

/// Functions of the old kind get a text where they would not know the value.
fn as_old_argument(value: Value) -> Value {
    match value {
        Value::Regexp(regexp) => regexp.with_slashes().into(),
        Value::Type(type_) => reference(&type_).map_or_else(|| type_.into(), Value::from),
        Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Timestamp(_)
        | Value::Timespan(_)
        | Value::Uri(_) => value.to_string().into(),
        other => other,
    }
}

/// Returns a reference to a class or resource as catalogs name it.
fn reference(type_: &Type) -> Option<String> {
    match type_.kind() {
        Kind::Class(class) => Some(format!("Class[{}]", capitalized_segments(class.class()?))),
        Kind::Resource(resource) => {
            Some(format!("{}[{}]", capitalized_segments(resource.type_name()?), resource.title()?))
        }
        _ => None,
    }
}

fn capitalized_segments(name: &str) -> String {
    let capitalized = |segment: &str| {
        let mut chars = segment.chars();
        let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
        first + chars.as_str()
    };
    name.split("::").map(capitalized).collect::<Vec<_>>().join("::")
}

/// How arguments have been referred to; the ways do not mix.
#[derive(Clone, Copy)]
enum ArgumentUse {
    Nothing,
    /// One after the other, so many.
    InOrder(usize),
    ByNumber,
    ByName,
}

struct Writer<'a> {
    rest: &'a str,
    arguments: &'a [Value],
    used: ArgumentUse,
    out: String,
}

/// What was read of a directive.
#[derive(Default)]
struct Directive<'a> {
    spec: Spec,
    /// Whether anything but a number of an argument was read.
    is_begun: bool,
    value: Option<&'a Value>,
    name: Option<&'a str>,
}

impl<'a> Writer<'a> {
    /// Copies text and writes the next directive; tells whether there was one.
    fn directive(&mut self, call: &Call) -> Result<bool> {
        let Some((before, after)) = self.rest.split_once('%') else {
            self.out.push_str(self.rest);
            return Ok(false);
        };
        self.out.push_str(before);
        self.rest = after;
        if after.is_empty() {
            return Err(issues::incomplete_format().into());
        }
        let mut read = Directive::default();
        if let Some(letter) = self.part(&mut read)? {
            call.check_size(read.spec.width.unwrap_or(0).max(read.spec.precision.unwrap_or(0)))?;
            self.conversion(letter, &mut read)?;
        }
        Ok(true)
    }

    /// Reads parts of a directive until the letter that ends it, which is returned; nothing if it is done already.
    fn part(&mut self, read: &mut Directive<'a>) -> Checked<Option<char>> {
        loop {
            // What ends too early is taken as a percent sign.
            let c = self.rest.chars().next().unwrap_or('\n');
            if !matches!(c, '\n' | '\0') {
                self.rest = &self.rest[c.len_utf8()..];
            }
            match c {
                ' ' | '#' | '+' | '-' | '0' => flag(read, c)?,
                '1'..='9' => self.number(read, c)?,
                '<' => self.name(read, '>')?,
                '{' => {
                    self.name(read, '}')?;
                    return Ok(Some('s'));
                }
                '*' => self.width_argument(read)?,
                '.' => self.precision(read)?,
                '%' | '\n' | '\0' if read.is_begun => return Err(issues::lone_percent()),
                '%' | '\n' | '\0' => {
                    self.out.push('%');
                    return Ok(None);
                }
                letter => return Ok(Some(letter)),
            }
        }
    }

    /// Reads `12` as a width, or `12$` as the number of an argument.
    fn number(&mut self, read: &mut Directive<'a>, first: char) -> Checked<()> {
        let number = self.digits(&first.to_string(), "width")?;
        if let Some(rest) = self.rest.strip_prefix('$') {
            self.rest = rest;
            if read.value.is_some() {
                return Err(issues::value_twice(number));
            }
            read.value = Some(self.numbered(number)?);
            return Ok(());
        }
        set_width(read, number)
    }

    fn digits(&mut self, start: &str, what: &str) -> Checked<usize> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, after) = self.rest.split_at(end);
        self.rest = after;
        let digits = format!("{start}{digits}");
        if digits.is_empty() {
            return Ok(0);
        }
        digits.parse::<i32>().map(|number| number as usize).map_err(|_| issues::number_too_big(what))
    }

    fn name(&mut self, read: &mut Directive<'a>, end: char) -> Checked<()> {
        let (name, after) = self.rest.split_once(end).ok_or_else(issues::unmatched_name)?;
        self.rest = after;
        let shown = if end == '>' { format!("<{name}>") } else { format!("{{{name}}}") };
        if let Some(before) = read.name {
            return Err(issues::name_after_name(&shown, before));
        }
        match self.used {
            ArgumentUse::InOrder(count) => return Err(issues::name_after_unnumbered(&shown, count)),
            ArgumentUse::ByNumber => return Err(issues::name_after_numbered(&shown)),
            _ => self.used = ArgumentUse::ByName,
        }
        let [Value::Hash(hash)] = self.arguments else { return Err(issues::one_hash_required()) };
        read.value = Some(hash.get_str(name).ok_or_else(|| issues::name_not_found(&shown))?);
        read.name = Some(name);
        Ok(())
    }

    fn width_argument(&mut self, read: &mut Directive<'a>) -> Checked<()> {
        let width = self.integer_argument()?;
        set_width(read, usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX))?;
        read.spec.left |= width < 0;
        Ok(())
    }

    fn precision(&mut self, read: &mut Directive<'a>) -> Checked<()> {
        if read.spec.precision.is_some() {
            return Err(issues::given_twice("precision"));
        }
        read.is_begun = true;
        read.spec.precision = match self.rest.strip_prefix('*') {
            Some(rest) => {
                self.rest = rest;
                usize::try_from(self.integer_argument()?).ok()
            }
            None => Some(self.digits("", "precision")?),
        };
        Ok(())
    }

    /// Returns the argument that a `*` stands for, the next or a numbered one.
    fn integer_argument(&mut self) -> Checked<i64> {
        let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        let value = match (self.rest[..digits].parse(), self.rest[digits..].strip_prefix('$')) {
            (Ok(number), Some(rest)) => {
                self.rest = rest;
                self.numbered(number)?
            }
            _ => self.next()?,
        };
        let number = implicit_integer(value)?;
        if i32::try_from(number).is_err() {
            return Err(issues::beyond_int(number));
        }
        Ok(number)
    }

    fn numbered(&mut self, number: usize) -> Checked<&'a Value> {
        match self.used {
            ArgumentUse::InOrder(count) => return Err(issues::numbered_after_unnumbered(number, count)),
            ArgumentUse::ByName => return Err(issues::numbered_after_name(number)),
            _ => self.used = ArgumentUse::ByNumber,
        }
        self.arguments.get(number.wrapping_sub(1)).ok_or_else(issues::too_few_arguments)
    }

    fn next(&mut self) -> Checked<&'a Value> {
        let count = match self.used {
            ArgumentUse::ByNumber => return Err(issues::unnumbered_with(1, "numbered")),
            ArgumentUse::ByName => return Err(issues::unnumbered_with(1, "named")),
            ArgumentUse::Nothing => 0,
            ArgumentUse::InOrder(count) => count,
        };
        self.used = ArgumentUse::InOrder(count + 1);
        self.arguments.get(count).ok_or_else(issues::too_few_arguments)
    }

    fn conversion(&mut self, letter: char, read: &mut Directive<'a>) -> Checked<()> {
        if !"cspdiuoxXbBfgGeEaA".contains(letter) {
            return Err(issues::malformed_format(letter));
        }
        let value = match read.value {
            Some(value) => value,
            None => self.next()?,
        };
        let spec = &read.spec;
        self.out.push_str(&match letter {
            'c' => directive::text(&Spec { precision: None, ..*spec }, &character(value)?),
            's' => directive::text(spec, &ruby_text(value)),
            'p' => directive::text(spec, &inspected(value)),
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'b' | 'B' => {
                directive::integer(spec, letter, integer(value)?)
            }
            letter => directive::float(spec, letter, float(value)?),
        });
        Ok(())
    }
}

fn flag(read: &mut Directive, c: char) -> Checked<()> {
    if read.spec.width.is_some() {
        return Err(issues::flag_after("width"));
    }
    if read.spec.precision.is_some() {
        return Err(issues::flag_after("precision"));
    }
    read.is_begun = true;
    *match c {
        ' ' => &mut read.spec.space,
        '#' => &mut read.spec.alt,
        '+' => &mut read.spec.plus,
        '-' => &mut read.spec.left,
        _ => &mut read.spec.zero,
    } = true;
    Ok(())
}

fn set_width(read: &mut Directive, width: usize) -> Checked<()> {
    if read.spec.width.is_some() {
        return Err(issues::given_twice("width"));
    }
    if read.spec.precision.is_some() {
        return Err(issues::width_after_precision());
    }
    read.is_begun = true;
    read.spec.width = Some(width);
    Ok(())
}

/// Returns the first character of a text, or the one with a code point.
fn character(value: &Value) -> Checked<String> {
    match value {
        Value::String(text) => Ok(text.chars().take(1).collect()),
        other => {
            let number = implicit_integer(other)?;
            let code = i32::try_from(number).map_err(|_| issues::beyond_int(number))?;
            Ok(u32::try_from(code)
                .ok()
                .and_then(char::from_u32)
                .ok_or_else(issues::invalid_character)?
                .to_string())
        }
    }
}

/// Returns a number as an integer, which nothing else becomes by itself.
fn implicit_integer(value: &Value) -> Checked<i64> {
    match value {
        Value::Integer(number) => Ok(*number),
        Value::Float(number) if number.abs() < 9.2e18 => Ok(*number as i64),
        Value::Float(number) => Err(issues::float_beyond_integer(*number)),
        other => Err(issues::no_implicit_integer(other)),
    }
}

fn integer(value: &Value) -> Checked<Whole> {
    match value {
        Value::Integer(number) => Ok((*number).into()),
        Value::Float(number) if number.is_finite() => Ok((*number).into()),
        Value::Float(number) => Err(issues::argument(hierarch_pcore::value::number::float_text(*number))),
        Value::String(text) => {
            let number = read_integer(text);
            number.map(Whole::from).ok_or_else(|| issues::invalid_number("Integer", &inspected(value)))
        }
        other => Err(issues::no_conversion(other, "Integer")),
    }
}

fn float(value: &Value) -> Checked<f64> {
    match value {
        Value::String(text) => {
            read_float(text).ok_or_else(|| issues::invalid_number("Float", &bytes_shown(value)))
        }
        other => other.as_number().ok_or_else(|| issues::no_conversion(other, "Float")),
    }
}

/// Ruby shows a text that is not a float by its bytes.
fn bytes_shown(value: &Value) -> String {
    let mut shown = String::new();
    for c in inspected(value).chars() {
        if c.is_ascii() {
            shown.push(c);
        } else {
            shown.extend(c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("\\x{byte:02X}")));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn numbers_in_all_letters() {
        check_calls(&[
            ("sprintf('%d|%i|%u', 5, -5, 5)", "'5|-5|5'"),
            ("sprintf('%5d|%-5d|%05d|%+d|% d', 5, 5, 5, 5, 5)", "'    5|5    |00005|+5| 5'"),
            (
                "sprintf('%x|%X|%#x|%o|%#o|%b|%#b', 255, 255, 255, 255, 255, 5, 5)",
                "'ff|FF|0xff|377|0377|101|0b101'",
            ),
            ("sprintf('%x|%b|%o', -255, -5, -8)", "'..f01|..1011|..70'"),
            ("sprintf('%+x|% b|%+o', -255, -5, -8)", "'-ff|-101|-10'"),
            ("sprintf('%.3d|%8.3d|%-8.3d|', 5, 5, 5)", "'005|     005|005     |'"),
            (
                "sprintf('%e|%E|%.2e', 12345.678, 12345.678, 12345.678)",
                "'1.234568e+04|1.234568E+04|1.23e+04'",
            ),
            (
                "sprintf('%f|%.0f|%.1f|%8.2f|%-8.2f|', 1.5, 2.5, 0.25, 1.5, 1.5)",
                "'1.500000|2|0.2|    1.50|1.50    |'",
            ),
            ("sprintf('%g|%G|%g', 0.00001, 1e20, 123456789.0)", "'1e-05|1E+20|1.23457e+08'"),
            ("sprintf('%a', 1.5)", "'0x1.8p+0'"),
            ("sprintf('%c|%c|%5c', 65, 'abc', 'x')", "'A|a|    x'"),
            ("sprintf('%d', '12')", "'12'"),
            ("sprintf('%d', '0x1f')", "'31'"),
            (
                "sprintf('%d', '12a')",
                r#"Evaluation Error: Error while evaluating a Function Call, invalid value for Integer(): "12a" (line: 1, column: 1)"#,
            ),
            (
                "sprintf('%d', 'x')",
                r#"Evaluation Error: Error while evaluating a Function Call, invalid value for Integer(): "x" (line: 1, column: 1)"#,
            ),
            ("sprintf('%d', 1.9)", "'1'"),
            ("sprintf('%f', '1.5')", "'1.500000'"),
            (
                "sprintf('%f', 'x')",
                r#"Evaluation Error: Error while evaluating a Function Call, invalid value for Float(): "x" (line: 1, column: 1)"#,
            ),
            (
                "sprintf('%d', true)",
                "Evaluation Error: Error while evaluating a Function Call, can't convert true into Integer (line: 1, column: 1)",
            ),
            (
                "sprintf('%d', undef)",
                r#"Evaluation Error: Error while evaluating a Function Call, invalid value for Integer(): "" (line: 1, column: 1)"#,
            ),
            (
                "sprintf('%d', [1])",
                "Evaluation Error: Error while evaluating a Function Call, can't convert Array into Integer (line: 1, column: 1)",
            ),
        ]);
    }

    /// Programs, and what Puppet makes of them.
    const TEXTS_WIDTHS_AND_PLACES: &[(&str, &str)] = &[
        ("sprintf('%s', 'a')", "'a'"),
        ("sprintf('%5s|%-5s|%.2s|%5.2s|', 'abc', 'abc', 'abc', 'abc')", "'  abc|abc  |ab|   ab|'"),
        ("sprintf('%s %s', 'a', 'b')", "'a b'"),
        ("sprintf('%2$s %1$s', 'a', 'b')", "'b a'"),
        ("sprintf('%1$s %1$s', 'a')", "'a a'"),
        (
            "sprintf('%1$s %s', 'a')",
            "Evaluation Error: Error while evaluating a Function Call, unnumbered(1) mixed with numbered (line: 1, column: 1)",
        ),
        (
            "sprintf('%s %1$s', 'a')",
            "Evaluation Error: Error while evaluating a Function Call, numbered(1) after unnumbered(1) (line: 1, column: 1)",
        ),
        (
            "sprintf('%3$s', 'a')",
            "Evaluation Error: Error while evaluating a Function Call, too few arguments (line: 1, column: 1)",
        ),
        ("sprintf('%*d|%-*d|', 5, 1, 5, 1)", "'    1|1    |'"),
        ("sprintf('%%')", "'%'"),
        (
            "sprintf('%5%')",
            "Evaluation Error: Error while evaluating a Function Call, invalid format character - % (line: 1, column: 1)",
        ),
        (
            "sprintf('100%')",
            "Evaluation Error: Error while evaluating a Function Call, incomplete format specifier; use %% (double %) instead (line: 1, column: 1)",
        ),
        (
            "sprintf('% ')",
            "Evaluation Error: Error while evaluating a Function Call, invalid format character - % (line: 1, column: 1)",
        ),
        (
            "sprintf('%q', 1)",
            "Evaluation Error: Error while evaluating a Function Call, malformed format string - %q (line: 1, column: 1)",
        ),
        (
            "sprintf('%')",
            "Evaluation Error: Error while evaluating a Function Call, incomplete format specifier; use %% (double %) instead (line: 1, column: 1)",
        ),
        (
            "sprintf('%s')",
            "Evaluation Error: Error while evaluating a Function Call, too few arguments (line: 1, column: 1)",
        ),
        ("sprintf('%s', 'a', 'b')", "'a'"),
        ("sprintf('%<a>s', {a => 1})", "'1'"),
        ("sprintf('%<a>05d|%{b}', {a => 1, b => 2})", "'00001|2'"),
        (
            "sprintf('%<nope>s', {a => 1})",
            "Evaluation Error: Error while evaluating a Function Call, key<nope> not found (line: 1, column: 1)",
        ),
        (
            "sprintf('%{nope}', {a => 1})",
            "Evaluation Error: Error while evaluating a Function Call, key{nope} not found (line: 1, column: 1)",
        ),
        (
            "sprintf('%<a>s %s', {a => 1})",
            "Evaluation Error: Error while evaluating a Function Call, unnumbered(1) mixed with named (line: 1, column: 1)",
        ),
        (
            "sprintf('%<a', {a => 1})",
            "Evaluation Error: Error while evaluating a Function Call, malformed name - unmatched parenthesis (line: 1, column: 1)",
        ),
        (
            "sprintf('%{a', {a => 1})",
            "Evaluation Error: Error while evaluating a Function Call, malformed name - unmatched parenthesis (line: 1, column: 1)",
        ),
        ("sprintf('%s', [1, 2])", "'[1, 2]'"),
        ("sprintf('%s', {a => 1})", r#"'{"a"=>1}'"#),
        ("sprintf('%s', undef)", "''"),
        ("sprintf('%s', Integer)", "'Integer'"),
        ("sprintf('%p', 'a')", r#"'"a"'"#),
        ("sprintf('%p', [1, 'a', undef])", r#"'[1, "a", nil]'"#),
        ("sprintf('%s', default)", "'default'"),
        ("sprintf('%s', Sensitive('x'))", "'Sensitive [value redacted]'"),
        ("sprintf('é%3sé', 'ü')", "'é  üé'"),
        (r#"sprintf("a\n%s", 1)"#, r#""a\n1""#),
        (
            "sprintf()",
            "Evaluation Error: Error while evaluating a Function Call, sprintf(): Wrong number of arguments given (0 for minimum 1) (line: 1, column: 1)",
        ),
        (
            "sprintf(1)",
            "Evaluation Error: Error while evaluating a Function Call, no implicit conversion of Integer into String (line: 1, column: 1)",
        ),
    ];

    #[test]
    fn texts_widths_and_places() {
        check_calls(TEXTS_WIDTHS_AND_PLACES);
    }
}
