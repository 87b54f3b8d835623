//! Texts become programs: Prism reads them, on a thread with a stack of its own, and its tree is lowered at once.

use std::sync::Arc;

use super::lower::Lowering;
use super::tree::Program;

/// Texts longer than this are refused.
pub const LONGEST_SOURCE: usize = 1 << 20;

/// Prism recurses as deep as a text nests, up to a limit of its own that fits in this much stack.
const STACK: usize = 64 << 20;

/// Texts nest this deep at most in the lowered tree, so that running it needs no more stack than there is.
pub(super) const DEEPEST: u32 = 1_000;

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Syntax {
    /// What is wrong.
    pub message: String,
    /// Where, counted from 1.
    pub line: u32,
}

/// Reads a program.
///
/// ```
/// let program = hierarch_ruby::syntax::parse("a = 1\na + 1", "x.rb").unwrap();
/// assert_eq!(program.locals.len(), 1);
/// ```
pub fn parse(text: &str, file: &str) -> Result<Program, Syntax> {
    if text.len() > LONGEST_SOURCE {
        return Err(Syntax { message: crate::issues::source_too_long(LONGEST_SOURCE), line: 1 });
    }
    // A short text cannot nest deep enough to need the thread, which costs more than the parse.
    if text.len() < 512 {
        return lowered(text, file);
    }
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || lowered(text, file));
        match thread.map(|thread| thread.join()) {
            Ok(Ok(program)) => program,
            _ => Err(Syntax { message: crate::issues::no_parse_thread(), line: 1 }),
        }
    })
}

fn lowered(text: &str, file: &str) -> Result<Program, Syntax> {
    let options =
        ruby_prism::Options::default().filepath(file).version(ruby_prism::Version::CRuby3_3).build();
    let result = ruby_prism::parse_with_options(text.as_bytes(), &options);
    if let Some(error) = result.errors().next() {
        let message = String::from_utf8_lossy(error.message()).into_owned();
        return Err(Syntax { message, line: u32::try_from(error.location().start_line()).unwrap_or(1) });
    }
    Lowering::new(Arc::from(file), result.frozen_string_literals()).program(&result.node())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nesting_is_refused() {
        for text in ["[".repeat(20_000) + &"]".repeat(20_000), "-".repeat(5_000) + "1", "a.b".repeat(9_000)] {
            assert!(parse(&text, "x.rb").is_err(), "{}", &text[..10]);
        }
        assert!(parse(&" ".repeat(LONGEST_SOURCE + 1), "x.rb").is_err());
    }

    #[test]
    fn a_syntax_error_has_its_line() {
        assert_eq!(parse("a = 1\nb = (\n", "x.rb").map(|_| ()).expect_err("not whole").line, 2);
    }
}
