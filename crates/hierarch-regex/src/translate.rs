//! From Ruby's notation of regular expressions to the engine's, one pass from left to right.

use super::class;

/// What is wrong with a pattern, in Onigmo's words.
pub(super) type Problem = String;

/// A pattern for the engine.
pub(super) struct Translated {
    /// The pattern, `^` written as [`LINE_START`].
    pub(super) pattern: String,
    /// The names of named groups, by number.
    pub(super) names: Vec<String>,
    /// How many groups capture.
    pub(super) groups: usize,
    /// Whether `^` occurs, so that a subject's last newline matters.
    pub(super) has_line_start: bool,
    /// Whether the engine may refuse it, so that it had better be asked at once.
    pub(super) is_doubtful: bool,
}

/// A `^` of the engine, marked so that it can be found again.
const LINE_START: &str = "(?:^)";
/// A `^` that does not match after a newline at the very end.
const STRICT_LINE_START: &str = r"(?:\A|(?<=\n)(?!\z))";

impl Translated {
    /// Returns the pattern for subjects that end in a newline.
    pub(super) fn strict_pattern(&self) -> String {
        self.pattern.replace(LINE_START, STRICT_LINE_START)
    }
}

/// Translates a pattern.
pub(super) fn translate(source: &str) -> Result<Translated, Problem> {
    let mut reader = Reader { source, at: 0 };
    let (groups, names) = scan_groups(source);
    let mut writer = Writer {
        out: String::with_capacity(source.len() + 16),
        open: vec![Open::default()],
        atom: None,
        total: groups,
        names,
        has_line_start: false,
        is_doubtful: false,
        opened: Vec::new(),
        is_look: false,
        late_problem: None,
        last_problem: None,
    };
    while let Some(c) = reader.next() {
        writer.translate(c, &mut reader)?;
    }
    if writer.open.len() > 1 {
        return Err("end pattern with unmatched parenthesis".into());
    }
    if let Some(problem) = writer.late_problem.take().or(writer.last_problem.take()) {
        return Err(problem);
    }
    writer.close_options();
    Ok(Translated {
        pattern: writer.out,
        groups: if writer.names.is_empty() { groups } else { writer.names.len() },
        names: writer.names,
        has_line_start: writer.has_line_start,
        is_doubtful: writer.is_doubtful,
    })
}

/// The pattern being read.
pub(super) struct Reader<'a> {
    source: &'a str,
    at: usize,
}

/// The pattern being written.
struct Writer {
    out: String,
    /// The groups that are open, the whole pattern first.
    open: Vec<Open>,
    /// Where the last atom starts in `out`, and whether its quantifier was an interval; none: nothing to repeat.
    atom: Option<usize>,
    total: usize,
    names: Vec<String>,
    has_line_start: bool,
    is_doubtful: bool,
    /// The names of groups that have been opened so far.
    opened: Vec<String>,
    /// The last atom looks ahead or behind, which the engine does not repeat.
    is_look: bool,
    /// What is only found out once the whole pattern is read.
    late_problem: Option<Problem>,
    /// What counts only if nothing else is wrong: a group that is not there.
    last_problem: Option<Problem>,
}

/// An open group.
#[derive(Clone, Default)]
struct Open {
    start: usize,
    /// How many `(?i:` were opened for options that reach to the end of the group.
    options: usize,
    extended: bool,
    lookbehind: bool,
    /// It looks ahead or behind.
    look: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn take(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    fn digits(&mut self, radix: u32, most: usize) -> &'a str {
        let length = self.rest().chars().take(most).take_while(|c| c.is_digit(radix)).count();
        let digits = &self.rest()[..length];
        self.at += length;
        digits
    }

