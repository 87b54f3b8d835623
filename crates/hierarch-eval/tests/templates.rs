//! Templates against a model of what they render: text as it stands, expressions as their text, branches that are taken or not,
//! blanks that a tag takes with it.

mod common;

use hierarch_bits::dice::Dice;
use hierarch_eval::{Codebase, Evaluator, Hash, Value};

fn render(template: &str, parameters: Option<&Hash>) -> hierarch_source::Result<String> {
    let environment = Codebase::default();
    let mut evaluator = Evaluator::new(&environment);
    evaluator.set_variable("yes", true.into());
    evaluator.set_variable("no", false.into());
    evaluator.set_variable("n", 3.into());
    evaluator.render_epp(template, parameters).map(|value| value.to_string())
}

/// Pieces of a template with what they render.
fn pieces(dice: &mut Dice, depth: usize) -> (String, String) {
    dice.modelled(4, |dice| match dice.below(if depth == 0 { 5 } else { 8 }) {
        0 | 1 => {
            let text = dice.text(&["a", "b ", "é", "{", "}", "$n", "'", "\"", "\\", "% "], 4);
            (text.clone(), text)
        }
        2 => {
            let number = dice.below(100);
            (format!("<%= $n + {number} %>"), (number + 3).to_string())
        }
        3 => ("<%# a comment with 'quotes' %>".to_owned(), String::new()),
        4 => ("<%% <%= '%' %> %%>".to_owned(), "<% % %>".to_owned()),
        5 => {
            let (inner, gives) = pieces(dice, depth - 1);
            (format!("<% if $yes {{ %>T{inner}<% }} %>"), format!("T{gives}"))
        }
        6 => {
            let ((inner, _), (other, gives)) = (pieces(dice, depth - 1), pieces(dice, depth - 1));
            (format!("<% if $no {{ %>T{inner}<% }} else {{ %>T{other}<% }} %>"), format!("T{gives}"))
        }
        _ => {
            let ((first, _), (second, gives)) = (pieces(dice, depth - 1), pieces(dice, depth - 1));
            let template =
                format!("<% case $n {{ 1: {{ %>T{first}<% }} 3: {{ %>T{second}<% }} default: {{ }} }} %>");
            (template, format!("T{gives}"))
        }
    })
}

#[test]
fn templates_render_what_the_model_says() {
    let mut length = 0;
    for seed in 0..400 {
        let (template, expected) = pieces(&mut Dice::new(seed), 3);
        let got = render(&template, None).unwrap_or_else(|error| panic!("{error}\n{template}"));
        assert_eq!(got, expected, "seed {seed}: {template}");
        length += expected.len();
    }
    assert!(length > 2_000, "{length}");
}

/// `<%-` takes the blanks before it on its line, `-%>` the line break behind it and the blanks before that.
#[test]
fn dashes_take_the_blanks_beside_them() {
    for before in ["", "x", "  ", "\t", "x ", "\n", "\n  ", "x\n "] {
        for behind in ["", "x", "  ", "\n", " \n", "\nx", "  \n  y", "\r\n"] {
            let plain = format!("{before}<% $a = 1 %>{behind}");
            let left = format!("{before}<%- $a = 1 %>{behind}");
            let right = format!("{before}<% $a = 1 -%>{behind}");
            let both = format!("{before}<%- $a = 1 -%>{behind}");
            let kept = |template: &str| {
                render(template, None).unwrap_or_else(|error| panic!("{error}: {template:?}"))
            };
            let without_left = before.trim_end_matches([' ', '\t']);
            let cut = behind.trim_start_matches([' ', '\t']);
            let without_right = match cut.strip_prefix("\r\n").or_else(|| cut.strip_prefix('\n')) {
                Some(rest) => rest,
                // Blanks at the end of the text go, too.
                None if cut.is_empty() => cut,
                None => behind,
            };
            assert_eq!(kept(&plain), format!("{before}{behind}"), "{plain:?}");
            assert_eq!(kept(&left), format!("{without_left}{behind}"), "{left:?}");
            assert_eq!(kept(&right), format!("{before}{without_right}"), "{right:?}");
            assert_eq!(kept(&both), format!("{without_left}{without_right}"), "{both:?}");
        }
    }
}

#[test]
fn parameters_are_given_checked_and_filled() {
    let template = "<%- |Integer $a, String $b = \"${a}!\"| -%>\n<%= $a %>:<%= $b %>";
    let given = |pairs: &[(&str, Value)]| -> Hash { pairs.iter().cloned().collect() };
    assert_eq!(render(template, Some(&given(&[("a", 1.into())]))).ok().as_deref(), Some("1:1!"));
    let both = given(&[("a", 1.into()), ("b", "x".into())]);
    assert_eq!(render(template, Some(&both)).ok().as_deref(), Some("1:x"));
    for (parameters, words) in [
        (given(&[]), "expects a value for parameter $a"),
        (given(&[("a", "x".into())]), "parameter 'a' expects an Integer"),
        (given(&[("a", 1.into()), ("c", 2.into())]), "'c'"),
    ] {
        let error = render(template, Some(&parameters)).expect_err(words);
        assert!(error.message.contains(words), "{error}");
    }
}

/// A template that declares parameters sees none of the variables around it but those of the top scope.
#[test]
fn what_a_template_sets_is_its_own() {
    let environment = Codebase::default();
    let mut evaluator = Evaluator::new(&environment);
    evaluator.set_variable("top", "t".into());
    let rendered = |evaluator: &mut Evaluator, template: &str| {
        evaluator.render_epp(template, None).map(|value| value.to_string())
    };
    assert_eq!(rendered(&mut evaluator, "<% $own = 1 %><%= $own %><%= $top %>").ok().as_deref(), Some("1t"));
    // The next one may set the same name again, and does not see the first one's.
    assert_eq!(rendered(&mut evaluator, "<% $own = 2 %><%= $own %>").ok().as_deref(), Some("2"));
    assert!(rendered(&mut evaluator, "<%= $own %>").is_err());
    assert!(rendered(&mut evaluator, "<% $top = 3 %>").is_ok() || evaluator.variable("top").is_some());
    assert_eq!(evaluator.variable("top").map(|value| value.to_string()).as_deref(), Some("t"));
}

#[test]
fn an_error_in_a_template_has_its_line_and_leaves_no_text() {
    let environment = Codebase::default();
    let mut evaluator = Evaluator::new(&environment);
    for (template, line) in [("a\nb<%= 1 / 0 %>", 2), ("\n\n<% $x = $nope %>", 3)] {
        let error = evaluator.render_epp(template, None).expect_err(template);
        assert_eq!(error.position().map(|(line, _)| line), Some(line), "{template:?}: {error}");
        // What was rendered before the error does not come back.
        let next = evaluator.render_epp("<%= 'new' %>", None).map(|value| value.to_string());
        assert_eq!(next.ok().as_deref(), Some("new"));
    }
}
