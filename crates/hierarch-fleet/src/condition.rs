//! `where`: the nodes for which a Puppet expression is true.
//!
//! A bare name with `::` in it means the value of that key. Such names are looked up first, as all lookups of many nodes
//! are, and stand in the expression as variables of the same length, so that places in messages stay what they are.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use hierarch_eval::{Guard, SecretRule, has_secret};
use hierarch_hiera::{Panel, Query, Session};
use hierarch_pcore::{Hash, Value};
use hierarch_site::Node;
use hierarch_source::{Error, Result, Severity, Source, Span, nearest};
use hierarch_syntax::ValidateOptions;
use hierarch_syntax::ast::{Ast, Expr, ExprId};

use crate::ask::{Fleet, Ready, Surveys, UnansweredNode, open, with_sessions};
use crate::issues;
use crate::nodes::NodeSet;
use crate::reason::Reason;

/// A question that is true or false for a node.
pub struct Condition {
    source: Arc<Source>,
    /// The keys, and the variables that stand for them.
    keys: Vec<(String, String)>,
    words: Vec<String>,
    /// What is taken from `$facts`, each by the names that lead there.
    facts: Vec<Vec<String>>,
    rights: Rights,
}

/// For which nodes a condition holds.
#[derive(Clone, Debug, Default)]
pub struct Holds {
    /// How many nodes there are.
    pub asked: usize,
    /// The nodes for which it is true, in order, each with what was looked up for it, secrets hidden.
    pub nodes: Vec<(String, Vec<(String, Value)>)>,
    /// The nodes for which it is neither true nor false.
    pub unanswered: Vec<UnansweredNode>,
}

/// What whoever asks may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights {
    /// What was decrypted or is `Sensitive`.
    pub secrets: bool,
    /// The facts of nodes.
    pub facts: bool,
}

impl Rights {
    /// Everything may be seen: who asks could read the files as well.
    pub const ALL: Self = Self { secrets: true, facts: true };

    /// A condition asks, and does nothing else; and it asks for nothing that may not be seen. Without facts lookups of its own would
    /// be answered as for no node.
    fn guard(self) -> Guard {
        let secrets = if self.secrets { SecretRule::Given } else { SecretRule::Refused };
        Guard { only_computes: true, secrets, asks_nothing: !self.facts }
    }
}

impl Condition {
    /// Reads an expression of someone who may see everything.
    pub fn parse(text: &str) -> Result<Self> {
        Self::parse_for(text, Rights::ALL)
    }

    /// Reads an expression of someone with these rights: neither answers nor messages depend on what they may not see.
    pub fn parse_for(text: &str, rights: Rights) -> Result<Self> {
        let source = Source::unnamed(text);
        let checked = hierarch_syntax::check(&source, &ValidateOptions::default());
        let error = checked.diagnostics.into_iter().find(|found| found.severity == Severity::Error);
        if let Some(error) = error {
            let is_assignment = error.code.starts_with("ILLEGAL_ASSIGNMENT") || error.code.contains("ASSIGN");
            let error = Error::from(error);
            return Err(if is_assignment { error.note(issues::EQUALS_ASSIGNS) } else { error });
        }
        let program = checked.program.ok_or_else(|| issues::no_condition(text))?;
        let mut names = Names { guard: rights.guard(), ..Names::default() };
        names.walk(&program.ast, program.root)?;
        if !rights.facts {
            names.check_variables(&program.ast)?;
        }
        let mut keys: Vec<(String, String)> = Vec::new();
        let mut rewritten = text.to_owned();
        for (name, span) in names.found {
            let range = span.start as usize..span.end as usize;
            let variable = variable_name(keys.len(), range.len());
            rewritten.replace_range(range, &format!("${variable}"));
            keys.push((name, variable));
        }
        // What `lookup('name')` asks for is shown, too; the call itself stays.
        for name in names.looked_up {
            if !keys.iter().any(|(key, _)| *key == name) {
                let variable = variable_name(keys.len(), 0);
                keys.push((name, variable));
            }
        }
        let (words, facts) = (names.words, names.facts);
        Ok(Self { source: Source::unnamed(rewritten), keys, words, facts, rights })
    }

