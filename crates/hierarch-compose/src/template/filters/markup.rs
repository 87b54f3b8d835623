//! Filters for HTML: escaping, tags, links.

use hierarch_pcore::Value;

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::issues;
use super::super::operators::escaped;
use super::super::renderer::Renderer;
use super::super::value::{Flavor, Val};

pub(super) static FILTERS: &[Function] = &[
    function("escape", &["s"], escape),
    function("e", &["s"], escape),
    function("forceescape", &["value"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        renderer.flavored(escaped(&text), Flavor::Markup)
    }),
    function("safe", &["value"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        renderer.flavored(text, Flavor::Markup)
    }),
    function("striptags", &["value"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        renderer.text(without_tags(&text))
    }),
    function("xmlattr", &["d", "autospace?"], xmlattr),
    function(
        "urlize",
        &["value", "trim_url_limit?", "nofollow?", "target?", "rel?", "extra_schemes?"],
        urlize,
    ),
];

fn escape(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    match given.value(0) {
        Val::Text(text) if text.flavor == Flavor::Markup => Ok(given.value(0).clone()),
        value => {
            let text = renderer.printed(value)?;
            renderer.flavored(escaped(&text), Flavor::Markup)
        }
    }
}

fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        let end = if after.starts_with("!--") { "-->" } else { ">" };
        let Some((_, after)) = after.split_once(end) else { break };
        out.push_str(before);
        rest = after;
    }
    out.push_str(rest);
    let plain =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    plain.iter().fold(words, |text, (mark, letter)| text.replace(mark, letter))
}

fn xmlattr(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let Some(map) = renderer.pairs(given.value(0))? else { return Err(issues::xmlattr_of_no_map()) };
    let mut pairs = Vec::new();
    for (key, value) in map {
        if matches!(value, Val::None | Val::Undefined(_)) {
            continue;
        }
        let Some(key) = key.as_text().map(str::to_owned) else { return Err(issues::text_needed("int")) };
        let value = renderer.printed(&value)?;
        if key.contains(|c: char| c.is_whitespace() || "/>=".contains(c)) {
            return Err(issues::bad_attribute_name(&key));
        }
        pairs.push(format!("{}=\"{}\"", escaped(&key), escaped(&value)));
    }
    let blank = if given.truth(renderer, 1, true)? && !pairs.is_empty() { " " } else { "" };
    renderer.text(format!("{blank}{}", pairs.join(" ")))
}

/// What is taken for an address of the web.
const ADDRESS: &str = r"(?i)\A(?:(?:https?://|www\.)(?:(?:[\w%-]+\.)+)?(?:[a-z]{2,63}|xn--[\w%]{2,59})|(?:[\w%-]{2,63}\.)+(?:com|net|int|edu|gov|org|info|mil)|https?://(?:\d{1,3}(?:\.\d{1,3}){3}|\[(?:[\da-f]{0,4}:){2}(?:[\da-f]{0,4}:?){1,6}\]))(?::\d{1,5})?(?:[/?#]\S*)?\z";

/// What is taken for an address of mail.
const MAIL: &str = r"\A\S+@\w[\w.-]*\.\w+\z";

/// Makes links of what looks like addresses.
fn urlize(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let text = given.text(renderer, 0)?;
    let limit = match given.get(1) {
        None | Some(Val::None) => None,
        Some(_) => Some(given.count(1, 0)?),
    };
    let mut rel: Vec<String> = match given.get(4) {
        None | Some(Val::None) => Vec::new(),
        Some(_) => given.text(renderer, 4)?.split_whitespace().map(str::to_owned).collect(),
    };
    if given.truth(renderer, 2, false)? {
        rel.push("nofollow".into());
    }
    rel.push("noopener".into());
    rel.sort_unstable();
    rel.dedup();
    let target = match given.get(3) {
        None | Some(Val::None) => String::new(),
        Some(_) => format!(" target=\"{}\"", escaped(&given.text(renderer, 3)?)),
    };
    let schemes = match given.get(5) {
        None | Some(Val::None) => Vec::new(),
        Some(value) => match renderer.finished(value)? {
            Value::Array(items) => items.iter().map(crate::expr::python::text).collect(),
            _ => Vec::new(),
        },
    };
    let attributes = format!(" rel=\"{}\"{target}", escaped(&rel.join(" ")));
    let links = Links { attributes, limit, schemes };
    let mut out = String::new();
    let escaped = escaped(&text);
    let mut rest = escaped.as_str();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        out.push_str(&links.word(renderer, &rest[..end])?);
        let blanks = rest[end..].len() - rest[end..].trim_start().len();
        out.push_str(&rest[end..end + blanks]);
        rest = &rest[end + blanks..];
        renderer.fits(out.len())?;
    }
    renderer.text(out)
}

