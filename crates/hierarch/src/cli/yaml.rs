//! `hierarch yaml`: documents with merge directives, expanded, asked, edited, compared.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use hierarch_compose::expr::data_of;
use hierarch_compose::{Access, Document, Location, Origin};
use hierarch_source::{DiskFiles, Error, Files, NotReplaced, Place, Replacement, Source};
use hierarch_yaml::{Data, Dialect, Layout, Limits, brief, document, json, read, scalar_text};
use serde_json::{Value as Json, json as object};

use super::expressions::{self, EvaluationArguments};
use super::failure::Failure;
use super::fetch::Web;
use super::report::{Problem, ReportFormat, print, report};

#[derive(Args)]
pub(crate) struct YamlArguments {
    #[command(subcommand)]
    command: YamlCommand,
}

#[derive(Subcommand)]
enum YamlCommand {
    /// Show a document with its merge directives carried out
    Expand(ExpandArguments),
    /// Rewrite a document so that it expands to other data, its directives restored
    Update(UpdateArguments),
    /// Show one value of the expanded document
    Get(GetArguments),
    /// Set values of the expanded document; nothing else in the file changes
    Set(SetArguments),
    /// Delete values of the expanded document
    Delete(DeleteArguments),
    /// Compare what two documents expand to: exit code 0 if the same, 2 if not
    Diff(DiffArguments),
}

/// What includes may reach.
#[derive(Args, Clone)]
struct Reach {
    /// Files may be included from this folder and below
    /// [default: the current folder, or the document's if that lies elsewhere]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Files may be included from this folder, too
    #[arg(long, value_name = "DIR")]
    allow: Vec<PathBuf>,
    /// URLs may be included
    #[arg(long)]
    allow_remote: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Yaml,
    Json,
    /// Text: a scalar without quotes
    S,
}

#[derive(Args)]
struct ExpandArguments {
    /// The document
    file: PathBuf,
    /// Show for every value where it is written and the directives it came through
    #[arg(long)]
    explain: bool,
    /// Evaluate the expressions and templates in it, too
    #[arg(long, conflicts_with = "explain")]
    evaluate: bool,
    #[arg(long, value_enum, default_value = "yaml", value_name = "FORM")]
    render_as: Form,
    #[command(flatten)]
    reach: Reach,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

#[derive(Args)]
struct UpdateArguments {
    /// The document
    file: PathBuf,
    /// What it shall expand to: a YAML or JSON file, or - for standard input
    #[arg(long, value_name = "NEW")]
    to: PathBuf,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reach: Reach,
}

/// How a change is written.
#[derive(Args, Clone)]
struct WriteArguments {
    /// Change values where they are defined, in included files too, not where they are used
    #[arg(long)]
    into: bool,
    /// Show the new text instead of writing it
    #[arg(long)]
    dry_run: bool,
}

#[derive(Args)]
struct GetArguments {
    /// The document
    file: PathBuf,
    /// A JSON Pointer: /a/b/0
    path: String,
    #[arg(long, value_enum, default_value = "yaml", value_name = "FORM")]
    render_as: Form,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Args)]
struct SetArguments {
    /// The document
    file: PathBuf,
    /// JSON Pointers with their new values, read as YAML: /a/b 5 /list/- new
    #[arg(required = true, num_args = 2.., value_names = ["PATH", "VALUE"], allow_negative_numbers = true)]
    edits: Vec<String>,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Args)]
struct DeleteArguments {
    /// The document
    file: PathBuf,
    /// JSON Pointers: /a/b/0
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Args)]
struct DiffArguments {
    /// One document
    old: PathBuf,
    /// The other
    new: PathBuf,
    #[arg(long, value_enum, default_value = "s", value_name = "FORM")]
    render_as: Form,
    #[command(flatten)]
    reach: Reach,
}

/// What ends a command early: a failure of the system, or something wrong in a document.
enum Stop {
    Failure(Failure),
    Problem(Error),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Problem(error)
    }
}

type Outcome = Result<ExitCode, Stop>;

