//! Changes of documents: everything is written, or nothing.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use hierarch_compose::{Access, Document, Edit, Location, Val};
use hierarch_source::{DiskFiles, Files, MemoryFiles, NotReplaced, Replacement, Source};
use hierarch_yaml::{Data, Dialect, Limits, read};

use super::super::failure::Failure;
use super::super::report::print;
use super::{
    DeleteArguments, Outcome, Reach, RenameArguments, SetArguments, Stop, UpdateArguments, WriteArguments,
    access, blank, plain,
};

/// What shall change.
enum Wish {
    /// The document shall expand to this.
    Whole(Data),
    /// These edits at these places, one after the other.
    Places(Vec<(String, Edit)>),
}

pub(super) fn update(arguments: &UpdateArguments) -> Outcome {
    let wanted = data(&new_data(&arguments.to)?)?;
    change(&arguments.file, &arguments.reach, &arguments.write, Wish::Whole(wanted))
}

pub(super) fn set(arguments: &SetArguments, edit: fn(Data) -> Edit) -> Outcome {
    let mut edits = Vec::new();
    for (path, value) in pairs(&arguments.edits, "every PATH needs a VALUE")? {
        edits.push((path, edit(data(&Source::new("the new value", value))?)));
    }
    change(&arguments.file, &arguments.reach, &arguments.write, Wish::Places(edits))
}

pub(super) fn rename(arguments: &RenameArguments) -> Outcome {
    let edits = pairs(&arguments.edits, "every PATH needs a KEY")?;
    let edits = edits.into_iter().map(|(path, key)| (path, Edit::Rename(key))).collect();
    change(&arguments.file, &arguments.reach, &arguments.write, Wish::Places(edits))
}

pub(super) fn delete(arguments: &DeleteArguments) -> Outcome {
    let edits = arguments.paths.iter().map(|path| (path.clone(), Edit::Delete)).collect();
    change(&arguments.file, &arguments.reach, &arguments.write, Wish::Places(edits))
}

fn pairs(words: &[String], odd: &str) -> Result<Vec<(String, String)>, Failure> {
    if words.len().is_multiple_of(2) {
        Ok(words.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect())
    } else {
        Err(Failure::new(odd))
    }
}

/// Reads a text as the one value it is.
fn data(source: &Arc<Source>) -> Result<Data, Stop> {
    let tree = read(source, Dialect::Core, Limits::default())?;
    let value = tree.root().map(|root| tree.data(root, Limits::default())).transpose()?;
    Ok(value.unwrap_or(Data::NULL))
}

fn new_data(path: &Path) -> Result<Arc<Source>, Stop> {
    let failed = |error: io::Error| Failure::io("read", path, &error);
    if path != Path::new("-") {
        let bytes = std::fs::read(path).map_err(failed)?;
        return Ok(Source::from_bytes(path.display().to_string(), bytes)?);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).map_err(failed)?;
    Ok(Source::from_bytes("standard input", bytes)?)
}

fn change(file: &Path, reach: &Reach, write: &WriteArguments, wish: Wish) -> Outcome {
    if write.plain.document.is_none()
        && let Some(old) = blank::text(file)
    {
        let new = blank::filled(file, &old, &wished_of_nothing(wish)?, write.plain.plain)?;
        return write_all(&BTreeMap::from([(file.to_owned(), (old, new))]), write.dry_run);
    }
    if write.plain.plain {
        let old = plain::text(file)?;
        let edits = match wish {
            Wish::Whole(data) => vec![(String::new(), Edit::Set(data))],
            Wish::Places(edits) => edits,
        };
        let new = plain::edited(file, &write.plain, &old, edits)?;
        return write_all(&BTreeMap::from([(file.to_owned(), (old, new))]), write.dry_run);
    }
    let web = reach.web();
    let access = access(file, reach, &web)?;
    let mut document = Document::open(&DiskFiles, file, &access)?;
    let changed = if write.into {
        define_all(file, &access, &mut document, wish)?
    } else {
        let edited = edited_value(&mut document, wish)?;
        let text = document.save(edited)?;
        BTreeMap::from([(file.to_owned(), (document.text().to_owned(), text))])
    };
    write_all(&changed, write.dry_run)
}

