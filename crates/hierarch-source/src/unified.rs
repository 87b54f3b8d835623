//! What would change in a file, as a unified diff.

use std::fmt::Write;

/// Lines around a change that are shown with it.
const CONTEXT: usize = 3;

/// A larger table is not worth its memory: then the whole middle counts as changed.
const LARGEST_TABLE: usize = 4_000_000;

/// Returns the unified diff of two texts; nothing if they are the same.
pub fn diff(name: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let lines = compared(&old, &new);
    let mut text = format!("--- {name}\n+++ {name}\n");
    for hunk in hunks(&lines) {
        write_hunk(&lines, hunk, &mut text);
    }
    text
}

/// One line of both texts: how it is marked, and where it stands in each.
struct Line<'t> {
    sign: char,
    text: &'t str,
    old: usize,
    new: usize,
}

fn compared<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut lines = Vec::new();
    let same = |lines: &mut Vec<Line<'t>>, from: usize, to: usize, shift: isize| {
        let shown = old.iter().enumerate().take(to).skip(from);
        lines.extend(shown.map(|(at, &text)| Line {
            sign: ' ',
            text,
            old: at,
            new: at.wrapping_add_signed(shift),
        }));
    };
    same(&mut lines, 0, head, 0);
    middle((old, head, old_end), (new, head, new_end), &mut lines);
    same(&mut lines, old_end, old.len(), new_end as isize - old_end as isize);
    lines
}

