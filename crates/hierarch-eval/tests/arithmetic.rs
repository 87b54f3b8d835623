//! Random expressions against a model of the language that is a few lines long: numbers of 64 bits that never wrap, truth,
//! comparison, membership.

mod common;

use common::{failure, run, value};
use hierarch_bits::dice::Dice;
use hierarch_eval::Value;

/// What an expression gives: a number, or the code of the error.
type Outcome = Result<i128, &'static str>;

const OUT_OF_RANGE: &str = "NUMERIC_OVERFLOW";
const BY_ZERO: &str = "DIV_BY_ZERO";

fn in_range(number: i128) -> Outcome {
    if i64::try_from(number).is_ok() { Ok(number) } else { Err(OUT_OF_RANGE) }
}

/// Shifts by so much to the left; a negative number shifts to the right, as in Ruby.
fn shifted(number: i128, by: i128) -> Outcome {
    match by {
        0..=64 => in_range(number << by),
        -127..0 => Ok(number >> -by),
        _ if by > 0 => {
            if number == 0 {
                Ok(0)
            } else {
                Err(OUT_OF_RANGE)
            }
        }
        _ => Ok(if number < 0 { -1 } else { 0 }),
    }
}

fn applied(operator: &str, left: i128, right: i128) -> Outcome {
    match operator {
        "+" => in_range(left + right),
        "-" => in_range(left - right),
        "*" => in_range(left * right),
        "/" | "%" if right == 0 => Err(BY_ZERO),
        // Ruby's division goes down, not toward zero, and the rest has the sign of the divisor.
        "/" => in_range(left.div_euclid(right) - i128::from(right < 0 && left.rem_euclid(right) != 0)),
        "%" => {
            let rest = left.rem_euclid(right.abs());
            in_range(if right < 0 && rest != 0 { rest + right } else { rest })
        }
        "<<" => shifted(left, right),
        _ => shifted(left, -right),
    }
}

const NUMBERS: [i64; 16] =
    [0, 1, -1, 2, 3, -3, 7, 10, -10, 62, 63, 64, 1 << 31, 1 << 62, i64::MAX, -i64::MAX];

/// Writes an expression and says what it gives; the left side is evaluated first, so its error is the one told.
fn expression(dice: &mut Dice, depth: usize) -> (String, Outcome) {
    if depth == 0 || dice.once_in(4) {
        let number = *dice.pick(&NUMBERS);
        return (if number < 0 { format!("({number})") } else { number.to_string() }, Ok(i128::from(number)));
    }
    let operator = *dice.pick(&["+", "-", "*", "/", "%", "<<", ">>"]);
    let (left, left_gives) = expression(dice, depth - 1);
    let (right, right_gives) = expression(dice, depth - 1);
    let gives = left_gives.and_then(|left| right_gives.and_then(|right| applied(operator, left, right)));
    (format!("({left} {operator} {right})"), gives)
}

#[test]
fn whole_numbers_are_those_of_the_model() {
    let (mut numbers, mut errors) = (0, 0);
    for seed in 0..3_000 {
        let (text, gives) = expression(&mut Dice::new(seed), 4);
        match (run(&text), gives) {
            (Ok(got), Ok(expected)) => {
                assert_eq!(got.to_string(), expected.to_string(), "{text}");
                numbers += 1;
            }
            (Err(error), Err(code)) => {
                assert_eq!(error.code, code, "{text}: {error}");
                errors += 1;
            }
            (got, expected) => panic!("{text}: {got:?}, expected {expected:?}"),
        }
    }
    assert!(numbers > 500 && errors > 200, "{numbers} numbers, {errors} errors");
}

#[test]
fn quotient_and_rest_make_the_number_again() {
    // Near the ends, the product would be out of range on the way.
    for left in NUMBERS.into_iter().filter(|number| number.abs() < 1 << 62) {
        for right in NUMBERS.into_iter().filter(|number| *number != 0) {
            assert_eq!(
                value(&format!("$a = {left}; $b = {right}; ($a / $b) * $b + $a % $b == $a")),
                true.into()
            );
        }
    }
}

