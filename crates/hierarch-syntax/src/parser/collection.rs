//! Arrays, hashes and lists of arguments, with their `key => value` pairs.

use hierarch_source::{Result, Span};

use super::Parser;
use crate::ast::{Expr, ExprId, List};
use crate::token::TokenKind;

/// What one element of a list may be, besides an assignment or a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    /// Arguments of a call.
    Arguments,
    /// Elements of an array, where `type` and `function` may stand as words.
    Array,
    /// Keys of an access, which take no assignments.
    Keys,
}

impl Parser<'_> {
    pub(super) fn array(&mut self) -> Result<ExprId> {
        let left = self.next()?.span;
        if let Some(right) = self.take(TokenKind::RightBracket)? {
            let none = List::default();
            return self.add(Expr::Array(none), left.to(right.span));
        }
        let elements = self.elements(Elements::Array, Some(TokenKind::RightBracket))?;
        let right = self.demand(TokenKind::RightBracket)?.span;
        self.add(Expr::Array(elements), left.to(right))
    }

    pub(super) fn hash(&mut self) -> Result<ExprId> {
        let left = self.next()?.span;
        if let Some(right) = self.take(TokenKind::RightBrace)? {
            return self.add(Expr::Hash(List::default()), left.to(right.span));
        }
        let key = self.hash_entry()?;
        self.hash_from_key(left, key)
    }

    /// Parses the rest of a hash whose first key was read.
    pub(super) fn hash_from_key(&mut self, left: Span, first_key: ExprId) -> Result<ExprId> {
        let mark = self.pending.len();
        let mut key = first_key;
        loop {
            let entry = self.pair(key)?;
            self.pending.push(entry);
            if self.take(TokenKind::Comma)?.is_none() || self.kind()? == TokenKind::RightBrace {
                break;
            }
            key = self.hash_entry()?;
        }
        let right = self.demand(TokenKind::RightBrace)?.span;
        let entries = self.list_from(mark);
        self.add(Expr::Hash(entries), left.to(right))
    }

    /// Parses a comma list; with `closing`, a comma may stand before it.
    pub(super) fn elements(&mut self, what: Elements, closing: Option<TokenKind>) -> Result<List> {
        let mark = self.pending.len();
        let mut pairs = Vec::new();
        loop {
            match self.element(what)? {
                (pair, true) => pairs.push(pair),
                (element, false) => {
                    self.merge_pairs(&mut pairs)?;
                    self.pending.push(element);
                }
            }
            if self.take(TokenKind::Comma)?.is_none() || closing == Some(self.kind()?) {
                break;
            }
        }
        self.merge_pairs(&mut pairs)?;
        Ok(self.list_from(mark))
    }

    /// Adjacent pairs without braces make up one hash, located at the first arrow.
    fn merge_pairs(&mut self, pairs: &mut Vec<ExprId>) -> Result<()> {
        let Some(&first) = pairs.first() else { return Ok(()) };
        let entries = self.ast.add_list(pairs);
        let span = self.ast.span(first);
        let hash = self.add(Expr::Hash(entries), span)?;
        self.pending.push(hash);
        pairs.clear();
        Ok(())
    }

    /// Parses one element and tells whether it is a pair.
    fn element(&mut self, what: Elements) -> Result<(ExprId, bool)> {
        if self.is_bare_keyword()? && (what == Elements::Array || self.second_kind()? == TokenKind::FatArrow)
        {
            let word = self.bare_keyword()?;
            return self.element_or_pair(word);
        }
        let (element, is_expression) = self.assignment_or_expression()?;
        let is_pair = self.kind()? == TokenKind::FatArrow;
        if what == Elements::Keys && !is_expression && !is_pair {
            return self.unexpected();
        }
        self.element_or_pair(element)
    }

    fn element_or_pair(&mut self, element: ExprId) -> Result<(ExprId, bool)> {
        if self.kind()? != TokenKind::FatArrow {
            return Ok((element, false));
        }
        Ok((self.pair(element)?, true))
    }

    fn pair(&mut self, key: ExprId) -> Result<ExprId> {
        let arrow = self.demand(TokenKind::FatArrow)?.span;
        let value = self.hash_entry()?;
        self.add(Expr::Entry { key, value }, arrow)
    }

    fn hash_entry(&mut self) -> Result<ExprId> {
        if self.is_bare_keyword()? { self.bare_keyword() } else { self.assignment() }
    }

    /// Tells whether `type` or `function` stands here as a mere word: nothing follows that would make it more.
    pub(super) fn is_bare_keyword(&mut self) -> Result<bool> {
        use TokenKind as K;
        Ok(match self.kind()? {
            K::Type => !matches!(self.second_kind()?, K::LeftParen | K::TypeName),
            K::Function => {
                !matches!(self.second_kind()?, K::Name | K::Word | K::TypeName | K::Class | K::String)
            }
            _ => false,
        })
    }

    pub(super) fn bare_keyword(&mut self) -> Result<ExprId> {
        let token = self.next()?;
        let text = self.keyword_text(token);
        self.add(Expr::String(text), token.span)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_trees, check_words};

    #[test]
    fn lists_and_hashes() {
        check_trees(&[
            ("[]", "(array)"),
            ("[1]", "(array 1)"),
            ("[1, 2,]", "(array 1 2)"),
            ("[[1], []]", "(array (array 1) (array))"),
            ("{}", "(hash)"),
            ("{a => 1}", r#"(hash (=> (qn "a") 1))"#),
            ("{a => 1, 'b' => 2,}", r#"(hash (=> (qn "a") 1) (=> "b" 2))"#),
            ("{1 => 2, $x => 3}", r#"(hash (=> 1 2) (=> (var "x") 3))"#),
            ("{a => {b => []}}", r#"(hash (=> (qn "a") (hash (=> (qn "b") (array)))))"#),
            ("[{a => 1}]", r#"(array (hash (=> (qn "a") 1)))"#),
            ("[a => 1]", r#"(array (hash (=> (qn "a") 1)))"#),
            ("[a => 1, b => 2]", r#"(array (hash (=> (qn "a") 1) (=> (qn "b") 2)))"#),
            ("[1, a => 2]", r#"(array 1 (hash (=> (qn "a") 2)))"#),
            ("f({a => 1})", r#"(invoke {:functor (qn "f") :args [(hash (=> (qn "a") 1))]})"#),
            ("f(a => 1)", r#"(invoke {:functor (qn "f") :args [(hash (=> (qn "a") 1))]})"#),
            (
                "f(a => 1, b => 2)",
                r#"(invoke {:functor (qn "f") :args [(hash (=> (qn "a") 1) (=> (qn "b") 2))]})"#,
            ),
            ("f([a => 1])", r#"(invoke {:functor (qn "f") :args [(array (hash (=> (qn "a") 1)))]})"#),
            ("$x = {a => 1}", r#"(= (var "x") (hash (=> (qn "a") 1)))"#),
            ("{if => 1}", "Syntax error at '=>' (line: 1, column: 5)"),
            ("{class => 1}", "Syntax error at '=>' (line: 1, column: 8)"),
        ]);
    }

    #[test]
    fn lists_that_are_none() {
        check_words(&[
            ("[", "Syntax error at end of input"),
            ("[1", "Syntax error at end of input"),
            ("[1 2]", "Syntax error at '2' (line: 1, column: 4)"),
            ("[,]", "Syntax error at ',' (line: 1, column: 2)"),
            ("{a => }", "Syntax error at '}' (line: 1, column: 7)"),
            ("{a 1}", "Syntax error at '1' (line: 1, column: 4)"),
            ("{a => 1 b => 2}", "Syntax error at 'b' (line: 1, column: 9)"),
            ("{a => 1,, b => 2}", "Syntax error at ',' (line: 1, column: 9)"),
            ("{=> 1}", "Syntax error at '=>' (line: 1, column: 2)"),
            ("$x = {a => 1, a => 2}", "The key 'a' is declared more than once (line: 1, column: 17)"),
            ("$x = {a => 1, 'a' => 2}", "The key 'a' is declared more than once (line: 1, column: 19)"),
            ("$x = {1 => 1, 1 => 2}", "The key '1' is declared more than once (line: 1, column: 17)"),
            ("$x = {1 => 1, 1.0 => 2}", "valid"),
            ("$x = {[1] => 1, [1] => 2}", "The key '[1]' is declared more than once (line: 1, column: 21)"),
        ]);
    }
}
