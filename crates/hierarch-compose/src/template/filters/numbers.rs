//! Filters for numbers and sizes.

use super::super::call::{BoundArguments, Function, function, int};
use super::super::fault::Checked;
use super::super::issues;
use super::super::operators::as_float;
use super::super::renderer::Renderer;
use super::super::show::type_name;
use super::super::tree::Unary;
use super::super::value::Val;
use crate::expr::python;

pub(super) static FILTERS: &[Function] = &[
    function("int", &["value", "default?", "base?"], to_int),
    function("float", &["value", "default?"], to_float),
    function("abs", &["value"], |renderer, given| {
        let value = given.value(0);
        match value {
            Val::Int(number) if *number < 0 => renderer.unary(Unary::Minus, value),
            Val::Float(number) => Ok(Val::Float(number.abs())),
            Val::Int(_) => Ok(value.clone()),
            Val::Bool(truth) => Ok(Val::Int(i128::from(*truth))),
            other => Err(issues::bad_unary("abs()", type_name(other))),
        }
    }),
    function("round", &["value", "precision?", "method?"], round),
    function("pow", &["x", "y"], |_, given| {
        let (base, exponent) = (given.float(0)?, given.float(1)?);
        let found = base.powf(exponent);
        if found.is_infinite() && base.is_finite() && exponent.is_finite() {
            return Err(issues::math_range());
        }
        if found.is_nan() && !base.is_nan() && !exponent.is_nan() {
            return Err(issues::math_domain());
        }
        Ok(Val::Float(found))
    }),
    function("log", &["x", "base?"], logarithm),
    function("root", &["x", "base?"], |_, given| {
        let (value, base) = (given.float(0)?, given.float_or(1)?.unwrap_or(2.0));
        if value < 0.0 {
            return Err(issues::math_domain());
        }
        #[expect(clippy::float_cmp, reason = "exactly two is meant")]
        let found = if base == 2.0 { value.sqrt() } else { value.powf(1.0 / base) };
        Ok(Val::Float(found))
    }),
    function("human_readable", &["size", "isbits?", "unit?"], human_readable),
    function("human_to_bytes", &["size", "default_unit?", "isbits?"], human_to_bytes),
    function("filesizeformat", &["value", "binary?"], filesizeformat),
];

/// Reads a number, with a base if asked for; what is none is the default.
fn to_int(_: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let base = u32::try_from(given.int(2, 10)?).ok().filter(|base| *base == 0 || (2..=36).contains(base));
    let number = match given.value(0) {
        Val::Text(text) => base.and_then(|base| whole_number(text.text.trim(), base)),
        Val::Float(number) if number.is_finite() => Some(number.trunc() as i128),
        Val::Int(number) => Some(*number),
        Val::Bool(truth) => Some(i128::from(*truth)),
        _ => None,
    };
    Ok(number.map_or_else(|| given.get(1).cloned().unwrap_or(Val::Int(0)), Val::Int))
}

fn whole_number(text: &str, base: u32) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (base, prefix) = match (base, digits.get(..2).map(str::to_lowercase).as_deref()) {
        (16 | 0, Some("0x")) => (16, 2),
        (8 | 0, Some("0o")) => (8, 2),
        (2 | 0, Some("0b")) => (2, 2),
        (0, _) => (10, 0),
        (base, _) => (base, 0),
    };
    let whole = python::without_underscores(&digits[prefix..])
        .filter(|digits| !digits.starts_with(['+', '-']))
        .and_then(|digits| i128::from_str_radix(&digits, base).ok());
    whole.map(|number| sign * number).or_else(|| {
        python::float_of(text).filter(|number| number.is_finite()).map(|number| number.trunc() as i128)
    })
}

fn to_float(_: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let number = match given.value(0) {
        Val::Text(text) => python::float_of(&text.text),
        other => as_float(other),
    };
    Ok(number.map_or_else(|| given.get(1).cloned().unwrap_or(Val::Float(0.0)), Val::Float))
}

fn round(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = given.value(0);
    let precision = int(given.get(1).unwrap_or(&Val::Int(0)))?;
    let method = given.text_or(renderer, 2, "common")?;
    let Some(number) = as_float(value) else { return Err(issues::number_needed(type_name(value))) };
    let precision = i32::try_from(precision.clamp(-400, 400)).unwrap_or(0);
    let factor = 10_f64.powi(precision);
    match method.as_str() {
        "common" => match value {
            // Python rounds integers to integers.
            Val::Int(whole) if precision >= 0 => Ok(Val::Int(*whole)),
            Val::Int(whole) => Ok(Val::Int(rounded_int(*whole, precision))),
            _ => Ok(Val::Float(rounded(number, precision))),
        },
        "ceil" => Ok(Val::Float((number * factor).ceil() / factor)),
        "floor" => Ok(Val::Float((number * factor).floor() / factor)),
        _ => Err(issues::round_method()),
    }
}

