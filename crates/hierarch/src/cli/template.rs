//! `hierarch template`: a Jinja2 template rendered with a document's values.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use hierarch_pcore::Value;
use hierarch_source::{Error, Source};

use super::expressions::{self, DocumentArguments, Form, show};
use super::failure::{Failure, Stop};
use super::input;

#[derive(Args)]
pub(crate) struct TemplateArguments {
    /// The template, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "text", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// The template itself
    #[arg(short = 'e', value_name = "TEXT")]
    text: Option<String>,
    #[command(flatten)]
    document: DocumentArguments,
    /// Print the value that the template stands for, not its text
    #[arg(long, value_enum, value_name = "FORM")]
    render_as: Option<Form>,
    /// Print secrets that the template uses
    #[arg(long)]
    reveal: bool,
}

/// Runs the command. The document's attributes are names in the template.
pub(crate) fn run(arguments: &TemplateArguments) -> Result<ExitCode, Failure> {
    expressions::run(|| {
        let source = arguments.template()?;
        let text = source.text().to_owned();
        let (expressions, mut context) = arguments.document.open()?;
        for (name, value) in expressions.attributes(&context)? {
            if !context.variables.contains_key(&name) {
                context.variables.insert(name, value);
            }
        }
        if let Some(form) = arguments.render_as {
            let value = expressions.render_value(&text, &context);
            show(&value.map_err(|error| at_home(error, &source))?, form)?;
            return Ok(ExitCode::SUCCESS);
        }
        let rendered = expressions.render(&text, &context).map_err(|error| at_home(error, &source))?;
        let rendered = match rendered {
            Value::Sensitive(inner) if arguments.reveal => Value::clone(&inner),
            Value::Sensitive(_) => {
                return Err(Failure::new("the template uses secrets; print them with --reveal").into());
            }
            value => value,
        };
        let mut out = std::io::stdout().lock();
        out.write_all(rendered.as_str().unwrap_or_default().as_bytes()).map_err(Failure::from)?;
        // What was given on the command line has no line break of its own.
        if arguments.text.is_some() {
            out.write_all(b"\n").map_err(Failure::from)?;
        }
        Ok(ExitCode::SUCCESS)
    })
}

impl TemplateArguments {
    fn template(&self) -> Result<Arc<Source>, Stop> {
        Ok(match (&self.text, &self.file) {
            (Some(text), _) => Source::unnamed(text.clone()),
            (None, Some(file)) if file != Path::new("-") => input::read(file).source?,
            _ => match input::standard_input()? {
                Some(input) => input.source?,
                None => return Err(Failure::new("there is no template on standard input").into()),
            },
        })
    }
}

/// Names the file in an error that knows only where in the template it happened.
fn at_home(error: Error, source: &Arc<Source>) -> Error {
    let mut diagnostic = error.into_diagnostic();
    if let Some(place) = &mut diagnostic.place
        && place.source.name().is_none()
        && place.source.text() == source.text()
    {
        place.source = Arc::clone(source);
    }
    diagnostic.into()
}
