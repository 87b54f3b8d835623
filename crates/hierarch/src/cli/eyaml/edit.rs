//! `hierarch eyaml edit`: a file in an editor, its values readable; what was not changed keeps its ciphertext.

use std::ffi::OsStr;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use hierarch_hiera::eyaml;
use hierarch_hiera::eyaml::edit::{self, DecryptedFile};
use hierarch_source::{DraftFolder, Error, FileChange, Source};
use hierarch_yaml::{Dialect, DocumentLimits, read as read_yaml};

use super::config::KeyArguments;
use super::{opener, read, told};
use crate::cli::failure::Failure;
use crate::cli::issues;
use crate::cli::report::{error_line, warning_line};
use crate::cli::saving::{self, save_files};

#[derive(Args)]
pub(super) struct EditArguments {
    #[command(flatten)]
    keys: KeyArguments,
    /// Leave out the explanation at the top
    #[arg(long)]
    no_preamble: bool,
    /// Leave what is encrypted as it is; what is marked as new is encrypted
    #[arg(short = 'd', long)]
    no_decrypt: bool,
    /// The file
    file: PathBuf,
}

/// What lines of the explanation begin with.
const PREFIX: &str = "# |";

/// What stands above the text while it is edited. Lines that begin so are removed.
const PREAMBLE: &str = "\
# | Encrypted values are readable here: DEC(1)::PKCS7[the value]!
# | Change what stands between the brackets; leave the number as it is.
# | For a new encrypted value write DEC::PKCS7[the value]! without a number.
# | These lines at the top are not saved.
";

/// What a new file begins with.
const NEW: &str = "---\n";

pub(super) fn run(arguments: &EditArguments) -> Result<(), Failure> {
    let settings = arguments.keys.settings()?;
    let path = &arguments.file;
    let is_new = !path.exists();
    let text = if is_new { NEW.to_owned() } else { read(path)? };
    let (shown, opened) = if arguments.no_decrypt {
        (text.clone(), DecryptedFile::default())
    } else {
        edit::open(&text, opener(&settings)).map_err(told)?
    };
    let preamble = if arguments.no_preamble { "" } else { PREAMBLE };
    let draft = Draft::new(path, &format!("{preamble}{shown}"))?;
    let encrypt = |secret: &str| {
        let public = settings.public_key();
        let public = public.map_err(issues::eyaml)?;
        eyaml::token_of(&public, secret)
    };
    loop {
        draft.edit()?;
        let edited = without_preamble(&draft.text()?);
        if edited == shown {
            return super::print("No changes\n");
        }
        if edited.trim().is_empty() && !shown.trim().is_empty() {
            return Err(issues::editor_left_nothing());
        }
        for key in opened.no_longer_encrypted(&shown, &edited) {
            warning_line(&issues::no_longer_encrypted(&key));
        }
        let closed = match opened.close(&edited, encrypt) {
            Ok(closed) => closed,
            Err(error) if may_edit_again(&error)? => continue,
            // Nobody knows which parts of it are secret, so all of it is.
            Err(error) => {
                let whole = encrypt(&edited).ok();
                return Err(
                    whole.map_or_else(|| issues::nothing_written(&error), |whole| kept(path, &whole, &error))
                );
            }
        };
        match checked(path, closed.clone()) {
            Ok(()) => {
                let (old, new) = (text.as_bytes(), closed.as_bytes());
                let change =
                    if is_new { FileChange::create(path, new) } else { FileChange::replace(path, old, new) };
                return save_files(&[change]).map_err(|reason| kept(path, &closed, &Error::from(reason)));
            }
            Err(error) if may_edit_again(&error)? => {}
            Err(error) => return Err(kept(path, &closed, &error)),
        }
    }
}

/// More edits than these are not kept beside a file.
const MOST_KEPT: usize = 100;

/// Keeps an edit, encrypted, beside the file that it could not be written to, and says so.
fn kept(path: &Path, closed: &str, error: &Error) -> Failure {
    let mut name = path.as_os_str().to_owned();
    name.push(".rejected");
    for number in 1..=MOST_KEPT {
        let mut name = name.clone();
        if number > 1 {
            name.push(format!("-{number}"));
        }
        let file = PathBuf::from(name);
        if !file.exists() && save_files(&[FileChange::create(&file, closed.as_bytes()).private()]).is_ok() {
            return issues::edit_kept(error, &file);
        }
    }
    issues::nothing_written(error)
}

/// Lets only a text pass that can be read as YAML.
fn checked(path: &Path, text: String) -> Result<(), Error> {
    let source = Source::new(path.display().to_string(), text);
    let tree = read_yaml(&source, Dialect::Psych, DocumentLimits::default())?;
    tree.roots().iter().try_for_each(|&root| tree.data(root, DocumentLimits::default()).map(drop))
}

/// Asks whether to go on editing, on a terminal: what was typed would be lost.
fn may_edit_again(error: &Error) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    error_line(&error.to_string());
    super::print(issues::EDIT_AGAIN)?;
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    Ok(read.is_ok_and(|length| length > 0) && !answer.trim().to_lowercase().starts_with('n'))
}

fn without_preamble(text: &str) -> String {
    text.split_inclusive('\n').skip_while(|line| line.starts_with(PREFIX)).collect()
}

/// A file for the editor in a folder that nobody else may enter. It goes with all that an editor puts beside it,
/// also when a signal ends the program.
struct Draft {
    folder: DraftFolder,
    file: PathBuf,
}

impl Draft {
    fn new(of: &Path, text: &str) -> Result<Self, Failure> {
        let parent = std::env::temp_dir();
        let failure = |error: &std::io::Error| Failure::io("write", &parent, error);
        let folder = saving::drafts().folder(&parent).map_err(|error| failure(&error))?;
        let file = folder.path().join(of.file_name().unwrap_or(OsStr::new("draft.yaml")));
        save_files(&[FileChange::create(&file, text.as_bytes()).private()])?;
        Ok(Self { folder, file })
    }

    fn edit(&self) -> Result<(), Failure> {
        let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
        let editor = editor.filter(|editor| !editor.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
        // The shell splits `code --wait` into words.
        let mut command = std::process::Command::new("sh");
        command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&self.file);
        match saving::lend_terminal(|| command.status()) {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(issues::editor_failed(&editor, status)),
            Err(error) => Err(issues::editor_not_started(&editor, &error)),
        }
    }

    fn text(&self) -> Result<String, Failure> {
        read(&self.file)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // The folder removes itself; what stood in the file goes first.
        debug_assert!(self.file.starts_with(self.folder.path()));
        let length = std::fs::metadata(&self.file).map_or(0, |metadata| metadata.len());
        // Not made anew where a signal has removed it.
        if let Ok(mut file) = std::fs::OpenOptions::new().write(true).open(&self.file) {
            let _ = file.write_all(&vec![0; usize::try_from(length).unwrap_or(0)]);
        }
    }
}
