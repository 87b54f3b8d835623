//! Code that is ready to run: variables are slots, literals are values, names are numbers.
//!
//! A [`Code`] is made once from a checked program by `crate::lower` and shared by all who run it. Its nodes are
//! addressed by `Id`; each remembers the expression it came from, which says where it stands and what it is called.

use std::sync::{Arc, OnceLock};

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::{Str, Type, Value};
use hierarch_source::{Source, Span};
use hierarch_syntax::ast::{Ast, BinaryOp, ExprId, Form};
use rustc_hash::FxHashMap;

use crate::names::NameId;

/// The number of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Id(pub(crate) u32);

/// A lowered program.
pub struct Code {
    pub(crate) ast: Arc<Ast>,
    pub(crate) nodes: Vec<Instruction>,
    pub(crate) origins: Vec<ExprId>,
    pub(crate) units: Vec<Unit>,
    /// What runs first.
    pub(crate) root: Id,
    /// Functions and type aliases that the program defines.
    pub(crate) functions: Vec<FunctionDefinition>,
    pub(crate) aliases: Vec<AliasDefinition>,
    /// Classes, defined types and nodes, in the order of the text.
    pub(crate) classes: Vec<ClassDefinition>,
}

/// A class, a defined type, or the part of a program that is for some nodes.
pub(crate) struct ClassDefinition {
    pub(crate) kind: ClassKind,
    /// The name in lower case, with the names of the enclosing classes in front; of a node none.
    pub(crate) name: Str,
    /// The class it inherits from.
    pub(crate) parent: Option<Str>,
    /// Which nodes it is for.
    pub(crate) hosts: Vec<NodeMatcher>,
    pub(crate) unit: UnitId,
    pub(crate) origin: ExprId,
}

/// What a body of resources belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClassKind {
    Class,
    Define,
    Node,
}

/// Which nodes a node definition is for.
pub(crate) enum NodeMatcher {
    Name(Str),
    Pattern(Arc<Regexp>),
}

/// The variables that every class and defined type has, besides its parameters.
pub(crate) const OWN_VARIABLES: [&str; 4] = ["title", "name", "module_name", "caller_module_name"];

/// A function written in the language.
pub(crate) struct FunctionDefinition {
    pub(crate) name: Str,
    pub(crate) unit: UnitId,
    pub(crate) origin: ExprId,
}

/// `type Name = …`
pub(crate) struct AliasDefinition {
    pub(crate) name: Str,
    pub(crate) type_expr: ExprId,
    /// The definition itself.
    pub(crate) origin: ExprId,
}

/// The number of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnitId(pub(crate) u32);

/// A piece of code with variables of its own: the main program, a function, a lambda, a template, a class or the like.
#[derive(Default)]
pub(crate) struct Unit {
    /// The names of its variables by slot; parameters come first.
    pub(crate) slots: Vec<Str>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) returns: Option<TypeSource>,
    pub(crate) body: Option<Id>,
    /// The type of a callable with these parameters, once it was asked for.
    pub(crate) callable: OnceLock<Callable>,
    /// False where a type depends on variables, so that it must be found out at each call.
    pub(crate) is_constant: bool,
    /// The functions that its code calls, lambdas in it included.
    pub(crate) called: Vec<NameId>,
    /// The types of a class' parameters, once it was asked for.
    pub(crate) parameter_types: OnceLock<Vec<Type>>,
    /// Slots by name, where there are many.
    pub(crate) slots_by_name: OnceLock<FxHashMap<Str, usize>>,
}

impl Unit {
    /// Finds the slot of a variable.
    pub(crate) fn slot_named(&self, name: &str) -> Option<usize> {
        /// So few are searched one by one.
        const FEW: usize = 12;
        if self.slots.len() <= FEW {
            return self.slots.iter().position(|known| known == name);
        }
        let index = self
            .slots_by_name
            .get_or_init(|| self.slots.iter().enumerate().map(|(slot, name)| (name.clone(), slot)).collect());
        index.get(name).copied()
    }
}