    /// Reads the rest of an escape that stands for one character; `c` follows the backslash.
    pub(super) fn character_escape(&mut self, c: char) -> Result<char, Problem> {
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            'x' | '0'..='7' => {
                let first = self.escaped_byte(c)?;
                return self.character_of_bytes(first);
            }
            'u' => {
                let digits = self.digits(16, 4);
                return code(if digits.len() < 4 { "" } else { digits }, 16, "invalid Unicode escape");
            }
            'c' => return self.control(),
            'C' if self.take('-') => return self.control(),
            'C' => return Err("too short control escape".into()),
            'M' => return Err("too short meta escape".into()),
            c => c,
        })
    }

    /// Reads the byte that is written after a backslash in hexadecimal or octal digits; `c` follows the backslash.
    fn escaped_byte(&mut self, c: char) -> Result<u8, Problem> {
        let (digits, radix) = if c == 'x' {
            (self.digits(16, 2), 16)
        } else {
            self.at -= 1;
            (self.digits(8, 3), 8)
        };
        if digits.is_empty() {
            return Err("invalid hex escape".into());
        }
        u8::from_str_radix(digits, radix).map_err(|_| "invalid escape code".into())
    }

    /// Reads on after an escaped byte: those of a character beyond ASCII stand one after another.
    fn character_of_bytes(&mut self, first: u8) -> Result<char, Problem> {
        let needed = match first {
            0..=0x7f => 1,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return Err("invalid multibyte escape".into()),
        };
        let mut bytes = vec![first];
        while bytes.len() < needed {
            if !self.take('\\') {
                return Err("too short escaped multibyte character".into());
            }
            match self.next() {
                Some(c @ ('x' | '0'..='7')) => bytes.push(self.escaped_byte(c)?),
                _ => return Err("unexpected escape sequence".into()),
            }
        }
        let text = String::from_utf8(bytes).map_err(|_| "invalid multibyte escape")?;
        text.chars().next().ok_or_else(|| "invalid multibyte escape".into())
    }

    fn control(&mut self) -> Result<char, Problem> {
        let c = self.next().ok_or("too short control escape")?;
        Ok(char::from((u32::from(c) & 0x1f) as u8))
    }

    /// Reads `{61 62}` after `\u`.
    pub(super) fn unicode_list(&mut self) -> Result<Vec<char>, Problem> {
        let end = self.rest().find('}').ok_or("invalid Unicode list")?;
        let list = &self.rest()[1..end];
        self.at += end + 1;
        list.split_whitespace().map(|digits| code(digits, 16, "invalid Unicode range")).collect()
    }
}

fn code(digits: &str, radix: u32, problem: &str) -> Result<char, Problem> {
    u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).ok_or_else(|| problem.into())
}

impl Writer {
    fn translate(&mut self, c: char, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match c {
            '\\' => self.escape(reader),
            '[' => {
                let class = class::read(reader)?;
                self.atom(&class);
                Ok(())
            }
            '(' => self.open_group(reader),
            ')' => self.close_group(),
            '|' => {
                self.out.push('|');
                self.atom = None;
                Ok(())
            }
            '^' => {
                self.has_line_start = true;
                self.atom(LINE_START);
                Ok(())
            }
            '$' | '.' => {
                self.atom(&c.to_string());
                Ok(())
            }
            '*' | '+' | '?' => self.repeat(&c.to_string(), reader),
            '{' => self.interval(reader),
            c if self.is_extended() && c.is_ascii_whitespace() => Ok(()),
            '#' if self.is_extended() => {
                while reader.next().is_some_and(|c| c != '\n') {}
                Ok(())
            }
            c => {
                self.atom(&class::literal(c));
                Ok(())
            }
        }
    }

    fn is_extended(&self) -> bool {
        self.open.last().is_some_and(|open| open.extended)
    }

    fn atom(&mut self, text: &str) {
        self.is_look = false;
        self.atom = Some(self.out.len());
        self.out.push_str(text);
    }

    /// An atom that takes no characters and that the engine does not repeat.
    fn look(&mut self, text: &str) {
        self.atom(text);
        self.is_look = true;
    }

    /// An atom of varying length.
    fn varying(&mut self, text: &str) {
        self.check_lookbehind();
        self.atom(text);
    }

