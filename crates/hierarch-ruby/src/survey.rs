//! What stands in the way of running a text, told by the tables of methods without running it.
//!
//! Receivers have no types before a program runs, so a name counts as known when any class here has it: what a survey names does not run
//! natively, what it passes over nearly always does.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::core::{known, spec, specs};
use crate::library::{self, ALIASES, EMPTY_FEATURES, LIBRARIES};
pub use crate::permissions::Need;
use crate::permissions::{BEYOND, REFUSED, REFUSED_OF};
use crate::syntax::tree::{Call, Expression, Kind, Program};
use crate::syntax::{parse, walk};
use crate::value::Sym;

/// Something that does not run as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hindrance {
    /// What it is, as a script would write it.
    pub what: String,
    /// What would have to be given.
    pub need: Need,
    /// Counted from 1.
    pub line: u32,
}

/// Names that files define, whoever uses them.
#[derive(Clone, Default, Debug)]
pub struct Names {
    methods: FxHashSet<Sym>,
    constants: FxHashSet<Sym>,
}

impl Names {
    /// Adds what a program defines. A symbol may be the name of a method that is made at run time.
    pub fn learn(&mut self, program: &Program) {
        self.methods.extend(program.defined.iter().map(|(name, _)| *name));
        walk::each(&program.body, |node| match &node.kind {
            Kind::Class { path, .. } | Kind::Module { path, .. } => self.constants.extend(last_name(path)),
            Kind::Assign(target, _) => self.constants.extend(assigned(target)),
            Kind::Symbol(name) => drop(self.methods.insert(*name)),
            _ => {}
        });
    }
}

/// Names that our libraries in Ruby define.
static OURS: LazyLock<Names> = LazyLock::new(|| {
    let mut names = Names::default();
    for source in LIBRARIES.iter().filter_map(|library| library.source) {
        if let Ok(program) = parse(source, "library") {
            names.learn(&program);
        }
    }
    names
});

/// Libraries that reach beyond the program in whatever they do.
const FEATURES_BEYOND: &[(&str, Need)] =
    &[("augeas", Need::Never), ("redis", Need::Never), ("fiddle", Need::Never)];

/// Methods that read a file named by their first argument.
const READERS: &[&str] = &[
    "read",
    "readlines",
    "exist?",
    "file?",
    "directory?",
    "foreach",
    "binread",
    "load_file",
    "glob",
    "entries",
];

/// Lists what does not run as it stands; `names` are those of the files that it may use, `is_file` knows the features that are files of
/// modules.
pub fn survey(program: &Program, names: &Names, is_file: &dyn Fn(&str) -> bool) -> Vec<Hindrance> {
    let mut own = Names::default();
    own.learn(program);
    let survey = Survey { known: [&own, names, &OURS], is_file };
    let mut found = Vec::new();
    walk::each(&program.body, |node| found.extend(survey.look(node)));
    found.sort_by(|a, b| (a.line, &a.what).cmp(&(b.line, &b.what)));
    found.dedup();
    found
}

struct Survey<'s> {
    known: [&'s Names; 3],
    is_file: &'s dyn Fn(&str) -> bool,
}

