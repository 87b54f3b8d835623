//! `split`: texts become lists.

use super::super::prelude::*;
use super::super::regexp::find;
use super::search::after;
use super::{chars, like, me_str};

pub(super) static METHODS: &[Builtin] = &[m("split", 0, 2, split).gives(&[
    "'a,b,,c,,'.split(',') => [\"a\", \"b\", \"\", \"c\"]",
    "' a  b '.split => [\"a\", \"b\"]",
    "'a1b2'.split(/\\d/) => [\"a\", \"b\"]",
    "'a,b,c'.split(',', 2) => [\"a\", \"b,c\"]",
    "'abc'.split('') => [\"a\", \"b\", \"c\"]",
])];

fn split(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let limit = if args.len() > 1 { args.int(vm, 1)? } else { 0 };
    let text = chars(me);
    if me_str(me).is_broken() {
        return Err(super::super::regexp::broken(vm));
    }
    let mut parts: Vec<String> = match args.at(0) {
        _ if text.is_empty() => Vec::new(),
        _ if limit == 1 => vec![text.to_string()],
        Value::Nil => words(&text, limit),
        Value::Regexp(regexp) => by_pattern(vm, me, &regexp, limit)?,
        other => {
            let separator = vm.to_text(&other).map_err(|_| wrong(vm, &other))?;
            if separator == " " { words(&text, limit) } else { by_text(&text, &separator, limit) }
        }
    };
    if limit == 0 {
        while parts.last().is_some_and(String::is_empty) {
            parts.pop();
        }
    }
    vm.check_size(parts.len() * size_of::<Str>())?;
    let list: Vec<Value> = parts.iter().map(|part| like(vm, me, part)).collect();
    if let Some(block) = args.block.clone() {
        for item in list {
            vm.call_block(&block, &[item])?;
        }
        return Ok(me.clone());
    }
    Ok(vm.array(list))
}

fn wrong(vm: &mut Vm<'_>, value: &Value) -> Box<Flow> {
    let class = vm.kind_of(value);
    vm.raise("TypeError", format!("wrong argument type {class} (expected Regexp)"))
}

/// Splits at blanks; those at the start do not count.
fn words(text: &str, limit: i64) -> Vec<String> {
    let is_blank = |c: char| c.is_ascii_whitespace() || c == '\u{b}';
    let mut parts = Vec::new();
    let mut rest = text.trim_start_matches(is_blank);
    while !rest.is_empty() {
        if limit > 0 && parts.len() as i64 == limit - 1 {
            parts.push(rest.to_owned());
            return parts;
        }
        match rest.find(is_blank) {
            Some(end) => {
                parts.push(rest[..end].to_owned());
                rest = rest[end..].trim_start_matches(is_blank);
                if rest.is_empty() && limit != 0 {
                    parts.push(String::new());
                }
            }
            None => {
                parts.push(rest.to_owned());
                break;
            }
        }
    }
    parts
}

fn by_text(text: &str, separator: &str, limit: i64) -> Vec<String> {
    if separator.is_empty() {
        let mut parts: Vec<String> = Vec::new();
        for (byte, c) in text.char_indices() {
            if limit > 0 && parts.len() as i64 == limit - 1 {
                parts.push(text[byte..].to_owned());
                return parts;
            }
            parts.push(c.to_string());
        }
        if limit != 0 {
            parts.push(String::new());
        }
        return parts;
    }
    match usize::try_from(limit) {
        Ok(limit) if limit > 0 => text.splitn(limit, separator).map(str::to_owned).collect(),
        _ => text.split(separator).map(str::to_owned).collect(),
    }
}

fn by_pattern(vm: &mut Vm<'_>, me: &Value, regexp: &Rc<Regex>, limit: i64) -> Res<Vec<String>> {
    let subject = me_str(me).get();
    let text = chars(me);
    let mut parts = Vec::new();
    let (mut start, mut from, mut cuts) = (0, 0, 1);
    let mut was_empty = false;
    while start <= text.len() {
        let Some(found) = find(vm, regexp, &subject, start)? else { break };
        let Some((at, end)) = found.range(0) else { break };
        // A match of nothing cuts between characters: behind the one that follows, if there is none before.
        if at == end && at == start {
            if !was_empty {
                start = if start == text.len() { start + 1 } else { after(&text, (at, end)) };
                was_empty = true;
                continue;
            }
            parts.push(text[from..start].to_owned());
            from = start;
        } else {
            parts.push(text[from..at].to_owned());
            (from, start) = (end, end);
        }
        was_empty = false;
        push_groups(&found, &text, &mut parts);
        cuts += 1;
        if limit > 0 && limit <= cuts {
            break;
        }
    }
    if limit == 0 && from >= text.len() {
        return Ok(parts);
    }
    parts.push(text[from..].to_owned());
    Ok(parts)
}

fn push_groups(found: &super::super::match_data::MatchData, text: &str, parts: &mut Vec<String>) {
    for group in 1..found.len() {
        if let Some((start, end)) = found.range(group) {
            parts.push(text[start..end].to_owned());
        }
    }
}
