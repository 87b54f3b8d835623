//! What `groupby` gives: a pair that knows its parts by name.

use std::any::Any;
use std::rc::Rc;

use super::fault::Checked;
use super::object::Object;
use super::renderer::Renderer;
use super::value::Val;

/// Makes a group of what its members have in common, and them.
///
/// It is a pair like any other, and can be unpacked; as a value of its own it also answers to `grouper` and `list`.
pub(super) fn pair(renderer: &mut Renderer, key: Val, members: Val) -> Checked<Val> {
    let pair = renderer.tuple(vec![key, members])?;
    Ok(Val::Object(Rc::new(Group { pair })))
}

pub(super) struct Group {
    pub(super) pair: Val,
}

impl Object for Group {
    fn type_name(&self) -> &'static str {
        "_GroupTuple"
    }

    fn shown(&self, renderer: &mut Renderer) -> Checked<String> {
        renderer.shown(&self.pair)
    }

    fn attribute(&self, renderer: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        let at = match name {
            "grouper" => 0,
            "list" => 1,
            _ => return renderer.own_attribute(&self.pair, name),
        };
        renderer.entry(&self.pair, &Val::Int(at))
    }

    fn sequence(&self) -> Option<&Val> {
        Some(&self.pair)
    }

    fn parts(&mut self) -> Vec<Val> {
        vec![std::mem::replace(&mut self.pair, Val::None)]
    }

    fn held(&self) -> Vec<Val> {
        vec![self.pair.clone()]
    }

    fn depth(&self) -> u32 {
        self.pair.depth()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
