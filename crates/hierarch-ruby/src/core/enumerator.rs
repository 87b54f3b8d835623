//! `Enumerator`, lazy ones too.

use std::cell::{Cell, RefCell};

use super::prelude::*;

/// What an enumerator walks over.
pub(super) struct Walk {
    receiver: Value,
    method: Sym,
    args: Args,
    /// The block of `Enumerator.new`.
    block: Option<Rc<Proc>>,
    /// What a chain walks over, one after the other.
    chain: Vec<Value>,
    /// Elements that `next` has seen, and how many it has handed out.
    seen: RefCell<Vec<Value>>,
    is_whole: Cell<bool>,
    next: Cell<usize>,
}

impl Payload for Walk {}

static METHODS: &[Builtin] = &[
    m("initialize", 0, 1, initialize).private(),
    m("each", 0, -1, each).gives(&["[1, 2].each_with_index.each { |x, i| }.class => Array"]),
    m("next", 0, 0, next).gives(&["e = [1, 2].each; e.next; e.next => 2"]),
    m("peek", 0, 0, peek).gives(&["[1, 2].each.peek => 1"]),
    m("rewind", 0, 0, |_, me, _| {
        if let Some(it) = get(me) {
            it.next.set(0);
        }
        Ok(me.clone())
    }),
    m("size", 0, 0, size).gives(&["[1, 2].each.size => 2", "loop.size => Infinity"]),
    m("with_index", 0, 1, with_index)
        .gives(&["%w[a b].map.with_index(1) { |x, i| x * i } => [\"a\", \"bb\"]"]),
    m("each_with_index", 0, 0, |vm, me, args| match args.block {
        Some(_) => with_index(vm, me, args),
        None => vm.enumerator(me, "each_with_index", args),
    })
    .gives(&["%w[a b].map.each_with_index { |x, i| x * i } => [\"\", \"b\"]"]),
    m("with_object", 1, 1, with_object).gives(&["[1, 2].each.with_object([]) { |x, m| m << x } => [1, 2]"]),
    m("each_with_object", 1, 1, |vm, me, args| match args.block {
        Some(_) => with_object(vm, me, args),
        None => vm.enumerator(me, "each_with_object", args),
    }),
    m("inspect", 0, 0, inspect).gives(&["[1].each.inspect => \"#<Enumerator: [1]:each>\""]),
    m("+", 1, 1, |vm, me, args| Ok(chain_of(vm, vec![me.clone(), args.at(0)])))
        .gives(&["([1].each + [2]).inspect => \"#<Enumerator::Chain: [#<Enumerator: [1]:each>, [2]]>\""]),
];

static SINGLETON: &[Builtin] =
    &[m("produce", 0, 1, produce).gives(&["Enumerator.produce(1) { |x| x * 2 }.take(4) => [1, 2, 4, 8]"])];

static YIELDER_METHODS: &[Builtin] = &[
    m("<<", 1, 1, |vm, me, args| {
        yield_to(vm, me, args)?;
        Ok(me.clone())
    })
    .gives(&["Enumerator.new { |y| y << 1 << 2 }.to_a => [1, 2]"]),
    m("yield", 0, -1, yield_to).gives(&["Enumerator.new { |y| y.yield 1, 2 }.to_a => [[1, 2]]"]),
    m("call", 0, -1, yield_to),
    m("to_proc", 0, 0, |_, me, _| {
        let me = me.clone();
        Ok(Value::Proc(Rc::new(Proc::native(-1, move |vm, args| yield_to(vm, &me, args)))))
    }),
];

/// `Enumerator`
pub(super) static ENUMERATOR: ClassSpec = ClassSpec {
    includes: &["Enumerable"],
    methods: &[METHODS],
    singleton: &[SINGLETON],
    ..ClassSpec::class("Enumerator")
};

