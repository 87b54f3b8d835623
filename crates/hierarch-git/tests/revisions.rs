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

/// What differs between two commits is what `git diff` says.
#[test]
fn changes_are_those_that_git_tells() {
    let made = Made::new();
    made.write("a", "1\n");
    made.write("b/c", "2\n");
    made.write("b/d", "3\n");
    made.link("l", "a");
    made.commit("first");
    made.write("a", "1 changed\n");
    made.write("new/file", "4\n");
    made.git(&["rm", "--quiet", "b/d"]);
    made.link("l", "b/c");
    made.commit("second");
    // A file becomes a folder, and a folder a file.
    made.git(&["rm", "--quiet", "-r", "new"]);
    made.write("new", "now a file\n");
    made.git(&["rm", "--quiet", "a"]);
    made.write("a/inside", "now a folder\n");
    made.commit("third");
    for (old, new) in [("HEAD~2", "HEAD~1"), ("HEAD~1", "HEAD"), ("HEAD~2", "HEAD"), ("HEAD", "HEAD~2")] {
        let told = made.git(&["diff", "--name-status", "--no-renames", old, new]);
        let mut expected: Vec<(String, FileChangeKind)> = told
            .lines()
            .map(|line| {
                let (kind, path) = line.split_once('\t').expect("a kind and a path");
                let kind = match kind {
                    "A" => FileChangeKind::Added,
                    "D" => FileChangeKind::Removed,
                    _ => FileChangeKind::Modified,
                };
                (path.to_owned(), kind)
            })
            .collect();
        expected.sort();
        let found = changes(&made.at(old), &made.at(new));
        let found: Vec<(String, FileChangeKind)> =
            found.into_iter().map(|one| (one.path, one.kind)).collect();
        assert_eq!(found, expected, "{old} {new}");
    }
    assert!(changes(&made.at("HEAD"), &made.at("HEAD")).is_empty());
    assert!(changes_to_disk(&made.at("HEAD")).is_empty());
}

/// The past knows what stood where without making files of it, and threads may share it.
#[test]
fn the_past_tells_what_stood_at_a_path() {
    use hierarch_git::{Past, Stands};
    let made = Made::new();
    made.write("data/a.yaml", "same\n");
    made.write("data/sub/b.yaml", "b\n");
    made.link("data/link", "a.yaml");
    made.commit("first");
    made.write("data/c.yaml", "same\n");
    made.git(&["rm", "--quiet", "-r", "data/sub"]);
    made.commit("second");
    let repository = made.open();
    let past = Past::new(&repository);
    let (first, second) =
        (repository.revision("HEAD~1").expect("first"), repository.revision("HEAD").expect("second"));
    let at = |revision, path: &str| past.at(revision, Path::new(path)).expect("readable");
    assert!(matches!(at(&first, "data"), Stands::Folder(_)));
    assert_ne!(at(&first, "data"), at(&second, "data"));
    assert_eq!(at(&first, "data/a.yaml"), at(&second, "data/a.yaml"));
    assert_eq!(at(&second, "data/a.yaml"), at(&second, "data/c.yaml"), "the same content has the same id");
    assert_eq!(at(&second, "data/sub"), Stands::Nothing);
    assert_eq!(at(&first, "data/a.yaml/below"), Stands::Nothing);
    assert_eq!(at(&first, "data/link"), Stands::Elsewhere);
    assert_eq!(at(&first, "data/link/below"), Stands::Elsewhere);
    assert_eq!(at(&first, "nope"), Stands::Nothing);
    let names = |revision, path: &str| past.names(revision, Path::new(path)).expect("readable");
    assert_eq!(names(&first, "data"), Some(vec!["a.yaml".into(), "link".into(), "sub".into()]));
    assert_eq!(names(&second, "data"), Some(vec!["a.yaml".into(), "c.yaml".into(), "link".into()]));
    assert_eq!(names(&first, "data/a.yaml"), None);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(at(&second, "data/sub"), Stands::Nothing));
        }
    });
}

/// A history is that of `git log`, along first parents or along all, and ends where it is told to.
#[test]
fn histories_are_those_of_git_log() {
    let made = Made::new();
    for (name, subject) in [("a", "one"), ("b", "two\n\nwith a body"), ("c", "grüße")] {
        made.write(name, subject);
        made.commit(subject);
    }
    made.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    made.write("d", "side");
    made.commit("aside");
    made.git(&["checkout", "--quiet", "main"]);
    made.git(&["merge", "--quiet", "--no-ff", "-m", "joined", "side"]);
    let repository = made.open();
    let head = repository.revision("HEAD").expect("a revision");
    for all in [false, true] {
        let found = repository.history(&head, all, |_| true).expect("a history");
        let mut ids: Vec<&str> = found.iter().map(|commit| commit.id.as_str()).collect();
        let told =
            made.git(if all { &["log", "--format=%H"] } else { &["log", "--first-parent", "--format=%H"] });
        let mut expected: Vec<&str> = told.lines().collect();
        // All were committed at the same second, so that their order is open where they do not follow each other.
        ids.sort_unstable();
        expected.sort_unstable();
        assert_eq!(ids, expected, "all parents: {all}");
    }
    let found = repository.history(&head, false, |_| true).expect("a history");
    let subjects: Vec<&str> = found.iter().map(|commit| commit.subject.as_str()).collect();
    assert_eq!(subjects, ["joined", "grüße", "two", "one"]);
    assert_eq!(found[0].parents.len(), 2);
    assert_eq!(found[0], repository.commit(&head).expect("a commit"));
    assert_eq!((found[0].author.as_str(), found[0].moment().as_str()), ("A", "2026-01-02T03:04:05+01:00"));
    let mut left = 2;
    let some = repository.history(&head, false, |_| {
        left -= 1;
        left >= 0
    });
    assert_eq!(some.expect("a history").len(), 2);
}
