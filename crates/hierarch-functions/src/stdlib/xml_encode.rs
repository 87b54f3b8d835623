//! `stdlib::xml_encode`: texts in XML.

use crate::prelude::*;

/// The function `stdlib::xml_encode`.
pub(super) static XML_ENCODE: Function = Function {
    name: "stdlib::xml_encode",
    doc: "Returns a text as it is written in XML: between tags, or with `attr` as the value of an attribute in double quotes.",
    dispatches: &[on(&["String str", "?Enum['text', 'attr'] type"], xml_encode).returns("String")],
    examples: &[
        Gives("stdlib::xml_encode('a < b')", "'a &lt; b'"),
        Gives("stdlib::xml_encode('\"a\"', 'attr')", "'\"&quot;a&quot;\"'"),
        Fails(
            "stdlib::xml_encode('a', 'x')",
            "parameter 'type' expects a match for Enum['attr', 'text'], got 'x'",
        ),
    ],
};

fn xml_encode(call: &mut Call) -> Result<Value> {
    let is_attribute = call.str(1) == "attr";
    let mut out = String::new();
    for c in call.str(0).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_attribute => out.push_str("&quot;"),
            '\'' if is_attribute => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    Ok(if is_attribute { format!("\"{out}\"") } else { out }.into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn texts_for_xml() {
        check_calls(&[
            (r#"stdlib::xml_encode('a<b>&"')"#, r#"'a&lt;b&gt;&amp;"'"#),
            (r#"stdlib::xml_encode('a<b>&"', 'attr')"#, r#"'"a&lt;b&gt;&amp;&quot;"'"#),
            (
                "stdlib::xml_encode('a', 'odd')",
                "Evaluation Error: Error while evaluating a Function Call, 'stdlib::xml_encode' parameter 'type' expects a match for Enum['attr', 'text'], got 'odd' (line: 1, column: 1)",
            ),
            (
                "stdlib::xml_encode(1)",
                "Evaluation Error: Error while evaluating a Function Call, 'stdlib::xml_encode' parameter 'str' expects a String value, got Integer (line: 1, column: 1)",
            ),
        ]);
    }
}
