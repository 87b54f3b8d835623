//! Which line of a hiera.yaml a complaint is about: found by looking at the text, comments left out.

/// Finds the first line, from a given one on, for which a test holds. Lines count from 1.
fn find(text: &str, from: usize, test: impl Fn(&str) -> bool) -> Option<usize> {
    let lines = text.split_inclusive('\n').enumerate().map(|(index, line)| (index + 1, line));
    lines
        .skip_while(|(number, _)| *number < from)
        .find(|(_, line)| test(without_comment(line)))
        .map(|(number, _)| number)
}

/// Cuts a line at the first `#`. The reference does not care whether it stands in quotes.
fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or(line)
}

/// Finds the line of `%{name}`, with or without quotes around the name.
pub(super) fn of_token(text: &str, name: &str) -> Option<usize> {
    let tokens = [format!("%{{{name}}}"), format!("%{{'{name}'}}"), format!("%{{\"{name}\"}}")];
    find(text, 1, |line| tokens.iter().any(|token| line.contains(token.as_str())))
}

/// Finds the line that gives a level its name.
pub(super) fn of_name(text: &str, name: &str, from: usize) -> Option<usize> {
    of_entry(text, "name", name, from)
}

/// Finds the line of `key: value`, the key not being the first thing in its line.
pub(super) fn of_entry(text: &str, key: &str, value: &str, from: usize) -> Option<usize> {
    let key = format!("{key}:");
    find(text, from, |line| {
        line.match_indices(&key).any(|(at, _)| {
            let after = &line[at + key.len()..];
            let blank = after.len() - after.trim_start().len();
            let quoted = after.trim_start();
            let bare = quoted.strip_prefix(['\'', '"']).unwrap_or(quoted);
            is_after_blank(line, at)
                && (blank > 0 || key != "name:")
                && bare.strip_prefix(value).is_some_and(ends_word)
        })
    })
}

/// Finds the line of a key.
pub(super) fn of_key(text: &str, key: &str, also_at_start: bool) -> Option<usize> {
    let key = format!("{key}:");
    find(text, 1, |line| {
        line.match_indices(&key).any(|(at, _)| is_after_blank(line, at) || (also_at_start && at == 0))
    })
}

/// Finds the line of a word.
pub(super) fn of_word(text: &str, word: &str, from: usize) -> Option<usize> {
    find(text, from, |line| {
        line.match_indices(word).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            before.is_some_and(|c| !is_word(c)) && ends_word(&line[at + word.len()..])
        })
    })
}

/// Finds the first and the second line of something. If there is one only, it is the second.
pub(super) fn pair(find: impl Fn(usize) -> Option<usize>) -> (Option<usize>, Option<usize>) {
    let Some(first) = find(1) else { return (None, None) };
    match find(first + 1) {
        Some(second) => (Some(first), Some(second)),
        None => (None, Some(first)),
    }
}

fn is_after_blank(line: &str, at: usize) -> bool {
    line[..at].ends_with(|c: char| c.is_ascii_whitespace())
}

fn ends_word(after: &str) -> bool {
    !after.starts_with(is_word)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
