//! Brute force: on generated repositories, every answer over many nodes equals what one cold lookup per node and key says,
//! and every cause, undone by hand in a copy of the files, makes its group vanish.
//!
//! CI runs a few repositories; `HIERARCH_BRUTE=1000 cargo test -p hierarch-fleet --test brute` runs more.

mod generate;

use std::collections::{BTreeMap, BTreeSet};

use generate::{Generated, generate};
use hierarch_fleet::{
    Comparison, Condition, Edit, Fleet, Impact, MOST_TRIED, NodeSet, Proof, holds, impact, values,
};
use hierarch_pcore::Value;
use hierarch_site::{NodeFacts, Root, Site};
use hierarch_source::{Files, MemoryFiles, Overlay};

/// How many repositories are generated.
fn rounds() -> u64 {
    std::env::var("HIERARCH_BRUTE").ok().and_then(|text| text.parse().ok()).unwrap_or(30)
}

/// Opens a control repository. It lies in a folder, because the top of the files is where the global layer looks.
fn site(files: impl Files + 'static) -> Site {
    Site::on(files).with_root(Root::Repository("e".to_owned())).build()
}

fn set(nodes: &[(String, NodeFacts)]) -> NodeSet {
    NodeSet::of(nodes.iter().cloned())
}

/// What a cold lookup says: a value, nothing, or a failure.
type Told = Result<Option<Value>, String>;

