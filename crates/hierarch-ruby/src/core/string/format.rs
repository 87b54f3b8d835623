//! `%` and `format`: directives are read here; what one does stands in `hierarch_pcore::format::sprintf`.

use hierarch_pcore::format::sprintf::{self, Spec};
use num_traits::{Signed, ToPrimitive};

use super::super::prelude::*;
use super::chars;
use crate::value::number::{Number, Rational};

pub(super) static METHODS: &[Builtin] = &[m("%", 1, 1, percent).gives(&[
    "'%05.1f' % 2.25 => \"002.2\"",
    "'%s-%d' % ['a', 1] => \"a-1\"",
    "'%<a>d %{b}' % { a: 1, b: 2 } => \"1 2\"",
    "'%{a}' % { b: 2 } => \"%{a}\"",
    "'%d' % 'x' !! ArgumentError: invalid value for Integer(): \"x\"",
])];

fn is_key_error(vm: &mut Vm<'_>, flow: &crate::run::Flow) -> bool {
    matches!(flow, crate::run::Flow::Raise(exception) if vm.is_a(exception, "KeyError"))
}

fn percent(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let values = match args.at(0) {
        Value::Array(array) => array.to_vec(),
        other => vec![other],
    };
    let text = match format(vm, &chars(me), &values) {
        // Puppet's translations change this method: a text that lacks a key stays as it is.
        Err(flow) if matches!(args.at(0), Value::Hash(_)) && is_key_error(vm, &flow) => chars(me).into(),
        other => other?,
    };
    Ok(vm.str(text))
}

/// Reads directives one after the other.
struct Reader<'v> {
    values: &'v [Value],
    next: usize,
    way: Way,
}

/// How a format asks for its values; it may do so in one way only.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    InOrder,
    Numbered,
    Named,
}

impl Reader<'_> {
    fn take(&mut self, vm: &mut Vm<'_>) -> Res {
        let other = match self.way {
            Way::InOrder => None,
            Way::Numbered => Some("numbered"),
            Way::Named => Some("named"),
        };
        if let Some(other) = other {
            let message = format!("unnumbered({}) mixed with {other}", self.next + 1);
            return Err(vm.raise("ArgumentError", message));
        }
        match self.values.get(self.next) {
            Some(value) => {
                self.next += 1;
                Ok(value.clone())
            }
            None => Err(vm.raise("ArgumentError", "too few arguments")),
        }
    }

    /// Returns the value with a number, counted from 1.
    fn numbered(&mut self, vm: &mut Vm<'_>, number: usize) -> Res {
        let before = match self.way {
            Way::Named => Some("named".to_owned()),
            _ if self.next > 0 => Some(format!("unnumbered({})", self.next)),
            _ => None,
        };
        if let Some(before) = before {
            return Err(vm.raise("ArgumentError", format!("numbered({number}) after {before}")));
        }
        self.way = Way::Numbered;
        match number.checked_sub(1).map(|place| self.values.get(place)) {
            Some(Some(value)) => Ok(value.clone()),
            Some(None) => Err(vm.raise("ArgumentError", "too few arguments")),
            None => Err(vm.raise("ArgumentError", format!("invalid index - {number}$"))),
        }
    }

    /// Returns the value that `*` means, as it is or with a number behind it, and what follows.
    fn starred<'f>(&mut self, vm: &mut Vm<'_>, rest: &'f str) -> Res<(i64, &'f str)> {
        let (number, after) = digits(rest);
        let (value, rest) = match after.strip_prefix('$') {
            Some(after) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
                (self.numbered(vm, number)?, after)
            }
            _ => (self.take(vm)?, rest),
        };
        Ok((small_integer(vm, &value)?, rest))
    }

    fn named(&mut self, vm: &mut Vm<'_>, name: &str, shown: &str) -> Res {
        let before = match self.way {
            Way::Numbered => Some("numbered".to_owned()),
            _ if self.next > 0 => Some(format!("unnumbered({})", self.next)),
            _ => None,
        };
        if let Some(before) = before {
            return Err(vm.raise("ArgumentError", format!("named{shown} after {before}")));
        }
        self.way = Way::Named;
        let Some(Value::Hash(hash)) = self.values.first() else {
            return Err(vm.raise("ArgumentError", "one hash required"));
        };
        let name_sym = vm.intern(name)?;
        if let Some(value) = hash.get(&Identity::Sym(name_sym)) {
            return Ok(value);
        }
        let hash_value = Value::Hash(Rc::clone(hash));
        let default = vm.send(&hash_value, Sym::of("default"), &[Value::Sym(name_sym)])?;
        if default.is_nil() {
            let extra = vec![("key", Value::Sym(name_sym)), ("receiver", hash_value)];
            return Err(vm.raise_with("KeyError", format!("key{shown} not found"), extra));
        }
        Ok(default)
    }
}

