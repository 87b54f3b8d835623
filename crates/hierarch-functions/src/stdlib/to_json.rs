//! `stdlib::to_json` and `stdlib::to_json_pretty`: data in JSON.

use crate::prelude::*;

/// The function `stdlib::to_json`.
pub(super) static TO_JSON: Function = Function {
    name: "stdlib::to_json",
    doc: "Returns data as JSON on one line.",
    dispatches: &[on(&["Any data"], to_json)],
    examples: &[
        Gives("stdlib::to_json({a => [1, undef]})", "'{\"a\":[1,null]}'"),
        Fails("stdlib::to_json()", "'stdlib::to_json' expects 1 argument, got none"),
    ],
};

/// The function `stdlib::to_json_pretty`.
pub(super) static TO_JSON_PRETTY: Function = Function {
    name: "stdlib::to_json_pretty",
    doc: "Returns an Array or Hash as JSON over several lines. The second argument leaves out what is `undef` at the top; the third chooses how lines are indented and broken.",
    dispatches: &[on(
        &[
            "Variant[Hash, Array] data",
            "?Optional[Boolean] skip_undef",
            "?Struct[{indent => Optional[String], space => Optional[String], space_before => Optional[String], object_nl => Optional[String], array_nl => Optional[String], allow_nan => Optional[Boolean], max_nesting => Optional[Integer[-1, default]]}] opts",
        ],
        to_json_pretty,
    )],
    examples: &[
        Gives("stdlib::to_json_pretty([1])", "\"[\\n  1\\n]\\n\""),
        Gives("stdlib::to_json_pretty({a => undef, b => 1}, true)", "\"{\\n  \\\"b\\\": 1\\n}\\n\""),
        Gives(
            "stdlib::to_json_pretty({a => 1}, false, {indent => '', object_nl => '', space => ''})",
            "\"{\\\"a\\\":1}\\n\"",
        ),
        Fails(
            "stdlib::to_json_pretty(1)",
            "parameter 'data' expects a value of type Hash or Array, got Integer",
        ),
    ],
};

fn to_json(call: &mut Call) -> Result<Value> {
    Ok(plain(call.value(0)).to_json().into())
}

/// Returns a value with patterns as the texts that Ruby makes of them.
fn plain(value: &Value) -> Value {
    match value {
        Value::Regexp(_) => ruby_text(value).into(),
        Value::Array(elements) => Value::array(elements.iter().map(plain).collect()),
        Value::Hash(hash) => {
            hash.iter().map(|(key, value)| (key.clone(), plain(value))).collect::<Hash>().into()
        }
        other => other.clone(),
    }
}

fn to_json_pretty(call: &mut Call) -> Result<Value> {
    let data = if call.is_true(1) { compact(call.value(0)) } else { call.value(0).clone() };
    let mut printer = Printer { form: Form::of(call.hash(2)), out: String::new() };
    printer.write(&data, 0)?;
    printer.out.push('\n');
    Ok(printer.out.into())
}

/// Leaves out what is `undef`, at the top only.
fn compact(data: &Value) -> Value {
    match data {
        Value::Array(elements) => {
            Value::array(elements.iter().filter(|element| !element.is_undef()).cloned().collect())
        }
        Value::Hash(hash) => {
            let kept = hash.iter().filter(|(_, value)| !value.is_undef());
            kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Hash>().into()
        }
        other => other.clone(),
    }
}

/// How JSON is laid out.
struct Form {
    indent: String,
    space: String,
    space_before: String,
    object_nl: String,
    array_nl: String,
    /// Zero: any depth.
    deepest: i64,
}

impl Form {
    fn of(options: &Hash) -> Self {
        let text = |name: &str, usual: &str| match options.get_str(name) {
            Some(Value::String(text)) => text.to_string(),
            _ => usual.to_owned(),
        };
        Self {
            indent: text("indent", "  "),
            space: text("space", " "),
            space_before: text("space_before", ""),
            object_nl: text("object_nl", "\n"),
            array_nl: text("array_nl", "\n"),
            deepest: match options.get_str("max_nesting") {
                Some(Value::Integer(deepest)) => (*deepest).max(0),
                _ => 100,
            },
        }
    }
}

