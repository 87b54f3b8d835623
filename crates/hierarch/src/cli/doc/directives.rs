//! Merge directives and the strategies of merging, explained.

use hierarch_hiera::Strategy;

/// A directive in words.
struct Entry {
    /// The names under which it is found.
    names: &'static [&'static str],
    /// How it is written.
    form: &'static str,
    what: &'static str,
    example: &'static str,
}

const ENTRIES: &[Entry] = &[
    Entry {
        names: &["+include", "include:", "+?include"],
        form: "+include: FILE   +include/a: FILE   +include: FILE#/a   +?include: FILE",
        what: "Brings what a file holds, or a part of it. A suffix (+include2) allows several in one map; with `?` the file may be missing. \
               The value may be a map with `file`, `merge: raw` and `when: VARIABLE`.",
        example: "web:\n  +include: defaults.yaml\n  port: 8080",
    },
    Entry {
        names: &["+/", "+./", "+../", "+path"],
        form: "+/a/b:   +./a:   +../a:",
        what: "Brings what stands at a path: from the top of the document, from the map that holds the key, or from what holds that map. \
               What stands beside the key wins. `+?/a` may be missing.",
        example: "base: {port: 80}\nweb:\n  +/base:\n  tls: true",
    },
    Entry {
        names: &["+*", "+*anchor"],
        form: "+*name:   +*name/a:",
        what: "Brings what has the anchor `&name`, or the name that `+&` gives.",
        example: "base: &b {port: 80}\nweb:\n  +*b:",
    },
    Entry {
        names: &["+&"],
        form: "+&: NAME",
        what: "Gives the map that holds it a name, for `+*NAME`; unlike an anchor it survives tools that drop anchors.",
        example: "base:\n  +&: b\n  port: 80\nweb:\n  +*b:",
    },
    Entry {
        names: &["+%"],
        form: "+%: STRATEGY   - +%: {match: KEY}",
        what: "Says how the map that holds it meets the one it is merged with: `merge`, `replace`, `whiteout` (nothing is left), \
               `nullout` (null is left), `error`; an item of a list also `first`, `last`, `{before: KEY}`, `{after: KEY}`. As the first item of a list, \
               `{match: KEY}` says by which key items are matched.",
        example: "base: {tls: {versions: [1.2]}}\nweb:\n  +/base:\n  tls: {+%: replace, on: false}",
    },
];

/// Words of `+%`, which is where they are explained.
const MARKS: &[&str] = &["whiteout", "nullout", "replace"];

/// Explains a directive, by the name it has or by how it begins.
pub(super) fn of(name: &str) -> Option<String> {
    if MARKS.contains(&name) {
        return of("+%")
            .map(|text| text.replacen("+%, a merge directive", &format!("{name}, a word of +%"), 1));
    }
    let exact = ENTRIES.iter().find(|entry| entry.names.contains(&name));
    let begins = |entry: &&Entry| entry.names.iter().any(|known| name.starts_with(known));
    let entry = exact.or_else(|| ENTRIES.iter().find(begins)).filter(|_| name.starts_with('+'))?;
    let example: String = entry.example.lines().map(|line| format!("  {line}\n")).collect();
    Some(format!(
        "{name}, a merge directive\n\n  {}\n\n{}\n\nExample, for `hierarch yaml expand`:\n{example}",
        entry.form, entry.what
    ))
}

/// Explains a strategy of Hiera.
pub(super) fn strategy(name: &str) -> Option<String> {
    let (_, what) = Strategy::public().find(|(known, _)| *known == name)?;
    Some(format!(
        "{name}, a merge strategy of lookups\n\n{what}\n\nIn data, under lookup_options:\n  my::key: {{merge: {name}}}\nIn a command:\n  \
         hierarch lookup my::key --merge {name}\n"
    ))
}

/// Explains the key of data that says how others are looked up.
pub(super) fn lookup_options(name: &str) -> Option<String> {
    if name != "lookup_options" {
        return None;
    }
    let strategies: String = Strategy::public().map(|(name, what)| format!("  {name:<8} {what}\n")).collect();
    Some(format!(
        "lookup_options, a key of data\n\nSays how other keys are looked up, by their names or by patterns that begin with ^: `merge` is a strategy, or a \
         map with `strategy` and its options; `convert_to` is a type, or a list of a type and what its `new` is given.\n\n\
         lookup_options:\n  my::users: {{merge: {{strategy: deep, knockout_prefix: --}}}}\n  '^my::.*::password$': {{convert_to: Sensitive}}\n\n\
         Strategies:\n{strategies}"
    ))
}

/// Lists the directives, a line each.
pub(super) fn overview() -> String {
    let lines = ENTRIES.iter().map(|entry| {
        let sentence = entry.what.split_once(". ").map_or(entry.what, |(first, _)| first);
        format!("  {:<18} {}\n", entry.names[0], sentence.trim_end_matches('.'))
    });
    format!("Merge directives:\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_found_by_their_beginnings() {
        assert!(of("+include").expect("a directive").contains("defaults.yaml"));
        assert!(of("+/base/x").expect("a directive").contains("from the top"));
        assert!(of("+%").expect("a directive").contains("replace"));
        assert!(of("whiteout").expect("a word of one").starts_with("whiteout, a word of +%"));
        assert!(lookup_options("lookup_options").expect("a key").contains("knockout_prefix"));
        assert!(of("include").is_none() && of("+word").is_none());
        assert!(strategy("deep").expect("a strategy").contains("--merge deep"));
    }

    #[test]
    fn the_examples_expand() {
        for entry in ENTRIES.iter().filter(|entry| !entry.example.contains("include")) {
            let files = hierarch_source::MemoryFiles::from([("a.yaml", entry.example)]);
            let access = hierarch_compose::Access::default();
            let document = hierarch_compose::Document::open(&files, std::path::Path::new("a.yaml"), &access);
            assert!(document.is_ok(), "{}: {:?}", entry.form, document.err());
        }
    }
}
