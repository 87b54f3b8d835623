//! From Ruby's notation of regular expressions to the engine's, one pass from left to right.

use super::class;
use super::fold;
use super::groups::group_name;
use super::reader::Reader;

/// What is wrong with a pattern, in Onigmo's words.
pub(super) type Problem = String;

/// A pattern for the engine.
pub(super) struct TranslatedPattern {
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

impl TranslatedPattern {
    /// Returns the pattern for subjects that end in a newline.
    pub(super) fn strict_pattern(&self) -> String {
        self.pattern.replace(LINE_START, STRICT_LINE_START)
    }
}

/// Translates a pattern.
pub(super) fn translate(source: &str) -> Result<TranslatedPattern, Problem> {
    let mut reader = Reader::new(source);
    let (groups, names) = scan_groups(source);
    let mut writer = Writer {
        out: String::with_capacity(source.len() + 16),
        open: vec![OpenGroup::default()],
        atom: None,
        total: groups,
        plain: 0,
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
    Ok(TranslatedPattern {
        pattern: writer.out,
        groups: if writer.names.is_empty() { groups } else { writer.names.len() },
        names: writer.names,
        has_line_start: writer.has_line_start,
        is_doubtful: writer.is_doubtful,
    })
}

/// The pattern being written.
pub(super) struct Writer {
    pub(super) out: String,
    /// The groups that are open, the whole pattern first.
    pub(super) open: Vec<OpenGroup>,
    /// Where the last atom starts in `out`, and whether its quantifier was an interval; none: nothing to repeat.
    pub(super) atom: Option<usize>,
    pub(super) total: usize,
    /// How many plain groups were opened so far.
    pub(super) plain: usize,
    pub(super) names: Vec<String>,
    pub(super) has_line_start: bool,
    pub(super) is_doubtful: bool,
    /// The names of groups that have been opened so far.
    pub(super) opened: Vec<String>,
    /// The last atom looks ahead or behind, which the engine does not repeat.
    pub(super) is_look: bool,
    /// What is only found out once the whole pattern is read.
    pub(super) late_problem: Option<Problem>,
    /// What counts only if nothing else is wrong: a group that is not there.
    pub(super) last_problem: Option<Problem>,
}

/// An open group.
#[derive(Clone, Default)]
pub(super) struct OpenGroup {
    pub(super) start: usize,
    /// How many `(?i:` were opened for options that reach to the end of the group.
    pub(super) options: usize,
    pub(super) extended: bool,
    pub(super) lookbehind: bool,
    /// It looks ahead or behind.
    pub(super) look: bool,
    /// Letters match in either case.
    pub(super) ignores_case: bool,
    /// What `\w` and its like stand for.
    pub(super) range: Range,
    /// The number of a group that captures.
    pub(super) number: Option<usize>,
    /// It is a conditional.
    pub(super) branches: Option<Branches>,
    /// It is what must be absent, written as a look behind.
    pub(super) is_absent: bool,
}

/// What the classes that are written with a letter or in brackets stand for: `(?d)`, `(?a)` and `(?u)`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Range {
    /// Letters are ASCII, brackets Unicode.
    #[default]
    Default,
    /// All are ASCII.
    Ascii,
    /// All are Unicode.
    Unicode,
}

/// The branches of a conditional.
#[derive(Clone, Copy, Default)]
pub(super) struct Branches {
    /// How many bars were read.
    pub(super) bars: usize,
    /// Whether the condition can never hold: it asks for the group that it stands in.
    pub(super) never: bool,
}

impl Writer {
    fn translate(&mut self, c: char, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match c {
            '\\' => self.escape(reader),
            '[' => self.class(reader),
            '(' => self.open_group(reader),
            ')' => self.close_group(),
            '|' => self.bar(),
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
                self.literal(c, reader);
                Ok(())
            }
        }
    }

    fn bar(&mut self) -> Result<(), Problem> {
        if let Some(branches) = self.open.last_mut().and_then(|open| open.branches.as_mut()) {
            branches.bars += 1;
            if branches.bars > 1 {
                return Err("invalid conditional pattern".into());
            }
        }
        self.out.push('|');
        self.atom = None;
        Ok(())
    }