struct Printer {
    form: Form,
    out: String,
}

impl Printer {
    fn write(&mut self, value: &Value, depth: usize) -> Result<()> {
        match value {
            Value::Array(elements) => {
                self.open('[', depth)?;
                let line = self.form.array_nl.clone();
                // An empty array has its line break twice.
                self.out.push_str(&line);
                for (index, element) in elements.iter().enumerate() {
                    self.begin_item(index, if index > 0 { &line } else { "" }, depth);
                    self.write(element, depth + 1)?;
                }
                self.close(']', &line, depth);
            }
            Value::Hash(hash) => {
                self.open('{', depth)?;
                let line = self.form.object_nl.clone();
                for (index, (key, value)) in hash.iter().enumerate() {
                    self.begin_item(index, &line, depth);
                    self.out.push_str(&Value::from(ruby_text(key)).to_json());
                    self.out.extend([&*self.form.space_before, ":", &*self.form.space]);
                    self.write(value, depth + 1)?;
                }
                self.close('}', &line, depth);
            }
            other => self.out.push_str(&plain(other).to_json()),
        }
        Ok(())
    }

    fn open(&mut self, bracket: char, depth: usize) -> Result<()> {
        if self.form.deepest > 0 && depth as i64 >= self.form.deepest {
            return Err(issues::argument(format!("nesting of {depth} is too deep")).into());
        }
        self.out.push(bracket);
        Ok(())
    }

    fn begin_item(&mut self, index: usize, line: &str, depth: usize) {
        if index > 0 {
            self.out.push(',');
        }
        self.out.push_str(line);
        self.out.push_str(&self.form.indent.repeat(depth + 1));
    }

    fn close(&mut self, bracket: char, line: &str, depth: usize) {
        self.out.push_str(line);
        self.out.push_str(&self.form.indent.repeat(depth));
        self.out.push(bracket);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn values_as_json() {
        check_calls(&[
            (r#"to_json({a => [1, undef, 'x"y']})"#, r#"'{"a":[1,null,"x\"y"]}'"#),
            ("to_json('é')", r#"'"é"'"#),
            ("to_json(1.0)", "'1.0'"),
            ("to_json_pretty({a => [1], b => {}})", r#""{\n  \"a\": [\n    1\n  ],\n  \"b\": {\n  }\n}\n""#),
            ("to_json_pretty({a => undef}, true)", r#""{\n}\n""#),
            (
                "to_json_pretty({a => undef, b => {c => undef}}, true)",
                r#""{\n  \"b\": {\n    \"c\": null\n  }\n}\n""#,
            ),
            ("to_json_pretty({a => 1}, false, {indent => '    '})", r#""{\n    \"a\": 1\n}\n""#),
            (
                "to_json_pretty(1)",
                "Evaluation Error: Error while evaluating a Function Call, 'stdlib::to_json_pretty' parameter 'data' expects a value of type Hash or Array, got Integer (line: 1, column: 1)",
            ),
            ("to_yaml({a => [1, {b => 'x: y'}]})", r#""---\na:\n- 1\n- b: 'x: y'\n""#),
            ("to_yaml('a')", r#""--- a\n""#),
            ("to_yaml({a => 1}, {indentation => 4})", r#""---\na: 1\n""#),
            ("stdlib::to_toml({a => 1, b => {c => [1, 2]}})", r#""a = 1\n[b]\nc = [1, 2]\n""#),
            (
                r#"stdlib::to_toml({a => 'x"y', b => true, c => 1.5})"#,
                r#""a = \"x\\\"y\"\nb = true\nc = 1.5\n""#,
            ),
            ("stdlib::to_toml({a => [{b => 1}]})", r#""[[a]]\nb = 1\n""#),
            (
                "stdlib::to_toml(1)",
                "Evaluation Error: Error while evaluating a Function Call, 'stdlib::to_toml' parameter 'data' expects a Hash value, got Integer (line: 1, column: 1)",
            ),
            ("stdlib::to_python({a => [true, undef]})", r#"'{"a": [True, None]}'"#),
            ("stdlib::to_ruby({a => [true, undef, 'x']})", r#"'{"a" => [true, nil, "x"]}'"#),
        ]);
    }
}
