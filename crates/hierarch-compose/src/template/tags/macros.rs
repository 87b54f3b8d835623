//! `{% macro name(…) %}`, `{% call … %}`, and what calling a macro does.

use std::any::Any;
use std::rc::Rc;

use hierarch_pcore::Str;

use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::object::{CallArguments, Object};
use crate::template::output::Output;
use crate::template::parser::Parser;
use crate::template::renderer::{Renderer, Template};
use crate::template::tree::{Body, Expr, ExprKind, MacroDef, Stmt};
use crate::template::value::Val;

type Parameters = Vec<(Str, Option<Expr>)>;

pub(super) fn parse(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let name = parser.name()?;
    let parameters = signature(parser)?;
    let def = with_body(parser, Some(name), parameters, "macro", "endmacro")?;
    out.push(Stmt::Macro(def));
    Ok(())
}

pub(super) fn parse_call(parser: &mut Parser, out: &mut Body) -> Checked<()> {
    let parameters = if parser.is_sign("(") { signature(parser)? } else { Vec::new() };
    let call = parser.expression()?;
    if !matches!(call.kind, ExprKind::Call(..)) {
        return Err(parser.fail(issues::call_expected()));
    }
    let def = with_body(parser, None, parameters, "call", "endcall")?;
    out.push(Stmt::CallBlock(def, call));
    Ok(())
}

fn signature(parser: &mut Parser) -> Checked<Parameters> {
    parser.sign("(")?;
    let mut parameters: Parameters = Vec::new();
    while !parser.is_sign(")") {
        if !parameters.is_empty() {
            parser.sign(",")?;
            // A comma may stand at the end.
            if parser.is_sign(")") {
                break;
            }
        }
        let name = parser.name()?;
        let default = if parser.skip_sign("=") { Some(parser.expression()?) } else { None };
        if default.is_none() && parameters.iter().any(|(_, default)| default.is_some()) {
            return Err(parser.fail(issues::parameter_without_default()));
        }
        parameters.push((name, default));
    }
    parser.sign(")")?;
    Ok(parameters)
}

fn with_body(
    parser: &mut Parser,
    name: Option<Str>,
    parameters: Parameters,
    tag: &str,
    end: &'static str,
) -> Checked<Rc<MacroDef>> {
    parser.macros.push([false; 3]);
    let loops = std::mem::take(&mut parser.loops);
    let body = parser.whole_body(tag, end)?;
    parser.loops = loops;
    let [takes_varargs, takes_kwargs, takes_caller] = parser.macros.pop().unwrap_or_default();
    let own = |special: &str| parameters.iter().any(|(name, _)| name == special);
    let (takes_varargs, takes_kwargs) = (takes_varargs && !own("varargs"), takes_kwargs && !own("kwargs"));
    let takes_caller = takes_caller || own("caller");
    Ok(Rc::new(MacroDef { name, parameters, body, takes_varargs, takes_kwargs, takes_caller }))
}

pub(super) fn run(renderer: &mut Renderer, def: &Rc<MacroDef>) {
    let made = Macro::new(renderer, def);
    if let Some(name) = &def.name {
        renderer.assign(name, Val::Object(made));
    }
}

pub(super) fn run_call(
    renderer: &mut Renderer,
    def: &Rc<MacroDef>,
    call: &Expr,
    out: &mut Output,
) -> Checked<()> {
    if out.muted {
        return Ok(());
    }
    let ExprKind::Call(callee, arguments) = &call.kind else { return Ok(()) };
    let caller = Macro::new(renderer, def);
    let value = {
        let function = renderer.eval(callee)?;
        let mut given = renderer.given(arguments)?;
        given.named.push(("caller".into(), Val::Object(caller)));
        renderer.call_value(&function, given).map_err(|fault| fault.at(call.range))?
    };
    out.print(renderer, value)
}

/// A macro, with the names that it sees.
pub(in crate::template) struct Macro {
    def: Rc<MacroDef>,
    frame: usize,
    template: Rc<Template>,
}

impl Macro {
    fn new(renderer: &mut Renderer, def: &Rc<MacroDef>) -> Rc<Self> {
        let frame = renderer.capture();
        Rc::new(Self { def: Rc::clone(def), frame, template: Rc::clone(&renderer.template) })
    }

