//! Methods that texts and lists have in Python and the engine's own collection of them lacks.

use hierarch_pcore::Value;
use minijinja::value::{Value as JinjaValue, ValueKind, from_args};
use minijinja::{Error as JinjaError, State};

use super::issues;
use super::series;
use super::texts::{check_fields, check_length, joined, replaced};
use super::value::{finished, from_jinja};
use crate::expr::python;

type Made = Result<JinjaValue, JinjaError>;

/// Calls a method that a value itself does not have.
pub(super) fn call(state: &mut State, value: &JinjaValue, method: &str, arguments: &[JinjaValue]) -> Made {
    let found = match value.kind() {
        ValueKind::String => of_text(state, value.as_str().unwrap_or_default(), method, arguments)?,
        ValueKind::Seq if method == "index" => Some(index_of(value, arguments)?),
        ValueKind::Seq | ValueKind::Map if method == "copy" => Some(value.clone()),
        ValueKind::Seq | ValueKind::Map if MUTATING.contains(&method) => {
            return Err(issues::values_do_not_change(method));
        }
        _ => None,
    };
    match found {
        Some(found) => Ok(found),
        None => minijinja_contrib::pycompat::unknown_method_callback(state, value, method, arguments),
    }
}

/// What Python's lists and maps can do to themselves.
const MUTATING: &[&str] = &[
    "append",
    "clear",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
];

fn of_text(
    state: &State,
    text: &str,
    method: &str,
    arguments: &[JinjaValue],
) -> Result<Option<JinjaValue>, JinjaError> {
    Ok(Some(match method {
        "join" => {
            let (list,): (JinjaValue,) = from_args(arguments)?;
            joined(state, &series::items(&list)?.iter().map(python::text).collect::<Vec<_>>(), text)?
        }
        "replace" => {
            let (old, new, count): (String, String, Option<i64>) = from_args(arguments)?;
            replaced(state, text, [&old, &new], count.and_then(|count| usize::try_from(count).ok()))?
        }
        "format" => {
            check_fields(text)?;
            // Every field may be the longest argument.
            let longest = arguments.iter().map(length_of).max().unwrap_or(0);
            check_length(
                state,
                text.len().saturating_add(text.matches('{').count().saturating_mul(longest)),
            )?;
            return Ok(None);
        }
        "rsplit" => rsplit(text, arguments)?,
        "partition" => {
            let by = one(arguments)?;
            partition(text.split_once(&*by), text, &by, true)
        }
        "rpartition" => {
            let by = one(arguments)?;
            partition(text.rsplit_once(&*by), text, &by, false)
        }
        "zfill" => zfill(state, text, from_args::<(usize,)>(arguments)?.0)?,
        "center" => justified(state, text, arguments, |free, width| free / 2 + (free & width & 1))?,
        "ljust" => justified(state, text, arguments, |_, _| 0)?,
        "rjust" => justified(state, text, arguments, |free, _| free)?,
        "swapcase" => text.chars().flat_map(swapped).collect::<String>().into(),
        "casefold" => text.to_lowercase().replace('ß', "ss").into(),
        "removeprefix" => text.strip_prefix(one(arguments)?.as_str()).unwrap_or(text).into(),
        "removesuffix" => text.strip_suffix(one(arguments)?.as_str()).unwrap_or(text).into(),
        "isidentifier" => is_identifier(text).into(),
        "isnumeric" | "isdecimal" | "isdigit" => {
            (!text.is_empty() && text.chars().all(char::is_numeric)).into()
        }
        "istitle" => is_title(text).into(),
        "index" | "rindex" => {
            let part = one(arguments)?;
            let at = if method == "index" { text.find(&part) } else { text.rfind(&part) };
            let at = at.ok_or_else(issues::substring_not_found)?;
            text[..at].chars().count().into()
        }
        _ => return Ok(None),
    }))
}

fn one(arguments: &[JinjaValue]) -> Result<String, JinjaError> {
    Ok(from_args::<(String,)>(arguments)?.0)
}

fn rsplit(text: &str, arguments: &[JinjaValue]) -> Made {
    let (by, most): (Option<String>, Option<i64>) = from_args(arguments)?;
    let most =
        most.and_then(|most| usize::try_from(most).ok()).map_or(usize::MAX, |most| most.saturating_add(1));
    let mut parts: Vec<Value> = match by {
        Some(by) if by.is_empty() => return Err(issues::empty_separator()),
        Some(by) => text.rsplitn(most, by.as_str()).map(Value::from).collect(),
        None => {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.iter().rev().map(|word| Value::from(*word)).collect()
        }
    };
    parts.reverse();
    Ok(finished(parts.into()))
}

/// Makes three parts; an undivided text stands in front, or behind.
fn partition(divided: Option<(&str, &str)>, text: &str, by: &str, front: bool) -> JinjaValue {
    let parts = match divided {
        Some((before, after)) => [before, by, after],
        None if front => [text, "", ""],
        None => ["", "", text],
    };
    finished(Value::array(parts.into_iter().map(Value::from).collect()))
}

/// Returns how long the text of an argument is, at least; of lists and maps, of what is in them.
fn length_of(value: &JinjaValue) -> usize {
    match value.as_str() {
        Some(text) => text.len(),
        None => value.to_string().len(),
    }
}

fn zfill(state: &State, text: &str, width: usize) -> Made {
    check_length(state, width)?;
    let free = width.saturating_sub(text.chars().count());
    let (sign, digits) = text.split_at(usize::from(text.starts_with(['-', '+'])));
    Ok(format!("{sign}{}{digits}", "0".repeat(free)).into())
}

fn justified(state: &State, text: &str, arguments: &[JinjaValue], left: fn(usize, usize) -> usize) -> Made {
    let (width, fill): (usize, Option<String>) = from_args(arguments)?;
    let fill = fill.unwrap_or_else(|| " ".into());
    if fill.chars().count() != 1 {
        return Err(issues::fill_is_no_character());
    }
    check_length(state, width.saturating_mul(fill.len()))?;
    let free = width.saturating_sub(text.chars().count());
    let left = left(free, width).min(free);
    Ok(format!("{}{text}{}", fill.repeat(left), fill.repeat(free - left)).into())
}

fn swapped(c: char) -> Vec<char> {
    if c.is_uppercase() { c.to_lowercase().collect() } else { c.to_uppercase().collect() }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_title(text: &str) -> bool {
    let mut cased = false;
    let mut inside = false;
    for c in text.chars() {
        if (c.is_uppercase() && inside) || (c.is_lowercase() && !inside) {
            return false;
        }
        inside = c.is_alphabetic();
        cased |= inside;
    }
    cased
}

fn index_of(list: &JinjaValue, arguments: &[JinjaValue]) -> Made {
    let (item,): (JinjaValue,) = from_args(arguments)?;
    let item = from_jinja(&item)?;
    for (index, known) in list.try_iter()?.enumerate() {
        if python::equal(&from_jinja(&known)?, &item) {
            return Ok(index.into());
        }
    }
    Err(issues::not_in_list(&item))
}
