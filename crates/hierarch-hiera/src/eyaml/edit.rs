//! Encrypted values made readable for an editor, and back.
//!
//! `ENC[PKCS7,MII…]` becomes `DEC(1)::PKCS7[secret]!`. What comes back unchanged gets its old text again, so that a
//! file shows only what was really edited; what has another text, or no number, is encrypted.

use hierarch_source::Result;

use super::token::{Part, parts};
use crate::issues;

/// The values of a file that an editor was given.
#[derive(Debug, Default)]
pub struct Opened {
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    source: String,
    secret: String,
}

/// Opens the encrypted values of a text. What cannot be written between brackets, or is not ours to decrypt, stays.
pub fn open(text: &str, decrypt: impl Fn(&str) -> Result<String>) -> Result<(String, Opened)> {
    let (mut out, mut opened) = (String::new(), Opened::default());
    for part in parts(text) {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Token { scheme: None | Some("PKCS7"), data, source } => {
                let secret = decrypt(&data)?;
                if secret.contains("]!") || secret.is_empty() {
                    out.push_str(source);
                    continue;
                }
                out.push_str(&format!("DEC({})::PKCS7[{secret}]!", opened.blocks.len() + 1));
                opened.blocks.push(Block { source: source.to_owned(), secret });
            }
            Part::Token { source, .. } => out.push_str(source),
        }
    }
    Ok((out, opened))
}

impl Opened {
    /// Closes what an editor returned.
    pub fn close(&self, text: &str, encrypt: impl Fn(&str) -> Result<String>) -> Result<String> {
        let (mut out, mut rest, mut used) = (String::new(), text, Vec::new());
        while let Some(start) = rest.find("DEC") {
            out.push_str(&rest[..start]);
            let Some(marker) = Marker::at(&rest[start..]) else {
                out.push_str("DEC");
                rest = &rest[start + 3..];
                continue;
            };
            rest = &rest[start + marker.length..];
            if marker.scheme != "PKCS7" {
                return Err(issues::eyaml_scheme(marker.scheme));
            }
            let Some(number) = marker.number else {
                out.push_str(&encrypt(marker.secret)?);
                continue;
            };
            let block = number.checked_sub(1).and_then(|index| self.blocks.get(index));
            let block = block.ok_or_else(|| issues::eyaml_unknown_block(number))?;
            if used.contains(&number) {
                return Err(issues::eyaml_repeated_block(number));
            }
            used.push(number);
            out.push_str(&block.closed(marker.secret, &encrypt)?);
        }
        out.push_str(rest);
        Ok(out)
    }
}

impl Block {
    fn closed(&self, secret: &str, encrypt: impl Fn(&str) -> Result<String>) -> Result<String> {
        if secret == self.secret {
            return Ok(self.source.clone());
        }
        let token = encrypt(secret)?;
        let Some((_, second)) = self.source.split_once('\n') else { return Ok(token) };
        let indent: String = second.chars().take_while(|c| *c == ' ').collect();
        Ok(in_lines(&token, &indent))
    }
}

/// Breaks a token into lines, as it stands in a folded block.
pub fn in_lines(token: &str, indent: &str) -> String {
    let lines: Vec<&str> =
        token.as_bytes().chunks(60).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    lines.join(&format!("\n{indent}"))
}

/// `DEC(1)::PKCS7[secret]!`, the number left out for what is new.
struct Marker<'t> {
    number: Option<usize>,
    scheme: &'t str,
    secret: &'t str,
    length: usize,
}

impl<'t> Marker<'t> {
    fn at(text: &'t str) -> Option<Self> {
        let rest = text.strip_prefix("DEC")?;
        let (number, rest) = match rest.strip_prefix('(') {
            Some(inside) => {
                let (digits, rest) = inside.split_once(')')?;
                (Some(digits.parse().ok()?), rest)
            }
            None => (None, rest),
        };
        let (scheme, rest) = rest.strip_prefix("::")?.split_once('[')?;
        if scheme.is_empty() || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (secret, rest) = rest.split_once("]!")?;
        Some(Self { number, scheme, secret, length: text.len() - rest.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encryption that is easy to read: `<secret>` in base64 letters would be its own text.
    fn decrypt(data: &str) -> Result<String> {
        Ok(data.to_lowercase())
    }

    #[expect(clippy::unnecessary_wraps, reason = "encryption may fail")]
    fn encrypt(secret: &str) -> Result<String> {
        Ok(format!("ENC[PKCS7,{}]", secret.to_uppercase()))
    }

    fn check(text: &str, edit: fn(String) -> String, expected: &str) {
        let (shown, opened) = open(text, decrypt).expect("opened");
        assert_eq!(opened.close(&edit(shown), encrypt).expect("closed"), expected);
    }

    #[test]
    fn values_are_shown_between_brackets() {
        let (shown, _) = open("a: ENC[PKCS7,QUJD]\nb: ENC[QQ]\nc: ENC[GPG,QQ]\n", decrypt).expect("opened");
        assert_eq!(shown, "a: DEC(1)::PKCS7[qujd]!\nb: DEC(2)::PKCS7[qq]!\nc: ENC[GPG,QQ]\n");
    }

    #[test]
    fn what_is_not_changed_keeps_its_text() {
        let text = "a: ENC[PKCS7,QuJD]\nb: >\n    ENC[PKCS7,Qu\n    JD]\nc: ENC[PKCS7,QQ]\n";
        check(text, |shown| shown, text);
        check(
            text,
            |shown| shown.replace("[qq]", "[x]"),
            "a: ENC[PKCS7,QuJD]\nb: >\n    ENC[PKCS7,Qu\n    JD]\nc: ENC[PKCS7,X]\n",
        );
    }

    #[test]
    fn what_is_changed_or_new_is_encrypted() {
        check(
            "a: ENC[PKCS7,QQ]\n",
            |shown| shown + "n: DEC::PKCS7[new]!\n",
            "a: ENC[PKCS7,QQ]\nn: ENC[PKCS7,NEW]\n",
        );
        check("a: x\n", |_| "d: DEC and DECK DEC(x\n".to_owned(), "d: DEC and DECK DEC(x\n");
        let long = "y".repeat(60);
        let (shown, opened) = open("b: >\n    ENC[PKCS7,Q\n    Q]\n", decrypt).expect("opened");
        let closed = opened.close(&shown.replace("[qq]", &format!("[{long}]")), encrypt).expect("closed");
        assert_eq!(closed.lines().count(), 3);
        assert!(closed.lines().skip(1).all(|line| line.starts_with("    ")), "{closed}");
    }

    #[test]
    fn numbers_must_be_those_that_were_given() {
        let (_, opened) = open("a: ENC[PKCS7,QQ]", decrypt).expect("opened");
        for text in
            ["DEC(2)::PKCS7[x]!", "DEC(1)::PKCS7[x]! DEC(1)::PKCS7[x]!", "DEC::GPG[x]!", "DEC(0)::PKCS7[x]!"]
        {
            assert!(opened.close(text, encrypt).is_err(), "{text}");
        }
    }
}
