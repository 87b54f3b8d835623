//! `pack` and `unpack`

use super::super::prelude::*;
use super::{me_str, pack_forms};

pub(super) static METHODS: &[Builtin] = &[
    m("unpack", 1, 1, |vm, me, args| {
        let list = unpack(vm, me, args, usize::MAX)?;
        let Some(block) = args.block.clone() else { return Ok(vm.array(list)) };
        for value in list {
            vm.call_block(&block, &[value])?;
        }
        Ok(Value::Nil)
    })
    .takes(&["offset"])
    .gives(&[
        "'abc'.unpack('C*') => [97, 98, 99]",
        "'abc'.unpack('H*') => [\"616263\"]",
        "'YWI='.unpack('m') => [\"ab\"]",
        "\"\\0\\0\\xc0?\".unpack('e') => [1.5]",
        "'abc'.unpack('C', offset: 1) => [98]",
        "'#86)C'.unpack('u') => [\"abc\"]",
        "'a=3Db'.unpack('M') => [\"a=b\"]",
        "'a'.unpack('w') => [97]",
        "'abc'.unpack('@1a') => [\"b\"]",
        "'abc'.unpack('a2Xa') => [\"ab\", \"b\"]",
        "'abc'.unpack('X') !! ArgumentError: X outside of string",
    ]),
    m("unpack1", 1, 1, |vm, me, args| {
        let list = unpack(vm, me, args, 1)?;
        Ok(list.into_iter().next().unwrap_or_default())
    })
    .takes(&["offset"])
    .gives(&["'abc'.unpack1('a2') => \"ab\"", "'abc'.unpack1('ay') => \"a\""]),
];

/// A directive: its letter, how often, and its modifiers.
struct Directive {
    letter: u8,
    count: Option<usize>,
    star: bool,
    big: Option<bool>,
}

/// The letters that Ruby knows.
const LETTERS: &[u8] = b"aAZbBhHCcSsLlQqNnVvUwmMxXuijIJ@fFdDeEgGpP";
/// Those that may be followed by `_`, `!`, `<` or `>`.
const SIZED: &[u8] = b"sSiIlLqQjJ";

/// Directives that are read one after the other: what comes before a mistake has been done when it is found.
struct Directives<'t> {
    template: &'t str,
    rest: &'t [u8],
    verb: &'static str,
}

impl<'t> Directives<'t> {
    fn of(template: &'t str, verb: &'static str) -> Self {
        Self { template, rest: template.as_bytes(), verb }
    }

    fn next(&mut self, vm: &mut Vm<'_>) -> Res<Option<Directive>> {
        self.rest = self.rest.trim_ascii_start();
        let Some((&letter, rest)) = self.rest.split_first() else { return Ok(None) };
        self.rest = rest;
        if !LETTERS.contains(&letter) {
            let words = unknown(letter, self.verb, self.template);
            return Err(vm.raise("ArgumentError", words));
        }
        let mut directive = Directive { letter, count: None, star: false, big: None };
        while let Some((&sign, rest)) = self.rest.split_first() {
            match sign {
                b'_' | b'!' | b'<' | b'>' if !SIZED.contains(&letter) => {
                    let words = format!("'{}' allowed only after types sSiIlLqQjJ", char::from(sign));
                    return Err(vm.raise("ArgumentError", words));
                }
                b'*' => directive.star = true,
                b'>' => directive.big = Some(true),
                b'<' => directive.big = Some(false),
                b'_' | b'!' => {}
                digit if digit.is_ascii_digit() => {
                    let digit = usize::from(digit - b'0');
                    let before = directive.count.unwrap_or(0);
                    directive.count = Some(before.saturating_mul(10).saturating_add(digit));
                }
                _ => break,
            }
            self.rest = rest;
        }
        Ok(Some(directive))
    }
}

