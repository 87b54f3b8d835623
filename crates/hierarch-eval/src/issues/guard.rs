//! What expressions from outside are told when they ask for more than they may.

use hierarch_source::Error;

/// A function that an expression from outside may not call.
pub fn refused_function(name: &str) -> Error {
    let why = "because it reads files or what is known of a node, looks something up, reaches out, declares something or is written in Ruby";
    Error::new("REFUSED_FUNCTION", format!("'{name}' is refused in a condition, {why}"))
}

/// A program that was told to stop from outside.
pub fn stopped() -> Error {
    Error::new("STOPPED", "the program was stopped, because nobody waits for its result any more")
}

/// An answer that an expression from outside may not see.
pub fn refused_secret(names: &str) -> Error {
    Error::new("REFUSED_SECRET", format!("the value of {names} is a secret, and secrets are hidden here"))
}

/// A variable of a node in a condition of someone who may not see facts.
pub fn refused_variable(name: &str) -> Error {
    let message =
        format!("${name} tells what is known of a node: a condition with it needs the role 'facts'");
    Error::new("REFUSED_VARIABLE", message)
}
