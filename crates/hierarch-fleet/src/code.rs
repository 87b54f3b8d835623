//! The code of an environment and of its modules: classes with their parameters, and which keys code asks for.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use hierarch_pcore::Value;
use hierarch_site::Environment;
use hierarch_source::{Files, Source};
use hierarch_syntax::ast::{Ast, BinaryOp, Expr, ExprId};

use crate::calls::{
    ASKING, asks_by, asks_openly, fits, is_elsewhere, is_name, is_plain, is_word, is_written_out, line,
    may_ask, options, root,
};
use crate::classes::{Class, Parameter, class};

/// What code says about keys.
#[derive(Default)]
pub(crate) struct Code {
    /// The classes, by name.
    pub(crate) classes: BTreeMap<String, Class>,
    /// Texts in code that may be keys.
    texts: HashSet<String>,
    /// The fixed parts of names that are put together.
    patterns: Vec<Vec<String>>,
    /// The calls that may ask for any key.
    pub(crate) open: Vec<OpenCall>,
    /// The calls that merge levels in a way of their own, whatever `lookup_options` say, or may.
    merging: Vec<MergingCall>,
    /// Texts that are not just the name of a plain lookup: a function may get them, and merge what they name.
    loose: HashSet<String>,
    /// The variables that code sets somewhere, by their own names: in classes, nodes, blocks and as parameters.
    sets: HashSet<String>,
    /// The names of data files that code writes: it may read them itself.
    files: HashSet<String>,
    /// Code reads files of data whose names it puts together.
    pub(crate) reads_files: bool,
    /// The manifests and templates that cannot be read, and why: nobody knows what they ask for.
    pub(crate) broken: Vec<(OpenCall, String)>,
}

/// A call that merges levels in a way of its own, or may.
struct MergingCall {
    /// What it asks for: names and fixed parts of names; nothing: any key.
    names: Code,
    place: OpenCall,
    is_sure: bool,
}

/// Whether code merges the levels of a key in a way of its own.
pub(crate) enum CodeMerge<'c> {
    /// This call does.
    Sure(&'c OpenCall),
    /// Nobody knows.
    Possible,
}

/// A call of which nobody knows what it asks for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OpenCall {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// The folders of a module that hold code; a file that is read with `file()` may be a template, too.
const FOLDERS: [&str; 7] = ["manifests", "functions", "templates", "lib", "plans", "types", "files"];
/// The folders of Ruby that runs on agents or by itself, and never for a catalog.
const OF_AGENTS: [&str; 6] = [
    "/lib/facter/",
    "/puppet/type/",
    "/puppet/provider/",
    "/puppet/face/",
    "/puppet/application/",
    "/puppet/reports/",
];
/// How the names of data files end.
const DATA_ENDS: [&str; 4] = [".yaml", ".yml", ".eyaml", ".json"];
/// What reads a file, in Puppet and in Ruby.
const READING: [&str; 5] = ["load", "read", "parse", "file(", "open("];
/// The methods by which Ruby sets a variable.
const SETTING: [&str; 2] = ["setvar(", "set_var("];
/// Stands among the variables that are set for any of them.
const ANY_VARIABLE: &str = "";
/// Longer files that are no code by their names are no templates.
const LONGEST_FILE: usize = 1 << 20;
/// Folders deeper than this are not looked into: a link may lead back up.
const DEEPEST: usize = 32;
/// Of them, those that merge.
const MERGING: [&str; 3] = ["hiera_array", "hiera_hash", "hiera_include"];
/// What calls a function by a name that is a value.
const REACHING: [&str; 2] = ["call", "Deferred"];
/// What renders a template that has a name.
const TEMPLATES: [&str; 3] = ["template", "epp", "file"];
/// What renders a template that is a value.
const INLINE: [&str; 2] = ["inline_template", "inline_epp"];

impl Code {
    /// Reads the code that an environment can load.
    pub(crate) fn read(environment: &Environment) -> Self {
        let mut code = Self::default();
        let files = environment.hiera().files();
        let own = environment.folder().map(Path::to_owned);
        let modules = environment.modules().into_iter().map(|(_, folder)| PathBuf::from(folder));
        for folder in own.into_iter().chain(modules) {
            for part in FOLDERS {
                code.read_folder(files, &folder.join(part), 0);
            }
        }
        code.read_manifests(environment);
        code.open.sort();
        code
    }

