//! `JSON`: texts in the form that Ruby's own library writes, and its words for what it cannot read.

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::hash::Entries;
use crate::value::{Sym, Value, names};

use hierarch_pcore::value::number::float_text;

static SINGLETON: &[Builtin] = &[
    m("generate", 1, 2, |vm, _, args| written(vm, &args.at(0), false))
        .gives(&["JSON.generate({ 'a' => [] }) => \"{\\\"a\\\":[]}\""]),
    m("fast_generate", 1, 2, |vm, _, args| written(vm, &args.at(0), false)),
    m("dump", 1, 3, |vm, _, args| written(vm, &args.at(0), false)).gives(&["JSON.dump(nil) => \"null\""]),
    m("pretty_generate", 1, 2, |vm, _, args| written(vm, &args.at(0), true))
        .gives(&["JSON.pretty_generate([1]) => \"[\\n  1\\n]\""]),
    m("parse", 1, 2, |vm, _, args| parse(vm, args))
        .gives(&["JSON.parse('{\"a\": [1, null]}') => {\"a\"=>[1, nil]}"]),
    m("parse!", 1, 2, |vm, _, args| parse(vm, args)),
    m("load", 1, 3, |vm, _, args| if args.at(0).is_nil() { Ok(Value::Nil) } else { parse(vm, args) }),
];

/// What every object has.
pub(crate) static KERNEL: &[Builtin] =
    &[m("to_json", 0, -1, |vm, me, _| written(vm, me, false))
        .gives(&["[1, 'a'].to_json => \"[1,\\\"a\\\"]\""])];

static JSON: ClassSpec = ClassSpec { singleton: &[SINGLETON], ..ClassSpec::module("JSON") };
static JSON_ERROR: ClassSpec = ClassSpec::error("JSON::JSONError", "StandardError");
static PARSER_ERROR: ClassSpec = ClassSpec::error("JSON::ParserError", "JSON::JSONError");
static NESTING_ERROR: ClassSpec = ClassSpec::error("JSON::NestingError", "JSON::ParserError");
static GENERATOR_ERROR: ClassSpec = ClassSpec::error("JSON::GeneratorError", "JSON::JSONError");

/// The classes.
pub(super) static CLASSES: &[&ClassSpec] =
    &[&JSON, &JSON_ERROR, &PARSER_ERROR, &NESTING_ERROR, &GENERATOR_ERROR];

/// Collections nest this deep at most, as in Ruby.
const DEEPEST: usize = 100;

fn written(vm: &mut Vm<'_>, value: &Value, pretty: bool) -> Res {
    let mut text = String::new();
    write(vm, value, pretty, 0, &mut text)?;
    Ok(vm.str(text))
}

fn write(vm: &mut Vm<'_>, value: &Value, pretty: bool, depth: usize, out: &mut String) -> Res<()> {
    vm.step()?;
    vm.check_size(out.len())?;
    if depth > DEEPEST {
        return Err(vm.raise("JSON::NestingError", format!("nesting of {depth} is too deep")));
    }
    match value {
        Value::Nil => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::Big(number) => out.push_str(&number.to_string()),
        Value::Float(number) if number.is_finite() => out.push_str(&float_text(*number)),
        Value::Float(number) => {
            let shown = float_text(*number);
            return Err(vm.raise("JSON::GeneratorError", format!("{shown} not allowed in JSON")));
        }
        Value::Str(text) => quote(&text.lossy(), out),
        Value::Sym(name) => quote(name.text(), out),
        Value::Array(array) => write_list(vm, &array.to_vec(), pretty, depth, out)?,
        Value::Hash(hash) => write_pairs(vm, &hash.pairs(), pretty, depth, out)?,
        other => write_object(vm, other, pretty, depth, out)?,
    }
    Ok(())
}

