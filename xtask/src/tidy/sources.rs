//! Rules about source files.

use super::{Complaint, RustFile};

/// Files that may be longer than a thousand lines, each with its reason.
pub const LONG_FILES: &[(&str, &str)] = &[];

/// Functions that may be longer than a hundred lines, as `file name`, each with its reason.
pub const LONG_FUNCTIONS: &[(&str, &str)] = &[];

/// The one module that may say `unsafe`: it wraps libyaml's events, and no safe reader accepts what Psych accepts.
pub const UNSAFE_MODULE: &str = "crates/hierarch-yaml/src/scan/libyaml.rs";

const LONGEST_FILE: usize = 1_000;
const LONGEST_FUNCTION: usize = 100;

/// The first line of every file says what it is.
pub fn module_docs(file: &RustFile) -> Vec<Complaint> {
    let said = file.text.lines().next().and_then(|line| line.strip_prefix("//! "));
    match said {
        Some(words) if words.trim().len() > 10 => Vec::new(),
        _ => vec![file.complaint(1, "the first line must say what the file is: `//! …`")],
    }
}

/// Files stay below a thousand lines.
pub fn file_lengths(file: &RustFile) -> Vec<Complaint> {
    let lines = file.text.lines().count();
    if lines <= LONGEST_FILE || is_listed(LONG_FILES, &file.path) {
        return Vec::new();
    }
    vec![file.complaint(0, format!("{lines} lines; split it, or list it in LONG_FILES with a reason"))]
}

/// Functions stay below a hundred lines.
pub fn function_lengths(file: &RustFile) -> Vec<Complaint> {
    let functions = file.scanned.functions().into_iter();
    let long = functions.filter(|function| function.length > LONGEST_FUNCTION);
    long.filter(|function| !is_listed(LONG_FUNCTIONS, &format!("{} {}", file.path, function.name)))
        .map(|function| {
            let what = format!("`{}` has {} lines; give its parts names", function.name, function.length);
            file.complaint(function.line, what)
        })
        .collect()
}

fn is_listed(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(listed, _)| *listed == name)
}

/// Nothing is left for later without a case that waits for it, and no test is switched off.
pub fn nothing_left_undone(file: &RustFile) -> Vec<Complaint> {
    let forbidden: &[&[&str]] = &[
        &["todo", "!"],
        &["unimplemented", "!"],
        &["dbg", "!"],
        &["#", "[", "ignore"],
        &["#", "[", "should_panic"],
    ];
    let in_code = forbidden.iter().flat_map(|words| {
        file.scanned.lines_with(words).map(|line| file.complaint(line, format!("`{}`", words.concat())))
    });
    let marks = ["TODO", "FIXME"];
    let in_comments = file.scanned.comments.iter().filter_map(|comment| {
        let mark = marks.iter().find(|mark| comment.text.contains(**mark))?;
        Some(file.complaint(comment.line, format!("`{mark}`; a case in tests/pending says it better")))
    });
    in_code.chain(in_comments).collect()
}

/// `unsafe` stands in one module only.
pub fn no_unsafe(file: &RustFile) -> Vec<Complaint> {
    if file.path == UNSAFE_MODULE {
        return Vec::new();
    }
    let lines = file.scanned.lines_with(&["unsafe"]);
    lines.map(|line| file.complaint(line, format!("`unsafe` outside {UNSAFE_MODULE}"))).collect()
}

/// The files and folders of libraries that may reach the machine, and how; each with its reason.
pub const REACHES_MACHINE: &[(&str, &str, &str)] = &[
    ("crates/hierarch-source/src/", "fs", "the files of the disk behind `Files`, and the one safe save"),
    ("crates/hierarch-git/src/", "fs", "what git does not track stands in the working tree"),
    ("crates/hierarch-serve/src/snapshot.rs", "fs", "one state of the files behind `Files`"),
    ("crates/hierarch-serve/src/serve.rs", "net", "the listener that the program hands in"),
    ("crates/hierarch-functions/src/files/generate.rs", "process", "runs a program, where settings allow it"),
    (
        "crates/hierarch-functions/src/stdlib/validate_cmd.rs",
        "fs",
        "the program is handed a file with the text",
    ),
    (
        "crates/hierarch-functions/src/stdlib/validate_cmd.rs",
        "process",
        "runs a program, where settings allow it",
    ),
];

