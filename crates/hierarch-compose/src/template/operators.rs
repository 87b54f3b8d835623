//! What the operators calculate, as Python's do.

use super::fault::Checked;
use super::issues;
use super::renderer::Renderer;
use super::show::type_name;
use super::tree::{Binary, Unary};
use super::value::{Flavor, Val};
use crate::expr::budget::NODE;

/// Two numbers of one kind.
enum Numbers {
    Ints(i128, i128),
    Floats(f64, f64),
}

impl Renderer {
    pub(super) fn unary(&mut self, operator: Unary, value: &Val) -> Checked<Val> {
        Ok(match (operator, value) {
            (Unary::Not, value) => Val::Bool(!self.truth(value)?),
            (_, Val::Undefined(missing)) => return Err(missing.fault()),
            (Unary::Minus, Val::Int(number)) => Val::Int(number.checked_neg().ok_or_else(issues::too_large)?),
            (Unary::Minus, Val::Float(number)) => Val::Float(-number),
            (Unary::Minus, Val::Bool(truth)) => Val::Int(-i128::from(*truth)),
            (Unary::Plus, Val::Int(_) | Val::Float(_)) => value.clone(),
            (Unary::Plus, Val::Bool(truth)) => Val::Int(i128::from(*truth)),
            (_, other) => {
                let sign = if operator == Unary::Minus { "-" } else { "+" };
                return Err(issues::bad_unary(sign, type_name(other)));
            }
        })
    }

    pub(super) fn binary(&mut self, operator: Binary, a: &Val, b: &Val) -> Checked<Val> {
        if let Val::Undefined(missing) = a {
            return Err(missing.fault());
        }
        if let (Binary::Modulo, Val::Text(format)) = (operator, a) {
            return self.percent(&format.text.clone(), b);
        }
        if let Val::Undefined(missing) = b {
            return Err(missing.fault());
        }
        if let Some(numbers) = numbers(a, b) {
            return calculated(operator, numbers);
        }
        match operator {
            Binary::Add => self.added(a, b),
            Binary::Multiply => self.multiplied(a, b),
            _ => match super::dates::calculated(operator, a, b) {
                Some(value) => Ok(value),
                None => Err(issues::bad_operands(operator.sign(), type_name(a), type_name(b))),
            },
        }
    }

    fn added(&mut self, a: &Val, b: &Val) -> Checked<Val> {
        match (a, b) {
            (Val::Text(first), Val::Text(second)) => {
                self.fits(first.text.len().saturating_add(second.text.len()))?;
                let markup = first.flavor == Flavor::Markup || second.flavor == Flavor::Markup;
                if markup {
                    return self.joined_markup(&[a.clone(), b.clone()]);
                }
                let mut text = first.text.clone();
                text.push_str(&second.text);
                self.text(text)
            }
            (Val::Text(_), other) => Err(issues::only_texts_added(type_name(other))),
            (Val::Branch(_), _) | (_, Val::Branch(_)) => {
                let (a, b) = (self.plain(a)?, self.plain(b)?);
                self.added(&a, &b)
            }
            (Val::List(first), Val::List(second)) => {
                let items = self.chained(&first.items.borrow(), &second.items.borrow())?;
                self.list(items)
            }
            (Val::Tuple(first), Val::Tuple(second)) => {
                let items = self.chained(&first.items.borrow(), &second.items.borrow())?;
                self.tuple(items)
            }
            (Val::List(_), other) => Err(issues::only_lists_added("list", type_name(other))),
            (Val::Tuple(_), other) => Err(issues::only_lists_added("tuple", type_name(other))),
            _ => match super::dates::calculated(Binary::Add, a, b) {
                Some(value) => Ok(value),
                None => Err(issues::bad_operands("+", type_name(a), type_name(b))),
            },
        }
    }

    fn chained(&self, a: &[Val], b: &[Val]) -> Checked<Vec<Val>> {
        self.fits((a.len() + b.len()).saturating_mul(NODE))?;
        Ok([a, b].concat())
    }

    fn multiplied(&mut self, a: &Val, b: &Val) -> Checked<Val> {
        let (value, count) = match (a, b) {
            (Val::Int(count), value) | (value, Val::Int(count)) => (value, *count),
            (Val::Bool(count), value) | (value, Val::Bool(count)) => (value, i128::from(*count)),
            _ => return Err(not_multiplied(a, b)),
        };
        let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
        match self.plain_data(value)? {
            Val::Text(text) => {
                self.fits(text.text.len().saturating_mul(count))?;
                let count = if text.text.is_empty() { 0 } else { count };
                self.flavored(text.text.repeat(count), text.flavor)
            }
            Val::List(list) => {
                let items = self.repeated(&list.items.borrow(), count)?;
                self.list(items)
            }
            Val::Tuple(list) => {
                let items = self.repeated(&list.items.borrow(), count)?;
                self.tuple(items)
            }
            _ => Err(not_multiplied(a, b)),
        }
    }

    fn repeated(&self, items: &[Val], count: usize) -> Checked<Vec<Val>> {
        self.fits(items.len().saturating_mul(count).saturating_mul(NODE))?;
        let count = if items.is_empty() { 0 } else { count };
        Ok(std::iter::repeat_n(items, count).flatten().cloned().collect())
    }

