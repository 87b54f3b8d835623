//! Formats: `'%05.1f' % x`, `'{:>8}'.format(x)` and the filter `format`.

use hierarch_pcore::Str;

use super::fault::Checked;
use super::issues;
use super::operators::as_float;
use super::renderer::Renderer;
use super::show::type_name;
use super::tree::Range;
use super::value::{LazyItems, Val};
use crate::expr::python;

/// How wide a field may be.
const WIDEST: usize = 9_999;

/// How a field is written.
#[derive(Clone, Debug, Default)]
struct Spec {
    fill: Option<char>,
    align: Option<char>,
    sign: Option<char>,
    alternate: bool,
    zero: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Renderer {
    /// Writes values into a format with `%`.
    pub(super) fn percent(&mut self, format: &str, values: &Val) -> Checked<Val> {
        let mut given = match values {
            Val::Tuple(list) => list.items.borrow().clone(),
            other => vec![other.clone()],
        }
        .into_iter();
        let is_tuple = matches!(values, Val::Tuple(_));
        let mut used = false;
        let mut out = String::new();
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            self.fits(out.len())?;
            if let Some(after) = after.strip_prefix('%') {
                out.push('%');
                rest = after;
                continue;
            }
            let (name, after) = match after.strip_prefix('(') {
                Some(named) => {
                    let (name, after) = named.split_once(')').ok_or_else(issues::incomplete_format_key)?;
                    (Some(name), after)
                }
                None => (None, after),
            };
            let mut next = |renderer: &mut Self| match name {
                Some(name) => {
                    used = true;
                    let found = renderer.entry(values, &Val::text(name))?;
                    found.ok_or_else(|| issues::no_such_key(&python::quoted(name)))
                }
                None => given.next().ok_or_else(issues::too_few_for_format),
            };
            let (spec, after) = self.percent_spec(after, &mut next)?;
            let value = next(self)?;
            self.percent_value(&spec, &value, &mut out)?;
            rest = after;
        }
        out.push_str(rest);
        let all_used = given.next().is_none() || used || (!is_tuple && is_map(values));
        if all_used { self.text(out) } else { Err(issues::too_many_for_format()) }
    }