    /// Returns the bare words in it, which are texts.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// Returns the facts that it takes by their names and that no node has, each with the names that nodes have nearest to it.
    pub fn facts_of_no_node(&self, nodes: &NodeSet) -> Vec<(String, Vec<String>)> {
        let mut lacking: Vec<(&[String], BTreeSet<String>)> =
            self.facts.iter().map(|path| (path.as_slice(), BTreeSet::new())).collect();
        for (name, known) in &nodes.nodes {
            // Most facts are there on the first node.
            if lacking.is_empty() {
                break;
            }
            let Ok(known) = nodes.facts(name, known) else { continue };
            lacking.retain_mut(|(path, near)| !is_there(&known.facts, path, near));
        }
        let told = |(path, near): (&[String], BTreeSet<String>)| {
            let last = path.last().map(String::as_str).unwrap_or_default();
            let near = nearest(last, near.iter().map(String::as_str));
            (path.join("."), near.into_iter().map(str::to_owned).collect())
        };
        lacking.into_iter().map(told).collect()
    }

    /// Returns the bare words in it that are names of facts.
    pub fn words_that_are_facts(&self, nodes: &NodeSet) -> Vec<&str> {
        let mut words: Vec<&str> = self.words().collect();
        words.sort_unstable();
        words.dedup();
        let mut known = nodes.nodes.iter().filter_map(|(name, known)| nodes.facts(name, known).ok());
        // Nodes have most facts in common.
        match known.next() {
            Some(first) => words.into_iter().filter(|word| first.facts.get_str(word).is_some()).collect(),
            None => Vec::new(),
        }
    }

    /// Returns the keys that it asks for by their names.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|(key, _)| key.as_str())
    }
}

/// Tells whether facts have something; if not, the names that stand where the last one was looked for are added.
fn is_there(facts: &Hash, path: &[String], near: &mut BTreeSet<String>) -> bool {
    let Some((last, way)) = path.split_last() else { return true };
    let inside = way.iter().try_fold(facts, |hash, name| hash.get_str(name)?.as_hash());
    let Some(inside) = inside else { return false };
    let is_there = inside.get_str(last).is_some();
    if !is_there {
        near.extend(inside.keys().filter_map(|key| key.as_str().map(str::to_owned)));
    }
    is_there
}

/// Makes a variable that is, with its `$`, as long as a name: `a::b` becomes `$_0_`.
fn variable_name(number: usize, length: usize) -> String {
    let name = format!("_{number}");
    format!("{name:_<width$}", width = length.saturating_sub(1))
}

/// The bare names of an expression that mean keys, with their places.
#[derive(Default)]
struct Names {
    found: Vec<(String, Span)>,
    functors: HashSet<ExprId>,
    variables: Vec<(String, Span)>,
    parameters: HashSet<String>,
    /// Bare names that are texts.
    words: Vec<String>,
    /// The names that `lookup` is called with, and with nothing else.
    looked_up: Vec<String>,
    /// What is taken from `$facts`.
    facts: Vec<Vec<String>>,
    guard: Guard,
}

