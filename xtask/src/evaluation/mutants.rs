//! Broken variants of modules, compiled to see that nothing panics, hangs or runs out of stack.
//!
//! Variants are numbered, and the same seed and number give the same damage. Compilations run in a process of their
//! own, which says the number that it begins with: if it dies or falls silent, that number is a finding, and another
//! process goes on behind it.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use hierarch_hiera::facts;
use hierarch_pcore::Hash;
use hierarch_site::Root;
use hierarch_source::{DiskFiles, Files, Overlay, Source};

use super::bench::STACK;
use super::site::CompiledSite;
use crate::mutate::{Random, mutate, mutate_tokens};

/// So long a variant may take. Real modules take milliseconds.
const LONGEST: Duration = Duration::from_secs(30);

/// Which variants are compiled.
#[derive(Clone, Debug)]
pub struct Mutants {
    /// The folder of the modules.
    pub modules: PathBuf,
    /// Facts by the name of an operating system, as JSON.
    pub facts: PathBuf,
    /// The first variant.
    pub from: usize,
    /// The one after the last.
    pub to: usize,
    /// Another number gives other damage.
    pub seed: u64,
}

/// What came of variants.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// How many were compiled to the end, with or without an error.
    pub variants: usize,
    /// How many compilations gave a catalog.
    pub catalogs: usize,
    /// How many compilations gave an error.
    pub errors: usize,
    /// How many variants killed the process or took too long.
    pub findings: usize,
}

/// A module, and what of it may be damaged.
struct Module {
    name: String,
    files: Vec<PathBuf>,
}

/// A module with damage.
struct Variant<'m> {
    module: &'m Module,
    damaged: HashMap<PathBuf, Vec<u8>>,
}

impl Mutants {
    /// Compiles all variants in other processes of this program, and keeps the files of those that do not end well in a folder.
    pub fn run(&self, program: &Path, keep: &Path, out: &mut dyn Write) -> io::Result<Tally> {
        let modules = self.modules()?;
        let mut tally = Tally::default();
        let mut next = self.from;
        while next < self.to {
            let mut worker = Worker::start(program, &Self { from: next, ..self.clone() })?;
            let end = worker.follow(&mut tally);
            let Some((number, how)) = end else { break };
            tally.findings += 1;
            writeln!(out, "variant {number}: {how}")?;
            self.variant(&modules, number)?.write(&keep.join(number.to_string()))?;
            next = number + 1;
        }
        writeln!(out, "{tally}")?;
        Ok(tally)
    }

    /// Compiles the variants here, saying what is begun with and what came of it.
    pub fn work(self) -> io::Result<()> {
        let worker = thread::Builder::new().stack_size(STACK).spawn(move || self.compile_all())?;
        worker.join().map_err(|_| io::Error::other("a compilation panicked"))?
    }

    fn compile_all(&self) -> io::Result<()> {
        let modules = self.modules()?;
        let facts = self.facts()?;
        let mut out = io::stdout().lock();
        for number in self.from..self.to {
            writeln!(out, "{number}")?;
            let variant = self.variant(&modules, number)?;
            let mut files = Overlay::new(DiskFiles);
            variant.damaged.into_iter().for_each(|(path, bytes)| files.insert(path, bytes));
            let files: Arc<dyn Files> = Arc::new(files);
            let results = facts.iter().map(|facts| {
                self.site(&variant.module.name, facts.clone(), Arc::clone(&files)).compile().is_ok()
            });
            let catalogs = results.filter(|is_ok| *is_ok).count();
            writeln!(out, "{catalogs} of {}", facts.len())?;
        }
        Ok(())
    }

    fn site(&self, module: &str, facts: Hash, files: Arc<dyn Files>) -> CompiledSite {
        let modulepath = vec![self.modules.display().to_string()];
        CompiledSite {
            files,
            root: Root::Modules,
            modulepath: Some(modulepath),
            node: "node.example.com",
            facts,
            manifest: Source::unnamed(format!("include {module}")),
            types: OnceLock::new(),
        }
    }

    /// Returns the modules that have a class of their name, sorted.
    fn modules(&self) -> io::Result<Vec<Module>> {
        let mut modules = Vec::new();
        for name in DiskFiles.list(&self.modules)? {
            let folder = self.modules.join(&name);
            if folder.join("manifests/init.pp").is_file() {
                let mut files = Vec::new();
                add_files(&folder, &mut files)?;
                modules.push(Module { name, files });
            }
        }
        if modules.is_empty() {
            return Err(io::Error::other(format!("no modules in {}", self.modules.display())));
        }
        Ok(modules)
    }

