//! Semantic versions: read, compared and printed as the reference does.

mod interval;
mod range;

use std::cmp::Ordering;
use std::fmt;

use hierarch_source::Result;

use crate::issues;

pub use range::SemVerRange;

/// A semantic version such as `1.2.3-rc.1+build5`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SemVer {
    /// The major number; [`u64::MAX`] stands for the version above all others.
    pub major: u64,
    /// The minor number.
    pub minor: u64,
    /// The patch number.
    pub patch: u64,
    /// The identifiers after `-`.
    pub prerelease: Option<Vec<Identifier>>,
    /// The identifiers after `+`.
    pub build: Option<Vec<String>>,
}

/// One identifier of a prerelease. Numbers sort before texts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Identifier {
    /// Digits only.
    Number(u64),
    /// Anything else.
    Text(String),
}

impl SemVer {
    /// Makes a stable version.
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch, prerelease: None, build: None }
    }

    /// Returns the version below all others.
    pub fn lowest() -> Self {
        Self { prerelease: Some(Vec::new()), ..Self::new(0, 0, 0) }
    }

    /// Returns the version above all others.
    pub const fn highest() -> Self {
        Self::new(u64::MAX, 0, 0)
    }

    /// Reads a version, all three numbers of it.
    pub fn parse(text: &str) -> Result<Self> {
        Self::read(text)
            .ok_or_else(|| issues::bad_version(text))
            .and_then(|version| version.check_prerelease(text))
    }

    /// Tells whether it has no prerelease.
    pub fn is_stable(&self) -> bool {
        self.prerelease.as_ref().is_none_or(Vec::is_empty)
    }

    /// Compares two versions by precedence; build data counts for nothing.
    pub fn precedence(&self, other: &Self) -> Ordering {
        (self.major, self.minor, self.patch).cmp(&(other.major, other.minor, other.patch)).then_with(
            || match (&self.prerelease, &other.prerelease) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(mine), Some(yours)) => mine.cmp(yours),
            },
        )
    }

    /// Returns the next patch version.
    fn next_patch(&self) -> Self {
        Self::new(self.major, self.minor, self.patch.saturating_add(1))
    }

    fn read(text: &str) -> Option<Self> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let (text, build) = split_identifiers(text, '+')?;
        let (numbers, prerelease) = split_identifiers(text, '-')?;
        let mut numbers = numbers.split('.');
        let mut next = || numbers.next().and_then(version_number);
        let version =
            Self { prerelease: prerelease.map(identifiers), build, ..Self::new(next()?, next()?, next()?) };
        numbers.next().is_none().then_some(version)
    }

    fn check_prerelease(self, text: &str) -> Result<Self> {
        let (text, _) = text.split_once('+').unwrap_or((text, ""));
        let prerelease = text.split_once('-').map_or("", |(_, prerelease)| prerelease);
        let padded = |part: &str| {
            part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if prerelease.split('.').any(padded) { Err(issues::padded_prerelease()) } else { Ok(self) }
    }
}

