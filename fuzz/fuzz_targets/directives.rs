//! Any text as a document with merge directives: expanded, and saved with one key added, without a panic.

#![no_main]

use std::path::Path;

use hierarch_compose::{Access, Document};
use hierarch_source::MemoryFiles;
use hierarch_yaml::{Data, Limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let files = MemoryFiles::from([("main.yaml", text), ("part.yaml", "x: 1\nl: [1, {+/a: }]\n")]);
    let access = Access { limits: Limits { expanded: 10_000, ..Limits::default() }, ..Access::default() };
    let Ok(mut document) = Document::open(&files, Path::new("main.yaml"), &access) else { return };
    if let Ok(edited) = document.with("/fuzz", Some(Data::text("new"))) {
        let _ = document.save(edited);
    }
});
