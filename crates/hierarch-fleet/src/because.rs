//! Why some nodes differ from others: the smallest set of variables, one or two of those that lookups read, whose values
//! hold for all nodes of a group and for no other node. Exact, or absent.

use std::collections::{HashMap, HashSet};

use hierarch_hiera::Session;
use hierarch_pcore::Value;

/// Variables and the values that make the difference.
pub type Because = Vec<(String, Value)>;

/// The values that variables have on each node.
#[derive(Default)]
pub(crate) struct Variables {
    names: Vec<String>,
    columns: Vec<Column>,
    /// The nodes that were asked.
    asked: Vec<bool>,
}

/// The values of one variable, each known by a number.
#[derive(Default)]
struct Column {
    /// By node; 0 where it has none, or was not asked.
    codes: Vec<u32>,
    values: Vec<Value>,
    known: HashMap<Value, u32>,
    /// On how many nodes it has each value.
    counts: Vec<usize>,
}

/// A variable and one of its values, by their numbers.
type Condition = (usize, u32);

impl Variables {
    /// Makes a table for a number of nodes.
    pub(crate) fn new(names: Vec<String>, nodes: usize) -> Self {
        let column = |_: &String| Column { codes: vec![0; nodes], ..Column::default() };
        Self { columns: names.iter().map(column).collect(), names, asked: vec![false; nodes] }
    }

    /// Reads the variables of a node.
    pub(crate) fn read(names: &[String], session: &Session) -> Vec<Option<Value>> {
        names.iter().map(|name| session.variable_value(name)).collect()
    }

    /// Enters what was read of a node, once.
    pub(crate) fn put(&mut self, node: usize, values: Vec<Option<Value>>) {
        let Some(asked @ false) = self.asked.get_mut(node) else { return };
        *asked = true;
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.codes[node] = value.map_or(0, |value| column.code(value));
        }
    }

    /// Finds out what distinguishes some nodes from all others. `nodes` are numbers, in order.
    pub(crate) fn because(&self, nodes: &[usize]) -> Option<Because> {
        self.because_of(nodes, &self.names)
    }

    /// Finds it out among some variables, in their order.
    pub(crate) fn because_of(&self, nodes: &[usize], reads: &[String]) -> Option<Because> {
        let asked = self.asked.iter().filter(|is_asked| **is_asked).count();
        if nodes.len() >= asked || nodes.is_empty() {
            return None;
        }
        let numbers = reads.iter().filter_map(|name| self.names.iter().position(|known| known == name));
        let uniform: Vec<Condition> =
            numbers.filter_map(|number| Some((number, self.shared(number, nodes)?))).collect();
        let single = uniform.iter().find(|condition| self.count_of(**condition) == nodes.len());
        if let Some(condition) = single {
            return Some(vec![self.named(*condition)]);
        }
        for (index, first) in uniform.iter().enumerate() {
            for second in &uniform[index + 1..] {
                if self.count_of_both(*first, *second) == nodes.len() {
                    return Some(vec![self.named(*first), self.named(*second)]);
                }
            }
        }
        None
    }

    fn named(&self, (number, code): Condition) -> (String, Value) {
        (self.names[number].clone(), self.columns[number].values[code as usize - 1].clone())
    }

    /// Returns the value that a variable has on all of some nodes.
    fn shared(&self, number: usize, nodes: &[usize]) -> Option<u32> {
        let code_of = |node: &usize| self.columns[number].codes.get(*node).copied().unwrap_or_default();
        let first = code_of(nodes.first()?);
        (first > 0 && nodes.iter().all(|node| code_of(node) == first)).then_some(first)
    }

    /// Counts the nodes on which a variable has a value.
    fn count_of(&self, (number, code): Condition) -> usize {
        self.columns[number].counts[code as usize - 1]
    }

    /// Counts the nodes on which two variables have these values.
    fn count_of_both(&self, first: Condition, second: Condition) -> usize {
        let both = self.columns[first.0].codes.iter().zip(&self.columns[second.0].codes);
        both.filter(|(a, b)| **a == first.1 && **b == second.1).count()
    }
}

impl Column {
    /// Returns the number of a value, which one more node has.
    fn code(&mut self, value: Value) -> u32 {
        let next = u32::try_from(self.values.len() + 1).unwrap_or(u32::MAX);
        let code = *self.known.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            self.counts.push(0);
            next
        });
        self.counts[code as usize - 1] += 1;
        code
    }
}

/// Puts names in the order they first came.
pub(crate) fn in_order(lists: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for name in lists.into_iter().flatten() {
        if seen.insert(name.clone()) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows are nodes, columns the variables a, b, c.
    fn check(rows: &[&str], group: &[usize], expected: Option<&str>) {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut variables = Variables::new(names, rows.len());
        for (node, row) in rows.iter().enumerate() {
            let value = |c: char| (c != '-').then(|| Value::from(c.to_string()));
            variables.put(node, row.chars().map(value).collect());
        }
        let found = variables.because(group).map(|because| {
            because.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn one_variable_is_enough_where_it_says_it_all() {
        check(&["1xp", "2xp", "3yp", "4yp"], &[0, 1], Some("b=x"));
        check(&["1xp", "2xp", "3yp", "4yp"], &[2], Some("a=3"));
    }

    #[test]
    fn two_variables_are_taken_where_one_is_not_enough() {
        check(&["wxp", "wyp", "vxp", "vyp"], &[0], Some("a=w b=x"));
    }

    #[test]
    fn nothing_is_said_that_is_not_exact() {
        check(&["1xp", "2xp", "3yq", "4xp"], &[0, 1], None);
        check(&["1xp", "2xp"], &[0, 1], None);
        check(&["-xp", "-yp", "1yp"], &[0, 1], None);
    }
}