    /// Takes a text of data. One that looks something up is a template, which code renders.
    pub(crate) fn read_data(&mut self, value: &Value, file: &str) {
        match value {
            Value::String(text) if text.contains("<%") && asks_by(text) => {
                let place = OpenCall { file: file.to_owned(), line: 1 };
                text.lines().for_each(|line| self.read_line(line, &place, true));
            }
            Value::Array(items) => items.iter().for_each(|item| self.read_data(item, file)),
            Value::Hash(hash) => hash.values().for_each(|item| self.read_data(item, file)),
            _ => {}
        }
    }

    /// Reads the manifests that environment.conf names, wherever they are; those that were read already say the same again.
    fn read_manifests(&mut self, environment: &Environment) {
        for source in environment.manifests().unwrap_or_default() {
            self.read_file(source.name().unwrap_or_default(), "pp", source.text().to_owned());
        }
    }

    fn read_folder(&mut self, files: &dyn Files, folder: &Path, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        for name in files.list(folder).unwrap_or_default() {
            let path = folder.join(&name);
            let end = name.rsplit_once('.').map_or("", |(_, end)| end);
            if files.is_folder(&path) {
                self.read_folder(files, &path, depth + 1);
            } else if let Ok(bytes) = files.read(&path) {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                // A template need not be called one: `template('ssh/sshd_config')`.
                let is_code = ["pp", "epp", "erb", "rb"].contains(&end);
                if is_code || text.contains("<%") && bytes.len() <= LONGEST_FILE {
                    self.read_file(&path.display().to_string(), if is_code { end } else { "" }, text);
                }
            }
        }
    }

    fn read_file(&mut self, file: &str, end: &str, text: String) {
        let source = Source::new(file, text);
        let parsed = match end {
            "pp" => hierarch_syntax::parse(&source).program,
            "epp" => hierarch_syntax::parse_epp(&source).program,
            _ => return self.read_ruby(file, end, source.text()),
        };
        let program = match parsed {
            Ok(program) => program,
            Err(error) => {
                let line = error.place.as_ref().map_or(1, |place| place.position().0);
                let place = OpenCall { file: file.to_owned(), line };
                self.open.push(place.clone());
                self.broken.push((place, error.message.clone()));
                return self.read_ruby(file, end, source.text());
            }
        };
        self.note_files(source.text());
        self.visit(&program.ast, program.root, file);
        for id in &program.definitions {
            if let Expr::Class(definition) = program.ast.expr(*id) {
                let name = program.ast.text(program.ast.definition(definition).name).to_owned();
                self.classes.insert(name, class(&program.ast, *id, &source, file));
            }
        }
    }

    /// Goes through a manifest or template; the parser bounds how deep one can be.
    fn visit(&mut self, ast: &Ast, id: ExprId, file: &str) {
        self.note_variables(ast, id);
        match ast.expr(id) {
            Expr::String(text) => self.read_text(ast.text(text), file, line(ast, id)),
            Expr::Call { functor, arguments, .. } => {
                if let Expr::Name(name) | Expr::Reference(name) = ast.expr(functor)
                    && let Some((first, rest)) = ast.list(arguments).split_first()
                {
                    let is_plain = self.called(ast, ast.text(name), (*first, rest), file);
                    return self.visit_others(ast, id, is_plain.then_some(*first), file);
                }
            }
            // `$key.lookup`
            Expr::MethodCall { functor, arguments, .. } => {
                if let Expr::Dot { left, name } = ast.expr(functor)
                    && let Expr::Name(name) = ast.expr(name)
                {
                    let is_plain = self.called(ast, ast.text(name), (left, ast.list(arguments)), file);
                    // What is left of the dot is a child of the functor.
                    if is_plain {
                        return self.visit_others(ast, id, Some(functor), file);
                    }
                }
            }
            _ => {}
        }
        self.visit_others(ast, id, None, file);
    }

    fn visit_others(&mut self, ast: &Ast, id: ExprId, known: Option<ExprId>, file: &str) {
        ast.each_child(id, |child| {
            if Some(child) != known {
                self.visit(ast, child, file);
            }
        });
    }

