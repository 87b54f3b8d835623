//! `lipsum`: paragraphs of words that mean nothing.

use super::call::BoundArguments;
use super::fault::Checked;
use super::filters::Chance;
use super::renderer::Renderer;
use super::value::{Flavor, Val};

const WORDS: &str = "a ac accumsan ad adipiscing aenean aliquam aliquet amet ante aptent arcu at auctor augue bibendum \
    blandit class commodo condimentum congue consectetuer consequat conubia convallis cras cubilia cum curabitur cursus \
    dapibus diam dictum dictumst dignissim dis dolor donec dui duis egestas eget eleifend elementum elit enim erat eros \
    est et etiam eu euismod facilisi facilisis fames faucibus felis fermentum feugiat fringilla fusce gravida habitant \
    hac hendrerit iaculis id imperdiet in integer interdum ipsum justo lacinia lacus laoreet lectus leo libero ligula \
    lorem luctus maecenas magna massa mattis mauris metus mi molestie morbi mus nam nec neque nibh nisi nisl non nulla \
    nunc odio orci ornare pede pellentesque porta porttitor posuere potenti praesent pretium primis proin pulvinar \
    purus quam quis quisque rhoncus risus rutrum sapien scelerisque sed sem semper senectus sit sociis sodales \
    sollicitudin suscipit suspendisse taciti tellus tempor tempus tincidunt torquent tortor tristique turpis ultrices \
    urna ut varius vehicula vel velit venenatis vestibulum vitae vivamus viverra volutpat vulputate";

/// Makes paragraphs of so many words.
pub(super) fn lipsum(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (count, html) = (given.count(0, 5)?, given.truth(renderer, 1, true)?);
    let (least, most) = (given.count(2, 20)?, given.count(3, 100)?.max(1));
    renderer.fits(count.saturating_mul(most).saturating_mul(8))?;
    let mut chance = Chance::Machine;
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut paragraphs = Vec::new();
    for _ in 0..count {
        renderer.step()?;
        let length = least + chance.below(renderer, most.saturating_sub(least).max(1) as u128)? as usize;
        paragraphs.push(paragraph(renderer, &words, &mut chance, length)?);
    }
    if !html {
        return renderer.text(paragraphs.join("\n\n"));
    }
    let paragraphs: Vec<String> = paragraphs.into_iter().map(|text| format!("<p>{text}</p>")).collect();
    renderer.flavored(paragraphs.join("\n"), Flavor::Markup)
}

fn paragraph(renderer: &Renderer, words: &[&str], chance: &mut Chance, length: usize) -> Checked<String> {
    let mut text = String::new();
    let (mut comma, mut stop) = (0, 0);
    let mut begins = true;
    for at in 0..length {
        let word = words[chance.below(renderer, words.len() as u128)? as usize];
        text.push_str(if at > 0 { " " } else { "" });
        match word.chars().next().filter(|_| begins) {
            Some(first) => {
                text.extend(first.to_uppercase());
                text.push_str(&word[first.len_utf8()..]);
            }
            None => text.push_str(word),
        }
        begins = false;
        if at - comma > 3 + chance.below(renderer, 5)? as usize {
            comma = at;
            if at - stop > 10 + chance.below(renderer, 10)? as usize {
                stop = at;
                text.push('.');
                begins = true;
            } else {
                text.push(',');
            }
        }
    }
    let whole = text.trim_end_matches([',', '.']).len();
    text.truncate(whole);
    text.push('.');
    Ok(text)
}
