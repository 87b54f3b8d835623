//! Which templates, functions and backends in Ruby run natively, which need a flag and which cannot run, told by the tables of methods.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use hierarch_ruby::survey::{Hindrance, Names, Need, survey};
use hierarch_ruby::syntax::tree::{Kind, Program};
use hierarch_ruby::syntax::{Syntax, parse, walk};
use hierarch_source::{Diagnostic, Place, Severity, Source, Span};

use super::super::{input, issues};
use super::functions::Functions;
use super::{Finding, Obstacle};

/// What a script is there for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Purpose {
    Template,
    Function,
    Backend,
}

impl Purpose {
    const ALL: [Self; 3] = [Self::Template, Self::Function, Self::Backend];

    fn plural(self) -> &'static str {
        match self {
            Self::Template => "ERB templates",
            Self::Function => "Ruby functions",
            Self::Backend => "Ruby backends",
        }
    }
}

/// How far a script gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Native,
    NeedsFlag,
    Cannot,
}

/// The Ruby files that scripts of a repository may use.
#[derive(Default)]
pub(super) struct Library {
    names: Names,
    /// Files below `lib` of modules, by what `require` is given for them.
    files: HashMap<String, Script>,
}

struct Script {
    path: PathBuf,
    text: String,
    program: Program,
}

impl Script {
    fn read(path: &Path) -> Result<Self, Box<(String, Syntax)>> {
        let bytes = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let shown = path.display().to_string();
        let is_template = path.extension().is_some_and(|extension| extension == "erb");
        let code = if is_template { hierarch_ruby::erb::compile(&text) } else { text.clone() };
        match parse(&code, &shown) {
            Ok(program) => Ok(Self { path: path.to_owned(), text, program }),
            Err(syntax) => Err(Box::new((text, syntax))),
        }
    }
}

impl Library {
    /// Reads what modules and the environment have below `lib`. What cannot be read is a finding where it is used.
    pub(super) fn of_repository(environment: Option<&Path>, modules: &[(String, String)]) -> Self {
        let mut library = Self::default();
        let owners = environment.into_iter().chain(modules.iter().map(|(_, folder)| Path::new(folder)));
        for lib in owners.map(|owner| owner.join("lib")).filter(|lib| lib.is_dir()) {
            let files = input::find(std::slice::from_ref(&lib), "rb").unwrap_or_default().files;
            for path in files {
                let Ok(below) = path.strip_prefix(&lib) else { continue };
                let feature = below.with_extension("").display().to_string();
                if let Ok(script) = Script::read(&path) {
                    library.names.learn(&script.program);
                    library.files.entry(feature).or_insert(script);
                }
            }
        }
        library
    }

    /// Lists what is in the way of a script, in its own file and in those that it requires.
    fn hindrances(&self, script: &Script) -> Vec<(Finding, Need)> {
        let mut found = Vec::new();
        let mut seen: HashSet<PathBuf> = HashSet::new();
        let mut waiting = vec![script];
        while let Some(script) = waiting.pop() {
            if !seen.insert(script.path.clone()) {
                continue;
            }
            let is_file = |feature: &str| self.files.contains_key(feature.trim_end_matches(".rb"));
            let own = survey(&script.program, &self.names, &is_file);
            found.extend(own.into_iter().map(|hindrance| finding(script, hindrance)));
            waiting.extend(self.required(&script.program));
        }
        found
    }

    /// Returns the files that a program requires by name.
    fn required(&self, program: &Program) -> Vec<&Script> {
        let mut names = Vec::new();
        walk::each(&program.body, |node| {
            let Kind::Call(call) = &node.kind else { return };
            if !matches!(call.name.text(), "require" | "require_relative") {
                return;
            }
            if let Some(Kind::Text { text, .. }) = call.arguments.items.first().map(|item| &item.kind) {
                names.push(text.to_string());
            }
        });
        let find = |name: &String| {
            // A relative name ends as the one below `lib` does.
            let plain = name.trim_start_matches("../").trim_start_matches("./").trim_end_matches(".rb");
            self.files.get(plain).or_else(|| {
                let end = format!("/{plain}");
                self.files.iter().find(|(feature, _)| feature.ends_with(&end)).map(|(_, script)| script)
            })
        };
        names.iter().filter_map(find).collect()
    }
}

