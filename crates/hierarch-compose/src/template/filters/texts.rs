//! Filters for texts.

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::issues;
use super::super::methods::{capitalized, words_of};
use super::super::renderer::Renderer;
use super::super::show::type_name;
use super::super::value::{Flavor, Val};
use super::wrap::Wrap;
use crate::expr::budget::NODE;

pub(super) static FILTERS: &[Function] = &[
    function("upper", &["s"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        renderer.text(text.to_uppercase())
    }),
    function("lower", &["s"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        renderer.text(text.to_lowercase())
    }),
    function("capitalize", &["s"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        renderer.text(capitalized(&text))
    }),
    function("title", &["s"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        renderer.text(titled(&text))
    }),
    function("trim", &["value", "chars?"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        match given.get(1) {
            None | Some(Val::None) => renderer.text(text.trim()),
            Some(chars) => {
                let chars = renderer.printed(chars)?;
                renderer.text(text.trim_matches(|c| chars.contains(c)))
            }
        }
    }),
    function("string", &["object"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        renderer.flavored(text, Flavor::Stays)
    }),
    function("quote", &["value"], |renderer, given| {
        let text =
            if matches!(given.value(0), Val::None) { String::new() } else { given.text(renderer, 0)? };
        let quoted = quote(&text);
        if quoted == text && matches!(given.value(0), Val::Text(_)) {
            return Ok(given.value(0).clone());
        }
        renderer.text(quoted)
    }),
    function("wordcount", &["s"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        Ok(words.filter(|word| !word.is_empty()).count().into())
    }),
    function("center", &["value", "width?"], center),
    function("truncate", &["s", "length?", "killwords?", "end?", "leeway?"], truncate),
    function("replace", &["s", "old", "new", "count?"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        let (old, new) = (given.text(renderer, 1)?, given.text(renderer, 2)?);
        let count = match given.get(3) {
            None | Some(Val::None) => None,
            Some(count) => usize::try_from(super::super::call::int(count)?).ok(),
        };
        renderer.replaced(&text, [&old, &new], count)
    }),
    function("format", &["value", "*args", "**kwargs"], |renderer, given| {
        let format = given.text(renderer, 0)?;
        if !given.named.is_empty() && !given.rest.is_empty() {
            return Err(issues::format_with_both());
        }
        let values = if given.named.is_empty() {
            renderer.tuple(given.rest.clone())?
        } else {
            renderer.dict_of(given.named.clone())?
        };
        renderer.percent(&format, &values)
    }),
    function("indent", &["s", "width?", "first?", "blank?"], indent),
    function("wordwrap", &["s", "width?", "break_long_words?", "wrapstring?", "break_on_hyphens?"], wordwrap),
    function("split", &["value", "sep?", "maxsplit?"], split),
    function("comment", &["text", "style?", "**kw"], comment),
];

/// A letter behind a blank, a hyphen or a bracket is large, all others are small.
fn titled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut starts = true;
    for c in text.chars() {
        if starts {
            out.extend(c.to_uppercase());
        } else {
            out.extend(c.to_lowercase());
        }
        starts = c.is_whitespace() || "-({[<".contains(c);
    }
    out
}

/// Quotes for a shell, as Python's `shlex.quote` does.
fn quote(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "@%_-+=:,./".contains(c);
    if !text.is_empty() && text.chars().all(safe) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\"'\"'"))
}

fn center(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let text = given.text(renderer, 0)?;
    let width = given.count(1, 80)?;
    renderer.fits(width)?;
    let free = width.saturating_sub(text.chars().count());
    let left = free / 2 + (free & width & 1);
    renderer.text(format!("{}{text}{}", " ".repeat(left), " ".repeat(free - left)))
}

/// Cuts a text at a word; Jinja2 lets it be some characters too long.
fn truncate(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let length = given.count(1, 255)?;
    let kill_words = given.truth(renderer, 2, false)?;
    let end = given.text_or(renderer, 3, "...")?;
    let leeway = match given.get(4) {
        None | Some(Val::None) => 5,
        Some(_) => given.count(4, 5)?,
    };
    let ending = end.chars().count();
    if length < ending {
        return Err(issues::truncated_too_short(ending, length));
    }
    let Some(size) = renderer.length(given.value(0))? else {
        return Err(issues::no_length(type_name(given.value(0))));
    };
    if size <= length.saturating_add(leeway) {
        return Ok(given.value(0).clone());
    }
    let text = given.text_for(0, "rsplit")?;
    let letters: Vec<char> = text.chars().collect();
    let cut: String = letters[..length - ending].iter().collect();
    let cut = match (kill_words, cut.rsplit_once(' ')) {
        (false, Some((words, _))) => words,
        _ => &cut,
    };
    renderer.text(format!("{cut}{end}"))
}

fn indent(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let text = given.text_for(0, "splitlines")?;
    let by = match given.get(1) {
        None => "    ".to_owned(),
        Some(Val::Text(text)) => text.text.to_string(),
        Some(_) => {
            let width = given.count(1, 4)?;
            renderer.fits(width)?;
            " ".repeat(width)
        }
    };
    let (first, blank) = (given.truth(renderer, 2, false)?, given.truth(renderer, 3, false)?);
    let lines = text.matches('\n').count() + 1;
    renderer.fits(text.len().saturating_add(by.len().saturating_mul(lines)))?;
    let lines = text.split('\n').enumerate().map(|(index, line)| match (index, line) {
        (0, line) if !first => line.to_owned(),
        (1.., "") if !blank => String::new(),
        (_, line) => format!("{by}{line}"),
    });
    renderer.text(lines.collect::<Vec<_>>().join("\n"))
}