impl Survey<'_> {
    fn look(&self, node: &Expression) -> Option<Hindrance> {
        let (what, need) = match &node.kind {
            Kind::Unsupported(construct) => ((*construct).to_owned(), Need::Never),
            Kind::Constant(_) | Kind::ConstantIn(..) => self.constant(node)?,
            Kind::Call(call) => self.call(call)?,
            _ => return None,
        };
        Some(Hindrance { what, need, line: node.line })
    }

    fn has_method(&self, name: Sym) -> bool {
        self.known.iter().any(|names| names.methods.contains(&name))
    }

    fn has_constant(&self, name: Sym) -> bool {
        self.known.iter().any(|names| names.constants.contains(&name))
    }

    fn constant(&self, node: &Expression) -> Option<(String, Need)> {
        let path = constant_path(node)?;
        let first = path.split("::").next().unwrap_or_default();
        let is_in = |name: &str| {
            path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let beyond = BEYOND.iter().find(|(name, _)| is_in(name)).copied();
        // Libraries that ask the network are known here, and need a flag all the same; what is inside of Puppet's and
        // Ruby's own modules may be unknown, whoever has opened them.
        let is_own = self.has_constant(Sym::of(first)) && spec(first).is_none() && !is_opened(first);
        let is_meant = |(name, need): (&str, Need)| matches!(need, Need::Flag(_)) || name.contains("::");
        if is_own && !beyond.is_some_and(is_meant) {
            return None;
        }
        if let Some((name, need)) = beyond {
            return Some((name.to_owned(), need));
        }
        let is_ours = |path: &str| {
            let last = path.rsplit("::").next().unwrap_or_default();
            spec(path).is_some() || is_brought(path) || is_value(path) || self.has_constant(Sym::of(last))
        };
        // What is inside of something unknown needs no mention.
        let unknown = [first, path.as_str()].into_iter().find(|path| !is_ours(path))?;
        Some((unknown.to_owned(), Need::Unknown))
    }

    fn call(&self, call: &Call) -> Option<(String, Need)> {
        let name = call.name.text();
        let Some(receiver) = &call.receiver else { return self.own_call(call, name) };
        if let Some(path) = constant_path(receiver) {
            return self.call_of_constant(&path, call, name);
        }
        if has_builtin(call.name) || self.has_method(call.name) || name.starts_with("function_") {
            return None;
        }
        known::anywhere(name).map(|what| (what, Need::Unknown))
    }

    /// Looks at a call without a receiver.
    fn own_call(&self, call: &Call, name: &str) -> Option<(String, Need)> {
        if matches!(name, "require" | "require_relative") {
            return if name == "require" { self.feature(call) } else { None };
        }
        let is_refused = REFUSED.contains(&name) && !call.is_bare && !self.has_method(call.name);
        is_refused.then(|| (name.to_owned(), Need::Never))
    }

    fn feature(&self, call: &Call) -> Option<(String, Need)> {
        let Kind::Text { text, .. } = &call.arguments.items.first()?.kind else { return None };
        let what = format!("require '{text}'");
        if let Some((_, need)) = FEATURES_BEYOND.iter().find(|(name, _)| *name == text) {
            return Some((what, *need));
        }
        let is_there = library::find(text).is_some()
            || EMPTY_FEATURES.contains(&text.as_str())
            || text.starts_with("puppet/")
            || (self.is_file)(text);
        (!is_there).then_some((what, Need::Unknown))
    }

    fn call_of_constant(&self, path: &str, call: &Call, name: &str) -> Option<(String, Need)> {
        if let Some((_, _, need)) =
            REFUSED_OF.iter().find(|(class, method, _)| *class == path && *method == name)
        {
            return Some((format!("{path}.{name}"), *need));
        }
        let first = call.arguments.items.first().map(|first| &first.kind);
        let reads_elsewhere = READERS.contains(&name)
            && matches!(path, "File" | "Dir" | "IO" | "YAML" | "Psych")
            && matches!(first, Some(Kind::Text { text, .. }) if text.starts_with(['/', '.']));
        if reads_elsewhere {
            return Some((format!("{path}.{name}"), Need::Flag("--ruby-read")));
        }
        let is_there = self.has_method(call.name) || class_has(path, call.name);
        // Of Puppet's own modules there is no list of methods: what we do not have may be there.
        let is_opened = is_opened(path.split("::").next().unwrap_or_default());
        let is_puppets = is_opened && (spec(path).is_some() || lacks(path, name));
        let may_be_there = is_puppets || known::of_class(path, name);
        (!is_there && may_be_there).then(|| (format!("{path}.{name}"), Need::Unknown))
    }
}

/// Tells whether a name is that of a module that our libraries, and those of sites, add to.
fn is_opened(name: &str) -> bool {
    matches!(name, "Puppet" | "Facter" | "PuppetX" | "SemanticPuppet")
}

/// Returns `A::B` of a constant that is named whole.
fn constant_path(node: &Expression) -> Option<String> {
    match &node.kind {
        Kind::Constant(name) => Some(name.text().to_owned()),
        Kind::ConstantIn(None, name) => Some(name.text().to_owned()),
        Kind::ConstantIn(Some(scope), name) => Some(format!("{}::{}", constant_path(scope)?, name.text())),
        _ => None,
    }
}

fn last_name(path: &Expression) -> Option<Sym> {
    match &path.kind {
        Kind::Constant(name) | Kind::ConstantIn(_, name) => Some(*name),
        _ => None,
    }
}

fn assigned(target: &crate::syntax::tree::Target) -> Option<Sym> {
    use crate::syntax::tree::Target;
    match target {
        Target::Constant(name) | Target::ConstantIn(_, name) => Some(*name),
        _ => None,
    }
}

/// Tells whether a library of ours in Ruby brings a constant, or one that is named inside of it.
fn is_brought(path: &str) -> bool {
    let is_it = |constant: &&str| {
        path == *constant
            || path.starts_with(&format!("{constant}::"))
            || constant.starts_with(&format!("{path}::"))
    };
    LIBRARIES.iter().flat_map(|library| library.constants).any(is_it)
        || ALIASES.iter().any(|(alias, _)| path == *alias || path.starts_with(&format!("{alias}::")))
}