/// Runs a subcommand.
pub(crate) fn run(arguments: &YamlArguments) -> Result<ExitCode, Failure> {
    let outcome = match &arguments.command {
        YamlCommand::Expand(arguments) => expand(arguments),
        YamlCommand::Update(arguments) => update(arguments),
        YamlCommand::Get(arguments) => get(arguments),
        YamlCommand::Set(arguments) => set(arguments),
        YamlCommand::Delete(arguments) => delete(arguments),
        YamlCommand::Diff(arguments) => diff(arguments),
    };
    match outcome {
        Ok(code) => Ok(code),
        Err(Stop::Failure(failure)) => Err(failure),
        Err(Stop::Problem(error)) => {
            let problem = Problem { diagnostic: error.into_diagnostic(), prefix: "", file: None };
            report(&[problem], ReportFormat::Text)?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Makes the rules for includes of one document.
fn access<'w>(file: &Path, reach: &Reach, web: &'w Web) -> Result<Access<'w>, Failure> {
    let resolve =
        |path: &Path| std::fs::canonicalize(path).map_err(|error| Failure::io("find", path, &error));
    let mut roots = vec![match &reach.root {
        Some(root) => resolve(root)?,
        None => default_root(file)?,
    }];
    for folder in &reach.allow {
        roots.push(resolve(folder)?);
    }
    let remote = reach.allow_remote.then_some(web as &dyn hierarch_compose::Fetch);
    Ok(Access { roots, remote, environment: Some(&environment), limits: Limits::default() })
}

/// The current folder if the document is in it, else the document's own.
fn default_root(file: &Path) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::io("find", Path::new("."), &error))?;
    let file = std::fs::canonicalize(file).map_err(|error| Failure::io("read", file, &error))?;
    let own = file.parent().unwrap_or(Path::new("/")).to_owned();
    Ok(if file.starts_with(&here) { here } else { own })
}

