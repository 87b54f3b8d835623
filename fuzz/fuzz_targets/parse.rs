//! Any bytes as a manifest: lexed, parsed, validated, dumped and rendered without a panic.

#![no_main]

use hierarch_source::{Source, Style};
use hierarch_syntax::{DumpFormat, ValidateOptions, check, dump};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz.pp", bytes.to_vec()) else { return };
    let checked = check(&source, &ValidateOptions::default());
    for diagnostic in &checked.diagnostics {
        diagnostic.render(Style::Plain);
    }
    if let Some(program) = &checked.program {
        for format in [DumpFormat::Pn, DumpFormat::Json] {
            dump(program, format);
        }
    }
});
