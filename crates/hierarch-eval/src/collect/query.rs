//! The query of a collector: what it asks of a resource.

use hierarch_pcore::{Str, Value};

use crate::code::{Id, Query};
use crate::compile::Compilation;
use crate::evaluator::Evaluator;
use crate::resource::ResourceId;
use crate::scope::Frame;
use crate::{Result, issues};

/// A query whose values are known.
pub(super) enum Test {
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Tagged(Vec<String>),
    Equal(Str, Value),
    NotEqual(Str, Value),
}

impl Evaluator<'_> {
    pub(super) fn test(&mut self, frame: &Frame, query: &Query) -> Result<Test> {
        Ok(match query {
            Query::And(left, right) => {
                Test::And(Box::new(self.test(frame, left)?), Box::new(self.test(frame, right)?))
            }
            Query::Or(left, right) => {
                Test::Or(Box::new(self.test(frame, left)?), Box::new(self.test(frame, right)?))
            }
            Query::Equal(left, right) => {
                let (name, value) = self.query_operands(frame, *left, *right)?;
                if name == "tag" { Test::Tagged(tags(&value)?) } else { Test::Equal(name, value) }
            }
            Query::NotEqual(left, right) => {
                let (name, value) = self.query_operands(frame, *left, *right)?;
                Test::NotEqual(name, value)
            }
            Query::Foreign(class) => return Err(issues::foreign_to_queries(class).into()),
            Query::Other => return Err(issues::no_query().into()),
        })
    }

    fn query_operands(&mut self, frame: &Frame, left: Id, right: Id) -> Result<(Str, Value)> {
        let name = self.eval(frame, left)?;
        let value = self.eval(frame, right)?;
        Ok((name.to_string().into(), value))
    }
}

impl Compilation {
    pub(super) fn passes(&self, id: ResourceId, test: &Test) -> bool {
        match test {
            Test::And(left, right) => self.passes(id, left) && self.passes(id, right),
            Test::Or(left, right) => self.passes(id, left) || self.passes(id, right),
            Test::Tagged(words) => {
                let tags: Vec<u32> = words.iter().filter_map(|word| self.tag_names.find(word)).collect();
                !tags.is_empty() && self.is_tagged(id, &tags)
            }
            Test::Equal(name, value) => match self.asked(id, name) {
                Value::Array(elements) => elements.iter().any(|element| element.equals(value)),
                other => other.equals(value),
            },
            Test::NotEqual(name, value) => !self.asked(id, name).equals(value),
        }
    }

    /// Returns the title or the value of an attribute.
    pub(super) fn asked(&self, id: ResourceId, name: &str) -> Value {
        let resource = self.resource(id);
        if name == "title" {
            return resource.title.clone().into();
        }
        resource.value(name).cloned().unwrap_or_default()
    }
}

fn tags(value: &Value) -> Result<Vec<String>> {
    let values = match value {
        Value::Array(elements) => elements.to_vec(),
        other => vec![other.clone()],
    };
    let mut words = Vec::with_capacity(values.len());
    for value in values {
        if matches!(value, Value::Integer(_) | Value::Float(_)) {
            return Err(issues::number_as_tag().into());
        }
        words.push(value.to_string().to_lowercase());
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_catalogs;

    /// Manifests, and the resources of their catalogs in order.
    const QUERIES_FIND_BY_ATTRIBUTES_TITLES_AND_TAGS: &[(&str, &str)] = &[
        ("@notify { ['a', 'b']: } Notify<| title == 'a' |>", "Notify[a]"),
        ("@notify { ['a', 'b']: } Notify<| title != 'a' |>", "Notify[b]"),
        (
            "@notify { 'a': message => 'x' } @notify { 'b': message => 'y' } Notify<| message == 'x' |>",
            r#"Notify[a] message="x""#,
        ),
        ("@notify { 'a': message => 'x' } @notify { 'b': } Notify<| message != 'x' |>", "Notify[b]"),
        ("@notify { 'a': tag => 't' } @notify { 'b': } Notify<| tag == 't' |>", r#"Notify[a] tag="t""#),
        (
            "@notify { 'a': tag => ['t', 'u'] } Notify<| tag == 'u' and tag == 't' |>",
            r#"Notify[a] tag=["t","u"]"#,
        ),
        (
            "class q { @notify { 'a': } @notify { 'b': } } class { 'q': } Notify<| tag == 'q' |>",
            "Class[Q]; Notify[a]; Notify[b]",
        ),
        (
            "@notify { 'a': message => 'x' } @notify { 'b': withpath => true } Notify<| message == 'x' or withpath == true |>",
            r#"Notify[a] message="x"; Notify[b] withpath=true"#,
        ),
        (
            "@notify { 'a': message => 'x', withpath => true } @notify { 'b': message => 'x' } Notify<| message == 'x' and withpath == true |>",
            r#"Notify[a] message="x" withpath=true"#,
        ),
        (
            "@notify { 'a': message => ['x', 'y'] } Notify<| message == 'y' |>",
            r#"Notify[a] message=["x","y"]"#,
        ),
        (
            "@notify { 'a': } @notify { 'b': } Notify<| (title == 'a') or (title == 'b') |>",
            "Notify[a]; Notify[b]",
        ),
        ("@notify { 'a': } Notify<| title == 'A' |>", "Notify[a]"),
        ("$t = 'a' @notify { 'a': } Notify<| title == $t |>", "Notify[a]"),
        ("@notify { 'a': } @file { '/f': } Notify<| |>", "Notify[a]"),
        ("@notify { 'a': } Notify<| title == 'a' |> Notify<| title == 'a' |>", "Notify[a]"),
        (r#"define x() { @notify { "${title}-v": } } x { 't': } Notify<| |>"#, "X[t]; Notify[t-v]"),
        (r#"@x { 't': } define x() { notify { "${title}-n": } } X<| |>"#, "X[t]; Notify[t-n]"),
        ("@notify { 'a': } Notify<| |> { message => 'm' }", r#"Notify[a] message="m""#),
        ("@notify { 'a': message => 'x' } Notify<| |> { message => 'm' }", r#"Notify[a] message="m""#),
        (
            "@notify { 'a': } notify { 'b': } Notify<| |> { tag => 'all' }",
            r#"Notify[a] tag="all"; Notify[b] tag="all""#,
        ),
        ("@notify { 'a': message => 1 } Notify<| message == 1 |>", "Notify[a] message=1"),
        ("@notify { 'a': message => 1 } Notify<| message == '1' |>", ""),
        ("@notify { 'a': message => true } Notify<| message == true |>", "Notify[a] message=true"),
    ];

    #[test]
    fn queries_find_by_attributes_titles_and_tags() {
        check_catalogs(QUERIES_FIND_BY_ATTRIBUTES_TITLES_AND_TAGS);
    }
}
