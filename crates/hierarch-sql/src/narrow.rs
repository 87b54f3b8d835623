//! What a `where` clause leaves out, so that it need not be looked up: `=`, `in`, `like` and `glob` on `node` and `key`.
//!
//! It is always right to ask for too much, so only what is certain narrows: the conditions that `and` joins at the top of a
//! query with one `select`. Everything else (subqueries, unions, `or`, functions, collations) asks for all.

use crate::shape::Shape;

/// The names that a query can be about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Narrow {
    /// Any.
    All,
    /// Those that fulfil all conditions of one of these lists.
    Any(Vec<Vec<Condition>>),
}

/// What a name must fulfil.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// It is one of these.
    OneOf(Vec<String>),
    /// It matches a pattern of `like`, in which upper and lower case are one.
    Like(String),
    /// It matches a pattern of `glob`.
    Glob(String),
}

impl Narrow {
    /// Tells whether a name is wanted.
    pub fn wants(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Any(lists) => lists.iter().any(|list| list.iter().all(|condition| condition.holds(name))),
        }
    }

    /// Returns the names, where they are all named.
    pub fn names(&self) -> Option<Vec<String>> {
        let Self::Any(lists) = self else { return None };
        let mut names = Vec::new();
        for list in lists {
            let named = list.iter().find_map(|condition| match condition {
                Condition::OneOf(names) => Some(names),
                _ => None,
            })?;
            names.extend(named.iter().filter(|name| self.wants(name)).cloned());
        }
        names.sort();
        names.dedup();
        Some(names)
    }

    fn or(self, other: Vec<Condition>) -> Self {
        match self {
            Self::Any(mut lists) if !other.is_empty() => {
                lists.push(other);
                Self::Any(lists)
            }
            _ => Self::All,
        }
    }
}

impl Condition {
    fn holds(&self, name: &str) -> bool {
        match self {
            Self::OneOf(names) => names.iter().any(|one| one == name),
            Self::Like(pattern) => matches(&folded(pattern), &folded(name), ('%', '_')),
            Self::Glob(pattern) => {
                matches(&pattern.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>(), ('*', '?'))
            }
        }
    }
}

fn folded(text: &str) -> Vec<char> {
    text.chars().map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Matches with one sign for any text and one for any character, going back to the last sign only.
fn matches(pattern: &[char], text: &[char], (any, one): (char, char)) -> bool {
    let (mut at, mut here, mut back) = (0, 0, None);
    while here < text.len() {
        match pattern.get(at) {
            Some(sign) if *sign == any => {
                back = Some((at, here));
                at += 1;
            }
            Some(sign) if *sign == one || *sign == text[here] => {
                at += 1;
                here += 1;
            }
            _ => match back {
                Some((star, from)) => {
                    (at, here) = (star + 1, from + 1);
                    back = Some((star, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|sign| *sign == any)
}

/// Returns the nodes and the keys that a query over some tables can be about.
pub(crate) fn narrow(query: &str, used: &[&Shape]) -> (Narrow, Narrow) {
    let tokens = tokens(query);
    let Some(parts) = Parts::of(&tokens) else { return (Narrow::All, Narrow::All) };
    let conditions = conditions(parts.filter);
    let (mut nodes, mut keys) = (Narrow::Any(Vec::new()), Narrow::Any(Vec::new()));
    for shape in used {
        let names = parts.names_of(shape);
        if names.is_empty() {
            return (Narrow::All, Narrow::All);
        }
        for name in names {
            let of = |column: &str| -> Vec<Condition> {
                let is_meant = |found: &&ColumnCondition| {
                    found.column.eq_ignore_ascii_case(column)
                        && found.table.as_ref().is_none_or(|table| table.eq_ignore_ascii_case(&name))
                };
                conditions.iter().filter(is_meant).map(|found| found.condition.clone()).collect()
            };
            nodes = nodes.or(of(shape.node));
            if shape.has_key {
                keys = keys.or(of("key"));
            }
        }
    }
    (nodes, keys)
}

/// A word of SQL.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// A bare word: a keyword or a name.
    Word(String),
    /// A name in quotes.
    Name(String),
    /// A text.
    Text(String),
    /// Anything else.
    Sign(char),
    /// `=` or `==`.
    Equal,
}

impl Token {
    fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own.eq_ignore_ascii_case(word))
    }

    fn name(&self) -> Option<&str> {
        match self {
            Self::Word(name) | Self::Name(name) => Some(name),
            _ => None,
        }
    }
}

fn tokens(sql: &str) -> Vec<Token> {
    let letters: Vec<char> = sql.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        at = match (letter, next) {
            ('-', Some('-')) => end_of(&letters, at, &['\n']),
            ('/', Some('*')) => end_of(&letters, at + 2, &['*', '/']),
            ('\'', _) => quoted(&letters, at, '\'', &mut tokens, Token::Text),
            ('"' | '`', _) => quoted(&letters, at, letter, &mut tokens, Token::Name),
            ('[', _) => quoted(&letters, at, ']', &mut tokens, Token::Name),
            ('=', _) => {
                tokens.push(Token::Equal);
                at + if next == Some('=') { 2 } else { 1 }
            }
            _ if letter.is_whitespace() => at + 1,
            _ if is_of_a_word(letter) => {
                let rest = letters[at..].iter().position(|letter| !is_of_a_word(*letter));
                let end = rest.map_or(letters.len(), |length| at + length);
                tokens.push(Token::Word(letters[at..end].iter().collect()));
                end
            }
            _ => {
                tokens.push(Token::Sign(letter));
                at + 1
            }
        };
    }
    tokens
}

fn is_of_a_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$' || !letter.is_ascii()
}

fn end_of(letters: &[char], from: usize, end: &[char]) -> usize {
    let found = letters.get(from..).and_then(|rest| rest.windows(end.len()).position(|some| some == end));
    found.map_or(letters.len(), |length| from + length + end.len())
}

/// Reads a text or name up to its closing quote, which stands twice inside of it.
fn quoted(
    letters: &[char],
    from: usize,
    quote: char,
    tokens: &mut Vec<Token>,
    make: fn(String) -> Token,
) -> usize {
    let (mut text, mut at) = (String::new(), from + 1);
    while let Some(&letter) = letters.get(at) {
        if letter == quote {
            if letters.get(at + 1) != Some(&quote) {
                break;
            }
            at += 1;
        }
        text.push(letter);
        at += 1;
    }
    tokens.push(make(text));
    at + 1
}

/// The parts of a query with one `select`.
struct Parts<'t> {
    tables: &'t [Token],
    filter: &'t [Token],
}

