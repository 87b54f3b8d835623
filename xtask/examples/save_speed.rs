//! Measures load, expand and save: `save_speed KEYS [--one|--all|--text]`, with one or all texts changed. With `--text`
//! prints the document instead, for other programs.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;

use hierarch_compose::{Access, Document, Edit};
use hierarch_source::{MemoryFiles, Result};
use hierarch_yaml::{Data, Scalar};
use xtask::measure::{best_of, peak_kb};

/// Every eight keys: a base of three, a use of it with two own keys and one list.
fn text(keys: usize) -> String {
    let mut text = String::from("# generated\n");
    for index in 0..keys / 8 {
        let _ = writeln!(
            text,
            "base{index}:\n  port: {index}   # the port\n  name: service {index}\n  opts: {{a: 1, b: two}}"
        );
        let _ = writeln!(
            text,
            "use{index}:\n  +/base{index}:\n  port: {}\n  opts:\n    b: 3\n  tags: [x, y, z{index}]",
            index + 1
        );
    }
    text
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let keys = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let text = text(keys);
    let asks_for = |option: &str| arguments.iter().any(|argument| argument == option);
    if asks_for("--text") {
        return io::stdout().write_all(text.as_bytes());
    }
    let files = MemoryFiles::from([("main.yaml", text)]);
    let length = save(&files, keys, asks_for("--all")).map_err(io::Error::other)?;
    let time = best_of(10, || drop(black_box(save(&files, keys, asks_for("--all")))))?;
    writeln!(
        io::stdout(),
        "{keys} keys, {length} bytes: {:.2} ms, {} MB at most",
        time.as_secs_f64() * 1e3,
        peak_kb()? / 1024
    )
}

/// Loads, expands, changes one value or every text in the result, and saves.
fn save(files: &MemoryFiles, keys: usize, all: bool) -> Result<usize> {
    let access = Access::default();
    let mut document = Document::open(files, Path::new("main.yaml"), &access)?;
    let edited = if all {
        let mut data = document.data();
        change_texts(&mut data);
        document.grow(&data)?
    } else {
        document.with(&format!("/use{}/name", keys / 16), Edit::Set(Data::Scalar(Scalar::Int(5))))?
    };
    Ok(document.save(edited)?.len())
}

fn change_texts(data: &mut Data) {
    match data {
        Data::Scalar(Scalar::Str(text)) => text.to_mut().push('!'),
        Data::Scalar(_) => {}
        Data::List(items) => items.iter_mut().for_each(change_texts),
        Data::Map(entries) => entries.iter_mut().for_each(|(_, value)| change_texts(value)),
    }
}
