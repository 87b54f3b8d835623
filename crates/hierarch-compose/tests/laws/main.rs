//! The laws of layered documents, on generated documents and edits. First the two of saving:
//! `expand(save(doc, edited)) = edited`, and `save(doc, expand(doc))` is `doc`, byte for byte.
//!
//! The documents have tags and odd spellings too, and are read as YAML 1.1 or 1.2, with tags kept or not.
//!
//! Then: a second save changes nothing; what is written as it is spelled means the same; one layer merged is the
//! document expanded; what an overlay says, merged over what it includes, is what the overlay expands to; a document of a
//! stream is saved without touching the others, and so is one that is an item of a list; lines that the edit does not concern stay (law 4), and so do directives whose
//! target still gives their holder something (law 5).
//! `LAWS_RUNS` and `LAWS_SEED` choose how many and which, `LAWS_ONLY` some by the seeds that messages name; `scripts/check-yaml-laws` runs a million.

mod generate;
mod lines;
mod random;

use std::path::Path;

use generate::{Generator, mutate};
use hierarch_compose::{Access, Document, Edit, Layers, Lists, Reading, Spelling, Stream};
use hierarch_source::{MemoryFiles, Source};
use hierarch_yaml::{Data, Dialect, DocumentLimits, read};
use lines::Save;
use random::Random;

/// One save in so many may change more than its edit asks for: where directives, aliases and merge keys depend on each
/// other in a ring, which of them stays is not decided by a law.
const MOST_NEEDLESS: u64 = 1000;

#[derive(Default)]
struct Tally {
    held: u64,
    refused: u64,
    inexpressible: u64,
    kept: u64,
    directives: u64,
    overlays: u64,
    /// Documents that are a list at their top.
    lists: u64,
    /// Saves that changed a line or gave up a directive that the edit does not concern.
    needless: u64,
}

#[test]
fn what_is_saved_expands_to_what_was_edited() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (runs, seed) = (number("LAWS_RUNS", 1000), number("LAWS_SEED", 1));
    let mut tally = Tally::default();
    if let Ok(seeds) = std::env::var("LAWS_ONLY") {
        seeds.split(',').filter_map(|seed| seed.parse().ok()).for_each(|seed| check(seed, &mut tally));
        return;
    }
    let mut run = 0;
    while tally.held < runs && run < runs * 20 {
        check(seed.wrapping_mul(1_000_003).wrapping_add(run), &mut tally);
        run += 1;
    }
    let Tally { held, refused, inexpressible, kept, directives, overlays, lists, needless } = tally;
    let share = kept * 100 / directives.max(1);
    #[allow(clippy::print_stdout)] // for whoever asks with --nocapture
    {
        println!(
            "{held} held; {refused} documents with errors, {inexpressible} edits no text can say; {share} % of directives kept; {overlays} overlays merged; {lists} lists at the top; {needless} saves changed more than was needed"
        );
    }
    assert!(
        needless * MOST_NEEDLESS <= held.max(MOST_NEEDLESS),
        "{needless} of {held} saves changed too much"
    );
    assert!(held >= runs, "only {held} of {runs} documents could be used");
}

fn check(seed: u64, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let files = Generator::new(&mut random).files();
    let main = files[0].1.clone();
    let memory = memory(&files);
    let access = Access {
        limits: DocumentLimits { expanded: 50_000, ..DocumentLimits::default() },
        reading: Reading { older: random.once_in(5), tags: random.once_in(3) },
        ..Access::default()
    };
    let Ok(mut document) = Document::open(&memory, Path::new("main.yaml"), &access) else {
        tally.refused += 1;
        return;
    };
    let before = document.data();
    let Ok(same) = document.grow(&before) else {
        tally.refused += 1;
        return;
    };
    let unchanged = document.save(same).expect("nothing to save");
    assert_eq!(unchanged, main, "seed {seed}: nothing was changed");
    check_spelling(seed, &document, &main, access.reading);
    check_layers(seed, &memory, &access, &before);
    check_stream(seed, &files, &access);
    check_list(seed, &files, &access, &mut random, tally);

    let edited = edit(&before, &mut random);
    tally.overlays += u64::from(check_overlay(seed, &access, &before, &edited));
    let Ok(wanted) = document.grow(&edited) else { return };
    match document.save(wanted) {
        Ok(text) => {
            tally.held += 1;
            tally.directives += count_directives(&main);
            tally.kept += count_directives(&text).min(count_directives(&main));
            check_saved(seed, &files, &access, &edited, &text);
            let save = Save { old: &main, new: &text, before: &before, edited: &edited };
            tally.needless += u64::from(has_needless_change(seed, &files, &access, &save));
        }
        Err(error) if error.code == "DIRECTIVE_INEXPRESSIBLE" && has_directive_keys(&edited) => {
            tally.inexpressible += 1;
        }
        Err(error) => panic!(
            "seed {seed}: {error}\n{}\nedited: {}",
            show(&files),
            hierarch_yaml::document(&edited, &hierarch_yaml::Layout::default())
        ),
    }
}

