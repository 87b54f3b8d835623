//! `pack` and `unpack`

use super::super::prelude::*;
use super::me_str;

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
            None => unpack_one(vm, &directive, rest, &mut list)?,
        };
    }
    Ok(list)
}

/// Follows a directive that only goes elsewhere; nothing inside where there is no such place.
fn moved<'b>(directive: &Directive, whole: &'b [u8], rest: &'b [u8]) -> Option<Option<&'b [u8]>> {
    let (at, count) = (whole.len() - rest.len(), directive.count.unwrap_or(1));
    match directive.letter {
        b'@' => Some(whole.get(if directive.star { 0 } else { directive.count.unwrap_or(0) }..)),
        b'X' if directive.star => Some(Some(rest)),
        b'X' => Some(at.checked_sub(count).and_then(|at| whole.get(at..))),
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
    list: &mut Vec<Value>,
) -> Res<&'b [u8]> {
    let most = if directive.star { usize::MAX } else { directive.count.unwrap_or(1) };
    for _ in 0..most {
        let Some((head, tail)) = rest.split_at_checked(size) else {
            if !directive.star {
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
    list: &mut Vec<Value>,
) -> Res<&'b [u8]> {
    let integers = layout(directive).map(|(size, signed, big)| (size, Some(signed), big));
    let floats = float_layout(directive).map(|(size, big)| (size, None, big));
    if let Some(form) = integers.or(floats) {
        return unpack_numbers(vm, directive, form, rest, list);
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
        // A pointer needs as many bytes as an address has.
        b'p' | b'P' if rest.len() < 8 => Ok(rest),
        other => Err(vm.unsupported(&format!("String#unpack('{}')", char::from(other)))),
    }
}

/// Packs values into a string.
pub(in crate::core) fn pack(vm: &mut Vm<'_>, values: &[Value], template: &str) -> Res {
    let mut values = values.iter();
    let mut bytes: Vec<u8> = Vec::new();
    let mut is_text = false;
    let (mut directives, mut is_first) = (Directives::of(template, "pack"), true);
    while let Some(directive) = directives.next(vm)? {
        is_text |= is_first && directive.letter == b'U';
        is_first = false;
        pack_one(vm, &directive, &mut values, &mut bytes)?;
        vm.check_size(bytes.len())?;
    }
    if is_text {
        return Ok(vm.text(Text::of_bytes(bytes, Encoding::Utf8)));
    }
    let is_ascii = template.starts_with(['m', 'M', 'u']);
    Ok(vm.text(Text::Bytes(bytes, if is_ascii { Encoding::Ascii } else { Encoding::Binary })))
}

fn pack_one<'v>(
    vm: &mut Vm<'_>,
    directive: &Directive,
    values: &mut impl Iterator<Item = &'v Value>,
    bytes: &mut Vec<u8>,
) -> Res<()> {
    if b"wpP@X".contains(&directive.letter) {
        return Err(vm.unsupported(&format!("Array#pack('{}')", char::from(directive.letter))));
    }
    let is_number =
        layout(directive).is_some() || float_layout(directive).is_some() || directive.letter == b'U';
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
            let number = match value {
                Value::Big(number) => num_traits::ToPrimitive::to_u64(&(**number)).unwrap_or(u64::MAX) as i64,
                other => vm.to_int(other)?,
            };
            match layout(directive) {
                Some((size, _, big)) => {
                    let mut part = number.to_le_bytes()[..size].to_vec();
                    if big {
                        part.reverse();
                    }
                    bytes.extend(part);
                }
                None => match u32::try_from(number).ok().and_then(char::from_u32) {
                    Some(c) => bytes.extend(c.to_string().into_bytes()),
                    None => return Err(vm.raise("RangeError", "pack(U): value out of range")),
                },
            }
        }
        return Ok(());
    }
    if directive.letter == b'x' {
        let count = directive.count.unwrap_or(1);
        vm.check_size(bytes.len().saturating_add(count))?;
        bytes.resize(bytes.len() + count, 0);
        return Ok(());
    }
    let Some(value) = values.next() else { return Err(vm.raise("ArgumentError", "too few arguments")) };
    let may_lack = matches!(directive.letter, b'a' | b'A' | b'Z' | b'B' | b'b' | b'H' | b'h');
    let text = if value.is_nil() && may_lack { Text::Utf8(EcoString::new()) } else { vm.to_str(value)? };
    pack_text(vm, directive, text.bytes(), bytes)
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
            let digits: Vec<u8> =
                text.iter().map(|byte| char::from(*byte).to_digit(16).unwrap_or(0) as u8).collect();
            let count =
                if directive.star { digits.len() } else { directive.count.unwrap_or(1).min(digits.len()) };
            for pair in digits[..count].chunks(2) {
                let (first, second) = (pair[0], pair.get(1).copied().unwrap_or(0));
                bytes.push(if directive.letter == b'H' { first << 4 | second } else { second << 4 | first });
            }
        }
        b'B' | b'b' => {
            let count =
                if directive.star { text.len() } else { directive.count.unwrap_or(1).min(text.len()) };
            for group in text[..count].chunks(8) {
                let byte = group
                    .iter()
                    .enumerate()
                    .map(|(bit, digit)| {
                        let shift = if directive.letter == b'B' { 7 - bit } else { bit };
                        (digit & 1) << shift
                    })
                    .fold(0, |a, b| a | b);
                bytes.push(byte);
            }
        }
        b'm' => {
            let line = if directive.count == Some(0) {
                usize::MAX
            } else {
                (directive.count.unwrap_or(45) / 3 * 3).max(3)
            };
            for chunk in text.chunks(line.min(text.len().max(1))) {
                bytes.extend(hierarch_pcore::value::Binary::new(chunk).base64().into_bytes());
                if directive.count != Some(0) {
                    bytes.push(b'\n');
                }
            }
        }
        other => return Err(vm.unsupported(&format!("Array#pack('{}')", char::from(other)))),
    }
    Ok(())
}
