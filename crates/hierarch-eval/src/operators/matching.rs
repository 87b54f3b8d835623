//! `=~ !~ in`, and how an option of a case is compared with the value.

use std::sync::Arc;

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::value::SemVer;
use hierarch_pcore::{Str, Value};

use super::arithmetic::operand_origins;
use crate::code::Id;
use crate::evaluator::{Evaluated, Evaluator};
use crate::scope::Frame;
use crate::{Result, issues};

impl Evaluator<'_> {
    pub(crate) fn match_operator(
        &mut self,
        frame: &Frame,
        id: Id,
        negated: bool,
        operands: (Id, Id),
    ) -> Evaluated {
        let left = self.eval(frame, operands.0)?;
        let pattern = self.eval(frame, operands.1)?;
        let matched = match &pattern {
            Value::Type(type_) => {
                if let Some(complaint) = type_.complaint() {
                    return Err(complaint.into());
                }
                type_.has(&left)
            }
            Value::SemVerRange(_) => range_includes(&pattern, &left),
            _ => {
                let (left_origin, right_origin) = operand_origins(frame, id);
                let regexp = self
                    .regexp_of(&pattern)
                    .map_err(|error| issues::at(error, &frame.code.ast, right_origin))?;
                let Value::String(text) = &left else {
                    let error = issues::left_not_string(&left);
                    return Err(issues::at(error, &frame.code.ast, left_origin).into());
                };
                self.match_text(&regexp, text)?
            }
        };
        Ok(Value::from(matched != negated))
    }

    fn regexp_of(&self, pattern: &Value) -> hierarch_source::Result<Arc<Regexp>> {
        match pattern {
            Value::Regexp(regexp) => Ok(Arc::clone(regexp)),
            // A URI passes for its text here.
            Value::Uri(uri) => self.patterns.get(&uri.to_string()),
            Value::String(source) => {
                self.patterns.get(source).map_err(|error| issues::not_a_regexp(&error.message))
            }
            other => Err(issues::not_convertible_to_regexp(other)),
        }
    }

    /// Matches a text and, if it matches, sets `$0`, `$1` and so on.
    fn match_text(&mut self, regexp: &Regexp, text: &Str) -> Result<bool> {
        let Some(captures) = regexp.captures(text)? else { return Ok(false) };
        self.matches.push(text.clone(), captures);
        Ok(true)
    }

    pub(crate) fn in_operator(&mut self, frame: &Frame, left: Id, right: Id) -> Evaluated {
        let left = self.eval(frame, left)?;
        let right = self.eval(frame, right)?;
        Ok(Value::from(self.is_in(&left, &right)?))
    }

    fn is_in(&mut self, left: &Value, right: &Value) -> Result<bool> {
        self.budget.work(right.extent().size)?;
        match right {
            Value::String(text) => self.is_in_text(left, text),
            Value::Array(elements) => self.is_in_elements(left, elements),
            Value::Hash(hash) => {
                let keys: Vec<Value> = hash.keys().cloned().collect();
                self.is_in_elements(left, &keys)
            }
            Value::Binary(bytes) => Ok(is_in_bytes(left, bytes.bytes())),
            Value::SemVerRange(_) => Ok(range_includes(right, left)),
            _ => Ok(false),
        }
    }

    fn is_in_text(&mut self, left: &Value, text: &Str) -> Result<bool> {
        match left {
            Value::String(part) => Ok(lower(text).contains(&lower(part))),
            Value::Regexp(regexp) => self.match_text(regexp, text),
            _ => Ok(false),
        }
    }

    fn is_in_elements(&mut self, left: &Value, elements: &[Value]) -> Result<bool> {
        match left {
            Value::Regexp(regexp) => {
                for element in elements {
                    if let Value::String(text) = element
                        && self.match_text(regexp, text)?
                    {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::String(_) | Value::SemVer(_) => {
                for element in elements {
                    if self.matches_pattern(left, element)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Type(type_) => Ok(elements.iter().any(|element| type_.has(element))),
            _ => Ok(elements.iter().any(|element| element.equals(left))),
        }
    }

    /// Tells whether a value matches an option of a case.
    pub(crate) fn matches_pattern(&mut self, value: &Value, pattern: &Value) -> Result<bool> {
        match pattern {
            Value::Regexp(regexp) => match value {
                Value::String(text) => self.match_text(regexp, text),
                _ => Ok(false),
            },
            Value::Type(type_) => Ok(type_.has(value)),
            Value::SemVer(version) => Ok(is_version(value, version)),
            Value::SemVerRange(_) => Ok(range_includes(pattern, value)),
            Value::Array(patterns) => match value {
                Value::Array(values) if values.len() == patterns.len() => {
                    self.all_match(values.iter().zip(patterns.iter()))
                }
                _ => Ok(false),
            },
            Value::Hash(patterns) => match value {
                Value::Hash(values) => self.all_match(
                    patterns.iter().map(|(key, pattern)| (values.get(key).unwrap_or(&Value::Undef), pattern)),
                ),
                _ => Ok(false),
            },
            Value::Default => Ok(true),
            pattern => Ok(value.equals(pattern)),
        }
    }

    fn all_match<'v>(&mut self, pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> Result<bool> {
        for (value, pattern) in pairs {
            if !self.matches_pattern(value, pattern)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn is_version(value: &Value, version: &SemVer) -> bool {
    match value {
        Value::SemVer(other) => **other == *version,
        Value::String(text) => SemVer::parse(text).is_ok_and(|other| other == *version),
        _ => false,
    }
}

/// Tells whether a range has a version; a text that is not a version is in no range.
fn range_includes(range: &Value, value: &Value) -> bool {
    let Value::SemVerRange(range) = range else { return false };
    match value {
        Value::SemVer(version) => range.includes(version),
        Value::String(text) => SemVer::parse(text).is_ok_and(|version| range.includes(&version)),
        _ => false,
    }
}

fn is_in_bytes(left: &Value, bytes: &[u8]) -> bool {
    let contains = |part: &[u8]| part.is_empty() || bytes.windows(part.len()).any(|window| window == part);
    match left {
        Value::Binary(part) => contains(part.bytes()),
        Value::String(part) => contains(part.as_bytes()),
        Value::Integer(_) | Value::Float(_) => {
            bytes.iter().any(|byte| Value::from(i64::from(*byte)).equals(left))
        }
        _ => false,
    }
}

/// Returns a text in small letters, letter by letter as Ruby does: a sigma at the end of a word is like any other.
fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    /// Programs, and what Puppet makes of them.
    const TEXTS_VERSIONS_AND_TYPES_MATCH: &[(&str, &str)] = &[
        ("'abc' =~ /b/", "true"),
        ("'abc' !~ /b/", "false"),
        ("'abc' =~ 'b'", "true"),
        (
            "'abc' =~ '['",
            "Evaluation Error: Can not convert right match operand to a regular expression. Caused by 'premature end of char-class: /[/'. (line: 1, column: 10)",
        ),
        ("'abc' =~ Pattern[/x/]", "false"),
        ("'abc' =~ String", "true"),
        (
            "5 =~ /5/",
            "Evaluation Error: Left match operand must result in a String value. Got an Integer. (line: 1, column: 1)",
        ),
        (
            "undef =~ /a/",
            "Evaluation Error: Left match operand must result in a String value. Got an Undef Value. (line: 1, column: 1)",
        ),
        ("5 =~ Integer[1, 3]", "false"),
        ("5 !~ Integer[1, 3]", "true"),
        (
            "5 =~ 5",
            "Evaluation Error: Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of Integer into String'. (line: 1, column: 6)",
        ),
        (
            "'a' =~ 5",
            "Evaluation Error: Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of Integer into String'. (line: 1, column: 8)",
        ),
        (
            "[1] =~ /1/",
            "Evaluation Error: Left match operand must result in a String value. Got an Array. (line: 1, column: 1)",
        ),
        (
            "/a/ =~ /a/",
            "Evaluation Error: Left match operand must result in a String value. Got a Regexp. (line: 1, column: 1)",
        ),
        ("'b' in 'abc'", "true"),
        ("'B' in 'abc'", "true"),
        ("/b/ in 'abc'", "true"),
        ("5 in 'a5'", "false"),
        ("'b' in ['a', 'B']", "true"),
        ("/b/ in ['ab']", "true"),
        ("/x/ in ['ab']", "false"),
        ("Integer in ['a', 1]", "true"),
        ("String in {a => 1}", "true"),
        ("'a' in {a => 1}", "true"),
        ("1 in {a => 1}", "false"),
        ("[1] in [[1], 2]", "true"),
        ("[1] in [1]", "false"),
        ("undef in [undef]", "true"),
        ("'' in 'a'", "true"),
        ("5 in 5", "false"),
        ("'a' in 5", "false"),
    ];

    #[test]
    fn texts_versions_and_types_match() {
        check_programs(TEXTS_VERSIONS_AND_TYPES_MATCH);
    }
}
