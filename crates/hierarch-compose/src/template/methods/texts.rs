//! Methods of texts.

use super::Method;
use crate::template::call::{BoundArguments, function, int};
use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::renderer::Renderer;
use crate::template::show::type_name;
use crate::template::value::Val;

/// Makes an entry for a method that makes one text of another.
macro_rules! mapped {
    ($name:literal, $make:expr) => {
        function($name, &["self"], |renderer, given| {
            let make: fn(&str) -> String = $make;
            let text = own(given);
            renderer.go_through(text.len())?;
            renderer.text(make(text))
        })
    };
}

/// Makes an entry for a method that asks something of a text.
macro_rules! asked {
    ($name:literal, $ask:expr) => {
        function($name, &["self"], |renderer, given| {
            let ask: fn(&str) -> bool = $ask;
            renderer.go_through(own(given).len())?;
            Ok(Val::Bool(ask(own(given))))
        })
    };
}

pub(super) static METHODS: &[Method] = &[
    mapped!("upper", |text| text.to_uppercase()),
    mapped!("lower", |text| text.to_lowercase()),
    mapped!("casefold", |text| text.to_lowercase().replace('ß', "ss")),
    mapped!("capitalize", capitalized),
    mapped!("title", titled),
    mapped!("swapcase", swapped),
    asked!("isdigit", |text| every(text, |c| c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric()))),
    asked!("isdecimal", |text| every(text, |c| c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric()))),
    asked!("isnumeric", |text| every(text, char::is_numeric)),
    asked!("isalpha", |text| every(text, char::is_alphabetic)),
    asked!("isalnum", |text| every(text, char::is_alphanumeric)),
    asked!("isspace", |text| every(text, char::is_whitespace)),
    asked!("isascii", str::is_ascii),
    asked!("isprintable", |text| !text.chars().any(char::is_control)),
    asked!("isidentifier", |text| {
        text.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    }),
    asked!("islower", |text| cased(text) && !text.chars().any(char::is_uppercase)),
    asked!("isupper", |text| cased(text) && !text.chars().any(char::is_lowercase)),
    asked!("istitle", |text| cased(text) && titled(text) == text),
    function("strip", &["self", "chars?"], |renderer, given| stripped(renderer, given, true, true)),
    function("lstrip", &["self", "chars?"], |renderer, given| stripped(renderer, given, true, false)),
    function("rstrip", &["self", "chars?"], |renderer, given| stripped(renderer, given, false, true)),
    function("split", &["self", "sep?", "maxsplit?"], |renderer, given| split(renderer, given, false)),
    function("rsplit", &["self", "sep?", "maxsplit?"], |renderer, given| split(renderer, given, true)),
    function("splitlines", &["self", "keepends?"], splitlines),
    function("partition", &["self", "sep"], |renderer, given| partition(renderer, given, false)),
    function("rpartition", &["self", "sep"], |renderer, given| partition(renderer, given, true)),
    function("startswith", &["self", "prefix", "start?", "end?"], |renderer, given| {
        affixed(renderer, given, |text, affix| text.starts_with(affix))
    }),
    function("endswith", &["self", "suffix", "start?", "end?"], |renderer, given| {
        affixed(renderer, given, |text, affix| text.ends_with(affix))
    }),
    function("removeprefix", &["self", "prefix"], |renderer, given| {
        let text = own(given);
        renderer.text(text.strip_prefix(text_at(given, 1)?).unwrap_or(text))
    }),
    function("removesuffix", &["self", "suffix"], |renderer, given| {
        let text = own(given);
        renderer.text(text.strip_suffix(text_at(given, 1)?).unwrap_or(text))
    }),
    function("find", &["self", "sub", "start?", "end?"], |renderer, given| {
        Ok(Val::Int(found(renderer, given, false)?.map_or(-1, |at| at as i128)))
    }),
    function("rfind", &["self", "sub", "start?", "end?"], |renderer, given| {
        Ok(Val::Int(found(renderer, given, true)?.map_or(-1, |at| at as i128)))
    }),
    function("index", &["self", "sub", "start?", "end?"], |renderer, given| {
        Ok(found(renderer, given, false)?.ok_or_else(issues::substring_not_found)?.into())
    }),
    function("rindex", &["self", "sub", "start?", "end?"], |renderer, given| {
        Ok(found(renderer, given, true)?.ok_or_else(issues::substring_not_found)?.into())
    }),
    function("count", &["self", "sub", "start?", "end?"], |renderer, given| {
        let (text, part) = (own(given), text_at(given, 1)?);
        renderer.go_through(text.len())?;
        Ok(if part.is_empty() { text.chars().count() + 1 } else { text.matches(part).count() }.into())
    }),
    function("replace", &["self", "old", "new", "count?"], |renderer, given| {
        let count = usize::try_from(given.int(3, -1)?).ok();
        renderer.replaced(own(given), [text_at(given, 1)?, text_at(given, 2)?], count)
    }),
    function("join", &["self", "iterable"], join),
    function("center", &["self", "width", "fillchar?"], |renderer, given| {
        padded(renderer, given, Side::Both)
    }),
    function("ljust", &["self", "width", "fillchar?"], |renderer, given| {
        padded(renderer, given, Side::Right)
    }),
    function("rjust", &["self", "width", "fillchar?"], |renderer, given| padded(renderer, given, Side::Left)),
    function("zfill", &["self", "width"], zfill),
    function("expandtabs", &["self", "tabsize?"], expandtabs),
    function("format", &["self", "*args", "**kwargs"], |renderer, given| {
        renderer.format(own(given), &given.rest, &given.named)
    }),
    function("format_map", &["self", "mapping"], |renderer, given| {
        let pairs = renderer.pairs(given.value(1))?.unwrap_or_default();
        let named = pairs.into_iter().filter_map(|(key, value)| Some((key.as_text()?.into(), value)));
        let named: Vec<_> = named.collect();
        renderer.format(own(given), &[], &named)
    }),
    function("encode", &["self", "encoding?", "errors?"], |renderer, given| renderer.text(own(given))),
    function("translate", &["self", "table"], translate),
];

