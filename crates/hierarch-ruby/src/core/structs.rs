//! The methods of `Struct`.

use super::prelude::*;
use crate::value::class::{Callable, Visibility};

static METHODS: &[Builtin] = &[
    m("initialize", 0, -1, initialize).private(),
    m("to_a", 0, 0, |vm, me, _| {
        let list = values(vm, me)?;
        Ok(vm.array(list))
    })
    .gives(&["Struct.new(:a, :b).new(1, 2).to_a => [1, 2]"]),
    m("deconstruct", 0, 0, |vm, me, _| {
        let list = values(vm, me)?;
        Ok(vm.array(list))
    }),
    m("values", 0, 0, |vm, me, _| {
        let list = values(vm, me)?;
        Ok(vm.array(list))
    }),
    m("to_h", 0, 0, to_h).gives(&["Struct.new(:a).new(1).to_h => {:a=>1}"]),
    m("deconstruct_keys", 1, 1, |vm, me, _| to_h(vm, me, &Args::default())),
    m("members", 0, 0, |vm, me, _| {
        let names = members_of(vm, me)?;
        Ok(vm.array(names.into_iter().map(Value::Sym).collect()))
    })
    .gives(&["Struct.new(:a, :b).new.members => [:a, :b]"]),
    m("each", 0, 0, each),
    m("each_pair", 0, 0, each_pair),
    m("[]", 1, 1, index).gives(&["Struct.new(:a).new(1)[:a] => 1", "Struct.new(:a).new(1)[0] => 1"]),
    m("[]=", 2, 2, set_index),
    m("dig", 1, -1, |vm, me, args| {
        let first = index(vm, me, &Args::of(&args.list[..1]))?;
        super::array_dig_on(vm, &first, &args.list[1..])
    }),
    m("==", 1, 1, equals).gives(&["s = Struct.new(:a); s.new(1) == s.new(1) => true"]),
    m("eql?", 1, 1, |vm, me, args| compared(vm, me, args, Sym::of("eql?"))),
    m("hash", 0, 0, |vm, me, _| {
        let list = values(vm, me)?;
        let list = vm.array(list);
        Ok(Value::Int(vm.identity(&list)?.number()))
    }),
    m("inspect", 0, 0, inspect),
    m("to_s", 0, 0, inspect),
    m("size", 0, 0, |vm, me, _| Ok(members_of(vm, me)?.len().into())),
    m("length", 0, 0, |vm, me, _| Ok(members_of(vm, me)?.len().into())),
    m("values_at", 0, -1, |vm, me, args| {
        let list = values(vm, me)?;
        let list = vm.array(list);
        vm.send_args(&list, Sym::of("values_at"), args.clone())
    }),
];

static SINGLETON: &[Builtin] = &[
    m("new", 0, -1, new),
    m("members", 0, 0, |vm, me, _| {
        let names = members(vm, me)?;
        Ok(vm.array(names.into_iter().map(Value::Sym).collect()))
    }),
];

/// `Struct`
pub(super) static STRUCT: ClassSpec = ClassSpec {
    includes: &["Enumerable"],
    methods: &[METHODS],
    singleton: &[SINGLETON],
    ..ClassSpec::class("Struct")
};

/// Where a class keeps the names of its members.
fn members_name() -> Sym {
    Sym::of("__members__")
}

