//! Measures load, expand and save: `save_speed KEYS [--text]`. With `--text` prints the document instead, for other
//! programs.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use hierarch_compose::{Access, Document, Edit};
use hierarch_source::MemoryFiles;
use hierarch_yaml::{Data, Scalar};

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
    if arguments.iter().any(|argument| argument == "--text") {
        return io::stdout().write_all(text.as_bytes());
    }
    let files = MemoryFiles::from([("main.yaml", text)]);
    let access = Access::default();
    let rounds = (200_000 / keys).max(1);
    let start = cpu_seconds();
    let mut length = 0;
    for _ in 0..rounds {
        let mut document =
            Document::open(&files, Path::new("main.yaml"), &access).map_err(io::Error::other)?;
        let place = format!("/use{}/name", keys / 16);
        let edited =
            document.with(&place, Edit::Set(Data::Scalar(Scalar::Int(5)))).map_err(io::Error::other)?;
        length = document.save(edited).map_err(io::Error::other)?.len();
    }
    let seconds = (cpu_seconds() - start) / rounds as f64;
    writeln!(
        io::stdout(),
        "{keys} keys, {length} bytes: {:.2} ms, {} MB at most",
        seconds * 1e3,
        peak_memory()
    )
}

/// The CPU time of this process: other work on the machine must not count.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}

fn peak_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("0");
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) / 1024
}