fn own(given: &BoundArguments) -> &str {
    given.value(0).as_text().unwrap_or_default()
}

fn text_at(given: &BoundArguments, at: usize) -> Checked<&str> {
    given.value(at).as_text().ok_or_else(|| issues::text_needed(type_name(given.value(at))))
}

fn every(text: &str, is: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(is)
}

fn cased(text: &str) -> bool {
    text.chars().any(|c| c.is_uppercase() || c.is_lowercase())
}

pub(in crate::template) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + &letters.as_str().to_lowercase()
}

/// A letter behind one that has no case is large, all others are small.
fn titled(text: &str) -> String {
    let mut inside = false;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if inside {
            out.extend(c.to_lowercase());
        } else {
            out.extend(c.to_uppercase());
        }
        inside = c.is_alphabetic();
    }
    out
}

fn swapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_uppercase() { out.extend(c.to_lowercase()) } else { out.extend(c.to_uppercase()) }
    }
    out
}

fn stripped(renderer: &mut Renderer, given: &BoundArguments, front: bool, back: bool) -> Checked<Val> {
    let mut text = own(given);
    let chars = match given.get(1) {
        None | Some(Val::None) => None,
        Some(_) => Some(text_at(given, 1)?),
    };
    let goes = |c: char| chars.map_or_else(|| c.is_whitespace(), |chars| chars.contains(c));
    if front {
        text = text.trim_start_matches(goes);
    }
    if back {
        text = text.trim_end_matches(goes);
    }
    renderer.text(text)
}

