//! Definitions: those of the program itself, and those found in modules on demand.
//!
//! `m::a::b` is looked for in `MODULE/functions/a/b.pp`, `M::A::B` in `MODULE/types/a/b.pp`. The environment has the
//! namespace `environment` and all names without one: `environment::a` stands in `ENVIRONMENT/functions/environment/a.pp`.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hierarch_pcore::convert::ConversionHost;
use hierarch_pcore::types::{AliasType, Definitions, Kind, ObjectType, ResourceType, literal};
use hierarch_pcore::value::Timestamp;
use hierarch_pcore::{Hash, Str, Type};
use hierarch_source::{Place, Result, Source};
use hierarch_syntax::ast::{Ast, Expr, ExprId};
use hierarch_syntax::{ValidateOptions, check, class_name};
use rustc_hash::FxHashMap;

use crate::call::{Callee, UserFunction};
use crate::code::{AliasDefinition, ClassDefinition, ClassKind, Code};
use crate::define::KnownDefinitions;
use crate::environment::Codebase;
use crate::function::ForeignFunction;
use crate::guard::Guard;
use crate::limits::ProgramLimits;
use crate::names::NameId;
use crate::{issues, lower, type_set};

/// Types of the running programs, and the way to those of modules.
pub(crate) struct Loading<'e> {
    pub(crate) environment: &'e Codebase,
    own_types: RefCell<FxHashMap<String, OwnType>>,
    own_functions: RefCell<FxHashMap<String, (Arc<UserFunction>, Place)>>,
    alias_places: RefCell<FxHashMap<String, Place>>,
    /// Classes, defined types and nodes.
    pub(crate) known: RefCell<KnownDefinitions>,
    /// What calls by name lead to, by the number of the name.
    callees: Vec<Option<Callee>>,
    /// How large a text or collection may get.
    pub(crate) largest: usize,
    guard: Guard,
}

#[derive(Clone)]
enum OwnType {
    /// Nobody asked for it yet.
    Pending(Arc<Code>, usize),
    Known(Type),
}

impl<'e> Loading<'e> {
    pub(crate) fn new(environment: &'e Codebase) -> Self {
        Self {
            environment,
            own_types: RefCell::default(),
            own_functions: RefCell::default(),
            alias_places: RefCell::default(),
            known: RefCell::default(),
            callees: Vec::new(),
            largest: ProgramLimits::default().size,
            guard: Guard::default(),
        }
    }

    /// Finds out what an alias stands for. It is known by name meanwhile, so that it may contain itself.
    fn define_alias(&self, key: &str, code: &Arc<Code>, index: usize) -> Result<Type> {
        let alias = &code.aliases[index];
        let mut know = |type_: Type| {
            self.own_types.borrow_mut().insert(key.to_owned(), OwnType::Known(type_));
        };
        define_type(&code.ast, &alias.name, alias.type_expr, self, &mut know).inspect_err(|_| {
            // Whoever asks next is to get the same answer.
            let pending = OwnType::Pending(Arc::clone(code), index);
            self.own_types.borrow_mut().insert(key.to_owned(), pending);
        })
    }

    /// Finds a resource type of the agent's, a type that is defined in the language, or a type of a module.
    fn other_type(&self, key: &str) -> Result<Option<Type>> {
        let is_native = !key.contains(':') && self.environment.resource_types().find(key).is_some();
        let is_resource = is_native || self.known.borrow().define(key).is_some();
        if !is_resource && let Some(type_) = self.load_type(key)? {
            return Ok(Some(type_));
        }
        let is_resource = is_resource || self.define(key)?.is_some();
        Ok(is_resource.then(|| ResourceType::named(key).into()))
    }

    fn load_type(&self, key: &str) -> Result<Option<Type>> {
        if let Some(known) = self.environment.loaded().types.get(key) {
            return Ok(known.clone());
        }
        let found = match self.find_file("types", key) {
            // A defined type of that name counts more.   case: lang/aliases_and_defines
            Some(_) if self.define(key)?.is_some() => None,
            Some(path) => self.load_type_from(key, &path)?,
            None => self.load_member(key)?,
        };
        self.environment.loaded().types.insert(key.to_owned(), found.clone());
        Ok(found)
    }

