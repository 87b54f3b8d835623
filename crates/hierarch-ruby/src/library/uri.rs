//! `URI(text)`, which is there without naming the library first.

use crate::core::{Builtin, m};
use crate::value::{Sym, Value};

/// Methods of `Kernel`.
pub(crate) static KERNEL: &[Builtin] = &[m("URI", 1, 1, |vm, _, args| {
    let object = Value::Class(vm.class("Object"));
    let uri = vm.send(&object, Sym::of("const_get"), &[Value::symbol("URI")])?;
    let generic = vm.send(&uri, Sym::of("const_get"), &[Value::symbol("Generic")])?;
    let is_one = matches!(args.at(0), Value::Str(_)) || vm.case_equal(&generic, &args.at(0))?;
    if !is_one {
        return Err(vm.raise("ArgumentError", "bad argument (expected URI object or URI string)"));
    }
    vm.send(&uri, Sym::of("parse"), &[args.at(0)])
})
.private()
.gives(&[
    "URI('http://h:81/p').port => 81",
    "URI(5) !! ArgumentError: bad argument (expected URI object or URI string)",
])];