fn check_saved(seed: u64, files: &[(String, String)], access: &Access, edited: &Data, text: &str) {
    let mut saved = files.to_vec();
    text.clone_into(&mut saved[0].1);
    let memory = memory(&saved);
    let report = || format!("seed {seed}\n{}\nsaved:\n{text}", show(files));
    let mut document = Document::open(&memory, Path::new("main.yaml"), access)
        .unwrap_or_else(|error| panic!("{error}\n{}", report()));
    let wanted = document.grow(edited).expect("small data");
    assert!(
        document.forest().same(document.value(), wanted),
        "{}\nexpands to {:?}\ninstead of {edited:?}",
        report(),
        document.data()
    );
    let again = document.save(wanted).unwrap_or_else(|error| panic!("{error}\n{}", report()));
    assert_eq!(again, text, "a second save changes nothing: {}", report());
}

/// Tells whether a line or a directive went that the edit does not concern; `LAWS_SHOW` shows which.
fn has_needless_change(seed: u64, files: &[(String, String)], access: &Access, save: &Save) -> bool {
    let memory = memory(files);
    let included = |name: &str| {
        let path = name.strip_suffix("#/m").unwrap_or(name);
        // What it refers to may stand in the document that includes it.
        if path == "uses.yaml" {
            return None;
        }
        let data = Document::open(&memory, Path::new(path), access).ok()?.data();
        if path == name { Some(data) } else { data.get("m").cloned() }
    };
    let line = lines::touched(save).map(|line| format!("the line '{line}'"));
    let found = line.or_else(|| Some(format!("the directive {}", lines::given_up(save, &included)?)));
    let Some(what) = found else { return false };
    if std::env::var_os("LAWS_SHOW").is_some() {
        let edited = hierarch_yaml::document(save.edited, &hierarch_yaml::Layout::default());
        let files = show(&files[..1]);
        #[allow(clippy::print_stdout)] // for whoever looks for the reason
        {
            println!("{what} was changed, seed {seed}\n{files}\nedited:\n{edited}\nsaved:\n{}", save.new);
        }
    }
    true
}

