//! Globs as Ruby's `Dir.glob` understands and orders them.
//!
//! A pattern is walked folder by folder: names come in bytewise order, a folder right before what is in it. Braces are
//! written out where the walk meets them, so `*/{b,a}.yaml` finds `x/b`, `x/a`, `y/b`, `y/a`; behind `**/` they only
//! decide whether a name matches. `**/` enters no links and no hidden folders.

use hierarch_source::{Error, FileKind, Files};

use crate::issues;

/// Why a pattern was not walked to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum WalkStop {
    /// It took more steps than are allowed.
    OutOfSteps,
    /// It leads through a link that leads back to itself.
    Ring(String),
}

impl WalkStop {
    /// Says so.
    pub(crate) fn error(self, most: u64) -> Error {
        match self {
            Self::OutOfSteps => issues::too_many_steps(most),
            Self::Ring(path) => issues::ring_of_links(&path),
        }
    }
}

/// The paths that a pattern matches.
pub(crate) type Matches = Result<Vec<String>, WalkStop>;

/// Finds what a pattern matches, folders left out. A link that leads nowhere is found as well.
pub(crate) fn glob(files: &dyn Files, pattern: &str, steps: &mut u64) -> Matches {
    let mut found = walked(files, pattern, steps)?;
    // A file that is not a link leads nowhere else.
    found.retain(|(path, kind)| *kind == FileKind::File || !files.is_folder(path.as_ref()));
    Ok(found.into_iter().map(|(path, _)| path).collect())
}

/// Finds the files and folders that a pattern matches.
pub(crate) fn glob_all(files: &dyn Files, pattern: &str, steps: &mut u64) -> Matches {
    Ok(walked(files, pattern, steps)?.into_iter().map(|(path, _)| path).collect())
}

fn walked(files: &dyn Files, pattern: &str, steps: &mut u64) -> Result<Vec<(String, FileKind)>, WalkStop> {
    let mut walk = Walk { files, found: Vec::new(), steps };
    let (start, rest) = match pattern.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", pattern),
    };
    walk.visit(&Pattern::new(rest, true), &[0], &At { path: start.to_owned(), kind: None })?;
    Ok(walk.found)
}

/// A pattern, cut at its slashes.
struct Pattern {
    parts: Vec<PatternPart>,
    /// It ends in a slash: only folders match.
    wants_folder: bool,
}

enum PatternPart {
    /// `**/`
    Anywhere,
    /// Names that stand for themselves, with slashes between them.
    Plain(String),
    /// `*`, `?` or `[` is in it.
    Magic(String),
    /// `{` is in it.
    Braces(String),
}

impl Pattern {
    /// Cuts a pattern. Braces that were written out already leave none behind that means something.
    fn new(text: &str, has_braces: bool) -> Self {
        let mut pattern = Self { parts: Vec::new(), wants_folder: text.ends_with('/') };
        let mut rest = text.trim_end_matches('/');
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix("**/") {
                if !matches!(pattern.parts.last(), Some(PatternPart::Anywhere)) {
                    pattern.parts.push(PatternPart::Anywhere);
                }
                rest = after;
                continue;
            }
            let (part, after) = cut(rest, has_braces);
            pattern.push(part, has_braces);
            rest = after.unwrap_or("");
        }
        pattern
    }

    fn push(&mut self, part: &str, has_braces: bool) {
        let is_alone = matches!(self.parts.as_slice(), [.., PatternPart::Anywhere, PatternPart::Plain(_)]);
        let new = match part {
            part if has_braces && unescaped(part, &['{']) => PatternPart::Braces(part.to_owned()),
            part if unescaped(part, &['*', '?', '[']) => PatternPart::Magic(part.to_owned()),
            part => {
                let name = without_escapes(part);
                // Folders that need no search are passed at one go, but not behind `**/`.
                if let Some(PatternPart::Plain(before)) = self.parts.last_mut().filter(|_| !is_alone) {
                    *before = format!("{before}/{name}");
                    return;
                }
                PatternPart::Plain(name)
            }
        };
        self.parts.push(new);
    }

    /// Writes the pattern again from one of its parts on.
    fn text_from(&self, at: usize) -> String {
        let mut out = String::new();
        let parts = self.parts.get(at..).unwrap_or_default();
        for (index, part) in parts.iter().enumerate() {
            match part {
                PatternPart::Anywhere => out.push_str("**/"),
                PatternPart::Plain(text) => out.push_str(&escaped(text)),
                PatternPart::Magic(text) | PatternPart::Braces(text) => out.push_str(text),
            }
            if index + 1 < parts.len() && !matches!(part, PatternPart::Anywhere) {
                out.push('/');
            }
        }
        if self.wants_folder {
            out.push('/');
        }
        out
    }
}

