//! Globs as Ruby's `Dir.glob` understands and orders them.

use hierarch_source::Files;

/// Finds the files that a pattern matches, folders left out.
pub fn glob(files: &dyn Files, pattern: &str) -> Vec<String> {
    let mut found = glob_all(files, pattern);
    found.retain(|path| files.is_file(path.as_ref()));
    found
}

/// Finds the files and folders that a pattern matches. Alternatives in braces come in their order, the names in a
/// folder bytewise.
pub(crate) fn glob_all(files: &dyn Files, pattern: &str) -> Vec<String> {
    let mut found = Vec::new();
    for alternative in alternatives(pattern) {
        let (start, rest) = match alternative.strip_prefix('/') {
            Some(rest) => ("/", rest),
            None => ("", alternative.as_str()),
        };
        let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
        walk(files, start, &parts, &mut found);
    }
    found.retain(|path| files.is_file(path.as_ref()) || files.is_folder(path.as_ref()));
    found
}

fn walk(files: &dyn Files, folder: &str, parts: &[&str], found: &mut Vec<String>) {
    let Some((part, rest)) = parts.split_first() else { return };
    if *part == "**" && !rest.is_empty() {
        return descend(files, folder, rest, found);
    }
    if !is_magic(part) {
        return step(files, &joined(folder, &part.replace('\\', "")), rest, found);
    }
    for name in names_in(files, folder) {
        if matches(part, &name) {
            step(files, &joined(folder, &name), rest, found);
        }
    }
}

/// Matches the rest here, and in every folder below that is not hidden, name by name.
fn descend(files: &dyn Files, folder: &str, rest: &[&str], found: &mut Vec<String>) {
    let (part, after) = (rest[0], &rest[1..]);
    if !is_magic(part) || part == "**" {
        walk(files, folder, rest, found);
    }
    for name in names_in(files, folder) {
        let path = joined(folder, &name);
        if is_magic(part) && part != "**" && matches(part, &name) {
            step(files, &path, after, found);
        }
        if !name.starts_with('.') && files.is_folder(path.as_ref()) {
            descend(files, &path, rest, found);
        }
    }
}

fn step(files: &dyn Files, path: &str, rest: &[&str], found: &mut Vec<String>) {
    if rest.is_empty() {
        found.push(path.to_owned());
    } else if files.is_folder(path.as_ref()) {
        walk(files, path, rest, found);
    }
}

fn names_in(files: &dyn Files, folder: &str) -> Vec<String> {
    files.list(if folder.is_empty() { "." } else { folder }.as_ref()).unwrap_or_default()
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() || folder.ends_with('/') {
        format!("{folder}{name}")
    } else {
        format!("{folder}/{name}")
    }
}

fn is_magic(part: &str) -> bool {
    part.contains(['*', '?', '['])
}

/// Writes out `{a,b}`, the first brace first.
fn alternatives(pattern: &str) -> Vec<String> {
    let Some(open) = unescaped(pattern, '{') else { return vec![pattern.to_owned()] };
    let (mut depth, mut commas, mut close) = (0, vec![open], None);
    let mut escaped = false;
    for (at, c) in pattern.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' if depth == 1 => {
                close = Some(at);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    let Some(close) = close else { return vec![pattern.to_owned()] };
    commas.push(close);
    let choices = commas.windows(2).map(|pair| &pattern[pair[0] + 1..pair[1]]);
    choices
        .flat_map(|choice| alternatives(&format!("{}{choice}{}", &pattern[..open], &pattern[close + 1..])))
        .collect()
}

fn unescaped(text: &str, wanted: char) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let is_it = c == wanted && !escaped;
        escaped = c == '\\' && !escaped;
        is_it.then_some(at)
    })
}

/// Tells whether a pattern matches a name. A leading dot must be written out.
fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    matches_from(&pattern, &name)
}

fn matches_from(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        if p == pattern.len() && n == name.len() {
            return true;
        }
        if pattern.get(p) == Some(&'*') {
            star = Some((p + 1, n));
            p += 1;
            continue;
        }
        let next = name.get(n).and_then(|c| one(&pattern[p..], *c));
        match (next, star) {
            (Some(width), _) => (p, n) = (p + width, n + 1),
            (None, Some((after, from))) if from < name.len() => {
                star = Some((after, from + 1));
                (p, n) = (after, from + 1);
            }
            _ => return false,
        }
    }
}

/// Matches one character, and returns how much of the pattern that took.
fn one(pattern: &[char], c: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['\\', escaped, ..] => (*escaped == c).then_some(2),
        ['[', ..] => set(pattern, c),
        [literal, ..] => (*literal == c).then_some(1),
        [] => None,
    }
}

fn set(pattern: &[char], c: char) -> Option<usize> {
    let mut at = 1;
    let negated = matches!(pattern.get(at), Some('^' | '!'));
    at += usize::from(negated);
    let (start, mut found) = (at, false);
    loop {
        match pattern.get(at)? {
            ']' if at > start => break,
            low => {
                let is_range =
                    pattern.get(at + 1) == Some(&'-') && pattern.get(at + 2).is_some_and(|high| *high != ']');
                let high = if is_range { pattern[at + 2] } else { *low };
                found |= (*low..=high).contains(&c);
                at += if is_range { 3 } else { 1 };
            }
        }
    }
    (found != negated).then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    fn check(pattern: &str, expected: &[&str]) {
        let names = [
            "/d/a.yaml",
            "/d/b.yaml",
            "/d/.h.yaml",
            "/d/c.json",
            "/d/s/a.yaml",
            "/d/s/t/z.yaml",
            "/d/t.yaml",
        ];
        let files = MemoryFiles::from(names.map(|name| (name, "")));
        assert_eq!(glob(&files, pattern), expected, "{pattern}");
    }

    #[test]
    fn stars_match_visible_names_in_order() {
        check("/d/*.yaml", &["/d/a.yaml", "/d/b.yaml", "/d/t.yaml"]);
        check("/d/?.json", &["/d/c.json"]);
        check("/d/[a-b].yaml", &["/d/a.yaml", "/d/b.yaml"]);
        check("/d/[^a].yaml", &["/d/b.yaml", "/d/t.yaml"]);
    }

    #[test]
    fn braces_keep_their_order() {
        check("/d/{b,a}.yaml", &["/d/b.yaml", "/d/a.yaml"]);
    }

    #[test]
    fn two_stars_descend() {
        check("/d/**/a.yaml", &["/d/a.yaml", "/d/s/a.yaml"]);
        check("/d/**/*.yaml", &["/d/a.yaml", "/d/b.yaml", "/d/s/a.yaml", "/d/s/t/z.yaml", "/d/t.yaml"]);
    }
}
