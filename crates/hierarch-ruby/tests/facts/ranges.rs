//! Ranges, enumerators, lazy ones, structs, comparable, pattern matching. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# ranges
[(1..3).to_a, (1...3).to_a, (3..1).to_a, ('a'..'e').to_a, (1..3).size, (1...3).size, ('a'..'c').size]
#=> [[1, 2, 3], [1, 2], [], ["a", "b", "c", "d", "e"], 3, 2, nil]
[(1..10).include?(5), (1..10) === 5.5, (1..10).cover?(2..3), (1..10).member?(11), ('a'..'z').include?('bb'), ('a'..'z').cover?('bb'), ('a'..'z') === 'bb']
#=> [true, true, true, false, false, true, true]
[(1..10).first, (1..10).first(3), (1..10).last, (1..10).last(3), (1...10).last, (1...10).max, (1...10).min, (1..10).minmax]
#=> [1, [1, 2, 3], 10, [8, 9, 10], 10, 9, 1, [1, 10]]
[(1..).first(2), (1..nil).size, (..5).include?(3), (..5).last, (1..) === 100, (nil..nil) === 5]
#=> [[1, 2], Infinity, true, 5, true, true]
(..5).first
#!! RangeError: cannot get the first element of beginless range
(1..).last
#!! RangeError: cannot get the last element of endless range
(1..).max
#!! RangeError: cannot get the maximum of endless range
(..5).min
#!! RangeError: cannot get the minimum of beginless range
(1.5..2.5).include?(2)
#=> true
(1.5..2.5).max
#=> 2.5
(1...2.5).max
#!! TypeError: cannot exclude non Integer end value
(1..2.5).to_a
#=> [1, 2]
[(1..10).step(3).to_a, (1..10) % 4, 1.step(10, 4).to_a, (0.0..1.0).step(0.5).to_a, ('a'..'e').step(2).to_a]
#=> [[1, 4, 7, 10], ((1..10).%(4)), [1, 5, 9], [0.0, 0.5, 1.0], ["a", "c", "e"]]
(1..10).step(3).class
#=> Enumerator::ArithmeticSequence
(1..10).step(3).inspect
#=> "((1..10).step(3))"
(1..10) .% 3
#=> ((1..10).%(3))
((1..10) % 3).to_a
#=> [1, 4, 7, 10]
1.step(by: 2).first(3)
#=> [1, 3, 5]
1.step(2, 0.5).to_a
#=> [1.0, 1.5, 2.0]
(1..3).sum
#=> 6
(1..100).sum
#=> 5050
(1..3).inject(:*)
#=> 6
(1..3).reduce(10) { |a, b| a + b }
#=> 16
(1..6).each_slice(2).to_a
#=> [[1, 2], [3, 4], [5, 6]]
(1..4).each_cons(2).to_a
#=> [[1, 2], [2, 3], [3, 4]]
(1..3).each_with_index.to_a
#=> [[1, 0], [2, 1], [3, 2]]
(1..3).map { |x| x * 2 }
#=> [2, 4, 6]
(1..6).select(&:even?)
#=> [2, 4, 6]
(1..3).zip(4..6)
#=> [[1, 4], [2, 5], [3, 6]]
(1..3).to_a.reverse
#=> [3, 2, 1]
(1..3).reverse_each.to_a
#=> [3, 2, 1]
(1..3).each_entry.to_a
#=> [1, 2, 3]
(1..3) == (1..3)
#=> true
(1..3) == (1...4)
#=> false
(1..3).eql?(1..3)
#=> true
(1..3).hash == (1..3).hash
#=> true
(1..3).inspect
#=> "1..3"
(1...3).to_s
#=> "1...3"
('a'..'c').inspect
#=> "\"a\"..\"c\""
(nil..1).inspect
#=> "..1"
(1..nil).inspect
#=> "1.."
(nil..nil).inspect
#=> "nil..nil"
(1..3).begin
#=> 1
(1..3).end
#=> 3
(1...3).exclude_end?
#=> true
(1..3).frozen?
#=> true
(1..3).count
#=> 3
(1..).lazy.map { |x| x * 2 }.first(2)
#=> [2, 4]
(1..3).cycle.first(5)
#=> [1, 2, 3, 1, 2]
(1..3).tally
#=> {1=>1, 2=>1, 3=>1}
(1..10).partition(&:even?)
#=> [[2, 4, 6, 8, 10], [1, 3, 5, 7, 9]]
(1..10).group_by { |x| x % 3 }
#=> {1=>[1, 4, 7, 10], 2=>[2, 5, 8], 0=>[3, 6, 9]}
(1..10).min_by { |x| (x - 5).abs }
#=> 5
(1..10).find { |x| x > 4 }
#=> 5
(1..10).take_while { |x| x < 4 }
#=> [1, 2, 3]
(1..10).each_with_object([]) { |x, a| a << x if x > 8 }
#=> [9, 10]
(1..3).overlap?(3..4)
#=> true
(1...3).overlap?(3..4)
#=> false
(1..2).cover?(1...3)
#=> true
Range.new(1, 3, true)
#=> 1...3
Range.new(nil, nil)
#=> nil..nil
Range.new(1, nil).first(1)
#=> [1]
('aa'..'ad').to_a
#=> ["aa", "ab", "ac", "ad"]
('1'..'10').to_a
#=> ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
('08'..'11').to_a
#=> ["08", "09", "10", "11"]
('Z'..'b').to_a.size
#=> 9
(:a..:d).to_a
#=> [:a, :b, :c, :d]
(1..3).entries
#=> [1, 2, 3]
(1..0).sum
#=> 0
(1..0).max.inspect
#=> "nil"
(1..3) .any? { |x| x > 2 }
#=> true
(1..3).to_a.sample.class
#=> Integer
(Time.at(0)..Time.at(10)).cover?(Time.at(5))
#=> true
(Time.at(0)..Time.at(10)).to_a
#!! TypeError: can't iterate from Time
x = 5; (1..x).to_a
#=> [1, 2, 3, 4, 5]
(1..2**70).size
#=> 1180591620717411303424
(2**70..2**70 + 2).to_a
#=> [1180591620717411303424, 1180591620717411303425, 1180591620717411303426]
(1r..2r).include?(1.5)
#=> true
(-5..-1).to_a
#=> [-5, -4, -3, -2, -1]
(-1..-5).to_a
#=> []
('a'..'c').each_with_index.map { |c, i| c * i }
#=> ["", "b", "cc"]
(1..12).each_slice(5).map(&:sum)
#=> [15, 40, 23]
# enumerators
e = [1, 2, 3].each; [e.next, e.next, e.next, (e.next rescue $!.class)]
#=> [1, 2, 3, StopIteration]
e = [1, 2].each; [e.peek, e.next, e.peek, e.next]
#=> [1, 1, 2, 2]
e = [1, 2].each; e.next; e.rewind; e.next
#=> 1
[1, 2].each.size
#=> 2
[1, 2].each.inspect
#=> "#<Enumerator: [1, 2]:each>"
[1, 2].each_slice(2).inspect
#=> "#<Enumerator: [1, 2]:each_slice(2)>"
[1, 2].each_with_index.inspect
#=> "#<Enumerator: [1, 2]:each_with_index>"
[1, 2].map.with_index.inspect
#=> "#<Enumerator: #<Enumerator: [1, 2]:map>:with_index>"
(1..3).each_cons(2).inspect
#=> "#<Enumerator: 1..3:each_cons(2)>"
'ab'.each_char.inspect
#=> "#<Enumerator: \"ab\":each_char>"
{ a: 1 }.each.inspect
#=> "#<Enumerator: {:a=>1}:each>"
3.times.inspect
#=> "#<Enumerator: 3:times>"
1.upto(3).inspect
#=> "#<Enumerator: 1:upto(3)>"
1.step(10, 3).inspect
#=> "(1.step(10, 3))"
loop.size
#=> Infinity
3.times.size
#=> 3
[1, 2, 3].each_slice(2).size
#=> 2
[4, 5].each.with_index(1).to_a
#=> [[4, 1], [5, 2]]
[4, 5].each_with_index.with_index(10).to_a
#=> [[[4, 0], 10], [[5, 1], 11]]
[4, 5].map.with_index { |x, i| x * i }
#=> [0, 5]
[4, 5].map.with_index(1).to_a
#=> [[4, 1], [5, 2]]
[4, 5].select.with_index { |x, i| i > 0 }
#=> [5]
[4, 5].each.with_object([]).to_a
#=> [[4, []], [5, []]]
%w[a b].each_with_index.to_a
#=> [["a", 0], ["b", 1]]
%w[a b].each.next
#=> "a"
[1, 2].each_entry.class
#=> Enumerator
[1, 2].to_enum.next
#=> 1
[1, 2].to_enum(:each_slice, 1).to_a
#=> [[1], [2]]
[1, 2].enum_for(:map).with_index.to_a
#=> [[1, 0], [2, 1]]
Enumerator.new { |y| y << 1 << 2; y.yield 3, 4; y.yield }.to_a
#=> [1, 2, [3, 4], nil]
Enumerator.new { |y| 3.times { |i| y << i } }.lazy.map { |x| x * 2 }.to_a
#=> [0, 2, 4]
Enumerator.new { |y| y << 1 }.next
#=> 1
Enumerator.new(3) { |y| y << 1 }.size
#=> 3
Enumerator.new { |y| n = 0; loop { y << (n += 1) } }.take(3)
#=> [1, 2, 3]
fib = Enumerator.new { |y| a, b = 0, 1; loop { y << a; a, b = b, a + b } }; fib.take(10)
#=> [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
fib = Enumerator.new { |y| a, b = 0, 1; loop { y << a; a, b = b, a + b } }; fib.lazy.select(&:even?).first(4)
#=> [0, 2, 8, 34]
Enumerator.produce(1) { |x| x * 2 }.take(5)
#=> [1, 2, 4, 8, 16]
Enumerator.produce([1, 1]) { |a, b| [b, a + b] }.take(4).map(&:first)
#=> [1, 1, 2, 3]
Enumerator.produce(3) { |x| raise StopIteration if x == 0; x - 1 }.to_a
#=> [3, 2, 1, 0]
([1].each + [2, 3]).to_a
#=> [1, 2, 3]
e = [1, 2, 3].map; e.with_index { |x, i| [i, x] }
#=> [[0, 1], [1, 2], [2, 3]]
e = [1, 2].each; loop { e.next }; :after
#=> :after
gen = Enumerator.new { |y| y << 'a'; y << 'b' }; [gen.next, gen.next, (gen.next rescue $!.message)]
#=> ["a", "b", "iteration reached an end"]
[1, 2, 3].each_with_index.each_slice(2).to_a
#=> [[[1, 0], [2, 1]], [[3, 2]]]
[[1, 2], [3, 4]].each.with_index.map { |(a, b), i| a + b + i }
#=> [3, 8]
# lazy
(1..Float::INFINITY).lazy.map { |x| x * 2 }.select { |x| x % 3 == 0 }.first(3)
#=> [6, 12, 18]
(1..4).lazy.inspect
#=> "#<Enumerator::Lazy: 1..4>"
(1..4).lazy.reject(&:even?).to_a
#=> [1, 3]
(1..4).lazy.take(2).to_a
#=> [1, 2]
(1..4).lazy.take_while { |x| x < 3 }.to_a
#=> [1, 2]
(1..4).lazy.drop(2).force
#=> [3, 4]
(1..4).lazy.drop_while { |x| x < 3 }.to_a
#=> [3, 4]
(1..4).lazy.zip(5..8).first(2)
#=> [[1, 5], [2, 6]]
(1..4).lazy.flat_map { |x| [x, x] }.first(3)
#=> [1, 1, 2]
(1..4).lazy.filter_map { |x| x * 2 if x.even? }.to_a
#=> [4, 8]
(1..4).lazy.uniq { |x| x % 2 }.to_a
#=> [1, 2]
(1..4).lazy.with_index.map { |x, i| x * i }.to_a
#=> [0, 2, 6, 12]
(1..4).lazy.each_with_index.to_a
#=> [[1, 0], [2, 1], [3, 2], [4, 3]]
(1..4).lazy.eager.class
#=> Enumerator
(1..4).lazy.include?(3)
#=> true
(1..4).lazy.grep(2..3).to_a
#=> [2, 3]
(1..4).lazy.compact.to_a
#=> [1, 2, 3, 4]
(1..4).lazy.chunk_while { |a, b| b == a + 1 }.to_a
#=> [[1, 2, 3, 4]]
(1..4).lazy.lazy.class
#=> Enumerator::Lazy
(1..3).lazy.tally
#=> {1=>1, 2=>1, 3=>1}
# structs
S = Struct.new(:a, :b); s = S.new(1, 2); [s.a, s[:b], s['a'], s[0], s[-1], s.to_a, s.to_h, s.members, S.members, s.size]
#=> [1, 2, 1, 1, 2, [1, 2], {:a=>1, :b=>2}, [:a, :b], [:a, :b], 2]
S = Struct.new(:a, :b); S.new(1)
#=> #<struct S a=1, b=nil>
S = Struct.new(:a, :b); S.new(1, 2) == S.new(1, 2)
#=> true
S = Struct.new(:a, :b); S.new(1, 2).eql?(S.new(1.0, 2))
#=> false
S = Struct.new(:a, :b); s = S.new(1, 2); s.a = 5; s[:b] = 6; s
#=> #<struct S a=5, b=6>
S = Struct.new(:a); s = S.new(1); s[:z] = 1
#!! NameError: no member 'z' in struct
S = Struct.new(:a) { def twice = a * 2; def self.make = new(9) }; [S.new(4).twice, S.make.a]
#=> [8, 9]
S = Struct.new(:a, :b, keyword_init: true); S.new(a: 1, b: 2)
#=> #<struct S a=1, b=2>
S = Struct.new(:a, :b, keyword_init: true); S.new(1, 2)
#!! ArgumentError: wrong number of arguments (given 2, expected 0)
S = Struct.new(:a, :b); S.new(a: 1, b: 2)
#=> #<struct S a=1, b=2>
S = Struct.new(:a, :b); a, b = *S.new(1, 2); [a, b]
#=> [1, 2]
S = Struct.new(:a, :b); S.new(1, 2).each.to_a
#=> [1, 2]
S = Struct.new(:a, :b); S.new(1, 2).each_pair.to_a
#=> [[:a, 1], [:b, 2]]
S = Struct.new(:a, :b); S.new(3, 1).sort
#=> [1, 3]
S = Struct.new(:a, :b); [S.new(2, 1), S.new(1, 2)].sort_by(&:a).map(&:to_a)
#=> [[1, 2], [2, 1]]
S = Struct.new(:a, :b); S.new(1, 2).values_at(0, 1)
#=> [1, 2]
S = Struct.new(:a, :b); S.new(1, [2]).dig(:b, 0)
#=> 2
S = Struct.new(:a, :b); S.new(1, 2).select(&:even?)
#=> [2]
S = Struct.new(:a, :b); { S.new(1, 2) => :x }[S.new(1, 2)]
#=> :x
S = Struct.new(:a, :b); case S.new(1, 2) in [a, b] then a + b end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...case S.new(1, 2) in [a, b] then a + b end\n...                           ^~~~\n
S = Struct.new(:a, :b); case S.new(1, 2) in { a: } then a end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...case S.new(1, 2) in { a: } then a end\n...                           ^~~~\n
class P3 < Struct.new(:x, :y); def to_s = "#{x},#{y}"; end; [P3.new(1, 2).to_s, P3.ancestors[1].superclass]
#=> ["1,2", Struct]
Struct.new('Named', :a).new(1)
#=> #<struct Struct::Named a=1>
Struct.new(:a).new(1).inspect
#=> "#<struct a=1>"
Struct.new(:a, :a)
#!! ArgumentError: duplicate member: a
S = Struct.new(:a); s = S.new([1]); t = s.dup; t.a << 2; s.a
#=> [1, 2]
S = Struct.new(:a); s = S.new(1).freeze; s.a = 2
#!! FrozenError: can't modify frozen S: #<struct S a=1>
S = Struct.new(:a, :b); S.new(*[1, 2]).to_h { |k, v| [k.to_s, v] }
#=> {"a"=>1, "b"=>2}
S = Struct.new(:a); S.new(nil).to_a
#=> [nil]
S = Struct.new(:a, :b); S.new(1, 2).sum
#=> 3
# data
D = Data.define(:x, :y); D.new(1, 2)
#=> #<data D x=1, y=2>
D = Data.define(:x, :y); D.new(x: 1, y: 2)
#=> #<data D x=1, y=2>
D = Data.define(:x, :y); D.new(1)
#!! ArgumentError: missing keyword: :y
D = Data.define(:x, :y); D.new(x: 1)
#!! ArgumentError: missing keyword: :y
D = Data.define(:x, :y); D.new(x: 1, y: 2, z: 3)
#!! ArgumentError: unknown keyword: :z
D = Data.define(:x, :y); [D.new(1, 2) == D.new(1, 2), D.new(1, 2).eql?(D.new(1.0, 2)), D.new(1, 2).hash == D.new(1, 2).hash]
#=> [true, false, true]
D = Data.define(:x, :y); d = D.new(1, 2); [d.to_h, d.with(y: 5), D.members, d.x, d.frozen?]
#=> [{:x=>1, :y=>2}, #<data D x=1, y=5>, [:x, :y], 1, true]
D = Data.define(:x) { def double = x * 2 }; D.new(4).double
#=> 8
D = Data.define(:x) { def initialize(x: 7) = super(x: x.to_i) }; [D.new, D.new('3'), D.new(x: '5')]
#=> [#<data D x=7>, #<data D x=3>, #<data D x=5>]
D = Data.define(:x); D.new(1).instance_variable_set(:@x, 2) rescue $!.class
#=> FrozenError
D = Data.define(:x); D.new(1).x = 5
#!! NoMethodError: undefined method `x=' for an instance of D
D = Data.define(:x, :y); case D.new(1, 2) in { x:, y: } then [x, y] end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n... D.new(1, 2) in { x:, y: } then [x, y] end\n...                           ^~~~\n
D = Data.define; D.new
#=> #<data D>
Data.define(:x).new(1)
#=> #<data x=1>
Data.new
#!! NoMethodError: undefined method `new' for class Data
D = Data.define(:x); D[3].x
#=> 3
D = Data.define(:a); { D.new(1) => 2 }[D.new(1)]
#=> 2
# comparable
class V; include Comparable; attr_reader :n; def initialize(n) = @n = n; def <=>(o) = n <=> o.n; def inspect = "V#{n}"; def succ = V.new(n + 1); end; a, b = V.new(1), V.new(3); [a < b, a <= a, a == V.new(1), a > b, a.between?(a, b), a.clamp(b, b), [b, a].sort, [b, a].max, (a..b).to_a, (a..b).include?(V.new(2))]
#=> [true, true, true, false, true, V3, [V1, V3], V3, [V1, V2, V3], true]
class V; include Comparable; def <=>(o) = nil; end; V.new.clamp(V.new, V.new) rescue $!.class
#=> ArgumentError
5.clamp(1..3)
#=> 3
5.clamp(..3)
#=> 3
5.clamp(7..)
#=> 7
5.clamp(1...3)
#!! ArgumentError: cannot clamp with an exclusive range
1.5.clamp(2, 3)
#=> 2
'b'.between?('a', 'c')
#=> true
# pattern matching
case [1, 2, 3] in [a, *b] then [a, b] end
#!! SyntaxError: t.rb:2: syntax error, unexpected `then', expecting `when'\ncase [1, 2, 3] in [a, *b] then [a, b] end\n                          ^~~~\n
case [1, [2, 3]] in [x, [y, z]] then x + y + z end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...[1, [2, 3]] in [x, [y, z]] then x + y + z end\n...                           ^~~~\n
case { a: 1, b: 2 } in { a: Integer => n } then n end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...2 } in { a: Integer => n } then n end\n...                           ^~~~\n
case { a: 1 } in { a: 1.. } then :ok end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...ase { a: 1 } in { a: 1.. } then :ok end\n...                           ^~~~\n
case { a: 1, b: 2 } in { a:, **rest } then rest end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n..., b: 2 } in { a:, **rest } then rest end\n...                           ^~~~\n
case { a: 1 } in { a:, **nil } then a end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n... { a: 1 } in { a:, **nil } then a end\n...                           ^~~~\n
case { a: 1, b: 2 } in { a:, **nil } then a else :no end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...1, b: 2 } in { a:, **nil } then a else :no end\n...                           ^~~~\n
case 5 in Integer | Float => n then n end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n... 5 in Integer | Float => n then n end\n...                           ^~~~\n
case 5 in 1..3 then :low in 4.. then :high end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase 5 in 1..3 then :low in 4.. then :high end\n               ^~~~\n
case 'abc' in /b/ then :re end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase 'abc' in /b/ then :re end\n                  ^~~~\n
case [1, 1] in [a, ^a] then :same end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase [1, 1] in [a, ^a] then :same end\n                       ^~~~\n
x = 1; case 1 in ^x then :pin end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\nx = 1; case 1 in ^x then :pin end\n                    ^~~~\n
case 2 in ^(1 + 1) then :expr end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase 2 in ^(1 + 1) then :expr end\n                   ^~~~\n
case [1, 2, 3, 4] in [*, 3, *post] then post end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n... 2, 3, 4] in [*, 3, *post] then post end\n...                           ^~~~\n
case { n: nil } in { n: nil } then :nil end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...e { n: nil } in { n: nil } then :nil end\n...                           ^~~~\n
case [] in [] then :empty end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase [] in [] then :empty end\n              ^~~~\n
case {} in {} then :empty end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase {} in {} then :empty end\n              ^~~~\n
case { a: 1 } in {} then 1 else :not_empty end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase { a: 1 } in {} then 1 else :not_empty end\n                    ^~~~\n
case 5 in n if n > 3 then n end
#!! SyntaxError: t.rb:1: syntax error, unexpected `if' modifier, expecting `when'\ncase 5 in n if n > 3 then n end\n            ^~\n
case 5 in n unless n > 3 then n else :else end
#!! SyntaxError: t.rb:1: syntax error, unexpected `unless' modifier, expecting `when'\ncase 5 in n unless n > 3 then n else :else end\n            ^~~~~~\n
case 5 in String then 1 end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase 5 in String then 1 end\n                 ^~~~\n
case { a: 1 } in { b: } then 1 end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase { a: 1 } in { b: } then 1 end\n                        ^~~~\n
case { name: 'x', tags: [1, 2] } in { name: String => s, tags: [first, *] } then [s, first] end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...g => s, tags: [first, *] } then [s, first] end\n...                           ^~~~\n
5 in Integer
#=> true
5 in String
#=> false
{ a: 1 } in { a: String }
#=> false
{ a: [1, { b: 2 }] } => { a: [_, { b: }] }; b
#=> 2
[1, 2] => [a, b]; a + b
#=> 3
{ a: 1 } => { b: }
#!! NoMatchingPatternKeyError: {:a=>1}: key not found: :b
case [1, nil] in [Integer, nil] then :ok end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...[1, nil] in [Integer, nil] then :ok end\n...                           ^~~~\n
case { status: 'ok', code: 200 } in { status: 'ok' | 'fine', code: 200..299 => c } then c end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...ne', code: 200..299 => c } then c end\n...                           ^~~~\n
in_check = (1 in Integer | String); in_check
#=> true
case 1 in 0 then :z in 1 then :one end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\ncase 1 in 0 then :z in 1 then :one end\n            ^~~~\n
case [1, [2]] in [Integer => a, [Integer => b]] then { a:, b: } end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...eger => a, [Integer => b]] then { a:, b: } end\n...                           ^~~~\n
class Pt; attr_reader :x, :y; def initialize(x, y) = (@x, @y = x, y); def deconstruct = [x, y]; def deconstruct_keys(k) = { x:, y: }; end; [(case Pt.new(1, 2) in [a, b] then [a, b] end), (case Pt.new(1, 2) in { x: } then x end), (case Pt.new(1, 2) in Pt(x:, y:) then x + y end), (case Pt.new(3, 4) in Pt[a, b] then a * b end)]
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...ase Pt.new(1, 2) in [a, b] then [a, b] end), (case Pt.new(1,...\n...                           ^~~~\nt.rb:1: syntax error, unexpected `then', expecting `when'\n...Pt.new(1, 2) in Pt(x:, y:) then x + y end), (case Pt.new(3, ...\n...                           ^~~~\n
case { k: :v } in { k: Symbol => s } then s end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...:v } in { k: Symbol => s } then s end\n...                           ^~~~\n
case 7 in Integer => n if n.odd? then "odd #{n}" end
#!! SyntaxError: t.rb:1: syntax error, unexpected `if' modifier, expecting `when'\ncase 7 in Integer => n if n.odd? then "odd #{n}" end\n                       ^~\n
case ['cmd', { v: true }] in [String => c, { v: true }] then c end
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\n...[String => c, { v: true }] then c end\n...                           ^~~~\n
result = case 3 in 0 then :zero in Integer then :int end; result
#!! SyntaxError: t.rb:1: syntax error, unexpected `then', expecting `when'\nresult = case 3 in 0 then :zero in Integer then :int e...\n                     ^~~~\n
data = { user: { name: 'n', roles: [:admin, :dev] } }; data in { user: { roles: [*, :admin, *] } }
#=> true
[(1..5).cover?(5..1), (1..5).cover?(2..1), (1..5).cover?(2...2), (1..5).cover?(1..5), (1...5).cover?(1..4), (1..).cover?(2..), (1..5).cover?(5...6), (1...5).cover?(1...5), (1..5).cover?(0..2), (1..5).cover?(2..), (1.0..2.0).cover?(1..2)]
#=> [false, false, false, true, true, true, true, true, false, false, true]
(1.0...2).max
#!! TypeError: cannot exclude end value with non Integer begin value
(1...2.0).max
#!! TypeError: cannot exclude non Integer end value
(1.0...2.0).max
#!! TypeError: cannot exclude non Integer end value
[(1.0..2).max, (1.0...2).min, (2.0...1).max, (1...1).max, ("a"..."c").max]
#=> [2, 1.0, nil, nil, "b"]
(1.0...2).minmax
#!! TypeError: cannot exclude end value with non Integer begin value
(1.0...2).max { |a, b| a <=> b }
#!! TypeError: can't iterate from Float
(1.0...2**70).max
#!! TypeError: cannot exclude end value with non Integer begin value
[].count(1, 2)
#!! ArgumentError: wrong number of arguments (given 2, expected 0..1)
(1..2).each_entry.count(1, 2)
#!! ArgumentError: wrong number of arguments (given 2, expected 1)
e = (1..3).lazy.map { |x| x * 2 }; [e.next, e.peek, e.next, e.next, (e.next rescue $!.message), e.rewind.class, e.next]
#=> [2, 4, 4, 6, "iteration reached an end", Enumerator::Lazy, 2]
"####;
