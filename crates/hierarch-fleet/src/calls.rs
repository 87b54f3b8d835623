//! Calls that look keys up: what is plain to see of the name that they ask for, in Puppet and in lines of Ruby.

use hierarch_syntax::ast::{Ast, Expr, ExprId};

/// The functions that look keys up.
pub(crate) const ASKING: [&str; 5] = ["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"];

/// Returns the top-level name of what is asked for: `a.b` digs in `a`.
pub(crate) fn root(text: &str) -> &str {
    text.split('.').next().unwrap_or(text)
}

pub(crate) fn is_name(ast: &Ast, id: ExprId) -> bool {
    is_word(ast, id, "name")
}

pub(crate) fn is_word(ast: &Ast, id: ExprId, word: &str) -> bool {
    matches!(ast.expr(id), Expr::String(text) | Expr::Name(text) if ast.text(text) == word)
}

/// Returns the keys of a hash that is written out.
pub(crate) fn options(ast: &Ast, id: ExprId) -> Option<impl Iterator<Item = ExprId>> {
    let Expr::Hash(list) = ast.expr(id) else { return None };
    Some(ast.list(list).iter().filter_map(|entry| match ast.expr(*entry) {
        Expr::Entry { key, .. } => Some(key),
        _ => None,
    }))
}

/// Tells whether what follows the name in a `lookup` says for certain nothing about merging: a type, or options that are written out.
pub(crate) fn is_plain(ast: &Ast, rest: &[ExprId]) -> bool {
    let is_written = |key: ExprId| matches!(ast.expr(key), Expr::String(_) | Expr::Name(_));
    match rest.first() {
        None => true,
        Some(id) => match ast.expr(*id) {
            Expr::Reference(_) | Expr::Undef | Expr::Default => true,
            Expr::Access { left, .. } => matches!(ast.expr(left), Expr::Reference(_)),
            Expr::Hash(_) => options(ast, *id).is_some_and(|mut keys| keys.all(is_written)),
            _ => false,
        },
    }
}

/// Tells whether the function that is called by a name in a value may look something up.
pub(crate) fn may_ask(ast: &Ast, name: ExprId) -> bool {
    match ast.expr(name) {
        Expr::String(text) | Expr::Name(text) => ASKING.contains(&ast.text(text).trim_start_matches("::")),
        _ => true,
    }
}

/// Tells whether a template is named by a path that leads out of the modules, so that it was not read.
pub(crate) fn is_elsewhere(ast: &Ast, name: ExprId) -> bool {
    match ast.expr(name) {
        Expr::String(text) => ast.text(text).starts_with('/'),
        Expr::Concat(list) => match ast.list(list).first().map(|first| ast.expr(*first)) {
            Some(Expr::String(text)) => ast.text(text).starts_with('/') || ast.text(text).is_empty(),
            _ => true,
        },
        _ => false,
    }
}

/// Tells whether a template that is a value stands in the code. What it gets from a file of a module was read.
pub(crate) fn is_written_out(ast: &Ast, text: ExprId) -> bool {
    match ast.expr(text) {
        Expr::String(_) => true,
        Expr::Heredoc { text, .. } => is_written_out(ast, text),
        Expr::Concat(list) => ast.list(list).iter().all(|part| matches!(ast.expr(*part), Expr::String(_))),
        Expr::Call { functor, arguments, .. } => {
            matches!(ast.expr(functor), Expr::Name(name) if ast.text(name) == "file")
                && ast.list(arguments).iter().all(|name| matches!(ast.expr(*name), Expr::String(_)))
        }
        _ => false,
    }
}

/// Tells whether a line of Ruby looks something up.
pub(crate) fn asks_by(line: &str) -> bool {
    ASKING.iter().any(|name| line.contains(name))
}

/// Returns the line that an expression begins in.
pub(crate) fn line(ast: &Ast, id: ExprId) -> u32 {
    ast.source().position(ast.span(id).start).line
}

/// Tells whether a line of Ruby calls a lookup whose name is not a quoted text.
pub(crate) fn asks_openly(line: &str) -> bool {
    ASKING.iter().any(|name| {
        line.match_indices(name).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let rest = &line[at + name.len()..];
            let is_word = before.is_some_and(|c| c.is_alphanumeric() || c == ':')
                || rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let rest = rest.strip_prefix(['\'', '"']).unwrap_or(rest);
            let argument = rest.trim_start_matches(['(', '[', ' ', ',']);
            !is_word && argument.len() < rest.len() && !argument.starts_with(['\'', '"', ')', ']'])
        })
    })
}

