//! `--ruby-command`: a real Ruby in a process of its own, for what does not run here.
//!
//! Jobs and values go through its standard input, never through its arguments. Each answer is awaited for a bounded time
//! and read up to a bounded size. The process is the head of a group of its own, which is ended as a whole: when the
//! compilation is over, when a job takes too long, and by the program itself when Hierarch is gone.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hierarch_eval::substitute::{Help, Helper, HelperSource};
use hierarch_ruby::helper::PROGRAM;
use hierarch_source::Error;

use crate::cli::issues;

/// A Ruby that may be started.
#[derive(Clone, Debug)]
pub(super) struct RubyCommand {
    /// The program.
    path: PathBuf,
    /// How long one answer may take.
    time: Duration,
    /// How many bytes one answer may have.
    size: usize,
    /// The variables that it sees.
    variables: Vec<(String, String)>,
    /// What it ran, for all nodes, and was not told yet.
    noted: Arc<Mutex<Vec<Help>>>,
}

/// What a Ruby needs to find its libraries; nothing else of our environment reaches it.
const PASSED_ON: [&str; 4] = ["PATH", "HOME", "GEM_HOME", "GEM_PATH"];

impl RubyCommand {
    /// A Ruby, how long it may take and how much it may say for an answer, and the variables that it sees.
    pub(super) fn new(path: PathBuf, time: Duration, size: usize, variables: Vec<(String, String)>) -> Self {
        Self { path, time, size, variables, noted: Arc::default() }
    }

    /// Returns the variables that it sees unless all are allowed.
    pub(super) fn usual_variables() -> Vec<(String, String)> {
        let passed =
            PASSED_ON.iter().filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
        passed.chain([("LANG".to_owned(), "C.UTF-8".to_owned())]).collect()
    }
}

impl HelperSource for RubyCommand {
    fn start(&self) -> Result<Box<dyn Helper>, Error> {
        let mut command = Command::new(&self.path);
        command.args(["-e", PROGRAM]).env_clear().envs(self.variables.iter().cloned()).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| issues::ruby_command_start(&self.path, &error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(issues::ruby_command_ended(&self.path));
        };
        Ok(Box::new(RubyProcess {
            lines: write_lines(input),
            answers: read_lines(output, self.size),
            child,
            command: self.clone(),
        }))
    }

    fn note(&self, what: &str, reason: &str) {
        Help::count(&mut self.noted.lock().unwrap_or_else(PoisonError::into_inner), what, reason);
    }

    fn take_noted(&self) -> Vec<Help> {
        std::mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A Ruby that was started.
struct RubyProcess {
    child: Child,
    lines: Sender<String>,
    answers: Receiver<Option<String>>,
    command: RubyCommand,
}

impl Helper for RubyProcess {
    fn exchange(&mut self, line: &str) -> Result<String, Error> {
        let path = &self.command.path;
        if self.lines.send(format!("{line}\n")).is_err() {
            return Err(issues::ruby_command_ended(path));
        }
        match self.answers.recv_timeout(self.command.time) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(issues::ruby_command_size(path, self.command.size)),
            Err(RecvTimeoutError::Timeout) => Err(issues::ruby_command_time(path, self.command.time)),
            Err(RecvTimeoutError::Disconnected) => Err(issues::ruby_command_ended(path)),
        }
    }
}

impl Drop for RubyProcess {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes lines beside the run, so that a Ruby that reads none cannot hold it up. It ends with the sender.
fn write_lines(mut input: ChildStdin) -> Sender<String> {
    let (sender, lines) = channel::<String>();
    std::thread::spawn(move || {
        for line in lines {
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// Reads lines beside the run; nothing stands for a line that is too long. It ends with the output.
fn read_lines(output: ChildStdout, most: usize) -> Receiver<Option<String>> {
    let (sender, answers) = channel();
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = (&mut output).take(most as u64 + 1).read_until(b'\n', &mut line);
            if !matches!(read, Ok(count) if count > 0) {
                return;
            }
            let is_whole = line.pop() == Some(b'\n');
            let answer = is_whole.then(|| String::from_utf8_lossy(&line).into_owned());
            if sender.send(answer).is_err() || !is_whole {
                return;
            }
        }
    });
    answers
}
