//! `hierarch template`: Jinja2 templates rendered with documents' values, to standard output, a file or a folder.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use hierarch_compose::expr::{Context, Expressions};
use hierarch_pcore::Value;
use hierarch_source::{Source, is_open_stream};

use super::expressions::{DocumentArguments, Form, ReadDocuments, show};
use super::failure::{Failure, Stop};
use super::input;
use super::issues;
use super::report::{NO_MATCH, print_text, warning_line};
use super::saving::{self, ChangedFiles, Retry, Shown};

#[derive(Args)]
pub(crate) struct TemplateArguments {
    /// The template, a folder of templates, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "text", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// The template itself
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    #[command(flatten)]
    document: DocumentArguments,
    /// Write to this file, or into this folder what a folder of templates gives; what is the same already is not touched
    #[arg(short, long, value_name = "PATH", conflicts_with = "render_as")]
    output: Option<PathBuf>,
    /// Show the differences instead of writing
    #[arg(long, alias = "dry-run", requires = "output")]
    diff: bool,
    /// Write nothing, and name what would change; the exit code is 2 if something would
    #[arg(long, requires = "output")]
    check: bool,
    /// Print the value that the template stands for, not its text
    #[arg(long, value_enum, value_name = "FORM")]
    render_as: Option<Form>,
}

/// Endings of names that the files made of templates do not have.
const ENDINGS: &[&str] = &[".j2", ".jinja2", ".jinja"];

/// How many files a folder of templates may have.
const MOST_FILES: usize = 100_000;

/// Runs the command. The document's attributes are names in the template.
pub(crate) fn run(arguments: &TemplateArguments) -> Result<ExitCode, Failure> {
    arguments.document.run(|| {
        let read = arguments.document.read_documents()?;
        match (&arguments.file, &arguments.output) {
            (Some(folder), Some(output)) if folder.is_dir() => arguments.render_folder(folder, output, &read),
            (Some(folder), None) if folder.is_dir() => {
                Err(issues::template_is_folder(&folder.display()).into())
            }
            _ => {
                let (expressions, context) =
                    arguments.open(&read, arguments.folder().into_iter().collect())?;
                arguments.render_one(&expressions, &context)
            }
        }
    })
}

impl TemplateArguments {
    /// Opens the documents; their attributes become variables.
    fn open(&self, read: &ReadDocuments, folders: Vec<PathBuf>) -> Result<(Expressions, Context), Stop> {
        let (expressions, mut context) = self.document.open_below(read, folders)?;
        for (name, value) in expressions.attributes(&context)? {
            if !context.variables.contains_key(&name) {
                context.variables.insert(name, value);
            }
        }
        Ok((expressions, context))
    }

    /// Returns the folder of the one template.
    fn folder(&self) -> Option<PathBuf> {
        let file = self.file.as_ref().filter(|file| *file != Path::new("-") && !is_open_stream(file))?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(folder.unwrap_or(Path::new(".")).to_owned())
    }

