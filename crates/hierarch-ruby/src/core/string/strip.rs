//! Blanks, ends and padding.

use super::super::prelude::*;
use super::{chars, in_place, like, me_str};

pub(super) static METHODS: &[Builtin] = &[
    m("strip", 0, 0, strip).gives(&["\" a\\n\\0\".strip => \"a\""]),
    m("lstrip", 0, 0, lstrip).gives(&["' a '.lstrip => \"a \""]),
    m("rstrip", 0, 0, rstrip).gives(&["' a '.rstrip => \" a\""]),
    m("strip!", 0, 0, |vm, me, args| in_place(vm, me, args, strip)).gives(&["'a'.dup.strip! => nil"]),
    m("lstrip!", 0, 0, |vm, me, args| in_place(vm, me, args, lstrip)),
    m("rstrip!", 0, 0, |vm, me, args| in_place(vm, me, args, rstrip)),
    m("chomp", 0, 1, chomp).gives(&["\"a\\r\\n\".chomp => \"a\"", "'abc'.chomp('c') => \"ab\""]),
    m("chomp!", 0, 1, |vm, me, args| {
        // Where there is nothing to take off, what is given is not looked at.
        vm.check_frozen(me)?;
        if me_str(me).is_empty() { Ok(Value::Nil) } else { in_place(vm, me, args, chomp) }
    })
    .gives(&["'a'.dup.chomp! => nil"]),
    m("chop", 0, 0, chop).gives(&["'abc'.chop => \"ab\"", "\"a\\r\\n\".chop => \"a\""]),
    m("chop!", 0, 0, |vm, me, args| in_place(vm, me, args, chop)),
    m("delete_prefix", 1, 1, delete_prefix).gives(&["'abc'.delete_prefix('a') => \"bc\""]),
    m("delete_suffix", 1, 1, delete_suffix).gives(&["'abc'.delete_suffix('c') => \"ab\""]),
    m("delete_prefix!", 1, 1, |vm, me, args| {
        vm.check_frozen(me)?;
        in_place(vm, me, args, delete_prefix)
    }),
    m("delete_suffix!", 1, 1, |vm, me, args| {
        vm.check_frozen(me)?;
        in_place(vm, me, args, delete_suffix)
    }),
    m("ljust", 1, 2, |vm, me, args| pad(vm, me, args, |missing| (0, missing)))
        .gives(&["'a'.ljust(3, '.') => \"a..\""]),
    m("rjust", 1, 2, |vm, me, args| pad(vm, me, args, |missing| (missing, 0)))
        .gives(&["'7'.rjust(3, '0') => \"007\""]),
    m("center", 1, 2, |vm, me, args| pad(vm, me, args, |missing| (missing / 2, missing - missing / 2)))
        .gives(&["'a'.center(4, '*') => \"*a**\""]),
];

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

fn strip(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let text = chars(me);
    Ok(like(
        vm,
        me,
        text.trim_start_matches(|c| is_blank(c) || c == '\0').trim_end_matches(|c| is_blank(c) || c == '\0'),
    ))
}

fn lstrip(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(like(vm, me, chars(me).trim_start_matches(|c| is_blank(c) || c == '\0')))
}

fn rstrip(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(like(vm, me, chars(me).trim_end_matches(|c| is_blank(c) || c == '\0')))
}

fn chomp(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let text = chars(me);
    let rest = match args.get(0) {
        None => chomped(&text),
        Some(Value::Nil) => &text,
        Some(value) => match vm.to_text(value)?.as_str() {
            "" => {
                let mut rest = text.as_str();
                while let Some(shorter) = rest.strip_suffix("\r\n").or_else(|| rest.strip_suffix('\n')) {
                    rest = shorter;
                }
                rest
            }
            "\n" => chomped(&text),
            suffix => text.strip_suffix(suffix).unwrap_or(&text),
        },
    };
    Ok(like(vm, me, rest))
}

fn chomped(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}

fn chop(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let text = chars(me);
    let rest = text.strip_suffix("\r\n").unwrap_or_else(|| {
        let mut characters = text.chars();
        characters.next_back();
        characters.as_str()
    });
    Ok(like(vm, me, rest))
}

fn delete_prefix(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (text, prefix) = (chars(me), args.text(vm, 0)?);
    Ok(like(vm, me, text.strip_prefix(prefix.as_str()).unwrap_or(&text)))
}

fn delete_suffix(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (text, suffix) = (chars(me), args.text(vm, 0)?);
    Ok(like(vm, me, text.strip_suffix(suffix.as_str()).unwrap_or(&text)))
}

fn pad(vm: &mut Vm<'_>, me: &Value, args: &Args, share: fn(usize) -> (usize, usize)) -> Res {
    let width = usize::try_from(args.int(vm, 0)?).unwrap_or(0);
    let with = if args.len() > 1 { args.text(vm, 1)? } else { " ".into() };
    if with.is_empty() {
        return Err(vm.raise("ArgumentError", "zero width padding"));
    }
    vm.check_size(width.saturating_mul(4))?;
    let text = chars(me);
    let missing = width.saturating_sub(text.chars().count());
    let (left, right) = share(missing);
    let fill = |count: usize| with.chars().cycle().take(count).collect::<String>();
    Ok(like(vm, me, &format!("{}{text}{}", fill(left), fill(right))))
}
