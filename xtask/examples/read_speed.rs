//! Measures reading: `read_speed GROUPS FILE…` prints the MB/s of the best of several groups of rounds, for the
//! tree alone, with all values made, and with all values made and owning their texts. `read_speed --join COPIES
//! FILE…` prints one large document with the contents of all files instead.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;

use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, Kind, Tree, read};
use xtask::measure::best_of;

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let joins = arguments.first().is_some_and(|first| first == "--join");
    if joins {
        arguments.remove(0);
    }
    let number = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(1);
    let texts = arguments.iter().skip(1).filter_map(|path| std::fs::read_to_string(path).ok());
    let sources: Vec<Arc<Source>> = texts.map(Source::unnamed).collect();
    if joins { join(number, &sources) } else { measure(number, &sources) }
}

fn tree_of(source: &Arc<Source>) -> Option<Tree> {
    read(source, Dialect::Psych, DocumentLimits::default()).ok()
}

fn measure(groups: usize, sources: &[Arc<Source>]) -> io::Result<()> {
    let bytes: usize = sources.iter().map(|source| source.text().len()).sum();
    let speed = |work: &dyn Fn(&Tree)| -> io::Result<f64> {
        let time = best_of(groups, || sources.iter().filter_map(tree_of).for_each(|tree| work(&tree)))?;
        Ok(bytes as f64 / time.as_secs_f64() / 1e6)
    };
    let limits = DocumentLimits::default();
    let tree = speed(&|tree| {
        black_box(tree.len());
    })?;
    let borrowed = speed(&|tree| drop(black_box(tree.root().map(|root| tree.borrowed_data(root, limits)))))?;
    let owned = speed(&|tree| drop(black_box(tree.root().map(|root| tree.data(root, limits)))))?;
    writeln!(io::stdout(), "tree {tree:.1} values {borrowed:.1} owned {owned:.1}")
}

/// Every file that holds a map, under a key of its own, as often as asked.
fn join(copies: usize, sources: &[Arc<Source>]) -> io::Result<()> {
    let is_map =
        |tree: &Tree| tree.roots().len() == 1 && tree.root().map(|root| tree.kind(root)) == Some(Kind::Map);
    let maps: Vec<&Arc<Source>> =
        sources.iter().filter(|source| tree_of(source).is_some_and(|tree| is_map(&tree))).collect();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for copy in 0..copies {
        for (number, source) in maps.iter().enumerate() {
            writeln!(out, "file{number}_{copy}:")?;
            let lines = source.text().lines().filter(|line| !line.starts_with("...") && *line != "---");
            for line in lines {
                writeln!(out, "  {}", line.strip_prefix("--- ").unwrap_or(line))?;
            }
        }
    }
    out.flush()
}
