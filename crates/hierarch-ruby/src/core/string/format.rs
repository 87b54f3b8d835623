//! `%` and `format`: directives are read here; what one does stands in `hierarch_pcore::format::sprintf`.

use hierarch_pcore::format::sprintf::{self, Spec};
use num_traits::ToPrimitive;

use super::super::prelude::*;
use super::chars;

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
                let width = vm.to_int(&value)?;
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
        let number = vm.to_int(&value)?;
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
        text.push('%');
        if letter != '%' {
            text.push(letter);
        }
        return Ok(after);
    }
    if !"diuxXobBfeEgGaAcspr".contains(letter) {
        return Err(vm.raise("ArgumentError", format!("malformed format string - %{letter}")));
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
        _ => {
            let kernel = vm.main.clone();
            let number = vm.send(&kernel, Sym::of("Float"), &[value])?;
            sprintf::float(spec, letter, vm.to_float(&number)?)
        }
    };
    text.push_str(&shown);
    Ok(after)
}

fn integer(vm: &mut Vm<'_>, spec: &Spec, letter: char, value: &Value) -> Res<String> {
    let value = match value {
        Value::Float(_) => vm.send(value, Sym::of("floor"), &[])?,
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

fn character(vm: &mut Vm<'_>, spec: &Spec, value: &Value) -> Res<String> {
    let c = match value {
        Value::Str(text) => text.chars().chars().take(1).collect::<String>(),
        other => {
            let code = vm.to_int(other)?;
            match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(c) => c.to_string(),
                None => return Err(vm.raise("ArgumentError", "invalid character")),
            }
        }
    };
    Ok(sprintf::text(&Spec { precision: None, ..*spec }, &c))
}
