//! Passwords as `/etc/shadow` keeps them: what `crypt` of the C library makes.

use md5::{Digest, Md5};
use sha_crypt::{Sha256Params, Sha512Params, sha256_crypt_b64, sha512_crypt_b64};

/// The digits of salts and results.
pub const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The digits of bcrypt's salts and results, in its own order.
pub const BCRYPT_DIGITS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/// How many rounds the SHA-based kinds have that say nothing of rounds.
const ROUNDS: usize = 5_000;
/// How many characters of a salt count: of MD5, and of the SHA-based kinds.
const SALTS: [usize; 2] = [8, 16];
/// No more of a password counts for bcrypt.
const LONGEST: usize = 72;
/// Which bytes of the MD5 checksum form four digits, from the highest.
const ORDER: [[usize; 3]; 5] = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]];

/// The C library hashes no longer password; the time of the SHA-based kinds grows with the square of its length.
pub const LONGEST_PASSWORD: usize = 511;
/// More rounds than these take longer than a program may.
pub const MOST_ROUNDS: usize = 1_000_000;
/// The same of bcrypt, whose rounds are a power of two.
pub const MOST_COST: u32 = 14;

/// How many steps of a program so many rounds of the SHA-based kinds take: one is about a microsecond.
pub fn steps(rounds: Option<usize>) -> u64 {
    rounds.unwrap_or(ROUNDS) as u64
}

/// How many steps of a program bcrypt takes at a cost.
pub fn bcrypt_steps(cost: u32) -> u64 {
    60 << cost.min(MOST_COST)
}

/// Hashes with SHA-512, `$6$`; none if there cannot be so many rounds, or the password is too long.
pub fn sha512(password: &[u8], salt: &str, rounds: Option<usize>) -> Option<String> {
    if password.len() > LONGEST_PASSWORD || rounds.is_some_and(|rounds| rounds > MOST_ROUNDS) {
        return None;
    }
    let salt = cut(salt, SALTS[1]);
    let params = Sha512Params::new(rounds.unwrap_or(ROUNDS)).ok()?;
    let hash = sha512_crypt_b64(password, salt.as_bytes(), &params).ok()?;
    Some(format!("$6${}{salt}${hash}", said(rounds)))
}

/// Hashes with SHA-256, `$5$`; none if there cannot be so many rounds, or the password is too long.
pub fn sha256(password: &[u8], salt: &str, rounds: Option<usize>) -> Option<String> {
    if password.len() > LONGEST_PASSWORD || rounds.is_some_and(|rounds| rounds > MOST_ROUNDS) {
        return None;
    }
    let salt = cut(salt, SALTS[1]);
    let params = Sha256Params::new(rounds.unwrap_or(ROUNDS)).ok()?;
    let hash = sha256_crypt_b64(password, salt.as_bytes(), &params).ok()?;
    Some(format!("$5${}{salt}${hash}", said(rounds)))
}

/// Hashes with the MD5-based `crypt` of FreeBSD, `$1$`; none if the password is too long.
pub fn md5(password: &[u8], salt: &str) -> Option<String> {
    if password.len() > LONGEST_PASSWORD {
        return None;
    }
    let salt = cut(salt, SALTS[0]);
    let mut sum = md5_begun(password, salt.as_bytes());
    for round in 0..1000 {
        let is_odd = round % 2 == 1;
        let mut next = Md5::new();
        next.update(if is_odd { password } else { sum.as_slice() });
        if round % 3 != 0 {
            next.update(salt.as_bytes());
        }
        if round % 7 != 0 {
            next.update(password);
        }
        next.update(if is_odd { sum.as_slice() } else { password });
        sum = next.finalize().to_vec();
    }
    Some(format!("$1${salt}${}", md5_digits(&sum)))
}

/// Hashes with bcrypt, whose variant is `2a`, `2b`, `2x` or `2y`; none if the salt is not one of 22 digits, or the cost not
/// one from 4 to [`MOST_COST`], or the password is too long.
pub fn bcrypt(password: &[u8], variant: &str, cost: u32, salt: &str) -> Option<String> {
    if !(4..=MOST_COST).contains(&cost) || salt.len() != 22 || password.len() > LONGEST_PASSWORD {
        return None;
    }
    let salt: [u8; 16] = bcrypt_bytes(salt)?.try_into().ok()?;
    let mut key = password.to_vec();
    key.push(0);
    key.truncate(LONGEST);
    let hash = bcrypt::bcrypt(cost, salt, &key);
    Some(format!("${variant}${cost:02}${}{}", bcrypt_digits(&salt), bcrypt_digits(&hash[..23])))
}

fn said(rounds: Option<usize>) -> String {
    rounds.map_or_else(String::new, |rounds| format!("rounds={rounds}$"))
}

/// Returns as much of a salt as counts.
fn cut(salt: &str, longest: usize) -> &str {
    salt.char_indices().nth(longest).map_or(salt, |(end, _)| &salt[..end])
}

