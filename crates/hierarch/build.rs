//! Links what must happen before `main` into the program: see `src/start.c`. Tells the program which features it has.

fn main() {
    println!("cargo::rustc-env=HIERARCH_FEATURES={}", features());
    println!("cargo::rerun-if-changed=src/start.c");
    #[cfg(unix)]
    for object in cc::Build::new().file("src/start.c").compile_intermediates() {
        println!("cargo::rustc-link-arg-bin=hierarch={}", object.display());
    }
}

/// Lists the features of this build by name; that it has a command line goes without saying.
fn features() -> String {
    let feature = |(name, _): (std::ffi::OsString, std::ffi::OsString)| {
        let name = name.into_string().ok()?;
        Some(name.strip_prefix("CARGO_FEATURE_")?.to_ascii_lowercase().replace('_', "-"))
    };
    let names = std::env::vars_os().filter_map(feature);
    let mut names: Vec<String> = names.filter(|name| name != "default" && name != "cli").collect();
    names.sort();
    names.join(" ")
}
