//! Puppet's classes of errors.

use crate::core::ClassSpec;

/// They hold nothing but their message.
pub(crate) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec::error("Puppet::Error", "RuntimeError"),
    &ClassSpec::error("Puppet::ParseError", "Puppet::Error"),
    &ClassSpec::error("Puppet::ParseErrorWithIssue", "Puppet::ParseError"),
    &ClassSpec::error("Puppet::PreformattedError", "Puppet::ParseErrorWithIssue"),
    &ClassSpec::error("Puppet::DevError", "Puppet::Error"),
    &ClassSpec::error("Puppet::ResourceError", "Puppet::Error"),
    &ClassSpec::error("Puppet::DataBinding::LookupError", "Puppet::PreformattedError"),
    &ClassSpec::error("Puppet::DataBinding::RecursiveLookupError", "Puppet::DataBinding::LookupError"),
];
