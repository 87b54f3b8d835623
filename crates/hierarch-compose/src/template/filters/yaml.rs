//! YAML as PyYAML writes it, and as Ansible reads it.

use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, read};

use super::super::call::{BoundArguments, Function, function, int};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::value::{Flavor, Val};
use super::super::yaml_text::Layout;
use hierarch_pcore::data::{Rules, from_data};

pub(super) static FILTERS: &[Function] = &[
    function("to_yaml", &["a", "*args", "**kw"], |renderer, given| {
        let layout = Layout { indent: 2, width: 80, sorted: true, flow: Layout::LEAVES };
        written(renderer, given, layout)
    }),
    function("to_nice_yaml", &["a", "indent?", "*args", "**kw"], |renderer, given| {
        let indent = given.count(1, 4)?.clamp(2, 9);
        written(renderer, given, Layout { indent, width: 80, sorted: true, flow: Layout::NEVER })
    }),
    function("from_yaml", &["data"], |renderer, given| {
        let Val::Text(text) = given.value(0) else { return Ok(given.value(0).clone()) };
        let source = Source::unnamed(text.text.as_str());
        let limits = DocumentLimits::default();
        let tree = read(&source, Dialect::Older, limits)?;
        match tree.root() {
            Some(root) => renderer.made(from_data(&tree.data(root, limits)?, Rules::Text)),
            None => Ok(Val::None),
        }
    }),
    function("from_yaml_all", &["data"], |renderer, given| {
        let Val::Text(text) = given.value(0) else { return Ok(given.value(0).clone()) };
        let source = Source::unnamed(text.text.as_str());
        let limits = DocumentLimits::default();
        let tree = read(&source, Dialect::Older, limits)?;
        let mut documents = Vec::new();
        for &root in tree.roots() {
            documents.push(from_data(&tree.data(root, limits)?, Rules::Text));
        }
        renderer.made(documents.into())
    }),
];

fn written(renderer: &mut Renderer, given: &BoundArguments, mut layout: Layout) -> Checked<Val> {
    for (name, value) in &given.named {
        let number =
            |value: &Val| -> Checked<usize> { Ok(usize::try_from(int(value)?.max(0)).unwrap_or(usize::MAX)) };
        match name.as_str() {
            "indent" => layout.indent = number(value)?.clamp(2, 9),
            "width" => layout.width = number(value)?,
            "sort_keys" => layout.sorted = renderer.truth(value)?,
            "default_flow_style" => {
                layout.flow = match value {
                    Val::None => Layout::LEAVES,
                    value if renderer.truth(value)? => Layout::ALWAYS,
                    _ => Layout::NEVER,
                };
            }
            "allow_unicode" | "explicit_start" | "explicit_end" | "default_style" | "line_break" => {
                return Err(issues::yaml_option(name));
            }
            other => return Err(issues::unknown_argument_named("to_yaml", other)),
        }
    }
    let is_markup = matches!(given.value(0), Val::Text(text) if text.flavor == Flavor::Markup);
    if is_markup || matches!(given.value(0), Val::Rolled(_)) {
        return Err(issues::not_represented(&renderer.shown(given.value(0))?));
    }
    let value = renderer.finished(given.value(0))?;
    renderer.flavored(layout.text(&value), Flavor::Stays)
}