    /// Joins the texts of values: what `~` gives.
    pub(super) fn concatenated(&mut self, parts: &[Val]) -> Checked<Val> {
        if parts.iter().any(|part| matches!(part, Val::Text(text) if text.flavor == Flavor::Markup)) {
            return self.joined_markup(parts);
        }
        let mut out = String::new();
        for part in parts {
            match part {
                Val::Text(text) => out.push_str(&text.text),
                other => out.push_str(&self.printed(other)?),
            }
            self.fits(out.len())?;
        }
        self.text(out)
    }

    /// Joins texts of which one is escaped, so that all of them are.
    fn joined_markup(&mut self, parts: &[Val]) -> Checked<Val> {
        let mut out = String::new();
        for part in parts {
            match part {
                Val::Text(text) if text.flavor == Flavor::Markup => out.push_str(&text.text),
                other => out.push_str(&escaped(&self.printed(other)?)),
            }
            self.fits(out.len())?;
        }
        self.flavored(out, Flavor::Markup)
    }
}

/// Escapes for HTML, with the marks that Python's MarkupSafe uses.
pub(super) fn escaped(text: &str) -> String {
    let marks = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('\'', "&#39;"), ('"', "&#34;")];
    marks.iter().fold(text.to_owned(), |text, (letter, mark)| text.replace(*letter, mark))
}

fn not_multiplied(a: &Val, b: &Val) -> super::fault::Fault {
    let sequence = |value: &Val| matches!(type_name(value), "str" | "list" | "tuple");
    match (sequence(a), sequence(b)) {
        (true, _) => issues::bad_repetition(type_name(b)),
        (_, true) => issues::bad_repetition(type_name(a)),
        _ => issues::bad_operands("*", type_name(a), type_name(b)),
    }
}

fn numbers(a: &Val, b: &Val) -> Option<Numbers> {
    let int = |value: &Val| match value {
        Val::Int(number) => Some(*number),
        Val::Bool(truth) => Some(i128::from(*truth)),
        _ => None,
    };
    if let (Some(a), Some(b)) = (int(a), int(b)) {
        return Some(Numbers::Ints(a, b));
    }
    Some(Numbers::Floats(as_float(a)?, as_float(b)?))
}

/// Returns a number as a float.
pub(super) fn as_float(value: &Val) -> Option<f64> {
    match value {
        Val::Int(number) => Some(*number as f64),
        Val::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Val::Float(number) => Some(*number),
        _ => None,
    }
}

fn calculated(operator: Binary, numbers: Numbers) -> Checked<Val> {
    match numbers {
        Numbers::Ints(a, b) => of_ints(operator, a, b),
        Numbers::Floats(a, b) => of_floats(operator, a, b),
    }
}

fn of_ints(operator: Binary, a: i128, b: i128) -> Checked<Val> {
    let whole = |found: Option<i128>| found.map(Val::Int).ok_or_else(issues::too_large);
    match operator {
        Binary::Add => whole(a.checked_add(b)),
        Binary::Subtract => whole(a.checked_sub(b)),
        Binary::Multiply => whole(a.checked_mul(b)),
        Binary::Divide if b == 0 => Err(issues::division_by_zero("division by zero")),
        Binary::FloorDivide | Binary::Modulo if b == 0 => {
            Err(issues::division_by_zero("integer division or modulo by zero"))
        }
        Binary::Divide => Ok(Val::Float(a as f64 / b as f64)),
        Binary::FloorDivide => whole(a.checked_div_euclid(b).map(|quotient| {
            // Euclid's quotient is rounded towards the divisor's sign, Python's always down.
            if b < 0 && a.wrapping_rem_euclid(b) != 0 { quotient - 1 } else { quotient }
        })),
        Binary::Modulo => {
            whole(a.checked_rem_euclid(b).map(|rest| if b < 0 && rest != 0 { rest + b } else { rest }))
        }
        Binary::Power if b < 0 && a == 0 => {
            Err(issues::division_by_zero("0.0 cannot be raised to a negative power"))
        }
        Binary::Power if b < 0 => Ok(Val::Float((a as f64).powf(b as f64))),
        Binary::Power => match a {
            0 | 1 => Ok(Val::Int(if b == 0 { 1 } else { a })),
            -1 => Ok(Val::Int(if b % 2 == 0 { 1 } else { -1 })),
            _ => whole(u32::try_from(b).ok().and_then(|b| a.checked_pow(b))),
        },
    }
}

fn of_floats(operator: Binary, a: f64, b: f64) -> Checked<Val> {
    Ok(Val::Float(match operator {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide if b == 0.0 => return Err(issues::division_by_zero("float division by zero")),
        Binary::FloorDivide if b == 0.0 => {
            return Err(issues::division_by_zero("float floor division by zero"));
        }
        Binary::Modulo if b == 0.0 => return Err(issues::division_by_zero("float modulo")),
        Binary::Divide => a / b,
        Binary::FloorDivide => (a / b).floor(),
        Binary::Modulo => {
            let rest = a % b;
            if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
        }
        Binary::Power if a == 0.0 && b < 0.0 => {
            return Err(issues::division_by_zero("0.0 cannot be raised to a negative power"));
        }
        Binary::Power => {
            let power = a.powf(b);
            if power.is_infinite() && a.is_finite() && b.is_finite() {
                return Err(issues::power_out_of_range());
            }
            power
        }
    }))
}
