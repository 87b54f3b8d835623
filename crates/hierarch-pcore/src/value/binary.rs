//! Bytes, and the base 64 notations they are read from and written in.

use hierarch_bits::base64;

/// A string of bytes.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Binary(Vec<u8>);

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
        base64::encode(&self.0)
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
        base64::decode_strictly(text).map(Self)
    }

    /// Reads base 64 and skips what is not a digit; reading ends at padding.
    pub fn from_base64_lenient(text: &str) -> Self {
        Self(base64::decode(text))
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
