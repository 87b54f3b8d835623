//! `password_hash`: passwords as `/etc/shadow` keeps them.

use hierarch_bits::crypt;

use super::super::call::{BoundArguments, Function, function};
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
    Kind { names: ["sha512", "sha512_crypt"], salt: 16, most_rounds: crypt::MOST_ROUNDS, hash: sha512 },
    Kind { names: ["sha256", "sha256_crypt"], salt: 16, most_rounds: crypt::MOST_ROUNDS, hash: sha256 },
    Kind { names: ["md5", "md5_crypt"], salt: 8, most_rounds: 0, hash: md5 },
    Kind { names: ["blowfish", "bcrypt"], salt: 22, most_rounds: crypt::MOST_COST as usize, hash: bcrypt },
];

fn password_hash(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
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
    if !salt.bytes().all(|byte| crypt::DIGITS.contains(&byte)) {
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
    if password.len() > crypt::LONGEST_PASSWORD {
        return Err(issues::long_password(crypt::LONGEST_PASSWORD));
    }
    renderer.go_through(work_of(kind, rounds))?;
    let hash = (kind.hash)(password.as_bytes(), &salt, rounds, &ident);
    renderer.text(hash.ok_or_else(issues::password_not_hashed)?)
}

/// How many bytes a template goes through in the time of a hash.
fn work_of(kind: &Kind, rounds: Option<usize>) -> usize {
    let steps = if kind.names[1] == "bcrypt" {
        crypt::bcrypt_steps(rounds.map_or(12, |rounds| rounds as u32))
    } else {
        crypt::steps(rounds)
    };
    (steps as usize).saturating_mul(BYTES)
}

/// A template goes through about so many bytes in a microsecond.
const BYTES: usize = 200;

fn random_salt(renderer: &mut Renderer, size: usize) -> Checked<String> {
    let mut chance = Chance::Machine;
    (0..size).map(|_| Ok(char::from(crypt::DIGITS[chance.below(renderer, 64)? as usize]))).collect()
}

fn sha512(password: &[u8], salt: &str, rounds: Option<usize>, _: &str) -> Option<String> {
    crypt::sha512(password, salt, rounds.map(|rounds| rounds.max(1_000)))
}

fn sha256(password: &[u8], salt: &str, rounds: Option<usize>, _: &str) -> Option<String> {
    crypt::sha256(password, salt, rounds.map(|rounds| rounds.max(1_000)))
}

fn md5(password: &[u8], salt: &str, _: Option<usize>, _: &str) -> Option<String> {
    crypt::md5(password, salt)
}

fn bcrypt(password: &[u8], salt: &str, rounds: Option<usize>, ident: &str) -> Option<String> {
    let ident = match ident {
        "" => "2b",
        known @ ("2a" | "2b" | "2y") => known,
        _ => return None,
    };
    crypt::bcrypt(password, ident, u32::try_from(rounds.unwrap_or(12)).ok()?, salt)
}
