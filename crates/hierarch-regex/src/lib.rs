//! Regular expressions in Ruby's notation, on an engine with a step limit.
//!
//! A pattern is translated when it is made, so that a malformed one is refused with Onigmo's words, and
//! compiled when it is first matched.

mod class;
mod escape;
mod fold;
mod groups;
pub mod issues;
mod property;
mod reader;
mod show;
mod translate;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use hierarch_source::Result;

pub use show::with_slashes;

/// How many steps a match may take before it is given up with an error.
pub const STEP_LIMIT: usize = 1_000_000;

/// The limit of this process. Patterns are compiled once and shared by all that run, so the limit is shared as well.
static CHOSEN_LIMIT: OnceLock<usize> = OnceLock::new();

/// Sets how many steps a match may take, in this process from now on; only the first call counts.
pub fn set_step_limit(steps: usize) {
    let _ = CHOSEN_LIMIT.set(steps);
}

fn step_limit() -> usize {
    CHOSEN_LIMIT.get().copied().unwrap_or(STEP_LIMIT)
}

/// A regular expression. Two are equal when their sources are.
pub struct Regexp {
    source: String,
    translated: translate::TranslatedPattern,
    /// For subjects that do not end in a newline, which is nearly all.
    plain: OnceLock<Engine>,
    /// For subjects that do: there `^` does not match after the last newline.
    strict: OnceLock<Engine>,
}

type Engine = std::result::Result<fancy_regex::Regex, String>;

/// Where a match and its groups stand, as byte ranges of the subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Captures(Vec<Option<(usize, usize)>>);

/// Checks that a pattern is well-formed, without making anything of it.
///
/// ```
/// let error = hierarch_regex::check("(").unwrap_err();
/// assert_eq!(error.message, "end pattern with unmatched parenthesis: /(/");
/// ```
pub fn check(source: &str) -> Result<()> {
    translate::translate(source).map(|_| ()).map_err(|problem| issues::bad_regexp(&problem, source))
}

/// Returns a pattern, well-formed or not, as a group that can stand in another, as Ruby's `to_s` does.
///
/// ```
/// assert_eq!(hierarch_regex::as_group("(?i)a/b"), r"(?i-mx:a\/b)");
/// ```
pub fn as_group(source: &str) -> String {
    show::as_group(source)
}

impl Regexp {
    /// Makes a regular expression of Ruby's notation.
    pub fn new(source: impl Into<String>) -> Result<Self> {
        let source = source.into();
        let translated =
            translate::translate(&source).map_err(|problem| issues::bad_regexp(&problem, &source))?;
        let regexp = Self { source, translated, plain: OnceLock::new(), strict: OnceLock::new() };
        if regexp.translated.is_doubtful
            && let Err(problem) = regexp.plain()
        {
            return Err(issues::unsupported_regexp(problem, &regexp.source));
        }
        Ok(regexp)
    }

    /// Makes one that matches a text literally.
    pub fn escaped(text: &str) -> Result<Self> {
        Self::new(escape::escaped(text))
    }

    /// Returns the pattern as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the pattern between slashes, slashes in it escaped.
    pub fn with_slashes(&self) -> String {
        show::with_slashes(&self.source)
    }

    /// Returns the pattern as a group that can stand in another pattern, as Ruby's `to_s` does.
    pub fn as_group(&self) -> String {
        show::as_group(&self.source)
    }

    /// Tells whether Ruby binds the pattern to UTF-8, which shows wherever it is printed.
    pub fn is_bound(&self) -> bool {
        show::is_bound(&self.source)
    }

    /// Tells whether it matches anywhere in a text.
    pub fn is_match(&self, text: &str) -> Result<bool> {
        self.engine(text)?.is_match(text).map_err(|_| issues::regexp_limit(&self.source, step_limit()))
    }

