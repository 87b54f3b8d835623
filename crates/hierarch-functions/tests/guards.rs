//! An expression from outside computes and does nothing else: under a guard no function reads a file, declares a resource, or
//! looks something up, however it is called.

mod common;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use common::{LIMITS, functions};
use hierarch_bits::dice::Dice;
use hierarch_eval::{Evaluator, Guard};
use hierarch_functions::environment;
use hierarch_source::{FileKind, Files, Source};

/// A disk on which every path is a file, and which remembers what it was asked.
#[derive(Default)]
struct Watched(Mutex<Vec<PathBuf>>);

impl Watched {
    fn note(&self, path: &Path) {
        self.0.lock().expect("no panic").push(path.to_owned());
    }

    fn take(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }
}

impl Files for Watched {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.note(path);
        Ok(b"secret of the disk".to_vec())
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.note(folder);
        Ok(Vec::new())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.note(path);
        true
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.note(path);
        false
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.note(path);
        Some(FileKind::File)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.note(path);
        Ok(path.to_owned())
    }
}

/// Arguments that name files, templates, resources and keys.
const TEMPTING: &[&str] = &[
    "'/etc/passwd'",
    "'/etc/*'",
    "['/etc/passwd', '/etc/shadow']",
    "'m/t.epp'",
    "'m/t.erb'",
    "'<%= 1 %>'",
    "'notify'",
    "{'a' => {'message' => 'x'}}",
    "Notify['a']",
    "'key'",
    "['key']",
    "{}",
    "{'path' => '/etc/passwd'}",
    "Class['a']",
    "undef",
    "1",
];

fn tempting_call(dice: &mut Dice, name: &str) -> String {
    let arguments: Vec<&str> = (0..=dice.below(3)).map(|_| *dice.pick(TEMPTING)).collect();
    let arguments = arguments.join(", ");
    // Directly, by name, and from within something that computes later.
    match dice.below(4) {
        0 => format!("$r = call('{name}', {arguments})"),
        1 => format!("$r = [1].map |$x| {{ {name}({arguments}) }}"),
        2 => format!("$r = ::{name}({arguments})"),
        _ => format!("$r = {name}({arguments})"),
    }
}

#[test]
fn a_guarded_program_reads_no_file_and_declares_nothing() {
    let files = Arc::new(Watched::default());
    let environment =
        environment().assuming_module("stdlib").with_files(Arc::clone(&files) as Arc<dyn Files>);
    let guard = Guard { only_computes: true, asks_nothing: true, ..Guard::default() };
    let mut broken = Vec::new();
    for (number, function) in functions().enumerate() {
        let mut dice = Dice::new(number as u64);
        for _ in 0..12 {
            let code = tempting_call(&mut dice, function.name);
            let mut evaluator = Evaluator::new(&environment).with_limits(LIMITS);
            evaluator.set_guard(guard);
            let result = evaluator.evaluate(&Source::unnamed(&*code));
            let touched = files.take();
            if !touched.is_empty() {
                broken.push(format!("{code} touched {touched:?}"));
            }
            let declared = evaluator.resource_references();
            if result.is_ok() && !declared.is_empty() {
                broken.push(format!("{code} declared {declared:?}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The same calls do read files where nothing forbids it, so that the test above can fail.
#[test]
fn without_a_guard_files_are_read() {
    let files = Arc::new(Watched::default());
    let environment =
        environment().assuming_module("stdlib").with_files(Arc::clone(&files) as Arc<dyn Files>);
    let mut readers = 0;
    for (number, function) in functions().enumerate() {
        let mut dice = Dice::new(number as u64);
        for _ in 0..12 {
            let code = tempting_call(&mut dice, function.name);
            let _ = Evaluator::new(&environment).with_limits(LIMITS).evaluate(&Source::unnamed(&*code));
        }
        readers += usize::from(!files.take().is_empty());
    }
    assert!(readers >= 8, "only {readers} functions read files");
}

#[test]
fn what_is_refused_is_told_by_its_name() {
    let environment = environment();
    let guard = Guard { only_computes: true, asks_nothing: true, ..Guard::default() };
    for code in
        ["file('/etc/passwd')", "lookup('a')", "include('a')", "inline_epp('x')", "call('file', '/x')"]
    {
        let mut evaluator = Evaluator::new(&environment);
        evaluator.set_guard(guard);
        let error = evaluator.evaluate(&Source::unnamed(code)).expect_err(code);
        let name = if code.starts_with("call") { "file" } else { code.split('(').next().unwrap_or_default() };
        assert!(error.message.contains(name), "{code}: {error}");
        // What only computes is not disturbed.
        let value = evaluator.evaluate(&Source::unnamed("[3, 1].sort.map |$x| { $x + 1 }"));
        assert_eq!(value.map(|value| value.to_string()).ok().as_deref(), Some("[2, 4]"));
    }
}
