//! Trees of other notations than YAML, so that TOML and HOCON are layered as YAML is: read, never written.

use std::sync::Arc;

use hierarch_source::{Result, Source, Span};

use crate::build::{Builder, Properties};
use crate::limits::DocumentLimits;
use crate::node::{Dialect, Kind, Style, Tree};

/// A value of another notation, and the bytes that it stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignNode {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub value: PlacedValue,
}

/// What a value of another notation is.
#[derive(Clone, Debug, PartialEq)]
pub enum PlacedValue {
    /// A text.
    Text(String),
    /// A number, a truth value or nothing, spelled as YAML 1.2 does.
    Plain(String),
    /// Items.
    List(Vec<ForeignNode>),
    /// Keys and values in order.
    Map(Vec<(ForeignNode, ForeignNode)>),
}

/// Makes the tree of a text in another notation from what it says.
///
/// ```
/// use hierarch_source::{Source, Span};
/// use hierarch_yaml::{DocumentLimits, ForeignNode, PlacedValue, foreign_tree};
///
/// let source = Source::new("a.toml", "port = 8_080\n");
/// let key = ForeignNode { span: Span::new(0, 4), value: PlacedValue::Text("port".into()) };
/// let port = ForeignNode { span: Span::new(7, 12), value: PlacedValue::Plain("8080".into()) };
/// let top = ForeignNode { span: Span::new(0, 12), value: PlacedValue::Map(vec![(key, port)]) };
/// let tree = foreign_tree(&source, &top, DocumentLimits::default())?;
/// let root = tree.root().unwrap();
/// assert_eq!(hierarch_yaml::brief(&tree.data(root, DocumentLimits::default())?), "{port: 8080}");
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn foreign_tree(source: &Arc<Source>, top: &ForeignNode, limits: DocumentLimits) -> Result<Tree> {
    let mut builder = Builder::new(source, Dialect::Core, limits)?;
    builder.document_start();
    add(top, &mut builder)?;
    builder.document_end();
    let mut tree = builder.finish();
    tree.is_foreign = true;
    Ok(tree)
}

fn add(placed: &ForeignNode, builder: &mut Builder) -> Result<()> {
    let (span, props) = (placed.span, Properties::default());
    match &placed.value {
        PlacedValue::Text(text) => builder.scalar(text, span, Style::Double, &props),
        PlacedValue::Plain(text) => builder.scalar(text, span, Style::Plain, &props),
        PlacedValue::List(items) => {
            builder.begin(Kind::List, Style::Flow, span.start, &props)?;
            items.iter().try_for_each(|item| add(item, builder))?;
            builder.end(span.end)
        }
        PlacedValue::Map(entries) => {
            builder.begin(Kind::Map, Style::Flow, span.start, &props)?;
            for (key, value) in entries {
                add(key, builder)?;
                add(value, builder)?;
            }
            builder.end(span.end)
        }
    }
}
