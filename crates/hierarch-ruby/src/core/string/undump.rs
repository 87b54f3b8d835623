//! `undump`: reads what `dump` writes.

use super::super::prelude::*;
use super::me_str;

const NOT_WRAPPED: &str =
    "invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form";

pub(super) fn undump(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let text = me_str(me).get();
    let Some(rest) = text.bytes().strip_prefix(b"\"") else {
        return Err(vm.raise("RuntimeError", NOT_WRAPPED));
    };
    if !text.bytes().is_ascii() {
        return Err(vm.raise("RuntimeError", "non-ASCII character detected"));
    }
    let mut reader = Reader { rest, bytes: Vec::new(), has_points: false, has_bytes: false };
    reader.read().map_err(|words| vm.raise("RuntimeError", words))?;
    let behind = reader.rest;
    if behind.is_empty() {
        return Ok(vm.text(Text::of_bytes(reader.bytes, Encoding::Utf8)));
    }
    match behind {
        b".force_encoding(\"ASCII-8BIT\")" => Ok(vm.binary(reader.bytes)),
        _ => Err(vm.raise("RuntimeError", NOT_WRAPPED)),
    }
}

/// Reads up to the closing quote.
struct Reader<'t> {
    rest: &'t [u8],
    bytes: Vec<u8>,
    has_points: bool,
    has_bytes: bool,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), &'static str> {
        loop {
            let Some((&byte, rest)) = self.rest.split_first() else {
                return Err("unterminated dumped string");
            };
            self.rest = rest;
            match byte {
                b'"' => return Ok(()),
                b'\\' => self.escape()?,
                other => self.bytes.push(other),
            }
        }
    }

    fn escape(&mut self) -> Result<(), &'static str> {
        let Some((&sign, rest)) = self.rest.split_first() else { return Err("invalid escape") };
        self.rest = rest;
        let plain = match sign {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'f' => 0x0c,
            b'v' => 0x0b,
            b'b' => 0x08,
            b'a' => 0x07,
            b'e' => 0x1b,
            b'\\' | b'"' | b'#' => sign,
            b'x' => return self.byte(),
            b'u' => return self.points(),
            other => {
                self.bytes.extend([b'\\', other]);
                return Ok(());
            }
        };
        self.bytes.push(plain);
        Ok(())
    }

    fn byte(&mut self) -> Result<(), &'static str> {
        self.has_bytes = true;
        if self.has_points {
            return Err("hex escape and Unicode escape are mixed");
        }
        let number = self.hexadecimal(2).ok_or("invalid hex escape")?;
        self.bytes.push(number as u8);
        Ok(())
    }

    fn points(&mut self) -> Result<(), &'static str> {
        self.has_points = true;
        if self.has_bytes {
            return Err("hex escape and Unicode escape are mixed");
        }
        let Some(rest) = self.rest.strip_prefix(b"{") else {
            let number = self.hexadecimal(4).ok_or("invalid Unicode escape")?;
            return self.point(number);
        };
        self.rest = rest;
        loop {
            self.rest = self.rest.trim_ascii_start();
            if let Some(rest) = self.rest.strip_prefix(b"}") {
                self.rest = rest;
                return Ok(());
            }
            let digits = self.rest.iter().take(7).take_while(|byte| byte.is_ascii_hexdigit()).count();
            let number = self.hexadecimal(digits.max(1)).ok_or("unterminated Unicode escape")?;
            self.point(number)?;
        }
    }

    fn point(&mut self, number: u32) -> Result<(), &'static str> {
        if number > 0x0010_ffff {
            return Err("invalid Unicode codepoint (too large)");
        }
        let c = char::from_u32(number).ok_or("invalid Unicode codepoint")?;
        self.bytes.extend(c.to_string().into_bytes());
        Ok(())
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let (head, rest) = self.rest.split_at_checked(digits)?;
        let number = u32::from_str_radix(std::str::from_utf8(head).ok()?, 16).ok()?;
        self.rest = rest;
        Some(number)
    }
}
