//! `YAML`: read by the rules of Psych, written as libyaml writes.

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::types::RuntimeType;
use hierarch_pcore::{Type, Value as Puppet};
use hierarch_source::Source;
use hierarch_yaml::{Datum, Dialect, Limits, Scalar};

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::hash::Entries;
use crate::value::{Value, names};

static SINGLETON: &[Builtin] = &[
    m("load", 1, -1, load).gives(&["YAML.load(\"a: [1, ~]\") => {\"a\"=>[1, nil]}"]),
    m("safe_load", 1, -1, load),
    m("unsafe_load", 1, -1, load),
    m("load_file", 1, -1, load_file),
    m("safe_load_file", 1, -1, load_file),
    m("load_stream", 1, -1, load_stream),
    m("dump", 1, -1, |vm, _, args| dump(vm, &args.at(0), args))
        .gives(&["YAML.dump({ 'x' => nil }) => \"---\\nx:\\n\""]),
];

/// What every object has.
pub(crate) static KERNEL: &[Builtin] =
    &[m("to_yaml", 0, -1, dump).gives(&["[1, 'a'].to_yaml => \"---\\n- 1\\n- a\\n\""])];

static YAML: ClassSpec = ClassSpec { singleton: &[SINGLETON], ..ClassSpec::module("YAML") };
static PSYCH: ClassSpec = ClassSpec { singleton: &[SINGLETON], ..ClassSpec::module("Psych") };
static ERROR: ClassSpec = ClassSpec::error("Psych::Exception", "StandardError");
static SYNTAX_ERROR: ClassSpec = ClassSpec::error("Psych::SyntaxError", "Psych::Exception");
static DISALLOWED: ClassSpec = ClassSpec::error("Psych::DisallowedClass", "Psych::Exception");
static BAD_ALIAS: ClassSpec = ClassSpec::error("Psych::BadAlias", "Psych::Exception");

/// The classes.
pub(super) static CLASSES: &[&ClassSpec] = &[&YAML, &PSYCH, &ERROR, &SYNTAX_ERROR, &DISALLOWED, &BAD_ALIAS];

fn load(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let text = match args.at(0) {
        Value::Object(_) => {
            let text = vm.send(&args.at(0), crate::value::Sym::of("read"), &[])?;
            vm.to_text(&text)?
        }
        other => vm.to_text(&other)?,
    };
    read(vm, &text, "<unknown>", args)
}

fn load_file(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let bytes = crate::core::file::read(vm, &args.at(0))?;
    let name = vm.to_s(&args.at(0))?;
    read(vm, &String::from_utf8_lossy(&bytes), &name, args)
}

/// The words of a syntax error name the file, the reader's own name the place.
fn syntax_error(vm: &mut Vm<'_>, name: &str, message: &str) -> Box<crate::run::Flow> {
    let message = if message.starts_with('(') { message.to_owned() } else { format!("({name}): {message}") };
    vm.raise("Psych::SyntaxError", message)
}

fn trees(vm: &mut Vm<'_>, text: &str, name: &str) -> Res<hierarch_yaml::Tree> {
    let source = Source::new(name, text);
    let limits = Limits { depth: 500, ..Limits::default() };
    match hierarch_yaml::read(&source, Dialect::Psych, limits) {
        Ok(tree) => Ok(tree),
        Err(error) => {
            // libyaml counts the end of a text as a line of its own.
            let ended = Source::new(name, format!("{text}\n").as_str());
            let again =
                hierarch_yaml::read(&ended, Dialect::Psych, limits).err().filter(|_| !text.ends_with('\n'));
            let place = match again.as_ref().unwrap_or(&error).position() {
                Some((line, Some(column))) => format!(" at line {line} column {column}"),
                _ => String::new(),
            };
            Err(syntax_error(vm, name, &format!("{}{place}", error.message)))
        }
    }
}

fn read(vm: &mut Vm<'_>, text: &str, name: &str, args: &Args) -> Res {
    let tree = trees(vm, text, name)?;
    let Some(root) = tree.root() else { return Ok(args.keyword("fallback").unwrap_or(Value::Bool(false))) };
    let symbols = args.keyword("symbolize_names").is_some_and(|it| it.truthy());
    value_of(vm, &tree, root, symbols)
}