    fn escape(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let c = reader.next().ok_or("too short escape sequence")?;
        if let Some(class) = class::shorthand(c) {
            self.atom(class);
            return Ok(());
        }
        match c {
            'z' => self.varying(r"\z"),
            'A' | 'b' | 'B' | 'G' => self.atom(&format!("\\{c}")),
            'K' => self.look(r"\K"),
            'Z' => {
                self.check_lookbehind();
                self.look(r"(?=\n?\z)");
            }
            'R' => self.varying(r"(?>\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])"),
            'X' => self.varying(r"(?>\r\n|\P{M}\p{M}*|\p{M}+)"),
            'p' | 'P' if reader.rest().starts_with('{') => {
                let class = class::property_escape(reader, c == 'P')?;
                self.atom(&class);
            }
            'k' | 'g' if reader.rest().starts_with(['<', '\'']) => return self.reference(c, reader),
            '1'..='9' => return self.numbered(c, reader),
            'u' if reader.rest().starts_with('{') => {
                for c in reader.unicode_list()? {
                    self.atom(&class::literal(c));
                }
            }
            c => {
                let c = reader.character_escape(c)?;
                self.atom(&class::literal(c));
            }
        }
        Ok(())
    }

    /// `\1`: a group, or else an octal code.
    fn numbered(&mut self, first: char, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let digits =
            format!("{first}{}", reader.rest().chars().take_while(char::is_ascii_digit).collect::<String>());
        let number: usize = digits.parse().unwrap_or(usize::MAX);
        if number <= self.total || number <= 9 {
            if !self.names.is_empty() {
                self.late("numbered backref/call is not allowed. (use name)");
            } else if number > self.total {
                self.last_problem = Some("invalid backref number/name".into());
            }
            reader.skip(digits.len() - 1);
            self.atom(&format!("(?:\\{number})"));
            return Ok(());
        }
        let c = reader.character_escape(first)?;
        self.atom(&class::literal(c));
        Ok(())
    }

    /// `\k<name>` and `\g<name>`.
    fn reference(&mut self, letter: char, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let close = if reader.next() == Some('<') { '>' } else { '\'' };
        let end =
            reader.rest().find(close).ok_or_else(|| format!("invalid group name <{}>", reader.rest()))?;
        let name = reader.rest()[..end].to_owned();
        reader.skip(end + 1);
        let numeric =
            name.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty();
        if numeric {
            return self.numeric_reference(letter, &name);
        }
        let is_known = letter == 'g' || self.opened.contains(&name);
        let index = self.names.iter().position(|known| *known == name).filter(|_| is_known);
        let index = index.ok_or_else(|| format!("undefined name <{name}> reference"))?;
        self.is_doubtful = true;
        self.atom(&format!("(?:\\{letter}<{}>)", group_name(&name, index)));
        Ok(())
    }

    fn numeric_reference(&mut self, letter: char, name: &str) -> Result<(), Problem> {
        if !self.names.is_empty() {
            self.late("numbered backref/call is not allowed. (use name)");
            return Ok(());
        }
        let number: i64 = name.parse().unwrap_or(i64::MAX);
        let seen = self.out.matches('(').count() as u64;
        let distance = number.unsigned_abs();
        if distance > self.total as u64 || (number == 0 && letter == 'k') || distance > seen {
            return Err("invalid backref number/name".into());
        }
        self.is_doubtful = true;
        self.atom(&format!("(?:\\{letter}<{name}>)"));
        Ok(())
    }

    fn open_group(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        if !reader.take('?') {
            let text = if self.names.is_empty() { "(" } else { "(?:" };
            self.push_group(text, false);
            return Ok(());
        }
        match reader.next().ok_or("end pattern in group")? {
            '#' => loop {
                match reader.next().ok_or("end pattern in group")? {
                    '\\' => {
                        reader.next();
                    }
                    ')' => return Ok(()),
                    _ => {}
                }
            },
            ':' => self.push_group("(?:", false),
            '>' => {
                self.check_lookbehind();
                self.push_group("(?>", false);
            }
            c @ ('=' | '!') => self.push_look(&format!("(?{c}"), false),
            '~' => {
                self.is_doubtful = true;
                self.push_group("(?~", false);
            }
            '<' if reader.take('=') => self.push_look("(?<=", true),
            '<' if reader.take('!') => self.push_look("(?<!", true),
            '<' => return self.named_group(reader, '>'),
            '\'' => return self.named_group(reader, '\''),
            '(' => return self.conditional(reader),
            c => return self.options(c, reader),
        }
        Ok(())
    }

    /// Notes a problem that counts only if the rest of the pattern has none.
    fn late(&mut self, problem: &str) {
        self.late_problem.get_or_insert_with(|| problem.to_owned());
    }

