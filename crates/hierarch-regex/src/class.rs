//! Bracketed character classes: read in Ruby's notation, written in the engine's.

use super::fold;
use super::property::{ascii_posix, posix, property};
use super::reader::Reader;
use super::translate::{Problem, Range};

/// What one element of a class is.
enum Element {
    /// One character, which may begin or end a range.
    Char(char),
    /// A class by name, already written for the engine.
    Class(String),
}

/// A class that was read.
pub(super) struct Class {
    /// The class, written for the engine.
    pub(super) text: String,
    is_negated: bool,
    /// How many elements it has, those of inner classes not counted.
    elements: usize,
    /// What its characters fold to, where that is several characters.
    expansions: Vec<String>,
}

impl Class {
    /// Returns what the class is where case does not count.
    pub(super) fn ignoring_case(self) -> String {
        let is_one = self.elements == 1 && !self.text.contains(['\\', ':']);
        let text = if is_one { self.text } else { latin_apart(&self.text) };
        if self.is_negated || self.expansions.is_empty() {
            return text;
        }
        format!("(?:{text}|{})", self.expansions.join("|"))
    }
}

/// Writes a class so that letters from U+0080 to U+00FF match in their own case only, as Onigmo has it within classes.
pub(super) fn latin_apart(class: &str) -> String {
    if class.is_ascii() && !class.contains(r"\p{") && !class.contains(r"\P{") && !class.contains(r"\x{") {
        return class.to_owned();
    }
    format!(r"(?:(?-i:[{class}&&[\x{{80}}-\x{{FF}}]])|(?![\x{{80}}-\x{{FF}}]){class})")
}

/// Reads a class whose `[` has been taken, up to and with its `]`.
pub(super) fn read(reader: &mut Reader<'_>, range: Range) -> Result<Class, Problem> {
    let mut class = Class { text: String::from("["), is_negated: false, elements: 0, expansions: Vec::new() };
    if reader.take('^') {
        class.text.push('^');
        class.is_negated = true;
    }
    if reader.rest().starts_with(']') {
        // A bracket right at the start is itself, if another one closes the class.
        if !reader.rest()[1..].contains(']') {
            return Err("empty char-class".into());
        }
        reader.next();
        class.text.push_str(r"\]");
    }
    loop {
        if reader.rest().starts_with("&&") {
            reader.next();
            reader.next();
            class.text.push_str("&&");
            continue;
        }
        match reader.next().ok_or("premature end of char-class")? {
            ']' => break,
            c => read_element(reader, range, c, &mut class)?,
        }
    }
    class.text.push(']');
    Ok(class)
}

/// Reads an element, and the rest of a range if one starts with it.
fn read_element(
    reader: &mut Reader<'_>,
    range: Range,
    first: char,
    class: &mut Class,
) -> Result<(), Problem> {
    class.elements += 1;
    let element = element(reader, range, first)?;
    let rest = reader.rest();
    let is_range =
        rest.starts_with('-') && !rest.starts_with("-]") && !rest.starts_with("-&&") && rest.len() > 1;
    match element {
        Element::Class(_) if is_range && !rest[1..].starts_with(['[', '\\']) && first == '\\' => {
            Err("unmatched range specifier in char-class".into())
        }
        Element::Class(inner) => {
            class.text.push_str(&inner);
            Ok(())
        }
        Element::Char(low) if is_range => read_range(reader, range, low, class),
        Element::Char(c) => {
            class.text.push_str(&literal(c));
            class.expansions.extend(fold::expansion(c));
            Ok(())
        }
    }
}

fn read_range(reader: &mut Reader<'_>, range: Range, low: char, class: &mut Class) -> Result<(), Problem> {
    reader.next();
    class.elements += 1;
    let next = reader.next().ok_or("premature end of char-class")?;
    match element(reader, range, next)? {
        Element::Char(high) if low > high => Err("empty range in char class".into()),
        Element::Char(high) => {
            class.text.extend([&literal(low), "-", &literal(high)]);
            class.expansions.extend(fold::expansions_between(low, high));
            Ok(())
        }
        Element::Class(_) if next == '\\' => Err("char-class value at end of range".into()),
        Element::Class(inner) => {
            class.text.extend([literal(low), literal('-'), inner]);
            Ok(())
        }
    }
}