    fn facts(&self) -> io::Result<Vec<Hash>> {
        let all = facts::read(&DiskFiles, &self.facts.display().to_string());
        let all = all.map_err(|error| io::Error::other(error.to_string()))?;
        Ok(all.iter().filter_map(|(_, facts)| facts.as_hash().cloned()).collect())
    }

    fn variant<'m>(&self, modules: &'m [Module], number: usize) -> io::Result<Variant<'m>> {
        let mut random = Random::new(self.seed.wrapping_mul(1 << 32).wrapping_add(number as u64));
        let module = random.pick(modules);
        let mut damaged = HashMap::new();
        for _ in 0..=random.below(3) {
            let file = module.pick(&mut random);
            let text = read_text(&file)?;
            match random.below(10) {
                0 => {
                    let other = module.pick(&mut random);
                    damaged.insert(file.clone(), read_text(&other)?.into_bytes());
                    damaged.insert(other, text.into_bytes());
                }
                1 | 2 => drop(damaged.insert(file.clone(), mutate(&text, &mut random).into_bytes())),
                _ => drop(damaged.insert(file.clone(), mutate_tokens(&text, &mut random).into_bytes())),
            }
        }
        Ok(Variant { module, damaged })
    }
}

impl Module {
    /// Picks a file: every second time the one that is surely read.
    fn pick(&self, random: &mut Random) -> PathBuf {
        let first = self.files.iter().find(|file| file.ends_with("manifests/init.pp"));
        match first {
            Some(first) if random.below(2) == 0 => first.clone(),
            _ => random.pick(&self.files).clone(),
        }
    }
}

impl Variant<'_> {
    fn write(&self, folder: &Path) -> io::Result<()> {
        for (path, bytes) in &self.damaged {
            let path = folder.join(path.strip_prefix("/").unwrap_or(path));
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        fs::write(folder.join("module"), &self.module.name)
    }
}

/// Collects what of a module is read without Ruby, and the Ruby of its types.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for name in DiskFiles.list(folder)? {
        let path = folder.join(&name);
        if path.is_dir() {
            add_files(&path, files)?;
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_type = path.parent().is_some_and(|parent| parent.ends_with("lib/puppet/type"));
        if matches!(extension, Some("pp" | "epp" | "yaml" | "json")) || (extension == Some("rb") && is_type) {
            files.push(path);
        }
    }
    Ok(())
}

fn read_text(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// A process that compiles variants.
struct Worker {
    child: Child,
    lines: Receiver<String>,
    errors: thread::JoinHandle<String>,
}

impl Worker {
    fn start(program: &Path, mutants: &Mutants) -> io::Result<Self> {
        let mut child = Command::new(program)
            .arg("compile-mutants")
            .args([&mutants.modules, &mutants.facts])
            .args(["--from", &mutants.from.to_string(), "--count", &(mutants.to - mutants.from).to_string()])
            .args(["--seed", &mutants.seed.to_string(), "--here"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (sender, lines) = mpsc::channel();
        let stdout = child.stdout.take();
        thread::spawn(move || {
            let lines = stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines());
            lines.map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let stderr = child.stderr.take();
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.map(|mut stderr| stderr.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Self { child, lines, errors })
    }

    /// Counts what comes; returns the variant that ended the process, and how.
    fn follow(&mut self, tally: &mut Tally) -> Option<(usize, String)> {
        let mut current = None;
        loop {
            match self.lines.recv_timeout(LONGEST) {
                Ok(line) => match line.split_once(" of ") {
                    Some((catalogs, all)) => {
                        let catalogs: usize = catalogs.parse().unwrap_or(0);
                        tally.variants += 1;
                        tally.catalogs += catalogs;
                        tally.errors += all.parse::<usize>().unwrap_or(0) - catalogs;
                        current = None;
                    }
                    None => current = line.parse().ok(),
                },
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    let _ = self.child.wait();
                    return Some((current?, format!("takes more than {} s", LONGEST.as_secs())));
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => return Some((current?, self.death())),
            }
        }
    }

    fn death(&mut self) -> String {
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let errors = std::mem::replace(&mut self.errors, thread::spawn(String::new)).join();
        format!("{status}: {}", errors.unwrap_or_default().trim().replace('\n', " "))
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { variants, catalogs, errors, findings } = self;
        write!(f, "{variants} variants: {catalogs} catalogs, {errors} errors, {findings} findings")
    }
}
