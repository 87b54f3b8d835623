//! What ends an evaluation early: an error, or one of the jumps `next`, `break` and `return`.

use hierarch_source::Error;

/// The result of evaluating something.
pub type Result<T> = std::result::Result<T, Unwind>;

/// Why an evaluation does not go on.
///
/// The value that a jump carries waits in the evaluator, so that results stay as small as values.
#[derive(Debug)]
pub enum Unwind {
    /// Something is wrong.
    Error(Error),
    /// `next(value)`: the lambda or function at hand is done.
    Next,
    /// `break()`: the iteration at hand is done.
    Break,
    /// `return(value)`: the function around is done.
    Return,
    /// `$context.not_found()`: the data function around has nothing for the key.
    NotFound,
    /// Code of another language ends early; what it ends with waits there.
    Foreign,
}

impl From<Error> for Unwind {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

#[cfg(test)]
mod tests {
    use hierarch_pcore::Value;

    use super::*;

    #[test]
    fn results_are_as_small_as_values() {
        assert_eq!(size_of::<Result<Value>>(), size_of::<Value>());
    }
}
