//! `JSON`: texts in the form that Ruby's own library writes, and its words for what it cannot read.

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::hash::Entries;
use crate::value::{Sym, Value};

use hierarch_pcore::json::{self, NotJsonKind};
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
        Value::Big(number) => out.push_str(&vm.digits_of(number, 10)?),
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

fn parse(vm: &mut Vm<'_>, args: &Args) -> Res {
    let text = args.text(vm, 0)?;
    // As many steps as there can be values.
    let values = text.bytes().filter(|byte| b",:[{".contains(byte)).count();
    (0..=values).try_for_each(|_| vm.step())?;
    let parsed = json::parse(&text).map_err(|problem| {
        let class = match problem.kind {
            NotJsonKind::TooDeep(_) => "JSON::NestingError",
            _ => "JSON::ParserError",
        };
        vm.raise(class, problem.words)
    })?;
    let value = vm.from_puppet(&parsed)?;
    let wants_symbols = args.keyword("symbolize_names").is_some_and(|it| it.truthy());
    if wants_symbols { with_symbols(vm, value) } else { Ok(value) }
}

/// Makes symbols of the keys of all objects.
fn with_symbols(vm: &mut Vm<'_>, value: Value) -> Res {
    match &value {
        Value::Array(array) => {
            let items =
                array.to_vec().into_iter().map(|item| with_symbols(vm, item)).collect::<Res<Vec<_>>>()?;
            Ok(vm.array(items))
        }
        Value::Hash(hash) => {
            let mut entries = Entries::default();
            for (key, value) in hash.pairs() {
                let name = vm.to_s(&key)?;
                let key = Value::Sym(vm.intern(&name)?);
                let value = with_symbols(vm, value)?;
                entries.insert(vm.key(&key)?, value);
            }
            Ok(vm.hash_of(entries))
        }
        _ => Ok(value),
    }
}
