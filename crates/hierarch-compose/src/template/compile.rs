//! A template made ready to run: read by the engine's own parser, with everything that can grow under the budget.
//!
//! The engine bounds the number of its steps and not what a step makes: `x ~ x`, forty times, is more than any memory
//! holds. So the tree of a template is written anew before it is compiled: what gives a new value is piped through a
//! filter that holds it (see [`super::held`]), and text that may be printed more than once is printed like a value, whose
//! size the formatter counts.

use std::collections::BTreeMap;

use minijinja::Error as JinjaError;
use minijinja::machinery::ast::{self, BinOpKind, CallArg, CallType, Expr, Spanned, Stmt, UnaryOpKind};
use minijinja::machinery::{CodeGenerator, Instructions, Span, parse};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Object, ObjectRepr, Value as JinjaValue};

use super::issues;

/// Pipes a new value into the budget.
pub(super) const HOLD: &str = "__hold";
/// Pipes a value into a namespace.
pub(super) const KEEP: &str = "__keep";
/// Pipes what an operator works on, if it is there.
pub(super) const KNOWN: &str = "__known";
/// Pipes what a test looks at.
pub(super) const TESTED: &str = "__tested";
/// Pipes what a loop walks over, if that is something.
pub(super) const WALKED: &str = "__walked";
/// Adds.
pub(super) const PLUS: &str = "__plus";
/// Multiplies.
pub(super) const TIMES: &str = "__times";
/// Divides, or formats a text.
pub(super) const PERCENT: &str = "__percent";

/// A template in the engine's instructions.
pub(super) struct Compiled<'s> {
    pub(super) instructions: Instructions<'s>,
    pub(super) blocks: BTreeMap<&'s str, Instructions<'s>>,
}

/// Text of the template itself, which is no value that a template prints.
#[derive(Debug)]
pub(super) struct Piece(pub(super) Box<str>);

impl Object for Piece {
    fn repr(self: &std::sync::Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }
}

/// Reads and compiles a template.
pub(super) fn compiled<'s>(source: &'s str, syntax: SyntaxConfig) -> Result<Compiled<'s>, JinjaError> {
    let read = parse(source, "<template>", syntax)?;
    let written = match (Writer { repeated: false }).statement(&read, 0) {
        Ok(written) => written,
        Err(error) => {
            // It is too deep to be taken apart: each level takes some of the stack.
            std::mem::forget(read);
            return Err(error);
        }
    };
    let mut generator = CodeGenerator::new("<template>", source);
    generator.compile_stmt(&written);
    let (instructions, blocks) = generator.finish();
    Ok(Compiled { instructions, blocks })
}

/// How many operators, filters or keys may follow each other in one expression.
const LONGEST: usize = 400;

/// Writes a tree anew.
#[derive(Clone, Copy)]
struct Writer {
    /// What is written may run more than once, or be printed into a value.
    repeated: bool,
}

/// Writes what may run more than once.
const REPEATING: Writer = Writer { repeated: true };

type Written<T> = Result<T, JinjaError>;

