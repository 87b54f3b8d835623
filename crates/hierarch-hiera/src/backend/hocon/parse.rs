//! HOCON text as a tree of assignments.

/// A value as it is written.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Null,
    Bool(bool),
    /// A number, with its text for when it is joined with others.
    Number(String),
    Text(String),
    /// Blanks between two values that are joined.
    Blank(String),
    List(Vec<Placed>),
    Object(Object),
    Substitution {
        path: Vec<String>,
        optional: bool,
    },
    Joined(Vec<Node>),
}

/// The assignments of an object: to each key one or more, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Object(pub(super) Vec<(String, Vec<Placed>)>);

/// A value with the bytes that it is written in.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) node: Node,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Object {
    fn assign(&mut self, path: &[String], value: Placed) {
        let Some((key, rest)) = path.split_first() else { return };
        let value = if rest.is_empty() {
            value
        } else {
            let mut inner = Object::default();
            let (start, end) = (value.start, value.end);
            inner.assign(rest, value);
            Placed { node: Node::Object(inner), start, end }
        };
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some((_, values)) => values.push(value),
            None => self.0.push((key.clone(), vec![value])),
        }
    }
}

type Parsed<T> = Result<T, String>;

/// Collections inside collections.
const DEPTH: usize = 200;

/// Parses a file; the braces around it may be left out.
pub(super) fn parse(text: &str) -> Parsed<Object> {
    let mut parser = Parser { text, at: 0, depth: 0 };
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

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
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
    fn bad_key_end(&mut self, key: &str) -> String {
        self.skip_lines();
        let token = match self.peek() {
            None => "end of file".to_owned(),
            Some(c) => format!(
                "'{c}' (if you intended '{c}' to be part of a key or string value, try enclosing the key or value in double quotes"
            ),
        };
        format!("String: {}: Key '{key}' may not be followed by token: {token}", self.line())
    }

    fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    fn error(&self, words: &str) -> String {
        let line = self.line();
        let got = match self.peek() {
            None => "end of file".to_owned(),
            Some(c) => format!("'{c}'"),
        };
        format!("String: {line}: {words}, got {got}")
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n').len();
        if self.rest().starts_with('#') || self.rest().starts_with("//") {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Skips blanks, comments and line ends. Tells whether a line ended.
    fn skip_lines(&mut self) -> bool {
        let mut ended = false;
        loop {
            self.skip_blanks();
            if !self.take("\n") {
                return ended;
            }
            ended = true;
        }
    }

    fn object(&mut self, braced: bool) -> Parsed<Object> {
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

    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEPTH { Err(self.error("expecting less depth here")) } else { Ok(()) }
    }

    fn field(&mut self, object: &mut Object) -> Parsed<()> {
        let path = self.path(|c| "=:{+".contains(c))?;
        if path.first().is_some_and(|name| name == "include")
            && path.len() == 1
            && self.rest().starts_with('"')
        {
            return Err(self.error("expecting no include here: includes are not understood"));
        }
        self.skip_blanks();
        if self.take("+=") {
            let value = self.placed()?;
            let (start, end) = (value.start, value.end);
            let before = Node::Substitution { path: path.clone(), optional: true };
            let node = Node::Joined(vec![before, Node::List(vec![value])]);
            object.assign(&path, Placed { node, start, end });
            return Ok(());
        }
        if self.take("=") || self.take(":") || self.rest().starts_with('{') {
            self.skip_lines();
            let value = self.placed()?;
            object.assign(&path, value);
            return Ok(());
        }
        Err(self.bad_key_end(&path.join(".")))
    }

    /// Reads `a.b."c d"` up to something that ends it.
    fn path(&mut self, ends: impl Fn(char) -> bool) -> Parsed<Vec<String>> {
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

    fn placed(&mut self) -> Parsed<Placed> {
        self.skip_blanks();
        let start = self.at;
        let node = self.value()?;
        let end = start + self.text[start..self.at].trim_end().len();
        Ok(Placed { node, start, end })
    }

    fn value(&mut self) -> Parsed<Node> {
        let mut parts = Vec::new();
        loop {
            let start = self.at;
            self.skip_blanks();
            let blank = &self.text[start..self.at];
            let Some(part) = self.part()? else { break };
            if !parts.is_empty() && !blank.is_empty() {
                parts.push(Node::Blank(blank.to_owned()));
            }
            parts.push(part);
        }
        match parts.len() {
            0 => Err(self.error("expecting a value here")),
            1 => Ok(parts.remove(0)),
            _ => Ok(Node::Joined(parts)),
        }
    }

    fn part(&mut self) -> Parsed<Option<Node>> {
        Ok(Some(match self.peek() {
            None | Some('\n' | ',' | '}' | ']') => return Ok(None),
            Some('"') => Node::Text(self.quoted()?),
            Some('{') => {
                self.at += 1;
                Node::Object(self.object(true)?)
            }
            Some('[') => self.list()?,
            Some('$') => self.substitution()?,
            Some(_) => self.unquoted()?,
        }))
    }

    fn list(&mut self) -> Parsed<Node> {
        self.enter()?;
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
        Ok(Node::List(items))
    }

    fn substitution(&mut self) -> Parsed<Node> {
        if !self.take("${") {
            return Err(self.error("expecting a substitution here"));
        }
        let optional = self.take("?");
        let path = self.path(|c| c == '}')?;
        if !self.take("}") {
            return Err(self.error("expecting a close brace here"));
        }
        Ok(Node::Substitution { path, optional })
    }

    fn unquoted(&mut self) -> Parsed<Node> {
        let rest = self.rest();
        let end = rest
            .char_indices()
            .find(|(at, c)| c.is_whitespace() || is_forbidden(*c) || rest[*at..].starts_with("//"))
            .map_or(rest.len(), |(at, _)| at);
        if end == 0 {
            return Err(self.error("expecting a value here"));
        }
        self.at += end;
        Ok(match &rest[..end] {
            "null" => Node::Null,
            "true" => Node::Bool(true),
            "false" => Node::Bool(false),
            text if text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                && text.parse::<f64>().is_ok() =>
            {
                Node::Number(text.to_owned())
            }
            text => Node::Text(text.to_owned()),
        })
    }

    fn quoted(&mut self) -> Parsed<String> {
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

fn is_forbidden(c: char) -> bool {
    "$\"{}[]:=,+#`^?!@*&\\\n".contains(c)
}