    fn percent_spec<'f>(
        &mut self,
        format: &'f str,
        next: &mut impl FnMut(&mut Self) -> Checked<Val>,
    ) -> Checked<(Spec, &'f str)> {
        let mut spec = Spec { align: Some('>'), ..Spec::default() };
        let flags = format.len() - format.trim_start_matches(['#', '0', '-', ' ', '+']).len();
        for flag in format[..flags].chars() {
            match flag {
                '#' => spec.alternate = true,
                '0' => spec.zero = true,
                '-' => spec.align = Some('<'),
                ' ' => spec.sign = spec.sign.or(Some(' ')),
                _ => spec.sign = Some('+'),
            }
        }
        if spec.align == Some('<') {
            spec.zero = false;
        }
        let mut rest = &format[flags..];
        let mut star = |renderer: &mut Self, rest: &mut &'f str| -> Checked<usize> {
            if let Some(after) = rest.strip_prefix('*') {
                *rest = after;
                let given = next(renderer)?;
                return width_of(super::call::int(&given)?);
            }
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let number = if digits == 0 { Ok(0) } else { rest[..digits].parse::<i128>() };
            *rest = &rest[digits..];
            width_of(number.map_err(|_| issues::field_too_wide())?)
        };
        spec.width = star(self, &mut rest)?;
        if let Some(after) = rest.strip_prefix('.') {
            rest = after;
            spec.precision = Some(star(self, &mut rest)?);
        }
        rest = rest.trim_start_matches(['h', 'l', 'L']);
        let kind = rest.chars().next().ok_or_else(issues::incomplete_format)?;
        spec.kind = Some(kind);
        Ok((spec, &rest[kind.len_utf8()..]))
    }

    fn percent_value(&mut self, spec: &Spec, value: &Val, out: &mut String) -> Checked<()> {
        let kind = spec.kind.unwrap_or('s');
        let body = match kind {
            's' | 'r' | 'a' => {
                let text = if kind == 's' { self.printed(value)? } else { self.shown(value)? };
                let text = match spec.precision {
                    Some(most) => text.chars().take(most).collect(),
                    None => text,
                };
                out.push_str(&aligned(&text, spec, '>'));
                return Ok(());
            }
            'd' | 'i' | 'u' => {
                self.present(value)?;
                let number = match value {
                    Val::Float(number) if number.is_finite() => number.trunc() as i128,
                    other => super::call::int(other)
                        .map_err(|_| issues::format_wants_number(kind, type_name(other)))?,
                };
                signed(number < 0, least_digits(number.unsigned_abs().to_string(), spec.precision), spec)
            }
            'x' | 'X' | 'o' => {
                let number = super::call::int(value)
                    .map_err(|_| issues::format_wants_integer(kind, type_name(value)))?;
                let digits = in_base(number.unsigned_abs(), kind, spec.alternate);
                signed(number < 0, least_digits(digits, spec.precision), spec)
            }
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let number = as_float(value).ok_or_else(|| issues::format_wants_float(type_name(value)))?;
                float_text(number, kind, spec)
            }
            'c' => match value {
                Val::Text(text) if text.text.chars().count() == 1 => text.text.to_string(),
                Val::Int(number) => {
                    let letter = u32::try_from(*number).ok().and_then(char::from_u32);
                    letter.ok_or_else(issues::format_wants_character)?.to_string()
                }
                _ => return Err(issues::format_wants_character()),
            },
            other => return Err(issues::unsupported_format(other)),
        };
        out.push_str(&number_aligned(&body, spec));
        Ok(())
    }

    /// Writes values into a format with braces.
    pub(super) fn format(&mut self, format: &str, values: &[Val], named: &[(Str, Val)]) -> Checked<Val> {
        let mut fields = Fields { values, named, next: 0 };
        let text = self.braces(format, &mut fields, 0)?;
        self.text(text)
    }

    fn braces(&mut self, format: &str, fields: &mut Fields, depth: usize) -> Checked<String> {
        if depth > 1 {
            return Err(issues::format_nested());
        }
        let mut out = String::new();
        let mut rest = format;
        while let Some(at) = rest.find(['{', '}']) {
            out.push_str(&rest[..at]);
            let mark = &rest[at..=at];
            let after = &rest[at + 1..];
            if let Some(after) = after.strip_prefix(mark) {
                out.push_str(mark);
                rest = after;
                continue;
            }
            if mark == "}" {
                return Err(issues::single_brace('}'));
            }
            let (field, after) = field_of(after).ok_or_else(|| issues::single_brace('{'))?;
            self.field(field, fields, depth, &mut out)?;
            self.fits(out.len())?;
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn field(&mut self, field: &str, fields: &mut Fields, depth: usize, out: &mut String) -> Checked<()> {
        let (name, spec) = split_field(field);
        let (name, conversion) = match name.split_once('!') {
            Some((name, conversion)) => (name, Some(conversion)),
            None => (name, None),
        };
        let value = self.field_value(name, fields)?;
        let spec = if spec.contains('{') { self.braces(spec, fields, depth + 1)? } else { spec.to_owned() };
        let value = match conversion {
            None => value,
            Some("s") => Val::text(self.printed(&value)?),
            Some("r" | "a") => Val::text(self.shown(&value)?),
            Some(other) => return Err(issues::unknown_conversion(other)),
        };
        out.push_str(&self.formatted(&value, &spec)?);
        Ok(())
    }

    fn field_value(&mut self, name: &str, fields: &mut Fields) -> Checked<Val> {
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (first, mut rest) = name.split_at(end);
        let mut value = fields.get(first)?;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('[') {
                let (key, after) = after.split_once(']').ok_or_else(|| issues::single_brace('['))?;
                let key = key.parse::<i128>().map_or_else(|_| Val::text(key), Val::Int);
                value = self.item(&value, &key, Range::default())?;
                rest = after;
            } else {
                let after = rest.trim_start_matches('.');
                let end = after.find(['.', '[']).unwrap_or(after.len());
                value = self.python_attribute(&value, &after[..end])?;
                rest = &after[end..];
            }
        }
        self.present(&value)?;
        Ok(value)
    }

    /// Returns an attribute as Python sees it: the entries of a map are none.
    fn python_attribute(&mut self, value: &Val, name: &str) -> Checked<Val> {
        self.present(value)?;
        let found = self.own_attribute(value, name)?;
        found.ok_or_else(|| issues::python_attribute_missing(type_name(value), name))
    }

    /// Writes a value as a format specification asks for.
    fn formatted(&mut self, value: &Val, spec: &str) -> Checked<String> {
        let spec = parsed_spec(spec)?;
        match value {
            Val::Int(number) if !matches!(spec.kind, Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%')) => {
                if spec.kind == Some('s') {
                    return Err(issues::unknown_format('s', "int"));
                }
                let digits = in_base(number.unsigned_abs(), spec.kind.unwrap_or('d'), spec.alternate);
                let digits = grouped(&digits, spec.grouping);
                Ok(number_aligned(&signed(*number < 0, digits, &spec), &spec))
            }
            Val::Int(_) | Val::Float(_) => {
                let number = as_float(value).unwrap_or_default();
                Ok(number_aligned(&float_text(number, spec.kind.unwrap_or('r'), &spec), &spec))
            }
            other => {
                let text = self.printed(other)?;
                if let Some(kind) = spec.kind.filter(|kind| *kind != 's') {
                    return Err(issues::unknown_format(kind, type_name(other)));
                }
                let text = match spec.precision {
                    Some(most) => text.chars().take(most).collect(),
                    None => text,
                };
                Ok(aligned(&text, &spec, '<'))
            }
        }
    }
}

