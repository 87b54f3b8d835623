//! Expressions over a document: paths through a tree of instances, functions, loops, evaluated when needed.
//!
//! ```
//! use hierarch_compose::expr::{Context, Expressions};
//! use hierarch_pcore::{Hash, Value};
//!
//! let web: Hash = [("port", 80)].into_iter().collect();
//! let document: Hash = [("web", Value::from(web)), ("url", Value::from("http://h:{{ '::web::port' | eval }}"))]
//!     .into_iter()
//!     .collect();
//! let expressions = Expressions::new(document)?;
//! let found = expressions.query(&Value::from("url"), &Context::default())?;
//! assert_eq!(found.one(), Value::from("http://h:80"));
//! # Ok::<(), hierarch_source::Error>(())
//! ```

mod active;
pub(crate) mod budget;
pub(crate) mod evaluate;
pub(crate) mod file;
pub(crate) mod folders;
pub(crate) mod functions;
mod host;
pub(crate) mod issues;
pub(crate) mod item;
mod looping;
mod path;
pub(crate) mod python;
pub(crate) mod scope;
mod tree;
pub(crate) mod walk;
pub(crate) mod world;

use std::sync::Arc;

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Result, Source};

use self::scope::Scope;
use self::tree::Tree;
use self::world::World;

pub use self::functions::{EXAMPLE_DOCUMENT, Example, Function, ORCHESTRATION, PLUGINS, functions};
pub use self::host::{ClosedHost, ExpressionHost};
pub use self::issues::{expression_kind, forbidden};
pub use self::tree::Instance;
pub use crate::template::{TemplateSettings, data_of, filter_parameters};

/// How much an evaluation may take.
#[derive(Clone, Copy, Debug)]
pub struct ExpressionLimits {
    /// Expressions inside expressions, and references that lead to references.
    pub depth: usize,
    /// Steps of paths, functions and values looked at, for one question.
    pub steps: u64,
    /// Instructions of one template.
    pub fuel: u64,
    /// Bytes that one value takes, and that one template writes; all values together may take sixteen times as many.
    pub size: usize,
    /// Steps of one path.
    pub path: usize,
}

impl Default for ExpressionLimits {
    fn default() -> Self {
        Self { depth: 100, steps: 50_000_000, fuel: 10_000_000, size: 16 << 20, path: 250 }
    }
}

/// How a document is evaluated.
#[derive(Clone)]
pub struct Options {
    /// The name of the root instance.
    pub root: String,
    /// What can be reached beyond the document.
    pub host: Arc<dyn ExpressionHost>,
    /// Bounds.
    pub limits: ExpressionLimits,
    /// Only functions that reach nothing beyond the document.
    pub safe: bool,
    /// Errors may tell the secrets that they are about.
    pub reveals: bool,
    /// How templates are written.
    pub settings: TemplateSettings,
    /// Variables that everything in the document sees, whoever asks for it.
    pub globals: Hash,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            root: "root".into(),
            host: Arc::new(ClosedHost),
            limits: ExpressionLimits::default(),
            safe: false,
            reveals: false,
            settings: TemplateSettings::default(),
            globals: Hash::new(),
        }
    }
}

/// Where a question is asked from.
#[derive(Clone, Debug)]
pub struct Context {
    /// The instance it starts at; the root, unless told otherwise.
    pub start: Option<String>,
    /// Variables: `$name` in paths, plain names in templates.
    pub variables: Hash,
    /// Undefined names in templates are errors.
    pub strict: bool,
}

impl Default for Context {
    fn default() -> Self {
        Self { start: None, variables: Hash::new(), strict: true }
    }
}

/// Tells whether an error says that a template asks for something that is not there.
pub fn is_undefined(error: &hierarch_source::Error) -> bool {
    error.code == issues::UNDEFINED
}

/// What an expression leads to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Matches {
    /// All of it.
    pub all: Vec<Value>,
    /// It is a list, even if it has one item.
    list: bool,
}

impl Matches {
    pub(crate) fn several(all: Vec<Value>) -> Self {
        Self { all, list: false }
    }

