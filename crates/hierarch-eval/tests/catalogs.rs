//! Catalogs against small models: who is collected, what is overridden, which defaults count, how resources relate, and that
//! the same manifest gives the same catalog.

mod common;

use std::collections::BTreeSet;

use common::{catalog, compile};
use hierarch_bits::dice::Dice;
use hierarch_eval::{Catalog, Codebase, Evaluator, Value};
use hierarch_source::Source;

/// A virtual resource of the model.
struct Virtual {
    title: String,
    message: String,
    tags: Vec<&'static str>,
}

const TAGS: [&str; 3] = ["one", "two", "three"];

impl Virtual {
    fn new(dice: &mut Dice, number: usize) -> Self {
        Self {
            title: format!("r{number}"),
            message: format!("m{}", dice.below(3)),
            tags: TAGS.into_iter().filter(|_| dice.once_in(2)).collect(),
        }
    }

    fn manifest(&self) -> String {
        let tags: Vec<String> = self.tags.iter().map(|tag| format!("'{tag}'")).collect();
        format!(
            "@notify {{ '{}': message => '{}', tag => [{}] }}\n",
            self.title,
            self.message,
            tags.join(", ")
        )
    }
}

/// A query: its text, and whether a resource answers it.
struct Query {
    text: String,
    holds: Box<dyn Fn(&Virtual) -> bool>,
}

fn query(dice: &mut Dice, depth: usize) -> Query {
    if depth > 0 && dice.once_in(2) {
        let (left, right) = (query(dice, depth - 1), query(dice, depth - 1));
        return if dice.once_in(2) {
            Query {
                text: format!("({} and {})", left.text, right.text),
                holds: Box::new(move |one| (left.holds)(one) && (right.holds)(one)),
            }
        } else {
            Query {
                text: format!("({} or {})", left.text, right.text),
                holds: Box::new(move |one| (left.holds)(one) || (right.holds)(one)),
            }
        };
    }
    let wanted = format!("m{}", dice.below(3));
    let title = format!("r{}", dice.below(12));
    let tag = *dice.pick(&TAGS);
    match dice.below(5) {
        0 => Query {
            text: format!("message == '{wanted}'"),
            holds: Box::new(move |one| one.message == wanted),
        },
        1 => Query {
            text: format!("message != '{wanted}'"),
            holds: Box::new(move |one| one.message != wanted),
        },
        2 => Query { text: format!("title == '{title}'"), holds: Box::new(move |one| one.title == title) },
        3 => Query { text: format!("title != '{title}'"), holds: Box::new(move |one| one.title != title) },
        _ => Query { text: format!("tag == '{tag}'"), holds: Box::new(move |one| one.tags.contains(&tag)) },
    }
}

fn notified(catalog: &Catalog) -> BTreeSet<String> {
    let notifies = catalog.resources.iter().filter(|resource| resource.type_name == "Notify");
    notifies.map(|resource| resource.title.to_string()).collect()
}

#[test]
fn collectors_realize_what_answers_their_query() {
    let mut realized = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let resources: Vec<Virtual> = (0..12).map(|number| Virtual::new(&mut dice, number)).collect();
        let query = query(&mut dice, 2);
        // Before or after what it collects: a collector waits until all is known.
        let declared: String = resources.iter().map(Virtual::manifest).collect();
        let collector = format!("Notify <| {} |>\n", query.text);
        let expected: BTreeSet<String> =
            resources.iter().filter(|one| (query.holds)(one)).map(|one| one.title.clone()).collect();
        realized += expected.len();
        for code in [format!("{declared}{collector}"), format!("{collector}{declared}")] {
            assert_eq!(notified(&catalog(&code)), expected, "{code}");
        }
    }
    assert!(realized > 300, "{realized}");
}

/// Two collectors together realize what either of them does.
#[test]
fn collectors_do_not_disturb_each_other() {
    for seed in 0..80 {
        let mut dice = Dice::new(1_000 + seed);
        let resources: Vec<Virtual> = (0..8).map(|number| Virtual::new(&mut dice, number)).collect();
        let queries = [query(&mut dice, 1), query(&mut dice, 1)];
        let declared: String = resources.iter().map(Virtual::manifest).collect();
        let alone = |query: &Query| notified(&catalog(&format!("{declared}Notify <| {} |>", query.text)));
        let both = format!("{declared}Notify <| {} |>\nNotify <| {} |>", queries[0].text, queries[1].text);
        let expected: BTreeSet<String> = alone(&queries[0]).union(&alone(&queries[1])).cloned().collect();
        assert_eq!(notified(&catalog(&both)), expected, "{both}");
    }
}

/// What a collector overrides changes those it realizes and no others.
#[test]
fn overrides_reach_exactly_the_collected() {
    for seed in 0..80 {
        let mut dice = Dice::new(2_000 + seed);
        let resources: Vec<Virtual> = (0..8).map(|number| Virtual::new(&mut dice, number)).collect();
        let query = query(&mut dice, 1);
        let declared: String = resources.iter().map(Virtual::manifest).collect();
        let code = format!("{declared}Notify <| |>\nNotify <| {} |> {{ withpath => true }}", query.text);
        let catalog = catalog(&code);
        for one in &resources {
            let resource = catalog.find("Notify", &one.title).expect("all are realized");
            assert_eq!(resource.parameter("withpath").is_some(), (query.holds)(one), "{}: {code}", one.title);
            assert_eq!(resource.parameter("message").map(ToString::to_string), Some(one.message.clone()));
        }
    }
}

