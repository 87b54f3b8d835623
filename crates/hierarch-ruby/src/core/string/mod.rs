//! `String`, a file per family of methods.

mod basic;
mod case;
mod crypt;
mod each;
mod encode;
pub(super) mod format;
mod pack;
mod pack_forms;
mod replace;
mod search;
mod slice;
mod split;
mod strip;
#[cfg(test)]
mod tests;
mod to_number;
mod translate;
mod undump;

use super::prelude::*;

pub(super) use basic::{of_point, walk_texts};
pub(super) use pack::pack;
pub(super) use to_number::read_rational;

/// `String`
pub(super) static STRING: ClassSpec = ClassSpec {
    includes: &["Comparable"],
    methods: &[
        basic::METHODS,
        case::METHODS,
        crypt::METHODS,
        each::METHODS,
        encode::METHODS,
        format::METHODS,
        pack::METHODS,
        replace::METHODS,
        search::METHODS,
        slice::METHODS,
        split::METHODS,
        strip::METHODS,
        to_number::METHODS,
        translate::METHODS,
    ],
    singleton: &[basic::SINGLETON],
    allocate: Some(|vm, class| {
        let value = vm.str("");
        if class.name.borrow().as_deref() != Some("String") {
            vm.set_class(&value, Rc::clone(class))?;
        }
        Ok(value)
    }),
    ..ClassSpec::class("String")
};

/// Returns the string that a method was called on.
fn me_str(me: &Value) -> Rc<Str> {
    match me {
        Value::Str(text) => Rc::clone(text),
        _ => Rc::new(Str::new(&Rc::default(), Text::Utf8(EcoString::new()))),
    }
}

/// Returns its characters.
fn chars(me: &Value) -> EcoString {
    me.as_str().map(|text| text.chars()).unwrap_or_default()
}

/// Makes a string of characters that belong to this one, in its encoding.
fn like(vm: &Vm<'_>, me: &Value, text: &str) -> Value {
    match me {
        Value::Str(original) => vm.text(original.text().back(text)),
        _ => vm.str(text),
    }
}

/// Puts new characters into a string; nil if they are the old ones, as methods with `!` say it.
fn put(vm: &mut Vm<'_>, me: &Value, text: &str) -> Res {
    vm.check_frozen(me)?;
    let it = me_str(me);
    if it.chars() == text {
        return Ok(Value::Nil);
    }
    vm.check_size(text.len())?;
    let new = it.text().back(text);
    it.set(new);
    Ok(me.clone())
}

/// Makes the method with `!` of one that returns new text; what is wrong with its arguments is said first.
fn in_place(vm: &mut Vm<'_>, me: &Value, args: &Args, change: crate::core::Body) -> Res {
    let new = change(vm, me, args)?;
    put(vm, me, &chars(&new))
}
