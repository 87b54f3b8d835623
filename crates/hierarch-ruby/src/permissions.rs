//! What a script may do beside computing.

use crate::issues;
use crate::run::{Flow, Res, Vm};

/// What is allowed; nothing by itself.
#[derive(Clone, Debug, Default)]
pub struct ScriptPermissions {
    /// Folders that may be read, with all below them.
    pub read: Vec<std::path::PathBuf>,
    /// Whether `ENV` shows the environment.
    pub environment: bool,
    /// Whether names and addresses may be asked for.
    pub network: bool,
}

impl ScriptPermissions {
    /// Tells whether a path, without `..` in it, may be read.
    pub fn may_read(&self, path: &std::path::Path) -> bool {
        self.read.iter().any(|folder| path.starts_with(folder))
    }
}

/// Methods that never run here, whoever calls them and however: `send` and `method` find them in no table.
pub const REFUSED: &[&str] = &[
    "system",
    "exec",
    "spawn",
    "fork",
    "`",
    "eval",
    "binding",
    "sleep",
    "trap",
    "syscall",
    "exit!",
    "open",
    "gets",
    "readline",
    "readlines",
    "test",
    "set_trace_func",
    "trace_var",
    "select",
    "abort",
    "at_exit",
    "load",
    "autoload",
    "callcc",
    "instance_eval_text",
    "warn_thread",
];

impl Vm<'_> {
    /// Returns the refusal of something that never runs here.
    pub fn refused(&self, what: &str) -> Box<Flow> {
        let (file, line) = self.place();
        Flow::stop(issues::refused(what, &file, line))
    }

    /// Returns the error of a method that Ruby has and we do not.
    pub fn unsupported(&self, what: &str) -> Box<Flow> {
        let (file, line) = self.place();
        Flow::stop(issues::unsupported(what, &file, line))
    }

    /// Fails unless a file may be read.
    pub fn check_read(&mut self, path: &str) -> Res<()> {
        if self.host.may_read(std::path::Path::new(path)) {
            return Ok(());
        }
        Err(Flow::stop(issues::reading_refused(path)))
    }
}