/// What may follow a `where` clause, or end the list of tables.
const AFTER: [&str; 5] = ["group", "having", "window", "order", "limit"];

impl<'t> Parts<'t> {
    /// Takes a query apart; nothing if it has several parts that select.
    fn of(tokens: &'t [Token]) -> Option<Self> {
        let is_plain = |token: &&Token| ["select", "with", "values"].iter().any(|word| token.is(word));
        if tokens.iter().filter(is_plain).count() != 1 || !tokens.first()?.is("select") {
            return None;
        }
        let from = outside(tokens).find(|(_, token)| token.is("from"))?.0 + 1;
        let rest = tokens.get(from..)?;
        let until = |list: &'t [Token], also: &str| {
            let ends = |token: &Token| {
                token.is(also) || *token == Token::Sign(';') || AFTER.iter().any(|word| token.is(word))
            };
            outside(list).find(|(_, token)| ends(token)).map_or(list.len(), |(index, _)| index)
        };
        let tables_end = until(rest, "where");
        let is_filtered = rest.get(tables_end).is_some_and(|token| token.is("where"));
        let filter = if is_filtered { &rest[tables_end + 1..] } else { &[] };
        Some(Self { tables: &rest[..tables_end], filter: &filter[..until(filter, "where")] })
    }

    /// Returns the names under which the query knows a table, once for each time that it reads it.
    fn names_of(&self, shape: &Shape) -> Vec<String> {
        let tokens = self.tables;
        let is_table = |index: usize| {
            let is_named = tokens[index].name().is_some_and(|name| name.eq_ignore_ascii_case(shape.name));
            let before = index.checked_sub(1).and_then(|index| tokens.get(index));
            // `x.answers` is a table of a database, `answers.key` a column.
            is_named
                && tokens.get(index + 1) != Some(&Token::Sign('.'))
                && before.is_none_or(|token| !token.is("as"))
        };
        let alias = |index: usize| {
            let next = tokens.get(index + 1)?;
            let name = if next.is("as") { tokens.get(index + 2)? } else { next };
            name.name().filter(|name| !FOLLOWS.iter().any(|word| name.eq_ignore_ascii_case(word)))
        };
        let found = (0..tokens.len()).filter(|index| is_table(*index));
        found.map(|index| alias(index).unwrap_or(shape.name).to_owned()).collect()
    }
}

/// Words after a table that cannot be its name.
const FOLLOWS: [&str; 12] =
    ["join", "inner", "left", "right", "full", "cross", "natural", "on", "using", "indexed", "not", "outer"];

/// Goes through the tokens that stand in no brackets and in no `case`.
fn outside(tokens: &[Token]) -> impl Iterator<Item = (usize, &Token)> {
    let mut depth = 0usize;
    tokens.iter().enumerate().filter(move |(_, token)| {
        if **token == Token::Sign('(') || token.is("case") {
            depth += 1;
            return false;
        }
        if **token == Token::Sign(')') || (token.is("end") && depth > 0) {
            depth = depth.saturating_sub(1);
            return false;
        }
        depth == 0
    })
}

/// A condition on a column.
struct ColumnCondition {
    table: Option<String>,
    column: String,
    condition: Condition,
}

/// Returns the conditions that are all joined by `and`.
fn conditions(filter: &[Token]) -> Vec<ColumnCondition> {
    if outside(filter).any(|(_, token)| token.is("or") || token.is("between")) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut from = 0;
    let ends: Vec<usize> = outside(filter)
        .filter(|(_, token)| token.is("and"))
        .map(|(index, _)| index)
        .chain([filter.len()])
        .collect();
    for end in ends {
        found.extend(condition(&filter[from.min(end)..end]));
        from = end + 1;
    }
    found
}

