//! Encrypted values made readable for an editor, and back.
//!
//! `ENC[PKCS7,MII…]` becomes `DEC(1)::PKCS7[secret]!`. What comes back unchanged gets its old text again, so that a
//! file shows only what was really edited; what has another text, or no number, is encrypted.

use hierarch_source::Result;

use super::token::{Passage, passages};
use crate::issues;

/// The values of a file that an editor was given.
#[derive(Debug, Default)]
pub struct DecryptedFile {
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    source: String,
    secret: String,
}

/// Opens the encrypted values of a text. What cannot be written between brackets, or is not ours to decrypt, stays.
pub fn open(text: &str, decrypt: impl Fn(&str) -> Result<String>) -> Result<(String, DecryptedFile)> {
    let (mut out, mut opened) = (String::new(), DecryptedFile::default());
    for part in passages(text) {
        match part {
            Passage::Text(text) => out.push_str(text),
            Passage::Token { scheme, data, source } if check_scheme(scheme).is_ok() => {
                let secret =
                    decrypt(&data).map_err(|error| issues::eyaml_on_line(error, line_behind(&out)))?;
                if secret.contains("]!") || secret.is_empty() {
                    out.push_str(source);
                    continue;
                }
                out.push_str(&format!("DEC({})::PKCS7[{secret}]!", opened.blocks.len() + 1));
                opened.blocks.push(Block { source: source.to_owned(), secret });
            }
            Passage::Token { source, .. } => out.push_str(source),
        }
    }
    Ok((out, opened))
}

impl DecryptedFile {
    /// Closes what an editor returned.
    pub fn close(&self, text: &str, encrypt: impl Fn(&str) -> Result<String>) -> Result<String> {
        let mut used = Vec::new();
        close_markers(text, |marker, before| {
            let Some(number) = marker.number else {
                marker.check_end(before)?;
                return Ok(shaped(&encrypt(marker.secret)?, "", before));
            };
            let block = number.checked_sub(1).and_then(|index| self.blocks.get(index));
            let block = block.ok_or_else(|| issues::eyaml_unknown_block(number))?;
            if used.contains(&number) {
                return Err(issues::eyaml_repeated_block(number));
            }
            used.push(number);
            if marker.secret == block.secret {
                return Ok(block.source.clone());
            }
            marker.check_end(before)?;
            Ok(shaped(&encrypt(marker.secret)?, &block.source, before))
        })
    }

    /// Lists the keys whose values an editor was shown as encrypted and has returned without a mark.
    pub fn no_longer_encrypted(&self, shown: &str, edited: &str) -> Vec<String> {
        let number = |index: usize| format!("DEC({})::", index + 1);
        let gone = (0..self.blocks.len()).map(number).filter(|mark| !edited.contains(mark.as_str()));
        let key = |mark: String| {
            let line = shown.lines().find(|line| line.contains(&mark))?;
            let before = line.split(&mark).next().filter(|before| before.trim_end().ends_with(':'))?;
            let is_there = edited.lines().any(|line| line.starts_with(before));
            is_there.then(|| before.trim().trim_start_matches("- ").trim_end_matches(':').to_owned())
        };
        gone.filter_map(key).collect()
    }
}

/// Encrypts everything that stands as `DEC::PKCS7[…]!` in a text, with or without a number.
pub fn encrypt_marked(text: &str, encrypt: impl Fn(&str) -> Result<String>) -> Result<String> {
    close_markers(text, |marker, before| {
        marker.check_end(before)?;
        Ok(shaped(&encrypt(marker.secret)?, "", before))
    })
}

/// Shows the encrypted values of a text as `DEC::PKCS7[…]!`, so that [`encrypt_marked`] undoes it.
pub fn decrypt_marked(text: &str, decrypt: impl Fn(&str) -> Result<String>) -> Result<String> {
    replace_tokens(text, |data, _, _| Ok(format!("DEC::PKCS7[{}]!", decrypt(data)?)))
}

/// Encrypts all encrypted values of a text anew; blocks stay blocks.
pub fn encrypt_again(
    text: &str,
    decrypt: impl Fn(&str) -> Result<String>,
    encrypt: impl Fn(&str) -> Result<String>,
) -> Result<String> {
    replace_tokens(text, |data, source, before| Ok(shaped(&encrypt(&decrypt(data)?)?, source, before)))
}

