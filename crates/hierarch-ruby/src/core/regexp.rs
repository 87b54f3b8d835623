//! The methods of `Regexp`.

use super::match_data::{MatchData, make};
use super::prelude::*;

static METHODS: &[Builtin] = &[
    m("match", 1, 2, match_).gives(&[
        "/b/.match('abc').to_s => \"b\"",
        "/x/.match('abc') => nil",
        "/x/.match(nil) => nil",
    ]),
    m("match?", 1, 2, is_match).gives(&["/b/.match?('abc') => true"]),
    m("=~", 1, 1, match_place).gives(&["/b/ =~ 'äb' => 1", "/b/ =~ nil => nil"]),
    m("===", 1, 1, case_equal).gives(&["/b/ === 'abc' => true", "/b/ === 1 => false"]),
    m("~", 0, 0, |_, _, _| Ok(Value::Nil)),
    m("source", 0, 0, |vm, me, _| Ok(get(me).map_or(Value::Nil, |it| vm.str(it.source.clone()))))
        .gives(&["/a.b/i.source => \"a.b\""]),
    m("to_s", 0, 0, |vm, me, _| Ok(get(me).map_or(Value::Nil, |it| vm.str(it.as_group()))))
        .gives(&["/a/i.to_s => \"(?i-mx:a)\""]),
    m("inspect", 0, 0, |vm, me, _| Ok(get(me).map_or(Value::Nil, |it| vm.str(it.inspect()))))
        .gives(&["%r{a/b}.inspect => \"/a\\\\/b/\""]),
    m("options", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |it| Value::Int(it.options.into()))))
        .gives(&["/a/mix.options => 7"]),
    m("casefold?", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |it| Value::Bool(it.options & 1 != 0))))
        .gives(&["/a/i.casefold? => true"]),
    m("names", 0, 0, names).gives(&["/(?<a>.)(?<b>.)/.names => [\"a\", \"b\"]"]),
    m("named_captures", 0, 0, named_captures).gives(&["/(?<a>.)/.named_captures => {\"a\"=>[1]}"]),
    m("==", 1, 1, equals).gives(&["/a/ == /a/ => true", "/a/ == /a/i => false"]),
    m("eql?", 1, 1, equals),
    m("hash", 0, 0, |vm, me, _| Ok(Value::Int(vm.identity(me)?.number()))),
    m("encoding", 0, 0, |vm, _, _| super::encoding::value(vm, Encoding::Ascii)),
    m("fixed_encoding?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
    m("freeze", 0, 0, |_, me, _| Ok(me.clone())),
];

static SINGLETON: &[Builtin] = &[
    m("new", 1, 3, new).gives(&["Regexp.new('a+') => /a+/", "Regexp.new('a', true) => /a/i"]),
    m("compile", 1, 3, new).gives(&["Regexp.compile('a') => /a/"]),
    m("escape", 1, 1, escape).gives(&["Regexp.escape('a.b') => \"a\\\\.b\""]),
    m("quote", 1, 1, escape).gives(&["Regexp.quote('a*') => \"a\\\\*\""]),
    m("union", 0, -1, union).gives(&["Regexp.union('a.', /b/i) => /a\\.|(?i-mx:b)/"]),
    m("last_match", 0, 1, last_match).gives(&["'ab' =~ /(b)/; Regexp.last_match(1) => \"b\""]),
    m("try_convert", 1, 1, |_, _, args| {
        Ok(match args.at(0) {
            it @ Value::Regexp(_) => it,
            _ => Value::Nil,
        })
    }),
    m("timeout", 0, 0, |_, _, _| Ok(Value::Nil)),
];

/// `Regexp`
pub(super) static REGEXP: ClassSpec = ClassSpec {
    methods: &[METHODS],
    singleton: &[SINGLETON],
    constants: &[
        ("IGNORECASE", |_| Ok(Value::Int(1))),
        ("EXTENDED", |_| Ok(Value::Int(2))),
        ("MULTILINE", |_| Ok(Value::Int(4))),
    ],
    ..ClassSpec::class("Regexp")
};

fn get(me: &Value) -> Option<Rc<Regex>> {
    match me {
        Value::Regexp(regexp) => Some(Rc::clone(regexp)),
        _ => None,
    }
}

