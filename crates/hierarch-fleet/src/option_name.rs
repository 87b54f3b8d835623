//! The names and patterns of `lookup_options`, and the keys that they match.

use std::collections::BTreeSet;
use std::ops::Bound;

use hierarch_pcore::regex::Regexp;

/// The name or pattern of an entry of `lookup_options`.
pub(crate) struct OptionName<'n> {
    name: &'n str,
    /// Nothing for a name that is the key itself.
    pattern: Option<Pattern>,
}

enum Pattern {
    /// What each key that matches begins with, and the whole pattern.
    Read(String, Box<Regexp>),
    /// One that cannot be understood is told when it is used; until then any key may be meant.
    Unreadable,
}

impl<'n> OptionName<'n> {
    pub(crate) fn new(name: &'n str) -> Self {
        let read = || {
            Regexp::new(name)
                .map_or(Pattern::Unreadable, |pattern| Pattern::Read(beginning(name), Box::new(pattern)))
        };
        Self { name, pattern: name.starts_with('^').then(read) }
    }

    /// Tells whether a key matches.
    pub(crate) fn matches(&self, key: &str) -> bool {
        match &self.pattern {
            None => self.name == key,
            Some(Pattern::Unreadable) => true,
            Some(Pattern::Read(_, pattern)) => pattern.is_match(key).unwrap_or(true),
        }
    }

    /// Returns those of some keys that match, in order. Only keys that begin as the pattern does are looked at.
    pub(crate) fn keys_in<'k>(&self, keys: &BTreeSet<&'k str>) -> impl Iterator<Item = &'k str> {
        let beginning = match &self.pattern {
            None => self.name,
            Some(Pattern::Unreadable) => "",
            Some(Pattern::Read(beginning, _)) => beginning,
        };
        let from = keys.range::<str, _>((Bound::Included(beginning), Bound::Unbounded));
        let from = from.take_while(move |key| key.starts_with(beginning));
        from.copied().filter(|key| self.matches(key))
    }
}

/// Returns the letters that every match of a pattern begins with; none where that is not plain to see.
fn beginning(pattern: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    // Behind a bar anything may begin anew.
    let rest = pattern.strip_prefix('^').filter(|rest| !rest.contains('|')).unwrap_or_default();
    let mut found: String = rest.chars().take_while(is_plain).collect();
    if rest[found.len()..].starts_with(['*', '?', '{', '+']) {
        found.pop();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_its_key_and_a_pattern_those_that_match() {
        let keys = BTreeSet::from(["a::b", "a::bb", "a::c", "b::b", "x", "xy"]);
        for (name, expected) in [
            ("a::b", "a::b"),
            ("a::", ""),
            ("^a::", "a::b a::bb a::c"),
            ("^a::b+$", "a::b a::bb"),
            ("^a::b*", "a::b a::bb a::c"),
            ("^xy?$", "x xy"),
            ("^xy{0,1}$", "x xy"),
            ("^a::c$|^x", "a::c x xy"),
            ("^(a|b)::b$", "a::b b::b"),
            ("^(?i)A::C", "a::c"),
            ("^.*b$", "a::b a::bb b::b"),
            (r"^a\:\:c", "a::c"),
            ("^nobody", ""),
            ("^(", "a::b a::bb a::c b::b x xy"),
        ] {
            let option = OptionName::new(name);
            assert_eq!(option.keys_in(&keys).collect::<Vec<_>>().join(" "), expected, "{name}");
            let one_by_one: Vec<&str> = keys.iter().copied().filter(|key| option.matches(key)).collect();
            assert_eq!(one_by_one.join(" "), expected, "{name}");
        }
    }

    #[test]
    fn what_all_matches_begin_with_is_never_too_long() {
        for (pattern, expected) in [
            ("^profile::web::", "profile::web::"),
            ("^ab*c", "a"),
            ("^ab?", "a"),
            ("^ab+", "a"),
            ("^ab{0}", "a"),
            ("^a.c", "a"),
            ("^a|b", ""),
            ("^[ab]c", ""),
            ("^", ""),
            ("^é", ""),
        ] {
            assert_eq!(beginning(pattern), expected, "{pattern}");
        }
    }
}
