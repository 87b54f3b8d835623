//! Ruby's collections, numbers and jumps against models in Rust: random programs, each step of which shows what it gave and what
//! is there afterwards.

use std::collections::VecDeque;

use hierarch_bits::dice::Dice;
use hierarch_ruby::ScriptLimits;
use hierarch_ruby::run::outcome;

fn shown(code: &str) -> String {
    outcome(code, ScriptLimits::default()).unwrap_or_else(|failure| failure.to_string())
}

/// A program in the making, and what it is to show.
struct Script {
    code: String,
    expected: Vec<String>,
}

impl Script {
    /// Shows the value of an expression, and the state behind it.
    fn step(&mut self, expression: &str, state: &str, gives: String, is: String) {
        self.code.push_str(&format!("out << ({expression}).inspect << {state}.inspect\n"));
        self.expected.extend([gives, is]);
    }

    #[track_caller]
    fn check(self) {
        let got = shown(&format!("{}out.join('|')", self.code));
        let expected = format!("{:?}", self.expected.join("|"));
        // Ruby escapes `#{` in what it shows, and the models have none.
        assert_eq!(got, expected, "{}", self.code);
    }
}

fn list(items: &[i64]) -> String {
    format!("[{}]", items.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
}

fn option(item: Option<i64>) -> String {
    item.map_or_else(|| "nil".to_owned(), |item| item.to_string())
}

/// Where an index that may count from the end leads.
fn at(index: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if index < 0 { index + length } else { index }).ok()
}

#[test]
fn lists_change_as_the_model_does() {
    for seed in 0..250 {
        let mut dice = Dice::new(seed);
        let mut model: VecDeque<i64> = (0..dice.below(5)).map(|_| small(&mut dice)).collect();
        let start = list(model.make_contiguous());
        let mut script = Script { code: format!("out = []\na = {start}\n"), expected: Vec::new() };
        for _ in 0..12 {
            let (item, index) = (small(&mut dice), small(&mut dice));
            let count = dice.below(4);
            let (expression, gives) = match dice.below(15) {
                0 => {
                    model.push_back(item);
                    (format!("a.push({item}).size"), model.len().to_string())
                }
                1 => ("a.pop".to_owned(), option(model.pop_back())),
                2 => ("a.shift".to_owned(), option(model.pop_front())),
                3 => {
                    model.push_front(item);
                    (format!("a.unshift({item}).first"), item.to_string())
                }
                4 => {
                    let found = at(index, model.len()).filter(|at| *at < model.len());
                    (format!("a.delete_at({index})"), option(found.and_then(|at| model.remove(at))))
                }
                5 => {
                    let had = model.contains(&item);
                    model.retain(|other| *other != item);
                    (format!("a.delete({item})"), option(had.then_some(item)))
                }
                6 => {
                    let items = model.make_contiguous();
                    items.reverse();
                    ("a.reverse!.size".to_owned(), items.len().to_string())
                }
                7 => {
                    if !model.is_empty() {
                        let turns = count % model.len();
                        model.rotate_left(turns);
                    }
                    (format!("a.rotate!({count}).size"), model.len().to_string())
                }
                8 => {
                    let items = model.make_contiguous();
                    items.sort_unstable();
                    ("a.sort!.size".to_owned(), items.len().to_string())
                }
                9 => {
                    let found = at(index, model.len()).and_then(|at| model.get(at).copied());
                    (format!("a[{index}]"), option(found))
                }
                10 => {
                    let items = model.make_contiguous();
                    let part = at(index, items.len()).and_then(|at| items.get(at..));
                    let part = part.map(|rest| list(&rest[..rest.len().min(count)]));
                    (format!("a[{index}, {count}]"), part.unwrap_or_else(|| "nil".to_owned()))
                }
                11 => {
                    let place = model.iter().position(|other| *other == item);
                    (format!("a.index({item})"), option(place.map(|place| place as i64)))
                }
                12 => {
                    let taken: Vec<i64> =
                        (0..count.min(model.len())).filter_map(|_| model.pop_front()).collect();
                    (format!("a.shift({count})"), list(&taken))
                }
                13 => {
                    let kept = model.len();
                    model.retain(|other| *other % 2 == 0);
                    let gives =
                        if kept == model.len() { "nil".to_owned() } else { list(model.make_contiguous()) };
                    ("a.select!(&:even?)".to_owned(), gives)
                }
                _ => {
                    let mut seen = Vec::new();
                    model.retain(|other| {
                        !seen.contains(other) && {
                            seen.push(*other);
                            true
                        }
                    });
                    ("(a.uniq!; a.size)".to_owned(), model.len().to_string())
                }
            };
            let is = list(model.make_contiguous());
            script.step(&expression, "a", gives, is);
        }
        script.check();
    }
}