    /// Returns the one value it stands for: null if there is no match, a list if there are several.
    pub fn one(mut self) -> Value {
        match self.all.len() {
            _ if self.list => Value::array(self.all),
            0 => Value::Undef,
            1 => self.all.remove(0),
            _ => Value::array(self.all),
        }
    }
}

impl From<Value> for Matches {
    fn from(value: Value) -> Self {
        Self::several(vec![value])
    }
}

/// A document whose attributes are evaluated when they are asked for, each once.
pub struct Expressions {
    world: Arc<World>,
}

impl Expressions {
    /// Makes a document that reaches nothing beyond itself.
    pub fn new(document: Hash) -> Result<Self> {
        Self::with(document, Options::default())
    }

    /// Makes a document.
    pub fn with(document: Hash, options: Options) -> Result<Self> {
        let tree = Tree::new(&options.root, &document)?;
        Ok(Self { world: Arc::new(World::new(tree, options)) })
    }

    /// Evaluates an expression.
    pub fn query(&self, expression: &Value, context: &Context) -> Result<Matches> {
        let scope = self.scope(context)?;
        let found = evaluate::expression(&scope, expression)?;
        found.all.iter().try_for_each(|value| scope.world.budget.check_together(value))?;
        Ok(found)
    }

    /// Returns data with the expressions and templates in it evaluated.
    pub fn resolve(&self, data: &Value, context: &Context) -> Result<Value> {
        evaluate::resolve(&self.scope(context)?, data)
    }

    /// Returns the whole document with everything in it evaluated, each attribute from the instance that has it.
    pub fn evaluated(&self, context: &Context) -> Result<Value> {
        let scope = self.scope(context)?;
        let whole = walk::evaluated(&scope, 0)?;
        scope.world.budget.check_together(&whole)?;
        Ok(whole)
    }

    /// Returns the names of the filters that templates have.
    pub fn filters(&self) -> Vec<String> {
        crate::template::filter_names()
    }

    /// Returns the names of the tests that templates have.
    pub fn tests(&self) -> Vec<String> {
        crate::template::test_names()
    }

    /// Renders a template as text, whatever it looks like.
    pub fn render(&self, template: &str, context: &Context) -> Result<Value> {
        crate::template::render_text(&self.scope(context)?, template)
    }

    /// Renders a file as text; what fails in it is shown there.
    pub fn render_file(&self, file: &Arc<Source>, context: &Context) -> Result<Value> {
        crate::template::render_file(&self.scope(context)?, file)
    }

    /// Renders a file with the type that its text looks like; what fails in it is shown there.
    pub fn render_file_value(&self, file: &Arc<Source>, context: &Context) -> Result<Value> {
        crate::template::render_file_value(&self.scope(context)?, file)
    }

    /// Renders a template as a value of data would be: with the type that its text looks like.
    pub fn render_value(&self, template: &str, context: &Context) -> Result<Value> {
        crate::template::render(&self.scope(context)?, template)
    }

    /// Returns the attributes of the instance that a question starts from, each an expression for itself: so they can
    /// be variables that are evaluated when they are used.
    pub fn attributes(&self, context: &Context) -> Result<Vec<(Value, Value)>> {
        let node = self.world.tree.node(self.scope(context)?.instance);
        let reference = |key: &Value| -> Value {
            let path = vec![Value::from("SELF"), key.clone()];
            [("get_attribute", Value::array(path))].into_iter().collect::<Hash>().into()
        };
        Ok(node.attributes.keys().map(|key| (key.clone(), reference(key))).collect())
    }

    fn scope(&self, context: &Context) -> Result<Scope> {
        self.world.begin();
        let start = match &context.start {
            Some(name) => self.world.tree.find(name).ok_or_else(|| issues::no_such_instance(name))?,
            None => self.world.tree.node(0),
        };
        let id = Instance::of(&start.value).map_or(0, |instance| instance.id);
        Ok(Scope::new(&self.world, id, &context.variables, context.strict))
    }
}

#[cfg(test)]
mod secret_tests;

#[cfg(test)]
mod tests {
    use super::*;

