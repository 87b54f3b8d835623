//! Texts become trees: which grammar reads which dialect.

mod granit;
mod libyaml;
mod outline;
mod psych;
mod simple;

use std::sync::Arc;

use hierarch_source::{Result, Source};

pub use self::outline::outline;
use self::simple::Extent;
use crate::build::Builder;
use crate::issues;
use crate::limits::DocumentLimits;
use crate::node::{Dialect, Tree};

/// Reads a text by the rules of a dialect.
///
/// ```
/// use hierarch_source::Source;
/// use hierarch_yaml::{Dialect, DocumentLimits, Scalar, read};
///
/// let tree = read(&Source::new("common.yaml", "mode: 0755\n"), Dialect::Psych, DocumentLimits::default())?;
/// let mode = tree.get(tree.root().unwrap(), "mode").unwrap();
/// assert_eq!(tree.scalar(mode)?, Scalar::Int(493));
/// assert_eq!(tree.source().position(tree.span(mode).start).column, 7);
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn read(source: &Arc<Source>, dialect: Dialect, limits: DocumentLimits) -> Result<Tree> {
    match read_simple(source, dialect, limits)? {
        Some(tree) => Ok(tree),
        None => read_fully(source, dialect, limits),
    }
}

/// Reads a text by the fast lane alone; `None` if it is not simple enough, or wrong.
pub fn read_simple(source: &Arc<Source>, dialect: Dialect, limits: DocumentLimits) -> Result<Option<Tree>> {
    read_simply(source, dialect, limits, Extent::All)
}

fn read_simply(
    source: &Arc<Source>,
    dialect: Dialect,
    limits: DocumentLimits,
    extent: Extent,
) -> Result<Option<Tree>> {
    let mut builder = Builder::new(source, dialect, limits)?;
    Ok(simple::scan(source.text(), extent, &mut builder).map(|()| builder.finish()))
}

/// Reads a text by the dialect's full parser alone.
pub fn read_fully(source: &Arc<Source>, dialect: Dialect, limits: DocumentLimits) -> Result<Tree> {
    let mut builder = Builder::new(source, dialect, limits)?;
    let scanned = match dialect {
        Dialect::Psych => psych::scan(source, &mut builder, false),
        Dialect::Core | Dialect::Older => granit::scan(source, limits, &mut builder),
    };
    match scanned {
        // ruamel lets a quoted text go on at any column, as libyaml does; granit does not.
        Err(error) if dialect.is_core() && error.has_detail(issues::QUOTED_LINES) => {
            builder = Builder::new(source, dialect, limits)?;
            psych::scan(source, &mut builder, false).map_err(|_| error)?;
        }
        other => other?,
    }
    Ok(builder.finish())
}

/// Reads the first document of a text as Psych does: what follows it is not looked at, not even for errors.
pub fn read_first(source: &Arc<Source>, limits: DocumentLimits) -> Result<Tree> {
    if let Some(tree) = read_simply(source, Dialect::Psych, limits, Extent::First)? {
        return Ok(tree);
    }
    let mut builder = Builder::new(source, Dialect::Psych, limits)?;
    psych::scan(source, &mut builder, true)?;
    Ok(builder.finish())
}
