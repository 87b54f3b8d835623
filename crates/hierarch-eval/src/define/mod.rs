//! Classes, defined types and nodes: what is known of them, where they are looked for, and how they run.

mod bind;
mod evaluate;
mod include;
mod known;
mod load;
mod node;

use std::sync::Arc;

use hierarch_pcore::Str;
use hierarch_source::Place;

use crate::code::{ClassDefinition, ClassKind, Code, NodeMatcher, Unit};

pub(crate) use bind::is_deferred;
pub(crate) use include::class_names;
pub(crate) use known::KnownDefinitions;

/// The number of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct DefinitionId(pub(crate) u32);

impl DefinitionId {
    /// The main program.
    pub(crate) const MAIN: Self = Self(0);
}

/// A class, a defined type, or a node definition for one name or pattern.
pub(crate) struct Definition {
    /// The name in lower case.
    pub(crate) name: Str,
    /// The module it stands in; empty for the main program.
    pub(crate) module: Str,
    code: Arc<Code>,
    index: usize,
    /// Which of the nodes of a node definition.
    host: usize,
}

impl Definition {
    fn lowered(&self) -> &ClassDefinition {
        &self.code.classes[self.index]
    }

    pub(crate) fn kind(&self) -> ClassKind {
        self.lowered().kind
    }

    pub(crate) fn parent(&self) -> Option<&Str> {
        self.lowered().parent.as_ref()
    }

    pub(crate) fn unit(&self) -> &Unit {
        self.code.unit(self.lowered().unit)
    }

    fn host(&self) -> Option<&NodeMatcher> {
        self.lowered().hosts.get(self.host)
    }

    /// Returns where it stands.
    pub(crate) fn whole_place(&self) -> Place {
        Place::new(self.code.source(), self.code.ast.span(self.lowered().origin))
    }

    /// Returns where it stands: the line alone.
    pub(crate) fn place(&self) -> Place {
        let span = self.code.ast.span(self.lowered().origin);
        Place { has_column: false, ..Place::new(self.code.source(), span) }
    }
}
