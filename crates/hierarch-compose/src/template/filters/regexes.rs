//! Ansible's filters with regular expressions, in Python's notation.

use std::sync::Arc;

use hierarch_pcore::regex::{Captures, Regexp};

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::value::Val;

pub(super) static FILTERS: &[Function] = &[
    function(
        "regex_replace",
        &["value?", "pattern?", "replacement?", "ignorecase?", "multiline?"],
        regex_replace,
    ),
    function("regex_search", &["value", "regex", "*groups", "**kwargs"], regex_search),
    function("regex_findall", &["value", "regex", "multiline?", "ignorecase?"], regex_findall),
    function("regex_escape", &["string", "re_type?"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        match given.text_or(renderer, 1, "python")?.as_str() {
            "python" => renderer.text(escaped(&text)),
            "posix_basic" => {
                let special = |c: char| "].[^$*\\".contains(c);
                let marked = text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c]));
                renderer.text(marked.collect::<String>())
            }
            other => Err(issues::regex_type(other)),
        }
    }),
];

/// Reads a regular expression written for Python.
pub(in crate::template) fn compiled(
    renderer: &Renderer,
    pattern: &str,
    ignore_case: bool,
    multiline: bool,
) -> Checked<Arc<Regexp>> {
    let translated = translated(pattern, multiline);
    let whole = if ignore_case { format!("(?i:{translated})") } else { translated };
    Ok(renderer.scope.world.regexp(&whole)?)
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

/// Calls something for each match, from the front, up to a number of them.
fn each_match(
    regexp: &Regexp,
    text: &str,
    most: usize,
    mut found: impl FnMut(&Captures, (usize, usize)) -> Checked<()>,
) -> Checked<()> {
    let mut start = 0;
    for _ in 0..most {
        let Some(captures) = regexp.captures_from(text, start)? else { break };
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

fn regex_replace(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let text = given.text_or(renderer, 0, "")?;
    let (pattern, by) = (given.text_or(renderer, 1, "")?, given.text_or(renderer, 2, "")?);
    let (ignore_case, multiline) = (given.truth(renderer, 3, false)?, given.truth(renderer, 4, false)?);
    let regexp = compiled(renderer, &pattern, ignore_case, multiline)?;
    // What each match is replaced by is no longer than this: the replacement, with the match for each group in it.
    let longest = |length: usize| by.len().saturating_add(by.matches('\\').count().saturating_mul(length));
    let mut out = String::new();
    let mut end = 0;
    each_match(&regexp, &text, usize::MAX, |captures, range| {
        renderer.fits(out.len().saturating_add(longest(range.1 - range.0)))?;
        out.push_str(&text[end..range.0]);
        expand(&by, &regexp, captures, &text, &mut out)?;
        end = range.1;
        Ok(())
    })?;
    out.push_str(&text[end..]);
    renderer.text(out)
}

/// Writes a replacement: `\1`, `\12`, `\g<1>` and `\g<name>` are groups.
fn expand(by: &str, regexp: &Regexp, captures: &Captures, text: &str, out: &mut String) -> Checked<()> {
    let mut rest = by;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let name = after.strip_prefix("g<").and_then(|after| after.split_once('>'));
        let digits = after.bytes().take(2).take_while(u8::is_ascii_digit).count();
        rest = match (name, after.chars().next()) {
            (Some((name, after)), _) => {
                out.push_str(group(name, regexp, captures, text)?.unwrap_or_default());
                after
            }
            (None, Some('0')) => {
                out.push('\0');
                &after[1..]
            }
            (None, Some('1'..='9')) => {
                out.push_str(group(&after[..digits], regexp, captures, text)?.unwrap_or_default());
                &after[digits..]
            }
            (None, Some(letter @ ('n' | 't' | 'r' | '\\'))) => {
                out.push(match letter {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                });
                &after[1..]
            }
            (None, Some(letter)) if letter.is_ascii_alphabetic() => {
                return Err(issues::bad_regex_escape(letter));
            }
            _ => {
                out.push('\\');
                after
            }
        };
    }
    out.push_str(rest);
    Ok(())
}

/// Returns what a group has matched; a group that the pattern does not have is an error.
fn group<'t>(name: &str, regexp: &Regexp, captures: &Captures, text: &'t str) -> Checked<Option<&'t str>> {
    let by_name = || regexp.names().iter().position(|known| known == name).map(|index| index + 1);
    let index: Option<usize> = name.parse().ok().or_else(by_name);
    match index {
        Some(index) if index <= regexp.group_count() => Ok(captures.text(text, index)),
        _ => Err(issues::no_regex_group(name)),
    }
}

/// Returns the first match, or the groups asked for as a list; null if there is none.
fn regex_search(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (text, pattern) = (given.text(renderer, 0)?, given.text(renderer, 1)?);
    let mut names = Vec::new();
    for asked in &given.rest {
        let asked = renderer.printed(asked)?;
        let digits = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let by_number = asked.strip_prefix('\\').filter(digits);
        let by_name = asked.strip_prefix("\\g<").and_then(|name| name.strip_suffix('>'));
        match by_name.or(by_number) {
            Some(name) => names.push(name.to_owned()),
            None => return Err(issues::unknown_argument()),
        }
    }
    let mut flag = |name: &str| given.named(name).map_or(Ok(false), |value| renderer.truth(value));
    let (ignore_case, multiline) = (flag("ignorecase")?, flag("multiline")?);
    let regexp = compiled(renderer, &pattern, ignore_case, multiline)?;
    let Some(captures) = regexp.captures(&text)? else { return Ok(Val::None) };
    if names.is_empty() {
        return renderer.text(captures.text(&text, 0).unwrap_or_default());
    }
    let mut found = Vec::new();
    for name in &names {
        found.push(match group(name, &regexp, &captures, &text)? {
            Some(part) => renderer.text(part)?,
            None => Val::None,
        });
    }
    renderer.list(found)
}

fn regex_findall(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (text, pattern) = (given.text(renderer, 0)?, given.text(renderer, 1)?);
    let (multiline, ignore_case) = (given.truth(renderer, 2, false)?, given.truth(renderer, 3, false)?);
    let regexp = compiled(renderer, &pattern, ignore_case, multiline)?;
    let mut found = Vec::new();
    let mut ranges: Vec<Vec<&str>> = Vec::new();
    each_match(&regexp, &text, usize::MAX, |captures, _| {
        let part = |index: usize| captures.text(&text, index).unwrap_or_default();
        renderer.fits(ranges.len().saturating_mul(crate::expr::budget::NODE))?;
        ranges.push(match regexp.group_count() {
            0 => vec![part(0)],
            count => (1..=count).map(part).collect(),
        });
        Ok(())
    })?;
    for parts in ranges {
        let mut texts = parts.into_iter().map(|part| renderer.text(part)).collect::<Checked<Vec<_>>>()?;
        found.push(if texts.len() == 1 { texts.remove(0) } else { renderer.tuple(texts)? });
    }
    renderer.list(found)
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