    fn push_look(&mut self, text: &str, lookbehind: bool) {
        if !lookbehind {
            self.check_lookbehind();
        }
        self.push_group(text, lookbehind);
        if let Some(open) = self.open.last_mut() {
            open.look = true;
        }
    }

    fn push_group(&mut self, text: &str, lookbehind: bool) {
        let outer = self.open.last().cloned().unwrap_or_default();
        let lookbehind = lookbehind || outer.lookbehind;
        self.open.push(Open { start: self.out.len(), options: 0, lookbehind, look: false, ..outer });
        self.out.push_str(text);
        self.atom = None;
    }

    fn named_group(&mut self, reader: &mut Reader<'_>, close: char) -> Result<(), Problem> {
        let Some(end) =
            reader.rest().find([close, ')']).filter(|end| reader.rest()[*end..].starts_with(close))
        else {
            return Err(format!("invalid group name <{}>", shortened(reader.rest())));
        };
        let name = &reader.rest()[..end];
        if name.is_empty() {
            return Err("group name is empty".into());
        }
        if name.starts_with(|c: char| !c.is_alphabetic() && c != '_') {
            return Err(format!("invalid group name <{name}>"));
        }
        let index = self.names.iter().position(|known| known == name).unwrap_or(0);
        let text = format!("(?<{}>", group_name(name, index));
        self.opened.push(name.to_owned());
        reader.skip(end + 1);
        self.push_group(&text, false);
        Ok(())
    }

    /// `(?(1)yes|no)`.
    fn conditional(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let end = reader.rest().find(')').ok_or("end pattern in group")?;
        let condition = reader.rest()[..end].trim_matches(['<', '>', '\'']).to_owned();
        let valid = match condition.parse::<usize>() {
            Ok(number) => number <= self.total,
            Err(_) => self.names.contains(&condition),
        };
        if !valid {
            return Err("invalid backref number/name".into());
        }
        reader.skip(end + 1);
        self.is_doubtful = true;
        self.push_group(&format!("(?({condition})"), false);
        Ok(())
    }

    /// `(?i)`, `(?m-x:…)`: `m` is the engine's `s`, and `x` is dealt with here.
    fn options(&mut self, first: char, reader: &mut Reader<'_>) -> Result<(), Problem> {
        if first == ')' {
            return Err("undefined group option".into());
        }
        let (mut on, mut off, mut negative) = (String::new(), String::new(), false);
        let mut extended = self.is_extended();
        let mut next = Some(first);
        loop {
            let flags = if negative { &mut off } else { &mut on };
            match next.ok_or("end pattern in group")? {
                '-' => negative = true,
                'i' => flags.push('i'),
                'm' => flags.push('s'),
                'x' => extended = !negative,
                'a' | 'd' | 'u' if !negative => {}
                c @ (':' | ')') => {
                    let minus = if off.is_empty() { "" } else { "-" };
                    self.apply_options(&format!("(?{on}{minus}{off}:"), extended, c == ')');
                    return Ok(());
                }
                _ => return Err("undefined group option".into()),
            }
            next = reader.next();
        }
    }

    fn apply_options(&mut self, text: &str, extended: bool, to_the_end: bool) {
        if to_the_end {
            self.out.push_str(text);
            self.atom = None;
            if let Some(open) = self.open.last_mut() {
                open.options += 1;
                open.extended = extended;
            }
        } else {
            self.push_group(text, false);
            if let Some(open) = self.open.last_mut() {
                open.extended = extended;
            }
        }
    }

    fn close_options(&mut self) {
        let options = self.open.last().map_or(0, |open| open.options);
        self.out.extend(std::iter::repeat_n(')', options));
    }

    fn close_group(&mut self) -> Result<(), Problem> {
        if self.open.len() == 1 {
            return Err("unmatched close parenthesis".into());
        }
        self.close_options();
        self.out.push(')');
        let closed = self.open.pop();
        self.is_look = closed.as_ref().is_some_and(|open| open.look);
        self.atom = closed.map(|open| open.start);
        Ok(())
    }

