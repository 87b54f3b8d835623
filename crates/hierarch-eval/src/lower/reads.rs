//! Parameters that are read only once can be moved out of their slot instead of being shared.
//!
//! `reduce |$memo, $x| { $memo + [$x] }` then appends to the array it was given, instead of copying it at every turn.

use crate::code::{Instruction, Lookup};
use crate::names::{NameId, Names};

/// Functions that may read a variable of their caller by a name that is only known when they run.
const ASKING: [&str; 13] = [
    "inline_epp",
    "epp",
    "getvar",
    "defined",
    "template",
    "inline_template",
    "call",
    "lookup",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "interpolate",
];

/// Tells whether one of the functions may read a variable by name.
pub(super) fn may_ask_by_name(called: &[NameId], names: &Names) -> bool {
    called.iter().any(|name| ASKING.contains(&&*names.text(*name)))
}

/// Makes the only read of a parameter its last one. `nodes` are all nodes of the unit, lambdas in it included; those
/// before `body` are defaults of parameters, after which all parameters must still be there to be checked.
///
/// A lambda may run more than once, so a read from inside of one counts as many.
pub(super) fn move_last(nodes: &mut [Instruction], body: usize, parameters: usize) {
    for slot in 0..parameters as u16 {
        let mut reads = nodes.iter_mut().enumerate().filter(|(_, node)| reads_slot(node, slot));
        if let (Some((at, node @ Instruction::Parameter { depth: 0, .. })), None) =
            (reads.next(), reads.next())
            && at >= body
        {
            *node = Instruction::LastRead { slot };
        }
    }
}

/// Tells whether a node may read a slot, of this unit or of a lambda in it: the depth is not told apart, which errs on
/// the safe side.
fn reads_slot(node: &Instruction, slot: u16) -> bool {
    match node {
        Instruction::Parameter { slot: read, .. } | Instruction::LastRead { slot: read } => *read == slot,
        Instruction::Variable(lookup) => {
            let Lookup { slots, .. } = &**lookup;
            slots.iter().any(|(_, read)| *read == slot)
        }
        _ => false,
    }
}
