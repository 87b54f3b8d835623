//! How values show themselves to programmers.

use ecow::EcoString;

use super::{Res, Vm};
use crate::value::{Encoding, Sym, Text, Value, names};

impl Vm<'_> {
    /// Returns what `inspect` gives.
    pub fn inspect(&mut self, value: &Value) -> Res<EcoString> {
        match value {
            Value::Nil => Ok("nil".into()),
            Value::Int(number) => Ok(ecow::eco_format!("{number}")),
            Value::Sym(name) => Ok(symbol(*name)),
            Value::Str(text) if text.meta.borrow().is_none() => Ok(quoted(&text.text())),
            other => {
                let shown = self.send(other, names::INSPECT, &[])?;
                self.to_s(&shown)
            }
        }
    }

    /// Runs something unless the value is being shown already.
    pub fn guarded(
        &mut self,
        value: &Value,
        ring: &str,
        show: impl FnOnce(&mut Self) -> Res<String>,
    ) -> Res<String> {
        let address = value.address().unwrap_or_default();
        if self.busy.contains(&address) {
            return Ok(ring.to_owned());
        }
        if self.is_too_deep() {
            return Err(self.raise("SystemStackError", "stack level too deep"));
        }
        self.busy.push(address);
        let shown = show(self);
        self.busy.pop();
        shown
    }

    /// Shows elements between brackets.
    pub fn inspect_list(&mut self, value: &Value, items: &[Value]) -> Res<EcoString> {
        let shown = self.guarded(value, "[...]", |vm| {
            let mut text = String::from("[");
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push_str(", ");
                }
                text.push_str(&vm.inspect(item)?);
                vm.check_size(text.len())?;
            }
            text.push(']');
            Ok(text)
        })?;
        Ok(shown.into())
    }

    /// Shows keys and values between braces.
    pub fn inspect_pairs(&mut self, value: &Value, pairs: &[(Value, Value)]) -> Res<EcoString> {
        let shown = self.guarded(value, "{...}", |vm| {
            let mut text = String::from("{");
            for (place, (key, value)) in pairs.iter().enumerate() {
                if place > 0 {
                    text.push_str(", ");
                }
                text.push_str(&vm.inspect(key)?);
                text.push_str("=>");
                text.push_str(&vm.inspect(value)?);
                vm.check_size(text.len())?;
            }
            text.push('}');
            Ok(text)
        })?;
        Ok(shown.into())
    }
}

/// Shows a symbol, between quotes where it is not a name.
pub fn symbol(name: Sym) -> EcoString {
    let text = name.text();
    if is_plain_symbol(text) {
        format!(":{text}").into()
    } else {
        let text = if text.is_ascii() {
            Text::Bytes(text.as_bytes().to_vec(), Encoding::Ascii)
        } else {
            Text::Utf8(text.into())
        };
        format!(":{}", quoted(&text)).into()
    }
}

/// Tells whether a text can stand after a colon without quotes.
pub fn is_plain_symbol(text: &str) -> bool {
    const OPERATORS: &[&str] = &[
        "+", "-", "*", "/", "%", "**", "==", "!=", "<", "<=", ">", ">=", "<=>", "===", "=~", "!~", "!", "[]",
        "[]=", "<<", ">>", "&", "|", "^", "~", "+@", "-@", "`",
    ];
    if OPERATORS.contains(&text) {
        return true;
    }
    let name = text.trim_start_matches('$');
    let name = if name.len() == text.len() {
        text.strip_prefix("@@").or_else(|| text.strip_prefix('@')).unwrap_or(text)
    } else {
        name
    };
    let is_variable = name.len() != text.len();
    if text.starts_with('$') && !name.is_empty() && name.bytes().all(|c| c.is_ascii_digit()) {
        return true;
    }
    let body = if is_variable { name } else { name.strip_suffix(['?', '!', '=']).unwrap_or(name) };
    let is_letter = |c: char| c.is_alphabetic() || c == '_' || !c.is_ascii();
    body.starts_with(is_letter) && body.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// Shows a string between double quotes.
pub fn quoted(text: &Text) -> EcoString {
    match text {
        Text::Utf8(text) => quote_text(text),
        Text::Bytes(bytes, encoding) => quote_bytes(bytes, *encoding),
    }
}

fn quote_text(text: &str) -> EcoString {
    let mut shown = EcoString::with_capacity(text.len() + 2);
    shown.push('"');
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '#' if matches!(characters.peek(), Some('{' | '$' | '@')) => shown.push_str("\\#"),
            c => push_escaped(&mut shown, c),
        }
    }
    shown.push('"');
    shown
}

fn push_escaped(shown: &mut EcoString, c: char) {
    match c {
        '"' => shown.push_str("\\\""),
        '\\' => shown.push_str("\\\\"),
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        '\u{b}' => shown.push_str("\\v"),
        '\u{c}' => shown.push_str("\\f"),
        '\u{8}' => shown.push_str("\\b"),
        '\u{7}' => shown.push_str("\\a"),
        '\u{1b}' => shown.push_str("\\e"),
        c if u32::from(c) < 0x20 || c == '\u{7f}' => shown.push_str(&format!("\\u{:04X}", u32::from(c))),
        c if is_unprintable(c) && u32::from(c) > 0xffff => {
            shown.push_str(&format!("\\u{{{:X}}}", u32::from(c)));
        }
        c if is_unprintable(c) => shown.push_str(&format!("\\u{:04X}", u32::from(c))),
        c => shown.push(c),
    }
}

/// Characters that Ruby shows by their numbers: controls, separators of lines, what is not a character. Gaps between the
/// scripts of the lower planes, which are few and rare, count as characters here.
fn is_unprintable(c: char) -> bool {
    let code = u32::from(c);
    let is_none = code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code);
    is_none
        || matches!(code, 0x80..=0x9f | 0x378..=0x379 | 0x2028..=0x2029 | 0x2065 | 0xfff0..=0xfff8
            | 0x3_23b0..=0xe_0000 | 0xe_0002..=0xe_001f | 0xe_0080..=0xe_00ff | 0xe_01f0..=0xe_ffff)
}

fn quote_bytes(bytes: &[u8], encoding: Encoding) -> EcoString {
    let mut shown = EcoString::from("\"");
    let mut rest = bytes;
    while let Some((first, tail)) = rest.split_first() {
        if *first == b'#' && matches!(tail.first(), Some(b'{' | b'$' | b'@')) {
            shown.push_str("\\#");
            rest = tail;
            continue;
        }
        if first.is_ascii() {
            let mut escaped = EcoString::new();
            push_escaped(&mut escaped, char::from(*first));
            match escaped.strip_prefix("\\u00").filter(|_| encoding != Encoding::Utf8) {
                Some(digits) => shown.push_str(&format!("\\x{digits}")),
                None => shown.push_str(&escaped),
            }
            rest = tail;
            continue;
        }
        // Broken UTF-8 still shows the characters that are whole.
        let whole = (2..=4.min(rest.len()))
            .filter(|_| encoding == Encoding::Utf8)
            .find_map(|length| std::str::from_utf8(&rest[..length]).ok());
        match whole {
            Some(text) => {
                text.chars().for_each(|c| push_escaped(&mut shown, c));
                rest = &rest[text.len()..];
            }
            None => {
                shown.push_str(&format!("\\x{first:02X}"));
                rest = tail;
            }
        }
    }
    shown.push('"');
    shown
}
