//! `Array`, a file per family of methods; what it shares with others stands in `enumerable`.

mod access;
mod basic;
mod change;
mod combine;
mod select;
#[cfg(test)]
mod tests;

use super::prelude::*;

pub(super) use access::dig_on;

/// `Array`
pub(super) static ARRAY: ClassSpec = ClassSpec {
    includes: &["Enumerable"],
    methods: &[basic::METHODS, access::METHODS, change::METHODS, combine::METHODS, select::METHODS],
    singleton: &[basic::SINGLETON],
    allocate: Some(|vm, class| {
        let value = vm.array(Vec::new());
        if class.name.borrow().as_deref() != Some("Array") {
            vm.set_class(&value, Rc::clone(class))?;
        }
        Ok(value)
    }),
    ..ClassSpec::class("Array")
};

/// Returns the array that a method was called on.
fn it(me: &Value) -> Rc<Array> {
    match me {
        Value::Array(array) => Rc::clone(array),
        _ => Rc::new(Array::new(&Rc::default(), Vec::new())),
    }
}

/// Returns a place in an array of this length; nothing before its start.
fn place(index: i64, count: usize) -> Option<usize> {
    usize::try_from(if index < 0 { index + count as i64 } else { index }).ok()
}
