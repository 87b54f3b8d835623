//! `hierarch eyaml edit`: a file in an editor, its values readable; what was not changed keeps its ciphertext.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use hierarch_hiera::eyaml::{self, edit};
use hierarch_source::{DraftFolder, Error, FileChange};

use super::{KeyArguments, read};
use crate::cli::failure::Failure;
use crate::cli::saving::{self, save_files};

#[derive(Args)]
pub(super) struct EditArguments {
    #[command(flatten)]
    keys: KeyArguments,
    /// Leave out the explanation at the top
    #[arg(long)]
    no_preamble: bool,
    /// The file
    file: PathBuf,
}

/// What stands above the text while it is edited. Lines that begin so are removed.
const PREAMBLE: &str = "\
#| Encrypted values are readable here: DEC(1)::PKCS7[the value]!
#| Change what stands between the brackets; leave the number as it is.
#| For a new encrypted value write DEC::PKCS7[the value]! without a number.
#| These lines at the top are not saved.
";

pub(super) fn run(arguments: &EditArguments) -> Result<(), Failure> {
    let path = &arguments.file;
    let is_new = !path.exists();
    let text = if is_new { String::new() } else { read(path)? };
    let private = || read(&arguments.keys.private);
    let decrypt = |data: &str| {
        let key = private().map_err(|failure| Error::new("EYAML", failure.to_string()))?;
        let secret = super::open(&key, data);
        secret.map_err(|failure| Error::new("EYAML", failure.to_string()))
    };
    let (shown, opened) = edit::open(&text, decrypt).map_err(|error| Failure::new(error.to_string()))?;
    let preamble = if arguments.no_preamble { "" } else { PREAMBLE };
    let draft = Draft::new(path, &format!("{preamble}{shown}"))?;
    draft.edit()?;
    let edited = without_preamble(&draft.text()?);
    if edited == shown {
        return super::print("No changes\n");
    }
    let encrypt = |secret: &str| {
        let public = read(&arguments.keys.public);
        let public = public.map_err(|failure| Error::new("EYAML", failure.to_string()))?;
        eyaml::token_of(&public, secret)
    };
    let closed = opened.close(&edited, encrypt).map_err(|error| Failure::new(error.to_string()))?;
    let change = if is_new {
        FileChange::create(path, closed.as_bytes())
    } else {
        FileChange::replace(path, text.as_bytes(), closed.as_bytes())
    };
    Ok(save_files(&[change])?)
}

fn without_preamble(text: &str) -> String {
    let mut lines = text.split_inclusive('\n').skip_while(|line| line.starts_with("#|")).peekable();
    lines.by_ref().collect()
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
            Ok(status) => {
                Err(Failure::new(format!("the editor {editor} failed ({status}); nothing was written")))
            }
            Err(error) => Err(Failure::new(format!("the editor {editor} cannot be started: {error}"))),
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
        let _ = std::fs::write(&self.file, vec![0; usize::try_from(length).unwrap_or(0)]);
    }
}
