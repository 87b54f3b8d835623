//! Programs made by chance together with the tree they stand for: the parser finds that tree, however the text is spaced, and
//! says of every broken text where it is broken.

use hierarch_bits::dice::Dice;
use hierarch_source::Source;
use hierarch_syntax::{
    DEEPEST_NESTING, DumpFormat, MOST_REPORTED, ValidateOptions, check, check_epp, dump, parse, parse_epp,
};

/// An expression: the tokens that it is written with, and the tree that they mean.
#[derive(Clone, Debug)]
struct Written {
    tokens: Vec<String>,
    tree: String,
}

impl Written {
    fn leaf(token: impl Into<String>, tree: impl Into<String>) -> Self {
        Self { tokens: vec![token.into()], tree: tree.into() }
    }

    /// Puts it in parentheses, so that no operator around it can take a piece of it.
    fn closed(self) -> Self {
        let mut tokens = vec!["(".to_owned()];
        tokens.extend(self.tokens);
        tokens.push(")".to_owned());
        Self { tokens, tree: format!("(paren {})", self.tree) }
    }
}

/// The tree of an expression that stands alone in a block: a call is there for its effect.
fn alone(tree: &str) -> String {
    match tree.strip_prefix("(call {") {
        Some(rest) => format!("(invoke {{{rest}"),
        None => tree.to_owned(),
    }
}

const OPERATORS: [&str; 18] =
    ["+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "in", "and", "or"];

fn leaf(dice: &mut Dice) -> Written {
    let number = dice.below(1_000);
    match dice.below(11) {
        0 => Written::leaf(format!("$v{number}"), format!("(var \"v{number}\")")),
        1 => Written::leaf(number.to_string(), number.to_string()),
        2 => Written::leaf(format!("'s{number}'"), format!("\"s{number}\"")),
        3 => Written::leaf(format!("\"d{number}\""), format!("\"d{number}\"")),
        4 => Written::leaf("true", "true"),
        5 => Written::leaf("undef", "nil"),
        6 => Written::leaf(format!("T{number}"), format!("(qr \"T{number}\")")),
        7 => Written::leaf(format!("0x{number:x}"), format!("(int {{:radix 16 :value {number}}})")),
        8 => Written::leaf(format!("\"${{v{number}}}\""), format!("(concat (str (var \"v{number}\")))")),
        9 => Written::leaf(format!("$a::v{number}"), format!("(var \"a::v{number}\")")),
        _ => Written::leaf(format!("{number}.5"), format!("{number}.5")),
    }
}

fn join(items: &[Written], tokens: &mut Vec<String>) -> String {
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            tokens.push(",".to_owned());
        }
        tokens.extend(item.tokens.iter().cloned());
    }
    items.iter().map(|item| item.tree.as_str()).collect::<Vec<_>>().join(" ")
}

fn some(dice: &mut Dice, depth: usize, most: usize) -> Vec<Written> {
    (0..dice.below(most + 1)).map(|_| expression(dice, depth)).collect()
}

fn binary(dice: &mut Dice, depth: usize) -> Written {
    let operator = *dice.pick(&OPERATORS);
    let (left, right) = (expression(dice, depth).closed(), expression(dice, depth).closed());
    let tree = format!("({operator} {} {})", left.tree, right.tree);
    let mut tokens = left.tokens;
    tokens.push(operator.to_owned());
    tokens.extend(right.tokens);
    Written { tokens, tree }
}

fn collection(dice: &mut Dice, depth: usize) -> Written {
    if dice.once_in(2) {
        let mut tokens = vec!["[".to_owned()];
        let items = some(dice, depth, 3);
        let inside = join(&items, &mut tokens);
        tokens.push("]".to_owned());
        return Written { tokens, tree: format!("(array {inside})").replace(" )", ")") };
    }
    let mut tokens = vec!["{".to_owned()];
    let mut tree = "(hash".to_owned();
    for place in 0..dice.below(3) {
        let value = expression(dice, depth);
        if place > 0 {
            tokens.push(",".to_owned());
        }
        tokens.extend([format!("'k{place}'"), "=>".to_owned()]);
        tokens.extend(value.tokens);
        tree.push_str(&format!(" (=> \"k{place}\" {})", value.tree));
    }
    tokens.push("}".to_owned());
    Written { tokens, tree: tree + ")" }
}

