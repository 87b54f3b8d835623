//! A control repository as one object: packed on one machine, read from memory on others.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_source::{Files, Result};

use crate::issues;
use crate::objects::{Objects, address};

/// The files of a control repository, in memory. Its paths are those that it was packed from, so that messages and catalogs
/// name the same files everywhere.
#[derive(Debug)]
pub struct Tree {
    id: String,
    root: PathBuf,
    files: BTreeMap<String, Arc<[u8]>>,
    entries: HashMap<PathBuf, Entry>,
}

/// What stands at a path, with an id that changes when it does.
#[derive(Debug)]
enum Entry {
    File(Arc<[u8]>, String),
    Folder(Vec<String>, String),
}

/// Folders that do not belong to a control repository.
const LEFT_OUT: [&str; 2] = [".git", ".hierarch"];
/// As deep as folders may lie in one another.
const DEEPEST: usize = 64;
/// The name in the archive that the root's path stands under.
const ROOT: &str = ".hierarch-root";
/// How hard to compress: a tree is packed once and read often.
const LEVEL: i32 = 6;

impl Tree {
    /// Reads a folder with all that is below it; links are followed.
    pub fn read(files: &dyn Files, root: &Path, most: u64) -> Result<Self> {
        let mut found = BTreeMap::new();
        let mut left = most;
        collect(files, (root, String::new()), &mut found, &mut left)
            .map_err(|error| error.unwrap_or_else(|| issues::too_large(&root.display().to_string(), most)))?;
        Ok(Self::new(root.to_owned(), found))
    }

    fn new(root: PathBuf, files: BTreeMap<String, Arc<[u8]>>) -> Self {
        let ids: BTreeMap<&str, String> =
            files.iter().map(|(path, bytes)| (path.as_str(), address([&**bytes]))).collect();
        let shown = root.display().to_string();
        let parts = ids.iter().flat_map(|(path, id)| [path.as_bytes(), id.as_bytes()]);
        let id = address([shown.as_bytes()].into_iter().chain(parts));
        let mut entries = HashMap::new();
        let mut folders: BTreeMap<PathBuf, Vec<String>> = BTreeMap::from([(root.clone(), Vec::new())]);
        for (path, bytes) in &files {
            let whole = root.join(path);
            add_to_folders(&whole, &root, &mut folders);
            let id = ids.get(path.as_str()).cloned().unwrap_or_default();
            entries.insert(whole, Entry::File(Arc::clone(bytes), id));
        }
        for (path, mut names) in folders {
            names.sort();
            names.dedup();
            let id = address(names.iter().map(|name| name.as_bytes()));
            entries.insert(path, Entry::Folder(names, id));
        }
        Self { id, root, files, entries }
    }

    /// Returns its id: equal ids, equal content.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the folder that it stands for.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the name of its object.
    pub fn name(id: &str) -> String {
        format!("trees/{id}.tar.zst")
    }

    /// Puts it into an object store, unless it is there.
    pub fn store(&self, objects: &dyn Objects) -> Result<()> {
        let name = Self::name(&self.id);
        if objects.has(&name)? {
            return Ok(());
        }
        let packed = self.packed().map_err(|error| issues::damaged(&name, &error.to_string()))?;
        objects.put(&name, &packed)
    }

    fn packed(&self) -> io::Result<Vec<u8>> {
        let mut archive = tar::Builder::new(zstd::Encoder::new(Vec::new(), LEVEL)?);
        let root = self.root.display().to_string();
        let own = [(ROOT, root.as_bytes())].into_iter();
        for (path, bytes) in own.chain(self.files.iter().map(|(path, bytes)| (path.as_str(), &**bytes))) {
            // Without times and owners, equal trees make equal archives.
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, path, bytes)?;
        }
        archive.into_inner()?.finish()
    }

    /// Fetches a tree from an object store, and checks that it is whole.
    pub fn fetch(objects: &dyn Objects, id: &str, most: u64) -> Result<Self> {
        let name = Self::name(id);
        let bytes = objects.get(&name)?.ok_or_else(|| issues::no_object(&name))?;
        let tree =
            Self::unpacked(&bytes, most).map_err(|error| issues::damaged(&name, &error.to_string()))?;
        if tree.id == id { Ok(tree) } else { Err(issues::damaged(&name, "its content has another id")) }
    }

    fn unpacked(bytes: &[u8], most: u64) -> io::Result<Self> {
        // Headers and padding are up to a kilobyte for each file.
        let whole = most.saturating_mul(4).saturating_add(64 << 20);
        let mut archive = tar::Archive::new(zstd::Decoder::new(bytes)?.take(whole));
        let (mut files, mut root, mut left) = (BTreeMap::new(), PathBuf::new(), most);
        for entry in archive.entries()? {
            let mut entry = entry?;
            let path = entry.path()?.display().to_string();
            left = left.checked_sub(entry.size()).ok_or(io::ErrorKind::FileTooLarge)?;
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            if path == ROOT {
                root = PathBuf::from(String::from_utf8_lossy(&bytes).into_owned());
            } else {
                files.insert(path, bytes.into());
            }
        }
        Ok(Self::new(root, files))
    }

    /// Returns an id of what stands at a path, or that nothing does.
    pub(crate) fn id_at(&self, path: &Path) -> &str {
        match self.entries.get(path) {
            Some(Entry::File(_, id) | Entry::Folder(_, id)) => id,
            None => "",
        }
    }

    /// Returns what kind of thing stands at a path.
    pub(crate) fn kind_at(&self, path: &Path) -> &'static str {
        match self.entries.get(path) {
            Some(Entry::File(..)) => "file",
            Some(Entry::Folder(..)) => "folder",
            None => "",
        }
    }

    fn at(&self, path: &Path) -> io::Result<&Entry> {
        let found = self.entries.get(path).or_else(|| self.entries.get(&plain(path)));
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn add_to_folders(path: &Path, root: &Path, folders: &mut BTreeMap<PathBuf, Vec<String>>) {
    let mut path = path;
    while let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
        if !path.starts_with(root) || path == root {
            break;
        }
        folders.entry(folder.to_owned()).or_default().push(name.to_string_lossy().into_owned());
        path = folder;
    }
}

