//! What `query` and `template` share: a document to ask, what it may reach, and how answers are printed.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hierarch_compose::expr::{self, Context, Expressions, Options, data_of};
use hierarch_compose::{Access, Choice, Reading, Stream};
use hierarch_pcore::data::{Rules, from_data};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{DiskFiles, Error, Overlay, Source, is_open_stream};
use hierarch_yaml::{Data, Dialect, DocumentLimits, Layout, document, json, read};

use super::arguments::{NodeArguments, SiteArguments};
use super::failure::{Failure, Stop};
use super::foreign::{Foreign, Notation};
use super::input;
use super::issues;
use super::language::on_large_stack;
use super::limits::{DataLimits, WorkLimits};
use super::machine::{ExpressionPermissions, Layers, Machine, OpenDocument, Places, folder_of};
use super::notation::NotationArguments;
use super::report::{ReportFormat, finish, place_text, print, warning_line};
use super::yaml::Schema;

/// The document that is asked, and from where.
#[derive(Args, Clone)]
pub(crate) struct DocumentArguments {
    /// The document: YAML, JSON, TOML or HOCON, - for standard input, merge directives expanded; of several, later ones
    /// are merged over earlier ones
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The document of a stream: a position from 0, -1 for the last, what it must say (kind=Service,metadata.name=web)
    /// [default: all in a query; a template needs one]
    #[arg(long, value_name = "WHICH", allow_hyphen_values = true)]
    document: Option<String>,
    /// What the documents are written in [default: what their ending says: .toml, .hocon and .conf, else yaml]
    #[arg(long, value_enum, value_name = "NOTATION")]
    input: Option<Notation>,
    /// What plain scalars of YAML mean: in 1.1, yes is true and 0644 is 420 [default: 1.2; with --ansible, 1.1]
    #[arg(long, value_enum, value_name = "VERSION")]
    schema: Option<Schema>,
    /// How errors are reported
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    format: ReportFormat,
    /// The instance to start from [default: the root]
    #[arg(long, value_name = "NAME")]
    start: Option<String>,
    #[command(flatten)]
    pub(crate) evaluation: EvaluationArguments,
}

/// How expressions and templates are evaluated.
#[derive(Args, Clone)]
pub(crate) struct EvaluationArguments {
    /// A variable, its value read as YAML
    #[arg(long = "var", value_name = "NAME=VALUE")]
    variables: Vec<String>,
    /// Undefined names in templates stay as they are written
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    notation: NotationArguments,
    #[command(flatten)]
    permissions: ExpressionPermissions,
    /// Print secrets, those that errors are about among them
    #[arg(long, alias = "show-secrets")]
    pub(crate) reveal: bool,
    #[command(flatten)]
    layered: LayeredArguments,
    #[command(flatten)]
    bounds: Bounds,
}

/// How much an evaluation may take.
#[derive(Args, Clone)]
struct Bounds {
    /// How many steps an evaluation, and a template in it, may take [default: 50000000, and 10000000 in a template]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// How deep expressions and values may nest [default: 1000]
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
    /// How many bytes a value may take, and a template may write [default: 16777216]
    #[arg(long, value_name = "N")]
    max_size: Option<usize>,
    /// How many steps a path may have, 2500 at most
    #[arg(long, value_name = "N", default_value_t = expr::ExpressionLimits::default().path)]
    max_path: usize,
}

/// Paths longer than this are refused whatever the flag says: some are walked by calls inside calls.
const LONGEST_PATH: usize = 2_500;

impl Bounds {
    fn limits(&self) -> expr::ExpressionLimits {
        let usual = expr::ExpressionLimits::default();
        expr::ExpressionLimits {
            depth: self.max_depth.unwrap_or(DEPTH).min(DEEPEST),
            steps: self.max_steps.unwrap_or(usual.steps),
            fuel: self.max_steps.unwrap_or(usual.fuel),
            size: self.max_size.unwrap_or(usual.size),
            path: self.max_path.min(LONGEST_PATH),
        }
    }

