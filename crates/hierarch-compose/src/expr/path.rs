//! The grammar of path expressions: `users::[name=bob]::langs::0`.
//!
//! ```text
//! expr   = step { "::" step }
//! step   = [key] { "[" filter "]" } [test] ["?"]
//! key    = name | integer | "$" var | "*" | "." | ".." | "." special
//! filter = ["!"] [expr] [test]
//! test   = ("=" | "!=") (text | "$" var)
//! ```

use hierarch_pcore::Str;
use hierarch_source::Result;

use super::issues;

/// A whole path.
pub(crate) type Path = Vec<Step>;

/// What stands between two `::`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Step {
    pub(crate) key: Key,
    pub(crate) filters: Vec<Filter>,
    pub(crate) test: Option<Test>,
    /// `?`: only the first value that leads to a result counts.
    pub(crate) first: bool,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Key {
    /// Nothing: the value itself, or each item of a list.
    #[default]
    Itself,
    Name(Str),
    /// A number, with its text for maps.
    Position(i64, Str),
    Variable(Str),
    All,
    /// `.`, `..` or `.name`.
    Special(Str),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Filter {
    pub(crate) negated: bool,
    pub(crate) path: Path,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Test {
    pub(crate) negated: bool,
    pub(crate) operand: Operand,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Operand {
    Text(Str),
    Variable(Str),
}

impl Step {
    /// Tells whether there is nothing in it at all.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// How deep filters may nest.
const DEEPEST: usize = 50;

/// Reads a path of at most so many steps.
pub(crate) fn parse(text: &str, longest: usize) -> Result<Path> {
    let mut parser = Parser { whole: text, rest: text, depth: 0, longest };
    let path = parser.path()?;
    if parser.rest.is_empty() { Ok(path) } else { Err(parser.error("a `]` without its `[`")) }
}

struct Parser<'t> {
    whole: &'t str,
    rest: &'t str,
    depth: usize,
    longest: usize,
}

impl<'t> Parser<'t> {
    fn path(&mut self) -> Result<Path> {
        let mut steps = vec![self.step()?];
        while let Some(rest) = self.rest.strip_prefix("::") {
            self.rest = rest;
            steps.push(self.step()?);
            if steps.len() > self.longest {
                return Err(issues::path_too_long(self.longest));
            }
        }
        Ok(steps)
    }

    fn step(&mut self) -> Result<Step> {
        let mut step = Step::default();
        let (key, first) = split_first(self.take(&["[", "]", "::", "!=", "="]).trim());
        step.key = key_of(key);
        step.first = first;
        while let Some(rest) = self.rest.strip_prefix('[') {
            self.rest = rest;
            step.filters.push(self.filter()?);
        }
        let between = self.take(&["[", "]", "::", "!=", "="]).trim();
        match between {
            "" => {}
            "?" => step.first = true,
            _ => return Err(self.error("text after `]`")),
        }
        if let Some(negated) = self.operator() {
            let (text, first) = split_first(self.take(&["]", "::"]).trim());
            step.first |= first;
            step.test = Some(Test { negated, operand: operand_of(text) });
        }
        if self.rest.starts_with('[') { Err(self.error("a `[` after a test")) } else { Ok(step) }
    }

    fn filter(&mut self) -> Result<Filter> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("too many `[`"));
        }
        self.rest = self.rest.trim_start();
        let negated = self.rest.starts_with('!');
        if negated {
            self.rest = &self.rest[1..];
        }
        let path = self.path()?;
        let Some(rest) = self.rest.strip_prefix(']') else { return Err(self.error("a `[` without its `]`")) };
        self.rest = rest;
        self.depth -= 1;
        Ok(Filter { negated, path })
    }

    fn operator(&mut self) -> Option<bool> {
        let negated = self.rest.starts_with("!=");
        let rest = self.rest.strip_prefix(if negated { "!=" } else { "=" })?;
        self.rest = rest;
        Some(negated)
    }

    /// Takes the text up to the nearest of some marks.
    fn take(&mut self, marks: &[&str]) -> &'t str {
        // One look over the text: a mark that is not there must not make a long path slow.
        let begins =
            |at: usize| marks.iter().any(|mark| self.rest.as_bytes()[at..].starts_with(mark.as_bytes()));
        let end = (0..self.rest.len()).find(|at| begins(*at)).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        text
    }

    fn error(&self, what: &str) -> hierarch_source::Error {
        issues::path_syntax(self.whole, what)
    }
}

/// Splits a final `?` off.
fn split_first(text: &str) -> (&str, bool) {
    text.strip_suffix('?').map_or((text, false), |text| (text.trim_end(), true))
}

fn key_of(text: &str) -> Key {
    if let Some(name) = text.strip_prefix('$') {
        return Key::Variable(name.into());
    }
    match text {
        "" => Key::Itself,
        "*" => Key::All,
        _ if text.starts_with('.') => Key::Special(text.into()),
        _ => match text.parse() {
            Ok(number) if !text.starts_with('+') => Key::Position(number, text.into()),
            _ => Key::Name(text.into()),
        },
    }
}

fn operand_of(text: &str) -> Operand {
    text.strip_prefix('$').map_or_else(|| Operand::Text(text.into()), |name| Operand::Variable(name.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<Key> {
        parse(text, 250).expect(text).into_iter().map(|step| step.key).collect()
    }

    #[test]
    fn keys_may_hold_dots_slashes_and_single_colons() {
        assert_eq!(keys("a.b/c:d :: -1"), [Key::Name("a.b/c:d".into()), Key::Position(-1, "-1".into())]);
        assert_eq!(
            keys("::*::.name::$v"),
            [Key::Itself, Key::All, Key::Special(".name".into()), Key::Variable("v".into())]
        );
    }

    #[test]
    fn filters_nest_and_tests_end_at_brackets() {
        let path = parse("users[langs[0=c]]?", 250).expect("good");
        assert!(path[0].first);
        let inner = &path[0].filters[0].path[0].filters[0].path[0];
        assert_eq!(inner.test, Some(Test { negated: false, operand: Operand::Text("c".into()) }));
        assert!(parse("a[!=x]", 250).expect("good")[0].filters[0].negated);
    }

    #[test]
    fn unbalanced_brackets_are_reported() {
        for text in ["users[name", "a]", "a[b]c", "a[b[c]"] {
            assert_eq!(parse(text, 250).expect_err(text).code, "EXPR_PATH");
        }
        assert!(parse(&"a[".repeat(10_000), 250).is_err());
    }
}
