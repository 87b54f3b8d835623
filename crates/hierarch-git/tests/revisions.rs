//! Files at a revision are those that a checkout would bring: links, submodules, renamed files, the index.

use std::path::{Path, PathBuf};
use std::process::Command;

use hierarch_git::{FileChangeKind, GitFiles, Range, Repository, changes, changes_to_disk};
use hierarch_source::{DiskFiles, Files};
use tempfile::TempDir;

/// A repository in a folder that goes away with it.
struct Made {
    folder: TempDir,
}

impl Made {
    fn new() -> Self {
        let made = Self { folder: tempfile::tempdir().expect("a folder") };
        made.git(&["init", "--quiet", "--initial-branch=main"]);
        made
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a folder")
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(self.folder.path(), arguments)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder");
        std::fs::write(path, text).expect("written");
    }

    fn link(&self, path: &str, target: &str) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder");
        let _ = std::fs::remove_file(&path);
        std::os::unix::fs::symlink(target, path).expect("a link");
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", subject]);
    }

    fn open(&self) -> Repository {
        Repository::discover(self.folder.path()).expect("a repository")
    }

    fn at(&self, revision: &str) -> GitFiles {
        let repository = self.open();
        let revision = repository.revision(revision).expect("a revision");
        repository.files(&revision, &self.root()).expect("files")
    }
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05+0100")
        .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05+0100")
        .current_dir(folder)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Lists what stands below a folder: folders end in `/`, files carry their text.
fn shown(files: &dyn Files, folder: &Path, found: &mut Vec<String>) {
    for name in files.list(folder).expect("a folder") {
        let path = folder.join(&name);
        if files.is_folder(&path) {
            found.push(format!("{name}/"));
            shown(files, &path, found);
        } else if files.is_file(&path) {
            let text = files.read(&path).expect("a file");
            found.push(format!("{name}: {}", String::from_utf8_lossy(&text)));
        } else {
            found.push(format!("{name}?"));
        }
    }
}