/// Where a walk stands, and what is known about it.
struct At {
    path: String,
    kind: Option<FileKind>,
}

struct Walk<'f> {
    files: &'f dyn Files,
    found: Vec<(String, FileKind)>,
    steps: &'f mut u64,
}

type WalkResult = Result<(), WalkStop>;

impl Walk<'_> {
    fn step(&mut self) -> WalkResult {
        *self.steps = self.steps.checked_sub(1).ok_or(WalkStop::OutOfSteps)?;
        Ok(())
    }

    /// Goes on at a path, where the parts with these numbers come next.
    fn visit(&mut self, pattern: &Pattern, next: &[usize], at: &At) -> WalkResult {
        self.step()?;
        if next.iter().any(|&part| part >= pattern.parts.len()) && !self.arrive(pattern, at) {
            return Ok(());
        }
        let wanted = Remainder::new(pattern, next);
        if wanted.braces {
            return self.write_out(&pattern.text_from(next[0]), at);
        }
        if wanted.names {
            self.search(pattern, next, at, wanted.anywhere)
        } else {
            self.pass(pattern, next, at)
        }
    }

    /// Takes a path that matches the whole pattern. Tells whether anything is there.
    fn arrive(&mut self, pattern: &Pattern, at: &At) -> bool {
        let Some(kind) = at.kind.or_else(|| self.files.kind(at.path.as_ref())) else { return false };
        if !pattern.wants_folder {
            self.found.push((at.path.clone(), kind));
        } else if kind == FileKind::Folder
            || (kind == FileKind::Link && self.files.is_folder(at.path.as_ref()))
        {
            self.found.push((format!("{}/", at.path), kind));
        }
        true
    }

    /// Goes on with each alternative of the braces of a pattern.
    fn write_out(&mut self, text: &str, at: &At) -> WalkResult {
        self.step()?;
        let Some(braces) = Braces::first_of(text) else {
            return self.visit(&Pattern::new(text, false), &[0], &At { path: at.path.clone(), kind: None });
        };
        for alternative in braces.alternatives() {
            self.write_out(&alternative, at)?;
        }
        Ok(())
    }

    /// Looks at every name in a folder.
    fn search(&mut self, pattern: &Pattern, next: &[usize], at: &At, is_anywhere: bool) -> WalkResult {
        let folder = if at.path.is_empty() { "." } else { at.path.as_str() };
        let mut names = match self.files.list_kinds(folder.as_ref()) {
            Err(error) if issues::is_ring(&error) => return Err(WalkStop::Ring(folder.to_owned())),
            names => names.unwrap_or_default(),
        };
        if !is_anywhere {
            // The folder itself is hidden, too: only what begins with a dot finds it.
            names.insert(0, (".".to_owned(), None));
        }
        for (name, kind) in names {
            self.step()?;
            let path = joined(&at.path, &name);
            let kind = kind.or_else(|| if is_anywhere { self.files.kind(path.as_ref()) } else { None });
            let mut then = Vec::new();
            for &number in next {
                let mut number = number;
                if let Some(PatternPart::Anywhere) = pattern.parts.get(number) {
                    if kind == Some(FileKind::Folder) && !name.starts_with('.') {
                        then.push(number);
                    }
                    number += 1;
                }
                if self.is_match(pattern.parts.get(number), &name)? {
                    then.push(number + 1);
                }
            }
            if !then.is_empty() {
                self.visit(pattern, &then, &At { path, kind })?;
            }
        }
        Ok(())
    }

    fn is_match(&mut self, part: Option<&PatternPart>, name: &str) -> Result<bool, WalkStop> {
        match part {
            Some(PatternPart::Plain(text)) => Ok(text == name),
            Some(PatternPart::Magic(text)) => Ok(matches(text, name)),
            Some(PatternPart::Braces(text)) => self.is_any(text, name),
            Some(PatternPart::Anywhere) | None => Ok(false),
        }
    }

    /// Tells whether one of the alternatives of a pattern matches a name.
    fn is_any(&mut self, text: &str, name: &str) -> Result<bool, WalkStop> {
        self.step()?;
        let Some(braces) = Braces::first_of(text) else { return Ok(matches(text, name)) };
        for alternative in braces.alternatives() {
            if self.is_any(&alternative, name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes on with names that stand for themselves, without a look at the folder.
    fn pass(&mut self, pattern: &Pattern, next: &[usize], at: &At) -> WalkResult {
        let plain = |number: usize| match pattern.parts.get(number) {
            Some(PatternPart::Plain(text)) => Some(text),
            _ => None,
        };
        let mut passed: Vec<&String> = Vec::new();
        for text in next.iter().filter_map(|&number| plain(number)) {
            if passed.contains(&text) {
                continue;
            }
            passed.push(text);
            let same = next.iter().filter(|&&number| plain(number) == Some(text));
            let then: Vec<usize> = same.map(|number| number + 1).collect();
            self.visit(pattern, &then, &At { path: joined(&at.path, text), kind: None })?;
        }
        Ok(())
    }
}

/// What has to be done for the parts that come next.
#[derive(Default)]
struct Remainder {
    anywhere: bool,
    /// Names have to be looked at.
    names: bool,
    /// Braces have to be written out first.
    braces: bool,
}

impl Remainder {
    fn new(pattern: &Pattern, next: &[usize]) -> Self {
        let mut wanted = Self::default();
        for &number in next {
            let mut part = pattern.parts.get(number);
            if let Some(PatternPart::Anywhere) = part {
                (wanted.anywhere, wanted.names) = (true, true);
                part = pattern.parts.get(number + 1);
            }
            match part {
                Some(PatternPart::Braces(text)) if !wanted.anywhere || text.contains('/') => {
                    wanted.braces = true;
                }
                Some(PatternPart::Magic(_) | PatternPart::Braces(_)) => wanted.names = true,
                _ => {}
            }
        }
        wanted
    }
}

/// The first braces of a text, whose other half is there.
struct Braces<'t> {
    before: &'t str,
    inside: &'t str,
    after: &'t str,
}

impl<'t> Braces<'t> {
    fn first_of(text: &'t str) -> Option<Self> {
        let (mut depth, mut open, mut is_escaped) = (0usize, None, false);
        for (at, c) in text.char_indices() {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '{' => {
                    depth += 1;
                    open = open.or(Some(at));
                }
                '}' if depth == 1 => {
                    let open = open?;
                    let (before, inside) = (&text[..open], &text[open + 1..at]);
                    return Some(Self { before, inside, after: &text[at + 1..] });
                }
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// Returns the text with each of the choices in place of the braces.
    fn alternatives(&self) -> impl Iterator<Item = String> + '_ {
        choices(self.inside).into_iter().map(|choice| format!("{}{choice}{}", self.before, self.after))
    }
}

/// Cuts what is between braces at its commas.
fn choices(inside: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth, mut is_escaped) = (Vec::new(), 0, 0i32, false);
    for (at, c) in inside.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inside[start..]);
    found
}

