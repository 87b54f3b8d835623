//! The methods of `Math`.

use super::super::prelude::*;

macro_rules! functions {
    ($($name:literal $function:expr),* $(,)?) => {
        static FUNCTIONS: &[Builtin] = &[$(m($name, 1, 1, |vm, _, args| {
            let number = vm.to_float(&args.at(0))?;
            checked(vm, $name, number, $function(number))
        })),*];
    };
}

functions! {
    "sin" f64::sin, "cos" f64::cos, "tan" f64::tan, "asin" f64::asin, "acos" f64::acos, "atan" f64::atan,
    "sinh" f64::sinh, "cosh" f64::cosh, "tanh" f64::tanh, "asinh" f64::asinh, "acosh" f64::acosh, "atanh" f64::atanh,
    "exp" f64::exp, "log2" f64::log2, "log10" f64::log10, "sqrt" f64::sqrt, "cbrt" f64::cbrt,
}

static MORE: &[Builtin] = &[
    m("log", 1, 2, log).gives(&["Math.log(1) => 0.0", "Math.log(8, 2) => 3.0"]),
    m("atan2", 2, 2, |vm, _, args| {
        Ok(Value::Float(vm.to_float(&args.at(0))?.atan2(vm.to_float(&args.at(1))?)))
    }),
    m("hypot", 2, 2, |vm, _, args| {
        Ok(Value::Float(vm.to_float(&args.at(0))?.hypot(vm.to_float(&args.at(1))?)))
    })
    .gives(&["Math.hypot(3, 4) => 5.0"]),
];

/// `Math`
pub(in crate::core) static MATH: ClassSpec = ClassSpec {
    singleton: &[FUNCTIONS, MORE],
    methods: &[FUNCTIONS, MORE],
    constants: &[
        ("PI", |_| Ok(Value::Float(std::f64::consts::PI))),
        ("E", |_| Ok(Value::Float(std::f64::consts::E))),
    ],
    ..ClassSpec::module("Math")
};

fn checked(vm: &mut Vm<'_>, name: &str, given: f64, result: f64) -> Res {
    if result.is_nan() && !given.is_nan() {
        return Err(vm.raise("Math::DomainError", format!("Numerical argument is out of domain - {name}")));
    }
    Ok(Value::Float(result))
}

fn log(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let number = vm.to_float(&args.at(0))?;
    let result = match args.get(1) {
        Some(base) => number.ln() / vm.to_float(base)?.ln(),
        None => number.ln(),
    };
    checked(vm, "log", number, result)
}
