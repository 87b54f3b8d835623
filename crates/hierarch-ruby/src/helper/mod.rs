//! The program that a real Ruby runs for `--ruby-command`: it does jobs that do not run here.

/// Its text.
///
/// The classes of functions are those that our own Ruby has, so both read the files of functions alike.
pub const PROGRAM: &str = concat!(
    include_str!("start.rb"),
    include_str!("../library/ruby/puppet_functions.rb"),
    include_str!("../library/ruby/puppet_parser_functions.rb"),
    include_str!("../library/ruby/puppet_support.rb"),
    include_str!("jobs.rb"),
);