/// Breaks lines at blanks and hyphens so that none is too long.
fn wordwrap(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let text = given.text_for(0, "splitlines")?;
    let width = given.count(1, 79)?.max(1);
    let wrap = Wrap {
        width,
        breaks_words: given.truth(renderer, 2, true)?,
        breaks_hyphens: given.truth(renderer, 4, true)?,
    };
    let between = match given.get(3) {
        None | Some(Val::None) => "\n".to_owned(),
        Some(_) => given.text(renderer, 3)?,
    };
    // A line has at least a letter of a word, and a word may be cut.
    let lines =
        text.split_whitespace().map(|word| word.len() / width + 1 + word.matches('-').count()).sum::<usize>()
            + text.lines().count();
    renderer.fits(text.len().saturating_add(between.len().saturating_mul(lines)))?;
    let wrapped: Vec<String> = text.lines().map(|line| wrap.lines(line).join(&between)).collect();
    renderer.text(wrapped.join(&between))
}

fn split(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let Val::Text(text) = given.value(0) else {
        return Err(issues::no_method(type_name(given.value(0)), "split"));
    };
    let most = usize::try_from(given.int(2, -1)?).unwrap_or(usize::MAX).saturating_add(1);
    let separator = match given.get(1) {
        None | Some(Val::None) => None,
        Some(value) => Some(renderer.printed(value)?),
    };
    let parts: Vec<&str> = match &separator {
        None => words_of(&text.text, most),
        Some(separator) if separator.is_empty() => return Err(issues::empty_separator()),
        Some(separator) => text.text.splitn(most, separator.as_str()).collect(),
    };
    renderer.fits(parts.len().saturating_mul(NODE))?;
    let parts = parts.into_iter().map(|part| renderer.text(part)).collect::<Checked<_>>()?;
    renderer.list(parts)
}

/// What makes a comment of a text.
struct Comment {
    beginning: String,
    prefix: String,
    decoration: String,
    postfix: String,
    end: String,
    newline: String,
}

/// Makes a comment of a text, in the style of a language.
fn comment(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let text = given.text_for(0, "replace")?;
    let style = given.text_or(renderer, 1, "plain")?;
    let (beginning, decoration, end) = match style.as_str() {
        "plain" => ("", "# ", ""),
        "erlang" => ("", "% ", ""),
        "c" => ("", "// ", ""),
        "cblock" => ("/*", " * ", " */"),
        "xml" => ("<!--", " - ", "-->"),
        other => return Err(issues::unknown_comment(other)),
    };
    let mut option = |name: &str, default: &str| match given.named(name) {
        Some(value) => renderer.printed(value),
        None => Ok(default.to_owned()),
    };
    let decoration = option("decoration", decoration)?;
    let edge = decoration.trim_end().to_owned();
    let parts = Comment {
        beginning: option("beginning", beginning)?,
        prefix: option("prefix", &edge)?,
        postfix: option("postfix", &edge)?,
        end: option("end", end)?,
        newline: option("newline", "\n")?,
        decoration,
    };
    let count = |name: &str| -> Checked<usize> {
        match given.named(name) {
            Some(value) => Ok(usize::try_from(super::super::call::int(value)?.max(0)).unwrap_or(usize::MAX)),
            None => Ok(1),
        }
    };
    let counts = [count("prefix_count")?, count("postfix_count")?];
    let written = parts.written(renderer, &text, counts)?;
    renderer.text(written)
}

impl Comment {
    fn written(&self, renderer: &Renderer, text: &str, [before, after]: [usize; 2]) -> Checked<String> {
        let Self { beginning, prefix, decoration, postfix, end, newline } = self;
        let mut out = String::new();
        if !beginning.is_empty() {
            out.push_str(beginning);
            out.push_str(newline);
        }
        if !prefix.is_empty() {
            let line = if prefix == newline { newline.clone() } else { format!("{prefix}{newline}") };
            renderer.fits(line.len().saturating_mul(before))?;
            out.push_str(&line.repeat(before));
        }
        let lines = text.matches(newline.as_str()).count() + 1;
        let added = (decoration.len() + newline.len()).saturating_mul(lines);
        renderer.fits(text.len().saturating_add(added))?;
        let decorated = format!("{decoration}{}", text.replace(newline, &format!("{newline}{decoration}")));
        let edge = decoration.trim_end();
        out.push_str(&decorated.replace(&format!("{decoration}{newline}"), &format!("{edge}{newline}")));
        let line = format!("{newline}{postfix}");
        renderer.fits(line.len().saturating_mul(after))?;
        out.push_str(&line.repeat(after));
        if !end.is_empty() {
            out.push_str(newline);
            out.push_str(end);
        }
        Ok(out)
    }
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
    fn lines_are_broken_at_blanks_and_hyphens() {
        let wrap = Wrap { width: 8, breaks_words: true, breaks_hyphens: true };
        assert_eq!(wrap.lines("a well-known word"), ["a well-", "known", "word"]);
        assert_eq!(wrap.lines("abcdefghijk l"), ["abcdefgh", "ijk l"]);
        assert!(wrap.lines("").is_empty());
    }
}