fn write_list(vm: &mut Vm<'_>, items: &[Value], pretty: bool, depth: usize, out: &mut String) -> Res<()> {
    out.push('[');
    // This release writes a line break even into what is empty.
    if pretty {
        out.push('\n');
    }
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push_str(if pretty { ",\n" } else { "," });
        }
        if pretty {
            out.push_str(&"  ".repeat(depth + 1));
        }
        write(vm, item, pretty, depth + 1, out)?;
    }
    if pretty {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push(']');
    Ok(())
}

fn write_pairs(
    vm: &mut Vm<'_>,
    pairs: &[(Value, Value)],
    pretty: bool,
    depth: usize,
    out: &mut String,
) -> Res<()> {
    out.push('{');
    if pretty {
        out.push('\n');
    }
    for (place, (key, value)) in pairs.iter().enumerate() {
        if place > 0 {
            out.push_str(if pretty { ",\n" } else { "," });
        }
        if pretty {
            out.push_str(&"  ".repeat(depth + 1));
        }
        let key = vm.to_s(key)?;
        quote(&key, out);
        out.push_str(if pretty { ": " } else { ":" });
        write(vm, value, pretty, depth + 1, out)?;
    }
    if pretty {
        if !pairs.is_empty() {
            out.push('\n');
        }
        out.push_str(&"  ".repeat(depth));
    }
    out.push('}');
    Ok(())
}