fn new(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Value::Class(class) = me else { return Ok(Value::Nil) };
    if class.name.borrow().as_deref() != Some("Struct") {
        let value = super::module::allocate(vm, class)?;
        vm.send_args(&value, names::INITIALIZE, args.clone())?;
        return Ok(value);
    }
    let mut names = Vec::new();
    let mut title = None;
    for value in args.positional().to_vec() {
        match &value {
            Value::Str(text) if names.is_empty() && title.is_none() => title = Some(text.lossy()),
            other => {
                let name = vm.to_name(other)?;
                if names.contains(&name) {
                    return Err(vm.raise("ArgumentError", format!("duplicate member: {name}")));
                }
                names.push(name);
            }
        }
    }
    let full_name = title.as_ref().map(|title| format!("Struct::{title}").into());
    let made = vm.new_class(full_name, false, Some(Rc::clone(class)));
    if let Some(title) = title {
        name_it(vm, class, &title, &made)?;
    }
    let list = vm.array(names.iter().map(|name| Value::Sym(*name)).collect());
    made.ivars.borrow_mut().push((members_name(), list));
    made.ivars
        .borrow_mut()
        .push((Sym::of("__keyword_init__"), args.keyword("keyword_init").unwrap_or_default()));
    for name in names {
        let variable = hidden(name);
        vm.define(&made, name, Visibility::Public, Callable::Reader(variable));
        vm.define(&made, name.setter(), Visibility::Public, Callable::Writer(variable));
    }
    let made = Value::Class(made);
    if let (Some(block), Value::Class(class)) = (args.block.clone(), &made) {
        vm.call_block_as(&block, &made, &Rc::clone(class), Args::of(std::slice::from_ref(&made)))?;
    }
    Ok(made)
}

/// A class that is made with a name is a constant of `Struct`.
fn name_it(vm: &mut Vm<'_>, of: &ClassRef, title: &str, made: &ClassRef) -> Res<()> {
    let is_constant = title.starts_with(char::is_uppercase)
        && title.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !is_constant {
        return Err(vm.raise("NameError", format!("identifier {title} needs to be constant")));
    }
    let name = vm.intern(title)?;
    of.constants.borrow_mut().insert(name, Value::Class(Rc::clone(made)));
    Ok(())
}

/// Members are kept as instance variables that no script can name.
fn hidden(name: Sym) -> Sym {
    Sym::of(&format!("__{name}__"))
}

fn class_setting(vm: &mut Vm<'_>, class: &ClassRef, name: Sym) -> Option<Value> {
    let list = vm.ancestors(class);
    list.iter().find_map(|one| {
        one.ivars.borrow().iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    })
}

fn members(vm: &mut Vm<'_>, class: &Value) -> Res<Vec<Sym>> {
    let Value::Class(class) = class else { return Ok(Vec::new()) };
    let Some(Value::Array(list)) = class_setting(vm, class, members_name()) else { return Ok(Vec::new()) };
    Ok(list
        .to_vec()
        .into_iter()
        .filter_map(|name| if let Value::Sym(name) = name { Some(name) } else { None })
        .collect())
}

fn members_of(vm: &mut Vm<'_>, me: &Value) -> Res<Vec<Sym>> {
    let class = Value::Class(vm.plain_class_of(me));
    members(vm, &class)
}

fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let names = members_of(vm, me)?;
    let class = vm.plain_class_of(me);
    let by_keyword = class_setting(vm, &class, Sym::of("__keyword_init__")).unwrap_or_default();
    let only_keywords = args.has_keywords && args.len() == 1 && !matches!(by_keyword, Value::Bool(false));
    if by_keyword.truthy() || only_keywords {
        return initialize_by_keyword(vm, me, args, &names);
    }
    if args.len() > names.len() {
        return Err(vm.raise("ArgumentError", "struct size differs"));
    }
    for (place, name) in names.iter().enumerate() {
        vm.set_ivar(me, hidden(*name), args.at(place))?;
    }
    Ok(Value::Nil)
}

