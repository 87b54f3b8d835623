//! `bcrypt`, `$2b$` and its variants.

/// The pattern that a salt must match, as messages show it.
pub(super) const SALT: &str = "(?-mix:^(0[4-9]|[12][0-9]|3[01])\\$[.\\/A-Za-z0-9]{22})";
/// The digits of salts and results.
const DIGITS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/// No more of a password counts.
const LONGEST: usize = 72;

/// Tells whether a line begins with a cost and a salt.
pub(super) fn is_salt(line: &str) -> bool {
    let cost = line.get(..2).filter(|cost| cost.bytes().all(|byte| byte.is_ascii_digit()));
    let is_cost = cost.and_then(|cost| cost.parse::<u32>().ok()).is_some_and(|cost| (4..=31).contains(&cost));
    let salt = line.get(2..25).and_then(|rest| rest.strip_prefix('$'));
    is_cost && salt.is_some_and(|salt| salt.bytes().all(|byte| DIGITS.contains(&byte)))
}

/// Returns the hash of a password; none if the salt has no cost in front.
pub(super) fn crypt(password: &[u8], variant: &str, setting: &str) -> Option<String> {
    let line = setting.lines().find(|line| is_salt(line))?;
    let cost: u32 = line.get(..2)?.parse().ok()?;
    let salt: [u8; 16] = decoded(line.get(3..25)?).try_into().ok()?;
    let mut key = password.to_vec();
    key.push(0);
    key.truncate(LONGEST);
    let hash = bcrypt::bcrypt(cost, salt, &key);
    Some(format!("$2{variant}${cost:02}${}{}", encoded(&salt), encoded(&hash[..23])))
}

fn decoded(text: &str) -> Vec<u8> {
    let value = |byte: u8| DIGITS.iter().position(|digit| *digit == byte).unwrap_or(0) as u32;
    let chunks = text.as_bytes().chunks(4);
    let bytes = chunks.flat_map(|chunk| {
        let bits = (0..4).fold(0, |bits, index| bits << 6 | chunk.get(index).map_or(0, |byte| value(*byte)));
        bits.to_be_bytes()[1..chunk.len()].to_vec()
    });
    bytes.collect()
}

fn encoded(bytes: &[u8]) -> String {
    let chunks = bytes.chunks(3);
    let digits = chunks.flat_map(|chunk| {
        let bits =
            (0..3).fold(0u32, |bits, index| bits << 8 | chunk.get(index).map_or(0, |byte| u32::from(*byte)));
        let digit = move |place: usize| DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
        (0..=chunk.len()).map(digit).map(char::from).collect::<Vec<char>>()
    });
    digits.collect()
}
