//! `nil`, `true` and `false`

use super::prelude::*;

static NIL_METHODS: &[Builtin] = &[
    m("to_s", 0, 0, |vm, _, _| frozen(vm, "")).gives(&["nil.to_s => \"\"", "nil.to_s.frozen? => true"]),
    m("inspect", 0, 0, |vm, _, _| Ok(vm.str("nil"))).gives(&["nil.inspect => \"nil\""]),
    m("to_a", 0, 0, |vm, _, _| Ok(vm.array(Vec::new()))).gives(&["nil.to_a => []"]),
    m("to_h", 0, 0, |vm, _, _| Ok(vm.hash_of(Entries::default()))).gives(&["nil.to_h => {}"]),
    m("to_i", 0, 0, |_, _, _| Ok(Value::Int(0))).gives(&["nil.to_i => 0"]),
    m("to_f", 0, 0, |_, _, _| Ok(Value::Float(0.0))).gives(&["nil.to_f => 0.0"]),
    m("to_r", 0, 0, |vm, _, _| vm.rational(0.into(), 1.into())),
    m("&", 1, 1, |_, _, _| Ok(Value::Bool(false))).gives(&["nil & 1 => false"]),
    m("|", 1, 1, |_, _, args| Ok(Value::Bool(args.at(0).truthy()))).gives(&["nil | 1 => true"]),
    m("^", 1, 1, |_, _, args| Ok(Value::Bool(args.at(0).truthy()))).gives(&["nil ^ 1 => true"]),
    m("=~", 1, 1, |_, _, _| Ok(Value::Nil)).gives(&["nil =~ /a/ => nil"]),
];

static BOOL_METHODS: &[Builtin] = &[
    m("to_s", 0, 0, |vm, me, _| frozen(vm, if me.truthy() { "true" } else { "false" }))
        .gives(&["true.to_s => \"true\"", "false.to_s.frozen? => true"]),
    m("inspect", 0, 0, |vm, me, _| Ok(vm.str(if me.truthy() { "true" } else { "false" }))),
    m("&", 1, 1, |_, me, args| Ok(Value::Bool(me.truthy() && args.at(0).truthy())))
        .gives(&["true & 1 => true"]),
    m("|", 1, 1, |_, me, args| Ok(Value::Bool(me.truthy() || args.at(0).truthy())))
        .gives(&["false | nil => false"]),
    m("^", 1, 1, |_, me, args| Ok(Value::Bool(me.truthy() != args.at(0).truthy())))
        .gives(&["true ^ true => false"]),
];

/// `NilClass`
pub(super) static NIL: ClassSpec = ClassSpec { methods: &[NIL_METHODS], ..ClassSpec::class("NilClass") };

/// `TrueClass`
pub(super) static TRUE: ClassSpec = ClassSpec { methods: &[BOOL_METHODS], ..ClassSpec::class("TrueClass") };

/// `FalseClass`
pub(super) static FALSE: ClassSpec = ClassSpec { methods: &[BOOL_METHODS], ..ClassSpec::class("FalseClass") };

/// These three give the same text every time, which nobody may change.
fn frozen(vm: &mut Vm<'_>, text: &'static str) -> Res {
    let text = vm.str(text);
    if let Value::Str(text) = &text {
        text.frozen.set(true);
    }
    Ok(text)
}
