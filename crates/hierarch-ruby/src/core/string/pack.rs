//! `pack` and `unpack`

use super::super::prelude::*;
use super::me_str;

pub(super) static METHODS: &[Builtin] = &[
    m("unpack", 1, 1, |vm, me, args| {
        let list = unpack(vm, me, args)?;
        Ok(vm.array(list))
    })
    .takes(&["offset"])
    .gives(&[
        "'abc'.unpack('C*') => [97, 98, 99]",
        "'abc'.unpack('H*') => [\"616263\"]",
        "'YWI='.unpack('m') => [\"ab\"]",
    ]),
    m("unpack1", 1, 1, |vm, me, args| {
        let list = unpack(vm, me, args)?;
        Ok(list.into_iter().next().unwrap_or_default())
    })
    .takes(&["offset"])
    .gives(&["'abc'.unpack1('a2') => \"ab\""]),
];

/// A directive: its letter, how often, and its modifiers.
struct Directive {
    letter: char,
    count: Option<usize>,
    star: bool,
    big: Option<bool>,
}

fn directives(vm: &mut Vm<'_>, template: &str, verb: &str) -> Res<Vec<Directive>> {
    let mut list = Vec::new();
    let mut characters = template.chars().filter(|c| !c.is_whitespace()).peekable();
    while let Some(letter) = characters.next() {
        let mut directive = Directive { letter, count: None, star: false, big: None };
        while let Some(c) = characters.peek().copied() {
            match c {
                '*' => directive.star = true,
                '>' => directive.big = Some(true),
                '<' => directive.big = Some(false),
                '_' | '!' => {}
                c if c.is_ascii_digit() => {
                    let digit = c.to_digit(10).unwrap_or(0) as usize;
                    directive.count =
                        Some(directive.count.unwrap_or(0).saturating_mul(10).saturating_add(digit));
                }
                _ => break,
            }
            characters.next();
        }
        if !"aAZbBhHCcSsLlQqNnVvUwmMxXuijIJ@".contains(letter) {
            return Err(
                vm.raise("ArgumentError", format!("unknown {verb} directive '{letter}' in '{template}'"))
            );
        }
        list.push(directive);
    }
    Ok(list)
}

