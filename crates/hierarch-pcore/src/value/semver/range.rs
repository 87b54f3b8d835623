//! Ranges of semantic versions: `>=1.0.0 <2.0.0`, `1.x`, `~1.2`, `^1.2.3`, `1.0.0 - 2.0.0`, joined by `||`.

use std::fmt;
use std::hash::{Hash, Hasher};

use hierarch_source::Result;

use super::interval::Interval;
use super::{SemVer, identifiers, split_identifiers, version_number};
use crate::issues;

/// A set of versions. It remembers the text it was read from, but compares by what it holds.
#[derive(Clone, Debug)]
pub struct SemVerRange {
    parts: Vec<Interval>,
    text: String,
}

/// A version of which parts may be missing or `x`.
struct Partial {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Option<Vec<super::Identifier>>,
    build: Option<Vec<String>>,
}

impl SemVerRange {
    /// Reads a range.
    pub fn parse(text: &str) -> Result<Self> {
        let compact = join_operators(text);
        let alternatives: Vec<&str> = split_alternatives(&compact);
        if alternatives.is_empty() {
            return Ok(Self { parts: vec![Interval::All], text: "*".into() });
        }
        let mut parts = Vec::new();
        for alternative in alternatives {
            if let Some(part) =
                read_alternative(alternative).map_err(|MalformedRange| issues::bad_version_range(text))?
                && !parts.contains(&part)
            {
                parts.push(part);
            }
        }
        Ok(Self { parts: merged(parts), text: text.to_owned() })
    }

    /// Makes the range from one version to another.
    ///
    /// Its text names the end first, as the reference's does.
    pub fn between(from: SemVer, to: SemVer, exclude_end: bool) -> Self {
        let text = if exclude_end { format!(">={to} <{from}") } else { format!("{to} - {from}") };
        let high = if exclude_end { Interval::Lt(to) } else { Interval::LtEq(to) };
        let parts = Interval::GtEq(from).intersection(&high).into_iter().collect();
        Self { parts: merged(parts), text }
    }

    /// Tells whether a version is in the range. Prereleases are only where a bound names one of the same version.
    pub fn includes(&self, version: &SemVer) -> bool {
        let lets_in = |part: &Interval| {
            part.includes(version) && (version.is_stable() || part.allows_prerelease(version))
        };
        self.parts.iter().any(lets_in)
    }

    /// Returns the lowest version, if the range is one piece.
    pub fn begin(&self) -> Option<SemVer> {
        self.single().map(Interval::begin)
    }

    /// Returns the highest version, if the range is one piece.
    pub fn end(&self) -> Option<SemVer> {
        self.single().map(Interval::end)
    }

    /// Tells whether the highest version is itself left out.
    pub fn excludes_end(&self) -> bool {
        self.single().is_some_and(Interval::excludes_end)
    }

    /// Returns the range as its pieces, whatever text it was read from.
    pub fn normalized(&self) -> String {
        self.parts.iter().map(Interval::to_string).collect::<Vec<_>>().join(" || ")
    }

    fn single(&self) -> Option<&Interval> {
        if let [part] = &self.parts[..] { Some(part) } else { None }
    }
}

impl PartialEq for SemVerRange {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl Eq for SemVerRange {}

impl Hash for SemVerRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts.hash(state);
    }
}

impl fmt::Display for SemVerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Joins pieces that overlap or touch until none do.
fn merged(mut parts: Vec<Interval>) -> Vec<Interval> {
    let mut again = true;
    while again && parts.len() > 1 {
        again = false;
        let mut result = Vec::new();
        while let Some(mut piece) = parts.pop() {
            let mut apart = Vec::new();
            for other in std::mem::take(&mut parts) {
                match piece.merge(&other) {
                    Some(joined) => {
                        piece = joined;
                        again = true;
                    }
                    None => apart.push(other),
                }
            }
            result.push(piece);
            parts = apart;
        }
        result.reverse();
        parts = result;
    }
    if parts.is_empty() { vec![Interval::nothing()] } else { parts }
}

