//! Jinja2's own tests.

use super::super::call::{BoundArguments, Function, function, int};
use super::super::fault::Checked;
use super::super::issues;
use super::super::library;
use super::super::renderer::Renderer;
use super::super::show::type_name;
use super::super::tree::{Binary, Comparison};
use super::super::value::{Flavor, Val};

/// Makes an entry for a test that looks at what a value is.
macro_rules! is {
    ($name:literal, $pattern:pat) => {
        function($name, &["value"], |_, given| Ok(Val::Bool(matches!(given.value(0), $pattern))))
            .with_undefined()
    };
}

/// Makes an entry for a test that compares two values.
macro_rules! compares {
    ($name:literal, $operator:expr) => {
        function($name, &["value", "other"], |renderer, given| {
            renderer.compared($operator, given.value(0), given.value(1)).map(Val::Bool)
        })
        .with_undefined()
    };
}

pub(super) static TESTS: &[Function] = &[
    function("defined", &["value"], |_, given| Ok(Val::Bool(!given.value(0).is_undefined())))
        .with_undefined(),
    is!("undefined", Val::Undefined(_)),
    is!("none", Val::None),
    is!("boolean", Val::Bool(_)),
    is!("true", Val::Bool(true)),
    is!("false", Val::Bool(false)),
    is!("integer", Val::Int(_)),
    is!("float", Val::Float(_)),
    is!("number", Val::Int(_) | Val::Float(_) | Val::Bool(_)),
    is!("string", Val::Text(_)),
    function("mapping", &["value"], |_, given| Ok(Val::Bool(is_mapping(given.value(0))))).with_undefined(),
    function("sequence", &["value"], |_, given| {
        Ok(Val::Bool(match given.value(0) {
            Val::Text(_) | Val::List(_) | Val::Tuple(_) | Val::Dict(_) | Val::Branch(_) => true,
            Val::Rolled(rolled) => matches!(&**rolled, super::super::value::LazyItems::Range { .. }),
            Val::Object(object) => object.sequence().is_some(),
            _ => false,
        }))
    })
    .with_undefined(),
    function("iterable", &["value"], |_, given| {
        Ok(Val::Bool(match given.value(0) {
            Val::Undefined(missing) => return Err(missing.fault()),
            Val::Object(object) => object.sequence().is_some(),
            Val::None | Val::Bool(_) | Val::Int(_) | Val::Float(_) => false,
            _ => true,
        }))
    })
    .with_undefined(),
    function("callable", &["value"], |_, given| {
        Ok(Val::Bool(match given.value(0) {
            Val::Object(object) => object.is_callable(),
            Val::Undefined(_) => true,
            _ => false,
        }))
    })
    .with_undefined(),
    function("sameas", &["value", "other"], |_, given| Ok(Val::Bool(given.value(0).is_same(given.value(1)))))
        .with_undefined(),
    function("escaped", &["value"], |_, given| {
        Ok(Val::Bool(match given.value(0) {
            Val::Text(text) => text.flavor == Flavor::Markup,
            Val::Undefined(_) => true,
            _ => false,
        }))
    })
    .with_undefined(),
    function("odd", &["value"], |_, given| parity(given, 1)),
    function("even", &["value"], |_, given| parity(given, 0)),
    function("divisibleby", &["value", "num"], |renderer, given| {
        if let (Val::Float(_), _) | (_, Val::Float(_)) = (given.value(0), given.value(1)) {
            let rest = renderer.binary(Binary::Modulo, given.value(0), given.value(1))?;
            return renderer.truth(&rest).map(|is_rest| Val::Bool(!is_rest));
        }
        let (value, by) = (int(given.value(0))?, int(given.value(1))?);
        if by == 0 {
            return Err(issues::division_by_zero("integer division or modulo by zero"));
        }
        Ok(Val::Bool(value % by == 0))
    }),
    function("lower", &["value"], |renderer, given| cased(renderer, given, char::is_uppercase)),
    function("upper", &["value"], |renderer, given| cased(renderer, given, char::is_lowercase)),
    function("in", &["value", "seq"], |renderer, given| {
        renderer.contains(given.value(1), given.value(0)).map(Val::Bool)
    }),
    function("filter", &["value"], |_, given| {
        let name = given.text_for(0, "key")?;
        library::filter(&name).map(|_| Val::Bool(true)).ok_or_else(|| issues::no_such_filter(&name))
    }),
    function("test", &["value"], |_, given| {
        let name = given.text_for(0, "key")?;
        library::test(&name).map(|_| Val::Bool(true)).ok_or_else(|| issues::no_such_test(&name))
    }),
    compares!("==", Comparison::Equal),
    compares!("eq", Comparison::Equal),
    compares!("equalto", Comparison::Equal),
    compares!("!=", Comparison::Unequal),
    compares!("ne", Comparison::Unequal),
    compares!("<", Comparison::Less),
    compares!("lt", Comparison::Less),
    compares!("lessthan", Comparison::Less),
    compares!("<=", Comparison::LessOrEqual),
    compares!("le", Comparison::LessOrEqual),
    compares!(">", Comparison::Greater),
    compares!("gt", Comparison::Greater),
    compares!("greaterthan", Comparison::Greater),
    compares!(">=", Comparison::GreaterOrEqual),
    compares!("ge", Comparison::GreaterOrEqual),
];

pub(super) fn is_mapping(value: &Val) -> bool {
    match value {
        Val::Dict(_) => true,
        Val::Branch(node) => !node.is_list(),
        _ => false,
    }
}

fn parity(given: &BoundArguments, wanted: i128) -> Checked<Val> {
    match given.value(0) {
        #[expect(clippy::float_cmp, reason = "exactly that rest is meant")]
        Val::Float(number) => Ok(Val::Bool(number.rem_euclid(2.0) == wanted as f64)),
        Val::Text(_) => Err(issues::not_all_converted()),
        Val::Int(_) | Val::Bool(_) => Ok(Val::Bool(int(given.value(0))?.rem_euclid(2) == wanted)),
        other => Err(issues::bad_operands("%", type_name(other), "int")),
    }
}

/// Tells whether a text has letters with a case, and none of the other case.
fn cased(renderer: &mut Renderer, given: &BoundArguments, other: fn(char) -> bool) -> Checked<Val> {
    let text = given.text(renderer, 0)?;
    let any = text.chars().any(|c| c.is_uppercase() || c.is_lowercase());
    Ok(Val::Bool(any && !text.chars().any(other)))
}