/// Returns how many bytes an integer has, whether it is signed, whether the highest byte comes first.
fn layout(directive: &Directive) -> Option<(usize, bool, bool)> {
    let big = directive.big.unwrap_or(false);
    Some(match directive.letter {
        'C' => (1, false, big),
        'c' => (1, true, big),
        'S' => (2, false, big),
        's' => (2, true, big),
        'L' | 'I' => (4, false, big),
        'l' | 'i' => (4, true, big),
        'Q' | 'J' => (8, false, big),
        'q' | 'j' => (8, true, big),
        'n' => (2, false, true),
        'N' => (4, false, true),
        'v' => (2, false, false),
        'V' => (4, false, false),
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

fn unpack(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res<Vec<Value>> {
    let template = args.text(vm, 0)?;
    let it = me_str(me).get();
    let mut rest = it.bytes();
    let mut list = Vec::new();
    for directive in directives(vm, &template, "unpack")? {
        rest = unpack_one(vm, &directive, rest, &mut list)?;
    }
    Ok(list)
}

fn unpack_one<'b>(
    vm: &mut Vm<'_>,
    directive: &Directive,
    rest: &'b [u8],
    list: &mut Vec<Value>,
) -> Res<&'b [u8]> {
    if let Some((size, signed, big)) = layout(directive) {
        let most = if directive.star { usize::MAX } else { directive.count.unwrap_or(1) };
        let mut rest = rest;
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
            list.push(integer_of(head, signed, big).into());
            rest = tail;
        }
        return Ok(rest);
    }
    let count = if directive.star { rest.len() } else { directive.count.unwrap_or(1).min(rest.len()) };
    match directive.letter {
        'a' | 'A' | 'Z' => {
            let (mut head, mut tail) = rest.split_at(count);
            if directive.letter == 'A' {
                let end =
                    head.iter().rposition(|byte| !matches!(byte, b' ' | 0)).map_or(0, |place| place + 1);
                head = &head[..end];
            } else if directive.letter == 'Z'
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
        'H' | 'h' => {
            let digits = if directive.star {
                rest.len() * 2
            } else {
                directive.count.unwrap_or(1).min(rest.len() * 2)
            };
            let halves = |byte: &u8| {
                if directive.letter == 'H' { [byte >> 4, byte & 15] } else { [byte & 15, byte >> 4] }
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
        'B' | 'b' => {
            let bits = if directive.star {
                rest.len() * 8
            } else {
                directive.count.unwrap_or(1).min(rest.len() * 8)
            };
            let text: String = (0..bits)
                .map(|bit| {
                    let shift = if directive.letter == 'B' { 7 - bit % 8 } else { bit % 8 };
                    if rest[bit / 8] >> shift & 1 == 1 { '1' } else { '0' }
                })
                .collect();
            list.push(vm.text(Text::Bytes(text.into_bytes(), Encoding::Ascii)));
            Ok(&rest[bits.div_ceil(8)..])
        }
        'U' => {
            let text = String::from_utf8_lossy(rest).into_owned();
            let most = if directive.star { usize::MAX } else { directive.count.unwrap_or(1) };
            let mut used = 0;
            for c in text.chars().take(most) {
                list.push(Value::Int(u32::from(c).into()));
                used += c.len_utf8();
            }
            Ok(rest.get(used..).unwrap_or_default())
        }
        'm' => {
            let text: String = rest.iter().map(|byte| char::from(*byte)).collect();
            let bytes = hierarch_pcore::value::Binary::from_base64_lenient(&text).bytes().to_vec();
            list.push(vm.binary(bytes));
            Ok(&[])
        }
        'x' => Ok(&rest[count..]),
        other => Err(vm.unsupported(&format!("String#unpack('{other}')"))),
    }
}

/// Packs values into a string.
pub(in crate::core) fn pack(vm: &mut Vm<'_>, values: &[Value], template: &str) -> Res {
    let mut values = values.iter();
    let mut bytes: Vec<u8> = Vec::new();
    let mut is_text = false;
    for (place, directive) in directives(vm, template, "pack")?.iter().enumerate() {
        is_text |= place == 0 && directive.letter == 'U';
        pack_one(vm, directive, &mut values, &mut bytes)?;
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
    let is_number = layout(directive).is_some() || directive.letter == 'U';
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
    if matches!(directive.letter, 'x') {
        let count = directive.count.unwrap_or(1);
        vm.check_size(bytes.len().saturating_add(count))?;
        bytes.resize(bytes.len() + count, 0);
        return Ok(());
    }
    let Some(value) = values.next() else { return Err(vm.raise("ArgumentError", "too few arguments")) };
    let may_lack = matches!(directive.letter, 'a' | 'A' | 'Z' | 'B' | 'b' | 'H' | 'h');
    let text = if value.is_nil() && may_lack { Text::Utf8(EcoString::new()) } else { vm.to_str(value)? };
    pack_text(vm, directive, text.bytes(), bytes)
}

fn pack_text(vm: &mut Vm<'_>, directive: &Directive, text: &[u8], bytes: &mut Vec<u8>) -> Res<()> {
    match directive.letter {
        'a' | 'A' | 'Z' => {
            let count = if directive.star {
                text.len() + usize::from(directive.letter == 'Z')
            } else {
                directive.count.unwrap_or(1)
            };
            vm.check_size(bytes.len().saturating_add(count))?;
            let fill = if directive.letter == 'A' { b' ' } else { 0 };
            let start = bytes.len();
            bytes.extend(text.iter().take(count));
            bytes.resize(start + count, fill);
        }
        'H' | 'h' => {
            let digits: Vec<u8> =
                text.iter().map(|byte| char::from(*byte).to_digit(16).unwrap_or(0) as u8).collect();
            let count =
                if directive.star { digits.len() } else { directive.count.unwrap_or(1).min(digits.len()) };
            for pair in digits[..count].chunks(2) {
                let (first, second) = (pair[0], pair.get(1).copied().unwrap_or(0));
                bytes.push(if directive.letter == 'H' { first << 4 | second } else { second << 4 | first });
            }
        }
        'B' | 'b' => {
            let count =
                if directive.star { text.len() } else { directive.count.unwrap_or(1).min(text.len()) };
            for group in text[..count].chunks(8) {
                let byte = group
                    .iter()
                    .enumerate()
                    .map(|(bit, digit)| {
                        let shift = if directive.letter == 'B' { 7 - bit } else { bit };
                        (digit & 1) << shift
                    })
                    .fold(0, |a, b| a | b);
                bytes.push(byte);
            }
        }
        'm' => {
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
        other => return Err(vm.unsupported(&format!("Array#pack('{other}')"))),
    }
    Ok(())
}
