//! `template` and `inline_template`: ERB templates, in files and as texts.

use hierarch_source::Source;

use crate::prelude::*;
use crate::script::Template;

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
        let name = ruby_text(&name);
        let Some(path) = call.find_in_module("templates", &name) else {
            return Err(if name.starts_with('/') {
                issues::no_template_file(&name)
            } else {
                issues::no_template(&name)
            }
            .into());
        };
        let bytes =
            call.files().read(&path).map_err(|error| issues::template_unreadable(&name, &path, &error))?;
        let source = Source::from_bytes(path.display().to_string(), bytes)?;
        let template = Template { text: source.text(), name: Some(&name), file: Some(&path) };
        let rendered = template.render(call)?;
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
        let rendered = Template { text: source, name: None, file: None }.render(call)?;
        append(call, &mut text, &rendered)?;
    }
    Ok(text.into())
}

fn append(call: &Call, text: &mut String, rendered: &Value) -> Result<()> {
    text.push_str(rendered.as_str().unwrap_or_default());
    call.check_size(text.len())
}