/// What is said of a letter that is none of them.
fn unknown(letter: u8, verb: &str, template: &str) -> String {
    if letter == b'%' {
        return "% is not supported".to_owned();
    }
    let shown =
        if letter.is_ascii_graphic() { char::from(letter).to_string() } else { format!("\\x{letter:02x}") };
    format!("unknown {verb} directive '{shown}' in '{}'", printable(template))
}

/// Escapes a template if not all of it can be printed.
fn printable(template: &str) -> String {
    if !template.chars().any(char::is_control) {
        return template.to_owned();
    }
    let escaped = |c: char| match c {
        '\0' => "\\0".to_owned(),
        '\u{7f}' => "\\c?".to_owned(),
        c => {
            let quoted = crate::run::inspect::quoted(&Text::Utf8(EcoString::from(c)));
            quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
        }
    };
    template.chars().map(escaped).collect()
}

/// Returns how many bytes a float has, and whether the highest byte comes first.
fn float_layout(directive: &Directive) -> Option<(usize, bool)> {
    Some(match directive.letter {
        b'f' | b'F' | b'e' => (4, false),
        b'g' => (4, true),
        b'd' | b'D' | b'E' => (8, false),
        b'G' => (8, true),
        _ => return None,
    })
}

fn float_of(bytes: &[u8], big: bool) -> f64 {
    let ordered: Vec<u8> = if big { bytes.iter().rev().copied().collect() } else { bytes.to_vec() };
    match (<[u8; 4]>::try_from(ordered.as_slice()), <[u8; 8]>::try_from(ordered.as_slice())) {
        (Ok(four), _) => f64::from(f32::from_le_bytes(four)),
        (_, Ok(eight)) => f64::from_le_bytes(eight),
        _ => 0.0,
    }
}

fn bytes_of_float(number: f64, size: usize, big: bool) -> Vec<u8> {
    let mut bytes =
        if size == 4 { (number as f32).to_le_bytes().to_vec() } else { number.to_le_bytes().to_vec() };
    if big {
        bytes.reverse();
    }
    bytes
}

/// Returns how many bytes an integer has, whether it is signed, whether the highest byte comes first.
fn layout(directive: &Directive) -> Option<(usize, bool, bool)> {
    let big = directive.big.unwrap_or(false);
    Some(match directive.letter {
        b'C' => (1, false, big),
        b'c' => (1, true, big),
        b'S' => (2, false, big),
        b's' => (2, true, big),
        b'L' | b'I' => (4, false, big),
        b'l' | b'i' => (4, true, big),
        b'Q' | b'J' => (8, false, big),
        b'q' | b'j' => (8, true, big),
        b'n' => (2, false, true),
        b'N' => (4, false, true),
        b'v' => (2, false, false),
        b'V' => (4, false, false),
        _ => return None,
    })
}

fn integer_of(bytes: &[u8], signed: bool, big: bool) -> i128 {
    let mut number: i128 = 0;
    let ordered: Vec<u8> = if big { bytes.to_vec() } else { bytes.iter().rev().copied().collect() };
    for byte in ordered {
        number = number << 8 | i128::from(byte);
    }
    let bits = bytes.len() * 8;
    if signed && number >> (bits - 1) & 1 == 1 { number - (1 << bits) } else { number }
}

/// Unpacks until there are as many values as wanted.
fn unpack(vm: &mut Vm<'_>, me: &Value, args: &Args, most: usize) -> Res<Vec<Value>> {
    let template = args.text(vm, 0)?;
    let it = me_str(me).get();
    let whole = it.bytes();
    let offset = match args.keyword("offset") {
        Some(offset) => vm.to_int(&offset)?,
        None => 0,
    };
    let Ok(offset) = usize::try_from(offset) else {
        return Err(vm.raise("ArgumentError", "offset can't be negative"));
    };
    let Some(mut rest) = whole.get(offset..) else {
        return Err(vm.raise("ArgumentError", "offset outside of string"));
    };
    let mut list = Vec::new();
    let mut directives = Directives::of(&template, "unpack");
    while list.len() < most
        && let Some(directive) = directives.next(vm)?
    {
        rest = match moved(&directive, whole, rest) {
            Some(Some(rest)) => rest,
            Some(None) => {
                let letter = char::from(directive.letter);
                return Err(vm.raise("ArgumentError", format!("{letter} outside of string")));
            }
            None => unpack_one(vm, &directive, rest, (&mut list, most == 1))?,
        };
    }
    Ok(list)
}