/// Removes blanks, and a `v`, between an operator and its version.
fn join_operators(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['>', '<', '=', '~', '^']) {
        out.push_str(&rest[..=at]);
        rest = &rest[at + 1..];
        let trimmed = rest.trim_start();
        if let Some(bare) = trimmed.strip_prefix('v') {
            rest = bare;
        } else if trimmed.len() < rest.len() {
            rest = trimmed;
        }
    }
    out.push_str(rest);
    out
}

/// Splits at `||`; empty alternatives at the end count for nothing.
fn split_alternatives(text: &str) -> Vec<&str> {
    if text.is_empty() {
        return Vec::new();
    }
    let count = text.split("||").count();
    let mut alternatives: Vec<&str> = text
        .split("||")
        .enumerate()
        .map(|(index, part)| {
            let part = if index > 0 { part.trim_start() } else { part };
            if index + 1 < count { part.trim_end() } else { part }
        })
        .collect();
    while alternatives.last().is_some_and(|last| last.is_empty()) {
        alternatives.pop();
    }
    alternatives
}

/// A text that is not a range.
struct MalformedRange;

/// Reads what stands between two `||`; it may hold no version at all.
fn read_alternative(text: &str) -> std::result::Result<Option<Interval>, MalformedRange> {
    if let Some((low, high)) = split_hyphen(text)
        && let (Some(low), Some(high)) = (Partial::read(low), Partial::read(high))
    {
        return Ok(Interval::GtEq(low.version()).intersection(&Interval::LtEq(high.version())));
    }
    if text.starts_with(char::is_whitespace) {
        return Err(MalformedRange);
    }
    let mut words = text.split_whitespace().map(|word| read_simple(word).ok_or(MalformedRange));
    let Some(first) = words.next() else { return Ok(None) };
    words.try_fold(Some(first?), |part, word| {
        let next = word?;
        Ok(part.and_then(|part| part.intersection(&next)))
    })
}

fn split_hyphen(text: &str) -> Option<(&str, &str)> {
    let mut words = text.split_whitespace();
    let parts = (words.next()?, words.next()?, words.next()?);
    (parts.1 == "-" && words.next().is_none() && !text.starts_with(char::is_whitespace))
        .then_some((parts.0, parts.2))
}

fn read_simple(text: &str) -> Option<Interval> {
    let operators = ["~>", "~=", "<=", ">=", "<", ">", "=", "~", "^"];
    let operator = operators.into_iter().find(|operator| text.starts_with(operator)).unwrap_or("");
    let operand = Partial::read(&text[operator.len()..])?;
    Some(match operator {
        "~" | "~>" | "~=" => operand.patch_updates(true),
        "^" => operand.caret(),
        ">" => operand.above(),
        ">=" => Interval::GtEq(operand.version()),
        "<" => Interval::Lt(operand.version()),
        "<=" => operand.at_most(),
        _ => operand.patch_updates(false),
    })
}

impl Partial {
    fn read(text: &str) -> Option<Self> {
        let (rest, build) = split_identifiers(text, '+')?;
        let (numbers, prerelease) = split_identifiers(rest, '-')?;
        let fields: Vec<&str> = numbers.split('.').collect();
        let qualified = build.is_some() || prerelease.is_some();
        if fields.len() > 3 || (qualified && fields.len() != 3) {
            return None;
        }
        let mut values = [None; 3];
        for (value, field) in values.iter_mut().zip(&fields) {
            *value = if matches!(*field, "x" | "X" | "*") { None } else { Some(version_number(field)?) };
        }
        let [major, minor, patch] = values;
        Some(Self { major, minor, patch, prerelease: prerelease.map(identifiers), build })
    }

