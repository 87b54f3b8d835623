//! `hierarch eyaml edit`: a file in an editor, its values readable; what was not changed keeps its ciphertext.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use hierarch_hiera::eyaml::{self, edit};
use hierarch_source::Error;

use super::{KeyArguments, read};
use crate::cli::failure::Failure;

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
    let text = if path.exists() { read(path)? } else { String::new() };
    let private = || read(&arguments.keys.private);
    let decrypt = |data: &str| {
        let key = private().map_err(|failure| Error::new("EYAML", failure.to_string()))?;
        let secret = super::open(&key, data);
        secret.map_err(|failure| Error::new("EYAML", failure.to_string()))
    };
    let (shown, opened) = edit::open(&text, decrypt).map_err(|error| Failure::new(error.to_string()))?;
    let preamble = if arguments.no_preamble { "" } else { PREAMBLE };
    let draft = Draft::new(&format!("{preamble}{shown}"))?;
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
    replace(path, &closed)
}

fn without_preamble(text: &str) -> String {
    let mut lines = text.split_inclusive('\n').skip_while(|line| line.starts_with("#|")).peekable();
    lines.by_ref().collect()
}

/// A file for the editor that nobody else may read. It is emptied and removed when done, whatever happens.
struct Draft(PathBuf);

impl Draft {
    fn new(text: &str) -> Result<Self, Failure> {
        let name = format!("hierarch-{}-{}.yaml", std::process::id(), nonce());
        let draft = Self(std::env::temp_dir().join(name));
        super::write_private(&draft.0, text)?;
        Ok(draft)
    }

    fn edit(&self) -> Result<(), Failure> {
        let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
        let editor = editor.filter(|editor| !editor.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
        // The shell splits `code --wait` into words.
        let mut command = std::process::Command::new("sh");
        command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&self.0);
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => {
                Err(Failure::new(format!("the editor {editor} failed ({status}); nothing was written")))
            }
            Err(error) => Err(Failure::new(format!("the editor {editor} cannot be started: {error}"))),
        }
    }

    fn text(&self) -> Result<String, Failure> {
        read(&self.0)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let length = std::fs::metadata(&self.0).map_or(0, |metadata| metadata.len());
        let zeros = vec![0; usize::try_from(length).unwrap_or(0)];
        let _ = std::fs::write(&self.0, zeros);
        let _ = std::fs::remove_file(&self.0);
    }
}

fn nonce() -> u32 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.subsec_nanos())
}

/// Writes a file beside the old one and puts it in its place, with the same rights.
fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let failure = |error: &std::io::Error| Failure::io("write", path, error);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        if let Ok(metadata) = std::fs::metadata(path) {
            file.set_permissions(metadata.permissions())?;
        }
        file.sync_all()
    });
    let moved = written.and_then(|()| std::fs::rename(&beside, path));
    if moved.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    moved.map_err(|error| failure(&error))
}