    fn render_one(&self, expressions: &Expressions, context: &Context) -> Result<ExitCode, Stop> {
        let source = self.template()?;
        if let Some(form) = self.render_as {
            show(&expressions.render_file_value(&source, context)?, form, self.document.evaluation.reveal)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut text = self.rendered(&source, expressions, context)?;
        if let Some(output) = self.output.as_ref().filter(|output| *output != Path::new("-")) {
            let made = vec![(output.clone(), text)];
            return self.shown(&made).unwrap_or_else(|| write(&made).map(|()| ExitCode::SUCCESS));
        }
        // What was given on the command line has no line break of its own.
        if self.text.is_some() {
            text.push('\n');
        }
        print_text(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Shows what would be written, if that is all that is wanted.
    fn shown(&self, made: &[(PathBuf, String)]) -> Option<Result<ExitCode, Stop>> {
        if !self.diff && !self.check {
            return None;
        }
        let form = if self.diff { Shown::Differences } else { Shown::Names };
        let count = changed(made).and_then(|files| Ok(saving::show_changes(&files, Path::new(""), form)?));
        Some(count.map(|count| ExitCode::from(if self.check && count > 0 { NO_MATCH } else { 0 })))
    }

    fn rendered(
        &self,
        source: &Arc<Source>,
        expressions: &Expressions,
        context: &Context,
    ) -> Result<String, Stop> {
        match expressions.render_file(source, context)? {
            Value::Sensitive(inner) if self.document.evaluation.reveal => Ok(inner.to_string()),
            Value::Sensitive(_) => {
                let name =
                    source.name().map_or("the template".to_owned(), |name| format!("the template {name}"));
                Err(issues::template_has_secrets(&name).into())
            }
            value => Ok(value.as_str().unwrap_or_default().to_owned()),
        }
    }

    /// Renders every file of a folder, and writes them all or none.
    fn render_folder(&self, folder: &Path, output: &Path, read: &ReadDocuments) -> Result<ExitCode, Stop> {
        if is_below(output, folder) {
            return Err(issues::output_among_templates(output, folder).into());
        }
        let mut files = Vec::new();
        find(folder, Path::new(""), &mut files)?;
        files.sort();
        files.retain(|file| {
            let is_text = input::is_text(&folder.join(file));
            if !is_text {
                warning_line(&issues::no_template_text(&folder.join(file)));
            }
            is_text
        });
        let (mut made, mut opened) = (Vec::new(), HashMap::new());
        for file in &files {
            let source = input::read(&folder.join(file)).source?;
            // What a template includes is looked for beside it, then in the folder that was named.
            let own = folder.join(file.parent().unwrap_or(Path::new("")));
            if !opened.contains_key(&own) {
                opened.insert(own.clone(), self.open(read, vec![own.clone(), folder.to_owned()])?);
            }
            let Some((expressions, context)) = opened.get(&own) else { continue };
            made.push((output.join(target(file)), self.rendered(&source, expressions, context)?));
        }
        if let Some((twice, _)) = made.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| &pair[0]) {
            return Err(issues::two_templates(twice).into());
        }
        if let Some(shown) = self.shown(&made) {
            return shown;
        }
        write(&made)?;
        files.iter().try_for_each(|file| keep_executable(&folder.join(file), &output.join(target(file))))?;
        Ok(ExitCode::SUCCESS)
    }

    fn template(&self) -> Result<Arc<Source>, Stop> {
        Ok(match (&self.text, &self.file) {
            (Some(text), _) => Source::unnamed(text.clone()),
            (None, Some(file)) if file != Path::new("-") => input::read(file).source?,
            _ => match input::standard_input()? {
                Some(input) => input.source?,
                None => return Err(issues::no_template().into()),
            },
        })
    }
}

/// Tells whether a path, of which the end may not be there yet, lies in a folder or is it.
fn is_below(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = std::fs::canonicalize(folder) else { return false };
    let here = Path::new(".");
    path.ancestors()
        .map(|part| if part.as_os_str().is_empty() { here } else { part })
        .find_map(|part| std::fs::canonicalize(part).ok())
        .is_some_and(|known| known.starts_with(&folder))
}

/// Finds the templates below a folder; those whose names begin with `_` are there to be included only.
fn find(folder: &Path, below: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let here = folder.join(below);
    let failed = |error: &io::Error| Failure::io("read", &here, error);
    for entry in std::fs::read_dir(&here).map_err(|error| failed(&error))? {
        let entry = entry.map_err(|error| failed(&error))?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(['_', '.']) {
            continue;
        }
        let path = below.join(name);
        // Links to folders are not followed: they may lead back.
        let kind = entry.file_type().map_err(|error| failed(&error))?;
        if kind.is_dir() {
            find(folder, &path, found)?;
        } else if folder.join(&path).is_file() {
            // As an include would be refused, so is the file itself.
            if kind.is_symlink() && !is_below(&folder.join(&path), folder) {
                return Err(issues::link_leads_out(&folder.join(&path), folder));
            }
            found.push(path);
        }
        if found.len() > MOST_FILES {
            return Err(issues::too_many_templates(folder, MOST_FILES));
        }
    }
    Ok(())
}

/// Returns the name of the file that a template makes.
fn target(template: &Path) -> PathBuf {
    let name = template.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let short = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).filter(|short| !short.is_empty());
    template.with_file_name(short.unwrap_or(&name))
}

/// What an executable template makes is executable by everyone who may read it.
#[cfg(unix)]
fn keep_executable(template: &Path, made: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let failed = |error: io::Error| Failure::io("change the mode of", made, &error);
    let mode = |path: &Path| Ok(std::fs::metadata(path)?.permissions().mode());
    if mode(template).map_err(failed)? & 0o111 == 0 {
        return Ok(());
    }
    let own = mode(made).map_err(failed)?;
    let wanted = own | (own & 0o444) >> 2;
    if wanted == own {
        return Ok(());
    }
    std::fs::set_permissions(made, std::fs::Permissions::from_mode(wanted)).map_err(failed)
}

/// Here modes say nothing of execution.
#[cfg(not(unix))]
fn keep_executable(_: &Path, _: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Writes files that are not what they should be already.
fn write(files: &[(PathBuf, String)]) -> Result<(), Stop> {
    saving::write(Retry::Yes, || changed(files))?;
    Ok(())
}

/// Returns the files that are not what they should be already.
fn changed(files: &[(PathBuf, String)]) -> Result<ChangedFiles, Stop> {
    let mut changed = ChangedFiles::new();
    for (path, new) in files {
        let old = if path.exists() { Some(input::text(path)?) } else { None };
        if old.as_ref() != Some(new) {
            changed.insert(path.clone(), (old, new.clone()));
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_a_template_goes() {
        for (template, wanted) in
            [("a/x.conf.j2", "a/x.conf"), ("x", "x"), ("x.jinja", "x"), (".j2", ".j2"), ("é.j2", "é")]
        {
            assert_eq!(target(Path::new(template)), Path::new(wanted), "{template}");
        }
    }
}
