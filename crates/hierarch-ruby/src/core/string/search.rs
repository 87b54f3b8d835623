//! Looking into texts.

use super::super::prelude::*;
use super::super::regexp::{byte_of, escaped, find, place_of, search};
use super::{chars, like, me_str};

pub(super) static METHODS: &[Builtin] = &[
    m("include?", 1, 1, |vm, me, args| {
        let other = args.text(vm, 0)?;
        Ok(Value::Bool(chars(me).contains(other.as_str())))
    })
    .gives(&[
        "'abc'.include?('b') => true",
        "'a'.include?(nil) !! TypeError: no implicit conversion of nil into String",
    ]),
    m("start_with?", 0, -1, start_with)
        .gives(&["'abc'.start_with?('x', 'a') => true", "'abc'.start_with?(/b/) => false"]),
    m("end_with?", 0, -1, end_with).gives(&["'abc'.end_with?('bc') => true"]),
    m("index", 1, 2, index).gives(&[
        "'hello'.index('l') => 2",
        "'hello'.index(/l/, 3) => 3",
        "'a'.index('x') => nil",
    ]),
    m("rindex", 1, 2, rindex).gives(&["'hello'.rindex('l') => 3"]),
    m("byteindex", 1, 2, |vm, me, args| {
        let other = args.text(vm, 0)?;
        Ok(chars(me).find(other.as_str()).map_or(Value::Nil, Value::from))
    }),
    m("=~", 1, 1, match_place)
        .gives(&["'abc' =~ /b/ => 1", "'a' =~ 'a' !! TypeError: type mismatch: String given"]),
    m("match", 1, 2, match_).gives(&["'abc'.match(/b/).to_s => \"b\"", "'abc'.match('b').to_s => \"b\""]),
    m("match?", 1, 2, is_match).gives(&["'abc'.match?(/c/) => true"]),
    m("scan", 1, 1, scan).gives(&[
        "'a1b2'.scan(/[a-z]\\d/) => [\"a1\", \"b2\"]",
        "'a1b2'.scan(/([a-z])(\\d)/) => [[\"a\", \"1\"], [\"b\", \"2\"]]",
    ]),
    m("count", 1, -1, |vm, me, args| {
        let set = super::translate::Set::of(vm, args)?;
        Ok(chars(me).chars().filter(|c| set.has(*c)).count().into())
    })
    .gives(&["'hello'.count('lo') => 3", "'hello'.count('a-y', '^e') => 4"]),
    m("partition", 1, 1, partition).gives(&[
        "'a-b-c'.partition('-') => [\"a\", \"-\", \"b-c\"]",
        "'abc'.partition('x') => [\"abc\", \"\", \"\"]",
    ]),
    m("rpartition", 1, 1, rpartition).gives(&["'a-b-c'.rpartition('-') => [\"a-b\", \"-\", \"c\"]"]),
];