fn split(renderer: &mut Renderer, given: &BoundArguments, from_end: bool) -> Checked<Val> {
    let text = own(given);
    let most = usize::try_from(given.int(2, -1)?).unwrap_or(usize::MAX).saturating_add(1);
    let separator = match given.get(1) {
        None | Some(Val::None) => None,
        Some(_) => Some(text_at(given, 1)?),
    };
    let parts: Vec<&str> = match (separator, from_end) {
        (Some(""), _) => return Err(issues::empty_separator()),
        (Some(separator), false) => text.splitn(most, separator).collect(),
        (Some(separator), true) => {
            let mut parts: Vec<&str> = text.rsplitn(most, separator).collect();
            parts.reverse();
            parts
        }
        (None, from_end) => words(text, most, from_end),
    };
    texts(renderer, parts)
}

/// Splits at blanks, up to a number of parts; the last one keeps its blanks.
fn words(text: &str, most: usize, from_end: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let cut = if from_end { rest.rfind(char::is_whitespace) } else { rest.find(char::is_whitespace) };
        match cut {
            Some(at) if parts.len() + 1 < most => {
                let width = rest[at..].chars().next().map_or(1, char::len_utf8);
                let (part, left) =
                    if from_end { (&rest[at + width..], &rest[..at]) } else { (&rest[..at], &rest[at..]) };
                parts.push(part);
                rest = left.trim();
            }
            _ => {
                parts.push(rest);
                break;
            }
        }
    }
    if from_end {
        parts.reverse();
    }
    parts
}

/// Splits at blanks from the front.
pub(in crate::template) fn words_of(text: &str, most: usize) -> Vec<&str> {
    words(text, most, false)
}

fn texts(renderer: &mut Renderer, parts: Vec<&str>) -> Checked<Val> {
    renderer.fits(parts.len().saturating_mul(crate::expr::budget::NODE))?;
    let parts = parts.into_iter().map(|part| renderer.text(part)).collect::<Checked<_>>()?;
    renderer.list(parts)
}

fn splitlines(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let keep = given.truth(renderer, 1, false)?;
    let parts = own(given).split_inclusive('\n').map(|line| {
        if keep {
            return line;
        }
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    });
    texts(renderer, parts.collect())
}

fn partition(renderer: &mut Renderer, given: &BoundArguments, from_end: bool) -> Checked<Val> {
    let (text, separator) = (own(given), text_at(given, 1)?);
    if separator.is_empty() {
        return Err(issues::empty_separator());
    }
    let found = if from_end { text.rsplit_once(separator) } else { text.split_once(separator) };
    let parts = match found {
        Some((before, after)) => [before, separator, after],
        None if from_end => ["", "", text],
        None => [text, "", ""],
    };
    let parts = parts.into_iter().map(|part| renderer.text(part)).collect::<Checked<_>>()?;
    renderer.tuple(parts)
}

fn affixed(renderer: &mut Renderer, given: &BoundArguments, fits: fn(&str, &str) -> bool) -> Checked<Val> {
    let text = window(given, 2)?;
    let affixes = match given.value(1) {
        Val::Tuple(_) => renderer.items(given.value(1))?,
        other => vec![other.clone()],
    };
    for affix in &affixes {
        let affix = affix.as_text().ok_or_else(|| issues::text_needed(type_name(affix)))?;
        if fits(&text, affix) {
            return Ok(Val::Bool(true));
        }
    }
    Ok(Val::Bool(false))
}

/// Returns the part of a text that the positions `start` and `end` name.
fn window(given: &BoundArguments, at: usize) -> Checked<String> {
    let text = own(given);
    if given.get(at).is_none() && given.get(at + 1).is_none() {
        return Ok(text.to_owned());
    }
    let (from, to) = bounds(given, at, text.chars().count())?;
    Ok(text.chars().skip(from).take(to.saturating_sub(from)).collect())
}

fn bounds(given: &BoundArguments, at: usize, length: usize) -> Checked<(usize, usize)> {
    let bound = |at: usize, default: usize| -> Checked<usize> {
        Ok(match given.get(at) {
            None | Some(Val::None) => default,
            Some(value) => {
                let number = int(value)?;
                let number = if number < 0 { number + length as i128 } else { number };
                number.clamp(0, length as i128) as usize
            }
        })
    };
    Ok((bound(at, 0)?, bound(at + 1, length)?))
}

