//! `hierarch epp validate` and `hierarch epp dump`, as `puppet epp` has them.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::failure::Failure;
use super::parser::{DumpArguments, Language, ValidateArguments, dump_all, validate};
use super::report::{ReportFormat, error_line};

#[derive(Args)]
pub(crate) struct EppArguments {
    #[command(subcommand)]
    command: EppCommand,
}

#[derive(Subcommand)]
enum EppCommand {
    /// Check templates: files, folders with all below them, or standard input
    Validate(ValidateArguments),
    /// Show the tree of templates
    Dump(DumpArguments),
}

const TEMPLATES: Language = Language {
    extension: "epp",
    check: hierarch_syntax::check_epp,
    parse: hierarch_syntax::parse_epp,
    introduction: "",
    validates_dumps: true,
};

pub(crate) fn run(arguments: &EppArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        EppCommand::Validate(arguments) => {
            let code = validate(arguments, &TEMPLATES)?;
            if code != ExitCode::SUCCESS
                && matches!(arguments.format, ReportFormat::Text | ReportFormat::Full)
            {
                error_line("Errors while validating epp");
            }
            Ok(code)
        }
        EppCommand::Dump(arguments) => dump_all(arguments, &TEMPLATES),
    }
}