/// Without parentheses, `*` binds before `+`, `+` before `<<`, and equals are taken from the left.
#[test]
fn operators_of_a_chain_are_applied_in_their_order() {
    const STRENGTH: [(&str, usize); 5] = [("*", 3), ("%", 3), ("+", 2), ("-", 2), ("<<", 1)];
    for seed in 0..800 {
        let mut dice = Dice::new(seed);
        let mut numbers: Vec<i128> = vec![1 + dice.below(9) as i128];
        let mut operators: Vec<(&str, usize)> = Vec::new();
        let mut text = numbers[0].to_string();
        for _ in 0..=dice.below(5) {
            let operator = *dice.pick(&STRENGTH);
            let number = 1 + dice.below(5) as i128;
            text.push_str(&format!(" {} {number}", operator.0));
            operators.push(operator);
            numbers.push(number);
        }
        let mut gives: Outcome = Ok(0);
        for strength in [3, 2, 1] {
            while let Some(at) = operators.iter().position(|operator| operator.1 == strength) {
                let (operator, _) = operators.remove(at);
                let right = numbers.remove(at + 1);
                match applied(operator, numbers[at], right) {
                    Ok(number) => numbers[at] = number,
                    Err(code) => gives = gives.and(Err(code)),
                }
            }
        }
        let gives = gives.map(|_| numbers[0]);
        match (run(&text), gives) {
            (Ok(got), Ok(expected)) => assert_eq!(got.to_string(), expected.to_string(), "{text}"),
            (Err(error), Err(_)) => assert_eq!(error.code, OUT_OF_RANGE, "{text}"),
            (got, expected) => panic!("{text}: {got:?}, expected {expected:?}"),
        }
    }
}

/// Values of all kinds that can be written, each with the kind that decides whether it can be ordered. `default` is another matter:
/// it has an order with itself, and in a list it stands for everything.
const VALUES: [(&str, char); 15] = [
    ("1", 'n'),
    ("1.0", 'n'),
    ("-2", 'n'),
    ("2.5", 'n'),
    ("'a'", 's'),
    ("'A'", 's'),
    ("'b'", 's'),
    ("''", 's'),
    ("true", 'b'),
    ("false", 'b'),
    ("undef", 'u'),
    ("[]", 'c'),
    ("[1, 'a']", 'c'),
    ("[1.0, 'A']", 'c'),
    ("{'a' => 1}", 'c'),
];

#[test]
fn default_is_no_more_than_itself_and_in_a_list_everything() {
    // Asked from Puppet 8.
    for (code, gives) in
        [("default < default", false), ("default <= default", true), ("'a' in [default, 1]", true)]
    {
        assert_eq!(value(code), gives.into(), "{code}");
    }
}

#[test]
fn equality_is_a_relation_of_equivalence() {
    let equal = |left: &str, right: &str| value(&format!("{left} == {right}")) == Value::from(true);
    for (a, _) in VALUES {
        assert!(equal(a, a), "{a}");
        for (b, _) in VALUES {
            assert_eq!(equal(a, b), equal(b, a), "{a} and {b}");
            let different = value(&format!("{a} != {b}")) == Value::from(true);
            assert_ne!(equal(a, b), different, "{a} and {b}");
            for (c, _) in VALUES {
                assert!(!(equal(a, b) && equal(b, c)) || equal(a, c), "{a}, {b} and {c}");
            }
        }
    }
}

#[test]
fn only_numbers_and_texts_have_an_order_and_it_is_one() {
    let is = |text: String| value(&text) == Value::from(true);
    for (a, kind) in VALUES {
        for (b, other) in VALUES {
            if kind != other || !"ns".contains(kind) {
                for operator in ["<", "<=", ">", ">="] {
                    let error = failure(&format!("{a} {operator} {b}"));
                    assert_eq!(error.code, "COMPARISON_NOT_POSSIBLE", "{a} {operator} {b}: {error}");
                }
                continue;
            }
            let (less, equal, greater) =
                (is(format!("{a} < {b}")), is(format!("{a} == {b}")), is(format!("{a} > {b}")));
            assert_eq!(u8::from(less) + u8::from(equal) + u8::from(greater), 1, "{a} and {b}");
            assert_eq!(is(format!("{a} <= {b}")), less || equal, "{a} <= {b}");
            assert_eq!(is(format!("{a} >= {b}")), greater || equal, "{a} >= {b}");
            assert_eq!(is(format!("{b} > {a}")), less, "{b} > {a}");
        }
    }
}

/// Only `undef` and `false` are false; the right side is not evaluated where the left one decides.
#[test]
fn truth_is_short() {
    for (text, _) in VALUES {
        let is_true = !matches!(text, "false" | "undef");
        assert_eq!(value(&format!("!!{text}")), is_true.into(), "{text}");
        assert_eq!(value(&format!("{text} and true")), is_true.into(), "{text}");
        assert_eq!(value(&format!("{text} or false")), is_true.into(), "{text}");
        assert_eq!(
            value(&format!("if {text} {{ 1 }} else {{ 2 }}")),
            Value::from(if is_true { 1 } else { 2 })
        );
        assert_eq!(
            value(&format!("unless {text} {{ 1 }} else {{ 2 }}")),
            Value::from(if is_true { 2 } else { 1 })
        );
        let (lazy, eager) = if is_true { ("or", "and") } else { ("and", "or") };
        assert_eq!(value(&format!("{text} {lazy} (1 / 0 == 1)")), is_true.into(), "{text}");
        assert_eq!(failure(&format!("{text} {eager} (1 / 0 == 1)")).code, BY_ZERO, "{text}");
    }
}