    /// Returns what the same flags say about programs that Hiera's data come from.
    fn of_programs(&self) -> WorkLimits {
        let max_depth = self.max_depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
        WorkLimits { max_steps: self.max_steps, max_depth, max_size: self.max_size }
    }
}

/// The Hiera data that `lookup('hiera', 'key')` asks. There is none unless a control repository is named.
#[derive(Args, Clone)]
struct LayeredArguments {
    /// The control repository whose Hiera data can be looked up
    #[arg(long, value_name = "DIR")]
    hiera: Option<PathBuf>,
    #[command(flatten)]
    node: NodeArguments,
    #[command(flatten)]
    data_limits: DataLimits,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Yaml,
    Json,
    /// Text: a scalar without quotes
    S,
}

/// How many references may lead to references.
const DEPTH: usize = 1_000;

/// What the stack has room for, whatever is asked for.
const DEEPEST: usize = 10_000;

/// Runs a command and reports what is wrong. It has a thread of its own, since expressions nest.
pub(crate) fn run(command: impl FnOnce() -> Result<ExitCode, Stop> + Send) -> Result<ExitCode, Stop> {
    on_large_stack(command)?
}

impl DocumentArguments {
    /// Runs a command about documents, and reports what is wrong as it was asked for.
    pub(crate) fn run(
        &self,
        command: impl FnOnce() -> Result<ExitCode, Stop> + Send,
    ) -> Result<ExitCode, Failure> {
        finish(run(command), self.format)
    }

    /// Reads the documents and returns each of a stream with the place to ask from.
    pub(crate) fn open_all(&self) -> Result<Vec<(Expressions, Context)>, Stop> {
        let files = self.read()?;
        let mut streams = files.iter().filter(|file| file.documents.len() != 1);
        let Some(stream) = streams.next() else { return Ok(vec![self.opened(&files, Vec::new(), 0)?]) };
        if let Some(other) = streams.next() {
            return Err(issues::several_documents_in(&other.path).into());
        }
        (0..stream.documents.len()).map(|number| self.opened(&files, Vec::new(), number)).collect()
    }

    /// Reads the documents for a template.
    pub(crate) fn read_documents(&self) -> Result<ReadDocuments, Stop> {
        let files = self.read()?;
        match files.iter().find(|file| file.documents.len() != 1) {
            Some(file) if file.documents.is_empty() => Err(self.nothing_chosen(&file.path)),
            Some(file) => Err(issues::several_documents_in(&file.path).into()),
            None => Ok(ReadDocuments(files)),
        }
    }

    /// Opens documents that were read, for templates in folders, of which the first comes first.
    pub(crate) fn open_below(
        &self,
        read: &ReadDocuments,
        templates: Vec<PathBuf>,
    ) -> Result<(Expressions, Context), Stop> {
        self.opened(&read.0, templates, 0)
    }

    /// No document is the one that was asked for.
    pub(crate) fn nothing_chosen(&self, path: &Path) -> Stop {
        Stop::Absent(issues::no_document(path, self.document.as_deref().unwrap_or("*")))
    }

    /// Merges the documents, of the one stream the one with a number.
    fn opened(
        &self,
        files: &[DataFile],
        templates: Vec<PathBuf>,
        number: usize,
    ) -> Result<(Expressions, Context), Stop> {
        let mut merged = Hash::new();
        let mut read = Vec::new();
        for file in files {
            let number = if file.documents.len() == 1 { 0 } else { number };
            let Some((place, document)) = file.documents.get(number) else { continue };
            merged = over(merged, document);
            read.push(file.at(*place));
        }
        let base = files.first().map_or_else(here, |file| Ok(file.folder.clone()))?;
        let (expressions, context) = self.evaluation.open(merged, Places { base, templates, read })?;
        Ok((expressions, Context { start: self.start.clone(), ..context }))
    }

