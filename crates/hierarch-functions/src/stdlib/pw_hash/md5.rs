//! The MD5-based `crypt` of FreeBSD, `$1$`.

use md5::{Digest, Md5};

/// The digits of the result, in its own order.
const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Which bytes of the checksum form three digits and one more, from the highest.
const ORDER: [[usize; 3]; 5] = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]];

/// Returns the hash of a password with a salt, of which eight characters count.
pub(super) fn crypt(password: &[u8], salt: &str) -> String {
    let salt = &salt[..salt.len().min(8)];
    let mut sum = first_sum(password, salt.as_bytes());
    for round in 0..1000 {
        let mut next = Md5::new();
        next.update(if round % 2 == 1 { password } else { sum.as_slice() });
        if round % 3 != 0 {
            next.update(salt.as_bytes());
        }
        if round % 7 != 0 {
            next.update(password);
        }
        next.update(if round % 2 == 1 { sum.as_slice() } else { password });
        sum = next.finalize().to_vec();
    }
    format!("$1${salt}${}", digits(&sum))
}

fn first_sum(password: &[u8], salt: &[u8]) -> Vec<u8> {
    let inner = Md5::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let mut sum = Md5::new();
    sum.update(password);
    sum.update(b"$1$");
    sum.update(salt);
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

fn digits(sum: &[u8]) -> String {
    let mut out = String::new();
    for [high, middle, low] in ORDER {
        let bits = u32::from(sum[high]) << 16 | u32::from(sum[middle]) << 8 | u32::from(sum[low]);
        add(bits, 4, &mut out);
    }
    add(u32::from(sum[11]), 2, &mut out);
    out
}

/// Adds the lowest bits as digits, the lowest first.
fn add(mut bits: u32, count: usize, out: &mut String) {
    for _ in 0..count {
        out.push(char::from(DIGITS[(bits & 63) as usize]));
        bits >>= 6;
    }
}
