//! The texts of values, as Python's `str` and `repr` write them, and their truth.

use std::rc::Rc;

use super::fault::Checked;
use super::renderer::Renderer;
use super::value::{Flavor, LazyItems, Val};
use crate::expr::python;

impl Renderer {
    /// Returns what `str(value)` gives.
    pub(super) fn printed(&mut self, value: &Val) -> Checked<String> {
        match value {
            Val::Text(text) => Ok(text.text.to_string()),
            Val::Undefined(missing) if missing.is_soft() => Ok(String::new()),
            Val::Undefined(missing) if self.strict() => Err(missing.fault()),
            Val::Undefined(missing) => Ok(format!("{{{{ {} }}}}", missing.message)),
            Val::Object(object) => Rc::clone(object).printed(self),
            other => self.shown(other),
        }
    }

    /// Returns what `repr(value)` gives.
    pub(super) fn shown(&mut self, value: &Val) -> Checked<String> {
        let mut out = String::new();
        self.show(value, &mut out, 0)?;
        self.go_through(out.len())?;
        Ok(out)
    }

    fn show(&mut self, value: &Val, out: &mut String, depth: usize) -> Checked<()> {
        self.fits(out.len())?;
        self.budget.fits_depth(depth)?;
        match value {
            Val::None => out.push_str("None"),
            Val::Bool(truth) => out.push_str(if *truth { "True" } else { "False" }),
            Val::Int(number) => out.push_str(&number.to_string()),
            Val::Float(number) => out.push_str(&python::float(*number)),
            Val::Text(text) => out.push_str(&python::quoted(&text.text)),
            Val::Undefined(missing) if self.strict() => return Err(missing.fault()),
            Val::Undefined(_) => out.push_str("Undefined"),
            Val::List(list) => {
                let items = list.items.borrow().clone();
                self.show_items(&items, ["[", "]"], out, depth)?;
            }
            Val::Tuple(list) => {
                let items = list.items.borrow().clone();
                let close = if items.len() == 1 { ",)" } else { ")" };
                self.show_items(&items, ["(", close], out, depth)?;
            }
            Val::Dict(dict) => {
                let pairs: Vec<(Val, Val)> = dict.pairs.borrow().values().cloned().collect();
                self.show_pairs(&pairs, out, depth)?;
            }
            Val::Rolled(rolled) => self.show_rolled(rolled, out, depth)?,
            Val::Branch(_) => {
                let plain = self.plain(value)?;
                self.show(&plain, out, depth)?;
            }
            Val::Object(object) => out.push_str(&Rc::clone(object).shown(self)?),
        }
        Ok(())
    }

    fn show_items(&mut self, items: &[Val], ends: [&str; 2], out: &mut String, depth: usize) -> Checked<()> {
        out.push_str(ends[0]);
        for (index, item) in items.iter().enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            self.show(item, out, depth + 1)?;
        }
        out.push_str(ends[1]);
        Ok(())
    }

    fn show_pairs(&mut self, pairs: &[(Val, Val)], out: &mut String, depth: usize) -> Checked<()> {
        out.push('{');
        for (index, (key, value)) in pairs.iter().enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            self.show(key, out, depth + 1)?;
            out.push_str(": ");
            self.show(value, out, depth + 1)?;
        }
        out.push('}');
        Ok(())
    }

    fn show_rolled(&mut self, rolled: &LazyItems, out: &mut String, depth: usize) -> Checked<()> {
        match rolled {
            LazyItems::Range { start, stop, step: 1 } => out.push_str(&format!("range({start}, {stop})")),
            LazyItems::Range { start, stop, step } => {
                out.push_str(&format!("range({start}, {stop}, {step})"));
            }
            LazyItems::View(name, inner) => {
                out.push_str(name);
                out.push('(');
                self.show(inner, out, depth + 1)?;
                out.push(')');
            }
        }
        Ok(())
    }

    /// Tells whether a value counts as true.
    pub(super) fn truth(&mut self, value: &Val) -> Checked<bool> {
        Ok(match value {
            Val::Undefined(missing) if self.strict() && !missing.is_soft() => return Err(missing.fault()),
            Val::Undefined(_) | Val::None => false,
            Val::Bool(truth) => *truth,
            Val::Int(number) => *number != 0,
            Val::Float(number) => *number != 0.0,
            Val::Text(text) => !text.text.is_empty(),
            Val::Object(_) => true,
            _ => self.length(value)?.is_none_or(|length| length > 0),
        })
    }
}

/// Returns the name of a value's type in Python.
pub(super) fn type_name(value: &Val) -> &'static str {
    match value {
        Val::Undefined(_) => "AnsibleUndefined",
        Val::None => "NoneType",
        Val::Bool(_) => "bool",
        Val::Int(_) => "int",
        Val::Float(_) => "float",
        Val::Text(text) => match text.flavor {
            Flavor::Plain => "str",
            Flavor::Markup => "Markup",
            Flavor::Stays => "NativeJinjaText",
        },
        Val::List(_) => "list",
        Val::Tuple(_) => "tuple",
        Val::Dict(_) => "dict",
        Val::Branch(node) => {
            if node.is_list() {
                "list"
            } else {
                "dict"
            }
        }
        Val::Rolled(rolled) => match &**rolled {
            LazyItems::Range { .. } => "range",
            LazyItems::View(name, _) => name,
        },
        Val::Object(object) => object.type_name(),
    }
}