/// Tells whether a key has the fixed parts of a name that is put together, in their order.
pub(crate) fn fits(parts: &[String], key: &str) -> bool {
    let Some((first, others)) = parts.split_first() else { return false };
    let Some(mut rest) = key.strip_prefix(first.as_str()) else { return false };
    let Some((last, middle)) = others.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part.as_str()) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last.as_str()) || last.contains('.') && root(last).is_empty()
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;

    /// Asks about the arguments of the one call that a text is.
    fn check(text: &str, question: impl Fn(&Ast, &[ExprId]) -> bool) -> bool {
        let program = hierarch_syntax::parse(&Source::unnamed(text)).program.expect("Puppet");
        fn call(ast: &Ast, id: ExprId) -> Option<Vec<ExprId>> {
            if let Expr::Call { arguments, .. } = ast.expr(id) {
                return Some(ast.list(arguments).to_vec());
            }
            let mut found = None;
            ast.each_child(id, |child| found = found.take().or_else(|| call(ast, child)));
            found
        }
        question(&program.ast, &call(&program.ast, program.root).expect("a call"))
    }

    #[test]
    fn what_follows_the_name_says_whether_levels_are_merged() {
        for (text, is_sure) in [
            ("lookup('k')", true),
            ("lookup('k', String)", true),
            ("lookup('k', Array[String])", true),
            ("lookup('k', undef)", true),
            ("lookup('k', {default_value => 1})", true),
            ("lookup('k', {$x => 1})", false),
            ("lookup('k', $options)", false),
        ] {
            assert_eq!(check(text, |ast, list| is_plain(ast, &list[1..])), is_sure, "{text}");
        }
    }

    #[test]
    fn templates_are_known_where_they_stand_in_modules_or_in_the_code() {
        for (text, is_away) in [
            ("template('ssh/a.erb')", false),
            ("template('/etc/a.erb')", true),
            ("template(\"/etc/${x}\")", true),
            ("template(\"${x}/a.erb\")", true),
            ("template(\"ssh/${x}.erb\")", false),
        ] {
            assert_eq!(check(text, |ast, list| is_elsewhere(ast, list[0])), is_away, "{text}");
        }
        for (text, is_there) in [
            ("inline_template('<%= 1 %>')", true),
            ("inline_template(\"<%= ${x} %>\")", false),
            ("inline_template($text)", false),
            ("inline_template(file('m/a'))", true),
            ("inline_template(file($name))", false),
        ] {
            assert_eq!(check(text, |ast, list| is_written_out(ast, list[0])), is_there, "{text}");
        }
    }

    #[test]
    fn a_function_that_is_called_by_a_value_may_be_a_lookup() {
        for (text, may) in [
            ("call('lookup', 'k')", true),
            ("call('::hiera', 'k')", true),
            ("call('upcase', 'k')", false),
            ("call($name, 'k')", true),
        ] {
            assert_eq!(check(text, |ast, list| may_ask(ast, list[0])), may, "{text}");
        }
    }

    #[test]
    fn lines_of_ruby_ask_openly_without_a_quoted_name() {
        for (line, is_open) in [
            ("lookup('a')", false),
            ("lookup(\"a\")", false),
            ("lookup(name)", true),
            ("lookup name", true),
            ("lookup()", false),
            ("scope.function_hiera([name])", true),
            ("call_function('lookup', name)", true),
            ("my::lookup(name)", false),
            ("lookups(name)", false),
            ("lookup", false),
        ] {
            assert_eq!(asks_openly(line), is_open, "{line}");
        }
    }

    #[test]
    fn fixed_parts_are_found_in_their_order() {
        let parts = |text: &str| text.split('*').map(str::to_owned).collect::<Vec<_>>();
        for (pattern, key, expected) in [
            ("p::*::port", "p::web::port", true),
            ("p::*::port", "p::port", false),
            ("p::*", "p::", true),
            ("*::port", "a::port", true),
            ("*::port", "a::port::b", false),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1c2b", false),
            ("a", "a", true),
            ("a", "ab", false),
            ("p::*.x", "p::web", true),
        ] {
            assert_eq!(fits(&parts(pattern), key), expected, "{pattern} {key}");
        }
    }
}
