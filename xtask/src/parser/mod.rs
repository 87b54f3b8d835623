//! Our parser beside Puppet's: the same answers, and how fast they come.

pub mod bench;
pub mod compare;
pub mod files;
pub mod ours;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::panic;
use std::path::Path;

use compare::{Comparison, Tally};
use serde_json::Value as Json;

/// Holds our answers about the files below a folder against Puppet's, prints every difference and the counts, and
/// returns them.
pub fn compare_folder(folder: &Path, answers: &Path, out: &mut dyn Write) -> io::Result<Tally> {
    let mut tally = Tally::default();
    for line in BufReader::new(File::open(answers)?).lines() {
        let theirs: Json = serde_json::from_str(&line?)?;
        let path = theirs["path"].as_str().unwrap_or_default();
        let bytes = fs::read(folder.join(path))?;
        let ours = panic::catch_unwind(|| ours::answer_about(path, bytes))
            .unwrap_or_else(|_| compare::answer(path, [("pn", Some("hierarch panicked".into()))]));
        let (tree, validation) = (compare::trees(&theirs, &ours), compare::validations(&theirs, &ours));
        tally.files += 1;
        tally.count_tree(&tree);
        tally.count_validation(&validation);
        for comparison in [tree, validation] {
            if let Comparison::Different(words) = comparison {
                writeln!(out, "{path}: {words}")?;
            }
        }
    }
    writeln!(
        out,
        "{} files: {} trees equal, {} validations equal, {} answers that Puppet failed to give, {} differences",
        tally.files, tally.trees, tally.validations, tally.crashes, tally.differences
    )?;
    Ok(tally)
}
