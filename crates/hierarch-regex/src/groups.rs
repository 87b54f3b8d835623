//! Groups of a pattern: plain, named, looking around, conditional, and those that only set options.

use super::reader::Reader;
use super::translate::{Open, Problem, Writer};

impl Writer {
    pub(super) fn open_group(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
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

    pub(super) fn close_options(&mut self) {
        let options = self.open.last().map_or(0, |open| open.options);
        self.out.extend(std::iter::repeat_n(')', options));
    }

    pub(super) fn close_group(&mut self) -> Result<(), Problem> {
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
}

/// Cuts a text as Onigmo does in its messages.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 50 {
        text.to_owned()
    } else {
        text.chars().take(47).chain("...".chars()).collect()
    }
}

/// Returns the name a group has for the engine, which does not take all that Ruby takes.
pub(super) fn group_name(name: &str, index: usize) -> String {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        name.into()
    } else {
        format!("group_{index}")
    }
}
