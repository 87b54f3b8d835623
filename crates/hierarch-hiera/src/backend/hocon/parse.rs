//! HOCON text as a tree of assignments.

use std::cell::Cell;
use std::sync::Arc;

use hierarch_source::Source;
use indexmap::IndexMap;

use super::include::Place;
use crate::issues::hocon as words;

/// A value as it is written.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Null,
    Bool(bool),
    /// A number, with its text for when it is joined with others.
    Number(String),
    Text(String),
    /// Blanks between two values that are joined.
    Blank(String),
    List(Vec<PlacedValue>),
    Object(Object),
    Substitution {
        path: Vec<String>,
        optional: bool,
        /// How many of the first keys lead to where the file was included; without them the path is tried as well.
        prefix: usize,
        at: ReferencePlace,
    },
    Joined(Vec<Expression>),
    /// `+=`: what stands before it, which is a list or nothing, and one more item.
    Added {
        before: Box<Expression>,
        item: Box<PlacedValue>,
    },
}

/// Where a substitution stands.
#[derive(Clone, Debug)]
pub(super) struct ReferencePlace {
    /// The file and line, as messages say it.
    pub(super) said: String,
    pub(super) byte: usize,
    /// The file that was included; none for the data file itself.
    pub(super) source: Option<Arc<Source>>,
}

/// The assignments of an object: to each key one or more, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Object(pub(super) IndexMap<String, Vec<PlacedValue>, foldhash::fast::RandomState>);

/// A value with the bytes that it is written in.
#[derive(Clone, Debug)]
pub(super) struct PlacedValue {
    pub(super) node: Expression,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The file that was included; none for the data file itself.
    pub(super) source: Option<Arc<Source>>,
}

impl PlacedValue {
    fn with(&self, node: Expression) -> Self {
        Self { node, start: self.start, end: self.end, source: self.source.clone() }
    }

    /// Tells whether it adds an item to what stands before it.
    pub(super) fn is_added(&self) -> bool {
        matches!(self.node, Expression::Added { .. })
    }

    /// Tells whether there is no substitution in it.
    pub(super) fn is_plain(&self) -> bool {
        self.node.is_plain()
    }

    fn below(self, within: &[String]) -> Self {
        Self { node: self.node.below(within), ..self }
    }
}

impl Expression {
    fn is_plain(&self) -> bool {
        match self {
            Self::Substitution { .. } | Self::Added { .. } => false,
            Self::List(items) => items.iter().all(PlacedValue::is_plain),
            Self::Object(object) => object.0.values().flatten().all(PlacedValue::is_plain),
            Self::Joined(parts) => parts.iter().all(Self::is_plain),
            _ => true,
        }
    }

    /// Leads all substitutions to where the file was included.
    fn below(self, within: &[String]) -> Self {
        match self {
            Self::Substitution { path, optional, prefix, at } => Self::Substitution {
                path: [within, &path].concat(),
                optional,
                prefix: prefix + within.len(),
                at,
            },
            Self::List(items) => Self::List(items.into_iter().map(|item| item.below(within)).collect()),
            Self::Object(object) => Self::Object(object.below(within)),
            Self::Joined(parts) => Self::Joined(parts.into_iter().map(|part| part.below(within)).collect()),
            Self::Added { before, item } => {
                Self::Added { before: Box::new(before.below(within)), item: Box::new(item.below(within)) }
            }
            other => other,
        }
    }
}

impl Object {
    fn assign(&mut self, path: &[String], value: PlacedValue) {
        let Some((key, rest)) = path.split_first() else { return };
        let value = if rest.is_empty() {
            value
        } else {
            let mut inner = Object::default();
            let around = value.with(Expression::Null);
            inner.assign(rest, value);
            PlacedValue { node: Expression::Object(inner), ..around }
        };
        self.values_of(key).push(value);
    }

    /// Adds the assignments of another object after its own.
    pub(super) fn add(&mut self, other: Self) {
        for (key, values) in other.0 {
            self.values_of(&key).extend(values);
        }
    }

    /// Leads all substitutions to where the file was included.
    pub(super) fn below(self, within: &[String]) -> Self {
        if within.is_empty() {
            return self;
        }
        let below = |values: Vec<PlacedValue>| values.into_iter().map(|value| value.below(within)).collect();
        Self(self.0.into_iter().map(|(key, values)| (key, below(values))).collect())
    }

