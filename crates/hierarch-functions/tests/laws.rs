//! Laws that hold between functions whatever they are given: what one does another undoes, doing it twice changes nothing, and
//! two ways to say the same give the same.
//!
//! A law is an expression over `$a`, `$b`, `$c` that must be true; the word before it says what they are. A new law is a line.

use hierarch_bits::dice::Dice;
use hierarch_eval::{Codebase, Evaluator, Hash, Value};
use hierarch_functions::environment;
use hierarch_source::Source;

/// What the variables of a law are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    /// Lists of whole numbers.
    Numbers,
    /// Lists of texts in lower case.
    Words,
    /// Lists of anything, lists included.
    Lists,
    /// Hashes from texts to anything.
    Hashes,
    /// Texts of all characters.
    Texts,
    /// Whole numbers.
    Integers,
    /// Versions, as `versioncmp` takes them.
    Versions,
}

use Of::{Hashes, Integers, Lists, Numbers, Texts, Versions, Words};

const LAWS: &[(Of, &str)] = &[
    // Order.
    (Numbers, "sort(sort($a)) == sort($a)"),
    (Numbers, "sort($a + $b) == sort($b + $a)"),
    (Numbers, "length(sort($a)) == length($a)"),
    (
        Numbers,
        "sort($a).reduce([true, undef]) |$m, $x| { [$m[0] and ($m[1] == undef or $m[1] <= $x), $x] }[0]",
    ),
    (Numbers, "sort($a) |$x, $y| { compare($y, $x) } == Array(sort($a).reverse_each)"),
    (Words, "sort(sort($a)) == sort($a)"),
    (Words, "sort($a + $b) == sort($b + $a)"),
    (Numbers, "empty($a) or max(*$a) == sort($a)[-1]"),
    (Numbers, "empty($a) or min(*$a) == sort($a)[0]"),
    (Integers, "max($a, $b) == max($b, $a)"),
    (Integers, "min($a, $b) + max($a, $b) == $a + $b"),
    (Integers, "max($a, max($b, $c)) == max(max($a, $b), $c)"),
    (Integers, "compare($a, $b) == -compare($b, $a)"),
    (Integers, "(compare($a, $b) < 0) == ($a < $b)"),
    (Versions, "versioncmp($a, $a) == 0"),
    (Versions, "versioncmp($a, $b) == -versioncmp($b, $a)"),
    (Versions, "versioncmp($a, $b) > 0 or versioncmp($b, $c) > 0 or versioncmp($a, $c) <= 0"),
    // Lists.
    (Lists, "unique(unique($a)) == unique($a)"),
    (Lists, "unique($a + $a) == unique($a)"),
    (Lists, "unique($a).all |$x| { $x in $a }"),
    (Lists, "flatten(flatten($a)) == flatten($a)"),
    (Lists, "flatten($a, $b) == flatten($a) + flatten($b)"),
    (Lists, "flatten($a).all |$x| { $x !~ Array }"),
    (Lists, "Array(Array($a.reverse_each).reverse_each) == $a"),
    (Lists, "length($a + $b) == length($a) + length($b)"),
    (Lists, "empty($a) == (length($a) == 0)"),
    (Lists, "$a.map |$x| { $x } == $a"),
    (Lists, "$a.filter |$x| { true } == $a"),
    (Lists, "empty($a.filter |$x| { false })"),
    (Lists, "$a.reduce([]) |$m, $x| { $m + [$x] } == $a"),
    (Lists, "length($a.map |$x| { [$x] }) == length($a)"),
    (Lists, "$a.map |$i, $x| { [$i, $x] } == $a.reduce([]) |$m, $x| { $m + [[length($m), $x]] }"),
    (Lists, "($a.all |$x| { $x =~ String }) == !($a.any |$x| { $x !~ String })"),
    (
        Lists,
        "$a.partition |$x| { $x =~ Integer } == [$a.filter |$x| { $x =~ Integer }, $a.filter |$x| { $x !~ Integer }]",
    ),
    (Lists, "empty($a) or $a.slice(2).map |$x| { $x }.reduce([]) |$m, $x| { $m + $x } == $a"),
    (Lists, "$a.slice(3).all |$x| { length($x) <= 3 }"),
    (Lists, "Array($a.step(1)) == $a"),
    (Lists, "length($a.group_by |$x| { type($x, 'generalized') }) <= length($a)"),
    (Lists, "$a.group_by |$x| { $x =~ String }.values.reduce([]) |$m, $x| { $m + $x }.length == length($a)"),
    (Lists, "($a.index |$x| { $x =~ Hash }) == undef"),
    (Lists, "$a.each |$x| { } == $a"),
    (Lists, "[1].with |$x| { $a } == $a"),
    (Lists, "$a.then |$x| { $x } == $a"),
    (Lists, "$a.lest || { fail('never') } == $a"),
    (Lists, "assert_type(Array, $a) == $a"),
    (Lists, "convert_to($a, Array) == $a"),
    (Lists, "any2array($a) == $a"),
    (Lists, "concat($a, $b) == $a + $b"),
    (Lists, "count($a) == length($a.filter |$x| { $x != undef and $x != '' })"),
    (Lists, "reverse(reverse($a)) == $a"),
    (Lists, "length(shuffle($a)) == length($a)"),
    (Lists, "length(delete_undef_values($a + [undef])) == length(delete_undef_values($a))"),
    (Numbers, "union($a, $b) == unique($a + $b)"),
    (Numbers, "sort(intersection($a, $b)) == sort(intersection($b, $a))"),
    (Numbers, "difference($a, $b) == $a - $b"),
    (Numbers, "empty(intersection(difference($a, $b), $b))"),
    (Numbers, "sort(union(difference($a, $b), intersection($a, $b))) == sort(unique($a))"),
    (Numbers, "delete($a, $b) == $a - $b"),
    (Numbers, "empty(intersection($a, $b)) or member($a, intersection($a, $b))"),
    (Numbers, "$a.all |$x| { member($a, $x) }"),
    (Numbers, "zip($a, $a).all |$pair| { $pair[0] == $pair[1] }"),
    (Numbers, "zip($a, $a, true) == flatten(zip($a, $a))"),
    (Words, "prefix(suffix($a, '>'), '<') == suffix(prefix($a, '<'), '>')"),
    (Words, "prefix($a, '') == $a"),
    (Words, "$a.all |$x| { downcase(upcase($x)) == $x }"),
    (Words, "empty($a) or split(join($a, ','), ',') == $a"),
    (Words, "join($a, '') == $a.reduce('') |$m, $x| { \"${m}${x}\" }"),
    (Words, "join_keys_to_values(Hash($a.map |$x| { [$x, 1] }), '=').all |$x| { $x =~ /=1\\z/ }"),
    (Words, "grep($a, '') == $a"),
    // Hashes.
    (Hashes, "Hash(Array($a)) == $a"),
    (Hashes, "Hash(zip(keys($a), values($a))) == $a"),
    (Hashes, "length(keys($a)) == length($a) and length(values($a)) == length($a)"),
    (Hashes, "keys($a).all |$k| { $k in $a }"),
    (Hashes, "keys($a).all |$k| { has_key($a, $k) }"),
    (Hashes, "keys($a).all |$k| { dig($a, $k) == $a[$k] }"),
    (Hashes, "get($a, 'no such key', 7) == 7"),
    (Hashes, "merge($a, {}) == $a and merge({}, $a) == $a"),
    (Hashes, "merge($a, $a) == $a"),
    (Hashes, "merge(merge($a, $b), $c) == merge($a, merge($b, $c))"),
    (Hashes, "merge($a, $b) == $a + $b"),
    (Hashes, "deep_merge($a, {}) == $a"),
    (Hashes, "deep_merge($a, $a) == $a"),
    (Hashes, "keys(deep_merge($a, $b)) == keys(merge($a, $b))"),
    (Hashes, "$a.filter |$k, $v| { true } == $a"),
    (Hashes, "Hash($a.map |$k, $v| { [$k, $v] }) == $a"),
    (Hashes, "$a.reduce({}) |$m, $pair| { $m + {$pair[0] => $pair[1]} } == $a"),
    (Hashes, "$a.each |$k, $v| { } == $a"),
    (Hashes, "$a - keys($a) == {}"),
    (Hashes, "delete($a, keys($a)) == {}"),
    (Hashes, "keys(delete_values($a, 'x')).all |$k| { $a[$k] != 'x' }"),
    (Hashes, "empty($a) == empty(keys($a))"),
    (Hashes, "$a.any |$k, $v| { $k == 'a' } == ('a' in $a)"),
    (Hashes, "parsejson(to_json($a)) == $a"),
    (Hashes, "parsejson(to_json_pretty($a)) == $a"),
    (Hashes, "parseyaml(to_yaml($a)) == $a"),
    (Hashes, "length(to_json($a)) <= length(to_json_pretty($a))"),
    (Hashes, "stdlib::nested_values($a) =~ Array"),
    (Lists, "parsejson(to_json($a)) == $a"),
    (Lists, "parseyaml(to_yaml($a)) == $a"),
    (Texts, "parsejson(to_json([$a])) == [$a]"),
    (Texts, "parseyaml(to_yaml([$a])) == [$a]"),
    (Texts, "parsejson(to_json({$a => $b})) == {$a => $b}"),
    // Texts.
    (Texts, "strip($a) == lstrip(rstrip($a)) and strip($a) == rstrip(lstrip($a))"),
    (Texts, "strip(strip($a)) == strip($a)"),
    (Texts, "length(chomp($a)) <= length($a) and length(chop($a)) <= length($a)"),
    (Texts, "downcase(downcase($a)) == downcase($a)"),
    (Texts, "upcase(upcase($a)) == upcase($a)"),
    (Texts, "capitalize(capitalize($a)) == capitalize($a)"),
    (Texts, "length(\"${a}${b}\") == length($a) + length($b)"),
    (Texts, "regsubst($a, 'nothing like that', 'x', 'G') == $a"),
    (Texts, "regsubst($a, '\\A', $b) == regsubst($a, '\\A', $b, 'G')"),
    (Texts, "base64('decode', base64('encode', $a)) == $a"),
    (Texts, "base64('decode', base64('encode', $a, 'strict'), 'strict') == $a"),
    (Texts, "base64('decode', base64('encode', $a, 'urlsafe'), 'urlsafe') == $a"),
    (Texts, "String(Binary($a, '%s'), '%s') == $a"),
    (Texts, "length(md5($a)) == 32 and length(sha1($a)) == 40 and length(sha256($a)) == 64"),
    (
        Texts,
        "sha256($a) == sha256($a) and ($a == $b or sha256($a) != sha256($b) or downcase($a) == downcase($b))",
    ),
    (Texts, "sprintf('%s', $a) == $a"),
    (Texts, "sprintf('%s%%', $a) == \"${a}%\""),
    (Texts, "length(sprintf('%20s', $a)) == max(20, length($a))"),
    (Texts, "String(Sensitive($a).unwrap) == $a"),
    (Texts, "unwrap(Sensitive($a)) == $a"),
    (Texts, "empty($a) == ($a == '')"),
    (Texts, "swapcase(swapcase($a)) == $a or $a =~ /[^\\x00-\\x7f]/"),
    (Texts, "str2bool(String(bool2num(empty($a)))) == empty($a)"),
    (Texts, "join(split($a, ''), '') == $a"),
    (Texts, "$a[0, length($a)] == $a"),
    (Texts, "length($a) == 0 or \"${a[0]}${a[1, -1]}\" == $a"),
    (Texts, "seeded_rand(1000, $a) == seeded_rand(1000, $a)"),
    (Texts, "seeded_rand(1, $a) == 0"),
    // Numbers.
    (Integers, "abs($a) == abs(-$a) and abs($a) >= 0"),
    (Integers, "abs($a * $b) == abs($a) * abs($b)"),
    (Integers, "Integer(String($a)) == $a"),
    (Integers, "Integer(String(abs($a), '%#x'), 16) == abs($a)"),
    (Integers, "Integer(String(abs($a), '%o'), 8) == abs($a)"),
    (Integers, "Integer(Float($a)) == $a"),
    (Integers, "floor(Float($a)) == $a and ceiling(Float($a)) == $a and round(Float($a)) == $a"),
    (Integers, "floor($a / 2.0) <= ceiling($a / 2.0)"),
    (Integers, "String($a) == \"${a}\""),
    (Integers, "sprintf('%d', $a) == String($a)"),
    (Integers, "Boolean(bool2num($a > $b)) == ($a > $b)"),
    (Integers, "num2bool(bool2num($a > $b)) == ($a > $b)"),
    (Integers, "Integer(Timespan($a)) == $a"),
    (Integers, "Timespan($a) + Timespan($b) == Timespan($a + $b)"),
    (Integers, "Timestamp($a) - Timestamp($b) == Timespan($a - $b)"),
    (Integers, "Timestamp($a) + Timespan($b) == Timestamp($a + $b)"),
    (Integers, "range(abs($a), abs($a) + abs($b) % 20) == Array(Integer[abs($a), abs($a) + abs($b) % 20])"),
    (Integers, "clamp($a, $b, $c) == sort([$a, $b, $c])[1]"),
    (Integers, "parsejson(to_json($a)) == $a"),
];