/// An object writes itself by a `to_json` or `to_h` of its own, else as its text.
fn write_object(vm: &mut Vm<'_>, value: &Value, pretty: bool, depth: usize, out: &mut String) -> Res<()> {
    let class = vm.class_of(value);
    let own = vm.find_method(&class, Sym::of("to_json"));
    if own.is_some_and(|method| !matches!(method.body, crate::value::class::Callable::Builtin(_))) {
        let text = vm.send(value, Sym::of("to_json"), &[])?;
        out.push_str(&vm.to_s(&text)?);
        return Ok(());
    }
    if vm.class_name(value) == "Set" {
        let items = vm.elements(value)?;
        return write_list(vm, &items, pretty, depth, out);
    }
    let text = vm.to_s(value)?;
    quote(&text, out);
    Ok(())
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{c}' => out.push_str("\\f"),
            '\u{8}' => out.push_str("\\b"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Reads a text from left to right.
struct Reader<'t> {
    rest: &'t str,
    symbols: bool,
    depth: usize,
}

fn parse(vm: &mut Vm<'_>, args: &Args) -> Res {
    let text = args.text(vm, 0)?;
    let symbols = args.keyword("symbolize_names").is_some_and(|it| it.truthy());
    let mut reader = Reader { rest: &text, symbols, depth: 0 };
    reader.blanks();
    if reader.rest.is_empty() {
        return Err(vm.raise("JSON::ParserError", "unexpected end of input"));
    }
    let value = reader.value(vm)?;
    reader.blanks();
    if reader.rest.is_empty() { Ok(value) } else { Err(reader.unexpected(vm, reader.rest)) }
}

impl<'t> Reader<'t> {
    fn unexpected(&self, vm: &mut Vm<'_>, at: &str) -> Box<crate::run::Flow> {
        let shown: String = at.chars().take(200).collect();
        vm.raise("JSON::ParserError", format!("unexpected token at '{shown}'"))
    }

    fn blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
            if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
            } else if let Some(comment) = self.rest.strip_prefix("//") {
                self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
            } else {
                return;
            }
        }
    }

    fn value(&mut self, vm: &mut Vm<'_>) -> Res {
        vm.step()?;
        let words = [("null", Value::Nil), ("true", Value::Bool(true)), ("false", Value::Bool(false))];
        for (word, value) in words {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(value);
            }
        }
        match self.rest.chars().next() {
            Some('{') => self.nested(vm, Self::object),
            Some('[') => self.nested(vm, Self::list),
            Some('"') => {
                let text = self.string(vm)?;
                Ok(vm.str(text))
            }
            Some('-' | '0'..='9') => self.number(vm),
            _ => Err(self.unexpected(vm, self.rest)),
        }
    }

    fn nested(&mut self, vm: &mut Vm<'_>, read: fn(&mut Self, &mut Vm<'_>) -> Res) -> Res {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(vm.raise("JSON::NestingError", format!("nesting of {} is too deep", self.depth)));
        }
        let value = read(self, vm)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self, vm: &mut Vm<'_>) -> Res {
        let start = self.rest;
        self.rest = &self.rest[1..];
        let mut entries = Entries::default();
        self.blanks();
        while !self.rest.starts_with('}') {
            if !self.rest.starts_with('"') {
                return Err(self.unexpected(vm, start));
            }
            let key = self.string(vm)?;
            self.blanks();
            let Some(rest) = self.rest.strip_prefix(':') else { return Err(self.unexpected(vm, start)) };
            self.rest = rest;
            self.blanks();
            let value = self.value(vm)?;
            let key = if self.symbols { Value::Sym(vm.intern(&key)?) } else { vm.str(key) };
            entries.insert(vm.key(&key)?, value);
            self.blanks();
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None if self.rest.starts_with('}') => break,
                None => return Err(self.unexpected(vm, self.rest)),
            }
            self.blanks();
            if self.rest.starts_with('}') {
                return Err(self.unexpected(vm, start));
            }
        }
        self.rest = &self.rest[1..];
        Ok(vm.hash_of(entries))
    }

    fn list(&mut self, vm: &mut Vm<'_>) -> Res {
        self.rest = &self.rest[1..];
        let mut items = Vec::new();
        self.blanks();
        while !self.rest.starts_with(']') {
            items.push(self.value(vm)?);
            self.blanks();
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None if self.rest.starts_with(']') => break,
                None => return Err(self.unexpected(vm, self.rest)),
            }
            self.blanks();
            if self.rest.starts_with(']') {
                return Err(self.unexpected(vm, self.rest));
            }
        }
        self.rest = &self.rest[1..];
        Ok(vm.array(items))
    }

    fn string(&mut self, vm: &mut Vm<'_>) -> Res<String> {
        let start = self.rest;
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((place, c)) = characters.next() {
            match c {
                '"' => {
                    self.rest = &start[place + 1..];
                    return Ok(text);
                }
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, 'b')) => text.push('\u{8}'),
                    Some((_, 'f')) => text.push('\u{c}'),
                    Some((at, 'u')) => {
                        let Some(code) = hex(start, at + 1) else { return Err(self.unexpected(vm, start)) };
                        characters.by_ref().take(4).for_each(drop);
                        let low = hex(start, at + 7).filter(|_| {
                            (0xd800..0xdc00).contains(&code) && start[at + 5..].starts_with("\\u")
                        });
                        match low {
                            Some(low) => {
                                characters.by_ref().take(6).for_each(drop);
                                let whole =
                                    0x10000 + ((code - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
                                text.push(char::from_u32(whole).unwrap_or('\u{fffd}'));
                            }
                            None => text.push(char::from_u32(code).unwrap_or('\u{fffd}')),
                        }
                    }
                    Some((_, c)) => text.push(c),
                    None => break,
                },
                c if u32::from(c) < 0x20 => return Err(self.unexpected(vm, start)),
                c => text.push(c),
            }
        }
        Err(self.unexpected(vm, start))
    }

    fn number(&mut self, vm: &mut Vm<'_>) -> Res {
        let end = self
            .rest
            .find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let body = digits.trim_start_matches('-');
        if body.len() > 1 && body.starts_with('0') && body.as_bytes()[1].is_ascii_digit() || body.is_empty() {
            return Err(self.unexpected(vm, self.rest));
        }
        let text = vm.str(digits);
        let is_float = digits.contains(['.', 'e', 'E']);
        if is_float && digits.parse::<f64>().is_err() {
            return Err(self.unexpected(vm, self.rest));
        }
        self.rest = rest;
        vm.send(&text, if is_float { names::TO_F } else { names::TO_I }, &[])
    }
}

fn hex(text: &str, at: usize) -> Option<u32> {
    u32::from_str_radix(text.get(at..at + 4)?, 16).ok()
}
