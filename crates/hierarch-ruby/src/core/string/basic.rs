//! Making, joining, comparing.

use hierarch_bits::successor;

use super::super::prelude::*;
use super::{chars, like, me_str, undump};
use crate::run::equal::same_text;

pub(super) static SINGLETON: &[Builtin] = &[m("try_convert", 1, 1, |_, _, args| {
    Ok(match args.at(0) {
        it @ Value::Str(_) => it,
        _ => Value::Nil,
    })
})];

pub(super) static METHODS: &[Builtin] = &[
    m("initialize", 0, 2, initialize).private(),
    m("initialize_copy", 1, 1, replace).private(),
    m("replace", 1, 1, replace).gives(&["'a'.dup.replace('b') => \"b\""]),
    m("to_s", 0, 0, itself),
    m("to_str", 0, 0, itself),
    m("to_sym", 0, 0, to_sym).gives(&["'a b'.to_sym => :\"a b\""]),
    m("intern", 0, 0, to_sym).gives(&["'a'.intern => :a"]),
    m("inspect", 0, 0, |vm, me, _| {
        let shown = crate::run::inspect::quoted(&me_str(me).text());
        Ok(vm.str(shown))
    })
    .gives(&["\"a\\n\".inspect => \"\\\"a\\\\n\\\"\""]),
    m("undump", 0, 0, undump::undump).gives(&[
        "'\"a\\\\n\"'.undump => \"a\\n\"",
        "'\"\\\\u00E9\"'.undump => \"é\"",
        "'a'.undump !! RuntimeError: invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form",
    ]),
    m("dump", 0, 0, dump).gives(&["'é'.dump => \"\\\"\\\\u00E9\\\"\""]),
    m("+", 1, 1, plus).gives(&[
        "'a' + 'b' => \"ab\"",
        "'a' + 1 !! TypeError: no implicit conversion of Integer into String",
    ]),
    m("*", 1, 1, times).gives(&["'ab' * 2 => \"abab\"", "'a' * -1 !! ArgumentError: negative argument"]),
    m("<<", 1, 1, append).gives(&["'a'.dup << 'b' << 99 => \"abc\""]),
    m("concat", 0, -1, concat).gives(&["'a'.dup.concat('b', 'c') => \"abc\""]),
    m("append_as_bytes", 0, -1, concat),
    m("prepend", 0, -1, prepend).gives(&["'a'.dup.prepend('b') => \"ba\""]),
    m("==", 1, 1, equals).gives(&["'a' == 'a' => true", "'a' == :a => false"]),
    m("===", 1, 1, equals),
    m("eql?", 1, 1, equals),
    m("<=>", 1, 1, spaceship).gives(&["'a' <=> 'b' => -1", "'a' <=> 1 => nil"]),
    m("hash", 0, 0, |vm, me, _| Ok(Value::Int(vm.identity(me)?.number()))),
    m("length", 0, 0, length).gives(&["'héllo'.length => 5"]),
    m("size", 0, 0, length).gives(&["'héllo'.size => 5"]),
    m("bytesize", 0, 0, |_, me, _| Ok(me_str(me).len().into())).gives(&["'héllo'.bytesize => 6"]),
    m("empty?", 0, 0, |_, me, _| Ok(Value::Bool(me_str(me).is_empty()))).gives(&["''.empty? => true"]),
    m("clear", 0, 0, |vm, me, _| {
        vm.check_frozen(me)?;
        me_str(me).set(Text::Utf8(EcoString::new()));
        Ok(me.clone())
    })
    .gives(&["'a'.dup.clear => \"\""]),
    m("reverse", 0, 0, |vm, me, _| {
        let text: String = chars(me).chars().rev().collect();
        Ok(like(vm, me, &text))
    })
    .gives(&["'日本'.reverse => \"本日\""]),
    m("reverse!", 0, 0, |vm, me, _| {
        let text: String = chars(me).chars().rev().collect();
        super::put(vm, me, &text)?;
        Ok(me.clone())
    }),
    m("+@", 0, 0, |vm, me, _| if vm.is_frozen(me) { Ok(vm.text(me_str(me).get())) } else { Ok(me.clone()) }),
    m("-@", 0, 0, dedup),
    m("dedup", 0, 0, dedup),
    m("succ", 0, 0, |vm, me, _| {
        let next = successor(&chars(me));
        Ok(like(vm, me, &next))
    })
    .gives(&["'az'.succ => \"ba\"", "'a9'.succ => \"b0\"", "'Zz'.succ => \"AAa\""]),
    m("next", 0, 0, |vm, me, _| {
        let next = successor(&chars(me));
        Ok(like(vm, me, &next))
    }),
    m("succ!", 0, 0, |vm, me, _| {
        let next = successor(&chars(me));
        super::put(vm, me, &next)?;
        Ok(me.clone())
    }),
    m("next!", 0, 0, |vm, me, _| {
        let next = successor(&chars(me));
        super::put(vm, me, &next)?;
        Ok(me.clone())
    }),
    m("upto", 1, 2, upto).gives(&[
        "'a'.upto('d').to_a => [\"a\", \"b\", \"c\", \"d\"]",
        "'8'.upto('11').to_a => [\"8\", \"9\", \"10\", \"11\"]",
    ]),
    m("ord", 0, 0, ord).gives(&["'a'.ord => 97", "''.ord !! ArgumentError: empty string"]),
    m("chr", 0, 0, |vm, me, _| {
        let first: String = chars(me).chars().take(1).collect();
        Ok(like(vm, me, &first))
    })
    .gives(&["'abc'.chr => \"a\""]),
    m("sum", 0, 1, |vm, me, args| {
        let bits = if args.is_empty() { 16 } else { args.int(vm, 0)? };
        Ok(Value::Int(
            me_str(me).text().bytes().iter().map(|byte| i64::from(*byte)).sum::<i64>()
                & if (1..63).contains(&bits) { (1 << bits) - 1 } else { -1 },
        ))
    })
    .gives(&["'ab'.sum => 195"]),
    m("freeze", 0, 0, |_, me, _| {
        me_str(me).frozen.set(true);
        Ok(me.clone())
    }),
];

fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let Some(value) = args.positional().first() {
        let text = vm.to_str(value)?;
        me_str(me).set(text);
    }
    Ok(Value::Nil)
}

fn itself(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(me.clone())
}

fn replace(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let text = vm.to_str(&args.at(0))?;
    me_str(me).set(text);
    Ok(me.clone())
}

fn to_sym(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let text = me_str(me).lossy();
    Ok(Value::Sym(vm.intern(&text)?))
}

fn dump(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let mut ascii = String::from("\"");
    let text = me_str(me).get();
    let shown = |part: &str| {
        let quoted = crate::run::inspect::quoted(&Text::Utf8(part.into()));
        quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
    };
    match &text {
        Text::Bytes(..) => return Ok(vm.str(crate::run::inspect::quoted(&text))),
        Text::Utf8(text) => {
            let mut characters = text.chars().peekable();
            while let Some(c) = characters.next() {
                match u32::from(c) {
                    0x23 if matches!(characters.peek(), Some('{' | '$' | '@')) => ascii.push_str("\\#"),
                    0x07..=0x0d | 0x1b | 0x20..=0x7e => ascii.push_str(&shown(&c.to_string())),
                    code if code < 0x80 => ascii.push_str(&format!("\\x{code:02X}")),
                    code if code > 0xffff => ascii.push_str(&format!("\\u{{{code:X}}}")),
                    code => ascii.push_str(&format!("\\u{code:04X}")),
                }
            }
        }
    }
    ascii.push('"');
    Ok(vm.str(ascii))
}

fn plus(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let more = vm.to_str(&args.at(0))?;
    let it = me_str(me);
    vm.check_size(it.len() + more.bytes().len())?;
    check_compatible(vm, &it.get(), &more)?;
    let sum = Str::new(&vm.meter, it.get());
    sum.push(&more);
    Ok(Value::Str(Rc::new(sum)))
}

/// Fails if two texts beyond ASCII have different encodings.
fn check_compatible(vm: &mut Vm<'_>, a: &Text, b: &Text) -> Res<()> {
    let (one, other) = (a.encoding(), b.encoding());
    if one == other || a.bytes().is_ascii() || b.bytes().is_ascii() {
        return Ok(());
    }
    let message = format!("incompatible character encodings: {} and {}", one.name(), other.name());
    Err(vm.raise("Encoding::CompatibilityError", message))
}

fn times(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let count = args.int(vm, 0)?;
    let Ok(count) = usize::try_from(count) else {
        return Err(vm.raise("ArgumentError", "negative argument"));
    };
    let it = me_str(me);
    vm.check_size(it.len().saturating_mul(count))?;
    let repeated = match it.get() {
        Text::Utf8(text) => Text::Utf8(text.repeat(count)),
        Text::Bytes(bytes, encoding) => Text::Bytes(bytes.repeat(count), encoding),
    };
    Ok(vm.text(repeated))
}

/// Returns what is appended: a text, or the character with a number.
fn appended(vm: &mut Vm<'_>, me: &Value, value: &Value) -> Res<Text> {
    match value {
        Value::Int(code) => {
            if me_str(me).text().encoding() == Encoding::Binary
                && let Ok(byte) = u8::try_from(*code)
            {
                return Ok(Text::Bytes(vec![byte], Encoding::Binary));
            }
            let Ok(point) = u32::try_from(*code) else {
                return Err(vm.raise("RangeError", format!("{code} out of char range")));
            };
            let made = of_point(vm, point)?;
            vm.to_str(&made)
        }
        Value::Big(_) => Err(vm.raise("RangeError", "bignum out of char range")),
        other => vm.to_str(other),
    }
}

