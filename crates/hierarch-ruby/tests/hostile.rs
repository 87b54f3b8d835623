//! Scripts that want too much end at a limit or a refusal that no script can rescue.

use hierarch_ruby::ScriptLimits;
use hierarch_ruby::run::outcome;

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
        outcome(&code, limits).unwrap_or_else(|failure| failure.class)
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
        "begin; begin; loop { }; rescue Exception; retry; end; ensure; retry_me = true; loop { } end",
        "1.step { |x| x }",
        "1.0.step(by: 0.1) { |x| x }",
        "x = 1; x = x.succ while x",
        "('a'..).each { }",
        "[1, 2].lazy.cycle.map { |x| x }.select { |x| x > 5 }.first",
        "(1..Float::INFINITY).lazy.select { false }.first(1)",
        "Integer.sqrt(4).upto(10**30) { }",
        "def each_forever; yield while true; end; begin; each_forever { }; rescue SystemExit, Exception; end",
        "s = '0'; s.succ! while true",
        "h = { a: 1 }; h.each_key { |k| h.delete(k); h[k] = 1; redo }",
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
        "1.step(1e20) { |x| x }",
        "1.0.step(1e300, 1e-300).to_a",
        "(1..10**12).step(1).to_a",
        "[1, 2].values_at(0..10**12)",
        "s = 'a' * 100_000; s.each_char.map { s }.join",
        "'a' .center(10**13)",
        "[[1, 2, 3] * 1000].cycle(10**9).to_a",
        "a = [1]; 64.times { a = [a, a] }; a.flatten",
        "a = 'x'; 64.times { a = [a, a] }; a.to_s",
        "require 'json'; a = [1]; 64.times { a = [a, a] }; JSON.generate(a)",
        "require 'yaml'; a = ['x']; 64.times { a = [a, a.dup] }; YAML.dump(a)",
        "Hash.new { |h, k| h[k] = 'x' * 10**6 }.then { |h| (10**6).times { |i| h[i] } }",
        "'%s' * 1000 % (['x' * 100_000] * 1000)",
        "(10**6).times.map { |i| :\"s#{i}\" }",
        "i = 0; loop { define_method(\"m#{i += 1}\") { } rescue self.class.send(:define_method, \"m#{i}\") { } }",
        "i = 0; loop { Object.const_set(\"C#{i += 1}\", 1) }",
        "i = 0; loop { \"v#{i += 1}\".intern }",
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
        "begin; `ls`; rescue Exception; 'rescued'; ensure; 'ensured'; end",
        "public_send(:system, 'ls')",
        "__send__(:system, 'ls')",
        "Kernel.method(:system).unbind",
        "Kernel.instance_method(:system).bind(self).call('ls')",
        "%w[ls].each(&method(:system))",
        "[:system].each { |m| send(m, 'ls') }",
        "alias ls system; ls('ls')",
        "class X; def method_missing(n, *a) = Kernel.send(:system, *a); end; X.new.ls('ls')",
        "IO.popen('ls')",
        "IO.read('/etc/passwd')",
        "Process.kill(9, 1)",
        "Process.spawn('ls')",
        "require 'open3'; Open3.capture2('ls')",
        "require 'net/http'; Net::HTTP.get('a', '/')",
        "require 'resolv'; Resolv.getaddress('a')",
        "require 'resolv'; begin; Resolv.getaddress('a'); rescue Exception; 'rescued'; end",
        "require 'socket'; TCPSocket.new('a', 1)",
        "require 'socket'; Socket.tcp('a', 1)",
        "require 'fileutils'; FileUtils.rm_rf('/')",
        "require 'tempfile'; Tempfile.new('x')",
        "Thread.new { }",
        "ObjectSpace.each_object { }",
        "Marshal.load('x')",
        "TracePoint.new(:call) { }",
        "require '/etc/passwd'",
        "load '/etc/passwd'",
        "require 'fiddle'",
        "Object.const_get(:Open3).capture2('ls')",
        "self.class.const_get('Kernel').send(:system, 'ls')",
        "String.class_eval('def x; end')",
        "Class.new { class_eval \"def x; end\" }",
        "File.open('/etc/passwd') { |f| f.read }",
        "File.symlink('/etc/passwd', 'x')",
        "Dir.mkdir('x')",
        "exit",
        "abort",
        "at_exit { }",
        "trap('INT') { }",
    ] {
        let end = end_of(code);
        let known = [
            "RUBY_REFUSED",
            "RUBY_READ",
            "RUBY_UNSUPPORTED",
            "LoadError",
            "NameError",
            "NoMethodError",
            "SystemExit",
        ];
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
