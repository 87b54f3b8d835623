//! `Integer()`, `Float()`, `String()`, `Array()`, `Hash()`, `Rational()`, `format`.

use num_bigint::BigInt;
use num_traits::Num;

use super::super::prelude::*;

/// The table.
pub(super) static METHODS: &[Builtin] = &[
    m("Integer", 1, 2, integer).takes(&["exception"]).private().gives(&[
        "Integer('0x1f') => 31",
        "Integer('x') !! ArgumentError: invalid value for Integer(): \"x\"",
    ]),
    m("Float", 1, 1, float)
        .takes(&["exception"])
        .private()
        .gives(&["Float('1.5') => 1.5", "Float('x') !! ArgumentError: invalid value for Float(): \"x\""]),
    m("String", 1, 1, |vm, _, args| {
        let text = vm.to_s_text(&args.at(0))?;
        Ok(vm.text(text))
    })
    .private()
    .gives(&["String(1) => \"1\""]),
    m("Array", 1, 1, array).private().gives(&[
        "Array(nil) => []",
        "Array(1..2) => [1, 2]",
        "Array({a: 1}) => [[:a, 1]]",
    ]),
    m("Hash", 1, 1, hash).private().gives(&["Hash(nil) => {}", "Hash([]) => {}"]),
    m("Rational", 1, 3, rational).private().gives(&["Rational(1, 2) => (1/2)", "Rational('3/4') => (3/4)"]),
    m("format", 1, -1, format).private().gives(&["format('%05.1f', 2.25) => \"002.2\""]),
    m("sprintf", 1, -1, format).private().gives(&["sprintf('%d-%s', 1, 'a') => \"1-a\""]),
];

/// Whether a failure is nil (`exception: false`).
fn is_quiet(args: &Args) -> bool {
    matches!(args.keyword("exception"), Some(Value::Bool(false)))
}

/// Reads a text as `Integer()` does.
pub(in crate::core) fn read_integer(text: &str, base: u32) -> Option<BigInt> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let prefixes: &[(&str, u32)] = &[("0x", 16), ("0b", 2), ("0o", 8), ("0d", 10)];
    let prefixed = prefixes.iter().find_map(|(prefix, radix)| Some((lower.strip_prefix(prefix)?, *radix)));
    let (digits, radix) = match prefixed {
        Some((digits, radix)) if base == 0 || base == radix => (digits, radix),
        _ if base == 0 && lower.len() > 1 && lower.starts_with('0') => {
            (lower[1..].strip_prefix('_').unwrap_or(&lower[1..]), 8)
        }
        _ => (lower.as_str(), if base == 0 { 10 } else { base }),
    };
    let digits = without_underscores(digits, radix)?;
    let number = BigInt::from_str_radix(&digits, radix).ok()?;
    Some(if negative { -number } else { number })
}

/// Removes underscores, each of which must stand between digits.
fn without_underscores(text: &str, radix: u32) -> Option<String> {
    let is_digit = |c: &char| c.is_digit(radix);
    let characters: Vec<char> = text.chars().collect();
    if characters.is_empty() {
        return None;
    }
    let is_good = |place: usize| {
        let c = characters[place];
        is_digit(&c)
            || (c == '_'
                && place > 0
                && is_digit(&characters[place - 1])
                && characters.get(place + 1).is_some_and(is_digit))
    };
    (0..characters.len()).all(is_good).then(|| text.replace('_', ""))
}

/// Reads what follows `0x` in a float: digits, perhaps with a point and a power of two.
fn read_hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, power) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let power: i32 = power.parse().ok().filter(|power: &i32| power.abs() < 10_000)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if mantissa.ends_with('.') {
        return None;
    }
    let number = read_integer(&format!("{whole}{fraction}"), 16).filter(|_| !whole.is_empty())?;
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(num_traits::ToPrimitive::to_f64(&number)? * 2f64.powi(power - places))
}

/// Reads a text as `Float()` does.
pub(in crate::core) fn read_float(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.starts_with("0x") || digits.starts_with("0X") {
        return read_hexadecimal(&digits[2..]).map(|number| sign * number);
    }
    let bytes = digits.as_bytes();
    let is_digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    if !bytes
        .iter()
        .enumerate()
        .all(|(place, byte)| *byte != b'_' || (place > 0 && is_digit(place - 1) && is_digit(place + 1)))
    {
        return None;
    }
    let plain = digits.replace('_', "");
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_good = (is_digits(whole) || (whole.is_empty() && mantissa.contains('.')))
        && is_digits(fraction)
        && is_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    is_good.then(|| plain.parse::<f64>().ok()).flatten().map(|number| sign * number)
}