    /// Finds a type in the type set of a module, which stands in `types/init_typeset.pp`.
    fn load_member(&self, key: &str) -> Result<Option<Type>> {
        let Some((module, member)) = key.split_once("::").filter(|(_, member)| *member != "init_typeset")
        else {
            return Ok(None);
        };
        let Some(path) = self.find_file("types", &format!("{module}::init_typeset")) else { return Ok(None) };
        let known = self.environment.loaded().types.get(module).cloned().flatten();
        let set = match known {
            Some(set) => Some(set),
            None => self.load_type_from(module, &path)?,
        };
        Ok(set.and_then(|set| match set.kind() {
            Kind::TypeSet(set) => set.get(member).cloned(),
            _ => None,
        }))
    }

    fn load_type_from(&self, key: &str, path: &Path) -> Result<Option<Type>> {
        let code = self.load_code(path)?;
        check_not_empty(&code, path, "type", key)?;
        let Some(index) = code.aliases.iter().position(|alias| alias.name.eq_ignore_ascii_case(key)) else {
            return Ok(None);
        };
        let alias = &code.aliases[index];
        let mut know = |type_: Type| {
            self.environment.loaded().types.insert(key.to_owned(), Some(type_));
        };
        define_type(&code.ast, &alias.name, alias.type_expr, self, &mut know).map(Some)
    }

    /// Returns where a definition of a module would stand, if the file is there.
    fn find_file(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let (root, rest) = match name.split_once("::") {
            Some((module, rest)) if module != "environment" => {
                (self.environment.module_folder(module)?, rest)
            }
            _ => (self.environment.folder()?.to_owned(), name),
        };
        let path = root.join(folder).join(format!("{}.pp", rest.replace("::", "/")));
        self.environment.files().is_file(&path).then_some(path)
    }

    pub(crate) fn load_code(&self, path: &Path) -> Result<Arc<Code>> {
        let name = path.display().to_string();
        let bytes =
            self.environment.read(path).map_err(|error| issues::unreadable(&name, &error.to_string()))?;
        let source = Source::from_bytes(name, bytes)?;
        let options = ValidateOptions {
            modulepath: self.environment.modulepath().to_vec(),
            ..ValidateOptions::default()
        };
        let checked = check(&source, &options);
        if let Some(failure) = checked.failure() {
            return Err(failure);
        }
        let Some(program) = checked.program else {
            return Err(issues::unreadable(source.name().unwrap_or(""), ""));
        };
        Ok(Arc::new(lower::manifest(program, self.environment.names())?))
    }

    /// Loads a function from the overlays: `functions/a/b.pp`, or `a/functions/b.pp` as in a module.
    fn load_overlay(&self, name: &str) -> Result<Option<Arc<UserFunction>>> {
        for overlay in self.environment.overlays() {
            let whole = Some(overlay.join("functions").join(format!("{}.pp", name.replace("::", "/"))));
            let in_module = name.split_once("::").map(|(module, rest)| {
                overlay.join(module).join("functions").join(format!("{}.pp", rest.replace("::", "/")))
            });
            let candidates = [whole, in_module].into_iter().flatten();
            for path in candidates.filter(|path| self.environment.files().is_file(path)) {
                let code = self.load_code(&path)?;
                if let Some(index) = code.functions.iter().position(|function| function.name == name) {
                    return Ok(Some(user_function(&code, index)));
                }
            }
        }
        Ok(None)
    }

    fn load_function(&self, name: &str) -> Result<Option<Arc<UserFunction>>> {
        if let Some(known) = self.environment.loaded().functions.get(name) {
            return Ok(known.clone());
        }
        let found = match self.find_file("functions", name) {
            Some(path) => {
                let code = self.load_code(&path)?;
                check_not_empty(&code, &path, "function", name)?;
                let index = code.functions.iter().position(|function| function.name == name);
                index.map(|index| user_function(&code, index))
            }
            None => None,
        };
        self.environment.loaded().functions.insert(name.to_owned(), found.clone());
        Ok(found)
    }
}