impl Writer {
    fn body<'s>(self, body: &[Stmt<'s>], level: usize) -> Written<Vec<Stmt<'s>>> {
        body.iter().map(|statement| self.statement(statement, level + 1)).collect()
    }

    fn statement<'s>(self, statement: &Stmt<'s>, level: usize) -> Written<Stmt<'s>> {
        check_level(level)?;
        Ok(match statement {
            Stmt::Template(it) => {
                Stmt::Template(spanned(it, ast::Template { children: self.body(&it.children, level)? }))
            }
            Stmt::EmitExpr(it) => {
                let expr = self.printed(&it.expr, level)?;
                Stmt::EmitExpr(spanned(it, ast::EmitExpr { expr }))
            }
            Stmt::EmitRaw(it) => self.raw(it),
            Stmt::ForLoop(it) => Stmt::ForLoop(spanned(it, self.for_loop(it, level)?)),
            Stmt::IfCond(it) => Stmt::IfCond(spanned(it, self.condition(it, level)?)),
            Stmt::WithBlock(it) => Stmt::WithBlock(spanned(it, self.with_block(it, level)?)),
            Stmt::Set(it) => Stmt::Set(spanned(it, self.set(it, level)?)),
            Stmt::SetBlock(it) => Stmt::SetBlock(spanned(it, self.set_block(it, level)?)),
            Stmt::AutoEscape(it) => {
                let (enabled, body) = (self.expr(&it.enabled, level)?, self.body(&it.body, level)?);
                Stmt::AutoEscape(spanned(it, ast::AutoEscape { enabled, body }))
            }
            Stmt::FilterBlock(it) => {
                let filter = self.expr(&it.filter, level)?;
                let body = REPEATING.body(&it.body, level)?;
                Stmt::FilterBlock(spanned(it, ast::FilterBlock { filter, body }))
            }
            Stmt::Block(it) => {
                let body = REPEATING.body(&it.body, level)?;
                Stmt::Block(spanned(it, ast::Block { name: it.name, required: it.required, body }))
            }
            Stmt::Macro(it) => Stmt::Macro(spanned(it, self.macro_of(it, level)?)),
            Stmt::CallBlock(it) => {
                let call = spanned(&it.call, self.call(&it.call, level)?);
                let macro_decl = spanned(&it.macro_decl, self.macro_of(&it.macro_decl, level)?);
                Stmt::CallBlock(spanned(it, ast::CallBlock { call, macro_decl }))
            }
            Stmt::Do(it) => {
                let call = spanned(&it.call, self.call(&it.call, level)?);
                Stmt::Do(spanned(it, ast::Do { call }))
            }
            Stmt::Continue(it) => Stmt::Continue(spanned(it, ast::Continue)),
            Stmt::Break(it) => Stmt::Break(spanned(it, ast::Break)),
            other => self.of_other_templates(other, level)?,
        })
    }

    /// There are no other templates to be had; the engine says so when it gets there.
    fn of_other_templates<'s>(self, statement: &Stmt<'s>, level: usize) -> Written<Stmt<'s>> {
        Ok(match statement {
            Stmt::Import(it) => {
                let (expr, name) = (self.expr(&it.expr, level)?, target(&it.name));
                Stmt::Import(spanned(it, ast::Import { expr, name }))
            }
            Stmt::FromImport(it) => {
                let names = it.names.iter().map(|(name, alias)| (target(name), alias.as_ref().map(target)));
                let (expr, names) = (self.expr(&it.expr, level)?, names.collect());
                Stmt::FromImport(spanned(it, ast::FromImport { expr, names }))
            }
            Stmt::Extends(it) => {
                Stmt::Extends(spanned(it, ast::Extends { name: self.expr(&it.name, level)? }))
            }
            Stmt::Include(it) => {
                let name = self.expr(&it.name, level)?;
                Stmt::Include(spanned(it, ast::Include { name, ignore_missing: it.ignore_missing }))
            }
            _ => return Err(too_long()),
        })
    }

    /// Prints what the source says once as it is, since that is no longer than the source.
    fn raw<'s>(self, it: &Spanned<ast::EmitRaw<'s>>) -> Stmt<'s> {
        if !self.repeated {
            return Stmt::EmitRaw(spanned(it, ast::EmitRaw { raw: it.raw }));
        }
        let piece = JinjaValue::from_object(Piece(it.raw.into()));
        Stmt::EmitExpr(spanned(it, ast::EmitExpr { expr: constant(piece, it.span()) }))
    }

    fn for_loop<'s>(self, it: &ast::ForLoop<'s>, level: usize) -> Written<ast::ForLoop<'s>> {
        let filter_expr = it.filter_expr.as_ref().map(|filter| self.expr(filter, level)).transpose()?;
        // What a call gives is only walked here; a list of it need not be made.
        let iter = match &it.iter {
            Expr::Call(call) => Expr::Call(spanned(call, self.call(call, level)?)),
            other => self.expr(other, level)?,
        };
        Ok(ast::ForLoop {
            target: target(&it.target),
            iter: piped(iter, WALKED, Vec::new()),
            filter_expr,
            recursive: it.recursive,
            body: REPEATING.body(&it.body, level)?,
            else_body: self.body(&it.else_body, level)?,
        })
    }

    fn condition<'s>(self, it: &ast::IfCond<'s>, level: usize) -> Written<ast::IfCond<'s>> {
        Ok(ast::IfCond {
            expr: self.expr(&it.expr, level)?,
            true_body: self.body(&it.true_body, level)?,
            false_body: self.body(&it.false_body, level)?,
        })
    }

    fn with_block<'s>(self, it: &ast::WithBlock<'s>, level: usize) -> Written<ast::WithBlock<'s>> {
        let assignments = it.assignments.iter().map(|(to, expr)| Ok((target(to), self.expr(expr, level)?)));
        Ok(ast::WithBlock {
            assignments: assignments.collect::<Written<_>>()?,
            body: self.body(&it.body, level)?,
        })
    }

    fn set<'s>(self, it: &ast::Set<'s>, level: usize) -> Written<ast::Set<'s>> {
        let expr = self.expr(&it.expr, level)?;
        let expr = if matches!(it.target, Expr::Var(_)) { expr } else { piped(expr, KEEP, Vec::new()) };
        Ok(ast::Set { target: target(&it.target), expr })
    }

    fn set_block<'s>(self, it: &ast::SetBlock<'s>, level: usize) -> Written<ast::SetBlock<'s>> {
        Ok(ast::SetBlock {
            target: target(&it.target),
            filter: it.filter.as_ref().map(|filter| self.expr(filter, level)).transpose()?,
            body: REPEATING.body(&it.body, level)?,
        })
    }

    fn macro_of<'s>(self, it: &ast::Macro<'s>, level: usize) -> Written<ast::Macro<'s>> {
        Ok(ast::Macro {
            name: it.name,
            args: it.args.iter().map(target).collect(),
            defaults: self.all(&it.defaults, level)?,
            body: REPEATING.body(&it.body, level)?,
        })
    }

    /// Writes what is printed. The engine has its own ways to print loops in themselves and blocks.
    fn printed<'s>(self, expr: &Expr<'s>, level: usize) -> Written<Expr<'s>> {
        match expr {
            Expr::Call(call)
                if matches!(
                    call.identify_call(),
                    CallType::Function("super" | "loop") | CallType::Block(_)
                ) =>
            {
                Ok(Expr::Call(spanned(call, self.call(call, level)?)))
            }
            other => self.expr(other, level),
        }
    }

    fn all<'s>(self, exprs: &[Expr<'s>], level: usize) -> Written<Vec<Expr<'s>>> {
        exprs.iter().map(|expr| self.expr(expr, level + 1)).collect()
    }

    fn some<'s>(self, expr: Option<&Expr<'s>>, level: usize) -> Written<Option<Expr<'s>>> {
        expr.map(|expr| self.expr(expr, level + 1)).transpose()
    }

    fn expr<'s>(self, expr: &Expr<'s>, level: usize) -> Written<Expr<'s>> {
        check_level(level)?;
        let level = level + 1;
        Ok(match expr {
            Expr::Var(it) => Expr::Var(spanned(it, ast::Var { id: it.id })),
            Expr::Const(it) => constant(it.value.clone(), it.span()),
            Expr::Slice(it) => held(Expr::Slice(spanned(
                it,
                ast::Slice {
                    expr: self.expr(&it.expr, level)?,
                    start: self.some(it.start.as_ref(), level)?,
                    stop: self.some(it.stop.as_ref(), level)?,
                    step: self.some(it.step.as_ref(), level)?,
                },
            ))),
            Expr::UnaryOp(it) => {
                let op = if matches!(it.op, UnaryOpKind::Not) { UnaryOpKind::Not } else { UnaryOpKind::Neg };
                Expr::UnaryOp(spanned(it, ast::UnaryOp { op, expr: self.expr(&it.expr, level)? }))
            }
            Expr::BinOp(it) => self.operation(it, level)?,
            Expr::Compare(it) => Expr::Compare(spanned(it, self.compare(it, level)?)),
            Expr::IfExpr(it) => Expr::IfExpr(spanned(
                it,
                ast::IfExpr {
                    test_expr: self.expr(&it.test_expr, level)?,
                    true_expr: self.expr(&it.true_expr, level)?,
                    false_expr: self.some(it.false_expr.as_ref(), level)?,
                },
            )),
            Expr::Filter(it) => {
                let (expr, args) = (self.some(it.expr.as_ref(), level)?, self.args(&it.args, level)?);
                Expr::Filter(spanned(it, ast::Filter { name: it.name, expr, args }))
            }
            Expr::Test(it) => {
                let (expr, args) = (self.expr(&it.expr, level)?, self.args(&it.args, level)?);
                let only_asked = matches!(it.name, "defined" | "undefined" | "none");
                let expr = if only_asked { expr } else { piped(expr, TESTED, Vec::new()) };
                Expr::Test(spanned(it, ast::Test { name: it.name, expr, args }))
            }
            Expr::GetAttr(it) => {
                Expr::GetAttr(spanned(it, ast::GetAttr { expr: self.expr(&it.expr, level)?, name: it.name }))
            }
            Expr::GetItem(it) => {
                let (expr, subscript_expr) =
                    (self.expr(&it.expr, level)?, self.expr(&it.subscript_expr, level)?);
                Expr::GetItem(spanned(it, ast::GetItem { expr, subscript_expr }))
            }
            Expr::Call(it) => held(Expr::Call(spanned(it, self.call(it, level)?))),
            Expr::List(it) => {
                literal(Expr::List(spanned(it, ast::List { items: self.all(&it.items, level)? })))
            }
            Expr::Tuple(it) => {
                literal(Expr::Tuple(spanned(it, ast::Tuple { items: self.all(&it.items, level)? })))
            }
            Expr::Map(it) => {
                let (keys, values) = (self.all(&it.keys, level)?, self.all(&it.values, level)?);
                literal(Expr::Map(spanned(it, ast::Map { keys, values })))
            }
        })
    }

    /// Writes an operator. What numbers give needs no holding.
    fn operation<'s>(self, it: &Spanned<ast::BinOp<'s>>, level: usize) -> Written<Expr<'s>> {
        if matches!(it.op, BinOpKind::ScAnd | BinOpKind::ScOr) {
            let (left, right) = (self.expr(&it.left, level)?, self.expr(&it.right, level)?);
            return Ok(Expr::BinOp(spanned(it, ast::BinOp { op: it.op, left, right })));
        }
        let (left, right) = (self.operand(&it.left, level)?, self.operand(&it.right, level)?);
        let numbers = [&left, &right].into_iter().filter(|operand| is_number(operand)).count();
        Ok(match it.op {
            BinOpKind::Add if numbers == 0 => called(it.span(), PLUS, left, right),
            BinOpKind::Mul if numbers < 2 => called(it.span(), TIMES, left, right),
            BinOpKind::Rem if !is_number(&left) => called(it.span(), PERCENT, left, right),
            BinOpKind::Concat => held(Expr::BinOp(spanned(it, ast::BinOp { op: it.op, left, right }))),
            op => Expr::BinOp(spanned(it, ast::BinOp { op, left, right })),
        })
    }

    /// Writes what an operator works on. If it is not there, the error shall point at it and not at the whole.
    fn operand<'s>(self, expr: &Expr<'s>, level: usize) -> Written<Expr<'s>> {
        let written = self.expr(expr, level)?;
        let may_be_missing = matches!(expr, Expr::Var(_) | Expr::GetAttr(_) | Expr::GetItem(_));
        Ok(if may_be_missing { piped(written, KNOWN, Vec::new()) } else { written })
    }

    fn compare<'s>(self, it: &ast::Compare<'s>, level: usize) -> Written<ast::Compare<'s>> {
        let ops =
            it.ops.iter().map(|op| Ok(ast::CompareOp { op: op.op, expr: self.operand(&op.expr, level)? }));
        Ok(ast::Compare { expr: self.operand(&it.expr, level)?, ops: ops.collect::<Written<_>>()? })
    }

    fn call<'s>(self, it: &ast::Call<'s>, level: usize) -> Written<ast::Call<'s>> {
        Ok(ast::Call { expr: self.expr(&it.expr, level)?, args: self.args(&it.args, level)? })
    }

    fn args<'s>(self, args: &[CallArg<'s>], level: usize) -> Written<Vec<CallArg<'s>>> {
        let written = |arg: &CallArg<'s>| {
            Ok(match arg {
                CallArg::Pos(expr) => CallArg::Pos(self.expr(expr, level)?),
                CallArg::Kwarg(name, expr) => CallArg::Kwarg(name, self.expr(expr, level)?),
                CallArg::PosSplat(expr) => CallArg::PosSplat(self.expr(expr, level)?),
                CallArg::KwargSplat(expr) => CallArg::KwargSplat(self.expr(expr, level)?),
            })
        };
        args.iter().map(written).collect()
    }
}

