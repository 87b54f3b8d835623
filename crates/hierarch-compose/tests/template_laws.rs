//! Laws of filters and tests in templates: each line of `template_laws.txt` is a list of samples and a condition that is true for
//! every `x` among them. All of them hold in Ansible, where they were asked first.

use hierarch_compose::expr::{Context, Expressions};
use hierarch_pcore::Hash;

const LAWS: &str = include_str!("template_laws.txt");

/// Renders a template that names the samples which break a law.
fn broken(samples: &str, law: &str) -> String {
    let template =
        format!("{{% for x in {samples} %}}{{{{ '' if ({law}) else 'not for ' ~ x ~ '; ' }}}}{{% endfor %}}");
    let expressions = Expressions::new(Hash::new()).expect("an empty document");
    match expressions.render(&template, &Context::default()) {
        Ok(text) => text.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn laws_of_filters_hold() {
    let mut wrong = Vec::new();
    for line in LAWS.lines() {
        let (samples, law) = line.split_once(" ==> ").expect("samples, an arrow, a law");
        let got = broken(samples, law);
        if !got.is_empty() {
            wrong.push(format!("{line}\n  {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} laws do not hold:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_law_that_does_not_hold_is_seen() {
    assert_eq!(broken("[1, 2]", "x == 1"), "not for 2; ");
    assert!(broken("[1]", "x | nothing").contains("nothing"));
}