/// Refuses a file without any definition, as the reference does; one that defines something else is told of elsewhere.
fn check_not_empty(code: &Code, path: &Path, what: &str, name: &str) -> Result<()> {
    let is_empty = code.functions.is_empty() && code.aliases.is_empty() && code.classes.is_empty();
    if is_empty { Err(issues::empty_definition(&path.display().to_string(), what, name)) } else { Ok(()) }
}

/// Finds a defined type of the name of an alias that stands before it. One that stands after it is passed over.
fn define_above(code: &Arc<Code>, alias: &AliasDefinition, key: &str) -> Option<Place> {
    let start = |expr| code.ast.span(expr).start;
    let is_same = |class: &&ClassDefinition| class.kind == ClassKind::Define && class.name == key;
    let first =
        code.classes.iter().find(is_same).filter(|class| start(class.origin) < start(alias.origin))?;
    Some(Place::new(code.source(), code.ast.span(first.origin)))
}

fn user_function(code: &Arc<Code>, index: usize) -> Arc<UserFunction> {
    let definition = &code.functions[index];
    Arc::new(UserFunction { name: definition.name.clone(), code: Arc::clone(code), unit: definition.unit })
}

impl Definitions for Loading<'_> {
    fn type_named(&self, name: &str) -> Result<Option<Type>> {
        let key = name.strip_prefix("::").unwrap_or(name).to_ascii_lowercase();
        let own = self.own_types.borrow().get(&key).cloned();
        match own {
            Some(OwnType::Known(type_)) => Ok(Some(type_)),
            Some(OwnType::Pending(code, index)) => self.define_alias(&key, &code, index).map(Some),
            None => self.other_type(&key),
        }
    }
}

impl ConversionHost for Loading<'_> {
    fn now(&self) -> Timestamp {
        self.environment.now()
    }

    fn largest(&self) -> usize {
        self.largest
    }
}

/// Defines a type by what stands on the right side of its alias. An object or a type set gets the name itself.
fn define_type(
    ast: &Ast,
    name: &Str,
    expr: ExprId,
    definitions: &dyn Definitions,
    know: &mut dyn FnMut(Type),
) -> Result<Type> {
    if let Some((kind, init)) = named_initializer(ast, expr)? {
        if kind == "typeset" {
            let type_: Type = type_set::define(ast, name, init, definitions)?.into();
            know(type_.clone());
            return Ok(type_);
        }
        let object = ObjectType::declare(name.clone());
        know(object.clone().into());
        object.define(literal(ast, init, definitions)?.as_hash().unwrap_or(&Hash::new()))?;
        return Ok(object.into());
    }
    let alias = AliasType::declare(name.clone());
    know(alias.clone().into());
    alias.define(&Type::interpret_alias(ast, expr, definitions)?)?;
    Ok(alias.into())
}

/// Returns the hash in `Object[{…}]` or `TypeSet[{…}]`. What follows it is not looked at, as in the reference.
fn named_initializer(ast: &Ast, expr: ExprId) -> Result<Option<(String, ExprId)>> {
    let Expr::Access { left, keys } = ast.expr(expr) else { return Ok(None) };
    let (Expr::Reference(kind), [init, ..]) = (ast.expr(left), ast.list(keys)) else { return Ok(None) };
    let kind = ast.text(kind).to_ascii_lowercase();
    let label = match kind.as_str() {
        "object" => "object",
        "typeset" => "TypeSet",
        _ => return Ok(None),
    };
    match ast.expr(*init) {
        Expr::Hash(_) => Ok(Some((kind, *init))),
        other => Err(issues::no_initializer(label, class_name(other))),
    }
}