fn element(reader: &mut Reader<'_>, range: Range, first: char) -> Result<Element, Problem> {
    match first {
        '[' if reader.rest().starts_with(':') => posix_bracket(reader, range),
        '[' => read(reader, range).map(|class| Element::Class(class.text)),
        '\\' => escaped(reader, range),
        c => Ok(Element::Char(c)),
    }
}

fn posix_bracket(reader: &mut Reader<'_>, range: Range) -> Result<Element, Problem> {
    let Some(end) = reader.rest().find(":]").filter(|end| (1..22).contains(end)) else {
        return read(reader, range).map(|class| Element::Class(class.text));
    };
    let name = reader.rest()[1..end].to_owned();
    let negated = name.starts_with('^');
    let known = if range == Range::Ascii { ascii_posix } else { posix };
    let class = known(name.trim_start_matches('^')).ok_or("invalid POSIX bracket type")?;
    reader.skip(end + 2);
    Ok(Element::Class(format!("[{}{class}]", if negated { "^" } else { "" })))
}

fn escaped(reader: &mut Reader<'_>, range: Range) -> Result<Element, Problem> {
    let c = reader.next().ok_or("too short escape sequence")?;
    if let Some(class) = shorthand(c, range) {
        return Ok(Element::Class(class.to_owned()));
    }
    match c {
        'p' | 'P' if reader.rest().starts_with('{') => property_escape(reader, c == 'P').map(Element::Class),
        'b' => Ok(Element::Char('\u{8}')),
        'u' if reader.rest().starts_with('{') => {
            let text: String = reader.unicode_list()?.into_iter().collect();
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(only), None) => Ok(Element::Char(only)),
                _ => Ok(Element::Class(text.chars().map(literal).collect())),
            }
        }
        'R' | 'X' => Ok(Element::Char(c)),
        c => reader.character_escape(c).map(Element::Char),
    }
}

/// Returns the class of `\d`, `\w`, `\s`, `\h` and their opposites; all are ASCII unless `(?u)` holds.
pub(super) fn shorthand(letter: char, range: Range) -> Option<&'static str> {
    Some(match letter {
        'd' if range == Range::Unicode => r"[\p{Nd}]",
        'D' if range == Range::Unicode => r"[^\p{Nd}]",
        'w' if range == Range::Unicode => r"[\p{L}\p{M}\p{Nd}\p{Pc}]",
        'W' if range == Range::Unicode => r"[^\p{L}\p{M}\p{Nd}\p{Pc}]",
        's' if range == Range::Unicode => r"[\p{White_Space}]",
        'S' if range == Range::Unicode => r"[^\p{White_Space}]",
        'd' => "[0-9]",
        'D' => "[^0-9]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        's' => r"[\t\n\x0B\f\r\x20]",
        'S' => r"[^\t\n\x0B\f\r\x20]",
        'h' => "[0-9A-Fa-f]",
        'H' => "[^0-9A-Fa-f]",
        _ => return None,
    })
}

/// Reads `{name}` or `{^name}` after `\p` or `\P`.
pub(super) fn property_escape(reader: &mut Reader<'_>, negated: bool) -> Result<String, Problem> {
    let Some(end) = reader.rest().find('}') else { return Err("invalid character property name {}".into()) };
    let name = reader.rest()[1..end].to_owned();
    let inverted = name.starts_with('^');
    let class = property(name.trim_start_matches('^'))
        .ok_or_else(|| format!("invalid character property name {{{name}}}"))?;
    reader.skip(end + 1);
    Ok(format!("[{}{class}]", if negated == inverted { "" } else { "^" }))
}

/// Writes a character so that it means itself inside and outside of a class.
pub(super) fn literal(c: char) -> String {
    if c.is_ascii_alphanumeric() || (!c.is_ascii() && !c.is_control()) || c == '_' {
        c.into()
    } else {
        format!(r"\x{{{:X}}}", u32::from(c))
    }
}