    /// `{n}`, `{n,}`, `{,m}`, `{n,m}`; a brace that is none of these is itself.
    fn interval(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let Some((low, high, length)) = read_interval(reader.rest()) else {
            self.atom(r"\{");
            return Ok(());
        };
        if self.atom.is_none() {
            return Err("target of repeat operator is not specified".into());
        }
        let parse = |digits: &str| digits.parse::<u32>().ok().filter(|number| *number <= 100_000);
        let bound = |digits: &str| parse(digits).ok_or("too big number for repeat range");
        let low_bound = if low.is_empty() { 0 } else { bound(&low)? };
        let text = match &high {
            None => format!("{{{low_bound}}}"),
            Some(high) if high.is_empty() => format!("{{{low_bound},}}"),
            Some(high) => {
                if bound(high)? < low_bound {
                    return Err("upper is smaller than lower in repeat range".into());
                }
                format!("{{{low_bound},{high}}}")
            }
        };
        reader.skip(length);
        let exact = high.is_none();
        if exact {
            self.push_repeat(&text);
            // `a{2}?` makes the whole optional, it is not a reluctant form.
            return Ok(());
        }
        self.check_lookbehind();
        let reluctant = if reader.take('?') { "?" } else { "" };
        self.push_repeat(&format!("{text}{reluctant}"));
        Ok(())
    }

    fn repeat(&mut self, operator: &str, reader: &mut Reader<'_>) -> Result<(), Problem> {
        if self.atom.is_none() {
            return Err("target of repeat operator is not specified".into());
        }
        self.check_lookbehind();
        let mode = match reader.rest().chars().next() {
            Some(c @ ('?' | '+')) => {
                reader.next();
                c.to_string()
            }
            _ => String::new(),
        };
        self.push_repeat(&format!("{operator}{mode}"));
        Ok(())
    }

    /// A look behind must know how far to go back.
    fn check_lookbehind(&mut self) {
        if self.open.last().is_some_and(|open| open.lookbehind) {
            self.late("invalid pattern in look-behind");
        }
    }

    /// Repeats the last atom and makes the whole one atom, so that another quantifier may follow.
    fn push_repeat(&mut self, text: &str) {
        let start = self.atom.unwrap_or(self.out.len());
        if matches!(&self.out[start..], "(?:)" | "()") {
            return;
        }
        let may_be_left_out = text.starts_with(['*', '?']) || text.starts_with("{0");
        let is_reluctant = self.is_look && may_be_left_out && text.len() > 1 && text.ends_with('?');
        self.out.insert_str(start, if is_reluctant { "(?:|" } else { "(?:" });
        // A look that may be repeated is one look; one that may be left out matches anyway, but may capture.
        if !self.is_look {
            self.out.push_str(text);
        } else if may_be_left_out && !is_reluctant {
            self.out.push('|');
        }
        self.out.push(')');
    }
}

/// Cuts a text as Onigmo does in its messages.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 50 {
        text.to_owned()
    } else {
        text.chars().take(47).chain("...".chars()).collect()
    }
}

/// Reads an interval's bounds and its length in bytes, the opening brace already taken.
fn read_interval(text: &str) -> Option<(String, Option<String>, usize)> {
    let end = text.find('}')?;
    let body = &text[..end];
    let (low, high) = match body.split_once(',') {
        Some((low, high)) => (low, Some(high)),
        None => (body, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let bare = low.is_empty() && high.is_none_or(str::is_empty);
    (digits(low) && high.is_none_or(digits) && !bare).then(|| (low.into(), high.map(str::to_owned), end + 1))
}

/// Returns the name a group has for the engine, which does not take all that Ruby takes.
fn group_name(name: &str, index: usize) -> String {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        name.into()
    } else {
        format!("group_{index}")
    }
}

/// Counts plain groups and lists named ones.
fn scan_groups(source: &str) -> (usize, Vec<String>) {
    let (mut plain, mut names, mut depth) = (0, Vec::new(), 0);
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => rest = rest.chars().next().map_or(rest, |c| &rest[c.len_utf8()..]),
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            '(' if depth == 0 => match rest.strip_prefix("?<").or_else(|| rest.strip_prefix("?'")) {
                Some(name) if !name.starts_with(['=', '!']) => {
                    let name: String = name.chars().take_while(|c| !matches!(c, '>' | '\'' | ')')).collect();
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                Some(_) => {}
                None if !rest.starts_with('?') => plain += 1,
                None => {}
            },
            _ => {}
        }
    }
    (plain, names)
}
