//! Case folding that changes the number of characters: with `(?i)`, `ß` matches `ss` and `ffi` matches `ﬃ`.
//!
//! The engine folds one character to one character. What is missing is written out as alternatives.

use std::sync::OnceLock;

/// Where characters stand whose folding has several characters.
const BLOCKS: [std::ops::RangeInclusive<char>; 3] =
    [FIRST..='\u{587}', '\u{1e96}'..='\u{1ffc}', '\u{fb00}'..='\u{fb17}'];

/// No character before this one folds to several.
const FIRST: char = '\u{df}';

/// The longest run that is looked at as a whole: alternatives of runs such as `ffffff` double with each character.
const LONGEST_RUN: usize = 6;

/// A character and the characters that it folds to.
type Fold = (char, Vec<char>);

fn folds() -> &'static [Fold] {
    static FOLDS: OnceLock<Vec<Fold>> = OnceLock::new();
    FOLDS.get_or_init(|| {
        let all = BLOCKS.into_iter().flatten();
        all.map(|c| (c, folded(c))).filter(|(_, folded)| folded.len() > 1).collect()
    })
}

/// Returns what a character folds to in full: the lower case of the upper case of its lower case.
fn folded(c: char) -> Vec<char> {
    let upper = c.to_lowercase().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).collect()
}

/// Returns what a single character also matches, if its folding has several characters.
pub(super) fn expansion(c: char) -> Option<String> {
    if c < FIRST {
        return None;
    }
    let (_, folded) = folds().iter().find(|(known, _)| *known == c)?;
    Some(folded.iter().collect())
}

/// Returns all expansions of characters between two.
pub(super) fn expansions_between(low: char, high: char) -> impl Iterator<Item = String> {
    // Most patterns are plain ASCII, for which the table need not be made.
    let all = if high < FIRST { &[] } else { folds() };
    let within = all.iter().filter(move |(c, _)| (low..=high).contains(c));
    within.map(|(_, folded)| folded.iter().collect())
}

/// Writes a run of literal characters so that it also matches what folds to a part of it.
pub(super) fn run(text: &[char], literal: impl Fn(char) -> String) -> String {
    let lower: Vec<char> = text.iter().flat_map(|c| simple(*c)).collect();
    if lower.len() != text.len() {
        return text.iter().map(|c| literal(*c)).collect();
    }
    let mut out = String::new();
    let mut at = 0;
    while at < text.len() {
        let end = overlap(&lower, at);
        if end == at {
            out.push_str(&one(text[at], &literal));
            at += 1;
            continue;
        }
        let tilings = tilings(text, &lower, at, end, &literal);
        out.extend(["(?:", &tilings.join("|"), ")"]);
        at = end;
    }
    out
}

/// A character that is not part of a longer folding, with its own expansion.
fn one(c: char, literal: &impl Fn(char) -> String) -> String {
    match expansion(c) {
        Some(longer) => format!("(?:{}|{})", literal(c), longer.chars().map(literal).collect::<String>()),
        None => literal(c),
    }
}

/// The folding of one character to one, which also makes `ſ` an `s`.
fn simple(c: char) -> Vec<char> {
    let folded = folded(c);
    if folded.len() == 1 { folded } else { vec![c] }
}

fn matches_at<'f>(lower: &'f [char], at: usize) -> impl Iterator<Item = &'static Fold> + 'f {
    folds().iter().filter(move |(_, folded)| lower[at..].starts_with(folded))
}

/// Returns where a stretch of foldings that overlap ends; it is `at` if none starts there.
fn overlap(lower: &[char], at: usize) -> usize {
    let mut end = at;
    let mut from = at;
    while from <= end.max(at) && from < lower.len() && from - at < LONGEST_RUN {
        if from > at && from >= end {
            break;
        }
        let reach = matches_at(lower, from).map(|(_, folded)| from + folded.len()).max();
        end = end.max(reach.unwrap_or(end));
        from += 1;
    }
    end
}

/// Returns all ways to write a stretch with characters and with what folds to several of them.
fn tilings(
    text: &[char],
    lower: &[char],
    at: usize,
    end: usize,
    literal: &impl Fn(char) -> String,
) -> Vec<String> {
    if at == end {
        return vec![String::new()];
    }
    let mut all = Vec::new();
    for rest in tilings(text, lower, at + 1, end, literal) {
        all.push(one(text[at], literal) + &rest);
    }
    for (c, folded) in matches_at(lower, at).filter(|(_, folded)| at + folded.len() <= end) {
        for rest in tilings(text, lower, at + folded.len(), end, literal) {
            all.push(literal(*c) + &rest);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        run(&text.chars().collect::<Vec<_>>(), String::from)
    }

    #[test]
    fn a_run_is_written_with_what_folds_to_it() {
        assert_eq!(written("abc"), "abc");
        assert_eq!(written("aß"), "a(?:ß|ss)");
        assert_eq!(written("xfix"), "x(?:fi|ﬁ)x");
        assert_eq!(written("fS"), "fS");
        assert!(written("ffi").contains("|fﬁ|") && written("ffi").contains("|ﬀi|"));
        assert_eq!(written("SS"), "(?:SS|ß|ẞ)");
    }

    #[test]
    fn long_runs_stay_small() {
        assert!(written(&"f".repeat(1000)).len() < 60_000);
    }
}
