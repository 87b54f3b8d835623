//! Prints every node of a file with its span, by both dialects: `spans FILE`.
use hierarch_source::Source;
use hierarch_yaml::*;
use std::io::Write;
fn main() -> std::io::Result<()> {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap_or_default())?;
    for dialect in [Dialect::Psych, Dialect::Core] {
        let tree = match read_fully(&Source::unnamed(text.clone()), dialect, Limits::default()) {
            Ok(tree) => tree,
            Err(error) => {
                writeln!(std::io::stdout(), "{dialect:?}: {error}")?;
                continue;
            }
        };
        for id in (0..tree.len()).map(NodeId::from_index) {
            let span = tree.span(id);
            writeln!(
                std::io::stdout(),
                "{dialect:?} {:?} {:?} {}..{} {:?} text={:?} outer={:?}",
                tree.kind(id),
                tree.style(id),
                span.start,
                span.end,
                &text[span.range()],
                tree.text(id),
                tree.outer_span(id)
            )?;
        }
    }
    Ok(())
}
