//! What Ruby's `Dir.glob` finds, in its order.

use hierarch_source::MemoryFiles;

use super::glob;

/// Names, hidden ones, brackets and braces among them.
const NAMES: &str = "a.yaml b.yaml B.yaml .h.yaml x/a.yaml x/b.yml x/y/c.yaml x/.hid/d.yaml x/y/z/e.yaml z1/a.yaml z2/a.yaml z10/a.yaml [q]/a.yaml {w}/a.yaml é.yaml x-y.yaml xy.yaml x/a]b.yaml empty";

/// Patterns, and what they find among the names.
const FACTS: &[(&str, &str)] = &[
    ("*", "B.yaml a.yaml b.yaml empty x-y.yaml xy.yaml é.yaml"),
    ("*.yaml", "B.yaml a.yaml b.yaml x-y.yaml xy.yaml é.yaml"),
    (
        "**/*.yaml",
        "B.yaml [q]/a.yaml a.yaml b.yaml x/a.yaml x/a]b.yaml x/y/c.yaml x/y/z/e.yaml x-y.yaml xy.yaml z1/a.yaml z10/a.yaml z2/a.yaml {w}/a.yaml é.yaml",
    ),
    ("**", "B.yaml a.yaml b.yaml empty x-y.yaml xy.yaml é.yaml"),
    (
        "**/*",
        "B.yaml [q]/a.yaml a.yaml b.yaml empty x/a.yaml x/a]b.yaml x/b.yml x/y/c.yaml x/y/z/e.yaml x-y.yaml xy.yaml z1/a.yaml z10/a.yaml z2/a.yaml {w}/a.yaml é.yaml",
    ),
    ("x/*", "x/a.yaml x/a]b.yaml x/b.yml"),
    ("x/**", "x/a.yaml x/a]b.yaml x/b.yml"),
    ("x/**/*", "x/a.yaml x/a]b.yaml x/b.yml x/y/c.yaml x/y/z/e.yaml"),
    ("x/**/*.yaml", "x/a.yaml x/a]b.yaml x/y/c.yaml x/y/z/e.yaml"),
    ("*/a.yaml", "[q]/a.yaml x/a.yaml z1/a.yaml z10/a.yaml z2/a.yaml {w}/a.yaml"),
    ("*/*.yaml", "[q]/a.yaml x/a.yaml x/a]b.yaml z1/a.yaml z10/a.yaml z2/a.yaml {w}/a.yaml"),
    ("?.yaml", "B.yaml a.yaml b.yaml é.yaml"),
    ("[ab].yaml", "a.yaml b.yaml"),
    ("[^a].yaml", "B.yaml b.yaml é.yaml"),
    ("[!a].yaml", "B.yaml b.yaml é.yaml"),
    ("[a-b].yaml", "a.yaml b.yaml"),
    ("[B-a].yaml", "B.yaml a.yaml"),
    ("[]a].yaml", ""),
    ("{b,a}.yaml", "b.yaml a.yaml"),
    ("{x,z1}/a.yaml", "x/a.yaml z1/a.yaml"),
    ("*/{a,c}.y{a,}ml", "[q]/a.yaml x/a.yaml z1/a.yaml z10/a.yaml z2/a.yaml {w}/a.yaml"),
    ("{a,b", ""),
    ("a},b", ""),
    ("{}", ""),
    ("{a,}.yaml", "a.yaml"),
    ("{,a}.yaml", "a.yaml"),
    ("{a,{b,B}}.yaml", "a.yaml b.yaml B.yaml"),
    (".*", ".h.yaml"),
    (".h.yaml", ".h.yaml"),
    ("*h*", ""),
    ("x/.hid/*", "x/.hid/d.yaml"),
    ("x/.*/*", "x/./a.yaml x/./a]b.yaml x/./b.yml x/.hid/d.yaml"),
    ("**/.hid/*", "x/.hid/d.yaml"),
    ("**/.*/*.yaml", "x/.hid/d.yaml"),
    (r"\*.yaml", ""),
    (r"\a.yaml", "a.yaml"),
    (r"\[q\]/*", "[q]/a.yaml"),
    ("[[]q]/*", "[q]/a.yaml"),
    (r"\{w\}/*", "{w}/a.yaml"),
    ("z*/*.yaml", "z1/a.yaml z10/a.yaml z2/a.yaml"),
    ("z?/*", "z1/a.yaml z2/a.yaml"),
    ("z[0-9]*/*", "z1/a.yaml z10/a.yaml z2/a.yaml"),
    ("nope/*", ""),
    ("a.yaml", "a.yaml"),
    ("a.yaml/", ""),
    ("x/", ""),
    ("*/", ""),
    ("**/", ""),
    ("x/../a.yaml", "x/../a.yaml"),
    ("./a.yaml", "./a.yaml"),
    ("x//a.yaml", "x//a.yaml"),
    ("é.yaml", "é.yaml"),
    ("?.y*", "B.yaml a.yaml b.yaml é.yaml"),
    ("[é].yaml", "é.yaml"),
    ("x[-]y.yaml", "x-y.yaml"),
    ("x[!-]y.yaml", ""),
    ("**/a.yaml", "[q]/a.yaml a.yaml x/a.yaml z1/a.yaml z10/a.yaml z2/a.yaml {w}/a.yaml"),
    ("**/y/**/*.yaml", "x/y/c.yaml x/y/z/e.yaml"),
    ("x/**/e.yaml", "x/y/z/e.yaml"),
    ("**a.yaml", "a.yaml"),
    ("x**", "x-y.yaml xy.yaml"),
    ("***", "B.yaml a.yaml b.yaml empty x-y.yaml xy.yaml é.yaml"),
    ("x/***/c.yaml", "x/y/c.yaml"),
    ("[", ""),
    ("[a", ""),
    ("a[.yaml", ""),
    ("*.{yaml,yml}", "B.yaml a.yaml b.yaml x-y.yaml xy.yaml é.yaml"),
    (
        "**/*.{yaml,yml}",
        "B.yaml [q]/a.yaml a.yaml b.yaml x/a.yaml x/a]b.yaml x/b.yml x/y/c.yaml x/y/z/e.yaml x-y.yaml xy.yaml z1/a.yaml z10/a.yaml z2/a.yaml {w}/a.yaml é.yaml",
    ),
    ("x/{y,y/z}/*.yaml", "x/y/c.yaml x/y/z/e.yaml"),
    ("{x/a,b}.yaml", "x/a.yaml b.yaml"),
    ("*.YAML", ""),
    ("A.yaml", ""),
    ("empty/*", ""),
    ("*]*", ""),
];

#[test]
fn patterns_find_what_ruby_finds() {
    let mut files = MemoryFiles::default();
    NAMES.split(' ').for_each(|name| files.insert(format!("/d/{name}"), ""));
    let mut wrong = Vec::new();
    for (pattern, expected) in FACTS {
        let found = glob(&files, &format!("/d/{pattern}"), &mut 10_000).expect("few steps");
        let found: Vec<&str> = found.iter().map(|path| path.trim_start_matches("/d/")).collect();
        let found = found.join(" ");
        if found != *expected {
            wrong.push(format!("{pattern}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
