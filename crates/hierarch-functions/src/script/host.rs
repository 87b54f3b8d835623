//! What Ruby asks for, answered by the call of a function that runs it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_eval::function::Call;
use hierarch_eval::{Level, Strict, Unwind};
use hierarch_pcore::{Str, Value};
use hierarch_ruby::Ruby;
use hierarch_ruby::puppet::{Puppet, Strictness};
use hierarch_ruby::run::{self, Host};
use hierarch_source::{Error, Files};

use crate::issues;

/// A call that runs Ruby.
pub(super) struct CallHost<'h, 'c, 'e> {
    call: &'h mut Call<'c, 'e>,
    files: Arc<dyn Files>,
    folders: Vec<PathBuf>,
}

impl<'h, 'c, 'e> CallHost<'h, 'c, 'e> {
    pub(super) fn new(call: &'h mut Call<'c, 'e>) -> Self {
        let (files, folders) = (call.files(), call.readable_folders());
        Self { call, files, folders }
    }
}

impl Host for CallHost<'_, '_, '_> {
    fn may_read(&self, path: &Path) -> bool {
        let has_way_out = path.components().any(|part| part == std::path::Component::ParentDir);
        !has_way_out && self.folders.iter().any(|folder| path.starts_with(folder))
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(&*self.files)
    }

    fn find_feature(&self, feature: &str) -> Option<PathBuf> {
        let file = if feature.ends_with(".rb") { feature.to_owned() } else { format!("{feature}.rb") };
        let modules = self.folders.iter().flat_map(|folder| {
            let names = self.files.list(folder).unwrap_or_default();
            names.into_iter().map(|name| folder.join(name))
        });
        let mut candidates = modules.map(|module| module.join("lib").join(&file));
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

    fn log(&mut self, level: run::Level, message: String) {
        self.call.log(level_of(level), message);
    }
}

impl Puppet for CallHost<'_, '_, '_> {
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

    fn set_variable(&mut self, name: &str, value: Value) -> Result<(), Error> {
        self.call.set_variable(name, value).map_err(error_of)
    }

    fn call(&mut self, ruby: &mut Box<Ruby>, name: &str, arguments: Vec<Value>) -> Result<Value, Error> {
        // The function may run Ruby itself, which then finds what was defined so far.
        super::keep_ruby(self.call, std::mem::take(ruby));
        let result = self.call.call_function(name, arguments, false);
        *ruby = super::take_ruby(self.call);
        result.map_err(error_of)
    }

    fn has_old_function(&mut self, _: &str) -> bool {
        false
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
        self.call.find_in_module(folder, path)
    }

    fn module_folder(&self, module: &str) -> Option<PathBuf> {
        self.call.module_folder(module)
    }
}

/// Jumps do not leave a script.
fn error_of(unwind: Unwind) -> Error {
    match unwind {
        Unwind::Error(error) => error,
        _ => issues::ruby_error("a jump out of a function called from Ruby"),
    }
}

fn level_of(level: run::Level) -> Level {
    match level {
        run::Level::Debug => Level::Debug,
        run::Level::Info => Level::Info,
        run::Level::Notice => Level::Notice,
        run::Level::Warning => Level::Warning,
        run::Level::Err => Level::Err,
        run::Level::Alert => Level::Alert,
        run::Level::Emerg => Level::Emerg,
        run::Level::Crit => Level::Crit,
    }
}