fn check_level(level: usize) -> Written<()> {
    if level > LONGEST { Err(too_long()) } else { Ok(()) }
}

fn too_long() -> JinjaError {
    issues::nested_too_deep(LONGEST)
}

fn spanned<T, U>(old: &Spanned<T>, new: U) -> Spanned<U> {
    Spanned::new(new, old.span())
}

fn constant<'s>(value: JinjaValue, span: Span) -> Expr<'s> {
    Expr::Const(Spanned::new(ast::Const { value }, span))
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(it) if it.value.is_number())
}

/// Writes what is assigned to: names, parts of namespaces, lists of these.
fn target<'s>(expr: &Expr<'s>) -> Expr<'s> {
    match expr {
        Expr::List(it) => Expr::List(spanned(it, ast::List { items: it.items.iter().map(target).collect() })),
        Expr::GetAttr(it) => {
            Expr::GetAttr(spanned(it, ast::GetAttr { expr: target(&it.expr), name: it.name }))
        }
        Expr::Var(it) => Expr::Var(spanned(it, ast::Var { id: it.id })),
        other => constant(JinjaValue::UNDEFINED, other.span()),
    }
}

/// A collection in brackets: one of constants is no larger than the source.
fn literal(expr: Expr<'_>) -> Expr<'_> {
    if expr.as_const().is_some() { expr } else { held(expr) }
}

fn held(expr: Expr<'_>) -> Expr<'_> {
    piped(expr, HOLD, Vec::new())
}

fn piped<'s>(expr: Expr<'s>, filter: &'static str, args: Vec<CallArg<'s>>) -> Expr<'s> {
    at(expr.span(), filter, expr, args)
}

/// An operator of our own.
fn called<'s>(span: Span, filter: &'static str, left: Expr<'s>, right: Expr<'s>) -> Expr<'s> {
    held(at(span, filter, left, vec![CallArg::Pos(right)]))
}

fn at<'s>(span: Span, filter: &'static str, expr: Expr<'s>, args: Vec<CallArg<'s>>) -> Expr<'s> {
    Expr::Filter(Spanned::new(ast::Filter { name: filter, expr: Some(expr), args }, span))
}