impl Loading<'_> {
    /// Makes the functions and types of a program known.
    pub(crate) fn add_functions_and_types(&self, code: &Arc<Code>) -> Result<()> {
        for index in 0..code.functions.len() {
            self.add_function(code, index)?;
        }
        for (index, alias) in code.aliases.iter().enumerate() {
            let key = alias.name.to_ascii_lowercase().to_string();
            self.check_alias(&key)?;
            if let Some(first) = define_above(code, alias, &key) {
                return Err(issues::redefined("type", &key, &first));
            }
            let place = Place::new(code.source(), code.ast.span(alias.origin));
            self.alias_places.borrow_mut().insert(key.clone(), place);
            let pending = OwnType::Pending(Arc::clone(code), index);
            self.own_types.borrow_mut().insert(key, pending);
        }
        Ok(())
    }

    /// A type may have neither the name of one that is built in nor that of another of the program.
    fn check_alias(&self, key: &str) -> Result<()> {
        if let Some(first) = self.alias_places.borrow().get(key) {
            return Err(issues::redefined("type", key, first));
        }
        // These are defined only on demand.
        if matches!(key, "error" | "target" | "task" | "plan") || key.contains("::") {
            return Ok(());
        }
        let is_native = self.environment.resource_types().find(key).is_some();
        if !is_native && Type::builtin(key).is_none() {
            return Ok(());
        }
        let is_late =
            matches!(key, "data" | "richdata" | "richdatakey" | "pcore" | "deferred" | "annotation");
        Err(issues::redefined_builtin(key, !is_native && !is_late))
    }

    /// Returns the names of the program's own functions.
    pub(crate) fn function_names(&self) -> Vec<String> {
        self.own_functions.borrow().keys().cloned().collect()
    }

    /// Returns the names of the defined types that are known so far.
    pub(crate) fn define_names(&self) -> Vec<String> {
        self.known.borrow().define_names()
    }

    fn add_function(&self, code: &Arc<Code>, index: usize) -> Result<()> {
        let definition = &code.functions[index];
        let name = definition.name.to_string();
        let place = Place::new(code.source(), code.ast.span(definition.origin));
        let mut functions = self.own_functions.borrow_mut();
        if let Some((_, first)) = functions.get(&name) {
            return Err(issues::redefined("function", &name, first));
        }
        functions.insert(name, (user_function(code, index), place));
        Ok(())
    }
}

