//! `str2saltedpbkdf2` and `str2saltedsha512`: passwords as macOS keeps them.

use rand_core::{OsRng, RngCore};
use sha2::{Digest, Sha512};

use crate::prelude::*;
use crate::ruby::{class_name, hexadecimal};
use issues::stdlib::says;

/// The function `str2saltedpbkdf2`.
pub(super) static STR2SALTEDPBKDF2: Function = Function {
    name: "str2saltedpbkdf2",
    doc: "Returns a password as macOS keeps it: a Hash with `password_hex`, `salt_hex` and `iterations`, which are given as second and third argument.",
    dispatches: &[legacy(-1, str2saltedpbkdf2)],
    examples: &[
        Gives("str2saltedpbkdf2('secret', 'saltsalt', 50000)['salt_hex']", "'73616c7473616c74'"),
        Fails(
            "str2saltedpbkdf2('secret', 'salt', 50000)",
            "str2saltedpbkdf2(): second argument must be at least 8 bytes long",
        ),
    ],
};

/// The function `str2saltedsha512`.
pub(super) static STR2SALTEDSHA512: Function = Function {
    name: "str2saltedsha512",
    doc: "Returns a password with a random salt of four bytes, in hexadecimal digits, as older releases of macOS keep it.",
    dispatches: &[legacy(-1, str2saltedsha512)],
    examples: &[
        Gives("length(str2saltedsha512('secret'))", "136"),
        Fails("str2saltedsha512(1)", "str2saltedsha512(): Requires a String argument, you passed: Integer"),
    ],
};

fn str2saltedpbkdf2(call: &mut Call) -> Result<Value> {
    if call.count() != 3 {
        let words = format!("wrong number of arguments ({} for 3)", call.count());
        return Err(says("str2saltedpbkdf2", words).into());
    }
    let text = |index: usize, which: &str| match unwrapped(call.value(index)) {
        Value::String(text) => Ok(text.to_string()),
        _ => Err(says("str2saltedpbkdf2", format!("{which} argument must be a string"))),
    };
    let (password, salt) = (text(0, "first")?, text(1, "second")?);
    if salt.len() < 8 {
        return Err(says("str2saltedpbkdf2", "second argument must be at least 8 bytes long").into());
    }
    let rounds = match unwrapped(call.value(2)) {
        Value::Integer(rounds) => *rounds,
        _ => return Err(says("str2saltedpbkdf2", "third argument must be an integer").into()),
    };
    let rounds = u32::try_from(rounds).ok().filter(|rounds| (40_001..70_000).contains(rounds));
    let rounds =
        rounds.ok_or_else(|| says("str2saltedpbkdf2", "third argument must be between 40,000 and 70,000"))?;
    let key = pbkdf2::pbkdf2_hmac_array::<Sha512, 128>(password.as_bytes(), salt.as_bytes(), rounds);
    let mut parts = Hash::new();
    parts.insert("password_hex", hexadecimal(&key));
    parts.insert("salt_hex", hexadecimal(salt.as_bytes()));
    parts.insert("iterations", i64::from(rounds));
    Ok(parts.into())
}

/// Looks into what is sensitive.
pub(super) fn unwrapped(value: &Value) -> &Value {
    match value {
        Value::Sensitive(inner) => inner,
        other => other,
    }
}

fn str2saltedsha512(call: &mut Call) -> Result<Value> {
    let password = match call.arguments() {
        [Value::String(password)] => password,
        [other] => {
            let words = format!("Requires a String argument, you passed: {}", class_name(other));
            return Err(says("str2saltedsha512", words).into());
        }
        _ => {
            let words = format!("Wrong number of arguments passed ({} but we require 1)", call.count());
            return Err(says("str2saltedsha512", words).into());
        }
    };
    let salt = (OsRng.next_u32() >> 1).to_le_bytes();
    let sum = Sha512::new().chain_update(salt).chain_update(password.as_bytes()).finalize();
    Ok(format!("{}{}", hexadecimal(&salt), hexadecimal(&sum)).into())
}