    /// Reads all files, with the documents that were chosen.
    fn read(&self) -> Result<Vec<DataFile>, Stop> {
        let choice = self.document.as_deref().map(Choice::parse).transpose()?;
        let foreign = Foreign::new(self.input);
        let ansible = if self.evaluation.notation.ansible { Schema::Older } else { Schema::Newer };
        let older = self.schema.unwrap_or(ansible) == Schema::Older;
        self.data.iter().map(|path| DataFile::read(path, choice.as_ref(), &foreign, older)).collect()
    }
}

/// A file with the documents that are meant.
struct DataFile {
    path: PathBuf,
    files: Overlay,
    folder: PathBuf,
    roots: Vec<PathBuf>,
    foreign: Foreign,
    /// Each with its number in the file.
    documents: Vec<(usize, Hash)>,
}

impl DataFile {
    fn read(path: &Path, choice: Option<&Choice>, foreign: &Foreign, older: bool) -> Result<Self, Stop> {
        let input = Standard::open(path)?;
        foreign.name(&input.path);
        let here = here()?;
        let folder = if input.is_file { folder_of(&input.path)? } else { here.clone() };
        let mut roots = vec![folder.clone()];
        if folder != here && folder.starts_with(&here) {
            roots.push(here);
        }
        // What only a key could open is no obstacle to those who do not use it.
        let reading = Reading { older, tags: true };
        let access = Access { roots: roots.clone(), notations: Some(foreign), reading, ..Access::default() };
        let stream = Stream::open(&input.files, &input.path, &access)?;
        let chosen = match choice {
            Some(choice) if stream.len() > 1 => stream.chosen(&input.files, &access, choice)?,
            _ if stream.len() == 1 => vec![0],
            _ => (0..stream.len()).filter(|&place| !stream.is_blank(place)).collect(),
        };
        let mut documents = Vec::new();
        for place in chosen {
            let document = stream.document(&input.files, &access, place)?;
            let (data, closed) = document.forest().open_data(document.value());
            if let Some(place) = closed.first() {
                warning_line(&issues::closed_values(&place_text(place), closed.len()));
            }
            documents.push((place, map_of(&input.path, from_data(&data, Rules::Text))?));
        }
        let foreign = foreign.clone();
        Ok(Self { path: input.path, files: input.files, folder, roots, foreign, documents })
    }

    fn at(&self, number: usize) -> OpenDocument {
        let (path, files) = (self.path.clone(), self.files.clone());
        OpenDocument { path, files, roots: self.roots.clone(), foreign: self.foreign.clone(), number }
    }
}

/// A file of the disk, or what can be read only once, under a name.
struct Standard {
    path: PathBuf,
    files: Overlay,
    is_file: bool,
}

impl Standard {
    fn open(path: &Path) -> Result<Self, Stop> {
        let mut files = Overlay::new(DiskFiles);
        let (path, bytes) = if path == Path::new("-") {
            let (path, mut bytes) = (PathBuf::from("standard input"), Vec::new());
            let read = io::Read::read_to_end(&mut io::stdin(), &mut bytes);
            read.map_err(|error| Failure::io("read", &path, &error))?;
            (path, bytes)
        } else if is_open_stream(path) {
            (input::stream_name(path), input::bytes(path)?)
        } else {
            return Ok(Self { path: path.to_owned(), files, is_file: true });
        };
        files.insert(path.clone(), bytes);
        Ok(Self { path, files, is_file: false })
    }
}

fn here() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| Failure::io("find", Path::new("."), &error))
}

/// Documents that were read, each a file of its own.
pub(crate) struct ReadDocuments(Vec<DataFile>);

/// Merges a map over another one; maps in both are merged, anything else is replaced.
fn over(mut under: Hash, map: &Hash) -> Hash {
    for (key, value) in map {
        let merged = match (under.get(key), value) {
            (Some(Value::Hash(old)), Value::Hash(new)) => over(Hash::clone(old), new).into(),
            _ => value.clone(),
        };
        under.insert(key.clone(), merged);
    }
    under
}