/// What a wish makes of an empty map.
fn wished_of_nothing(wish: Wish) -> Result<Data, Stop> {
    let (name, access) = ("empty", Access::default());
    let files = MemoryFiles::from([(name, "{}")]);
    let mut document = Document::open(&files, Path::new(name), &access)?;
    let edited = edited_value(&mut document, wish)?;
    Ok(document.forest().data(edited))
}

fn edited_value(document: &mut Document, wish: Wish) -> Result<Val, Stop> {
    match wish {
        Wish::Whole(data) => Ok(document.grow(&data)?),
        Wish::Places(places) => {
            let mut edited = document.value();
            for (path, edit) in places {
                edited = document.with(&path, edit)?;
                document.edit_further(edited);
            }
            Ok(edited)
        }
    }
}

/// Old and new text by file.
type Changed = BTreeMap<PathBuf, (String, String)>;

/// Makes the edits where the values are defined, one after the other, each on what the one before left.
fn define_all(file: &Path, access: &Access, document: &mut Document, wish: Wish) -> Result<Changed, Stop> {
    let places = match wish {
        Wish::Places(places) => places,
        Wish::Whole(data) => differences(document, &data)?,
    };
    let mut overlay = Overlay::default();
    let mut changed = Changed::new();
    for (path, edit) in places {
        let mut current = Document::open(&overlay, file, access)?;
        let (location, text) = current.define(&path, edit.clone())?;
        let Location::File(target) = location else {
            return Err(Failure::new(format!("{path} comes from a URL and cannot be changed there")).into());
        };
        let wanted = current.with(&path, edit)?;
        let wanted = part_around(&current, wanted, &path)?;
        drop(current);
        let before = overlay.read(&target).map_err(|error| Failure::io("read", &target, &error))?;
        let before = String::from_utf8_lossy(&before).into_owned();
        changed.entry(target.clone()).or_insert((before, String::new())).1.clone_from(&text);
        overlay.texts.insert(target, text);
        let mut again = Document::open(&overlay, file, access)?;
        let found = part_around(&again, again.value(), &path)?;
        let (found, wanted) = (again.grow(&found)?, again.grow(&wanted)?);
        if !again.forest().same(found, wanted) {
            let text = format!("{path} cannot be changed where it is defined: something else hides it");
            return Err(Failure::new(text).into());
        }
    }
    Ok(changed)
}

/// The collection in which a place lies: an edit there must show in it.
fn part_around(document: &Document, value: Val, path: &str) -> Result<Data, Stop> {
    let around = path.rsplit_once('/').map_or("", |(around, _)| around);
    Ok(document.forest().data(document.within(value, around)?))
}

fn differences(document: &mut Document, wanted: &Data) -> Result<Vec<(String, Edit)>, Stop> {
    let wanted = document.grow(wanted)?;
    let forest = document.forest();
    let found = forest.differences(document.value(), wanted);
    let edit = |new: Option<Val>| new.map_or(Edit::Delete, |new| Edit::Set(forest.data(new)));
    Ok(found.into_iter().map(|difference| (difference.path, edit(difference.new))).collect())
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
        let failed = |error| Failure::io("write", file, &error);
        let replacement = Replacement::prepare(file, new.as_bytes()).map_err(failed)?;
        if !replacement.is_current(old.as_bytes()).map_err(failed)? {
            return Err(changed_meanwhile(file).into());
        }
        prepared.push((file, old, new, replacement));
    }
    let mut written: Vec<(&PathBuf, &String, &String)> = Vec::new();
    for (file, old, new, replacement) in prepared {
        if let Err(error) = replacement.commit(old.as_bytes()) {
            take_back(&written);
            return Err(match error {
                NotReplaced::Changed => changed_meanwhile(file),
                NotReplaced::Failed(error) => Failure::io("write", file, &error),
            }
            .into());
        }
        written.push((file, old, new));
    }
    Ok(ExitCode::SUCCESS)
}

fn changed_meanwhile(file: &Path) -> Failure {
    let file = file.display();
    Failure::new(format!("{file} was changed by someone else since it was read; nothing was written"))
}

/// Gives files their old content back, where nobody else has changed them yet.
fn take_back(written: &[(&PathBuf, &String, &String)]) {
    for (file, old, new) in written {
        // There is nobody left to tell: the failure that led here is reported.
        let _ = hierarch_source::replace_file(file, new.as_bytes(), old.as_bytes());
    }
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