fn initialize_by_keyword(vm: &mut Vm<'_>, me: &Value, args: &Args, names: &[Sym]) -> Res {
    if !args.positional().is_empty() {
        return Err(
            vm.raise("ArgumentError", crate::issues::wrong_number(args.positional().len(), 0, Some(0)))
        );
    }
    let given = args.keywords().map(|hash| hash.pairs()).unwrap_or_default();
    let unknown: Vec<&str> = given
        .iter()
        .filter_map(|(key, _)| match key {
            Value::Sym(name) if !names.contains(name) => Some(name.text()),
            _ => None,
        })
        .collect();
    if !unknown.is_empty() {
        return Err(vm.raise("ArgumentError", format!("unknown keywords: {}", unknown.join(", "))));
    }
    for name in names {
        let value = given
            .iter()
            .find(|(key, _)| matches!(key, Value::Sym(known) if known == name))
            .map(|(_, value)| value.clone());
        vm.set_ivar(me, hidden(*name), value.unwrap_or_default())?;
    }
    Ok(Value::Nil)
}

fn values(vm: &mut Vm<'_>, me: &Value) -> Res<Vec<Value>> {
    let names = members_of(vm, me)?;
    names.into_iter().map(|name| vm.ivar(me, hidden(name))).collect()
}

fn to_h(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (names, values) = (members_of(vm, me)?, values(vm, me)?);
    let hash = vm.options(names.into_iter().zip(values));
    if args.block.is_some() { vm.send_args(&hash, names::TO_H, args.clone()) } else { Ok(hash) }
}

fn each(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each", args) };
    for value in values(vm, me)? {
        vm.call_block(&block, &[value])?;
    }
    Ok(me.clone())
}

fn each_pair(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "each_pair", args) };
    let (names, values) = (members_of(vm, me)?, values(vm, me)?);
    for (name, value) in names.into_iter().zip(values) {
        let pair = vm.pair(Value::Sym(name), value);
        vm.call_block(&block, &[pair])?;
    }
    Ok(me.clone())
}

fn member(vm: &mut Vm<'_>, me: &Value, key: &Value) -> Res<Sym> {
    let names = members_of(vm, me)?;
    match key {
        Value::Sym(_) | Value::Str(_) => {
            let name = vm.to_name(key)?;
            if names.contains(&name) {
                return Ok(name);
            }
            Err(vm.raise("NameError", format!("no member '{name}' in struct")))
        }
        other => {
            let at = vm.to_int(other)?;
            let count = names.len() as i64;
            let place = if at < 0 { at + count } else { at };
            match usize::try_from(place).ok().and_then(|place| names.get(place)) {
                Some(name) => Ok(*name),
                None if at < 0 => {
                    Err(vm.raise("IndexError", format!("offset {at} too small for struct(size:{count})")))
                }
                None => {
                    Err(vm.raise("IndexError", format!("offset {at} too large for struct(size:{count})")))
                }
            }
        }
    }
}

fn index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let name = member(vm, me, &args.at(0))?;
    vm.ivar(me, hidden(name))
}

fn set_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let name = member(vm, me, &args.at(0))?;
    vm.set_ivar(me, hidden(name), args.at(1))?;
    Ok(args.at(1))
}

fn equals(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    compared(vm, me, args, names::EQ)
}

/// Compares with another of the same class, by the values and a method of lists.
fn compared(vm: &mut Vm<'_>, me: &Value, args: &Args, how: Sym) -> Res {
    let other = args.at(0);
    if !Rc::ptr_eq(&vm.plain_class_of(me), &vm.plain_class_of(&other)) {
        return Ok(Value::Bool(false));
    }
    let (mine, theirs) = (values(vm, me)?, values(vm, &other)?);
    let (mine, theirs) = (vm.array(mine), vm.array(theirs));
    vm.send(&mine, how, &[theirs])
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = vm.plain_class_of(me);
    let name = class.name.borrow().as_ref().map(|name| format!("{name} ")).unwrap_or_default();
    let (names, values) = (members_of(vm, me)?, values(vm, me)?);
    let shown = vm.guarded(me, &format!("#<struct {name}:...>"), |vm| {
        let mut parts = Vec::new();
        for (member, value) in names.iter().zip(values) {
            parts.push(format!("{member}={}", vm.inspect(&value)?));
        }
        Ok(format!("#<struct {name}{}>", parts.join(", ")))
    })?;
    Ok(vm.str(shown))
}
