//! What Ruby asks for, answered by the call of a function that runs it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use hierarch_eval::function::{Block, Call, ForeignBlock, GivenBlock};
use hierarch_eval::{Level, Strict, Unwind};
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_ruby::Ruby;
use hierarch_ruby::puppet::{Interrupt, Jump, Puppet, Strictness};
use hierarch_ruby::run::{Flow, ScriptHost};
use hierarch_ruby::value::Proc;
use hierarch_source::{Error, Files};

use crate::issues;

/// A call that runs Ruby.
pub(super) struct CallHost<'h, 'c, 'e, 'b> {
    call: &'h mut Call<'c, 'e>,
    files: Arc<dyn Files>,
    folders: Vec<PathBuf>,
    /// The lambdas that Ruby may call: those of this call and of calls around it, by number.
    blocks: Vec<(u64, Block<'b>)>,
}

impl<'h, 'c, 'e, 'b> CallHost<'h, 'c, 'e, 'b> {
    pub(super) fn new(call: &'h mut Call<'c, 'e>, blocks: Vec<(u64, Block<'b>)>) -> Self {
        let (files, folders) = (call.files(), call.readable_folders());
        Self { call, files, folders, blocks }
    }

    /// Does something in which Ruby may be run, which then finds what was defined so far.
    fn lending(
        &mut self,
        ruby: &mut Box<Ruby>,
        body: impl FnOnce(&mut Call<'c, 'e>) -> hierarch_eval::Result<Value>,
    ) -> Result<Value, Interrupt> {
        super::keep_ruby(self.call, std::mem::take(ruby));
        let result = body(self.call);
        *ruby = super::take_ruby(self.call);
        result.map_err(interrupt)
    }
}

impl ScriptHost for CallHost<'_, '_, '_, '_> {
    fn has_helper(&self) -> bool {
        self.call.helper_source().is_some()
    }

    fn may_read(&self, path: &Path) -> bool {
        let has_way_out = path.components().any(|part| part == std::path::Component::ParentDir);
        !has_way_out && self.folders.iter().any(|folder| path.starts_with(folder))
    }

    fn process_variables(&self) -> Vec<(String, String)> {
        self.call.process_variables().to_vec()
    }

    fn network(&self) -> Option<Arc<dyn hierarch_source::Network>> {
        self.call.network()
    }

    fn stack(&self) -> Option<(usize, usize)> {
        Some(self.call.stack())
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(&*self.files)
    }

    fn find_feature(&self, feature: &str) -> Option<PathBuf> {
        let file = if feature.ends_with(".rb") { feature.to_owned() } else { format!("{feature}.rb") };
        let folders = self.call.module_folders();
        let mut candidates = folders.iter().map(|module| module.join("lib").join(&file));
        candidates.find(|path| self.files.is_file(path))
    }

    fn now(&mut self) -> (i64, u32) {
        let now = self.call.now();
        let seconds = i64::try_from(now.div_euclid(1_000_000_000)).unwrap_or_default();
        (seconds, u32::try_from(now.rem_euclid(1_000_000_000)).unwrap_or_default())
    }

    fn puppet(&mut self) -> Option<&mut dyn Puppet> {
        Some(self)
    }

    fn log(&mut self, level: Level, message: String) {
        self.call.log(level, message);
    }
}

impl Puppet for CallHost<'_, '_, '_, '_> {
    fn variable(&mut self, name: &str) -> Option<Value> {
        self.call.variable(name)
    }

    fn why_undefined(&mut self, name: &str) -> String {
        self.call.why_undefined(name)
    }

    fn strictness(&self) -> Strictness {
        match self.call.settings().strict {
            Strict::Error => Strictness::Error,
            Strict::Warning => Strictness::Warning,
            Strict::Off => Strictness::Off,
        }
    }

    fn variables(&mut self) -> Vec<(Str, Value)> {
        self.call.visible_variables()
    }

    fn scope_number(&self) -> u32 {
        self.call.scope_number()
    }

    fn set_variable(&mut self, name: &str, value: Value) -> Result<(), Error> {
        self.call.set_variable(name, value).map_err(error_of)
    }

    fn call(
        &mut self,
        ruby: &mut Box<Ruby>,
        name: &str,
        arguments: Vec<Value>,
        block: Option<&Rc<Proc>>,
    ) -> Result<Value, Interrupt> {
        let blocks = self.blocks.clone();
        self.lending(ruby, |call| match block {
            None => call.call_with(name, arguments, GivenBlock::None),
            Some(block) => {
                let known = blocks.iter().find(|(number, _)| block.puppet() == Some(*number));
                let given = RubyBlock { block, blocks: &blocks };
                let given = match known {
                    Some((_, block)) => GivenBlock::Known(*block),
                    None => GivenBlock::Foreign(&given, block.most()),
                };
                call.call_with(name, arguments, given)
            }
        })
    }