/// A resource that a defined type declares in its turn is collected as well, however deep.
#[test]
fn collectors_and_defined_types_take_turns_until_nothing_is_left() {
    for depth in 1..8 {
        let code = format!(
            "define step(Integer $left) {{\n  @notify {{ \"n${{left}}\": }}\n  if $left > 1 {{ @step {{ \"s${{left}}\": left => $left - 1 }} }}\n}}\n\
             step {{ 'top': left => {depth} }}\nStep <| |>\nNotify <| |>"
        );
        let expected: BTreeSet<String> = (1..=depth).map(|number| format!("n{number}")).collect();
        assert_eq!(notified(&catalog(&code)), expected);
    }
}

#[test]
fn the_same_manifest_gives_the_same_catalog() {
    for seed in 0..30 {
        let mut dice = Dice::new(3_000 + seed);
        let resources: Vec<Virtual> = (0..10).map(|number| Virtual::new(&mut dice, number)).collect();
        let declared: String = resources.iter().map(Virtual::manifest).collect();
        let code = format!(
            "{declared}Notify <| {} |>\nclass a {{ notify {{ 'x': }} }}\nclass {{ 'a': }}",
            query(&mut dice, 2).text
        );
        let text = |mut catalog: Catalog| {
            catalog.version = 0;
            catalog.to_json("u")
        };
        let first = text(catalog(&code));
        assert_eq!(text(catalog(&code)), first, "{code}");
        // Once more in the same environment, in which all that was loaded is shared.
        let environment = Codebase::default();
        for _ in 0..2 {
            let again =
                Evaluator::new(&environment).compile(&[Source::new("site.pp", &*code)]).expect("it compiles");
            assert_eq!(text(again), first, "{code}");
        }
    }
}

/// Every resource but the stage is contained in exactly one other, and the way up leads to the stage.
#[test]
fn containment_is_a_tree() {
    for seed in 0..60 {
        let mut dice = Dice::new(4_000 + seed);
        let mut code = String::new();
        for number in 0..=dice.below(5) {
            code.push_str(&format!("class c{number} {{ notify {{ 'c{number}': }}"));
            if number > 0 && dice.once_in(2) {
                code.push_str(&format!(" class {{ 'c{}': }}", dice.below(number)));
            }
            code.push_str(" }\n");
            code.push_str(&format!("define d{number}() {{ notify {{ \"d{number} $title\": }} }}\n"));
            code.push_str(&format!("d{number} {{ ['a', 'b']: }}\n"));
        }
        code.push_str("class { 'c0': }\n");
        let Ok(catalog) = compile(&code) else { continue };
        let mut parents = vec![Vec::new(); catalog.resources.len()];
        for &(parent, child) in &catalog.edges {
            parents[child].push(parent);
        }
        for (child, above) in parents.iter().enumerate() {
            let resource = &catalog.resources[child];
            assert_eq!(above.len(), usize::from(resource.type_name != "Stage"), "{}", resource.title);
            let (mut at, mut steps) = (child, 0);
            while let [parent] = parents[at].as_slice() {
                at = *parent;
                steps += 1;
                assert!(steps <= catalog.resources.len(), "{} is in a circle", resource.title);
            }
            assert_eq!(catalog.resources[at].type_name, "Stage", "{}", resource.title);
        }
    }
}

/// Defaults count for what is declared in the same scope and below, where nothing else is said; inner ones go before outer.
#[test]
fn defaults_count_where_nothing_else_is_said() {
    for seed in 0..100 {
        let mut dice = Dice::new(5_000 + seed);
        let (outer, inner, own) = (dice.once_in(2), dice.once_in(2), dice.once_in(2));
        let line = |given: bool, text: &str| if given { text.to_owned() } else { String::new() };
        let code = format!(
            "{}class c {{\n{}notify {{ 'n': {} }}\n}}\nclass {{ 'c': }}\nnotify {{ 'top': }}",
            line(outer, "Notify { message => 'outer' }\n"),
            line(inner, "Notify { message => 'inner' }\n"),
            line(own, "message => 'own'"),
        );
        let catalog = catalog(&code);
        let message = |title: &str| {
            let resource = catalog.find("Notify", title).expect("it is declared");
            resource.parameter("message").map(ToString::to_string)
        };
        let expected =
            [(own, "own"), (inner, "inner"), (outer, "outer")].into_iter().find(|(given, _)| *given);
        assert_eq!(message("n"), expected.map(|(_, text)| text.to_owned()), "{code}");
        assert_eq!(message("top"), outer.then(|| "outer".to_owned()), "{code}");
    }
}