/// Returns where a part of a text begins, counted in letters.
fn found(renderer: &mut Renderer, given: &BoundArguments, from_end: bool) -> Checked<Option<usize>> {
    let part = text_at(given, 1)?;
    renderer.go_through(own(given).len())?;
    let text = window(given, 2)?;
    let (from, _) = bounds(given, 2, own(given).chars().count())?;
    let at = if from_end { text.rfind(part) } else { text.find(part) };
    Ok(at.map(|at| from + text[..at].chars().count()))
}

fn join(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let mut parts = Vec::new();
    for (index, item) in renderer.items(given.value(1))?.iter().enumerate() {
        let part = item.as_text().ok_or_else(|| issues::joins_texts(index, type_name(item)))?;
        parts.push(part.to_owned());
    }
    renderer.joined(&parts, own(given))
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Both,
}

fn padded(renderer: &mut Renderer, given: &BoundArguments, side: Side) -> Checked<Val> {
    let text = own(given);
    let width = given.count(1, 0)?;
    let fill = given.get(2).map_or(Ok(" "), |_| text_at(given, 2))?;
    if fill.chars().count() != 1 {
        return Err(issues::fill_is_no_character());
    }
    renderer.fits(width.saturating_mul(fill.len()))?;
    let free = width.saturating_sub(text.chars().count());
    let left = match side {
        Side::Left => free,
        Side::Right => 0,
        Side::Both => free / 2 + (free & width & 1),
    };
    renderer.text(format!("{}{text}{}", fill.repeat(left), fill.repeat(free - left)))
}

fn zfill(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (text, width) = (own(given), given.count(1, 0)?);
    renderer.fits(width)?;
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (&text[..1], digits),
        None => ("", text),
    };
    let zeros = width.saturating_sub(text.chars().count());
    renderer.text(format!("{sign}{}{digits}", "0".repeat(zeros)))
}

fn expandtabs(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (text, size) = (own(given), given.count(1, 8)?);
    renderer.fits(text.len().saturating_add(text.matches('\t').count().saturating_mul(size)))?;
    let (mut out, mut column) = (String::new(), 0);
    for c in text.chars() {
        match c {
            '\t' if size > 0 => {
                let blanks = size - column % size;
                out.push_str(&" ".repeat(blanks));
                column += blanks;
            }
            '\t' => {}
            '\n' | '\r' => {
                out.push(c);
                column = 0;
            }
            c => {
                out.push(c);
                column += 1;
            }
        }
    }
    renderer.text(out)
}

/// Replaces letters by what a map has for their numbers.
fn translate(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let mut out = String::new();
    for c in own(given).chars() {
        match renderer.entry(given.value(1), &Val::Int(i128::from(u32::from(c))))? {
            None => out.push(c),
            Some(Val::None) => {}
            Some(Val::Int(number)) => {
                out.extend(u32::try_from(number).ok().and_then(char::from_u32));
            }
            Some(other) => out.push_str(&renderer.printed(&other)?),
        }
        renderer.fits(out.len())?;
    }
    renderer.text(out)
}

impl Renderer {
    /// Replaces one text by another, everywhere or as often as asked for.
    pub(in crate::template) fn replaced(
        &mut self,
        text: &str,
        [old, new]: [&str; 2],
        count: Option<usize>,
    ) -> Checked<Val> {
        let found = text.matches(old).count().min(count.unwrap_or(usize::MAX));
        self.fits(text.len().saturating_add(new.len().saturating_mul(found)))?;
        self.text(count.map_or_else(|| text.replace(old, new), |count| text.replacen(old, new, count)))
    }

    /// Joins texts.
    pub(in crate::template) fn joined(&mut self, parts: &[String], between: &str) -> Checked<Val> {
        let length = parts.iter().map(String::len).sum::<usize>();
        self.fits(length.saturating_add(parts.len().saturating_mul(between.len())))?;
        self.text(parts.join(between))
    }
}