/// Rounds to a digit, halves to the even one.
fn rounded(number: f64, precision: i32) -> f64 {
    if !number.is_finite() || precision > 300 {
        return number;
    }
    if precision >= 0 {
        // The decimal digits of a float are exact when written out, which is what Python looks at.
        let text = format!("{number:.*}", precision as usize);
        return text.parse().unwrap_or(number);
    }
    let factor = 10_f64.powi(-precision);
    (number / factor).round_ties_even() * factor
}

fn rounded_int(number: i128, precision: i32) -> i128 {
    let Some(factor) = 10_i128.checked_pow(precision.unsigned_abs()) else { return 0 };
    let (quotient, rest) = (number.div_euclid(factor), number.rem_euclid(factor));
    let up = rest * 2 > factor || (rest * 2 == factor && quotient % 2 != 0);
    (quotient + i128::from(up)) * factor
}

#[expect(clippy::float_cmp, reason = "exactly these bases are meant")]
fn logarithm(_: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (value, base) = (given.float(0)?, given.float_or(1)?);
    if value <= 0.0 || base.is_some_and(|base| base <= 0.0) {
        return Err(issues::math_domain());
    }
    Ok(Val::Float(match base {
        None => value.ln(),
        Some(10.0) => value.log10(),
        Some(1.0) => return Err(issues::division_by_zero("float division by zero")),
        Some(base) if base == std::f64::consts::E => value.ln(),
        Some(base) => value.ln() / base.ln(),
    }))
}

/// Letters of sizes, the largest first.
const LETTERS: &str = "YZEPTGMKB";

/// How many bytes a letter stands for.
fn factor(letter: char) -> Option<f64> {
    let place = LETTERS.find(letter.to_ascii_uppercase())?;
    Some(1024_f64.powi((LETTERS.len() - 1 - place) as i32))
}

fn human_readable(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let size = given.float(0)?;
    let bits = given.truth(renderer, 1, false)?;
    let unit = match given.get(2) {
        None | Some(Val::None) => None,
        Some(unit) => renderer.printed(unit)?.chars().next(),
    };
    let fits = |letter: &char| match unit {
        Some(unit) => unit.eq_ignore_ascii_case(letter),
        None => factor(*letter).is_some_and(|factor| size >= factor),
    };
    let letter = LETTERS.chars().find(fits).unwrap_or('B');
    let base = if bits { "bits" } else { "Bytes" };
    let suffix = if letter == 'B' { base.to_owned() } else { format!("{letter}{}", &base[..1]) };
    renderer.text(format!("{:.2} {suffix}", size / factor(letter).unwrap_or(1.0)))
}

fn human_to_bytes(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let text = given.text(renderer, 0)?;
    let bits = given.truth(renderer, 2, false)?;
    let default_unit = match given.get(1) {
        None | Some(Val::None) => String::new(),
        Some(unit) => renderer.printed(unit)?,
    };
    let failed = || issues::no_size(&text);
    let trimmed = text.trim_start();
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let whole = digits(trimmed);
    let end = match trimmed[whole..].strip_prefix('.') {
        Some(fraction) => whole + 1 + digits(fraction),
        None => whole,
    };
    let number: f64 = trimmed[..end].parse().map_err(|_| failed())?;
    let unit: String = trimmed[end..].trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    let unit = if unit.is_empty() { default_unit } else { unit };
    let Some(letter) = unit.chars().next() else { return Ok(Val::Int(number.round_ties_even() as i128)) };
    let (class, name) = if bits { ('b', "bit") } else { ('B', "byte") };
    let fine = unit.len() == 1 || unit.to_lowercase().contains(name) || unit.chars().nth(1) == Some(class);
    if !fine {
        return Err(failed());
    }
    Ok(Val::Int((number * factor(letter).ok_or_else(failed)?).round_ties_even() as i128))
}

fn filesizeformat(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = match given.value(0) {
        Val::Text(text) => python::float_of(&text.text).ok_or_else(|| issues::number_needed("str"))?,
        _ => given.float(0)?,
    };
    let (base, units) = if given.truth(renderer, 1, false)? {
        (1024.0, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"])
    } else {
        (1000.0, ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"])
    };
    if (value - 1.0).abs() < f64::EPSILON {
        return Ok(Val::text("1 Byte"));
    }
    if value < base {
        return renderer.text(format!("{} Bytes", value.trunc()));
    }
    let mut unit = base;
    for name in units {
        unit *= base;
        if value < unit || name.starts_with('Y') {
            return renderer.text(format!("{:.1} {name}", base * value / unit));
        }
    }
    renderer.text(value.to_string())
}