/// A parameter of a function, lambda or template.
pub(crate) struct Parameter {
    pub(crate) name: Str,
    pub(crate) type_source: Option<TypeSource>,
    pub(crate) default: Option<Id>,
    pub(crate) is_rest: bool,
    pub(crate) origin: ExprId,
}

/// An expression that gives a type.
pub(crate) struct TypeSource {
    pub(crate) id: Id,
}

/// What is known of a unit as something that can be called.
#[derive(Clone)]
pub(crate) struct Callable {
    /// The type of each parameter; of a rest parameter, the type of each element.
    pub(crate) types: Vec<Type>,
    /// True where all parameters are `Any`, so that nothing needs checking.
    pub(crate) is_untyped: bool,
    pub(crate) min: usize,
    /// None: any number.
    pub(crate) max: Option<usize>,
    pub(crate) returns: Option<Type>,
    pub(crate) type_: Type,
}

/// One operation.
pub(crate) enum Instruction {
    /// Nothing to do; gives `undef`.
    Nothing,
    Literal(Value),
    /// A parameter of the unit `depth` levels out.
    Parameter {
        depth: u16,
        slot: u16,
    },
    /// A parameter of this unit that nothing reads again: it is moved out, so that what is made of it need not copy it.
    LastRead {
        slot: u16,
    },
    /// A variable that one of several units may have set by now.
    Variable(Box<Lookup>),
    /// A top-scope variable.
    Global(NameId),
    /// A variable around a class or the like: of the inherited class, of the node, or of the top scope.
    Outer(NameId),
    /// `$a::b`
    Qualified(Box<str>),
    /// `$0`, `$1` …
    Matched(usize),
    /// The name of a type.
    TypeName {
        name: Str,
        found: OnceLock<Type>,
    },
    /// A type expression without variables: found out once.
    Constant {
        inner: Id,
        found: OnceLock<Value>,
    },
    Concat(Box<[Fragment]>),
    Heredoc {
        syntax: Str,
        text: Id,
    },
    Array(Box<[Item]>),
    Hash(Box<[(Id, Id)]>),
    Access {
        left: Id,
        keys: Box<[Id]>,
    },
    Not(Id),
    Minus(Id),
    Unfold(Id),
    Arithmetic {
        op: BinaryOp,
        left: Id,
        right: Id,
    },
    Compare {
        op: BinaryOp,
        left: Id,
        right: Id,
    },
    Match {
        negated: bool,
        left: Id,
        right: Id,
    },
    In {
        left: Id,
        right: Id,
    },
    And {
        left: Id,
        right: Id,
    },
    Or {
        left: Id,
        right: Id,
    },
    Assign {
        target: Target,
        value: Id,
    },
    Destructure {
        targets: Box<[Pattern]>,
        value: Id,
    },
    Call(Box<CallSite>),
    /// `Type(…)`
    New {
        type_: Id,
        arguments: Box<[Item]>,
        lambda: Option<UnitId>,
    },
    Method(Box<MethodSite>),
    Block(Box<[Id]>),
    If {
        test: Id,
        then: Id,
        otherwise: Id,
    },
    Case {
        test: Id,
        options: Box<[CaseOption]>,
        otherwise: Id,
    },
    Select {
        test: Id,
        options: Box<[CaseOption]>,
        otherwise: Option<Id>,
    },
    Epp(Id),
    RenderText(Str),
    Render(Id),
    /// `type { title: … }`
    Resource(Box<ResourceSite>),
    /// `Type { … }`
    Defaults {
        type_ref: Id,
        operations: Box<[Operation]>,
    },
    /// `Type[title] { … }`
    Override {
        resources: Id,
        operations: Box<[Operation]>,
    },
    /// `Type <| … |>`
    Collect(Box<CollectSite>),
    /// `left -> right`
    Relate {
        op: BinaryOp,
        left: Id,
        right: Id,
    },
}

