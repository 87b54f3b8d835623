//! How templates are written: the flags that choose between Unfurl's, Jinja2's and Ansible's ways.

use clap::{Args, ValueEnum};
use hierarch_compose::expr::TemplateSettings;

/// The notation of templates.
#[derive(Args, Clone)]
pub(crate) struct NotationArguments {
    /// Templates are written as Ansible's module template writes them: --trim-blocks, nothing for null, `ansible_managed`
    #[arg(long)]
    pub(crate) ansible: bool,
    /// The line break behind a block of a template is dropped
    #[arg(long)]
    trim_blocks: bool,
    /// Blanks in front of a block that begins a line of a template are dropped
    #[arg(long)]
    lstrip_blocks: bool,
    /// Further tags of templates
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME")]
    extensions: Vec<Extension>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Extension {
    /// `{% do … %}`
    Do,
    /// `{% break %}` and `{% continue %}`
    Loopcontrols,
}

impl NotationArguments {
    pub(crate) fn settings(&self) -> TemplateSettings {
        let usual = if self.ansible { TemplateSettings::ansible() } else { TemplateSettings::default() };
        TemplateSettings {
            trim_blocks: self.trim_blocks || usual.trim_blocks,
            lstrip_blocks: self.lstrip_blocks || usual.lstrip_blocks,
            has_do: self.extensions.contains(&Extension::Do),
            has_loop_controls: self.extensions.contains(&Extension::Loopcontrols),
            ..usual
        }
    }
}
