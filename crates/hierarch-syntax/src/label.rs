//! What messages call a node: "Literal Integer", "'if' statement", with an article or without.

use crate::ast::{Ast, Expr, ExprId};

/// Returns the name of a node's kind, without an article.
pub fn label(ast: &Ast, id: ExprId) -> String {
    match ast.expr(id) {
        Expr::Binary { op, .. } => format!("'{}' expression", op.symbol()),
        Expr::Attribute { append, .. } => format!("'{}' expression", if append { "+>" } else { "=>" }),
        Expr::Heredoc { syntax, .. } => format!("'@({})' expression", ast.text(syntax)),
        Expr::Reserved(word) => format!("Reserved Word '{}'", ast.text(word)),
        Expr::Collector { query, .. } => label(ast, query),
        expr => fixed_label(expr).to_owned(),
    }
}

fn fixed_label(expr: Expr) -> &'static str {
    use crate::ast::UnaryOp;
    match expr {
        Expr::Nop => "Nop Expression",
        Expr::Undef => "'undef' expression",
        Expr::Default => "'default' expression",
        Expr::Boolean(_) => "Boolean",
        Expr::Integer { .. } | Expr::BigInteger { .. } => "Literal Integer",
        Expr::Float(_) => "Literal Float",
        Expr::String(_) => "String",
        Expr::Regex(_) => "Regular Expression",
        Expr::Name(_) => "Name",
        Expr::Reference(_) => "Type-Name",
        Expr::Variable(_) => "Variable",
        Expr::Concat(_) => "Double Quoted String",
        Expr::Interpolation(_) => "Expression in Interpolated String",
        Expr::Array(_) => "Array Expression",
        Expr::Hash(_) => "Hash Expression",
        Expr::Entry { .. } => "Hash Entry",
        Expr::Access { .. } => "'[]' expression",
        Expr::Unary { op: UnaryOp::Not, .. } => "'not' expression",
        Expr::Unary { op: UnaryOp::Minus, .. } => "Unary Minus",
        Expr::Unary { op: UnaryOp::Unfold, .. } => "Unfold",
        Expr::Unary { op: UnaryOp::Paren, .. } => "Parenthesized Expression",
        Expr::Dot { .. } => "'.' expression",
        Expr::Call { .. } => "Function Call",
        Expr::MethodCall { .. } => "Method call",
        Expr::Lambda { .. } => "Lambda",
        Expr::Parameter { .. } | Expr::RestParameter { .. } => "Parameter Definition",
        Expr::Block(_) => "Block Expression",
        Expr::If { .. } => "'if' statement",
        Expr::Unless { .. } => "'unless' Statement",
        Expr::Case { .. } => "'case' statement",
        Expr::CaseOption { .. } => "Case Option",
        Expr::Selector { .. } => "Selector Expression",
        Expr::SelectorEntry { .. } => "Selector Option",
        Expr::Class(_) => "Host Class Definition",
        Expr::Define(_) => "'define' expression",
        Expr::Function(_) => "Function Definition",
        Expr::TypeDefinition(_) => "Type Definition",
        Expr::NodeDefinition { .. } => "Node Definition",
        Expr::TypeAlias { .. } => "Type Alias",
        Expr::TypeMapping { .. } => "Type Mapping",
        Expr::Resource { .. } => "Resource Statement",
        Expr::ResourceBody { .. } => "Resource Instance Definition",
        Expr::ResourceDefaults { .. } => "Resource Defaults Expression",
        Expr::ResourceOverride { .. } => "Resource Override",
        Expr::Query { exported: true, .. } => "Exported Query",
        Expr::Query { exported: false, .. } => "Virtual Query",
        Expr::Epp { .. } => "Epp Template",
        Expr::RenderString(_) => "Epp Text",
        Expr::Render(_) => "Epp Interpolated Expression",
        // The kinds below have labels that depend on more than their kind, or never appear in a message.
        Expr::Binary { .. }
        | Expr::Attribute { .. }
        | Expr::AttributeHash(_)
        | Expr::Heredoc { .. }
        | Expr::Reserved(_)
        | Expr::Collector { .. } => "Object",
    }
}

/// Puts "a" or "an" in front, looking past a quote for the first letter; `y` counts as a vowel.
pub fn with_article(label: &str) -> String {
    format!("{} {label}", article(label))
}

/// Puts "A" or "An" in front.
pub fn with_capital_article(label: &str) -> String {
    let article = if article(label) == "an" { "An" } else { "A" };
    format!("{article} {label}")
}

fn article(label: &str) -> &'static str {
    let first = label.strip_prefix(['"', '\'']).unwrap_or(label).chars().next();
    match first.map(|first| first.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y') => "an",
        _ => "a",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_look_past_quotes() {
        assert_eq!(with_article("'if' statement"), "an 'if' statement");
        assert_eq!(with_article("'+' expression"), "a '+' expression");
        assert_eq!(with_capital_article("Array Expression"), "An Array Expression");
    }
}
