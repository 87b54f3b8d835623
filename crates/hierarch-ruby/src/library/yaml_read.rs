//! What `YAML.load` makes of a document: values of the classes that a script permits, one object for each anchor.

use hierarch_source::{Error, Source};
use hierarch_yaml::issues::{PROBLEM, RUBY_CLASS};
use hierarch_yaml::{Dialect, DocumentLimits, Kind, NodeId, Scalar, Tree};
use rustc_hash::FxHashMap;

use crate::run::{Args, Flow, Res, Vm};
use crate::value::hash::Entries;
use crate::value::{Sym, Value, names};

/// What a document may make, and how.
pub(super) struct Rules {
    /// The names of classes that are not plain data; nothing means all.
    permitted: Option<Vec<String>>,
    aliases: bool,
    symbolize: bool,
}

impl Rules {
    /// Reads the options of a call; `permitted` is what the method permits by itself.
    pub(super) fn of(vm: &mut Vm<'_>, args: &Args, permitted: Option<&[&str]>) -> Res<Self> {
        let Some(usual) = permitted else {
            return Ok(Self { permitted: None, aliases: true, symbolize: is_set(args, "symbolize_names") });
        };
        let mut permitted: Vec<String> = usual.iter().map(|&name| name.to_owned()).collect();
        if let Some(given) = args.keyword("permitted_classes") {
            permitted.clear();
            for class in vm.elements(&given)? {
                permitted.push(vm.to_s(&class)?.to_string());
            }
        }
        let (aliases, symbolize) = (is_set(args, "aliases"), is_set(args, "symbolize_names"));
        Ok(Self { permitted: Some(permitted), aliases, symbolize })
    }

    fn check(&self, vm: &mut Vm<'_>, class: &str) -> Res<()> {
        if self.permitted.as_ref().is_none_or(|names| names.iter().any(|name| name == class)) {
            return Ok(());
        }
        Err(vm.raise("Psych::DisallowedClass", format!("Tried to load unspecified class: {class}")))
    }
}

fn is_set(args: &Args, name: &str) -> bool {
    args.keyword(name).is_some_and(|it| it.truthy())
}

/// Reads a text; a syntax error has the words of libyaml.
pub(super) fn tree(vm: &mut Vm<'_>, text: &str, name: &str) -> Res<Tree> {
    let source = Source::new(name, text);
    let limits = DocumentLimits { depth: 500, ..DocumentLimits::default() };
    let error = match hierarch_yaml::read(&source, Dialect::Psych, limits) {
        Ok(tree) => return Ok(tree),
        Err(error) => error,
    };
    // libyaml counts the end of a text as a line of its own.
    let ended = Source::new(name, format!("{text}\n").as_str());
    let again = hierarch_yaml::read(&ended, Dialect::Psych, limits).err().filter(|_| !text.ends_with('\n'));
    let position = again.as_ref().unwrap_or(&error).position();
    Err(syntax_error(vm, name, &error, position))
}

/// The words of a syntax error name the file, the reader's own name the place.
fn syntax_error(
    vm: &mut Vm<'_>,
    name: &str,
    error: &Error,
    position: Option<(u32, Option<u32>)>,
) -> Box<Flow> {
    let place = match position {
        Some((line, Some(column))) => format!(" at line {line} column {column}"),
        _ => String::new(),
    };
    let words = format!("({name}): {}{place}", error.message);
    let file = if name == "<unknown>" { Value::Nil } else { vm.str(name) };
    let problem = error.details(PROBLEM).next().unwrap_or(&error.message);
    let (problem, line) = (vm.str(problem), Value::from(position.map_or(0, |(line, _)| i64::from(line))));
    let column = Value::from(position.and_then(|(_, column)| column).map_or(0, i64::from));
    let extra = vec![("line", line), ("column", column), ("file", file), ("problem", problem)];
    vm.raise_with("Psych::SyntaxError", words, extra)
}

/// Makes the value of a document.
pub(super) fn value(vm: &mut Vm<'_>, tree: &Tree, root: NodeId, rules: &Rules) -> Res {
    Reader { tree, rules, known: FxHashMap::default() }.node(vm, root)
}

struct Reader<'r> {
    tree: &'r Tree,
    rules: &'r Rules,
    /// The values of nodes with an anchor.
    known: FxHashMap<NodeId, Value>,
}

