//! Scripts that want too much end at a limit or a refusal that no script can rescue.

use hierarch_ruby::run::{Flow, NoHost};
use hierarch_ruby::{Ruby, ScriptLimits, Vm};

/// Runs code in a thread with a stack of its own and returns the code of the error that ends it.
fn end_of(code: &str) -> String {
    let code = code.to_owned();
    let run = move || {
        let limits = ScriptLimits {
            steps: 400_000,
            memory: 32 << 20,
            size: 4 << 20,
            symbols: 1_000,
            stack: 12 << 20,
            ..ScriptLimits::default()
        };
        let mut host = NoHost;
        let mut vm = Vm::new(Box::new(Ruby::new(limits)), &mut host);
        let result = vm.program(&code, "hostile.rb").and_then(|program| vm.run(&program));
        match result {
            Ok(value) => vm.inspect(&value).map_or_else(|_| "nothing".to_owned(), |shown| shown.to_string()),
            Err(flow) => match *flow {
                Flow::Raise(error) => vm.class_name(&error).to_string(),
                Flow::Stop(error) => error.code.to_owned(),
                _ => "a jump".to_owned(),
            },
        }
    };
    let thread = std::thread::Builder::new().stack_size(32 << 20).spawn(run).expect("a thread");
    thread.join().expect("no panic")
}

#[test]
fn endless_loops_end() {
    for code in [
        "loop { }",
        "while true; end",
        "x = 0; x += 1 until false",
        "begin; loop { }; rescue Exception; end",
        "begin; loop { }; ensure; loop { }; end",
        "begin; raise 'x'; rescue; retry; end",
        "1.upto(Float::INFINITY) { }",
        "(1..).each { }",
        "[1].cycle { }",
        "def m; yield; end; m { redo }",
        "a = [1]; a.each { |x| a << x }",
        "Enumerator.new { |y| loop { y << 1 } }.to_a",
        "'a'.upto('zzzzzzzzzz') { }",
        "catch(:x) { loop { begin; throw :y; rescue ArgumentError; end } }",
        "h = Hash.new { |hash, key| hash[key + 1] }; h[0]",
        "at = 0; define_method(:x) { } rescue at += 1 while true",
    ] {
        let end = end_of(code);
        assert!(
            ["RUBY_STEPS", "RUBY_SIZE", "RUBY_MEMORY", "SystemStackError"].contains(&end.as_str()),
            "{code}: {end}"
        );
    }
}

#[test]
fn growth_ends() {
    for code in [
        "s = 'a'; loop { s += s }",
        "s = +'a'; loop { s << s }",
        "'a' * 10**12",
        "[0] * 10**12",
        "'x'.ljust(10**12)",
        "format('%999999999999d', 1)",
        "a = [1]; loop { a += a }",
        "a = [1]; loop { a.concat(a) }",
        "Array.new(10**12, 0)",
        "a = []; a[10**12] = 1",
        "(1..10**12).to_a",
        "2 ** (2 ** 40) ** 2; 1 << (1 << 60)",
        "x = 3; loop { x *= x }",
        "s = 'a' * 1000; loop { s = s.gsub('a', s) }",
        "s = 'ab' * 100; loop { s = s.inspect }",
        "a = []; loop { a << ('x' * 100_000) }",
        "h = {}; i = 0; loop { h[i] = 'x' * 1000; i += 1 }",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].permutation.to_a",
        "(1..40).to_a.combination(20).to_a",
        "a = (1..1000).to_a; a.product(a, a, a)",
        "[0].pack('x999999999999')",
        "i = 0; loop { \"s#{i += 1}\".to_sym }",
        "i = 0; loop { Class.new.new.instance_variable_set(\"@v#{i += 1}\", 1) }",
        "begin; 'a' * 10**12; rescue Exception; 'rescued'; end",
        "begin; loop { \"x#{rand}\".to_sym }; rescue NoMemoryError, StandardError; end",
    ] {
        let end = end_of(code);
        let limits = ["RUBY_STEPS", "RUBY_SIZE", "RUBY_MEMORY", "RUBY_SYMBOLS"];
        assert!(limits.contains(&end.as_str()), "{code}: {end}");
    }
}

