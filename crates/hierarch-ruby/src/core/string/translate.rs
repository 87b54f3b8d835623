//! Sets of characters: `tr`, `delete`, `squeeze`, `count`.

use super::super::prelude::*;
use super::{chars, in_place, like, me_str};

pub(super) static METHODS: &[Builtin] = &[
    m("tr", 2, 2, |vm, me, args| tr(vm, me, args, false)).gives(&[
        "'hello'.tr('el', 'ip') => \"hippo\"",
        "'hello'.tr('a-y', 'b-z') => \"ifmmp\"",
        "'hello'.tr('^l', '*') => \"**ll*\"",
    ]),
    m("tr_s", 2, 2, |vm, me, args| tr(vm, me, args, true)).gives(&["'hello'.tr_s('l', 'r') => \"hero\""]),
    m("tr!", 2, 2, |vm, me, args| in_place(vm, me, args, |vm, me, args| tr(vm, me, args, false))),
    m("tr_s!", 2, 2, |vm, me, args| in_place(vm, me, args, |vm, me, args| tr(vm, me, args, true))),
    m("delete", 0, -1, delete)
        .gives(&["'hello'.delete('l') => \"heo\"", "'hello'.delete('a-k', '^e') => \"ello\""]),
    m("delete!", 0, -1, |vm, me, args| in_place(vm, me, args, delete)),
    m("squeeze", 0, -1, squeeze).gives(&["'aaabbb'.squeeze => \"ab\"", "'aabb'.squeeze('a') => \"abb\""]),
    m("squeeze!", 0, -1, |vm, me, args| in_place(vm, me, args, squeeze)),
];

/// Characters as they are listed: `a-z`, `^x`, `\-`.
#[derive(Clone, Debug)]
struct List {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl List {
    fn read(vm: &mut Vm<'_>, text: &str) -> Res<Self> {
        let mut characters: Vec<(char, bool)> = Vec::new();
        let negated = text.chars().count() > 1 && text.starts_with('^');
        let mut rest = text.chars().skip(usize::from(negated)).peekable();
        while let Some(c) = rest.next() {
            match c {
                '\\' if rest.peek().is_some() => characters.push((rest.next().unwrap_or('\\'), true)),
                c => characters.push((c, false)),
            }
        }
        let mut ranges = Vec::new();
        let mut place = 0;
        while let Some((from, _)) = characters.get(place).copied() {
            if let (Some(('-', false)), Some((to, _))) =
                (characters.get(place + 1), characters.get(place + 2))
            {
                if from > *to {
                    let message = format!("invalid range \"{from}-{to}\" in string transliteration");
                    return Err(vm.raise("ArgumentError", message));
                }
                ranges.push((from, *to));
                place += 3;
            } else {
                ranges.push((from, from));
                place += 1;
            }
        }
        Ok(Self { negated, ranges })
    }

    fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != self.negated
    }

    /// Returns the place of a character among those listed, the last one if it stands there more than once.
    fn place(&self, c: char) -> Option<usize> {
        let mut before = 0;
        let mut found = None;
        for (from, to) in &self.ranges {
            if (*from..=*to).contains(&c) {
                found = Some(before + (u32::from(c) - u32::from(*from)) as usize);
            }
            before += (u32::from(*to) - u32::from(*from)) as usize + 1;
        }
        found
    }

    /// Returns the character at a place; beyond the end the last.
    fn at(&self, place: usize) -> Option<char> {
        let mut left = place;
        for (from, to) in &self.ranges {
            let count = (u32::from(*to) - u32::from(*from)) as usize + 1;
            if left < count {
                return char::from_u32(u32::from(*from) + left as u32);
            }
            left -= count;
        }
        self.ranges.last().map(|(_, to)| *to)
    }
}

/// Characters that are in all of several lists.
pub(super) struct Set(Vec<List>);

impl Set {
    pub(super) fn of(vm: &mut Vm<'_>, args: &Args) -> Res<Self> {
        let mut lists = Vec::new();
        for value in &args.list {
            let text = vm.to_text(value)?;
            lists.push(List::read(vm, &text)?);
        }
        Ok(Self(lists))
    }

    pub(super) fn has(&self, c: char) -> bool {
        self.0.iter().all(|list| list.has(c))
    }
}

fn tr(vm: &mut Vm<'_>, me: &Value, args: &Args, squeezes: bool) -> Res {
    let (from, to) = (args.text(vm, 0)?, args.text(vm, 1)?);
    if me_str(me).is_empty() {
        return Ok(like(vm, me, ""));
    }
    if me_str(me).is_broken() {
        return Err(super::super::regexp::broken(vm));
    }
    // For one character only the first of its replacements is read.
    let is_single = from.chars().count() == 1;
    let to = if is_single { to.chars().take(1).collect() } else { to };
    let from = List::read(vm, &from)?;
    // Only what is replaced can be told by what it is not.
    let to = List::read(vm, &if to.starts_with('^') { format!("\\{to}") } else { to.to_string() })?;
    let mut result = String::new();
    let mut last = None;
    for c in chars(me).chars() {
        if !from.has(c) {
            result.push(c);
            last = None;
            continue;
        }
        let new = if from.negated {
            to.ranges.last().map(|(_, to)| *to)
        } else {
            from.place(c).and_then(|place| to.at(place))
        };
        if squeezes && new.is_some() && last == new {
            continue;
        }
        last = new;
        result.extend(new);
    }
    Ok(like(vm, me, &result))
}

fn delete(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    // Where there is nothing to delete, what is given is not looked at.
    if chars(me).chars().next().is_none() {
        return Ok(like(vm, me, ""));
    }
    args.check(vm, 1, None)?;
    let set = Set::of(vm, args)?;
    let text: String = chars(me).chars().filter(|c| !set.has(*c)).collect();
    Ok(like(vm, me, &text))
}

fn squeeze(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let set = Set::of(vm, args)?;
    let mut last = None;
    let mut text = String::new();
    for c in chars(me).chars() {
        if last != Some(c) || !set.has(c) {
            text.push(c);
        }
        last = Some(c);
    }
    Ok(like(vm, me, &text))
}