    /// Takes what a call asks for. Tells whether it is a plain lookup of a name that is written there, and nothing else.
    fn called(&mut self, ast: &Ast, name: &str, (first, rest): (ExprId, &[ExprId]), file: &str) -> bool {
        let name = name.trim_start_matches("::");
        if !ASKING.contains(&name) {
            let is_open = REACHING.contains(&name) && may_ask(ast, first)
                || TEMPLATES.contains(&name) && is_elsewhere(ast, first)
                || INLINE.contains(&name) && !is_written_out(ast, first);
            if is_open {
                self.open.push(OpenCall { file: file.to_owned(), line: line(ast, first) });
            }
            return false;
        }
        self.asked(ast, first, file);
        let is_plain = self.note_merge(ast, (name, first), rest, file);
        let Expr::String(text) = ast.expr(first) else { return false };
        if is_plain {
            self.texts.insert(root(ast.text(text)).to_owned());
        }
        is_plain
    }

    /// Takes a text of a manifest. One that looks something up is a template.
    fn read_text(&mut self, text: &str, file: &str, line: u32) {
        self.add_text(text);
        if asks_by(text) && text.len() > LONGEST_NAME {
            for (number, part) in text.lines().enumerate() {
                self.read_line(part, &OpenCall { file: file.to_owned(), line: line + number as u32 }, true);
            }
        }
    }

    fn add_text(&mut self, text: &str) {
        self.texts.insert(root(text).to_owned());
        self.loose.insert(root(text).to_owned());
    }

    /// Takes what a call asks for: texts are known already, names are put on record, anything else is open.
    fn asked(&mut self, ast: &Ast, id: ExprId, file: &str) {
        match ast.expr(id) {
            Expr::String(_) => {}
            Expr::Name(text) => {
                self.texts.insert(root(ast.text(text)).to_owned());
            }
            Expr::Array(list) => ast.list(list).iter().for_each(|item| self.asked(ast, *item, file)),
            Expr::Hash(list) => {
                let entries = ast.list(list).iter().filter_map(|entry| match ast.expr(*entry) {
                    Expr::Entry { key, value } if is_name(ast, key) => Some(value),
                    _ => None,
                });
                entries.for_each(|value| self.asked(ast, value, file));
            }
            Expr::Concat(list) => {
                let fixed = |part: &ExprId| match ast.expr(*part) {
                    Expr::String(text) => ast.text(text).to_owned(),
                    _ => ANYTHING.to_string(),
                };
                let joined: String = ast.list(list).iter().map(fixed).collect();
                self.put_together(&joined, ast, id, file);
            }
            _ => self.open.push(OpenCall { file: file.to_owned(), line: line(ast, id) }),
        }
    }

    /// Keeps a call that says itself how levels are merged: `lookup('k', Array, 'unique')`, `lookup({name => 'k', merge => 'deep'})`,
    /// and one of which nobody knows. Tells whether it is neither.
    fn note_merge(
        &mut self,
        ast: &Ast,
        (function, first): (&str, ExprId),
        rest: &[ExprId],
        file: &str,
    ) -> bool {
        let has_merge = |id: &ExprId| {
            options(ast, *id).is_some_and(|mut keys| keys.any(|key| is_word(ast, key, "merge")))
        };
        // The type comes second, the merge third.
        let is_third = function == "lookup"
            && rest.get(1).is_some_and(|id| !matches!(ast.expr(*id), Expr::Undef | Expr::Default));
        let is_sure = MERGING.contains(&function) || is_third || rest.iter().chain([&first]).any(has_merge);
        if !is_sure && (function == "hiera" || is_plain(ast, rest)) {
            return true;
        }
        let mut names = Self::default();
        names.literal(ast, first);
        names.asked(ast, first, file);
        let place = OpenCall { file: file.to_owned(), line: line(ast, first) };
        self.merging.push(MergingCall { names, place, is_sure });
        false
    }

    fn literal(&mut self, ast: &Ast, id: ExprId) {
        if let Expr::String(text) = ast.expr(id) {
            self.texts.insert(root(ast.text(text)).to_owned());
        }
        ast.each_child(id, |child| self.literal(ast, child));
    }

