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
    is_named: bool,
}

impl Reader<'_> {
    fn take(&mut self, vm: &mut Vm<'_>) -> Res {
        if self.is_named {
            let message = format!("unnumbered({}) mixed with named", self.next + 1);
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

    fn named(&mut self, vm: &mut Vm<'_>, name: &str, shown: &str) -> Res {
        if self.next > 0 {
            let message = format!("named{shown} after unnumbered({})", self.next);
            return Err(vm.raise("ArgumentError", message));
        }
        self.is_named = true;
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
    let mut reader = Reader { values, next: 0, is_named: false };
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

/// Carries out what stands after a `%` and returns what follows.
fn directive<'f>(
    vm: &mut Vm<'_>,
    format: &'f str,
    reader: &mut Reader<'_>,
    text: &mut String,
) -> Res<&'f str> {
    let mut spec = Spec::default();
    let mut named: Option<Value> = None;
    let mut rest = format;
    loop {
        let Some(c) = rest.chars().next() else {
            return Err(vm.raise("ArgumentError", "incomplete format specifier; use %% (double %) instead"));
        };
        match c {
            '-' => spec.left = true,
            '+' => spec.plus = true,
            ' ' => spec.space = true,
            '0' => spec.zero = true,
            '#' => spec.alt = true,
            '1'..='9' => {
                let (number, after) = digits(rest);
                if let Some(after) = after.strip_prefix('$') {
                    reader.next = number.saturating_sub(1);
                    rest = after;
                } else {
                    vm.check_size(number)?;
                    spec.width = Some(number);
                    rest = after;
                }
                continue;
            }
            '*' => {
                let value = reader.take(vm)?;
                let width = small_integer(vm, &value)?;
                spec.left |= width < 0;
                let width = width.unsigned_abs() as usize;
                vm.check_size(width)?;
                spec.width = Some(width);
            }
            '.' => {
                rest = precision(vm, &rest[1..], reader, &mut spec)?;
                continue;
            }
            '<' | '{' => {
                let close = if c == '<' { '>' } else { '}' };
                let Some((name, after)) = rest[1..].split_once(close) else {
                    return Err(vm.raise("ArgumentError", "malformed name - unmatched parenthesis"));
                };
                let value = reader.named(vm, name, &format!("{c}{name}{close}"))?;
                rest = after;
                if c == '{' {
                    let value = vm.to_s(&value)?;
                    text.push_str(&sprintf::text(&spec, &value));
                    return Ok(rest);
                }
                named = Some(value);
                continue;
            }
            _ => break,
        }
        rest = &rest[c.len_utf8()..];
    }
    conversion(vm, rest, (&spec, named, reader), text)
}

fn digits(text: &str) -> (usize, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].parse().unwrap_or(usize::MAX), &text[end..])
}

fn precision<'f>(vm: &mut Vm<'_>, rest: &'f str, reader: &mut Reader<'_>, spec: &mut Spec) -> Res<&'f str> {
    if let Some(rest) = rest.strip_prefix('*') {
        let value = reader.take(vm)?;
        let number = small_integer(vm, &value)?;
        spec.precision = usize::try_from(number).ok();
        vm.check_size(spec.precision.unwrap_or(0))?;
        return Ok(rest);
    }
    let (number, rest) = digits(rest);
    let number = if number == usize::MAX { 0 } else { number };
    vm.check_size(number)?;
    spec.precision = Some(number);
    Ok(rest)
}

fn conversion<'f>(
    vm: &mut Vm<'_>,
    rest: &'f str,
    (spec, named, reader): (&Spec, Option<Value>, &mut Reader<'_>),
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
    let value = match named {
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
            let kernel = vm.main.clone();
            let number = vm.send(&kernel, Sym::of("Float"), &[value])?;
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
        other => {
            let kernel = vm.main.clone();
            vm.send(&kernel, Sym::of("Integer"), &[other.clone()])?
        }
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
