//! Groups of a pattern: plain, named, looking around, conditional, and those that only set options.

use super::reader::Reader;
use super::translate::{Branches, OpenGroup, Problem, Range, Writer};

impl Writer {
    pub(super) fn open_group(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        if !reader.take('?') {
            if self.names.is_empty() {
                self.plain += 1;
                self.push_group("(", false);
                self.number_last(self.plain);
            } else {
                self.push_group("(?:", false);
            }
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
            // Nothing is complete before the first character.
            '~' if reader.rest().starts_with(')') => self.push_group("(?:", false),
            '~' if reader.rest().starts_with('|') => {
                self.is_doubtful = true;
                self.push_group("(?~", false);
            }
            '~' => self.absent(),
            '<' if reader.take('=') => self.push_look("(?<=", true),
            '<' if reader.take('!') => self.push_look("(?<!", true),
            '<' => return self.named_group(reader, '>'),
            '\'' => return self.named_group(reader, '\''),
            '(' => return self.conditional(reader),
            c => return self.options(c, reader),
        }
        Ok(())
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
        self.open.push(OpenGroup {
            start: self.out.len(),
            options: 0,
            lookbehind,
            look: false,
            number: None,
            branches: None,
            is_absent: false,
            ..outer
        });
        self.out.push_str(text);
        self.atom = None;
    }

    /// `(?~x)`: as many characters as there are before an `x` is complete.
    fn absent(&mut self) {
        self.is_doubtful = true;
        self.push_group("(?:(?:(?s:.)(?<!", false);
        if let Some(open) = self.open.last_mut() {
            open.is_absent = true;
        }
    }

    fn number_last(&mut self, number: usize) {
        if let Some(open) = self.open.last_mut() {
            open.number = Some(number);
        }
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
        let index = self.open_named(name);
        let text = format!("(?<{}>", group_name(index));
        reader.skip(end + 1);
        self.push_group(&text, false);
        self.number_last(index + 1);
        Ok(())
    }

    /// `(?(1)yes|no)`.
    fn conditional(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let end = reader.rest().find(')').ok_or("end pattern in group")?;
        let number = self.condition(&reader.rest()[..end])?;
        reader.skip(end + 1);
        self.is_doubtful = true;
        let never = self.open.iter().any(|open| open.number == Some(number));
        let text = if never { "(?:(?!)".to_owned() } else { format!("(?({number})") };
        self.push_group(&text, false);
        if let Some(open) = self.open.last_mut() {
            open.branches = Some(Branches { bars: 0, never });
        }
        Ok(())
    }

    /// Returns the number of the group that a condition asks for.
    fn condition(&mut self, text: &str) -> Result<usize, Problem> {
        let inner = [('<', '>'), ('\'', '\'')]
            .into_iter()
            .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
        let name = inner.unwrap_or(text);
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            let name = inner.ok_or("invalid conditional pattern")?;
            let known = self.names.iter().position(|known| known == name);
            return known.map(|index| index + 1).ok_or_else(|| format!("undefined name <{name}> reference"));
        }
        let number: usize = name.parse().unwrap_or(usize::MAX);
        match number {
            0 => Err("invalid group name <0>".into()),
            _ if !self.names.is_empty() => {
                self.late("numbered backref/call is not allowed. (use name)");
                Ok(1)
            }
            number if number > self.total => {
                self.late("invalid backref number/name");
                Ok(1)
            }
            number => Ok(number),
        }
    }

    /// `(?i)`, `(?m-x:…)`: `m` is the engine's `s`, and `x` is dealt with here.
    fn options(&mut self, first: char, reader: &mut Reader<'_>) -> Result<(), Problem> {
        if first == ')' {
            return Err("undefined group option".into());
        }
        let (mut on, mut off, mut negative) = (String::new(), String::new(), false);
        let mut set = self.inner();
        let mut next = Some(first);
        loop {
            let flags = if negative { &mut off } else { &mut on };
            match next.ok_or("end pattern in group")? {
                '-' => negative = true,
                'i' => {
                    flags.push('i');
                    set.ignores_case = !negative;
                }
                'm' => flags.push('s'),
                'x' => set.extended = !negative,
                'a' if !negative => set.range = Range::Ascii,
                'd' if !negative => set.range = Range::Default,
                'u' if !negative => set.range = Range::Unicode,
                c @ (':' | ')') => {
                    let minus = if off.is_empty() { "" } else { "-" };
                    self.apply_options(&format!("(?{on}{minus}{off}:"), &set, c == ')');
                    return Ok(());
                }
                _ => return Err("undefined group option".into()),
            }
            next = reader.next();
        }
    }

    fn apply_options(&mut self, text: &str, set: &OpenGroup, to_the_end: bool) {
        if to_the_end {
            self.out.push_str(text);
            self.atom = None;
        } else {
            self.push_group(text, false);
        }
        if let Some(open) = self.open.last_mut() {
            open.options += usize::from(to_the_end);
            open.extended = set.extended;
            open.ignores_case = set.ignores_case;
            open.range = set.range;
        }
    }

    pub(super) fn close_options(&mut self) {
        let options = self.open.last().map_or(0, |open| open.options);
        self.out.extend(std::iter::repeat_n(')', options));
    }

    pub(super) fn close_group(&mut self) -> Result<(), Problem> {
        if self.open.len() == 1 {
            return Err("unmatched close parenthesis".into());
        }
        self.close_options();
        let ending = self.open.last().map_or("", |open| match open.branches {
            Some(Branches { bars: 0, never: true }) => "|",
            _ if open.is_absent => "))*",
            _ => "",
        });
        self.out.push_str(ending);
        self.out.push(')');
        let closed = self.open.pop();
        self.is_look = closed.as_ref().is_some_and(|open| open.look);
        self.atom = closed.map(|open| open.start);
        Ok(())
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

/// Returns the name a group has for the engine, which takes neither all names that Ruby takes nor one name twice.
pub(super) fn group_name(index: usize) -> String {
    format!("group_{index}")
}
