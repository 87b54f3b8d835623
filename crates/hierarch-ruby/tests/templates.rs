//! ERB templates against a model of what they render, and values on their way between Puppet and Ruby.

use hierarch_bits::dice::Dice;
use hierarch_pcore::{Hash, Value as Puppet};
use hierarch_ruby::run::{NoHost, outcome};
use hierarch_ruby::{Ruby, ScriptLimits, Vm, erb};

fn render(template: &str) -> Result<String, String> {
    let mut host = NoHost;
    let mut vm = Vm::new(Box::new(Ruby::new(ScriptLimits::default())), &mut host);
    let result = vm.program(&erb::compile(template), "t.erb").and_then(|program| vm.run(&program));
    match result {
        Ok(text) => vm.to_s(&text).map(|text| text.to_string()).map_err(|flow| vm.failure(*flow).to_string()),
        Err(flow) => Err(vm.failure(*flow).to_string()),
    }
}

/// Pieces of a template with what they render.
fn pieces(dice: &mut Dice, depth: usize) -> (String, String) {
    dice.modelled(4, |dice| match dice.below(if depth == 0 { 5 } else { 8 }) {
        0 | 1 => {
            let text = dice.text(&["a", "b ", "é", "#{x}", "\"", "'", "\\", "\\n", "% ", "#", "@"], 4);
            (text.clone(), text)
        }
        2 => {
            let number = dice.below(100);
            (format!("<%= 3 + {number} %>"), (number + 3).to_string())
        }
        3 => ("<%# a comment with 'quotes' %>".to_owned(), String::new()),
        4 => ("<%% %%>".to_owned(), "<% %%>".to_owned()),
        5 => {
            let (inner, gives) = pieces(dice, depth - 1);
            let count = dice.below(4);
            let rendered = (0..count).map(|turn| format!("{gives}{turn}")).collect();
            (format!("<% {count}.times do |i| %>{inner}<%= i %><% end %>"), rendered)
        }
        6 => {
            let ((inner, _), (other, gives)) = (pieces(dice, depth - 1), pieces(dice, depth - 1));
            (format!("<% if false then %>{inner}<% else %>{other}<% end %>"), gives)
        }
        _ => {
            let (inner, gives) = pieces(dice, depth - 1);
            (format!("<% begin %>{inner}<% ensure %>e<% end %>"), format!("{gives}e"))
        }
    })
}

#[test]
fn templates_render_what_the_model_says() {
    let mut length = 0;
    for seed in 0..300 {
        let (template, expected) = pieces(&mut Dice::new(seed), 3);
        assert_eq!(render(&template), Ok(expected.clone()), "seed {seed}: {template}");
        length += expected.len();
    }
    assert!(length > 2_000, "{length}");
}

/// The source of a template has its lines where the template has them, whatever stands in it.
#[test]
fn lines_of_the_source_are_lines_of_the_template() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let before = dice.text(
            &["a\n", "\n", "x", "<%= 1 %>\n", "<%# c %>\n", "<% y = 1 -%>\n", "  <%- y = 2 %>\n", "é\n"],
            8,
        );
        let line = before.matches('\n').count() + 1;
        let rendered = render(&format!("{before}<%= \"line #{{__LINE__}}\" %>"));
        let rendered = rendered.unwrap_or_else(|error| panic!("{error}: {before:?}"));
        assert!(rendered.ends_with(&format!("line {line}")), "{before:?}: {rendered:?}");
        assert_eq!(erb::compile(&before).matches('\n').count() + 1, line, "{before:?}");
    }
}

