//! Questions to documents: what they expand to, where a value comes from.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hierarch_compose::expr::data_of;
use hierarch_compose::{Access, Choice, Document, Forest, Origin, Selector, Spelling, Stream, Val, misspelt};
use hierarch_source::{Error, Place};
use hierarch_yaml::{
    Content, Data, Layout, Scalar, SpelledValue, brief, document, json, scalar_text, spelled_document,
};
use serde_json::{Value as Json, json as object};

use super::super::expressions;
use super::super::failure::Failure;
use super::super::report::{Problem, ReportFormat, place_text, print, report, warning_line};
use super::input::Input;
use super::{ExpandArguments, Form, GetArguments, Outcome, Stop, access, many, patterns, plain};
use crate::cli::issues;

pub(super) fn expand(arguments: &ExpandArguments) -> Outcome {
    let web = arguments.reach.web();
    let input = Input::new(&arguments.file, &arguments.reach)?;
    let access = access(&input, &arguments.reach, &web)?;
    let stream = Stream::open(&input.files, &input.path, &access)?;
    let chosen = match arguments.document.as_deref().map(Choice::parse).transpose()? {
        Some(choice) => stream.chosen(&input.files, &access, &choice)?,
        None => (0..stream.len()).collect(),
    };
    if chosen.is_empty() {
        return Err(Stop::Absent(issues::no_document(
            &input.path,
            arguments.document.as_deref().unwrap_or("*"),
        )));
    }
    warn_about_keys(&stream, &access)?;
    if arguments.evaluate {
        let [place] = chosen[..] else { return Err(issues::several_documents().into()) };
        let data = stream.document(&input.files, &access, place)?.data();
        return evaluate(arguments, (&input.path, place), data, access.roots);
    }
    let mut origins = Vec::new();
    for (index, &place) in chosen.iter().enumerate() {
        if arguments.explain && stream.is_blank(place) {
            continue;
        }
        if arguments.explain {
            let document = stream.traced(&input.files, &access, place)?;
            let number = (stream.len() > 1).then_some(place);
            origins.extend(explained(&document, number, arguments.render_as)?);
            continue;
        }
        if index > 0 && arguments.render_as != Form::Json {
            print(&"---")?;
        }
        if stream.is_blank(place) {
            show(&Data::NULL, Form::Json)?;
            continue;
        }
        let document = stream.document(&input.files, &access, place)?;
        show_value(document.forest(), document.value(), arguments.render_as, arguments.reach.tags)?;
    }
    if arguments.explain && arguments.render_as == Form::Json {
        print(&Json::Array(origins))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Warns about keys that look like directives: `+inclde` brings nothing, and no error says so.
fn warn_about_keys(stream: &Stream, access: &Access) -> Result<(), Failure> {
    let sources = stream.sources().iter().filter(|source| source.text().contains('+'));
    let found = sources.flat_map(|source| misspelt(source, access));
    let problems: Vec<Problem> =
        found.map(|diagnostic| Problem { diagnostic, prefix: "", file: None }).collect();
    report(&problems, ReportFormat::Text)
}

/// Shows the origins of one document's values; as JSON they are collected.
fn explained(document: &Document, number: Option<usize>, form: Form) -> Result<Vec<Json>, Failure> {
    let origins = document.origins();
    if form != Form::Json {
        if let Some(number) = number {
            print(&format!("# document {number}"))?;
        }
        origins.iter().try_for_each(|origin| print(&origin_text(document, origin)))?;
        return Ok(Vec::new());
    }
    let with_number = |origin: &Origin| {
        let mut found = origin_json(document, origin);
        if let Some(number) = number {
            found["document"] = number.into();
        }
        found
    };
    Ok(origins.iter().map(with_number).collect())
}

/// Shows a document with its expressions and templates evaluated.
fn evaluate(arguments: &ExpandArguments, file: (&Path, usize), data: Data, roots: Vec<PathBuf>) -> Outcome {
    expressions::run(|| {
        let value = arguments.evaluation.evaluate(file, data, roots)?;
        let value = if arguments.evaluation.reveal { expressions::revealed(&value) } else { value };
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
        (Form::Json, data) => match not_finite(data) {
            Some(number) => Err(issues::number_not_in_json(&number)),
            None => print(&json(data, true)),
        },
        (Form::S, Data::Scalar(scalar)) => print(&scalar_text(scalar)),
        (_, data) => print(&document(data, &Layout::default()).trim_end_matches('\n')),
    }
}

/// Returns a number that JSON cannot say.
fn not_finite(data: &Data) -> Option<String> {
    match data {
        Data::Scalar(scalar @ Scalar::Float(number)) if !number.is_finite() => Some(scalar_text(scalar)),
        Data::Scalar(_) => None,
        Data::List(items) => items.iter().find_map(not_finite),
        Data::Map(entries) => {
            entries.iter().find_map(|(key, value)| not_finite(key).or_else(|| not_finite(value)))
        }
    }
}

/// Shows a value as it is spelled.
pub(super) fn show_value(forest: &Forest, value: Val, form: Form, tags: bool) -> Result<(), Failure> {
    if form == Form::Json && tags {
        return show(&forest.tagged_data(value), form);
    }
    if form == Form::Json
        && let Some((tag, place)) = forest.first_tag(value)
    {
        let place = place.map(|place| place_text(&place));
        warning_line(&issues::json_without_tag(&tag, place.as_deref()));
    }
    match form {
        Form::Yaml => print(&forest.spelled_text(value, Spelling::default()).trim_end_matches('\n')),
        Form::Json | Form::S => show(&forest.data(value), form),
    }
}

pub(super) fn get(arguments: &GetArguments) -> Outcome {
    let inputs = patterns::inputs(&arguments.file, &arguments.also, &arguments.reach)?;
    let choice = arguments.plain.choice()?;
    let plain = Selector::parse(&arguments.path).is_ok_and(|selector| selector.is_plain());
    let (true, None, [input]) = (plain || arguments.plain.plain, &choice, &inputs[..]) else {
        return get_all(arguments, &inputs, choice.as_ref());
    };
    let web = arguments.reach.web();
    let around = access(input, &arguments.reach, &web)?;
    if !arguments.plain.plain && Stream::open(&input.files, &input.path, &around)?.len() > 1 {
        return get_all(arguments, &inputs, None);
    }
    let found = if arguments.plain.plain {
        plain::get(input, &arguments.plain, &arguments.reach, &arguments.path)
            .and_then(|found| Ok(show_plainly(&found, arguments.render_as)?))
    } else {
        show_at(input, arguments)
    };
    match found {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // Nothing there is an answer, and not a failure.
        Err(Stop::Problem(error)) if is_no_such_place(&error) => Err(Stop::Absent(error)),
        Err(stop) => Err(stop),
    }
}

/// Shows all places that a selector leads to, in all documents of all files, as a list.
fn get_all(arguments: &GetArguments, inputs: &[Input], choice: Option<&Choice>) -> Outcome {
    let web = arguments.reach.web();
    let mut found = Vec::new();
    let mut selector = None;
    for input in inputs {
        let access = access(input, &arguments.reach, &web)?;
        let stream = Stream::open(&input.files, &input.path, &access)?;
        let chosen = match choice {
            Some(choice) => stream.chosen(&input.files, &access, choice)?,
            None => (0..stream.len()).collect(),
        };
        for place in chosen.into_iter().filter(|&place| !stream.is_blank(place)) {
            let document = stream.document(&input.files, &access, place)?;
            let selector = match &selector {
                Some(known) => known,
                None => &*selector.insert(Selector::parse(&arguments.path)?),
            };
            let values = many::select(&document, selector, false)?;
            let values = values.iter().filter_map(|place| place.value);
            found.extend(values.map(|value| ShownValue::of(document.forest(), value, arguments.reach.tags)));
        }
    }
    if found.is_empty() {
        return Err(Stop::Absent(issues::nothing_at(&arguments.path)));
    }
    // One document that was chosen and one place in it is one value, not a list of one.
    let one = Selector::parse(&arguments.path)?.is_plain() && matches!(choice, Some(Choice::Position(_)));
    match (arguments.render_as, &found[..]) {
        (form, [value]) if one && inputs.len() == 1 => value.show(form)?,
        (Form::S, values) => values.iter().try_for_each(|value| value.show(Form::S))?,
        (Form::Json, values) => {
            ShownValue::warn(&values.iter().collect::<Vec<_>>());
            show(&Data::List(values.iter().map(|value| value.data.clone()).collect()), Form::Json)?;
        }
        (Form::Yaml, values) => {
            let item = |value: &ShownValue| value.tagged.as_ref().unwrap_or(&value.spelled).clone();
            let items = values.iter().map(item).collect();
            show_spelled(&SpelledValue { content: Content::List(items), ..SpelledValue::default() })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show_at(input: &Input, arguments: &GetArguments) -> Result<(), Stop> {
    let web = arguments.reach.web();
    let access = access(input, &arguments.reach, &web)?;
    let document = Stream::open(&input.files, &input.path, &access)?.document(&input.files, &access, 0)?;
    let value = document.at(&arguments.path)?;
    Ok(ShownValue::of(document.forest(), value, arguments.reach.tags).show(arguments.render_as)?)
}

/// A value that was found, to be shown in any form.
struct ShownValue {
    data: Data,
    /// Its numbers are as they are spelled.
    spelled: SpelledValue<'static>,
    /// The same with its tags, if it has some.
    tagged: Option<SpelledValue<'static>>,
    /// The first tag that its data lack, and where that stands.
    lost: Option<(String, Option<Place>)>,
}

impl ShownValue {
    fn of(forest: &Forest, value: Val, tags: bool) -> Self {
        let data = if tags { forest.tagged_data(value) } else { forest.data(value) };
        let first = forest.first_tag(value);
        let tagged = first.is_some().then(|| forest.with_spelled_numbers(value, true).into_owned());
        let spelled = forest.with_spelled_numbers(value, tags).into_owned();
        Self { data, spelled, tagged, lost: first.filter(|_| !tags) }
    }

    /// Says once that tags are lost in JSON.
    fn warn(values: &[&Self]) {
        if let Some((tag, place)) = values.iter().find_map(|value| value.lost.as_ref()) {
            let place = place.as_ref().map(place_text);
            warning_line(&issues::json_without_tag(tag, place.as_deref()));
        }
    }

    fn show(&self, form: Form) -> Result<(), Failure> {
        match (form, &self.spelled.content) {
            (Form::Json, _) => {
                Self::warn(&[self]);
                show(&self.data, form)
            }
            (Form::Yaml, _) if self.tagged.is_some() => self.tagged.as_ref().map_or(Ok(()), show_spelled),
            (Form::S, Content::Words(words)) => print(words),
            (Form::S, Content::Scalar(..)) => show(&self.data, form),
            (Form::Yaml, Content::Scalar(..)) if self.spelled.tag.is_none() => show(&self.data, form),
            _ => show_spelled(&self.spelled),
        }
    }
}

fn show_plainly(found: &plain::Found, form: Form) -> Result<(), Failure> {
    match (form, &found.spelled.content) {
        (Form::S, Content::Words(words)) => print(words),
        (Form::Yaml, _) => show_spelled(&found.spelled),
        _ => show(&found.data, form),
    }
}

fn show_spelled(value: &SpelledValue) -> Result<(), Failure> {
    print(&spelled_document(value, &Layout::default()).trim_end_matches('\n'))
}

fn is_no_such_place(error: &Error) -> bool {
    matches!(error.code, "DIRECTIVE_NO_SUCH_PLACE" | "YAML_NO_SUCH_PLACE")
}