/// The laws that hold for lists and hashes of every size.
#[test]
fn collections_add_and_subtract() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let list = |dice: &mut Dice| {
            let items: Vec<String> = (0..dice.below(5)).map(|_| dice.below(4).to_string()).collect();
            format!("[{}]", items.join(", "))
        };
        let (a, b, c) = (list(&mut dice), list(&mut dice), list(&mut dice));
        for law in [
            format!("({a} + {b}) + {c} == {a} + ({b} + {c})"),
            format!("{a} + [] == {a}"),
            format!("({a} + {b}) - {b} == {a} - {b}"),
            format!("({a} - {b}) - {c} == {a} - ({b} + {c})"),
            format!("{a} - {a} == []"),
            format!("({a} << {b}) == {a} + [{b}]"),
        ] {
            assert_eq!(value(&law), true.into(), "{law}");
        }
        let hash = |dice: &mut Dice| {
            let keys: Vec<usize> = (0..4).filter(|_| dice.once_in(2)).collect();
            let entries: Vec<String> =
                keys.iter().map(|key| format!("k{key} => {}", dice.below(9))).collect();
            format!("{{{}}}", entries.join(", "))
        };
        let (a, b, c) = (hash(&mut dice), hash(&mut dice), hash(&mut dice));
        for law in [
            format!("({a} + {b}) + {c} == {a} + ({b} + {c})"),
            format!("{a} + {{}} == {a}"),
            format!("{a} + {a} == {a}"),
            format!("{a} - {a} == {{}}"),
            format!("({a} + {b}) - {b} == {a} - {b}"),
        ] {
            assert_eq!(value(&law), true.into(), "{law}");
        }
    }
}

#[test]
fn what_is_in_a_list_is_equal_to_one_of_its_items() {
    for (wanted, _) in VALUES {
        for (a, _) in VALUES {
            for (b, _) in [VALUES[0], VALUES[4], VALUES[10]] {
                // `undef` is in no list that does not say so.
                let expected = [a, b].iter().any(|item| value(&format!("{wanted} == {item}")) == true.into());
                assert_eq!(
                    value(&format!("{wanted} in [{a}, {b}]")),
                    expected.into(),
                    "{wanted} in [{a}, {b}]"
                );
            }
        }
    }
}

/// A case takes the first option that matches, a selector too; where none does, a case is nothing and a selector an error.
#[test]
fn the_first_option_that_matches_counts() {
    for seed in 0..500 {
        let mut dice = Dice::new(seed);
        let (asked, _) = *dice.pick(&VALUES);
        let options: Vec<&str> = (0..=dice.below(5))
            .map(|_| if dice.once_in(5) { "default" } else { dice.pick(&VALUES).0 })
            .collect();
        let matches =
            |option: &str| option == "default" || value(&format!("{asked} == {option}")) == true.into();
        // A default counts only where nothing else does, wherever it stands.
        let first = options.iter().position(|option| *option != "default" && matches(option));
        let first = first.or_else(|| options.iter().position(|option| *option == "default"));
        let case: Vec<String> =
            options.iter().enumerate().map(|(at, option)| format!("{option}: {{ {at} }}")).collect();
        let selector: Vec<String> =
            options.iter().enumerate().map(|(at, option)| format!("{option} => {at}")).collect();
        let several_defaults = options.iter().filter(|option| **option == "default").count() > 1;
        let case = run(&format!("case {asked} {{ {} }}", case.join(" ")));
        let selector = run(&format!("{asked} ? {{ {} }}", selector.join(", ")));
        if several_defaults {
            continue;
        }
        let expected = first.map(|at| i64::try_from(at).expect("few options"));
        match (case, expected) {
            (Ok(got), Some(at)) => assert_eq!(got, Value::from(at), "{asked}: {options:?}"),
            (Ok(got), None) => assert_eq!(got, Value::Undef, "{asked}: {options:?}"),
            (Err(error), _) => panic!("{asked}: {options:?}: {error}"),
        }
        match (selector, expected) {
            (Ok(got), Some(at)) => assert_eq!(got, Value::from(at), "{asked}: {options:?}"),
            (Err(error), None) => assert!(error.place.is_some(), "{asked}: {options:?}: {error}"),
            (got, expected) => panic!("{asked}: {options:?}: {got:?}, expected {expected:?}"),
        }
    }
}