fn is_map(value: &Val) -> bool {
    match value {
        Val::Dict(_) | Val::List(_) => true,
        Val::Branch(_) => true,
        // A view of a map has no places that can be asked for, a range has.
        Val::Rolled(rolled) => matches!(&**rolled, LazyItems::Range { .. }),
        _ => false,
    }
}

struct Fields<'v> {
    values: &'v [Val],
    named: &'v [(Str, Val)],
    next: usize,
}

impl Fields<'_> {
    fn get(&mut self, name: &str) -> Checked<Val> {
        let at = match name.parse::<usize>() {
            Ok(at) => at,
            Err(_) if name.is_empty() => {
                self.next += 1;
                self.next - 1
            }
            Err(_) => {
                let found = self.named.iter().find(|(known, _)| known == name);
                return found
                    .map(|(_, value)| value.clone())
                    .ok_or_else(|| issues::no_such_key(&python::quoted(name)));
            }
        };
        self.values.get(at).cloned().ok_or_else(|| issues::replacement_out_of_range(at))
    }
}

/// Splits a field off, which may hold fields.
fn field_of(text: &str) -> Option<(&str, &str)> {
    let mut open = 1;
    for (at, c) in text.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

fn split_field(field: &str) -> (&str, &str) {
    let mut in_brackets = false;
    for (at, c) in field.char_indices() {
        match c {
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            ':' if !in_brackets => return (&field[..at], &field[at + 1..]),
            _ => {}
        }
    }
    (field, "")
}

fn parsed_spec(text: &str) -> Checked<Spec> {
    let mut spec = Spec::default();
    let mut letters = text.chars().peekable();
    let is_align = |c: char| matches!(c, '<' | '>' | '^' | '=');
    let (first, second) = (text.chars().next(), text.chars().nth(1));
    if let (Some(fill), Some(align)) = (first, second.filter(|c| is_align(*c))) {
        (spec.fill, spec.align) = (Some(fill), Some(align));
        letters.next();
        letters.next();
    } else if let Some(align) = first.filter(|c| is_align(*c)) {
        spec.align = Some(align);
        letters.next();
    }
    spec.sign = letters.next_if(|c| matches!(c, '+' | '-' | ' ')).filter(|c| *c != '-');
    spec.alternate = letters.next_if_eq(&'#').is_some();
    spec.zero = letters.next_if_eq(&'0').is_some();
    let mut number = || -> Checked<Option<usize>> {
        let mut digits = String::new();
        while let Some(digit) = letters.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        if digits.is_empty() {
            return Ok(None);
        }
        width_of(digits.parse().map_err(|_| issues::field_too_wide())?).map(Some)
    };
    spec.width = number()?.unwrap_or(0);
    spec.grouping = letters.next_if(|c| matches!(c, ',' | '_'));
    if letters.next_if_eq(&'.').is_some() {
        let mut digits = String::new();
        while let Some(digit) = letters.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        let precision = digits.parse().map_err(|_| issues::bad_format_spec())?;
        spec.precision = Some(width_of(precision)?);
    }
    spec.kind = letters.next();
    if letters.next().is_some() {
        return Err(issues::bad_format_spec());
    }
    Ok(spec)
}

fn width_of(number: i128) -> Checked<usize> {
    match usize::try_from(number.max(0)) {
        Ok(width) if width <= WIDEST => Ok(width),
        _ => Err(issues::field_too_wide()),
    }
}

fn in_base(number: u128, kind: char, alternate: bool) -> String {
    match (kind, alternate) {
        ('x', false) => format!("{number:x}"),
        ('x', true) => format!("{number:#x}"),
        ('X', false) => format!("{number:X}"),
        ('X', true) => format!("0X{number:X}"),
        ('o', false) => format!("{number:o}"),
        ('o', true) => format!("{number:#o}"),
        ('b', false) => format!("{number:b}"),
        ('b', true) => format!("{number:#b}"),
        _ => number.to_string(),
    }
}

fn least_digits(digits: String, precision: Option<usize>) -> String {
    let least = precision.unwrap_or(0);
    if digits.len() < least { format!("{digits:0>least$}") } else { digits }
}

fn signed(negative: bool, digits: String, spec: &Spec) -> String {
    match (negative, spec.sign) {
        (true, _) => format!("-{digits}"),
        (false, Some(sign)) => format!("{sign}{digits}"),
        (false, None) => digits,
    }
}

fn grouped(digits: &str, grouping: Option<char>) -> String {
    let Some(separator) = grouping else { return digits.to_owned() };
    let (whole, rest) = digits.find('.').map_or((digits, ""), |at| digits.split_at(at));
    let mut out = String::new();
    for (at, c) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(c);
    }
    out + rest
}

