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

/// What would have to be given for something to run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Need {
    /// A flag of the command line.
    Flag(&'static str),
    /// It never runs: it would start processes, write, or load what is not Ruby.
    Never,
    /// Ruby or a library has it, and we do not.
    Unknown,
}

/// Constants that reach beyond the program, and what it takes to use them.
pub const BEYOND: &[(&str, Need)] = &[
    ("ENV", Need::Flag("--ruby-env")),
    ("Resolv", Need::Flag("--ruby-net")),
    ("Net", Need::Flag("--ruby-net")),
    ("OpenURI", Need::Flag("--ruby-net")),
    ("TCPSocket", Need::Never),
    ("UDPSocket", Need::Never),
    ("Open3", Need::Never),
    ("FileUtils", Need::Never),
    ("Tempfile", Need::Never),
    ("Thread", Need::Never),
    ("Fiber", Need::Never),
    ("ARGF", Need::Never),
    ("Binding", Need::Never),
    ("ConditionVariable", Need::Never),
    ("GC", Need::Never),
    ("Mutex", Need::Never),
    ("Queue", Need::Never),
    ("RubyVM", Need::Never),
    ("SizedQueue", Need::Never),
    ("STDIN", Need::Never),
    ("ThreadGroup", Need::Never),
    ("TOPLEVEL_BINDING", Need::Never),
    ("Complex", Need::Unknown),
    ("DidYouMean", Need::Unknown),
    ("FileTest", Need::Unknown),
    ("MonitorMixin", Need::Unknown),
    ("Refinement", Need::Unknown),
    ("UnicodeNormalize", Need::Unknown),
    ("Warning", Need::Unknown),
    ("Ractor", Need::Never),
    ("ObjectSpace", Need::Never),
    ("Marshal", Need::Never),
    ("TracePoint", Need::Never),
    ("Augeas", Need::Never),
    ("Redis", Need::Never),
    ("Signal", Need::Never),
    ("PTY", Need::Never),
    ("BasicSocket", Need::Never),
    ("IPSocket", Need::Never),
    ("TCPServer", Need::Never),
    ("UNIXSocket", Need::Never),
    ("UNIXServer", Need::Never),
    ("Fiddle", Need::Never),
    ("Syslog", Need::Never),
    ("WIN32OLE", Need::Never),
    ("Puppet::Util::Execution", Need::Never),
    ("Facter::Core", Need::Never),
    ("Facter::Util", Need::Never),
    ("Addrinfo", Need::Unknown),
    ("Etc", Need::Unknown),
    ("Readline", Need::Unknown),
    ("Ripper", Need::Unknown),
    ("OpenSSL::ASN1", Need::Unknown),
    ("OpenSSL::BN", Need::Unknown),
    ("OpenSSL::Cipher", Need::Unknown),
    ("OpenSSL::PKCS12", Need::Unknown),
    ("OpenSSL::PKCS7", Need::Unknown),
    ("OpenSSL::PKey", Need::Unknown),
    ("OpenSSL::Random", Need::Unknown),
    ("OpenSSL::SSL", Need::Unknown),
    ("OpenSSL::X509", Need::Unknown),
    ("BigDecimal", Need::Unknown),
    ("Benchmark", Need::Unknown),
    ("CSV", Need::Unknown),
    ("Find", Need::Unknown),
    ("Logger", Need::Unknown),
    ("Monitor", Need::Unknown),
    ("OptionParser", Need::Unknown),
    ("RbConfig", Need::Unknown),
    ("REXML", Need::Unknown),
    ("SimpleDelegator", Need::Unknown),
    ("Zlib", Need::Unknown),
];

/// Methods of classes that are known here which do not run.
pub const REFUSED_OF: &[(&str, &str, Need)] = &[
    ("Socket", "gethostname", Need::Never),
    ("ERB", "new", Need::Unknown),
    ("IO", "console", Need::Never),
    ("Dir", "mktmpdir", Need::Never),
    ("Dir", "tmpdir", Need::Unknown),
];

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

    /// Returns the refusal of a constant that reaches beyond the program; nothing for another.
    pub fn refused_constant(&self, name: &str) -> Option<Box<Flow>> {
        let (_, need) = BEYOND.iter().find(|(known, _)| *known == name)?;
        let (file, line) = self.place();
        Some(Flow::stop(match need {
            Need::Flag("--ruby-net") => issues::network_refused(name, &file, line),
            Need::Unknown => issues::unsupported(name, &file, line),
            _ => issues::refused(name, &file, line),
        }))
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
