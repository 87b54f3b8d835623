//! `template` and `inline_template`: ERB templates, which are Ruby programs and cannot be run here.

use crate::prelude::*;

/// See the module.
pub(super) static TEMPLATE: Function = Function {
    name: "template",
    doc: "Stands for ERB templates in files. They are Ruby programs, which only Ruby can run: use `epp`.",
    dispatches: &[legacy(-2, template)],
    examples: &[Fails("template('nope/x')", "Could not find template 'nope/x'")],
};

/// See the module.
pub(super) static INLINE_TEMPLATE: Function = Function {
    name: "inline_template",
    doc: "Stands for ERB templates given as text. They are Ruby programs, which only Ruby can run: use `inline_epp`.",
    dispatches: &[legacy(-2, inline_template)],
    examples: &[Fails(
        "inline_template()",
        "inline_template(): Wrong number of arguments given (0 for minimum 1)",
    )],
};

fn template(call: &mut Call) -> Result<Value> {
    for name in call.arguments().iter().map(ruby_text) {
        if call.find_in_module("templates", &name).is_none() {
            return Err(issues::no_template(&name).into());
        }
    }
    let names: Vec<String> = call.arguments().iter().map(ruby_text).collect();
    Err(issues::needs_ruby(&format!("template({})", names.join(", ")), "epp").into())
}

fn inline_template(_: &mut Call) -> Result<Value> {
    Err(issues::needs_ruby("inline_template()", "inline_epp").into())
}
