//! `is_service_default`: whether a setting is left to the service.

use crate::prelude::*;

/// The function `is_service_default`.
pub(super) static IS_SERVICE_DEFAULT: Function = Function {
    name: "is_service_default",
    doc: "Tells whether a value is the text `<SERVICE DEFAULT>`, which leaves a setting to the service.",
    dispatches: &[on(&["*Any args"], is_service_default)],
    examples: &[
        Gives("is_service_default('<SERVICE DEFAULT>')", "true"),
        Gives("is_service_default(['<SERVICE DEFAULT>'])", "false"),
        Fails("is_service_default()", "is_service_default(): Wrong number of argumentsgiven (0 for 1)"),
    ],
};

fn is_service_default(call: &mut Call) -> Result<Value> {
    match call.arguments() {
        [value] => Ok((value.as_str() == Some("<SERVICE DEFAULT>")).into()),
        given => Err(issues::modules::service_default_count(given.len()).into()),
    }
}
