//! Base 64, written and read.

/// The 64 digits of the standard alphabet.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns bytes in base 64, padded, without line breaks.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| chunk.get(index).map_or(0, |byte| u32::from(*byte));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// Reads base 64 as lenient readers do: what is not a digit is skipped, reading ends at padding.
pub fn decode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0);
    for digit in text.bytes().take_while(|byte| *byte != b'=').filter_map(digit) {
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// Reads base 64 of which every character is a digit, whose padding is complete and whose unused bits are zero.
pub fn decode_strictly(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    let is_whole =
        text.len().is_multiple_of(4) && padding <= 2 && digits.bytes().all(|byte| digit(byte).is_some());
    let bytes = is_whole.then(|| decode(digits))?;
    (encode(&bytes) == text).then_some(bytes)
}

/// Returns the value of a digit, if it is one.
pub fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    const VECTORS: &[(&str, &str)] = &[
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ];

    #[test]
    fn the_vectors_of_the_standard_go_both_ways() {
        for (plain, encoded) in VECTORS {
            assert_eq!(encode(plain.as_bytes()), *encoded);
            assert_eq!(decode(encoded), plain.as_bytes());
            assert_eq!(decode_strictly(encoded).as_deref(), Some(plain.as_bytes()));
        }
    }

    #[test]
    fn every_byte_goes_both_ways() {
        let bytes: Vec<u8> = (0..=255).collect();
        for length in 0..=bytes.len() {
            let part = &bytes[bytes.len() - length..];
            assert_eq!(decode_strictly(&encode(part)).as_deref(), Some(part));
        }
    }

    #[test]
    fn lenient_readers_skip_what_is_not_a_digit_and_stop_at_padding() {
        for (text, plain) in [("Z m\n9v", "foo"), ("Zm9v=Zm9v", "foo"), ("Zg", "f"), ("Z", ""), ("é_-", "")]
        {
            assert_eq!(decode(text), plain.as_bytes(), "{text}");
        }
    }

    #[test]
    fn strict_readers_refuse_everything_else() {
        for text in ["Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm 9v", "=", "====", "Zm9v\n", "é==="] {
            assert_eq!(decode_strictly(text), None, "{text}");
        }
    }
}