/// `name(…)`, `$v.name(…)` and `$v.name |$p| { … }`.
fn call(dice: &mut Dice, depth: usize) -> Written {
    let arguments = some(dice, depth, 2);
    if dice.once_in(2) {
        let mut tokens = vec!["fun".to_owned(), "(".to_owned()];
        let inside = join(&arguments, &mut tokens);
        tokens.push(")".to_owned());
        return Written { tokens, tree: format!("(call {{:functor (qn \"fun\") :args [{inside}]}})") };
    }
    let mut tokens: Vec<String> = ["$v", ".", "name", "("].map(str::to_owned).into();
    let inside = join(&arguments, &mut tokens);
    tokens.push(")".to_owned());
    let mut tree = format!("(call-method {{:functor (. (var \"v\") (qn \"name\")) :args [{inside}]");
    if dice.once_in(2) {
        let body = expression(dice, depth);
        tokens.extend(["|", "$p", "|", "{"].map(str::to_owned));
        tokens.extend(body.tokens);
        tokens.push("}".to_owned());
        tree.push_str(&format!(" :block (lambda {{:params {{:p {{}}}} :body [{}]}})", alone(&body.tree)));
    }
    Written { tokens, tree: tree + "})" }
}

fn conditional(dice: &mut Dice, depth: usize) -> Written {
    let (test, then, other) =
        (expression(dice, depth).closed(), expression(dice, depth), expression(dice, depth));
    let mut tokens = vec!["if".to_owned()];
    tokens.extend(test.tokens);
    tokens.push("{".to_owned());
    tokens.extend(then.tokens);
    tokens.extend(["}", "else", "{"].map(str::to_owned));
    tokens.extend(other.tokens);
    tokens.push("}".to_owned());
    let tree =
        format!("(if {{:test {} :then [{}] :else [{}]}})", test.tree, alone(&then.tree), alone(&other.tree));
    Written { tokens, tree }
}

fn selector(dice: &mut Dice, depth: usize) -> Written {
    let (asked, value) = (expression(dice, depth).closed(), expression(dice, depth));
    let mut tokens = asked.tokens;
    tokens.extend(["?", "{", "default", "=>"].map(str::to_owned));
    tokens.extend(value.tokens);
    tokens.push("}".to_owned());
    Written { tokens, tree: format!("(? {} [(=> (default) {})])", asked.tree, value.tree) }
}

fn expression(dice: &mut Dice, depth: usize) -> Written {
    if depth == 0 {
        return leaf(dice);
    }
    match dice.below(8) {
        0 | 1 => leaf(dice),
        2 | 3 => binary(dice, depth - 1),
        4 => collection(dice, depth - 1),
        5 => call(dice, depth - 1),
        6 => conditional(dice, depth - 1),
        _ => selector(dice, depth - 1),
    }
}

/// Assigned, so that everything is a value and no call stands for its effect.
fn assignment(dice: &mut Dice, number: usize) -> Written {
    let value = expression(dice, 3);
    let mut tokens = vec![format!("$x{number}"), "=".to_owned()];
    tokens.extend(value.tokens);
    Written { tokens, tree: format!("(= (var \"x{number}\") {})", value.tree) }
}

/// Writes tokens with something between them that means nothing. An access or a call would begin where a bracket follows
/// without a space or on the same line, so brackets keep the side they were made with.
fn spaced(tokens: &[String], dice: &mut Dice, spaces: &[&str]) -> String {
    let mut text = String::new();
    for (place, token) in tokens.iter().enumerate() {
        let is_call = token == "(" && place > 0 && matches!(tokens[place - 1].as_str(), "fun" | "name");
        if place > 0 && !is_call {
            text.push_str(dice.pick::<&str>(spaces));
        }
        text.push_str(token);
    }
    text
}

fn tree(text: &str) -> String {
    let program = parse(&Source::unnamed(text)).program;
    dump(&program.unwrap_or_else(|error| panic!("{error}\n{text}")), DumpFormat::Pn)
}

#[test]
fn programs_have_the_trees_they_were_written_from() {
    for seed in 0..600 {
        let mut dice = Dice::new(seed);
        let written = assignment(&mut dice, 0);
        assert_eq!(tree(&spaced(&written.tokens, &mut dice, &[" "])), written.tree, "seed {seed}");
    }
}

