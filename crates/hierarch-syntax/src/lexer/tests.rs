//! Tests of the lexer: single tokens, and what is true of all texts.

use hierarch_bits::dice::Dice;

use super::*;

fn kinds(code: &str) -> Vec<TokenKind> {
    let source = Source::unnamed(code);
    let mut lexer = Lexer::new(&source, source.text()).expect("no byte order mark");
    let mut kinds = Vec::new();
    loop {
        let token = lexer.peek(0).expect(code);
        if token.kind == TokenKind::EndOfInput {
            return kinds;
        }
        kinds.push(token.kind);
        lexer.advance();
    }
}

#[test]
fn words_names_and_types_are_told_apart() {
    use TokenKind::*;
    assert_eq!(kinds("abc a-b _a a::b a::_b if a::if"), [Name, Word, Word, Name, Word, If, Name]);
    assert_eq!(kinds("abc::Def Foo::Bar ::a ::A"), [Name, TypeName, TypeName, Name, TypeName]);
    assert_eq!(kinds("abc- a--b"), [Name, Minus, Word]);
}

#[test]
fn brackets_depend_on_white_space() {
    use TokenKind::*;
    assert_eq!(
        kinds("$a[1] [2]"),
        [Variable, LeftBracket, Number, RightBracket, ListStart, Number, RightBracket]
    );
    assert_eq!(kinds("f(1)\n (2)"), [Name, LeftParen, Number, RightParen, LineParen, Number, RightParen]);
    assert_eq!(kinds("$x ? {"), [Variable, Question, SelectorBrace]);
}

#[test]
fn a_slash_divides_after_a_value_and_quotes_a_regex_elsewhere() {
    use TokenKind::*;
    assert_eq!(kinds("$a / 2 / 3"), [Variable, Slash, Number, Slash, Number]);
    assert_eq!(kinds(r"=~ /a\/b/"), [Match, Regex]);
    assert_eq!(kinds(r"=~ /a\\/"), [Match, Regex]);
    assert_eq!(kinds("=~ / 2"), [Match, Slash, Number]);
}

#[test]
fn unicode_blanks_separate_and_other_characters_do_not_fit() {
    use TokenKind::*;
    assert_eq!(kinds("a\u{A0}b"), [Name, Name]);
    assert_eq!(kinds("é"), [Other]);
}

/// All tokens of a text with where they stand, up to the end or the first error.
fn tokens(lexer: &mut Lexer<'_>) -> Vec<Token> {
    let mut tokens = Vec::new();
    while let Ok(token) = lexer.peek(0) {
        if token.kind == TokenKind::EndOfInput {
            break;
        }
        tokens.push(token);
        lexer.advance();
    }
    tokens
}

const PIECES: &[&str] = &[
    "a", "b::c", "A::B", "$x", "$::y", "1", "0x1f", "1.5", "'s'", "\"d\"", "[", "]", "(", ")", "{", "}", "+",
    "-", "=>", "->", "~>", "<|", "|>", "==", "=~", "/r/", "if", "class", ",", ";", ":", "|", "@", "@@", "?",
    "!", "*", "%", ".",
];
const SPACES: &[&str] = &[" ", "\n", "\t", " # comment '\n", " /* c */ ", "\u{A0}", "\r\n"];

/// Pieces in a row, each behind something that means nothing.
fn random_text(dice: &mut Dice) -> String {
    (0..dice.below(12)).flat_map(|_| [*dice.pick(SPACES), *dice.pick(PIECES)]).collect()
}

#[test]
fn tokens_stand_one_after_the_other_and_only_blanks_between_them() {
    for seed in 0..500 {
        let text = random_text(&mut Dice::new(seed));
        let source = Source::unnamed(&*text);
        let mut lexer = Lexer::new(&source, source.text()).expect("no byte order mark");
        let mut end = 0;
        for token in tokens(&mut lexer) {
            let (from, to) = (token.span.start as usize, token.span.end as usize);
            assert!(end <= from && from < to && to <= text.len(), "{text:?}: {token:?}");
            let between = &text[end..from];
            let rest = between.replace("# comment '", "").replace("/* c */", "");
            assert!(
                rest.chars().all(|character| character == '\n' || character == '\r' || is_blank(character)),
                "{text:?}: {between:?}"
            );
            end = to;
        }
    }
}

#[test]
fn what_is_read_ahead_is_what_is_read() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let text = random_text(&mut dice);
        let source = Source::unnamed(&*text);
        let mut plain = Lexer::new(&source, source.text()).expect("no byte order mark");
        let mut ahead = plain.again().expect("the same text");
        let expected: Vec<TokenKind> = tokens(&mut plain).iter().map(|token| token.kind).collect();
        let mut got = Vec::new();
        // Looking at tokens that are not there yet changes neither them nor those before.
        while got.len() < expected.len() {
            let _ = ahead.peek(dice.below(4));
            got.push(ahead.peek(0).expect("it was read before").kind);
            ahead.advance();
        }
        assert_eq!(got, expected, "{text:?}");
    }
}

#[test]
fn a_spelling_is_read_as_what_it_spells() {
    use TokenKind as K;
    // These depend on what stands before them, and stand in the tests above.
    let depends = [
        K::ListStart,
        K::SelectorBrace,
        K::LineParen,
        K::EppEnd,
        K::EppEndTrim,
        K::LeftParen,
        K::LeftBracket,
    ];
    for &kind in TokenKind::ALL.iter().filter(|kind| !depends.contains(kind)) {
        let Some(spelling) = kind.spelling() else { continue };
        assert_eq!(kinds(&format!("$x{}{spelling} $y", " ")), [K::Variable, kind, K::Variable], "{spelling}");
        let is_word = spelling.starts_with(|character: char| character.is_ascii_lowercase());
        assert_eq!(TokenKind::keyword(spelling), is_word.then_some(kind), "{spelling}");
        if is_word {
            // A word that only begins or ends so is a name.
            assert_eq!(kinds(&format!("{spelling}x x{spelling} a::{spelling}")), [K::Name, K::Name, K::Name]);
        }
    }
}

#[test]
fn a_text_that_does_not_end_is_told_of_where_it_begins() {
    for (text, at) in [("'abc", 0), ("a 'b\nc", 2), ("\"abc", 0), ("/* c", 0), ("x /* \n", 2)] {
        let source = Source::new("t.pp", text);
        let mut lexer = Lexer::new(&source, source.text()).expect("no byte order mark");
        let error = loop {
            match lexer.peek(0) {
                Ok(token) if token.kind == TokenKind::EndOfInput => panic!("{text} is accepted"),
                Ok(_) => lexer.advance(),
                Err(error) => break error,
            }
        };
        let place = error.place.as_ref().map(|place| place.span.start);
        assert!(
            place.is_none_or(|place| place as usize >= at && place as usize <= text.len()),
            "{text}: {error}"
        );
        assert!(!error.message.is_empty());
    }
}