/// Asks one node for one key, with nothing known from before.
fn cold(files: &MemoryFiles, node: &(String, NodeFacts), key: &str) -> Told {
    let site = site(files.clone());
    let node = site.node_with(&node.0, node.1.clone());
    match node.lookup(key) {
        Ok(answer) => Ok(Some(answer.value)),
        Err(error) if error.code == hierarch_hiera::issues::NOT_FOUND => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Asks all nodes for all keys.
fn all(files: &MemoryFiles, generated: &Generated) -> BTreeMap<(String, String), Told> {
    let pairs = generated.nodes.iter().flat_map(|node| generated.keys.iter().map(move |key| (node, key)));
    pairs.map(|(node, key)| ((node.0.clone(), key.clone()), cold(files, node, key))).collect()
}

/// Returns the files that differ, sorted.
fn changed(generated: &Generated) -> Vec<String> {
    let names: BTreeSet<&String> = generated.old.keys().chain(generated.new.keys()).collect();
    names.into_iter().filter(|name| generated.old.get(*name) != generated.new.get(*name)).cloned().collect()
}

fn memory(files: &BTreeMap<String, String>) -> MemoryFiles {
    let mut memory = MemoryFiles::default();
    files.iter().for_each(|(path, text)| memory.insert(path, text.as_bytes()));
    memory
}

fn asked(generated: &Generated) -> Impact {
    let (old, new) = (site(memory(&generated.old)), site(memory(&generated.new)));
    let nodes = set(&generated.nodes);
    let changed = changed(generated);
    let reopen = |overlay: Overlay| site(overlay);
    impact(&Comparison {
        old: &old,
        new: &new,
        nodes: &nodes,
        tracked: None,
        changed: &changed,
        reopen: &reopen,
        is_wanted: &|_| true,
        most_tried: MOST_TRIED,
        progress: None,
        compiles: false,
    })
}

#[test]
fn impact_is_what_a_lookup_of_every_node_and_key_on_both_sides_says() {
    let (mut changes, mut causes, mut groups) = (0, BTreeMap::new(), 0);
    for seed in 0..rounds() {
        let generated = generate(seed);
        let answer = asked(&generated);
        let (old, new) = (all(&memory(&generated.old), &generated), all(&memory(&generated.new), &generated));
        let wanted: BTreeSet<(String, String)> =
            old.keys().filter(|id| old[*id] != new[*id]).cloned().collect();
        let mut found = BTreeSet::new();
        for group in &answer.groups {
            for node in group.nodes.iter() {
                assert!(
                    found.insert((node.clone(), group.key.clone())),
                    "seed {seed}: {node} {} twice",
                    group.key
                );
            }
            *causes.entry(group.proof.map(Proof::name)).or_insert(0) += 1;
            groups += 1;
        }
        assert_eq!(found, wanted, "seed {seed}: {:?}", generated.edits);
        changes += wanted.len();
        undo_by_hand(&generated, &answer, &old, seed);
    }
    assert!(changes > 0, "some edits change something");
    let open = causes.get(&None).copied().unwrap_or(0);
    #[allow(clippy::print_stdout, reason = "the figure of a long run")]
    let tell = |text: String| println!("{text}");
    tell(format!("{} repositories, {changes} changes in {groups} groups, proofs {causes:?}", rounds()));
    assert_eq!(open, 0, "each change has a proved cause");
}

/// Undoes the causes of each group in a copy of the new files, with a reader and writer that know nothing of the tool's.
fn undo_by_hand(generated: &Generated, answer: &Impact, old: &BTreeMap<(String, String), Told>, seed: u64) {
    for group in &answer.groups {
        let mut files = generated.new.clone();
        let mut edits: Vec<&Edit> = group.causes.iter().collect();
        // What is taken out of a list moves the items behind it, so that the last goes first and the first comes back first.
        edits.sort_by(|a, b| match (&a.old, &b.old, &a.new, &b.new) {
            (None, None, ..) => b.path.cmp(&a.path),
            (_, _, None, None) => a.path.cmp(&b.path),
            _ => (a.old.is_none() || a.new.is_none()).cmp(&(b.old.is_none() || b.new.is_none())),
        });
        for edit in edits {
            generate::undo(&mut files, &generated.old, edit, group.proof == Some(Proof::FileUndone));
        }
        let files = memory(&files);
        for node in generated.nodes.iter().filter(|node| group.nodes.contains(&node.0)) {
            let before = &old[&(node.0.clone(), group.key.clone())];
            let now = cold(&files, node, &group.key);
            assert_eq!(
                now,
                *before,
                "seed {seed}: {} of {} with {:?} undone; edits {:?} of {:?}",
                group.key,
                node.0,
                group.causes,
                generated.edits,
                changed(generated)
            );
        }
    }
}

#[test]
fn values_and_conditions_are_what_cold_lookups_say() {
    for seed in 0..rounds() {
        let generated = generate(seed);
        let files = memory(&generated.new);
        let (site, nodes) = (site(files.clone()), set(&generated.nodes));
        let fleet = Fleet::new(&site, &nodes);
        let told = all(&files, &generated);
        for key in &generated.keys {
            let answer = values(&fleet, key);
            let mut seen = BTreeSet::new();
            for group in &answer.groups {
                for node in &group.nodes {
                    assert_eq!(
                        told[&(node.clone(), key.clone())],
                        Ok(Some(group.value.clone())),
                        "seed {seed}: {key} {node}"
                    );
                    seen.insert(node.clone());
                }
                check_because(&generated, group, seed, key);
            }
            for node in &answer.missing {
                assert_eq!(told[&(node.clone(), key.clone())], Ok(None), "seed {seed}: {key} {node}");
                seen.insert(node.clone());
            }
            for one in &answer.unanswered {
                assert!(told[&(one.node.clone(), key.clone())].is_err(), "seed {seed}: {key} {}", one.node);
                seen.insert(one.node.clone());
            }
            assert_eq!(seen.len(), generated.nodes.len(), "seed {seed}: {key}");
        }
        for key in generated.keys.iter().filter(|key| key.contains("::")) {
            let condition = Condition::parse(&format!("{key} =~ NotUndef and $facts['site'] == 's1'"))
                .expect("an expression");
            let answer = holds(&fleet, &condition);
            let found: BTreeSet<&str> = answer.nodes.iter().map(|(node, _)| node.as_str()).collect();
            let is_there = |node: &&(String, NodeFacts)| {
                let site = node.1.facts.get_str("site").and_then(Value::as_str) == Some("s1");
                let told = &told[&(node.0.clone(), key.clone())];
                site && told.as_ref().is_ok_and(|value| value.as_ref().is_some_and(|value| !value.is_undef()))
            };
            let wanted: BTreeSet<&str> =
                generated.nodes.iter().filter(is_there).map(|node| node.0.as_str()).collect();
            assert_eq!(found, wanted, "seed {seed}: {key}");
        }
    }
}

/// Reasons hold for all nodes of the group and for no other.
fn check_because(generated: &Generated, group: &hierarch_fleet::ValueGroup, seed: u64, key: &str) {
    let Some(because) = &group.because else { return };
    let value = |node: &(String, NodeFacts), name: &str| match name.strip_prefix("facts.") {
        Some(fact) => node.1.facts.get_str(fact).cloned(),
        None => match name {
            "trusted.certname" => node.1.facts.get_str("clientcert").cloned(),
            name => node.1.facts.get_str(name).cloned(),
        },
    };
    for node in &generated.nodes {
        let holds = because.iter().all(|(name, wanted)| value(node, name).as_ref() == Some(wanted));
        assert_eq!(holds, group.nodes.contains(&node.0), "seed {seed}: {key} {because:?} {}", node.0);
    }
}

const CONFIG: &str = "version: 5
hierarchy:
- {name: Node, path: 'nodes/%{facts.clientcert}.yaml'}
- {name: Site, path: '%{facts.site}.yaml'}
- {name: Common, path: common.yaml}
";

const COMMON: &str = "lookup_options:
  list: {merge: unique}
a: 1
b: \"<%{lookup('a')}>\"
c: {x: 1, y: [1, 2]}
list: [1]
anchored: &x [1]
same: *x
";

/// Edits one file of a small repository with four nodes, two of them in the site `s1`; each group is told in one line.
fn check(file: &str, text: Option<&str>, expected: &[&str]) {
    let base = [("hiera.yaml", CONFIG), ("data/common.yaml", COMMON), ("data/s1.yaml", "a: 2\nlist: [2]\n")];
    let old: BTreeMap<String, String> =
        base.iter().map(|(path, text)| (format!("e/{path}"), (*text).to_owned())).collect();
    let mut new = old.clone();
    match text {
        Some(text) => new.insert(format!("e/{file}"), text.to_owned()),
        None => new.remove(&format!("e/{file}")),
    };
    let nodes = (0..4).map(|number| generate::node(number, number % 2)).collect();
    let generated = Generated { old, new, nodes, keys: Vec::new(), edits: Vec::new() };
    let line = |group: &hierarch_fleet::Group| {
        let place = |edit: &Edit| format!("{}:{}", &edit.file[2..], edit.path.join("."));
        let causes: Vec<String> = group.causes.iter().map(place).collect();
        let proof = group.proof.map_or("none", Proof::name);
        format!("{} {} x{} {} {proof}", group.key, group.kind.name(), group.nodes.len(), causes.join("+"))
    };
    let mut lines: Vec<String> = asked(&generated).groups.iter().map(line).collect();
    lines.sort();
    assert_eq!(lines, expected, "{file}: {text:?}");
}

fn check_common(from: &str, to: &str, expected: &[&str]) {
    assert!(COMMON.contains(from), "{from}");
    check("data/common.yaml", Some(&COMMON.replace(from, to)), expected);
}

#[test]
fn a_leaf_that_changes_comes_or_goes_is_the_cause() {
    check_common(
        "a: 1\n",
        "a: 5\n",
        &["a changed x2 data/common.yaml:a undone", "b changed x2 data/common.yaml:a undone"],
    );
    check_common("y: [1, 2]", "y: [1, 2, 3]", &["c changed x4 data/common.yaml:c.y.2 undone"]);
    check_common(
        "y: [1, 2]",
        "y: [2, 1]",
        &["c reordered x4 data/common.yaml:c.y.0+data/common.yaml:c.y.1 undone together"],
    );
    check_common("c: {x: 1, y: [1, 2]}\n", "", &["c removed x4 data/common.yaml:c undone"]);
    check_common("list: [1]\n", "list: [1]\nd: new\n", &["d added x4 data/common.yaml:d undone"]);
    check_common(
        "merge: unique",
        "merge: first",
        &["list changed x2 data/common.yaml:lookup_options.list.merge undone"],
    );
    check_common(
        "&x [1]",
        "&x [7]",
        &[
            "anchored changed x4 data/common.yaml:anchored.0 file undone",
            "same changed x4 data/common.yaml:same.0 file undone",
        ],
    );
}

#[test]
fn a_file_that_comes_goes_or_breaks_is_the_cause() {
    check(
        "data/nodes/n1.yaml",
        Some("a: 9\n"),
        &["a changed x1 data/nodes/n1.yaml:a undone", "b changed x1 data/nodes/n1.yaml:a undone"],
    );
    check(
        "data/s1.yaml",
        None,
        &[
            "a changed x2 data/s1.yaml:a undone",
            "b changed x2 data/s1.yaml:a undone",
            "list changed x2 data/s1.yaml:list undone",
        ],
    );
    let failing = ["a", "anchored", "b", "c", "list", "same"];
    let failing = failing.map(|key| format!("{key} failing x1 data/nodes/n1.yaml: undone"));
    check("data/nodes/n1.yaml", Some("a: [\n"), &failing.each_ref().map(String::as_str));
    let config = CONFIG.replace("- {name: Site, path: '%{facts.site}.yaml'}\n", "");
    check(
        "hiera.yaml",
        Some(&config),
        &[
            "a changed x2 hiera.yaml:hierarchy.1 undone",
            "b changed x2 hiera.yaml:hierarchy.1 undone",
            "list changed x2 hiera.yaml:hierarchy.1 undone",
        ],
    );
}

#[test]
fn what_changes_nothing_is_no_change() {
    check("data/common.yaml", Some(&format!("# why\n{COMMON}")), &[]);
    check("README.md", Some("text"), &[]);
    check("data/unread.yaml", Some("a: 77\n"), &[]);
}

#[test]
fn a_function_that_makes_data_up_is_an_edit_of_its_file() {
    let files = |body: &str| {
        let config = "version: 5\nhierarchy: [{name: F, data_hash: mine}, {name: C, path: common.yaml}]\n";
        BTreeMap::from([
            ("e/hiera.yaml".to_owned(), config.to_owned()),
            ("e/data/common.yaml".to_owned(), "a: 0\n".to_owned()),
            ("e/functions/mine.pp".to_owned(), format!("function mine($options, $context) {{ {body} }}")),
        ])
    };
    let (old, new) = (files("{'a' => 1}"), files("{'a' => 2}"));
    let (old, new) = (site(memory(&old)), site(memory(&new)));
    let answer = impact(&Comparison {
        old: &old,
        new: &new,
        nodes: &NodeSet::of([generate::node(0, 0)]),
        tracked: None,
        changed: &["e/functions/mine.pp".to_owned()],
        reopen: &|overlay: Overlay| site(overlay),
        is_wanted: &|_| true,
        most_tried: MOST_TRIED,
        progress: None,
        compiles: false,
    });
    let [group] = answer.groups.as_slice() else { panic!("one change: {:?}", answer.groups) };
    assert_eq!((group.key.as_str(), group.causes[0].file.as_str()), ("a", "e/functions/mine.pp"));
    assert!(group.causes[0].is_whole_file() && group.proof == Some(Proof::Undone));
}
