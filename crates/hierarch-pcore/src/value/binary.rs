//! Bytes, and the base 64 notations they are read from and written in.

/// A string of bytes.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Binary(Vec<u8>);

/// The 64 digits of the standard alphabet.
const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Binary {
    /// Makes a binary of bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the bytes in base 64, padded, without line breaks.
    pub fn base64(&self) -> String {
        let mut out = String::with_capacity(self.0.len().div_ceil(3) * 4);
        for chunk in self.0.chunks(3) {
            encode_chunk(chunk, &mut out);
        }
        out
    }

    /// Returns the bytes in base 64 with a line break after every 60 digits and at the end.
    pub fn base64_lines(&self) -> String {
        self.0.chunks(45).map(|line| Self::new(line).base64() + "\n").collect()
    }

    /// Returns the bytes in base 64 with `-` and `_`, safe in URLs.
    pub fn base64_url(&self) -> String {
        self.base64().replace('+', "-").replace('/', "_")
    }

    /// Reads base 64, every character of it a digit and padding complete.
    pub fn from_base64_strict(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if !bytes.len().is_multiple_of(4) {
            return None;
        }
        let digits = text.trim_end_matches('=');
        let padding = bytes.len() - digits.len();
        if padding > 2 || !digits.bytes().all(|byte| digit(byte).is_some()) {
            return None;
        }
        let decoded = decode(digits.bytes());
        (Self(decoded.clone()).base64() == text).then_some(Self(decoded))
    }

    /// Reads base 64 and skips what is not a digit; reading ends at padding.
    pub fn from_base64_lenient(text: &str) -> Self {
        Self(decode(text.bytes().take_while(|byte| *byte != b'=')))
    }

    /// Reads the URL-safe notation, with or without padding.
    pub fn from_base64_url(text: &str) -> Option<Self> {
        let standard = text.replace('-', "+").replace('_', "/");
        if text.ends_with('=') || text.len().is_multiple_of(4) {
            return Self::from_base64_strict(&standard);
        }
        Self::from_base64_strict(&format!("{standard}{}", "=".repeat(4 - text.len() % 4)))
    }
}

fn encode_chunk(chunk: &[u8], out: &mut String) {
    let bits = chunk
        .iter()
        .enumerate()
        .fold(0u32, |bits, (index, byte)| bits | u32::from(*byte) << (16 - 8 * index));
    for index in 0..4 {
        if index <= chunk.len() {
            out.push(char::from(STANDARD[(bits >> (18 - 6 * index)) as usize & 63]));
        } else {
            out.push('=');
        }
    }
}

fn digit(byte: u8) -> Option<u32> {
    STANDARD.iter().position(|digit| *digit == byte).map(|value| value as u32)
}

fn decode(text: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for value in text.filter_map(digit) {
        bits = bits << 6 | value;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_goes_both_ways() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(Binary::new(bytes).base64(), text);
            assert_eq!(Binary::from_base64_strict(text), Some(Binary::new(bytes)));
            assert_eq!(Binary::from_base64_lenient(&format!(" {text}\n")), Binary::new(bytes));
        }
        assert_eq!(Binary::from_base64_strict("Zg"), None);
        assert_eq!(Binary::from_base64_strict("Zh=="), None);
        assert_eq!(Binary::from_base64_url("_-8"), Some(Binary::new([0xff, 0xef])));
    }
}
