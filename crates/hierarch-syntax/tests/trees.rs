//! What trees look like: which operator takes what, where every expression stands, what the ways to show a tree agree on.

use hierarch_source::Source;
use hierarch_syntax::ast::{Ast, ExprId};
use hierarch_syntax::{DumpFormat, Program, dump, parse, parse_epp};

fn program(text: &str) -> Program {
    parse(&Source::unnamed(text)).program.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn tree(text: &str) -> String {
    dump(&program(text), DumpFormat::Pn)
}

/// Takes the parentheses out of a dump that has one pair of them.
fn without_parentheses(dump: &str) -> String {
    let Some((before, rest)) = dump.split_once("(paren ") else { return dump.to_owned() };
    let mut depth = 1;
    let end = rest.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    let end = end.expect("parentheses are closed");
    format!("{before}{}{}", &rest[..end], &rest[end + 1..])
}

/// For two operators, the first down and the second across: does `$a FIRST $b SECOND $c` begin with the left pair (`l`) or
/// with the right one? Recorded from Puppet's parser. The rows and columns have the same order.
const TOGETHER: &str = "
*   l l l l l l l l l l l l l r r r l l l l l l l l
/   l l l l l l l l l l l l l r r r l l l l l l l l
%   l l l l l l l l l l l l l r r r l l l l l l l l
+   r r r l l l l l l l l l l r r r l l l l l l l l
-   r r r l l l l l l l l l l r r r l l l l l l l l
<<  r r r r r l l l l l l l l r r r l l l l l l l l
>>  r r r r r l l l l l l l l r r r l l l l l l l l
<   r r r r r r r l l l l r r r r r l l l l l l l l
<=  r r r r r r r l l l l r r r r r l l l l l l l l
>   r r r r r r r l l l l r r r r r l l l l l l l l
>=  r r r r r r r l l l l r r r r r l l l l l l l l
==  r r r r r r r l l l l l l r r r l l l l l l l l
!=  r r r r r r r l l l l l l r r r l l l l l l l l
=~  l l l l l l l l l l l l l l l r l l l l l l l l
!~  l l l l l l l l l l l l l l l r l l l l l l l l
in  l l l l l l l l l l l l l l l l l l l l l l l l
and r r r r r r r r r r r r r r r r l l l l l l l r
or  r r r r r r r r r r r r r r r r r l l l l l l r
->  r r r r r r r r r r r r r r r r r r l l l l l r
~>  r r r r r r r r r r r r r r r r r r l l l l l r
<-  r r r r r r r r r r r r r r r r r r l l l l l r
<~  r r r r r r r r r r r r r r r r r r l l l l l r
=   r r r r r r r r r r r r r r r r r r r r r r r r
?   l l l l l l l l l l l l l l l l l l l l l l l l
";

#[test]
fn operators_bind_as_in_puppet() {
    let rows: Vec<Vec<&str>> = TOGETHER.trim().lines().map(|row| row.split_whitespace().collect()).collect();
    let applied = |operator: &str, right: &str| match operator {
        "?" => format!("? {{ 1 => {right} }}"),
        operator => format!("{operator} {right}"),
    };
    let mut wrong = Vec::new();
    for row in &rows {
        for (column, side) in rows.iter().zip(&row[1..]) {
            let (first, second) = (applied(row[0], "$b"), applied(column[0], "$c"));
            let together = tree(&format!("$a {first} {second}"));
            let left = without_parentheses(&tree(&format!("($a {first}) {second}")));
            if (together == left) != (*side == "l") {
                wrong.push(format!("$a {first} {second}: {together}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn each_expression(ast: &Ast, id: ExprId, visit: &mut dyn FnMut(ExprId)) {
    visit(id);
    let mut children = Vec::new();
    ast.each_child(id, |child| children.push(child));
    children.into_iter().for_each(|child| each_expression(ast, child, visit));
}

/// A text with every kind of statement.
const EVERYTHING: &str = r#"
class a::b(Integer $x = 1, *$rest) inherits c {
  file { "/tmp/${x}": ensure => file, * => {mode => '0644'} }
  File['/a'] { owner +> 'ü' }
  File { mode => '1' }
  @user { 'u': } -> Group['g'] ~> Exec <| tag == 'x' and title != 'y' |> { cwd => '/' }
  if $x > 1 { notice 1 } elsif $x =~ /a(b)/ { fail('x') } else { $y = [1, -2.5, *$z] }
  unless $x in [1] { $w = {a => undef, 'b' => default} }
  case $x { 1, 2: { f($x) |$a, $b = 2| { $a } } default: { } }
  $s = $x ? { Integer => 'i', default => "d${facts['a'][0]}e" }
  $t = @("END"/L)
    text ${x} more\
     text
    | END
}
define d::e(String $a) { include a }
node 'web', /db\d/, default { }
function f::g(Any *$args) >> String { "${args}" }
type F::T = Variant[String[1], Array[F::T]]
"#;

#[test]
fn every_expression_stands_inside_of_the_text() {
    for text in [EVERYTHING, "'grüße'.length + 1", "$x = \"a${'ü'}b\"", "f(\n  1,\n  2\n)"] {
        let program = program(text);
        let mut count = 0;
        each_expression(&program.ast, program.root, &mut |id| {
            let span = program.ast.span(id);
            count += 1;
            assert!(span.start <= span.end, "{text}: {span:?}");
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{text}: {span:?}");
        });
        assert!(count > 1 && count <= program.ast.len(), "{count} of {}", program.ast.len());
    }
}

#[test]
fn the_plain_and_the_indented_dump_have_the_same_words() {
    let squeezed = |text: String| {
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.replace("( ", "(").replace(" )", ")").replace("[ ", "[").replace(" ]", "]")
    };
    let program = program(EVERYTHING);
    assert_eq!(
        squeezed(dump(&program, DumpFormat::PnPretty)).replace(['\n', ' '], ""),
        squeezed(dump(&program, DumpFormat::Pn)).replace(['\n', ' '], "")
    );
    let json = dump(&program, DumpFormat::Json);
    assert_eq!(
        dump(&program, DumpFormat::JsonPretty).replace(['\n', ' '], ""),
        json.replace(['\n', ' '], "")
    );
}

#[test]
fn comments_and_white_space_change_no_tree() {
    let plain = tree("$x = [1, 2]\nnotice($x)");
    for text in [
        "$x=[1,2] notice($x)",
        "# a\n$x = [1, # b\n 2]\n\n\nnotice($x) # c",
        "/* a */ $x = /* b\n */ [1, 2]\nnotice($x)",
        "$x = [1, 2,]\r\nnotice($x)\r\n",
    ] {
        assert_eq!(tree(text), plain, "{text:?}");
    }
}

#[test]
fn a_template_is_the_program_that_renders_it() {
    let of_template = |text: &str| {
        let program =
            parse_epp(&Source::unnamed(text)).program.unwrap_or_else(|error| panic!("{text}: {error}"));
        dump(&program, DumpFormat::Pn)
    };
    // Recorded with `puppet epp dump --format pn`.
    for (text, expected) in EPP {
        assert_eq!(of_template(text), *expected, "{text}");
    }
}

const EPP: &[(&str, &str)] = &[
    ("a", r#"(lambda {:body [(epp (render-s "a"))]})"#),
    ("a <%= $x %> b", r#"(lambda {:body [(epp (render-s "a ") (render (var "x")) (render-s " b"))]})"#),
    (
        "<%- |Integer $a, $b = 2| -%>\n<%= $a %>",
        r#"(lambda {:params {:a {:type (qr "Integer")} :b {:value 2}} :body [(epp (render (var "a")))]})"#,
    ),
    ("<%# gone %>x", r#"(lambda {:body [(epp (render-s "x"))]})"#),
    ("<%% 1 %%>", r#"(lambda {:body [(epp (render-s "<% 1 %>"))]})"#),
    (
        "a\n  <%- if $x { -%>\nb\n  <%- } -%>\nc",
        r#"(lambda {:body [(epp (render-s "a\n") (if {:test (var "x") :then [(render-s "b\n")]}) (render-s "c"))]})"#,
    ),
    (
        "<% $x.each |$y| { %>z<%= $y %><% } %>",
        r#"(lambda {:body [(epp (call-method {:functor (. (var "x") (qn "each")) :args [] :block (lambda {:params {:y {}} :body [(render-s "z") (render (var "y"))]})}))]})"#,
    ),
    (
        "<% $x = 1 %>\n<%= $x -%>\n\n",
        r#"(lambda {:body [(epp (= (var "x") 1) (render-s "\n") (render (var "x")) (render-s "\n"))]})"#,
    ),
];
