//! Changes of documents: everything is written, or nothing.

use std::cell::Cell;
use std::path::Path;
use std::process::ExitCode;

use hierarch_compose::{Access, Choice, Definition, Document, Edit, Stream, Val, define_all};
use hierarch_source::MemoryFiles;
use hierarch_yaml::Data;
use rayon::prelude::*;

use super::super::foreign::{Notation, not_written};
use super::super::issues;
use super::super::report::{NO_MATCH, note, print};
use super::super::saving::{self, ChangedFiles, Retry, Shown};
use super::input::Input;
use super::many::Adding;
use super::wish::{Place, Wish, saved_places};
use super::{
    DeleteArguments, Outcome, Reach, RenameArguments, SetArguments, Stop, UpdateArguments, WriteArguments,
    access, as_json, blank, into, many, patterns, plain, stream, together,
};

pub(super) fn update(arguments: &UpdateArguments) -> Outcome {
    let wish = Wish::whole(&arguments.to, &arguments.reach)?;
    change(&arguments.file, &arguments.reach, &arguments.write, &wish)
}

pub(super) fn set(arguments: &SetArguments, edit: fn(Data) -> Edit) -> Outcome {
    let wish = Wish::set(arguments, edit)?;
    change(&arguments.file, &arguments.reach, &arguments.write, &wish)
}

pub(super) fn rename(arguments: &RenameArguments) -> Outcome {
    let wish = Wish::rename(arguments)?;
    change(&arguments.file, &arguments.reach, &arguments.write, &wish)
}

pub(super) fn delete(arguments: &DeleteArguments) -> Outcome {
    change(&arguments.file, &arguments.reach, &arguments.write, &Wish::delete(arguments))
}

/// Makes the edits, and says what helps where a place is not there, which is an answer of its own.
fn change(file: &Path, reach: &Reach, write: &WriteArguments, wish: &Wish) -> Outcome {
    changed(file, reach, write, wish).map_err(|stop| match stop {
        Stop::Problem(error) if many::is_missing(&error) && wish.is_beyond_a_list() => {
            Stop::Absent(error.note(issues::lists_grow_at_their_end()))
        }
        // What stands in the way, or is meant, is said already.
        Stop::Problem(error)
            if many::is_missing(&error) && error.notes.is_empty() && wish.lacks_parents() =>
        {
            Stop::Absent(error.note(issues::parents_are_made()))
        }
        Stop::Problem(error) if many::is_missing(&error) || error.code == "DIRECTIVE_NO_SUCH_DOCUMENT" => {
            Stop::Absent(error)
        }
        other => other,
    })
}

fn changed(file: &Path, reach: &Reach, write: &WriteArguments, wish: &Wish) -> Outcome {
    let inputs = patterns::inputs(file, &write.also, reach)?;
    for input in &inputs {
        let (name, notation) = (input.path.display().to_string(), input.notation());
        if notation != Notation::Yaml {
            return Err(not_written(&name, notation).into());
        }
    }
    let several = inputs.len() > 1;
    let plan = || {
        let plan = planned_all(&inputs, reach, write, wish)?;
        as_json::check(&plan.changed, wish)?;
        Ok::<_, Stop>(plan)
    };
    if write.diff || write.check || (write.dry_run && several) {
        let plan = plan()?;
        let shown = shown(&plan, reach, write)?;
        tell_users(plan.users);
        return Ok(shown);
    }
    if write.dry_run || inputs.iter().any(|input| !input.has_file) {
        let plan = plan()?;
        let shown = saving::show(&plan.changed)?;
        tell_users(plan.users);
        return Ok(shown);
    }
    let again = if wish.names_places() { Retry::Yes } else { Retry::No };
    let seen = Cell::new((0, Vec::new()));
    saving::write(again, || {
        let plan = plan()?;
        seen.set((plan.users, plan.places));
        Ok(plan.changed)
    })?;
    let (users, places) = seen.take();
    if places.len() > 1 {
        places.iter().try_for_each(print)?;
    }
    tell_users(users);
    Ok(ExitCode::SUCCESS)
}