/// Tells whether a library of ours in Ruby brings a module, and its text never names a method.
fn lacks(path: &str, method: &str) -> bool {
    let mut texts = LIBRARIES.iter().filter(|library| library.constants.contains(&path));
    let names_it = |text: &str| {
        let mut words = text.split(|one: char| !one.is_alphanumeric() && !matches!(one, '_' | '?' | '!'));
        words.any(|word| word == method)
    };
    texts.next().is_some_and(|library| library.source.is_some_and(|text| !names_it(text)))
}

/// Tells whether a constant is a value in a table.
fn is_value(path: &str) -> bool {
    let (class, name) = path.rsplit_once("::").unwrap_or(("Object", path));
    spec(class).is_some_and(|table| table.constants.iter().any(|(known, _)| *known == name))
}

/// Tells whether any class here has an instance method.
fn has_builtin(name: Sym) -> bool {
    specs().any(|table| table.method(name).is_some())
}

/// Tells whether a class itself, as it is or as any class, has a method.
fn class_has(path: &str, name: Sym) -> bool {
    let path = ALIASES.iter().find(|(alias, _)| *alias == path).map_or(path, |(_, class)| class);
    let mut class = spec(path);
    while let Some(table) = class {
        if table.singleton_method(name).is_some() {
            return true;
        }
        class = table.superclass.and_then(spec);
    }
    ["Class", "Module", "Object", "Kernel", "BasicObject"]
        .iter()
        .any(|one| spec(one).is_some_and(|table| table.method(name).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, Need)> {
        let program = parse(text, "x.rb").expect("it is Ruby");
        let hindrances = survey(&program, &Names::default(), &|feature| feature == "puppet_x/here");
        hindrances.into_iter().map(|hindrance| (hindrance.what, hindrance.need)).collect()
    }

    #[test]
    fn what_the_tables_have_is_passed_over() {
        let text = "require 'json'\nrequire 'puppet_x/here'\nclass Own; def helper(x) = x.upcase; end\n\
                    Own.new.helper([1].map(&:to_s).join('-'))\nJSON.pretty_generate({}.merge(a: 1))\nFile.join('a', 'b')\n\
                    Puppet::Parser::Functions.function(:x)\nraise Puppet::ParseError, 'x'\nIPAddr.new('::1').ipv6?\n\
                    Struct.new(:weight).new(1).weight\nFloat::INFINITY\nYAML.load('a')\nSet.new\nGem::Version.new('1')\n";
        assert_eq!(found(text), []);
    }

    #[test]
    fn what_is_beyond_is_named_with_what_it_takes() {
        let flag = |what: &str, flag| vec![(what.to_owned(), Need::Flag(flag))];
        assert_eq!(found("ENV['HOME']"), flag("ENV", "--ruby-env"));
        assert_eq!(found("require 'resolv'"), []);
        assert_eq!(found("Resolv.getaddress('a')"), flag("Resolv", "--ruby-net"));
        assert_eq!(found("File.read('/etc/passwd')"), flag("File.read", "--ruby-read"));
        assert_eq!(found("system('ls')"), [("system".to_owned(), Need::Never)]);
        assert_eq!(found("`ls`"), [("`command`".to_owned(), Need::Never)]);
        assert_eq!(found("Open3.capture2('ls')"), [("Open3".to_owned(), Need::Never)]);
        assert_eq!(found("require 'nowhere/x'"), [("require 'nowhere/x'".to_owned(), Need::Unknown)]);
        assert_eq!(found("Nowhere::At::All.new"), [("Nowhere".to_owned(), Need::Unknown)]);
        assert_eq!(
            found("'a'.each_grapheme_cluster"),
            [("String#each_grapheme_cluster".to_owned(), Need::Unknown)]
        );
        assert_eq!(found("OpenSSL::PKey::RSA.new(1)"), [("OpenSSL::PKey".to_owned(), Need::Unknown)]);
        assert_eq!(found("Puppet::Util::Execution.execute('x')").first().map(|it| it.1), Some(Need::Never));
        assert_eq!(found("Socket.gethostname"), [("Socket.gethostname".to_owned(), Need::Never)]);
        assert_eq!(found("Dir.entries('.')"), flag("Dir.entries", "--ruby-read"));
        assert_eq!(found("Puppet.warning('x'); Puppet[:vardir]; Puppet::Util.which('sh')").len(), 1);
    }

    #[test]
    fn a_name_of_another_file_is_known() {
        let mut names = Names::default();
        names.learn(
            &parse("module Helper\n  LIMIT = 1\n  def self.crypt; end\nend", "h.rb").expect("it is Ruby"),
        );
        let program = parse("Helper.crypt\nHelper::LIMIT\n'a'.crypt('b')", "x.rb").expect("it is Ruby");
        assert_eq!(survey(&program, &names, &|_| false), []);
    }
}
