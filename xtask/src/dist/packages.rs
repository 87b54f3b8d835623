//! Packages of Linux distributions, made with the distributions' own tools of the files that the archive has.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Release, git_date, git_log, is_installed, output, run, version};
use crate::tidy::repository;

/// A kind of package; where its tool is not installed, it is left out and said so.
pub(super) struct Package {
    name: &'static str,
    tool: &'static str,
    /// The Debian package that brings the tool.
    from: &'static str,
    make: fn(&Release, &Path) -> io::Result<PathBuf>,
}

pub(super) const PACKAGES: &[Package] = &[
    Package { name: "the Debian package", tool: "dpkg-deb", from: "dpkg", make: debian },
    Package { name: "the RPM package", tool: "rpmbuild", from: "rpm", make: rpm },
];

impl Package {
    pub(super) fn make(&self, release: &Release, stage: &Path) -> io::Result<String> {
        if !is_installed(self.tool) {
            let (name, tool, from) = (self.name, self.tool, self.from);
            return Ok(format!("left out {name}: needs {tool} (apt-get install {from})"));
        }
        let path = (self.make)(release, stage)?;
        Ok(format!("made {} {} ({} bytes)", self.name, path.display(), fs::metadata(&path)?.len()))
    }
}

/// Where files of the archive go, and whether they are compressed there.
const PLACES: &[(&str, &str, bool)] = &[
    ("complete/hierarch.bash", "usr/share/bash-completion/completions/hierarch", false),
    ("complete/_hierarch", "usr/share/zsh/vendor-completions/_hierarch", false),
    ("complete/hierarch.fish", "usr/share/fish/vendor_completions.d/hierarch.fish", false),
    ("README.md", "usr/share/doc/hierarch/README.md", false),
    ("doc/CHANGELOG.md", "usr/share/doc/hierarch/changelog.gz", true),
];

fn debian(release: &Release, stage: &Path) -> io::Result<PathBuf> {
    let tree = release.folder.join("debian-tree");
    let _ = fs::remove_dir_all(&tree);
    install(&tree, "usr/bin/hierarch", &fs::read(stage.join("hierarch"))?, 0o755)?;
    for (from, to, is_packed) in PLACES {
        let bytes = fs::read(stage.join(from))?;
        let bytes = if *is_packed { packed(&bytes)? } else { bytes };
        install(&tree, to, &bytes, 0o644)?;
    }
    for page in fs::read_dir(stage.join("doc/man"))? {
        let page = page?;
        let name = page.file_name().to_string_lossy().into_owned();
        install(&tree, &format!("usr/share/man/man1/{name}.gz"), &packed(&fs::read(page.path())?)?, 0o644)?;
    }
    let copyright = fs::read(repository().join("packaging/deb/copyright"))?;
    install(&tree, "usr/share/doc/hierarch/copyright", &copyright, 0o644)?;
    let changes = packed(debian_changes()?.as_bytes())?;
    install(&tree, "usr/share/doc/hierarch/changelog.Debian.gz", &changes, 0o644)?;
    if has_command(stage, "serve") {
        let unit = fs::read(repository().join("packaging/systemd/hierarch-serve.service"))?;
        install(&tree, "lib/systemd/system/hierarch-serve.service", &unit, 0o644)?;
        let settings = fs::read(repository().join("packaging/systemd/hierarch.default"))?;
        install(&tree, "etc/default/hierarch", &settings, 0o644)?;
        install(&tree, "DEBIAN/conffiles", b"/etc/default/hierarch\n", 0o644)?;
    }
    control(release, &tree)?;
    let path = release.folder.join(format!("hierarch_{}-1_{}.deb", version(), release.debian_architecture()));
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "-Zxz", "--build"]).arg(&tree).arg(&path);
    run(build.env("SOURCE_DATE_EPOCH", git_log("%ct")?).stdout(std::process::Stdio::null()))?;
    fs::remove_dir_all(&tree)?;
    Ok(path)
}

/// Writes the package's description and the sums of its files.
fn control(release: &Release, tree: &Path) -> io::Result<()> {
    let files = output(Command::new("find").args(["usr", "-type", "f"]).current_dir(tree))?;
    let files = String::from_utf8_lossy(&files).into_owned();
    let mut names: Vec<&str> = files.lines().collect();
    names.sort_unstable();
    let sums = output(Command::new("md5sum").args(&names).current_dir(tree))?;
    install(tree, "DEBIAN/md5sums", &sums, 0o644)?;
    let sizes =
        names.iter().map(|name| fs::metadata(tree.join(name)).map(|found| found.len().div_ceil(1024)));
    let size: u64 = sizes.sum::<io::Result<u64>>()?;
    let control = fs::read_to_string(repository().join("packaging/deb/control.in"))?;
    let control = control
        .replace("@VERSION@", &format!("{}-1", version()))
        .replace("@ARCHITECTURE@", release.debian_architecture())
        .replace("@SIZE@", &size.to_string());
    install(tree, "DEBIAN/control", control.as_bytes(), 0o644)
}

/// Debian's own changelog: which version this is, and when it was made.
fn debian_changes() -> io::Result<String> {
    let date = git_log("%cD")?;
    Ok(format!(
        "hierarch ({}-1) unstable; urgency=medium\n\n  * Release {}; see changelog.gz for what is new.\n\n -- The Hierarch developers <developers@hierarch.dev>  {date}\n",
        version(),
        version()
    ))
}

fn rpm(release: &Release, stage: &Path) -> io::Result<PathBuf> {
    let top = release.folder.join("rpm-tree");
    let _ = fs::remove_dir_all(&top);
    fs::create_dir_all(&top)?;
    let define = |name: &str, value: &str| format!("--define={name} {value}");
    let mut build = Command::new("rpmbuild");
    build.args(["-bb", "--quiet", "--target", release.rpm_architecture()]);
    build.arg(define("_topdir", &top.display().to_string()));
    build.arg(define("hierarch_version", version()));
    // `%cd` with this form needs no language of the machine's own: git writes English names.
    build.arg(define("hierarch_date", &git_date("%a %b %d %Y")?));
    build.arg(define("hierarch_stage", &stage.display().to_string()));
    build.arg(repository().join("packaging/rpm/hierarch.spec"));
    run(build.env("SOURCE_DATE_EPOCH", git_log("%ct")?))?;
    let architecture = release.rpm_architecture();
    let name = format!("hierarch-{}-1.{architecture}.rpm", version());
    let path = release.folder.join(&name);
    fs::copy(top.join("RPMS").join(architecture).join(&name), &path)?;
    fs::remove_dir_all(&top)?;
    Ok(path)
}

fn has_command(stage: &Path, name: &str) -> bool {
    let mut asked = Command::new(stage.join("hierarch"));
    asked.args([name, "--help"]).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    asked.status().is_ok_and(|status| status.success())
}

fn install(tree: &Path, name: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let path = tree.join(name);
    for folder in Path::new(name).ancestors().skip(1) {
        let folder = tree.join(folder);
        if !folder.exists() {
            fs::create_dir_all(&folder)?;
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755))?;
    }
    fs::write(&path, bytes)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(mode))
}

/// Compresses bytes as Debian wants it: the same bytes whenever it is done.
fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = Command::new("gzip");
    gzip.args(["-9n"]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = gzip.spawn()?;
    let mut input = child.stdin.take().ok_or_else(|| io::Error::other("gzip takes no input"))?;
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| io::Error::other("gzip could not be fed"))??;
    Ok(output.stdout)
}