/// Says that some places keep the old value.
fn tell_users(users: usize) {
    if users > 0 {
        note(&issues::users_keep(users));
    }
}

/// Shows what would change, file by file, and for `--check` says whether anything would.
fn shown(plan: &Plan, reach: &Reach, write: &WriteArguments) -> Outcome {
    let here = reach.here().unwrap_or(Path::new(""));
    let form = if write.diff || write.dry_run { Shown::Differences } else { Shown::Names };
    let count = saving::show_changes(&plan.changed, here, form)?;
    Ok(if write.check && count > 0 { ExitCode::from(NO_MATCH) } else { ExitCode::SUCCESS })
}

/// New texts, the places that were edited, and how many keep the old value.
#[derive(Default)]
struct Plan {
    changed: ChangedFiles,
    places: Vec<String>,
    users: usize,
}

impl Plan {
    fn of_one(input: &Input, old: String, new: String) -> Self {
        Self { changed: ChangedFiles::from([(input.path.clone(), (Some(old), new))]), ..Self::default() }
    }
}

/// So many files are worth the threads that share them.
const MANY_FILES: usize = 64;

/// Plans all files before any is written.
fn planned_all(inputs: &[Input], reach: &Reach, write: &WriteArguments, wish: &Wish) -> Result<Plan, Stop> {
    if let [input] = inputs {
        return planned(input, reach, write, wish, None);
    }
    if write.into {
        let plan_one = |input: &Input| Ok(planned(input, reach, write, wish, None)?.changed);
        let changed = into::together(inputs, wish, plan_one)?;
        return Ok(Plan { changed, ..Plan::default() });
    }
    // A file that has the place is meant rather than one that could have it.
    let all = planned_each(inputs, reach, write, wish, Adding::IfToldSo)?;
    let is_found = !matches!(wish, Wish::Places(_)) || write.plain.plain || !all.places.is_empty();
    if is_found { Ok(all) } else { planned_each(inputs, reach, write, wish, Adding::Anywhere) }
}

fn planned_each(
    inputs: &[Input],
    reach: &Reach,
    write: &WriteArguments,
    wish: &Wish,
    adding: Adding,
) -> Result<Plan, Stop> {
    let mut all = Plan::default();
    let mut changed = Vec::with_capacity(inputs.len());
    let plan_one = |input: &Input| planned(input, reach, write, wish, Some(adding));
    let plans: Vec<Result<Plan, Stop>> = if inputs.len() < MANY_FILES {
        inputs.iter().map(plan_one).collect()
    } else {
        inputs.par_iter().map(plan_one).collect()
    };
    for plan in plans {
        let plan = plan?;
        changed.extend(plan.changed);
        all.places.extend(plan.places);
    }
    // Paths that come sorted are put in order in one go, instead of each being searched its place.
    all.changed = changed.into_iter().collect();
    if !write.plain.plain {
        together::settle(inputs, reach, &mut all.changed)?;
    }
    match wish {
        Wish::Places(places) if all.places.is_empty() && adding == Adding::Anywhere => {
            Err(many::nowhere(places).into())
        }
        _ => Ok(all),
    }
}

