//! The grammar of selectors.

use hierarch_source::Result;

use super::{Segment, condition};
use crate::issues;

/// Takes a selector apart.
pub(super) fn segments(text: &str) -> Result<Vec<Segment>> {
    let mut segments = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let Some(after) = rest.strip_prefix('/') else { return Err(issues::bad_selector(text)) };
        let length = segment_length(after);
        segments.push(segment(&after[..length], text)?);
        rest = &after[length..];
    }
    Ok(segments)
}

/// Where a segment ends: at the next slash, or behind the bracket that closes it.
fn segment_length(text: &str) -> usize {
    let plain = text.find('/').unwrap_or(text.len());
    if !text.starts_with('[') {
        return plain;
    }
    let mut quote = None;
    for (at, sign) in text.char_indices() {
        match (quote, sign) {
            (Some(open), sign) if sign == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(sign),
            (None, ']') if matches!(text.as_bytes().get(at + 1), None | Some(b'/')) => return at + 1,
            _ => {}
        }
    }
    plain
}

fn segment(text: &str, whole: &str) -> Result<Segment> {
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match inner.strip_prefix('?') {
            Some(expression) => Ok(Segment::Expression(expression.to_owned())),
            None => condition::conditions(inner).map(Segment::Where),
        };
    }
    Ok(match text {
        "*" => Segment::Every,
        "**" => Segment::Descendants,
        "-" => Segment::End,
        text if text.starts_with('[') => return Err(issues::bad_selector(whole)),
        text => match back(text).or_else(|| slice(text)) {
            Some(segment) => segment,
            None => Segment::Key(unescape(text, whole)?),
        },
    })
}

fn back(text: &str) -> Option<Segment> {
    let digits = text.strip_prefix('-')?;
    let plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok().map(Segment::Back) } else { None }
}

fn slice(text: &str) -> Option<Segment> {
    let (from, to) = text.split_once(':')?;
    let side = |side: &str| match side {
        "" => Some(None),
        number => number.parse::<i64>().ok().map(Some),
    };
    Some(Segment::Slice(side(from)?, side(to)?))
}

/// Undoes the escapes of a segment: those of JSON pointers, `~2` for `*` and `~3` for `[`.
pub(crate) fn unescape(text: &str, whole: &str) -> Result<String> {
    if !text.contains('~') {
        return Ok(text.to_owned());
    }
    let mut key = String::with_capacity(text.len());
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        key.push(match sign {
            '~' => match signs.next() {
                Some('0') => '~',
                Some('1') => '/',
                Some('2') => '*',
                Some('3') => '[',
                other => {
                    let escape = format!("~{}", other.map(String::from).unwrap_or_default());
                    return Err(issues::invalid_escape(&escape, whole));
                }
            },
            sign => sign,
        });
    }
    Ok(key)
}
