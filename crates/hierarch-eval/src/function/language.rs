//! Functions of modules that are written in another language: what they declare, and how they are called.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use hierarch_pcore::types::{AliasType, Definitions};
use hierarch_pcore::{Str, Type, Value};
use rustc_hash::FxHashMap;

use super::signature::Marks;
use super::{Arguments, Block, Call, Signature};
use crate::code::Id;
use crate::evaluator::{Evaluated, Evaluator};
use crate::scope::Frame;
use crate::{Result, issues, mismatch};

/// Another language that functions of modules are written in.
pub trait Language: Send + Sync {
    /// Runs the file of a function, which declares it.
    fn load(&self, call: &mut Call, source: &ForeignSource) -> Result<ForeignInterface>;

    /// Runs the code behind one of the signatures that it declared.
    fn run(&self, call: &mut Call, source: &ForeignSource, signature: usize) -> Result<Value>;
}

/// A block that another language gave to a function.
pub trait ForeignBlock {
    /// Calls it; the call stands where the function was called.
    fn call(&self, call: &mut Call, arguments: Vec<Value>) -> Result<Value>;
}

/// A function and the file that it is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignSource {
    /// Its name.
    pub name: Str,
    /// The file.
    pub file: PathBuf,
    /// Whether it has the interface that knows no types.
    pub is_old: bool,
}

/// What the file of a function declares.
pub enum ForeignInterface {
    /// Signatures, in the order in which they are tried.
    Typed(Vec<ForeignSignature>),
    /// An arity alone; a negative one, -n, means n - 1 or more arguments.
    Old(i32),
}

/// One way to call a function.
#[derive(Default)]
pub struct ForeignSignature {
    /// What errors about its result call it.
    pub label: String,
    /// Its parameters, the block included: marks as [`super`] lists them, type and name.
    pub parameters: Vec<(String, String, String)>,
    /// The type of its result.
    pub returns: Option<String>,
    /// Whether it is there only to say why the arguments will not do.
    pub is_mismatch: bool,
    /// Types that only this function knows, as `Name = Type`.
    pub aliases: Vec<String>,
}

/// A function of another language as the evaluator calls it.
pub(crate) struct ForeignFunction {
    pub(crate) source: ForeignSource,
    language: &'static dyn Language,
    loaded: OnceLock<KnownInterface>,
}

enum KnownInterface {
    Typed(Vec<Typed>),
    Old(i32),
}

struct Typed {
    signature: Signature,
    label: String,
    is_mismatch: bool,
}

impl ForeignFunction {
    pub(crate) fn new(source: ForeignSource, language: &'static dyn Language) -> Self {
        Self { source, language, loaded: OnceLock::new() }
    }

    fn loaded(&self, call: &mut Call) -> Result<&KnownInterface> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let loaded = match self.language.load(call, &self.source)? {
            ForeignInterface::Old(arity) => KnownInterface::Old(arity),
            ForeignInterface::Typed(signatures) => {
                let typed = signatures.into_iter().map(|declared| typed(declared, call.evaluator));
                let typed = typed.collect::<hierarch_source::Result<_>>();
                KnownInterface::Typed(
                    typed.map_err(|error| issues::not_loaded(&self.source.name, &error.message))?,
                )
            }
        };
        Ok(self.loaded.get_or_init(|| loaded))
    }
}

fn typed(declared: ForeignSignature, evaluator: &Evaluator) -> hierarch_source::Result<Typed> {
    let locals = Locals { around: evaluator.host(), aliases: &declared.aliases, known: RefCell::default() };
    let mut signature = Signature::default();
    for (marks, type_, name) in &declared.parameters {
        let type_ = Type::parse(type_, &locals)?;
        signature.add(&Marks::of(marks), type_, name.as_str().into());
    }
    signature.returns = declared.returns.map(|text| Type::parse(&text, &locals)).transpose()?;
    Ok(Typed { signature, label: declared.label, is_mismatch: declared.is_mismatch })
}

/// Types that a function declares for its own signatures.
struct Locals<'l> {
    around: &'l dyn Definitions,
    aliases: &'l [String],
    known: RefCell<FxHashMap<String, AliasType>>,
}

impl Definitions for Locals<'_> {
    fn type_named(&self, name: &str) -> hierarch_source::Result<Option<Type>> {
        let found = self.aliases.iter().find_map(|alias| {
            let (own, text) = alias.split_once('=')?;
            own.trim().eq_ignore_ascii_case(name).then(|| (own.trim(), text.trim()))
        });
        let Some((own, text)) = found else { return self.around.type_named(name) };
        if let Some(known) = self.known.borrow().get(own) {
            return Ok(Some(known.clone().into()));
        }
        let alias = AliasType::declare(own);
        self.known.borrow_mut().insert(own.to_owned(), alias.clone());
        alias.define(&Type::parse(text, self)?)?;
        Ok(Some(alias.into()))
    }
}

impl Call<'_, '_> {
    /// Calls the first signature that takes the arguments.
    fn dispatch_foreign(&mut self, function: &ForeignFunction) -> Result<Value> {
        let typed = match function.loaded(self)? {
            KnownInterface::Typed(typed) => typed,
            KnownInterface::Old(arity) => {
                self.make_old(*arity)?;
                return function.language.run(self, &function.source, 0);
            }
        };
        let Some(index) = typed.iter().position(|typed| self.fits(&typed.signature)) else {
            let listed: Vec<&Signature> =
                typed.iter().filter(|typed| !typed.is_mismatch).map(|typed| &typed.signature).collect();
            let block = self.block.map(|block| &block.callable.type_);
            return Err(mismatch::of_call(self.name, &listed, &self.arguments, block).into());
        };
        let value = function.language.run(self, &function.source, index)?;
        let typed = &typed[index];
        if typed.is_mismatch {
            return Err(issues::mismatch_in_own_words(self.name, &value.to_string()).into());
        }
        match &typed.signature.returns {
            Some(type_) if !type_.has(&value) => {
                Err(mismatch::wrong_result(&format!("function '{}'", typed.label), type_, &value).into())
            }
            _ => Ok(value),
        }
    }
}