impl Loading<'_> {
    /// Makes the definitions of a program known, before anything of it runs.
    pub(crate) fn define_all(&mut self, code: &Arc<Code>) -> Result<()> {
        self.add_definitions(code, "")?;
        // A function of the program's own may hide one that was called before.
        for function in &code.functions {
            let id = self.environment.names().id(&function.name);
            if let Some(known) = self.callees.get_mut(id.index()) {
                *known = None;
            }
        }
        Ok(())
    }

    /// Bounds what may be called from now on.
    pub(crate) fn set_guard(&mut self, guard: Guard) {
        self.guard = guard;
        // What was called before may be refused now.
        self.callees.clear();
    }

    /// Returns what a name calls; the way there is remembered.
    #[inline]
    pub(crate) fn callee(&mut self, name: NameId) -> Result<Callee> {
        if let Some(Some(callee)) = self.callees.get(name.index()) {
            return Ok(callee.clone());
        }
        let text = self.environment.names().text(name);
        let callee = self.find_callee(&text)?.ok_or_else(|| self.unknown_function(&text))?;
        if self.guard.refuses(&text) || self.guard.only_computes && matches!(callee, Callee::Foreign(_)) {
            return Err(issues::refused_function(&text));
        }
        if self.callees.len() <= name.index() {
            self.callees.resize(name.index() + 1, None);
        }
        self.callees[name.index()] = Some(callee.clone());
        Ok(callee)
    }

    /// Finds what a name calls: the program's own functions, built-in ones, those of modules.
    pub(crate) fn find_callee(&self, name: &str) -> Result<Option<Callee>> {
        if let Some((function, _)) = self.own_functions.borrow().get(name) {
            return Ok(Some(Callee::User(Arc::clone(function))));
        }
        if let Some(function) = self.load_overlay(name)? {
            return Ok(Some(Callee::User(function)));
        }
        if let Some(compiled) = self.environment.built_in(name) {
            return Ok(Some(Callee::BuiltIn(Arc::clone(compiled))));
        }
        let foreign = self.environment.foreign_function(name);
        // Beside a function written in the language only one with the new interface counts.
        let is_first = foreign.as_ref().is_some_and(|source| !source.is_old && name.contains("::"));
        if !is_first && let Some(function) = self.load_function(name)? {
            return Ok(Some(Callee::User(function)));
        }
        let language = self.environment.registry().language();
        let foreign = foreign.zip(language).map(|(source, language)| ForeignFunction::new(source, language));
        Ok(foreign.map(|function| Callee::Foreign(Arc::new(function))))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_modules;

    /// Modules: what is well, what has another name than its file says, and what cannot be read.
    const FILES: &[(&str, &str)] = &[
        ("ENV/modules/a/manifests/init.pp", "class a { $x = 'from a' }"),
        ("ENV/modules/a/manifests/b.pp", "class a::b { $y = $module_name }"),
        ("ENV/modules/a/manifests/d.pp", "define a::d($p = 1) { }"),
        ("ENV/modules/a/manifests/wrong.pp", "class a::other { }"),
        ("ENV/modules/a/manifests/broken.pp", "class a::broken {\n  $x = \n}"),
        ("ENV/modules/a/manifests/invalid.pp", "class a::invalid { $1 = 2 }"),
        ("ENV/modules/a/manifests/deep/er.pp", "class a::deep::er { }"),
        ("ENV/modules/a/functions/f.pp", "function a::f($x) { $x + 1 }"),
        ("ENV/modules/a/functions/other.pp", "function a::name() { 1 }"),
        ("ENV/modules/a/functions/two.pp", "function a::two() { 1 }\nfunction a::three() { 2 }"),
        ("ENV/modules/a/functions/broken.pp", "function a::broken( {"),
        ("ENV/modules/a/functions/sub/g.pp", "function a::sub::g() { a::f(5) }"),
        ("ENV/modules/a/functions/empty.pp", ""),
        ("ENV/modules/a/types/empty.pp", "# nothing\n"),
        ("ENV/modules/a/types/t.pp", "type A::T = Integer[1, 5]"),
        ("ENV/modules/a/types/u.pp", "type A::U = Array[A::T]"),
        ("ENV/modules/a/types/wrong.pp", "type A::Other = Integer"),
        ("ENV/modules/a/types/loop.pp", "type A::Loop = A::Loop"),
        ("ENV/modules/a/types/tree.pp", "type A::Tree = Hash[String, Variant[Integer, A::Tree]]"),
        ("ENV/modules/a/types/obj.pp", "type A::Obj = Object[{attributes => {v => A::T}}]"),
        ("ENV/modules/a/types/broken.pp", "type A::Broken = "),
        ("ENV/modules/b/manifests/init.pp", "class b inherits a { $z = $x }"),
    ];

    /// Programs, and what Puppet makes of them.
    const PROGRAMS: &[(&str, &str)] = &[
        ("class { 'a': } $a::x", "'from a'"),
        ("class { 'a::b': } $a::b::y", "'a'"),
        ("class { 'b': } $b::z", "'from a'"),
        (
            "class { 'a::nope': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Could not find declared class a::nope (line: 1, column: 1)",
        ),
        (
            "class { 'nope': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Could not find declared class nope (line: 1, column: 1)",
        ),
        (
            "class { 'a::wrong': }",
            "Unacceptable location. The name 'a::other' is unacceptable in file 'ENV/modules/a/manifests/wrong.pp' (file: ENV/modules/a/manifests/wrong.pp, line: 1, column: 1)",
        ),
        (
            "class { 'a::other': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Could not find declared class a::other (line: 1, column: 1)",
        ),
        (
            "class { 'a::broken': }",
            "Syntax error at '}' (file: ENV/modules/a/manifests/broken.pp, line: 3, column: 1)",
        ),
        (
            "class { 'a::invalid': }",
            "Illegal attempt to assign to the numeric match result variable '$1'. Numeric variables are not assignable (file: ENV/modules/a/manifests/invalid.pp, line: 1, column: 20)",
        ),
        ("class { 'a::deep::er': }", "[Class['A::Deep::Er']]"),
        ("a::d { 't': }", "[A::D['t']]"),
        (
            "a::nope { 't': }",
            "Evaluation Error: Error while evaluating a Resource Statement, Unknown resource type: 'a::nope' (line: 1, column: 1)",
        ),
        (
            "a::d { 't': q => 1 }",
            "Evaluation Error: Error while evaluating a Resource Statement, A::D[t]: has no parameter named 'q' (line: 1)",
        ),
        ("a::f(1)", "2"),
        (
            "a::f('x')",
            "Evaluation Error: The value 'x' cannot be converted to Numeric. (file: ENV/modules/a/functions/f.pp, line: 1, column: 21)",
        ),
        (
            "a::f()",
            "Evaluation Error: Error while evaluating a Function Call, 'a::f' expects 1 argument, got none (line: 1, column: 1)",
        ),
        ("a::nope()", "Evaluation Error: Unknown function: 'a::nope'. (line: 1, column: 1)"),
        ("a::name()", "Evaluation Error: Unknown function: 'a::name'. (line: 1, column: 1)"),
        (
            "a::other()",
            "Unacceptable location. The name 'a::name' is unacceptable in file 'ENV/modules/a/functions/other.pp' (file: ENV/modules/a/functions/other.pp, line: 1, column: 1)",
        ),
        (
            "a::two()",
            "Unacceptable location. The name 'a::three' is unacceptable in file 'ENV/modules/a/functions/two.pp' (file: ENV/modules/a/functions/two.pp, line: 2, column: 1)",
        ),
        ("a::three()", "Evaluation Error: Unknown function: 'a::three'. (line: 1, column: 1)"),
        ("a::broken()", "Syntax error at '{' (file: ENV/modules/a/functions/broken.pp, line: 1, column: 21)"),
        ("a::sub::g()", "6"),
        (
            "a::empty()",
            "Evaluation Error: Error while evaluating a Function Call, The code loaded from ENV/modules/a/functions/empty.pp does not define the function 'a::empty' - it is empty. (line: 1, column: 1)",
        ),
        (
            "3 =~ A::Empty",
            "Evaluation Error: Error while evaluating a Type-Name, The code loaded from ENV/modules/a/types/empty.pp does not define the type 'a::empty' - it is empty. (line: 1, column: 6)",
        ),
        ("nope::f()", "Evaluation Error: Unknown function: 'nope::f'. (line: 1, column: 1)"),
        ("A::T", "A::T = Integer[1, 5]"),
        ("3 =~ A::T", "true"),
        ("9 =~ A::T", "false"),
        ("[1, 2] =~ A::U", "true"),
        ("[9] =~ A::U", "false"),
        (
            "A::Wrong",
            "Unacceptable location. The name 'a::other' is unacceptable in file 'ENV/modules/a/manifests/wrong.pp' (file: ENV/modules/a/manifests/wrong.pp, line: 1, column: 1)",
        ),
        ("A::Other", "Evaluation Error: Resource type not found: A::Other (line: 1, column: 1)"),
        (
            "A::Loop",
            "Evaluation Error: Error while evaluating a Type-Name, Type alias 'A::Loop' cannot be resolved to a real type (line: 1, column: 1)",
        ),
        ("{'a' => {'b' => 1}} =~ A::Tree", "true"),
        ("{'a' => {'b' => 'x'}} =~ A::Tree", "false"),
        ("A::Broken", "Syntax error at '}' (file: ENV/modules/a/manifests/broken.pp, line: 3, column: 1)"),
        ("A::Nope", "Evaluation Error: Resource type not found: A::Nope (line: 1, column: 1)"),
        ("Nope::T", "Evaluation Error: Resource type not found: Nope::T (line: 1, column: 1)"),
        ("a::f(a::f(1))", "3"),
        ("[a::f(1), 2 =~ A::T]", "[2, true]"),
        ("function own($x) { a::f($x) } own(1)", "2"),
        ("class c { $v = a::f(2) } class { 'c': } $c::v", "3"),
        (
            "A::T[1]",
            "Evaluation Error: Operator '[]' is not applicable to an A::T = Integer[1, 5]-Type. (line: 1, column: 1)",
        ),
        ("Array[A::T]", "Array[A::T]"),
        ("a::f(1", "Syntax error at end of input"),
        ("$a::x", "Evaluation Error: Unknown variable: 'a::x'. (line: 1, column: 1)"),
    ];

    #[test]
    fn modules_are_loaded_by_name_or_refused_by_file() {
        check_modules(FILES, PROGRAMS);
    }
}
