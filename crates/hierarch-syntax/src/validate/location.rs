//! Which definitions belong into which file of a module.
//!
//! `modules/apache/manifests/vhost/ssl.pp` may define `apache::vhost::ssl` and what is inside its name
//! space, and nothing but definitions. Files outside the module path are free.

use std::path::{Component, Path, PathBuf};

use super::Validator;
use crate::ast::{Expr, ExprId};
use crate::issues;

/// What the place of a file says about its content.
enum Namespace {
    /// Nothing.
    Free,
    /// The file is in a module, but nowhere manifests are looked for.
    Misplaced,
    /// The name that all its definitions start with.
    Name(String),
}

impl Validator<'_> {
    /// Checks that a module's file holds only definitions.
    pub(super) fn check_location(&mut self, root: ExprId) {
        if matches!(self.namespace(), Namespace::Free) || matches!(self.ast.expr(root), Expr::Nop) {
            return;
        }
        let ast = self.ast;
        let statements = match ast.expr(root) {
            Expr::Block(list) => ast.list(list),
            _ => &[root],
        };
        for &statement in statements {
            let is_definition = matches!(
                ast.expr(statement),
                Expr::Class(_)
                    | Expr::Define(_)
                    | Expr::Function(_)
                    | Expr::TypeDefinition(_)
                    | Expr::TypeAlias { .. }
                    | Expr::TypeMapping { .. }
            );
            if !is_definition {
                let what = self.label(statement);
                self.report(issues::illegal_top_construct(&what, None), statement);
            }
        }
    }

    pub(super) fn check_definition_location(&mut self, id: ExprId, name: &str) {
        let fits = match self.namespace() {
            Namespace::Free => true,
            Namespace::Misplaced => false,
            Namespace::Name(space) => name.to_lowercase().starts_with(&space),
        };
        if !fits {
            let file = self.ast.source().name().unwrap_or_default();
            self.report(issues::illegal_definition_location(name, file), id);
        }
    }

    fn namespace(&self) -> Namespace {
        match self.ast.source().name() {
            Some(file) if !self.options.modulepath.is_empty() => {
                namespace_of(Path::new(file), &self.options.modulepath)
            }
            _ => Namespace::Free,
        }
    }
}

fn namespace_of(file: &Path, modulepath: &[PathBuf]) -> Namespace {
    if file.extension().is_none_or(|extension| extension != "pp") {
        return Namespace::Free;
    }
    let file = clean(file);
    let Some(relative) = modulepath.iter().find_map(|folder| file.strip_prefix(clean(folder)).ok()) else {
        return Namespace::Free;
    };
    let parts: Vec<String> =
        relative.components().map(|part| part.as_os_str().to_string_lossy().to_lowercase()).collect();
    let [module, folder, inner @ .., last] = parts.as_slice() else { return Namespace::Misplaced };
    if !matches!(folder.as_str(), "manifests" | "functions" | "types" | "plans") {
        return Namespace::Misplaced;
    }
    let mut names = vec![module.as_str()];
    names.extend(inner.iter().map(String::as_str));
    if !(inner.is_empty() && last == "init.pp") {
        names.push(last.strip_suffix(".pp").unwrap_or(last));
    }
    Namespace::Name(names.join("::"))
}

/// Takes `.` and `..` out of a path without asking the disk.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_in_a_module_names_the_definition() {
        let name = |file: &str| match namespace_of(Path::new(file), &[PathBuf::from("/env/modules")]) {
            Namespace::Free => "free".to_owned(),
            Namespace::Misplaced => "misplaced".to_owned(),
            Namespace::Name(name) => name,
        };
        assert_eq!(name("/env/modules/apache/manifests/init.pp"), "apache");
        assert_eq!(name("/env/modules/apache/manifests/vhost/Ssl.pp"), "apache::vhost::ssl");
        assert_eq!(name("/env/modules/x/../apache/functions/f.pp"), "apache::f");
        assert_eq!(name("/env/modules/apache/files/a.pp"), "misplaced");
        assert_eq!(name("/env/manifests/site.pp"), "free");
        assert_eq!(name("/env/modules/apache/manifests/a.txt"), "free");
    }
}
