//! `pw_hash`: passwords as `/etc/shadow` keeps them.

use hierarch_bits::crypt;

use super::salted::unwrapped;
use crate::prelude::*;
use issues::stdlib::{no_such_hash, salt_characters, says};

/// The pattern that a salt of bcrypt must match, as messages show it.
const BCRYPT_SALT: &str = "(?-mix:^(0[4-9]|[12][0-9]|3[01])\\$[.\\/A-Za-z0-9]{22})";

/// The function `pw_hash`.
pub(super) static PW_HASH: Function = Function {
    name: "pw_hash",
    doc: "Returns a password as `/etc/shadow` keeps it, by a kind (`md5`, `sha-256`, `sha-512`, `bcrypt`, `bcrypt-a`, `bcrypt-x`, `bcrypt-y`) and a salt; for `bcrypt` the salt begins with the cost, as in `05$` and 22 characters. An empty password gives `undef`.",
    dispatches: &[legacy(3, pw_hash)],
    examples: &[
        Gives("pw_hash('secret', 'md5', 'salt')", "'$1$salt$ez2vlPGdaLYkJam5pWs/Y1'"),
        Gives("pw_hash('', 'md5', 'salt')", "undef"),
        Gives("pw_hash(sprintf('%512s', 'a'), 'sha-512', 'ab')", "'*0'"),
        Fails(
            "pw_hash('a', 'bcrypt', '31$CCCCCCCCCCCCCCCCCCCCC.')",
            "pw_hash(): a cost of 31 takes too long; the most is 14",
        ),
        Fails("pw_hash('secret', 'sha-1', 'salt')", "pw_hash(): sha-1 is not a valid hash type"),
        Fails(
            "pw_hash('secret', 'md5', 's$lt')",
            "pw_hash(): characters in salt must be in the set [a-zA-Z0-9./]",
        ),
    ],
};

fn pw_hash(call: &mut Call) -> Result<Value> {
    let text = |index: usize, which: &str| match unwrapped(call.value(index)) {
        Value::String(text) => Ok(text.to_string()),
        _ => Err(says("pw_hash", format!("{which} argument must be a string"))),
    };
    let (password, kind) = (text(0, "first")?, text(1, "second")?);
    let lower = kind.to_lowercase();
    if !KINDS.contains(&&*lower) {
        return Err(no_such_hash(&kind).into());
    }
    let salt = text(2, "third")?;
    if salt.is_empty() {
        return Err(says("pw_hash", "third argument must not be empty").into());
    }
    check_salt(&lower, &salt)?;
    if password.is_empty() {
        return Ok(Value::Undef);
    }
    if password.contains('\0') {
        return Err(issues::argument("string contains null byte").into());
    }
    call.count_steps(work_of(&lower, &salt))?;
    Ok(hashed(&password, &lower, &salt)?.into())
}

/// How many steps a hash takes as long as.
fn work_of(kind: &str, salt: &str) -> u64 {
    let cost = salt.lines().find_map(cost_and_salt).filter(|_| kind.starts_with("bcrypt"));
    cost.map_or_else(|| crypt::steps(None), |(cost, _)| crypt::bcrypt_steps(cost))
}

const KINDS: [&str; 7] = ["md5", "sha-256", "sha-512", "bcrypt", "bcrypt-a", "bcrypt-x", "bcrypt-y"];

fn check_salt(kind: &str, salt: &str) -> Result<()> {
    if kind.starts_with("bcrypt") {
        let is_good = salt.lines().any(|line| cost_and_salt(line).is_some());
        return if is_good { Ok(()) } else { Err(salt_characters(Some(BCRYPT_SALT)).into()) };
    }
    let is_good = salt.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '/'));
    if is_good { Ok(()) } else { Err(salt_characters(None).into()) }
}

fn hashed(password: &str, kind: &str, salt: &str) -> Result<String> {
    let password = password.as_bytes();
    if password.len() > crypt::LONGEST_PASSWORD {
        // What the C library says instead of a hash.
        return Ok("*0".to_owned());
    }
    let hash = match kind {
        "md5" => crypt::md5(password, salt),
        "sha-256" => crypt::sha256(password, salt, None),
        "sha-512" => crypt::sha512(password, salt, None),
        kind => {
            let variant = kind.strip_prefix("bcrypt-").unwrap_or("b");
            let found = salt.lines().find_map(cost_and_salt);
            if let Some((cost, _)) = found.filter(|(cost, _)| *cost > crypt::MOST_COST) {
                let most = crypt::MOST_COST;
                return Err(
                    says("pw_hash", format!("a cost of {cost} takes too long; the most is {most}")).into()
                );
            }
            found.and_then(|(cost, salt)| crypt::bcrypt(password, &format!("2{variant}"), cost, salt))
        }
    };
    Ok(hash.ok_or_else(|| says("pw_hash", "the hash cannot be computed"))?)
}

/// Returns the cost and the salt that a line begins with.
fn cost_and_salt(line: &str) -> Option<(u32, &str)> {
    let cost = line.get(..2).filter(|cost| cost.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()?;
    let salt = line.get(2..25)?.strip_prefix('$')?;
    let is_salt = (4..=31).contains(&cost) && salt.bytes().all(|byte| crypt::BCRYPT_DIGITS.contains(&byte));
    is_salt.then_some((cost, salt))
}