/// Texts, numbers, lists and hashes come back as they went.
#[test]
fn values_go_to_ruby_and_come_back() {
    fn value(dice: &mut Dice, depth: usize) -> Puppet {
        match dice.below(if depth == 0 { 6 } else { 8 }) {
            0 => Puppet::Undef,
            1 => Puppet::from(i64::try_from(dice.below(1 << 40)).unwrap_or(0) - (1 << 39)),
            2 => Puppet::from(*dice.pick(&[0.0, -1.5, 1e300, 1e-300])),
            3 => Puppet::from(dice.once_in(2)),
            4 | 5 => Puppet::from(dice.text(&["a", "é", "\u{0}", "\n", "😀", "#{x}", "\\"], 5)),
            6 => Puppet::array((0..dice.below(4)).map(|_| value(dice, depth - 1)).collect()),
            _ => {
                let mut hash = Hash::new();
                for number in 0..dice.below(4) {
                    let key = if dice.once_in(2) {
                        Puppet::from(format!("k{number}"))
                    } else {
                        Puppet::from(number as i64)
                    };
                    hash.insert(key, value(dice, depth - 1));
                }
                Puppet::hash(hash)
            }
        }
    }
    let mut host = NoHost;
    let mut vm = Vm::new(Box::new(Ruby::new(ScriptLimits::default())), &mut host);
    for seed in 0..500 {
        let value = value(&mut Dice::new(seed), 3);
        let ruby = vm.from_puppet(&value).unwrap_or_else(|flow| panic!("{value}: {}", vm.failure(*flow)));
        let again = vm.to_puppet(&ruby).unwrap_or_else(|flow| panic!("{value}: {}", vm.failure(*flow)));
        assert_eq!(again.program_text(), value.program_text(), "seed {seed}");
    }
}

/// A limit, a program that wants more than that and would end, and what its error is called.
fn limits() -> Vec<(ScriptLimits, &'static str)> {
    let usual = ScriptLimits::default();
    vec![
        (ScriptLimits { steps: 1_000, ..usual }, "n = 0; 5_000.times { n += 1 }; n"),
        (ScriptLimits { memory: 1 << 20, ..usual }, "a = []; 200_000.times { |i| a << i.to_s }; a.size"),
        (ScriptLimits { size: 1_000, ..usual }, "('x' * 5_000).size"),
        (ScriptLimits { symbols: 50, ..usual }, "200.times { |i| \"own symbol #{i}\".to_sym }; 1"),
    ]
}

#[test]
fn every_limit_ends_a_script_that_cannot_rescue_it() {
    for (limits, code) in limits() {
        let end = outcome(code, limits).expect_err(code);
        assert!(end.class.chars().all(|one| one.is_ascii_uppercase() || one == '_'), "{code}: {end}");
        assert!(
            end.message.as_deref().is_some_and(|message| message.chars().any(|one| one.is_ascii_digit())),
            "{code}: {end}"
        );
        let rescued = format!("begin; {code}; rescue Exception; :rescued; ensure; :ensured; end");
        assert_eq!(outcome(&rescued, limits).expect_err(code), end, "{rescued}");
        // Within the usual limits it ends well.
        assert!(outcome(code, ScriptLimits::default()).is_ok(), "{code}");
    }
}

/// Recursion is the one limit that is Ruby's own, and scripts may rescue it.
#[test]
fn deep_calls_raise_what_ruby_raises() {
    let limits = ScriptLimits { depth: 100, ..ScriptLimits::default() };
    let code = "def f(n) = n.zero? ? 0 : f(n - 1)\n";
    assert_eq!(outcome(&format!("{code}f(50)"), limits), Ok("0".to_owned()));
    let end = outcome(&format!("{code}f(500)"), limits).expect_err("too deep");
    assert_eq!(end.class, "SystemStackError");
    let rescued =
        outcome(&format!("{code}begin; f(500); rescue SystemStackError => e; e.message; end"), limits);
    assert_eq!(rescued, Ok("\"stack level too deep\"".to_owned()));
}

/// What is let go does not count any more: only what is alive does.
#[test]
fn garbage_is_given_back() {
    let limits = ScriptLimits { memory: 4 << 20, ..ScriptLimits::default() };
    for code in [
        "2_000.times { 'x' * 10_000 }; 1",
        "200.times { (0..1_000).map(&:to_s) }; 1",
        "h = {}; 3_000.times { |i| h[i] = 'x' * 1_000; h.delete(i - 10) }; h.size",
        "a = 'x'; 2_000.times { a = 'y' * 10_000 }; a.size",
        "200.times { a = []; a << a << 'x' * 1_000; a.clear }; 1",
    ] {
        assert!(outcome(code, limits).is_ok(), "{code}: {:?}", outcome(code, limits));
    }
    let kept = outcome("a = []; 2_000.times { a << 'x' * 10_000 }; 1", limits).expect_err("it is kept");
    assert!(kept.message.is_some(), "{kept}");
}