    fn values_of(&mut self, key: &str) -> &mut Vec<PlacedValue> {
        self.0.entry(key.to_owned()).or_default()
    }
}

/// What is wrong with a text, and where.
#[derive(Debug)]
pub(crate) struct NotHocon {
    pub(crate) words: String,
    /// The byte, and the file if it is one that was included; none where no place is to blame.
    pub(super) at: Option<(usize, Option<Arc<Source>>)>,
}

/// What no place is to blame for.
impl From<String> for NotHocon {
    fn from(words: String) -> Self {
        Self { words, at: None }
    }
}

pub(super) type ParseResult<T> = Result<T, NotHocon>;

/// Collections inside collections, those included that a dot in a key opens.
const DEPTH: usize = 200;

/// Parses a file; the braces around it may be left out.
pub(super) fn parse(text: &str, place: &Place) -> ParseResult<Object> {
    let mut parser =
        Parser { text, at: 0, depth: 0, lists: 0, within: Vec::new(), place, counted: Cell::new((0, 1)) };
    parser.skip_lines();
    let object = if parser.take("{") {
        let object = parser.object(true)?;
        parser.skip_lines();
        object
    } else {
        parser.object(false)?
    };
    if parser.rest().is_empty() { Ok(object) } else { Err(parser.error("expecting end of file here")) }
}

pub(super) struct Parser<'t> {
    text: &'t str,
    pub(super) at: usize,
    depth: usize,
    /// How many lists are open.
    pub(super) lists: usize,
    /// The keys that lead to the object that is read.
    pub(super) within: Vec<String>,
    pub(super) place: &'t Place<'t>,
    /// A position whose line is known: lines are counted from there.
    counted: Cell<(usize, usize)>,
}

impl<'t> Parser<'t> {
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// A key is followed by neither a separator nor an object.
    fn bad_key_end(&mut self, key: &str) -> NotHocon {
        self.skip_lines();
        let token = match self.peek() {
            None => "end of file".to_owned(),
            Some(c) => format!(
                "'{c}' (if you intended '{c}' to be part of a key or string value, try enclosing the key or value in double quotes"
            ),
        };
        self.say(self.line(), &format!("Key '{key}' may not be followed by token: {token}"))
    }

    /// Says what is wrong in a line.
    pub(super) fn say(&self, line: usize, words: &str) -> NotHocon {
        let words = format!("{}: {line}: {words}", self.place.label());
        NotHocon { words, at: Some((self.at, self.place.source.clone())) }
    }

    /// Returns the word or sign that comes next.
    pub(super) fn token(&self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(ends_text).unwrap_or(rest.len());
        let sign = rest.chars().next().map_or(0, char::len_utf8);
        &rest[..end.max(sign)]
    }

    /// Says that something else was expected than what comes next.
    pub(super) fn unexpected(&self, words: &str) -> NotHocon {
        let token = match self.token() {
            "" => "end of file".to_owned(),
            token => format!("'{token}'"),
        };
        self.say(self.line(), &format!("{words}: {token}"))
    }

    pub(super) fn line(&self) -> usize {
        let (from, line) = self.counted.get();
        let (from, line) = if from <= self.at { (from, line) } else { (0, 1) };
        let line = line + self.text[from..self.at].matches('\n').count();
        self.counted.set((self.at, line));
        line
    }