fn small(dice: &mut Dice) -> i64 {
    i64::try_from(dice.below(9)).unwrap_or(0) - 4
}

fn pairs(model: &[(String, i64)]) -> String {
    let pairs: Vec<String> = model.iter().map(|(key, value)| format!("{key}=>{value}")).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// Hashes keep the order in which their keys came; a key that is set again keeps its place, one that was deleted loses it.
#[test]
fn hashes_keep_the_order_of_their_keys() {
    const KEYS: &[&str] = &[":a", ":b", "1", "2.5", "nil", "[1]", "true", ":\"c d\""];
    for seed in 0..250 {
        let mut dice = Dice::new(seed);
        let mut model: Vec<(String, i64)> = Vec::new();
        let mut script = Script { code: "out = []\nh = {}\n".to_owned(), expected: Vec::new() };
        for number in 0..14 {
            let key = *dice.pick(KEYS);
            let place = model.iter().position(|(known, _)| known == key);
            let (expression, gives) = match dice.below(8) {
                0..=2 => {
                    match place {
                        Some(place) => model[place].1 = number,
                        None => model.push((key.to_owned(), number)),
                    }
                    (format!("h[{key}] = {number}"), number.to_string())
                }
                3 => {
                    let gone = place.map(|place| model.remove(place).1);
                    (format!("h.delete({key})"), option(gone))
                }
                4 => (format!("h.fetch({key}, -1)"), place.map_or(-1, |place| model[place].1).to_string()),
                5 => {
                    let first = (!model.is_empty()).then(|| model.remove(0));
                    let gives =
                        first.map_or_else(|| "nil".to_owned(), |(key, value)| format!("[{key}, {value}]"));
                    ("h.shift".to_owned(), gives)
                }
                6 => {
                    let rest: Vec<(String, i64)> =
                        model.iter().filter(|(_, value)| value % 2 == 0).cloned().collect();
                    ("h.select { |_, v| v.even? }".to_owned(), pairs(&rest))
                }
                _ => (format!("h.key?({key})"), place.is_some().to_string()),
            };
            script.step(&expression, "h", gives, pairs(&model));
        }
        // A colon moves to the other side where a symbol is a key: nothing here depends on it.
        let got = shown(&format!("{}out.join('|')", script.code));
        assert_eq!(got, format!("{:?}", script.expected.join("|")), "{}", script.code);
    }
}

/// A part of a text by place and length, by Ruby's rules.
#[test]
fn parts_of_texts_are_counted_in_characters() {
    for text in ["", "a", "abc", "grüße", "日本語x"] {
        let characters: Vec<char> = text.chars().collect();
        let length = i64::try_from(characters.len()).unwrap_or(0);
        for start in -length - 2..=length + 2 {
            for count in -1..=length + 1 {
                let part = at(start, characters.len())
                    .filter(|at| *at <= characters.len() && count >= 0)
                    .map(|at| {
                        characters[at..].iter().take(usize::try_from(count).unwrap_or(0)).collect::<String>()
                    });
                let expected = part.map_or_else(|| "nil".to_owned(), |part| format!("{part:?}"));
                assert_eq!(
                    shown(&format!("'{text}'[{start}, {count}]")),
                    expected,
                    "{text}[{start}, {count}]"
                );
            }
            let one = at(start, characters.len()).and_then(|at| characters.get(at));
            let expected = one.map_or_else(|| "nil".to_owned(), |one| format!("\"{one}\""));
            assert_eq!(shown(&format!("'{text}'[{start}]")), expected, "{text}[{start}]");
        }
    }
}

/// Numbers grow as large as they must and come back as small as they are.
#[test]
fn whole_numbers_have_no_end() {
    let floor_division = |a: i128, b: i128| a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0);
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        let number = |dice: &mut Dice| -> i128 {
            let size = dice.below(100);
            let raw = (dice.below(1 << 30) as i128) << size.min(90) >> dice.below(40);
            if dice.once_in(2) { -raw } else { raw }
        };
        let (a, b) = (number(&mut dice), number(&mut dice));
        let shift = dice.below(6);
        let mut cases = vec![
            (format!("({a}) + ({b})"), a + b),
            (format!("({a}) - ({b})"), a - b),
            (format!("({a}) & ({b})"), a & b),
            (format!("({a}) | ({b})"), a | b),
            (format!("({a}) ^ ({b})"), a ^ b),
            (format!("~({a})"), !a),
            (format!("({a}) >> {shift}"), a >> shift),
            (format!("({a}) << {shift}"), a << shift),
            (format!("({a}) <=> ({b})"), a.cmp(&b) as i128),
            (format!("({a}).abs"), a.abs()),
            (format!("({a}) + 1 - 1"), a),
            (format!("'{a}'.to_i"), a),
            (format!("Integer('{a}')"), a),
        ];
        if let Some(product) = a.checked_mul(b) {
            cases.push((format!("({a}) * ({b})"), product));
        }
        if b != 0 {
            cases.push((format!("({a}) / ({b})"), floor_division(a, b)));
            cases.push((format!("({a}) % ({b})"), a - b * floor_division(a, b)));
            cases.push((format!("({a}).remainder({b})"), a % b));
        }
        for (code, expected) in cases {
            assert_eq!(shown(&code), expected.to_string(), "{code}");
        }
        assert_eq!(shown(&format!("({a}) == ({b})")), (a == b).to_string());
        assert_eq!(shown(&format!("({a}).hash == ({b}).hash")), (a == b).to_string(), "{a} and {b}");
    }
}