/// Follows a directive that only goes elsewhere; nothing inside where there is no such place.
fn moved<'b>(directive: &Directive, whole: &'b [u8], rest: &'b [u8]) -> Option<Option<&'b [u8]>> {
    let (at, count) = (whole.len() - rest.len(), directive.count.unwrap_or(1));
    match directive.letter {
        // Without a number it needs something to stand on, and goes to the start.
        b'@' if whole.is_empty() && !directive.star && directive.count.is_none() => Some(None),
        b'@' => Some(whole.get(if directive.star { rest.len() } else { directive.count.unwrap_or(0) }..)),
        b'X' => {
            let count = if directive.star { rest.len() } else { count };
            Some(at.checked_sub(count).and_then(|at| whole.get(at..)))
        }
        b'x' => Some(rest.get(if directive.star { rest.len() } else { count }..)),
        _ => None,
    }
}

/// Reads numbers of so many bytes: integers that are signed or not, or floats. What is missing is nil.
fn unpack_numbers<'b>(
    vm: &mut Vm<'_>,
    directive: &Directive,
    (size, signed, big): (usize, Option<bool>, bool),
    mut rest: &'b [u8],
    (list, is_single): (&mut Vec<Value>, bool),
) -> Res<&'b [u8]> {
    let most = if directive.star { usize::MAX } else { directive.count.unwrap_or(1) };
    for _ in 0..most {
        let Some((head, tail)) = rest.split_at_checked(size) else {
            // Where one value is asked for, what is missing does not count as one.
            if !directive.star && !is_single {
                list.push(Value::Nil);
                vm.check_size(list.len())?;
                if rest.is_empty() && list.len() > 1 << 16 {
                    break;
                }
                continue;
            }
            break;
        };
        list.push(match signed {
            Some(signed) => integer_of(head, signed, big).into(),
            None => Value::Float(float_of(head, big)),
        });
        rest = tail;
    }
    Ok(rest)
}

fn unpack_one<'b>(
    vm: &mut Vm<'_>,
    directive: &Directive,
    rest: &'b [u8],
    (list, is_single): (&mut Vec<Value>, bool),
) -> Res<&'b [u8]> {
    let integers = layout(directive).map(|(size, signed, big)| (size, Some(signed), big));
    let floats = float_layout(directive).map(|(size, big)| (size, None, big));
    if let Some(form) = integers.or(floats) {
        return unpack_numbers(vm, directive, form, rest, (list, is_single));
    }
    let count = if directive.star { rest.len() } else { directive.count.unwrap_or(1).min(rest.len()) };
    match directive.letter {
        b'a' | b'A' | b'Z' => {
            let (mut head, mut tail) = rest.split_at(count);
            if directive.letter == b'A' {
                let end =
                    head.iter().rposition(|byte| !matches!(byte, b' ' | 0)).map_or(0, |place| place + 1);
                head = &head[..end];
            } else if directive.letter == b'Z'
                && let Some(end) = head.iter().position(|byte| *byte == 0)
            {
                if directive.star {
                    tail = &rest[end + 1..];
                }
                head = &head[..end];
            }
            list.push(vm.binary(head.to_vec()));
            Ok(tail)
        }
        b'H' | b'h' => {
            let digits = if directive.star {
                rest.len() * 2
            } else {
                directive.count.unwrap_or(1).min(rest.len() * 2)
            };
            let halves = |byte: &u8| {
                if directive.letter == b'H' { [byte >> 4, byte & 15] } else { [byte & 15, byte >> 4] }
            };
            let text: String = rest
                .iter()
                .flat_map(halves)
                .take(digits)
                .filter_map(|half| char::from_digit(half.into(), 16))
                .collect();
            list.push(vm.text(Text::Bytes(text.into_bytes(), Encoding::Ascii)));
            Ok(&rest[digits.div_ceil(2)..])
        }
        b'B' | b'b' => {
            let bits = if directive.star {
                rest.len() * 8
            } else {
                directive.count.unwrap_or(1).min(rest.len() * 8)
            };
            let text: String = (0..bits)
                .map(|bit| {
                    let shift = if directive.letter == b'B' { 7 - bit % 8 } else { bit % 8 };
                    if rest[bit / 8] >> shift & 1 == 1 { '1' } else { '0' }
                })
                .collect();
            list.push(vm.text(Text::Bytes(text.into_bytes(), Encoding::Ascii)));
            Ok(&rest[bits.div_ceil(8)..])
        }
        _ => unpack_coded(vm, directive, rest, list),
    }
}

