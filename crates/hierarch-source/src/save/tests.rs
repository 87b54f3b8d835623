//! Saves of every kind, in folders of their own.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use tempfile::{TempDir, tempdir};

use super::*;

struct Place {
    folder: TempDir,
    saver: Saver,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        Self { folder, saver: Saver::default() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("readable")
    }

    fn replace(&self, name: &str, old: &str, new: &str) -> Result<Vec<Loss>, NotSaved> {
        self.saver.save(&[FileChange::replace(&self.path(name), old.as_bytes(), new.as_bytes())])
    }

    fn create(&self, name: &str, new: &str) -> Result<Vec<Loss>, NotSaved> {
        self.saver.save(&[FileChange::create(&self.path(name), new.as_bytes())])
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o7777
}

#[test]
fn mode_owner_and_link_stay() {
    let place = Place::new(&[("real.yaml", "a: 1\n")]);
    fs::set_permissions(place.path("real.yaml"), fs::Permissions::from_mode(0o600)).expect("a mode");
    // Only root may give files away; for all others the owner is who they are.
    let owner = fs::metadata(place.path("real.yaml")).expect("it is there").uid();
    let given = if owner == 0 { 65534 } else { owner };
    std::os::unix::fs::chown(place.path("real.yaml"), Some(given), None).expect("an owner");
    symlink("real.yaml", place.path("link.yaml")).expect("a link");
    assert_eq!(place.replace("link.yaml", "a: 1\n", "a: 2\n").expect("saved"), []);
    assert!(place.path("link.yaml").is_symlink());
    assert_eq!(place.text("real.yaml"), "a: 2\n");
    assert_eq!(mode(&place.path("real.yaml")), 0o600);
    assert_eq!(fs::metadata(place.path("real.yaml")).expect("it is there").uid(), given);
    assert_eq!(place.names(), ["link.yaml", "real.yaml"]);
}

#[test]
fn extended_attributes_stay() {
    let place = Place::new(&[("a", "1")]);
    let set = rustix::fs::setxattr(place.path("a"), "user.note", b"mine", rustix::fs::XattrFlags::empty());
    if set.is_err() {
        return; // This file system has none.
    }
    assert_eq!(place.replace("a", "1", "2").expect("saved"), []);
    let mut buffer = [0; 16];
    let length = rustix::fs::getxattr(place.path("a"), "user.note", &mut buffer).expect("the attribute");
    assert_eq!(&buffer[..length], b"mine");
}

#[test]
fn other_names_of_a_file_are_told() {
    let place = Place::new(&[("a", "1")]);
    fs::hard_link(place.path("a"), place.path("b")).expect("a hard link");
    let losses = place.replace("a", "1", "2").expect("saved");
    assert_eq!(losses, [Loss::HardLinks(place.path("a"))]);
    assert!(losses[0].to_string().contains("hard links"));
    assert_eq!((place.text("a").as_str(), place.text("b").as_str()), ("2", "1"));
}

#[test]
fn what_changed_since_it_was_read_is_not_touched() {
    let place = Place::new(&[("a", "theirs"), ("b", "1")]);
    assert!(matches!(place.replace("a", "mine", "x"), Err(NotSaved::Changed(_))));
    assert!(matches!(place.replace("a", "theirs, but longer", "x"), Err(NotSaved::Changed(_))));
    assert!(matches!(place.replace("gone", "1", "x"), Err(NotSaved::Changed(_))));
    assert!(matches!(place.create("a", "x"), Err(NotSaved::Changed(_))));
    let (a, b) = (place.path("a"), place.path("b"));
    let both = [FileChange::replace(&b, b"1", b"2"), FileChange::replace(&a, b"mine", b"x")];
    assert!(matches!(place.saver.save(&both), Err(NotSaved::Changed(_))));
    assert_eq!((place.text("a").as_str(), place.text("b").as_str()), ("theirs", "1"));
    assert_eq!(place.names(), ["a", "b"]);
}

#[test]
fn a_new_file_gets_its_folders_and_takes_them_back() {
    let place = Place::new(&[("a", "1")]);
    assert_eq!(place.create("x/y/new.yaml", "n: 1\n").expect("saved"), []);
    assert_eq!(place.text("x/y/new.yaml"), "n: 1\n");
    let (new, a) = (place.path("u/v/new.yaml"), place.path("a"));
    let both = [FileChange::create(&new, b"x"), FileChange::replace(&a, b"other", b"x")];
    assert!(place.saver.save(&both).is_err());
    assert_eq!(place.names(), ["a", "x"]);
    let private = place.path("key.pem");
    place.saver.save(&[FileChange::create(&private, b"secret").private()]).expect("saved");
    assert_eq!(mode(&private), 0o600);
}

#[test]
fn a_file_that_fails_late_lets_the_others_be_taken_back() {
    let place = Place::new(&[("a", "1")]);
    let (a, late) = (place.path("a"), place.path("late"));
    let both = [FileChange::replace(&a, b"1", b"2"), FileChange::create(&late, b"x")];
    let mut prepared: Vec<PreparedFile> = both
        .iter()
        .map(|change| {
            PreparedFile::new(change, &Drafts::default(), &mut Leftovers::default()).expect("prepared")
        })
        .collect();
    prepared[0].lock(Duration::ZERO).expect("locked");
    fs::write(&late, "somebody was faster").expect("written");
    assert!(matches!(commit::all(prepared, &Drafts::default()), Err(NotSaved::Changed(_))));
    assert_eq!((place.text("a").as_str(), place.text("late").as_str()), ("1", "somebody was faster"));
    assert_eq!(place.names(), ["a", "late"]);
}

#[test]
fn links_to_nowhere_folders_and_pipes_are_refused() {
    let place = Place::new(&[]);
    symlink("nowhere", place.path("link")).expect("a link");
    fs::create_dir(place.path("folder")).expect("a folder");
    assert!(place.create("link", "x").is_err());
    assert!(place.replace("link", "", "x").is_err());
    assert!(place.replace("folder", "", "x").is_err());
    assert!(place.replace("/dev/null", "", "x").is_err());
    assert_eq!(place.names(), ["folder", "link"]);
}

#[test]
fn two_writers_lose_nothing() {
    let place = Place::new(&[("count", "0")]);
    let path = place.path("count");
    let count = || {
        let mut saved = 0;
        while saved < 200 {
            let old = fs::read_to_string(&path).expect("readable");
            let new = (old.parse::<u32>().expect("a number") + 1).to_string();
            match Saver::default().save(&[FileChange::replace(&path, old.as_bytes(), new.as_bytes())]) {
                Ok(_) => saved += 1,
                Err(NotSaved::Changed(_)) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(count);
        scope.spawn(count);
    });
    assert_eq!(place.text("count"), "400");
    assert_eq!(place.names(), ["count"]);
}

#[test]
fn a_lock_that_is_not_given_up_is_told() {
    let place = Place::new(&[("a", "1")]);
    let held = fs::File::open(place.path("a")).expect("open");
    held.lock().expect("locked");
    let saver = Saver::default().patience(Duration::from_millis(20));
    let path = place.path("a");
    let result = saver.save(&[FileChange::replace(&path, b"1", b"2")]);
    assert!(matches!(result, Err(NotSaved::Locked(_))));
    assert_eq!(place.names(), ["a"]);
}

#[test]
fn what_a_killed_program_left_goes_with_the_next_save() {
    let place = Place::new(&[("a", "1"), (".a.0123456789abcdef.hierarch~", "left")]);
    fs::write(place.path(".a.mine.hierarch~"), "not a draft's name").expect("written");
    let live = Drafts::default().file(&place.path("a"), true, &mut Leftovers::default()).expect("a draft");
    place.replace("a", "1", "2").expect("saved");
    assert_eq!(place.names().len(), 3, "{:?}", place.names());
    drop(live);
    assert_eq!(place.names(), [".a.mine.hierarch~", "a"]);
}

#[test]
fn drafts_go_when_the_program_is_stopped() {
    let place = Place::new(&[("a", "1")]);
    let drafts = Drafts::default();
    let file = drafts.file(&place.path("a"), true, &mut Leftovers::default()).expect("a draft");
    let folder = drafts.folder(place.folder.path()).expect("a folder");
    assert_eq!(mode(folder.path()), 0o700);
    fs::write(folder.path().join("secret"), "x").expect("written");
    assert_eq!(place.names().len(), 3);
    drafts.close();
    assert_eq!(place.names(), ["a"]);
    assert!(drafts.file(&place.path("a"), true, &mut Leftovers::default()).is_err());
    drop((file, folder));
}

#[test]
fn long_names_fit() {
    let name = "ä".repeat(127);
    let place = Place::new(&[(&name, "1")]);
    place.replace(&name, "1", "2").expect("saved");
    assert_eq!(place.names(), [name]);
}

#[test]
fn many_files_in_many_folders_are_saved_at_once_and_what_was_left_there_goes() {
    let place = Place::new(&[]);
    let files: Vec<(PathBuf, String)> = (0..120)
        .map(|number| (place.path(&format!("{}/{number}.yaml", number % 3)), format!("n: {number}\n")))
        .collect();
    for (path, text) in &files {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let left = |name: &str| place.path(&format!("0/.{name}.0123456789abcdef.hierarch~"));
    fs::write(left("3.yaml"), "left").expect("a leftover");
    fs::write(left("other.yaml"), "left of a file that is not saved").expect("a leftover");
    let change =
        |(path, text): &'_ (PathBuf, String)| (path.clone(), text.clone(), format!("{text}more: 1\n"));
    let texts: Vec<_> = files.iter().map(change).collect();
    let changes: Vec<FileChange> = texts
        .iter()
        .map(|(path, old, new)| FileChange::replace(path, old.as_bytes(), new.as_bytes()))
        .collect();
    assert_eq!(place.saver.save(&changes).expect("saved"), []);
    for (path, _, new) in &texts {
        assert_eq!(&fs::read_to_string(path).expect("readable"), new);
    }
    assert!(!left("3.yaml").exists() && left("other.yaml").exists());
    let count = |folder: &str| fs::read_dir(place.path(folder)).expect("a folder").count();
    assert_eq!((count("0"), count("1"), count("2")), (41, 40, 40));
}

#[test]
fn one_of_many_that_changed_keeps_all_as_they_were() {
    let names: Vec<String> = (0..40).map(|number| format!("{number:02}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let place = Place::new(&files);
    fs::write(place.path("39"), "theirs").expect("written");
    let paths: Vec<PathBuf> = names.iter().map(|name| place.path(name)).collect();
    let changes: Vec<FileChange> = paths.iter().map(|path| FileChange::replace(path, b"1", b"2")).collect();
    assert!(matches!(place.saver.save(&changes), Err(NotSaved::Changed(path)) if path == place.path("39")));
    assert!(names[..39].iter().all(|name| place.text(name) == "1"));
    assert_eq!(place.names(), names);
}

/// Two files ready to be put in place, of which the second cannot be: a folder took its name meanwhile.
fn commit_of_two(place: &Place, drafts: &Drafts) -> NotSaved {
    let (a, b) = (place.path("a"), place.path("b"));
    let changes = [FileChange::replace(&a, b"1", b"2"), FileChange::replace(&b, b"1", b"2")];
    let prepare = |change| PreparedFile::new(change, &place.saver.drafts, &mut Leftovers::default());
    let mut prepared: Vec<PreparedFile> =
        changes.iter().map(|change| prepare(change).expect("prepared")).collect();
    for file in &mut prepared {
        file.lock(Duration::ZERO).expect("locked");
    }
    fs::remove_file(&b).and_then(|()| fs::create_dir(&b)).expect("a folder in its place");
    commit::all(prepared, drafts).expect_err("a file cannot take the place of a folder")
}

#[test]
fn files_before_one_that_fails_are_taken_back() {
    let place = Place::new(&[("a", "1"), ("b", "1")]);
    let reason = commit_of_two(&place, &place.saver.drafts);
    assert!(matches!(&reason, NotSaved::Failed(path, _) if *path == place.path("b")));
    assert!(Error::from(reason).message.ends_with("; nothing was written"));
    assert_eq!((place.text("a").as_str(), place.names()), ("1", vec!["a".to_owned(), "b".to_owned()]));
}

#[test]
fn files_that_cannot_be_taken_back_are_named() {
    let place = Place::new(&[("a", "1"), ("b", "1")]);
    let closed = Drafts::default();
    closed.close();
    let reason = commit_of_two(&place, &closed);
    let message = Error::from(reason).message.clone();
    let written = format!("{} was written and could not be taken back", place.path("a").display());
    assert!(message.starts_with(&format!("Could not write {}", place.path("b").display())), "{message}");
    assert!(message.ends_with(&written), "{message}");
    assert_eq!(place.text("a"), "2");
}

/// Whoever looks for leftovers must not take what another writer has made and not locked yet.
#[test]
fn a_draft_that_has_just_begun_is_not_taken_for_a_leftover() {
    let place = Place::new(&[("a", "1")]);
    let is_done = std::sync::atomic::AtomicBool::new(false);
    let clean = || {
        while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
            let _ = Drafts::default().file(&place.path("a"), false, &mut Leftovers::default());
        }
    };
    std::thread::scope(|scope| {
        let cleaners = [scope.spawn(clean), scope.spawn(clean)];
        let drafts = Drafts::default();
        let lost = (0..2_000).filter(|_| {
            let draft = drafts.file(&place.path("a"), false, &mut Leftovers::default()).expect("a draft");
            std::thread::yield_now();
            draft.replace(&place.path("b")).is_err()
        });
        let lost = lost.count();
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(lost, 0);
        cleaners.into_iter().for_each(|cleaner| cleaner.join().expect("it ends"));
    });
}