/// Returns a path without `.` and `..`.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

type TreeFiles = BTreeMap<String, Arc<[u8]>>;

/// Reads what is below a folder; an error without words means that it is too much.
fn collect(
    files: &dyn Files,
    (folder, prefix): (&Path, String),
    found: &mut TreeFiles,
    left: &mut u64,
) -> std::result::Result<(), Option<hierarch_source::Error>> {
    if prefix.matches('/').count() > DEEPEST {
        return Err(Some(issues::too_deep(&folder.display().to_string())));
    }
    let unreadable = |path: &Path, error: &io::Error| {
        Some(issues::unreadable(&path.display().to_string(), &error.to_string()))
    };
    for name in files.list(folder).map_err(|error| unreadable(folder, &error))? {
        let path = folder.join(&name);
        if LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        if files.is_folder(&path) {
            collect(files, (&path, format!("{prefix}{name}/")), found, left)?;
        } else if files.is_file(&path) {
            let bytes = match files.read_at_most(&path, *left) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Err(None),
                // A pipe or a link to nowhere is nothing that a lookup could read either.
                Err(_) => continue,
            };
            *left = left.checked_sub(bytes.len() as u64).ok_or(None)?;
            found.insert(format!("{prefix}{name}"), bytes.into());
        }
    }
    Ok(())
}

impl Files for Tree {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.at(path)? {
            Entry::File(bytes, _) => Ok(bytes.to_vec()),
            Entry::Folder(..) => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        match self.at(folder)? {
            Entry::Folder(names, _) => Ok(names.clone()),
            Entry::File(..) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        matches!(self.at(path), Ok(Entry::File(..)))
    }

    fn is_folder(&self, path: &Path) -> bool {
        matches!(self.at(path), Ok(Entry::Folder(..)))
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;
    use crate::objects::Memory;

    fn tree(text: &str) -> Tree {
        let files = MemoryFiles::from([
            ("/r/hiera.yaml", "version: 5\n"),
            ("/r/data/a.yaml", text),
            ("/r/.git/config", "x"),
            ("/elsewhere/b", "y"),
        ]);
        Tree::read(&files, Path::new("/r"), 1_000).expect("read")
    }

    #[test]
    fn a_tree_comes_back_as_it_was() {
        let objects = Memory::default();
        let packed = tree("a: 1\n");
        packed.store(&objects).expect("stored");
        let again = Tree::fetch(&objects, packed.id(), 1_000).expect("fetched");
        assert_eq!(again.root(), Path::new("/r"));
        assert_eq!(again.list(Path::new("/r")).expect("listed"), ["data", "hiera.yaml"]);
        assert_eq!(again.read(Path::new("/r/data/../data/a.yaml")).expect("read"), b"a: 1\n");
        assert!(again.is_folder(Path::new("/r/data")) && !again.is_file(Path::new("/elsewhere/b")));
        assert_eq!(packed.packed().expect("packed"), again.packed().expect("packed"));
        assert_ne!(packed.id(), tree("a: 2\n").id());
    }

    #[test]
    fn what_is_too_large_or_damaged_is_refused() {
        let files = MemoryFiles::from([("/r/a", "0123456789")]);
        let error = Tree::read(&files, Path::new("/r"), 5).expect_err("too large");
        assert!(error.to_string().contains("--max-tree-size"), "{error}");
        let objects = Memory::default();
        let (one, two) = (tree("a: 1\n"), tree("a: 2\n"));
        objects.put(&Tree::name(one.id()), &two.packed().expect("packed")).expect("put");
        let error = Tree::fetch(&objects, one.id(), 1_000).expect_err("another tree");
        assert!(error.to_string().contains("another id"), "{error}");
        assert!(Tree::fetch(&objects, two.id(), 1_000).is_err(), "not there");
    }
}