impl Names {
    fn walk(&mut self, ast: &Ast, root: ExprId) -> Result<()> {
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            match ast.expr(id) {
                Expr::Call { functor, arguments, .. } => {
                    self.call(ast, functor)?;
                    self.note_lookup(ast, functor, ast.list(arguments));
                }
                Expr::MethodCall { functor, .. } => self.call(ast, functor)?,
                Expr::Name(text) if ast.text(text).contains("::") && !self.functors.contains(&id) => {
                    let name = ast.text(text).trim_start_matches("::").to_owned();
                    self.found.push((name, ast.span(id)));
                }
                Expr::Access { .. } => self.note_fact(ast, id),
                Expr::Variable(text) => self.variables.push((ast.text(text).to_owned(), ast.span(id))),
                Expr::Parameter { name, .. } | Expr::RestParameter { name, .. } => {
                    self.parameters.insert(ast.text(name).to_owned());
                }
                Expr::Name(text) if !self.functors.contains(&id) => {
                    self.words.push(ast.text(text).to_owned());
                }
                _ => {}
            }
            ast.each_child(id, |child| waiting.push(child));
        }
        // What stands later is replaced first, so that places before it stay right.
        self.found.sort_by_key(|(_, span)| std::cmp::Reverse(span.start));
        Ok(())
    }

    /// Refuses all variables but those that lambdas have, what a match found, and the name of the node: no other has a value for
    /// someone who may not see facts, and an answer without it would look like one.
    fn check_variables(&self, ast: &Ast) -> Result<()> {
        let is_open = |name: &str| {
            name == "node" || name.bytes().all(|one| one.is_ascii_digit()) || self.parameters.contains(name)
        };
        match self.variables.iter().find(|(name, _)| !is_open(name)) {
            Some((name, span)) => Err(hierarch_eval::issues::refused_variable(name).at(ast.source(), *span)),
            None => Ok(()),
        }
    }

    fn note_lookup(&mut self, ast: &Ast, functor: ExprId, arguments: &[ExprId]) {
        let is_lookup = matches!(ast.expr(functor), Expr::Name(name) if ast.text(name) == "lookup");
        if let ([argument], true) = (arguments, is_lookup)
            && let Expr::String(text) = ast.expr(*argument)
        {
            self.looked_up.push(ast.text(text).to_owned());
        }
    }

    /// Notes a fact that is taken by names: `$facts['os']['family']`. It counts for what it is taken from as well.
    fn note_fact(&mut self, ast: &Ast, id: ExprId) {
        let (mut path, mut next) = (Vec::new(), id);
        while let Expr::Access { left, keys } = ast.expr(next) {
            let [key] = ast.list(keys) else { return };
            let (Expr::String(text) | Expr::Name(text)) = ast.expr(*key) else { return };
            path.insert(0, ast.text(text).to_owned());
            next = left;
        }
        let is_facts = matches!(ast.expr(next), Expr::Variable(name) if ast.text(name).trim_start_matches("::") == "facts");
        if is_facts && !self.facts.iter().any(|known| known.starts_with(&path)) {
            self.facts.push(path);
        }
    }

    fn call(&mut self, ast: &Ast, functor: ExprId) -> Result<()> {
        let name = match ast.expr(functor) {
            Expr::Dot { name, .. } => name,
            _ => functor,
        };
        self.functors.insert(name);
        match ast.expr(name) {
            Expr::Name(text) if self.guard.refuses(ast.text(text).trim_start_matches("::")) => {
                let error = hierarch_eval::issues::refused_function(ast.text(text));
                Err(error.at(ast.source(), ast.span(name)))
            }
            _ => Ok(()),
        }
    }
}

/// What a node looked up: the value, and what is shown of it.
type LookupOutcome = std::result::Result<(Value, Value), Reason>;

