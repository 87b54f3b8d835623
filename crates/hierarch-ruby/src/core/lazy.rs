//! `Enumerator::Lazy`: steps that run only as far as is asked.

use std::cell::{Cell, RefCell};

use super::enumerable::call_yielded;
use super::prelude::*;

/// One step of a lazy walk.
#[derive(Clone)]
enum Step {
    Map(Rc<Proc>),
    Select(Rc<Proc>, bool),
    FilterMap(Rc<Proc>),
    FlatMap(Rc<Proc>),
    TakeWhile(Rc<Proc>),
    DropWhile(Rc<Proc>),
    Take(usize),
    Drop(usize),
    WithIndex(i64),
    Uniq(Option<Rc<Proc>>),
    Compact,
}

struct Lazy {
    source: Value,
    steps: Vec<Step>,
    /// What `next` walks with.
    cursor: RefCell<Option<Value>>,
}

impl Payload for Lazy {}

macro_rules! step {
    ($make:expr) => {
        |vm, me, args| {
            let block = args.block(vm)?;
            then(vm, me, $make(block))
        }
    };
}

static METHODS: &[Builtin] = &[
    m("map", 0, 0, step!(Step::Map)).gives(&["(1..).lazy.map { |x| x + 1 }.first(2) => [2, 3]"]),
    m("collect", 0, 0, step!(Step::Map)),
    m("select", 0, 0, step!(|block| Step::Select(block, true)))
        .gives(&["(1..).lazy.select(&:even?).first(2) => [2, 4]"]),
    m("filter", 0, 0, step!(|block| Step::Select(block, true))),
    m("reject", 0, 0, step!(|block| Step::Select(block, false)))
        .gives(&["(1..).lazy.reject(&:even?).first(2) => [1, 3]"]),
    m("filter_map", 0, 0, step!(Step::FilterMap)),
    m("flat_map", 0, 0, step!(Step::FlatMap)),
    m("take_while", 0, 0, step!(Step::TakeWhile))
        .gives(&["(1..).lazy.take_while { |x| x < 3 }.to_a => [1, 2]"]),
    m("drop_while", 0, 0, step!(Step::DropWhile)),
    m("take", 1, 1, |vm, me, args| {
        let count = super::enumerable::amount(vm, &args.at(0), "attempt to take negative size")?;
        then(vm, me, Step::Take(count))
    })
    .gives(&["(1..).lazy.take(2).to_a => [1, 2]"]),
    m("drop", 1, 1, |vm, me, args| {
        let count = super::enumerable::amount(vm, &args.at(0), "attempt to drop negative size")?;
        then(vm, me, Step::Drop(count))
    }),
    m("with_index", 0, 1, |vm, me, args| {
        let start = if args.at(0).is_nil() { 0 } else { args.int(vm, 0)? };
        let next = then(vm, me, Step::WithIndex(start))?;
        match &args.block {
            Some(block) => then(vm, &next, Step::Map(Rc::clone(block))),
            None => Ok(next),
        }
    }),
    m("each_with_index", 0, 0, |vm, me, _| then(vm, me, Step::WithIndex(0))),
    m("uniq", 0, 0, |vm, me, args| then(vm, me, Step::Uniq(args.block.clone()))),
    m("compact", 0, 0, |vm, me, _| then(vm, me, Step::Compact)),
    m("lazy", 0, 0, |_, me, _| Ok(me.clone())),
    m("force", 0, 0, |vm, me, _| {
        let list = vm.elements(me)?;
        Ok(vm.array(list))
    })
    .gives(&["(1..2).lazy.force => [1, 2]"]),
    m("eager", 0, 0, |vm, me, _| {
        let list = vm.elements(me)?;
        let list = vm.array(list);
        vm.enumerator(&list, "each", &Args::default())
    }),
    m("size", 0, 0, |_, _, _| Ok(Value::Nil)),
    m("next", 0, 0, |vm, me, _| with_cursor(vm, me, "next"))
        .gives(&["(1..).lazy.map { |x| x * 2 }.next => 2"]),
    m("peek", 0, 0, |vm, me, _| with_cursor(vm, me, "peek")),
    m("rewind", 0, 0, |vm, me, _| {
        with_cursor(vm, me, "rewind")?;
        Ok(me.clone())
    }),
    m("each", 0, 0, each),
    m("inspect", 0, 0, |vm, me, _| {
        let source = me.payload::<Lazy>().map(|it| it.source.clone()).unwrap_or_default();
        let shown = vm.inspect(&source)?;
        Ok(vm.str(format!("#<Enumerator::Lazy: {shown}>")))
    }),
];

/// `Enumerator::Lazy`
pub(super) static LAZY: ClassSpec =
    ClassSpec { superclass: Some("Enumerator"), methods: &[METHODS], ..ClassSpec::class("Enumerator::Lazy") };

/// `lazy`
pub(super) fn make_lazy(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let class = vm.class("Enumerator::Lazy");
    let lazy = Lazy { source: me.clone(), steps: Vec::new(), cursor: RefCell::default() };
    Ok(Value::Object(Rc::new(Object::with(class, lazy))))
}