static CHAIN_METHODS: &[Builtin] = &[
    m("each", 0, 0, |vm, me, args| {
        let (Some(it), Some(block)) = (get(me), args.block.clone()) else { return Ok(me.clone()) };
        run(vm, &it, block)?;
        Ok(me.clone())
    })
    .gives(&["([1].each + [2]).each {}.class => Enumerator::Chain"]),
    m("inspect", 0, 0, inspect_chain)
        .gives(&["[1].chain([2]).inspect => \"#<Enumerator::Chain: [[1], [2]]>\""]),
    m("size", 0, 0, |vm, me, _| {
        let mut sum = Value::Int(0);
        for part in get(me).map(|it| it.chain.clone()).unwrap_or_default() {
            let size = vm.send(&part, names::SIZE, &[])?;
            if !matches!(size, Value::Int(_)) {
                return Ok(size);
            }
            sum = vm.send(&sum, names::PLUS, &[size])?;
        }
        Ok(sum)
    })
    .gives(&["([1].each + [2, 3]).size => 3"]),
];

/// `Enumerator::Chain`
pub(super) static CHAIN: ClassSpec = ClassSpec {
    superclass: Some("Enumerator"),
    methods: &[CHAIN_METHODS],
    ..ClassSpec::class("Enumerator::Chain")
};

/// Makes a walk over several things, one after the other.
pub(super) fn chain_of(vm: &mut Vm<'_>, chain: Vec<Value>) -> Value {
    let class = vm.class("Enumerator::Chain");
    let walk = Walk { chain, ..walk(Value::Nil, names::EACH, Args::default(), None) };
    Value::Object(Rc::new(Object::with(class, walk)))
}

fn inspect_chain(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let shown = vm.guarded(me, "#<Enumerator::Chain: ...>", |vm| {
        let list = vm.array(it.chain.clone());
        Ok(format!("#<Enumerator::Chain: {}>", vm.inspect(&list)?))
    })?;
    Ok(vm.str(shown))
}

static SEQUENCE_METHODS: &[Builtin] = &[
    m("each", 0, 0, each_of_sequence)
        .gives(&["(1..9).step(4).each {} => ((1..9).step(4))", "(3..1).step(-1).to_a => [3, 2, 1]"]),
    m("inspect", 0, 0, inspect_sequence).gives(&[
        "1.step(10, 4).inspect => \"(1.step(10, 4))\"",
        "(1..9).step(2).inspect => \"((1..9).step(2))\"",
    ]),
    m("begin", 0, 0, |vm, me, _| bound(vm, me, "begin")).gives(&["(1..9).step(2).begin => 1"]),
    m("end", 0, 0, |vm, me, _| bound(vm, me, "end")).gives(&["(1..9).step(2).end => 9"]),
    m("step", 0, 0, |_, me, _| {
        Ok(get(me).and_then(|it| it.args.positional().last().cloned()).unwrap_or(Value::Int(1)))
    }),
    m("exclude_end?", 0, 0, |_, me, _| {
        Ok(Value::Bool(
            get(me).is_some_and(|it| matches!(&it.receiver, Value::Range(range) if range.exclusive)),
        ))
    }),
    m("last", 0, -1, |vm, me, args| {
        if !args.is_empty() {
            args.check(vm, 1, Some(1))?;
        }
        let list = vm.elements(me)?;
        let list = vm.array(list);
        if !args.is_empty() && args.at(0).is_nil() {
            return Err(vm.raise("TypeError", "no implicit conversion of nil into Integer"));
        }
        vm.send_args(&list, Sym::of("last"), args.clone())
    })
    .gives(&["(1..9).step(3).last => 7"]),
    m("==", 1, 1, |vm, me, args| {
        let (mine, other) = (vm.inspect(me)?, vm.inspect(&args.at(0))?);
        Ok(Value::Bool(mine == other))
    }),
];

/// `Enumerator::ArithmeticSequence`
pub(super) static SEQUENCE: ClassSpec = ClassSpec {
    superclass: Some("Enumerator"),
    methods: &[SEQUENCE_METHODS],
    ..ClassSpec::class("Enumerator::ArithmeticSequence")
};

/// Makes the numbers from one to another in equal steps.
pub(super) fn sequence(vm: &mut Vm<'_>, receiver: &Value, method: &str, args: &Args) -> Res {
    let class = vm.class("Enumerator::ArithmeticSequence");
    let args = Args { block: None, ..args.clone() };
    Ok(Value::Object(Rc::new(Object::with(class, walk(receiver.clone(), Sym::of(method), args, None)))))
}