/// Puts the decrypted values into a text, as YAML where they stand in some: one of several lines becomes a block.
pub fn decrypt_all(text: &str, decrypt: impl Fn(&str) -> Result<String>) -> Result<String> {
    let (mut out, mut has_text_before, mut line) = (String::new(), false, 1);
    for part in passages(text) {
        match part {
            Passage::Text(text) => {
                out.push_str(text);
                has_text_before = true;
                line += text.matches('\n').count();
            }
            Passage::Token { scheme, data, source } => {
                let opened = check_scheme(scheme).and_then(|()| decrypt(&data));
                let secret = opened.map_err(|error| issues::eyaml_on_line(error, line))?;
                line += source.matches('\n').count();
                // `>` and the indentation belong to the encrypted form.
                if let Some(indent) = block_indent(&out) {
                    out.truncate(out.len() - indent.len() - 2);
                }
                if has_text_before && secret.contains(['\r', '\n']) {
                    out.push_str("|\n  ");
                    out.push_str(&indented(&secret));
                } else {
                    out.push_str(&secret);
                }
                has_text_before = false;
            }
        }
    }
    Ok(out)
}

/// Two blanks behind every run of line breaks.
fn indented(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        out.push(c);
        let is_break = |c: &char| matches!(c, '\r' | '\n');
        if is_break(&c) && !rest.peek().is_some_and(is_break) {
            out.push_str("  ");
        }
    }
    out
}

fn replace_tokens(text: &str, mut change: impl FnMut(&str, &str, &str) -> Result<String>) -> Result<String> {
    let (mut out, mut line) = (String::new(), 1);
    for part in passages(text) {
        match part {
            Passage::Text(text) => {
                out.push_str(text);
                line += text.matches('\n').count();
            }
            Passage::Token { scheme, data, source } => {
                let changed = check_scheme(scheme).and_then(|()| change(&data, source, &out));
                out.push_str(&changed.map_err(|error| issues::eyaml_on_line(error, line))?);
                line += source.matches('\n').count();
            }
        }
    }
    Ok(out)
}

fn close_markers(text: &str, mut close: impl FnMut(&Marker, &str) -> Result<String>) -> Result<String> {
    let (mut out, mut rest) = (String::new(), text);
    // What stands beside the marks, line by line.
    let mut beside = String::new();
    while let Some(start) = rest.find("DEC") {
        out.push_str(&rest[..start]);
        beside.push_str(&rest[..start]);
        let Some(marker) = Marker::at(&rest[start..]) else {
            if let Some(mark) = beginning(&rest[start..]) {
                return Err(issues::eyaml_unclosed_mark(mark, line_behind(&out)));
            }
            out.push_str("DEC");
            beside.push_str("DEC");
            rest = &rest[start + 3..];
            continue;
        };
        beside.extend(marker.secret.matches('\n'));
        rest = &rest[start + marker.length..];
        check_scheme(Some(marker.scheme))?;
        let token = close(&marker, &out)?;
        out.push_str(&token);
    }
    out.push_str(rest);
    beside.push_str(rest);
    match beside.lines().enumerate().find_map(|(index, line)| Some((index, slip(line)?))) {
        Some((index, mark)) => Err(issues::eyaml_unclosed_mark(&mark, index + 1)),
        None => Ok(out),
    }
}

/// Returns what a line has that looks as if it were meant to begin a mark: `DCE(1)::PKCS7[secret]!`, `DEC::[secret]!`.
/// What may be the secret is left out.
fn slip(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    let at = lower.find("::pkcs7").or_else(|| lower.find("::[").filter(|at| lower[*at..].contains("]!")))?;
    let word = line[..at].rsplit(char::is_whitespace).next().unwrap_or_default();
    Some(format!("{word}::"))
}

/// Returns the line in which a text goes on. What was encrypted before has as many lines as it had.
fn line_behind(text: &str) -> usize {
    text.matches('\n').count() + 1
}

/// Returns what a text begins with that is meant to be a mark: `DEC(1)::PKCS7[`, also with a colon too few or too many.
fn beginning(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("DEC")?;
    let rest = match rest.strip_prefix('(') {
        Some(inside) => inside.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(')')?,
        None => rest,
    };
    let rest = rest.strip_prefix(':')?.trim_start_matches(':');
    let scheme = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    let behind = scheme.strip_prefix('[').filter(|_| scheme.len() < rest.len())?;
    Some(&text[..text.len() - behind.len()])
}

fn check_scheme(scheme: Option<&str>) -> Result<()> {
    match scheme {
        Some(scheme) if !scheme.eq_ignore_ascii_case("PKCS7") => Err(issues::eyaml_scheme(scheme)),
        _ => Ok(()),
    }
}

/// A token as the one before it was written: over several lines, or in one.
fn shaped(token: &str, old: &str, before: &str) -> String {
    let indent = match old.split_once('\n') {
        Some((_, second)) => Some(&second[..second.len() - second.trim_start_matches(' ').len()]),
        None => block_indent(before),
    };
    indent.map_or_else(|| token.to_owned(), |indent| in_lines(token, indent))
}