/// Finds a match at or after a byte of a text, and leaves it in `$~`.
pub(super) fn search(
    vm: &mut Vm<'_>,
    regexp: &Rc<Regex>,
    subject: &Text,
    start: usize,
) -> Res<Option<Rc<MatchData>>> {
    match find(vm, regexp, subject, start)? {
        Some(found) => {
            let value = make(vm, found);
            vm.set_last_match(value.clone());
            Ok(value.payload::<MatchData>())
        }
        None => {
            vm.set_last_match(Value::Nil);
            Ok(None)
        }
    }
}

/// Returns the error of a text that is not what it says.
pub(super) fn broken(vm: &mut Vm<'_>) -> Box<Flow> {
    vm.raise("ArgumentError", "invalid byte sequence in UTF-8")
}

/// Finds a match without leaving a trace.
pub(super) fn find(
    vm: &mut Vm<'_>,
    regexp: &Rc<Regex>,
    subject: &Text,
    start: usize,
) -> Res<Option<MatchData>> {
    vm.step()?;
    let chars: EcoString = match subject {
        Text::Utf8(text) => text.clone(),
        Text::Bytes(_, Encoding::Utf8) => return Err(broken(vm)),
        other => other.chars().into(),
    };
    let found = regexp
        .captures_from(&chars, start)
        .map_err(|error| Flow::stop(crate::issues::regexp_failed(&error)))?;
    Ok(found.map(|captures| MatchData {
        subject: subject.clone(),
        chars,
        captures,
        regexp: Rc::clone(regexp),
    }))
}

/// Returns the text that is to be searched; symbols are texts, nil is none.
fn subject(vm: &mut Vm<'_>, value: &Value) -> Res<Option<Text>> {
    match value {
        Value::Nil => Ok(None),
        Value::Sym(name) => Ok(Some(Text::Utf8(name.text().into()))),
        other => vm.to_str(other).map(Some),
    }
}

/// Returns the byte at which the n-th character starts.
pub(super) fn byte_of(chars: &str, place: i64) -> Option<usize> {
    let count = if place < 0 { chars.chars().count() as i64 + place } else { place };
    let count = usize::try_from(count).ok()?;
    if chars.is_ascii() {
        return (count <= chars.len()).then_some(count);
    }
    chars.char_indices().map(|(byte, _)| byte).chain(std::iter::once(chars.len())).nth(count)
}

fn match_(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(regexp) = get(me) else { return Ok(Value::Nil) };
    let start = if args.len() > 1 { args.int(vm, 1)? } else { 0 };
    let Some(text) = subject(vm, &args.at(0))? else {
        vm.set_last_match(Value::Nil);
        return Ok(Value::Nil);
    };
    // A place beyond the end is the end.
    let chars = text.chars();
    let Some(start) = byte_of(&chars, start).or_else(|| (start > 0).then_some(chars.len())) else {
        vm.set_last_match(Value::Nil);
        return Ok(Value::Nil);
    };
    if search(vm, &regexp, &text, start)?.is_none() {
        return Ok(Value::Nil);
    }
    let found = vm.last_match();
    match &args.block {
        Some(block) => vm.call_block(&Rc::clone(block), &[found]),
        None => Ok(found),
    }
}

fn is_match(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(regexp) = get(me) else { return Ok(Value::Nil) };
    let start = if args.len() > 1 { args.int(vm, 1)? } else { 0 };
    let Some(text) = subject(vm, &args.at(0))? else { return Ok(Value::Bool(false)) };
    let Some(start) = byte_of(&text.chars(), start) else { return Ok(Value::Bool(false)) };
    Ok(Value::Bool(find(vm, &regexp, &text, start)?.is_some()))
}

fn match_place(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(regexp) = get(me) else { return Ok(Value::Nil) };
    let Some(text) = subject(vm, &args.at(0))? else {
        vm.set_last_match(Value::Nil);
        return Ok(Value::Nil);
    };
    place_of(vm, &regexp, &text)
}

/// Returns the character at which a match starts.
pub(super) fn place_of(vm: &mut Vm<'_>, regexp: &Rc<Regex>, text: &Text) -> Res {
    Ok(match search(vm, regexp, text, 0)? {
        Some(found) => {
            found.range(0).map_or(Value::Nil, |(start, _)| found.chars[..start].chars().count().into())
        }
        None => Value::Nil,
    })
}