/// The lines between the common beginning and the common end, by their longest common subsequence.
fn middle<'t>(
    (old, mut a, old_end): (&[&'t str], usize, usize),
    (new, mut b, new_end): (&[&'t str], usize, usize),
    lines: &mut Vec<Line<'t>>,
) {
    let (height, width) = (old_end - a, new_end - b + 1);
    let (top, left) = (a, b);
    let mut table = Vec::new();
    if height.saturating_mul(width) <= LARGEST_TABLE {
        table = vec![0u32; (height + 1) * width];
        for row in (0..height).rev() {
            for column in (0..width - 1).rev() {
                table[row * width + column] = if old[top + row] == new[left + column] {
                    table[(row + 1) * width + column + 1] + 1
                } else {
                    table[(row + 1) * width + column].max(table[row * width + column + 1])
                };
            }
        }
    }
    let value = |row: usize, column: usize| table.get(row * width + column).copied().unwrap_or(0);
    while a < old_end || b < new_end {
        let both = a < old_end && b < new_end;
        if both && !table.is_empty() && old[a] == new[b] {
            lines.push(Line { sign: ' ', text: old[a], old: a, new: b });
            (a, b) = (a + 1, b + 1);
        } else if b == new_end || (both && value(a - top + 1, b - left) >= value(a - top, b - left + 1)) {
            lines.push(Line { sign: '-', text: old[a], old: a, new: b });
            a += 1;
        } else {
            lines.push(Line { sign: '+', text: new[b], old: a, new: b });
            b += 1;
        }
    }
}

/// The ranges of lines that are shown together.
fn hunks(lines: &[Line]) -> Vec<std::ops::Range<usize>> {
    let mut hunks: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.sign != ' ') {
        let (from, to) = (at.saturating_sub(CONTEXT), (at + CONTEXT + 1).min(lines.len()));
        match hunks.last_mut() {
            Some(last) if last.end >= from => last.end = to,
            _ => hunks.push(from..to),
        }
    }
    hunks
}

fn write_hunk(lines: &[Line], hunk: std::ops::Range<usize>, text: &mut String) {
    let shown = &lines[hunk];
    let count = |sign: char| shown.iter().filter(|line| line.sign != sign).count();
    let (old, new) = (count('+'), count('-'));
    let start = |at: usize, count: usize| if count == 0 { at } else { at + 1 };
    let Some(first) = shown.first() else { return };
    let _ = writeln!(text, "@@ -{},{old} +{},{new} @@", start(first.old, old), start(first.new, new));
    for line in shown {
        text.push(line.sign);
        text.push_str(line.text);
        if !line.text.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_shown_with_their_surroundings() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(
            diff("f", old, &old.replace("5\n", "five\n")),
            "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
        assert_eq!(diff("f", old, old), "");
    }

    #[test]
    fn far_changes_are_two_hunks() {
        let lines: Vec<String> = (0..30).map(|number| format!("{number}\n")).collect();
        let old = lines.concat();
        let new = old.replace("\n2\n", "\nzwei\n").replace("\n25\n", "\n");
        let shown = diff("f", &old, &new);
        assert_eq!(shown.matches("@@ -").count(), 2);
        assert!(shown.contains("-2\n+zwei\n") && shown.contains("-25\n 26\n"), "{shown}");
    }

    #[test]
    fn a_last_line_without_an_end_is_marked() {
        let shown = diff("f", "a\nb", "a\nc");
        assert_eq!(
            shown,
            "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
        );
        assert_eq!(diff("f", "", "a\n"), "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
    }

    /// Makes the new text of the old one and a diff, as `patch` does.
    fn patched(old: &str, diff: &str) -> String {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut new, mut at) = (String::new(), 0);
        let mut lines = diff.split_inclusive('\n').skip(2).peekable();
        while let Some(line) = lines.next() {
            if let Some(rest) = line.strip_prefix("@@ -") {
                let (start, rest) = rest.split_once(',').expect("a start");
                let count = rest.split(' ').next().expect("a count");
                let start: usize = start.parse().expect("a number");
                let start = if count == "0" { start } else { start - 1 };
                new.extend(old[at..start].iter().copied());
                at = start;
                continue;
            }
            let is_cut = lines.peek().is_some_and(|next| next.starts_with('\\'));
            let text = if is_cut { line[1..].trim_end_matches('\n') } else { &line[1..] };
            match line.as_bytes()[0] {
                b' ' => {
                    assert_eq!(old[at], text, "a line around a change is one of the old text");
                    new.push_str(text);
                    at += 1;
                }
                b'-' => {
                    assert_eq!(old[at], text, "a line that goes is one of the old text");
                    at += 1;
                }
                b'+' => new.push_str(text),
                _ => {}
            }
        }
        new.extend(old[at..].iter().copied());
        new
    }

    #[test]
    fn a_diff_makes_the_new_text_of_the_old_one() {
        let mut dice = hierarch_bits::dice::Dice::new(6);
        let line =
            |dice: &mut hierarch_bits::dice::Dice| *dice.pick(&["a\n", "b\n", "c\n", "\n", "- x\n", "+y\n"]);
        for _ in 0..600 {
            let mut old: Vec<&str> = (0..dice.below(30)).map(|_| line(&mut dice)).collect();
            let mut new = old.clone();
            for _ in 0..dice.below(5) {
                let at = dice.below(new.len() + 1);
                if dice.once_in(2) && at < new.len() {
                    new.remove(at);
                } else {
                    new.insert(at, line(&mut dice));
                }
            }
            for text in [&mut old, &mut new] {
                if dice.once_in(3) {
                    text.push("no end");
                }
            }
            let (old, new) = (old.concat(), new.concat());
            let text = diff("f", &old, &new);
            assert_eq!(text.is_empty(), old == new, "{old:?} {new:?}");
            if old != new {
                assert_eq!(patched(&old, &text), new, "{old:?}\n{text}");
            }
        }
    }

    /// A change of much is told as a whole rather than compared line by line.
    #[test]
    fn large_texts_are_compared_without_a_large_table() {
        let old: String = (0..3_000).map(|n| format!("old {n}\n")).collect();
        let new: String = (0..3_000).map(|n| format!("new {n}\n")).collect();
        let text = diff("f", &old, &new);
        assert_eq!(patched(&old, &text), new);
    }
}
