//! `pw_hash`: passwords as `/etc/shadow` keeps them.

mod bcrypt;
mod md5;

use sha_crypt::{Sha256Params, Sha512Params, sha256_crypt_b64, sha512_crypt_b64};

use super::salted::unwrapped;
use crate::prelude::*;
use issues::stdlib::{no_such_hash, salt_characters, says};

/// The rounds of SHA-crypt where a salt does not choose them.
const ROUNDS: usize = 5000;
/// What longer salts are cut to.
const SHA_SALT: usize = 16;

/// The function `pw_hash`.
pub(super) static PW_HASH: Function = Function {
    name: "pw_hash",
    doc: "Returns a password as `/etc/shadow` keeps it, by a kind (`md5`, `sha-256`, `sha-512`, `bcrypt`, `bcrypt-a`, `bcrypt-x`, `bcrypt-y`) and a salt; for `bcrypt` the salt begins with the cost, as in `05$` and 22 characters. An empty password gives `undef`.",
    dispatches: &[legacy(3, pw_hash)],
    examples: &[
        Gives("pw_hash('secret', 'md5', 'salt')", "'$1$salt$ez2vlPGdaLYkJam5pWs/Y1'"),
        Gives("pw_hash('', 'md5', 'salt')", "undef"),
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
    Ok(hashed(&password, &lower, &salt)?.into())
}

const KINDS: [&str; 7] = ["md5", "sha-256", "sha-512", "bcrypt", "bcrypt-a", "bcrypt-x", "bcrypt-y"];

fn check_salt(kind: &str, salt: &str) -> Result<()> {
    if kind.starts_with("bcrypt") {
        let is_good = salt.lines().any(bcrypt::is_salt);
        return if is_good { Ok(()) } else { Err(salt_characters(Some(bcrypt::SALT)).into()) };
    }
    let is_good = salt.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '/'));
    if is_good { Ok(()) } else { Err(salt_characters(None).into()) }
}

fn hashed(password: &str, kind: &str, salt: &str) -> Result<String> {
    let sha_salt = &salt[..salt.len().min(SHA_SALT)];
    let failed = || says("pw_hash", "the hash cannot be computed");
    Ok(match kind {
        "md5" => md5::crypt(password.as_bytes(), salt),
        "sha-256" => {
            let rounds = Sha256Params::new(ROUNDS).map_err(|_| failed())?;
            let hash = sha256_crypt_b64(password.as_bytes(), sha_salt.as_bytes(), &rounds);
            format!("$5${sha_salt}${}", hash.map_err(|_| failed())?)
        }
        "sha-512" => {
            let rounds = Sha512Params::new(ROUNDS).map_err(|_| failed())?;
            let hash = sha512_crypt_b64(password.as_bytes(), sha_salt.as_bytes(), &rounds);
            format!("$6${sha_salt}${}", hash.map_err(|_| failed())?)
        }
        kind => {
            let variant = kind.strip_prefix("bcrypt-").unwrap_or("b");
            bcrypt::crypt(password.as_bytes(), variant, salt).ok_or_else(failed)?
        }
    })
}