/// Formats values.
pub(in crate::core) fn format(vm: &mut Vm<'_>, format: &str, values: &[Value]) -> Res<String> {
    let mut reader = Reader { values, next: 0, way: Way::InOrder };
    let mut text = String::new();
    let mut rest = format;
    while let Some(place) = rest.find('%') {
        text.push_str(&rest[..place]);
        rest = directive(vm, &rest[place + 1..], &mut reader, &mut text)?;
        vm.check_size(text.len())?;
    }
    text.push_str(rest);
    Ok(text)
}

/// What was read of a directive so far.
#[derive(Default)]
struct Directive {
    spec: Spec,
    chosen: Option<Value>,
    name: Option<String>,
}

/// Carries out what stands after a `%` and returns what follows.
fn directive<'f>(
    vm: &mut Vm<'_>,
    format: &'f str,
    reader: &mut Reader<'_>,
    text: &mut String,
) -> Res<&'f str> {
    let mut read = Directive::default();
    let mut rest = format;
    loop {
        let Some(c) = rest.chars().next() else {
            return at_end(vm, &read.spec, format, text).map(|()| "");
        };
        rest = match c {
            '-' | '+' | ' ' | '0' | '#' => {
                set_flag(vm, &mut read.spec, c)?;
                &rest[1..]
            }
            '1'..='9' => read.number(vm, rest, reader)?,
            '*' => {
                check_width(vm, &read.spec)?;
                let (width, after) = reader.starred(vm, &rest[1..])?;
                read.spec.left |= width < 0;
                let width = width.unsigned_abs() as usize;
                vm.check_size(width)?;
                read.spec.width = Some(width);
                after
            }
            '.' => precision(vm, &rest[1..], reader, &mut read.spec)?,
            '<' => read.named(vm, rest, reader, '>')?,
            '{' => {
                rest = read.named(vm, rest, reader, '}')?;
                let value = vm.to_s(&read.chosen.unwrap_or_default())?;
                text.push_str(&sprintf::text(&read.spec, &value));
                return Ok(rest);
            }
            _ => break,
        };
    }
    conversion(vm, rest, (&read.spec, read.chosen, reader), text)
}

impl Directive {
    /// `5` is a width, `5$` says which value is meant.
    fn number<'f>(&mut self, vm: &mut Vm<'_>, rest: &'f str, reader: &mut Reader<'_>) -> Res<&'f str> {
        let (number, after) = whole_number(vm, rest, "width")?;
        if let Some(after) = after.strip_prefix('$') {
            if self.chosen.is_some() {
                return Err(vm.raise("ArgumentError", format!("value given twice - {number}$")));
            }
            self.chosen = Some(reader.numbered(vm, number)?);
            return Ok(after);
        }
        check_width(vm, &self.spec)?;
        vm.check_size(number)?;
        self.spec.width = Some(number);
        Ok(after)
    }

    /// `<name>` or `{name}`.
    fn named<'f>(
        &mut self,
        vm: &mut Vm<'_>,
        rest: &'f str,
        reader: &mut Reader<'_>,
        close: char,
    ) -> Res<&'f str> {
        let Some((name, after)) = rest[1..].split_once(close) else {
            return Err(vm.raise("ArgumentError", "malformed name - unmatched parenthesis"));
        };
        let shown = &rest[..name.len() + 2];
        if let Some(before) = &self.name {
            return Err(vm.raise("ArgumentError", format!("named{shown} after <{before}>")));
        }
        self.chosen = Some(reader.named(vm, name, shown)?);
        self.name = Some(name.to_owned());
        Ok(after)
    }
}

