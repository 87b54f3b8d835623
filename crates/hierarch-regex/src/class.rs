//! Bracketed character classes: read in Ruby's notation, written in the engine's.

use super::property::{posix, property};
use super::reader::Reader;
use super::translate::Problem;

/// What one element of a class is.
enum Element {
    /// One character, which may begin or end a range.
    Char(char),
    /// A class by name, already written for the engine.
    Class(String),
}

/// Reads a class whose `[` has been taken, up to and with its `]`.
pub(super) fn read(reader: &mut Reader<'_>) -> Result<String, Problem> {
    let mut out = String::from("[");
    if reader.take('^') {
        out.push('^');
    }
    if reader.rest().starts_with(']') {
        // A bracket right at the start is itself, if another one closes the class.
        if !reader.rest()[1..].contains(']') {
            return Err("empty char-class".into());
        }
        reader.next();
        out.push_str(r"\]");
    }
    loop {
        if reader.rest().starts_with("&&") {
            reader.next();
            reader.next();
            out.push_str("&&");
            continue;
        }
        match reader.next().ok_or("premature end of char-class")? {
            ']' => break,
            c => read_element(reader, c, &mut out)?,
        }
    }
    out.push(']');
    Ok(out)
}

/// Reads an element, and the rest of a range if one starts with it.
fn read_element(reader: &mut Reader<'_>, first: char, out: &mut String) -> Result<(), Problem> {
    let element = element(reader, first)?;
    let rest = reader.rest();
    let is_range =
        rest.starts_with('-') && !rest.starts_with("-]") && !rest.starts_with("-&&") && rest.len() > 1;
    match element {
        Element::Class(_) if is_range && !rest[1..].starts_with(['[', '\\']) && first == '\\' => {
            Err("unmatched range specifier in char-class".into())
        }
        Element::Class(class) => {
            out.push_str(&class);
            Ok(())
        }
        Element::Char(low) if is_range => read_range(reader, low, out),
        Element::Char(c) => {
            push_literal(c, out);
            Ok(())
        }
    }
}

fn read_range(reader: &mut Reader<'_>, low: char, out: &mut String) -> Result<(), Problem> {
    reader.next();
    let next = reader.next().ok_or("premature end of char-class")?;
    match element(reader, next)? {
        Element::Char(high) if low > high => Err("empty range in char class".into()),
        Element::Char(high) => {
            push_literal(low, out);
            out.push('-');
            push_literal(high, out);
            Ok(())
        }
        Element::Class(_) if next == '\\' => Err("char-class value at end of range".into()),
        Element::Class(class) => {
            push_literal(low, out);
            push_literal('-', out);
            out.push_str(&class);
            Ok(())
        }
    }
}

fn element(reader: &mut Reader<'_>, first: char) -> Result<Element, Problem> {
    match first {
        '[' if reader.rest().starts_with(':') => posix_bracket(reader),
        '[' => read(reader).map(Element::Class),
        '\\' => escaped(reader),
        c => Ok(Element::Char(c)),
    }
}

fn posix_bracket(reader: &mut Reader<'_>) -> Result<Element, Problem> {
    let Some(end) = reader.rest().find(":]").filter(|end| (1..22).contains(end)) else {
        return read(reader).map(Element::Class);
    };
    let name = reader.rest()[1..end].to_owned();
    let negated = name.starts_with('^');
    let class = posix(name.trim_start_matches('^')).ok_or("invalid POSIX bracket type")?;
    reader.skip(end + 2);
    Ok(Element::Class(format!("[{}{class}]", if negated { "^" } else { "" })))
}

fn escaped(reader: &mut Reader<'_>) -> Result<Element, Problem> {
    let c = reader.next().ok_or("too short escape sequence")?;
    if let Some(class) = shorthand(c) {
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

/// Returns the class of `\d`, `\w`, `\s`, `\h` and their opposites; all are ASCII.
pub(super) fn shorthand(letter: char) -> Option<&'static str> {
    Some(match letter {
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

fn push_literal(c: char, out: &mut String) {
    out.push_str(&literal(c));
}

/// Writes a character so that it means itself inside and outside of a class.
pub(super) fn literal(c: char) -> String {
    if c.is_ascii_alphanumeric() || (!c.is_ascii() && !c.is_control()) || c == '_' {
        c.into()
    } else {
        format!(r"\x{{{:X}}}", u32::from(c))
    }
}