impl EvaluationArguments {
    /// Evaluates a whole document, as `yaml expand --evaluate` shows it.
    pub(crate) fn evaluate(
        &self,
        (file, number): (&Path, usize),
        data: Data,
        roots: Vec<PathBuf>,
    ) -> Result<Value, Stop> {
        let document = map_of(file, from_data(&data, Rules::Text))?;
        let base = folder_of(file)?;
        let (path, files) = (file.to_owned(), Overlay::new(DiskFiles));
        let read = vec![OpenDocument { path, files, roots, foreign: Foreign::default(), number }];
        let places = Places { base, templates: Vec::new(), read };
        let (expressions, context) = self.open(document, places)?;
        Ok(expressions.evaluated(&context)?)
    }

    fn open(&self, document: Hash, places: Places) -> Result<(Expressions, Context), Stop> {
        let layers = self.layered.open(self.bounds.of_programs())?;
        let host = Arc::new(Machine::new(places, &self.permissions, layers)?);
        let (limits, settings) = (self.bounds.limits(), self.notation.settings());
        let mut variables = Hash::new();
        for setting in &self.variables {
            let Some((name, value)) = setting.split_once('=') else {
                return Err(issues::bad_var(setting).into());
            };
            variables.insert(name, read_value(value)?);
        }
        let managed = Value::from("ansible_managed");
        if self.notation.ansible && !variables.contains_key(&managed) && !document.contains_key(&managed) {
            variables.insert(managed, Value::from("Ansible managed"));
        }
        let (safe, globals) = (self.permissions.safe, variables.clone());
        let reveals = self.reveal;
        let options = Options { host, limits, safe, reveals, settings, globals, ..Options::default() };
        let context = Context { start: None, variables, strict: !self.lenient };
        Ok((Expressions::with(document, options)?, context))
    }
}

impl LayeredArguments {
    fn open(&self, work_limits: WorkLimits) -> Result<Option<Layers>, Failure> {
        let Some(folder) = &self.hiera else { return Ok(None) };
        let data_limits = self.data_limits.clone();
        let site = SiteArguments { data_limits, work_limits, ..SiteArguments::around(folder.clone()) };
        let site = self.node.open(&site)?;
        Ok(Some(Layers { node: self.node.find(&site)? }))
    }
}

fn map_of(file: &Path, value: Value) -> Result<Hash, Failure> {
    match value {
        Value::Hash(map) => Ok(Hash::clone(&map)),
        Value::Undef => Ok(Hash::new()),
        _ => Err(issues::not_a_map(file)),
    }
}

/// Reads a value written as YAML.
pub(crate) fn read_value(text: &str) -> Result<Value, Error> {
    let source = Source::unnamed(text);
    let tree = read(&source, Dialect::Core, DocumentLimits::default())?;
    match tree.root() {
        Some(root) => Ok(from_data(&tree.data(root, DocumentLimits::default())?, Rules::Text)),
        None => Ok(Value::Undef),
    }
}

/// Prints a value; secrets only if they shall be told.
pub(crate) fn show(value: &Value, form: Form, reveals: bool) -> Result<(), Failure> {
    let value = &if reveals { revealed(value) } else { value.clone() };
    let data = data_of(value, false);
    let yaml = || document(&data, &Layout { dialect: Dialect::Core, ..Layout::default() });
    match (form, value) {
        (Form::Json, _) => print(&json(&data, true)),
        (Form::S, Value::String(text)) => print(text),
        (Form::S, Value::Sensitive(_)) => print(&"<<REDACTED>>"),
        _ => print(&yaml().trim_end_matches('\n')),
    }
}

/// Returns a value with its secrets in clear.
pub(crate) fn revealed(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => revealed(inner),
        Value::Array(items) => Value::array(items.iter().map(revealed).collect()),
        Value::Hash(map) => {
            map.iter().map(|(key, value)| (key.clone(), revealed(value))).collect::<Hash>().into()
        }
        other => other.clone(),
    }
}
