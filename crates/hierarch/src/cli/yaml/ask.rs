//! Questions to documents: what they expand to, where a value comes from, how two differ.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hierarch_compose::expr::data_of;
use hierarch_compose::{Document, Origin, Val};
use hierarch_source::{Error, Place};
use hierarch_yaml::{Data, Layout, brief, document, json, scalar_text};
use serde_json::{Value as Json, json as object};

use super::super::expressions;
use super::super::failure::Failure;
use super::super::report::{NO_MATCH, ReportFormat, finish, print};
use super::input::Input;
use super::{DiffArguments, ExpandArguments, Form, GetArguments, Outcome, Reach, Stop, access, plain};

pub(super) fn expand(arguments: &ExpandArguments) -> Outcome {
    let web = arguments.reach.web();
    let input = Input::new(&arguments.file)?;
    let access = access(&input, &arguments.reach, &web)?;
    if !arguments.explain {
        let data = Document::open(&input.files, &input.path, &access)?.data();
        if arguments.evaluate {
            return Ok(evaluate(arguments, &input.path, data, access.roots)?);
        }
        show(&data, arguments.render_as)?;
        return Ok(ExitCode::SUCCESS);
    }
    let document = Document::open_traced(&input.files, &input.path, &access)?;
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

/// Shows a document with its expressions and templates evaluated.
fn evaluate(
    arguments: &ExpandArguments,
    file: &Path,
    data: Data,
    roots: Vec<PathBuf>,
) -> Result<ExitCode, Failure> {
    expressions::run(|| {
        let value = arguments.evaluation.evaluate(file, data, roots)?;
        show(&data_of(&value, false), arguments.render_as)?;
        Ok(ExitCode::SUCCESS)
    })
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

pub(super) fn get(arguments: &GetArguments) -> Outcome {
    let input = Input::new(&arguments.file)?;
    let found = if arguments.plain.plain {
        plain::get(&input, &arguments.plain, &arguments.path)
    } else {
        expanded_at(&input, &arguments.reach, &arguments.path)
    };
    match found {
        Ok(data) => {
            show(&data, arguments.render_as)?;
            Ok(ExitCode::SUCCESS)
        }
        // Nothing there is an answer, and not a failure.
        Err(Stop::Problem(error)) if is_no_such_place(&error) => {
            finish(Err(Stop::Problem(error)), ReportFormat::Full)?;
            Ok(ExitCode::from(NO_MATCH))
        }
        Err(stop) => Err(stop),
    }
}

fn expanded_at(input: &Input, reach: &Reach, path: &str) -> Result<Data, Stop> {
    let web = reach.web();
    let access = access(input, reach, &web)?;
    let document = Document::open(&input.files, &input.path, &access)?;
    let value = document.at(path)?;
    Ok(document.forest().data(value))
}

fn is_no_such_place(error: &Error) -> bool {
    matches!(error.code, "DIRECTIVE_NO_SUCH_PLACE" | "YAML_NO_SUCH_PLACE")
}

pub(super) fn diff(arguments: &DiffArguments) -> Outcome {
    let web = arguments.reach.web();
    let (old_input, new_input) = (Input::new(&arguments.old)?, Input::new(&arguments.new)?);
    let old_access = access(&old_input, &arguments.reach, &web)?;
    let new_access = access(&new_input, &arguments.reach, &web)?;
    let mut old = Document::open(&old_input.files, &old_input.path, &old_access)?;
    let new = Document::open(&new_input.files, &new_input.path, &new_access)?;
    let new = old.grow(&new.data())?;
    let forest = old.forest();
    let found = forest.differences(old.value(), new);
    let side = |value: Option<Val>| value.map(|value| forest.data(value));
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
    Ok(if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NO_MATCH) })
}