fn start_with(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    for value in &args.list {
        let holds = match value {
            Value::Regexp(regexp) => search(vm, regexp, &me_str(me).get(), 0)?
                .is_some_and(|found| found.range(0).is_some_and(|(start, _)| start == 0)),
            other => {
                let prefix = vm.to_text(other)?;
                chars(me).starts_with(prefix.as_str())
            }
        };
        if holds {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn end_with(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    for value in &args.list {
        let suffix = vm.to_text(value)?;
        if chars(me).ends_with(suffix.as_str()) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn place(text: &str, byte: usize) -> Value {
    text[..byte].chars().count().into()
}

fn index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let text = chars(me);
    let start = if args.len() > 1 { args.int(vm, 1)? } else { 0 };
    let Some(start) = byte_of(&text, start) else { return Ok(Value::Nil) };
    match args.at(0) {
        Value::Regexp(regexp) => {
            let found = search(vm, &regexp, &me_str(me).get(), start)?;
            Ok(found.and_then(|found| found.range(0)).map_or(Value::Nil, |(start, _)| place(&text, start)))
        }
        other => {
            let other = vm.to_text(&other)?;
            Ok(text[start..].find(other.as_str()).map_or(Value::Nil, |found| place(&text, start + found)))
        }
    }
}

fn rindex(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let text = chars(me);
    let last = match args.get(1) {
        Some(value) => {
            let place = vm.to_int(value)?;
            let count = text.chars().count() as i64;
            if place < -count {
                return Ok(Value::Nil);
            }
            byte_of(&text, place.min(count)).unwrap_or(text.len())
        }
        None => text.len(),
    };
    match args.at(0) {
        Value::Regexp(regexp) => last_match(vm, &regexp, me, last)
            .map(|found| found.map_or(Value::Nil, |start| place(&text, start))),
        other => {
            let other = vm.to_text(&other)?;
            let end = (last + other.len()).min(text.len());
            let end = (end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
            Ok(text[..end].rfind(other.as_str()).map_or(Value::Nil, |found| place(&text, found)))
        }
    }
}

/// Finds the last place at or before a byte where a pattern matches.
fn last_match(vm: &mut Vm<'_>, regexp: &Rc<Regex>, me: &Value, last: usize) -> Res<Option<usize>> {
    let text = chars(me);
    let places: Vec<usize> = text
        .char_indices()
        .map(|(byte, _)| byte)
        .chain(std::iter::once(text.len()))
        .filter(|byte| *byte <= last)
        .collect();
    for start in places.into_iter().rev() {
        let found = find(vm, regexp, &me_str(me).get(), start)?;
        if found.and_then(|found| found.range(0)).is_some_and(|(at, _)| at == start) {
            search(vm, regexp, &me_str(me).get(), start)?;
            return Ok(Some(start));
        }
    }
    vm.set_last_match(Value::Nil);
    Ok(None)
}

fn match_place(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match args.at(0) {
        Value::Regexp(regexp) => place_of(vm, &regexp, &me_str(me).get()),
        Value::Str(_) => Err(vm.raise("TypeError", "type mismatch: String given")),
        other => vm.send(&other, names::MATCH, std::slice::from_ref(me)),
    }
}

/// Makes a pattern of an argument: a text is a pattern, too.
fn pattern(vm: &mut Vm<'_>, value: &Value) -> Res {
    match value {
        Value::Regexp(_) => Ok(value.clone()),
        Value::Str(text) => {
            let source = text.chars();
            vm.regexp(&source, 0)
        }
        other => {
            let class = vm.kind_of(other);
            Err(vm.raise("TypeError", format!("wrong argument type {class} (expected Regexp)")))
        }
    }
}

fn match_(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let regexp = pattern(vm, &args.at(0))?;
    let mut args = args.clone();
    args.list[0] = me.clone();
    vm.send_args(&regexp, Sym::of("match"), args)
}

fn is_match(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let regexp = pattern(vm, &args.at(0))?;
    let mut args = args.clone();
    args.list[0] = me.clone();
    vm.send_args(&regexp, Sym::of("match?"), args)
}

/// Makes a pattern that matches a text literally.
pub(super) fn literal(vm: &mut Vm<'_>, value: &Value) -> Res<Rc<Regex>> {
    let source = match value {
        Value::Regexp(regexp) => return Ok(Rc::clone(regexp)),
        Value::Str(_) => escaped(&vm.to_text(value)?),
        Value::Object(_) if vm.responds(value, Sym::of("to_str"))? => escaped(&vm.to_text(value)?),
        other => {
            let class = vm.kind_of(other);
            return Err(vm.raise("TypeError", format!("wrong argument type {class} (expected Regexp)")));
        }
    };
    match vm.regexp(&source, 0)? {
        Value::Regexp(regexp) => Ok(regexp),
        _ => Err(vm.raise("TypeError", "wrong argument type (expected Regexp)")),
    }
}

/// Returns the byte after a match from which the next one is looked for.
pub(super) fn after(text: &str, (start, end): (usize, usize)) -> usize {
    if end > start {
        return end;
    }
    end + text.get(end..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
}

fn scan(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let regexp = literal(vm, &args.at(0))?;
    let subject = me_str(me).get();
    let text = chars(me);
    let mut list = Vec::new();
    let mut start = 0;
    let mut last = Value::Nil;
    while start <= text.len() {
        let Some(found) = search(vm, &regexp, &subject, start)? else { break };
        let Some(range) = found.range(0) else { break };
        let item = if found.len() == 1 {
            found.group(vm, 0)
        } else {
            let groups = (1..found.len()).map(|group| found.group(vm, group)).collect();
            vm.array(groups)
        };
        start = after(&text, range);
        last = vm.last_match();
        match &args.block {
            Some(block) => {
                vm.call_block(&Rc::clone(block), &[item])?;
            }
            None => list.push(item),
        }
    }
    vm.set_last_match(last);
    if args.block.is_some() { Ok(me.clone()) } else { Ok(vm.array(list)) }
}

fn partition(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let regexp = literal(vm, &args.at(0))?;
    let found = search(vm, &regexp, &me_str(me).get(), 0)?.and_then(|found| found.range(0));
    let text = chars(me);
    let parts = match found {
        Some((start, end)) => [&text[..start], &text[start..end], &text[end..]],
        None => [text.as_str(), "", ""],
    };
    let parts = parts.iter().map(|part| like(vm, me, part)).collect();
    Ok(vm.array(parts))
}

fn rpartition(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let regexp = literal(vm, &args.at(0))?;
    let text = chars(me);
    let start = last_match(vm, &regexp, me, text.len())?;
    let found = match start {
        Some(start) => find(vm, &regexp, &me_str(me).get(), start)?.and_then(|found| found.range(0)),
        None => None,
    };
    let parts = match found {
        Some((start, end)) => [&text[..start], &text[start..end], &text[end..]],
        None => ["", "", text.as_str()],
    };
    let parts = parts.iter().map(|part| like(vm, me, part)).collect();
    Ok(vm.array(parts))
}