/// A format ends where a directive was begun.
fn at_end(vm: &mut Vm<'_>, spec: &Spec, format: &str, text: &mut String) -> Res<()> {
    if format.is_empty() {
        return Err(vm.raise("ArgumentError", "incomplete format specifier; use %% (double %) instead"));
    }
    if has_flags(spec) {
        return Err(vm.raise("ArgumentError", "invalid format character - %"));
    }
    text.push('%');
    Ok(())
}

fn set_flag(vm: &mut Vm<'_>, spec: &mut Spec, flag: char) -> Res<()> {
    if spec.width.is_some() {
        return Err(vm.raise("ArgumentError", "flag after width"));
    }
    if spec.precision.is_some() {
        return Err(vm.raise("ArgumentError", "flag after precision"));
    }
    match flag {
        '-' => spec.left = true,
        '+' => spec.plus = true,
        ' ' => spec.space = true,
        '0' => spec.zero = true,
        _ => spec.alt = true,
    }
    Ok(())
}

fn check_width(vm: &mut Vm<'_>, spec: &Spec) -> Res<()> {
    if spec.width.is_some() {
        return Err(vm.raise("ArgumentError", "width given twice"));
    }
    if spec.precision.is_some() {
        return Err(vm.raise("ArgumentError", "width after precision"));
    }
    Ok(())
}

fn digits(text: &str) -> (usize, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].parse().unwrap_or(usize::MAX), &text[end..])
}

/// Reads a number that something has to follow.
fn whole_number<'f>(vm: &mut Vm<'_>, text: &'f str, what: &str) -> Res<(usize, &'f str)> {
    let is_given = text.starts_with(|c: char| c.is_ascii_digit());
    let (number, rest) = if is_given { digits(text) } else { (0, text) };
    if i32::try_from(number).is_err() {
        return Err(vm.raise("ArgumentError", format!("{what} too big")));
    }
    if rest.is_empty() {
        return Err(vm.raise("ArgumentError", "malformed format string - %*[0-9]"));
    }
    Ok((number, rest))
}

fn precision<'f>(vm: &mut Vm<'_>, rest: &'f str, reader: &mut Reader<'_>, spec: &mut Spec) -> Res<&'f str> {
    if spec.precision.is_some() {
        return Err(vm.raise("ArgumentError", "precision given twice"));
    }
    if let Some(rest) = rest.strip_prefix('*') {
        let (number, rest) = reader.starred(vm, rest)?;
        spec.precision = usize::try_from(number).ok();
        vm.check_size(spec.precision.unwrap_or(0))?;
        return Ok(rest);
    }
    let (number, rest) = whole_number(vm, rest, "precision")?;
    vm.check_size(number)?;
    spec.precision = Some(number);
    Ok(rest)
}

fn conversion<'f>(
    vm: &mut Vm<'_>,
    rest: &'f str,
    (spec, chosen, reader): (&Spec, Option<Value>, &mut Reader<'_>),
    text: &mut String,
) -> Res<&'f str> {
    let letter = rest.chars().next().unwrap_or('%');
    let after = &rest[letter.len_utf8().min(rest.len())..];
    if matches!(letter, '%' | '\n' | '\0') {
        if has_flags(spec) {
            return Err(vm.raise("ArgumentError", "invalid format character - %"));
        }
        text.push('%');
        if letter != '%' {
            text.push(letter);
        }
        return Ok(after);
    }
    if !"diuxXobBfeEgGaAcspr".contains(letter) {
        let shown =
            if letter.is_ascii_graphic() || letter == ' ' { format!(" - %{letter}") } else { String::new() };
        return Err(vm.raise("ArgumentError", format!("malformed format string{shown}")));
    }
    let value = match chosen {
        Some(value) => value,
        None => reader.take(vm)?,
    };
    let shown = match letter {
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' => integer(vm, spec, letter, &value)?,
        'c' => character(vm, spec, &value)?,
        's' => sprintf::text(spec, &vm.to_s(&value)?),
        'p' => sprintf::text(spec, &vm.inspect(&value)?),
        'f' if is_exact(spec, &value) => exact(vm, spec, &value)?,
        _ => {
            let number = super::super::object::to_float(vm, &value)?;
            sprintf::float(spec, letter, vm.to_float(&number)?)
        }
    };
    text.push_str(&shown);
    Ok(after)
}

