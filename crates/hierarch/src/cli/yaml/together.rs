//! Files that are changed at once and include each other: each is to say what its own edit asks for, whatever becomes of
//! the others.

use std::sync::Arc;

use hierarch_compose::{Access, Stream};
use hierarch_source::{Files, Overlay, Result};
use hierarch_yaml::Data;

use super::super::saving::ChangedFiles;
use super::input::Input;
use super::{Reach, Stop, access};

/// So often files are planned anew over what became of the others; includes lead in no circle, so that each round
/// settles one more file on the way.
const MOST_ROUNDS: usize = 20;

/// Plans those files anew that say something else over the new texts of the others than over the old ones.
pub(super) fn settle(
    inputs: &[Input],
    reach: &Reach,
    changed: &mut ChangedFiles,
) -> std::result::Result<(), Stop> {
    if !changed.values().any(|(_, new)| has_include(new)) {
        return Ok(());
    }
    let is_changed =
        |input: &&Input| changed.get(&input.path).is_some_and(|(old, new)| old.as_ref() != Some(new));
    let touched: Vec<&Input> = inputs.iter().filter(is_changed).collect();
    let including: Vec<&Input> = touched.iter().copied().filter(|input| includes(changed, input)).collect();
    if touched.len() < 2 || including.is_empty() {
        return Ok(());
    }
    let web = reach.web();
    let mut wanted = Vec::new();
    for input in including {
        let mut access = access(input, reach, &web)?;
        access.reading.tags = true;
        let said = said(&over(input, changed, &[input]), input, &access)?;
        wanted.push((input, access, said));
    }
    // Every round starts from the texts that were planned, so that the order of the files does not matter.
    let planned = changed.clone();
    for _ in 0..MOST_ROUNDS {
        let mut next = planned.clone();
        let all: Arc<dyn Files> = Arc::new(over(touched[0], changed, &touched));
        for (input, access, wanted) in &wanted {
            let mut files = Overlay::new(Arc::clone(&all));
            lay(&mut files, input, &planned);
            if said(&files, input, access)?.iter().zip(wanted).all(|(now, wanted)| now.means(wanted)) {
                continue;
            }
            let new = saved(&files, input, access, wanted)?;
            if let Some((_, text)) = next.get_mut(&input.path) {
                *text = new;
            }
        }
        if next == *changed {
            break;
        }
        *changed = next;
    }
    Ok(())
}

fn includes(changed: &ChangedFiles, input: &Input) -> bool {
    changed.get(&input.path).is_some_and(|(_, new)| has_include(new))
}

fn has_include(text: &str) -> bool {
    text.contains("+include") || text.contains("+?include")
}

/// The files of an input with some of the new texts in the place of the old ones.
fn over(input: &Input, changed: &ChangedFiles, new: &[&Input]) -> Overlay {
    let mut files = input.files.clone();
    new.iter().for_each(|input| lay(&mut files, input, changed));
    files
}

fn lay(files: &mut Overlay, input: &Input, changed: &ChangedFiles) {
    let Some((_, text)) = changed.get(&input.path) else { return };
    // Includes ask for files by the paths that they lead to.
    let resolved = std::fs::canonicalize(&input.path).unwrap_or_else(|_| input.path.clone());
    files.insert(&input.path, text.clone());
    files.insert(resolved, text.clone());
}

/// What the documents of a file say.
fn said(files: &Overlay, input: &Input, access: &Access) -> Result<Vec<Data>> {
    let stream = Stream::open(files, &input.path, access)?;
    let filled = (0..stream.len()).filter(|&place| !stream.is_blank(place));
    filled.map(|place| Ok(stream.document(files, access, place)?.data())).collect()
}

/// The text of a file whose documents say what is wanted.
fn saved(files: &Overlay, input: &Input, access: &Access, wanted: &[Data]) -> Result<String> {
    let stream = Stream::open(files, &input.path, access)?;
    let filled: Vec<usize> = (0..stream.len()).filter(|&place| !stream.is_blank(place)).collect();
    let mut changed = Vec::new();
    for (place, wanted) in filled.into_iter().zip(wanted) {
        let mut document = stream.document(files, access, place)?;
        let wanted = document.grow(wanted)?;
        let wanted = document.as_written(wanted)?;
        changed.push((place, document.save(wanted)?));
    }
    Ok(stream.with(&changed))
}
