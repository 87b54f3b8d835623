//! Hashes: order, defaults, keys, changing, walking. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# order
h = { b: 1, a: 2 }; h[:c] = 3; h[:b] = 9; h
#=> {:b=>9, :a=>2, :c=>3}
h = { a: 1, b: 2 }; h.delete(:a); h[:a] = 3; h.keys
#=> [:b, :a]
{ a: 1, b: 2, a: 3 }
#=> {:b=>2, :a=>3}
{ 1 => :a, 1.0 => :b, 1r => :c }
#=> {1=>:a, 1.0=>:b, (1/1)=>:c}
{ 'a' => 1, :a => 2 }
#=> {"a"=>1, :a=>2}
{ nil => 1, true => 2, [1] => 3, { x: 1 } => 4, (1..2) => 5 }
#=> {nil=>1, true=>2, [1]=>3, {:x=>1}=>4, 1..2=>5}
{ a: 1 }.merge(b: 2, a: 3)
#=> {:a=>3, :b=>2}
{ b: 1, a: 2 }.sort
#=> [[:a, 2], [:b, 1]]
{ b: 1, a: 2 }.sort.to_h
#=> {:a=>2, :b=>1}
{ b: 1, a: 2 }.min_by { |k, v| v }
#=> [:b, 1]
{ b: 1, a: 2 }.sort_by { |k, v| -v }.to_h
#=> {:a=>2, :b=>1}
{ b: 1, a: 2 }.to_a.reverse.to_h
#=> {:a=>2, :b=>1}
h = { a: 1, b: 2, c: 3 }; h.each { |k, v| h[k] = v * 2 }; h
#=> {:a=>2, :b=>4, :c=>6}
h = { a: 1, b: 2, c: 3 }; h.each { |k, v| h.delete(k) if v == 2 }; h
#=> {:a=>1, :c=>3}
h = { a: 1 }; h.compare_by_identity; h['x'] = 1; h['x'] = 2; h.size
#=> 3
{ a: 1, b: 2 } == { b: 2, a: 1 }
#=> true
{ a: 1, b: 2 }.eql?({ b: 2, a: 1 })
#=> true
{ a: 1, b: 2 }.hash == { b: 2, a: 1 }.hash
#=> true
{ a: 1 } == { a: 1.0 }
#=> true
{ a: 1 }.eql?({ a: 1.0 })
#=> false
# reading
h = { a: 1, 'b' => 2, 3 => [4] }; [h[:a], h['b'], h[3], h[:z], h['a']]
#=> [1, 2, [4], nil, nil]
{ a: 1 }.fetch(:a)
#=> 1
{ a: 1 }.fetch(:z, 0)
#=> 0
{ a: 1 }.fetch(:z) { |k| "no #{k}" }
#=> "no z"
{ a: { b: { c: 1 } } }.dig(:a, :b, :c)
#=> 1
{ a: { b: nil } }.dig(:a, :b, :c).inspect
#=> "nil"
{ a: [1, { b: 2 }] }.dig(:a, 1, :b)
#=> 2
{ a: 1, b: 2 }.values_at(:a, :z, :b)
#=> [1, nil, 2]
{ a: 1, b: 2 }.fetch_values(:a, :b)
#=> [1, 2]
{ a: 1 }.fetch_values(:z) { |k| k.to_s }
#=> ["z"]
{ a: 1 }.key(1)
#=> :a
{ a: 1 }.key(2).inspect
#=> "nil"
{ a: 1 }.key?(:a) && { a: 1 }.has_key?(:a) && { a: 1 }.include?(:a) && { a: 1 }.member?(:a)
#=> true
{ a: 1 }.value?(1) && { a: 1 }.has_value?(1)
#=> true
{ a: nil }.key?(:a)
#=> true
{ a: 1, b: 2 }.first
#=> [:a, 1]
{ a: 1, b: 2 }.first(1)
#=> [[:a, 1]]
{ a: 1, b: 2 }.keys + { a: 1 }.values
#=> [:a, :b, 1]
{ a: 1 }.length
#=> 1
{}.empty?
#=> true
{ a: 1 }.any?
#=> true
{}.any?
#=> false
{}.none?
#=> true
{ a: nil }.all?
#=> true
{ a: 1 }.assoc(:a)
#=> [:a, 1]
{ a: 1 }.rassoc(1)
#=> [:a, 1]
{ a: 1, b: 2 }.count
#=> 2
{ a: 1, b: 2 }.count { |k, v| v > 1 }
#=> 1
{ a: 1, b: 2 }.find { |k, v| v > 1 }
#=> [:b, 2]
{ a: 1, b: 2 }.sum { |k, v| v }
#=> 3
{ a: 1, b: 2 }.max_by { |k, v| v }
#=> [:b, 2]
{ a: 1, b: 2 }.min_by { |k, v| v }&.first
#=> :a
{ a: 1, b: 2 }.each_with_index.map { |(k, v), i| [k, v, i] }
#=> [[:a, 1, 0], [:b, 2, 1]]
{ a: 1, b: 2 }.inject { |a, b| a + b }
#=> [:a, 1, :b, 2]
{ a: 1, b: 2 }.reduce(0) { |s, (k, v)| s + v }
#=> 3
{ a: 1, b: 2 }.partition { |k, v| v > 1 }
#=> [[[:b, 2]], [[:a, 1]]]
{ a: 1, b: 2 }.group_by { |k, v| v.odd? }
#=> {true=>[[:a, 1]], false=>[[:b, 2]]}
{ a: 1, b: 2 }.each_slice(1).to_a
#=> [[[:a, 1]], [[:b, 2]]]
{ a: 1, b: 2 }.zip([1, 2])
#=> [[[:a, 1], 1], [[:b, 2], 2]]
{ a: 1, b: 2 }.flat_map { |k, v| [k] * v }
#=> [:a, :b, :b]
{ a: 1, b: 2 }.each_cons(2).to_a
#=> [[[:a, 1], [:b, 2]]]
{ a: 1, b: 2 }.to_a.transpose
#=> [[:a, :b], [1, 2]]
{ a: 1 }.to_a
#=> [[:a, 1]]
{ a: [1, 2] }.flatten
#=> [:a, [1, 2]]
{ a: [1, 2] }.flatten(2)
#=> [:a, 1, 2]
{ a: 1 }.sum { |pair| pair.size }
#=> 2
{ a: 1 }.map { |k, v| [k.to_s, v] }.to_h
#=> {"a"=>1}
{ a: 1, b: nil }.filter_map { |k, v| k if v }
#=> [:a]
{ a: 1 }.each_entry.to_a
#=> [[:a, 1]]
{ a: 2, b: 1 }.sort { |(ak, av), (bk, bv)| av <=> bv }
#=> [[:b, 1], [:a, 2]]
{ a: 1, b: 2 }.each_with_object({}) { |(k, v), h| h[v] = k }
#=> {1=>:a, 2=>:b}
{ a: 1, b: 2 }.any? { |k, v| v > 1 }
#=> true
{ a: 1, b: 2 }.all? { |k, v| v > 0 }
#=> true
{ a: 1, b: 2 }.any?([:a, 1])
#=> true
{ a: 1, b: 2 }.include?([:a, 1])
#=> false
{ a: 1, b: 2 }.take(1)
#=> [[:a, 1]]
{ a: 1, b: 2 }.drop(1)
#=> [[:b, 2]]
{ a: 1, b: 2 }.uniq { |k, v| v.class }
#=> [[:a, 1]]
{ a: 1, b: 1 }.tally
#=> {[:a, 1]=>1, [:b, 1]=>1}
{ a: 1, b: 2 }.each_pair.to_a
#=> [[:a, 1], [:b, 2]]
{ a: 1, b: 2 }.each_key.to_a
#=> [:a, :b]
{ a: 1, b: 2 }.each_value.map { |v| v * 2 }
#=> [2, 4]
{ a: 1 }.each { |x| break x }
#=> [:a, 1]
{ a: 1 }.each { |*x| break x }
#=> [[:a, 1]]
{ a: 1 }.each_pair { |k| break k }
#=> [:a, 1]
{ a: 1 }.map(&:first)
#=> [:a]
{ a: 1 }.map(&:last)
#=> [1]
{ a: 1 }.each(&->(k, v) { }) rescue $!.message
#=> "wrong number of arguments (given 1, expected 2)"
{ a: 1 }.map(&->(k, v) { [k, v] }) rescue $!.message
#=> [[:a, 1]]
{ a: 1 }.map(&->(pair) { pair })
#=> [[:a, 1]]
{ a: 1 }.any?(&->(k, v) { v }) rescue $!.message
#=> "wrong number of arguments (given 1, expected 2)"
# making new ones
{ a: 1, b: 2 }.select { |k, v| v > 1 }
#=> {:b=>2}
{ a: 1, b: 2 }.filter { |k| k == :a }
#=> {:a=>1}
{ a: 1, b: 2 }.reject { |k, v| v > 1 }
#=> {:a=>1}
{ a: 1, b: nil }.compact
#=> {:a=>1}
{ a: 1, b: 2 }.invert
#=> {1=>:a, 2=>:b}
{ a: 1, b: 1 }.invert
#=> {1=>:b}
{ a: 1 }.transform_values { |v| v + 1 }
#=> {:a=>2}
{ a: 1 }.transform_values(&:to_s)
#=> {:a=>"1"}
{ a: 1 }.transform_keys(&:to_s)
#=> {"a"=>1}
{ a: 1, b: 2 }.transform_keys({ a: :x })
#=> {:x=>1, :b=>2}
{ a: 1, b: 2 }.transform_keys({ a: :x }) { |k| k.to_s }
#=> {:x=>1, "b"=>2}
{ a: 1, b: 2 }.transform_keys { :same }
#=> {:same=>2}
{ a: 1, b: 2 }.slice(:b, :z)
#=> {:b=>2}
{ a: 1, b: 2 }.except(:a)
#=> {:b=>2}
{ a: 1 }.to_h { |k, v| [v, k] }
#=> {1=>:a}
{ a: 1 }.merge
#=> {:a=>1}
{ a: 1 }.merge({ b: 2 }, { c: 3 })
#=> {:a=>1, :b=>2, :c=>3}
{ a: 1 }.merge({ a: 2 }) { |k, old, new| [k, old, new] }
#=> {:a=>[:a, 1, 2]}
{ a: { x: 1 } }.merge({ a: { y: 2 } }) { |_, o, n| o.merge(n) }
#=> {:a=>{:x=>1, :y=>2}}
{ a: 1 }.merge([]) rescue $!.message
#=> "no implicit conversion of Array into Hash"
{ a: 1 }.filter_map { |k, v| [k, v] }.to_h
#=> {:a=>1}
{ 'b' => 1, 'a' => 2 }.sort.each_with_object([]) { |(k, v), a| a << "#{k}=#{v}" }
#=> ["a=2", "b=1"]
{ a: 1, b: 2, c: 3 }.each_slice(2).map(&:to_h)
#=> [{:a=>1, :b=>2}, {:c=>3}]
{ a: 1, b: 2 }.sum { |k, v| v.to_f }
#=> 3.0
{ a: 1 }.deconstruct_keys([:a])
#=> {:a=>1}
{ a: 1, b: 2 }.min(1)
#=> [[:a, 1]]
Hash[[[1, 2]]]
#=> {1=>2}
Hash[1, 2, 3, 4]
#=> {1=>2, 3=>4}
Hash[{ a: 1 }]
#=> {:a=>1}
Hash[1, 2, 3] rescue $!.message
#=> "odd number of arguments for Hash"
[[1, 2]].to_h
#=> {1=>2}
%i[a b].zip([1, 2]).to_h
#=> {:a=>1, :b=>2}
%w[a b].to_h { |x| [x.to_sym, x] }
#=> {:a=>"a", :b=>"b"}
Hash.new(5)[:x]
#=> 5
Hash.new(5).fetch(:x) rescue $!.message
#=> "key not found: :x"
Hash.new { |h, k| k * 2 }[4]
#=> 8
Hash.new { |h, k| h[k] = k * 2 }.tap { |h| h[4] }
#=> {4=>8}
Hash.new(5).default
#=> 5
Hash.new { 1 }.default.inspect
#=> "nil"
Hash.new { |h, k| k }.default(3)
#=> 3
Hash.new { 1 }.default_proc.class
#=> Proc
Hash.new(5) { 1 } rescue $!.message
#=> "wrong number of arguments (given 1, expected 0)"
h = Hash.new(0); 'hello'.each_char { |c| h[c] += 1 }; h
#=> {"h"=>1, "e"=>1, "l"=>2, "o"=>1}
h = Hash.new { |hash, key| hash[key] = Hash.new(&hash.default_proc) }; h[:a][:b] = 1; h
#=> {:a=>{:b=>1}}
h = Hash.new(0); [h.dig(:a), h.values_at(:a), h.key?(:a), h.to_a]
#=> [0, [0], false, []]
h = { a: 1 }; h.default = 7; [h[:x], h.fetch(:x, 8)]
#=> [7, 8]
h = Hash.new(1); h.merge(a: 2)[:zz]
#=> 1
h = Hash.new(1); h.select { true }[:zz].inspect
#=> "nil"
h = Hash.new(1); h.dup[:zz]
#=> 1
h = Hash.new(1); h.to_h[:zz]
#=> 1
h = Hash.new(1); h.reject { false }[:zz].inspect
#=> "nil"
h = Hash.new(1); h.transform_values { 1 }[:zz].inspect
#=> "nil"
# changing
h = { a: 1 }; h[:b] = 2; h.store(:c, 3); h
#=> {:a=>1, :b=>2, :c=>3}
h = {}; k = +'key'; h[k] = 1; k << 'x'; [h.keys, h.keys.first.frozen?]
#=> [["key"], true]
h = { [1] => 1 }; h.keys[0] << 2; [h[[1, 2]], h.rehash[[1, 2]]]
#=> [nil, 1]
h = { a: 1 }; [h.delete(:a), h.delete(:a), h.delete(:a) { |k| k }]
#=> [1, nil, :a]
h = { a: 1, b: 2 }; h.delete_if { |k, v| v > 1 }
#=> {:a=>1}
h = { a: 1, b: 2 }; [h.reject! { false }, h.reject! { |k, v| v > 1 }]
#=> [nil, {:a=>1}]
h = { a: 1, b: 2 }; [h.select! { true }, h.keep_if { |k, v| v > 1 }]
#=> [nil, {:b=>2}]
h = { a: 1 }; h.merge!(b: 2); h.update(c: 3); h
#=> {:a=>1, :b=>2, :c=>3}
h = { a: 1 }; h.merge!({ a: 2 }) { |k, o, n| o + n }
#=> {:a=>3}
h = { a: 1, b: 2 }; [h.shift, h, h.shift, h.shift]
#=> [[:a, 1], {}, [:b, 2], nil]
h = { a: nil }; [h.compact!, h.compact!]
#=> [{}, nil]
h = { a: 1 }; h.transform_values!(&:to_s)
#=> {:a=>"1"}
h = { a: 1 }; h.transform_keys!(&:to_s)
#=> {"a"=>1}
h = { a: 1 }; h.replace(b: 2)
#=> {:b=>2}
h = { a: 1 }; h.clear
#=> {}
h = { a: 1 }; h.filter! { false }
#=> {}
h = { a: 1 }; h.freeze; h.merge(b: 2)
#=> {:a=>1, :b=>2}
h = { a: 1 }.freeze; h.delete(:a)
#!! FrozenError: can't modify frozen Hash: {:a=>1}
h = { a: [1] }; d = h.dup; d[:a] << 2; d[:b] = 3; h
#=> {:a=>[1, 2]}
h = { a: 1 }; h.each_pair { |k, v| h.store(k, v + 1) }; h
#=> {:a=>2}
h = { a: 1 }; h.to_a << [:b, 2]; h
#=> {:a=>1}
h = { a: 1, b: 2 }; a, b = h.values_at(:a, :b); a + b
#=> 3
h = { a: 1 }; h => { a: }; a
#=> 1
h = { name: 'x', opts: { n: 1 } }; h => { name:, opts: { n: } }; [name, n]
#=> ["x", 1]
h = { a: 1 }; h[:a] += 1; h[:l] = (h[:l] || []) << 1; h
#=> {:a=>2, :l=>[1]}
(h = {}; h[:a] ||= {})[:b] = 1; h
#=> {:a=>{:b=>1}}
# comparing
{ a: 1 } <= { a: 1, b: 2 }
#=> true
{ a: 1, b: 2 } > { a: 1 }
#=> true
{ a: 1 } < { a: 1 }
#=> false
{ a: 1 } >= { a: 2 }
#=> false
{ a: 1 } <=> { a: 1 }
#=> 0
{ a: 1 } == 5
#=> false
# showing
{ a: 1, 'b' => :c, 3 => nil, nil => [], 1.5 => { d: 'e' } }.inspect
#=> "{:a=>1, \"b\"=>:c, 3=>nil, nil=>[], 1.5=>{:d=>\"e\"}}"
{ "a b": 1, "c?": 2, "d=": 3, "E": 4, "+": 5, "[]": 6, "f!": 7 }.inspect
#=> "{:\"a b\"=>1, :c?=>2, :d==>3, :E=>4, :+=>5, :[]=>6, :f!=>7}"
{ a: 1 }.to_s
#=> "{:a=>1}"
{}.inspect
#=> "{}"
"#{{ a: 1 }}"
#=> "{:a=>1}"
{ a: -> {} }.inspect =~ /\A\{:a=>#<Proc:/
#=> 0
{ 'k' => "q\"'\n" }.to_s
#=> "{\"k\"=>\"q\\\"'\\n\"}"
{ a: 1 }.to_a.inspect
#=> "[[:a, 1]]"
{ 1 => { 2 => { 3 => 4 } } }.to_s
#=> "{1=>{2=>{3=>4}}}"
[{ a: 1 }, { b: 2 }].to_s
#=> "[{:a=>1}, {:b=>2}]"
[{ a: 1 }, { b: 2 }].inject(:merge)
#=> {:a=>1, :b=>2}
[{ n: 1 }, { n: 2 }].sum { |h| h[:n] }
#=> 3
[{ n: 2 }, { n: 1 }].sort_by { |h| h[:n] }
#=> [{:n=>1}, {:n=>2}]
[{ n: 2 }, { n: 1 }].map { |n:| n }
#!! ArgumentError: missing keyword: :n
[{ k: 'a', v: 1 }].to_h { |h| h.values_at(:k, :v) }
#=> {"a"=>1}
[{ a: 1 }, { a: 1 }].uniq
#=> [{:a=>1}]
[{ a: 1 }] - [{ a: 1 }]
#=> []
{ a: 1 }.then { |a:| a }
#!! ArgumentError: missing keyword: :a
def f(h) = h; f(a: 1, 'b' => 2)
#=> {:a=>1, "b"=>2}
def f(h = {}, **k) = [h, k]; f({ a: 1 }, b: 2)
#=> [{:a=>1}, {:b=>2}]
x = { a: 1, **{ b: 2 }, c: 3 }; x.size
#=> 3
{ a: 1 }.filter_map { |k, v| "#{k}:#{v}" }.first
#=> "a:1"
"####;
