//! `next`, `break` and `return`: ways to leave a block, an iteration or a function.

use crate::prelude::*;

/// The function `next`.
pub(super) static NEXT: Function = Function {
    name: "next",
    doc: "Ends the block or function at hand; its value is the argument, or `undef`.",
    dispatches: &[on(&["?Any value"], next)],
    examples: &[
        Gives("[1, 2].map |$x| { next($x * 2) }", "[2, 4]"),
        Fails("next()", "next() from context where this is illegal"),
    ],
};

/// The function `break`.
pub(super) static BREAK: Function = Function {
    name: "break",
    doc: "Ends the iteration at hand; its value is what was collected so far.",
    dispatches: &[on(&[], stop)],
    examples: &[
        Gives("[1, 2, 3].map |$x| { if $x == 2 { break() } $x }", "[1]"),
        Fails("break()", "break() from context where this is illegal"),
    ],
};

/// The function `return`.
pub(super) static RETURN: Function = Function {
    name: "return",
    doc: "Ends the function around; its value is the argument, or `undef`.",
    dispatches: &[on(&["?Any value"], leave)],
    examples: &[
        Gives("function f($x) { return($x) 2 } f(1)", "1"),
        Fails("return()", "return() from context where this is illegal"),
    ],
};

fn next(call: &mut Call) -> Result<Value> {
    let value = call.take(0);
    Err(call.next(value))
}

fn stop(call: &mut Call) -> Result<Value> {
    Err(call.stop())
}

fn leave(call: &mut Call) -> Result<Value> {
    let value = call.take(0);
    Err(call.leave(value))
}