impl Reader<'_> {
    fn node(&mut self, vm: &mut Vm<'_>, id: NodeId) -> Res {
        vm.step()?;
        match self.tree.kind(id) {
            Kind::Scalar => {
                let value = self.scalar(vm, id)?;
                self.remember(id, &value);
                Ok(value)
            }
            Kind::List => self.list(vm, id),
            Kind::Map => self.map(vm, id),
            Kind::Alias => self.alias(vm, id),
        }
    }

    fn remember(&mut self, id: NodeId, value: &Value) {
        if self.tree.anchor(id).is_some() {
            self.known.insert(id, value.clone());
        }
    }

    fn alias(&mut self, vm: &mut Vm<'_>, id: NodeId) -> Res {
        if !self.rules.aliases {
            let words = "Alias parsing was not enabled. To enable it, pass `aliases: true` to `Psych::load` or `Psych::safe_load`.";
            return Err(vm.raise("Psych::AliasesNotEnabled", words));
        }
        let target = self.tree.target(id);
        match self.known.get(&target) {
            Some(known) => Ok(known.clone()),
            None => self.node(vm, target),
        }
    }

    fn list(&mut self, vm: &mut Vm<'_>, id: NodeId) -> Res {
        self.check_tag(vm, id)?;
        let list = vm.array(Vec::new());
        self.remember(id, &list);
        for child in self.tree.children(id) {
            let item = self.node(vm, *child)?;
            vm.send(&list, Sym::of("<<"), &[item])?;
        }
        Ok(list)
    }

    fn map(&mut self, vm: &mut Vm<'_>, id: NodeId) -> Res {
        self.check_tag(vm, id)?;
        let hash = vm.hash_of(Entries::default());
        self.remember(id, &hash);
        for (key, value) in self.tree.entries(id) {
            let is_merge = self.tree.kind(key) == Kind::Scalar && self.tree.text(key) == "<<";
            if is_merge && self.tree.style(key) == hierarch_yaml::Style::Plain {
                let merged = self.node(vm, value)?;
                merge(vm, &hash, &merged)?;
                continue;
            }
            let name = match self.node(vm, key)? {
                Value::Str(text) if self.rules.symbolize => Value::Sym(vm.intern(&text.lossy())?),
                other => other,
            };
            let value = self.node(vm, value)?;
            vm.send(&hash, Sym::of("[]="), &[name, value])?;
        }
        Ok(hash)
    }

    /// Collections of other classes are not made.
    fn check_tag(&self, vm: &mut Vm<'_>, id: NodeId) -> Res<()> {
        let Some(tag) = self.tree.tag(id).filter(|tag| tag.starts_with("!ruby/") || tag.ends_with("set"))
        else {
            return Ok(());
        };
        match hierarch_yaml::disallowed_collection(tag) {
            None => Ok(()),
            Some(class) => {
                self.rules.check(vm, class)?;
                Err(vm.unsupported(&format!("YAML.load of {tag}")))
            }
        }
    }

    fn scalar(&mut self, vm: &mut Vm<'_>, id: NodeId) -> Res {
        let text = self.tree.text(id);
        let scalar = match self.tree.scalar(id) {
            Ok(scalar) => scalar,
            Err(error) => return self.of_class(vm, text, &error),
        };
        Ok(match scalar {
            Scalar::Null => Value::Nil,
            Scalar::Bool(truth) => Value::Bool(truth),
            Scalar::Int(number) => Value::Int(number),
            Scalar::Big(digits) => {
                let digits = vm.str(digits.as_str());
                vm.send(&digits, names::TO_I, &[])?
            }
            Scalar::Float(number) => Value::Float(number),
            Scalar::Str(text) => vm.str(text.as_ref()),
            Scalar::Symbol(name) => {
                self.rules.check(vm, "Symbol")?;
                Value::Sym(vm.intern(&name)?)
            }
            Scalar::Binary(bytes) => vm.binary(bytes),
        })
    }

    /// Makes an object of a class that is not plain data.
    fn of_class(&mut self, vm: &mut Vm<'_>, text: &str, error: &Error) -> Res {
        let Some(class) = error.details(RUBY_CLASS).next() else {
            return Err(vm.raise("Psych::Exception", error.message.as_str()));
        };
        self.rules.check(vm, class)?;
        match class {
            "Regexp" => regexp(vm, text),
            "Range" => range(vm, text),
            "Date" | "Time" => {
                let object = Value::Class(vm.class("Object"));
                let class = vm.send(&object, Sym::of("const_get"), &[Value::symbol(class)])?;
                let text = vm.str(text);
                let value = vm.send(&class, Sym::of("parse"), &[text])?;
                if vm.class_name(&value) == "Time" { vm.send(&value, Sym::of("utc"), &[]) } else { Ok(value) }
            }
            other => Err(vm.unsupported(&format!("YAML.load of an object of {other}"))),
        }
    }
}

/// `<<: *base` or a list of them.
fn merge(vm: &mut Vm<'_>, hash: &Value, merged: &Value) -> Res<()> {
    match merged {
        Value::Hash(_) => drop(vm.send(hash, Sym::of("merge!"), std::slice::from_ref(merged))?),
        Value::Array(items) => {
            for item in items.to_vec().iter().rev() {
                merge(vm, hash, item)?;
            }
        }
        other => {
            let key = vm.str("<<");
            vm.send(hash, Sym::of("[]="), &[key, other.clone()])?;
        }
    }
    Ok(())
}

/// `/pattern/options`
fn regexp(vm: &mut Vm<'_>, text: &str) -> Res {
    let (source, options) =
        text.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')).unwrap_or((text, ""));
    let bits = options.chars().fold(0, |bits, letter| match letter {
        'i' => bits | 1,
        'x' => bits | 2,
        'm' => bits | 4,
        _ => bits,
    });
    let (class, source) = (Value::Class(vm.class("Regexp")), vm.str(source));
    vm.send(&class, Sym::of("new"), &[source, Value::Int(bits)])
}

/// `1..3`, `a...c`
fn range(vm: &mut Vm<'_>, text: &str) -> Res {
    let (first, last, excludes) = match (text.split_once("..."), text.split_once("..")) {
        (Some((first, last)), _) => (first, last, true),
        (None, Some((first, last))) => (first, last, false),
        (None, None) => return Ok(vm.str(text)),
    };
    let end = |text: &str, vm: &Vm<'_>| text.parse().map_or_else(|_| vm.str(text), Value::Int);
    let (first, last) = (end(first, vm), end(last, vm));
    let class = Value::Class(vm.class("Range"));
    vm.send(&class, Sym::of("new"), &[first, last, Value::Bool(excludes)])
}