fn then(vm: &mut Vm<'_>, me: &Value, step: Step) -> Res {
    let Some(it) = me.payload::<Lazy>() else { return Ok(Value::Nil) };
    let class = vm.class("Enumerator::Lazy");
    let steps = it.steps.iter().cloned().chain(std::iter::once(step)).collect();
    let lazy = Lazy { source: it.source.clone(), steps, cursor: RefCell::default() };
    Ok(Value::Object(Rc::new(Object::with(class, lazy))))
}

/// `next`, `peek` and `rewind`, by an enumerator of its own.
fn with_cursor(vm: &mut Vm<'_>, me: &Value, name: &str) -> Res {
    let Some(it) = me.payload::<Lazy>() else { return Ok(Value::Nil) };
    let known = it.cursor.borrow().clone();
    let cursor = match known {
        Some(cursor) => cursor,
        None => {
            // Over a copy: what holds itself would live for ever.
            let copy = then(vm, me, Step::Drop(0))?;
            let cursor = vm.enumerator(&copy, "each", &Args::default())?;
            *it.cursor.borrow_mut() = Some(cursor.clone());
            cursor
        }
    };
    vm.send(&cursor, Sym::of(name), &[])
}

/// What each step has seen so far.
struct StepMemory {
    counts: Vec<Cell<i64>>,
    keys: Entries,
    /// Whether the element is still several values that were yielded at once.
    is_many: bool,
}

fn each(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = me.payload::<Lazy>() else { return Ok(Value::Nil) };
    let Some(block) = args.block.clone() else { return Ok(me.clone()) };
    if it.steps.iter().any(|step| matches!(step, Step::Take(0))) {
        return Ok(me.clone());
    }
    let steps = it.steps.clone();
    let counts = steps.iter().map(|_| Cell::new(0)).collect();
    let seen = StepMemory { counts, keys: Entries::default(), is_many: false };
    vm.fold_yielded(&it.source, seen, move |vm, seen: &mut StepMemory, item, is_many| {
        seen.is_many = is_many;
        pass(vm, &steps, 0, seen, item, &block)
    })?;
    Ok(me.clone())
}

/// Passes an element through the steps from one on; false ends the walk.
fn pass(
    vm: &mut Vm<'_>,
    steps: &[Step],
    place: usize,
    seen: &mut StepMemory,
    item: Value,
    block: &Rc<Proc>,
) -> Res<bool> {
    let Some(step) = steps.get(place) else {
        call_yielded(vm, block, item, seen.is_many)?;
        return Ok(true);
    };
    let count = seen.counts[place].get();
    seen.counts[place].set(count + 1);
    let next = place + 1;
    match step {
        Step::Map(map) => {
            let item = call_yielded(vm, map, item, std::mem::take(&mut seen.is_many))?;
            pass(vm, steps, next, seen, item, block)
        }
        Step::Select(test, keeps) => {
            if vm.call_block(test, std::slice::from_ref(&item))?.truthy() != *keeps {
                return Ok(true);
            }
            pass(vm, steps, next, seen, item, block)
        }
        Step::FilterMap(map) => {
            let item = call_yielded(vm, map, item, std::mem::take(&mut seen.is_many))?;
            if item.truthy() { pass(vm, steps, next, seen, item, block) } else { Ok(true) }
        }
        Step::FlatMap(map) => {
            let result = call_yielded(vm, map, item, std::mem::take(&mut seen.is_many))?;
            let items = vm.to_ary(&result)?.unwrap_or_else(|| vec![result]);
            for item in items {
                if !pass(vm, steps, next, seen, item, block)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Step::TakeWhile(test) => {
            if !call_yielded(vm, test, item.clone(), seen.is_many)?.truthy() {
                return Ok(false);
            }
            pass(vm, steps, next, seen, item, block)
        }
        Step::DropWhile(test) => {
            // A negative count means that dropping is over.
            if count >= 0 && call_yielded(vm, test, item.clone(), seen.is_many)?.truthy() {
                return Ok(true);
            }
            seen.counts[place].set(i64::MIN / 2);
            pass(vm, steps, next, seen, item, block)
        }
        Step::Take(most) => {
            let goes_on = pass(vm, steps, next, seen, item, block)?;
            Ok(goes_on && count + 1 < *most as i64)
        }
        Step::Drop(least) => {
            if count < *least as i64 {
                Ok(true)
            } else {
                pass(vm, steps, next, seen, item, block)
            }
        }
        Step::WithIndex(start) => {
            let item = vm.pair(item, Value::Int(start + count));
            pass(vm, steps, next, seen, item, block)
        }
        Step::Uniq(by) => {
            let key = match by {
                Some(by) => vm.call_block(by, std::slice::from_ref(&item))?,
                None => item.clone(),
            };
            let key = vm.key(&key)?;
            if seen.keys.insert(key, Value::Nil).is_some() {
                Ok(true)
            } else {
                pass(vm, steps, next, seen, item, block)
            }
        }
        Step::Compact => {
            if item.is_nil() {
                Ok(true)
            } else {
                pass(vm, steps, next, seen, item, block)
            }
        }
    }
}