/// Cuts a pattern at its first slash that stands neither in braces nor in brackets.
fn cut(text: &str, has_braces: bool) -> (&str, Option<&str>) {
    let (mut depth, mut in_set, mut is_escaped) = (0i32, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_set = true,
            ']' => in_set = false,
            '{' if has_braces => depth += 1,
            '}' if has_braces && depth > 0 => depth -= 1,
            '/' if depth == 0 && !in_set => return (&text[..at], Some(&text[at + 1..])),
            _ => {}
        }
    }
    // Braces that are never closed hold nothing together.
    match text.split_once('/') {
        Some((part, after)) if depth > 0 || in_set => (part, Some(after)),
        _ => (text, None),
    }
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() || folder.ends_with('/') {
        format!("{folder}{name}")
    } else {
        format!("{folder}/{name}")
    }
}

/// Tells whether one of some characters stands in a text without a backslash before it.
fn unescaped(text: &str, wanted: &[char]) -> bool {
    let mut is_escaped = false;
    text.chars().any(|c| {
        let is_it = wanted.contains(&c) && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_it
    })
}

fn without_escapes(text: &str) -> String {
    let (mut out, mut is_escaped) = (String::with_capacity(text.len()), false);
    for c in text.chars() {
        if c == '\\' && !is_escaped {
            is_escaped = true;
        } else {
            is_escaped = false;
            out.push(c);
        }
    }
    out
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\{}*?[]".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
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

/// Matches one character of a set. Both ends of a range belong to it, even where they stand the wrong way round.
fn set(pattern: &[char], c: char) -> Option<usize> {
    let mut at = 1;
    let negated = matches!(pattern.get(at), Some('^' | '!'));
    at += usize::from(negated);
    let mut found = false;
    while *pattern.get(at)? != ']' {
        let low = in_set(pattern, &mut at)?;
        if pattern.get(at) == Some(&'-') && pattern.get(at + 1).is_some_and(|high| *high != ']') {
            at += 1;
            let high = in_set(pattern, &mut at)?;
            found |= c == low || c == high || (low..=high).contains(&c);
        } else {
            found |= c == low;
        }
    }
    (found != negated).then_some(at + 1)
}

fn in_set(pattern: &[char], at: &mut usize) -> Option<char> {
    *at += usize::from(*pattern.get(*at)? == '\\');
    let c = *pattern.get(*at)?;
    *at += 1;
    Some(c)
}

#[cfg(test)]
mod facts;

#[cfg(test)]
mod tests {
    use hierarch_source::{DiskFiles, MemoryFiles};

    use super::*;

    fn check(pattern: &str, expected: &[&str]) {
        let names = [
            "/d/a.yaml",
            "/d/a.yml",
            "/d/b.yaml",
            "/d/.h.yaml",
            "/d/c.json",
            "/d/s/a.yaml",
            "/d/s/t/z.yaml",
            "/d/t.yaml",
        ];
        let files = MemoryFiles::from(names.map(|name| (name, "")));
        let found = glob(&files, pattern, &mut 10_000).expect("few steps");
        assert_eq!(found, expected, "{pattern}");
    }

    #[test]
    fn stars_match_visible_names_in_order() {
        check("/d/*.yaml", &["/d/a.yaml", "/d/b.yaml", "/d/t.yaml"]);
        check("/d/?.json", &["/d/c.json"]);
        check("/d/[a-b].yaml", &["/d/a.yaml", "/d/b.yaml"]);
        check("/d/[b-a].yaml", &["/d/a.yaml", "/d/b.yaml"]);
        check("/d/[^a].yaml", &["/d/b.yaml", "/d/t.yaml"]);
        check("/d/[\\]a].yaml", &["/d/a.yaml"]);
        check("/d/[]a].yaml", &[]);
    }

    #[test]
    fn braces_are_written_out_where_the_walk_meets_them() {
        check("/d/{b,a}.yaml", &["/d/b.yaml", "/d/a.yaml"]);
        check("/d/*.{yml,yaml}", &["/d/a.yml", "/d/a.yaml", "/d/b.yaml", "/d/t.yaml"]);
        check("/d/*/{t/z,a}.yaml", &["/d/s/t/z.yaml", "/d/s/a.yaml"]);
        check("/d/{a,b", &[]);
    }

    #[test]
    fn two_stars_descend() {
        check("/d/**/a.yaml", &["/d/a.yaml", "/d/s/a.yaml"]);
        check("/d/**/*.yaml", &["/d/a.yaml", "/d/b.yaml", "/d/s/a.yaml", "/d/s/t/z.yaml", "/d/t.yaml"]);
    }

    #[test]
    fn braces_behind_two_stars_keep_the_order_of_names() {
        check(
            "/d/**/*.{yml,yaml}",
            &["/d/a.yaml", "/d/a.yml", "/d/b.yaml", "/d/s/a.yaml", "/d/s/t/z.yaml", "/d/t.yaml"],
        );
        check("/d/**/{b,a}.yaml", &["/d/a.yaml", "/d/b.yaml", "/d/s/a.yaml"]);
    }

    /// What Ruby 3.3 finds with the same links.
    #[cfg(unix)]
    #[test]
    fn two_stars_enter_no_links() {
        use std::os::unix::fs::symlink;
        let folder = std::env::temp_dir().join(format!("hierarch-links-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("d1/e")).expect("a folder");
        std::fs::create_dir_all(folder.join("s")).expect("a folder");
        std::fs::write(folder.join("d1/e/c.yaml"), "").expect("a file");
        for (target, link) in [("../d1", "s/up"), (".", "s/one"), (".", "s/two"), ("nowhere", "n.yaml")] {
            symlink(target, folder.join(link)).expect("a link");
        }
        let root = folder.display().to_string();
        for (pattern, expected) in [
            ("**/*.yaml", vec!["d1/e/c.yaml", "n.yaml"]),
            ("s/*/e/*.yaml", vec!["s/up/e/c.yaml"]),
            ("s/up/**/*.yaml", vec!["s/up/e/c.yaml"]),
            ("**/up/e/c.yaml", vec!["s/up/e/c.yaml"]),
        ] {
            let found = glob(&DiskFiles, &format!("{root}/{pattern}"), &mut 10_000).expect("few steps");
            let expected: Vec<String> = expected.iter().map(|name| format!("{root}/{name}")).collect();
            assert_eq!(found, expected, "{pattern}");
        }
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn braces_that_grow_without_end_are_stopped() {
        let files = MemoryFiles::from([("/d/a.yaml", "")]);
        let pattern = format!("/d/{}", "{a,b}".repeat(30));
        assert_eq!(glob(&files, &pattern, &mut 10_000), Err(WalkStop::OutOfSteps));
        assert_eq!(
            glob(&files, &format!("/d/**/{}", "{a,b}".repeat(30)), &mut 10_000),
            Err(WalkStop::OutOfSteps)
        );
    }
}
