//! Filters for texts that Ansible and Jinja2 have and the engine does not, or not as they do.

use hierarch_pcore::Value;
use minijinja::value::{Kwargs, Rest, Value as JinjaValue, ValueOrKwargs, from_args};
use minijinja::{Error as JinjaError, State};

use super::bridge::Bridge;
use super::engine::Engine;
use super::failure::to_jinja_error;
use super::issues;
use super::series;
use super::value::from_jinja;
use crate::expr::python;

type Made = Result<JinjaValue, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_filter("quote", |value: JinjaValue| text_of(&value).map(|text| quote(&text)));
    engine.add_filter("string", |value: JinjaValue| text_of(&value).map(JinjaValue::from_safe_string));
    engine.add_filter("wordcount", |value: String| {
        value.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).count()
    });
    engine.add_filter("center", |state: &mut State, value: String, width: Option<usize>| {
        let width = width.unwrap_or(80);
        check_length(state, width)?;
        Ok::<_, JinjaError>(center(&value, width))
    });
    engine.add_filter("truncate", truncate);
    engine.add_filter(
        "replace",
        |state: &mut State, value: JinjaValue, arguments: Rest<JinjaValue>, named: Kwargs| {
            let (old, new, count): (JinjaValue, JinjaValue, Option<usize>) = from_args(&arguments)?;
            let count = count.or(named.get("count")?);
            replaced(state, &text_of(&value)?, [&text_of(&old)?, &text_of(&new)?], count)
        },
    );
    engine.add_filter("join", join);
    engine.add_filter("format", |state: &mut State, format: &JinjaValue, values: Rest<ValueOrKwargs>| {
        check_fields(format.as_str().unwrap_or_default())?;
        minijinja::filters::format(state, format, values)
    });
    engine.add_filter("indent", indent);
    engine.add_filter("wordwrap", wordwrap);
    engine.add_filter("striptags", |value: JinjaValue| text_of(&value).map(|text| without_tags(&text)));
    engine.add_filter("comment", comment);
    engine.add_filter("xmlattr", xmlattr);
    for name in ["escape", "e", "forceescape"] {
        engine.add_filter(name, |value: JinjaValue| text_of(&value).map(|text| escaped(&text)));
    }
}

/// Returns a value's text, as `str()` in Python gives it.
pub(super) fn text_of(value: &JinjaValue) -> Result<String, JinjaError> {
    Ok(python::text(&from_jinja(value)?))
}

/// Quotes for a shell, as Python's `shlex.quote` does.
fn quote(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "@%_-+=:,./".contains(c);
    if !text.is_empty() && text.chars().all(safe) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\"'\"'"))
}

fn center(text: &str, width: usize) -> String {
    let free = width.saturating_sub(text.chars().count());
    let left = free / 2 + (free & width & 1);
    format!("{}{text}{}", " ".repeat(left), " ".repeat(free - left))
}

/// Cuts a text at a word; Jinja2 lets it be some characters too long.
fn truncate(text: String, options: Rest<JinjaValue>, named: Kwargs) -> Made {
    let (length, kill_words, end, leeway): (Option<usize>, Option<bool>, Option<String>, Option<usize>) =
        from_args(&options)?;
    let length = length.or(named.get("length")?).unwrap_or(255);
    let kill_words = kill_words.or(named.get("killwords")?).unwrap_or(false);
    let end: String = end.or(named.get("end")?).unwrap_or_else(|| "...".into());
    let leeway = leeway.or(named.get("leeway")?).unwrap_or(5);
    named.assert_all_used()?;
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= length.saturating_add(leeway) {
        return Ok(text.into());
    }
    let cut: String = letters[..length.saturating_sub(end.chars().count())].iter().collect();
    let cut =
        if kill_words { cut.as_str() } else { cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words) };
    Ok(format!("{cut}{end}").into())
}

/// Refuses to make a text that is longer than the limit, before it is made.
pub(super) fn check_length(state: &State, bytes: usize) -> Result<(), JinjaError> {
    Bridge::of(state)?.scope.world.budget.fits(bytes).map_err(to_jinja_error)
}

