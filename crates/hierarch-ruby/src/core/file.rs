//! `File`, `Dir` and `Process`: names of files always, contents as far as the host allows.

use std::path::Path;

use super::prelude::*;

static FILE_METHODS: &[Builtin] = &[
    m("basename", 1, 2, basename)
        .gives(&["File.basename('/a/b.txt', '.txt') => \"b\"", "File.basename('a.erb', '.*') => \"a\""]),
    m("dirname", 1, 2, |vm, _, args| {
        let path = path_of(vm, &args.at(0))?;
        Ok(vm.str(dirname(&path)))
    })
    .gives(&["File.dirname('/a/b') => \"/a\"", "File.dirname('x') => \".\""]),
    m("extname", 1, 1, |vm, _, args| {
        let path = path_of(vm, &args.at(0))?;
        Ok(vm.str(extname(&path)))
    })
    .gives(&["File.extname('b.tar.gz') => \".gz\"", "File.extname('.bashrc') => \"\""]),
    m("join", 0, -1, join)
        .gives(&["File.join('a', '/b/', 'c') => \"a/b/c\"", "File.join('', 'a') => \"/a\""]),
    m("split", 1, 1, |vm, _, args| {
        let path = path_of(vm, &args.at(0))?;
        let (folder, name) = (vm.str(dirname(&path)), vm.str(last(&path)));
        Ok(vm.pair(folder, name))
    })
    .gives(&["File.split('/a/b') => [\"/a\", \"b\"]"]),
    m("expand_path", 1, 2, expand_path).gives(&["File.expand_path('../x', '/a/b') => \"/a/x\""]),
    m("absolute_path", 1, 2, expand_path),
    m("absolute_path?", 1, 1, |vm, _, args| {
        let path = path_of(vm, &args.at(0))?;
        Ok(Value::Bool(path.starts_with('/')))
    }),
    m("exist?", 1, 1, |vm, _, args| {
        exists(vm, args, |files, path| files.is_file(path) || files.is_folder(path))
    }),
    m("file?", 1, 1, |vm, _, args| exists(vm, args, |files, path| files.is_file(path))),
    m("directory?", 1, 1, |vm, _, args| exists(vm, args, |files, path| files.is_folder(path))),
    m("readable?", 1, 1, |vm, _, args| {
        exists(vm, args, |files, path| files.is_file(path) || files.is_folder(path))
    }),
    m("read", 1, -1, |vm, _, args| {
        let bytes = read(vm, &args.at(0))?;
        Ok(vm.text(Text::of_bytes(bytes, Encoding::Utf8)))
    }),
    m("binread", 1, 3, |vm, _, args| {
        let bytes = read(vm, &args.at(0))?;
        Ok(vm.binary(bytes))
    }),
    m("readlines", 1, -1, |vm, _, args| {
        let bytes = read(vm, &args.at(0))?;
        let text = vm.text(Text::of_bytes(bytes, Encoding::Utf8));
        vm.send_args(
            &text,
            Sym::of("lines"),
            Args { list: args.list[1..].iter().cloned().collect(), ..args.clone() },
        )
    }),
    m("foreach", 1, -1, |vm, _, args| {
        let bytes = read(vm, &args.at(0))?;
        let text = vm.text(Text::of_bytes(bytes, Encoding::Utf8));
        vm.send_args(&text, Sym::of("each_line"), Args::with_block(&[], args.block.clone()))
    }),
    m("size", 1, 1, |vm, _, args| {
        let bytes = read(vm, &args.at(0))?;
        Ok(bytes.len().into())
    }),
    m("zero?", 1, 1, |vm, _, args| {
        let bytes = read(vm, &args.at(0))?;
        Ok(Value::Bool(bytes.is_empty()))
    }),
    m("open", 1, -1, |vm, _, args| open(vm, args)),
    m("new", 1, -1, |vm, _, args| open(vm, &Args { block: None, ..args.clone() })),
    m("write", 0, -1, |vm, _, _| Err(vm.refused("File.write"))),
    m("delete", 0, -1, |vm, _, _| Err(vm.refused("File.delete"))),
    m("fnmatch", 2, 3, |vm, _, args| {
        let (pattern, path) = (args.text(vm, 0)?, args.text(vm, 1)?);
        Ok(Value::Bool(glob_matches(&pattern, &path)))
    })
    .gives(&["File.fnmatch('*.rb', 'a.rb') => true"]),
    m("fnmatch?", 2, 3, |vm, _, args| {
        let (pattern, path) = (args.text(vm, 0)?, args.text(vm, 1)?);
        Ok(Value::Bool(glob_matches(&pattern, &path)))
    }),
];