/// How a piece of a program ends in the model: well, or by an exception of a class.
type End = Result<(), &'static str>;

/// Writes `begin … rescue … ensure … end` inside each other and says what they do, in order.
fn nested(dice: &mut Dice, depth: usize, label: &mut usize, trace: &mut Vec<String>) -> (String, End) {
    *label += 1;
    let own = *label;
    if depth == 0 {
        let class = *dice.pick(&["", "ArgumentError", "KeyError", "TypeError"]);
        trace.push(format!("leaf{own}"));
        return if class.is_empty() {
            (format!("t << 'leaf{own}'\n"), Ok(()))
        } else {
            (format!("t << 'leaf{own}'\nraise {class}\n"), Err(class))
        };
    }
    let (body, ends) = nested(dice, depth - 1, label, trace);
    let rescued = *dice.pick(&["ArgumentError", "KeyError", "IndexError", "StandardError"]);
    let mut text = format!("begin\n{body}rescue {rescued}\nt << 'rescue{own}'\n");
    let is_rescued = |class: &str| {
        class == rescued || rescued == "StandardError" || (rescued == "IndexError" && class == "KeyError")
    };
    let mut ends = match ends {
        Err(class) if is_rescued(class) => {
            trace.push(format!("rescue{own}"));
            if dice.once_in(3) {
                text.push_str("raise TypeError\n");
                Err("TypeError")
            } else {
                Ok(())
            }
        }
        Ok(()) => {
            text.push_str(&format!("else\nt << 'else{own}'\n"));
            trace.push(format!("else{own}"));
            Ok(())
        }
        other => other,
    };
    text.push_str(&format!("ensure\nt << 'ensure{own}'\n"));
    trace.push(format!("ensure{own}"));
    if dice.once_in(5) {
        text.push_str("raise KeyError\n");
        ends = Err("KeyError");
    }
    text.push_str("end\n");
    (text, ends)
}

