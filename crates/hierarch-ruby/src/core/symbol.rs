//! The methods of `Symbol`.

use super::prelude::*;

static METHODS: &[Builtin] = &[
    m("to_s", 0, 0, |vm, me, _| Ok(vm.str(text(me)))).gives(&[":a.to_s => \"a\""]),
    m("name", 0, 0, |vm, me, _| {
        let name = vm.str(text(me));
        vm.send(&name, Sym::of("freeze"), &[])
    })
    .gives(&[":a.name => \"a\""]),
    m("id2name", 0, 0, |vm, me, _| Ok(vm.str(text(me)))),
    m("intern", 0, 0, |_, me, _| Ok(me.clone())).gives(&[":a.intern => :a"]),
    m("to_sym", 0, 0, |_, me, _| Ok(me.clone())).gives(&[":a.to_sym => :a"]),
    m("to_proc", 0, 0, |vm, me, _| Ok(vm.to_block(me)?.map_or(Value::Nil, Value::Proc)))
        .gives(&[":upcase.to_proc.call('a') => \"A\""]),
    m("inspect", 0, 0, |vm, me, _| {
        Ok(match me {
            Value::Sym(name) => vm.str(crate::run::inspect::symbol(*name)),
            _ => Value::Nil,
        })
    })
    .gives(&[":'a b'.inspect => \":\\\"a b\\\"\""]),
    m("<=>", 1, 1, |_, me, args| {
        Ok(match (me, args.at(0)) {
            (Value::Sym(a), Value::Sym(b)) => Value::Int(a.text().cmp(b.text()) as i64),
            _ => Value::Nil,
        })
    })
    .gives(&[":a <=> :b => -1"]),
    m("==", 1, 1, |_, me, args| Ok(Value::Bool(me.is_same(&args.at(0))))).gives(&[":a == :a => true"]),
    m("===", 1, 1, |_, me, args| Ok(Value::Bool(me.is_same(&args.at(0))))),
    m("length", 0, 0, |vm, me, args| as_text(vm, me, "length", args)).gives(&[":abc.length => 3"]),
    m("size", 0, 0, |vm, me, args| as_text(vm, me, "size", args)).gives(&[":abc.size => 3"]),
    m("empty?", 0, 0, |vm, me, args| as_text(vm, me, "empty?", args)).gives(&[":abc.empty? => false"]),
    m("[]", 1, 2, |vm, me, args| as_text(vm, me, "[]", args)).gives(&[":abc[1] => \"b\""]),
    m("slice", 1, 2, |vm, me, args| as_text(vm, me, "[]", args)).gives(&[":abc.slice(0, 2) => \"ab\""]),
    m("start_with?", 0, -1, |vm, me, args| as_text(vm, me, "start_with?", args))
        .gives(&[":abc.start_with?('a') => true"]),
    m("end_with?", 0, -1, |vm, me, args| as_text(vm, me, "end_with?", args))
        .gives(&[":abc.end_with?('c') => true"]),
    m("=~", 1, 1, |vm, me, args| as_text(vm, me, "=~", args)).gives(&[":abc =~ /b/ => 1"]),
    m("match", 1, 2, |vm, me, args| as_text(vm, me, "match", args)),
    m("match?", 1, 2, |vm, me, args| as_text(vm, me, "match?", args)).gives(&[":abc.match?(/b/) => true"]),
    m("casecmp", 1, 1, |vm, me, args| {
        let other = Args::of(&[Value::from(text_of(&args.at(0)).map(|it| vm.str(it)))]);
        as_text(vm, me, "casecmp", &other)
    }),
    m("casecmp?", 1, 1, |vm, me, args| {
        let other = Args::of(&[Value::from(text_of(&args.at(0)).map(|it| vm.str(it)))]);
        as_text(vm, me, "casecmp?", &other)
    }),
    m("upcase", 0, -1, |vm, me, args| as_symbol(vm, me, "upcase", args)).gives(&[":a.upcase => :A"]),
    m("downcase", 0, -1, |vm, me, args| as_symbol(vm, me, "downcase", args)).gives(&[":A.downcase => :a"]),
    m("capitalize", 0, -1, |vm, me, args| as_symbol(vm, me, "capitalize", args))
        .gives(&[":ab.capitalize => :Ab"]),
    m("swapcase", 0, -1, |vm, me, args| as_symbol(vm, me, "swapcase", args)).gives(&[":aB.swapcase => :Ab"]),
    m("succ", 0, 0, |vm, me, args| as_symbol(vm, me, "succ", args)).gives(&[":a.succ => :b"]),
    m("next", 0, 0, |vm, me, args| as_symbol(vm, me, "succ", args)),
    m("encoding", 0, 0, |vm, me, _| {
        super::encoding::value(vm, if text(me).is_ascii() { Encoding::Ascii } else { Encoding::Utf8 })
    }),
];

/// `Symbol`
pub(super) static SYMBOL: ClassSpec =
    ClassSpec { includes: &["Comparable"], methods: &[METHODS], ..ClassSpec::class("Symbol") };

fn text(me: &Value) -> &'static str {
    text_of(me).unwrap_or_default()
}

fn text_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Sym(name) => Some(name.text()),
        _ => None,
    }
}

fn as_text(vm: &mut Vm<'_>, me: &Value, name: &str, args: &Args) -> Res {
    let text = vm.str(text(me));
    vm.send_args(&text, Sym::of(name), args.clone())
}

fn as_symbol(vm: &mut Vm<'_>, me: &Value, name: &str, args: &Args) -> Res {
    let text = as_text(vm, me, name, args)?;
    let text = vm.to_s(&text)?;
    Ok(Value::Sym(vm.intern(&text)?))
}
