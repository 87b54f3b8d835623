//! Streams as wholes: which document of one belongs to which of another, and how one becomes the other.

use std::collections::{HashMap, HashSet};

use hierarch_compose::{Access, Stream};
use hierarch_yaml::{Data, Layout, Scalar, document, scalar_text};

use super::Stop;
use super::input::Input;
use super::wish::Whole;
use crate::cli::issues;

/// What names a document of a Kubernetes-like stream: its kind and its names.
pub(super) type Name = Vec<String>;

/// Pairs the documents of two streams: by kind and name where all have a kind, else by position.
pub(super) fn pairs(old: &[&Data], new: &[&Data]) -> Vec<(Option<usize>, Option<usize>)> {
    let (Some(olds), Some(news)) = (names(old), names(new)) else {
        let longest = old.len().max(new.len());
        let side = |place: usize, count: usize| (place < count).then_some(place);
        return (0..longest).map(|place| (side(place, old.len()), side(place, new.len()))).collect();
    };
    let places = |names: &[Name]| -> HashMap<Name, usize> {
        names.iter().cloned().enumerate().map(|(place, name)| (name, place)).collect()
    };
    let (in_old, in_new) = (places(&olds), places(&news));
    let known = olds.iter().enumerate().map(|(place, name)| (Some(place), in_new.get(name).copied()));
    let added = news.iter().enumerate().filter(|(_, name)| !in_old.contains_key(*name));
    known.chain(added.map(|(place, _)| (None, Some(place)))).collect()
}

/// The names of documents, if all have a kind and no two are the same.
pub(super) fn names(documents: &[&Data]) -> Option<Vec<Name>> {
    let names = documents.iter().map(|document| name(document)).collect::<Option<Vec<_>>>()?;
    let distinct: HashSet<&Name> = names.iter().collect();
    (distinct.len() == names.len()).then_some(names)
}

/// The entries at the top of a document that say what it is called.
pub(super) const NAMING: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The name of a document that has a kind; what it does not say is empty.
pub(super) fn name(document: &Data) -> Option<Name> {
    let text = |path: &[&str]| {
        let found = path.iter().try_fold(document, |data, key| data.get(key));
        match found {
            Some(Data::Scalar(scalar)) if *scalar != Scalar::Null => scalar_text(scalar),
            _ => String::new(),
        }
    };
    document.get("kind")?;
    Some(vec![
        text(&["apiVersion"]),
        text(&["kind"]),
        text(&["metadata", "namespace"]),
        text(&["metadata", "name"]),
    ])
}

/// Makes a stream expand to other documents: those that are gone go, new ones follow behind a separator.
pub(super) fn updated(
    (input, stream): (&Input, &Stream),
    access: &Access,
    whole: &Whole,
) -> Result<String, Stop> {
    let mut documents = Vec::new();
    for place in 0..stream.len() {
        documents.push(stream.document(&input.files, access, place)?);
    }
    let old: Vec<Data> = documents.iter().map(|document| document.data()).collect();
    let new = whole.documents();
    let mut changed = Vec::new();
    let mut added = String::new();
    for (before, after) in pairs(&old.iter().collect::<Vec<_>>(), &new) {
        match (before, after) {
            (Some(place), Some(after)) => {
                let wanted = documents[place].grow(new[after])?;
                changed.push((place, whole.saved(after, &mut documents[place], wanted)?));
            }
            (Some(place), None) => changed.push((place, String::new())),
            (None, Some(after)) => {
                let text = format!("---\n{}", document(new[after], &Layout::default()));
                added.push_str(&whole.dressed(after, text, 0)?);
            }
            (None, None) => {}
        }
    }
    if changed.iter().all(|(_, text)| text.is_empty()) && added.is_empty() {
        return Err(issues::nothing_left_of_stream().into());
    }
    let mut text = stream.with(&changed);
    if !added.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text + &added)
}
