//! Sets of characters as Ruby's `count`, `squeeze` and `tr` write them.

use crate::prelude::*;

/// A set of characters.
pub(super) struct Characters {
    is_negated: bool,
    ranges: Vec<(char, char)>,
}

impl Characters {
    /// Reads ranges such as `a-z`, all but them after `^`; a backslash takes the meaning away.
    pub(super) fn read(text: &str) -> Result<Self> {
        let rest = text.strip_prefix('^').filter(|rest| !rest.is_empty());
        let mut characters: Vec<(char, bool)> = Vec::new();
        let mut all = rest.unwrap_or(text).chars();
        while let Some(c) = all.next() {
            match (c, c == '\\') {
                (_, true) => characters.push((all.next().unwrap_or('\\'), true)),
                (c, false) => characters.push((c, false)),
            }
        }
        let mut ranges = Vec::new();
        let mut index = 0;
        while index < characters.len() {
            let from = characters[index].0;
            let is_range = characters.get(index + 1) == Some(&('-', false));
            match characters.get(index + 2).filter(|_| is_range) {
                Some(&(to, _)) if from > to => return Err(issues::bad_range(from, to).into()),
                Some(&(to, _)) => {
                    ranges.push((from, to));
                    index += 3;
                }
                None => {
                    ranges.push((from, from));
                    index += 1;
                }
            }
        }
        Ok(Self { is_negated: rest.is_some(), ranges })
    }

    /// Tells whether a character is in it.
    pub(super) fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|&(from, to)| (from..=to).contains(&c)) != self.is_negated
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn numbers_of_characters() {
        check_calls(&[
            ("stdlib::start_with('abc', 'a')", "true"),
            ("stdlib::start_with('abc', ['x', 'ab'])", "true"),
            (
                "stdlib::start_with(1, 'a')",
                "Evaluation Error: Error while evaluating a Function Call, 'stdlib::start_with' parameter 'test_string' expects a String value, got Integer (line: 1, column: 1)",
            ),
            ("stdlib::end_with('abc', 'c')", "true"),
            ("stdlib::end_with('abc', ['x'])", "false"),
            (
                "stdlib::end_with('abc', [])",
                "Evaluation Error: Error while evaluating a Function Call, 'stdlib::end_with' parameter 'suffixes' variant 0 expects a String value, got Array (line: 1, column: 1)",
            ),
        ]);
    }
}
