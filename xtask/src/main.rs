//! `cargo xtask`: the project's own chores.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::measure;
use xtask::parser::{bench, files};
use xtask::seeds::{self, Language};
use xtask::{cases, check, dist, docs, evaluation, lookups, parser, release, tidy};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's own chores.")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Check everything: format, lints, documentation, tests, cases, tidy.
    Check,
    /// Run recorded cases and print each difference.
    Cases {
        /// Files or folders of cases.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Only the cases whose file, kind or description contains this text.
        #[arg(long)]
        filter: Option<String>,
        /// Print every case as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Rewrite tests/pending: drop what passes, list what fails; for when a kind is judged for the first time.
    Pending,
    /// Write the pages that are made of tables in the code: docs/functions.md.
    Docs,
    /// Make what a release consists of: archive, manual, completions, packages, sums.
    Dist {
        /// The target to build for; this machine's if not given.
        #[arg(long)]
        target: Option<String>,
        /// Where everything goes.
        #[arg(long, default_value = "target/release-files")]
        out: PathBuf,
        /// The profile to build with; only `dist` is shipped.
        #[arg(long, default_value = "dist")]
        profile: String,
    },
    /// Check everything, make what a release consists of, and write the conformance score into README and release notes.
    Release {
        /// The target to build for; this machine's if not given.
        #[arg(long)]
        target: Option<String>,
        /// Where everything goes.
        #[arg(long, default_value = "target/release-files")]
        out: PathBuf,
        /// Only the conformance score: nothing else is checked or made.
        #[arg(long)]
        score: bool,
        /// `cargo xtask check` has passed for this very commit: it is not run again.
        #[arg(long)]
        checked: bool,
    },
    /// Hold our parser's answers about the files below a folder against Puppet's: see `scripts/compare-parser`.
    CompareParser {
        /// Where the files are.
        folder: PathBuf,
        /// Puppet's answers, from `scripts/puppet answers FOLDER`.
        answers: PathBuf,
    },
    /// Measure our parser over the files below a folder, as JSON: see `scripts/bench-parser`.
    BenchParser {
        /// Where the files are.
        folder: PathBuf,
    },
    /// Measure the evaluation of a manifest, as JSON: see `scripts/bench-eval`.
    BenchEval {
        /// The manifest.
        file: PathBuf,
    },
    /// Measure the compilation of a site's catalog, as JSON: see `scripts/bench-catalog`.
    BenchCatalog {
        /// The site, from `scripts/generate-site`.
        folder: PathBuf,
    },
    /// Compile broken variants of modules: nothing may panic, hang or run out of stack. See `scripts/break-modules`.
    CompileMutants {
        /// The folder of the modules.
        modules: PathBuf,
        /// Facts by the name of an operating system: `scripts/catalog-facts.json`.
        facts: PathBuf,
        /// How many.
        #[arg(long, default_value_t = 20_000)]
        count: usize,
        /// The number of the first.
        #[arg(long, default_value_t = 0)]
        from: usize,
        /// Another number gives other damage.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Where the files of findings go.
        #[arg(long, default_value = "target/mutants")]
        keep: PathBuf,
        /// Compile in this process, and die with it.
        #[arg(long)]
        here: bool,
    },
    /// Write random expressions, types and calls, one JSON object a line: see `scripts/fuzz-eval`.
    Programs {
        /// Where they go.
        out: PathBuf,
        /// How many.
        #[arg(long, default_value_t = 20_000)]
        count: usize,
        /// Another number gives other programs.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only calls of functions of puppetlabs-stdlib.
        #[arg(long)]
        stdlib: bool,
    },
    /// Hold our answers to such programs against Puppet's.
    CompareEval {
        /// Puppet's answers, from `scripts/puppet-fuzz.rb`.
        answers: PathBuf,
    },
    /// Write damaged pieces of the manifests below a folder, as food for `scripts/compare-parser`.
    Mutants {
        /// Where the manifests are.
        folder: PathBuf,
        /// Where the damaged ones go.
        out: PathBuf,
        /// How many.
        #[arg(long, default_value_t = 5000)]
        count: usize,
        /// Another number gives other damage.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write the texts to begin fuzzing with.
    Seeds {
        /// Manifests or templates.
        language: Language,
        /// Where they go.
        folder: PathBuf,
    },
    /// Hold our answers to generated lookups against Puppet's: see `scripts/compare-lookup`.
    CompareLookup {
        /// Puppet's answers, from `scripts/puppet-lookup.rb`.
        answers: PathBuf,
    },
    /// Measure warm lookups: see `scripts/bench-lookup`.
    BenchLookup,
    /// Measure the size and the start of a program, and compare them with the last release's.
    Figures {
        /// The program, as it is shipped.
        program: PathBuf,
    },
    /// Measure the CPU time of a program, in milliseconds a run.
    Cpu {
        /// How often it is run.
        #[arg(long, default_value_t = 100)]
        runs: u32,
        /// The program.
        program: String,
        /// Its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().chore {
        Chore::Check => check::check(&mut io::stdout()).map(exit_code),
        Chore::Pending => renew_pending(),
        Chore::Docs => docs::write().map(|()| ExitCode::SUCCESS),
        Chore::Dist { target, out, profile } => dist::Release::new(target.as_deref(), &out, &profile)
            .and_then(|release| dist::dist(&release, &mut io::stdout()))
            .map(|()| ExitCode::SUCCESS),
        Chore::Release { target, out, score, checked } => {
            // A panic in the code under test is the difference of its case.
            std::panic::set_hook(Box::new(|_| {}));
            let extent = match (score, checked) {
                (true, _) => release::Extent::Score,
                (false, true) => release::Extent::Checked,
                (false, false) => release::Extent::Whole,
            };
            release::release(target.as_deref(), &out, extent, &mut io::stdout()).map(exit_code)
        }
        Chore::CompareParser { folder, answers } => {
            parser::compare_folder(&folder, &answers, &mut io::stdout().lock())
                .map(|tally| exit_code(tally.files > 0 && tally.differences == 0))
        }
        Chore::BenchParser { folder } => print_speed(&folder),
        Chore::Programs { out, count, seed, stdlib } => {
            evaluation::write_programs(&out, count, seed, stdlib).map(|()| ExitCode::SUCCESS)
        }
        Chore::CompareEval { answers } => {
            evaluation::compare(&answers, &mut io::stdout()).map(|differences| exit_code(differences == 0))
        }
        Chore::BenchCatalog { folder } => print_compilation(&folder),
        Chore::CompileMutants { modules, facts, count, from, seed, keep, here } => {
            let mutants = evaluation::Mutants { modules, facts, from, to: from + count, seed };
            if here {
                mutants.work().map(|()| ExitCode::SUCCESS)
            } else {
                let run = std::env::current_exe().and_then(|own| mutants.run(&own, &keep, &mut io::stdout()));
                run.map(|tally| exit_code(tally.findings == 0))
            }
        }
        Chore::BenchEval { file } => print_evaluation(&file),
        Chore::Mutants { folder, out, count, seed } => {
            files::write_mutants(&folder, &out, count, seed).map(|()| ExitCode::SUCCESS)
        }
        Chore::Seeds { language, folder } => seeds::write(language, &folder).map(|()| ExitCode::SUCCESS),
        Chore::BenchLookup => print_lookups(),
        Chore::CompareLookup { answers } => {
            lookups::compare(&answers, &mut io::stdout()).map(|differences| exit_code(differences == 0))
        }
        Chore::Figures { program } => release::compare_figures(&program, &mut io::stdout()).map(exit_code),
        Chore::Cpu { runs, program, arguments } => print_cpu(&program, &arguments, runs),
        Chore::Cases { paths, filter, json } => run_cases(&paths, filter.as_deref(), json),
    };
    result.unwrap_or_else(|error| {
        // There is nowhere left to say it when standard error is closed too.
        let _ = writeln!(io::stderr(), "xtask: {error}");
        ExitCode::FAILURE
    })
}

fn run_cases(paths: &[PathBuf], filter: Option<&str>, json: bool) -> io::Result<ExitCode> {
    // A panic in the code under test is reported as the difference of its case.
    std::panic::set_hook(Box::new(|_| {}));
    let mut found: Vec<_> = paths.iter().flat_map(|path| cases::load(path)).collect();
    if let Some(text) = filter {
        found.retain(|case| case.mentions(text));
    }
    let verdicts = cases::run_all(&found);
    let mut out = io::stdout().lock();
    let write = if json { cases::write_json } else { cases::write_text };
    let report = write(&mut out, &found, &verdicts)?;
    if found.is_empty() {
        writeln!(io::stderr(), "xtask: no cases found")?;
    }
    Ok(exit_code(report.failed == 0 && report.passed > 0))
}

fn print_evaluation(file: &Path) -> io::Result<ExitCode> {
    let cost = evaluation::bench(file)?;
    let (seconds, peak) = (cost.time.as_secs_f64(), cost.peak_kb);
    writeln!(io::stdout(), "{{\"seconds\":{seconds},\"peak_kb\":{peak}}}")?;
    Ok(ExitCode::SUCCESS)
}

fn print_compilation(folder: &Path) -> io::Result<ExitCode> {
    let cost = evaluation::bench_catalog(folder)?;
    let (seconds, resources, peak) = (cost.time.as_secs_f64(), cost.resources, cost.peak_kb);
    writeln!(io::stdout(), "{{\"seconds\":{seconds},\"resources\":{resources},\"peak_kb\":{peak}}}")?;
    Ok(ExitCode::SUCCESS)
}

fn renew_pending() -> io::Result<ExitCode> {
    std::panic::set_hook(Box::new(|_| {}));
    let tests = tidy::repository().join("tests");
    let (root, file) = (tests.join("cases"), tests.join("pending"));
    let found = cases::load(&root);
    let verdicts = cases::run_all(&found);
    let list = fs::read_to_string(&file)?;
    fs::write(file, cases::pending::renewed(&list, &found, &verdicts, &root))?;
    Ok(ExitCode::SUCCESS)
}

fn print_lookups() -> io::Result<ExitCode> {
    let speed = lookups::bench()?;
    let mut out = io::stdout().lock();
    for (name, rate) in [
        ("plain", speed.plain),
        ("interpolated", speed.interpolated),
        ("deep merge of 11 levels", speed.deep),
        ("plain, first time in a session", speed.first),
    ] {
        writeln!(out, "  {name}: {rate:.0}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_speed(folder: &Path) -> io::Result<ExitCode> {
    let speed = bench::bench(folder)?;
    let seconds = speed.time.as_secs_f64();
    writeln!(io::stdout(), r#"{{"bytes":{},"files":{},"seconds":{seconds}}}"#, speed.bytes, speed.files)?;
    Ok(ExitCode::SUCCESS)
}

fn print_cpu(program: &str, arguments: &[String], runs: u32) -> io::Result<ExitCode> {
    let milliseconds = measure::program_time(program, arguments, runs)?;
    writeln!(io::stdout(), "{milliseconds:.3}")?;
    Ok(ExitCode::SUCCESS)
}

fn exit_code(passed: bool) -> ExitCode {
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
