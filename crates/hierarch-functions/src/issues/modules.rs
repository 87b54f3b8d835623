//! The words of the functions of modules other than puppetlabs-stdlib.

use std::fmt::Display;

use hierarch_source::Error;

use super::stdlib::says;

/// `os_transport_url` says something in its own words.
pub fn transport_url(words: impl Display) -> Error {
    says("os_transport_url", words)
}

/// It is given more or fewer arguments than one.
pub fn transport_url_count() -> Error {
    transport_url("Wrong number of arguments")
}

/// `is_service_default` is given more or fewer arguments than one.
pub fn service_default_count(given: usize) -> Error {
    says("is_service_default", format!("Wrong number of argumentsgiven ({given} for 1)"))
}
