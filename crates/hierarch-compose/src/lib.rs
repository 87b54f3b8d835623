//! Merge directives, expressions and templates over YAML documents. Nothing is here yet.
