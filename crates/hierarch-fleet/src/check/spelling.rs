//! Plain scalars that surprise: `yes`, `0644`, `1_000`, `12:30` or `~` where a parameter wants a text.

use std::collections::BTreeMap;

use hierarch_pcore::{Type, Value};
use hierarch_yaml::{Kind, NodeId, Scalar, Style, Tree};

use super::Finding;
use super::files::{place, tree};
use crate::ground::Ground;
use crate::issues;

/// Checks the values of class parameters that are no texts where texts would fit.
pub(super) fn findings(ground: &Ground, types: &BTreeMap<String, Type>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &ground.files {
        let misfits = |(key, value): (&str, &Value)| {
            Some((key.to_owned(), types.get(key).filter(|wanted| !wanted.has(value))?))
        };
        let suspects: Vec<(String, &Type)> = file.entries().filter_map(misfits).collect();
        if suspects.is_empty() {
            continue;
        }
        let Some(tree) = tree(ground, file.path()) else { continue };
        for (key, wanted) in suspects {
            let found = tree.root().and_then(|root| tree.get(root, &key));
            if let Some(node) = found.filter(|node| wanted.has(&quoted(&tree, *node, DEEPEST))) {
                let mut odd = Vec::new();
                surprises(&tree, node, DEEPEST, &mut odd);
                findings.extend(odd.into_iter().map(|odd| of_scalar(&tree, odd, file.path(), &key)));
            }
        }
    }
    findings
}

/// Values deeper than this are not looked at.
const DEEPEST: usize = 50;

fn of_scalar(tree: &Tree, node: NodeId, file: &str, key: &str) -> Finding {
    let means = tree.scalar(node).map_or_else(|_| String::new(), |scalar| meaning(&scalar));
    Finding::warning(file, place(tree, node), "HC209", issues::surprising(key, tree.text(node), &means))
}

fn meaning(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Null => "nothing".to_owned(),
        Scalar::Bool(truth) => format!("the boolean {truth}"),
        Scalar::Int(number) => format!("the number {number}"),
        Scalar::Float(number) => format!("the number {number}"),
        _ => "no text".to_owned(),
    }
}

/// Returns a value as it would be with all its surprising scalars in quotes.
fn quoted(tree: &Tree, node: NodeId, depth: usize) -> Value {
    let node = tree.target(node);
    match tree.kind(node) {
        Kind::Map if depth > 0 => {
            let entry = |(key, value): (NodeId, NodeId)| {
                (Value::from(tree.text(key)), quoted(tree, value, depth - 1))
            };
            Value::hash(tree.entries(node).map(entry).collect())
        }
        Kind::List if depth > 0 => {
            Value::array(tree.children(node).iter().map(|item| quoted(tree, *item, depth - 1)).collect())
        }
        Kind::Scalar if !is_surprising(tree, node) => match tree.scalar(node) {
            Ok(Scalar::Null) => Value::Undef,
            Ok(Scalar::Bool(truth)) => Value::Boolean(truth),
            Ok(Scalar::Int(number)) => Value::Integer(number),
            Ok(Scalar::Float(number)) => Value::Float(number),
            _ => Value::from(tree.text(node)),
        },
        Kind::Scalar => Value::from(tree.text(node)),
        _ => Value::Undef,
    }
}

fn surprises(tree: &Tree, node: NodeId, depth: usize, found: &mut Vec<NodeId>) {
    let node = tree.target(node);
    match tree.kind(node) {
        Kind::Map | Kind::List if depth > 0 => {
            tree.children(node).iter().for_each(|child| surprises(tree, *child, depth - 1, found));
        }
        Kind::Scalar if is_surprising(tree, node) => found.push(node),
        _ => {}
    }
}

/// Tells whether a plain scalar means something else than it looks like.
fn is_surprising(tree: &Tree, node: NodeId) -> bool {
    if tree.style(node) != Style::Plain || tree.tag(node).is_some() {
        return false;
    }
    let text = tree.text(node);
    match tree.scalar(node) {
        Ok(Scalar::Null) => true,
        Ok(Scalar::Bool(truth)) => !text.eq_ignore_ascii_case(if truth { "true" } else { "false" }),
        Ok(Scalar::Int(number)) => number.to_string() != text,
        Ok(Scalar::Float(_)) => text.contains(['_', ':']),
        _ => false,
    }
}