/// The blanks behind `>` and its line break, where a text ends so.
fn block_indent(text: &str) -> Option<&str> {
    let end = text.trim_end_matches([' ', '\t', '\n', '\r']);
    text[end.len()..].strip_prefix('\n').filter(|_| end.ends_with('>'))
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

impl Marker<'_> {
    /// Refuses what reaches into the next mark, because its own end was lost.
    fn check_end(&self, before: &str) -> Result<()> {
        let has_mark =
            self.secret.match_indices("DEC").any(|(at, _)| beginning(&self.secret[at..]).is_some());
        if has_mark {
            return Err(issues::eyaml_unclosed_mark(&format!("DEC::{}[", self.scheme), line_behind(before)));
        }
        Ok(())
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
    fn a_mark_that_lost_its_end_or_a_colon_is_refused() {
        let (_, opened) = open("a: ENC[PKCS7,QQ]\nb: ENC[PKCS7,QR]\n", decrypt).expect("opened");
        for text in [
            "a: DEC(1)::PKCS7[new]\n",
            "a: DEC(1):PKCS7[new]!\n",
            "a: DEC::PKCS7[new]\n",
            "a: DEC(1)::PKCS7[new]\nb: DEC(2)::PKCS7[qr]!\n",
            "a: DEC::PKCS7[new]\nb: DEC(2)::PKCS7[qr]!\n",
            "a: DEC(1)::PKCS7 new]!\n",
            "a: DEC (1)::PKCS7[new]!\n",
            "a: dec(1)::pkcs7[new]!\n",
            "a: DCE(1)::PKCS7[new]!\n",
            "a: ENC(1)::PKCS7[new]!\nb: DEC(2)::PKCS7[qr]!\n",
            "a: DEC::[new]!\n",
        ] {
            let error = opened.close(text, encrypt).expect_err(text).to_string();
            assert!(error.contains("line 1") && !error.contains("new"), "{error}");
            assert!(encrypt_marked(text, encrypt).is_err(), "{text}");
        }
    }

    #[test]
    fn what_lost_its_mark_is_named() {
        let (shown, opened) = open("a: ENC[PKCS7,QQ]\nb: ENC[PKCS7,QR]\n", decrypt).expect("opened");
        let gone = |edited: &str| opened.no_longer_encrypted(&shown, edited);
        assert_eq!(gone(&shown), [""; 0]);
        assert_eq!(gone("a: new\nb: DEC(2)::PKCS7[x]!\n"), ["a"]);
        assert_eq!(gone("b: DEC(2)::PKCS7[x]!\n"), [""; 0], "a line that was deleted");
        // A key with colons and a text that ends like a mark are none.
        assert!(opened.close("m::k: wow [a]!\n", encrypt).is_ok());
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

    #[test]
    fn marked_values_go_round() {
        let open = "a: DEC::PKCS7[ONE]!\nb: >\n    DEC::PKCS7[TWO]!\nc: x DEC::PKCS7[3]! y\nplain: DECK\n";
        let closed = "a: ENC[PKCS7,ONE]\nb: >\n    ENC[PKCS7,TWO]\nc: x ENC[PKCS7,3] y\nplain: DECK\n";
        assert_eq!(encrypt_marked(open, encrypt).expect("encrypted"), closed);
        assert_eq!(encrypt_marked(&open.replace("DEC::", "DEC(7)::"), encrypt).expect("encrypted"), closed);
        let decrypt = |data: &str| Ok(data.to_owned());
        assert_eq!(decrypt_marked(closed, decrypt).expect("decrypted"), open);
        assert_eq!(encrypt_again(closed, decrypt, encrypt).expect("again"), closed);
        assert!(encrypt_marked("DEC::GPG[x]!", encrypt).is_err());
        let long = format!("b: >\n  DEC::PKCS7[{}]!\n", "y".repeat(70));
        let encrypted = encrypt_marked(&long, encrypt).expect("encrypted");
        assert_eq!(encrypted.lines().map(str::len).collect::<Vec<_>>(), [4, 62, 23]);
        assert_eq!(encrypt_again(&encrypted, decrypt, encrypt).expect("again"), encrypted);
    }

    #[test]
    fn decrypted_values_stand_as_yaml() {
        let lines = |data: &str| Ok(data.to_lowercase().replace('x', "\n"));
        for (text, expected) in [
            ("ENC[PKCS7,AXB]", "a\nb"),
            ("k: ENC[PKCS7,AXB]", "k: |\n  a\n  b"),
            ("k: ENC[PKCS7,AXXB] m ENC[PKCS7,C]\n", "k: |\n  a\n\n  b m c\n"),
            ("b: >\n    ENC[PKCS7,TWO]\nc: 1\n", "b: two\nc: 1\n"),
        ] {
            assert_eq!(decrypt_all(text, lines).expect("decrypted"), expected, "{text}");
        }
    }
}