/// Returns where a sequence begins and ends, its steps, and whether the end is left out.
fn parts_of_sequence(it: &Walk) -> (Value, Value, Value, bool) {
    let given = |place: usize, name: &str| {
        it.args.keyword(name).or_else(|| it.args.positional().get(place).cloned()).unwrap_or_default()
    };
    let by = |by: Value| if by.is_nil() { Value::Int(1) } else { by };
    match &it.receiver {
        Value::Range(range) => (range.from.clone(), range.to.clone(), by(given(0, "by")), range.exclusive),
        number => (number.clone(), given(0, "to"), by(given(1, "by")), false),
    }
}

/// Returns where a sequence begins and ends, its steps, and whether the end is left out.
pub(super) fn parts_of(sequence: &Value) -> (Value, Value, Value, bool) {
    get(sequence).map(|it| parts_of_sequence(&it)).unwrap_or_default()
}

fn each_of_sequence(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let (Some(it), Some(block)) = (get(me), args.block.clone()) else { return Ok(me.clone()) };
    let (from, to, by, is_exclusive) = parts_of_sequence(&it);
    if [&from, &to, &by].iter().any(|value| matches!(value, Value::Float(_))) {
        for number in super::float_sequence(vm, (&from, &to, &by), is_exclusive)? {
            vm.call_block(&block, &[Value::Float(number)])?;
        }
        return Ok(me.clone());
    }
    if from.is_nil() {
        return Err(vm.raise("TypeError", "nil can't be coerced into Integer"));
    }
    let falls = vm.compare(&by, &Value::Int(0))?.is_lt();
    let mut number = from;
    loop {
        vm.step()?;
        if !to.is_nil() {
            let order = vm.compare(&number, &to)?;
            let is_over = if falls { order.is_lt() } else { order.is_gt() };
            if is_over || is_exclusive && order.is_eq() {
                return Ok(me.clone());
            }
        }
        vm.call_block(&block, &[number.clone()])?;
        number = vm.send(&number, names::PLUS, std::slice::from_ref(&by))?;
    }
}

fn bound(vm: &mut Vm<'_>, me: &Value, name: &str) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    match (&it.receiver, name) {
        (range @ Value::Range(_), name) => vm.send(range, Sym::of(name), &[]),
        (number, "begin") => Ok(number.clone()),
        _ => Ok(it.args.at(0)),
    }
}

fn inspect_sequence(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let receiver = vm.inspect(&it.receiver)?;
    let receiver =
        if matches!(it.receiver, Value::Range(_)) { format!("({receiver})") } else { receiver.to_string() };
    let mut parts = Vec::new();
    for value in it.args.positional() {
        parts.push(vm.inspect(value)?.to_string());
    }
    for (key, value) in it.args.keywords().map(|hash| hash.pairs()).unwrap_or_default() {
        let (key, value) = (vm.to_s(&key)?, vm.inspect(&value)?);
        parts.push(format!("{key}: {value}"));
    }
    let list = if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) };
    Ok(vm.str(format!("({receiver}.{}{list})", it.method)))
}

/// `Enumerator::Yielder`
pub(super) static YIELDER: ClassSpec =
    ClassSpec { methods: &[YIELDER_METHODS], ..ClassSpec::class("Enumerator::Yielder") };

struct Yielder(Rc<Proc>);

impl Payload for Yielder {}

fn get(me: &Value) -> Option<Rc<Walk>> {
    me.payload::<Walk>()
}

fn walk(receiver: Value, method: Sym, args: Args, block: Option<Rc<Proc>>) -> Walk {
    let (seen, is_whole, next) = (RefCell::default(), Cell::new(false), Cell::new(0));
    Walk { receiver, method, args, block, chain: Vec::new(), seen, is_whole, next }
}

/// Makes an enumerator of what a block yields, run when it is walked.
pub(super) fn generated(vm: &mut Vm<'_>, source: Proc) -> Value {
    let class = vm.class("Enumerator");
    let walk = walk(Value::Nil, names::EACH, Args::default(), Some(Rc::new(source)));
    Value::Object(Rc::new(Object::with(class, walk)))
}

