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
        "format('%999999999d', 1)",
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
    assert_eq!(end_of("class Integer; def *(o) = 5; end; x = 3; y = 4; x * y"), "5");
    assert_eq!(end_of("x = 3; y = 4; x * y"), "12");
    // What is computed without a search for the method cannot be defined anew.
    assert_eq!(end_of("class Integer; def +(o) = 5; end; x = 3; y = 4; x + y"), "RUBY_UNSUPPORTED");
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

#[test]
fn long_numbers_cost_what_they_take() {
    for code in [
        "x = 3**100000; x.pow(x, x + 1)",
        "x = 3**100000; 1000.times { x.gcd(x + 1) }",
        "x = 3**100000; x.lcm(x + 1); 1000.times { x.lcm(x + 1) }",
        "x = '9' * 1000000; 100.times { Integer(x) }",
        "x = '9' * 1000000; 100.times { x.to_i }",
        "x = 'f' * 1000000; 1000.times { x.hex }",
        "1000.times { (7**(7**6)).to_s }",
        "1000.times { \"#{7**(7**6)}\" }",
        "x = 7**(7**6); 1000.times { [x].inspect }",
        "require 'json'; x = 7**(7**6); 1000.times { [x].to_json }",
        "require 'yaml'; x = 7**(7**6); 1000.times { [x].to_yaml }",
        "x = 7**(7**6); 1000.times { '%d' % x }",
        "x = 7**(7**6); 10000.times { x.to_s(2) }",
        "x = 7**(7**6); 1000000.times { x > 1 }",
        "x = 7**(7**6); 1000000.times { 1 == x }",
        "x = 7**(7**6); h = {}; 1000000.times { h[x] = 1 }",
        "x = 7**(7**6); 100000.times { x << 1 }",
        "x = 7**(7**6); 100000.times { x >> 1 }",
        "x = 7**(7**6); 100000.times { x & (x - 1) }",
        "x = 7**(7**6); 10000.times { x % (x / 3) }",
        "x = 7**(7**6); 10000.times { x.divmod(12345) }",
        "Integer.sqrt(7**(7**6))",
        "(7**(7**6)).digits",
        "Rational(3**100000, 7**100000)",
        "x = Rational(3**3000, 7**3000); 1000000.times { x > 1 }",
    ] {
        assert!(["RUBY_STEPS", "RUBY_SIZE"].contains(&end_of(code).as_str()), "{code}: {}", end_of(code));
    }
}

#[test]
fn ordinary_long_numbers_are_cheap() {
    for (code, expected) in [
        ("(2**1000).to_s.size", "302"),
        ("Integer('9' * 500).bit_length", "1661"),
        ("(1..200).inject(:*).to_s.size", "375"),
        ("(2**521 - 1).gcd(3**300)", "1"),
        ("3.pow(2**200, 10**40 + 7).class", "Integer"),
        ("Integer.sqrt(10**200).to_s.size", "101"),
        ("(10**300).digits.size", "301"),
        ("Rational(10**50, 3**40).class", "Rational"),
    ] {
        assert_eq!(end_of(code), expected, "{code}");
    }
}

#[test]
fn what_objects_take_is_counted() {
    for code in [
        "a = []; 10000000.times { a << Class.new }",
        "a = []; 10000000.times { a << Module.new }",
        "a = []; 10000000.times { a << Struct.new(:a) }",
        "a = []; 10000000.times { a << Object.new }",
        "a = []; 10000000.times { |i| a << [i].each }",
        "a = []; 10000000.times { |i| a << Set.new([i]) }",
        "a = []; 10000000.times { |i| a << Regexp.new(\"a#{i}b{1,200}\") }",
        "a = []; 10000000.times { a << RuntimeError.new }",
        "def f(x); begin; f(x + 1); rescue SystemStackError; f(x + 1); end; end; f(1)",
        "e = nil; loop { begin; raise 'x', cause: e; rescue => e; end }",
    ] {
        assert!(["RUBY_STEPS", "RUBY_MEMORY"].contains(&end_of(code).as_str()), "{code}: {}", end_of(code));
    }
}