    /// A character that means itself. Where case does not count, the plain characters behind it are taken along,
    /// because several may fold to one.
    fn literal(&mut self, c: char, reader: &mut Reader<'_>) {
        if !self.inner().ignores_case {
            return self.atom(&class::literal(c));
        }
        let mut run = vec![c];
        if !is_repeated(reader.rest()) {
            run.extend(reader.plain_run(self.is_extended()));
        }
        self.atom(&format!("(?:{})", fold::run(&run, class::literal)));
    }

    fn class(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let open = self.inner();
        let (ignores_case, range) = (open.ignores_case, open.range);
        let class = class::read(reader, range)?;
        let text = if ignores_case { class.ignoring_case() } else { class.text };
        self.atom(&text);
        Ok(())
    }

    /// Returns the innermost open group, or the whole pattern.
    pub(super) fn inner(&self) -> OpenGroup {
        self.open.last().cloned().unwrap_or_default()
    }

    pub(super) fn is_extended(&self) -> bool {
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
        let range = self.inner().range;
        if let Some(class) = class::shorthand(c, range) {
            self.atom(class);
            return Ok(());
        }
        match c {
            'z' => self.varying(r"\z"),
            'b' if range == Range::Ascii => self.look(ASCII_EDGE),
            'B' if range == Range::Ascii => self.look(&format!("(?!{ASCII_EDGE})")),
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
                let ignores_case = self.inner().ignores_case;
                self.atom(&if ignores_case { class::latin_apart(&class) } else { class });
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
                let expansion = fold::expansion(c).filter(|_| self.inner().ignores_case);
                let literal = class::literal(c);
                self.atom(
                    &expansion.map_or_else(|| literal.clone(), |longer| format!("(?:{literal}|{longer})")),
                );
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
        let known = self.groups_named(&name);
        let meant: Vec<usize> = match letter {
            'g' => known,
            // Of groups with one name those that were opened; the last one is tried first.
            _ => known.into_iter().take(self.times_opened(&name)).rev().collect(),
        };
        if meant.is_empty() {
            return Err(format!("undefined name <{name}> reference"));
        }
        if letter == 'g' && meant.len() > 1 {
            return Err(format!("multiplex definition name <{name}> call"));
        }
        self.is_doubtful = true;
        let each = meant.iter().map(|index| format!("\\{letter}<{}>", group_name(*index)));
        self.atom(&format!("(?:{})", each.collect::<Vec<_>>().join("|")));
        Ok(())
    }

    /// Returns the places among all named groups of those with a name; several may have it.
    fn groups_named(&self, name: &str) -> Vec<usize> {
        let all = self.names.iter().enumerate();
        all.filter(|(_, known)| *known == name).map(|(place, _)| place).collect()
    }

    /// Tells how many groups with a name have been opened so far.
    fn times_opened(&self, name: &str) -> usize {
        self.opened.iter().filter(|known| *known == name).count()
    }

    /// Opens a named group and returns its place among all of them.
    pub(super) fn open_named(&mut self, name: &str) -> usize {
        let known = self.groups_named(name);
        let place = known.get(self.times_opened(name)).or(known.last()).copied().unwrap_or(0);
        self.opened.push(name.to_owned());
        place
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

    /// Notes a problem that counts only if the rest of the pattern has none.
    pub(super) fn late(&mut self, problem: &str) {
        self.late_problem.get_or_insert_with(|| problem.to_owned());
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
    pub(super) fn check_lookbehind(&mut self) {
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

/// An edge between a word and what is none, both in ASCII.
const ASCII_EDGE: &str = "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))";

/// Tells whether what comes next repeats the character before it.
pub(super) fn is_repeated(rest: &str) -> bool {
    rest.starts_with(['*', '+', '?', '{'])
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
                    names.push(name);
                }
                Some(_) => {}
                None if !rest.starts_with('?') => plain += 1,
                // What stands in the brackets of a condition does not open a group.
                None if rest.starts_with("?(") => rest = &rest[2..],
                None => {}
            },
            _ => {}
        }
    }
    (plain, names)
}