/// What is wrong is said in `issues.rs`, of a library or of the command line, so that its words can be laid beside the
/// reference and beside each other. What a library or the system says itself is passed on: `Failure::from`, `io::Error`.
pub fn words_stand_together(file: &RustFile) -> Vec<Complaint> {
    let is_command_line = file.path.starts_with("crates/hierarch/src/cli/");
    let is_library = file.path.starts_with("crates/hierarch-") && file.path.contains("/src/");
    // The crate of errors makes them for all others, and `failure.rs` makes failures.
    let makes_them = ["/issues", "hierarch-source/src/diagnostic.rs", "cli/failure.rs", "/testing.rs"];
    if !(is_library || is_command_line) || makes_them.iter().any(|place| file.path.contains(place)) {
        return Vec::new();
    }
    let makers: &[&[&str]] = &[&["Error", ":", ":", "new"], &["Failure", ":", ":", "new"]];
    let made = makers.iter().flat_map(|words| file.scanned.lines_outside_tests(words));
    // Errors of the system, and of formats that other crates read, have words of their own.
    let lines: Vec<&str> = file.text.lines().collect();
    let is_ours = |line: &usize| lines.get(line - 1).is_some_and(|text| !text.contains("io::Error::new"));
    let made = made.filter(is_ours);
    let printed = printers(file).filter(|_| is_command_line);
    made.chain(printed)
        .map(|line| file.complaint(line, "what is wrong is said in issues.rs, with its words"))
        .collect()
}

/// Finds where a line for standard error is written in place, as a literal or a `format!`.
fn printers(file: &RustFile) -> impl Iterator<Item = usize> + '_ {
    const PRINTERS: [&str; 4] = ["error_line(", "warning_line(", "note_line(", " note("];
    let says = |line: &&str| {
        let argument = PRINTERS.iter().find_map(|printer| Some(line.split_once(printer)?.1));
        argument.is_some_and(|argument| argument.starts_with('"') || argument.starts_with("&format!"))
    };
    let before_tests = file.text.lines().take_while(|line| *line != "#[cfg(test)]");
    before_tests.enumerate().filter(move |(_, line)| says(line)).map(|(index, _)| index + 1)
}

/// Phrases that comments do without: name the thing instead.
const PHRASES: [&str; 2] = ["the one who ", "See the module"];

/// Comments name what they speak of.
pub fn comments_are_plain(file: &RustFile) -> Vec<Complaint> {
    let found = file.scanned.comments.iter().filter_map(|comment| {
        let phrase = PHRASES.iter().find(|phrase| comment.text.contains(**phrase))?;
        Some(file.complaint(comment.line, format!("`{phrase}` in a comment: name it, or leave it out")))
    });
    found.collect()
}

fn is_program_itself(path: &str) -> bool {
    ["crates/hierarch/src/main.rs", "crates/hierarch/build.rs"].contains(&path)
        || path.starts_with("crates/hierarch/src/cli/")
}