#[test]
fn what_stands_between_tokens_means_nothing() {
    const SPACES: &[&str] =
        &[" ", "  ", "\t", "\u{A0}", " /* c */ ", " /* 'a\n\"b */ ", " # rest }{)(\n ", " \r\n "];
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        let written = assignment(&mut dice, 1);
        let text = spaced(&written.tokens, &mut dice, SPACES);
        // A parenthesis that is first on its line begins no call, and here none does.
        assert_eq!(tree(&text), written.tree, "seed {seed}:\n{text}");
    }
}

#[test]
fn several_statements_are_a_block_of_them() {
    for seed in 0..100 {
        let mut dice = Dice::new(seed);
        let statements: Vec<Written> = (0..2 + dice.below(4)).map(|at| assignment(&mut dice, at)).collect();
        let texts: Vec<String> =
            statements.iter().map(|one| spaced(&one.tokens, &mut dice, &[" "])).collect();
        let trees: Vec<&str> = statements.iter().map(|one| one.tree.as_str()).collect();
        let expected = format!("(block {})", trees.join(" "));
        assert_eq!(tree(&texts.join("\n")), expected, "seed {seed}");
        assert_eq!(tree(&texts.join(";")), expected, "seed {seed}");
    }
}

/// A text that is cut off is either whole up to there or broken at a place inside of it.
#[test]
fn every_beginning_of_a_program_ends_well() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let written = assignment(&mut dice, 0);
        let text = spaced(&written.tokens, &mut dice, &[" ", "\n"]);
        for (end, _) in text.char_indices() {
            let beginning = &text[..end];
            if let Err(error) = parse(&Source::new("b.pp", beginning)).program {
                let lines = beginning.lines().count().max(1);
                let (line, _) = error.position().unwrap_or((1, None));
                assert!(line as usize <= lines + 1, "{beginning:?}: {error}");
                assert!(!error.message.is_empty() && !error.code.is_empty(), "{beginning:?}");
            }
        }
    }
}

