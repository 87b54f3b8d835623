//! The text forms of `pack` and `unpack`: uuencode, quoted-printable and numbers in base 128.

use num_bigint::BigUint;

/// Writes lines of so many bytes as uuencode does.
pub(super) fn uuencode(text: &[u8], count: Option<usize>, out: &mut Vec<u8>) {
    let sign = |six: u8| if six == 0 { b'`' } else { six + b' ' };
    for line in text.chunks(line_length(count).min(63)) {
        out.push(sign(line.len() as u8));
        for group in line.chunks(3) {
            let byte = |place: usize| group.get(place).copied().unwrap_or(0);
            let (a, b, c) = (byte(0), byte(1), byte(2));
            out.extend([a >> 2, (a << 4 | b >> 4) & 63, (b << 2 | c >> 6) & 63, c & 63].map(sign));
        }
        out.push(b'\n');
    }
}

/// Returns how many bytes go into a line of `u` or `m`, where a count says so.
pub(super) fn line_length(count: Option<usize>) -> usize {
    match count {
        Some(count) if count > 2 => count / 3 * 3,
        _ => 45,
    }
}

/// Reads as many lines of uuencode as there are, and returns what follows.
pub(super) fn uudecode(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let most = text.len() * 3 / 4;
    let (mut rest, mut bytes) = (text, Vec::new());
    while let Some((&sign, after)) = rest.split_first()
        && (b'!'..b'a').contains(&sign)
    {
        rest = after;
        let mut left = usize::from((sign - b' ') & 63).min(most - bytes.len());
        while left > 0 {
            let [a, b, c, d] = [(); 4].map(|()| six_bits(&mut rest));
            let group = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
            let count = left.min(3);
            bytes.extend(&group[..count]);
            left -= count;
        }
        rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        rest = match rest {
            [b'\n', after @ ..] => after,
            // A byte that sums up the line may stand at its end.
            [_] => &[],
            [_, b'\n', after @ ..] => after,
            other => other,
        };
    }
    (bytes, rest)
}

fn six_bits(rest: &mut &[u8]) -> u8 {
    match rest.split_first() {
        Some((&sign, after)) if (b' '..b'a').contains(&sign) => {
            *rest = after;
            (sign - b' ') & 63
        }
        _ => 0,
    }
}

/// Writes a text as quoted-printable, in lines of about so many characters.
pub(super) fn quoted_printable(text: &[u8], count: usize, out: &mut Vec<u8>) {
    let most = if count <= 1 { 72 } else { count };
    let (mut column, mut before) = (0, 0);
    for &byte in text {
        match byte {
            b'\n' => {
                if matches!(before, b' ' | b'\t') {
                    out.extend(b"=\n");
                }
                out.push(byte);
                (column, before) = (0, byte);
            }
            b'\t' | b' '..=b'~' if byte != b'=' => {
                out.push(byte);
                (column, before) = (column + 1, byte);
            }
            _ => {
                out.extend(format!("={byte:02X}").into_bytes());
                (column, before) = (column + 3, 0);
            }
        }
        if column > most {
            out.extend(b"=\n");
            (column, before) = (0, b'\n');
        }
    }
    if column > 0 {
        out.extend(b"=\n");
    }
}

/// Reads quoted-printable; what follows a mistake stays as it is.
pub(super) fn unquoted_printable(text: &[u8]) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let (mut bytes, mut at) = (Vec::new(), 0);
    while let Some(&byte) = text.get(at) {
        if byte != b'=' {
            bytes.push(byte);
            at += 1;
            continue;
        }
        match text.get(at + 1..) {
            Some([b'\r', b'\n', ..]) => at += 3,
            Some([b'\n', ..]) => at += 2,
            Some(rest) => match (digit(rest.first()), digit(rest.get(1))) {
                (Some(high), Some(low)) => {
                    bytes.push((high << 4 | low) as u8);
                    at += 3;
                }
                _ => break,
            },
            None => break,
        }
    }
    bytes.extend(text.get(at..).unwrap_or_default());
    bytes
}

/// Writes a number in base 128, the highest digit first, all but the last with their top bit.
pub(super) fn base128(number: &BigUint, out: &mut Vec<u8>) {
    let mut digits = number.to_radix_le(128);
    for digit in digits.iter_mut().skip(1) {
        *digit |= 0x80;
    }
    out.extend(digits.iter().rev());
}

/// Reads a number in base 128; nothing where it does not end.
pub(super) fn read_base128(text: &[u8]) -> Option<(BigUint, &[u8])> {
    let end = text.iter().position(|byte| byte & 0x80 == 0)?;
    let digits: Vec<u8> = text[..=end].iter().map(|byte| byte & 0x7f).collect();
    Some((BigUint::from_radix_be(&digits, 128)?, &text[end + 1..]))
}

/// Writes a number below 2^31 as UTF-8 once went, with up to six bytes.
pub(super) fn utf8(number: u32, out: &mut Vec<u8>) {
    let count = match number {
        0..=0x7f => return out.push(number as u8),
        0x80..=0x7ff => 2,
        0x800..=0xffff => 3,
        0x1_0000..=0x1f_ffff => 4,
        0x20_0000..=0x3ff_ffff => 5,
        _ => 6,
    };
    let head = 0xff00u32 >> count & 0xff;
    out.push((head | number >> (6 * (count - 1))) as u8);
    out.extend((0..count - 1).rev().map(|place| 0x80 | (number >> (6 * place) & 0x3f) as u8));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuencode_is_read_back() {
        for text in ["", "a", "ab", "abc", "hello world, this is a longer line than forty-five bytes are"] {
            let mut coded = Vec::new();
            uuencode(text.as_bytes(), None, &mut coded);
            assert_eq!(uudecode(&coded), (text.as_bytes().to_vec(), &[][..]), "{text}");
        }
    }

    #[test]
    fn quoted_printable_is_read_back() {
        for text in ["a=b", "ä", "line \nnext", &"x".repeat(200), "tab\t\n"] {
            let mut coded = Vec::new();
            quoted_printable(text.as_bytes(), 1, &mut coded);
            let read = unquoted_printable(&coded);
            // A blank at the end of a line is kept by a soft break, which Ruby writes before the hard one.
            assert_eq!(String::from_utf8_lossy(&read).trim_end_matches('\n'), text.trim_end_matches('\n'));
        }
    }

    #[test]
    fn characters_are_those_of_rust() {
        for c in ['a', 'é', '日', '😀'] {
            let mut coded = Vec::new();
            utf8(c.into(), &mut coded);
            assert_eq!(coded, c.to_string().into_bytes());
        }
        let mut coded = Vec::new();
        utf8(1_750_646_638, &mut coded);
        assert_eq!(coded, [0xfd, 0xa8, 0x96, 0x8b, 0xbd, 0xae]);
    }

    #[test]
    fn base_128_is_read_back() {
        for number in [0u64, 1, 127, 128, 300, u64::MAX] {
            let mut coded = Vec::new();
            base128(&number.into(), &mut coded);
            assert_eq!(read_base128(&coded), Some((number.into(), &[][..])), "{number}");
        }
        assert_eq!(read_base128(&[0x81]), None);
    }
}
