//! Links what must happen before `main` into the program: see `src/start.c`.

fn main() {
    println!("cargo::rerun-if-changed=src/start.c");
    #[cfg(unix)]
    for object in cc::Build::new().file("src/start.c").compile_intermediates() {
        println!("cargo::rustc-link-arg-bin=hierarch={}", object.display());
    }
}