/// A token more, a token less, two tokens exchanged: a program or an error, and for the same text always the same.
#[test]
fn broken_programs_are_told_of_the_same_way_twice() {
    const MORE: &[&str] = &[
        "}", "{", ")", "(", "]", "[", "|", "=>", "'", "\"", "@(X)", "/", "$", "::", "class", "?", "\u{0}",
        "é", "\\", "%>", "<%", "#", "/*", "0x", "1e", "${",
    ];
    let mut errors = 0;
    for seed in 0..800 {
        let mut dice = Dice::new(seed);
        let mut tokens = assignment(&mut dice, 0).tokens;
        let at = dice.below(tokens.len());
        match dice.below(3) {
            0 => tokens.insert(at, (*dice.pick(MORE)).to_owned()),
            1 => drop(tokens.remove(at)),
            _ => {
                let other = dice.below(tokens.len());
                tokens.swap(at, other);
            }
        }
        let text = tokens.join(" ");
        let told = |text: &str| {
            let checked = check(&Source::new("b.pp", text), &ValidateOptions::default());
            checked.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let first = told(&text);
        assert_eq!(first, told(&text), "{text}");
        errors += usize::from(!first.is_empty());
    }
    assert!(errors > 400, "only {errors} of 800 were broken");
}

/// How deep something may stand in itself.
fn deepest(make: impl Fn(usize) -> String) -> usize {
    let fits = |depth: usize| parse(&Source::unnamed(make(depth))).program.is_ok();
    let (mut low, mut high) = (1, 4 * DEEPEST_NESTING);
    assert!(fits(low), "{}", make(1));
    assert!(!fits(high), "no limit up to {high}");
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// Runs something on a stack that holds as deep a tree as is allowed, also without optimization.
fn with_room(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn nesting_ends_at_a_limit_whatever_is_nested() {
    with_room(nesting_ends);
}

fn nesting_ends() {
    let nested = |open: &'static str, close: &'static str| {
        move |depth: usize| format!("$x = {}1{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{a => ", "}"), ("f(", ")"), ("!", ""), ("- - ", ""), ("$a[", "]")]
    {
        let depth = deepest(nested(open, close));
        assert!((50..=DEEPEST_NESTING).contains(&depth), "{open}: {depth}");
    }
    let blocks = |depth: usize| format!("{}{}", "if true { ".repeat(depth), "}".repeat(depth));
    assert!((50..=DEEPEST_NESTING).contains(&deepest(blocks)), "{}", deepest(blocks));
    let operators = |depth: usize| format!("$x = 1{}", " + 1".repeat(depth));
    assert!((50..=DEEPEST_NESTING).contains(&deepest(operators)), "{}", deepest(operators));
}

#[test]
fn texts_within_texts_end_at_a_limit() {
    with_room(texts_end);
}

fn texts_end() {
    let strings = |depth: usize| format!("$x = {}1{}", "\"${f(".repeat(depth), ")}\"".repeat(depth));
    let error = parse(&Source::unnamed(strings(5_000))).program.expect_err("too deep");
    assert!(error.place.is_some(), "{error}");
    assert!(parse(&Source::unnamed(strings(20))).program.is_ok());
}

#[test]
fn all_that_validation_finds_is_told_and_counted() {
    let options = ValidateOptions::default();
    for count in [1, 2, MOST_REPORTED, MOST_REPORTED + 5] {
        let text: String = (0..count).map(|at| format!("${at} = 1\n")).collect();
        let checked = check(&Source::new("n.pp", &*text), &options);
        assert_eq!(checked.errors().count(), count, "{text}");
        // One for each line, in the order of the lines.
        let lines: Vec<u32> =
            checked.errors().filter_map(|error| error.position()).map(|(line, _)| line).collect();
        assert_eq!(lines, (1..=u32::try_from(count).expect("few")).collect::<Vec<_>>());
        let failure = checked.failure().expect("errors");
        assert_eq!(failure.message.contains(&format!("{count} error")), count > 1, "{failure}");
    }
    let fine = check(&Source::unnamed("$x = 1"), &options);
    assert!(fine.failure().is_none() && fine.program.is_some() && fine.diagnostics.is_empty());
}

#[test]
fn a_syntax_error_stands_alone_and_leaves_no_program() {
    let checked = check(&Source::new("s.pp", "$1 = 2\n$x = = 1\n"), &ValidateOptions::default());
    assert!(checked.program.is_none());
    assert_eq!(checked.errors().count(), 1);
    assert_eq!(checked.failure().and_then(|error| error.position()).map(|(line, _)| line), Some(2));
}

/// Whatever stands outside of tags comes out of a template as it is.
#[test]
fn text_outside_of_tags_is_rendered_as_it_stands() {
    const PIECES: &[&str] =
        &["a", " ", "\n", "\t", "é", "<%%", "%%>", "$x", "{", "}", "'", "\"", "-", "#", "\\"];
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        let text = dice.text(PIECES, 12);
        let program = parse_epp(&Source::unnamed(&*text)).program;
        let tree = dump(&program.unwrap_or_else(|error| panic!("{error}: {text:?}")), DumpFormat::Json);
        let expected = text.replace("<%%", "<%").replace("%%>", "%>");
        let json: String = expected
            .chars()
            .flat_map(|character| match character {
                '"' => "\\\"".chars().collect::<Vec<_>>(),
                '\\' => "\\\\".chars().collect(),
                '\n' => "\\n".chars().collect(),
                '\t' => "\\t".chars().collect(),
                other => vec![other],
            })
            .collect();
        assert!(expected.is_empty() || tree.contains(&format!("\"{json}\"")), "{text:?}: {tree}");
    }
}

#[test]
fn an_expression_is_the_same_in_a_template() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let written = expression(&mut dice, 2);
        let text = spaced(&written.tokens, &mut dice, &[" "]);
        let template = format!("a<%= {text} %>b");
        let program = parse_epp(&Source::unnamed(&*template)).program;
        let tree = dump(&program.unwrap_or_else(|error| panic!("{error}: {template}")), DumpFormat::Pn);
        assert!(tree.contains(&format!("(render {})", written.tree)), "{template}\n{tree}\n{}", written.tree);
    }
}

#[test]
fn a_template_whose_tag_is_open_is_refused_with_its_place() {
    for text in ["<%", "a\n<%= 1", "<%# c", "<% if true { %>x", "<%- |$a"] {
        let checked = check_epp(&Source::new("t.epp", text), &ValidateOptions::default());
        let error = checked.failure().unwrap_or_else(|| panic!("{text} is accepted"));
        assert!(checked.program.is_none() && !error.message.is_empty(), "{text}: {error}");
    }
}
