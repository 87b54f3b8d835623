//! Source text, positions in it, and the one way Hierarch says what is wrong.
//!
//! Every other crate stands on this one. It reads files through a small trait, knows where a byte
//! stands as a line and a column, and turns a [`Diagnostic`] into text for a terminal, into the
//! one-line form Puppet users search for, or into JSON. It knows no language, no values and no YAML.
//!
//! ```
//! use hierarch_source::{Error, Source, Span, Style};
//!
//! let source = Source::new("site.pp", "notice($x)\n");
//! let error = Error::new("UNKNOWN_VARIABLE", "Unknown variable: 'x'.").at(&source, Span::new(7, 9));
//! assert_eq!(error.to_string(), "Unknown variable: 'x'. (file: site.pp, line: 1, column: 8)");
//! assert!(error.render(Style::Plain).contains("notice($x)"));
//! ```

mod diagnostic;
mod files;
mod folders;
mod issues;
mod level;
mod looked;
mod near;
mod network;
mod overlay;
pub mod pointer;
mod render;
mod save;
mod source;
mod span;
pub mod star;
pub mod unified;

pub use diagnostic::{Diagnostic, Error, Frame, Note, Place, Result, Severity};
pub use files::{DiskFiles, FileKind, Files, MemoryFiles, is_open_stream, without_dots};
pub use folders::ResolvedFolders;
pub use level::Level;
pub use looked::LookedAtFiles;
pub use near::{nearest, nearest_nodes};
pub use network::{Network, Page, PageRequest};
pub use overlay::Overlay;
pub use render::Style;
pub use save::{DraftFolder, Drafts, FileChange, Loss, NotSaved, Saver};
pub use source::{Position, Source};
pub use span::Span;