fn planned(
    input: &Input,
    reach: &Reach,
    write: &WriteArguments,
    wish: &Wish,
    adding: Option<Adding>,
) -> Result<Plan, Stop> {
    let several = adding.is_some();
    if write.plain.plain {
        return planned_plainly(input, write, wish);
    }
    let web = reach.web();
    let access = access(input, reach, &web).map(|mut access| {
        // What only a key could open stays as it is.
        access.reading.tags = true;
        access
    });
    // Opened before anything else, so that a document with content is read once.
    let open = |access: &Access| Stream::open(&input.files, &input.path, access);
    let stream = access.as_ref().ok().map(open);
    let has_content = matches!(&stream, Some(Ok(stream)) if !blank::is_blank(stream.text()));
    if !has_content
        && adding != Some(Adding::IfToldSo)
        && let Some(plan) = filled(input, write, wish)
    {
        return plan;
    }
    let access = access?;
    let choice = write.plain.choice()?;
    let stream = stream.unwrap_or_else(|| open(&access))?;
    if let Some(choice) = choice.as_ref().filter(|_| !several)
        && stream.chosen(&input.files, &access, choice)?.is_empty()
    {
        let wanted = write.plain.document.as_deref().unwrap_or("*");
        return Err(Stop::Absent(issues::no_document(&input.path, wanted)));
    }
    let simple = stream.len() == 1 && choice.is_none() && !several && wish.is_simple();
    if !simple && !write.into {
        let edited = match wish {
            Wish::Places(places) => {
                let adding = adding.unwrap_or(Adding::Anywhere);
                many::edited((input, &stream), &access, choice.as_ref(), places, adding)?
            }
            Wish::Whole(_) if choice.is_none() => return updated(input, &stream, &access, wish),
            Wish::Whole(whole) => many::replaced((input, &stream), &access, choice.as_ref(), whole)?,
        };
        if !several && edited.places.is_empty() {
            let Wish::Places(places) = wish else { return Err(many::nowhere(&[]).into()) };
            return Err(many::nowhere(places).into());
        }
        let plan = Plan::of_one(input, stream.text().to_owned(), edited.text);
        return Ok(Plan { places: edited.places, ..plan });
    }
    if write.into {
        let place = chosen_one(input, &stream, &access, choice.as_ref())?;
        let changed = defined((input, place), &stream, &access, wish)?;
        return Ok(Plan { changed, ..Plan::default() });
    }
    let mut document = stream.document(&input.files, &access, 0)?;
    let users = users(&document, wish);
    let text = match wish {
        Wish::Whole(whole) => {
            let edited = edited_value(&mut document, wish)?;
            whole.saved(0, &mut document, edited)?
        }
        Wish::Places(places) => {
            let (edited, pointers) = edited_places(&mut document, places)?;
            let places: Vec<_> = pointers.into_iter().zip(places).collect();
            saved_places(&mut document, edited, &places)?
        }
    };
    Ok(Plan { users, ..Plan::of_one(input, document.text().to_owned(), text) })
}

/// Plans the edit of a text whose directives are keys like others.
fn planned_plainly(input: &Input, write: &WriteArguments, wish: &Wish) -> Result<Plan, Stop> {
    if let Some(plan) = filled(input, write, wish) {
        return plan;
    }
    let old = plain::text(input)?;
    let new = plain::edited(&input.path, &write.plain, &old, wish)?;
    Ok(Plan::of_one(input, old, new))
}

/// Plans the edit of a file without content, if it is one.
fn filled(input: &Input, write: &WriteArguments, wish: &Wish) -> Option<Result<Plan, Stop>> {
    let old = if write.plain.document.is_none() { blank::text(input)? } else { return None };
    let new = wished_of_nothing(wish)
        .and_then(|wished| blank::filled(&input.path, &old, &wished, write.plain.plain))
        .and_then(|new| wish.dressed(new, 0));
    Some(new.map(|new| Plan::of_one(input, old, new)))
}

/// A stream that shall become another one.
fn updated(input: &Input, stream: &Stream, access: &Access, wish: &Wish) -> Result<Plan, Stop> {
    let Wish::Whole(whole) = wish else { return Ok(Plan::default()) };
    let filled = (0..stream.len()).filter(|&place| !stream.is_blank(place)).count();
    if filled > 1 && whole.documents().len() == 1 {
        return Err(issues::one_for_several(&input.path, filled).into());
    }
    let text = stream::updated((input, stream), access, whole)?;
    Ok(Plan::of_one(input, stream.text().to_owned(), text))
}

/// Counts the places that keep the value that is about to change.
fn users(document: &Document, wish: &Wish) -> usize {
    let Wish::Places(places) = wish else { return 0 };
    let changing = places.iter().filter(|place| matches!(place.edit, Edit::Set(_) | Edit::Delete));
    // Who uses a map as a whole lacks a new key of it.
    let users = |place: &Place| match document.at(&place.pointer) {
        Ok(_) => document.users_of(&place.pointer),
        Err(_) => document.holders_of(place.pointer.rsplit_once('/').map_or("", |(around, _)| around)),
    };
    changing.map(users).max().unwrap_or(0)
}

