//! `password_hash`: passwords as `/etc/shadow` keeps them.

use md5::{Digest, Md5};
use sha_crypt::{Sha256Params, Sha512Params, sha256_crypt_b64, sha512_crypt_b64};

use super::super::call::{Bound, Function, function};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::value::Val;
use super::random::Chance;

pub(super) static FILTERS: &[Function] = &[function(
    "password_hash",
    &["password", "hashtype?", "salt?", "salt_size?", "rounds?", "ident?"],
    password_hash,
)];

/// A way to hash: its names, how long its salt may be, and how many rounds it may have.
struct Kind {
    names: [&'static str; 2],
    salt: usize,
    most_rounds: usize,
    hash: fn(&[u8], &str, Option<usize>, &str) -> Option<String>,
}

/// More rounds than these take longer than anyone waits for a template.
static KINDS: &[Kind] = &[
    Kind { names: ["sha512", "sha512_crypt"], salt: 16, most_rounds: 1_000_000, hash: sha512 },
    Kind { names: ["sha256", "sha256_crypt"], salt: 16, most_rounds: 1_000_000, hash: sha256 },
    Kind { names: ["md5", "md5_crypt"], salt: 8, most_rounds: 0, hash: md5 },
    Kind { names: ["blowfish", "bcrypt"], salt: 22, most_rounds: 14, hash: bcrypt },
];

const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn password_hash(renderer: &mut Renderer, given: &Bound) -> Checked<Val> {
    let password = given.text_for(0, "encode")?;
    let name = given.text_or(renderer, 1, "sha512")?;
    let kind = KINDS.iter().find(|kind| kind.names.contains(&name.as_str()));
    let kind = kind.ok_or_else(|| issues::unknown_password_hash(&name))?;
    let option = |at: usize| given.get(at).filter(|value| !matches!(value, Val::None));
    let size = option(3).map_or(Ok(kind.salt), |_| given.count(3, kind.salt))?;
    let salt = match option(2) {
        Some(salt) => renderer.printed(salt)?,
        None => random_salt(renderer, size.min(kind.salt))?,
    };
    if !salt.bytes().all(|byte| DIGITS.contains(&byte)) {
        return Err(issues::bad_salt_characters());
    }
    if salt.len() > kind.salt || (kind.names[1] == "bcrypt" && salt.len() != kind.salt) {
        return Err(issues::bad_salt_size());
    }
    let rounds = match option(4) {
        None => None,
        Some(_) => Some(given.count(4, 0)?),
    };
    if rounds.is_some_and(|rounds| rounds > kind.most_rounds) {
        return Err(issues::too_many_rounds(&name, kind.most_rounds));
    }
    let ident = given.text_or(renderer, 5, "")?;
    renderer.go_through(1 << 20)?;
    let hash = (kind.hash)(password.as_bytes(), &salt, rounds, &ident);
    renderer.text(hash.ok_or_else(issues::password_not_hashed)?)
}

fn random_salt(renderer: &mut Renderer, size: usize) -> Checked<String> {
    let mut chance = Chance::Machine;
    (0..size).map(|_| Ok(char::from(DIGITS[chance.below(renderer, 64)? as usize]))).collect()
}

fn prefix(mark: &str, rounds: Option<usize>) -> String {
    rounds.map_or_else(|| format!("${mark}$"), |rounds| format!("${mark}$rounds={rounds}$"))
}

fn sha512(password: &[u8], salt: &str, rounds: Option<usize>, _: &str) -> Option<String> {
    let params = Sha512Params::new(rounds.unwrap_or(5_000).max(1_000)).ok()?;
    let hash = sha512_crypt_b64(password, salt.as_bytes(), &params).ok()?;
    Some(format!("{}{salt}${hash}", prefix("6", rounds.map(|rounds| rounds.max(1_000)))))
}

fn sha256(password: &[u8], salt: &str, rounds: Option<usize>, _: &str) -> Option<String> {
    let params = Sha256Params::new(rounds.unwrap_or(5_000).max(1_000)).ok()?;
    let hash = sha256_crypt_b64(password, salt.as_bytes(), &params).ok()?;
    Some(format!("{}{salt}${hash}", prefix("5", rounds.map(|rounds| rounds.max(1_000)))))
}

/// Hashes with bcrypt, whose salt and result are written in a base 64 of its own.
fn bcrypt(password: &[u8], salt: &str, rounds: Option<usize>, ident: &str) -> Option<String> {
    let cost = u32::try_from(rounds.unwrap_or(12)).ok().filter(|cost| (4..=31).contains(cost))?;
    let ident = match ident {
        "" => "2b",
        known @ ("2a" | "2b" | "2y") => known,
        _ => return None,
    };
    let salt: [u8; 16] = bcrypt_bytes(salt)?.try_into().ok()?;
    let mut key = password.to_vec();
    key.push(0);
    key.truncate(72);
    let hash = bcrypt::bcrypt(cost, salt, &key);
    Some(format!("${ident}${cost:02}${}{}", bcrypt_digits(&salt), bcrypt_digits(&hash[..23])))
}

const BCRYPT_DIGITS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

fn bcrypt_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut group, mut held) = (0_u32, 0);
    for byte in text.bytes() {
        group = (group << 6) | BCRYPT_DIGITS.iter().position(|digit| *digit == byte)? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((group >> held) as u8);
            group &= (1 << held) - 1;
        }
    }
    Some(bytes)
}

fn bcrypt_digits(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            (0..3).fold(0_u32, |bits, at| bits << 8 | chunk.get(at).map_or(0, |byte| u32::from(*byte)));
        let digit = |place: usize| char::from(BCRYPT_DIGITS[(bits >> (18 - 6 * place) & 63) as usize]);
        out.extend((0..=chunk.len()).map(digit));
    }
    out
}

/// Hashes with the MD5-based `crypt` of FreeBSD.
fn md5(password: &[u8], salt: &str, _: Option<usize>, _: &str) -> Option<String> {
    let mut sum = md5_begun(password, salt.as_bytes());
    for round in 0..1_000 {
        let odd = round % 2 == 1;
        let mut next = Md5::new();
        next.update(if odd { password } else { sum.as_slice() });
        if round % 3 != 0 {
            next.update(salt.as_bytes());
        }
        if round % 7 != 0 {
            next.update(password);
        }
        next.update(if odd { sum.as_slice() } else { password });
        sum = next.finalize().to_vec();
    }
    let mut out = format!("$1${salt}$");
    for [high, middle, low] in [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]] {
        let bits = u32::from(sum[high]) << 16 | u32::from(sum[middle]) << 8 | u32::from(sum[low]);
        push_digits(bits, 4, &mut out);
    }
    push_digits(u32::from(sum[11]), 2, &mut out);
    Some(out)
}

fn md5_begun(password: &[u8], salt: &[u8]) -> Vec<u8> {
    let inner = Md5::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let mut sum = Md5::new().chain_update(password).chain_update(b"$1$").chain_update(salt);
    for chunk in password.chunks(16) {
        sum.update(&inner[..chunk.len()]);
    }
    let mut rest = password.len();
    while rest > 0 {
        sum.update(if rest & 1 == 1 { [0] } else { [password[0]] });
        rest >>= 1;
    }
    sum.finalize().to_vec()
}

fn push_digits(mut bits: u32, count: usize, out: &mut String) {
    for _ in 0..count {
        out.push(char::from(DIGITS[(bits & 63) as usize]));
        bits >>= 6;
    }
}
