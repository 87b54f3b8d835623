//! `epp` and `inline_epp`: EPP templates.

use crate::prelude::*;

/// The function `epp`.
pub(super) static EPP: Function = Function {
    name: "epp",
    doc: "Runs the EPP template `MODULE/FILE` of a module with parameters, and returns the text.",
    dispatches: &[on(&["String path", "?Hash[Pattern[/^\\w+$/], Any] parameters"], epp)],
    examples: &[Fails("epp('nowhere/x.epp')", "Could not find template 'nowhere/x.epp'")],
};

/// The function `inline_epp`.
pub(super) static INLINE_EPP: Function = Function {
    name: "inline_epp",
    doc: "Runs an EPP template given as text, with parameters, and returns the text.",
    dispatches: &[on(&["String template", "?Hash[Pattern[/^\\w+$/], Any] parameters"], inline_epp)],
    examples: &[
        Gives("inline_epp('a<%= $x %>b', {x => 1})", "'a1b'"),
        Fails("inline_epp('<% ')", "inline_epp(): Invalid EPP:"),
    ],
};

fn epp(call: &mut Call) -> Result<Value> {
    let parameters = call.take(1);
    let file = call.str(0).to_owned();
    call.epp(&file, parameters.as_hash())
}

fn inline_epp(call: &mut Call) -> Result<Value> {
    let parameters = call.take(1);
    let template = call.str(0).to_owned();
    call.inline_epp(&template, parameters.as_hash())
}