/// Makes an enumerator.
pub(super) fn make(vm: &mut Vm<'_>, receiver: Value, method: Sym, args: Args) -> Value {
    let class = vm.class("Enumerator");
    Value::Object(Rc::new(Object::with(class, walk(receiver, method, args, None))))
}

impl Vm<'_> {
    /// Returns an enumerator for a method that was called without a block.
    pub fn enumerator(&mut self, receiver: &Value, method: &str, args: &Args) -> Res {
        let args = Args { block: None, ..args.clone() };
        Ok(make(self, receiver.clone(), Sym::of(method), args))
    }
}

fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let block = args.block(vm)?;
    if let Some(object) = me.as_object() {
        object.set_payload(walk(args.at(0), names::EACH, Args::default(), Some(block)));
    }
    Ok(Value::Nil)
}

/// Walks, calling a block for each element.
fn run(vm: &mut Vm<'_>, it: &Walk, block: Rc<Proc>) -> Res {
    if let Some(source) = &it.block {
        let class = vm.class("Enumerator::Yielder");
        let yielder = Value::Object(Rc::new(Object::with(class, Yielder(block))));
        return vm.call_block(source, &[yielder]);
    }
    if !it.chain.is_empty() {
        for part in &it.chain {
            vm.send_args(part, names::EACH, Args { block: Some(Rc::clone(&block)), ..Args::default() })?;
        }
        return Ok(Value::Nil);
    }
    vm.send_args(&it.receiver, it.method, Args { block: Some(block), ..it.args.clone() })
}

/// Hands something to whoever walks.
pub(super) fn yield_to(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    match me.payload::<Yielder>() {
        Some(it) => vm.call_block_args(&it.0, args.clone()),
        None => Ok(Value::Nil),
    }
}

fn each(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    if !args.is_empty() && it.block.is_none() {
        // What is given goes to the method, behind what it has been given.
        let list = it.args.positional().iter().chain(args.positional()).cloned().collect();
        let more = make(vm, it.receiver.clone(), it.method, Args { list, ..it.args.clone() });
        return each(vm, &more, &Args { block: args.block.clone(), ..Args::default() });
    }
    match &args.block {
        Some(block) => run(vm, &it, Rc::clone(block)),
        None => Ok(me.clone()),
    }
}

/// Elements are fetched in growing portions, each by walking anew: there is nothing to stop half-way and go on.
fn fetch(vm: &mut Vm<'_>, me: &Value, it: &Walk, wanted: usize) -> Res<Option<Value>> {
    if it.seen.borrow().len() < wanted + 1 && !it.is_whole.get() {
        let most = (wanted + 1).max(it.seen.borrow().len() * 2).max(8);
        let list = vm.fold(me, Vec::new(), move |_, list: &mut Vec<Value>, item| {
            list.push(item);
            Ok(list.len() < most)
        })?;
        it.is_whole.set(list.len() < most);
        *it.seen.borrow_mut() = list;
    }
    Ok(it.seen.borrow().get(wanted).cloned())
}

fn peek(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    match fetch(vm, me, &it, it.next.get())? {
        Some(value) => Ok(value),
        None => {
            // `each` and its kin give what they walk over.
            let is_each = it.method.text().starts_with("each");
            let result = if is_each { it.receiver.clone() } else { Value::Nil };
            let words = "iteration reached an end";
            Err(vm.raise_with("StopIteration", words, vec![("result", result)]))
        }
    }
}

fn next(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let value = peek(vm, me, args)?;
    if let Some(it) = get(me) {
        it.next.set(it.next.get() + 1);
    }
    Ok(value)
}

