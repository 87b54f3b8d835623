//! `Hash`, a file per family of methods; what it shares with others stands in `enumerable`.

mod access;
mod basic;
mod change;
mod each;
#[cfg(test)]
mod tests;

use super::prelude::*;

/// `Hash`
pub(super) static HASH: ClassSpec = ClassSpec {
    includes: &["Enumerable"],
    methods: &[basic::METHODS, access::METHODS, change::METHODS, each::METHODS],
    singleton: &[basic::SINGLETON],
    allocate: Some(|vm, class| {
        let value = vm.hash_of(Entries::default());
        if class.name.borrow().as_deref() != Some("Hash") {
            vm.set_class(&value, Rc::clone(class))?;
        }
        Ok(value)
    }),
    ..ClassSpec::class("Hash")
};

/// Returns the hash that a method was called on.
fn it(me: &Value) -> Rc<Hash> {
    match me {
        Value::Hash(hash) => Rc::clone(hash),
        _ => Rc::new(Hash::new(&Rc::default(), Entries::default())),
    }
}

/// Returns what a key is compared by in this hash.
fn identity(vm: &mut Vm<'_>, hash: &Hash, key: &Value) -> Res<Identity> {
    if hash.by_identity.get()
        && let Some(address) = key.address()
    {
        return Ok(Identity::Address(address));
    }
    vm.identity(key)
}

/// Sets a key, as `[]=` does.
fn store(vm: &mut Vm<'_>, me: &Value, key: &Value, value: Value) -> Res<()> {
    vm.check_frozen(me)?;
    let hash = it(me);
    let key = if hash.by_identity.get() {
        crate::value::Key { identity: identity(vm, &hash, key)?, value: key.clone() }
    } else {
        vm.key(key)?
    };
    if hash.walkers.get() > 0 && hash.get(&key.identity).is_none() {
        return Err(vm.raise("RuntimeError", "can't add a new key into hash during iteration"));
    }
    vm.check_size(hash.len().saturating_mul(64))?;
    hash.insert(key, value);
    Ok(())
}

/// Calls a block with a key and a value: `|x|` is the key.
fn call(vm: &mut Vm<'_>, block: &Rc<Proc>, key: &Value, value: &Value) -> Res {
    vm.call_block(block, &[key.clone(), value.clone()])
}

/// Calls a block with a pair: `|x|` is the pair, and `&:first` is asked of it.
fn call_with_pair(vm: &mut Vm<'_>, block: &Rc<Proc>, key: &Value, value: &Value) -> Res {
    let pair = vm.pair(key.clone(), value.clone());
    vm.call_block(block, &[pair])
}
