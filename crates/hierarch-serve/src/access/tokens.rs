//! Tokens: a file with `NAME ROLE… SHA256-HEX` a line. The tokens themselves stand nowhere.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::Role;
use crate::issues;

/// What stands in place of a hash where a name is that of a certificate.
const CERTIFICATE: &str = "certificate";

/// Who has a token, and may do what.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    known: Vec<Token>,
}

#[derive(Clone, Debug)]
struct Token {
    name: String,
    roles: Vec<Role>,
    /// The hash of the token; none for a name of certificates.
    hash: Option<[u8; 32]>,
}

impl Tokens {
    /// Reads the text of a file of tokens.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let known =
            lines.map(|(number, line)| token(line).map_err(|why| issues::bad_token_line(number, &why)));
        Ok(Self { known: known.collect::<Result<_, _>>()? })
    }

    /// Finds whose token it is. How long that takes tells nothing about tokens.
    pub(crate) fn find(&self, token: &str) -> Option<(String, Vec<Role>)> {
        let hash = hash(token);
        let mut found = None;
        for known in &self.known {
            if let Some(own) = &known.hash
                && bool::from(own.ct_eq(&hash))
            {
                found = Some(known);
            }
        }
        found.map(|known| (known.name.clone(), known.roles.clone()))
    }

    /// Returns the roles that a certificate of this name has.
    pub(crate) fn of_certificate(&self, name: &str) -> Vec<Role> {
        let own = self.known.iter().filter(|known| known.hash.is_none() && known.name == name);
        own.flat_map(|known| known.roles.clone()).collect()
    }
}

fn token(line: &str) -> Result<Token, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, roles @ .., last] = words.as_slice() else {
        return Err("a name or a hash is missing".to_owned());
    };
    if roles.is_empty() {
        return Err("a role is missing".to_owned());
    }
    let roles = roles.iter().map(|role| Role::parse(role)).collect::<Result<Vec<_>, _>>()?;
    let hash = if *last == CERTIFICATE { None } else { Some(from_hex(last)?) };
    Ok(Token { name: (*name).to_owned(), roles, hash })
}

fn from_hex(text: &str) -> Result<[u8; 32], String> {
    let bad = || "the last word is neither 64 hexadecimal digits nor 'certificate'".to_owned();
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| digits.len() == 64).ok_or_else(bad)?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = pair.iter().fold(0, |byte, digit| byte << 4 | digit);
    }
    Ok(bytes)
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Writes the line of a token for the file.
pub fn token_line(name: &str, roles: &[Role], token: &str) -> String {
    let roles: Vec<&str> = roles.iter().map(|role| role.word()).collect();
    let hash: String = hash(token).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{name} {} {hash}", roles.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_made_is_found_again() {
        let line = token_line("ci", &[Role::Read, Role::Edit], "s3cret");
        let tokens = Tokens::parse(&format!("# who\n\n{line}\nops facts certificate\n")).expect("tokens");
        assert_eq!(tokens.find("s3cret"), Some(("ci".to_owned(), vec![Role::Read, Role::Edit])));
        assert_eq!(tokens.find("s3cre"), None);
        assert_eq!(tokens.find("certificate"), None);
        assert_eq!(tokens.of_certificate("ops"), [Role::Facts]);
        assert!(tokens.of_certificate("ci").is_empty());
        assert!(!line.contains("s3cret"));
    }

    #[test]
    fn a_malformed_line_is_told_with_its_number() {
        for (text, words) in [
            ("ci", "line 1: a name or a hash is missing"),
            ("# x\nci read", "line 2: a role is missing"),
            ("ci read beef", "64 hexadecimal digits"),
            ("ci reed certificate", "there is no role 'reed'"),
        ] {
            let error = Tokens::parse(text).expect_err("malformed");
            assert!(error.contains(words), "{error}");
        }
    }
}