static DIR_METHODS: &[Builtin] = &[
    m("exist?", 1, 1, |vm, _, args| exists(vm, args, |files, path| files.is_folder(path))),
    m("children", 1, 1, |vm, _, args| {
        let names = list(vm, &args.at(0))?;
        let names = names.iter().map(|name| vm.str(name.as_str())).collect();
        Ok(vm.array(names))
    }),
    m("entries", 1, 1, |vm, _, args| {
        let names = list(vm, &args.at(0))?;
        let names = [".", ".."]
            .into_iter()
            .chain(names.iter().map(String::as_str))
            .map(|name| vm.str(name))
            .collect();
        Ok(vm.array(names))
    }),
    m("glob", 1, -1, glob),
    m("[]", 1, -1, glob),
    m("pwd", 0, 0, |vm, _, _| Ok(vm.str("/"))),
];

/// `File`
pub(super) static FILE: ClassSpec = ClassSpec {
    superclass: Some("IO"),
    singleton: &[FILE_METHODS],
    constants: &[
        ("SEPARATOR", |vm| Ok(vm.str("/"))),
        ("PATH_SEPARATOR", |vm| Ok(vm.str(":"))),
        ("ALT_SEPARATOR", |_| Ok(Value::Nil)),
    ],
    ..ClassSpec::class("File")
};

/// `Dir`
pub(super) static DIR: ClassSpec = ClassSpec { singleton: &[DIR_METHODS], ..ClassSpec::class("Dir") };

/// `Process`
pub(super) static PROCESS: ClassSpec = ClassSpec {
    singleton: &[&[
        m("pid", 0, 0, |_, _, _| Ok(Value::Int(1))).gives(&["Process.pid.class => Integer"]),
        m("clock_gettime", 1, 2, |vm, _, _| {
            let (seconds, nanos) = vm.host.now();
            Ok(Value::Float(seconds as f64 + f64::from(nanos) / 1e9))
        }),
    ]],
    constants: &[("CLOCK_MONOTONIC", |_| Ok(Value::Int(1))), ("CLOCK_REALTIME", |_| Ok(Value::Int(0)))],
    ..ClassSpec::module("Process")
};

fn path_of(vm: &mut Vm<'_>, value: &Value) -> Res<EcoString> {
    let name = Sym::of("to_path");
    if matches!(value, Value::Object(_)) && vm.responds(value, name)? {
        let path = vm.send(value, name, &[])?;
        return vm.to_text(&path);
    }
    vm.to_text(value)
}

fn last(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "" } else { "/" };
    }
    trimmed.rsplit('/').next().unwrap_or(trimmed)
}

fn dirname(path: &str) -> String {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rfind('/') {
        Some(at) => {
            let folder = trimmed[..at].trim_end_matches('/');
            if folder.is_empty() { "/".to_owned() } else { folder.to_owned() }
        }
        None if trimmed.is_empty() && path.starts_with('/') => "/".to_owned(),
        None => ".".to_owned(),
    }
}

fn extname(path: &str) -> String {
    let name = last(path);
    let stem = name.trim_start_matches('.');
    match stem.rfind('.') {
        Some(at) if at > 0 || stem.len() == name.len() => {
            let extension = &stem[at..];
            if at == 0 && stem.len() == name.len() { String::new() } else { extension.to_owned() }
        }
        _ => String::new(),
    }
}

fn basename(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let path = path_of(vm, &args.at(0))?;
    let name = last(&path);
    let suffix = if args.len() > 1 { args.text(vm, 1)? } else { EcoString::new() };
    let extension = extname(name);
    let kept = if suffix == ".*" {
        name.strip_suffix(extension.as_str())
    } else {
        name.strip_suffix(suffix.as_str()).filter(|kept| !kept.is_empty())
    };
    Ok(vm.str(kept.unwrap_or(name)))
}

fn join(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let list = vm.array(args.list.to_vec());
    let flat = vm.send(&list, Sym::of("flatten"), &[])?;
    let mut path = String::new();
    for (place, part) in vm.to_array(&flat)?.iter().enumerate() {
        let part = path_of(vm, part)?;
        if place == 0 {
            path.push_str(&part);
            continue;
        }
        match (path.ends_with('/'), part.starts_with('/')) {
            (true, true) => path.truncate(path.trim_end_matches('/').len()),
            (false, false) => path.push('/'),
            _ => {}
        }
        path.push_str(&part);
    }
    Ok(vm.str(path))
}

