//! Regular expressions with Ruby's options.

use std::sync::Arc;

use ecow::EcoString;
use hierarch_regex::issues::PROBLEM;
use hierarch_regex::{Captures, Regexp};

/// `i`, ignore case.
pub const IGNORE_CASE: u8 = 1;
/// `x`, blanks and comments.
pub const EXTENDED: u8 = 2;
/// `m`, a dot matches line breaks.
pub const MULTI_LINE: u8 = 4;

/// A regular expression.
#[derive(Clone)]
pub struct Regex {
    /// As it was written.
    pub source: EcoString,
    /// The sum of its options.
    pub options: u8,
    /// What matches.
    pub engine: Arc<Regexp>,
}

/// Takes options that stand around a whole pattern, or before it, out of it.
fn unfolded(options: u8, source: &str) -> (u8, &str) {
    let (mut inner, mut rest) = (options, source);
    while let Some(group) = rest.strip_prefix("(?") {
        let (on, after) = group.split_at(group.find(|c| !"mix".contains(c)).unwrap_or(group.len()));
        let (off, after) = match after.strip_prefix('-') {
            Some(after) => after.split_at(after.find(|c| !"mix".contains(c)).unwrap_or(after.len())),
            None => ("", after),
        };
        inner = (inner | bits(on)) & !bits(off);
        if let Some(after) = after.strip_prefix(')') {
            rest = after;
            continue;
        }
        let whole = after.strip_prefix(':').and_then(|after| after.strip_suffix(')'));
        return match whole.filter(|whole| hierarch_regex::check(whole).is_ok()) {
            Some(whole) => (inner, whole),
            None => (options, source),
        };
    }
    (inner, rest)
}

fn bits(letters: &str) -> u8 {
    let bit = |letter| match letter {
        'i' => IGNORE_CASE,
        'x' => EXTENDED,
        _ => MULTI_LINE,
    };
    letters.chars().map(bit).fold(0, |all, bit| all | bit)
}

impl Regex {
    /// Makes one; the error is Onigmo's.
    pub fn new(source: &str, options: u8) -> Result<Self, String> {
        let letters = letters(options & 7);
        let is_extended = options & EXTENDED != 0;
        let shown = |error: hierarch_source::Error| {
            let problem = error.details(PROBLEM).next().unwrap_or(&error.message);
            format!("{problem}: /{source}/")
        };
        if !is_extended {
            hierarch_regex::check(source).map_err(shown)?;
        }
        // A comment of an extended pattern would swallow the parenthesis.
        let text = match (letters.is_empty(), is_extended) {
            (true, _) => source.to_owned(),
            (false, true) => format!("(?{letters}:{source}\n)"),
            (false, false) => format!("(?{letters}:{source})"),
        };
        let engine = Regexp::new(text).map_err(shown)?;
        Ok(Self { source: source.into(), options, engine: Arc::new(engine) })
    }

    /// Returns it between slashes.
    pub fn inspect(&self) -> String {
        format!("/{}/{}", escaped(&self.source), letters(self.options & 7))
    }

    /// Returns it as a group that can stand in another.
    pub fn as_group(&self) -> String {
        let (options, source) = unfolded(self.options & 7, &self.source);
        let on = letters(options);
        let off: String = "mix".chars().filter(|letter| !on.contains(*letter)).collect();
        let dash = if off.is_empty() { "" } else { "-" };
        format!("(?{on}{dash}{off}:{})", escaped(source))
    }

    /// Finds the first match at or after a byte.
    pub fn captures_from(&self, text: &str, start: usize) -> hierarch_source::Result<Option<Captures>> {
        if start > text.len() || !text.is_char_boundary(start) {
            return Ok(None);
        }
        self.engine.captures_from(text, start)
    }

    /// Returns the names of its groups.
    pub fn names(&self) -> &[String] {
        self.engine.names()
    }
}

/// Returns the letters of options in Ruby's order.
fn letters(options: u8) -> String {
    let all = [(MULTI_LINE, 'm'), (IGNORE_CASE, 'i'), (EXTENDED, 'x')];
    all.iter().filter(|(option, _)| options & option != 0).map(|(_, letter)| *letter).collect()
}

/// Escapes slashes that are not escaped.
fn escaped(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut is_escaped = false;
    for c in source.chars() {
        if c == '/' && !is_escaped {
            text.push('\\');
        }
        text.push(c);
        is_escaped = c == '\\' && !is_escaped;
    }
    text
}
