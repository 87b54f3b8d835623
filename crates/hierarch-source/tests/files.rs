//! Files of the disk: read in as few steps as may be, and never other bytes than are there.

use std::path::Path;

use hierarch_source::{DiskFiles, Files};

#[test]
fn a_file_and_its_stamp_are_what_each_is_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for (name, length) in [("empty", 0), ("one", 1), ("page", 4096), ("long", 300_000)] {
        std::fs::write(at(name), vec![b'x'; length]).expect("a file");
        for most in [0, 1, 4095, 4096, 1 << 20, u64::MAX] {
            let (bytes, stamp) = DiskFiles.read_with_stamp(&at(name), most);
            assert_eq!(stamp, DiskFiles.stamp(&at(name)), "{name}");
            let kind = bytes.as_ref().err().map(std::io::Error::kind);
            assert_eq!(kind.is_some(), length as u64 > most, "{name} {most} {kind:?}");
            assert!(bytes.is_err() || bytes.is_ok_and(|bytes| bytes == vec![b'x'; length]), "{name}");
        }
    }
    for name in ["none", ""] {
        let (bytes, stamp) = DiskFiles.read_with_stamp(&at(name), 10);
        assert_eq!(stamp, DiskFiles.stamp(&at(name)), "{name}");
        let alone = DiskFiles.read_at_most(&at(name), 10);
        assert_eq!(bytes.map_err(|error| error.kind()), alone.map_err(|error| error.kind()), "{name}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_hides_its_length_is_read_whole() {
    let text = DiskFiles.read(Path::new("/proc/self/status")).expect("a process");
    assert!(text.starts_with(b"Name:") && text.len() > 500, "{} bytes", text.len());
}