impl Evaluator<'_> {
    pub(crate) fn call_foreign(
        &mut self,
        frame: &Frame,
        site: Option<Id>,
        function: &ForeignFunction,
        arguments: Arguments,
        block: Option<Block>,
    ) -> Evaluated {
        self.budget.enter()?;
        let name = &function.source.name;
        let mut call = Call { name, arguments, block, evaluator: &mut *self, frame, site };
        let value = call.dispatch_foreign(function);
        self.budget.leave();
        let value = value?;
        self.budget.check_extent(&value)?;
        Ok(value)
    }

    /// Calls a function that no program called: it stands at the top.
    pub(crate) fn call_foreign_at_top(
        &mut self,
        function: &Arc<ForeignFunction>,
        arguments: Vec<Value>,
    ) -> Evaluated {
        let code = self.environment.blank()?;
        let frame = Frame {
            code: &code,
            unit: code.unit(crate::lower::MAIN),
            base: self.stack.top(),
            parent: None,
            scope: crate::scope::ScopeId::TOP,
        };
        self.call_foreign(&frame, None, function, arguments.into(), None)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    /// Programs, and what Puppet makes of them.
    const FUNCTIONS_OF_THE_LANGUAGE_CHECK_WHAT_THEY_TAKE: &[(&str, &str)] = &[
        (
            "function f(Integer $x) { $x } f('a')",
            "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'x' expects an Integer value, got String (line: 1, column: 31)",
        ),
        (
            "function f(Integer $x) { $x } f()",
            "Evaluation Error: Error while evaluating a Function Call, 'f' expects 1 argument, got none (line: 1, column: 31)",
        ),
        (
            "function f(Integer $x) { $x } f(1, 2)",
            "Evaluation Error: Error while evaluating a Function Call, 'f' expects 1 argument, got 2 (line: 1, column: 31)",
        ),
        ("function f(Integer $x = 5) { $x } f()", "5"),
        (
            "function f(Integer $x = 'a') { $x } f()",
            "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'x' expects an Integer value, got String (line: 1, column: 37)",
        ),
        ("function f(Integer $x, *$r) { $r } f(1, 2, 3)", "[2, 3]"),
        (
            "function f(Integer *$r) { $r } f(1, 'a')",
            "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'r' expects an Integer value, got String (line: 1, column: 32)",
        ),
        ("function f(*$r) { $r } f()", "[]"),
        ("function f($x, $y = $x) { $y } f(1)", "1"),
        (
            "function f() >> Integer { 'a' } f()",
            "Evaluation Error: Error while evaluating a Function Call, value returned from f has wrong type, expects an Integer value, got String (line: 1, column: 33)",
        ),
        ("function f() >> Integer { 1 } f()", "1"),
        ("function f($x) { $x } f(undef)", "undef"),
        ("function f(Optional[Integer] $x) { $x } f(undef)", "undef"),
        (
            "function f(Integer $x, String $y) { 1 } f('a', 1)",
            "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'x' expects an Integer value, got String (line: 1, column: 41)",
        ),
        (
            "function f(Variant[Integer, Boolean] $x) { 1 } f('a')",
            "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'x' expects a value of type Integer or Boolean, got String (line: 1, column: 48)",
        ),
        (
            "function f(Struct[{a => Integer}] $x) { 1 } f({a => 'x'})",
            "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'x' entry 'a' expects an Integer value, got String (line: 1, column: 45)",
        ),
        (
            "function f(Array[Integer] $x) { 1 } f([1, 'a'])",
            "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'x' index 1 expects an Integer value, got String (line: 1, column: 37)",
        ),
        (
            "function f(Callable $x) { 1 } f(1)",
            "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'x' expects a Callable value, got Integer (line: 1, column: 31)",
        ),
        (
            "function f() { 1 } f() |$x| { 1 }",
            "Evaluation Error: Error while evaluating a Function Call, 'f' does not expect a block (line: 1, column: 20)",
        ),
        ("function f() { } f()", "undef"),
        ("function f() { return } f()", "'return'"),
        ("function f() { $nope } f()", "Evaluation Error: Unknown variable: 'nope'. (line: 1, column: 16)"),
        ("f(1)", "Evaluation Error: Unknown function: 'f'. (line: 1, column: 1)"),
        ("function a::f() { 1 } a::f()", "1"),
        (
            "function f($x, $x) { 1 } f(1, 2)",
            "The parameter 'x' is declared more than once in the parameter list (line: 1, column: 16)",
        ),
        (
            "function f(Nope $x) { 1 } f(1)",
            "Evaluation Error: Resource type not found: Nope (line: 1, column: 12)",
        ),
        ("function f() { f() + 1 } 5", "5"),
        ("function f($x) { $x + 1 } f(f(f(1)))", "4"),
    ];

    #[test]
    fn functions_of_the_language_check_what_they_take() {
        check_programs(FUNCTIONS_OF_THE_LANGUAGE_CHECK_WHAT_THEY_TAKE);
    }
}