    /// Returns the version with zeros for what is missing.
    fn version(&self) -> SemVer {
        SemVer {
            prerelease: self.prerelease.clone(),
            build: self.build.clone(),
            ..SemVer::new(self.major.unwrap_or(0), self.minor.unwrap_or(0), self.patch.unwrap_or(0))
        }
    }

    /// `~1.2.3`, or a bare `1.2`, which is every version that starts so.
    fn patch_updates(&self, tilde: bool) -> Interval {
        match (self.major, self.minor, self.patch) {
            (None, _, _) => Interval::All,
            (Some(major), None, _) => from_below(SemVer::new(major, 0, 0), SemVer::new(major + 1, 0, 0)),
            (Some(major), Some(minor), None) => {
                from_below(SemVer::new(major, minor, 0), SemVer::new(major, minor + 1, 0))
            }
            (Some(major), Some(minor), Some(_)) if tilde => {
                from_below(self.version(), SemVer::new(major, minor + 1, 0))
            }
            _ => Interval::Eq(self.version()),
        }
    }

    /// `^1.2.3`: up to the next major version; with major 0, up to the next minor one.
    fn caret(&self) -> Interval {
        match (self.major, self.minor, self.patch) {
            (Some(0), _, _) => self.patch_updates(true),
            (None, _, _) => Interval::All,
            (Some(major), None, _) => from_below(SemVer::new(major, 0, 0), SemVer::new(major + 1, 0, 0)),
            (Some(major), Some(minor), None) => {
                from_below(SemVer::new(major, minor, 0), SemVer::new(major + 1, 0, 0))
            }
            (Some(major), Some(minor), Some(patch)) => {
                let plain = SemVer::new(major, minor, patch);
                let low = if self.prerelease.is_some() { self.version() } else { plain };
                from_below(low, SemVer::new(major + 1, 0, 0))
            }
        }
    }

    fn above(&self) -> Interval {
        match (self.major, self.minor, self.patch) {
            (None, _, _) => Interval::nothing(),
            (Some(major), None, _) => Interval::GtEq(SemVer::new(major + 1, 0, 0)),
            (Some(major), Some(minor), None) => Interval::GtEq(SemVer::new(major, minor + 1, 0)),
            _ => Interval::Gt(self.version()),
        }
    }

    fn at_most(&self) -> Interval {
        match (self.major, self.minor, self.patch) {
            (None, _, _) => Interval::All,
            (Some(major), None, _) => Interval::Lt(SemVer::new(major + 1, 0, 0)),
            (Some(major), Some(minor), None) => Interval::Lt(SemVer::new(major, minor + 1, 0)),
            _ => Interval::LtEq(self.version()),
        }
    }
}