    fn error(&self, words: &str) -> NotHocon {
        let got = match self.peek() {
            None => "end of file".to_owned(),
            Some(c) => format!("'{c}'"),
        };
        self.say(self.line(), &format!("{words}, got {got}"))
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n').len();
        if self.rest().starts_with('#') || self.rest().starts_with("//") {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Skips blanks, comments and line ends. Tells whether a line ended.
    pub(super) fn skip_lines(&mut self) -> bool {
        let mut ended = false;
        loop {
            self.skip_blanks();
            if !self.take("\n") {
                return ended;
            }
            ended = true;
        }
    }

    fn object(&mut self, braced: bool) -> ParseResult<Object> {
        self.enter()?;
        let mut object = Object::default();
        loop {
            self.skip_lines();
            if braced && self.take("}") {
                break;
            }
            if self.rest().is_empty() {
                if braced {
                    return Err(self.error("expecting a close brace or a field name here"));
                }
                break;
            }
            self.field(&mut object)?;
            let ended = self.skip_lines();
            let comma = self.take(",");
            let is_over = self.rest().is_empty() || (braced && self.rest().starts_with('}'));
            if !ended && !comma && !is_over {
                return Err(self.error("expecting a comma or a line end here"));
            }
        }
        self.depth -= 1;
        Ok(object)
    }

    fn enter(&mut self) -> ParseResult<()> {
        self.depth += 1;
        self.check_depth()
    }

    /// Returns how many collections are open, those around an included file counted as well.
    pub(super) fn opened(&self) -> usize {
        self.depth + self.within.len() + self.place.outside
    }

    fn check_depth(&self) -> ParseResult<()> {
        if self.opened() > DEPTH {
            return Err(self.say(self.line(), &words::too_deep(DEPTH)));
        }
        Ok(())
    }

    fn field(&mut self, object: &mut Object) -> ParseResult<()> {
        if self.is_include() {
            return self.include(object);
        }
        let path = self.path(|c| "=:{+".contains(c))?;
        let outside = self.within.len();
        self.within.extend_from_slice(&path);
        self.check_depth()?;
        let value = self.assigned(&path)?;
        self.within.truncate(outside);
        object.assign(&path, value);
        Ok(())
    }

    /// Reads what follows a key.
    fn assigned(&mut self, path: &[String]) -> ParseResult<PlacedValue> {
        self.skip_blanks();
        if self.take("+=") {
            let value = self.placed()?;
            let before = self.reference(self.within.clone(), true);
            let around = value.with(Expression::Null);
            let node = Expression::Added { before: Box::new(before), item: Box::new(value) };
            return Ok(PlacedValue { node, ..around });
        }
        if self.take("=") || self.take(":") || self.rest().starts_with('{') {
            self.skip_lines();
            return self.placed();
        }
        Err(self.bad_key_end(&path.join(".")))
    }

    /// Reads `a.b."c d"` up to something that ends it.
    fn path(&mut self, ends: impl Fn(char) -> bool) -> ParseResult<Vec<String>> {
        let mut path = vec![String::new()];
        let mut quoted = false;
        loop {
            match self.peek() {
                Some('"') => {
                    let text = self.quoted()?;
                    path.last_mut().into_iter().for_each(|part| part.push_str(&text));
                    quoted = true;
                }
                Some('.') => {
                    self.at += 1;
                    path.push(String::new());
                    quoted = false;
                }
                Some(c) if ends(c) || "\n}],#".contains(c) => break,
                Some(c) if !is_forbidden(c) => {
                    self.at += c.len_utf8();
                    path.last_mut().into_iter().for_each(|part| part.push(c));
                }
                None => break,
                Some(_) => return Err(self.error("expecting a field name here")),
            }
        }
        let last = path.len() - 1;
        let path: Vec<String> =
            path.iter().enumerate().map(|(index, part)| trimmed(part, index == last)).collect();
        if !quoted && path.iter().any(String::is_empty) {
            return Err(self.error("expecting a close brace or a field name here"));
        }
        Ok(path)
    }

    fn placed(&mut self) -> ParseResult<PlacedValue> {
        self.skip_blanks();
        let start = self.at;
        let node = self.value()?;
        let end = start + self.text[start..self.at].trim_end().len();
        Ok(PlacedValue { node, start, end, source: self.place.source.clone() })
    }

    fn value(&mut self) -> ParseResult<Expression> {
        let mut parts = Vec::new();
        loop {
            let start = self.at;
            self.skip_blanks();
            let blank = &self.text[start..self.at];
            let Some(part) = self.part()? else { break };
            if !parts.is_empty() && !blank.is_empty() {
                parts.push(Expression::Blank(blank.to_owned()));
            }
            parts.push(part);
        }
        match parts.len() {
            0 => Err(self.error("expecting a value here")),
            1 => Ok(parts.remove(0)),
            _ => Ok(Expression::Joined(parts)),
        }
    }

    fn part(&mut self) -> ParseResult<Option<Expression>> {
        Ok(Some(match self.peek() {
            None | Some('\n' | ',' | '}' | ']') => return Ok(None),
            Some('"') => Expression::Text(self.quoted()?),
            Some('{') => {
                self.at += 1;
                Expression::Object(self.object(true)?)
            }
            Some('[') => self.list()?,
            Some('$') => self.substitution()?,
            Some(_) => self.unquoted()?,
        }))
    }

    fn list(&mut self) -> ParseResult<Expression> {
        self.enter()?;
        self.lists += 1;
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_lines();
            if self.take("]") {
                break;
            }
            items.push(self.placed()?);
            let ended = self.skip_lines();
            if !self.take(",") && !ended && !self.rest().starts_with(']') {
                return Err(self.error("expecting a comma or a close bracket here"));
            }
        }
        self.depth -= 1;
        self.lists -= 1;
        Ok(Expression::List(items))
    }

    fn substitution(&mut self) -> ParseResult<Expression> {
        if !self.take("${") {
            return Err(self.error("expecting a substitution here"));
        }
        let optional = self.take("?");
        let path = self.path(|c| c == '}')?;
        if !self.take("}") {
            return Err(self.error("expecting a close brace here"));
        }
        Ok(self.reference(path, optional))
    }

    fn reference(&self, path: Vec<String>, optional: bool) -> Expression {
        let said = format!("{}: {}", self.place.label(), self.line());
        let at = ReferencePlace { said, byte: self.at, source: self.place.source.clone() };
        Expression::Substitution { path, optional, prefix: 0, at }
    }

    fn unquoted(&mut self) -> ParseResult<Expression> {
        let rest = self.rest();
        let end = rest
            .char_indices()
            .find(|(at, c)| c.is_whitespace() || is_forbidden(*c) || rest[*at..].starts_with("//"))
            .map_or(rest.len(), |(at, _)| at);
        // A plus may stand in a number and nowhere else.
        let digits = rest.find(|c: char| !c.is_ascii_digit() && !"eE+-.".contains(c)).unwrap_or(rest.len());
        let end = if digits > end && is_number(&rest[..digits]) { digits } else { end };
        if end == 0 {
            return Err(self.error("expecting a value here"));
        }
        self.at += end;
        Ok(match &rest[..end] {
            "null" => Expression::Null,
            "true" => Expression::Bool(true),
            "false" => Expression::Bool(false),
            text if is_number(text) => Expression::Number(text.to_owned()),
            text => Expression::Text(text.to_owned()),
        })
    }

    pub(super) fn quoted(&mut self) -> ParseResult<String> {
        if self.take("\"\"\"") {
            let rest = self.rest();
            let end = rest.find("\"\"\"").ok_or_else(|| self.error("expecting three quotes here"))?;
            // More than three quotes at the end: the first ones belong to the text.
            let more = rest[end + 3..].len() - rest[end + 3..].trim_start_matches('"').len();
            self.at += end + 3 + more;
            return Ok(rest[..end + more].to_owned());
        }
        self.at += 1;
        let mut out = String::new();
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(out),
                '\n' => break,
                '\\' => out.push(self.escape().ok_or_else(|| self.error("expecting an escape here"))?),
                c => out.push(c),
            }
        }
        Err(self.error("expecting a quote here"))
    }

    fn escape(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let code = u32::from_str_radix(self.rest().get(..4)?, 16).ok()?;
                self.at += 4;
                char::from_u32(code)?
            }
            '"' | '\\' | '/' => c,
            _ => return None,
        })
    }
}

fn trimmed(part: &str, is_last: bool) -> String {
    if is_last { part.trim().to_owned() } else { part.trim_start().to_owned() }
}

/// Tells whether a character ends a text without quotes.
pub(super) fn ends_text(c: char) -> bool {
    c.is_whitespace() || is_forbidden(c)
}

/// Tells whether a text is a number: a point has digits on both sides, as Ruby wants it.
fn is_number(text: &str) -> bool {
    let is_before_digit = |(at, _): (usize, &str)| text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && text.parse::<f64>().is_ok()
        && text.match_indices('.').all(is_before_digit)
}

fn is_forbidden(c: char) -> bool {
    "$\"{}[]:=,+#`^?!@*&\\\n".contains(c)
}
