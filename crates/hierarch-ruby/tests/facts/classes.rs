//! Classes, modules, constants, visibility, and what objects say of themselves. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# defining
class A; def x = 1; end; A.new.x
#=> 1
class A; end
#=> nil
class A; 5; end
#=> 5
class A; self; end
#=> A
class A; def self.x = 1; end; A.x
#=> 1
class A; class << self; def x = 1; attr_accessor :y; end; end; A.y = 2; [A.x, A.y]
#=> [1, 2]
class A; def initialize(x) = @x = x; attr_reader :x; end; A.new(3).x
#=> 3
class A; attr_writer :x; end; a = A.new; a.x = 5; a.instance_variable_get(:@x)
#=> 5
class A; attr_accessor :x, :y; end
#=> [:x, :x=, :y, :y=]
class A; attr_reader :x; end; A.new.x.inspect
#=> "nil"
class A; def x=(v); @x = v * 2; end; attr_reader :x; end; a = A.new; a.x = 4; a.x
#=> 8
class A; def x=(v); @x = v; 99; end; end; (A.new.x = 4)
#=> 4
class A; def [](i) = i * 2; def []=(i, v); @s = [i, v]; end; attr_reader :s; end; a = A.new; a[3] = 4; [a[5], a.s]
#=> [10, [3, 4]]
class A; def [](*i) = i; end; A.new[1, 2]
#=> [1, 2]
class A; def +(o) = "plus #{o}"; def -@ = 'neg'; def +@ = 'pos'; def ! = 'not'; def ~ = 'tilde'; end; a = A.new; [a + 1, -a, +a, !a, ~a]
#=> ["plus 1", "neg", "pos", "not", "tilde"]
class A; def ==(o) = true; end; [A.new == 5, A.new != 5, A.new.eql?(5)]
#=> [true, false, false]
class A; def =~(o) = 'm'; end; [A.new =~ 1]
#=> ["m"]
class A; def <=>(o) = 0; end; A.new <=> 1
#=> 0
class A; def call(x) = x; end; A.new.(4)
#=> 4
class A; def to_s = 'a!'; end; "#{A.new}"
#=> "a!"
class A; def to_s = 5; end; "#{A.new}" =~ /\A#<A>?/
#=> 0
class A; def to_str = 'str'; end; 'x' + A.new
#=> "xstr"
class A; def to_ary = [1, 2]; end; a, b = A.new; [a, b]
#=> [1, 2]
class A; def to_a = [1, 2]; end; [*A.new]
#=> [1, 2]
class A; def to_proc = ->(x) { x * 2 }; end; [1, 2].map(&A.new)
#=> [2, 4]
class A; def to_hash = { k: 1 }; end; def f(**k) = k; f(**A.new)
#=> {:k=>1}
class A; def coerce(o) = [o, 10]; end; [5 + A.new, 5 * A.new, 5 - A.new]
#=> [15, 50, -5]
class A; def each; yield 1; yield 2; end; include Enumerable; end; [A.new.map { |x| x * 2 }, A.new.sort, A.new.include?(2), A.new.first, A.new.to_a, A.new.min, A.new.sum, A.new.each_slice(1).to_a, A.new.inject(:+), A.new.each_with_index.to_a, A.new.reduce(5) { |a, b| a + b }]
#=> [[2, 4], [1, 2], true, 1, [1, 2], 1, 3, [[1], [2]], 3, [[1, 0], [2, 1]], 8]
class A; def hash = 1; def eql?(o) = true; end; { A.new => 1 }[A.new]
#=> 1
class A; def inspect = 'I'; end; [A.new].inspect
#=> "[I]"
class A; def initialize; @a = 1; @b = 'x'; end; end; A.new.inspect.sub(/0x\h+/, 'X')
#=> "#<A:X @a=1, @b=\"x\">"
class A; end; A.new.inspect =~ /\A#<A>?/
#=> 0
class A; end; A.new.to_s =~ /\A#<A:0x\h{16}>\z/
#=> 0
class A; def method_missing(n, *a, &b) = [n, a, b&.call]; def respond_to_missing?(n, p = false) = n == :yes; end; a = A.new; [a.foo, a.bar(1) { 2 }, a.respond_to?(:yes), a.respond_to?(:no)]
#=> [[:foo, [], nil], [:bar, [1], 2], true, false]
class A; def method_missing(n, *a) = n == :ok ? 1 : super; end; [A.new.ok, (A.new.bad rescue $!.message)]
#=> [1, "undefined method `bad' for an instance of A"]
class A; def self.method_missing(n) = n; end; A.whatever
#=> :whatever
class A; def self.const_missing(n) = "missing #{n}"; end; A::Foo
#=> "missing Foo"
class A; def respond_to?(x) = true; end; A.new.respond_to?(:zzz)
#=> true
class A; def initialize = yield(self); attr_accessor :v; end; A.new { |a| a.v = 3 }.v
#=> 3
class A; def dup_me = dup; attr_accessor :v; end; a = A.new; a.v = [1]; b = a.dup_me; b.v << 2; a.v
#=> [1, 2]
class A; def initialize_copy(o) = @v = o.v.dup; attr_accessor :v; end; a = A.new; a.v = [1]; b = a.dup; b.v << 2; a.v
#=> [1]
class A; def self.create(...) = new(...); def initialize(a, b: 1) = @r = [a, b]; attr_reader :r; end; A.create(5, b: 6).r
#=> [5, 6]
class A; private_class_method :new; def self.make = new; end; [(A.new rescue $!.message), A.make.class]
#=> ["private method `new' called for class A", A]
class A; def self.inherited(k) = (@subs ||= []) << k.name; def self.subs = @subs; end; class B < A; end; A.subs
#=> ["B"]
module M; def self.included(b) = b.extend(C); module C; def cm = 'cm'; end; end; class A; include M; end; A.cm
#=> "cm"
module M; def self.extended(b) = $ext = b; end; o = Object.new; o.extend(M); $ext.equal?(o)
#=> true
class A; def self.method_added(n) = ($added ||= []) << n; def x = 1; def y = 2; end; $added
#=> [:x, :y]
# inheritance and super
class A; def x(a = 1) = "A#{a}"; end; class B < A; def x(a = 2) = "B" + super; end; B.new.x
#=> "BA2"
class A; def x(a = 1) = "A#{a}"; end; class B < A; def x(a = 2) = "B" + super(); end; B.new.x
#=> "BA1"
class A; def x(*a, **k) = [a, k]; end; class B < A; def x(a, b = 2, *c, k: 1) = super; end; B.new.x(1)
#=> [[1, 2], {:k=>1}]
class A; def x(a) = a; end; class B < A; def x(a) = (a += 1; super); end; B.new.x(1)
#=> 2
class A; def x = yield; end; class B < A; def x = super; end; B.new.x { 5 }
#=> 5
class A; def x = block_given?; end; class B < A; def x = super(&nil); end; B.new.x { 5 }
#=> false
class A; def initialize(a) = @a = a; attr_reader :a; end; class B < A; def initialize = super(7); end; B.new.a
#=> 7
class A; def self.x = 'sA'; end; class B < A; def self.x = super + 'B'; end; B.x
#=> "sAB"
class A; end; class B < A; end; [B.superclass, B.ancestors.take(2), B < A, A < B, A <= A, B <=> A, A <=> B, A <=> String]
#=> [A, [B, A], true, false, true, -1, 1, nil]
module M; def x = 'M' + super; end; class A; def x = 'A'; end; class B < A; include M; end; B.new.x
#=> "MA"
module M; def x = 'M' + super; end; class A; prepend M; def x = 'A'; end; [A.new.x, A.ancestors.take(2)]
#=> ["MA", [M, A]]
module M; def x = 'M'; end; o = Object.new; o.extend(M); [o.x, o.is_a?(M), o.singleton_class.include?(M)]
#=> ["M", true, true]
module M; def x = 'm'; end; module N; include M; end; class A; include N; end; [A.new.x, A.include?(M), A.ancestors.take(3)]
#=> ["m", true, [A, N, M]]
module M1; def x = '1' + super; end; module M2; def x = '2' + super; end; class A; def x = 'A'; end; class B < A; include M1; include M2; end; B.new.x
#=> "21A"
class A; def x = 1; end; class A; def y = 2; end; [A.new.x, A.new.y]
#=> [1, 2]
class A; def x = 1; end; class A; def x = 2; end; A.new.x
#=> 2
class A; def x = 1; alias y x; alias_method :z, :x; def x = 2; end; a = A.new; [a.x, a.y, a.z]
#=> [2, 1, 1]
class A; def x = 1; undef_method :x; end; A.new.x
#!! NoMethodError: undefined method `x' for an instance of A
class A; def x = 1; end; class B < A; def x = 2; remove_method :x; end; B.new.x
#=> 1
class A; def x = 1; undef x; end; A.new.respond_to?(:x)
#=> false
c = Class.new { def x = 1 }; [c.new.x, c.name.inspect]
#=> [1, "nil"]
C2 = Class.new; [C2.name, C2.new.class]
#=> ["C2", C2]
c = Class.new(Array) { def second = self[1] }; c.new([1, 2]).second
#=> 2
class L < Array; end; L.new([1]).class
#=> L
class L < Array; end; (L.new([1]) + [2]).class
#=> Array
class S < String; end; [S.new('a').class, (S.new('a') + 'b').class, S.new('a').upcase.class]
#=> [S, String, String]
class H < Hash; end; h = H.new; h[:a] = 1; [h, h.class, h.merge({}).class, h.select { true }.class]
#=> [{:a=>1}, H, H, Hash]
m = Module.new { def q = 'q' }; Class.new { include m }.new.q
#=> "q"
class A; include Comparable; attr_reader :v; def initialize(v) = @v = v; def <=>(o) = v <=> o.v; end; a, b, c = A.new(1), A.new(2), A.new(2); [a < b, b == c, a.between?(a, b), [b, a].min.v, a.clamp(b, c).v, b >= c]
#=> [true, true, true, 1, 2, true]
# visibility
class A; def x = y; private; def y = 1; end; [A.new.x, (A.new.y rescue $!.class)]
#=> [1, NoMethodError]
class A; private def y = 1; def x = self.y; end; A.new.x
#=> 1
class A; private; def a = 1; public; def b = a; end; A.new.b
#=> 1
class A; def a = 1; private :a; end; A.new.a
#!! NoMethodError: private method `a' called for an instance of A
class A; private attr_reader :q; end; A.new.q
#!! NoMethodError: private method `q' called for an instance of A
class A; protected def v = 1; public def same(o) = o.v; end; A.new.same(A.new)
#=> 1
class A; def a = 1; end; class B < A; private :a; end; [A.new.a, (B.new.a rescue $!.class)]
#=> [1, NoMethodError]
class A; private def a = 1; end; class B < A; public :a; end; B.new.a
#=> 1
class A; private def a = 1; end; A.new.send(:a)
#=> 1
class A; private def a = 1; end; A.new.public_send(:a)
#!! NoMethodError: private method `a' called for an instance of A
class A; private def a = 1; end; A.new.respond_to?(:a)
#=> false
class A; private def a = 1; end; A.new.respond_to?(:a, true)
#=> true
class A; private def a = 1; end; A.new.method(:a).call
#=> 1
class A; private def a=(v); @a = v; end; def set = self.a = 5; end; A.new.set
#=> 5
module M; module_function; def x = 1; end; M.x
#=> 1
module M; def x = 1; module_function :x; end; M.x
#=> 1
module M; def self.x = y; def self.y = 2; private_class_method :y; end; [M.x, (M.y rescue $!.class)]
#=> [2, NoMethodError]
module M; extend self; def x = 1; end; M.x
#=> 1
def top = 1; self.top
#=> 1
def top = 1; Object.new.send(:top)
#=> 1
# constants
A = 5; A
#=> 5
module M; X = 1; def self.x = X; end; [M::X, M.x]
#=> [1, 1]
module M; X = 1; class C; def x = X; end; end; M::C.new.x
#=> 1
X = 0; module M; X = 1; module N; def self.x = X; end; end; M::N.x
#=> 1
X = 0; module M; X = 1; end; module M::N; def self.x = X; end; M::N.x
#=> 0
X = 0; class A; X = 1; end; class B < A; def x = X; end; B.new.x
#=> 1
X = 0; class A; X = 1; end; class B < A; def x = ::X; end; B.new.x
#=> 0
module M; X = 1; end; class A; include M; def x = X; end; A.new.x
#=> 1
class A; X = 1; def self.x = self::X; end; class B < A; X = 2; end; B.x
#=> 2
M = Module.new; M::X = 5; M::X
#=> 5
module M; end; M::Y ||= 3; M::Y
#=> 3
class A; B = 1; private_constant :B; def self.b = B; end; [A.b, (A::B rescue $!.message)]
#=> [1, "private constant A::B referenced"]
module M; A = 1; B = 2; end; M.constants.sort
#=> [:A, :B]
module M; A = 1; end; [M.const_get(:A), M.const_defined?(:A), M.const_defined?(:B), M.const_get('A')]
#=> [1, true, false, 1]
module M; module N; A = 1; end; end; Object.const_get('M::N::A')
#=> 1
Object.const_set(:Zed, 5); Zed
#=> 5
class A; end; A.const_set(:Q, 1); A::Q
#=> 1
module M; A = 1; remove_const(:A); end rescue $!.class
#=> 1
defined?(Nope::X).inspect
#=> "nil"
defined?(String::X).inspect
#=> "nil"
defined?(::String)
#=> "constant"
Math::PI.floor(3)
#=> 3.141
[Float::EPSILON, Float::MAX, Float::MIN, Float::DIG]
#=> [2.220446049250313e-16, 1.7976931348623157e+308, 2.2250738585072014e-308, 15]
[Float::INFINITY, -Float::INFINITY, Float::NAN]
#=> [Infinity, -Infinity, NaN]
RUBY_VERSION =~ /\A3\.3/
#=> 0
__FILE__
#=> "t.rb"
__LINE__
#=> 1
__method__.inspect
#=> "nil"
def f = __method__; f
#=> :f
module A; module B; end; end; Module.nesting
#=> []
module A; module B; N = Module.nesting; end; end; A::B::N
#=> [A::B, A]
module A; class B; end; end; [A::B.name, A::B.to_s, A::B.inspect]
#=> ["A::B", "A::B", "A::B"]
class A; class << self; self; end; end.inspect
#=> "#<Class:A>"
# class variables and instance variables of classes
class A; @@n = 0; def inc = @@n += 1; end; A.new.inc; A.new.inc
#=> 2
class A; @@n = 1; end; class B < A; def n = @@n; def set = @@n = 5; end; B.new.set; B.new.n
#=> 5
class A; @@n = 1; end; [A.class_variables, A.class_variable_get(:@@n), A.class_variable_defined?(:@@n)]
#=> [[:@@n], 1, true]
class A; @n = 1; class << self; attr_reader :n; end; end; class B < A; end; [A.n, B.n]
#=> [1, nil]
class A; def n = @@zip; end; A.new.n
#!! NameError: uninitialized class variable @@zip in A
class A; @@a ||= 5; def a = @@a; end; A.new.a
#=> 5
class A; def x = @x ||= []; end; a = A.new; a.x << 1; a.x
#=> [1]
class A; def initialize; @b = 1; @a = 2; end; end; A.new.instance_variables
#=> [:@b, :@a]
o = Object.new; o.instance_variable_set(:@x, 1); [o.instance_variable_get(:@x), o.instance_variable_defined?(:@x), o.instance_variable_defined?(:@y), o.remove_instance_variable(:@x), o.instance_variables]
#=> [1, true, false, 1, []]
@top = 1; @top
#=> 1
# reflection
class A; def x = 1; end; [A.method_defined?(:x), A.instance_method(:x).name, A.public_method_defined?(:x), A.private_method_defined?(:x)]
#=> [true, :x, true, false]
class A; def self.s = 1; end; A.singleton_methods
#=> [:s]
class A; end; [A.new.is_a?(A), A.new.kind_of?(Object), A.new.instance_of?(Object), A === A.new, Object === A]
#=> [true, true, false, true, true]
[1.class, 1.0.class, nil.class, true.class, :a.class, (1..2).class, //.class, [].class, {}.class, ''.class, proc {}.class, 1r.class, Class.class, Module.class, Kernel.class, 5.method(:+).class, [].each.class, (2**70).class]
#=> [Integer, Float, NilClass, TrueClass, Symbol, Range, Regexp, Array, Hash, String, Proc, Rational, Class, Class, Module, Method, Enumerator, Integer]
[Integer.ancestors.include?(Comparable), Integer.superclass, Float.superclass, Numeric.superclass, Class.superclass, Module.superclass, Object.superclass, BasicObject.superclass]
#=> [true, Numeric, Numeric, Object, Module, Object, BasicObject, nil]
[5.singleton_methods, 5.frozen?, 'a'.frozen?, :a.frozen?, nil.frozen?, (1..2).frozen?, [].frozen?, 1.5.frozen?]
#=> [[], true, false, true, true, true, false, true]
5.instance_of?(Integer)
#=> true
5.is_a?(5)
#!! TypeError: class or module required
[Comparable === 5, Enumerable === [], Numeric === 1.0, Kernel === nil]
#=> [true, true, true, true]
o = Object.new; def o.x = 1; o.singleton_class.instance_methods(false)
#=> [:x]
5.singleton_class
#!! TypeError: can't define singleton
nil.singleton_class
#=> NilClass
class A; end; A.singleton_class
#=> #<Class:A>
class A; end; A.singleton_class.singleton_class
#=> #<Class:#<Class:A>>
Object.new.methods.include?(:dup)
#=> true
[1, 'a', nil].map { |x| x.respond_to?(:upcase) }
#=> [false, true, false]
'a'.public_methods(false).class
#=> Array
obj = Object.new; obj.object_id == obj.object_id
#=> true
[:a.object_id == :a.object_id, 1.object_id, nil.object_id, true.object_id, false.object_id]
#=> [true, 3, 4, 20, 0]
[1.equal?(1), 'a'.equal?('a'), :a.equal?(:a), nil.equal?(nil)]
#=> [true, false, true, true]
[1.eql?(1.0), 1 == 1.0, 1.hash == 1.0.hash, 'a'.eql?('a'), 'a'.hash == 'a'.hash]
#=> [false, true, false, true, true]
[5.itself, nil.to_a, nil.to_s, nil.to_i, nil.to_h, nil.inspect, nil & true, nil | 1]
#=> [5, [], "", 0, {}, "nil", false, true]
[true & 1, true ^ true, false | nil, true.to_s, !true, true && nil, false || :x]
#=> [true, false, false, "true", false, nil, :x]
[nil.to_s.frozen?, true.to_s.frozen?, :a.to_s.frozen?, 1.to_s.frozen?, :a.name.frozen?]
#=> [true, true, false, false, true]
class A; attr_accessor :v; end; a = A.new.freeze; [a.dup.frozen?, a.clone.frozen?, a.clone(freeze: false).frozen?]
#=> [false, true, false]
class A; end; a = A.new; def a.x = 1; [(a.clone.x), (a.dup.x rescue $!.class)]
#=> [1, NoMethodError]
[1, [2, 3]].dup.tap { |d| d[1] << 4 }
#=> [1, [2, 3, 4]]
a = [1, [2]]; b = a.dup; b[1] << 3; a
#=> [1, [2, 3]]
a = 'x'; a.clone.equal?(a)
#=> false
5.send(:+, 3)
#=> 8
5.public_send('-', 3)
#=> 2
5.__send__(:*, 3)
#=> 15
'a'.send(:upcase).send('downcase')
#=> "a"
Object.new.instance_variables
#=> []
[5.instance_variables, 'a'.instance_variables]
#=> [[], []]
obj = Class.new { def initialize; @a = 1; end }.new; obj.instance_variables
#=> [:@a]
Kernel.respond_to?(:format)
#=> true
Kernel.format('%d', 5)
#=> "5"
Kernel.Integer('5')
#=> 5
Object.new.singleton_methods
#=> []
[1, 2].instance_of?(Array) && Array.instance_methods.include?(:map)
#=> true
String.instance_methods(false).include?(:upcase)
#=> true
String.method_defined?(:map)
#=> false
Class.new.new.class.name.inspect
#=> "nil"
class A; def ==(o) = o.is_a?(A); alias eql? ==; def hash = 7; end; [[A.new, A.new].uniq.size, [A.new] & [A.new], [A.new].include?(A.new), [A.new] - [A.new]].map { |x| x.is_a?(Array) ? x.size : x }
#=> [1, 1, true, 0]
class A; def <=>(o) = 1; include Comparable; end; A.new == A.new
#=> false
class A; include Comparable; def <=>(o) = nil; end; A.new < A.new
#!! ArgumentError: comparison of A with A failed
class A; include Comparable; def <=>(o) = nil; end; A.new == A.new
#=> false
# structs of modules: refinement of constants, freeze of constants
LIST = %w[a b].freeze; [LIST.frozen?, LIST.first.frozen?]
#=> [true, false]
LIST = [1]; LIST << 2; LIST
#=> [1, 2]
module Cfg; DEFAULTS = { a: 1 }.freeze; def self.with(o) = DEFAULTS.merge(o); end; Cfg.with(b: 2)
#=> {:a=>1, :b=>2}
module Util; def self.join(*a) = a.flatten.compact.join('/'); end; Util.join('a', [nil, 'b'])
#=> "a/b"
module A; def self.included(base); base.class_eval { def tag = self.class.name } end; end; class Z; include A; end; Z.new.tag
#=> "Z"
class Stack; def initialize = @a = []; def push(x) = tap { @a.push(x) }; def pop = @a.pop; def size = @a.size; end; s = Stack.new.push(1).push(2); [s.pop, s.size]
#=> [2, 1]
class Point; attr_reader :x, :y; def initialize(x, y) = (@x, @y = x, y); def +(o) = Point.new(x + o.x, y + o.y); def to_s = "(#{x}, #{y})"; end; (Point.new(1, 2) + Point.new(3, 4)).to_s
#=> "(4, 6)"
class Temp; def initialize(d) = @d = d; def to_f = @d; def coerce(n) = [n, @d]; end; 10 + Temp.new(2.5)
#=> 12.5
class Node2; include Enumerable; def initialize(*k) = @k = k; def each(&b) = @k.each(&b); end; Node2.new(3, 1, 2).then { |n| [n.sort, n.max, n.min_by { -_1 }, n.each_cons(2).to_a, n.partition(&:odd?), n.zip(n), n.each_with_object([]).to_a.size, n.lazy.map { _1 * 2 }.first(2), n.tally, n.to_set.size, n.entries, n.group_by(&:odd?), n.reduce(:*), n.sum, n.minmax, n.sort_by { -_1 }, n.take_while { _1 > 2 }, n.find { _1 < 3 }, n.reject(&:odd?), n.each_slice(2).to_a, n.chunk_while { _1 < _2 }.to_a, n.cycle.first(4), n.include?(9), n.count, n.first(2), n.drop(1), n.inject { |a, b| a - b }, n.to_a.reverse, n.reverse_each.to_a, n.each_entry.to_a, n.filter_map { _1 if _1 > 1 }, n.flat_map { [_1] * 2 }, n.uniq, n.none?, n.one? { _1 == 1 }] }
#=> [[1, 2, 3], 3, 3, [[3, 1], [1, 2]], [[3, 1], [2]], [[3, 3], [1, 1], [2, 2]], 3, [6, 2], {3=>1, 1=>1, 2=>1}, 3, [3, 1, 2], {true=>[3, 1], false=>[2]}, 6, 6, [1, 3], [3, 2, 1], [3], 1, [2], [[3, 1], [2]], [[3], [1, 2]], [3, 1, 2, 3], false, 3, [3, 1], [1, 2], 0, [2, 1, 3], [2, 1, 3], [3, 1, 2], [3, 2], [3, 3, 1, 1, 2, 2], [3, 1, 2], false, true]
def foo; 1; end; foo
#=> 1
def foo; 1; end; self.foo
#=> 1
def foo; 1; end; [1, 2].map { foo }
#=> [1, 1]
def foo; 1; end; Object.new.foo
#!! NoMethodError: private method `foo' called for an instance of Object
def foo; 1; end; public :foo; 5.foo
#=> 1
def foo; 1; end; methods.include?(:foo)
#=> false
def foo; 1; end; respond_to?(:foo)
#=> false
def foo; 1; end; respond_to?(:foo, true)
#=> true
def foo; 1; end; defined?(foo)
#=> "method"
public; def foo; 1; end; 5.foo
#=> 1
def foo; 1; end; Class.new { def t; foo; end }.new.t
#=> 1
def foo(x) = x * 2; [1, 2].map(&method(:foo))
#=> [2, 4]
self.class.send(:define_method, :foo) { 1 }; 5.foo
#=> 1
def foo; 1; end; [Object.private_method_defined?(:foo), nil.send(:foo), "a".respond_to?(:foo)]
#=> [true, 1, false]
module M; def self.a; b; end; end; def b; 7; end; M.a
#=> 7
"####;