/// Asks for which nodes a condition holds.
pub fn holds(fleet: &Fleet, condition: &Condition) -> Holds {
    let queries: Vec<Query> = condition.keys.iter().map(|(key, _)| Query::new([key.clone()])).collect();
    let surveys: Surveys<Arc<LookupOutcome>> = Surveys::new(queries.len());
    let (parts, unread) = fleet.in_parts(|ready| {
        let nodes = open(fleet.site, &ready);
        let looked = look_up(condition.rights, &queries, &surveys, &nodes);
        let decide = |((ready, node), looked): ((&Ready, &Node), Vec<Arc<LookupOutcome>>)| {
            let holds = decide(fleet, condition, node, &looked);
            let holds = holds.map_err(|why| why.told(|words| node.environment().shown_text(words)));
            (ready.index, ready.name.clone(), holds, shown(condition, &looked))
        };
        ready.iter().zip(&nodes).zip(looked).map(decide).collect::<Vec<_>>()
    });
    let mut answer = Holds { asked: fleet.nodes.len(), ..Holds::default() };
    let mut unanswered = unread;
    let mut rows: Vec<_> = parts.into_iter().flatten().collect();
    rows.sort_by_key(|(index, ..)| *index);
    for (index, node, holds, shown) in rows {
        match holds {
            Ok(true) => answer.nodes.push((node, shown)),
            Ok(false) => {}
            Err(reason) => unanswered.push((index, UnansweredNode { node, reason })),
        }
    }
    unanswered.sort();
    answer.unanswered = unanswered.into_iter().map(|(_, unanswered)| unanswered).collect();
    answer
}

fn look_up(
    rights: Rights,
    queries: &[Query],
    surveys: &Surveys<Arc<LookupOutcome>>,
    nodes: &[Node],
) -> Vec<Vec<Arc<LookupOutcome>>> {
    let mut looked: Vec<Vec<Arc<LookupOutcome>>> = vec![Vec::new(); nodes.len()];
    let Some(environment) = nodes.first().map(Node::environment) else { return looked };
    let surveys = surveys.of(environment);
    with_sessions(nodes, |sessions| {
        let panel = Panel::new(sessions);
        for (query, survey) in queries.iter().zip(surveys.iter()) {
            let find = |session: &Session| {
                Arc::new(match session.lookup(query, None) {
                    Ok(value) => {
                        let shown = environment.shown_answer(session, query, &value);
                        let is_hidden = !rights.secrets && has_secret(&value, &shown);
                        if is_hidden { Err(secret(query)) } else { Ok((value, shown)) }
                    }
                    Err(error) if error.code == hierarch_hiera::issues::NOT_FOUND => {
                        Ok((Value::Undef, Value::Undef))
                    }
                    Err(error) => Err(Reason::of(environment, &error)),
                })
            };
            survey.ask_all(&panel, find, |number, found| looked[number].push(Arc::clone(found)));
        }
    });
    looked
}

fn secret(query: &Query) -> Reason {
    hierarch_eval::issues::refused_secret(&query.names.join(", ")).to_string().into()
}

fn shown(condition: &Condition, looked: &[Arc<LookupOutcome>]) -> Vec<(String, Value)> {
    let pair = |((key, _), looked): (&(String, String), &Arc<LookupOutcome>)| {
        let value = looked.as_ref().as_ref().map_or(Value::Undef, |(_, shown)| shown.clone());
        (key.clone(), value)
    };
    condition.keys.iter().zip(looked).map(pair).collect()
}

fn decide(
    fleet: &Fleet,
    condition: &Condition,
    node: &Node,
    looked: &[Arc<LookupOutcome>],
) -> std::result::Result<bool, Reason> {
    let rights = condition.rights;
    let mut evaluator = if rights.facts {
        node.evaluator()
    } else {
        node.environment().evaluator_for(node.name().to_owned())
    };
    if fleet.compiles {
        if rights != Rights::ALL {
            return Err(issues::condition_of_manifests().into());
        }
        let failed = |error: hierarch_source::Error| Reason::of(node.environment(), &error);
        let manifests = node.environment().manifests().map_err(failed)?;
        evaluator.compile(&manifests).map_err(|error| failed(node.shown_failure(&manifests, error)))?;
    }
    evaluator.set_guard(rights.guard());
    if let Some(stop) = fleet.nodes.stop() {
        evaluator.set_stop(stop);
    }
    evaluator.set_variable("node", node.name().into());
    for ((_, variable), looked) in condition.keys.iter().zip(looked) {
        let (value, _) = looked.as_ref().as_ref().map_err(Clone::clone)?;
        evaluator.set_variable(variable, value.clone());
    }
    match evaluator.evaluate(&condition.source) {
        Ok(Value::Boolean(holds)) => Ok(holds),
        Ok(other) => Err(issues::no_boolean(&hierarch_pcore::infer::generic(&other).to_string()).into()),
        // The expression itself is not shown: its keys stand there as variables.
        Err(error) => Err(Reason { words: error.to_string(), place: error.excerpt.clone(), is_stop: false }),
    }
}