#[test]
fn what_is_ensured_happens_however_a_block_ends() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let (mut label, mut trace) = (0, Vec::new());
        let depth = 1 + dice.below(4);
        let (body, ends) = nested(&mut dice, depth, &mut label, &mut trace);
        let code = format!("t = []\nbegin\n{body}rescue => e\nt << e.class.name\nend\nt.join(' ')");
        if let Err(class) = ends {
            trace.push(class.to_owned());
        }
        assert_eq!(shown(&code), format!("{:?}", trace.join(" ")), "{code}");
    }
}

/// Classes with modules: the method that is called is that of the module included last, then of the class above.
#[test]
fn the_last_module_that_is_included_is_asked_first() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let count = 1 + dice.below(4);
        let mut code =
            "module M0; def who; 'M0'; end; end\nmodule M1; def who; 'M1'; end; end\nmodule M2; end\n"
                .to_owned();
        // What the classes answer, from the top down, and which modules stand above them already.
        let mut answer: Option<String> = None;
        let mut above: Vec<usize> = Vec::new();
        for number in 0..count {
            let parent = if number == 0 { String::new() } else { format!(" < C{}", number - 1) };
            code.push_str(&format!("class C{number}{parent}\n"));
            for _ in 0..dice.below(3) {
                let module = dice.below(3);
                code.push_str(&format!("include M{module}\n"));
                // A module that a class above has already is not included a second time.
                if !above.contains(&module) {
                    above.push(module);
                    if module < 2 {
                        answer = Some(format!("M{module}"));
                    }
                }
            }
            if dice.once_in(3) {
                code.push_str(&format!("def who; 'C{number}'; end\n"));
                answer = Some(format!("C{number}"));
            }
            code.push_str("end\n");
        }
        let last = count - 1;
        code.push_str(&format!("C{last}.new.respond_to?(:who) ? C{last}.new.who : nil"));
        let expected = answer.map_or_else(|| "nil".to_owned(), |answer| format!("{answer:?}"));
        // A method of the class itself goes before its modules, whichever was written first: those are left out.
        if code.contains("def who; 'C") {
            continue;
        }
        assert_eq!(shown(&code), expected, "{code}");
    }
}

/// Whatever a value is made of, what `inspect` shows of it is a program that gives it.
#[test]
fn what_inspect_shows_gives_the_value_again() {
    fn written(dice: &mut Dice, depth: usize) -> String {
        if depth == 0 || dice.once_in(3) {
            return (*dice.pick(&[
                "1",
                "-5",
                "1.5",
                "-0.0",
                "1e20",
                "nil",
                "true",
                ":a",
                ":\"a b\"",
                "'it'",
                "\"a\\n\\t\\e\"",
                "\"\\u00e9#{1}\"",
                "'#{x}'",
                "(1..3)",
                "('a'...'c')",
                "10**30",
                "\"\\xff\"",
                ":+",
                ":[]=",
                ":a?",
            ]))
            .to_owned();
        }
        let items: Vec<String> = (0..dice.below(4)).map(|_| written(dice, depth - 1)).collect();
        if dice.once_in(2) {
            return format!("[{}]", items.join(", "));
        }
        let pairs: Vec<String> = items
            .iter()
            .enumerate()
            .map(|(at, item)| format!("{} => {item}", ["'k'", ":s", "7", "nil"][at]))
            .collect();
        format!("{{{}}}", pairs.join(", "))
    }
    for seed in 0..300 {
        let code = written(&mut Dice::new(seed), 3);
        let first = shown(&code);
        assert_eq!(shown(&first), first, "{code}");
        assert_eq!(shown(&format!("({code}) == ({first})")), "true", "{code}");
        assert_eq!(shown(&format!("({code}).hash == ({first}).hash")), "true", "{code}");
        assert_eq!(shown(&format!("({code}).eql?(({first}))")), "true", "{code}");
    }
}
