//! The bundled control repository under git, for tests of revisions.

use std::fs;
use std::path::Path;

use super::{copy_folder, folder_of, git};

pub(crate) fn commit(folder: &Path, subject: &str) {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", subject]);
}

/// The bundled control repository, under git.
pub(crate) fn example() -> tempfile::TempDir {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    commit(folder.path(), "start");
    folder
}

pub(crate) fn replace(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.contains(from), "{file} has {from}");
    fs::write(path, text.replace(from, to)).expect("written");
}

/// The edit of the worked example: 3 keys on 10 of 12 nodes, as brute force over both trees says.
pub(crate) fn edit(folder: &Path) {
    replace(folder, "data/common.yaml", "profile::web::port: 80\n", "profile::web::port: 8000\n");
    replace(folder, "data/locations/berlin.yaml", "ntp2.berlin", "ntp3.berlin");
}
