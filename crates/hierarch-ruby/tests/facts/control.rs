//! Conditions, case, loops, assignment, operators, and what expressions give. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# if, unless, ternary
if nil then 1 end.inspect
#=> "nil"
if 0 then :truthy end
#=> :truthy
if '' then :truthy end
#=> :truthy
if [] then :truthy end
#=> :truthy
x = if false then 1 elsif nil then 2 else 3 end
#=> 3
unless false then 1 else 2 end
#=> 1
(1 if false).inspect
#=> "nil"
(1 unless false)
#=> 1
true ? 1 : 2
#=> 1
nil ? 1 : 2
#=> 2
1 ? nil ? :a : :b : :c
#=> :b
x = 5; x > 3 && x < 10
#=> true
x = (true and false); x
#=> false
x = true && false || 5
#=> 5
x = nil; x || (x = 5); x
#=> 5
not true
#=> false
(not nil)
#=> true
!5
#=> false
!!5
#=> true
nil.nil? && !nil
#=> true
a = 1; b = a == 1 ? 'one' : 'other'; b
#=> "one"
x = 5 if true; x
#=> 5
x = 5 if false; x.inspect
#=> "nil"
if (a = 5) > 3 then a end
#=> 5
(a = nil) ? 1 : 2
#=> 2
if true; end.inspect
#=> "nil"
puts_nothing = (if 1 > 2; 1; end); puts_nothing.inspect
#=> "nil"
# case
case 5 when 1..3 then :low when 4..6 then :mid else :high end
#=> :mid
case 'abc' when /b/ then $~[0] end
#=> "b"
case 'abc' when 'x', 'abc' then 1 end
#=> 1
case nil when nil then 1 end
#=> 1
case 5 when String, Integer then :si end
#=> :si
case 5 when 6 then 1 end.inspect
#=> "nil"
case when 1 > 2 then :a when 2 > 1 then :b end
#=> :b
case 5 when ->(x) { x > 3 } then :big end
#=> :big
case 5 when *[1, 2], *[5] then :splat end
#=> :splat
case [1, 2] when Array then :arr end
#=> :arr
case 'a' when :a then 1 else 2 end
#=> 2
case 1.0 when 1 then :eq end
#=> :eq
case 1 when 1.0 then :eq end
#=> :eq
case Integer when Integer then 1 else 2 end
#=> 2
case Integer when Class then 1 else 2 end
#=> 1
x = case 1 when 1 then end; x.inspect
#=> "nil"
case 'hello' when /^h(.)/ then $1 end
#=> "e"
case 7 when Integer then "i" when 7 then "seven" end
#=> "i"
case when nil then 1 else 2 end
#=> 2
case 'x' when nil, false, 'x' then :found end
#=> :found
case 3 when 1, 2 then :a when 3 then :b end
#=> :b
case "b" when "a".."c" then :in end
#=> :in
# loops
r = []; i = 0; while i < 3 do r << i; i += 1 end; r
#=> [0, 1, 2]
r = []; for x in [1, 2, 3] do r << x end; r
#=> [1, 2, 3]
r = []; for a, b in [[1, 2], [3, 4]] do r << a + b end; r
#=> [3, 7]
r = []; for k, v in { a: 1 } do r << k << v end; r
#=> [:a, 1]
for x in [1, 2, 3] do end; x
#=> 3
for i in 1..3 do break i * 2 if i == 2 end
#=> 4
(for i in [] do end)
#=> []
r = []; 3.times { |i| r << i }; r
#=> [0, 1, 2]
r = []; 1.upto(3) { |i| r << i }; r
#=> [1, 2, 3]
r = []; 3.downto(1) { |i| r << i }; r
#=> [3, 2, 1]
r = []; 1.step(10, 4) { |i| r << i }; r
#=> [1, 5, 9]
r = []; 10.step(1, -4) { |i| r << i }; r
#=> [10, 6, 2]
r = []; 1.0.step(2.0, 0.5) { |i| r << i }; r
#=> [1.0, 1.5, 2.0]
r = []; loop { r << 1; break if r.size > 2 }; r
#=> [1, 1, 1]
r = []; 5.times { |i| next if i.odd?; r << i }; r
#=> [0, 2, 4]
r = []; [1, 2].each { |a| [3, 4].each { |b| next if b == 3; r << [a, b] } }; r
#=> [[1, 4], [2, 4]]
i = 0; res = while true do i += 1; break i if i > 4 end; res
#=> 5
i = 0; begin i += 1 end until true; i
#=> 1
3.times.map { |i| i }
#=> [0, 1, 2]
[1, 2, 3].each_with_index { |x, i| break [x, i] if i == 1 }
#=> [2, 1]
(1..Float::INFINITY).each { |x| break x if x * x > 50 }
#=> 8
1.step.find { |x| x % 7 == 0 && x % 5 == 0 }
#=> 35
1.step(by: 2, to: 7).to_a
#=> [1, 3, 5, 7]
1.step(by: -1, to: -1).to_a
#=> [1, 0, -1]
5.step(1, -2).to_a
#=> [5, 3, 1]
# assignment
a = b = 5; [a, b]
#=> [5, 5]
a, b = 1, 2; [a, b]
#=> [1, 2]
a, b = b, a; [a, b].inspect
#=> "[nil, nil]"
a = 1; b = 2; a, b = b, a; [a, b]
#=> [2, 1]
a, *b = 1, 2, 3; [a, b]
#=> [1, [2, 3]]
*a, b = 1, 2, 3; [a, b]
#=> [[1, 2], 3]
a, *b, c = 1, 2, 3, 4; [a, b, c]
#=> [1, [2, 3], 4]
a, *b, c = 1, 2; [a, b, c]
#=> [1, [], 2]
a, *b, c = 1; [a, b, c]
#=> [1, [], nil]
a, (b, c), d = 1, [2, 3], 4; [a, b, c, d]
#=> [1, 2, 3, 4]
a, (b, *c), *d = 1, [2, 3, 4], 5; [a, b, c, d]
#=> [1, 2, [3, 4], [5]]
a, b = [1]; [a, b]
#=> [1, nil]
a, b = 1; [a, b]
#=> [1, nil]
a, b = nil; [a, b]
#=> [nil, nil]
a, b = { a: 1 }; [a, b]
#=> [{:a=>1}, nil]
(a, b), c = [1, 2], 3; [a, b, c]
#=> [1, 2, 3]
a, _, c = 1, 2, 3; [a, c]
#=> [1, 3]
*, a = 1, 2, 3; a
#=> 3
a, * = 1, 2; a
#=> 1
a = *1..3; a
#=> [1, 2, 3]
a = [*1..3, 4]; a
#=> [1, 2, 3, 4]
(a, b = 1, 2)
#=> [1, 2]
x = (a, b = 5, 6); x
#=> [5, 6]
h = {}; h[:a], h[:b] = 1, 2; h
#=> {:a=>1, :b=>2}
o = Struct.new(:x, :y).new; o.x, o.y = 1, 2; o.to_a
#=> [1, 2]
a = [1, 2, 3]; a[0], a[2] = a[2], a[0]; a
#=> [3, 2, 1]
@a, $b, c = 1, 2, 3; [@a, $b, c]
#=> [1, 2, 3]
a = 1; a += 2; a -= 1; a *= 10; a /= 3; a **= 2; a %= 7; a
#=> 1
a = 6; a &= 3; a |= 8; a ^= 1; a <<= 2; a >>= 1; a
#=> 22
a = nil; a ||= 5; a ||= 6; a
#=> 5
a = 5; a &&= a + 1; a
#=> 6
a = nil; a &&= a + 1; a.inspect
#=> "nil"
h = { a: nil }; h[:a] ||= 1; h[:b] ||= 2; h
#=> {:a=>1, :b=>2}
h = Hash.new(0); h[:a] += 1; h[:a] += 1; h
#=> {:a=>2}
h = { a: 1 }; h[:a] &&= 9; h[:z] &&= 9; h
#=> {:a=>9}
a = [1]; a[3] ||= 7; a
#=> [1, nil, nil, 7]
s = 'a'; s += 'b'; s <<= 'c' rescue s << 'd'; s
#=> "abc"
s = +'a'; s *= 3; s
#=> "aaa"
class A; attr_accessor :v; end; a = A.new; a.v ||= 5; a.v += 1; a.v
#=> 6
class A; attr_accessor :v; end; a = nil; a&.v = 5; a.inspect
#=> "nil"
class A; attr_accessor :v; end; a = A.new; a&.v ||= 5; a.v
#=> 5
A ||= 5; A ||= 6; A
#=> 5
@x ||= 3; @x
#=> 3
$g ||= 4; $g
#=> 4
x = y = z = []; x << 1; z
#=> [1]
a = b = nil; a.equal?(b)
#=> true
x = [1, 2, 3]; first, = x; first
#=> 1
def f = [1, 2]; a, b = f; a + b
#=> 3
a, b, c = *'x', *[1, 2]; [a, b, c]
#=> ["x", 1, 2]
a = (b = 3) + 1; [a, b]
#=> [4, 3]
i = 0; a = [i += 1, i += 1]; a
#=> [1, 2]
i = 0; h = { (i += 1) => (i += 1), (i += 1) => i }; h
#=> {1=>2, 3=>3}
# operators
[7 / 2, -7 / 2, 7 % 3, -7 % 3, 7 % -3, 7.0 / 2, 7.fdiv(2), -7.remainder(3), 7.divmod(-2)]
#=> [3, -4, 1, 2, -2, 3.5, 3.5, -1, [-4, -1]]
[2**10, 2**-1, 2**0.5, (-8)**2, -8**2, 2**100]
#=> [1024, (1/2), 1.4142135623730951, 64, -64, 1267650600228229401496703205376]
[1 <=> 2, 'b' <=> 'a', [1, 2] <=> [1, 3], nil <=> nil, nil <=> 1, :a <=> :b, true <=> true, 1 <=> 'a']
#=> [-1, 1, -1, 0, nil, -1, 0, nil]
[1 == 1.0, 1.eql?(1.0), 1.equal?(1), 'a' == :a, nil == false, [] == {}, 0 == -0.0]
#=> [true, false, true, false, false, false, true]
[5 & 3, 5 | 3, 5 ^ 3, ~5, 5 << 2, 5 >> 1, -5 >> 1, 1 << 70]
#=> [1, 7, 6, -6, 20, 2, -3, 1180591620717411303424]
[(1..5) === 3, Integer === 3, /a/ === 'cat', 'a' === 'a', :a === 'a', nil === nil, String === 'a', ->(x) { x } === false]
#=> [true, true, true, true, false, true, true, false]
1 + 2 * 3 ** 2 - 4 / 2
#=> 17
10 - 5 - 2
#=> 3
2 ** 3 ** 2
#=> 512
-2 ** 2
#=> -4
!true == false
#=> true
1 < 2 == true
#=> true
5 & 3 == 3
#=> false
1..3 == (1..3) rescue 'x'
#=> "x"
[1, 2] + [3] << 4
#=> [1, 2, 3, 4]
a = [3]; a << 1 << 2
#=> [3, 1, 2]
'a' 'b' "c"
#=> "abc"
'a' * 3 + 'b'
#=> "aaab"
"a" "#{1 + 1}" 'c'
#=> "a2c"
1.+(2)
#=> 3
1.send(:+, 2)
#=> 3
5.between?(1, 10)
#=> true
5.clamp(1, 3)
#=> 3
5.clamp(..3)
#=> 3
x = 5; x.zero? ? 1 : -1
#=> -1
defined?(x).inspect
#=> "nil"
defined?(puts)
#=> "method"
defined?(String)
#=> "constant"
defined?(@a).inspect
#=> "nil"
@a = 1; defined?(@a)
#=> "instance-variable"
x = 1; defined?(x)
#=> "local-variable"
defined?(1 + 1)
#=> "method"
defined?(nope.foo).inspect
#=> "nil"
defined?(yield).inspect
#=> "nil"
defined?(super).inspect
#=> "nil"
defined?(nil)
#=> "nil"
defined?(self)
#=> "self"
defined?(true)
#=> "true"
defined?(x = 1)
#=> "assignment"
defined?($nope).inspect
#=> "nil"
defined?(@@a).inspect
#=> "nil"
defined?([1].first)
#=> "method"
defined?([1].nope).inspect
#=> "nil"
defined?(if x then 1 end)
#=> "expression"
nil&.foo.inspect
#=> "nil"
nil&.foo&.bar.inspect
#=> "nil"
'a'&.upcase
#=> "A"
nil&.length.to_i
#=> 0
a = nil; a&.b(raise('never')).inspect
#=> "nil"
[1, nil, 2].map { |x| x&.succ }
#=> [2, nil, 3]
x = 5; "#{x}" + '#{x}'
#=> "5\#{x}"
"#{1}#{nil}#{:a}#{[1, nil]}#{{ a: 1 }}#{1.0}"
#=> "1a[1, nil]{:a=>1}1.0"
"a#$0b".class
#!! SyntaxError: t.rb:1: `$0b' is not allowed as a global variable name
@v = 3; "x#@v"
#=> "x3"
$v9 = 4; "x#$v9"
#=> "x4"
__LINE__ + 1
#=> 2
alias old_puts puts; defined?(old_puts)
#=> "method"
$stdout.class
#=> IO
[__FILE__, __dir__.class]
#=> ["t.rb", String]
;;5;;
#=> 5
(1; 2; 3)
#=> 3
()
#=> nil
begin; end.inspect
#=> "nil"
begin 5 end
#=> 5
x = begin 1; 2 end; x
#=> 2
x = (puts if false); x.inspect
#=> "nil"
[1, 2,
 3].sum
#=> 6
[1, 2, 3]
  .map { |x| x * 2 }
  # a comment between
  .select { |x| x > 2 }
#=> [4, 6]
x = 5 +
  6
x
#=> 11
a = [
  1,
  2,
]
h = {
  'a': 1,
  "b c": 2,
}
[a, h]
#=> [[1, 2], {:a=>1, :"b c"=>2}]
def long(a,
         b = 2,
         c: 3)
  [a, b, c]
end
long 1,
     c: 4
#=> [1, 2, 4]
x = if true
      :yes
    else
      :no
    end
x
#=> :yes
=begin
a comment
=end
5
#=> 5
result = case
         when false then 1
         else
           2
         end
result
#=> 2
v = [1, 2, 3].each_with_object({}) do |x, memo|
  next if x == 2
  memo[x] = x.to_s
end
v
#=> {1=>"1", 3=>"3"}
def fact(n)
  return 1 if n <= 1
  n * fact(n - 1)
end
fact(25)
#=> 15511210043330985984000000
a = 3
b = a > 2 &&
    a < 5
c = a == 3 or raise
[b, c]
#=> [true, true]
5
__END__
this is not code
#=> 5
"####;
