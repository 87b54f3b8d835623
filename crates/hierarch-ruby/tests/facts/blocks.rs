//! Procs, lambdas, methods as objects, closures, and where jumps lead. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# procs and lambdas
proc { |a, b| [a, b] }.call(1)
#=> [1, nil]
proc { |a, b| [a, b] }.call(1, 2, 3)
#=> [1, 2]
proc { |a, b| [a, b] }.call([1, 2])
#=> [1, 2]
proc { |a| a }.call(1, 2)
#=> 1
proc { |a, b = 9| [a, b] }.call([1])
#=> [1, 9]
lambda { |a, b| [a, b] }.call(1)
#!! ArgumentError: wrong number of arguments (given 1, expected 2)
lambda { |a, b| [a, b] }.call([1, 2])
#!! ArgumentError: wrong number of arguments (given 1, expected 2)
->(a, b = 2, *c) { [a, b, c] }.(1)
#=> [1, 2, []]
->(a) { a }[5]
#=> 5
->(a) { a }.yield(5)
#=> 5
->(a) { a } === 5
#=> 5
-> { }.call
#=> nil
-> x { x * 2 }.call(4)
#=> 8
->(x) do x + 1 end.call(1)
#=> 2
lambda(&:upcase).call('a')
#=> "A"
:upcase.to_proc.call('a')
#=> "A"
:+.to_proc.call(1, 2)
#=> 3
:upcase.to_proc.call
#!! ArgumentError: no receiver given
:upcase.to_proc.lambda?
#=> true
:upcase.to_proc.arity
#=> -2
proc { }.lambda?
#=> false
lambda { }.lambda?
#=> true
proc { |x| x }.curry.class
#=> Proc
->(a, b, c) { a + b + c }.curry[1][2][3]
#=> 6
->(a, b, c) { a + b + c }.curry[1, 2][3]
#=> 6
->(a, b) { a + b }.curry.(1).(2)
#=> 3
->(*a) { a.sum }.curry(3)[1][2][3]
#=> 6
->(a) { a }.curry(2)
#!! ArgumentError: wrong number of arguments (given 2, expected 1)
(->(x) { x + 1 } >> ->(x) { x * 2 }).call(3)
#=> 8
(->(x) { x + 1 } << ->(x) { x * 2 }).call(3)
#=> 7
(:upcase.to_proc >> :reverse.to_proc).call('ab')
#=> "BA"
(method(:Integer) >> ->(x) { x + 1 }).call('4')
#=> 5
f = proc { |x| next x * 2; 0 }; f.call(4)
#=> 8
f = lambda { |x| return x * 2; 0 }; f.call(4)
#=> 8
def m; f = proc { return 1 }; f.call; 2; end; m
#=> 1
def m; f = lambda { return 1 }; f.call; 2; end; m
#=> 2
def m; [1, 2, 3].each { |x| return x if x > 1 }; nil; end; m
#=> 2
def mk = proc { return 1 }; mk.call
#!! LocalJumpError: unexpected return
def mk = proc { next 1 }; mk.call
#=> 1
def mk(&b) = b; mk { break 1 }.call
#!! LocalJumpError: break from proc-closure
def mk = proc { |x| break x }; mk.call(1)
#!! LocalJumpError: break from proc-closure
[1, 2, 3].each { |x| break x * 10 if x == 2 }
#=> 20
[1, 2, 3].map { |x| next 0 if x == 2; x }
#=> [1, 0, 3]
r = [1, 2, 3].each { |x| break }; r.inspect
#=> "nil"
[[1, 2], [3, 4]].each { |a| a.each { |b| break if b == 1 } }
#=> [[1, 2], [3, 4]]
x = loop { break }; x.inspect
#=> "nil"
x = loop { break 1, 2 }; x
#=> [1, 2]
while true; break 5; end
#=> 5
(while false; end).inspect
#=> "nil"
i = 0; i += 1 while i < 5; i
#=> 5
i = 10; begin; i += 1; end while i < 5; i
#=> 11
i = 0; until i == 3; i += 1; next if i == 2; end; i
#=> 3
i = 0; r = []; begin; i += 1; r << i; redo_done = true; end until i > 2; r
#=> [1, 2, 3]
c = 0; [1, 2].each { |x| c += 1; redo if c == 1 }; c
#=> 3
# closures
x = 1; f = -> { x += 1 }; f.call; f.call; x
#=> 3
def counter; n = 0; [-> { n += 1 }, -> { n }]; end; a, b = counter; a.call; a.call; b.call
#=> 2
fs = (1..3).map { |i| -> { i * 10 } }; fs.map(&:call)
#=> [10, 20, 30]
fs = []; for i in 1..3 do fs << -> { i } end; fs.map(&:call)
#=> [3, 3, 3]
x = 5; f = ->(x) { x }; [f.call(1), x]
#=> [1, 5]
x = 5; [1, 2].each { |y| x += y }; x
#=> 8
1.times { z = 1 }; defined?(z).inspect
#=> "nil"
if false then q = 1 end; q.inspect
#=> "nil"
q = q; q.inspect
#=> "nil"
[1].each { w = 1 }; w
#!! NameError: undefined local variable or method `w' for main
def m; x; end; x = 1; m
#!! NameError: undefined local variable or method `x' for main
x = 1; define_singleton_method(:m) { x }; x = 2; m
#=> 2
f = ->(n) { n < 2 ? n : f.(n - 1) + f.(n - 2) }; f.(15)
#=> 610
a = [1, 2]; b = a; b << 3; a
#=> [1, 2, 3]
def add(a) = a << 1; x = []; add(x); x
#=> [1]
def set(a) = a = [9]; x = [1]; set(x); x
#=> [1]
s = 'a'; t = s; t += 'b'; s
#=> "a"
s = +'a'; t = s; t << 'b'; s
#=> "ab"
h = Hash.new([]); h[:a] << 1; [h, h[:b]]
#=> [{}, [1]]
h = Hash.new { |s, k| s[k] = [] }; h[:a] << 1; h
#=> {:a=>[1]}
a = Array.new(2, []); a[0] << 1; a
#=> [[1], [1]]
a = Array.new(2) { [] }; a[0] << 1; a
#=> [[1], []]
# methods as objects
m = 5.method(:+); m.call(3)
#=> 8
5.method(:+).owner
#=> Integer
'a'.method(:upcase).name
#=> :upcase
'a'.method(:nope)
#!! NameError: undefined method `nope' for class `String'
[1, 2].map(&10.method(:+))
#=> [11, 12]
%w[1 2].map(&method(:Integer))
#=> [1, 2]
m = [3, 1].method(:sort); m.unbind.bind([9, 8]).call
#=> [8, 9]
String.instance_method(:upcase).bind('x').call
#=> "X"
String.instance_method(:upcase).bind_call('x')
#=> "X"
def hi(a, b = 1) = [a, b]; method(:hi).to_proc.call(1)
#=> [1, 1]
method(:puts).arity
#=> -1
5.method(:+).receiver
#=> 5
5.method(:+).arity
#=> 1
'a'.method(:sub).arity
#=> -1
'abc'.public_method(:length).call
#=> 3
def pm = 1; private :pm; method(:pm).call
#=> 1
class A; def x = 1; end; A.instance_method(:x).class
#=> UnboundMethod
class A; def x = 1; end; A.new.method(:x).unbind.class
#=> UnboundMethod
o = Object.new; def o.go(x) = x * 2; o.method(:go).to_proc.(4)
#=> 8
o = Object.new; o.define_singleton_method(:go) { |x = 2| x * 3 }; [o.go, o.go(1)]
#=> [6, 3]
o = Object.new; o.singleton_methods
#=> []
o = Object.new; def o.a = 1; o.singleton_methods
#=> [:a]
# procs know themselves
proc { |x| x }.parameters
#=> [[:opt, :x]]
proc { |x| x }.parameters(lambda: true)
#=> [[:req, :x]]
f = proc { 1 }; f == f.dup
#=> true
proc { |a, b| }.inspect =~ /\A#<Proc:0x\h+ t.rb:1>\z/
#=> 0
lambda { }.inspect =~ /\A#<Proc:0x\h+ t.rb:1 \(lambda\)>\z/
#=> 0
:a.to_proc.inspect =~ /\A#<Proc:0x\h+\(&:a\) \(lambda\)>\z/
#=> 0
# throw and catch
catch(:a) { throw :a, 1; 2 }
#=> 1
catch(:a) { throw :a }.inspect
#=> "nil"
catch(:a) { 5 }
#=> 5
catch { |t| throw t, 7 }
#=> 7
catch(:a) { catch(:b) { throw :a, 1 }; 2 }
#=> 1
throw :nope
#!! UncaughtThrowError: uncaught throw :nope
throw :nope, 1
#!! UncaughtThrowError: uncaught throw :nope
catch(:a) { begin; throw :a, 1; ensure; $e = 5; end } + $e
#=> 6
catch('a') { throw 'a', 1 }
#!! UncaughtThrowError: uncaught throw "a"
begin; throw :x; rescue UncaughtThrowError => e; [e.tag, e.value, e.message]; end
#=> [:x, nil, "uncaught throw :x"]
# instance_eval, instance_exec, tap, then
'abc'.instance_eval { size }
#=> 3
'abc'.instance_exec(2) { |n| size * n }
#=> 6
5.tap { |x| x + 1 }
#=> 5
5.then { |x| x + 1 }
#=> 6
5.then.class
#=> Enumerator
o = Object.new; o.instance_eval { @a = 1 }; o.instance_variable_get(:@a)
#=> 1
class A; end; A.class_eval { def z = 7 }; A.new.z
#=> 7
class A; end; A.class_exec(3) { |n| define_method(:z) { n } }; A.new.z
#=> 3
Class.new { attr_accessor :a; def initialize = @a = 1 }.new.a
#=> 1
5.instance_eval { self + 1 }
#=> 6
[1, 2].instance_eval { first + last }
#=> 3
# numbered and nested blocks
[1, 2].each_with_index.map { _1 * _2 }
#=> [0, 2]
[[1, [2, 3]]].each { |a, (b, c)| break [a, b, c] }
#=> [1, 2, 3]
[[1, 2, 3]].map { |a, *b| b }
#=> [[2, 3]]
[[[1, 2], 3]].map { |(a, b), c| [a, b, c] }
#=> [[1, 2, 3]]
[1, 2].each_with_object([]).with_index { |(x, memo), i| memo << x * i }
#=> [0, 2]
%w[a b].each.with_index(1).to_a
#=> [["a", 1], ["b", 2]]
%w[a b].each_with_index.to_h
#=> {"a"=>0, "b"=>1}
(1..3).each_entry.map { |x| x }
#=> [1, 2, 3]
[3, 1].sort { |a, b| b <=> a }
#=> [3, 1]
[3, 1].max { |a, b| a <=> b }
#=> 3
[1, 2, 3].sum { |x| x * 2 }
#=> 12
[1, 2, 3, 4].partition(&:even?)
#=> [[2, 4], [1, 3]]
def each_pair_of(a) = a.each_cons(2) { |x, y| yield x, y }; r = []; each_pair_of([1, 2, 3]) { |x, y| r << x + y }; r
#=> [3, 5]
def y2 = yield(yield(1)); y2 { |x| x + 1 }
#=> 3
def e(a, &b) = a.each(&b); r = []; e([1, 2]) { |x| r << x }; r
#=> [1, 2]
def e = return to_enum(:e) unless block_given?; e.class
#=> Enumerator
def e; return to_enum(:e) unless block_given?; yield 1; yield 2; end; e.to_a
#=> [1, 2]
def nested = [1, 2].map { |x| [3].map { |y| yield x, y } }; nested { |a, b| a * b }
#=> [[3], [6]]
f = ->(&b) { b.call(1) }; f.call { |x| x + 1 }
#=> 2
f = proc { |&b| b }; f.call.inspect
#=> "nil"
[1, 2, 3].each_slice(2) { |a| break a }
#=> [1, 2]
begin; [1].each { raise StopIteration }; rescue StopIteration => e; e.class; end
#=> StopIteration
loop { raise StopIteration }.inspect
#=> "nil"
e = [1, 2].each; r = []; loop { r << e.next }; r
#=> [1, 2]
[lambda { |x| x }, ->(x) { x }, send(:lambda) { |x| x }, Kernel.lambda { |x| x }, lambda do |x| x end].map(&:lambda?)
#=> [true, true, true, true, true]
def m(&b) = b; x = m { 1 }; lambda(&x)
#!! ArgumentError: the lambda method requires a literal block
pr = proc { |a, b| 1 }; l = lambda(&pr)
#!! ArgumentError: the lambda method requires a literal block
l = lambda { |a| a }; lambda(&l).equal?(l)
#=> true
lambda(&:to_s).call(1)
#=> "1"
lambda(&1.method(:+)).call(2)
#=> 3
[1].each(&lambda { |x| x })
#=> [1]
lambda { |x| lambda { |y| x + y } }.call(1).call(2)
#=> 3
lambda(1) { }
#!! ArgumentError: wrong number of arguments (given 1, expected 0)
"####;