/// Reads what is written in a code of its own: characters, base 64, uuencode, quoted-printable, base 128.
fn unpack_coded<'b>(
    vm: &mut Vm<'_>,
    directive: &Directive,
    rest: &'b [u8],
    list: &mut Vec<Value>,
) -> Res<&'b [u8]> {
    match directive.letter {
        b'U' => {
            let text = String::from_utf8_lossy(rest).into_owned();
            let most = if directive.star { usize::MAX } else { directive.count.unwrap_or(1) };
            let mut used = 0;
            for c in text.chars().take(most) {
                list.push(Value::Int(u32::from(c).into()));
                used += c.len_utf8();
            }
            Ok(rest.get(used..).unwrap_or_default())
        }
        b'm' => {
            let text: String = rest.iter().map(|byte| char::from(*byte)).collect();
            let bytes = hierarch_pcore::value::Binary::from_base64_lenient(&text).bytes().to_vec();
            list.push(vm.binary(bytes));
            Ok(&[])
        }
        b'u' => {
            let (bytes, rest) = pack_forms::uudecode(rest);
            list.push(vm.binary(bytes));
            Ok(rest)
        }
        b'M' => {
            list.push(vm.binary(pack_forms::unquoted_printable(rest)));
            Ok(&[])
        }
        b'w' => {
            let most = if directive.star { usize::MAX } else { directive.count.unwrap_or(1) };
            let (mut rest, mut read) = (rest, 0);
            while read < most {
                let Some((number, after)) = pack_forms::read_base128(rest) else { break };
                vm.count_digits(rest.len() - after.len(), 128)?;
                list.push(num_bigint::BigInt::from(number).into());
                (rest, read) = (after, read + 1);
            }
            Ok(rest)
        }
        // A pointer needs as many bytes as an address has.
        b'p' | b'P' if rest.len() < 8 => Ok(rest),
        other => Err(vm.unsupported(&format!("String#unpack('{}')", char::from(other)))),
    }
}

/// Packs values into a string.
pub(in crate::core) fn pack(vm: &mut Vm<'_>, values: &[Value], template: &str) -> Res {
    let mut values = values.iter();
    let mut bytes: Vec<u8> = Vec::new();
    // Only directives that write texts leave an encoding for texts.
    let (mut directives, mut encoding) = (Directives::of(template, "pack"), Encoding::Ascii);
    while let Some(directive) = directives.next(vm)? {
        encoding = match (directive.letter, encoding) {
            (b'U', Encoding::Ascii | Encoding::Utf8) => Encoding::Utf8,
            (b'm' | b'M' | b'u', encoding) => encoding,
            _ => Encoding::Binary,
        };
        pack_one(vm, &directive, &mut values, &mut bytes)?;
        vm.check_size(bytes.len())?;
    }
    Ok(match encoding {
        Encoding::Utf8 => vm.text(Text::of_bytes(bytes, Encoding::Utf8)),
        other => vm.text(Text::Bytes(bytes, other)),
    })
}