/// Every way out that a template may try, and the refusal it meets, whatever it rescues.
#[test]
fn each_way_out_meets_its_refusal() {
    for (code, expected) in [
        ("ObjectSpace.each_object(Class) { }", "RUBY_REFUSED"),
        ("ObjectSpace.garbage_collect", "RUBY_REFUSED"),
        ("Integer.define_method(:+) { |o| 5 }; 1 + 1", "RUBY_UNSUPPORTED"),
        ("instance_eval('system(\"ls\")')", "RUBY_REFUSED"),
        ("instance_eval { system('ls') }", "RUBY_REFUSED"),
        ("eval('1')", "RUBY_REFUSED"),
        ("Kernel.eval('1')", "RUBY_REFUSED"),
        ("binding.eval('1')", "RUBY_REFUSED"),
        ("Kernel.open('|ls')", "RUBY_REFUSED"),
        ("open('|ls') { |f| f.read }", "RUBY_REFUSED"),
        ("`ls`", "RUBY_REFUSED"),
        ("%x(ls)", "RUBY_REFUSED"),
        ("%x{#{'ls'}}", "RUBY_REFUSED"),
        ("Marshal.load(\"\\x04\\u{8}[\\x00\")", "RUBY_REFUSED"),
        ("Marshal.dump([1])", "RUBY_REFUSED"),
        ("require 'erb'; ERB.new('<%= `ls` %>').result", "RUBY_UNSUPPORTED"),
        ("require 'erb'; ERB.new('<%= system(\"ls\") %>').result(binding)", "RUBY_UNSUPPORTED"),
        ("require 'erb'; ERB.new('x' * 10).src", "RUBY_UNSUPPORTED"),
        ("$stdin.gets", "RUBY_REFUSED"),
        ("gets", "RUBY_REFUSED"),
        ("Signal.trap('INT') { }", "RUBY_REFUSED"),
        ("Ractor.new { }", "RUBY_REFUSED"),
        ("Fiber.new { }", "RUBY_REFUSED"),
        ("Thread.current", "RUBY_REFUSED"),
        ("set_trace_func(proc { })", "RUBY_REFUSED"),
        ("require 'socket'; UNIXSocket.new('/x')", "RUBY_REFUSED"),
        ("require 'etc'; Etc.getpwnam('root')", "RUBY_UNSUPPORTED"),
        ("require 'open-uri'; URI.open('http://a/')", "RUBY_REFUSED"),
        ("Dir.chdir('/')", "RUBY_UNSUPPORTED"),
        ("Dir.entries('/')", "RUBY_READ"),
        ("File.delete('x')", "RUBY_REFUSED"),
        ("File.chmod(0777, 'x')", "RUBY_UNSUPPORTED"),
        ("File.rename('a', 'b')", "RUBY_UNSUPPORTED"),
        ("IO.write('x', 'y')", "RUBY_UNSUPPORTED"),
        ("IO.binread('/etc/passwd')", "RUBY_UNSUPPORTED"),
        ("IO.sysopen('/etc/passwd')", "RUBY_UNSUPPORTED"),
        ("File.foreach('/etc/passwd') { }", "RUBY_READ"),
        ("File.readlines('/etc/passwd')", "RUBY_READ"),
        ("Kernel.const_get(:File).read('/etc/shadow')", "RUBY_READ"),
        ("Object.const_get('Fi' + 'le').public_send('re' + 'ad', '/etc/shadow')", "RUBY_READ"),
        ("Object.new.instance_eval { `ls` }", "RUBY_REFUSED"),
        ("Class.new { def x = system('ls') }.new.x", "RUBY_REFUSED"),
        (
            "define_method(:z) { } rescue self.class.send(:define_method, :z) { system('ls') }; z",
            "RUBY_REFUSED",
        ),
        ("[].instance_exec { exec('ls') }", "RUBY_REFUSED"),
        ("at_exit { loop { } }; 1", "RUBY_REFUSED"),
        ("trap(0) { }", "RUBY_REFUSED"),
        ("sleep", "RUBY_REFUSED"),
        ("Comparable.module_eval('1')", "RUBY_REFUSED"),
        ("Array.send(:undef_method, :each); [1].each { }", "RUBY_UNSUPPORTED"),
        ("GC.start", "RUBY_REFUSED"),
        ("STDIN.read", "RUBY_REFUSED"),
        ("ARGF.read", "RUBY_REFUSED"),
        ("Mutex.new", "RUBY_REFUSED"),
        ("TOPLEVEL_BINDING.eval('1')", "RUBY_REFUSED"),
        ("File.new('/etc/passwd')", "RUBY_READ"),
    ] {
        let rescued = format!("begin; {code}; rescue Exception; 'rescued'; end");
        assert_eq!((end_of(code).as_str(), end_of(&rescued).as_str()), (expected, expected), "{code}");
    }
}

#[test]
fn a_password_that_no_c_library_takes_is_not_hashed() {
    assert_eq!(end_of("('a' * 1_000_000).crypt('$6$ab')"), "\"*0\"");
}

#[test]
fn a_walk_over_what_is_long_counts() {
    for code in [
        "s = 'x' * 10**6; loop { s[5] = 'y' }",
        "s = 'x' * 10**6; loop { s.index('y') }",
        "s = 'x' * 10**6; loop { s =~ /y/ }",
        "s = 'x' * 10**6; t = 'x' * 10**6; loop { s == t }",
        "s = 'x' * 10**6; loop { s.hash }",
        "s = 'x' * 10**6; loop { s.slice!(0); s << 'x' }",
        "a = [0] * 10**5; loop { a.shift; a.push(1) }",
        "a = [0] * 10**5; loop { a.insert(0, 1); a.pop }",
        "a = [0] * 10**5; loop { a.delete(5) }",
        "h = (1..10**5).to_h { |i| [i, i] }; loop { h.value?(0) }",
        "s = 'a' * 10**6; loop { Float(s) rescue 1 }",
        "s = 'a' * 10**6; loop { s.unicode_normalize }",
        "s = 'a' * 10**6; loop { s.rindex('b') }",
        "s = 'a' * 10**6; loop { Regexp.new(s) rescue 1 }",
        "s = 'a' * 10**6; loop { s.upto('b').first }",
        "s = 'a' * 10**5; loop { s.to_yaml }",
        "s = 'a' * 10**5; loop { YAML.load(s) }",
        "require 'date'; s = 'a' * 10**5; loop { Date.parse(s) rescue 1 }",
        "loop { 'a'.crypt('$6$rounds=1000$ab') }",
    ] {
        assert_eq!(end_of(code), "RUBY_STEPS", "{code}");
    }
}
