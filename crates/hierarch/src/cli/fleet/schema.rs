//! `hierarch schema`: what editors need to know about data files.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hierarch_fleet::{Fleet, NodeSet, OF_HIERA, schema};

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::report::print_text;

#[derive(Args)]
pub(crate) struct SchemaArguments {
    /// Which files are described
    #[arg(long = "for", value_enum, default_value_t = Subject::Data, value_name = "FILES")]
    subject: Subject,
    /// Print the line that binds a file to the schema with this path or address
    #[arg(long, value_name = "SCHEMA")]
    modeline: Option<String>,
    #[command(flatten)]
    site: SiteArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// Data files of the environment
    Data,
    /// hiera.yaml
    Hiera,
}

pub(crate) fn run(arguments: &SchemaArguments) -> Result<ExitCode, Failure> {
    if let Some(address) = &arguments.modeline {
        print_text(&format!("# yaml-language-server: $schema={address}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = match arguments.subject {
        Subject::Hiera => OF_HIERA.to_owned(),
        Subject::Data => {
            let site = arguments.site.open()?;
            let compact = schema(&Fleet::new(&site, &NodeSet::default())).to_json();
            let pretty: serde_json::Value =
                serde_json::from_str(&compact).map_err(|error| Failure::told(&error))?;
            format!("{pretty:#}\n")
        }
    };
    print_text(&text)?;
    Ok(ExitCode::SUCCESS)
}
