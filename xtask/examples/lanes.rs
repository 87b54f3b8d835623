//! Compares the fast lane with the full parsers, and outlines with what they read, on files and on damaged copies of them:
//! `lanes [--damage N] PATH…`.
#![allow(clippy::print_stdout)]

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, Kind, NodeId, Scalar, Tree, outline, read_fully, read_simple};

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut copies = 0;
    if arguments.first().is_some_and(|first| first == "--damage") {
        copies = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(0);
        arguments.drain(..2.min(arguments.len()));
    }
    let mut files = Vec::new();
    for path in &arguments {
        collect(Path::new(path), &mut files);
    }
    let (mut simple, mut all, mut different, mut bytes, mut simple_bytes) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let mut outlined = 0u64;
    let mut random = 88_172_645_463_325_252u64;
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for copy in 0..=copies {
            let text = if copy == 0 { text.clone() } else { damage(&text, &mut random) };
            if let Some(how) = wrong_outline(&text) {
                different += 1;
                writeln!(io::stdout(), "{} outline, copy {copy}: {how}", file.display())?;
            }
            outlined += u64::from(outline(&text).is_some());
            for dialect in [Dialect::Psych, Dialect::Core] {
                all += 1;
                bytes += text.len() as u64;
                let source = Source::unnamed(text.clone());
                let Ok(Some(fast)) = read_simple(&source, dialect, DocumentLimits::default()) else {
                    continue;
                };
                simple += 1;
                simple_bytes += text.len() as u64;
                let found = match read_fully(&source, dialect, DocumentLimits::default()) {
                    Ok(full) => compare(&fast, &full),
                    Err(error) => Some(format!("refused: {error}")),
                };
                if let Some(how) = found {
                    different += 1;
                    writeln!(io::stdout(), "{} {dialect:?} copy {copy}: {how}", file.display())?;
                    if copies > 0 {
                        std::fs::write(format!("/tmp/lanes-{different}.yaml"), &text)?;
                    }
                }
            }
        }
    }
    writeln!(
        io::stdout(),
        "{all} readings ({bytes} bytes), {simple} ({simple_bytes} bytes) in the fast lane, {outlined} outlines, \
         {different} different"
    )
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        entries.flatten().filter(|e| !e.path().is_symlink()).for_each(|entry| collect(&entry.path(), files));
    } else if path.extension().is_some_and(|e| e == "yaml" || e == "yml" || e == "eyaml" || e == "json") {
        files.push(path.to_owned());
    }
}

/// Tells how an outline differs from what the full parser reads.
fn wrong_outline(text: &str) -> Option<String> {
    let keys: Vec<&str> = outline(text)?.iter().map(|key| &text[key.range()]).collect();
    let tree = match read_fully(&Source::unnamed(text.to_owned()), Dialect::Psych, DocumentLimits::default())
    {
        Ok(tree) => tree,
        Err(error) => return Some(format!("refused: {error}")),
    };
    let root = tree.root().filter(|&root| tree.kind(root) == Kind::Map)?;
    let found: Vec<String> = tree
        .entries(root)
        .map(|(key, _)| match tree.scalar(key) {
            Ok(Scalar::Str(text)) => text.into_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    if !tree.warnings().is_empty() {
        return Some("a warning".to_owned());
    }
    (found != keys).then(|| format!("{keys:?} instead of {found:?}"))
}

fn compare(fast: &Tree, full: &Tree) -> Option<String> {
    if fast.len() != full.len() || fast.roots() != full.roots() {
        return Some(format!("{} nodes instead of {}", fast.len(), full.len()));
    }
    (0..fast.len()).map(NodeId::from_index).find_map(|id| {
        let shape = |tree: &Tree| {
            (
                tree.kind(id),
                tree.style(id),
                tree.span(id),
                tree.outer_span(id),
                tree.text(id).to_owned(),
                tree.children(id).to_vec(),
                tree.target(id),
                tree.anchor(id).map(str::to_owned),
                tree.tag(id).map(str::to_owned),
            )
        };
        let (a, b) = (shape(fast), shape(full));
        let flow_gap = fast.text(id).is_empty() && fast.span(id).is_empty();
        (a != b && !(flow_gap && a.4 == b.4)).then(|| format!("node {id:?}: {a:?} instead of {b:?}"))
    })
}

/// Changes a few places of a text: characters go, come, or change places.
fn damage(text: &str, random: &mut u64) -> String {
    let mut chars: Vec<char> = text.chars().take(4000).collect();
    let mut next = |end: usize| {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        (*random >> 16) as usize % end.max(1)
    };
    for _ in 0..=next(3) {
        if chars.is_empty() {
            break;
        }
        let at = next(chars.len());
        match next(4) {
            0 => drop(chars.remove(at)),
            1 => chars.insert(
                at,
                *" \n:-#'\"[]{},&*!|>?%@\t\\~ab0".chars().collect::<Vec<_>>().get(next(27)).unwrap_or(&' '),
            ),
            2 => {
                chars[at] = *" \n:-#'\"[]{},&*!|>?".chars().collect::<Vec<_>>().get(next(18)).unwrap_or(&' ');
            }
            _ => {
                let other = next(chars.len());
                chars.swap(at, other);
            }
        }
    }
    chars.into_iter().collect()
}
