//! Measures reading: `read_speed [--rounds N] [--data] FILE…` prints bytes, seconds of CPU and MB/s.
#![allow(clippy::print_stdout)]

use std::io::{self, Write};

use hierarch_source::Source;
use hierarch_yaml::{Dialect, Limits, read};

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let with_data = arguments.iter().any(|argument| argument == "--data");
    arguments.retain(|argument| argument != "--data");
    let rounds = match arguments.iter().position(|argument| argument == "--rounds") {
        Some(at) => {
            let rounds = arguments[at + 1].parse().unwrap_or(1);
            arguments.drain(at..at + 2);
            rounds
        }
        None => 1,
    };
    let texts: Vec<String> = arguments.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let (mut bytes, mut nodes) = (0, 0);
    let start = cpu_seconds();
    for _ in 0..rounds {
        for text in &texts {
            bytes += text.len();
            let Ok(tree) = read(&Source::unnamed(text.as_str()), Dialect::Psych, Limits::default()) else {
                continue;
            };
            nodes += tree.len();
            if with_data && let Some(root) = tree.root() {
                let _ = std::hint::black_box(tree.data(root, Limits::default()));
            }
        }
    }
    let seconds = cpu_seconds() - start;
    writeln!(
        io::stdout(),
        "{bytes} bytes, {nodes} nodes, {seconds:.3} s, {:.1} MB/s",
        bytes as f64 / seconds / 1e6
    )
}

/// The CPU time of this process: other work on the machine must not count.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}
