//! Ansible's filters with regular expressions, in Python's notation.

use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_pcore::regex::{Captures, Regexp};
use minijinja::value::{Kwargs, Rest, Value as JinjaValue};
use minijinja::{Error as JinjaError, State};

use super::bridge::Bridge;
use super::engine::Engine;
use super::failure::to_jinja_error;
use super::issues;
use super::texts::check_length;
use super::value::{finished, from_jinja};
use crate::expr::python;

type Made = Result<JinjaValue, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_filter("regex_replace", regex_replace);
    engine.add_filter("regex_search", regex_search);
    engine.add_filter("regex_findall", regex_findall);
    engine.add_filter("regex_escape", |text: String| escaped(&text));
}

/// Reads a regular expression written for Python.
pub(super) fn compiled(
    state: &State,
    pattern: &str,
    ignore_case: bool,
    multiline: bool,
) -> Result<Arc<Regexp>, JinjaError> {
    let translated = translated(pattern, multiline);
    let whole = if ignore_case { format!("(?i:{translated})") } else { translated };
    Bridge::of(state)?.scope.world.regexp(&whole).map_err(to_jinja_error)
}

/// Writes a pattern in Ruby's notation, where `^` and `$` always mean lines and names have no `P`.
fn translated(pattern: &str, multiline: bool) -> String {
    let mut out = String::new();
    let mut in_class = false;
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '\\' => {
                taken += rest[1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(if &rest[..taken] == "\\Z" { "\\z" } else { &rest[..taken] });
            }
            '[' if !in_class => {
                in_class = true;
                out.push(c);
            }
            ']' if in_class => {
                in_class = false;
                out.push(c);
            }
            '^' if !in_class && !multiline => out.push_str("\\A"),
            '$' if !in_class && !multiline => out.push_str("\\Z"),
            '(' if !in_class && rest.starts_with("(?P<") => {
                taken = 4;
                out.push_str("(?<");
            }
            '(' if !in_class && rest.starts_with("(?P=") => {
                taken = rest.find(')').map_or(rest.len(), |end| end + 1);
                out.push_str(&format!("\\k<{}>", rest[4..taken].trim_end_matches(')')));
            }
            c => out.push(c),
        }
        rest = &rest[taken..];
    }
    out
}

fn flags(named: &Kwargs) -> Result<(bool, bool), JinjaError> {
    let ignore_case = named.get::<Option<bool>>("ignorecase")?.unwrap_or(false);
    let multiline = named.get::<Option<bool>>("multiline")?.unwrap_or(false);
    Ok((ignore_case, multiline))
}

/// Calls something for each match, from the front, up to a number of them.
fn each_match(
    regexp: &Regexp,
    text: &str,
    most: usize,
    mut found: impl FnMut(&Captures, (usize, usize)) -> Result<(), JinjaError>,
) -> Result<(), JinjaError> {
    let mut start = 0;
    for _ in 0..most {
        let Some(captures) = regexp.captures_from(text, start).map_err(to_jinja_error)? else { break };
        let Some(range) = captures.get(0) else { break };
        found(&captures, range)?;
        start = if range.1 > range.0 {
            range.1
        } else {
            range.1 + text[range.1..].chars().next().map_or(1, char::len_utf8)
        };
        if start > text.len() {
            break;
        }
    }
    Ok(())
}

fn regex_replace(
    state: &mut State,
    value: JinjaValue,
    pattern: String,
    by: Option<String>,
    named: Kwargs,
) -> Made {
    let text = python::text(&from_jinja(&value)?);
    let (ignore_case, multiline) = flags(&named)?;
    let by = by.or(named.get("value")?).unwrap_or_default();
    let most = named.get::<Option<usize>>("count")?.filter(|count| *count > 0).unwrap_or(usize::MAX);
    let regexp = compiled(state, &pattern, ignore_case, multiline)?;
    // What each match is replaced by is no longer than this: the replacement, with the match for each group in it.
    let longest = |length: usize| by.len().saturating_add(by.matches('\\').count().saturating_mul(length));
    let mut out = String::new();
    let mut end = 0;
    each_match(&regexp, &text, most, |captures, range| {
        check_length(state, out.len().saturating_add(longest(range.1 - range.0)))?;
        out.push_str(&text[end..range.0]);
        expand(&by, &regexp, captures, &text, &mut out);
        end = range.1;
        Ok(())
    })?;
    out.push_str(&text[end..]);
    Ok(JinjaValue::from(out))
}