struct Links {
    attributes: String,
    limit: Option<usize>,
    schemes: Vec<String>,
}

impl Links {
    /// Makes a link of a word that is one, with the brackets and marks around it left out.
    fn word(&self, renderer: &Renderer, word: &str) -> Checked<String> {
        let mut middle = word;
        while let Some(rest) = ["(", "<", "&lt;"].iter().find_map(|mark| middle.strip_prefix(mark)) {
            middle = rest;
        }
        let head = &word[..word.len() - middle.len()];
        let whole = middle;
        let closing = [")", ">", ".", ",", "\n", "&gt;"];
        while let Some(rest) = closing.iter().find_map(|mark| middle.strip_suffix(mark)) {
            middle = rest;
        }
        // Brackets that belong to the address stay in it.
        for (open, close) in [("(", ")"), ("<", ">"), ("&lt;", "&gt;")] {
            let tail = &whole[middle.len()..];
            let opened = middle.matches(open).count();
            if opened > middle.matches(close).count() {
                let wanted = opened.min(tail.matches(close).count());
                let end = tail
                    .match_indices(close)
                    .nth(wanted.wrapping_sub(1))
                    .map_or(0, |(at, mark)| at + mark.len());
                middle = &whole[..middle.len() + end];
            }
        }
        let tail = &whole[middle.len()..];
        let link = self.link(renderer, middle)?;
        Ok(format!("{head}{}{tail}", link.unwrap_or_else(|| middle.to_owned())))
    }

    fn link(&self, renderer: &Renderer, word: &str) -> Checked<Option<String>> {
        let fits = |pattern: &str, text: &str| -> Checked<bool> {
            Ok(renderer.scope.world.regexp(pattern)?.is_match(text)?)
        };
        let (attributes, shown) = (&self.attributes, self.shortened(word));
        if fits(ADDRESS, word)? {
            let scheme =
                if word.starts_with("https://") || word.starts_with("http://") { "" } else { "https://" };
            return Ok(Some(format!("<a href=\"{scheme}{word}\"{attributes}>{shown}</a>")));
        }
        if let Some(address) = word.strip_prefix("mailto:")
            && fits(MAIL, address)?
        {
            return Ok(Some(format!("<a href=\"{word}\">{address}</a>")));
        }
        if word.contains('@') && !word.starts_with("www.") && !word.contains(':') && fits(MAIL, word)? {
            return Ok(Some(format!("<a href=\"mailto:{word}\">{word}</a>")));
        }
        let known = self.schemes.iter().any(|scheme| word != scheme && word.starts_with(scheme.as_str()));
        Ok(known.then(|| format!("<a href=\"{word}\"{attributes}>{word}</a>")))
    }

    fn shortened(&self, word: &str) -> String {
        match self.limit {
            Some(limit) if word.chars().count() > limit => {
                word.chars().take(limit).collect::<String>() + "..."
            }
            _ => word.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go_and_marks_become_letters() {
        for (text, wanted) in [("<b>a  &amp; b</b>", "a & b"), ("a < b", "a < b"), ("<a href='x'>y", "y")] {
            assert_eq!(without_tags(text), wanted);
        }
    }
}
