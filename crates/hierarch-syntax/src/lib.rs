//! The Puppet language's front end: tokens, tree, validation, dump. Nothing is here yet.
