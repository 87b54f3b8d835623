//! `cargo xtask dist`: what a release consists of: an archive with manual and completions, packages, a bill of materials, sums.

mod bill;
mod files;
mod packages;

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tidy::repository;

/// What is made, and of what.
pub struct Release {
    /// The target that it is made for.
    pub target: String,
    /// Where everything goes.
    pub folder: PathBuf,
    /// The profile of the build; what is shipped has `dist`.
    pub profile: String,
}

impl Release {
    /// The release of this machine's target, in a folder.
    pub fn new(target: Option<&str>, folder: &Path, profile: &str) -> io::Result<Self> {
        let target = target.map_or_else(host, |target| Ok(target.to_owned()))?;
        fs::create_dir_all(folder)?;
        Ok(Self { target, folder: fs::canonicalize(folder)?, profile: profile.to_owned() })
    }

    /// The name of the archive, without its ending.
    fn name(&self) -> String {
        format!("hierarch-{}-{}", version(), self.target)
    }

    /// The program that is shipped.
    pub(crate) fn program(&self) -> PathBuf {
        self.folder.join(self.name()).join("hierarch")
    }

    /// What Debian calls the processor.
    fn debian_architecture(&self) -> &str {
        if self.target.starts_with("aarch64") { "arm64" } else { "amd64" }
    }

    /// What Red Hat calls it.
    fn rpm_architecture(&self) -> &str {
        if self.target.starts_with("aarch64") { "aarch64" } else { "x86_64" }
    }
}

/// Makes everything that this machine can make for a target.
pub fn dist(release: &Release, out: &mut dyn Write) -> io::Result<()> {
    let binary = build(release)?;
    writeln!(out, "built {} ({} bytes)", binary.display(), fs::metadata(&binary)?.len())?;
    let stage = files::fill(&release.folder.join(release.name()), &binary)?;
    writeln!(out, "made {}", pack(release, &release.name())?.display())?;
    let bill = release.folder.join(format!("{}.cdx.json", release.name()));
    bill::write(&bill, &release.target)?;
    writeln!(out, "made {}", bill.display())?;
    for package in packages::PACKAGES {
        writeln!(out, "{}", package.make(release, &stage)?)?;
    }
    files::write_recipes(release, out)?;
    sums(&release.folder)?;
    writeln!(out, "made {}", release.folder.join("SHA256SUMS").display())
}

/// Names a program that was built before: to try everything else.
const PROGRAM: &str = "HIERARCH_PROGRAM";

/// Builds the static binary, the same bytes wherever the repository lies, and takes everything out that only debuggers need.
fn build(release: &Release) -> io::Result<PathBuf> {
    let binary = match env::var_os(PROGRAM) {
        Some(program) => PathBuf::from(program),
        None => compile(release)?,
    };
    let stripped = release.folder.join("hierarch.stripped");
    fs::copy(&binary, &stripped)?;
    run(Command::new("strip").arg("--strip-all").arg(&stripped))?;
    let ready = release.folder.join(format!("{}.binary", release.name()));
    fs::rename(&stripped, &ready)?;
    Ok(ready)
}

fn compile(release: &Release) -> io::Result<PathBuf> {
    let root = repository();
    let mut script = Command::new(root.join("scripts/build-static"));
    run(script.args([&release.target, &release.profile]).env("HIERARCH_COMMIT", commit()?))?;
    let built = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(built.join(&release.target).join(&release.profile).join("hierarch"))
}

/// Packs a folder so that the same files give the same bytes.
fn pack(release: &Release, name: &str) -> io::Result<PathBuf> {
    let archive = release.folder.join(format!("{name}.tar.gz"));
    let date = format!("--mtime=@{}", commit_time()?);
    let mut tar = Command::new("tar");
    tar.args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", &date]);
    tar.arg("--use-compress-program=gzip -9n");
    run(tar.arg("--file").arg(&archive).arg("--directory").arg(&release.folder).arg(name))?;
    Ok(archive)
}

/// Writes the sums of all files in a folder that are shipped.
fn sums(folder: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_shipped = [".tar.gz", ".deb", ".rpm", ".json"].iter().any(|ending| name.ends_with(ending));
        if entry.file_type()?.is_file() && is_shipped {
            names.push(name);
        }
    }
    names.sort();
    let sums = output(Command::new("sha256sum").args(names).current_dir(folder))?;
    fs::write(folder.join("SHA256SUMS"), sums)
}

/// Returns the number of the version.
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns the commit as `--version` shows it: its short name and its day.
fn commit() -> io::Result<String> {
    git_log("%h %cs")
}

fn commit_time() -> io::Result<String> {
    git_log("%ct")
}

pub(crate) fn git_log(format: &str) -> io::Result<String> {
    let shown = output(&mut command("git", &["log", "-1", &format!("--format={format}")]))?;
    Ok(String::from_utf8_lossy(&shown).trim().to_owned())
}

/// Returns the day of the commit, in a form of `strftime`.
pub(crate) fn git_date(form: &str) -> io::Result<String> {
    let date = format!("--date=format:{form}");
    let shown = output(&mut command("git", &["log", "-1", "--format=%cd", &date]))?;
    Ok(String::from_utf8_lossy(&shown).trim().to_owned())
}

/// Returns the target that this machine is.
fn host() -> io::Result<String> {
    let shown = output(&mut command("rustc", &["-vV"]))?;
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let host = shown.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| io::Error::other("rustc -vV names no host"))
}

pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(repository());
    command
}

pub(crate) fn run(command: &mut Command) -> io::Result<()> {
    let status = command.status().map_err(|error| failed(command, &error.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(command, &status.to_string())) }
}

pub(crate) fn output(command: &mut Command) -> io::Result<Vec<u8>> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| failed(command, &error.to_string()))?;
    if output.status.success() { Ok(output.stdout) } else { Err(failed(command, &output.status.to_string())) }
}

fn failed(command: &Command, why: &str) -> io::Error {
    io::Error::other(format!("{command:?} failed: {why}"))
}

fn is_installed(program: &str) -> bool {
    let mut asked = Command::new(program);
    asked
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_cannot_be_built_is_told_before_anything_is() {
        let release = Release {
            target: "none-such-musl".to_owned(),
            folder: PathBuf::new(),
            profile: "dist".to_owned(),
        };
        let error = compile(&release).expect_err("there is no library for it");
        assert!(error.to_string().contains("build-static"), "{error}");
    }
}