/// Replaces one text by another, everywhere or as often as asked for.
pub(super) fn replaced(state: &State, text: &str, [old, new]: [&str; 2], count: Option<usize>) -> Made {
    let found = text.matches(old).count().min(count.unwrap_or(usize::MAX));
    check_length(state, text.len().saturating_add(new.len().saturating_mul(found)))?;
    Ok(count.map_or_else(|| text.replace(old, new), |count| text.replacen(old, new, count)).into())
}

/// Joins the texts of values, or of a part of each.
fn join(
    state: &mut State,
    value: JinjaValue,
    between: Option<JinjaValue>,
    attribute: Option<String>,
    named: Kwargs,
) -> Made {
    let between = between.or(named.get("d")?).map(|value| text_of(&value)).transpose()?.unwrap_or_default();
    let attribute: Option<String> = attribute.or(named.get("attribute")?);
    let parts = match attribute {
        None => series::items(&value)?.iter().map(python::text).collect(),
        Some(path) => {
            let part = |item: JinjaValue| path.split('.').try_fold(item, |item, key| item.get_attr(key));
            value.try_iter()?.map(|item| text_of(&part(item)?)).collect::<Result<Vec<_>, _>>()?
        }
    };
    joined(state, &parts, &between)
}

pub(super) fn joined(state: &State, parts: &[String], between: &str) -> Made {
    let length = parts.iter().map(String::len).sum::<usize>();
    check_length(state, length.saturating_add(parts.len().saturating_mul(between.len())))?;
    Ok(parts.join(between).into())
}

/// Refuses formats that would fill memory: `%99999999d`, `{:>99999999}`, and widths that come as values.
pub(super) fn check_fields(format: &str) -> Result<(), JinjaError> {
    let digits = format.split(|c: char| !c.is_ascii_digit());
    let wide = digits.into_iter().any(|run| run.len() > 4 && run.trim_start_matches('0').len() > 4);
    let nested = format.contains("{:{") || format.contains('*');
    if wide || nested {
        return Err(issues::field_too_wide());
    }
    Ok(())
}

fn indent(state: &mut State, text: String, options: Rest<JinjaValue>, named: Kwargs) -> Made {
    let (width, first, blank): (Option<JinjaValue>, Option<bool>, Option<bool>) = from_args(&options)?;
    let width = width.or(named.get("width")?);
    let first = first.or(named.get("first")?).unwrap_or(false);
    let blank = blank.or(named.get("blank")?).unwrap_or(false);
    named.assert_all_used()?;
    let by = match &width {
        None => "    ".to_owned(),
        Some(width) => match width.as_usize() {
            Some(width) => {
                check_length(state, width)?;
                " ".repeat(width)
            }
            None => text_of(width)?,
        },
    };
    let lines = text.matches('\n').count() + 1;
    check_length(state, text.len().saturating_add(by.len().saturating_mul(lines)))?;
    let lines = text.split('\n').enumerate().map(|(index, line)| match (index, line) {
        (0, line) if !first => line.to_owned(),
        (1.., "") if !blank => String::new(),
        (_, line) => format!("{by}{line}"),
    });
    Ok(lines.collect::<Vec<_>>().join("\n").into())
}

/// Breaks lines at blanks so that none is too long.
fn wordwrap(state: &mut State, text: String, options: Rest<JinjaValue>, named: Kwargs) -> Made {
    let (width, break_long, wrapstring): (Option<usize>, Option<bool>, Option<String>) = from_args(&options)?;
    let width = width.or(named.get("width")?).unwrap_or(79).max(1);
    let break_long = break_long.or(named.get("break_long_words")?).unwrap_or(true);
    let between: String = wrapstring.or(named.get("wrapstring")?).unwrap_or_else(|| "\n".into());
    // A line has at least a letter of a word, and a word may be cut.
    let lines =
        text.split_whitespace().map(|word| word.len() / width + 1).sum::<usize>() + text.lines().count();
    check_length(state, text.len().saturating_add(between.len().saturating_mul(lines)))?;
    let wrapped = |line: &str| -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut here = String::new();
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            let room = here.chars().count() + usize::from(!here.is_empty()) + word.chars().count();
            if !here.is_empty() && room > width {
                lines.push(std::mem::take(&mut here));
            }
            if !here.is_empty() {
                here.push(' ');
            }
            here.push_str(word);
            while break_long && here.chars().count() > width {
                let at = here.char_indices().nth(width).map_or(here.len(), |(at, _)| at);
                let rest = here.split_off(at);
                lines.push(std::mem::replace(&mut here, rest));
            }
        }
        lines.push(here);
        lines.join(&between)
    };
    Ok(text.lines().map(wrapped).collect::<Vec<_>>().join(&between).into())
}

fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        let Some((_, after)) = after.split_once('>') else { break };
        out.push_str(before);
        rest = after;
    }
    out.push_str(rest);
    let plain =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    plain.iter().fold(words, |text, (mark, letter)| text.replace(mark, letter))
}

/// Escapes for HTML, with the marks that Python's MarkupSafe uses.
fn escaped(text: &str) -> String {
    let marks = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('\'', "&#39;"), ('"', "&#34;")];
    marks.iter().fold(text.to_owned(), |text, (letter, mark)| text.replace(*letter, mark))
}

fn xmlattr(value: JinjaValue, autospace: Option<bool>) -> Made {
    let Value::Hash(map) = from_jinja(&value)? else { return Err(issues::xmlattr_of_no_map()) };
    let pair = |(key, value): (&Value, &Value)| {
        format!("{}=\"{}\"", escaped(&python::text(key)), escaped(&python::text(value)))
    };
    let pairs: Vec<String> = map.iter().filter(|(_, value)| !value.is_undef()).map(pair).collect();
    let blank = if autospace.unwrap_or(true) && !pairs.is_empty() { " " } else { "" };
    Ok(format!("{blank}{}", pairs.join(" ")).into())
}

/// Makes a comment of a text, in the style of a language.
fn comment(state: &mut State, text: String, style: Option<String>, named: Kwargs) -> Made {
    let (beginning, decoration, end) = match style.as_deref().unwrap_or("plain") {
        "plain" => ("", "# ", ""),
        "erlang" => ("", "% ", ""),
        "c" => ("", "// ", ""),
        "cblock" => ("/*", " * ", " */"),
        "xml" => ("<!--", " - ", "-->"),
        other => return Err(issues::unknown_comment(other)),
    };
    let option = |name: &str, default: &str| -> Result<String, JinjaError> {
        Ok(named.get::<Option<String>>(name)?.unwrap_or_else(|| default.to_owned()))
    };
    let repeated = |line: String, name: &str| -> Result<String, JinjaError> {
        let count = named.get::<Option<usize>>(name)?.unwrap_or(1);
        check_length(state, line.len().saturating_mul(count))?;
        Ok(line.repeat(count))
    };
    let (newline, decoration) = (option("newline", "\n")?, option("decoration", decoration)?);
    let edge = decoration.trim_end().to_owned();
    let (prefix, postfix) = (option("prefix", &edge)?, option("postfix", &edge)?);
    let (beginning, end) = (option("beginning", beginning)?, option("end", end)?);
    let mut out = if beginning.is_empty() { beginning } else { beginning + &newline };
    if !prefix.is_empty() {
        let line = if prefix == newline { newline.clone() } else { format!("{prefix}{newline}") };
        out.push_str(&repeated(line, "prefix_count")?);
    }
    let lines = text.matches(&newline).count() + 1;
    check_length(state, text.len().saturating_add((decoration.len() + newline.len()).saturating_mul(lines)))?;
    let decorated = format!("{decoration}{}", text.replace(&newline, &format!("{newline}{decoration}")));
    out.push_str(&decorated.replace(&format!("{decoration}{newline}"), &format!("{edge}{newline}")));
    out.push_str(&repeated(format!("{newline}{postfix}"), "postfix_count")?);
    if !end.is_empty() {
        out.push_str(&format!("{newline}{end}"));
    }
    named.assert_all_used()?;
    Ok(out.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_quotes_are_put_where_needed() {
        for (text, wanted) in [("a.b", "a.b"), ("a b", "'a b'"), ("", "''"), ("it's", "'it'\"'\"'s'")] {
            assert_eq!(quote(text), wanted);
        }
    }

    #[test]
    fn tags_go_and_marks_become_letters() {
        for (text, wanted) in [("<b>a  &amp; b</b>", "a & b"), ("a < b", "a < b"), ("<a href='x'>y", "y")] {
            assert_eq!(without_tags(text), wanted);
        }
    }
}
