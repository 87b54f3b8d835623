//! Texts of heredocs that name a syntax, checked once their interpolations are known.

use hierarch_syntax::check_syntax;

use crate::Result;
use crate::code::Id;
use crate::scope::Frame;

/// Fails if a text does not follow the syntax that its heredoc names.
pub(crate) fn check_produced(frame: &Frame, text: Id, syntax: &str, produced: &str) -> Result<()> {
    let code = frame.code;
    Ok(check_syntax(syntax, produced).map_err(|error| error.at(code.source(), code.span(text)))?)
}
