//! `{% for … in … %}` with its `loop`, and `{% break %}`, `{% continue %}`.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use hierarch_pcore::Str;

use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::iterate::Walk;
use crate::template::object::{CallArguments, Object};
use crate::template::output::Output;
use crate::template::parser::Parser;
use crate::template::renderer::{Flow, Renderer};
use crate::template::tree::{Body, For, Stmt};
use crate::template::value::Val;

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let target = parser.target(&["in"], false)?;
    parser.word("in")?;
    let items = parser.tuple_until(false, &["recursive"], false)?;
    let test = if parser.skip_name("if") { Some(parser.expression()?) } else { None };
    let recursive = parser.skip_name("recursive");
    parser.loops += 1;
    let (body, end) = parser.body_until("for", &["endfor", "else"])?;
    parser.loops -= 1;
    let otherwise = if end == "else" { parser.whole_body("for", "endfor")? } else { Vec::new() };
    out.push(Stmt::For(Rc::new(For { target, items, test, body, otherwise, recursive })));
    Ok(())
}

pub(super) fn parse_break(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    inside(parser, out, Stmt::Break)
}

pub(super) fn parse_continue(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    inside(parser, out, Stmt::Continue)
}

fn inside(parser: &mut Parser, out: &mut Body, statement: Stmt) -> Checked<()> {
    if parser.loops == 0 {
        return Err(parser.fail(issues::outside_of_loop()));
    }
    out.push(statement);
    Ok(())
}

pub(super) fn run(renderer: &mut Renderer, tag: &Rc<For>, out: &mut Output) -> Checked<Flow> {
    let items = renderer.eval(&tag.items)?;
    over(renderer, tag, &items, 0, out).map_err(|fault| fault.at(tag.items.range))
}

/// Walks over items; what is nested may walk deeper with `loop(…)`.
fn over(
    renderer: &mut Renderer,
    tag: &Rc<For>,
    items: &Val,
    depth: usize,
    out: &mut Output,
) -> Checked<Flow> {
    let mut walk = renderer.walk(items)?;
    if tag.test.is_some() {
        walk = chosen(renderer, tag, walk)?;
    }
    let state =
        LoopState { index: 0, length: walk.len(), before: None, here: None, after: walk.next(), last: None };
    let frame = renderer.here;
    let state = Rc::new(Loop { tag: Rc::clone(tag), depth, frame, state: RefCell::new(state) });
    let mut any = false;
    while state.advance(&mut walk, any) {
        any = true;
        let before = renderer.enter();
        let flow = turn(renderer, tag, &state, out);
        renderer.leave(before)?;
        if flow? == Flow::Break {
            break;
        }
    }
    if any { Ok(Flow::On) } else { renderer.framed(|renderer| renderer.body(&tag.otherwise, out)) }
}

fn turn(renderer: &mut Renderer, tag: &Rc<For>, state: &Rc<Loop>, out: &mut Output) -> Checked<Flow> {
    renderer.step()?;
    let item = state.state.borrow().here.clone().unwrap_or(Val::None);
    renderer.assign(&Str::from("loop"), Val::Object(Rc::clone(state) as Rc<dyn Object>));
    renderer.assign_to(&tag.target, item)?;
    renderer.body(&tag.body, out)
}

/// Keeps the items that the loop's own `if` wants.
fn chosen(renderer: &mut Renderer, tag: &For, walk: Walk) -> Checked<Walk> {
    let Some(test) = &tag.test else { return Ok(walk) };
    let mut kept = Vec::new();
    for item in walk {
        let wanted = renderer.framed(|renderer| {
            renderer.step()?;
            renderer.assign_to(&tag.target, item.clone())?;
            let value = renderer.eval(test)?;
            renderer.truth(&value).map_err(|fault| fault.at(test.range))
        });
        if wanted? {
            kept.push(item);
        }
    }
    Ok(Walk::Items(kept.into_iter()))
}

/// The variable `loop`.
struct Loop {
    tag: Rc<For>,
    depth: usize,
    frame: usize,
    state: RefCell<LoopState>,
}

struct LoopState {
    /// How many turns have begun.
    index: usize,
    length: usize,
    before: Option<Val>,
    here: Option<Val>,
    after: Option<Val>,
    /// What `changed` was asked last.
    last: Option<Vec<Val>>,
}

impl Loop {
    /// Goes on to the next item, if there is one.
    fn advance(&self, walk: &mut Walk, any: bool) -> bool {
        let mut state = self.state.borrow_mut();
        let Some(next) = state.after.take() else { return false };
        state.before = if any { state.here.take() } else { None };
        state.here = Some(next);
        state.after = walk.next();
        state.index += 1;
        true
    }

    fn number(&self, name: &str) -> Option<Val> {
        let state = self.state.borrow();
        Some(match name {
            "index" => state.index.into(),
            "index0" => (state.index - 1).into(),
            "revindex" => (state.length + 1 - state.index).into(),
            "revindex0" => (state.length - state.index).into(),
            "length" => state.length.into(),
            "depth" => (self.depth + 1).into(),
            "depth0" => self.depth.into(),
            "first" => Val::Bool(state.index == 1),
            "last" => Val::Bool(state.after.is_none()),
            "previtem" => state.before.clone().unwrap_or_else(|| Val::undefined(issues::no_previous_item())),
            "nextitem" => state.after.clone().unwrap_or_else(|| Val::undefined(issues::no_next_item())),
            _ => return None,
        })
    }
}

impl Object for Loop {
    fn type_name(&self) -> &'static str {
        "LoopContext"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        let state = self.state.borrow();
        Ok(format!("<LoopContext {}/{}>", state.index, state.length))
    }

    fn attribute(&self, _: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        Ok(self.number(name))
    }

    fn is_callable(&self) -> bool {
        self.tag.recursive
    }

    fn call(&self, renderer: &mut Renderer, given: CallArguments) -> Checked<Val> {
        let [items] = given.positional.as_slice() else { return Err(issues::loop_takes_items()) };
        if !self.tag.recursive {
            return Err(issues::loop_not_recursive());
        }
        let before = renderer.here;
        renderer.enter_below(Some(self.frame));
        let tag = Rc::clone(&self.tag);
        let result = renderer.captured(|renderer, out| over(renderer, &tag, items, self.depth + 1, out));
        renderer.leave(before)?;
        result
    }

    fn method(&self, renderer: &mut Renderer, name: &str, given: CallArguments) -> Option<Checked<Val>> {
        match name {
            "cycle" => Some(match given.positional.len() {
                0 => Err(issues::nothing_to_cycle()),
                count => Ok(given.positional[(self.state.borrow().index - 1) % count].clone()),
            }),
            "changed" => Some(self.changed(renderer, given.positional)),
            _ => {
                let value = self.number(name)?;
                Some(renderer.call_value(&value, given))
            }
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Loop {
    fn changed(&self, renderer: &mut Renderer, values: Vec<Val>) -> Checked<Val> {
        let last = self.state.borrow_mut().last.take();
        let same = match &last {
            Some(last) if last.len() == values.len() => {
                let mut same = true;
                for (a, b) in last.iter().zip(&values) {
                    same = same && renderer.equal(a, b)?;
                }
                same
            }
            _ => false,
        };
        self.state.borrow_mut().last = Some(values);
        Ok(Val::Bool(!same))
    }
}