fn value_of(vm: &mut Vm<'_>, tree: &hierarch_yaml::Tree, root: hierarch_yaml::NodeId, symbols: bool) -> Res {
    let limits = Limits { expanded: 1_000_000, ..Limits::default() };
    match tree.borrowed_data(root, limits) {
        Ok(data) => made(vm, &data, symbols),
        Err(error) => Err(vm.raise("Psych::Exception", error.message.clone())),
    }
}

fn load_stream(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let text = args.text(vm, 0)?;
    let mut list = Vec::new();
    for range in hierarch_yaml::split_documents(&text) {
        list.push(read(vm, &text[range], "<unknown>", args)?);
    }
    Ok(vm.array(list))
}

fn made(vm: &mut Vm<'_>, data: &Datum<'_>, symbols: bool) -> Res {
    vm.step()?;
    Ok(match data {
        Datum::Scalar(scalar) => match scalar {
            Scalar::Null => Value::Nil,
            Scalar::Bool(truth) => Value::Bool(*truth),
            Scalar::Int(number) => Value::Int(*number),
            Scalar::Big(digits) => {
                let digits = vm.str(digits.as_str());
                vm.send(&digits, names::TO_I, &[])?
            }
            Scalar::Float(number) => Value::Float(*number),
            Scalar::Str(text) => vm.str(text.as_ref()),
            Scalar::Symbol(name) => Value::Sym(vm.intern(name)?),
            Scalar::Binary(bytes) => vm.binary(bytes.clone()),
        },
        Datum::List(items) => {
            let items = items.iter().map(|item| made(vm, item, symbols)).collect::<Res<Vec<_>>>()?;
            vm.array(items)
        }
        Datum::Map(pairs) => {
            let mut entries = Entries::default();
            for (key, value) in pairs {
                let key = match (made(vm, key, symbols)?, symbols) {
                    (Value::Str(text), true) => Value::Sym(vm.intern(&text.lossy())?),
                    (key, _) => key,
                };
                let value = made(vm, value, symbols)?;
                entries.insert(vm.key(&key)?, value);
            }
            vm.hash_of(entries)
        }
    })
}

/// A symbol, or an integer beyond 64 bits, on its way to the writer.
struct Plain(String);

impl hierarch_pcore::value::Foreign for Plain {
    fn inferred(&self) -> Type {
        RuntimeType::ruby("Symbol").into()
    }

    fn text(&self) -> String {
        self.0.clone()
    }

    fn yaml(&self) -> Option<String> {
        Some(self.0.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn dump(vm: &mut Vm<'_>, value: &Value, args: &Args) -> Res {
    let data = plain(vm, value, 0)?;
    let option = |name: &str| match args.keyword(name) {
        Some(Value::Int(number)) => usize::try_from(number).ok(),
        _ => None,
    };
    let (indentation, width) = (option("indentation"), option("line_width"));
    Ok(vm.str(data.to_yaml_with(indentation, width)))
}

fn plain(vm: &mut Vm<'_>, value: &Value, depth: u32) -> Res<Puppet> {
    vm.step()?;
    if depth > 400 {
        return Err(vm.raise("SystemStackError", "stack level too deep"));
    }
    Ok(match value {
        Value::Sym(name) => {
            let shown = crate::run::inspect::symbol(*name);
            Puppet::Foreign(Arc::new(Plain(shown.to_string())))
        }
        Value::Big(number) => Puppet::Foreign(Arc::new(Plain(number.to_string()))),
        Value::Array(items) => {
            let items = items.to_vec();
            Puppet::array(items.iter().map(|item| plain(vm, item, depth + 1)).collect::<Res<Vec<_>>>()?)
        }
        Value::Hash(hash) => {
            let mut result = hierarch_pcore::Hash::new();
            for (key, value) in hash.pairs() {
                let (key, value) = (plain(vm, &key, depth + 1)?, plain(vm, &value, depth + 1)?);
                result.insert(key, value);
            }
            Puppet::hash(result)
        }
        Value::Str(text) if std::str::from_utf8(text.text().bytes()).is_err() => {
            let encoded = hierarch_pcore::value::Binary::new(text.text().bytes()).base64_lines();
            Puppet::Foreign(Arc::new(Plain(format!(
                "!binary |-\n  {}",
                encoded.trim_end().replace('\n', "\n  ")
            ))))
        }
        other => vm.to_puppet(other)?,
    })
}