/// What a wish makes of an empty map.
fn wished_of_nothing(wish: &Wish) -> Result<Data, Stop> {
    let (name, access) = ("empty", Access::default());
    let files = MemoryFiles::from([(name, "{}")]);
    let mut document = Document::open(&files, Path::new(name), &access)?;
    let edited = edited_value(&mut document, wish)?;
    Ok(document.forest().data(edited))
}

fn edited_value(document: &mut Document, wish: &Wish) -> Result<Val, Stop> {
    match wish {
        Wish::Whole(whole) => {
            let data = whole.data(&document.data());
            Ok(document.grow(&data)?)
        }
        Wish::Places(places) => Ok(edited_places(document, places)?.0),
    }
}

/// Makes edits one after the other; returns what comes out, and where each new value is then.
fn edited_places(document: &mut Document, places: &[Place]) -> Result<(Val, Vec<String>), Stop> {
    let mut edited = document.value();
    let mut pointers = Vec::with_capacity(places.len());
    for place in places {
        let (pointer, edit) = place.edit(|pointer| Place::is_parent(document, pointer))?;
        edited = document.with(&pointer, edit)?;
        document.edit_further(edited);
        pointers.push(document.settled_pointer(&place.pointer));
    }
    Ok((edited, pointers))
}

/// Returns the place of the one document of a stream that is meant; nothing for a file with one.
fn chosen_one(
    input: &Input,
    stream: &Stream,
    access: &Access,
    choice: Option<&Choice>,
) -> Result<Option<usize>, Stop> {
    let Some(choice) = choice.filter(|_| stream.len() > 1) else { return Ok(None) };
    match stream.chosen(&input.files, access, choice)?[..] {
        [place] => Ok(Some(place)),
        ref several => Err(issues::into_one_document(&input.path, several.len()).into()),
    }
}

/// Makes the edits where the values are defined.
fn defined(
    (input, place): (&Input, Option<usize>),
    stream: &Stream,
    access: &Access,
    wish: &Wish,
) -> Result<ChangedFiles, Stop> {
    let mut document = match place {
        Some(place) => stream.document(&input.files, access, place)?,
        None => stream.document(&input.files, access, 0)?,
    };
    let edits: Vec<(String, Edit)> = match wish {
        Wish::Places(places) => {
            let mut definitions = Vec::new();
            for place in places {
                // Selectors are followed on what is expanded; then each place to where it is defined.
                let edits = if wish.is_simple() {
                    vec![place.edit(|pointer| Place::is_parent(&document, pointer))?]
                } else {
                    many::edits_in(&document, place)?
                };
                definitions.extend(edits.into_iter().map(|(pointer, edit)| place.definition(pointer, edit)));
            }
            let texts = define_all(&input.files, (&input.path, place), access, definitions)?;
            return Ok(texts.into_iter().map(|(path, text)| (path, (Some(text.old), text.new))).collect());
        }
        Wish::Whole(whole) => {
            let data = whole.data(&document.data());
            differences(&mut document, &data)?
        }
    };
    let edits = edits.into_iter().map(|(pointer, edit)| Definition { pointer, edit, given: None });
    let texts = define_all(&input.files, (&input.path, place), access, edits)?;
    Ok(texts.into_iter().map(|(path, text)| (path, (Some(text.old), text.new))).collect())
}

fn differences(document: &mut Document, wanted: &Data) -> Result<Vec<(String, Edit)>, Stop> {
    let wanted = document.grow(wanted)?;
    let forest = document.forest();
    let found = forest.differences(document.value(), wanted);
    let edit = |new: Option<Val>| new.map_or(Edit::Delete, |new| Edit::Set(forest.data(new)));
    Ok(found.into_iter().map(|difference| (difference.path, edit(difference.new))).collect())
}