fn expand_path(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let path = path_of(vm, &args.at(0))?;
    let base = if args.at(1).is_nil() { "/".into() } else { path_of(vm, &args.at(1))? };
    let joined = if path.starts_with('/') { path.to_string() } else { format!("/{base}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Ok(vm.str(format!("/{}", parts.join("/"))))
}

fn exists(vm: &mut Vm<'_>, args: &Args, ask: fn(&dyn hierarch_source::Files, &Path) -> bool) -> Res {
    let path = path_of(vm, &args.at(0))?;
    let clean = hierarch_source::without_dots(Path::new(path.as_str()));
    vm.check_read(&clean.to_string_lossy())?;
    Ok(Value::Bool(vm.host.files().is_some_and(|files| ask(files, &clean))))
}

/// Reads a file that the host lets be read.
pub(crate) fn read(vm: &mut Vm<'_>, path: &Value) -> Res<Vec<u8>> {
    let path = path_of(vm, path)?;
    let clean = hierarch_source::without_dots(Path::new(path.as_str()));
    vm.check_read(&clean.to_string_lossy())?;
    let most = vm.limits.size as u64;
    let result = vm.host.files().map(|files| files.read_at_most(&clean, most));
    match result {
        Some(Ok(bytes)) => Ok(bytes),
        Some(Err(error)) if error.kind() == std::io::ErrorKind::FileTooLarge => {
            Err(Flow::stop(crate::issues::too_large(vm.limits.size)))
        }
        Some(Err(error)) if error.kind() == std::io::ErrorKind::IsADirectory => {
            Err(vm.raise("Errno::EISDIR", format!("Is a directory @ io_fread - {path}")))
        }
        _ => Err(vm.raise("Errno::ENOENT", format!("No such file or directory @ rb_sysopen - {path}"))),
    }
}

fn open(vm: &mut Vm<'_>, args: &Args) -> Res {
    if args.positional().len() > 1
        && let Value::Str(mode) = args.at(1)
        && mode.lossy().contains(['w', 'a', '+'])
    {
        return Err(vm.refused("File.open for writing"));
    }
    let bytes = read(vm, &args.at(0))?;
    let text = vm.text(Text::of_bytes(bytes, Encoding::Utf8));
    let object = vm.class("Object");
    let Some(class) = vm.own_constant(&object, Sym::of("StringIO"))? else {
        return Err(vm.unsupported("File.open"));
    };
    let io = vm.send(&class, names::NEW, &[text])?;
    match &args.block {
        Some(block) => vm.call_block(&Rc::clone(block), &[io]),
        None => Ok(io),
    }
}

fn list(vm: &mut Vm<'_>, folder: &Value) -> Res<Vec<String>> {
    let path = path_of(vm, folder)?;
    let clean = hierarch_source::without_dots(Path::new(path.as_str()));
    vm.check_read(&clean.to_string_lossy())?;
    match vm.host.files().map(|files| files.list(&clean)) {
        Some(Ok(names)) => Ok(names),
        _ => Err(vm.raise("Errno::ENOENT", format!("No such file or directory @ dir_initialize - {path}"))),
    }
}

fn glob(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let mut found = Vec::new();
    for pattern in args.positional().to_vec() {
        let pattern = path_of(vm, &pattern)?;
        let fixed: String = pattern
            .split('/')
            .take_while(|part| !part.contains(['*', '?', '[', '{']))
            .collect::<Vec<_>>()
            .join("/");
        let start = if fixed.is_empty() { "/".to_owned() } else { fixed };
        vm.check_read(&start)?;
        walk(vm, &start, &pattern, 0, &mut found)?;
    }
    let paths = found.into_iter().map(|path| vm.str(path)).collect();
    Ok(vm.array(paths))
}

fn walk(vm: &mut Vm<'_>, path: &str, pattern: &str, depth: u32, found: &mut Vec<String>) -> Res<()> {
    vm.step()?;
    if glob_matches(pattern, path) {
        found.push(path.to_owned());
    }
    let names = vm.host.files().and_then(|files| files.list(Path::new(path)).ok()).unwrap_or_default();
    if depth > 64 {
        return Ok(());
    }
    for name in names {
        if !name.starts_with('.') {
            walk(vm, &format!("{}/{name}", path.trim_end_matches('/')), pattern, depth + 1, found)?;
        }
    }
    Ok(())
}

/// Tells whether a pattern of a shell matches a path; `**/` is any number of folders.
fn glob_matches(pattern: &str, path: &str) -> bool {
    if let Some((before, rest)) = pattern.split_once('{')
        && let Some((choices, after)) = rest.split_once('}')
    {
        return choices.split(',').any(|choice| glob_matches(&format!("{before}{choice}{after}"), path));
    }
    let mut source = String::from(r"\A");
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let taken = if rest.starts_with("**/") {
            source.push_str("(?:[^/]+/)*");
            3
        } else {
            match c {
                '*' => source.push_str("[^/]*"),
                '?' => source.push_str("[^/]"),
                '[' | ']' => source.push(c),
                c => source.push_str(&super::regexp::escaped(&c.to_string())),
            }
            c.len_utf8()
        };
        rest = &rest[taken..];
    }
    source.push_str(r"\z");
    Regex::new(&source, 0).is_ok_and(|regexp| regexp.engine.is_match(path).unwrap_or(false))
}
