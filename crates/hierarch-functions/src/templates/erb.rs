//! `template` and `inline_template`: ERB templates, in files and as texts.

use crate::prelude::*;
use crate::script;

/// The function for templates in files.
pub(super) static TEMPLATE: Function = Function {
    name: "template",
    doc: "Renders ERB templates of modules, given as `MODULE/FILE`, or files given by their absolute path, and returns their texts joined.",
    dispatches: &[legacy(-2, template)],
    examples: &[Fails("template('nope/x')", "Could not find template 'nope/x'")],
};

/// The function for templates given as text.
pub(super) static INLINE_TEMPLATE: Function = Function {
    name: "inline_template",
    doc: "Renders ERB templates given as texts and returns the results joined. Variables are seen as `@name`.",
    dispatches: &[legacy(-2, inline_template)],
    examples: &[
        Gives("inline_template('<%= [1, 2].sum %>', ' <%= @environment %>')", "'3 production'"),
        Fails(
            "inline_template('<%= @nope.size %>')",
            "Failed to parse inline template: undefined method `size' for nil",
        ),
        Fails("inline_template()", "inline_template(): Wrong number of arguments given (0 for minimum 1)"),
    ],
};

fn template(call: &mut Call) -> Result<Value> {
    let mut text = String::new();
    for name in call.take_all() {
        let rendered = script::render_file(call, &ruby_text(&name))?;
        append(call, &mut text, &rendered)?;
    }
    Ok(text.into())
}

fn inline_template(call: &mut Call) -> Result<Value> {
    let mut text = String::new();
    for argument in call.take_all() {
        let Some(source) = argument.as_str() else {
            return Err(issues::inline_template_no_text(&argument).into());
        };
        let rendered = script::render_text(call, source)?;
        append(call, &mut text, &rendered)?;
    }
    Ok(text.into())
}

fn append(call: &Call, text: &mut String, rendered: &Value) -> Result<()> {
    text.push_str(rendered.as_str().unwrap_or_default());
    call.check_size(text.len())
}
