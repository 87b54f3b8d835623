//! `reverse_each` and `step`: elements from last to first, or every so many of them, lazily.

use hierarch_pcore::types::Kind;

use crate::prelude::*;

/// The function `reverse_each`.
pub(super) static REVERSE_EACH: Function = Function {
    name: "reverse_each",
    doc: "Calls a block for each element of an iterable value from last to first and returns `undef`; without a block, returns an Iterator over the elements in that order.",
    dispatches: &[
        on(&["Iterable iterable"], reversed),
        on(&["Iterable iterable", "&Callable[1, 1] block"], each_reversed),
    ],
    examples: &[
        Gives("[1, 2, 3].reverse_each.map |$x| { $x * 10 }", "[30, 20, 10]"),
        Gives("[1, 2].reverse_each |$x| { notice($x) }", "undef"),
        Fails(
            "reverse_each(undef)",
            "'reverse_each' parameter 'iterable' expects an Iterable value, got Undef",
        ),
    ],
};

/// The function `step`.
pub(super) static STEP: Function = Function {
    name: "step",
    doc: "Calls a block for the first element of an iterable value and each one that many further and returns `undef`; without a block, returns an Iterator over these elements.",
    dispatches: &[
        on(&["Iterable iterable", "Integer[1] step"], stepped),
        on(&["Iterable iterable", "Integer[1] step", "&Callable[1, 1] block"], each_stepped),
    ],
    examples: &[
        Gives("Array([1, 2, 3, 4, 5].step(2))", "[1, 3, 5]"),
        Gives("step(6, 2) |$x| { notice($x) }", "undef"),
        Fails("step([1], 0)", "'step' parameter 'step' expects an Integer[1] value, got Integer[0, 0]"),
    ],
};

fn reversed(call: &mut Call) -> Result<Value> {
    Ok(Lazy::reversed(call.take(0)))
}

fn stepped(call: &mut Call) -> Result<Value> {
    let step = call.integer(1);
    Ok(Lazy::stepped(call.take(0), step))
}

fn each_reversed(call: &mut Call) -> Result<Value> {
    let items = call.items(0).reversed();
    run(call, items)
}

fn each_stepped(call: &mut Call) -> Result<Value> {
    let step = call.integer(1);
    let items = call.items(0).stepped(step);
    run(call, items)
}

fn run(call: &mut Call, mut items: Items) -> Result<Value> {
    let (least, most) = call.block_arity();
    until_break(items.try_for_each(|item| {
        let given = if (least, most) == (1, Some(1)) {
            call.yield_values([item])
        } else {
            let mut values = spread(item);
            values.truncate(most.unwrap_or(usize::MAX));
            call.yield_all(values)
        };
        given.map(|_| ())
    }))?;
    Ok(Value::Undef)
}

/// Takes an element apart for a block that may have several parameters, as Ruby does.   case: lang/campaign
fn spread(item: Value) -> Vec<Value> {
    match &item {
        Value::Undef => Vec::new(),
        Value::Array(_) | Value::Hash(_) => Items::of(item).collect(),
        Value::Foreign(_) if Lazy::is_made_by_walking(&item) => Items::of(item).collect(),
        Value::Type(type_) => match type_.kind() {
            Kind::Tuple(tuple) => values(tuple.types()),
            Kind::Variant(variant) => values(variant.types()),
            _ => vec![item],
        },
        _ => vec![item],
    }
}

fn values(types: &[Type]) -> Vec<Value> {
    types.iter().cloned().map(Value::from).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn walks_that_come_later() {
        check_calls(&[
            ("[1, 2, 3].reverse_each", "[3, 2, 1]"),
            ("Array([1, 2, 3].reverse_each)", "[3, 2, 1]"),
            ("[1, 2, 3].reverse_each.map |$x| { $x }", "[3, 2, 1]"),
            ("[1, 2, 3, 4].step(2)", "[1, 3]"),
            ("Array([1, 2, 3, 4].step(2))", "[1, 3]"),
            ("[1, 2, 3, 4].step(2).reverse_each.map |$x| { $x }", "[3, 1]"),
            (
                "[1, 2].step(0)",
                "Evaluation Error: Error while evaluating a Method call, 'step' parameter 'step' expects an Integer[1] value, got Integer[0, 0] (line: 1, column: 12)",
            ),
            (
                "[1, 2].step(-1)",
                "Evaluation Error: Error while evaluating a Method call, 'step' parameter 'step' expects an Integer[1] value, got Integer[-1, -1] (line: 1, column: 12)",
            ),
            (
                "[1, 2].step('a')",
                "Evaluation Error: Error while evaluating a Method call, 'step' parameter 'step' expects an Integer value, got String (line: 1, column: 12)",
            ),
            ("'abc'.reverse_each.map |$x| { $x }", "['c', 'b', 'a']"),
            ("{a => 1, b => 2}.reverse_each.map |$x| { $x }", "[['b', 2], ['a', 1]]"),
            ("5.step(2).map |$x| { $x }", "[0, 2, 4]"),
            ("Integer[1, 5].step(2).filter |$x| { $x > 1 }", "[3, 5]"),
            ("type([1, 2].reverse_each)", "Iterator[Variant[Integer[1, 1], Integer[2, 2]]]"),
            (r#""${[1].reverse_each}""#, "'Iterator[Integer]-Value'"),
            ("[1, 2].reverse_each |$x| { notice($x) }", "undef"),
            (
                "true.reverse_each",
                "Evaluation Error: Error while evaluating a Method call, 'reverse_each' parameter 'iterable' expects an Iterable value, got Boolean (line: 1, column: 5)",
            ),
        ]);
    }
}
