//! How arguments reach parameters: required, optional, rest, keywords, blocks. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# required, optional and rest
def f(a, b) = [a, b]; f(1, 2)
#=> [1, 2]
def f(a, b) = [a, b]; f(1)
#!! ArgumentError: wrong number of arguments (given 1, expected 2)
def f(a, b) = [a, b]; f(1, 2, 3)
#!! ArgumentError: wrong number of arguments (given 3, expected 2)
def f(a, b = 2) = [a, b]; [f(1), f(1, 3)]
#=> [[1, 2], [1, 3]]
def f(a, b = 2) = [a, b]; f
#!! ArgumentError: wrong number of arguments (given 0, expected 1..2)
def f(a, b = a * 2, c = b + 1) = [a, b, c]; [f(1), f(1, 5), f(1, 5, 9)]
#=> [[1, 2, 3], [1, 5, 6], [1, 5, 9]]
def f(a, b = 2, c) = [a, b, c]; [f(1, 3), f(1, 5, 3)]
#=> [[1, 2, 3], [1, 5, 3]]
def f(a = 1, b) = [a, b]; [f(9), f(8, 9)]
#=> [[1, 9], [8, 9]]
def f(*a) = a; [f, f(1), f(1, [2])]
#=> [[], [1], [1, [2]]]
def f(a, *b) = [a, b]; [f(1), f(1, 2, 3)]
#=> [[1, []], [1, [2, 3]]]
def f(a, *b, c) = [a, b, c]; [f(1, 2), f(1, 2, 3, 4)]
#=> [[1, [], 2], [1, [2, 3], 4]]
def f(a, *b, c) = [a, b, c]; f(1)
#!! ArgumentError: wrong number of arguments (given 1, expected 2+)
def f(a, b = 5, *c, d) = [a, b, c, d]; [f(1, 2), f(1, 2, 3), f(1, 2, 3, 4)]
#=> [[1, 5, [], 2], [1, 2, [], 3], [1, 2, [3], 4]]
def f(*) = g(*); def g(*a) = a; f(1, 2)
#=> [1, 2]
def f((a, b), c) = [a, b, c]; f([1, 2], 3)
#=> [1, 2, 3]
def f((a, (b, *c)), d) = [a, b, c, d]; f([1, [2, 3, 4]], 5)
#=> [1, 2, [3, 4], 5]
def f((a, b), c) = [a, b, c]; f(1, 2)
#=> [1, nil, 2]
def f(a, b = (return :early; 1)) = [a, b]; f(1)
#=> :early
def f(a = []) = a << 1; [f, f]
#=> [[1], [1]]
def f(a, b = a.upcase) = b; f('x')
#=> "X"
def f(a, b = nil) = b.nil?; f(1)
#=> true
def f(_, _) = :same; f(1, 2)
#=> :same
# keywords
def f(a:) = a; f(a: 1)
#=> 1
def f(a:) = a; f
#!! ArgumentError: missing keyword: :a
def f(a:, b:) = a; f
#!! ArgumentError: missing keywords: :a, :b
def f(a:) = a; f(a: 1, b: 2)
#!! ArgumentError: unknown keyword: :b
def f(a:) = a; f(a: 1, b: 2, c: 3)
#!! ArgumentError: unknown keywords: :b, :c
def f(a: 1) = a; [f, f(a: nil)]
#=> [1, nil]
def f(a: 1, b: a + 1) = [a, b]; [f, f(a: 5), f(b: 0)]
#=> [[1, 2], [5, 6], [1, 0]]
def f(a, b: 2) = [a, b]; [f(1), f(1, b: 3), f({ b: 3 })]
#=> [[1, 2], [1, 3], [{:b=>3}, 2]]
def f(a, b: 2) = [a, b]; f(b: 3)
#!! ArgumentError: wrong number of arguments (given 0, expected 1)
def f(**k) = k; [f, f(a: 1), f('x' => 1)]
#=> [{}, {:a=>1}, {"x"=>1}]
def f(a, **k) = [a, k]; [f(1), f(1, z: 2)]
#=> [[1, {}], [1, {:z=>2}]]
def f(a, **k) = [a, k]; f(z: 2)
#!! ArgumentError: wrong number of arguments (given 0, expected 1)
def f(a = {}, **k) = [a, k]; [f(x: 1), f({ x: 1 }), f({ 'y' => 1 }, x: 1)]
#=> [[{}, {:x=>1}], [{:x=>1}, {}], [{"y"=>1}, {:x=>1}]]
def f(*a) = a; f(1, b: 2)
#=> [1, {:b=>2}]
def f(*a) = a; f({ b: 2 })
#=> [{:b=>2}]
def f(*a, **k) = [a, k]; [f(1, b: 2), f({ b: 2 }), f(**{})]
#=> [[[1], {:b=>2}], [[{:b=>2}], {}], [[], {}]]
def f(a, b = {}) = [a, b]; f(1, c: 2)
#=> [1, {:c=>2}]
def f(**nil) = 1; f(a: 1)
#!! ArgumentError: no keywords accepted
def f(**) = g(**); def g(**k) = k; f(a: 1)
#=> {:a=>1}
def f(a:, **) = a; f(a: 1, b: 2)
#=> 1
h = { a: 1 }; def f(a:) = a; f(**h)
#=> 1
h = { 'a' => 1 }; def f(**k) = k; f(**h, b: 2)
#=> {"a"=>1, :b=>2}
def f(a:) = a; f(**{ a: 1, **{} })
#=> 1
def f(a:) = a; f({ a: 1 })
#!! ArgumentError: wrong number of arguments (given 1, expected 0; required keyword: a)
def f(a: 1) = a; f({ a: 2 })
#!! ArgumentError: wrong number of arguments (given 1, expected 0)
def f(a, k: 1) = [a, k]; f(1, 2)
#!! ArgumentError: wrong number of arguments (given 2, expected 1)
def f(a, k:) = [a, k]; f
#!! ArgumentError: wrong number of arguments (given 0, expected 1; required keyword: k)
def f(a, k:) = [a, k]; f(1)
#!! ArgumentError: missing keyword: :k
x = 1; y = 2; { x:, y: }
#=> {:x=>1, :y=>2}
def f(x:, y:) = [x, y]; x = 1; y = 2; f(x:, y:)
#=> [1, 2]
def f(*a, k: 0) = [a, k]; f(*[1, 2], k: 3)
#=> [[1, 2], 3]
def f(*a, k: 0) = [a, k]; a = [1, { k: 5 }]; f(*a)
#=> [[1, {:k=>5}], 0]
def f(k: 0, **r) = [k, r]; f(**{ k: 1, z: 2 })
#=> [1, {:z=>2}]
# blocks
def f = yield; f { 5 }
#=> 5
def f = yield; f
#!! LocalJumpError: no block given (yield)
def f = yield(1, 2); f { |a| a }
#=> 1
def f = yield(1, 2); f { |a, b, c| [a, b, c] }
#=> [1, 2, nil]
def f = yield([1, 2]); f { |a, b| [a, b] }
#=> [1, 2]
def f = yield([1, 2]); f { |a| a }
#=> [1, 2]
def f = yield([1, 2], 3); f { |a, b| [a, b] }
#=> [[1, 2], 3]
def f = yield([1, [2, 3]]); f { |a, (b, c)| [a, b, c] }
#=> [1, 2, 3]
def f = yield(1); f { |a, b = 5, *c| [a, b, c] }
#=> [1, 5, []]
def f = yield([1, 2, 3]); f { |a, *b| [a, b] }
#=> [1, [2, 3]]
def f = yield([1, 2, 3]); f { |*a| a }
#=> [[1, 2, 3]]
def f = yield([1]); f { |a,| a }
#=> 1
def f = yield(a: 1); f { |a: 0| a }
#=> 1
def f = yield({ a: 1 }); f { |h| h }
#=> {:a=>1}
def f = yield({ a: 1 }); f { |h, **k| [h, k] }
#=> [{:a=>1}, {}]
def f = yield([1, { a: 2 }]); f { |x, a: 0| [x, a] }
#=> [[1, {:a=>2}], 0]
def f = block_given?; [f, f { }]
#=> [false, true]
def f(&b) = b; [f, f { }.class]
#=> [nil, Proc]
def f(&b) = b.call(2); f { |x| x * 3 }
#=> 6
def f(&) = g(&); def g = yield(7); f { |x| x }
#=> 7
def f(...) = g(...); def g(*a, **k, &b) = [a, k, b&.call]; f(1, z: 2) { 3 }
#=> [[1], {:z=>2}, 3]
def f(a, ...) = g(a, ...); def g(*a) = a; f(1, 2, 3)
#=> [1, 2, 3]
b = proc { |x| x + 1 }; [1, 2].map(&b)
#=> [2, 3]
[1, 2].map(&:to_s)
#=> ["1", "2"]
[[1, 2], [3, 4]].map(&:sum)
#=> [3, 7]
%w[a b].each_with_index.map { |x, i| x * i }
#=> ["", "b"]
[1, 2].each_slice(2).map { |a, b| b }
#=> [2]
[1, 2].map(&nil).class
#=> Enumerator
[1, 2].map(&5)
#!! TypeError: wrong argument type Integer (expected Proc)
[1, 2].map { _1 + 1 }
#=> [2, 3]
[[1, 2], [3, 4]].map { _1 + _2 }
#=> [3, 7]
[[1, 2], [3, 4]].map { _1 }
#=> [[1, 2], [3, 4]]
[1].each { |x; y| y = x }
#=> [1]
x = 10; [1].each { |i; x| x = i }; x
#=> 10
x = 10; [1].each { |i| x = i }; x
#=> 1
[1, 2, 3].inject { |a, b| a + b }
#=> 6
{ a: 1 }.map { |k, v| [k, v] }
#=> [[:a, 1]]
{ a: 1 }.map { |pair| pair }
#=> [[:a, 1]]
{ a: 1 }.each_with_index.map { |(k, v), i| [k, v, i] }
#=> [[:a, 1, 0]]
{ a: 1 }.each_with_object([]) { |(k, v), m| m << k << v }
#=> [:a, 1]
{ a: 1 }.inject([]) { |m, (k, v)| m << v }
#=> [1]
{ a: [1, 2] }.map { |k, (x, y)| [k, x, y] }
#=> [[:a, 1, 2]]
# splats in calls and lists
def f(*a) = a; f(*1..3)
#=> [1, 2, 3]
def f(*a) = a; f(*nil)
#=> []
def f(*a) = a; f(*'x')
#=> ["x"]
def f(*a) = a; f(*{ a: 1 })
#=> [[:a, 1]]
def f(*a) = a; f(1, *[2, 3], 4, *[])
#=> [1, 2, 3, 4]
[*1..3, *nil, *[4]]
#=> [1, 2, 3, 4]
[*'a'..'c']
#=> ["a", "b", "c"]
[*{ a: 1, b: 2 }]
#=> [[:a, 1], [:b, 2]]
a = [1, 2]; [0, *a, 3]
#=> [0, 1, 2, 3]
a, b = *[1, 2], 3; [a, b]
#=> [1, 2]
a = *nil; a
#=> []
a = *1; a
#=> [1]
a = 1, 2; a
#=> [1, 2]
a, = [5, 6]; a
#=> 5
{ **{ a: 1 }, b: 2, **{ a: 3 } }
#=> {:a=>3, :b=>2}
{ 'x' => 1, **{ y: 2 } }
#=> {"x"=>1, :y=>2}
def f(x) = x; f(*[1])
#=> 1
def f(x) = x; f(*[1, 2])
#!! ArgumentError: wrong number of arguments (given 2, expected 1)
->(*) { 1 }.arity
#=> -1
# what is returned
def f; end; f
#=> nil
def f = nil; f
#=> nil
def f; return; end; f
#=> nil
def f; return 1, 2; end; f
#=> [1, 2]
def f; return *[1, 2]; end; f
#=> [1, 2]
def f; return [1, *[2]]; end; f
#=> [1, 2]
def f(x); return :neg if x < 0; :pos; end; [f(-1), f(1)]
#=> [:neg, :pos]
def f; [1, 2].each { |x| return x }; :never; end; f
#=> 1
def f; begin; return 1; ensure; 2; end; end; f
#=> 1
def f; begin; return 1; ensure; return 2; end; end; f
#=> 2
def f; yield; :after; end; f { next 5 }
#=> :after
def f; yield; :after; end; f { break 5 }
#=> 5
def f; r = yield; [r]; end; f { next 1, 2 }
#=> [[1, 2]]
def f=(x); @x = x; 99; end; (self.f = 5)
#=> 5
def f; end
#=> :f
def self.f(a, b = 1, *c, d:, e: 2, **g, &h); end; method(:f).parameters
#=> [[:req, :a], [:opt, :b], [:rest, :c], [:keyreq, :d], [:key, :e], [:keyrest, :g], [:block, :h]]
->(a, (b, c), *d) { }.parameters
#=> [[:req, :a], [:req], [:rest, :d]]
proc { |a, b = 1| }.parameters
#=> [[:opt, :a], [:opt, :b]]
proc { |a| }.arity
#=> 1
proc { |a, b| }.arity
#=> 2
proc { |*a, b| }.arity
#=> -2
lambda { |a, b = 1| }.arity
#=> -2
lambda { |a, k:| }.arity
#=> 2
lambda { |k: 1| }.arity
#=> -1
def f(a, b = 1, *c) = 1; method(:f).arity
#=> -2
def f(a:, b: 1) = 1; method(:f).arity
#=> 1
"####;
