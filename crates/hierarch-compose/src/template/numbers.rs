//! Filters for numbers and sizes.

use hierarch_pcore::Value;
use minijinja::Error as JinjaError;
use minijinja::value::{Kwargs, Value as JinjaValue};

use super::engine::Engine;
use super::issues;
use super::texts::text_of;
use super::value::from_jinja;
use crate::expr::python;

type Made = Result<JinjaValue, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_filter("int", int);
    engine.add_filter("float", float);
    engine.add_filter("pow", |value: f64, exponent: f64| value.powf(exponent));
    engine.add_filter("log", |value: f64, base: Option<f64>| match base {
        Some(2.0) => value.log2(),
        Some(10.0) => value.log10(),
        Some(base) => value.ln() / base.ln(),
        None => value.ln(),
    });
    engine.add_filter("root", |value: f64, base: Option<f64>| match base {
        None | Some(2.0) => value.sqrt(),
        Some(base) => rounded_root(value, base),
    });
    engine.add_filter("human_readable", human_readable);
    engine.add_filter("human_to_bytes", human_to_bytes);
    engine.add_filter("filesizeformat", filesizeformat);
}

/// A root that is a whole number is written as one.
#[expect(clippy::float_cmp, reason = "exactly that number is meant")]
fn rounded_root(value: f64, base: f64) -> f64 {
    let root = value.powf(1.0 / base);
    if root.round().powf(base) == value { root.round() } else { root }
}

/// Reads a number, with a base if asked for; what is none is the default.
fn int(value: JinjaValue, default: Option<JinjaValue>, base: Option<u32>, named: Kwargs) -> Made {
    let default = default.or(named.get("default")?).unwrap_or_else(|| JinjaValue::from(0));
    let base = base.or(named.get("base")?).unwrap_or(10);
    let number = match from_jinja(&value)? {
        Value::String(text) => whole_number(text.trim(), base),
        Value::Float(number) if number.is_finite() => Some(number.trunc() as i64),
        Value::Integer(number) => Some(number),
        Value::Boolean(truth) => Some(i64::from(truth)),
        _ => None,
    };
    Ok(number.map_or(default, JinjaValue::from))
}

fn whole_number(text: &str, base: u32) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let prefix = match base {
        16 => ["0x", "0X"],
        8 => ["0o", "0O"],
        2 => ["0b", "0B"],
        _ => ["", ""],
    };
    let digits = prefix.iter().find_map(|prefix| digits.strip_prefix(prefix)).unwrap_or(digits);
    if !(2..=36).contains(&base) {
        return None;
    }
    let whole = i64::from_str_radix(digits, base).ok().map(|number| sign * number);
    whole.or_else(|| {
        python::float_of(text).filter(|number| number.is_finite()).map(|number| number.trunc() as i64)
    })
}

fn float(value: JinjaValue, default: Option<JinjaValue>, named: Kwargs) -> Made {
    let default = default.or(named.get("default")?).unwrap_or_else(|| JinjaValue::from(0.0));
    let value = from_jinja(&value)?;
    let number = match &value {
        Value::String(text) => python::float_of(text),
        Value::Boolean(truth) => Some(f64::from(u8::from(*truth))),
        other => other.as_number(),
    };
    Ok(number.map_or(default, JinjaValue::from))
}

/// Letters of sizes, the largest first.
const LETTERS: &str = "YZEPTGMKB";

/// How many bytes a letter stands for.
fn factor(letter: char) -> Option<f64> {
    let place = LETTERS.find(letter.to_ascii_uppercase())?;
    Some(1024_f64.powi((LETTERS.len() - 1 - place) as i32))
}

fn human_readable(size: f64, isbits: Option<bool>, unit: Option<String>, named: Kwargs) -> Made {
    let bits = isbits.or(named.get("isbits")?).unwrap_or(false);
    let unit = unit.or(named.get("unit")?).and_then(|unit: String| unit.chars().next());
    let fits = |letter: &char| match unit {
        Some(unit) => unit.eq_ignore_ascii_case(letter),
        None => factor(*letter).is_some_and(|factor| size >= factor),
    };
    let letter = LETTERS.chars().find(fits).unwrap_or('B');
    let base = if bits { "bits" } else { "Bytes" };
    let suffix = if letter == 'B' { base.to_owned() } else { format!("{letter}{}", &base[..1]) };
    Ok(format!("{:.2} {suffix}", size / factor(letter).unwrap_or(1.0)).into())
}

fn human_to_bytes(
    value: JinjaValue,
    default_unit: Option<String>,
    isbits: Option<bool>,
    named: Kwargs,
) -> Made {
    let text = text_of(&value)?;
    let bits = isbits.or(named.get("isbits")?).unwrap_or(false);
    let default_unit: Option<String> = default_unit.or(named.get("default_unit")?);
    let failed = || issues::no_size(&text);
    let given = text.trim();
    let end = given.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(given.len());
    let number: f64 = given[..end].parse().map_err(|_| failed())?;
    let unit: String = given[end..].trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    let unit = if unit.is_empty() { default_unit.unwrap_or_default() } else { unit };
    let Some(letter) = unit.chars().next() else { return Ok(JinjaValue::from(number.round() as i64)) };
    let (class, name) = if bits { ('b', "bit") } else { ('B', "byte") };
    let fine = unit.len() == 1 || unit.to_lowercase().contains(name) || unit.chars().nth(1) == Some(class);
    if !fine {
        return Err(failed());
    }
    Ok(JinjaValue::from((number * factor(letter).ok_or_else(failed)?).round() as i64))
}

fn filesizeformat(value: f64, binary: Option<bool>, named: Kwargs) -> Made {
    let binary = binary.or(named.get("binary")?).unwrap_or(false);
    let (base, units) = if binary {
        (1024.0, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"])
    } else {
        (1000.0, ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"])
    };
    if (value - 1.0).abs() < f64::EPSILON {
        return Ok("1 Byte".into());
    }
    if value < base {
        return Ok(format!("{} Bytes", value.trunc()).into());
    }
    let mut unit = base;
    for name in units {
        unit *= base;
        if value < unit || name.starts_with('Y') {
            return Ok(format!("{:.1} {name}", base * value / unit).into());
        }
    }
    Ok(value.to_string().into())
}
