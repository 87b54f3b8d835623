//! What the fast lane accepts is exactly what the full parsers read; `scripts/check-yaml-files` asks that of thousands of files.

use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, NodeId, Tree, read_fully, read_simple};

const ACCEPTED: &[&str] = &[
    "a: 1\nb: [x, 'y', {c: ~}]\n",
    "---\na: &x {b: 1}\nc: *x\n...\n",
    "a: |\n  x\n\n  y\nb: >-\n  x\n  y\nc: 1\n",
    "a: !name 1\nb: !name\n  c: 2\n",
    "a: ! x\nb: ! \"1\"\nc: ! 1\nd: ! true\n",
    "- ! 5\n- ! |\n  5\n- ! [1]\n- ! {a: 1}\n",
    "a: ! \n  b: 1\nc: ! # nothing\n",
    "a: 1\n---\nb: [2]\n--- # three\n- c\n",
    "---\na: |\n  x\n---\nb:\n- c: 1\n  d:\n---\ne: f g\n",
    "--- {a: 1}\n--- [2]\n",
    "a: 1\n...\n# between\n---\nb: 2\n...\n",
    "a:\n---\nb: 'x'\n",
    "a: !!str 1\nb: !!int '2'\nc: !!map {d: 1}\nd: !!set\n  e: ~\n",
    "a: &x !name 1\nb: !name &y\n  c: *x\nd: !a/b.c:d x\n",
    "a: [!Ref b, !Sub 'c', !Join [d, !Ref e], &n f, *n]\nb: {<<: *n, c: *n}\n",
    "a: !GetAtt x.y\nb: !vault |\n  $ANSIBLE\n  6162\n",
    "? a\n: b\n? 'c d'\n: [e]\n",
    "x:\n  ? long key\n  : value\n  y: 1\n  ? z\n  :\n    w: 1\n",
];

/// Whether the lane is left here does not matter, as long as nothing else is read in it.
const DOUBTFUL: &[&str] = &[
    "a: !\nb: 1\n",
    "- ! a: b\n",
    "a: ! &x 1\n",
    "a: !!str 1\n",
    "a: !\t1\n",
    "? a\n: ! b\n",
    "? a\n: - e\n",
    "---\n---\na: 1\n",
    "a: 1\n---\n",
    "---\n# c\n---\n",
    "a: 1\n...\nb: 2\n",
    "? a\n? b\n",
    "? a\n:\n- b\n",
    "? a\n:  \nc: 1\n",
    "? - a\n: b\n",
    "--- a\n--- b\n",
    "a: 1\n---b\n",
    "a: 1\n--- |\n x\n",
    "a: 'x\n---\ny'\n",
    "a: x\n---\n y\n",
    "[a\n---\n]\n",
    "a: !<x> b\n",
    "a: !x%20y b\n",
    "a: !!foo b\n",
    "a: [!x]\n",
    "a: [!x , b]\n",
    "a: [ &x , b]\n",
    "a: &x &y b\n",
    "? a # c\n: b\n",
    "? a\n # c\n: b\n",
    "a: 1\n... # c\n---\nb: 1\n",
    "a: [*b]\n",
    "a: 1\n---\nb: *a\n",
    "a: &x 1\n---\nb: *x\n",
    "a: 1\n%YAML 1.1\n---\nb: 1\n",
    "a: {b: !x , c: 1}\n",
    "a: !x\n---\nb: 1\n",
    "- a\n---\n- b\n",
    "- !x\n---\n- b\n",
    "-\n---\na: 1\n",
];

/// Everything that a reader says about each node.
fn nodes(tree: &Tree) -> Vec<String> {
    let node = |id: NodeId| {
        let (kind, style, span, outer) = (tree.kind(id), tree.style(id), tree.span(id), tree.outer_span(id));
        let (text, tag, anchor) = (tree.text(id), tree.tag(id), tree.anchor(id));
        format!("{kind:?} {style:?} {span:?} {outer:?} {text:?} {tag:?} {anchor:?} {:?}", tree.children(id))
    };
    (0..tree.len()).map(NodeId::from_index).map(node).collect()
}

/// Returns whether the lane took a text, which must be read fully to the same.
fn is_taken(text: &str, dialect: Dialect) -> bool {
    let source = Source::unnamed(text);
    let fast = read_simple(&source, dialect, DocumentLimits::default()).expect("no limit is reached");
    let Some(fast) = fast else { return false };
    let full = read_fully(&source, dialect, DocumentLimits::default()).expect(text);
    assert_eq!(nodes(&fast), nodes(&full), "{text} ({dialect:?})");
    true
}

#[test]
fn the_fast_lane_reads_what_the_full_parsers_read() {
    for dialect in [Dialect::Psych, Dialect::Core] {
        for text in ACCEPTED {
            assert!(is_taken(text, dialect), "{text} ({dialect:?}) left the lane");
        }
        for text in DOUBTFUL {
            is_taken(text, dialect);
        }
    }
}