fn pack_one<'v>(
    vm: &mut Vm<'_>,
    directive: &Directive,
    values: &mut impl Iterator<Item = &'v Value>,
    bytes: &mut Vec<u8>,
) -> Res<()> {
    match directive.letter {
        b'p' | b'P' => {
            return Err(vm.unsupported(&format!("Array#pack('{}')", char::from(directive.letter))));
        }
        b'@' | b'X' => return go_to(vm, directive, bytes),
        _ => {}
    }
    let is_number =
        layout(directive).is_some() || float_layout(directive).is_some() || b"Uw".contains(&directive.letter);
    if is_number {
        let mut left = if directive.star { usize::MAX } else { directive.count.unwrap_or(1) };
        while left > 0 {
            let Some(value) = values.next() else {
                if directive.star {
                    break;
                }
                return Err(vm.raise("ArgumentError", "too few arguments"));
            };
            left -= 1;
            if let Some((size, big)) = float_layout(directive) {
                let number = vm.to_float(value)?;
                bytes.extend(bytes_of_float(number, size, big));
                continue;
            }
            if directive.letter == b'w' {
                pack_base128(vm, value, bytes)?;
                continue;
            }
            if directive.letter == b'U' {
                // What is longer than a word fails by its size, before its meaning.
                let whole = whole_of(vm, value)?;
                vm.to_int(&whole)?;
            }
            let number = low_bits(vm, value)?;
            match layout(directive) {
                Some((size, _, big)) => {
                    let mut part = number.to_le_bytes()[..size].to_vec();
                    if big {
                        part.reverse();
                    }
                    bytes.extend(part);
                }
                None => match u32::try_from(number).ok().filter(|number| *number < 1 << 31) {
                    Some(number) => pack_forms::utf8(number, bytes),
                    None => return Err(vm.raise("RangeError", "pack(U): value out of range")),
                },
            }
        }
        return Ok(());
    }
    if directive.letter == b'x' {
        let count = if directive.star { 0 } else { directive.count.unwrap_or(1) };
        vm.check_size(bytes.len().saturating_add(count))?;
        bytes.resize(bytes.len() + count, 0);
        return Ok(());
    }
    let Some(value) = values.next() else { return Err(vm.raise("ArgumentError", "too few arguments")) };
    if directive.letter == b'M' {
        let text = vm.to_s(value)?;
        pack_forms::quoted_printable(text.as_bytes(), directive.count.unwrap_or(1), bytes);
        return Ok(());
    }
    let may_lack = matches!(directive.letter, b'a' | b'A' | b'Z' | b'B' | b'b' | b'H' | b'h');
    let text = if value.is_nil() && may_lack { Text::Utf8(EcoString::new()) } else { vm.to_str(value)? };
    pack_text(vm, directive, text.bytes(), bytes)
}

/// Makes the bytes so far as many as a directive says.
fn go_to(vm: &mut Vm<'_>, directive: &Directive, bytes: &mut Vec<u8>) -> Res<()> {
    let count = if directive.star { 0 } else { directive.count.unwrap_or(1) };
    let end = if directive.letter == b'@' { Some(count) } else { bytes.len().checked_sub(count) };
    let Some(end) = end else { return Err(vm.raise("ArgumentError", "X outside of string")) };
    vm.check_size(end)?;
    bytes.resize(end, 0);
    Ok(())
}

/// Returns the integer of a float, and what is no float as it is.
fn whole_of(vm: &mut Vm<'_>, value: &Value) -> Res {
    match value {
        Value::Float(_) => vm.send(value, Sym::of("to_i"), &[]),
        other => Ok(other.clone()),
    }
}