    /// Tells whether code merges the levels of a key in a way of its own. Whatever is not understood may.
    pub(crate) fn merge_of(&self, key: &str) -> Option<CodeMerge<'_>> {
        let mut naming = self.merging.iter().filter(|call| call.names.names(key)).peekable();
        let is_named = naming.peek().is_some();
        if let Some(call) = naming.find(|call| call.is_sure) {
            return Some(CodeMerge::Sure(&call.place));
        }
        let is_possible = is_named
            || !self.open.is_empty()
            || self.loose.contains(key)
            || self.merging.iter().any(|call| !call.names.open.is_empty());
        is_possible.then_some(CodeMerge::Possible)
    }

    /// Returns the call that merges the levels of a key in a way of its own, where one surely does.
    pub(crate) fn sure_merge_of(&self, key: &str) -> Option<&OpenCall> {
        match self.merge_of(key)? {
            CodeMerge::Sure(call) => Some(call),
            CodeMerge::Possible => None,
        }
    }

    fn put_together(&mut self, joined: &str, ast: &Ast, id: ExprId, file: &str) {
        let parts: Vec<String> = joined.split(ANYTHING).map(str::to_owned).collect();
        if parts.iter().all(String::is_empty) {
            self.open.push(OpenCall { file: file.to_owned(), line: line(ast, id) });
        } else {
            self.patterns.push(parts);
        }
    }

    /// Takes note of what sets variables: an assignment, a parameter of a class, a define, a function or a block.
    fn note_variables(&mut self, ast: &Ast, id: ExprId) {
        match ast.expr(id) {
            Expr::Parameter { name, .. } | Expr::RestParameter { name, .. } => {
                self.sets.insert(ast.text(name).to_owned());
            }
            Expr::Binary { op: BinaryOp::Assign, left, .. } => self.note_assigned(ast, left),
            _ => {}
        }
    }

    fn note_assigned(&mut self, ast: &Ast, id: ExprId) {
        if let Expr::Variable(name) = ast.expr(id) {
            self.sets.insert(ast.text(name).trim_start_matches("::").to_owned());
        }
        ast.each_child(id, |child| self.note_assigned(ast, child));
    }

    /// Tells whether code sets a variable of a name, somewhere: where it looks data up, a path may see that one.
    pub(crate) fn sets(&self, variable: &str) -> bool {
        self.sets.contains(variable.split('.').next().unwrap_or(variable)) || self.sets.contains(ANY_VARIABLE)
    }

    /// Tells whether code names a data file, or puts the names of such files together.
    pub(crate) fn may_read(&self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        self.reads_files || self.files.contains(name)
    }

    /// Takes the names of data files out of a text.
    fn note_files(&mut self, text: &str) {
        let is_apart = |letter: char| !letter.is_alphanumeric() && !"_-.{}".contains(letter);
        for line in text.lines().filter(|line| DATA_ENDS.iter().any(|end| line.contains(end))) {
            for word in line.split(is_apart) {
                if DATA_ENDS.iter().any(|end| word.ends_with(end)) {
                    let is_made = word.starts_with('.') || word.contains(['{', '}']);
                    self.reads_files |= is_made && READING.iter().any(|name| line.contains(name));
                    self.files.insert(word.to_owned());
                }
            }
        }
    }

    /// Takes the quoted texts of Ruby or a template. A lookup without a quoted name may ask for anything.
    fn read_ruby(&mut self, file: &str, end: &str, text: &str) {
        self.note_files(text);
        if SETTING.iter().any(|name| text.contains(name)) {
            self.sets.insert(ANY_VARIABLE.to_owned());
        }
        let may_ask = end != "rb" || !OF_AGENTS.iter().any(|folder| file.contains(folder));
        for (number, line) in text.lines().enumerate() {
            if end != "rb" || !line.trim_start().starts_with('#') {
                let place = OpenCall { file: file.to_owned(), line: number as u32 + 1 };
                self.read_line(line, &place, may_ask);
            }
        }
    }

    fn read_line(&mut self, line: &str, place: &OpenCall, may_ask: bool) {
        for quoted in line.split(['\'', '"']) {
            if !quoted.is_empty() && quoted.len() <= LONGEST {
                self.add_text(quoted);
            }
        }
        // Ruby has more ways to write a text: `%q(a::b)`, `%w[a b]`, `:a`.
        if asks_by(line) {
            let is_apart = |letter: char| !letter.is_alphanumeric() && !"_:-".contains(letter);
            line.split(is_apart).for_each(|word| self.add_text(word.trim_matches(':')));
        }
        if MERGING.iter().any(|name| line.contains(name)) || asks_by(line) && line.contains("merge") {
            let texts = line.split(['\'', '"']).map(|text| root(text).to_owned()).collect();
            let names = Self { texts, ..Self::default() };
            self.merging.push(MergingCall { names, place: place.clone(), is_sure: true });
        }
        if may_ask && asks_openly(line) {
            self.open.push(place.clone());
        }
    }

    /// Tells whether code names a key, by itself or by what it puts together.
    pub(crate) fn names(&self, key: &str) -> bool {
        self.texts.contains(key) || self.patterns.iter().any(|parts| fits(parts, key))
    }

    /// Returns the parameter that a key gives its value to.
    pub(crate) fn parameter(&self, key: &str) -> Option<(&Class, &Parameter)> {
        let (class, parameter) = key.rsplit_once("::")?;
        let class = self.classes.get(class)?;
        Some((class, class.parameters.get(parameter)?))
    }
}

