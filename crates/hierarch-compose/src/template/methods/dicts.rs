//! Methods of maps. Those that change a map change it in place.

use std::rc::Rc;

use super::Method;
use crate::template::call::{BoundArguments, function};
use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::renderer::Renderer;
use crate::template::show::type_name;
use crate::template::value::{Dict, ENTRIES, LazyItems, VALUES, Val};

pub(super) static METHODS: &[Method] = &[
    function("items", &["self"], |renderer, given| {
        let pairs = own(renderer, given)?.pairs.borrow().values().cloned().collect::<Vec<_>>();
        let pairs = pairs.into_iter().map(|(key, value)| renderer.tuple(vec![key, value]));
        let pairs = pairs.collect::<Checked<_>>()?;
        view(renderer, ENTRIES, pairs)
    }),
    function("keys", &["self"], |renderer, given| {
        let keys = own(renderer, given)?.pairs.borrow().values().map(|(key, _)| key.clone()).collect();
        view(renderer, "dict_keys", keys)
    }),
    function("values", &["self"], |renderer, given| {
        let values = own(renderer, given)?.pairs.borrow().values().map(|(_, value)| value.clone()).collect();
        view(renderer, VALUES, values)
    }),
    function("get", &["self", "key", "default?"], |renderer, given| {
        if let Val::List(_) | Val::Dict(_) | Val::Branch(_) = given.value(1) {
            return Err(issues::unhashable(type_name(given.value(1))));
        }
        renderer.present(given.value(1))?;
        let found = renderer.entry(given.value(0), given.value(1))?;
        Ok(found.unwrap_or_else(|| given.value(2).clone()))
    })
    .with_undefined(),
    function("update", &["self", "other?", "**named"], update),
    function("__setitem__", &["self", "key", "value"], |renderer, given| {
        let dict = own(renderer, given)?;
        insert(renderer, &dict, given.value(1), given.value(2))?;
        Ok(Val::None)
    }),
    function("setdefault", &["self", "key", "default?"], |renderer, given| {
        let found = renderer.entry(given.value(0), given.value(1))?;
        if let Some(found) = found {
            return Ok(found);
        }
        let dict = own(renderer, given)?;
        insert(renderer, &dict, given.value(1), given.value(2))?;
        Ok(given.value(2).clone())
    }),
    function("pop", &["self", "key", "default?"], |renderer, given| {
        let dict = own(renderer, given)?;
        let key = renderer.key_of(given.value(1))?;
        let removed = dict.pairs.borrow_mut().shift_remove(&key);
        match (removed, given.get(2)) {
            (Some((_, value)), _) => Ok(value),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => Err(issues::no_such_key(&renderer.shown(given.value(1))?)),
        }
    }),
    function("popitem", &["self"], |renderer, given| {
        let removed = own(renderer, given)?.pairs.borrow_mut().pop();
        match removed {
            Some((_, (key, value))) => renderer.tuple(vec![key, value]),
            None => Err(issues::no_such_key("'popitem(): dictionary is empty'")),
        }
    }),
    function("clear", &["self"], |renderer, given| {
        let removed = std::mem::take(&mut *own(renderer, given)?.pairs.borrow_mut());
        drop(removed);
        Ok(Val::None)
    }),
    function("copy", &["self"], |renderer, given| {
        let pairs = own(renderer, given)?.pairs.borrow().clone();
        renderer.dict(pairs)
    }),
    function("fromkeys", &["self", "iterable", "value?"], |renderer, given| {
        let mut pairs = crate::template::value::Pairs::default();
        for key in renderer.items(given.value(1))? {
            pairs.insert(renderer.key_of(&key)?, (key, given.value(2).clone()));
        }
        renderer.dict(pairs)
    }),
];

fn own(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Rc<Dict>> {
    match renderer.plain(given.value(0))? {
        Val::Dict(dict) => Ok(dict),
        other => Err(issues::no_method(type_name(&other), "dict")),
    }
}

fn view(renderer: &mut Renderer, name: &'static str, items: Vec<Val>) -> Checked<Val> {
    let items = renderer.list(items)?;
    Ok(Val::Rolled(Rc::new(LazyItems::View(name, items))))
}

/// Sets an entry, unless the map would then hold itself.
pub(super) fn insert(renderer: &mut Renderer, dict: &Rc<Dict>, key: &Val, value: &Val) -> Checked<()> {
    if super::holds(renderer, value, &Val::Dict(Rc::clone(dict)))? {
        return Err(issues::would_hold_itself());
    }
    dict.grow(key, value)?;
    let hashed = renderer.key_of(key)?;
    let mut pairs = dict.pairs.borrow_mut();
    match pairs.get_mut(&hashed) {
        Some((_, old)) => {
            let old = std::mem::replace(old, value.clone());
            drop(pairs);
            drop(old);
        }
        None => drop(pairs.insert(hashed, (key.clone(), value.clone()))),
    }
    Ok(())
}

fn update(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let dict = own(renderer, given)?;
    if let Some(other) = given.get(1) {
        let pairs = match renderer.pairs(other)? {
            Some(pairs) => pairs,
            None => {
                renderer.items(other)?.iter().map(|pair| of_pair(renderer, pair)).collect::<Checked<_>>()?
            }
        };
        for (key, value) in &pairs {
            insert(renderer, &dict, key, value)?;
        }
    }
    for (name, value) in &given.named {
        insert(renderer, &dict, &Val::text(name.clone()), value)?;
    }
    Ok(Val::None)
}

/// Takes a pair apart.
pub(in crate::template) fn of_pair(renderer: &mut Renderer, pair: &Val) -> Checked<(Val, Val)> {
    let items = renderer.items(pair)?;
    match <[Val; 2]>::try_from(items) {
        Ok([key, value]) => Ok((key, value)),
        Err(items) => Err(issues::pair_needed(items.len())),
    }
}