    fn yaml(document: &str) -> Hash {
        let source = hierarch_source::Source::unnamed(document);
        let limits = hierarch_yaml::DocumentLimits::default();
        let tree = hierarch_yaml::read(&source, hierarch_yaml::Dialect::Core, limits).expect(document);
        let data = tree.root().map(|root| tree.data(root, limits).expect(document));
        let Some(Value::Hash(map)) =
            data.map(|data| hierarch_pcore::data::from_data(&data, hierarch_pcore::data::Rules::Text))
        else {
            panic!("{document} is no map")
        };
        Hash::clone(&map)
    }

    /// Asks a document given as YAML, and returns the answer as Python writes it.
    fn ask(document: &str, expression: &str) -> Result<String> {
        let expressions = Expressions::new(yaml(document))?;
        Ok(python::repr(&expressions.query(&expression.into(), &Context::default())?.one()))
    }

    fn check(document: &str, expression: &str, wanted: &str) {
        assert_eq!(ask(document, expression).expect(expression), wanted, "{expression} of {document}");
    }

    fn check_error(document: &str, expression: &str, wanted: &str) {
        let error = ask(document, expression).expect_err(expression);
        assert!(error.message.contains(wanted), "{error}");
    }

    #[test]
    fn a_map_at_the_top_is_an_instance_whichever_way_it_is_reached() {
        let document = "web: {host: h, url: '{{ SELF.host }}/', up: {eval: '.::host'}}";
        for path in ["::web::url", "web::url"] {
            check(document, path, "'h/'");
        }
        check(document, "web", "{'host': 'h', 'url': 'h/', 'up': 'h'}");
    }

    #[test]
    fn a_ring_is_reported_with_its_links() {
        let document = "a: {eval: b}\nb: '{{ \"c\" | eval }}'\nc: {x: {eval: a}}";
        check_error(document, "a", "::root::a -> ::root::b -> ::c::x -> ::root::a");
        check_error("a: {x: {eval: {eval: $v}, vars: {v: {eval: $v}}}}", "a::x", "$v -> $v");
    }

    #[test]
    fn a_whole_document_is_evaluated_from_where_each_value_stands() {
        let document = yaml("b: 1\nweb: {host: h, url: '{{ SELF.host }}/'}\nlist: [{eval: b}]");
        let whole = Expressions::new(document).and_then(|all| all.evaluated(&Context::default()));
        let text = python::repr(&whole.expect("good"));
        assert_eq!(text, "{'b': 1, 'web': {'host': 'h', 'url': 'h/'}, 'list': [1]}");
        let document = yaml("a: 1\ninstances: {x: {n: '{{ SELF.m }}', m: 2, instances: {y: }}}\nz: 3");
        let whole = Expressions::new(document).and_then(|all| all.evaluated(&Context::default()));
        let text = python::repr(&whole.expect("good"));
        assert_eq!(text, "{'a': 1, 'instances': {'x': {'n': 2, 'm': 2, 'instances': {'y': {}}}}, 'z': 3}");
    }

    #[test]
    fn what_is_not_asked_for_is_not_evaluated() {
        check("m: {good: 1, bad: {eval: {nofunc: 1}}}", "m::good", "1");
        check("a: [1, '{{ nope }}']", "a::0", "1");
    }

    #[test]
    fn a_chain_that_is_too_long_is_an_error_and_no_crash() {
        let chain = |form: fn(usize) -> String| {
            (1..500).map(|link| format!("a{link}: {}\n", form(link - 1))).collect::<String>() + "a0: 1"
        };
        check_error(&chain(|link| format!("{{eval: a{link}}}")), "a499", "levels deep");
        check_error(&chain(|link| format!("'{{{{ \"a{link}\" | eval }}}}'")), "a499", "levels deep");
    }

    #[test]
    fn nothing_beyond_the_document_is_reached_unless_a_host_gives_it() {
        check_error("a: {get_env: HOME}", "a", "not allowed");
        check_error("a: {eval: {file: /etc/passwd}, select: contents}", "a", "not read");
        check_error("a: {get_property: [SELF, x]}", "a", "belongs to Unfurl's deployments");
    }
}