fn finding(script: &Script, hindrance: Hindrance) -> (Finding, Need) {
    let Hindrance { what, need, line } = hindrance;
    let (obstacle, code, message) = match need {
        Need::Flag(flag) => (Obstacle::NeedsFlag, "RUBY_FLAG", issues::ruby_needs_flag(&what, flag)),
        Need::Never => (Obstacle::RubyNever, "RUBY_REFUSED", issues::ruby_never_runs(&what)),
        Need::Unknown => (Obstacle::RubyUnknown, "RUBY_UNSUPPORTED", issues::ruby_is_unknown(&what)),
    };
    let diagnostic =
        at_line(Diagnostic::new(Severity::Error, code, message), &script.path, &script.text, line);
    let file = script.path.display().to_string();
    (Finding { obstacle, subject: what, diagnostic, file }, need)
}

/// Says where a diagnostic is, to the line.
fn at_line(mut diagnostic: Diagnostic, path: &Path, text: &str, line: u32) -> Diagnostic {
    let before = usize::try_from(line.saturating_sub(1)).unwrap_or_default();
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    let (start, end) =
        (u32::try_from(start).unwrap_or_default(), u32::try_from(start + length).unwrap_or_default());
    let source = Source::new(path.display().to_string(), text.to_owned());
    diagnostic.place = Some(Place::new(&source, Span::new(start, end)));
    diagnostic
}

/// How many scripts of each purpose run natively, need a flag, cannot run.
#[derive(Default)]
pub(super) struct Shares {
    counts: BTreeMap<Purpose, BTreeMap<Verdict, usize>>,
}

impl Shares {
    fn count(&mut self, purpose: Purpose, verdict: Verdict) {
        *self.counts.entry(purpose).or_default().entry(verdict).or_default() += 1;
    }

    /// Writes a line for each purpose that there are scripts of.
    pub(super) fn text(&self) -> String {
        let line = |purpose: Purpose| {
            let counts = self.counts.get(&purpose)?;
            let of = |verdict| counts.get(&verdict).copied().unwrap_or_default();
            let (native, flag, cannot) = (of(Verdict::Native), of(Verdict::NeedsFlag), of(Verdict::Cannot));
            Some(issues::ruby_share(purpose.plural(), native, flag, cannot))
        };
        Purpose::ALL.into_iter().filter_map(line).map(|line| line + "\n").collect()
    }
}

/// Looks at templates and functions; `backends` are names of functions that hierarchies ask.
pub(super) fn look(
    scripts: &[PathBuf],
    library: &Library,
    functions: &Functions,
    backends: &BTreeSet<String>,
    findings: &mut Vec<Finding>,
) -> Shares {
    let mut shares = Shares::default();
    let mut said = HashSet::new();
    for path in scripts {
        let name = function_name(path);
        let purpose = match &name {
            None => Purpose::Template,
            Some(name) if backends.contains(name) => Purpose::Backend,
            Some(_) => Purpose::Function,
        };
        if name.is_some_and(|name| functions.is_built_in(&name)) {
            shares.count(purpose, Verdict::Native);
            continue;
        }
        let found = match Script::read(path) {
            Ok(script) => library.hindrances(&script),
            Err(broken) => {
                // Functions that cannot be read are found where they are called.
                if purpose == Purpose::Template {
                    findings.push(unreadable(path, &broken.0, &broken.1));
                }
                shares.count(purpose, Verdict::Cannot);
                continue;
            }
        };
        let worst = found.iter().map(|(_, need)| verdict(*need)).max().unwrap_or(Verdict::Native);
        shares.count(purpose, worst);
        for (finding, _) in found {
            let place = finding.diagnostic.position();
            if said.insert((finding.file.clone(), finding.subject.clone(), place)) {
                findings.push(finding);
            }
        }
    }
    shares
}

fn verdict(need: Need) -> Verdict {
    match need {
        Need::Flag(_) => Verdict::NeedsFlag,
        Need::Never | Need::Unknown => Verdict::Cannot,
    }
}

fn unreadable(path: &Path, text: &str, syntax: &Syntax) -> Finding {
    let file = path.display().to_string();
    let diagnostic =
        Diagnostic::new(Severity::Error, "RUBY_SYNTAX", issues::template_unreadable(&syntax.message));
    let diagnostic = at_line(diagnostic, path, text, syntax.line);
    Finding { obstacle: Obstacle::Unparsable, subject: file.clone(), diagnostic, file }
}

/// Returns the name of the function that a file defines; none for a template.
fn function_name(path: &Path) -> Option<String> {
    if path.extension().is_some_and(|extension| extension == "erb") {
        return None;
    }
    let text = path.with_extension("").display().to_string();
    text.rsplit_once("/functions/").map(|(_, name)| name.replace('/', "::"))
}

/// Tells whether a file of Ruby is a function, and not what functions use.
pub(super) fn is_function(path: &Path) -> bool {
    let text = path.display().to_string();
    ["lib/puppet/functions/", "lib/puppet/parser/functions/"].iter().any(|folder| text.contains(folder))
}