fn case_equal(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(regexp) = get(me) else { return Ok(Value::Nil) };
    let text = match args.at(0) {
        Value::Str(text) => text.get(),
        Value::Sym(name) => Text::Utf8(name.text().into()),
        _ => {
            vm.set_last_match(Value::Nil);
            return Ok(Value::Bool(false));
        }
    };
    Ok(Value::Bool(search(vm, &regexp, &text, 0)?.is_some()))
}

fn names(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let mut names: Vec<String> = Vec::new();
    if let Some(it) = get(me) {
        for name in it.names() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let list = names.into_iter().map(|name| vm.str(name)).collect();
    Ok(vm.array(list))
}

fn named_captures(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let mut groups: Vec<(String, Vec<Value>)> = Vec::new();
    if let Some(it) = get(me) {
        for (place, name) in it.names().iter().enumerate() {
            match groups.iter_mut().find(|(known, _)| known == name) {
                Some((_, places)) => places.push((place + 1).into()),
                None => groups.push((name.clone(), vec![(place + 1).into()])),
            }
        }
    }
    let mut entries = Entries::default();
    for (name, places) in groups {
        let key = vm.str(name);
        let places = vm.array(places);
        entries.insert(vm.key(&key)?, places);
    }
    Ok(vm.hash_of(entries))
}

fn equals(_: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    Ok(Value::Bool(match (get(me), get(&args.at(0))) {
        (Some(a), Some(b)) => a.source == b.source && a.options & 7 == b.options & 7,
        _ => false,
    }))
}

fn new(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    match args.at(0) {
        it @ Value::Regexp(_) => Ok(it),
        source => {
            let source = vm.to_text(&source)?;
            let options = match args.positional().get(1) {
                Some(Value::Int(options)) => (*options & 7) as u8,
                Some(Value::Str(letters)) => {
                    let letters = letters.lossy();
                    if letters.contains(|c| !"imx".contains(c)) {
                        return Err(vm.raise("ArgumentError", format!("unknown regexp option: {letters}")));
                    }
                    letters_options(&letters)
                }
                Some(other) => u8::from(other.truthy()),
                None => 0,
            };
            vm.regexp(&source, options)
        }
    }
}

fn letters_options(letters: &str) -> u8 {
    letters
        .chars()
        .map(|letter| match letter {
            'i' => 1,
            'x' => 2,
            'm' => 4,
            _ => 0,
        })
        .fold(0, |a, b| a | b)
}

/// Escapes what has a meaning in patterns.
pub(super) fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '.' | '*' | '?' | '+' | '^' | '$' | '|' | '\\' | '(' | ')' | '[' | ']' | '{' | '}' | '-'
            | '#' => {
                result.push('\\');
                result.push(c);
            }
            ' ' => result.push_str("\\ "),
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            '\u{c}' => result.push_str("\\f"),
            '\u{b}' => result.push_str("\\v"),
            c => result.push(c),
        }
    }
    result
}

fn escape(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let text = match args.at(0) {
        Value::Sym(name) => name.text().into(),
        other => vm.to_text(&other)?,
    };
    let escaped = escaped(&text);
    Ok(if escaped.is_ascii() {
        vm.text(Text::Bytes(escaped.into_bytes(), Encoding::Ascii))
    } else {
        vm.str(escaped)
    })
}

fn union(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let parts = match args.list.as_slice() {
        [Value::Array(array)] => array.to_vec(),
        many => many.to_vec(),
    };
    if let [it @ Value::Regexp(_)] = parts.as_slice() {
        return Ok(it.clone());
    }
    if parts.is_empty() {
        return vm.regexp("(?!)", 0);
    }
    let mut sources = Vec::new();
    for part in parts {
        sources.push(match &part {
            Value::Regexp(regexp) => regexp.as_group(),
            Value::Sym(name) => escaped(name.text()),
            other => escaped(&vm.to_text(other)?),
        });
    }
    vm.regexp(&sources.join("|"), 0)
}

fn last_match(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let found = vm.last_match();
    if args.is_empty() || found.is_nil() {
        return Ok(found);
    }
    vm.send(&found, names::INDEX, &[args.at(0)])
}