/// Writes a replacement: `\1`, `\g<1>` and `\g<name>` are groups.
fn expand(by: &str, regexp: &Regexp, captures: &Captures, text: &str, out: &mut String) {
    let mut rest = by;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let name = after.strip_prefix("g<").and_then(|after| after.split_once('>'));
        rest = match (name, after.chars().next()) {
            (Some((name, after)), _) => {
                out.push_str(group(name, regexp, captures, text));
                after
            }
            (None, Some(digit @ '0'..='9')) => {
                out.push_str(group(&digit.to_string(), regexp, captures, text));
                &after[1..]
            }
            (None, Some('n')) => {
                out.push('\n');
                &after[1..]
            }
            (None, Some('\\')) => {
                out.push('\\');
                &after[1..]
            }
            _ => {
                out.push('\\');
                after
            }
        };
    }
    out.push_str(rest);
}

fn group<'t>(name: &str, regexp: &Regexp, captures: &Captures, text: &'t str) -> &'t str {
    let by_name = || regexp.names().iter().position(|known| known == name).map(|index| index + 1);
    let index = name.parse().ok().or_else(by_name);
    index.and_then(|index| captures.text(text, index)).unwrap_or_default()
}

/// Returns the first match, or the groups asked for as a list; null if there is none.
fn regex_search(
    state: &mut State,
    value: JinjaValue,
    pattern: String,
    groups: Rest<JinjaValue>,
    named: Kwargs,
) -> Made {
    let text = python::text(&from_jinja(&value)?);
    let (ignore_case, multiline) = flags(&named)?;
    let regexp = compiled(state, &pattern, ignore_case, multiline)?;
    let Some(captures) = regexp.captures(&text).map_err(to_jinja_error)? else {
        return Ok(JinjaValue::from(()));
    };
    if groups.is_empty() {
        return Ok(JinjaValue::from(captures.text(&text, 0)));
    }
    let mut found = Vec::new();
    for asked in groups.iter() {
        let asked = asked.to_string();
        let by_number =
            asked.strip_prefix('\\').filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        let by_name = asked.strip_prefix("\\g<").and_then(|name| name.strip_suffix('>'));
        let Some(name) = by_name.or(by_number) else {
            return Err(issues::unknown_argument());
        };
        found.push(Value::from(group(name, &regexp, &captures, &text)));
    }
    Ok(finished(found.into()))
}

fn regex_findall(state: &mut State, value: JinjaValue, pattern: String, named: Kwargs) -> Made {
    let text = python::text(&from_jinja(&value)?);
    let (ignore_case, multiline) = flags(&named)?;
    let regexp = compiled(state, &pattern, ignore_case, multiline)?;
    let mut found = Vec::new();
    each_match(&regexp, &text, usize::MAX, |captures, _| {
        let part = |index: usize| Value::from(captures.text(&text, index).unwrap_or_default());
        found.push(match regexp.group_count() {
            0 => part(0),
            1 => part(1),
            count => Value::array((1..=count).map(part).collect()),
        });
        Ok(())
    })?;
    Ok(finished(found.into()))
}

fn escaped(text: &str) -> String {
    let special = |c: char| "()[]{}?*+-|^$\\.&~# \t\n\r\u{b}\u{c}".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pythons_notation_is_written_in_rubys() {
        for (python, ruby) in
            [("^a$", r"\Aa\Z"), (r"[^$]\$", r"[^$]\$"), ("(?P<n>a)(?P=n)", r"(?<n>a)\k<n>"), (r"a\Z", r"a\z")]
        {
            assert_eq!(translated(python, false), ruby);
        }
        assert_eq!(translated("^a$", true), "^a$");
    }
}
