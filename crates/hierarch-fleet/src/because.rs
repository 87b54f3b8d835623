//! Why some nodes differ from others: the smallest set of variables, one or two of those that lookups read, whose values
//! hold for all nodes of a group and for no other node. Exact, or absent.

use std::collections::HashSet;

use hierarch_hiera::Session;
use hierarch_pcore::Value;

/// Variables and the values that make the difference.
pub type Because = Vec<(String, Value)>;

/// The values that variables have on each node.
#[derive(Default)]
pub(crate) struct Variables {
    names: Vec<String>,
    /// By node, then by variable; a node that was not asked has none.
    rows: Vec<Option<Vec<Option<Value>>>>,
}

impl Variables {
    /// Makes a table for a number of nodes.
    pub(crate) fn new(names: Vec<String>, nodes: usize) -> Self {
        Self { names, rows: (0..nodes).map(|_| None).collect() }
    }

    /// Reads the variables of a node.
    pub(crate) fn read(names: &[String], session: &Session) -> Vec<Option<Value>> {
        names.iter().map(|name| session.variable_value(name)).collect()
    }

    /// Enters what was read of a node.
    pub(crate) fn put(&mut self, node: usize, values: Vec<Option<Value>>) {
        if let Some(row) = self.rows.get_mut(node) {
            *row = Some(values);
        }
    }

    /// Finds out what distinguishes some nodes from all others. `nodes` are numbers, in order.
    pub(crate) fn because(&self, nodes: &[usize]) -> Option<Because> {
        self.because_of(nodes, &self.names)
    }

    /// Finds it out among some variables, in their order.
    pub(crate) fn because_of(&self, nodes: &[usize], reads: &[String]) -> Option<Because> {
        let asked = self.rows.iter().flatten().count();
        if nodes.len() >= asked || nodes.is_empty() {
            return None;
        }
        let numbers = reads.iter().filter_map(|name| self.names.iter().position(|known| known == name));
        let uniform: Vec<(usize, &Value)> =
            numbers.filter_map(|number| Some((number, self.shared(number, nodes)?))).collect();
        let named = |number: usize, value: &Value| (self.names[number].clone(), value.clone());
        let single = uniform.iter().find(|(number, value)| self.count(&[(*number, value)]) == nodes.len());
        if let Some((number, value)) = single {
            return Some(vec![named(*number, value)]);
        }
        for (index, first) in uniform.iter().enumerate() {
            for second in &uniform[index + 1..] {
                if self.count(&[*first, *second]) == nodes.len() {
                    return Some(vec![named(first.0, first.1), named(second.0, second.1)]);
                }
            }
        }
        None
    }

    fn value(&self, node: usize, number: usize) -> Option<&Value> {
        self.rows.get(node)?.as_ref()?.get(number)?.as_ref()
    }

    /// Returns the value that a variable has on all of some nodes.
    fn shared(&self, number: usize, nodes: &[usize]) -> Option<&Value> {
        let first = self.value(*nodes.first()?, number)?;
        nodes.iter().all(|node| self.value(*node, number) == Some(first)).then_some(first)
    }

    /// Counts the nodes on which variables have these values.
    fn count(&self, wanted: &[(usize, &Value)]) -> usize {
        let holds =
            |node: &usize| wanted.iter().all(|(number, value)| self.value(*node, *number) == Some(value));
        (0..self.rows.len()).filter(holds).count()
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
