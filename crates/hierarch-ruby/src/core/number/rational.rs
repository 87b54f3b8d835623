//! The methods of `Rational`.

use super::super::prelude::*;
use crate::value::number::Rational;

static METHODS: &[Builtin] = &[
    m("numerator", 0, 0, |_, me, _| Ok(get(me).top.into())).gives(&["(2**-2).numerator => 1"]),
    m("denominator", 0, 0, |_, me, _| Ok(get(me).bottom.into())).gives(&["(2**-2).denominator => 4"]),
    m("to_f", 0, 0, |_, me, _| Ok(Value::Float(get(me).to_f64()))).gives(&["(2**-2).to_f => 0.25"]),
    m("to_r", 0, 0, |_, me, _| Ok(me.clone())),
    m("rationalize", 0, 1, super::simplest::of_rational).gives(&["(3**-1).rationalize(0.1) => (1/3)"]),
    m("to_s", 0, 0, |vm, me, _| {
        let it = get(me);
        Ok(vm.str(format!("{}/{}", it.top, it.bottom)))
    })
    .gives(&["(2**-2).to_s => \"1/4\""]),
    m("inspect", 0, 0, |vm, me, _| {
        let it = get(me);
        Ok(vm.str(format!("({}/{})", it.top, it.bottom)))
    }),
];

/// `Rational`
pub(in crate::core) static RATIONAL: ClassSpec = ClassSpec {
    superclass: Some("Numeric"),
    methods: &[METHODS, super::ARITHMETIC, super::round::RATIONAL],
    ..ClassSpec::class("Rational")
};

fn get(value: &Value) -> Rational {
    value.payload::<Rational>().map_or_else(|| Rational::new(0.into(), 1.into()), |it| (*it).clone())
}
