//! Causes of changes: how few edits they name, and what is said where enough was tried.

use std::fmt::Write as _;

use hierarch_pcore::Hash;
use hierarch_source::MemoryFiles;

use super::*;

/// A hierarchy of three files, deep for the key `h`.
const HIERA: &str = "version: 5\nhierarchy:\n- {name: N, path: '%{facts.role}.yaml'}\n- {name: M, path: middle.yaml}\n- {name: C, path: common.yaml}\n";
const OPTIONS: &str = "lookup_options: {h: {merge: deep}}\n";

/// The data files of a state: those of the role `web`, of the middle, and the common ones.
type Data<'d> = [&'d str; 3];
const NAMES: [&str; 3] = ["data/web.yaml", "data/middle.yaml", "data/common.yaml"];

fn site(data: &Data) -> Site {
    let common = format!("{OPTIONS}{}", data[2]);
    let files =
        [("hiera.yaml", HIERA), (NAMES[0], data[0]), (NAMES[1], data[1]), (NAMES[2], common.as_str())];
    Site::on(MemoryFiles::from(files)).build()
}

fn ask(old: &Data, new: &Data, most_tried: usize) -> Impact {
    let node = |name: &str, role: &str| {
        (name.to_owned(), NodeFacts::from([("role", role)].into_iter().collect::<Hash>()))
    };
    let nodes = NodeSet::of([node("a", "web"), node("b", "db"), node("c", "db")]);
    let is_other = |(at, _): &(usize, &&str)| old[*at] != new[*at];
    let changed = NAMES.iter().enumerate().filter(is_other).map(|(_, name)| (*name).to_owned());
    impact(&Comparison {
        old: &site(old),
        new: &site(new),
        nodes: &nodes,
        tracked: None,
        changed: &changed.collect::<Vec<String>>(),
        reopen: &|overlay: Overlay| Site::on(overlay).build(),
        is_wanted: &|_| true,
        most_tried,
        progress: None,
        compiles: false,
    })
}

/// Key, nodes, edits and proof of each group.
fn told(answer: &Impact) -> Vec<String> {
    let group = |group: &Group| {
        let nodes: Vec<&str> = group.nodes.iter().map(String::as_str).collect();
        let edits: Vec<String> =
            group.causes.iter().map(|edit| format!("{}:{}", edit.file, edit.path.join("."))).collect();
        let proof = group.proof.map_or("none", Proof::name);
        format!("{} on {}: {} ({proof})", group.key, nodes.join(" "), edits.join(" "))
    };
    answer.groups.iter().map(group).collect()
}

/// A hash of many entries, and a key that takes one of them.
fn many(count: usize, word: &str) -> String {
    let mut text = "one: \"%{lookup('h.k7')}\"\nh:\n".to_owned();
    for number in 0..count {
        writeln!(text, "  k{number}: {word} {number}").expect("a text takes all");
    }
    text
}

#[test]
fn of_many_edited_leaves_the_one_that_matters_is_the_cause() {
    for count in [10, 300] {
        let answer = ask(&["", "", &many(count, "old")], &["", "", &many(count, "new")], MOST_TRIED);
        assert_eq!(
            told(&answer).last().map(String::as_str),
            Some("one on a b c: data/common.yaml:h.k7 (undone)")
        );
        let whole = answer.groups.iter().find(|group| group.key == "h").expect("a group");
        assert_eq!((whole.causes.len(), whole.proof), (count, Some(Proof::UndoneTogether)));
        assert!(answer.notes.is_empty() && !whole.is_limited, "{:?}", answer.notes);
    }
}

/// Each leaf of a hash is its own: which of many were needed is known without trying each.
#[test]
fn of_many_edited_leaves_those_that_another_file_hides_are_no_cause() {
    let hidden: String = (0..200).step_by(2).map(|number| format!("  k{number}: own\n")).collect();
    let data = |word: &str| {
        let lines: String = (0..200).map(|number| format!("  k{number}: {word} {number}\n")).collect();
        [format!("h:\n{hidden}"), "n: 1\n".to_owned(), format!("h:\n{lines}")]
    };
    let (old, new) = (data("old"), data("new"));
    let answer = ask(&old.each_ref().map(String::as_str), &new.each_ref().map(String::as_str), 16);
    let causes = |node: &str| {
        let group = answer.groups.iter().find(|group| group.nodes.iter().any(|name| name == node));
        group.map(|group| (group.causes.len(), group.proof, group.is_limited)).expect("a group")
    };
    assert_eq!(causes("a"), (100, Some(Proof::UndoneTogether), false));
    assert_eq!(causes("b"), (200, Some(Proof::UndoneTogether), false));
    assert!(answer.notes.is_empty(), "{:?}", answer.notes);
}

