//! `group_by` and `partition`: elements sorted into groups by what a block gives for them.

use super::turns::{Shape, all_turns};
use crate::groups::Groups;
use crate::prelude::*;

/// The function `group_by`.
pub(super) static GROUP_BY: Function = Function {
    name: "group_by",
    doc: "Calls a block for each element of a collection and returns a Hash of what it gave to Arrays of the elements.",
    dispatches: &[
        on(&["Collection collection", "&Callable[1, 1] block"], group_elements).returns("Hash"),
        on(&["Array array", "&Callable[2, 2] block"], group_indexed).returns("Hash"),
        on(&["Collection collection", "&Callable[2, 2] block"], group_pairs).returns("Hash"),
    ],
    examples: &[
        Gives("[1, 2, 3].group_by |$x| { $x % 2 }", "{1 => [1, 3], 0 => [2]}"),
        Gives("{a => 1, b => 1}.group_by |$k, $v| { $v }", "{1 => [['a', 1], ['b', 1]]}"),
        Fails(
            "group_by('a') |$x| { }",
            "The function 'group_by' was called with arguments it does not accept.",
        ),
    ],
};

/// The function `partition`.
pub(super) static PARTITION: Function = Function {
    name: "partition",
    doc: "Calls a block for each element of a collection and returns two Arrays: the elements for which it gave something true, and the others.",
    dispatches: &[
        on(&["Collection collection", "&Callable[1, 1] block"], part_elements).returns("Tuple[Array, Array]"),
        on(&["Array array", "&Callable[2, 2] block"], part_indexed).returns("Tuple[Array, Array]"),
        on(&["Collection collection", "&Callable[2, 2] block"], part_pairs).returns("Tuple[Array, Array]"),
    ],
    examples: &[
        Gives("[1, 2, 3].partition |$x| { $x > 1 }", "[[2, 3], [1]]"),
        Gives("['a', 'b'].partition |$index, $x| { $index == 0 }", "[['a'], ['b']]"),
        Fails(
            "partition(1) |$x| { }",
            "The function 'partition' was called with arguments it does not accept.",
        ),
    ],
};

fn group_elements(call: &mut Call) -> Result<Value> {
    grouped(call, Shape::One)
}

fn group_indexed(call: &mut Call) -> Result<Value> {
    grouped(call, Shape::Indexed)
}

fn group_pairs(call: &mut Call) -> Result<Value> {
    grouped(call, Shape::Pair)
}

fn grouped(call: &mut Call, shape: Shape) -> Result<Value> {
    let mut groups: Groups<Vec<Value>> = Groups::default();
    let mut measure = call.growing();
    all_turns(call, shape, |item, given| {
        measure.count(&item)?;
        groups.of(given).push(item);
        Ok(true)
    })?;
    Ok(groups.into_entries().collect::<Hash>().into())
}

fn part_elements(call: &mut Call) -> Result<Value> {
    parted(call, Shape::One)
}

fn part_indexed(call: &mut Call) -> Result<Value> {
    parted(call, Shape::Indexed)
}

fn part_pairs(call: &mut Call) -> Result<Value> {
    parted(call, Shape::Pair)
}

fn parted(call: &mut Call, shape: Shape) -> Result<Value> {
    let (mut matching, mut others) = (Vec::new(), Vec::new());
    let mut measure = call.growing();
    all_turns(call, shape, |item, given| {
        measure.count(&item)?;
        if given.is_truthy() { &mut matching } else { &mut others }.push(item);
        Ok(true)
    })?;
    Ok(Value::array(vec![matching.into(), others.into()]))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn values_by_what_they_have_in_common() {
        check_calls(&[
            ("['a', 'bb', 'cc'].group_by |$x| { length($x) }", "{1 => ['a'], 2 => ['bb', 'cc']}"),
            (
                "{a => 1, b => 2, c => 1}.group_by |$k, $v| { $v }",
                "{1 => [['a', 1], ['c', 1]], 2 => [['b', 2]]}",
            ),
            ("{a => 1, b => 2}.group_by |$kv| { $kv[1] }", "{1 => [['a', 1]], 2 => [['b', 2]]}"),
            ("[].group_by |$x| { 1 }", "{}"),
            ("['a', 'b'].group_by |$i, $x| { $i }", "{0 => ['a'], 1 => ['b']}"),
            (
                "5.group_by |$x| { 1 }",
                "Evaluation Error: Error while evaluating a Method call, The function 'group_by' was called with arguments it does not accept. It expects one of:\n  (Collection collection, Callable[1, 1] block)\n    rejected: parameter 'collection' expects a Collection value, got Integer\n  (Array array, Callable[2, 2] block)\n    rejected: parameter 'array' expects an Array value, got Integer\n  (Collection collection, Callable[2, 2] block)\n    rejected: parameter 'collection' expects a Collection value, got Integer (line: 1, column: 2)",
            ),
            (
                "[1].group_by",
                "Evaluation Error: Error while evaluating a Method call, 'group_by' expects a block (line: 1, column: 4)",
            ),
            (
                "[1].group_by |$x, $y, $z| { 1 }",
                "Evaluation Error: Error while evaluating a Method call, 'group_by' block expects between 1 and 2 arguments, got 3 (line: 1, column: 4)",
            ),
            ("[1, 2].partition |$x| { $x > 1 }", "[[2], [1]]"),
            ("{a => 1, b => 2}.partition |$k, $v| { $v > 1 }", "[[['b', 2]], [['a', 1]]]"),
            ("{a => 1}.partition |$kv| { true }", "[[['a', 1]], []]"),
        ]);
    }
}
