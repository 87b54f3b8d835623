//! `sub`, `gsub` and what replaces.

use super::super::match_data::MatchData;
use super::super::prelude::*;
use super::super::regexp::search;
use super::search::{after, literal};
use super::{chars, like, me_str, put};

pub(super) static METHODS: &[Builtin] = &[
    m("sub", 0, -1, |vm, me, args| replaced(vm, me, args, false)).gives(&[
        "'hello'.sub('l', 'L') => \"heLlo\"",
        "'hello'.sub(/(l+)/, '<\\1>') => \"he<ll>o\"",
        "'a'.sub !! ArgumentError: wrong number of arguments (given 0, expected 2)",
        "'a'.sub { 1 } !! ArgumentError: wrong number of arguments (given 0, expected 1..2)",
    ]),
    m("gsub", 1, 2, |vm, me, args| replaced(vm, me, args, true)).gives(&[
        "'hello'.gsub(/l/) { |x| x.upcase } => \"heLLo\"",
        "'cat'.gsub(/[ct]/, 'c' => 'C') => \"Ca\"",
    ]),
    m("sub!", 0, -1, |vm, me, args| replace(vm, me, args, false)).gives(&["'a'.dup.sub!('x', 'y') => nil"]),
    m("gsub!", 0, -1, |vm, me, args| replace(vm, me, args, true))
        .gives(&["'aa'.dup.gsub!('a', 'b') => \"bb\""]),
];

/// What a match is replaced by.
enum By {
    Text(EcoString),
    Hash(Rc<Hash>),
    Block(Rc<Proc>),
}

fn replaced(vm: &mut Vm<'_>, me: &Value, args: &Args, all: bool) -> Res {
    if all && args.len() == 1 && args.block.is_none() {
        return vm.enumerator(me, "gsub", args);
    }
    match changed(vm, me, args, Change { all, in_place: false })? {
        Some(text) => Ok(like(vm, me, &text)),
        None => Ok(vm.text(me_str(me).get())),
    }
}

fn replace(vm: &mut Vm<'_>, me: &Value, args: &Args, all: bool) -> Res {
    // `gsub!` looks at the text first, `sub!` at its arguments.
    if all {
        vm.check_frozen(me)?;
        args.check(vm, 1, Some(2))?;
        if args.len() == 1 && args.block.is_none() {
            return vm.enumerator(me, "gsub!", args);
        }
    }
    match changed(vm, me, args, Change { all, in_place: true })? {
        Some(text) => {
            put(vm, me, &text)?;
            Ok(me.clone())
        }
        None => Ok(Value::Nil),
    }
}

/// Without a block there has to be something to put in; `gsub` has counted its arguments before.
fn check_arguments(vm: &mut Vm<'_>, args: &Args) -> Res<()> {
    let least = if args.block.is_some() { 1 } else { 2 };
    if (least..=2).contains(&args.len()) {
        return Ok(());
    }
    let message = crate::issues::wrong_number(args.len(), least, Some(2));
    Err(vm.raise("ArgumentError", message))
}

fn by(vm: &mut Vm<'_>, args: &Args) -> Res<By> {
    check_arguments(vm, args)?;
    Ok(match (args.get(1), &args.block) {
        (Some(Value::Hash(hash)), _) => By::Hash(Rc::clone(hash)),
        (Some(value), _) => By::Text(vm.to_text(value)?),
        (None, Some(block)) => By::Block(Rc::clone(block)),
        (None, None) => By::Text(EcoString::new()),
    })
}

/// What is replaced, and where.
#[derive(Clone, Copy)]
struct Change {
    /// All matches, not the first alone.
    all: bool,
    /// The text itself, not a copy.
    in_place: bool,
}

