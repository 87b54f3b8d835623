//! Arrays: reading, changing, combining, walking. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# reading
a = [1, 2, 3]; [a[0], a[-1], a[3], a[-4], a[0, 2], a[1..], a[..1], a[3, 1], a[4, 1], a[-2..], a[1...-1], a[2..0]]
#=> [1, 3, nil, nil, [1, 2], [2, 3], [1, 2], [], nil, [2, 3], [2], []]
a = [1, 2, 3, 4, 5, 6]; [a[(0..).step(2)], a[(1..4) % 2], a[(..-2) % 3], a[(-1..0).step(-2)]]
#=> [[1, 3, 5], [2, 4], [1, 4], [6, 4, 2]]
[1, 2, 3].values_at(0, 2, 5, -1, 0..1, 2..4)
#=> [1, 3, nil, 3, 1, 2, 3, nil, nil]
[1, 2, 3].fetch(1)
#=> 2
[1, 2, 3].fetch(9, :d)
#=> :d
[1, 2, 3].fetch(9) { |i| i * 2 }
#=> 18
[1, [2, [3]]].dig(1, 1, 0)
#=> 3
[nil].dig(0, 1).inspect
#=> "nil"
[1, 2, 3].first(2)
#=> [1, 2]
[1, 2, 3].last(2)
#=> [2, 3]
[].first.inspect
#=> "nil"
[].last(2)
#=> []
[1, 2, 3].take(2)
#=> [1, 2]
[1, 2, 3].drop(1)
#=> [2, 3]
[1, 2, 3].take(-1)
#!! ArgumentError: attempt to take negative size
[1, 2, 3].sample.class
#=> Integer
[3, 1, 2].min
#=> 1
[3, 1, 2].max(2)
#=> [3, 2]
[3, 1, 2].minmax
#=> [1, 3]
%w[aa b ccc].max_by(&:size)
#=> "ccc"
%w[aa b ccc].min_by(2, &:size)
#=> ["b", "aa"]
%w[aa b ccc].minmax_by(&:size)
#=> ["b", "ccc"]
[].max.inspect
#=> "nil"
[].minmax
#=> [nil, nil]
[].sum
#=> 0
[0.1] * 3
#=> [0.1, 0.1, 0.1]
[0.1, 0.2, 0.3].sum
#=> 0.6
[0.1, 0.2, 0.3].inject(:+)
#=> 0.6000000000000001
[1, 2.5, 3r].sum
#=> 6.5
['a', 'b'].sum('')
#=> "ab"
[[1], [2]].sum([])
#=> [1, 2]
[1, 2, 3].sum { |x| x * 2 }
#=> 12
[1, 2, 3].inject(:+)
#=> 6
[1, 2, 3].inject(10) { |a, b| a - b }
#=> 4
[1, 2, 3].inject(2, :*)
#=> 12
[].inject(:+).inspect
#=> "nil"
[5].inject { |a, b| raise }
#=> 5
[1, 2, 3, 4].find { |x| x > 2 }
#=> 3
[1, 2, 3].find_index(2)
#=> 1
[1, 2, 3].index { |x| x > 1 }
#=> 1
[1, 2, 1].rindex(1)
#=> 2
[1, 2, 3].include?(2.0)
#=> true
[1, 2, 2, 3].count(2)
#=> 2
[1, 2, 3].count(&:odd?)
#=> 2
[1, nil, false].all?
#=> false
[].all?
#=> true
[].any?
#=> false
[nil, 1].any?
#=> true
[nil, false].none?
#=> true
[1, nil].one?
#=> true
[1, 2, 3].all?(Integer)
#=> true
[1, 'a'].any?(String)
#=> true
%w[a1 b].grep(/\d/)
#=> ["a1"]
%w[a1 b].grep_v(/\d/)
#=> ["b"]
[1, 'a', :b].grep(String..) rescue [1, 'a', :b].grep(String)
#=> []
[1, 5, 10].grep(2..6) { |x| x * 2 }
#=> [10]
[1, 2, 3].bsearch { |x| x >= 2 }
#=> 2
[1, 2, 3].bsearch { |x| 2 <=> x }
#=> 2
[3, 5, 2].each_with_index.min
#=> [2, 2]
[[1, 'a'], [2, 'b']].assoc(2)
#=> [2, "b"]
[[1, 'a'], [2, 'b']].rassoc('b')
#=> [2, "b"]
[1, 2, 3].cycle.first(5)
#=> [1, 2, 3, 1, 2]
[1, 2, 3].cycle(2).to_a
#=> [1, 2, 3, 1, 2, 3]
[1, 2, 3].each_entry.to_a
#=> [1, 2, 3]
[3, 1, 2].sort
#=> [1, 2, 3]
[3, 1, 2].sort.reverse
#=> [3, 2, 1]
%w[b A c].sort
#=> ["A", "b", "c"]
%w[b A c].sort_by(&:downcase)
#=> ["A", "b", "c"]
%w[bb a cc].sort_by { |s| [-s.size, s] }
#=> ["bb", "cc", "a"]
[1, 2, 3, 4].sort_by { |x| [x % 2, -x] }
#=> [4, 2, 3, 1]
[[2, 'a'], [1, 'b'], [1, 'a']].sort
#=> [[1, "a"], [1, "b"], [2, "a"]]
[0.5, 1, -1].sort
#=> [-1, 0.5, 1]
[true, false].sort_by { |b| b ? 0 : 1 }
#=> [true, false]
[:b, :a].sort
#=> [:a, :b]
[nil, nil].sort rescue $!.message
#=> [nil, nil]
[1].sort { raise }
#=> [1]
[2, 1].sort { |a, b| nil }
#!! ArgumentError: comparison of Integer with 1 failed
[2, 1].sort { |a, b| 'x' }
#!! ArgumentError: comparison of String with 0 failed
[1, 2, 3].partition { |x| x > 1 }
#=> [[2, 3], [1]]
%w[a b c].each_with_index.to_a
#=> [["a", 0], ["b", 1], ["c", 2]]
%w[a b c].each_with_index.map { |x, i| "#{i}#{x}" }
#=> ["0a", "1b", "2c"]
%w[a b c].each.with_index(1).map { |x, i| "#{i}#{x}" }
#=> ["1a", "2b", "3c"]
[1, 2, 3].each_slice(2).to_a
#=> [[1, 2], [3]]
[1, 2, 3].each_cons(2).to_a
#=> [[1, 2], [2, 3]]
[1, 2, 4, 5, 7].slice_when { |a, b| b != a + 1 }.to_a
#=> [[1, 2], [4, 5], [7]]
[1, 2, 4, 5, 7].chunk_while { |a, b| b == a + 1 }.to_a
#=> [[1, 2], [4, 5], [7]]
[1, 1, 2, 3, 3].chunk { |x| x.odd? }.to_a
#=> [[true, [1, 1]], [false, [2]], [true, [3, 3]]]
[1, 2, 3].each_with_object([]) { |x, m| m << x }
#=> [1, 2, 3]
[1, 2, 3].group_by(&:odd?)
#=> {true=>[1, 3], false=>[2]}
[1, 2, 2].tally
#=> {1=>1, 2=>2}
%w[a b a].tally.sort_by { |k, v| [-v, k] }
#=> [["a", 2], ["b", 1]]
[1, 2, 3].zip([4, 5, 6], [7, 8])
#=> [[1, 4, 7], [2, 5, 8], [3, 6, nil]]
[1, 2].zip
#=> [[1], [2]]
[[1, 2], [3, 4]].transpose
#=> [[1, 3], [2, 4]]
[1, 2].product([3, 4])
#=> [[1, 3], [1, 4], [2, 3], [2, 4]]
[1, 2].product
#=> [[1], [2]]
[1, 2, 3].combination(2).to_a
#=> [[1, 2], [1, 3], [2, 3]]
[1, 2, 3].combination(0).to_a
#=> [[]]
[1, 2, 3].permutation(2).count
#=> 6
[1, 2].repeated_combination(2).to_a
#=> [[1, 1], [1, 2], [2, 2]]
[1, 2].repeated_permutation(2).to_a
#=> [[1, 1], [1, 2], [2, 1], [2, 2]]
[3, 1].to_h { |x| [x, x * 2] }
#=> {3=>6, 1=>2}
[[1, 2], [3, 4]].to_h
#=> {1=>2, 3=>4}
[1, [2, [3, [4]]]].flatten
#=> [1, 2, 3, 4]
[1, [2, [3, [4]]]].flatten(1)
#=> [1, 2, [3, [4]]]
[1, nil, 2, nil].compact
#=> [1, 2]
[1, 1.0, 1r, '1'].uniq
#=> [1, 1.0, (1/1), "1"]
[[1], [1]].uniq
#=> [[1]]
%w[a B b].uniq(&:downcase)
#=> ["a", "B"]
[3, 1, 2].reverse
#=> [2, 1, 3]
[1, 2, 3].rotate
#=> [2, 3, 1]
[1, 2, 3].rotate(-1)
#=> [3, 1, 2]
[1, 2, 3, 4].rotate(6)
#=> [3, 4, 1, 2]
[1, 2, 3].each_index.to_a
#=> [0, 1, 2]
[1, 2, 3].flat_map { |x| [x, [x]] }
#=> [1, [1], 2, [2], 3, [3]]
[1, 2, 3].filter_map { |x| x * 2 if x.odd? }
#=> [2, 6]
[1, 2, 3, 1].take_while { |x| x < 3 }
#=> [1, 2]
[1, 2, 3, 1].drop_while { |x| x < 3 }
#=> [3, 1]
[1, 2, 3].reduce(1, :lcm)
#=> 6
[1, 2, 3].reject(&:odd?)
#=> [2]
[1, 2, 3].lazy.map { |x| x * 2 }.to_a
#=> [2, 4, 6]
[4, 5].each_with_index.max
#=> [5, 1]
[1, 2, 3, 4].each_slice(2).map(&:sum)
#=> [3, 7]
[1, 2, 3].none? { |x| x > 3 }
#=> true
# combining
[1, 2] + [3]
#=> [1, 2, 3]
[1, 2, 2, 3] - [2]
#=> [1, 3]
[1, 1, 2] & [1]
#=> [1]
[1, 2] | [2, 3]
#=> [1, 2, 3]
[1, 2] * 2
#=> [1, 2, 1, 2]
[1, 2] * ', '
#=> "1, 2"
[1, [2, [3]]] * '-'
#=> "1-2-3"
[1, 2] <=> [1, 3]
#=> -1
[1, 2] <=> [1]
#=> 1
[1, 2] <=> [1, 'a']
#=> nil
[] <=> []
#=> 0
[1, 2] == [1, 2.0]
#=> true
[1, 2].eql?([1, 2.0])
#=> false
[1, 2].hash == [1, 2].hash
#=> true
[1, 2].union([2, 3], [4])
#=> [1, 2, 3, 4]
[1, 2, 3].difference([1], [3])
#=> [2]
[1, 2, 3].intersection([1, 2], [2])
#=> [2]
[1, 2].intersect?([2])
#=> true
[1, 2].disjoint?([3]) rescue $!.class
#=> NoMethodError
[1, nil, 'a', :b, 2.5, [1], { a: 1 }].join(',')
#=> "1,,a,b,2.5,1,{:a=>1}"
[[1, [2]], 3].join('-')
#=> "1-2-3"
[].join
#=> ""
['a', 'é'].join.encoding
#=> #<Encoding:UTF-8>
[1, 2].inspect
#=> "[1, 2]"
[1, 2].to_s
#=> "[1, 2]"
[nil, true, 'a', :b, 1.0].to_s
#=> "[nil, true, \"a\", :b, 1.0]"
%w[a b].to_a.equal?(nil)
#=> false
[1, 2].to_a
#=> [1, 2]
[1, [2]].to_ary
#=> [1, [2]]
[1, 2].pack('C*')
#=> "\x01\x02"
['abc'].pack('A5') + '|'
#=> "abc  |"
[1, 2].pack('s*').bytes
#=> [1, 0, 2, 0]
['616263'].pack('H*')
#=> "abc"
['abc'].pack('m')
#=> "YWJj\n"
['abc'].pack('m0')
#=> "YWJj"
[1, 2, 3].pack('U*')
#=> "\u0001\u0002\u0003"
[65].pack('N').bytes
#=> [0, 0, 0, 65]
[1.5].pack('g').bytes
#=> [63, 192, 0, 0]
[1, 2].first(1) << 3
#=> [1, 3]
# changing
a = [1, 2]; a << 3; a.push(4, 5); a.append(6); a
#=> [1, 2, 3, 4, 5, 6]
a = [1, 2]; a.unshift(0); a.prepend(-1); a
#=> [-1, 0, 1, 2]
a = [1, 2, 3]; [a.pop, a.shift, a]
#=> [3, 1, [2]]
a = [1, 2, 3]; [a.pop(2), a]
#=> [[2, 3], [1]]
a = [1, 2, 3]; [a.shift(2), a]
#=> [[1, 2], [3]]
a = []; [a.pop, a.shift, a.pop(1)]
#=> [nil, nil, []]
a = [1, 2, 3]; a[1] = 9; a
#=> [1, 9, 3]
a = [1, 2, 3]; a[5] = 9; a
#=> [1, 2, 3, nil, nil, 9]
a = [1, 2, 3]; a[0, 2] = [7]; a
#=> [7, 3]
a = [1, 2, 3]; a[0, 0] = [7, 8]; a
#=> [7, 8, 1, 2, 3]
a = [1, 2, 3]; a[1..] = []; a
#=> [1]
a = [1, 2, 3]; a[0..1] = 5; a
#=> [5, 3]
a = [1, 2, 3]; a[-1] = 9; a
#=> [1, 2, 9]
a = [1, 2, 3]; a[4..5] = [1]; a
#=> [1, 2, 3, nil, 1]
a = [1, 2, 3]; a.insert(1, :a, :b); a
#=> [1, :a, :b, 2, 3]
a = [1, 2, 3]; a.insert(-2, :a); a
#=> [1, 2, :a, 3]
a = [1, 2, 3]; a.insert(5, :a); a
#=> [1, 2, 3, nil, nil, :a]
a = [1, 2, 3, 2]; [a.delete(2), a]
#=> [2, [1, 3]]
a = [1, 2, 3]; [a.delete(9), a.delete(9) { :none }]
#=> [nil, :none]
a = [1, 2, 3]; [a.delete_at(1), a, a.delete_at(9)]
#=> [2, [1, 3], nil]
a = [1, 2, 3]; a.delete_if(&:odd?)
#=> [2]
a = [1, 2, 3]; [a.reject!(&:odd?), a.reject!(&:odd?)]
#=> [[2], nil]
a = [1, 2, 3]; [a.select!(&:odd?), a.select!(&:odd?)]
#=> [[1, 3], nil]
a = [1, 2, 3]; a.keep_if(&:odd?)
#=> [1, 3]
a = [3, 1, 2]; [a.sort!, a]
#=> [[1, 2, 3], [1, 2, 3]]
a = %w[bb a]; a.sort_by!(&:size)
#=> ["a", "bb"]
a = [1, 2]; a.map! { |x| x * 2 }
#=> [2, 4]
a = [1, 1]; [a.uniq!, a.uniq!]
#=> [[1], nil]
a = [1, nil]; [a.compact!, a.compact!]
#=> [[1], nil]
a = [1, [2]]; [a.flatten!, a.flatten!]
#=> [[1, 2], nil]
a = [1, 2]; a.reverse!
#=> [2, 1]
a = [1, 2, 3]; a.rotate!
#=> [2, 3, 1]
a = [1, 2]; a.concat([3], [4])
#=> [1, 2, 3, 4]
a = [1, 2]; a.replace([9])
#=> [9]
a = [1, 2]; a.clear
#=> []
a = [1, 2, 3]; a.fill(0)
#=> [0, 0, 0]
a = [1, 2, 3]; a.fill { |i| i * i }
#=> [0, 1, 4]
a = [1, 2, 3]; a.fill(:x, 1)
#=> [1, :x, :x]
a = [1, 2, 3]; a.fill(:x, 1, 1)
#=> [1, :x, 3]
a = [1, 2, 3]; a.fill(:x, 1..1)
#=> [1, :x, 3]
a = [1, 2, 3]; a.slice!(0, 2)
#=> [1, 2]
a = [1, 2, 3]; [a.slice!(1), a]
#=> [2, [1, 3]]
a = [1, 2, 3]; [a.slice!(5), a]
#=> [nil, [1, 2, 3]]
a = [5, 3]; a.push(*[1, 2]).sort
#=> [1, 2, 3, 5]
a = [1, 2, 3]; b = a; a += [4]; [a, b]
#=> [[1, 2, 3, 4], [1, 2, 3]]
a = [1, 2, 3]; a.each { |x| a << x + 10 if a.size < 6 }; a
#=> [1, 2, 3, 11, 12, 13]
a = [1, 2, 3, 4]; a.each_with_index { |x, i| a.delete_at(i) if x.even? }; a
#=> [1, 3]
a = [1, 2, 3].freeze; a.map { |x| x + 1 }
#=> [2, 3, 4]
a = [1, 2, 3].freeze; a.sort!
#!! FrozenError: can't modify frozen Array: [1, 2, 3]
# making
Array.new
#=> []
Array.new(3)
#=> [nil, nil, nil]
Array.new(2, 0)
#=> [0, 0]
Array.new(3) { |i| i * i }
#=> [0, 1, 4]
Array.new([1, 2])
#=> [1, 2]
Array.new(-1)
#!! ArgumentError: negative array size
Array.new('a')
#!! TypeError: no implicit conversion of String into Integer
Array(nil)
#=> []
Array([1])
#=> [1]
Array('a')
#=> ["a"]
Array(1..3)
#=> [1, 2, 3]
Array({ a: 1 })
#=> [[:a, 1]]
Array.try_convert([1])
#=> [1]
Array.try_convert('a').inspect
#=> "nil"
[*1..3, *'a'..'c']
#=> [1, 2, 3, "a", "b", "c"]
%w[]
#=> []
[[]] * 2
#=> [[], []]
[1, 2,].size
#=> 2
Array.new(2) { [] }.each { |x| x << 1 }
#=> [[1], [1]]
[0] * 3
#=> [0, 0, 0]
(1..3).to_a.reverse
#=> [3, 2, 1]
Array[1, 2]
#=> [1, 2]
[1, 2, 3].each_slice(2).include?([3])
#=> true
[1, 2, 3, 4, 5].each_slice(2).with_index.map { |a, i| a.sum * i }
#=> [0, 7, 10]
[[1, :a], [2, :b]].each_with_object({}) { |(n, s), h| h[s] = n }
#=> {:a=>1, :b=>2}
[1, 2, 3].each_cons(2).map { |a, b| b - a }
#=> [1, 1]
[[3, 'c'], [1, 'a']].min_by(&:first)
#=> [1, "a"]
%w[x y z].each_with_index.select { |_, i| i > 0 }.map(&:first)
#=> ["y", "z"]
[1, 2, 3, 4].partition.with_index { |_, i| i.even? }
#=> [[1, 3], [2, 4]]
%w[a b c].zip(1..3).to_h
#=> {"a"=>1, "b"=>2, "c"=>3}
%w[a b c].each_with_index.to_h
#=> {"a"=>0, "b"=>1, "c"=>2}
[1, 2, 3].step rescue $!.class
#=> NoMethodError
[1, 2, 3].sum.fdiv(3).round(2)
#=> 2.0
[3, 1, 2].sort!.first
#=> 1
[1, [2, 3]].then { |a, (b, c)| a }
#=> 1
[["a", 1], ["b", 2]].map { |k, v| "#{k}=#{v}" }.join('&')
#=> "a=1&b=2"
[1, 2, 3].inject { |a, b| break a if b > 2; a + b }
#=> 3
[nil, 1, false, 2].compact.select(&:itself)
#=> [1, 2]
[1, 2, 3].minmax.sum
#=> 4
[[1, 2], [3]].sum(&:size)
#=> 3
["a", "b"].each_with_index.map { |s, i| s * (i + 1) }
#=> ["a", "bb"]
[1, 2, 3, 4, 5].each_entry.with_object(:o).first
#=> [1, :o]
(1..10).each_slice(3).to_a.last
#=> [10]
(1..10).each_with_index.select { |x, i| (x * i).even? }.size
#=> 10
"####;