/// Arrows become the attribute of one of the two, whichever way they are written.
#[test]
fn arrows_say_the_same_in_both_directions() {
    for (forth, back, name) in [("->", "<-", "before"), ("~>", "<~", "notify")] {
        let left = catalog(&format!("notify {{ ['a', 'b']: }}\nNotify['a'] {forth} Notify['b']"));
        let right = catalog(&format!("notify {{ ['a', 'b']: }}\nNotify['b'] {back} Notify['a']"));
        for catalog in [left, right] {
            let a = catalog.find("Notify", "a").expect("a");
            assert_eq!(a.parameter(name).map(ToString::to_string).as_deref(), Some("[Notify[b]]"));
            assert!(catalog.find("Notify", "b").is_some_and(|b| b.parameters.is_empty()));
        }
    }
}

/// `a -> b -> c` in all the ways to say it.
#[test]
fn a_chain_is_the_sum_of_its_links() {
    let all = "notify { ['a', 'b', 'c']: }\n";
    let relations = |code: &str| {
        let catalog = catalog(code);
        let found = catalog
            .resources
            .iter()
            .filter_map(|one| Some((one.title.to_string(), one.parameter("before")?.to_string())));
        found.collect::<BTreeSet<_>>()
    };
    let expected = relations(&format!("{all}Notify['a'] -> Notify['b'] Notify['b'] -> Notify['c']"));
    assert_eq!(expected.len(), 2);
    for code in [
        "Notify['a'] -> Notify['b'] -> Notify['c']",
        "Notify['c'] <- Notify['b'] <- Notify['a']",
        "Notify['b'] -> Notify['c'] Notify['a'] -> Notify['b']",
    ] {
        assert_eq!(relations(&format!("{all}{code}")), expected, "{code}");
    }
    let alone = relations("notify { 'a': } -> notify { 'b': } -> notify { 'c': }");
    assert_eq!(alone, expected);
    let many = relations(&format!("{all}Notify['a', 'b'] -> Notify['c']"));
    assert_eq!(many.len(), 2, "{many:?}");
}

/// What is wrong is told with the place where it is written, and what came before is not forgotten.
#[test]
fn errors_of_catalogs_have_the_place_of_what_is_wrong() {
    for (code, line, words) in [
        ("notify { 'a': }\nnotify { 'a': }", 2, "Duplicate declaration: Notify[a]"),
        ("class c {\n  notify { 'a': nope => 1 }\n}\nclass { 'c': }", 2, "no parameter named 'nope'"),
        ("define d(Integer $x) { }\n\nd { 'a': x => 'b' }", 3, "parameter 'x' expects an Integer"),
        ("define d(Integer $x) { }\nd { 'a': }", 2, "expects a value for parameter 'x'"),
        ("\n\nclass { 'nope': }", 3, "Could not find declared class nope"),
        ("$x = 1\n\n$x = 2", 3, "Cannot reassign variable '$x'"),
    ] {
        let error = compile(code).expect_err(code);
        assert!(error.to_string().contains(words), "{code}: {error}");
        assert_eq!(error.position().map(|(line, _)| line), Some(line), "{code}: {error}");
    }
}

#[test]
fn what_is_never_declared_is_missed_by_its_name() {
    for (code, words) in [
        ("Notify['x'] -> Notify['y']", "Could not find resource 'Notify[x]'"),
        ("notify { 'y': }\nNotify['x'] ~> Notify['y']", "Could not find resource 'Notify[x]'"),
        ("Notify['a'] { message => 1 }", "Could not find resource(s) Notify[a] for overriding"),
        ("notify { 'a': require => Notify['b'] }", "Could not find resource 'Notify[b]'"),
    ] {
        let error = compile(code).map(|catalog| catalog.to_json("u")).expect_err(code);
        assert!(error.message.contains(words), "{code}: {error}");
    }
}

#[test]
fn a_resource_knows_all_that_it_stands_in() {
    let catalog = catalog(
        "class a::b { include_me { 'x': tag => 'Own' } }\ndefine include_me() { notify { $title: } }\nclass { 'a::b': }",
    );
    let tags: BTreeSet<&str> =
        catalog.find("Notify", "x").expect("declared").tags.iter().map(|tag| &**tag).collect();
    for tag in ["notify", "x", "include_me", "own", "class", "a::b", "a", "b"] {
        assert!(tags.contains(tag), "{tag} in {tags:?}");
    }
}

#[test]
fn secrets_are_listed_and_can_be_hidden() {
    let environment = Codebase::default();
    let mut evaluator = Evaluator::new(&environment);
    evaluator.set_variable("secret", Value::sensitive("s3cret".into()));
    let code = "notify { 'a': message => $secret }\nnotify { 'b': message => 'open' }";
    let mut catalog = evaluator.compile(&[Source::unnamed(code)]).expect("it compiles");
    let secret = catalog.find("Notify", "a").expect("a");
    assert_eq!(secret.sensitive, ["message"]);
    catalog.hide(&|text| text.to_owned(), &Clone::clone);
    let json = catalog.to_json("u");
    assert!(!json.contains("s3cret") && json.contains("open"), "{json}");
}
