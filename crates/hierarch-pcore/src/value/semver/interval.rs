//! One stretch of versions: what a range is a union of.

use std::cmp::Ordering;
use std::fmt;

use super::SemVer;

/// A contiguous set of versions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Interval {
    All,
    Gt(SemVer),
    GtEq(SemVer),
    Lt(SemVer),
    LtEq(SemVer),
    Eq(SemVer),
    /// From a lower bound to an upper one.
    Between(Box<Interval>, Box<Interval>),
}

impl Interval {
    /// Returns the part that holds no version.
    pub(super) fn nothing() -> Self {
        Self::Lt(SemVer::lowest())
    }

    /// Makes the part between two bounds; bounds that are themselves pairs give their own bound.
    pub(super) fn between(low: Self, high: Self) -> Self {
        let low = if let Self::Between(low, _) = low { low } else { Box::new(low) };
        let high = if let Self::Between(_, high) = high { high } else { Box::new(high) };
        Self::Between(low, high)
    }

    pub(super) fn includes(&self, version: &SemVer) -> bool {
        match self {
            Self::All => true,
            Self::Gt(bound) => version.precedence(bound).is_gt(),
            Self::GtEq(bound) => version.precedence(bound).is_ge(),
            Self::Lt(bound) => version.precedence(bound).is_lt(),
            Self::LtEq(bound) => version.precedence(bound).is_le(),
            Self::Eq(bound) => version == bound,
            Self::Between(low, high) => low.includes(version) && high.includes(version),
        }
    }

    /// Tells whether a prerelease may be let in: only if a bound is a prerelease of the same version.
    pub(super) fn allows_prerelease(&self, version: &SemVer) -> bool {
        match self {
            Self::All => true,
            Self::Between(low, high) => low.allows_prerelease(version) || high.allows_prerelease(version),
            Self::Gt(bound) | Self::GtEq(bound) | Self::Lt(bound) | Self::LtEq(bound) | Self::Eq(bound) => {
                !bound.is_stable()
                    && (bound.major, bound.minor, bound.patch)
                        == (version.major, version.minor, version.patch)
            }
        }
    }

    pub(super) fn begin(&self) -> SemVer {
        match self {
            Self::Gt(bound) | Self::GtEq(bound) | Self::Eq(bound) => bound.clone(),
            Self::Between(low, _) => low.begin(),
            Self::All | Self::Lt(_) | Self::LtEq(_) => SemVer::lowest(),
        }
    }

    pub(super) fn end(&self) -> SemVer {
        match self {
            Self::Lt(bound) | Self::LtEq(bound) | Self::Eq(bound) => bound.clone(),
            Self::Between(_, high) => high.end(),
            Self::All | Self::Gt(_) | Self::GtEq(_) => SemVer::highest(),
        }
    }

    pub(super) fn excludes_begin(&self) -> bool {
        match self {
            Self::Gt(_) => true,
            Self::Between(low, _) => low.excludes_begin(),
            _ => false,
        }
    }

    pub(super) fn excludes_end(&self) -> bool {
        match self {
            Self::Lt(_) => true,
            Self::Between(_, high) => high.excludes_end(),
            _ => false,
        }
    }

    fn is_lower_bound(&self) -> bool {
        match self {
            Self::Gt(_) => true,
            Self::GtEq(bound) | Self::Eq(bound) => *bound != SemVer::lowest(),
            Self::Between(low, _) => low.is_lower_bound(),
            Self::All | Self::Lt(_) | Self::LtEq(_) => false,
        }
    }

    fn is_upper_bound(&self) -> bool {
        match self {
            Self::Lt(_) => true,
            Self::LtEq(bound) | Self::Eq(bound) => *bound != SemVer::highest(),
            Self::Between(_, high) => high.is_upper_bound(),
            Self::All | Self::Gt(_) | Self::GtEq(_) => false,
        }
    }

