//! Functions that call a block for each element.

mod all;
mod each;
mod filter;
mod group_by;
mod index;
mod lazy;
mod map;
mod reduce;
mod slice;
mod tree_each;
mod turns;
mod with;

use hierarch_eval::function::Function;
pub(crate) use turns::ends_at_break;

/// The functions of this family.
pub static ITERATE: &[&Function] = &[
    &all::ALL,
    &all::ANY,
    &each::EACH,
    &filter::FILTER,
    &group_by::GROUP_BY,
    &group_by::PARTITION,
    &index::INDEX,
    &lazy::REVERSE_EACH,
    &lazy::STEP,
    &map::MAP,
    &reduce::REDUCE,
    &slice::SLICE,
    &tree_each::TREE_EACH,
    &with::LEST,
    &with::THEN,
    &with::WITH,
];