fn md5_begun(password: &[u8], salt: &[u8]) -> Vec<u8> {
    let inner = Md5::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let mut sum = Md5::new().chain_update(password).chain_update(b"$1$").chain_update(salt);
    for chunk in password.chunks(16) {
        sum.update(&inner[..chunk.len()]);
    }
    let mut rest = password.len();
    while rest > 0 {
        // A zero byte, where one would expect a byte of the checksum.
        sum.update(if rest & 1 == 1 { [0] } else { [password[0]] });
        rest >>= 1;
    }
    sum.finalize().to_vec()
}

fn md5_digits(sum: &[u8]) -> String {
    let mut out = String::new();
    for [high, middle, low] in ORDER {
        let bits = u32::from(sum[high]) << 16 | u32::from(sum[middle]) << 8 | u32::from(sum[low]);
        push_digits(bits, 4, &mut out);
    }
    push_digits(u32::from(sum[11]), 2, &mut out);
    out
}

/// Adds the lowest bits as digits, the lowest first.
fn push_digits(mut bits: u32, count: usize, out: &mut String) {
    for _ in 0..count {
        out.push(char::from(DIGITS[(bits & 63) as usize]));
        bits >>= 6;
    }
}

fn bcrypt_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.bytes() {
        bits = bits << 6 | BCRYPT_DIGITS.iter().position(|digit| *digit == byte)? as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

fn bcrypt_digits(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| chunk.get(index).map_or(0, |byte| u32::from(*byte));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        out.extend(
            (0..=chunk.len())
                .map(|place| char::from(BCRYPT_DIGITS[(bits >> (18 - 6 * place) & 63) as usize])),
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_c_library() {
        assert_eq!(md5(b"password", "saltsalt").as_deref(), Some("$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/"));
        assert_eq!(
            sha256(b"password", "saltsalt", None).as_deref(),
            Some("$5$saltsalt$gOjOtoMpVhru2uyjeJSEc/JaLQWOXMNmlOnj6T4AtC.")
        );
        assert_eq!(
            bcrypt(b"U*U", "2a", 5, "CCCCCCCCCCCCCCCCCCCCC.").as_deref(),
            Some("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")
        );
    }

    #[test]
    fn only_the_beginning_of_a_salt_counts() {
        assert_eq!(md5(b"x", "saltsaltmore"), md5(b"x", "saltsalt"));
        assert_eq!(sha512(b"x", "0123456789abcdefmore", None), sha512(b"x", "0123456789abcdef", None));
        // A cut falls between characters.
        assert!(md5(b"x", "sältsältsält").is_some_and(|hash| hash.starts_with("$1$sältsält$")));
    }

    #[test]
    fn rounds_are_said_where_they_were_asked_for() {
        let hash = sha512(b"x", "salt", Some(1_000)).expect("enough rounds");
        assert!(hash.starts_with("$6$rounds=1000$salt$"), "{hash}");
        assert_eq!(sha512(b"x", "salt", Some(999)), None);
        assert_eq!(sha256(b"x", "salt", Some(1_000_000_000)), None);
    }

    #[test]
    fn bcrypt_refuses_what_is_not_a_salt_or_a_cost() {
        let salt = "CCCCCCCCCCCCCCCCCCCCC.";
        for (cost, salt) in
            [(3, salt), (15, salt), (32, salt), (5, &salt[1..]), (5, ""), (5, "CCCCCCCCCCCCCCCCCCCC-.")]
        {
            assert_eq!(bcrypt(b"x", "2b", cost, salt), None, "{cost} {salt}");
        }
    }

    #[test]
    fn bcrypt_counts_72_bytes_of_a_password() {
        let long = [b'a'; 100];
        let salt = "CCCCCCCCCCCCCCCCCCCCC.";
        assert_eq!(bcrypt(&long, "2b", 4, salt), bcrypt(&long[..72], "2b", 4, salt));
        assert_ne!(bcrypt(&long, "2b", 4, salt), bcrypt(&long[..71], "2b", 4, salt));
    }

    /// Their time grows with the length, of SHA with its square.
    #[test]
    fn passwords_that_are_too_long_are_not_hashed() {
        let (most, more) = ([b'a'; LONGEST_PASSWORD], [b'a'; LONGEST_PASSWORD + 1]);
        let salt = "CCCCCCCCCCCCCCCCCCCCC.";
        assert!(md5(&most, "ab").is_some() && md5(&more, "ab").is_none());
        assert!(sha256(&most, "ab", None).is_some() && sha256(&more, "ab", None).is_none());
        assert!(sha512(&most, "ab", None).is_some() && sha512(&more, "ab", None).is_none());
        assert!(bcrypt(&most, "2b", 4, salt).is_some() && bcrypt(&more, "2b", 4, salt).is_none());
        assert_eq!(sha512(b"a", "ab", Some(MOST_ROUNDS + 1)), None);
    }
}
