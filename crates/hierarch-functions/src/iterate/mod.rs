//! Functions that call a block for each element.

mod each;
mod filter;
mod map;
mod reduce;
mod turns;
mod with;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static ITERATE: &[&Function] =
    &[&each::EACH, &filter::FILTER, &map::MAP, &reduce::REDUCE, &with::LEST, &with::THEN, &with::WITH];