    /// Finds the first match at or after a byte offset.
    pub fn captures_from(&self, text: &str, start: usize) -> Result<Option<Captures>> {
        let found = self
            .engine(text)?
            .captures_from_pos(text, start)
            .map_err(|_| issues::regexp_limit(&self.source, step_limit()))?;
        Ok(found.map(|captures| {
            Captures(captures.iter().map(|group| group.map(|group| (group.start(), group.end()))).collect())
        }))
    }

    /// Finds the first match.
    pub fn captures(&self, text: &str) -> Result<Option<Captures>> {
        self.captures_from(text, 0)
    }

    /// Returns the names of the groups in order of their numbers, from 1; none where all are unnamed.
    pub fn names(&self) -> &[String] {
        &self.translated.names
    }

    /// Tells how many groups there are, the whole match not counted.
    pub fn group_count(&self) -> usize {
        self.translated.groups
    }

    fn engine(&self, text: &str) -> Result<&fancy_regex::Regex> {
        let strict = self.translated.has_line_start && text.ends_with('\n');
        let engine = if strict { self.strict() } else { self.plain() };
        engine.as_ref().map_err(|problem| issues::unsupported_regexp(problem, &self.source))
    }

    fn plain(&self) -> &Engine {
        self.plain.get_or_init(|| compile(&self.translated.pattern))
    }

    fn strict(&self) -> &Engine {
        self.strict.get_or_init(|| compile(&self.translated.strict_pattern()))
    }
}

impl Captures {
    /// Returns the range of a group; group 0 is the whole match.
    pub fn get(&self, group: usize) -> Option<(usize, usize)> {
        self.0.get(group).copied().flatten()
    }

    /// Returns the text of a group.
    pub fn text<'t>(&self, subject: &'t str, group: usize) -> Option<&'t str> {
        self.get(group).map(|(start, end)| &subject[start..end])
    }

    /// Tells how many groups there are, the whole match counted.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Tells whether there are no groups, which never happens.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn compile(pattern: &str) -> Engine {
    fancy_regex::RegexBuilder::new(pattern)
        .multi_line(true)
        .backtrack_limit(step_limit())
        .max_prog_size(STEP_LIMIT)
        .build()
        .map_err(|error| error.to_string())
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Regexp {}

impl Hash for Regexp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.source.hash(state);
    }
}