/// Returns the lowest bits of an integer of any size.
fn low_bits(vm: &mut Vm<'_>, value: &Value) -> Res<i64> {
    let value = whole_of(vm, value)?;
    match &value {
        Value::Big(number) => {
            let low = number.magnitude().iter_u64_digits().next().unwrap_or(0) as i64;
            Ok(if number.sign() == num_bigint::Sign::Minus { low.wrapping_neg() } else { low })
        }
        other => vm.to_int(other),
    }
}

fn pack_base128(vm: &mut Vm<'_>, value: &Value, bytes: &mut Vec<u8>) -> Res<()> {
    let value = match value {
        Value::Float(_) => vm.send(value, Sym::of("to_i"), &[])?,
        other => other.clone(),
    };
    let number = match &value {
        Value::Big(number) => (**number).clone(),
        other => vm.to_int(other)?.into(),
    };
    let Some(number) = number.to_biguint() else {
        return Err(vm.raise("ArgumentError", "can't compress negative numbers"));
    };
    vm.count_digits(usize::try_from(number.bits() / 7).unwrap_or(usize::MAX), 128)?;
    pack_forms::base128(&number, bytes);
    Ok(())
}

fn pack_text(vm: &mut Vm<'_>, directive: &Directive, text: &[u8], bytes: &mut Vec<u8>) -> Res<()> {
    match directive.letter {
        b'a' | b'A' | b'Z' => {
            let count = if directive.star {
                text.len() + usize::from(directive.letter == b'Z')
            } else {
                directive.count.unwrap_or(1)
            };
            vm.check_size(bytes.len().saturating_add(count))?;
            let fill = if directive.letter == b'A' { b' ' } else { 0 };
            let start = bytes.len();
            bytes.extend(text.iter().take(count));
            bytes.resize(start + count, fill);
        }
        b'H' | b'h' => {
            // Ruby takes the lowest bits of whatever stands there.
            let digit = |byte: &u8| {
                if byte.is_ascii_alphabetic() { ((byte & 15) + 9) & 15 } else { byte & 15 }
            };
            let digits: Vec<u8> = text.iter().map(digit).collect();
            let wanted = if directive.star { digits.len() } else { directive.count.unwrap_or(1) };
            let count = wanted.min(digits.len());
            for pair in digits[..count].chunks(2) {
                let (first, second) = (pair[0], pair.get(1).copied().unwrap_or(0));
                bytes.push(if directive.letter == b'H' { first << 4 | second } else { second << 4 | first });
            }
            let missing = wanted.div_ceil(2) - count.div_ceil(2);
            vm.check_size(bytes.len().saturating_add(missing))?;
            bytes.resize(bytes.len() + missing, 0);
        }
        b'B' | b'b' => {
            let wanted = if directive.star { text.len() } else { directive.count.unwrap_or(1) };
            let count = wanted.min(text.len());
            for group in text[..count].chunks(8) {
                let shift = |bit: usize| if directive.letter == b'B' { 7 - bit } else { bit };
                let bits = group.iter().enumerate().map(|(bit, digit)| (digit & 1) << shift(bit));
                bytes.push(bits.fold(0, |a, b| a | b));
            }
            // Ruby counts half a byte for each bit that is missing.
            let missing = if wanted > count { (wanted - count).div_ceil(2) } else { 0 };
            vm.check_size(bytes.len().saturating_add(missing))?;
            bytes.resize(bytes.len() + missing, 0);
        }
        b'm' => {
            let line = if directive.count == Some(0) {
                usize::MAX
            } else {
                pack_forms::line_length(directive.count)
            };
            for chunk in text.chunks(line.min(text.len().max(1))) {
                bytes.extend(hierarch_pcore::value::Binary::new(chunk).base64().into_bytes());
                if directive.count != Some(0) {
                    bytes.push(b'\n');
                }
            }
        }
        b'u' => pack_forms::uuencode(text, directive.count, bytes),
        other => return Err(vm.unsupported(&format!("Array#pack('{}')", char::from(other)))),
    }
    Ok(())
}
