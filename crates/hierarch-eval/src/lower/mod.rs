//! Lowering: from the tree of a checked program to [`Code`] that only indexes.
//!
//! ```text
//! $x = 1                            Assign { target: Global(x), value: Literal(1) }
//! [1, 2].map |$y| { $x + $y }       … Arithmetic { op: Add, left: Global(x), right: Parameter { depth: 0, slot: 0 } }
//! ```

mod constant;
mod declared;
mod expr;
mod reads;
mod resource;
mod scope;

use std::sync::Arc;

use hierarch_pcore::Str;
use hierarch_source::Result;
use hierarch_syntax::Program;
use hierarch_syntax::ast::{Ast, Expr, ExprId, List};

use crate::code::{
    AliasDefinition, ClassDefinition, ClassKind, Code, FunctionDefinition, Id, Instruction, Parameter,
    TypeSource, Unit, UnitId,
};
use crate::names::{NameId, Names};
use scope::{Boundary, Scopes};

/// Lowers a manifest.
pub(crate) fn manifest(program: Program, names: &Names) -> Result<Code> {
    let mut lowering = Lowering::new(program.ast, names, Boundary::Main);
    let root = lowering.expr(program.root)?;
    for id in program.definitions {
        lowering.definition(id)?;
    }
    Ok(lowering.finish(root))
}

/// Lowers a template: its variables may come from the units around the call, or from `given` names.
pub(crate) fn template(program: Program, given: &[Str], names: &Names) -> Result<Code> {
    let mut lowering = Lowering::new(program.ast, names, Boundary::Template);
    let Expr::Lambda { parameters, body, .. } = lowering.ast.expr(program.root) else {
        unreachable!("a template is parsed as a lambda")
    };
    lowering.callable(parameters, body, None, Boundary::Template, given)?;
    let root = lowering.add(Instruction::Nothing, program.root);
    Ok(lowering.finish(root))
}

/// The unit of a template's own code.
pub(crate) const TEMPLATE: UnitId = UnitId(1);
/// The unit of the main program.
pub(crate) const MAIN: UnitId = UnitId(0);

struct Lowering<'n> {
    ast: Arc<Ast>,
    names: &'n Names,
    nodes: Vec<Instruction>,
    origins: Vec<ExprId>,
    units: Vec<Unit>,
    functions: Vec<FunctionDefinition>,
    aliases: Vec<AliasDefinition>,
    classes: Vec<ClassDefinition>,
    scopes: Scopes,
    /// The functions called so far, in the order in which they were met.
    called: Vec<NameId>,
}

impl<'n> Lowering<'n> {
    fn new(ast: Ast, names: &'n Names, boundary: Boundary) -> Self {
        Self {
            ast: Arc::new(ast),
            names,
            nodes: Vec::new(),
            origins: Vec::new(),
            units: vec![Unit { is_constant: true, ..Unit::default() }],
            functions: Vec::new(),
            aliases: Vec::new(),
            classes: Vec::new(),
            scopes: Scopes::new(boundary),
            called: Vec::new(),
        }
    }

    fn finish(self, root: Id) -> Code {
        Code {
            ast: self.ast,
            nodes: self.nodes,
            origins: self.origins,
            units: self.units,
            root,
            functions: self.functions,
            aliases: self.aliases,
            classes: self.classes,
        }
    }