/// Libraries ask nobody but `Files` and `NodeMatcher`: only the program reads the environment, the clock and the arguments,
/// uses the disk and the network, starts other programs, prints and exits.
pub fn libraries_are_pure(file: &RustFile) -> Vec<Complaint> {
    let is_library = file.path.starts_with("crates/") && !is_program_itself(&file.path);
    let is_program =
        ["/tests/", "/benches/", "/examples/", "/testing.rs"].iter().any(|folder| file.path.contains(folder));
    if !is_library || is_program {
        return Vec::new();
    }
    let forbidden: &[(&[&str], &str)] = &[
        (&["env", ":", ":", "var"], "reads the environment"),
        (&["env", ":", ":", "args"], "reads the arguments"),
        (&["process", ":", ":", "exit"], "exits"),
        (&["SystemTime", ":", ":", "now"], "reads the clock"),
        (&["Instant", ":", ":", "now"], "reads the clock"),
        (&["println", "!"], "prints"),
        (&["eprintln", "!"], "prints"),
        (&["thread_local", "!"], "keeps state in a thread"),
    ];
    let machine: &[(&str, &[&str], &str)] = &[
        ("fs", &["std", ":", ":", "fs"], "uses the disk"),
        ("process", &["std", ":", ":", "process", ":", ":", "Command"], "starts programs"),
        ("process", &["process", ":", ":", "{", "Command"], "starts programs"),
        ("net", &["TcpStream"], "uses the network"),
        ("net", &["TcpListener"], "uses the network"),
        ("net", &["UdpSocket"], "uses the network"),
    ];
    let may = |way: &str| {
        REACHES_MACHINE.iter().any(|(path, known, _)| file.path.starts_with(path) && *known == way)
    };
    let machine = machine.iter().filter(|(way, ..)| !may(way)).map(|(_, words, what)| (*words, *what));
    let found = forbidden.iter().copied().chain(machine).flat_map(|(words, what)| {
        let lines = file.scanned.lines_outside_tests(words);
        lines.map(move |line| {
            file.complaint(line, format!("a library {what}; that is the program's business"))
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rule = fn(&RustFile) -> Vec<Complaint>;

    /// Checks on which lines a rule complains.
    fn check(rule: Rule, path: &str, text: &str, lines: &[usize]) {
        let found: Vec<usize> = rule(&RustFile::new(path, text)).iter().map(|found| found.line).collect();
        assert_eq!(found, lines, "{path}: {text}");
    }

    #[test]
    fn a_file_without_its_sentence_is_found() {
        check(module_docs, "a.rs", "//! What this is, in a sentence.\n", &[]);
        for text in ["", "fn a() {}\n", "//!\n", "//! x\n", "/// Not the file's own.\n"] {
            check(module_docs, "a.rs", text, &[1]);
        }
    }

    #[test]
    fn long_files_and_functions_are_found() {
        check(file_lengths, "a.rs", &"\n".repeat(1_000), &[]);
        check(file_lengths, "a.rs", &"\n".repeat(1_001), &[0]);
        check(function_lengths, "a.rs", &format!("fn a() {{{}}}", "\n".repeat(99)), &[]);
        check(function_lengths, "a.rs", &format!("\nfn a() {{{}}}", "\n".repeat(100)), &[2]);
    }

    #[test]
    fn undone_work_is_found() {
        let mark = ["TO", "DO"].concat();
        check(
            nothing_left_undone,
            "a.rs",
            &format!("fn a() {{ todo!() }}\n// {mark}: more\n#[ignore]\n"),
            &[1, 3, 2],
        );
        check(nothing_left_undone, "a.rs", "let todo = \"todo!\";\n", &[]);
    }

    #[test]
    fn unsafe_code_is_found_outside_its_module() {
        check(no_unsafe, "crates/a/src/lib.rs", "// unsafe\nunsafe { x() }\n", &[2]);
        check(no_unsafe, UNSAFE_MODULE, "unsafe { x() }\n", &[]);
    }

    #[test]
    fn errors_made_outside_of_issues_are_found() {
        let text = "Error::new(\"A\", \"a\");\nio::Error::new(kind, x);\n";
        check(words_stand_together, "crates/hierarch-hiera/src/lookup.rs", text, &[1]);
        check(words_stand_together, "crates/hierarch-hiera/src/issues.rs", text, &[]);
        check(words_stand_together, "crates/hierarch-hiera/tests/a.rs", text, &[]);
    }

    #[test]
    fn words_of_the_command_line_outside_of_issues_are_found() {
        let text = "Failure::new(\"a\");\n    warning_line(&format!(\"b\"));\n    note(\"c\");\nFailure::from(error);\n";
        check(words_stand_together, "crates/hierarch/src/cli/lookup.rs", text, &[1, 2, 3]);
        check(words_stand_together, "crates/hierarch/src/cli/issues/yaml.rs", text, &[]);
        check(words_stand_together, "crates/hierarch/src/cli/failure.rs", text, &[]);
        let passed_on = "    warning_line(&issues::a());\n    error_line(&error.to_string());\n";
        check(words_stand_together, "crates/hierarch/src/cli/lookup.rs", passed_on, &[]);
        let tested = "#[cfg(test)]\nmod tests {\n    note(\"c\");\n}\n";
        check(words_stand_together, "crates/hierarch/src/cli/lookup.rs", tested, &[]);
    }

    #[test]
    fn phrases_without_a_name_are_found() {
        let who = ["the one", "who knows"].join(" ");
        check(comments_are_plain, "a.rs", &format!("// {who} asks\nlet a = \"{who}\";\n"), &[1]);
    }

    #[test]
    fn libraries_that_print_or_ask_the_machine_are_found() {
        let text = "std::env::var(\"A\");\nprintln!(\"\");\n";
        check(libraries_are_pure, "crates/hierarch-hiera/src/lib.rs", text, &[1, 2]);
        check(libraries_are_pure, "crates/hierarch/src/lib.rs", text, &[1, 2]);
        check(libraries_are_pure, "crates/hierarch/src/main.rs", text, &[]);
        check(libraries_are_pure, "crates/hierarch/src/cli/lookup.rs", text, &[]);
        check(libraries_are_pure, "crates/hierarch-hiera/examples/one.rs", text, &[]);
    }

    #[test]
    fn libraries_that_use_disk_network_or_programs_are_found() {
        let text = "use std::fs;\nuse std::process::{Command, Stdio};\nTcpStream::connect(a);\nuse std::net::IpAddr;\n";
        check(libraries_are_pure, "crates/hierarch-hiera/src/lib.rs", text, &[1, 2, 3]);
        check(libraries_are_pure, "crates/hierarch-source/src/files.rs", text, &[2, 3]);
        let tested = "fn a() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
        check(libraries_are_pure, "crates/hierarch-hiera/src/lib.rs", tested, &[]);
    }
}
