//! `hierarch yaml diff`: how what two documents expand to differs, in data and in words.

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;

use hierarch_compose::{Access, Document, Forest, SpellingDifference, Stream, Val, spelling_differences};
use hierarch_yaml::{Content, Data, Layout, Scalar, SpelledValue, json, line, shortened, spelled_document};
use serde_json::{Value as Json, json as object};

use super::super::failure::Failure;
use super::super::report::{NO_MATCH, print};
use super::input::Input;
use super::{DiffArguments, Form, Outcome, Stop, access, stream};

pub(super) fn diff(arguments: &DiffArguments) -> Outcome {
    let web = arguments.reach.web();
    let open = |path: &Path| Input::new(path, &arguments.reach);
    let (old_input, new_input) = (open(&arguments.old)?, open(&arguments.new)?);
    let reach = |input| {
        access(input, &arguments.reach, &web).map(|mut access| {
            // Tags are compared, and nothing is opened for that.
            access.reading.tags = true;
            access
        })
    };
    let (old_access, new_access) = (reach(&old_input)?, reach(&new_input)?);
    let (old, new) = (sides(&old_input, &old_access)?, sides(&new_input, &new_access)?);
    let is_stream = old.len() > 1 || new.len() > 1;
    let data = |sides: &[Side]| sides.iter().map(|side| side.data.clone()).collect::<Vec<_>>();
    let (olds, news) = (data(&old), data(&new));
    let mut found = Vec::new();
    for (before, after) in stream::pairs(&olds.iter().collect::<Vec<_>>(), &news.iter().collect::<Vec<_>>()) {
        let number = before.or(after).unwrap_or(0);
        let prefix = if is_stream { format!("[{number}]") } else { String::new() };
        let sides = (before.map(|place| &old[place]), after.map(|place| &new[place]));
        found.extend(differences(sides)?.into_iter().map(|change| change.below(&prefix)));
    }
    show(&found, arguments.render_as)?;
    Ok(if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NO_MATCH) })
}

/// A document that is compared.
struct Side<'a> {
    document: Document<'a>,
    data: Data,
}

impl Side<'_> {
    /// What is at a path, as it is spelled.
    fn words(&self, path: &str) -> Option<String> {
        let value = self.document.at(path).ok()?;
        Some(self.document.forest().line(value))
    }
}

fn sides<'a>(input: &'a Input, access: &'a Access<'a>) -> Result<Vec<Side<'a>>, Stop> {
    let stream = Stream::open(&input.files, &input.path, access)?;
    let side = |place| {
        let document = stream.document(&input.files, access, place)?;
        Ok(Side { data: document.data(), document })
    };
    (0..stream.len()).map(side).collect()
}

/// A value that one side has and the other does not.
struct OneSide {
    data: Data,
    /// The value in one line, as it is spelled.
    words: String,
}

/// What differs at a path.
enum Change {
    /// What was there, and what is.
    Value(String, Option<OneSide>, Option<OneSide>),
    /// The same value in other words.
    Spelling(SpellingDifference),
}

impl Change {
    fn path(&self) -> &str {
        match self {
            Self::Value(path, ..) => path,
            Self::Spelling(own) => &own.path,
        }
    }

    /// The same change in a document of a stream.
    fn below(self, prefix: &str) -> Self {
        match self {
            Self::Value(path, old, new) => Self::Value(format!("{prefix}{path}"), old, new),
            Self::Spelling(own) => {
                Self::Spelling(SpellingDifference { path: format!("{prefix}{}", own.path), ..own })
            }
        }
    }

    fn text(&self) -> String {
        let short = |side: &OneSide| shortened(side.words.clone());
        match self {
            Self::Value(path, Some(old), Some(new)) => {
                // What differs behind the end of a short text is shown whole.
                if short(old) == short(new) {
                    format!("~ {path}: {} -> {}", json(&old.data, false), json(&new.data, false))
                } else {
                    format!("~ {path}: {} -> {}", short(old), short(new))
                }
            }
            Self::Value(path, Some(old), None) => format!("- {path}: {}", short(old)),
            Self::Value(path, None, new) => {
                format!("+ {path}: {}", new.as_ref().map_or("null".into(), short))
            }
            Self::Spelling(own) => format!("~ {}: {} -> {}", own.path, own.old, own.new),
        }
    }

