//! Functions that steer the evaluation, and those that log.

mod call;
mod fail;
mod import;
mod jump;
mod logging;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static CONTROL: &[&Function] = &[
    &call::CALL,
    &fail::FAIL,
    &import::IMPORT,
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