/// Writes a float; of the kind `r`, as short as it can be read again.
fn float_text(number: f64, kind: char, spec: &Spec) -> String {
    let size = number.abs();
    let precision = spec.precision.unwrap_or(6);
    let digits = if number.is_finite() {
        match kind {
            'f' | 'F' => format!("{size:.precision$}"),
            'e' | 'E' => with_exponent(size, precision),
            '%' => format!("{:.precision$}%", size * 100.0),
            'r' if spec.precision.is_none() => python::float(size),
            _ => general(size, precision.max(1), spec.alternate, kind == 'r'),
        }
    } else {
        python::float(size)
    };
    let digits = if kind.is_ascii_uppercase() { digits.to_uppercase() } else { digits };
    signed(number.is_sign_negative() && !number.is_nan(), grouped(&digits, spec.grouping), spec)
}

fn with_exponent(number: f64, precision: usize) -> String {
    let text = format!("{number:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// Writes a number with so many digits that count, with an exponent where that is shorter.
fn general(number: f64, precision: usize, alternate: bool, as_repr: bool) -> String {
    if number == 0.0 {
        return if as_repr { "0.0".into() } else { "0".into() };
    }
    let rounded = format!("{number:.*e}", precision - 1);
    let exponent: i32 = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let text = if exponent < -4 || exponent >= precision as i32 {
        with_exponent(number, precision - 1)
    } else {
        format!("{number:.*}", (precision as i32 - 1 - exponent).max(0) as usize)
    };
    if alternate {
        return text;
    }
    let (digits, exponent) = text.split_once('e').map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    match exponent {
        Some(exponent) => format!("{digits}e{exponent}"),
        None if as_repr && !digits.contains('.') => format!("{digits}.0"),
        None => digits.to_owned(),
    }
}

fn aligned(text: &str, spec: &Spec, default: char) -> String {
    let free = spec.width.saturating_sub(text.chars().count());
    if free == 0 {
        return text.to_owned();
    }
    let fill = spec.fill.unwrap_or(' ').to_string();
    let left = match spec.align.unwrap_or(default) {
        '<' => 0,
        '^' => free / 2,
        _ => free,
    };
    format!("{}{text}{}", fill.repeat(left), fill.repeat(free - left))
}

/// Zeros and `=` stand between a sign and its digits.
fn number_aligned(text: &str, spec: &Spec) -> String {
    let inner = spec.align == Some('=') || (spec.zero && spec.align.is_none_or(|align| align == '>'));
    if !inner {
        return aligned(text, spec, '>');
    }
    let fill = spec.fill.unwrap_or(if spec.zero { '0' } else { ' ' }).to_string();
    let sign = text.len() - text.trim_start_matches(['-', '+', ' ']).len();
    let prefix =
        sign + if spec.alternate && text[sign..].starts_with('0') && text.len() > sign + 2 { 2 } else { 0 };
    let free = spec.width.saturating_sub(text.chars().count());
    format!("{}{}{}", &text[..prefix], fill.repeat(free), &text[prefix..])
}