/// What laws are tried with.
fn make(of: Of, dice: &mut Dice) -> Value {
    match of {
        Numbers => Value::array((0..dice.below(6)).map(|_| integer(dice, 5)).collect()),
        Words => Value::array(
            (0..dice.below(5)).map(|_| Value::from(*dice.pick(&["a", "b", "ab", "zz", "x9", "ü"]))).collect(),
        ),
        Lists => Value::array((0..dice.below(5)).map(|_| anything(dice, 2)).collect()),
        Hashes => hash(dice, 2),
        Texts => Value::from(dice.text(
            &[
                "a", "B", " ", "\t", "\n", "é", "ß", "😀", "1", "'", "\"", "\\", "$", "%s", "{", "}", ":",
                "-", "#", ",", "x: y",
            ],
            8,
        )),
        Integers => integer(dice, 2_000),
        Versions => Value::from(dice.text(&["1", "2", "10", ".", ".0", "-", "rc", "a", "~"], 6)),
    }
}

fn integer(dice: &mut Dice, most: usize) -> Value {
    Value::from(i64::try_from(dice.below(2 * most + 1)).unwrap_or(0) - i64::try_from(most).unwrap_or(0))
}

fn anything(dice: &mut Dice, depth: usize) -> Value {
    match dice.below(if depth == 0 { 4 } else { 5 }) {
        0 => integer(dice, 3),
        1 => Value::from(dice.once_in(2)),
        2 => Value::from(1.5),
        3 => Value::from(*dice.pick(&["a", "x", "", "true", "1", "a b"])),
        _ => Value::array((0..dice.below(3)).map(|_| anything(dice, depth - 1)).collect()),
    }
}