/// Stands for what is put into a name.
const ANYTHING: char = '\u{0}';
/// Longer texts are no names of keys.
const LONGEST: usize = 300;
/// As long as the longest name of a function that looks keys up.
const LONGEST_NAME: usize = 13;

#[cfg(test)]
mod tests {
    use super::*;

    fn code(end: &str, text: &str) -> Code {
        let mut code = Code::default();
        code.read_file(&format!("/m/lib/puppet/functions/x.{end}"), end, text.to_owned());
        code
    }

    #[test]
    fn classes_tell_their_parameters() {
        let read = code(
            "pp",
            "# Web.\n#\n# @param port the port\n#   of the server\n# @param [String] old Deprecated: use port\n\
             class a::b (Integer[1, 65535] $port = 80, Optional[String] $old = undef, $any) {}\n",
        );
        let parameters = &read.classes["a::b"].parameters;
        assert_eq!(parameters["port"].type_text.as_deref(), Some("Integer[1, 65535]"));
        assert_eq!(parameters["port"].default.as_deref(), Some("80"));
        assert_eq!(parameters["port"].documentation.as_deref(), Some("the port of the server"));
        assert_eq!(parameters["old"].type_text.as_deref(), Some("Optional[String]"));
        assert_eq!(parameters["old"].documentation.as_deref(), Some("Deprecated: use port"));
        assert!(parameters["any"].type_text.is_none() && parameters["any"].default.is_none());
    }

    #[test]
    fn keys_are_named_by_texts_and_by_what_is_put_together() {
        let read = code("pp", "lookup('a::b.c')\nlookup(\"p::${x}::port\")\n$y = ['d']\n");
        for (key, is_named) in
            [("a::b", true), ("p::web::port", true), ("p::web::host", false), ("d", true), ("c", false)]
        {
            assert_eq!(read.names(key), is_named, "{key}");
        }
        assert!(read.open.is_empty());
        for (text, line) in
            [("\nlookup($x)", 2), ("lookup(\"${x}\")", 1), ("$k.lookup", 1), ("hiera([$a])", 1)]
        {
            assert_eq!(code("pp", text).open.first().map(|call| call.line), Some(line), "{text}");
        }
    }

    #[test]
    fn ruby_is_read_by_its_texts() {
        for (text, is_open) in [
            ("call_function('lookup', 'a::b')", false),
            ("call_function('lookup', key)", true),
            ("scope.call_function('hiera', [key])", true),
            ("lookup('a::b')", false),
            ("lookup(key)", true),
            ("# lookup(key)", false),
            ("looked_up(key)", false),
        ] {
            assert_eq!(!code("rb", text).open.is_empty(), is_open, "{text}");
        }
        assert!(code("rb", "x['a::b']").names("a::b"));
    }
}
