//! `ENC[…]` in a text.

use hierarch_pcore::value::Binary;

/// A part of a text with encrypted values in it.
#[derive(Debug, PartialEq)]
pub enum Passage<'t> {
    /// Text that stands for itself.
    Text(&'t str),
    /// An encrypted value.
    Token {
        /// How it is encrypted; none: in the default way.
        scheme: Option<&'t str>,
        /// The value in base64, blanks removed.
        data: String,
        /// The whole of it, as it stands in the text.
        source: &'t str,
    },
}

/// Splits a text at its encrypted values.
pub fn passages(text: &str) -> Vec<Passage<'_>> {
    let mut passages = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(found) = text[at..].find("ENC[") {
        let open = at + found;
        match token_at(&text[open..]) {
            Some((token, length)) => {
                if open > start {
                    passages.push(Passage::Text(&text[start..open]));
                }
                passages.push(token);
                (start, at) = (open + length, open + length);
            }
            None => at = open + 4,
        }
    }
    if start < text.len() {
        passages.push(Passage::Text(&text[start..]));
    }
    passages
}

fn token_at(text: &str) -> Option<(Passage<'_>, usize)> {
    let inside = text.strip_prefix("ENC[")?;
    let end = inside.find(']')?;
    let (scheme, data) = match inside[..end].split_once(',') {
        Some((scheme, data))
            if !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            (Some(scheme), data)
        }
        Some(_) => return None,
        None => (None, &inside[..end]),
    };
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c) || c.is_whitespace();
    let data: String = data.chars().filter(|c| !c.is_whitespace()).collect();
    let source = &text[..end + 5];
    let is_token = !data.is_empty() && data.chars().all(is_base64);
    is_token.then_some((Passage::Token { scheme, data, source }, end + 5))
}

/// Tells whether a text may have encrypted values.
pub(crate) fn may_be_encrypted(text: &str) -> bool {
    text.find("ENC[").is_some_and(|start| text[start..].contains(']'))
}

pub(super) fn base64(bytes: &[u8]) -> String {
    Binary::new(bytes).base64()
}

pub(super) fn from_base64(text: &str) -> Vec<u8> {
    Binary::from_base64_lenient(text).bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_at_their_tokens() {
        let token = |scheme, data: &str, source| Passage::Token { scheme, data: data.to_owned(), source };
        assert_eq!(
            passages("a ENC[PKCS7,AB C=] b"),
            [Passage::Text("a "), token(Some("PKCS7"), "ABC=", "ENC[PKCS7,AB C=]"), Passage::Text(" b")]
        );
        assert_eq!(passages("ENC[QUJD]"), [token(None, "QUJD", "ENC[QUJD]")]);
        assert_eq!(passages("ENC[] DEC::PKCS7[x]!"), [Passage::Text("ENC[] DEC::PKCS7[x]!")]);
    }
}
