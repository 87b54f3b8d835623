//! Any text as a document with merge directives: expanded, saved unchanged and with edits, without a panic, and the two
//! laws of saving hold.

#![no_main]

use std::path::Path;

use hierarch_compose::{Access, Document, Edit};
use hierarch_source::{MemoryFiles, Result};
use hierarch_yaml::{Data, DocumentLimits};
use libfuzzer_sys::fuzz_target;

const PART: &str = "x: 1\nl: [1, {+/a: }]\n";

fuzz_target!(|text: &str| {
    let files = MemoryFiles::from([("main.yaml", text), ("part.yaml", PART)]);
    let access = Access { limits: DocumentLimits { expanded: 10_000, ..DocumentLimits::default() }, ..Access::default() };
    let Ok(mut document) = Document::open(&files, Path::new("main.yaml"), &access) else { return };
    let data = document.data();
    if let Ok(same) = document.grow(&data) {
        assert_eq!(document.save(same).expect("nothing to save"), text);
    }
    let first = document.origins().first().map(|origin| origin.path.clone()).unwrap_or_default();
    for (path, edit) in [
        ("/fuzz", Edit::Set(Data::text("new"))),
        (first.as_str(), Edit::Set(Data::text("other"))),
        (first.as_str(), Edit::Delete),
        (first.as_str(), Edit::Rename("renamed".into())),
    ] {
        // What no text can say is refused; what is saved must say what was wanted.
        let _ = check(&mut document, &access, path, edit);
    }
});

fn check(document: &mut Document, access: &Access, path: &str, edit: Edit) -> Result<()> {
    let edited = document.with(path, edit)?;
    let wanted = document.forest().data(edited);
    let saved = document.save(edited)?;
    let files = MemoryFiles::from([("main.yaml", saved.as_str()), ("part.yaml", PART)]);
    let mut again = Document::open(&files, Path::new("main.yaml"), access).expect("what is saved can be read");
    let wanted = again.grow(&wanted)?;
    assert!(again.forest().same(again.value(), wanted), "{saved:?}");
    Ok(())
}
