//! Parts of texts: `[]`, `[]=`, `slice!`, `insert`.

use super::super::prelude::*;
use super::super::range::bounds;
use super::super::regexp::search;
use super::{chars, like, me_str};

pub(super) static METHODS: &[Builtin] = &[
    m("[]", 1, 2, index).gives(&[
        "'hello'[1..3] => \"ell\"",
        "'hello'[-3, 2] => \"ll\"",
        "'hello'[/l+/] => \"ll\"",
        "'hello'[9] => nil",
    ]),
    m("slice", 1, 2, index).gives(&["'hello'.slice(1) => \"e\""]),
    m("byteslice", 1, 2, byteslice).gives(&["'héllo'.byteslice(0, 1) => \"h\""]),
    m("[]=", 2, 3, set_index).gives(&[
        "s = 'hello'.dup; s[0] = 'J'; s => \"Jello\"",
        "s = 'a'.dup; s[5] = 'x' !! IndexError: index 5 out of string",
    ]),
    m("slice!", 1, 2, slice_out).gives(&["s = 'hello'.dup; s.slice!(0, 2); s => \"llo\""]),
    m("insert", 2, 2, insert)
        .gives(&["'abc'.dup.insert(1, 'X') => \"aXbc\"", "'abc'.dup.insert(-1, 'X') => \"abcX\""]),
];

/// Returns the bytes of a part, given in characters.
fn part(text: &str, start: i64, length: i64) -> Option<(usize, usize)> {
    let count = text.chars().count() as i64;
    let start = if start < 0 { start + count } else { start };
    if start < 0 || start > count || length < 0 {
        return None;
    }
    let end = start.saturating_add(length).min(count);
    if text.is_ascii() {
        return Some((start as usize, end as usize));
    }
    let byte = |place: i64| {
        text.char_indices().map(|(byte, _)| byte).chain(std::iter::once(text.len())).nth(place as usize)
    };
    Some((byte(start)?, byte(end)?))
}

/// Finds what an index means, as bytes.
fn locate(vm: &mut Vm<'_>, me: &Value, args: &[Value]) -> Res<Option<(usize, usize)>> {
    let text = chars(me);
    match args {
        [Value::Regexp(regexp), rest @ ..] => {
            let Some(found) = search(vm, regexp, &me_str(me).get(), 0)? else { return Ok(None) };
            let group = match rest.first() {
                None => 0,
                Some(name @ (Value::Str(_) | Value::Sym(_))) => {
                    let name = vm.to_s(name)?;
                    match found.regexp.names().iter().position(|known| *known == name.as_str()) {
                        Some(place) => place + 1,
                        None => {
                            return Err(
                                vm.raise("IndexError", format!("undefined group name reference: {name}"))
                            );
                        }
                    }
                }
                Some(number) => {
                    let number = vm.to_int(number)?;
                    let number = if number < 0 { number + found.len() as i64 } else { number };
                    usize::try_from(number).unwrap_or(usize::MAX)
                }
            };
            Ok(found.range(group))
        }
        [Value::Str(other)] => {
            Ok(text.find(other.chars().as_str()).map(|start| (start, start + other.chars().len())))
        }
        [Value::Range(range)] => {
            let count = text.chars().count();
            Ok(bounds(vm, range, count)?.and_then(|(start, length)| part(&text, start as i64, length as i64)))
        }
        [place] => {
            let place = vm.to_int(place)?;
            Ok(part(&text, place, 1).filter(|(start, end)| end > start))
        }
        [start, length] => {
            let (start, length) = (vm.to_int(start)?, vm.to_int(length)?);
            Ok(part(&text, start, length))
        }
        _ => Ok(None),
    }
}

fn index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let found = locate(vm, me, &args.list)?;
    let text = chars(me);
    Ok(found.and_then(|(start, end)| text.get(start..end)).map_or(Value::Nil, |part| like(vm, me, part)))
}