fn from_below(low: SemVer, high: SemVer) -> Interval {
    Interval::between(Interval::GtEq(low), Interval::Lt(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_facts;

    fn check(range: &str, normalized: &str, inside: &[&str], outside: &[&str]) {
        let range = SemVerRange::parse(range).expect("a range");
        assert_eq!(range.normalized(), normalized);
        for text in inside {
            assert!(range.includes(&SemVer::parse(text).expect("a version")), "{text} is not in {range}");
        }
        for text in outside {
            assert!(!range.includes(&SemVer::parse(text).expect("a version")), "{text} is in {range}");
        }
    }

    #[test]
    fn ranges_hold_what_their_notation_says() {
        check(">=1.0.0 <2.0.0", ">=1.0.0 <2.0.0", &["1.0.0", "1.9.9"], &["2.0.0", "1.5.0-rc1", "0.9.9"]);
        check("1.x", ">=1.0.0 <2.0.0", &["1.2.3"], &["2.0.0"]);
        check("~1.2", ">=1.2.0 <1.3.0", &["1.2.9"], &["1.3.0"]);
        check("^1.2.3", ">=1.2.3 <2.0.0", &["1.9.0"], &["1.2.2"]);
        check("^0.2.3", ">=0.2.3 <0.3.0", &["0.2.9"], &["0.3.0"]);
        check("1.0.0 - 2.0.0", ">=1.0.0 <=2.0.0", &["2.0.0"], &["2.0.1"]);
        check("1.0.0 || 2.0.0", "1.0.0 || 2.0.0", &["1.0.0", "2.0.0"], &["1.5.0"]);
        check("> 1.0.0-rc1", ">1.0.0-rc1", &["1.0.0-rc2", "1.0.0"], &["1.0.0-rc1", "1.1.0-rc1"]);
        check("*", "*", &["1.0.0-rc1", "9.0.0"], &[]);
        check(">=2.0.0 <1.0.0", "<0.0.0", &[], &["1.5.0"]);
    }

    #[test]
    fn malformed_ranges_are_refused() {
        for text in ["a", "1.2.3.4", ">>1.0.0", "1.0-rc", "01.0.0"] {
            assert!(SemVerRange::parse(text).is_err(), "{text}");
        }
    }

    /// Programs, and what Puppet makes of them.
    const NOTATIONS_OF_RANGES_ARE_READ: &[(&str, &str)] = &[
        ("SemVerRange('1.2.3')", "1.2.3"),
        ("SemVerRange('=1.2.3')", "1.2.3"),
        ("SemVerRange('v1.2.3')", r#"Unparsable version range: "v1.2.3""#),
        ("SemVerRange('>1.2.3')", ">1.2.3"),
        ("SemVerRange('>=1.2.3')", ">=1.2.3"),
        ("SemVerRange('<1.2.3')", "<1.2.3"),
        ("SemVerRange('<=1.2.3')", "<=1.2.3"),
        ("SemVerRange('> 1.2.3')", ">1.2.3"),
        ("SemVerRange('1.2')", ">=1.2.0 <1.3.0"),
        ("SemVerRange('1')", ">=1.0.0 <2.0.0"),
        ("SemVerRange('1.x')", ">=1.0.0 <2.0.0"),
        ("SemVerRange('1.2.x')", ">=1.2.0 <1.3.0"),
        ("SemVerRange('1.X')", ">=1.0.0 <2.0.0"),
        ("SemVerRange('1.*')", ">=1.0.0 <2.0.0"),
        ("SemVerRange('*')", "*"),
        (
            "SemVerRange('')",
            "The function 'new_VersionRange' was called with arguments it does not accept. It expects one of:\n  (SemVerRangeString = String[1] str)\n    rejected: parameter 'str' expects a SemVerRangeString = String[1] value, got String\n  (Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)\n    rejected: expects between 2 and 3 arguments, got 1\n  (SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] hash_args)\n    rejected: parameter 'hash_args' expects a SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] value, got String",
        ),
        ("SemVerRange('x')", "*"),
        ("SemVerRange('>1.2')", ">=1.3.0"),
        ("SemVerRange('>=1')", ">=1.0.0"),
        ("SemVerRange('<1.2')", "<1.2.0"),
        ("SemVerRange('<=1.2')", "<1.3.0"),
        ("SemVerRange('<=1')", "<2.0.0"),
        ("SemVerRange('~1.2.3')", ">=1.2.3 <1.3.0"),
        ("SemVerRange('~1.2')", ">=1.2.0 <1.3.0"),
        ("SemVerRange('~1')", ">=1.0.0 <2.0.0"),
        ("SemVerRange('~>1.2.3')", ">=1.2.3 <1.3.0"),
        ("SemVerRange('^1.2.3')", ">=1.2.3 <2.0.0"),
        ("SemVerRange('^0.2.3')", ">=0.2.3 <0.3.0"),
        ("SemVerRange('^0.0.3')", ">=0.0.3 <0.1.0"),
        ("SemVerRange('^1')", ">=1.0.0 <2.0.0"),
        ("SemVerRange('^0')", ">=0.0.0 <1.0.0"),
        ("SemVerRange('^1.2')", ">=1.2.0 <2.0.0"),
        ("SemVerRange('1.0.0 - 2.0.0')", ">=1.0.0 <=2.0.0"),
        ("SemVerRange('1.0 - 2.0')", ">=1.0.0 <=2.0.0"),
        ("SemVerRange('1 - 2')", ">=1.0.0 <=2.0.0"),
        ("SemVerRange('1.0.0 -2.0.0')", r#"Unparsable version range: "1.0.0 -2.0.0""#),
        ("SemVerRange('>=1.0.0 <2.0.0')", ">=1.0.0 <2.0.0"),
        ("SemVerRange('>=1.0.0 <2.0.0 >=1.5.0')", ">=1.5.0 <2.0.0"),
        ("SemVerRange('>2.0.0 <1.0.0')", "<0.0.0"),
        ("SemVerRange('1.0.0 || 2.0.0')", "1.0.0 || 2.0.0"),
        ("SemVerRange('1.0.0 ||2.0.0')", "1.0.0 || 2.0.0"),
        ("SemVerRange('<1.0.0 || >=3.0.0 <4.0.0')", "<1.0.0 || >=3.0.0 <4.0.0"),
        ("SemVerRange('1.0.0-rc1')", "1.0.0-rc1"),
        ("SemVerRange('>=1.0.0-rc1 <1.0.0')", ">=1.0.0-rc1 <1.0.0"),
        ("SemVerRange('~1.0.0-rc1')", ">=1.0.0-rc1 <1.1.0"),
        ("SemVerRange('^1.0.0-rc1')", ">=1.0.0-rc1 <2.0.0"),
        ("SemVerRange('1.0.0+b')", "1.0.0+b"),
        ("SemVerRange('a')", r#"Unparsable version range: "a""#),
        ("SemVerRange('1.2.3.4')", r#"Unparsable version range: "1.2.3.4""#),
        ("SemVerRange('>>1.0.0')", r#"Unparsable version range: ">>1.0.0""#),
        ("SemVerRange('1.0.0,2.0.0')", r#"Unparsable version range: "1.0.0,2.0.0""#),
        ("SemVerRange('01.0.0')", r#"Unparsable version range: "01.0.0""#),
        (
            "SemVerRange('1.0.0', '2.0.0')",
            "The function 'new_VersionRange' was called with arguments it does not accept. It expects one of:\n  (SemVerRangeString = String[1] str)\n    rejected: expects 1 argument, got 2\n  (Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)\n    rejected: parameter 'min' expects a value of type Default or SemVer, got String\n  (SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] hash_args)\n    rejected: expects 1 argument, got 2",
        ),
        (
            "SemVerRange('1.0.0', '2.0.0', true)",
            "The function 'new_VersionRange' was called with arguments it does not accept. It expects one of:\n  (SemVerRangeString = String[1] str)\n    rejected: expects 1 argument, got 3\n  (Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)\n    rejected: parameter 'min' expects a value of type Default or SemVer, got String\n  (SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] hash_args)\n    rejected: expects 1 argument, got 3",
        ),
        ("SemVerRange(SemVer('1.0.0'), default)", ">=1.0.0"),
        ("SemVerRange(default, SemVer('2.0.0'))", "<=2.0.0"),
        ("SemVerRange(default, default)", "<=Infinity.0.0"),
        (
            "SemVerRange({min => '1.0.0', max => '2.0.0'})",
            "The function 'new_VersionRange' was called with arguments it does not accept. It expects one of:\n  (SemVerRangeString = String[1] str)\n    rejected: parameter 'str' expects a SemVerRangeString = String[1] value, got Struct\n  (Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)\n    rejected: expects between 2 and 3 arguments, got 1\n  (SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] hash_args)\n    rejected: parameter 'hash_args' entry 'min' expects a value of type Default or SemVer, got String\n    rejected: parameter 'hash_args' entry 'max' expects a value of type Default or SemVer, got String",
        ),
        (
            "SemVerRange({min => '1.0.0', max => '2.0.0', exclude_max => true})",
            "The function 'new_VersionRange' was called with arguments it does not accept. It expects one of:\n  (SemVerRangeString = String[1] str)\n    rejected: parameter 'str' expects a SemVerRangeString = String[1] value, got Struct\n  (Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)\n    rejected: expects between 2 and 3 arguments, got 1\n  (SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] hash_args)\n    rejected: parameter 'hash_args' entry 'min' expects a value of type Default or SemVer, got String\n    rejected: parameter 'hash_args' entry 'max' expects a value of type Default or SemVer, got String",
        ),
        (
            "SemVerRange({min => '1.0.0'})",
            "The function 'new_VersionRange' was called with arguments it does not accept. It expects one of:\n  (SemVerRangeString = String[1] str)\n    rejected: parameter 'str' expects a SemVerRangeString = String[1] value, got Struct\n  (Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)\n    rejected: expects between 2 and 3 arguments, got 1\n  (SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] hash_args)\n    rejected: parameter 'hash_args' entry 'min' expects a value of type Default or SemVer, got String",
        ),
        (
            "SemVerRange('2.0.0', '1.0.0')",
            "The function 'new_VersionRange' was called with arguments it does not accept. It expects one of:\n  (SemVerRangeString = String[1] str)\n    rejected: expects 1 argument, got 2\n  (Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)\n    rejected: parameter 'min' expects a value of type Default or SemVer, got String\n  (SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] hash_args)\n    rejected: expects 1 argument, got 2",
        ),
        (
            "SemVerRange(1)",
            "The function 'new_VersionRange' was called with arguments it does not accept. It expects one of:\n  (SemVerRangeString = String[1] str)\n    rejected: parameter 'str' expects a SemVerRangeString = String[1] value, got Integer\n  (Variant[Default, SemVer] min, Variant[Default, SemVer] max, Boolean exclude_max?)\n    rejected: expects between 2 and 3 arguments, got 1\n  (SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] hash_args)\n    rejected: parameter 'hash_args' expects a SemVerRangeHash = Struct[{'min' => Variant[Default, SemVer], Optional['max'] => Variant[Default, SemVer], Optional['exclude_max'] => Boolean}] value, got Integer",
        ),
    ];

    #[test]
    fn notations_of_ranges_are_read() {
        check_facts(NOTATIONS_OF_RANGES_ARE_READ);
    }

    #[test]
    fn a_version_is_in_a_range_or_not() {
        check_facts(&[
            ("assert_type(SemVer['>=1.0.0 <2.0.0'], SemVer('1.9.9'))", "1.9.9"),
            (
                "assert_type(SemVer['>=1.0.0 <2.0.0'], SemVer('2.0.0'))",
                "assert_type(): expects a SemVer['>=1.0.0 <2.0.0'] value, got SemVer['2.0.0 - 2.0.0']",
            ),
            ("assert_type(SemVer['>=1.0.0 <2.0.0'], SemVer('2.0.0-rc1'))", ""),
            ("assert_type(SemVer['>=1.0.0 <2.0.0'], SemVer('1.5.0-rc1'))", ""),
            ("assert_type(SemVer['>=1.0.0-rc1'], SemVer('1.0.0-rc2'))", "1.0.0-rc2"),
            (
                "assert_type(SemVer['>=1.0.0-rc2'], SemVer('1.0.0-rc1'))",
                "assert_type(): expects a SemVer['>=1.0.0-rc2'] value, got SemVer['1.0.0-rc1 - 1.0.0-rc1']",
            ),
            ("assert_type(SemVer['>=1.0.0-rc1'], SemVer('1.0.1-rc1'))", ""),
            (
                "assert_type(SemVer['1.0.0'], SemVer('1.0.0+build'))",
                "assert_type(): expects a SemVer['1.0.0'] value, got SemVer['1.0.0+build - 1.0.0+build']",
            ),
            ("assert_type(SemVer['*'], SemVer('1.0.0-a'))", "1.0.0-a"),
        ]);
    }
}