impl Holds {
    /// Returns the answer for tools; with values, what was looked up as well.
    pub fn to_value(&self, expression: &str, has_values: bool) -> Value {
        let node = |(name, values): &(String, Vec<(String, Value)>)| {
            if !has_values {
                return Value::from(name.as_str());
            }
            let values: Hash =
                values.iter().map(|(key, value)| (Value::from(key.as_str()), value.clone())).collect();
            Value::hash(
                [("node", Value::from(name.as_str())), ("values", Value::hash(values))].into_iter().collect(),
            )
        };
        let fields = [
            ("format", Value::from("hierarch.where/1")),
            ("expression", Value::from(expression)),
            ("asked", Value::from(self.asked)),
            ("count", Value::from(self.nodes.len())),
            ("nodes", Value::array(self.nodes.iter().map(node).collect())),
            ("unanswered", Value::array(self.unanswered.iter().map(UnansweredNode::to_value).collect())),
        ];
        crate::ask::mark_incomplete(fields.into_iter().collect(), &self.unanswered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names_with_colons_are_keys_and_places_stay() {
        let condition = Condition::parse("ssh::root == true and 'x::y' != a and size(::m::list) > 1")
            .expect("an expression");
        let mut keys: Vec<&str> = condition.keys().collect();
        keys.sort_unstable();
        assert_eq!(keys, ["m::list", "ssh::root"]);
        assert_eq!(condition.source.text(), "$_1______ == true and 'x::y' != a and size($_0______) > 1");
    }

    #[test]
    fn words_and_lookups_are_known() {
        let condition =
            Condition::parse("timezone == 'x' and lookup('a') == 1 and lookup('b', Any) != size([])")
                .expect("an expression");
        assert_eq!(condition.words().collect::<Vec<_>>(), ["timezone"]);
        assert_eq!(condition.keys().collect::<Vec<_>>(), ["a"]);
        for text in ["m::port = 80", "$facts['x'] = 1"] {
            let error = Condition::parse(text).err().expect("an assignment");
            assert!(error.notes.iter().any(|note| note.text.contains("==")), "{error:?}");
        }
    }

    #[test]
    fn a_condition_does_nothing_but_ask() {
        for text in ["file('/etc/passwd') == ''", "'x'.include", "$x.generate('ls')"] {
            let error = Condition::parse(text).err().expect("refused");
            assert!(error.to_string().contains("is refused in a condition"), "{error}");
        }
        assert!(Condition::parse("a ==").is_err());
    }

    #[test]
    fn who_may_not_see_facts_is_told_so_instead_of_being_given_no_node() {
        let rights = Rights { secrets: false, facts: false };
        for text in
            ["$facts['role'] == 'web'", "!($trusted['certname'] == 'a')", "$role == 'x'", "\"${::os}\" == ''"]
        {
            let error = Condition::parse_for(text, rights).err().expect("refused");
            assert!(error.to_string().contains("needs the role 'facts'"), "{error}");
        }
        for text in ["getvar('facts.role') == 'web'", "fqdn_rand(10) == 1", "defined('$facts')"] {
            assert!(Condition::parse_for(text, rights).is_err(), "{text}");
        }
        for text in ["$node =~ /^web/ and $0 == 'web'", "a::list.any |$item| { $item == 1 }"] {
            assert!(Condition::parse_for(text, rights).is_ok(), "{text}");
        }
    }
}