/// Understands one condition; nothing if it is another than those that narrow.
fn condition(tokens: &[Token]) -> Option<ColumnCondition> {
    if let [Token::Text(text), Token::Equal, column @ ..] = tokens {
        let (table, column) = column_name(column)?;
        return Some(ColumnCondition { table, column, condition: Condition::OneOf(vec![text.clone()]) });
    }
    let at = if tokens.get(1) == Some(&Token::Sign('.')) { 3 } else { 1 };
    let (table, column) = column_name(tokens.get(..at)?)?;
    let condition = match &tokens[at..] {
        [Token::Equal, Token::Text(text)] => Condition::OneOf(vec![text.clone()]),
        [word, Token::Text(pattern)] if word.is("like") => Condition::Like(pattern.clone()),
        [word, Token::Text(pattern)] if word.is("glob") && !pattern.contains('[') => {
            Condition::Glob(pattern.clone())
        }
        [word, Token::Sign('('), list @ .., Token::Sign(')')] if word.is("in") => {
            Condition::OneOf(texts(list)?)
        }
        _ => return None,
    };
    Some(ColumnCondition { table, column, condition })
}

fn column_name(tokens: &[Token]) -> Option<(Option<String>, String)> {
    match tokens {
        [column] => Some((None, column.name()?.to_owned())),
        [table, Token::Sign('.'), column] => {
            Some((Some(table.name()?.to_owned()), column.name()?.to_owned()))
        }
        _ => None,
    }
}

/// Reads texts with commas between them.
fn texts(tokens: &[Token]) -> Option<Vec<String>> {
    let items = tokens.split(|token| *token == Token::Sign(','));
    let text = |item: &[Token]| match item {
        [Token::Text(text)] => Some(text.clone()),
        _ => None,
    };
    items.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{ANSWERS, FACTS};

    const KEYS: [&str; 5] = ["ntp::servers", "NTP::x", "profile::web::port", "it's", "a_c"];

    fn keys(query: &str) -> Vec<&'static str> {
        let (_, keys) = narrow(query, &[&ANSWERS]);
        KEYS.into_iter().filter(|key| keys.wants(key)).collect()
    }

    #[test]
    fn conditions_joined_by_and_narrow() {
        for (filter, wanted) in [
            ("key = 'ntp::servers'", &["ntp::servers"][..]),
            ("'ntp::servers' == \"key\"", &["ntp::servers"]),
            ("answers.key in ('ntp::servers', 'a_c') and value > 1", &["ntp::servers", "a_c"]),
            ("key like 'ntp::%'", &["ntp::servers", "NTP::x"]),
            ("key like 'a_c' -- and more", &["a_c"]),
            ("key glob 'ntp::*' /* x */", &["ntp::servers"]),
            ("KEY = 'it''s' and node = 'n'", &["it's"]),
            ("key = 'a_c' and key like 'ntp%'", &[]),
            ("case when value then key end = 'x' and key = 'a_c'", &["a_c"]),
        ] {
            assert_eq!(keys(&format!("select * from answers where {filter}")), wanted, "{filter}");
        }
    }

    #[test]
    fn what_is_not_certain_asks_for_all() {
        for query in [
            "select * from answers",
            "select * from answers where key = 'a_c' or 1",
            "select * from answers where key = 'a_c' collate nocase",
            "select * from answers where key like 'a\\_c' escape '\\'",
            "select * from answers where not key = 'a_c'",
            "select * from answers where key <> 'a_c'",
            "select * from answers where lower(key) = 'a_c'",
            "select * from answers where 1 between 0 and key = 'a_c'",
            "select * from answers where (key = 'a_c' or 1)",
            "select * from answers where key glob '[a]_c'",
            "select * from answers where key = 'a_c' union select * from answers",
            "with a as (select 1) select * from answers where key = 'a_c'",
            "select (select count(*) from answers) from answers where key = 'a_c'",
            "select * from answers where case when key = 'a_c' and key = 'a_c' then 1 else 1 end",
            "select * from answers a join answers b on a.node = b.node where a.key = 'a_c'",
        ] {
            assert_eq!(keys(query), KEYS, "{query}");
        }
    }

    #[test]
    fn each_time_that_a_table_is_read_counts() {
        let join = "select * from answers as a join answers b on a.node = b.node where a.key = 'a_c' and b.key = 'it''s'";
        assert_eq!(keys(join), ["it's", "a_c"]);
        let (nodes, keys) = narrow(
            "select * from answers a, facts f where a.node = 'n1' and f.node = 'n2' and a.key = 'x'",
            &[&ANSWERS, &FACTS],
        );
        assert_eq!(nodes.names(), Some(vec!["n1".to_owned(), "n2".to_owned()]));
        assert_eq!(keys.names(), Some(vec!["x".to_owned()]));
        let (nodes, _) = narrow("select * from answers a, facts f where a.node = 'n1'", &[&ANSWERS, &FACTS]);
        assert_eq!(nodes, Narrow::All);
    }
}
