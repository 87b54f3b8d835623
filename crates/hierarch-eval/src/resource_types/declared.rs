//! What the Puppet files below `.resource_types` say: `puppet generate types` writes one for each Ruby type of an
//! environment.
//!
//! ```puppet
//! Puppet::Resource::ResourceType3.new(
//!   'acl',
//!   [Puppet::Resource::Param(Any, 'owner')],
//!   [Puppet::Resource::Param(Any, 'target', true)],
//!   {/(.*)/ => ['target']},
//!   true,
//!   false)
//! ```

use super::ruby::DeclaredType;
use super::tokens::{Token, tokens};

/// Reads a generated file; nothing if it describes no type.
pub(super) fn read_generated(text: &str) -> Option<DeclaredType> {
    let tokens = tokens(text);
    let is_type = |token: &Token| matches!(token, Token::Word(word) if word.ends_with("::ResourceType3"));
    let begin = tokens.iter().position(is_type)?;
    let mut found = DeclaredType::default();
    let mut last_words = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(begin) {
        match token {
            Token::Word(word) if word.ends_with("::Param") => parameter(&tokens[index + 1..], &mut found),
            Token::Word(word @ ("true" | "false")) => last_words.push(*word),
            Token::Pattern(source, flags) => {
                let names = tokens[index..].iter().take_while(|token| **token != Token::Mark(']'));
                let names = names.filter_map(text_of).collect();
                found.patterns.push(((*source).to_owned(), (*flags).to_owned(), names));
            }
            _ => {}
        }
    }
    // The last two words are whether resources are unique, and whether the type is a capability.
    found.shared = last_words.iter().rev().nth(1) == Some(&"false");
    Some(found.settled())
}

/// `(TYPE, 'name', true)`: the last text is the name, the word behind it tells a name variable.
fn parameter(tokens: &[Token], found: &mut DeclaredType) {
    let mut depth = 0;
    let mut name = None;
    let mut is_namevar = false;
    for token in tokens {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Text(text) if depth == 1 => name = Some(text.clone().into_owned()),
            Token::Word("true") if depth == 1 => is_namevar = true,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    if let Some(name) = name {
        found.declare(&name, is_namevar);
    }
}

fn text_of(token: &Token) -> Option<String> {
    match token {
        Token::Text(text) => Some(text.clone().into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_file_gives_attributes_name_variables_and_patterns() {
        let text = "Puppet::Resource::ResourceType3.new(\n  'acl',\n  [\n    # Who owns it.\n    \
                    Puppet::Resource::Param(Enum['a', 'b'], 'owner')\n  ],\n  [\n    \
                    Puppet::Resource::Param(Any, 'target', true),\n    Puppet::Resource::Param(Any, 'provider')\n  ],\n  \
                    {\n    /(.*)/m => ['target']\n  },\n  true,\n  false)\n";
        let found = read_generated(text).expect("a type");
        assert_eq!(found.attributes, ["owner", "target", "provider"]);
        assert_eq!(found.namevars, ["target"]);
        assert_eq!(found.patterns, [("(.*)".to_owned(), "m".to_owned(), vec!["target".to_owned()])]);
        assert!(!found.shared);
    }

    #[test]
    fn another_file_describes_no_type() {
        assert_eq!(read_generated("notice('hello')"), None);
    }
}