/// Returns the new text; nothing if there was no match.
fn changed(vm: &mut Vm<'_>, me: &Value, args: &Args, change: Change) -> Res<Option<String>> {
    let by = by(vm, args)?;
    let is_text = matches!(args.at(0), Value::Str(_));
    if !matches!(args.at(0), Value::Str(_) | Value::Regexp(_) | Value::Object(_)) {
        let class = vm.kind_of(&args.at(0));
        return Err(vm.raise("TypeError", format!("wrong argument type {class} (expected Regexp)")));
    }
    let regexp = literal(vm, &args.at(0))?;
    if change.in_place {
        vm.check_frozen(me)?;
    }
    let subject = match me_str(me).get() {
        // A text is looked for in whatever bytes there are.
        Text::Bytes(bytes, Encoding::Utf8) if is_text => Text::Bytes(bytes, Encoding::Binary),
        subject => subject,
    };
    let text = chars(me);
    let mut result = String::with_capacity(text.len());
    let (mut start, mut copied) = (0, 0);
    let mut last = Value::Nil;
    while start <= text.len() {
        let Some(found) = search(vm, &regexp, &subject, start)? else { break };
        let Some(range) = found.range(0) else { break };
        last = vm.last_match();
        result.push_str(&text[copied..range.0]);
        replacement(vm, &by, &found, is_text, &mut result)?;
        vm.check_size(result.len())?;
        copied = range.1;
        start = after(&text, range);
        if !change.all {
            break;
        }
    }
    vm.set_last_match(last.clone());
    if last.is_nil() {
        return Ok(None);
    }
    result.push_str(&text[copied..]);
    Ok(Some(result))
}

fn replacement(vm: &mut Vm<'_>, by: &By, found: &Rc<MatchData>, _: bool, result: &mut String) -> Res<()> {
    match by {
        By::Text(template) => expand(vm, template, found, result)?,
        By::Hash(hash) => {
            let key = found.group(vm, 0);
            let hash = Value::Hash(Rc::clone(hash));
            let value = vm.send(&hash, names::INDEX, &[key])?;
            result.push_str(&vm.to_s(&value)?);
        }
        By::Block(block) => {
            let whole = found.group(vm, 0);
            let value = vm.call_block(block, &[whole])?;
            let text = vm.to_s_text(&value)?;
            result.push_str(&text.chars());
        }
    }
    Ok(())
}

/// Puts groups where a replacement names them: `\1`, `\k<name>`, `\0`, `\&`, `` \` ``, `\'`, `\\`.
fn expand(vm: &mut Vm<'_>, template: &str, found: &MatchData, result: &mut String) -> Res<()> {
    let mut rest = template;
    while let Some(place) = rest.find('\\') {
        result.push_str(&rest[..place]);
        rest = &rest[place + 1..];
        let Some(c) = rest.chars().next() else {
            result.push('\\');
            return Ok(());
        };
        let group = |number: usize| found.range(number).map_or("", |(start, end)| &found.chars[start..end]);
        let mut taken = c.len_utf8();
        match c {
            // Groups that have names have no numbers.
            '1'..='9' if !found.regexp.names().is_empty() => {}
            '0'..='9' => result.push_str(group(c as usize - '0' as usize)),
            '&' => result.push_str(group(0)),
            '`' => result.push_str(found.range(0).map_or("", |(start, _)| &found.chars[..start])),
            '\'' => result.push_str(found.range(0).map_or("", |(_, end)| &found.chars[end..])),
            '\\' => result.push('\\'),
            'k' => match rest.strip_prefix("k<").and_then(|name| name.split_once('>')) {
                Some((name, _)) => {
                    taken = name.len() + 3;
                    let Some(number) = found.number_of(name) else {
                        let words = format!("undefined group name reference: {name}");
                        return Err(vm.raise("IndexError", words));
                    };
                    result.push_str(group(number));
                }
                None => result.push_str("\\k"),
            },
            c => {
                result.push('\\');
                result.push(c);
            }
        }
        rest = &rest[taken..];
    }
    result.push_str(rest);
    Ok(())
}
