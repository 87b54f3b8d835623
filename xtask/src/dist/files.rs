//! The files of a release: what the archive holds, and the recipes of package managers that name it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Release, output, run, version};
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

/// Recipes below `packaging/` in which the version and the sums of archives stand.
const RECIPES: &[&str] =
    &["packaging/arch/PKGBUILD.in", "packaging/homebrew/hierarch.rb.in", "packaging/scoop/hierarch.json.in"];

/// Lays out what an archive holds.
pub(super) fn fill(stage: &Path, binary: &Path) -> io::Result<PathBuf> {
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
    Ok(stage.to_owned())
}

/// Fills the version and the sums of the archives that are there into the recipes.
pub(super) fn write_recipes(release: &Release, out: &mut dyn Write) -> io::Result<()> {
    let mut sums = Vec::new();
    for entry in fs::read_dir(&release.folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let target = name.strip_prefix(&format!("hierarch-{}-", version()));
        if let Some(target) = target.and_then(|rest| rest.strip_suffix(".tar.gz")) {
            let sum = output(Command::new("sha256sum").arg(&name).current_dir(&release.folder))?;
            let sum = String::from_utf8_lossy(&sum).split(' ').next().unwrap_or_default().to_owned();
            sums.push((target.to_owned(), sum));
        }
    }
    for recipe in RECIPES {
        let text = filled(&fs::read_to_string(repository().join(recipe))?, &sums);
        let name = Path::new(recipe).file_stem().unwrap_or_default();
        let path = release.folder.join("recipes").join(name);
        fs::create_dir_all(release.folder.join("recipes"))?;
        fs::write(&path, text)?;
        writeln!(out, "made {}", path.display())?;
    }
    Ok(())
}

/// Replaces `@VERSION@` and `@SHA256:target@`; a target that was not built here is said to be missing.
fn filled(recipe: &str, sums: &[(String, String)]) -> String {
    let mut text = recipe.replace("@VERSION@", version());
    while let Some(start) = text.find("@SHA256:") {
        let Some(length) = text[start + 1..].find('@') else { break };
        let target = text[start + 8..start + 1 + length].to_owned();
        let sum = sums.iter().find(|(known, _)| *known == target).map(|(_, sum)| sum.as_str());
        text.replace_range(start..start + length + 2, sum.unwrap_or("NOT-BUILT-HERE"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_get_version_and_sums() {
        let sums = [("x86_64-unknown-linux-musl".to_owned(), "abc".to_owned())];
        let recipe = "v=@VERSION@ a=@SHA256:x86_64-unknown-linux-musl@ b=@SHA256:other@ end";
        assert_eq!(filled(recipe, &sums), format!("v={} a=abc b=NOT-BUILT-HERE end", version()));
    }

    #[test]
    fn every_recipe_is_there_and_is_filled_whole() {
        for recipe in RECIPES {
            let text = fs::read_to_string(repository().join(recipe)).expect(recipe);
            let filled = filled(&text, &[]);
            assert!(!filled.contains("@VERSION@") && !filled.contains("@SHA256"), "{recipe}: {filled}");
            assert!(filled.contains(version()), "{recipe}");
        }
    }
}