#[test]
fn deep_recursion_ends() {
    for code in [
        "def f; f; end; f",
        "def f(x) = [f(x)]; f(1)",
        "f = ->(x) { f.(x) }; f.(1)",
        "a = []; 200_000.times { a = [a] }; a.inspect",
        "a = []; 200_000.times { a = [a] }; a == a.dup.tap { |b| b }; a.flatten.size; a.hash",
        "h = {}; 50_000.times { h = { a: h } }; h.to_s",
        "class String; def to_s = \"#{self}#{to_s}\"; end; 'a'.to_s",
        "class A; def ==(o) = o == self; end; A.new == A.new",
        "class A; def method_missing(*a) = foo(*a); end; A.new.bar",
        "class A; def respond_to_missing?(*a) = respond_to?(:x); end; A.new.respond_to?(:y)",
        "class A; def to_str = self; end; 'a' + A.new",
        "class A; def coerce(o) = [A.new, o]; def +(o) = 1 + self; end; 1 + A.new",
        "x = proc { |y| y.call(y) }; x.call(x)",
    ] {
        let end = end_of(code);
        let known = ["SystemStackError", "RUBY_STEPS", "RUBY_SIZE", "RUBY_MEMORY", "TypeError"];
        assert!(known.contains(&end.as_str()), "{code}: {end}");
    }
}

#[test]
fn long_chains_are_let_go_without_the_stack() {
    for code in [
        "a = nil; 100_000.times { a = [a] }; a = nil; :done",
        "a = nil; 50_000.times { a = { x: a } }; a = nil; :done",
        "N = Struct.new(:n); a = nil; 30_000.times { a = N.new(a) }; a = nil; :done",
        "def w(f) = -> { f }; a = nil; 30_000.times { a = w(a) }; a = nil; :done",
        "e = nil; 20_000.times { begin; raise 'x', cause: e; rescue => f; e = f; end }; e = nil; :done",
    ] {
        assert_eq!(end_of(code), ":done", "{code}");
    }
}

#[test]
fn the_outside_is_refused() {
    for code in [
        "`ls`",
        "system('ls')",
        "send(:system, 'ls')",
        "Kernel.system('ls')",
        "Kernel.send(:exec, 'ls')",
        "method(:system).call('ls')",
        "eval('1')",
        "instance_eval('1')",
        "Object.class_eval('1')",
        "binding",
        "File.write('x', 'y')",
        "File.open('x', 'w')",
        "File.read('/etc/passwd')",
        "Dir.glob('/*')",
        "require_relative '/etc/passwd'",
        "fork",
        "sleep 1",
        "spawn('ls')",
        "open('|ls')",
        "exit!",
        "begin; system('ls'); rescue Exception; 'rescued'; end",
    ] {
        let end = end_of(code);
        let known = ["RUBY_REFUSED", "RUBY_READ", "RUBY_UNSUPPORTED", "LoadError", "NameError"];
        assert!(known.contains(&end.as_str()), "{code}: {end}");
    }
}

#[test]
fn core_classes_open_for_one_run_only() {
    assert_eq!(end_of("class String; def shout = upcase + '!'; end; 'a'.shout"), "\"A!\"");
    assert_eq!(end_of("'a'.shout"), "NoMethodError");
    assert_eq!(end_of("class Integer; def +(o) = 5; end; x = 3; y = 4; x + y"), "5");
    assert_eq!(end_of("x = 3; y = 4; x + y"), "7");
}

#[test]
fn a_class_made_by_new_inherits_what_its_superclass_is_asked() {
    assert_eq!(
        end_of(
            "e = Class.new(StandardError) { def message = 'own' }; begin; raise e; rescue e => x; x.message; end"
        ),
        "\"own\""
    );
    assert_eq!(end_of("private def hidden = 1; self.class.new.hidden"), "NoMethodError");
}

#[test]
fn hostile_texts_do_not_parse() {
    for text in [
        "(".repeat(100_000),
        "[".repeat(3_000) + &"]".repeat(3_000),
        "if x\n".repeat(20_000),
        "!".repeat(50_000) + "1",
        "a+".repeat(100_000) + "1",
    ] {
        let end = end_of(&text);
        assert!(["SyntaxError", "NameError"].contains(&end.as_str()), "{}: {end}", &text[..20]);
    }
}
