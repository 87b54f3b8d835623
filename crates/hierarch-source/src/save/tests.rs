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
    let mut prepared: Vec<PreparedFile> =
        both.iter().map(|change| PreparedFile::new(change, &Drafts::default()).expect("prepared")).collect();
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
    let live = Drafts::default().file(&place.path("a"), true).expect("a draft");
    place.replace("a", "1", "2").expect("saved");
    assert_eq!(place.names().len(), 3, "{:?}", place.names());
    drop(live);
    assert_eq!(place.names(), [".a.mine.hierarch~", "a"]);
}

#[test]
fn drafts_go_when_the_program_is_stopped() {
    let place = Place::new(&[("a", "1")]);
    let drafts = Drafts::default();
    let file = drafts.file(&place.path("a"), true).expect("a draft");
    let folder = drafts.folder(place.folder.path()).expect("a folder");
    assert_eq!(mode(folder.path()), 0o700);
    fs::write(folder.path().join("secret"), "x").expect("written");
    assert_eq!(place.names().len(), 3);
    drafts.close();
    assert_eq!(place.names(), ["a"]);
    assert!(drafts.file(&place.path("a"), true).is_err());
    drop((file, folder));
}

#[test]
fn long_names_fit() {
    let name = "ä".repeat(127);
    let place = Place::new(&[(&name, "1")]);
    place.replace(&name, "1", "2").expect("saved");
    assert_eq!(place.names(), [name]);
}
