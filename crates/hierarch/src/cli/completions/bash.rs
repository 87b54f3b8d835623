//! Completion in bash. The script is our own: bash cuts words at colons, of which nearly every key has some.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::env::{Bash, EnvCompleter};

const SCRIPT: &str = include_str!("hierarch.bash");

/// Bash, whose words are put together again before the program is asked.
pub(super) struct WholeWords;

impl EnvCompleter for WholeWords {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        _: &str,
        _: &str,
        _: &str,
        program: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let escaped: String = program.chars().flat_map(escape).collect();
        out.write_all(SCRIPT.replace("HIERARCH", &escaped).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Bash.write_complete(command, words, folder, out)
    }
}

/// A character as it stands between double quotes.
fn escape(c: char) -> impl Iterator<Item = char> {
    matches!(c, '"' | '\\' | '$' | '`').then_some('\\').into_iter().chain([c])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_names_the_program_that_is_asked() {
        let mut script = Vec::new();
        WholeWords.write_registration("", "", "", "/opt/my $tool/hierarch", &mut script).expect("a script");
        let script = String::from_utf8(script).expect("text");
        assert!(
            script.contains(r#""/opt/my \$tool/hierarch" -- "${words[@]}""#) && !script.contains("HIERARCH")
        );
    }
}
