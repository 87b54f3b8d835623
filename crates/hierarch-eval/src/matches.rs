//! The match variables `$0`, `$1` and so on: what patterns matched, by the code that may see it.

use hierarch_pcore::regex::Captures;
use hierarch_pcore::{Str, Value};

/// The successful matches of running code.
#[derive(Default)]
pub(crate) struct Matches {
    found: Vec<Match>,
    /// Matches below it belong to calls further out and are not seen.
    floor: usize,
}

struct Match {
    subject: Str,
    captures: Captures,
}

/// What to go back to: which matches there were, and which of them were seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    count: usize,
    floor: usize,
}

impl Matches {
    /// Adds a match, which is the one that is seen from now on.
    pub(crate) fn push(&mut self, subject: Str, captures: Captures) {
        self.found.push(Match { subject, captures });
    }

    /// Returns what to go back to when the code at hand ends.
    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        Mark { count: self.found.len(), floor: self.floor }
    }

    /// Hides all matches from the code that starts, and returns what to go back to when it ends.
    #[inline]
    pub(crate) fn hide(&mut self) -> Mark {
        let mark = self.mark();
        self.floor = mark.count;
        mark
    }

    /// Forgets the matches since a mark.
    #[inline]
    pub(crate) fn back_to(&mut self, mark: Mark) {
        self.found.truncate(mark.count);
        self.floor = mark.floor;
    }

    /// Reads `$0`, `$1` and so on.
    pub(crate) fn group(&self, number: usize) -> Value {
        match self.seen().last() {
            Some(found) => found.captures.text(&found.subject, number).map(Value::from).into(),
            None => Value::Undef,
        }
    }

    /// Tells whether the code at hand sees no match.
    pub(crate) fn is_empty(&self) -> bool {
        self.seen().is_empty()
    }

    /// Forgets all matches.
    pub(crate) fn clear(&mut self) {
        self.found.clear();
        self.floor = 0;
    }

    fn seen(&self) -> &[Match] {
        self.found.get(self.floor..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;
    use hierarch_pcore::regex::Regexp;

    use super::*;

    fn matched(matches: &mut Matches, pattern: &str, text: &str) {
        let regexp = Regexp::new(pattern).expect("a pattern");
        matches.push(text.into(), regexp.captures(text).expect("few steps").expect("a match"));
    }

    #[test]
    fn the_last_match_is_seen_until_its_code_ends() {
        let mut matches = Matches::default();
        matched(&mut matches, "a(.)", "ab");
        let mark = matches.mark();
        matched(&mut matches, "c(.)", "cd");
        assert_eq!(matches.group(1), Value::from("d"));
        matches.back_to(mark);
        assert_eq!(matches.group(1), Value::from("b"));
        assert_eq!(matches.group(2), Value::Undef);
    }

    #[test]
    fn a_function_sees_no_match_of_its_caller() {
        let mut matches = Matches::default();
        matched(&mut matches, "a", "a");
        let mark = matches.hide();
        assert!(matches.is_empty());
        assert_eq!(matches.group(0), Value::Undef);
        matched(&mut matches, "b", "b");
        matches.back_to(mark);
        assert_eq!(matches.group(0), Value::from("a"));
    }

    #[test]
    fn groups_of_a_match_are_seen_where_it_holds() {
        check_programs(&[
            ("if 'abc' =~ /(b)(c)/ { [$0, $1, $2, $3] }", "['bc', 'b', 'c', undef]"),
            ("if 'abc' =~ /x/ { 1 } else { $0 }", "undef"),
            ("if 'abc' !~ /x/ { $0 }", "undef"),
            ("if 'abc' =~ /(?<n>b)/ { [$0, $1] }", "['b', 'b']"),
            ("if 'a' =~ /(x)?a/ { $1 }", "undef"),
            ("if 'a' =~ /a/ { if 'b' =~ /b/ { $0 } }", "'b'"),
            ("if 'a' =~ /a/ { if 'b' =~ /c/ { 1 } else { $0 } }", "'a'"),
            ("if 'a' =~ /a/ { } $0", "undef"),
            ("case 'abc' { /(.)b/: { $1 } }", "'a'"),
            ("case 'abc' { 'x', /(c)/: { $1 } }", "'c'"),
            ("case 'abc' { /x/: { 1 } default: { $0 } }", "undef"),
            ("'abc' ? { /(b)/ => $1 }", "'b'"),
            ("'abc' ? { /x/ => 1, default => $0 }", "undef"),
            ("unless 'abc' =~ /x/ { $0 } else { 1 }", "undef"),
            ("unless 'abc' =~ /b/ { 1 } else { $0 }", "'b'"),
            ("if 'abc' =~ /(a)/ and 'xyz' =~ /(y)/ { $1 }", "'y'"),
            ("if 'abc' =~ /(a)/ or 'xyz' =~ /(y)/ { $1 }", "'a'"),
            (
                "if 'abc' =~ /(a)/ { function f() { $1 } }",
                "Classes, definitions, and nodes may only appear at toplevel or inside other classes (line: 1, column: 21)",
            ),
            ("if 'abc' =~ Pattern[/b/] { $0 }", "undef"),
            ("if 'abc' in ['x', 'abc'] { $0 }", "undef"),
            ("if /b/ in 'abc' { $0 }", "'b'"),
            ("if 'abc' =~ 'b' { $0 }", "'b'"),
            ("if 'aé' =~ /é/ { $0 }", "'é'"),
            (r#"if "a\nb" =~ /a$/ { $0 }"#, "'a'"),
            ("$x = 'abc' =~ /(b)/ $1", "'b'"),
        ]);
    }
}