fn byteslice(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let it = me_str(me).get();
    let count = it.bytes().len();
    let found = match (args.at(0), args.get(1)) {
        (Value::Range(range), None) => bounds(vm, &range, count)?,
        (start, length) => {
            let start = vm.to_int(&start)?;
            let length = match length {
                Some(length) => vm.to_int(length)?,
                None => 1,
            };
            let start = if start < 0 { start + count as i64 } else { start };
            (start >= 0 && start as usize <= count && length >= 0)
                .then(|| (start as usize, (length as usize).min(count - start as usize)))
        }
    };
    let found = found.filter(|(start, length)| {
        args.len() > 1 || *length > 0 || *start < count || matches!(args.at(0), Value::Range(_))
    });
    Ok(found.map_or(Value::Nil, |(start, length)| {
        vm.text(Text::of_bytes(it.bytes()[start..start + length].to_vec(), it.encoding()))
    }))
}

fn set_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (value, place) =
        args.list.split_last().map(|(value, place)| (value.clone(), place.to_vec())).unwrap_or_default();
    let text = chars(me);
    let place = match place.as_slice() {
        // What is searched for must be there before anybody asks what it becomes.
        [Value::Str(_) | Value::Regexp(_) | Value::Range(_)] | [Value::Regexp(_), _] => {
            if locate(vm, me, &place)?.is_none() {
                return Err(out_of_string(vm, me, &place)?);
            }
            place
        }
        [at] => vec![Value::Int(vm.to_int(at)?)],
        [at, length] => {
            let (length, at) = (vm.to_int(length)?, vm.to_int(at)?);
            if length < 0 {
                return Err(vm.raise("IndexError", format!("negative length {length}")));
            }
            vec![Value::Int(at), Value::Int(length)]
        }
        _ => place,
    };
    let new = vm.to_text(&value)?;
    vm.check_frozen(me)?;
    let found = match locate(vm, me, &place)? {
        // One past the end may be written to.
        None if matches!(place.as_slice(), [Value::Int(at)] if *at as usize == text.chars().count()) => {
            Some((text.len(), text.len()))
        }
        found => found,
    };
    let Some((start, end)) = found else { return Err(out_of_string(vm, me, &place)?) };
    let changed = format!("{}{new}{}", &text[..start], &text[end..]);
    super::put(vm, me, &changed)?;
    Ok(value)
}

fn out_of_string(vm: &mut Vm<'_>, me: &Value, place: &[Value]) -> Res<Box<Flow>> {
    Ok(match place {
        [regexp @ Value::Regexp(_), group] if locate(vm, me, std::slice::from_ref(regexp))?.is_some() => {
            let shown = vm.inspect(group)?;
            vm.raise("IndexError", format!("index {shown} out of regexp"))
        }
        [Value::Str(_)] => vm.raise("IndexError", "string not matched"),
        [Value::Regexp(_), ..] => vm.raise("IndexError", "regexp not matched"),
        [range @ Value::Range(_)] => {
            let shown = vm.inspect(range)?;
            vm.raise("RangeError", format!("{shown} out of range"))
        }
        [first, ..] => {
            let shown = vm.inspect(first)?;
            vm.raise("IndexError", format!("index {shown} out of string"))
        }
        [] => vm.raise("IndexError", "index out of string"),
    })
}

fn slice_out(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let text = chars(me);
    let Some((start, end)) = locate(vm, me, &args.list)? else { return Ok(Value::Nil) };
    let taken = like(vm, me, &text[start..end]);
    super::put(vm, me, &format!("{}{}", &text[..start], &text[end..]))?;
    Ok(taken)
}

fn insert(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (place, new) = (args.int(vm, 0)?, args.text(vm, 1)?);
    let text = chars(me);
    let count = text.chars().count() as i64;
    let at = if place < 0 { place + count + 1 } else { place };
    match part(&text, at, 0).filter(|_| at >= 0) {
        Some((byte, _)) => {
            super::put(vm, me, &format!("{}{new}{}", &text[..byte], &text[byte..]))?;
            Ok(me.clone())
        }
        None => {
            // Ruby counts from behind the last character first.
            let place = if place < 0 { place + 1 } else { place };
            Err(vm.raise("IndexError", format!("index {place} out of string")))
        }
    }
}
