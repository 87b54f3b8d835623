//! Several values that are yielded at once, and what methods hand on of them. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.map { |x| x }), (e.map { |x, y| [x, y] }), (e.map { |*x| x }), (e.map { |x| x.is_a?(Array) })]
#=> [[1, 3], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [false, false]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.flat_map { |x| x }), (e.flat_map { |x, y| [x, y] }), (e.flat_map { |*x| x }), (e.flat_map { |x| x.is_a?(Array) })]
#=> [[1, 3], [1, 2, 3, 4], [1, 2, 3, 4], [false, false]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.collect_concat { |x| x }), (e.collect_concat { |x, y| [x, y] }), (e.collect_concat { |*x| x }), (e.collect_concat { |x| x.is_a?(Array) })]
#=> [[1, 3], [1, 2, 3, 4], [1, 2, 3, 4], [false, false]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.count { |x| x }), (e.count { |x, y| [x, y] }), (e.count { |*x| x }), (e.count { |x| x.is_a?(Array) })]
#=> [2, 2, 2, 0]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.find_index { |x| x }), (e.find_index { |x, y| [x, y] }), (e.find_index { |*x| x }), (e.find_index { |x| x.is_a?(Array) })]
#=> [0, 0, 0, nil]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.all? { |x| x }), (e.all? { |x, y| [x, y] }), (e.all? { |*x| x }), (e.all? { |x| x.is_a?(Array) })]
#=> [true, true, true, false]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.any? { |x| x }), (e.any? { |x, y| [x, y] }), (e.any? { |*x| x }), (e.any? { |x| x.is_a?(Array) })]
#=> [true, true, true, false]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.none? { |x| x }), (e.none? { |x, y| [x, y] }), (e.none? { |*x| x }), (e.none? { |x| x.is_a?(Array) })]
#=> [false, false, false, true]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.one? { |x| x }), (e.one? { |x, y| [x, y] }), (e.one? { |*x| x }), (e.one? { |x| x.is_a?(Array) })]
#=> [false, false, false, false]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.filter_map { |x| x }), (e.filter_map { |x, y| [x, y] }), (e.filter_map { |*x| x }), (e.filter_map { |x| x.is_a?(Array) })]
#=> [[1, 3], [[1, 2], [3, 4]], [[1, 2], [3, 4]], []]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.take_while { |x| x }), (e.take_while { |x, y| [x, y] }), (e.take_while { |*x| x }), (e.take_while { |x| x.is_a?(Array) })]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], []]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.uniq { |x| x }), (e.uniq { |x, y| [x, y] }), (e.uniq { |*x| x }), (e.uniq { |x| x.is_a?(Array) })]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.reject { |x| x }), (e.reject { |x, y| [x, y] }), (e.reject { |*x| x }), (e.reject { |x| x.is_a?(Array) })]
#=> [[], [], [], []]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.select { |x| x }), (e.select { |x, y| [x, y] }), (e.select { |*x| x }), (e.select { |x| x.is_a?(Array) })]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.find_all { |x| x }), (e.find_all { |x, y| [x, y] }), (e.find_all { |*x| x }), (e.find_all { |x| x.is_a?(Array) })]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.detect { |x| x }), (e.detect { |x, y| [x, y] }), (e.detect { |*x| x }), (e.detect { |x| x.is_a?(Array) })]
#=> [[1, 2], [1, 2], [1, 2], [1, 2]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.partition { |x| x }), (e.partition { |x, y| [x, y] }), (e.partition { |*x| x }), (e.partition { |x| x.is_a?(Array) })]
#=> [[[[1, 2], [3, 4]], []], [[[1, 2], [3, 4]], []], [[[1, 2], [3, 4]], []], [[[1, 2], [3, 4]], []]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.group_by { |x| x }), (e.group_by { |x, y| [x, y] }), (e.group_by { |*x| x }), (e.group_by { |x| x.is_a?(Array) })]
#=> [{[1, 2]=>[[1, 2]], [3, 4]=>[[3, 4]]}, {[1, 2]=>[[1, 2]], [3, 4]=>[[3, 4]]}, {[[1, 2]]=>[[1, 2]], [[3, 4]]=>[[3, 4]]}, {true=>[[1, 2], [3, 4]]}]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.min_by { |x| x }), (e.min_by { |x, y| [x, y] }), (e.min_by { |*x| x }), (e.min_by { |x| x.is_a?(Array) })]
#=> [[1, 2], [1, 2], [1, 2], [1, 2]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.max_by { |x| x }), (e.max_by { |x, y| [x, y] }), (e.max_by { |*x| x }), (e.max_by { |x| x.is_a?(Array) })]
#=> [[3, 4], [3, 4], [3, 4], [1, 2]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.minmax_by { |x| x }), (e.minmax_by { |x, y| [x, y] }), (e.minmax_by { |*x| x }), (e.minmax_by { |x| x.is_a?(Array) })]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [1, 2]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.sort_by { |x| x }), (e.sort_by { |x, y| [x, y] }), (e.sort_by { |*x| x }), (e.sort_by { |x| x.is_a?(Array) })]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.drop_while { |x| x }), (e.drop_while { |x, y| [x, y] }), (e.drop_while { |*x| x }), (e.drop_while { |x| x.is_a?(Array) })]
#=> [[], [], [], []]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.chunk_while { |x| x }.to_a), (e.chunk_while { |x, y| [x, y] }.to_a), (e.chunk_while { |*x| x }.to_a), (e.chunk_while { |x| x.is_a?(Array) }.to_a)]
#=> [[[[1, 2], [3, 4]]], [[[1, 2], [3, 4]]], [[[1, 2], [3, 4]]], [[[1, 2], [3, 4]]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.slice_when { |x| x }.to_a), (e.slice_when { |x, y| [x, y] }.to_a), (e.slice_when { |*x| x }.to_a), (e.slice_when { |x| x.is_a?(Array) }.to_a)]
#=> [[[[1, 2]], [[3, 4]]], [[[1, 2]], [[3, 4]]], [[[1, 2]], [[3, 4]]], [[[1, 2]], [[3, 4]]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.inject { |x| x }), (e.inject { |x, y| [x, y] }), (e.inject { |*x| x }), (e.inject { |x| x.is_a?(Array) })]
#=> [[1, 2], [[1, 2], [3, 4]], [[1, 2], [3, 4]], true]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.map { |x| x }.to_a), (e.lazy.map { |x, y| [x, y] }.to_a), (e.lazy.map { |*x| x }.to_a), (e.lazy.map { |x| x.is_a?(Array) }.to_a)]
#=> [[1, 3], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [false, false]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.select { |x| x }.to_a), (e.lazy.select { |x, y| [x, y] }.to_a), (e.lazy.select { |*x| x }.to_a), (e.lazy.select { |x| x.is_a?(Array) }.to_a)]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.reject { |x| x }.to_a), (e.lazy.reject { |x, y| [x, y] }.to_a), (e.lazy.reject { |*x| x }.to_a), (e.lazy.reject { |x| x.is_a?(Array) }.to_a)]
#=> [[], [], [], []]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.filter_map { |x| x }.to_a), (e.lazy.filter_map { |x, y| [x, y] }.to_a), (e.lazy.filter_map { |*x| x }.to_a), (e.lazy.filter_map { |x| x.is_a?(Array) }.to_a)]
#=> [[1, 3], [[1, 2], [3, 4]], [[1, 2], [3, 4]], []]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.flat_map { |x| x }.to_a), (e.lazy.flat_map { |x, y| [x, y] }.to_a), (e.lazy.flat_map { |*x| x }.to_a), (e.lazy.flat_map { |x| x.is_a?(Array) }.to_a)]
#=> [[1, 3], [1, 2, 3, 4], [1, 2, 3, 4], [false, false]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.take_while { |x| x }.to_a), (e.lazy.take_while { |x, y| [x, y] }.to_a), (e.lazy.take_while { |*x| x }.to_a), (e.lazy.take_while { |x| x.is_a?(Array) }.to_a)]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], []]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.drop_while { |x| x }.to_a), (e.lazy.drop_while { |x, y| [x, y] }.to_a), (e.lazy.drop_while { |*x| x }.to_a), (e.lazy.drop_while { |x| x.is_a?(Array) }.to_a)]
#=> [[], [], [], [[1, 2], [3, 4]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.uniq { |x| x }.to_a), (e.lazy.uniq { |x, y| [x, y] }.to_a), (e.lazy.uniq { |*x| x }.to_a), (e.lazy.uniq { |x| x.is_a?(Array) }.to_a)]
#=> [[[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2]]]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.count { |x| x }), (e.lazy.count { |x, y| [x, y] }), (e.lazy.count { |*x| x }), (e.lazy.count { |x| x.is_a?(Array) })]
#=> [2, 2, 2, 0]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.lazy.any? { |x| x }), (e.lazy.any? { |x, y| [x, y] }), (e.lazy.any? { |*x| x }), (e.lazy.any? { |x| x.is_a?(Array) })]
#=> [true, true, true, false]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[(e.to_set { |x| x }), (e.to_set { |x, y| [x, y] }), (e.to_set { |*x| x }), (e.to_set { |x| x.is_a?(Array) })]
#=> [#<Set: {[1, 2], [3, 4]}>, #<Set: {[1, 2], [3, 4]}>, #<Set: {[[1, 2]], [[3, 4]]}>, #<Set: {true}>]
class E; include Enumerable; def each; yield 1, 2; yield 3, 4; self; end; end; e = E.new
[e.to_h { |x| [x, 1] }, e.to_h { |x, y| [x, y] }, e.to_a, e.first, e.first(1), e.each_slice(1).to_a, e.zip([5]), e.tally, e.include?([1, 2]), e.each_entry.to_a, e.each_with_index.to_a, e.sum { |x| x.size }]
#=> [{1=>1, 3=>1}, {1=>2, 3=>4}, [[1, 2], [3, 4]], [1, 2], [[1, 2]], [[[1, 2]], [[3, 4]]], [[[1, 2], 5], [[3, 4], nil]], {[1, 2]=>1, [3, 4]=>1}, true, [[1, 2], [3, 4]], [[[1, 2], 0], [[3, 4], 1]], 4]
e = Enumerator.new { |y| y.yield 1, 2; y.yield 3, 4 }
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[1, 3], [[2, 1], [4, 3]], [[1, 2], [3, 4]], [1, 3], [[1, 2], [3, 4]], 0, false, [[[1, 2], 0], [[3, 4], 1]], [1, 3], [[1, 2], [3, 4]], {1=>1, 3=>1}, [1, 2], [[[1, 2], [3, 4]]], [[1, 2], [3, 4]], nil, [1, 2]]
e = Enumerator.new { |y| y << [1, 2]; y << [3, 4] }
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[1, 2], [3, 4]], [[2, 1], [4, 3]], [[[1, 2]], [[3, 4]]], [1, 2, 3, 4], [[1, 2], [3, 4]], 2, true, [[[1, 2], 0], [[3, 4], 1]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], {[1, 2]=>1, [3, 4]=>1}, [1, 2], [[[1, 2], [3, 4]]], [[1, 2], [3, 4]], 0, [1, 2]]
e = [4, 5].each_with_index
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[4, 5], [[0, 4], [1, 5]], [[4, 0], [5, 1]], [4, 5], [[4, 0], [5, 1]], 0, false, [[[4, 0], 0], [[5, 1], 1]], [4, 5], [[4, 0], [5, 1]], {4=>1, 5=>1}, [4, 0], [[[4, 0], [5, 1]]], [[4, 0], [5, 1]], nil, [4, 0]]
e = { a: 1 }.each
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[:a, 1]], [[1, :a]], [[[:a, 1]]], [:a, 1], [[:a, 1]], 1, true, [[[:a, 1], 0]], [[:a, 1]], [[:a, 1]], {[:a, 1]=>1}, [:a, 1], [[[:a, 1]]], [:a, 1], 0, [:a, 1]]
e = { a: 1 }.each_pair
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[:a, 1]], [[1, :a]], [[[:a, 1]]], [:a, 1], [[:a, 1]], 1, true, [[[:a, 1], 0]], [[:a, 1]], [[:a, 1]], {[:a, 1]=>1}, [:a, 1], [[[:a, 1]]], [:a, 1], 0, [:a, 1]]
e = [4, 5].each.with_index(1)
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[4, 5], [[1, 4], [2, 5]], [[4, 1], [5, 2]], [4, 5], [[4, 1], [5, 2]], 0, false, [[[4, 1], 0], [[5, 2], 1]], [4, 5], [[4, 1], [5, 2]], {4=>1, 5=>1}, [4, 1], [[[4, 1], [5, 2]]], [[4, 1], [5, 2]], nil, [4, 1]]
e = [4, 5].map.with_index
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[4, 5], [[0, 4], [1, 5]], [[4, 0], [5, 1]], [4, 5], [[4, 0], [5, 1]], 0, false, [[[4, 0], 0], [[5, 1], 1]], [4, 5], [[4, 0], [5, 1]], {4=>1, 5=>1}, [4, 0], [[[4, 0], [5, 1]]], [[4, 0], [5, 1]], nil, [4, 0]]
e = [[1, 2], [3, 4]].each
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[1, 2], [3, 4]], [[2, 1], [4, 3]], [[[1, 2]], [[3, 4]]], [1, 2, 3, 4], [[1, 2], [3, 4]], 2, true, [[[1, 2], 0], [[3, 4], 1]], [[1, 2], [3, 4]], [[1, 2], [3, 4]], {[1, 2]=>1, [3, 4]=>1}, [1, 2], [[[1, 2], [3, 4]]], [[1, 2], [3, 4]], 0, [1, 2]]
e = [4, 5].each_with_object(:m)
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[4, 5], [[:m, 4], [:m, 5]], [[4, :m], [5, :m]], [4, 5], [[4, :m], [5, :m]], 0, false, [[[4, :m], 0], [[5, :m], 1]], [4, 5], [[4, :m], [5, :m]], {4=>1, 5=>1}, [4, :m], [[[4, :m], [5, :m]]], [[4, :m], [5, :m]], nil, [4, :m]]
e = [1, 2, 3].each_slice(2)
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[1, 2], [3]], [[2, 1], [nil, 3]], [[[1, 2]], [[3]]], [1, 2, 3], [[1, 2], [3]], 2, true, [[[1, 2], 0], [[3], 1]], [[1, 2], [3]], [[1, 2], [3]], {[1, 2]=>1, [3]=>1}, [1, 2], [[[1, 2], [3]]], [[1, 2], [3]], 0, [1, 2]]
e = [1, 2, 3].each_cons(2)
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[1, 2], [2, 3]], [[2, 1], [3, 2]], [[[1, 2]], [[2, 3]]], [1, 2, 2, 3], [[1, 2], [2, 3]], 2, true, [[[1, 2], 0], [[2, 3], 1]], [[1, 2], [2, 3]], [[1, 2], [2, 3]], {[1, 2]=>1, [2, 3]=>1}, [1, 2], [[[1, 2], [2, 3]]], [[1, 2], [2, 3]], 0, [1, 2]]
e = { a: 1 }.each_with_index
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[:a, 1]], [[0, [:a, 1]]], [[[:a, 1], 0]], [:a, 1], [[[:a, 1], 0]], 1, true, [[[[:a, 1], 0], 0]], [[:a, 1]], [[[:a, 1], 0]], {[:a, 1]=>1}, [[:a, 1], 0], [[[[:a, 1], 0]]], [[:a, 1], 0], 0, [[:a, 1], 0]]
e = "ab".each_char.with_index
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [["a", "b"], [[0, "a"], [1, "b"]], [["a", 0], ["b", 1]], ["a", "b"], [["a", 0], ["b", 1]], 0, false, [[["a", 0], 0], [["b", 1], 1]], ["a", "b"], [["a", 0], ["b", 1]], {"a"=>1, "b"=>1}, ["a", 0], [[["a", 0], ["b", 1]]], [["a", 0], ["b", 1]], nil, ["a", 0]]
e = 5.upto(6).with_index
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[5, 6], [[0, 5], [1, 6]], [[5, 0], [6, 1]], [5, 6], [[5, 0], [6, 1]], 0, false, [[[5, 0], 0], [[6, 1], 1]], [5, 6], [[5, 0], [6, 1]], {5=>1, 6=>1}, [5, 0], [[[5, 0], [6, 1]]], [[5, 0], [6, 1]], nil, [5, 0]]
e = { a: 1 }.map
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[:a, 1]], [[1, :a]], [[[:a, 1]]], [:a, 1], [[:a, 1]], 1, true, [[[:a, 1], 0]], [[:a, 1]], [[:a, 1]], {[:a, 1]=>1}, [:a, 1], [[[:a, 1]]], [:a, 1], 0, [:a, 1]]
e = { a: 1 }.each_entry
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[:a, 1]], [[1, :a]], [[[:a, 1]]], [:a, 1], [[:a, 1]], 1, true, [[[:a, 1], 0]], [[:a, 1]], [[:a, 1]], {[:a, 1]=>1}, [:a, 1], [[[:a, 1]]], [:a, 1], 0, [:a, 1]]
e = { a: 1 }.select
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[:a], [[1, :a]], [[:a, 1]], [:a], [[:a, 1]], 0, false, [[[:a, 1], 0]], [:a], [[:a, 1]], {:a=>1}, [:a, 1], [[[:a, 1]]], [:a, 1], nil, [:a, 1]]
e = [4, 5].each_with_index.with_index
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[4, 0], [5, 1]], [[0, [4, 0]], [1, [5, 1]]], [[[4, 0], 0], [[5, 1], 1]], [4, 0, 5, 1], [[[4, 0], 0], [[5, 1], 1]], 2, true, [[[[4, 0], 0], 0], [[[5, 1], 1], 1]], [[4, 0], [5, 1]], [[[4, 0], 0], [[5, 1], 1]], {[4, 0]=>1, [5, 1]=>1}, [[4, 0], 0], [[[[4, 0], 0], [[5, 1], 1]]], [[[4, 0], 0], [[5, 1], 1]], 0, [[4, 0], 0]]
e = [[1, 2]].lazy
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[1, 2]], [[2, 1]], [[[1, 2]]], [1, 2], [[1, 2]], 1, true, [[[1, 2], 0]], [[1, 2]], [[1, 2]], {[1, 2]=>1}, [1, 2], [[[1, 2]]], [1, 2], 0, [1, 2]]
e = { a: 1 }.lazy.map { |x| x }
[e.map { |x| x }.to_a, e.map { |x, y| [y, x] }.to_a, e.map { |*x| x }.to_a, e.flat_map { |x| x }.to_a, e.to_a, e.count { |x| x.is_a?(Array) }, e.any? { |x| x.is_a?(Array) }, e.each_with_index.map { |x, i| [x, i] }.to_a, e.filter_map { |x| x }.to_a, e.select { |x| x.is_a?(Array) }.to_a, e.to_h { |x| [x, 1] }, e.next, e.each_slice(2).to_a, e.inject { |a, b| [a, b] }, e.find_index { |x| x.is_a?(Array) }, e.first]
#=> [[[:a, 1]], [[1, :a]], [[[:a, 1]]], [:a, 1], [[:a, 1]], 1, true, [[[:a, 1], 0]], [[:a, 1]], [[:a, 1]], {[:a, 1]=>1}, [:a, 1], [[[:a, 1]]], [:a, 1], 0, [:a, 1]]
"####;