/// Splits off what follows the first `mark`, as dot-separated identifiers.
fn split_identifiers(text: &str, mark: char) -> Option<(&str, Option<Vec<String>>)> {
    let Some((front, rest)) = text.split_once(mark) else { return Some((text, None)) };
    let parts: Vec<String> = rest.split('.').map(str::to_owned).collect();
    parts.iter().all(|part| is_identifier(part)).then_some((front, Some(parts)))
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Makes prerelease identifiers of texts: digits become numbers.
fn identifiers(parts: Vec<String>) -> Vec<Identifier> {
    parts.into_iter().map(|part| part.parse().map_or(Identifier::Text(part), Identifier::Number)).collect()
}

/// The largest number in a version; bounds computed from it still fit.
const LARGEST: u64 = i64::MAX as u64;

/// Reads a number without leading zeros.
fn version_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (text == "0" || !text.starts_with('0')))
        .then(|| text.parse().ok().filter(|number| *number <= LARGEST))
        .flatten()
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for SemVer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.major == u64::MAX {
            write!(f, "Infinity")?;
        } else {
            write!(f, "{}", self.major)?;
        }
        write!(f, ".{}.{}", self.minor, self.patch)?;
        if let Some(prerelease) = &self.prerelease {
            let parts: Vec<String> = prerelease.iter().map(Identifier::to_string).collect();
            write!(f, "-{}", parts.join("."))?;
        }
        if let Some(build) = &self.build {
            write!(f, "+{}", build.join("."))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_facts;

    #[test]
    fn versions_print_as_they_were_read() {
        for text in ["0.0.0", "1.2.3", "1.2.3-rc.1", "1.2.3+b.1", "1.2.3-a-b.x+y"] {
            assert_eq!(SemVer::parse(text).expect("a version").to_string(), text);
        }
        for text in ["", "1", "1.2", "01.2.3", "1.2.3.4", "1.2.3-", "1.2.3-é", "1.2.x", "1.2.3-01"] {
            assert!(SemVer::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn prereleases_sort_before_their_version() {
        let order = ["1.0.0-1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta", "1.0.0", "1.0.1"];
        for pair in order.windows(2) {
            let (low, high) = (SemVer::parse(pair[0]).expect("low"), SemVer::parse(pair[1]).expect("high"));
            assert_eq!(low.precedence(&high), Ordering::Less, "{pair:?}");
        }
    }

    #[test]
    fn versions_are_read_and_written() {
        check_facts(&[
            ("SemVer('1.2.3')", "1.2.3"),
            ("SemVer('0.0.0')", "0.0.0"),
            ("SemVer('1.2.3-rc.1')", "1.2.3-rc.1"),
            ("SemVer('1.2.3-rc-1.x.7')", "1.2.3-rc-1.x.7"),
            ("SemVer('1.2.3+build.01')", "1.2.3+build.01"),
            ("SemVer('1.2.3-a+b')", "1.2.3-a+b"),
            ("SemVer('10.20.30')", "10.20.30"),
            ("SemVer('99999999999.0.0')", "99999999999.0.0"),
            ("SemVer(1, 2, 3)", "1.2.3"),
            ("SemVer(1, 2, 3, 'rc', 'b')", "1.2.3-rc+b"),
            ("SemVer({major => 1, minor => 2, patch => 3})", "1.2.3"),
            ("SemVer({major => 1, minor => 2, patch => 3, prerelease => 'a', build => 'b'})", "1.2.3-a+b"),
            ("SemVer('')", "'new_Version' The string '' cannot be converted to a SemVer"),
            ("SemVer('1')", "'new_Version' The string '1' cannot be converted to a SemVer"),
            ("SemVer('1.2')", "'new_Version' The string '1.2' cannot be converted to a SemVer"),
            ("SemVer('v1.2.3')", "'new_Version' The string 'v1.2.3' cannot be converted to a SemVer"),
            ("SemVer('01.2.3')", "'new_Version' The string '01.2.3' cannot be converted to a SemVer"),
            ("SemVer('1.2.3-')", "'new_Version' The string '1.2.3-' cannot be converted to a SemVer"),
            ("SemVer('1.2.3-01')", "Numeric pre-release identifiers MUST NOT contain leading zeroes"),
            ("SemVer('1.2.3-0a')", "1.2.3-0a"),
            ("SemVer('1.2.3+')", "'new_Version' The string '1.2.3+' cannot be converted to a SemVer"),
            ("SemVer('1.2.3-a..b')", "'new_Version' The string '1.2.3-a..b' cannot be converted to a SemVer"),
            ("SemVer('1.2.3-ä')", "'new_Version' The string '1.2.3-ä' cannot be converted to a SemVer"),
            ("SemVer(' 1.2.3')", "'new_Version' The string ' 1.2.3' cannot be converted to a SemVer"),
            ("SemVer('1.2.3 ')", "'new_Version' The string '1.2.3 ' cannot be converted to a SemVer"),
            (
                "SemVer(-1, 2, 3)",
                "The function 'new_Version' was called with arguments it does not accept. It expects one of:\n  (SemVerPattern = Pattern[/\\A(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?\\Z/] str)\n    rejected: expects 1 argument, got 3\n  (PositiveInteger = Integer[0] major, PositiveInteger = Integer[0] minor, PositiveInteger = Integer[0] patch, SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/] prerelease?, SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/] build?)\n    rejected: parameter 'major' expects a PositiveInteger = Integer[0] value, got Integer[-1, -1]\n  (SemVerHash = Struct[{'major' => PositiveInteger = Integer[0], 'minor' => PositiveInteger = Integer[0], 'patch' => PositiveInteger = Integer[0], Optional['prerelease'] => SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/], Optional['build'] => SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/]}] hash_args)\n    rejected: expects 1 argument, got 3",
            ),
            ("SemVer(1, 2)", "'new_Version' expects between 1 and 5 arguments, got 2"),
            (
                "SemVer(1.5)",
                "The function 'new_Version' was called with arguments it does not accept. It expects one of:\n  (SemVerPattern = Pattern[/\\A(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?\\Z/] str)\n    rejected: parameter 'str' expects a match for SemVerPattern = Pattern[/\\A(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?\\Z/], got Float\n  (PositiveInteger = Integer[0] major, PositiveInteger = Integer[0] minor, PositiveInteger = Integer[0] patch, SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/] prerelease?, SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/] build?)\n    rejected: expects between 3 and 5 arguments, got 1\n  (SemVerHash = Struct[{'major' => PositiveInteger = Integer[0], 'minor' => PositiveInteger = Integer[0], 'patch' => PositiveInteger = Integer[0], Optional['prerelease'] => SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/], Optional['build'] => SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/]}] hash_args)\n    rejected: parameter 'hash_args' expects a SemVerHash = Struct[{'major' => PositiveInteger = Integer[0], 'minor' => PositiveInteger = Integer[0], 'patch' => PositiveInteger = Integer[0], Optional['prerelease'] => SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/], Optional['build'] => SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/]}] value, got Float",
            ),
            (
                "SemVer({major => 1})",
                "The function 'new_Version' was called with arguments it does not accept. It expects one of:\n  (SemVerPattern = Pattern[/\\A(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?\\Z/] str)\n    rejected: parameter 'str' expects a match for SemVerPattern = Pattern[/\\A(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?\\Z/], got Struct\n  (PositiveInteger = Integer[0] major, PositiveInteger = Integer[0] minor, PositiveInteger = Integer[0] patch, SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/] prerelease?, SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/] build?)\n    rejected: expects between 3 and 5 arguments, got 1\n  (SemVerHash = Struct[{'major' => PositiveInteger = Integer[0], 'minor' => PositiveInteger = Integer[0], 'patch' => PositiveInteger = Integer[0], Optional['prerelease'] => SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/], Optional['build'] => SemVerQualifier = Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/]}] hash_args)\n    rejected: parameter 'hash_args' expects a value for key 'minor'\n    rejected: parameter 'hash_args' expects a value for key 'patch'",
            ),
        ]);
    }
}
