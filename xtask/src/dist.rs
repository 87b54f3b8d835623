//! `cargo xtask dist`: what a release consists of: an archive with manual and completions, packages, sums.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tidy::repository;

/// The shells whose completions are shipped, with the name of each file.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "hierarch.bash"),
    ("zsh", "_hierarch"),
    ("fish", "hierarch.fish"),
    ("powershell", "hierarch.ps1"),
    ("elvish", "hierarch.elv"),
    ("nushell", "hierarch.nu"),
];

/// A program that makes one more thing of the same binary; where it is not installed, that thing is left out and said so.
struct Extra {
    /// What it makes.
    makes: &'static str,
    /// The cargo subcommand, and the crate that brings it.
    tool: &'static str,
    package: &'static str,
    arguments: &'static [&'static str],
}

const EXTRAS: &[Extra] = &[
    Extra {
        makes: "the Debian package",
        tool: "deb",
        package: "cargo-deb",
        arguments: &["--package", "hierarch", "--no-build", "--no-strip", "--profile", "dist"],
    },
    Extra {
        makes: "the RPM package",
        tool: "generate-rpm",
        package: "cargo-generate-rpm",
        arguments: &["--package", "crates/hierarch", "--profile", "dist"],
    },
    Extra {
        makes: "the bill of materials",
        tool: "cyclonedx",
        package: "cargo-cyclonedx",
        arguments: &["--manifest-path", "crates/hierarch/Cargo.toml", "--format", "json"],
    },
];

/// Makes everything that this machine can make for a target, in a folder.
pub fn dist(target: Option<&str>, folder: &Path, out: &mut dyn Write) -> io::Result<()> {
    let target = target.map_or_else(host, |target| Ok(target.to_owned()))?;
    fs::create_dir_all(folder)?;
    let folder = &fs::canonicalize(folder)?;
    let binary = build(&target)?;
    let name = format!("hierarch-{}-{target}", env!("CARGO_PKG_VERSION"));
    fill(&folder.join(&name), &binary)?;
    // Where the packages' manifests in crates/hierarch/Cargo.toml find their files.
    fill(&repository().join("target/package-files"), &binary)?;
    let archive = pack(folder, &name)?;
    writeln!(out, "made {}", archive.display())?;
    for extra in EXTRAS {
        writeln!(out, "{}", extra.make(&target, folder)?)?;
    }
    sums(folder)?;
    writeln!(out, "made {}", folder.join("SHA256SUMS").display())
}

/// Builds the static binary, the same bytes wherever the repository lies.
fn build(target: &str) -> io::Result<PathBuf> {
    let root = repository();
    let flags = format!(
        "{} -C target-feature=+crt-static --remap-path-prefix={}=/hierarch",
        env::var("RUSTFLAGS").unwrap_or_default(),
        root.display(),
    );
    let mut cargo = command(
        "cargo",
        &["build", "--profile", "dist", "--locked", "--package", "hierarch", "--target", target],
    );
    run(cargo.env("RUSTFLAGS", flags).env("HIERARCH_COMMIT", commit()?))?;
    let built = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(built.join(target).join("dist/hierarch"))
}

/// Lays out what an archive holds.
fn fill(stage: &Path, binary: &Path) -> io::Result<()> {
    if stage.exists() {
        fs::remove_dir_all(stage)?;
    }
    let (documents, completions) = (stage.join("doc"), stage.join("complete"));
    fs::create_dir_all(documents.join("man"))?;
    fs::create_dir_all(&completions)?;
    let program = stage.join("hierarch");
    fs::copy(binary, &program)?;
    for (from, to) in
        [("README.md", "README.md"), ("LICENSE", "LICENSE"), ("CHANGELOG.md", "doc/CHANGELOG.md")]
    {
        fs::copy(repository().join(from), stage.join(to))?;
    }
    run(Command::new(&program).arg("manual").arg(documents.join("man")))?;
    for (shell, file) in SHELLS {
        fs::write(completions.join(file), output(Command::new(&program).args(["completions", shell]))?)?;
    }
    Ok(())
}

/// Packs a folder so that the same files give the same bytes.
fn pack(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let archive = folder.join(format!("{name}.tar.gz"));
    let date = format!("--mtime=@{}", commit_time()?);
    let mut tar = Command::new("tar");
    tar.args([
        "--create",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        &date,
        "--use-compress-program=gzip -n",
    ]);
    run(tar.arg("--file").arg(&archive).arg("--directory").arg(folder).arg(name))?;
    Ok(archive)
}

impl Extra {
    fn make(&self, target: &str, folder: &Path) -> io::Result<String> {
        if !self.is_installed() {
            return Ok(format!("left out {}: needs `cargo install {} --locked`", self.makes, self.package));
        }
        let mut cargo = command("cargo", &[self.tool]);
        cargo.args(self.arguments);
        if self.tool != "cyclonedx" {
            cargo.args(["--target", target, "--output"]).arg(folder);
        }
        run(&mut cargo)?;
        Ok(format!("made {}", self.makes))
    }

    fn is_installed(&self) -> bool {
        let mut asked = command("cargo", &[self.tool, "--version"]);
        asked.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

/// Writes the sums of all files in a folder.
fn sums(folder: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name() != "SHA256SUMS" {
            names.push(entry.file_name());
        }
    }
    names.sort();
    let sums = output(Command::new("sha256sum").args(names).current_dir(folder))?;
    fs::write(folder.join("SHA256SUMS"), sums)
}

/// Returns the commit as `--version` shows it: its short name and its day.
fn commit() -> io::Result<String> {
    let shown = output(&mut command("git", &["log", "-1", "--format=%h %cs"]))?;
    Ok(String::from_utf8_lossy(&shown).trim().to_owned())
}

fn commit_time() -> io::Result<String> {
    let shown = output(&mut command("git", &["log", "-1", "--format=%ct"]))?;
    Ok(String::from_utf8_lossy(&shown).trim().to_owned())
}

/// Returns the target that this machine is.
fn host() -> io::Result<String> {
    let shown = output(&mut command("rustc", &["-vV"]))?;
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let host = shown.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| io::Error::other("rustc -vV names no host"))
}

fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(repository());
    command
}

fn run(command: &mut Command) -> io::Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?} failed: {status}"))) }
}

fn output(command: &mut Command) -> io::Result<Vec<u8>> {
    let output = command.stderr(Stdio::inherit()).output()?;
    let failed = || io::Error::other(format!("{command:?} failed: {}", output.status));
    if output.status.success() { Ok(output.stdout) } else { Err(failed()) }
}