    fn yield_to(
        &mut self,
        ruby: &mut Box<Ruby>,
        number: u64,
        arguments: Vec<Value>,
    ) -> Result<Value, Interrupt> {
        let Some((_, block)) = self.blocks.iter().find(|(known, _)| *known == number).copied() else {
            return Err(Interrupt::Error(issues::lambda_is_gone()));
        };
        self.lending(ruby, |call| call.yield_to(block, arguments))
    }

    fn old_function(&mut self, name: &str) -> Option<PathBuf> {
        self.call.old_function(name)
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, Error> {
        self.call.type_from_text(text).map_err(error_of)
    }

    fn setting(&mut self, name: &str) -> Option<Value> {
        self.call.setting(name)
    }

    fn context_module(&mut self, context: &Value) -> Option<Str> {
        self.call.lookup_context(context)?.context().module_name().cloned()
    }

    fn context_place(&mut self, context: &Value) -> usize {
        self.call.lookup_context(context).map_or(0, |context| context.context().place())
    }

    fn context_explains(&mut self, context: &Value) -> bool {
        self.call.lookup_context(context).is_some_and(|context| context.context().explains())
    }

    fn context_explain(&mut self, context: &Value, text: String) {
        if let Some(context) = self.call.lookup_context(context) {
            context.context().explain(text);
        }
    }

    fn context_interpolate(
        &mut self,
        ruby: &mut Box<Ruby>,
        context: &Value,
        value: Value,
    ) -> Result<Value, Interrupt> {
        let Some(context) = self.call.lookup_context(context) else { return Ok(value) };
        self.lending(ruby, |call| call.interpolate(&context, value))
    }

    fn find_resource(&mut self, kind: &str, title: &str) -> Option<Hash> {
        self.call.declared_attributes(kind, title).ok().flatten()
    }

    fn has_function(&mut self, name: &str) -> bool {
        self.call.has_function(name).unwrap_or(true)
    }

    fn classes(&mut self) -> Vec<Str> {
        self.call.class_names()
    }

    fn all_tags(&mut self) -> Vec<Str> {
        self.call.catalog_tags()
    }

    fn resource(&self) -> String {
        self.call.container()
    }

    fn node(&self) -> String {
        self.call.settings().node.clone()
    }

    fn find_in_module(&self, folder: &str, path: &str) -> Option<PathBuf> {
        // A path that scripts made of a folder here is whole, whatever the folder is called.
        let is_whole = self.folders.iter().any(|folder| Path::new(path).starts_with(folder));
        if is_whole && self.files.is_file(Path::new(path)) {
            return Some(PathBuf::from(path));
        }
        self.call.find_in_module(folder, path)
    }

    fn module_folders(&self) -> Vec<PathBuf> {
        self.call.module_folders().to_vec()
    }

    fn resources(&mut self) -> Vec<(String, Hash)> {
        self.call.all_resources()
    }

    fn module_folder(&self, module: &str) -> Option<PathBuf> {
        self.call.module_folder(module)
    }
}

/// A block of Ruby's that a function of Puppet's was called with.
struct RubyBlock<'b> {
    block: &'b Rc<Proc>,
    blocks: &'b [(u64, Block<'b>)],
}

impl ForeignBlock for RubyBlock<'_> {
    fn call(&self, call: &mut Call, arguments: Vec<Value>) -> hierarch_eval::Result<Value> {
        let blocks = self.blocks.to_vec();
        super::with_vm_and(
            call,
            blocks,
            |vm| vm.call_given(self.block, &arguments),
            |vm, flow| match flow {
                Flow::Stop(error) => (*error).into(),
                Flow::Puppet(jump) => unwind(jump),
                other => {
                    vm.set_escaping(other);
                    Unwind::Foreign
                }
            },
        )
    }
}

/// Goes on with a jump of Puppet's that passed through Ruby.
pub(super) fn unwind(jump: Jump) -> Unwind {
    match jump {
        Jump::Next => Unwind::Next,
        Jump::Break => Unwind::Break,
        Jump::Return => Unwind::Return,
        Jump::NotFound => Unwind::NotFound,
    }
}

fn interrupt(unwind: Unwind) -> Interrupt {
    match unwind {
        Unwind::Error(error) => Interrupt::Error(error),
        Unwind::Next => Interrupt::Jump(Jump::Next),
        Unwind::Break => Interrupt::Jump(Jump::Break),
        Unwind::Return => Interrupt::Jump(Jump::Return),
        Unwind::NotFound => Interrupt::Jump(Jump::NotFound),
        Unwind::Foreign => Interrupt::Escaped,
    }
}

/// Returns the error of what cannot jump.
fn error_of(unwind: Unwind) -> Error {
    match unwind {
        Unwind::Error(error) => error,
        _ => hierarch_eval::issues::foreign_jump(),
    }
}
