//! Functions that steer the evaluation, and those that log.

mod fail;
mod jump;
mod logging;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static CONTROL: &[&Function] = &[
    &fail::FAIL,
    &jump::BREAK,
    &jump::NEXT,
    &jump::RETURN,
    &logging::ALERT,
    &logging::CRIT,
    &logging::DEBUG,
    &logging::EMERG,
    &logging::ERR,
    &logging::INFO,
    &logging::NOTICE,
    &logging::WARNING,
];