/// What is written as it is spelled means what it meant.
fn check_spelling(seed: u64, document: &Document, main: &str, reading: Reading) {
    let dialect = if reading.older { Dialect::Older } else { Dialect::Core };
    for comments in [false, true] {
        let text = document.forest().spelled_text(document.value(), Spelling { comments });
        let tree = read(&Source::unnamed(text.as_str()), dialect, DocumentLimits::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{main}\nwritten:\n{text}"));
        let found = tree.root().map(|root| tree.data(root, DocumentLimits::default()).expect("data"));
        assert!(found.as_ref() == Some(&document.data()), "seed {seed}\n{main}\nwritten:\n{text}");
    }
}

/// One layer merged is the document expanded.
fn check_layers(seed: u64, memory: &MemoryFiles, access: &Access, before: &Data) {
    let mut layers = Layers::open(memory, &[Path::new("main.yaml")], access, Vec::new())
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let merged = layers.merged(&[(0, 0)], Lists::Append).expect("a merge");
    assert!(layers.forest().data(merged) == *before, "seed {seed}: merging one document");
}

/// An overlay that includes old data is saved as what differs; merged over the old data, that is the new data.
fn check_overlay(seed: u64, access: &Access, before: &Data, edited: &Data) -> bool {
    if has_directive_keys(before) || has_directive_keys(edited) {
        return false;
    }
    let old = hierarch_yaml::document(before, &hierarch_yaml::Layout::default());
    let include = "+include: old.yaml\n";
    let files = MemoryFiles::from([("old.yaml", old.as_str()), ("main.yaml", include)]);
    let report = |text: &str| format!("seed {seed}\nold:\n{old}\nsaved:\n{text}\nwanted: {edited:?}");
    let Ok(mut document) = Document::open(&files, Path::new("main.yaml"), access) else { return false };
    let Ok(wanted) = document.grow(edited) else { return false };
    let text = document.save(wanted).unwrap_or_else(|error| panic!("{error}\n{}", report("")));
    let Some(difference) = text.strip_prefix(include).filter(|rest| !rest.trim().is_empty()) else {
        return false;
    };
    let mut files = files;
    files.insert("difference.yaml", difference);
    let paths = [Path::new("old.yaml"), Path::new("difference.yaml")];
    let layers = Layers::open(&files, &paths, access, Vec::new());
    let mut layers = layers.unwrap_or_else(|error| panic!("{error}\n{}", report(&text)));
    let merged = layers.merged(&[(0, 0), (1, 0)], Lists::Append);
    let merged = merged.unwrap_or_else(|error| panic!("{error}\n{}", report(&text)));
    let found = layers.forest().data(merged);
    assert!(found.means(edited), "{}\nmerged: {found:?}", report(&text));
    true
}

/// A document of a stream is saved by itself: the others and the separators stay byte for byte.
fn check_stream(seed: u64, files: &[(String, String)], access: &Access) {
    let main = &files[0].1;
    if main.starts_with("---") || main.contains("\n---") {
        return;
    }
    let (head, tail) = ("kind: first # one\n--- # two\n", "...\n# between\n---\nkind: last\n");
    let gap = if main.ends_with('\n') { "" } else { "\n" };
    let whole = format!("{head}{main}{gap}{tail}");
    let mut stored = files.to_vec();
    stored[0].1.clone_from(&whole);
    let memory = memory(&stored);
    let stream = Stream::open(&memory, Path::new("main.yaml"), access).expect("a stream");
    assert_eq!(stream.len(), 3, "seed {seed}\n{whole}");
    let Ok(mut document) = stream.document(&memory, access, 1) else { return };
    let Ok(edited) = document.with("/added", Edit::Set(Data::text("new"))) else { return };
    let Ok(text) = document.save(edited) else { return };
    let new = stream.with(&[(1, text)]);
    let untouched = new.starts_with("kind: first # one\n---") && new.ends_with("---\nkind: last\n");
    assert!(untouched, "seed {seed}\n{whole}\nsaved:\n{new}");
}

/// The same document as an item of a list at the top, saved without a change and with one.
fn check_list(
    seed: u64,
    files: &[(String, String)],
    access: &Access,
    random: &mut Random,
    tally: &mut Tally,
) {
    let main = &files[0].1;
    if main.starts_with(['-', '%', '{']) || main.contains("\n---") {
        return;
    }
    let inner: String = main.lines().map(|line| format!("  {line}\n")).collect();
    let text = format!("- first # one\n-\n{}- last\n", inner.replace("+/", "+/1/"));
    let open = |text: &str| {
        let mut stored = files.to_vec();
        text.clone_into(&mut stored[0].1);
        memory(&stored)
    };
    let stored = open(&text);
    let Ok(stream) = Stream::open(&stored, Path::new("main.yaml"), access) else { return };
    let Ok(mut document) = stream.document(&stored, access, 0) else { return };
    let before = document.data();
    let same = document.grow(&before).expect("small data");
    assert_eq!(document.save(same).expect("nothing to save"), text, "seed {seed}: nothing was changed");
    let Data::List(mut items) = before else { return };
    mutate(&mut items[1], random, 0);
    let edited = Data::List(items);
    let wanted = document.grow(&edited).expect("small data");
    let Ok(new) = document.save(wanted) else { return };
    let report =
        || format!("seed {seed}\n{}\nas a list:\n{text}\nsaved:\n{new}\nwanted: {edited:?}", show(files));
    let stored = open(&new);
    let stream = Stream::open(&stored, Path::new("main.yaml"), access).expect("a stream");
    let again = stream.document(&stored, access, 0).unwrap_or_else(|error| panic!("{error}\n{}", report()));
    assert!(again.data().means(&edited), "{}\nexpands to {:?}", report(), again.data());
    tally.lists += 1;
    tally.needless += u64::from(!new.starts_with("- first # one\n") || !new.ends_with("- last\n"));
}

fn memory(files: &[(String, String)]) -> MemoryFiles {
    let mut memory = MemoryFiles::default();
    for (name, text) in files {
        memory.insert(name, text.clone());
    }
    memory
}

fn edit(before: &Data, random: &mut Random) -> Data {
    let mut edited = before.clone();
    for _ in 0..=random.below(3) {
        mutate(&mut edited, random, 0);
    }
    if matches!(edited, Data::Map(_)) { edited } else { Data::Map(vec![(Data::text("a"), edited)]) }
}

fn count_directives(text: &str) -> u64 {
    text.matches("+/").count() as u64
        + text.matches("+*").count() as u64
        + text.matches("+.").count() as u64
        + text.matches("+include").count() as u64
}

fn has_directive_keys(data: &Data) -> bool {
    match data {
        Data::Scalar(_) => false,
        Data::List(items) => items.iter().any(has_directive_keys),
        Data::Map(entries) => entries.iter().any(|(key, value)| {
            key.as_str().is_some_and(|key| key.starts_with('+')) || has_directive_keys(value)
        }),
    }
}

fn show(files: &[(String, String)]) -> String {
    files.iter().fold(String::new(), |all, (name, text)| all + "--- " + name + "\n" + text)
}