fn hash(dice: &mut Dice, depth: usize) -> Value {
    let mut hash = Hash::new();
    for _ in 0..dice.below(5) {
        let value =
            if depth > 0 && dice.once_in(4) { self::hash(dice, depth - 1) } else { anything(dice, 1) };
        hash.insert(*dice.pick(&["a", "b", "c", "A", "1", "x y", "é"]), value);
    }
    Value::hash(hash)
}

/// Says how a law is broken for some values.
fn broken(environment: &Codebase, law: &str, values: &[Value]) -> Option<String> {
    let mut evaluator = Evaluator::new(environment);
    for (name, value) in ["a", "b", "c"].into_iter().zip(values) {
        evaluator.set_variable(name, value.clone());
    }
    let shown = || values.iter().map(Value::program_text).collect::<Vec<_>>().join(" | ");
    match evaluator.evaluate(&Source::unnamed(law)) {
        Ok(value) if value == Value::from(true) => None,
        Ok(value) => Some(format!("{law}\n  {value} for {}", shown())),
        Err(error) => Some(format!("{law}\n  {error} for {}", shown())),
    }
}

#[test]
fn laws_of_functions_hold() {
    let environment = environment().assuming_module("stdlib");
    let mut problems = Vec::new();
    for (number, (of, law)) in LAWS.iter().enumerate() {
        let mut dice = Dice::new(number as u64);
        let problem = (0..60).find_map(|_| {
            let values: Vec<Value> = (0..3).map(|_| make(*of, &mut dice)).collect();
            broken(&environment, law, &values)
        });
        problems.extend(problem);
    }
    assert!(
        problems.is_empty(),
        "{} of {} laws do not hold:\n{}",
        problems.len(),
        LAWS.len(),
        problems.join("\n")
    );
}

#[test]
fn a_law_can_be_broken() {
    let environment = environment();
    let values = [Value::from(1), Value::from(2), Value::from(3)];
    assert!(broken(&environment, "$a + $b == $c", &values).is_none());
    assert!(broken(&environment, "$a == $b", &values).is_some());
    assert!(broken(&environment, "$a", &values).is_some());
    assert!(broken(&environment, "no_such_function($a)", &values).is_some());
}
