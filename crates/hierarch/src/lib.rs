//! Layered configuration: Hiera 5, the Puppet 8 language, YAML merge directives and Jinja2, without Ruby or Python.
//!
//! This is the library's front door: what is re-exported here is meant to stay. The crates behind it may change in any
//! minor release.
//!
//! # Look a key up, without a disk
//!
//! ```
//! use hierarch::{Hiera, MemoryFiles};
//!
//! let files = MemoryFiles::from([("hiera.yaml", "version: 5"), ("data/common.yaml", "greeting: Hello %{name}")]);
//! let hiera = Hiera::open(files, "hiera.yaml");
//! let greeting = hiera.lookup("greeting").variable("name", "World").value()?;
//! assert_eq!(greeting.as_str(), Some("Hello World"));
//! # Ok::<(), hierarch::Error>(())
//! ```
//!
//! # Ask a control repository where a value comes from
//!
//! A [`Site`] is one control repository; [`Site::open`] finds it on the disk, [`Site::on`] takes files from anywhere else. Its
//! nodes answer for their facts.
//!
//! ```
//! use hierarch::{KnownNodes, MemoryFiles, Site};
//!
//! let files = MemoryFiles::from([
//!     ("hiera.yaml", "version: 5\nhierarchy:\n- {name: role, path: '%{role}.yaml'}\n- {name: all, path: common.yaml}"),
//!     ("data/web.yaml", "limits: {files: 4096}"),
//!     ("data/common.yaml", "lookup_options: {limits: {merge: deep}}\nlimits:\n  files: 1024\n  processes: 64\n"),
//! ]);
//! let nodes = KnownNodes::from([("web01", [("role", "web")])]);
//! let site = Site::on(files).with_nodes(nodes).build();
//! let answer = site.node("web01")?.trace("limits")?;
//! let leaves: Vec<String> = answer
//!     .leaves()
//!     .iter()
//!     .map(|leaf| format!("{} = {} from {}", leaf.path[0], leaf.value, leaf.origin.unwrap()))
//!     .collect();
//! assert_eq!(leaves, ["files = 4096 from data/web.yaml:1:17", "processes = 64 from data/common.yaml:4:14"]);
//! # Ok::<(), hierarch::Error>(())
//! ```
//!
//! # Compile a catalog
//!
//! ```
//! use hierarch::{MemoryFiles, Site};
//!
//! let files = MemoryFiles::from([
//!     ("hiera.yaml", "version: 5"),
//!     ("data/common.yaml", "ntp::server: time.example.com"),
//!     ("manifests/site.pp", "node default { include ntp }"),
//!     ("modules/ntp/manifests/init.pp", "class ntp(String $server) { file { '/etc/ntp.conf': content => $server } }"),
//! ]);
//! let catalog = Site::on(files).build().node("web01.example.com")?.compile()?;
//! let file = catalog.resources.iter().find(|resource| resource.to_string() == "File[/etc/ntp.conf]");
//! assert!(file.is_some());
//! # Ok::<(), hierarch::Error>(())
//! ```
//!
//! # Change a document and keep the rest of it
//!
//! ```
//! use hierarch::Source;
//! use hierarch::yaml::{Change, Data, Dialect, DocumentLimits, Scalar, change_at, edit, read};
//!
//! let source = Source::new("web.yaml", "# the front\nport: 80   # plain\nname: 'www'\n");
//! let tree = read(&source, Dialect::Psych, DocumentLimits::default())?;
//! let root = tree.root().expect("the document is not empty");
//! let change = change_at(&tree, root, &["port"], Change::Set(Data::Scalar(Scalar::Int(8443))))?;
//! assert_eq!(edit(&tree, root, &change)?, "# the front\nport: 8443 # plain\nname: 'www'\n");
//! # Ok::<(), hierarch::Error>(())
//! ```
//!
//! Documents with merge directives (`+include`, `+*anchor` …) are [`compose::Document`]s: expanded when they are opened, and
//! saved with their directives.
//!
//! # See what is wrong, and where
//!
//! All failures are [`Error`]s: a code to match on, a message in the words of the reference, a place.
//!
//! ```
//! use hierarch::{MemoryFiles, Site, Source, Style};
//!
//! let node = Site::on(MemoryFiles::from([("hiera.yaml", "version: 5")])).build().node("web01")?;
//! let error = node.evaluate(&Source::new("site.pp", "$ports = [80]\n$ports + $prot\n")).unwrap_err();
//! assert_eq!(error.code, "UNKNOWN_VARIABLE");
//! assert_eq!(error.position(), Some((2, Some(10))));
//! assert!(error.render(Style::Plain).contains("$ports + $prot"));
//! # Ok::<(), hierarch::Error>(())
//! ```
//!
//! # Features
//!
//! `cli` (default) is the program; without it, the library alone is built. `eyaml` (default) decrypts and encrypts values;
//! without it, encrypted values are errors that say so. `fetch` (default) lets documents include URLs where the program
//! allows it.

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use hierarch_compose as compose;
pub use hierarch_eval as eval;
pub use hierarch_functions as functions;
pub use hierarch_hiera as hiera;
pub use hierarch_pcore as pcore;
pub use hierarch_site as site;
pub use hierarch_source as source;
pub use hierarch_syntax as syntax;
pub use hierarch_yaml as yaml;

pub use hierarch_eval::{Catalog, Evaluator, Level, Log};
pub use hierarch_hiera::Hiera;
pub use hierarch_pcore::{Hash, Type, Value};
pub use hierarch_site::{
    Answer, Environment, Explanation, FactsFile, FactsFolder, KnownNodes, Limits, Node, NodeFacts, NodeList,
    NodeSource, Permissions, Question, Root, Settings, Site, Strict, TracedAnswer,
};
pub use hierarch_source::{
    Diagnostic, DiskFiles, Error, Files, MemoryFiles, Overlay, Place, Result, Source, Style,
};