    fn add(&mut self, node: Instruction, origin: ExprId) -> Id {
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node);
        self.origins.push(origin);
        id
    }

    fn text(&self, text: hierarch_syntax::ast::Text) -> Str {
        self.ast.text(text).into()
    }

    /// Keeps what the program defines.
    fn definition(&mut self, id: ExprId) -> Result<()> {
        match self.ast.expr(id) {
            Expr::Function(definition) => {
                let definition = *self.ast.definition(definition);
                let name = self.text(definition.name);
                let unit = self.callable(
                    definition.parameters,
                    definition.body,
                    definition.returns,
                    Boundary::Function,
                    &[],
                )?;
                self.functions.push(FunctionDefinition { name, unit, origin: id });
            }
            Expr::TypeAlias { name, type_expr } => {
                let name = self.text(name);
                self.aliases.push(AliasDefinition { name, type_expr, origin: id });
            }
            Expr::Class(definition) => self.class(id, ClassKind::Class, definition)?,
            Expr::Define(definition) => self.class(id, ClassKind::Define, definition)?,
            Expr::NodeDefinition { hosts, body, .. } => self.node_definition(id, hosts, body)?,
            _ => {}
        }
        Ok(())
    }

    /// Lowers parameters and body of something that can be called.
    fn callable(
        &mut self,
        parameters: List,
        body: Option<ExprId>,
        returns: Option<ExprId>,
        boundary: Boundary,
        given: &[Str],
    ) -> Result<UnitId> {
        let ast = Arc::clone(&self.ast);
        let unit = UnitId(self.units.len() as u32);
        self.units.push(Unit::default());
        let mut slots: Vec<Str> = ast.list(parameters).iter().map(|id| self.parameter_name(*id)).collect();
        let parameter_count = slots.len();
        slots.extend(given.iter().filter(|name| !slots.contains(name)).cloned().collect::<Vec<_>>());
        declared::add_assigned(&ast, body, &mut slots);
        // A type is found out in the scope around, a default in the scope of the parameters before it.
        let types = self.parameter_types(ast.list(parameters))?;
        let returns_source = returns.map(|id| self.type_source(id)).transpose()?;
        let is_constant = constant::all_constant(&ast, ast.list(parameters), returns);
        self.scopes.enter(boundary, slots, parameter_count);
        let called_before = self.called.len();
        let first_node = self.nodes.len();
        let defaults = self.parameter_defaults(ast.list(parameters))?;
        let first_of_body = self.nodes.len() - first_node;
        let body = body.map(|id| self.expr(id)).transpose()?;
        let slots = self.scopes.leave();
        let called = self.called[called_before..].to_vec();
        let keeps_variables = !matches!(boundary, Boundary::Function | Boundary::Lambda);
        if !keeps_variables && !reads::may_ask_by_name(&called, self.names) {
            reads::move_last(&mut self.nodes[first_node..], first_of_body, parameter_count);
        }
        let parameters = ast.list(parameters).iter().zip(types).zip(defaults);
        let parameters = parameters
            .map(|((id, type_source), default)| Parameter {
                name: self.parameter_name(*id),
                type_source,
                default,
                is_rest: matches!(ast.expr(*id), Expr::RestParameter { .. }),
                origin: *id,
            })
            .collect();
        self.units[unit.0 as usize] =
            Unit { slots, parameters, returns: returns_source, body, is_constant, called, ..Unit::default() };
        Ok(unit)
    }

    fn parameter_name(&self, id: ExprId) -> Str {
        match self.ast.expr(id) {
            Expr::Parameter { name, .. } | Expr::RestParameter { name, .. } => self.text(name),
            _ => Str::new(),
        }
    }

    fn parameter_types(&mut self, parameters: &[ExprId]) -> Result<Vec<Option<TypeSource>>> {
        parameters
            .iter()
            .map(|id| match self.ast.expr(*id) {
                Expr::Parameter { type_expr: Some(type_expr), .. }
                | Expr::RestParameter { type_expr: Some(type_expr), .. } => {
                    self.type_source(type_expr).map(Some)
                }
                _ => Ok(None),
            })
            .collect()
    }

    fn parameter_defaults(&mut self, parameters: &[ExprId]) -> Result<Vec<Option<Id>>> {
        parameters
            .iter()
            .map(|id| match self.ast.expr(*id) {
                Expr::Parameter { default: Some(default), .. }
                | Expr::RestParameter { default: Some(default), .. } => self.expr(default).map(Some),
                _ => Ok(None),
            })
            .collect()
    }

    fn type_source(&mut self, id: ExprId) -> Result<TypeSource> {
        Ok(TypeSource { id: self.expr(id)? })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn names_are_bound_where_they_stand() {
        check_programs(&[
            ("$x = 1 if true { $y = 2 } $y", "2"),
            (
                "$x = 1 if true { $x = 2 }",
                "Evaluation Error: Cannot reassign variable '$x' (line: 1, column: 21)",
            ),
            ("if true { $x = 1 } else { $x = 2 } $x", "1"),
            ("case 1 { 1: { $x = 'a' } default: { $x = 'b' } } $x", "'a'"),
            ("$x = if true { 1 } $x", "1"),
            ("$x = case 1 { 1: { 5 } } $x", "5"),
            ("$x = { 'a' => 1 } $x['a']", "1"),
            ("$x = [1, [2, 3]] $x[1][0]", "2"),
            ("$x = 5 $y = $x + $x * $x $y", "30"),
            (r#"$x = "a" $y = "${x}b" "${y}${x}""#, "'aba'"),
            (r#"$a = 1 $b = "$a" $c = "${a}${b}" $c"#, "'11'"),
            ("function f($x) { $y = $x $z = $y + 1 $z } f(1)", "2"),
            ("function f($x) { if $x > 0 { $y = 1 } else { $y = 2 } $y } f(0)", "2"),
            ("function f($x, $y = $x + 1, $z = $y + 1) { [$x, $y, $z] } f(1)", "[1, 2, 3]"),
            (
                "function f() { $x = 1 g() } function g() { $x } f()",
                "Evaluation Error: Unknown variable: 'x'. (line: 1, column: 44)",
            ),
            (
                "function f($x) { $x = 2 } f(1)",
                "Evaluation Error: Cannot reassign variable '$x' (line: 1, column: 21)",
            ),
            ("function f($f) { $f } f(5)", "5"),
            ("function f() { [1, 2] } f()[1]", "2"),
            ("function f() { {a => 1} } f()['a']", "1"),
            ("function f() { 'abc' } f()[1]", "'b'"),
            ("$x = undef $x", "undef"),
            ("$x = default [$x]", "[default]"),
            ("($x = 1) $x", "1"),
            ("$x = ($y = 2) [$x, $y]", "[2, 2]"),
            ("[$x, [$y, $z]] = [1, [2, 3]] [$z, $y, $x]", "[3, 2, 1]"),
            ("type A = Integer 5 =~ A", "true"),
            ("5 =~ A type A = Integer", "undef"),
            ("f(1) function f($x) { $x }", "undef"),
            ("class a { } Class['a']", "Class[a]"),
            ("$facts", "{}"),
            ("$x", "Evaluation Error: Unknown variable: 'x'. (line: 1, column: 1)"),
        ]);
    }
}
