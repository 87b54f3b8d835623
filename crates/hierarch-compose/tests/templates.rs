//! What templates calculate and how they fail, beyond what is recorded.

use hierarch_compose::expr::{Context, Expressions};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Error, Result};

fn rendered(template: &str) -> Result<String> {
    let variables: Hash = [("name", Value::from("web")), ("zero", Value::from(0))].into_iter().collect();
    let context = Context { variables, ..Context::default() };
    Ok(Expressions::new(Hash::new())?.render(template, &context)?.to_string())
}

fn failure(template: &str) -> Error {
    rendered(template).expect_err(template)
}

#[test]
fn operators_calculate_as_pythons_do() {
    for (expression, wanted) in [
        ("'%s-%05.1f' % (name, 2.25)", "web-002.2"),
        ("'%(a)s' % {'a': 5}", "5"),
        ("7 % 3", "1"),
        ("(0 - 7) % 3", "2"),
        ("name | length % 2", "1"),
        ("(zero + 7) % (0 - 3)", "-2"),
        ("(zero + 7.5) % 2", "1.5"),
        ("name * 2 ~ 2 * name", "webwebwebweb"),
        ("name * (0 - 2)", ""),
        ("[zero] * 2 + [1]", "[0, 0, 1]"),
        ("[] * 9999999999", "[]"),
        ("(zero,) + (1,)", "(0, 1)"),
        ("(zero, 1) * 2", "(0, 1, 0, 1)"),
        ("true + true", "2"),
        ("(zero + 1.5) * 2", "3.0"),
        ("name + name", "webweb"),
        ("[zero, 1, 2][1:]", "[1, 2]"),
        ("name[::-1]", "bew"),
    ] {
        assert_eq!(rendered(&format!("{{{{ {expression} }}}}")).expect(expression), wanted, "{expression}");
    }
}

#[test]
fn what_can_not_be_calculated_is_an_error() {
    for (expression, wanted) in [
        ("name + 1", "can only concatenate str (not \"int\") to str"),
        ("[1] + (2,)", "can only concatenate list (not \"tuple\") to list"),
        ("name * name", "can't multiply sequence by non-int of type 'str'"),
        ("zero % zero", "by zero"),
        ("{} * zero", "unsupported operand type(s) for *: 'dict' and 'int'"),
        ("'%d' % name", "decimal"),
    ] {
        let error = failure(&format!("{{{{ {expression} }}}}"));
        assert!(error.message.contains(wanted), "{expression}: {error}");
    }
}

#[test]
fn what_is_not_defined_is_named_and_pointed_at() {
    for (template, wanted, column) in [
        ("{{ gone }}", "missing variable: \"gone\"", 4),
        ("{{ name ~ gone }}", "missing variable: \"gone\"", 11),
        ("{{ 1 < gone }}", "missing variable: \"gone\"", 8),
        ("{{ gone.key }}", "missing variable: \"gone\"", 4),
        ("{{ name.key + 1 }}", "missing attribute or key: \"key\"", 4),
        ("{% for x in gone %}{% endfor %}", "missing variable: \"gone\"", 13),
    ] {
        let error = failure(template);
        assert!(error.message.contains(wanted), "{template}: {error}");
        let position = error.place.as_ref().map(hierarch_source::Place::position);
        assert_eq!(position, Some((1, Some(column))), "{template}");
    }
}

#[test]
fn a_name_like_the_misspelt_one_is_offered() {
    for (template, wanted) in
        [("{{ nam }}", "name"), ("{{ name | uper }}", "upper"), ("{{ name is strng }}", "string")]
    {
        let error = failure(template);
        let hint = format!("did you mean {wanted}?");
        assert!(error.notes.iter().any(|note| note.text == hint), "{template}: {:?}", error.notes);
    }
}

#[test]
fn lists_and_maps_change_in_place() {
    for (template, wanted) in [
        ("{% set l = [] %}{% for i in range(3) %}{% set _ = l.append(i) %}{% endfor %}{{ l }}", "[0, 1, 2]"),
        (
            "{% set l = [3, 1] %}{% set _ = l.sort() %}{% set _ = l.extend((9,)) %}{{ l }} {{ l.pop(0) }}",
            "[1, 3, 9] 1",
        ),
        ("{% set a = [] %}{% set b = [a] %}{% set _ = a.append(1) %}{{ b }}", "[[1]]"),
        ("{% set d = {} %}{% set _ = d.update(a=1) %}{{ d.setdefault('b', 2) }}{{ d }}", "2{'a': 1, 'b': 2}"),
    ] {
        assert_eq!(rendered(template).expect(template), wanted, "{template}");
    }
    for template in [
        "{% set l = [] %}{% set _ = l.append(l) %}",
        "{% set l = [] %}{% set m = {'a': [l]} %}{% set _ = l.append(m) %}",
        "{% set d = {} %}{% set _ = d.update(a=[d]) %}",
    ] {
        assert!(failure(template).message.contains("could hold itself"), "{template}");
    }
}

#[test]
fn what_is_captured_does_not_decide_what_a_template_stands_for() {
    let expressions = Expressions::new(Hash::new()).expect("good");
    let template = "{% macro m() %}text{% endmacro %}{% set x = m() %}{{ [1] }}";
    let value = expressions.render_value(template, &Context::default()).expect(template);
    assert_eq!(value, Value::array(vec![1.into()]));
}

#[test]
fn a_template_may_end_with_its_first_line() {
    for template in ["#jinja2:", "#jinja2: trim_blocks: True"] {
        assert_eq!(rendered(template).expect(template), "");
    }
    assert!(failure("#jinja2: nothing").message.contains("without a value"));
}