    /// The change as YAML, in which values are as they are spelled.
    fn spelled(&self) -> SpelledValue<'_> {
        let words = |words: &str| SpelledValue {
            content: Content::Words(words.to_owned().into()),
            ..SpelledValue::default()
        };
        let text = |text: &str| SpelledValue {
            content: Content::Scalar(Scalar::Str(text.to_owned().into()), None),
            ..SpelledValue::default()
        };
        let mut entries = vec![(text("path"), text(self.path()))];
        match self {
            Self::Value(_, old, new) => {
                let sides = [("old", old), ("new", new)];
                let sides = sides.into_iter().filter_map(|(name, side)| Some((name, &side.as_ref()?.words)));
                entries.extend(sides.map(|(name, side)| (text(name), words(side))));
            }
            Self::Spelling(own) => {
                entries.extend([(text("old"), words(&own.old)), (text("new"), words(&own.new))]);
            }
        }
        SpelledValue { content: Content::Map(entries), ..SpelledValue::default() }
    }

    fn json(&self) -> Json {
        let as_json = |data: &Data| -> Json { serde_json::from_str(&json(data, false)).unwrap_or_default() };
        match self {
            Self::Value(path, old, new) => {
                let mut entry = object!({"path": path});
                for (side, value) in [("old", old), ("new", new)] {
                    let Some(value) = value else { continue };
                    entry[side] = as_json(&value.data);
                    // Tags and spellings, which JSON does not have.
                    if value.words != line(&value.data) {
                        entry[format!("{side}_spelling")] = object!(value.words);
                    }
                }
                entry
            }
            Self::Spelling(own) => {
                object!({"path": own.path, "old_spelling": own.old, "new_spelling": own.new})
            }
        }
    }
}

fn differences((old, new): (Option<&Side>, Option<&Side>)) -> Result<Vec<Change>, Stop> {
    let one = |side: Option<&Side>, path: &str, data: Option<Data>| {
        let (side, data) = (side?, data?);
        Some(OneSide { words: side.words(path).unwrap_or_else(|| line(&data)), data })
    };
    let (Some(before), Some(after)) = (old, new) else {
        let whole = |side: Option<&Side>| one(side, "", side.map(|side| side.data.clone()));
        return Ok(vec![Change::Value(String::new(), whole(old), whole(new))]);
    };
    let mut forest = Forest::roomy();
    let (a, b) = (forest.grow(&before.data)?, forest.grow(&after.data)?);
    let data = |value: Option<Val>| value.map(|value| forest.data(value));
    let found = forest.differences(a, b).into_iter();
    let mut changes: Vec<Change> = found
        .map(|found| {
            let (a, b) = (one(old, &found.path, data(found.old)), one(new, &found.path, data(found.new)));
            Change::Value(found.path, a, b)
        })
        .collect();
    let (before, after) = (&before.document, &after.document);
    let spelled = spelling_differences((before.forest(), before.value()), (after.forest(), after.value()));
    // Values that differ are told in their words already.
    let told: HashSet<String> = changes.iter().map(|change| change.path().to_owned()).collect();
    changes.extend(spelled.into_iter().filter(|own| !told.contains(&own.path)).map(Change::Spelling));
    Ok(changes)
}

fn show(found: &[Change], form: Form) -> Result<(), Failure> {
    match form {
        Form::Json => print(&Json::Array(found.iter().map(Change::json).collect())),
        Form::Yaml => {
            let all = found.iter().map(Change::spelled).collect();
            let list = SpelledValue { content: Content::List(all), ..SpelledValue::default() };
            print(&spelled_document(&list, &Layout::default()).trim_end_matches('\n'))
        }
        Form::S => found.iter().try_for_each(|change| print(&change.text())),
    }
}