fn expand(arguments: &ExpandArguments) -> Outcome {
    let web = Web;
    let access = access(&arguments.file, &arguments.reach, &web)?;
    if !arguments.explain {
        let data = Document::open(&DiskFiles, &arguments.file, &access)?.data();
        if !arguments.evaluate {
            show(&data, arguments.render_as)?;
            return Ok(ExitCode::SUCCESS);
        }
        let roots = access.roots.clone();
        return Ok(expressions::run(|| {
            let value = arguments.evaluation.evaluate(&arguments.file, data, roots)?;
            show(&data_of(&value, false), arguments.render_as)?;
            Ok(ExitCode::SUCCESS)
        })?);
    }
    let document = Document::open_traced(&DiskFiles, &arguments.file, &access)?;
    let origins = document.origins();
    match arguments.render_as {
        Form::Json => {
            let list: Vec<Json> = origins.iter().map(|origin| origin_json(&document, origin)).collect();
            print(&Json::Array(list))?;
        }
        Form::Yaml | Form::S => {
            origins.iter().try_for_each(|origin| print(&origin_text(&document, origin)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn origin_text(document: &Document, origin: &Origin) -> String {
    let value = brief(&document.forest().data(origin.value));
    let mut text = format!("{}: {value}", origin.path);
    if let Some(place) = &origin.place {
        let _ = write!(text, "\n  {}", place_text(place));
    }
    for (key, place) in &origin.through {
        let place = place.as_ref().map(|place| format!(" ({})", place_text(place))).unwrap_or_default();
        let _ = write!(text, "\n  through {key}{place}");
    }
    text
}

fn place_text(place: &Place) -> String {
    let (line, column) = place.position();
    format!("{}:{line}:{}", place.source.name().unwrap_or("-"), column.unwrap_or(1))
}

fn origin_json(document: &Document, origin: &Origin) -> Json {
    let value: Json =
        serde_json::from_str(&json(&document.forest().data(origin.value), false)).unwrap_or_default();
    let through: Vec<Json> = origin
        .through
        .iter()
        .map(|(key, place)| {
            let mut step = object!({"directive": key});
            add_place(&mut step, place.as_ref());
            step
        })
        .collect();
    let mut found = object!({"path": origin.path, "value": value});
    add_place(&mut found, origin.place.as_ref());
    found["through"] = through.into();
    found
}

fn add_place(to: &mut Json, place: Option<&Place>) {
    if let Some(place) = place {
        let (line, column) = place.position();
        to["file"] = place.source.name().into();
        to["line"] = line.into();
        to["column"] = column.into();
    }
}

fn show(data: &Data, form: Form) -> Result<(), Failure> {
    match (form, data) {
        (Form::Json, data) => print(&json(data, true)),
        (Form::S, Data::Scalar(scalar)) => print(&scalar_text(scalar)),
        (_, data) => print(&document(data, &Layout::default()).trim_end_matches('\n')),
    }
}

fn get(arguments: &GetArguments) -> Outcome {
    let web = Web;
    let access = access(&arguments.file, &arguments.reach, &web)?;
    let document = Document::open(&DiskFiles, &arguments.file, &access)?;
    let value = document.at(&arguments.path)?;
    show(&document.forest().data(value), arguments.render_as)?;
    Ok(ExitCode::SUCCESS)
}

fn update(arguments: &UpdateArguments) -> Outcome {
    let tree = read(&new_data(&arguments.to)?, Dialect::Core, Limits::default())?;
    let root = tree.root().map(|root| tree.data(root, Limits::default())).transpose()?;
    let wanted = root.unwrap_or(Data::NULL);
    change(&arguments.file, &arguments.reach, &arguments.write, &|_| Ok(Edit::Whole(wanted.clone())))
}

fn new_data(path: &Path) -> Result<std::sync::Arc<Source>, Stop> {
    let failed = |error: io::Error| Failure::io("read", path, &error);
    if path != Path::new("-") {
        let bytes = std::fs::read(path).map_err(failed)?;
        return Ok(Source::from_bytes(path.display().to_string(), bytes)?);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).map_err(failed)?;
    Ok(Source::from_bytes("standard input", bytes)?)
}

fn set(arguments: &SetArguments) -> Outcome {
    if !arguments.edits.len().is_multiple_of(2) {
        return Err(Failure::new("every PATH needs a VALUE").into());
    }
    let mut edits = Vec::new();
    for pair in arguments.edits.chunks_exact(2) {
        let tree = read(&Source::new("the new value", pair[1].clone()), Dialect::Core, Limits::default())?;
        let value = tree.root().map(|root| tree.data(root, Limits::default())).transpose()?;
        edits.push((pair[0].clone(), Some(value.unwrap_or(Data::NULL))));
    }
    change(&arguments.file, &arguments.reach, &arguments.write, &|_| Ok(Edit::Places(edits.clone())))
}

fn delete(arguments: &DeleteArguments) -> Outcome {
    let edits: Vec<_> = arguments.paths.iter().map(|path| (path.clone(), None)).collect();
    change(&arguments.file, &arguments.reach, &arguments.write, &|_| Ok(Edit::Places(edits.clone())))
}

/// What shall change.
enum Edit {
    /// The document shall expand to this.
    Whole(Data),
    /// These places get these values, or go.
    Places(Vec<(String, Option<Data>)>),
}

/// Changes a document: everything is written, or nothing.
fn change(
    file: &Path,
    reach: &Reach,
    write: &WriteArguments,
    edit: &dyn Fn(&Document) -> Result<Edit, Stop>,
) -> Outcome {
    let web = Web;
    let access = access(file, reach, &web)?;
    let overlay = Overlay::default();
    let mut document = Document::open(&overlay, file, &access)?;
    let edit = edit(&document)?;
    let changed = if write.into {
        define_all(file, &access, &document, edit)?
    } else {
        let edited = edited_value(&mut document, edit)?;
        let text = document.save(edited)?;
        BTreeMap::from([(file.to_owned(), (document.text().to_owned(), text))])
    };
    write_all(&changed, write.dry_run)
}

fn edited_value(document: &mut Document, edit: Edit) -> Result<hierarch_compose::Val, Stop> {
    match edit {
        Edit::Whole(data) => Ok(document.grow(&data)?),
        Edit::Places(places) => {
            let mut edited = document.value();
            for (path, value) in places {
                edited = document.with(&path, value)?;
                document.edit_further(edited);
            }
            Ok(edited)
        }
    }
}

/// Old and new text by file.
type Changed = BTreeMap<PathBuf, (String, String)>;

/// Makes the changes where the values are defined, one after the other, each on what the one before left.
fn define_all(file: &Path, access: &Access, document: &Document, edit: Edit) -> Result<Changed, Stop> {
    let places = match edit {
        Edit::Places(places) => places,
        Edit::Whole(data) => differences(file, access, &data)?,
    };
    let mut overlay = Overlay::default();
    let mut changed = Changed::new();
    for (path, value) in places {
        let current = Document::open(&overlay, file, access)?;
        let (location, text) = current.define(&path, value.clone())?;
        let Location::File(target) = location else {
            return Err(Failure::new(format!("{path} comes from a URL and cannot be changed there")).into());
        };
        let before = overlay.read(&target).map_err(|error| Failure::io("read", &target, &error))?;
        let before = String::from_utf8_lossy(&before).into_owned();
        changed.entry(target.clone()).or_insert((before, String::new())).1.clone_from(&text);
        overlay.texts.insert(target, text);
        let again = Document::open(&overlay, file, access)?;
        let found = again.at(&path).ok().map(|value| again.forest().data(value));
        if !path.ends_with("/-") && found != value {
            return Err(Failure::new(format!(
                "{path} cannot be changed where it is defined: something else hides it"
            ))
            .into());
        }
    }
    let _ = document;
    Ok(changed)
}

fn differences(file: &Path, access: &Access, wanted: &Data) -> Result<Vec<(String, Option<Data>)>, Stop> {
    let mut document = Document::open(&DiskFiles, file, access)?;
    let wanted = document.grow(wanted)?;
    let forest = document.forest();
    let found = forest.differences(document.value(), wanted);
    Ok(found.into_iter().map(|d| (d.path, d.new.map(|new| forest.data(new)))).collect())
}

/// Writes all files or none; a file that is no longer what was read is not touched.
fn write_all(changed: &Changed, dry_run: bool) -> Outcome {
    if dry_run {
        for (_, new) in changed.values() {
            print(&new.strip_suffix('\n').unwrap_or(new))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut prepared = Vec::new();
    for (file, (old, new)) in changed.iter().filter(|(_, (old, new))| old != new) {
        let replacement =
            Replacement::prepare(file, new.as_bytes()).map_err(|error| Failure::io("write", file, &error))?;
        prepared.push((file, old, replacement));
    }
    for (file, old, replacement) in prepared {
        replacement.commit(old.as_bytes()).map_err(|error| match error {
            NotReplaced::Changed => Failure::new(format!(
                "{} was changed by someone else since it was read; nothing was written",
                file.display()
            )),
            NotReplaced::Failed(error) => Failure::io("write", file, &error),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn diff(arguments: &DiffArguments) -> Outcome {
    let web = Web;
    let old_access = access(&arguments.old, &arguments.reach, &web)?;
    let new_access = access(&arguments.new, &arguments.reach, &web)?;
    let mut old = Document::open(&DiskFiles, &arguments.old, &old_access)?;
    let new = Document::open(&DiskFiles, &arguments.new, &new_access)?;
    let new = old.grow(&new.data())?;
    let forest = old.forest();
    let found = forest.differences(old.value(), new);
    let side = |value: Option<hierarch_compose::Val>| value.map(|value| forest.data(value));
    if arguments.render_as == Form::Json {
        let as_json = |data: Option<Data>| -> Json {
            data.map(|data| serde_json::from_str(&json(&data, false)).unwrap_or_default()).unwrap_or_default()
        };
        let list: Vec<Json> = found
            .iter()
            .map(|d| {
                let mut entry = object!({"path": d.path});
                if d.old.is_some() {
                    entry["old"] = as_json(side(d.old));
                }
                if d.new.is_some() {
                    entry["new"] = as_json(side(d.new));
                }
                entry
            })
            .collect();
        print(&Json::Array(list))?;
    } else {
        for d in &found {
            let line = match (side(d.old), side(d.new)) {
                (Some(old), Some(new)) => format!("~ {}: {} -> {}", d.path, brief(&old), brief(&new)),
                (Some(old), None) => format!("- {}: {}", d.path, brief(&old)),
                (None, new) => format!("+ {}: {}", d.path, brief(&new.unwrap_or(Data::NULL))),
            };
            print(&line)?;
        }
    }
    Ok(if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// The disk, with some files as they are about to be.
#[derive(Default)]
struct Overlay {
    texts: BTreeMap<PathBuf, String>,
}

impl Files for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_at_most(path, u64::MAX)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        DiskFiles.list(folder)
    }

    fn is_file(&self, path: &Path) -> bool {
        DiskFiles.is_file(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        DiskFiles.is_folder(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        DiskFiles.resolve(path)
    }

    fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let known = self.resolve(path).ok().and_then(|path| self.texts.get(&path));
        match known {
            Some(text) => Ok(text.clone().into_bytes()),
            None => DiskFiles.read_at_most(path, most),
        }
    }
}