/// Whether `%f` shows a number by its own digits, not by those of a float.
fn is_exact(spec: &Spec, value: &Value) -> bool {
    let is_short = spec.precision.unwrap_or(6) < 10_000;
    is_short && (matches!(value, Value::Int(_) | Value::Big(_)) || value.payload::<Rational>().is_some())
}

/// Shows an integer or a fraction with decimals, halves rounded up.
fn exact(vm: &mut Vm<'_>, spec: &Spec, value: &Value) -> Res<String> {
    let Some(number) = Number::of(value).and_then(|number| number.to_rational()) else {
        return Ok(String::new());
    };
    let places = spec.precision.unwrap_or(6);
    let scaled = number.top.abs() * num_bigint::BigInt::from(10).pow(places as u32);
    let rounded = (scaled * 2 + &number.bottom) / (number.bottom * 2);
    let digits = vm.digits_of(&rounded, 10)?;
    let digits = format!("{}{digits}", "0".repeat((places + 1).saturating_sub(digits.len())));
    let (whole, decimals) = digits.split_at(digits.len() - places);
    let point = if places > 0 || spec.alt { "." } else { "" };
    let sign = match number.top.is_negative() {
        true => "-",
        false if spec.plus => "+",
        false if spec.space => " ",
        false => "",
    };
    let body = format!("{whole}{point}{decimals}");
    if spec.zero && !spec.left {
        let width = spec.width.unwrap_or(0).saturating_sub(sign.len());
        return Ok(format!("{sign}{}{body}", "0".repeat(width.saturating_sub(body.len()))));
    }
    Ok(sprintf::text(&Spec { precision: None, ..*spec }, &format!("{sign}{body}")))
}

fn integer(vm: &mut Vm<'_>, spec: &Spec, letter: char, value: &Value) -> Res<String> {
    let value = match value {
        Value::Int(_) => value.clone(),
        Value::Float(_) => vm.send(value, Sym::of("truncate"), &[])?,
        other => super::super::object::to_integer(vm, other)?,
    };
    match &value {
        Value::Int(number) => Ok(sprintf::integer(spec, letter, i128::from(*number))),
        Value::Big(number) => match number.to_i128() {
            Some(number) => Ok(sprintf::integer(spec, letter, number)),
            None => {
                let radix = match letter {
                    'x' | 'X' => 16,
                    'o' => 8,
                    'b' | 'B' => 2,
                    _ => 10,
                };
                let digits = vm.digits_of(number, radix)?;
                Ok(sprintf::text(&Spec { precision: None, ..*spec }, &digits))
            }
        },
        _ => Ok(String::new()),
    }
}

fn has_flags(spec: &Spec) -> bool {
    let is_sized = spec.width.is_some() || spec.precision.is_some();
    is_sized || spec.left || spec.plus || spec.space || spec.zero || spec.alt
}

/// Returns an integer that C's `int` has room for.
fn small_integer(vm: &mut Vm<'_>, value: &Value) -> Res<i64> {
    if let Value::Float(number) = value
        && !number.is_finite()
    {
        let shown = if number.is_nan() {
            "NaN"
        } else if *number > 0.0 {
            "Inf"
        } else {
            "-Inf"
        };
        return Err(vm.raise("RangeError", format!("float {shown} out of range of integer")));
    }
    let number = vm.to_int(value)?;
    if i32::try_from(number).is_err() {
        let how = if number > 0 { "big" } else { "small" };
        return Err(vm.raise("RangeError", format!("integer {number} too {how} to convert to `int'")));
    }
    Ok(number)
}

fn character(vm: &mut Vm<'_>, spec: &Spec, value: &Value) -> Res<String> {
    let c = match value {
        Value::Str(text) => text.chars().chars().take(1).collect::<String>(),
        other => {
            let code = small_integer(vm, other)?;
            match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(c) => c.to_string(),
                None => return Err(vm.raise("ArgumentError", "invalid character")),
            }
        }
    };
    Ok(sprintf::text(&Spec { precision: None, ..*spec }, &c))
}
