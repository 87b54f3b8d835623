//! The README's picture: what a terminal shows, drawn from the program's own output. `UPDATE_DOCS=1` draws it anew.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::copy_folder;

const COMMAND: &[&str] =
    &["lookup", "profile::web::sites", "--node", "web01.berlin.example.com", "--facts", "facts", "--origin"];
const WIDTH: usize = 92;
const LINE_HEIGHT: usize = 20;

/// Returns what the program prints on a terminal with colours.
fn output() -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo");
    copy_folder(&example, folder.path());
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args(COMMAND)
        .current_dir(folder.path())
        .env("CLICOLOR_FORCE", "1")
        .env_remove("NO_COLOR")
        .output()
        .expect("the program starts");
    String::from_utf8(output.stdout).expect("the program prints UTF-8")
}

/// Returns the colour that the parameters of an escape sequence ask for.
fn colour(parameters: &str) -> &'static str {
    match parameters.split(';').next_back() {
        Some("31" | "91") => "#ff7b72",
        Some("32" | "92") => "#7ee787",
        Some("33" | "93") => "#e3b341",
        Some("34" | "94") => "#79c0ff",
        Some("35" | "95") => "#d2a8ff",
        Some("36" | "96") => "#76e3ea",
        Some("2") => "#8b949e",
        _ => "#e6edf3",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Writes a line with its colours as pieces of an SVG text.
fn line(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut drawn = format!("<tspan>{}</tspan>", escaped(pieces.next().unwrap_or_default()));
    for piece in pieces {
        let (parameters, words) = piece.split_once('m').unwrap_or(("", piece));
        drawn.push_str(&format!("<tspan fill=\"{}\">{}</tspan>", colour(parameters), escaped(words)));
    }
    drawn
}

fn picture() -> String {
    let output = output();
    let mut lines = vec![format!("\u{1b}[32m$\u{1b}[0m hierarch {}", COMMAND.join(" "))];
    lines.extend(output.lines().take(15).map(str::to_owned));
    let height = (lines.len() + 2) * LINE_HEIGHT;
    let width = WIDTH * 9;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <title>A lookup with the origin of every leaf</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#0d1117\"/>\n"
    );
    for (number, text) in lines.iter().enumerate() {
        let y = (number + 2) * LINE_HEIGHT - 5;
        svg.push_str(&format!(
            "<text x=\"20\" y=\"{y}\" fill=\"#e6edf3\" xml:space=\"preserve\">{}</text>\n",
            line(text)
        ));
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_shows_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/origin.svg");
    let drawn = picture();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &drawn).expect("it can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "docs/origin.svg shows something else; UPDATE_DOCS=1 draws it anew");
}