/// Makes an integer of what stands for one, as `Integer` does.
pub(in crate::core) fn to_integer(vm: &mut Vm<'_>, value: &Value) -> Res {
    integer(vm, &Value::Nil, &Args::of(std::slice::from_ref(value)))
}

/// Makes a float, as `Float` does.
pub(in crate::core) fn to_float(vm: &mut Vm<'_>, value: &Value) -> Res {
    float(vm, &Value::Nil, &Args::of(std::slice::from_ref(value)))
}

fn integer(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let quiet = is_quiet(args);
    let value = args.at(0);
    let result = match &value {
        Value::Int(_) | Value::Big(_) => Ok(value.clone()),
        Value::Float(number) if number.is_finite() => vm.send(&value, names::TO_I, &[]),
        Value::Str(text) => {
            let base = match args.positional().get(1) {
                Some(base) if !base.is_nil() => radix(vm, base)?,
                _ => 0,
            };
            vm.count_digits(text.lossy().len(), if base == 0 { 10 } else { base })?;
            match read_integer(&text.lossy(), base) {
                Some(number) => Ok(number.into()),
                None => {
                    let shown = vm.inspect(&value)?;
                    Err(vm.raise("ArgumentError", format!("invalid value for Integer(): {shown}")))
                }
            }
        }
        Value::Nil => Err(vm.raise("TypeError", "can't convert nil into Integer")),
        Value::Object(_) if vm.responds(&value, names::TO_I)? => vm.send(&value, names::TO_I, &[]),
        Value::Float(_) => vm.send(&value, names::TO_I, &[]),
        other => {
            let kind = vm.kind_of(other);
            Err(vm.raise("TypeError", format!("can't convert {kind} into Integer")))
        }
    };
    quietly(result, quiet)
}

fn radix(vm: &mut Vm<'_>, base: &Value) -> Res<u32> {
    let base = vm.to_int(base)?;
    match u32::try_from(base.unsigned_abs()) {
        Ok(radix) if radix == 0 || (2..=36).contains(&radix) => Ok(radix),
        _ => Err(vm.raise("ArgumentError", format!("invalid radix {base}"))),
    }
}

fn quietly(result: Res, quiet: bool) -> Res {
    match result {
        Err(flow) if quiet && matches!(*flow, Flow::Raise(_)) => Ok(Value::Nil),
        result => result,
    }
}

fn float(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let quiet = is_quiet(args);
    let value = args.at(0);
    let result = match &value {
        Value::Str(text) => match read_float(&text.lossy()) {
            Some(number) => Ok(Value::Float(number)),
            None => {
                // Its letters are not looked at: the text is shown as bytes.
                let bytes = Text::of_bytes(text.get().bytes().to_vec(), Encoding::Binary);
                let shown = crate::run::inspect::quoted(&bytes);
                Err(vm.raise("ArgumentError", format!("invalid value for Float(): {shown}")))
            }
        },
        other => vm.to_float(other).map(Value::Float),
    };
    quietly(result, quiet)
}

fn array(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    match args.at(0) {
        value @ Value::Array(_) => Ok(value),
        value => {
            let items = vm.splat(&value)?;
            Ok(vm.array(items))
        }
    }
}

fn hash(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    match args.at(0) {
        value @ Value::Hash(_) => Ok(value),
        Value::Nil => Ok(vm.hash_of(Entries::default())),
        Value::Array(array) if array.is_empty() => Ok(vm.hash_of(Entries::default())),
        other => match vm.to_hash(&other) {
            Ok(hash) => Ok(Value::Hash(hash)),
            Err(_) => {
                let class = vm.class_name(&other);
                Err(vm.raise("TypeError", format!("can't convert {class} into Hash")))
            }
        },
    }
}

fn rational(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let first = part(vm, &args.at(0))?;
    match args.positional().get(1) {
        Some(second) => {
            let second = part(vm, second)?;
            let quotient = vm.send(&first, Sym::of("quo"), &[second])?;
            vm.send(&quotient, names::TO_R, &[])
        }
        None => vm.send(&first, names::TO_R, &[]),
    }
}

fn part(vm: &mut Vm<'_>, value: &Value) -> Res {
    match value {
        Value::Str(text) => {
            let text = text.lossy();
            match super::super::string::read_rational(&text) {
                Some((top, bottom)) => vm.rational(top, bottom),
                None => {
                    let shown = vm.inspect(value)?;
                    Err(vm.raise("ArgumentError", format!("invalid value for convert(): {shown}")))
                }
            }
        }
        Value::Nil => Err(vm.raise("TypeError", "can't convert nil into Rational")),
        other => Ok(other.clone()),
    }
}

fn format(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let format = args.text(vm, 0)?;
    let values: Vec<Value> = args.list[1..].to_vec();
    let text = super::super::string::format::format(vm, &format, &values)?;
    Ok(vm.str(text))
}
