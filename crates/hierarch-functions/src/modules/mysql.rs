//! `mysql::password`: the hash that MySQL keeps of a password.

use sha1::{Digest, Sha1};

use crate::prelude::*;

/// The function `mysql::password`.
pub(super) static PASSWORD: Function = Function {
    name: "mysql::password",
    doc: "Returns the hash that MySQL keeps of a password. What is such a hash already stays as it is, and so does the empty text.",
    dispatches: &[on(&["Variant[String, Sensitive[String]] password", "?Boolean sensitive"], password)
        .returns("Variant[String, Sensitive[String]]")],
    examples: &[
        Gives("mysql::password('foo')", "'*F3A2A51A9B0F2BE2468926B4132313728C250DBF'"),
        Gives("mysql::password('')", "''"),
        Gives("mysql::password(Sensitive('foo'), true)", "#<Sensitive [value redacted]>"),
    ],
};

fn password(call: &mut Call) -> Result<Value> {
    let is_secret = call.count() > 1 && call.is_true(1);
    let password = call.take(0);
    let password = match &password {
        Value::Sensitive(secret) => secret.as_str(),
        other => other.as_str(),
    };
    let hash = Value::from(hash_of(password.unwrap_or_default()));
    Ok(if is_secret { Value::Sensitive(Arc::new(hash)) } else { hash })
}

fn hash_of(password: &str) -> String {
    if password.is_empty() || password.lines().any(ends_with_hash) {
        return password.to_owned();
    }
    let digest = Sha1::digest(Sha1::digest(password));
    format!("*{}", digest.iter().map(|byte| format!("{byte:02X}")).collect::<String>())
}

/// Tells whether a line ends with a star and forty digits.
fn ends_with_hash(line: &str) -> bool {
    const DIGITS: usize = 40;
    let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
    let digits = line.bytes().rev().take(DIGITS).filter(is_digit).count();
    digits == DIGITS && line.as_bytes().iter().rev().nth(DIGITS) == Some(&b'*')
}
