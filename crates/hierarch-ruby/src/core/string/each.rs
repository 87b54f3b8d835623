//! Characters, bytes and lines.

use super::super::prelude::*;
use super::{chars, like, me_str};

pub(super) static METHODS: &[Builtin] = &[
    m("chars", 0, 0, |vm, me, args| {
        if args.block.is_some() {
            return each(vm, me, args, "each_char", characters);
        }
        let list = characters(vm, me);
        Ok(vm.array(list))
    })
    .gives(&["'añ'.chars => [\"a\", \"ñ\"]"]),
    m("each_char", 0, 0, |vm, me, args| each(vm, me, args, "each_char", characters))
        .gives(&["'ab'.each_char.to_a => [\"a\", \"b\"]"]),
    m("bytes", 0, 0, |vm, me, args| {
        if args.block.is_some() {
            return each(vm, me, args, "each_byte", bytes);
        }
        let list = bytes(vm, me);
        Ok(vm.array(list))
    })
    .gives(&["'é'.bytes => [195, 169]"]),
    m("each_byte", 0, 0, |vm, me, args| each(vm, me, args, "each_byte", bytes))
        .gives(&["'a'.each_byte.to_a => [97]"]),
    m("getbyte", 1, 1, |vm, me, args| {
        let place = args.int(vm, 0)?;
        let it = me_str(me);
        let place = if place < 0 { place + it.len() as i64 } else { place };
        Ok(usize::try_from(place)
            .ok()
            .and_then(|place| it.text().bytes().get(place).copied())
            .map_or(Value::Nil, |byte| Value::Int(byte.into())))
    })
    .gives(&["'a'.getbyte(0) => 97"]),
    m("codepoints", 0, 0, |vm, me, args| {
        if args.block.is_some() {
            return each(vm, me, args, "each_codepoint", codes);
        }
        let list = codes(vm, me);
        Ok(vm.array(list))
    })
    .gives(&["'é'.codepoints => [233]"]),
    m("each_codepoint", 0, 0, |vm, me, args| each(vm, me, args, "each_codepoint", codes)),
    m("lines", 0, 1, |vm, me, args| {
        if args.block.is_some() {
            return each_line(vm, me, args);
        }
        let list = lines(vm, me, args)?;
        Ok(vm.array(list))
    })
    .takes(&["chomp"])
    .gives(&["\"a\\nb\".lines => [\"a\\n\", \"b\"]", "\"a\\nb\".lines(chomp: true) => [\"a\", \"b\"]"]),
    m("each_line", 0, -1, each_line)
        .takes(&["chomp"])
        .gives(&["\"a\\nb\".each_line.map(&:chomp) => [\"a\", \"b\"]"]),
];

fn characters(vm: &mut Vm<'_>, me: &Value) -> Vec<Value> {
    let text = chars(me);
    text.chars().map(|c| like(vm, me, c.encode_utf8(&mut [0; 4]))).collect()
}

fn bytes(_: &mut Vm<'_>, me: &Value) -> Vec<Value> {
    me_str(me).text().bytes().iter().map(|byte| Value::Int((*byte).into())).collect()
}

fn codes(_: &mut Vm<'_>, me: &Value) -> Vec<Value> {
    chars(me).chars().map(|c| Value::Int(u32::from(c).into())).collect()
}

fn each(
    vm: &mut Vm<'_>,
    me: &Value,
    args: &Args,
    name: &str,
    list: fn(&mut Vm<'_>, &Value) -> Vec<Value>,
) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, name, args) };
    for item in list(vm, me) {
        vm.call_block(&block, &[item])?;
    }
    Ok(me.clone())
}

/// Cuts a text into lines, each with its end.
pub(in crate::core) fn cut_lines(text: &str, separator: &str, chomp: bool) -> Vec<String> {
    let paragraphs = separator.is_empty();
    let separator = if paragraphs { "\n\n" } else { separator };
    let mut rest = text;
    let mut list = Vec::new();
    while !rest.is_empty() {
        let mut end = rest.find(separator).map_or(rest.len(), |place| place + separator.len());
        let mut body = end;
        let whole = end;
        if paragraphs {
            // More empty lines belong to none.
            while rest[end..].starts_with('\n') {
                end += 1;
            }
            body = rest[..whole].strip_suffix(separator).map_or(whole, str::len);
        } else if chomp {
            body = rest[..end].strip_suffix(separator).map_or(end, str::len);
            if separator == "\n" && rest[..body].ends_with('\r') && body < end {
                body -= 1;
            }
        }
        list.push(rest[..if chomp { body } else { whole }].to_owned());
        rest = &rest[end..];
    }
    list
}

fn lines(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res<Vec<Value>> {
    // An empty text is not cut, whatever at.
    let separator = match args.positional().first() {
        Some(Value::Nil) => return Ok(vec![vm.text(me_str(me).get())]),
        Some(_) if me_str(me).is_empty() => return Ok(Vec::new()),
        Some(other) => vm.to_text(other)?,
        None => "\n".into(),
    };
    let chomp = args.keyword("chomp").is_some_and(|it| it.truthy());
    Ok(cut_lines(&chars(me), &separator, chomp).iter().map(|line| like(vm, me, line)).collect())
}

fn each_line(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_line", args) };
    if args.positional().len() > 1 {
        return Err(
            vm.raise("ArgumentError", crate::issues::wrong_number(args.positional().len(), 0, Some(1)))
        );
    }
    for line in lines(vm, me, args)? {
        vm.call_block(&block, &[line])?;
    }
    Ok(me.clone())
}
