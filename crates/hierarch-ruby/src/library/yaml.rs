//! `YAML`: read by the rules of Psych, written as libyaml writes.

use std::any::Any;
use std::sync::Arc;

use hierarch_pcore::types::RuntimeType;
use hierarch_pcore::{Type, Value as Puppet};

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::Value;

use super::yaml_read::{self, Rules};

static SINGLETON: &[Builtin] = &[
    m("load", 1, -1, |vm, _, args| load(vm, args, USUAL))
        .gives(&["YAML.load(\"a: [1, ~]\") => {\"a\"=>[1, nil]}"]),
    m("safe_load", 1, -1, |vm, _, args| load(vm, args, SAFE)),
    m("unsafe_load", 1, -1, |vm, _, args| load(vm, args, None)),
    m("load_file", 1, -1, |vm, _, args| load_file(vm, args, USUAL)),
    m("unsafe_load_file", 1, -1, |vm, _, args| load_file(vm, args, None)),
    m("safe_load_file", 1, -1, |vm, _, args| load_file(vm, args, SAFE)),
    m("load_stream", 1, -1, load_stream),
    m("dump", 1, -1, |vm, _, args| dump(vm, &args.at(0), args))
        .gives(&["YAML.dump({ 'x' => nil }) => \"---\\nx:\\n\""]),
];

/// What every object has.
pub(crate) static KERNEL: &[Builtin] =
    &[m("to_yaml", 0, -1, dump).gives(&["[1, 'a'].to_yaml => \"---\\n- 1\\n- a\\n\""])];

static PSYCH: ClassSpec = ClassSpec { singleton: &[SINGLETON], ..ClassSpec::module("Psych") };
static ERROR: ClassSpec = ClassSpec::error("Psych::Exception", "StandardError");
static SYNTAX_ERROR: ClassSpec =
    ClassSpec { methods: &[PLACE], ..ClassSpec::error("Psych::SyntaxError", "Psych::Exception") };
static DISALLOWED: ClassSpec = ClassSpec::error("Psych::DisallowedClass", "Psych::Exception");
static NO_ALIASES: ClassSpec = ClassSpec::error("Psych::AliasesNotEnabled", "Psych::BadAlias");
static BAD_ALIAS: ClassSpec = ClassSpec::error("Psych::BadAlias", "Psych::Exception");

/// Where a syntax error stands.
static PLACE: &[Builtin] = &[
    m("line", 0, 0, |_, me, _| Ok(extra(me, "line"))),
    m("column", 0, 0, |_, me, _| Ok(extra(me, "column"))),
    m("file", 0, 0, |_, me, _| Ok(extra(me, "file"))),
    m("problem", 0, 0, |_, me, _| Ok(extra(me, "problem"))),
];

fn extra(me: &Value, name: &str) -> Value {
    let data = me.payload::<crate::run::ExceptionData>();
    let extra = data.as_ref().map(|data| data.extra.borrow());
    let found = extra.as_ref().and_then(|list| list.iter().find(|(known, _)| *known == name));
    found.map(|(_, value)| value.clone()).unwrap_or_default()
}

/// The classes.
pub(super) static CLASSES: &[&ClassSpec] =
    &[&PSYCH, &ERROR, &SYNTAX_ERROR, &DISALLOWED, &BAD_ALIAS, &NO_ALIASES];

/// What `load` permits beside plain data, and what `safe_load` does; nothing means everything.
const USUAL: Option<&[&str]> = Some(&["Symbol"]);
const SAFE: Option<&[&str]> = Some(&[]);

fn load(vm: &mut Vm<'_>, args: &Args, permitted: Option<&[&str]>) -> Res {
    if args.positional().len() > 1 {
        let words = crate::issues::wrong_number(args.positional().len(), 1, Some(1));
        return Err(vm.raise("ArgumentError", words));
    }
    let text = match args.at(0) {
        Value::Object(_) => {
            let text = vm.send(&args.at(0), crate::value::Sym::of("read"), &[])?;
            vm.to_text(&text)?
        }
        other => vm.to_text(&other)?,
    };
    read(vm, &text, "<unknown>", args, permitted)
}

fn load_file(vm: &mut Vm<'_>, args: &Args, permitted: Option<&[&str]>) -> Res {
    let bytes = crate::core::file::read(vm, &args.at(0))?;
    let name = vm.to_s(&args.at(0))?;
    read(vm, &String::from_utf8_lossy(&bytes), &name, args, permitted)
}

fn read(vm: &mut Vm<'_>, text: &str, name: &str, args: &Args, permitted: Option<&[&str]>) -> Res {
    let rules = Rules::of(vm, args, permitted)?;
    let name = match args.keyword("filename") {
        Some(Value::Str(name)) => name.lossy().to_string(),
        _ => name.to_owned(),
    };
    let tree = yaml_read::tree(vm, text, &name)?;
    let Some(root) = tree.root() else {
        let usual = if permitted.is_some() { Value::Nil } else { Value::Bool(false) };
        return Ok(args.keyword("fallback").unwrap_or(usual));
    };
    yaml_read::value(vm, &tree, root, &rules)
}

fn load_stream(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let text = args.text(vm, 0)?;
    let mut list = Vec::new();
    for range in hierarch_yaml::split_documents(&text) {
        list.push(read(vm, &text[range], "<unknown>", args, None)?);
    }
    Ok(vm.array(list))
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
        Value::Big(number) => Puppet::Foreign(Arc::new(Plain(vm.digits_of(number, 10)?))),
        Value::Regexp(_) => {
            let shown = vm.inspect(value)?;
            Puppet::Foreign(Arc::new(Plain(format!("!ruby/regexp {shown}"))))
        }
        Value::Object(_) if vm.class_name(value) == "Date" => {
            let shown = vm.to_s(value)?;
            Puppet::Foreign(Arc::new(Plain(shown.to_string())))
        }
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
