//! What a template prints: a text and, as long as it is one thing alone, that thing.

use hierarch_pcore::Value;

use super::convert;
use super::fault::Checked;
use super::renderer::{Form, Renderer};
use super::value::{Flavor, Val};
use crate::expr::item::Item;
use crate::expr::python;

#[derive(Default)]
pub(super) struct Output {
    text: String,
    pieces: usize,
    only: Option<Val>,
    /// Something was printed that is not a text, and that is not a constant.
    pub(super) has_values: bool,
    /// The template extends another one, which prints in its place.
    pub(super) muted: bool,
}

impl Output {
    pub(super) fn data(&mut self, renderer: &mut Renderer, text: &str) -> Checked<()> {
        renderer.write(text.len())?;
        self.begin(renderer)?;
        self.text.push_str(text);
        Ok(())
    }

    /// Prints a value.
    pub(super) fn print(&mut self, renderer: &mut Renderer, value: Val) -> Checked<()> {
        let value = renderer.unrolled(value)?;
        self.has_values |= !matches!(value, Val::Text(_));
        if self.pieces == 0 && renderer.form == Form::Native {
            // Its text is needed only if something follows.
            renderer.present(&value)?;
            self.pieces = 1;
            self.only = Some(value);
            return Ok(());
        }
        self.begin(renderer)?;
        self.push(renderer, &value)
    }

    fn push(&mut self, renderer: &mut Renderer, value: &Val) -> Checked<()> {
        match value {
            Val::Text(text) => {
                renderer.write(text.text.len())?;
                self.text.push_str(&text.text);
            }
            Val::None if renderer.settings.null_is_empty => {}
            other => {
                let text = renderer.printed(other)?;
                renderer.write(text.len())?;
                self.text.push_str(&text);
            }
        }
        Ok(())
    }

    /// Begins another piece, so that what was printed is more than one thing.
    fn begin(&mut self, renderer: &mut Renderer) -> Checked<()> {
        self.pieces += 1;
        match self.only.take() {
            Some(first) => self.push(renderer, &first),
            None => Ok(()),
        }
    }

    /// Returns all that was printed, as text.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Returns all that was printed, as text, whatever the template stands for.
    pub(super) fn into_text_of(mut self, renderer: &mut Renderer) -> Checked<String> {
        self.begin(renderer)?;
        Ok(self.text)
    }

    /// Returns what was printed as a value: in data, with the type that it looks like.
    pub(super) fn value(self, renderer: &mut Renderer) -> Checked<Val> {
        if renderer.form == Form::Text {
            return renderer.text(self.text);
        }
        match self.only {
            _ if self.pieces == 0 => Ok(Val::None),
            Some(Val::Text(text)) if text.flavor == Flavor::Stays => Ok(Val::Text(text)),
            Some(Val::Text(text)) => native(renderer, text.text.to_string()),
            Some(other) => Ok(other),
            None => native(renderer, self.text),
        }
    }
}

/// Returns the value that a text looks like. A text in quotes stays one, quotes included, as in Ansible.
fn native(renderer: &mut Renderer, text: String) -> Checked<Val> {
    match python::literal(&text) {
        Some(Value::String(inside)) => {
            let quote = &text[..1];
            renderer.text(format!("{quote}{inside}{quote}"))
        }
        Some(value @ (Value::Array(_) | Value::Hash(_))) => renderer.made(value),
        Some(value) => Ok(convert::wrapped(renderer, Item::Done(value))),
        None => renderer.text(text),
    }
}