fn size(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    if it.block.is_some() {
        return Ok(it.receiver.clone());
    }
    match (it.method.text(), &it.receiver) {
        ("loop", _) => Ok(Value::Float(f64::INFINITY)),
        ("times", number) => Ok(number.clone()),
        (
            "each_slice" | "each_cons" | "step" | "upto" | "downto" | "each_char" | "chars" | "cycle"
            | "each_line",
            _,
        ) => {
            let list = vm.elements(me)?;
            Ok(list.len().into())
        }
        (_, receiver @ (Value::Array(_) | Value::Hash(_) | Value::Range(_))) => {
            let receiver = receiver.clone();
            vm.send(&receiver, names::SIZE, &[])
        }
        (_, receiver) if receiver.payload::<Walk>().is_some() => {
            size(vm, &receiver.clone(), &Args::default())
        }
        _ => Ok(Value::Nil),
    }
}

fn with_index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "with_index", args) };
    let start = if args.at(0).is_nil() { 0 } else { args.int(vm, 0)? };
    let count = Cell::new(start);
    let counted = Proc::native(-1, move |vm, args| {
        let item = crate::run::fold::packed(vm, args);
        let place = Value::Int(count.get());
        count.set(count.get() + 1);
        vm.call_block(&block, &[item, place])
    });
    run(vm, &it, Rc::new(counted))
}

fn with_object(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let Some(block) = args.block.clone() else { return vm.enumerator(me, "with_object", args) };
    let memo = args.at(0);
    let kept = memo.clone();
    let wrapped = Proc::native(-1, move |vm, args| {
        let item = crate::run::fold::packed(vm, args);
        vm.call_block(&block, &[item, kept.clone()])
    });
    run(vm, &it, Rc::new(wrapped))?;
    Ok(memo)
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    if it.block.is_some() {
        let address = me.address().unwrap_or_default();
        return Ok(vm.str(format!("#<Enumerator: #<Enumerator::Generator:0x{address:016x}>:each>")));
    }
    let receiver = it.receiver.clone();
    let shown = vm.guarded(me, "#<Enumerator: ...>", |vm| {
        let mut text = format!("#<Enumerator: {}:{}", vm.inspect(&receiver)?, it.method);
        if !it.args.is_empty() {
            let mut parts = Vec::new();
            for (place, value) in it.args.positional().iter().enumerate() {
                let is_last = place + 1 == it.args.positional().len();
                match value {
                    // A hash of names that stands last looks like keywords, and its values are not inspected.
                    Value::Hash(hash) if is_last && is_named(hash) => {
                        for (key, value) in hash.pairs() {
                            let (key, value) = (vm.to_s(&key)?, vm.to_s(&value)?);
                            parts.push(format!("{key}: {value}"));
                        }
                    }
                    value => parts.push(vm.inspect(value)?.to_string()),
                }
            }
            for (key, value) in it.args.keywords().map(|hash| hash.pairs()).unwrap_or_default() {
                let (key, value) = (vm.to_s(&key)?, vm.to_s(&value)?);
                parts.push(format!("{key}: {value}"));
            }
            text.push_str(&format!("({})", parts.join(", ")));
        }
        text.push('>');
        Ok(text)
    })?;
    Ok(vm.str(shown))
}

/// Tells whether all keys of a hash are symbols, and there are some.
fn is_named(hash: &Hash) -> bool {
    !hash.is_empty() && hash.pairs().iter().all(|(key, _)| matches!(key, Value::Sym(_)))
}

fn produce(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let block = args.block(vm)?;
    let first = args.get(0).cloned();
    let source = Proc::native(1, move |vm, args| {
        let yielder = args.at(0);
        let mut value = match &first {
            Some(first) => first.clone(),
            None => vm.call_block(&block, &[])?,
        };
        loop {
            vm.step()?;
            yield_to(vm, &yielder, &Args::of(std::slice::from_ref(&value)))?;
            value = match vm.call_block(&block, &[value]) {
                Err(flow) => match *flow {
                    Flow::Raise(error) if vm.is_a(&error, "StopIteration") => return Ok(Value::Nil),
                    other => return Err(Box::new(other)),
                },
                Ok(value) => value,
            };
        }
    });
    let class = vm.class("Enumerator");
    let walk = walk(Value::Float(f64::INFINITY), names::EACH, Args::default(), Some(Rc::new(source)));
    Ok(Value::Object(Rc::new(Object::with(class, walk))))
}