/// A resource expression.
pub(crate) struct ResourceSite {
    pub(crate) kind: TypeName,
    pub(crate) form: Form,
    pub(crate) bodies: Box<[Body]>,
}

/// What stands in front of the brace.
pub(crate) enum TypeName {
    Name(Str),
    /// An expression; only a type's name, possibly with a key, may stand for a resource type.
    Expr {
        id: Id,
        may_be_type: bool,
    },
}

/// Titles and attributes.
pub(crate) struct Body {
    pub(crate) title: Id,
    pub(crate) operations: Box<[Operation]>,
}

/// One attribute, or a splat of them.
pub(crate) struct Operation {
    /// Nothing for a splat.
    pub(crate) name: Option<Str>,
    pub(crate) appends: bool,
    pub(crate) value: Id,
    pub(crate) origin: ExprId,
}

/// A collector.
pub(crate) struct CollectSite {
    pub(crate) type_name: Str,
    pub(crate) is_exported: bool,
    pub(crate) query: Option<Query>,
    pub(crate) operations: Box<[Operation]>,
}

/// What a collector looks for.
pub(crate) enum Query {
    And(Box<Query>, Box<Query>),
    Or(Box<Query>, Box<Query>),
    Equal(Id, Id),
    NotEqual(Id, Id),
    /// A comparison with something that the reference, which calls it this, refuses.
    Foreign(&'static str),
    /// Something else, which the language does not know as a query.
    Other,
}

/// Where a variable may be found: the first that is set counts.
pub(crate) struct Lookup {
    /// Slots from the innermost unit outwards.
    pub(crate) slots: Box<[(u16, u16)]>,
    /// What to do if none is set.
    pub(crate) last: LastResort,
}

/// Where to look when no slot has the variable.
pub(crate) enum LastResort {
    /// Nowhere: the last slot is a parameter, which is always set.
    Never,
    /// The top scope.
    Global(NameId),
    /// What is around a class or the like.
    Outer(NameId),
    /// The units around a template, by name, and then what is around them.
    Named(Str, NameId),
}

/// A piece of an interpolated string.
pub(crate) enum Fragment {
    Text(Str),
    Expr(Id),
}

/// An element or argument; a splat stands for several.
#[derive(Clone, Copy)]
pub(crate) struct Item {
    pub(crate) id: Id,
    pub(crate) is_splat: bool,
}

/// What is assigned to.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// A variable of the unit itself.
    Slot(u16),
    /// A top-scope variable.
    Global(NameId),
}

/// The left side of an assignment to several variables.
pub(crate) enum Pattern {
    Variable(Str, Target),
    List(Box<[Pattern]>),
}

/// A call by name.
pub(crate) struct CallSite {
    pub(crate) name: NameId,
    pub(crate) arguments: Box<[Item]>,
    pub(crate) lambda: Option<UnitId>,
}

/// A call on a value.
pub(crate) struct MethodSite {
    pub(crate) name: NameId,
    pub(crate) receiver: Item,
    pub(crate) arguments: Box<[Item]>,
    pub(crate) lambda: Option<UnitId>,
}

/// Values and what to do when one of them matches.
pub(crate) struct CaseOption {
    pub(crate) values: Box<[Item]>,
    pub(crate) then: Id,
}

impl Code {
    /// Returns the text it was made from.
    pub fn source(&self) -> &Arc<Source> {
        self.ast.source()
    }

    pub(crate) fn node(&self, id: Id) -> &Instruction {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.0 as usize]
    }

    /// Returns the expression that a node came from.
    pub(crate) fn origin(&self, id: Id) -> ExprId {
        self.origins[id.0 as usize]
    }

    pub(crate) fn span(&self, id: Id) -> Span {
        self.ast.span(self.origin(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_small() {
        assert!(size_of::<Instruction>() <= 40, "{}", size_of::<Instruction>());
    }
}