    /// Returns the versions that both parts have, if there are any.
    pub(super) fn intersection(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::All, other) => return Some(other.clone()),
            (this, Self::All) => return Some(this.clone()),
            _ => {}
        }
        match self.begin().precedence(&other.end()) {
            Ordering::Greater => return None,
            Ordering::Equal => {
                return (!self.excludes_begin() && !other.excludes_end()).then(|| Self::Eq(self.begin()));
            }
            Ordering::Less => {}
        }
        match other.begin().precedence(&self.end()) {
            Ordering::Greater => None,
            Ordering::Equal => {
                (!other.excludes_begin() && !self.excludes_end()).then(|| Self::Eq(other.begin()))
            }
            Ordering::Less => Some(self.overlap(other)),
        }
    }

    fn overlap(&self, other: &Self) -> Self {
        let low = match self.begin().precedence(&other.begin()) {
            Ordering::Less => other,
            Ordering::Greater => self,
            Ordering::Equal => {
                if self.excludes_begin() {
                    self
                } else {
                    other
                }
            }
        };
        let high = match self.end().precedence(&other.end()) {
            Ordering::Greater => other,
            Ordering::Less => self,
            Ordering::Equal => {
                if self.excludes_end() {
                    self
                } else {
                    other
                }
            }
        };
        if !high.is_upper_bound() {
            low.clone()
        } else if !low.is_lower_bound() {
            high.clone()
        } else {
            Self::between(low.clone(), high.clone())
        }
    }

    /// Returns one part for both, if they overlap or touch.
    pub(super) fn merge(&self, other: &Self) -> Option<Self> {
        if matches!(self, Self::All) || matches!(other, Self::All) {
            return Some(Self::All);
        }
        if self.includes(&other.begin()) || other.includes(&self.begin()) {
            return self.hull(other);
        }
        let touches = |a: &Self, b: &Self| {
            !b.excludes_begin()
                && if a.excludes_end() { a.end() == b.begin() } else { a.end().next_patch() == b.begin() }
        };
        if touches(self, other) {
            Self::from_to(self, other)
        } else if touches(other, self) {
            Self::from_to(other, self)
        } else {
            None
        }
    }

    fn hull(&self, other: &Self) -> Option<Self> {
        let low = match self.begin().precedence(&other.begin()) {
            Ordering::Less => self,
            Ordering::Greater => other,
            Ordering::Equal => {
                if self.excludes_begin() {
                    other
                } else {
                    self
                }
            }
        };
        let high = match self.end().precedence(&other.end()) {
            Ordering::Greater => self,
            Ordering::Less => other,
            Ordering::Equal => {
                if self.excludes_end() {
                    other
                } else {
                    self
                }
            }
        };
        Self::from_to(low, high)
    }

    fn from_to(low: &Self, high: &Self) -> Option<Self> {
        let from = if low.excludes_begin() { Self::Gt(low.begin()) } else { Self::GtEq(low.begin()) };
        let to = if high.excludes_end() { Self::Lt(high.end()) } else { Self::LtEq(high.end()) };
        from.intersection(&to)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Gt(bound) => write!(f, ">{bound}"),
            Self::GtEq(bound) => write!(f, ">={bound}"),
            Self::Lt(bound) if *bound == SemVer::lowest() => f.write_str("<0.0.0"),
            Self::Lt(bound) => write!(f, "<{bound}"),
            Self::LtEq(bound) => write!(f, "<={bound}"),
            Self::Eq(bound) => bound.fmt(f),
            Self::Between(low, high) => write!(f, "{low} {high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    /// Ranges that overlap or touch are one range; others stay apart.
    #[test]
    fn ranges_of_a_type_are_joined_where_they_meet() {
        check_facts(&[
            ("SemVer['>=1.0.0', '<2.0.0']", "SemVer['Infinity.0.0 - 0.0.0-']"),
            ("SemVer['>=1.0.0 <2.0.0', '>=2.0.0 <3.0.0']", "SemVer['>=3.0.0 <1.0.0']"),
            ("SemVer['>=1.0.0 <2.0.0', '>=3.0.0 <4.0.0']", "SemVer['>=1.0.0 <2.0.0', '>=3.0.0 <4.0.0']"),
            ("SemVer['>=1.0.0 <=2.0.0', '>=2.0.1 <3.0.0']", "SemVer['>=1.0.0 <=2.0.0', '>=2.0.1 <3.0.0']"),
            ("SemVer['>=1.0.0 <=2.0.0', '>2.0.0 <3.0.0']", "SemVer['>=3.0.0 <1.0.0']"),
            ("SemVer['1.0.0', '1.0.1']", "SemVer['1.0.0', '1.0.1']"),
            ("SemVer['1.0.0', '1.0.0']", "SemVer['1.0.0 - 1.0.0']"),
            ("SemVer['1.0.0', '2.0.0']", "SemVer['1.0.0', '2.0.0']"),
            ("SemVer['>=2.0.0 <3.0.0', '>=1.0.0 <5.0.0']", "SemVer['>=5.0.0 <1.0.0']"),
            ("SemVer['*', '1.0.0']", "SemVer['Infinity.0.0 - 0.0.0-']"),
            ("SemVer['<1.0.0', '>1.0.0']", "SemVer['Infinity.0.0 - 0.0.0-']"),
            ("SemVer['<=1.0.0', '>=1.0.0']", "SemVer['Infinity.0.0 - 0.0.0-']"),
            ("SemVer['>1.0.0', '>=1.0.0']", "SemVer['Infinity.0.0 - 1.0.0']"),
            ("SemVer['<1.0.0-a', '>=1.0.0-a']", "SemVer['Infinity.0.0 - 0.0.0-']"),
            ("SemVer['1.x', '2.x']", "SemVer['>=3.0.0 <1.0.0']"),
            ("SemVer['1.x', '3.x', '2.x']", "SemVer['>=4.0.0 <1.0.0']"),
            ("SemVer['>=1.0.0 <2.0.0', '1.5.0', '0.9.0']", "SemVer['>=2.0.0 <1.0.0', '0.9.0']"),
        ]);
    }
}
