//! Any bytes as YAML: both dialects read them without a panic, and the fast lane agrees with the full parsers.

#![no_main]

use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, NodeId, read_fully, read_simple};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz.yaml", bytes.to_vec()) else { return };
    let limits = DocumentLimits { expanded: 10_000, ..DocumentLimits::default() };
    for dialect in [Dialect::Psych, Dialect::Core] {
        let full = read_fully(&source, dialect, limits);
        if let Ok(Some(fast)) = read_simple(&source, dialect, limits) {
            let full = full.as_ref().expect("what the fast lane accepts is YAML");
            assert_eq!(fast.len(), full.len());
            for id in (0..fast.len()).map(NodeId::from_index) {
                assert_eq!((fast.kind(id), fast.text(id)), (full.kind(id), full.text(id)));
            }
        }
        if let Ok(tree) = full {
            for &root in tree.roots() {
                let _ = tree.data(root, limits);
            }
        }
    }
});
