//! What `require` makes visible: a file per library, in Rust, or in Ruby where nothing is gained by Rust.

pub(crate) mod bundled;
mod cgi;
mod digest;
pub(crate) mod json;
mod network;
mod securerandom;
mod socket;
pub(crate) mod uri;
pub(crate) mod yaml;
mod yaml_read;

use crate::core::ClassSpec;

/// A library.
pub struct Library {
    /// What `require` knows it by, such as `digest/sha2`; the first is its name.
    pub features: &'static [&'static str],
    /// Its classes and modules.
    pub classes: &'static [&'static ClassSpec],
    /// Its text, if it is written in Ruby.
    pub source: Option<&'static str>,
    /// The constants at the top that its text brings.
    pub constants: &'static [&'static str],
    /// Whether Puppet has loaded it before any script runs.
    pub is_loaded: bool,
}

/// A library of ours in Rust.
const fn native(features: &'static [&'static str], classes: &'static [&'static ClassSpec]) -> Library {
    Library { features, classes, source: None, constants: &[], is_loaded: true }
}

/// A library of ours in Ruby.
const fn written(
    features: &'static [&'static str],
    constants: &'static [&'static str],
    source: &'static str,
) -> Library {
    Library { features, classes: &[], source: Some(source), constants, is_loaded: true }
}

/// All libraries.
pub static LIBRARIES: &[Library] = &[
    native(&["puppet"], crate::puppet::MODULES),
    native(&["puppet/parser/templatewrapper"], crate::puppet::WRAPPERS),
    native(&["puppet/parser/scope"], crate::puppet::scope::CLASSES),
    native(&["puppet/pops"], crate::puppet::types::CLASSES),
    native(&["puppet/pops/types"], crate::puppet::types::TYPES),
    native(&["puppet/settings"], crate::puppet::settings::CLASSES),
    native(&["puppet/pops/functions"], crate::puppet::functions::CLASSES),
    native(&["puppet/error"], crate::puppet::errors::CLASSES),
    native(&["puppet/resource"], crate::puppet::resource::CLASSES),
    native(&["puppet/pops/lookup"], crate::puppet::context::CLASSES),
    native(&["json", "json/ext", "json/pure", "multi_json"], json::CLASSES),
    native(&["yaml", "psych"], yaml::CLASSES),
    native(
        &["digest", "digest/md5", "digest/sha1", "digest/sha2", "digest/sha256", "digest/bubblebabble"],
        digest::CLASSES,
    ),
    native(&["cgi", "cgi/util", "cgi/escape"], cgi::CGI_CLASSES),
    native(&["erb", "erb/util"], cgi::ERB_CLASSES),
    native(&["securerandom"], securerandom::CLASSES),
    native(&["time"], &[]),
    native(&["tempfile", "fileutils", "open3", "etc", "pp", "tsort", "forwardable", "singleton"], &[]),
    // Functions require these whether or not they ask the network in the end.
    native(&["hierarch/network"], network::CLASSES),
    native(&["net/ftp", "net/smtp"], &[]),
    written(&["resolv"], &["Resolv"], include_str!("ruby/resolv.rb")),
    written(&["net/http", "net/https", "net/protocol"], &["Net"], include_str!("ruby/net_http.rb")),
    Library { is_loaded: false, ..written(&["open-uri"], &["OpenURI"], include_str!("ruby/open_uri.rb")) },
    native(&["socket"], socket::CLASSES),
    // Ruby itself has it; nothing requires it by this name.
    written(&["hierarch/data"], &["Data"], include_str!("ruby/data.rb")),
    written(&["set"], &["Set"], include_str!("ruby/set.rb")),
    written(&["timeout"], &["Timeout"], include_str!("ruby/timeout.rb")),
    written(&["ostruct"], &["OpenStruct"], include_str!("ruby/ostruct.rb")),
    written(&["ipaddr"], &["IPAddr"], include_str!("ruby/ipaddr.rb")),
    written(&["base64"], &["Base64"], include_str!("ruby/base64.rb")),
    written(&["stringio"], &["StringIO"], include_str!("ruby/stringio.rb")),
    written(&["strscan"], &["StringScanner"], include_str!("ruby/strscan.rb")),
    written(&["pathname"], &["Pathname"], include_str!("ruby/pathname.rb")),
    written(&["rubygems"], &["Gem"], include_str!("ruby/gem_version.rb")),
    written(&["hierarch/sha2"], &["Digest::SHA2"], include_str!("ruby/sha2.rb")),
    written(&["openssl"], &["OpenSSL"], include_str!("ruby/openssl.rb")),
    written(&["uri", "uri/generic", "uri/http"], &["URI"], include_str!("ruby/uri.rb")),
    written(&["date"], &["Date", "DateTime"], include_str!("ruby/date.rb")),
    written(
        &["puppet/functions"],
        &["Puppet::Functions", "Puppet::Pops::Functions"],
        include_str!("ruby/puppet_functions.rb"),
    ),
    written(
        &["puppet/util", "puppet/util/logging", "puppet/util/package", "puppet/file_system", "facter"],
        &[
            "Puppet::Util",
            "Puppet::FileSystem",
            "Puppet::Module",
            "Puppet::Parser::Files",
            "Puppet::Pops::Lookup::HieraConfig",
            "Puppet::Pops::Types::TypeAssertionError",
            "Puppet::Pops::Types::TypeCalculator",
            "Puppet::Pops::Types::TypeAsserter",
            "Puppet::Pops::Types::TypeFactory",
            "Facter",
        ],
        include_str!("ruby/puppet_support.rb"),
    ),
    written(
        &["puppet/parser/functions"],
        &["Puppet::Parser::Functions"],
        include_str!("ruby/puppet_parser_functions.rb"),
    ),
    // Puppet has not loaded this one.
    Library {
        is_loaded: false,
        ..written(&["shellwords"], &["Shellwords"], include_str!("ruby/shellwords.rb"))
    },
];

/// Features that are there without a class of ours: `require` of them does nothing.
///
/// Where a library has classes, naming one of them says that it is not known here.
pub const EMPTY_FEATURES: &[&str] = &[
    "English",
    "benchmark",
    "bigdecimal",
    "bigdecimal/util",
    "csv",
    "delegate",
    "enumerator",
    "erb/util",
    "find",
    "io/console",
    "logger",
    "monitor",
    "optparse",
    "prettyprint",
    "puppet/util/errors",
    "puppet/util/execution",
    "rational",
    "rbconfig",
    "rexml/document",
    "rexml/xpath",
    "thread",
    "tmpdir",
    "zlib",
];

/// Other names of classes.
pub const ALIASES: &[(&str, &str)] = &[("YAML", "Psych")];

/// Finds a library by what `require` is given.
pub fn find(feature: &str) -> Option<&'static Library> {
    let feature = feature.strip_suffix(".rb").unwrap_or(feature);
    LIBRARIES.iter().find(|library| library.features.contains(&feature))
}

/// Returns the library that a class belongs to; nothing for classes of Ruby itself.
pub fn owner(class: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|library| library.classes.iter().any(|spec| spec.name == class))
}