    fn name(&self) -> &str {
        self.def.name.as_deref().unwrap_or("caller")
    }

    /// Gives each argument to its parameter.
    fn bind(&self, renderer: &mut Renderer, given: CallArguments) -> Checked<()> {
        let def = &self.def;
        let mut positional = given.positional.into_iter();
        let mut named = given.named;
        let taken = |named: &mut Vec<(Str, Val)>, name: &str| {
            let at = named.iter().position(|(known, _)| known == name)?;
            Some(named.remove(at).1)
        };
        let mut values: Vec<Option<Val>> = def.parameters.iter().map(|_| positional.next()).collect();
        for (value, (name, _)) in values.iter_mut().zip(&def.parameters) {
            let by_name = taken(&mut named, name);
            if value.is_some() && by_name.is_some() {
                return Err(issues::macro_argument_twice(self.name(), name));
            }
            *value = value.take().or(by_name);
        }
        let own_caller = def.parameters.iter().any(|(name, _)| name == "caller");
        if def.takes_caller && !own_caller {
            let caller = taken(&mut named, "caller");
            let caller = caller.unwrap_or_else(|| Val::undefined(issues::no_caller()));
            renderer.assign(&"caller".into(), caller);
        }
        if def.takes_kwargs {
            let kwargs = renderer.dict_of(std::mem::take(&mut named))?;
            renderer.assign(&"kwargs".into(), kwargs);
        } else if let Some((name, _)) = named.first() {
            return Err(match name.as_str() {
                "caller" => issues::macro_takes_no_caller(self.name()),
                name => issues::macro_unknown_argument(self.name(), name),
            });
        }
        let rest: Vec<Val> = positional.collect();
        if def.takes_varargs {
            let varargs = renderer.tuple(rest)?;
            renderer.assign(&"varargs".into(), varargs);
        } else if !rest.is_empty() {
            return Err(issues::macro_too_many(self.name(), def.parameters.len()));
        }
        self.assign(renderer, values)
    }

    /// Defaults see the parameters before them.
    fn assign(&self, renderer: &mut Renderer, values: Vec<Option<Val>>) -> Checked<()> {
        for (value, (name, default)) in values.into_iter().zip(&self.def.parameters) {
            let value = match (value, default) {
                (Some(value), _) => value,
                (None, Some(default)) => renderer.eval(default)?,
                (None, None) => Val::undefined(issues::parameter_not_given(name)),
            };
            renderer.assign(name, value);
        }
        Ok(())
    }
}

impl Object for Macro {
    fn type_name(&self) -> &'static str {
        "Macro"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        let name = self.def.name.as_ref();
        Ok(name.map_or("<Macro anonymous>".into(), |name| format!("<Macro '{name}'>")))
    }

    fn attribute(&self, renderer: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        Ok(Some(match name {
            "name" => self.def.name.as_ref().map_or(Val::None, |name| Val::text(name.clone())),
            "arguments" => {
                let names = self.def.parameters.iter().map(|(name, _)| Val::text(name.clone()));
                renderer.tuple(names.collect())?
            }
            "catch_kwargs" => Val::Bool(self.def.takes_kwargs),
            "catch_varargs" => Val::Bool(self.def.takes_varargs),
            "caller" => Val::Bool(self.def.takes_caller),
            _ => return Ok(None),
        }))
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, renderer: &mut Renderer, given: CallArguments) -> Checked<Val> {
        let template = std::mem::replace(&mut renderer.template, Rc::clone(&self.template));
        let before = renderer.here;
        renderer.enter_below(Some(self.frame));
        let result = self
            .bind(renderer, given)
            .and_then(|()| renderer.captured(|renderer, out| renderer.body(&self.def.body, out)));
        renderer.leave(before)?;
        let inner = std::mem::replace(&mut renderer.template, template);
        // What fails in another template is shown there.
        result.map_err(|fault| {
            let elsewhere = !Rc::ptr_eq(&inner, &renderer.template);
            if elsewhere { fault.within(&inner.source, inner.offset) } else { fault }
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