#[test]
fn a_change_came_through_the_token_that_digs_for_what_was_edited() {
    let data = |a: u32| {
        format!(
            "big: {{a: {a}, b: 2}}\nuse: \"%{{lookup('big.a')}} %{{lookup('big.b')}} %{{lookup('all')}}\"\nall: \"%{{lookup('big')}}\"\n"
        )
    };
    let answer = ask(&["", "", &data(1)], &["", "", &data(9)], MOST_TRIED);
    let used = answer.groups.iter().find(|group| group.key == "use").expect("a group");
    assert_eq!(used.through, ["%{lookup('big.a')}", "%{lookup('all')}"]);
}

/// A file that is gone is read by nobody, and its edits are causes all the same.
#[test]
fn files_that_are_gone_are_causes_together_with_others() {
    let files = |web: Option<&str>, common: Option<&str>| {
        let all = [
            ("hiera.yaml", Some(HIERA)),
            (NAMES[0], web),
            (NAMES[2], common),
            ("data/middle.yaml", Some(OPTIONS)),
        ];
        let there = all.into_iter().filter_map(|(name, text)| Some((name, text?)));
        let mut memory = MemoryFiles::default();
        there.for_each(|(name, text)| memory.insert(name, text));
        Site::on(memory).build()
    };
    let (old, new) = (files(Some("h: {a: 1}\n"), Some("h: {b: 1}\n")), files(None, None));
    let facts = NodeFacts::from([("role", "web")].into_iter().collect::<Hash>());
    let answer = impact(&Comparison {
        old: &old,
        new: &new,
        nodes: &NodeSet::of([("a".to_owned(), facts)]),
        tracked: None,
        changed: &[NAMES[2].to_owned(), NAMES[0].to_owned()],
        reopen: &|overlay: Overlay| Site::on(overlay).build(),
        is_wanted: &|_| true,
        most_tried: MOST_TRIED,
        progress: None,
        compiles: false,
    });
    assert_eq!(told(&answer), ["h on a: data/common.yaml:h data/web.yaml:h (undone together)"]);
}

#[test]
fn where_enough_was_tried_a_cause_may_name_more_and_says_so() {
    let answer = ask(&["", "", &many(300, "old")], &["", "", &many(300, "new")], 24);
    let one = answer.groups.iter().find(|group| group.key == "one").expect("a group");
    assert!(one.is_limited && one.causes.len() > 1 && one.causes.len() < 300, "{} edits", one.causes.len());
    assert!(one.causes.iter().any(|edit| edit.path == ["h", "k7"]));
    assert!(answer.notes.iter().any(|note| note.contains("--max-proofs")), "{:?}", answer.notes);
    let shown = answer.to_value("a", "b", "").to_json();
    assert!(shown.contains(r#""limited":true"#), "{shown}");
}

#[test]
fn edits_that_bring_the_old_answer_back_only_together_are_named_and_no_others() {
    let old = ["h: {a: 1}\n", "h: {b: 1}\nx: 1\n", "h: {c: 1}\n"];
    let new = ["h: {a: 2}\n", "h: {b: 2}\nx: 2\n", "h: {c: 2}\n"];
    assert_eq!(
        told(&ask(&old, &new, MOST_TRIED)),
        [
            "h on b c: data/middle.yaml:h.b data/common.yaml:h.c (undone together)",
            "x on a b c: data/middle.yaml:x (undone)",
            "h on a: data/web.yaml:h.a data/middle.yaml:h.b data/common.yaml:h.c (undone together)",
        ]
    );
}

#[test]
fn nodes_that_get_the_same_answers_for_other_reasons_are_told_apart() {
    let old = ["p: 1\n", "q: 1\n", "p: 1\n"];
    let new = ["p: 2\n", "q: 1\n", "p: 2\n"];
    assert_eq!(
        told(&ask(&old, &new, MOST_TRIED)),
        ["p on b c: data/common.yaml:p (undone)", "p on a: data/web.yaml:p (undone)"]
    );
}

#[test]
fn without_any_tries_changes_are_told_and_causes_are_not() {
    let answer = ask(&["", "", "p: 1\n"], &["", "", "p: 2\n"], 0);
    assert_eq!(told(&answer), ["p on a b c:  (none)"]);
    assert!(answer.notes.iter().any(|note| note.contains("--max-proofs")), "{:?}", answer.notes);
}
