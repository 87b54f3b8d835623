//! `crypt`: passwords as `/etc/shadow` keeps them.

use hierarch_bits::crypt;

use super::super::prelude::*;
use super::me_str;

pub(super) static METHODS: &[Builtin] = &[m("crypt", 1, 1, |vm, me, args| {
    let salt = args.text(vm, 0)?.to_string();
    if salt.len() < 2 {
        return Err(vm.raise("ArgumentError", "salt too short (need >=2 bytes)"));
    }
    let password = me_str(me).get();
    // C ends a text where a zero stands; Ruby looks only at the password for one.
    let salt = salt.split('\0').next().unwrap_or_default();
    if password.bytes().contains(&0) {
        return Err(vm.raise("ArgumentError", "string contains null byte"));
    }
    vm.work(work_of(salt))?;
    match hashed(password.bytes(), salt) {
        PasswordHash::Text(text) => Ok(vm.str(text)),
        PasswordHash::Refused => Ok(vm.str("*0")),
        PasswordHash::Unknown(what) => Err(vm.unsupported(what)),
    }
})
.gives(&[
    "'secret'.crypt('$5$saltsalt') => \"$5$saltsalt$0IyaXrmV7.sGNS6tirgqHLqX/G.FBvgkYA.lpPdS5sA\"",
    "'secret'.crypt('$1$saltsalt') => \"$1$saltsalt$9xy1btjgzLYfb7hivXtC//\"",
    "'secret'.crypt('$9$x') => \"*0\"",
    "('a' * 512).crypt('$6$ab') => \"*0\"",
    "('a' * 511).crypt('$6$ab')[0, 20] => \"$6$ab$lzQmZdHpmaUd7C\"",
    "'secret'.crypt('x') !! ArgumentError: salt too short (need >=2 bytes)",
])];

/// What becomes of a password.
enum PasswordHash {
    Text(String),
    /// The C library knows no such kind of hash.
    Refused,
    Unknown(&'static str),
}

/// How many steps a hash takes as long as.
fn work_of(salt: &str) -> u64 {
    let mut parts = salt.split('$').skip(1);
    let (kind, first) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if kind.starts_with('2') {
        return crypt::bcrypt_steps(first.parse().unwrap_or_default());
    }
    let rounds = first.strip_prefix("rounds=").and_then(|rounds| rounds.parse().ok());
    crypt::steps(rounds.map(|rounds: usize| rounds.min(crypt::MOST_ROUNDS)))
}

fn hashed(password: &[u8], salt: &str) -> PasswordHash {
    let Some((kind, rest)) = salt.strip_prefix('$').and_then(|rest| rest.split_once('$')) else {
        return if salt.starts_with('$') {
            PasswordHash::Refused
        } else {
            PasswordHash::Unknown("String#crypt with DES")
        };
    };
    let made = match kind {
        "1" => crypt::md5(password, first(rest)),
        "5" | "6" => {
            let rounds = rest.strip_prefix("rounds=").and_then(|rest| rest.split_once('$'));
            let (rounds, rest) = match rounds {
                Some((rounds, rest)) => (rounds.parse::<usize>().ok(), rest),
                None => (None, rest),
            };
            if rounds.is_some_and(|rounds| rounds > crypt::MOST_ROUNDS) {
                return PasswordHash::Unknown("String#crypt with so many rounds");
            }
            let hash = if kind == "5" { crypt::sha256 } else { crypt::sha512 };
            hash(password, first(rest), rounds)
        }
        "2a" | "2b" | "2x" | "2y" => {
            let (cost, salt) = rest.split_once('$').unwrap_or_default();
            let cost = cost.parse::<u32>().unwrap_or_default();
            if cost > crypt::MOST_COST {
                return PasswordHash::Unknown("String#crypt with such a cost");
            }
            salt.get(..22).and_then(|salt| crypt::bcrypt(password, kind, cost, salt))
        }
        _ => None,
    };
    made.map_or(PasswordHash::Refused, PasswordHash::Text)
}

/// Returns the salt itself: what stands before a hash.
fn first(rest: &str) -> &str {
    rest.split('$').next().unwrap_or_default()
}