/// Makes the text of one character.
pub(in crate::core) fn of_point(vm: &mut Vm<'_>, point: u32) -> Res {
    match char::from_u32(point) {
        Some(c) => Ok(vm.str(ecow::eco_format!("{c}"))),
        None if point > 0x0010_ffff => Err(vm.raise("RangeError", format!("{point} out of char range"))),
        None => Err(vm.raise("RangeError", format!("invalid codepoint 0x{point:X} in UTF-8"))),
    }
}

fn append(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let it = me_str(me);
    let more = appended(vm, me, &args.at(0))?;
    vm.check_frozen(me)?;
    vm.check_size(it.len() + more.bytes().len())?;
    check_compatible(vm, &it.get(), &more)?;
    it.push(&more);
    Ok(me.clone())
}

fn concat(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    // `s.concat(s, s)` appends what it was before.
    let mut parts = Vec::new();
    for value in &args.list {
        parts.push(appended(vm, me, value)?);
    }
    let it = me_str(me);
    for part in parts {
        vm.check_size(it.len() + part.bytes().len())?;
        it.push(&part);
    }
    Ok(me.clone())
}

fn prepend(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let whole = Str::new(&vm.meter, Text::Utf8(EcoString::new()));
    for value in &args.list {
        whole.push(&vm.to_str(value)?);
    }
    let it = me_str(me);
    vm.check_size(it.len() + whole.len())?;
    whole.push(&it.get());
    it.set(whole.get());
    Ok(me.clone())
}

fn equals(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match args.at(0) {
        Value::Str(other) => Ok(Value::Bool(same_text(&me_str(me), &other))),
        other @ Value::Object(_) if vm.responds(&other, names::TO_STR)? => {
            Ok(Value::Bool(vm.send(&other, names::EQ, std::slice::from_ref(me))?.truthy()))
        }
        _ => Ok(Value::Bool(false)),
    }
}

fn spaceship(_: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(match args.at(0) {
        Value::Str(other) => Value::Int(me_str(me).text().bytes().cmp(other.text().bytes()) as i64),
        _ => Value::Nil,
    })
}

fn length(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(match &*me_str(me).text() {
        Text::Utf8(text) => text.chars().count().into(),
        other => super::encode::count(other).into(),
    })
}

fn dedup(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    if vm.is_frozen(me) {
        return Ok(me.clone());
    }
    let twin = vm.text(me_str(me).get());
    me_str(&twin).frozen.set(true);
    Ok(twin)
}

fn ord(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    match chars(me).chars().next() {
        Some(c) => Ok(Value::Int(u32::from(c).into())),
        None => Err(vm.raise("ArgumentError", "empty string")),
    }
}

/// Returns the texts from one to another, as `upto` and ranges walk.
pub(in crate::core) fn walk_texts(
    vm: &mut Vm<'_>,
    (from, to, exclusive): (&str, &str, bool),
    mut each: impl FnMut(&mut Vm<'_>, String) -> Res<bool>,
) -> Res<()> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits(from) && is_digits(to) && from.len() < 19 && to.len() < 19 {
        let (first, last): (i64, i64) = (from.parse().unwrap_or(0), to.parse().unwrap_or(0));
        let width = from.len();
        for number in first..=last {
            vm.step()?;
            if exclusive && number == last {
                break;
            }
            if !each(vm, format!("{number:0width$}"))? {
                break;
            }
        }
        return Ok(());
    }
    if let (&[first], &[last]) = (from.as_bytes(), to.as_bytes()) {
        return walk_characters(vm, (first, last, exclusive), each);
    }
    if from > to || exclusive && from == to {
        return Ok(());
    }
    let behind = successor(to);
    let mut text = from.to_owned();
    while text != behind {
        vm.step()?;
        let next = (exclusive || text != to).then(|| successor(&text));
        if !each(vm, text)? {
            break;
        }
        let Some(next) = next else { break };
        text = next;
        if exclusive && text == to || text.len() > to.len() || text.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Walks from one character to another by their codes.
fn walk_characters(
    vm: &mut Vm<'_>,
    (first, last, exclusive): (u8, u8, bool),
    mut each: impl FnMut(&mut Vm<'_>, String) -> Res<bool>,
) -> Res<()> {
    for code in first..=last {
        vm.step()?;
        if exclusive && code == last || !each(vm, char::from(code).to_string())? {
            break;
        }
    }
    Ok(())
}

fn upto(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "upto", args) };
    let (from, to) = (chars(me), args.text(vm, 0)?);
    walk_texts(vm, (&from, &to, args.at(1).truthy()), |vm, text| {
        let text = vm.str(text);
        vm.call_block(&block, &[text])?;
        Ok(true)
    })?;
    Ok(me.clone())
}