impl fmt::Debug for Regexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_slashes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(pattern: &str, text: &str) -> Option<Vec<Option<String>>> {
        let regexp = Regexp::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        let captures = regexp.captures(text).expect("no limit")?;
        Some((0..captures.len()).map(|group| captures.text(text, group).map(str::to_owned)).collect())
    }

    fn check(pattern: &str, text: &str, expected: &[Option<&str>]) {
        let expected: Vec<Option<String>> = expected.iter().map(|group| group.map(str::to_owned)).collect();
        assert_eq!(groups(pattern, text), Some(expected), "/{pattern}/ on {text:?}");
    }

    fn check_none(pattern: &str, text: &str) {
        assert_eq!(groups(pattern, text), None, "/{pattern}/ on {text:?}");
    }

    #[test]
    fn letters_of_classes_are_ascii_and_posix_brackets_are_not() {
        check(r"\w+", "aé", &[Some("a")]);
        check(r"[[:alpha:]]+", "aé1", &[Some("aé")]);
        check(r"\d+\h*", "12fg", &[Some("12f")]);
        check_none(r"^\d$", "٣");
        check(r"[^\d\s]+", "1 ab2", &[Some("ab")]);
    }

    #[test]
    fn carets_and_dollars_are_line_anchors() {
        check(r"^b$", "a\nb\nc", &[Some("b")]);
        check_none(r"^\z", "a\n");
        check(r"^\z", "", &[Some("")]);
        check(r"a\Z", "a\n", &[Some("a")]);
        check_none(r"a\z", "a\n");
    }

    #[test]
    fn groups_count_as_ruby_counts_them() {
        check(r"(?<x>a)(b)", "ab", &[Some("ab"), Some("a")]);
        check(r"(a)|(b)", "b", &[Some("b"), None, Some("b")]);
        check(r"(a)\1", "aa", &[Some("aa"), Some("a")]);
        check(r"(?<q>['|])x\k<q>", "'x'", &[Some("'x'"), Some("'")]);
    }

    #[test]
    fn options_reach_to_the_end_of_their_group() {
        check(r"a(?i)b|c", "aC", &[Some("aC")]);
        check(r"(?m:a.b)", "a\nb", &[Some("a\nb")]);
        check(r"(?x) a b # comment", "ab", &[Some("ab")]);
        check_none(r"(?i:a)b", "AB");
    }

    #[test]
    fn oddities_of_the_notation_hold() {
        check(r"[^\n/\0]+", "a/b", &[Some("a")]);
        check(r"x{,2}", "xxx", &[Some("xx")]);
        check(r"a{2}+", "aaaa", &[Some("aaaa")]);
        check(r"{a}", "{a}", &[Some("{a}")]);
        check(r"\u00e9\u{61 62}", "éab", &[Some("éab")]);
        check(r"\xc3\xbc[\303\274]", "üü", &[Some("üü")]);
        check(r"[a-c&&[^b]]+", "bac", &[Some("ac")]);
        check(r"a++b", "aab", &[Some("aab")]);
        check(r"\y\Q\<", "yQ<", &[Some("yQ<")]);
        check(r"[]a]+", "a]", &[Some("a]")]);
        check(r"\/\-\_", "/-_", &[Some("/-_")]);
    }

    #[test]
    fn malformed_patterns_are_refused_in_onigmos_words() {
        for (pattern, problem) in [
            ("[a", "premature end of char-class"),
            ("a)", "unmatched close parenthesis"),
            ("(a", "end pattern with unmatched parenthesis"),
            ("*a", "target of repeat operator is not specified"),
            ("a|*", "target of repeat operator is not specified"),
            ("a{2,1}", "upper is smaller than lower in repeat range"),
            ("[b-a]", "empty range in char class"),
            ("(?<n", "invalid group name <n>"),
            (r"\k<x>", "undefined name <x> reference"),
            (r"\1", "invalid backref number/name"),
            ("[[:foo:]]", "invalid POSIX bracket type"),
            (r"\p{Foo}", "invalid character property name {Foo}"),
            ("(?z)", "undefined group option"),
            ("(?<1>a)", "invalid group name <1>"),
            ("(?<>a)", "group name is empty"),
            ("(?#", "end pattern in group"),
            ("x{100001}", "too big number for repeat range"),
            (r"\xZ", "invalid hex escape"),
            (r"\xbc", "invalid multibyte escape"),
            (r"\xc3a", "too short escaped multibyte character"),
            (r"\400", "invalid escape code"),
            (r"\u12", "invalid Unicode escape"),
            (r"\u{110000}", "invalid Unicode range"),
            ("(?<=a*)b", "invalid pattern in look-behind"),
            (r"[a-\d]", "char-class value at end of range"),
            (r"[\d-a]", "unmatched range specifier in char-class"),
            ("[]", "empty char-class"),
            ("[^]", "empty char-class"),
            ("a\\", "too short escape sequence"),
            (r"(?<n>a)(b)\2", "numbered backref/call is not allowed. (use name)"),
            ("(?", "end pattern in group"),
            (r"\c", "too short control escape"),
        ] {
            let error = Regexp::new(pattern).expect_err(pattern);
            assert_eq!(error.message, format!("{problem}: /{pattern}/"));
        }
    }

    #[test]
    fn a_hostile_match_ends_in_an_error() {
        let regexp = Regexp::new(r"^(?:(a|a)*)*\1b$").expect("a pattern");
        assert!(regexp.is_match(&"a".repeat(40)).is_err());
    }
}
