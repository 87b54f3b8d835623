//! `import`: gone from the language.

use crate::prelude::*;

/// The function `import`.
pub(super) static IMPORT: Function = Function {
    name: "import",
    doc: "Fails: manifests are not imported any more.",
    dispatches: &[on(&["*Any args"], import)],
    examples: &[Fails(
        "import('x')",
        "Use of 'import' has been discontinued in favor of a manifest directory.",
    )],
};

fn import(_: &mut Call) -> Result<Value> {
    Err(issues::discontinued_import().into())
}