fn text(files: &dyn Files, path: &Path) -> Option<String> {
    files.read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn made_with_history() -> (Made, Made) {
    let module = Made::new();
    module.write("data/common.yaml", "ntp::x: 1\n");
    module.commit("module");
    let made = Made::new();
    made.write("hiera.yaml", "version: 5\n");
    made.write("data/common.yaml", "a: 1\n");
    made.link("data/nodes/web.yaml", "../common.yaml");
    made.commit("first");
    made.git(&[
        "submodule",
        "--quiet",
        "add",
        "--name",
        "ntp",
        &module.root().display().to_string(),
        "modules/ntp",
    ]);
    made.link("linked", "data");
    made.commit("a submodule, and a link to a folder");
    git(&made.root(), &["mv", "data/common.yaml", "data/all.yaml"]);
    made.link("data/nodes/web.yaml", "../all.yaml");
    made.commit("renamed");
    module.write("data/common.yaml", "ntp::x: 2\n");
    module.commit("changed");
    git(&made.root().join("modules/ntp"), &["pull", "--quiet"]);
    made.commit("newer module");
    (made, module)
}

#[test]
fn every_revision_equals_its_checkout() {
    let (made, _module) = made_with_history();
    let repository = made.open();
    let head = repository.revision("HEAD").expect("a revision");
    let history = repository.history(&head, false, |_| true).expect("a history");
    assert_eq!(history.len(), 4);
    for commit in &history {
        let files = made.at(&commit.id);
        let other = tempfile::tempdir().expect("a folder");
        let clone = other.path().join("clone").canonicalize().unwrap_or_else(|_| other.path().join("clone"));
        made.git(&["clone", "--quiet", "--no-local", ".", &clone.display().to_string()]);
        git(&clone, &["checkout", "--quiet", &commit.id]);
        git(&clone, &["submodule", "--quiet", "update", "--init"]);
        let list = |files: &dyn Files, root: &Path| {
            let mut found = Vec::new();
            shown(files, root, &mut found);
            found.retain(|line| !line.starts_with(".git"));
            found
        };
        // The folder `.git` and what is in it stand only on the disk.
        std::fs::remove_dir_all(clone.join(".git")).expect("removed");
        assert_eq!(list(&files, &made.root()), list(&DiskFiles, &clone), "{}", commit.subject);
        assert!(files.notes().is_empty(), "{:?}", files.notes());
    }
}

#[test]
fn links_are_followed_inside_the_tree_only() {
    let made = Made::new();
    made.write("data/a.yaml", "a: 1\n");
    made.link("out.yaml", "/etc/hostname");
    made.link("up.yaml", "../../etc/hostname");
    made.link("ring", "ring2");
    made.link("ring2", "ring");
    made.link("d", "data");
    made.link("b", "d/../data/a.yaml");
    made.commit("links");
    let files = made.at("HEAD");
    let root = made.root();
    assert_eq!(text(&files, &root.join("d/a.yaml")).as_deref(), Some("a: 1\n"));
    assert_eq!(text(&files, &root.join("b")).as_deref(), Some("a: 1\n"));
    assert_eq!(files.resolve(&root.join("d/a.yaml")).expect("a path"), root.join("data/a.yaml"));
    for missing in ["out.yaml", "up.yaml", "ring", "ring/x"] {
        assert!(!files.is_file(&root.join(missing)), "{missing}");
    }
    let notes = files.notes().join("\n");
    assert!(notes.contains("out.yaml leads out of the repository, to /etc/hostname"), "{notes}");
    assert!(notes.contains("lead in a ring"), "{notes}");
}

#[test]
fn a_submodule_that_is_not_here_is_named() {
    let (made, _module) = made_with_history();
    let other = tempfile::tempdir().expect("a folder");
    let clone = other.path().join("clone");
    made.git(&["clone", "--quiet", "--no-local", ".", &clone.display().to_string()]);
    let repository = Repository::discover(&clone).expect("a repository");
    let revision = repository.revision("HEAD").expect("a revision");
    let root = repository.workdir().expect("a working tree");
    let files = repository.files(&revision, &root).expect("files");
    let error = files.read(&root.join("modules/ntp/data/common.yaml")).expect_err("it is not here");
    assert!(error.to_string().contains("submodule modules/ntp is not here at commit"), "{error}");
    assert_eq!(files.notes().len(), 1);
}

#[test]
fn a_pointer_of_lfs_is_refused_by_name() {
    let made = Made::new();
    made.write("data/big.yaml", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n");
    made.commit("pointer");
    let error = made.at("HEAD").read(&made.root().join("data/big.yaml")).expect_err("a pointer");
    assert!(error.to_string().contains("data/big.yaml is a Git LFS pointer"), "{error}");
}

#[test]
fn unknown_revisions_and_shallow_clones_say_what_to_do() {
    let made = Made::new();
    made.write("a", "1");
    made.commit("one");
    made.write("a", "2");
    made.commit("two");
    let error = made.open().revision("mian").expect_err("no such branch");
    assert!(
        error.to_string().contains("mian is no revision of this repository; did you mean main?"),
        "{error}"
    );
    let other = tempfile::tempdir().expect("a folder");
    let clone = other.path().join("clone");
    let url = format!("file://{}", made.root().display());
    made.git(&["clone", "--quiet", "--depth=1", &url, &clone.display().to_string()]);
    let error = Repository::discover(&clone).expect("a repository").revision("HEAD~1").expect_err("cut off");
    let wanted = "HEAD~1 is not in this clone, which has only 1 commit; fetch more (fetch-depth: 0";
    assert!(error.to_string().contains(wanted), "{error}");
}

#[test]
fn the_index_and_the_disk_differ_from_a_commit_by_what_was_done() {
    let made = Made::new();
    for name in ["kept", "changed", "removed", "data/deep/kept"] {
        made.write(name, name);
    }
    made.commit("first");
    made.write("changed", "anew");
    std::fs::remove_file(made.root().join("removed")).expect("removed");
    made.write("data/added", "new");
    let head = made.at("HEAD");
    let names = |list: Vec<hierarch_git::FileChange>| {
        list.into_iter().map(|change| (change.path, change.kind)).collect::<Vec<_>>()
    };
    let wanted = vec![
        ("changed".to_owned(), FileChangeKind::Modified),
        ("data/added".to_owned(), FileChangeKind::Added),
        ("removed".to_owned(), FileChangeKind::Removed),
    ];
    assert_eq!(names(changes_to_disk(&head)), wanted);
    let repository = made.open();
    assert_eq!(names(changes(&head, &repository.index(&made.root()).expect("an index"))), vec![]);
    made.git(&["add", "--all"]);
    let index = repository.index(&made.root()).expect("an index");
    assert_eq!(names(changes(&head, &index)), wanted);
    assert_eq!(index.list(&made.root().join("data")).expect("a folder"), ["added", "deep"]);
    made.commit("second");
    assert_eq!(names(changes(&head, &made.at("HEAD"))), wanted);
    assert_eq!(names(changes_to_disk(&made.at("HEAD"))), vec![]);
}

#[test]
fn three_dots_start_at_the_merge_base() {
    let made = Made::new();
    made.commit("base");
    made.git(&["branch", "other"]);
    made.commit("on main");
    made.git(&["checkout", "--quiet", "other"]);
    made.write("x", "1");
    made.commit("on other");
    let repository = made.open();
    let Range::Since(a, b) = Range::parse("main...other") else { panic!("three dots") };
    let (a, b) = (repository.revision(&a).expect("main"), repository.revision(&b).expect("other"));
    let base = repository.merge_base(&a, &b).expect("a base");
    assert_eq!(base.commit, made.git(&["rev-parse", "main~1"]));
    let commit = repository.commit(&b).expect("a commit");
    assert_eq!((commit.subject.as_str(), commit.author.as_str()), ("on other", "A"));
    assert_eq!(commit.moment(), "2026-01-02T03:04:05+01:00");
}
