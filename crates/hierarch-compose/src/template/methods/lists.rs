//! Methods of lists and tuples. Those that change a list change it in place.

use std::rc::Rc;

use super::Method;
use crate::template::access::position;
use crate::template::call::{BoundArguments, function};
use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::renderer::Renderer;
use crate::template::value::{List, Val};

pub(super) static METHODS: &[Method] = &[
    function("append", &["self", "object"], |renderer, given| {
        insert(renderer, given, usize::MAX, given.value(1))
    })
    .with_undefined(),
    function("extend", &["self", "iterable"], |renderer, given| {
        for item in renderer.items(given.value(1))? {
            insert(renderer, given, usize::MAX, &item)?;
        }
        Ok(Val::None)
    }),
    function("insert", &["self", "index", "object"], |renderer, given| {
        let length = own(renderer, given)?.items.borrow().len() as i128;
        let at = given.int(1, 0)?;
        let at = if at < 0 { (at + length).max(0) } else { at.min(length) };
        insert(renderer, given, at as usize, given.value(2))
    }),
    function("pop", &["self", "index?"], |renderer, given| {
        let list = own(renderer, given)?;
        let length = list.items.borrow().len();
        let at = position(given.int(1, -1)?, length).ok_or_else(issues::pop_out_of_range)?;
        let item = list.items.borrow_mut().remove(at);
        Ok(item)
    }),
    function("remove", &["self", "value"], |renderer, given| {
        let list = own(renderer, given)?;
        let at = find(renderer, &list, given.value(1))?.ok_or_else(issues::remove_missing)?;
        let removed = list.items.borrow_mut().remove(at);
        drop(removed);
        Ok(Val::None)
    }),
    function("clear", &["self"], |renderer, given| {
        let list = own(renderer, given)?;
        let removed = std::mem::take(&mut *list.items.borrow_mut());
        drop(removed);
        Ok(Val::None)
    }),
    function("reverse", &["self"], |renderer, given| {
        own(renderer, given)?.items.borrow_mut().reverse();
        Ok(Val::None)
    }),
    function("sort", &["self", "key?", "reverse?"], |renderer, given| {
        let list = own(renderer, given)?;
        let mut items = list.items.borrow().clone();
        renderer.sort(&mut items)?;
        if given.truth(renderer, 2, false)? {
            items.reverse();
        }
        *list.items.borrow_mut() = items;
        Ok(Val::None)
    }),
    function("copy", &["self"], |renderer, given| {
        let items = own(renderer, given)?.items.borrow().clone();
        renderer.list(items)
    }),
    function("count", &["self", "value"], count),
    function("index", &["self", "value"], index),
];

pub(super) static TUPLE_METHODS: &[Method] =
    &[function("count", &["self", "value"], count), function("index", &["self", "value"], index)];

/// Returns the list that a method belongs to; data of the document becomes one of its own.
fn own(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Rc<List>> {
    match renderer.plain(given.value(0))? {
        Val::List(list) | Val::Tuple(list) => Ok(list),
        other => Err(issues::no_method(crate::template::show::type_name(&other), "list")),
    }
}

fn insert(renderer: &mut Renderer, given: &BoundArguments, at: usize, item: &Val) -> Checked<Val> {
    let list = own(renderer, given)?;
    if super::holds(renderer, item, &Val::List(Rc::clone(&list)))? {
        return Err(issues::would_hold_itself());
    }
    list.grow(item)?;
    let mut items = list.items.borrow_mut();
    let at = at.min(items.len());
    items.insert(at, item.clone());
    Ok(Val::None)
}

fn find(renderer: &mut Renderer, list: &List, wanted: &Val) -> Checked<Option<usize>> {
    let items = list.items.borrow().clone();
    for (at, item) in items.iter().enumerate() {
        if renderer.equal(item, wanted)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn count(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let items = own(renderer, given)?.items.borrow().clone();
    let mut count = 0_usize;
    for item in &items {
        count += usize::from(renderer.equal(item, given.value(1))?);
    }
    Ok(count.into())
}

fn index(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let list = own(renderer, given)?;
    match find(renderer, &list, given.value(1))? {
        Some(at) => Ok(at.into()),
        None => Err(issues::not_in_list(&renderer.shown(given.value(1))?)),
    }
}
