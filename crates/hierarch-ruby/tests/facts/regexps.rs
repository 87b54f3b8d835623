//! Regular expressions: matches, groups, globals, replacement, options. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
'abc' =~ /b/
#=> 1
('abc' =~ /z/).inspect
#=> "nil"
/b/ =~ 'abc'
#=> 1
(/b/ =~ nil).inspect
#=> "nil"
nil =~ /x/
#=> nil
'abc' !~ /z/
#=> true
/b/.match('abc')
#=> #<MatchData "b">
/b/.match('abc').class
#=> MatchData
/z/.match('abc').inspect
#=> "nil"
/b/.match(nil).inspect
#=> "nil"
/b/.match('abcb', 2)
#=> #<MatchData "b">
/b/.match?('abc')
#=> true
/b/.match?(nil)
#=> false
/b/ === 'abc'
#=> true
/b/ === nil
#=> false
/b/ === :abc
#=> true
/b/ === 5
#=> false
'foobar'.match(/o(.)(z)?/)
#=> #<MatchData "oo" 1:"o" 2:nil>
'foobar'.match(/o(.)(z)?/).to_a
#=> ["oo", "o", nil]
'foobar'.match(/o(.)(z)?/).captures
#=> ["o", nil]
m = 'foobar'.match(/o(.)(z)?/); [m[0], m[1], m[2], m[3], m[-1], m[0, 2], m[0..1]]
#=> ["oo", "o", nil, nil, nil, ["oo", "o"], ["oo", "o"]]
m = 'foobar'.match(/(?<a>o)(?<b>.)/); [m[:a], m['b'], m.names, m.named_captures, m.captures, m.to_a]
#=> ["o", "o", ["a", "b"], {"a"=>"o", "b"=>"o"}, ["o", "o"], ["oo", "o", "o"]]
m = 'foobar'.match(/(?<a>o)/); m[:z]
#!! IndexError: undefined group name reference: z
m = 'foobar'.match(/(?<a>o)/); m.named_captures(symbolize_names: true)
#=> {:a=>"o"}
m = 'foobar'.match(/(?<a>o)(?<b>z)?/); m.deconstruct_keys([:a, :b])
#=> {:a=>"o", :b=>nil}
m = 'foobar'.match(/(o)(b)/); [m.pre_match, m.post_match, m.begin(0), m.end(0), m.offset(1), m.size, m.length, m.to_s, m.string, m.regexp]
#=> ["fo", "ar", 2, 4, [2, 3], 3, 3, "ob", "foobar", /(o)(b)/]
m = 'foobar'.match(/(o)(z)?/); [m.begin(2), m.end(2), m.offset(2), m.values_at(0, 1, 2)]
#=> [nil, nil, [nil, nil], ["o", "o", nil]]
m = 'héllo'.match(/l/); [m.begin(0), m.byteoffset(0)]
#=> [2, [3, 4]]
'foobar'.match(/(o)(z)?/).inspect
#=> "#<MatchData \"o\" 1:\"o\" 2:nil>"
'foobar'.match(/(?<x>o)/).inspect
#=> "#<MatchData \"o\" x:\"o\">"
'foobar'.match(/o/) { |m| m[0] * 2 }
#=> "oo"
'foobar'.match(/z/) { |m| 1 }.inspect
#=> "nil"
'foo'.match('o+')
#=> #<MatchData "oo">
'foo'.match('o', 2).begin(0)
#=> 2
'foo'.match?('o', 3)
#=> false
# globals
'foobar' =~ /o(b)/; [$~[0], $1, $2, $&, $`, $', $+]
#=> ["ob", "b", nil, "ob", "fo", "ar", "b"]
'foobar' =~ /z/; [$~, $1, $&]
#=> [nil, nil, nil]
'foobar'.match?(/o(b)/); $1.inspect
#=> "nil"
'x'.match(/x/); 'y' =~ /z/; $~.inspect
#=> "nil"
'foobar' =~ /(?<n>o)/; [$~[:n], $1]
#=> ["o", "o"]
if /(?<year>\d+)-(?<mon>\d+)/ =~ '2024-05' then [year, mon] end
#=> ["2024", "05"]
/(?<a>z)?b/ =~ 'b'; a.inspect
#=> "nil"
re = /(?<q>\d)/; re =~ '5'; defined?(q).inspect
#=> "nil"
'abc'.gsub(/(b)/) { $1.upcase }; $~[0]
#=> "b"
'abc'.sub('b') { $&.upcase }
#=> "aBc"
'abcb'.scan(/b/) { $`.size }; $~.begin(0)
#=> 3
case 'k=v' when /(\w)=(\w)/ then [$1, $2] end
#=> ["k", "v"]
def f = ('abc' =~ /b/; $~[0]); 'xyz' =~ /y/; f; $~[0]
#=> "y"
'abc' =~ /b/; [1].each { 'xyz' =~ /z/ }; $~[0]
#=> "z"
'abc' =~ /b/; Regexp.last_match(0)
#=> "b"
'abc' =~ /(b)/; [Regexp.last_match(1), Regexp.last_match.pre_match]
#=> ["b", "a"]
'abc'[/(b)(c)/, 2]; $1
#=> "b"
'abc'.index(/c/); $~[0]
#=> "c"
'a-b'.split(/-/); $~.inspect
#=> "nil"
'abc'.start_with?(/a(b)/); $1
#=> "b"
'abc'.partition(/b/); $&
#=> "b"
'abc'.slice(/c/); $&
#=> "c"
%w[a1 b2].grep(/(\d)/) { $1 }
#=> ["1", "2"]
%w[a1 b2].map { |s| s =~ /(\d)/ && $1 }
#=> ["1", "2"]
%w[a b].any?(/b/); $~.class
#=> MatchData
$1.inspect
#=> "nil"
$~ = nil; $~.inspect
#=> "nil"
'ab' =~ /(?:a)(b)/; $1
#=> "b"
'abcabc'.rindex(/b/); $~.begin(0)
#=> 4
# patterns
'aaa'.scan(/a{2}/)
#=> ["aa"]
'aaa'[/a{,2}/]
#=> "aa"
'aaa'[/a{2,}/]
#=> "aaa"
'aaa'[/a+?/]
#=> "a"
'abab'[/(?:ab)+/]
#=> "abab"
'foo bar'[/\bb\w+/]
#=> "bar"
"a\nb"[/^b$/]
#=> "b"
"a\nb" =~ /\Ab/
#=> nil
"a\nb"[/a.b/].inspect
#=> "nil"
"a\nb"[/a.b/m]
#=> "a\nb"
'ABC'[/b/i]
#=> "B"
'ABC'[/(?i)b/]
#=> "B"
'ABC'[/(?i:b)C/]
#=> "BC"
'a b'[/a\ b/x]
#=> "a b"
"ab"[/a # comment
b/x]
#=> "ab"
'foobar'[/foo(?=bar)/]
#=> "foo"
'foobaz'[/foo(?!bar)/]
#=> "foo"
'xbar'[/(?<=x)bar/]
#=> "bar"
'ybar'[/(?<!x)bar/]
#=> "bar"
'aab'[/(?>a+)b/]
#=> "aab"
'aa'[/(a)\1/]
#=> "aa"
'abab'[/(?<p>ab)\k<p>/]
#=> "abab"
'((a))'[/\((?:[^()]|\g<0>)*\)/]
#=> "((a))"
'é'[/\w/]
#=> nil
'é'[/[[:alpha:]]/]
#=> "é"
'5'[/\p{Digit}/]
#=> "5"
'É'[/\p{Lu}/]
#=> "É"
'a'[/\P{Lu}/]
#=> "a"
"\t"[/\s/]
#=> "\t"
"\t"[/\h/].inspect
#=> "nil"
'fF0'[/\h+/]
#=> "fF0"
'g'[/\H/]
#=> "g"
"a\r\nb"[/a\Rb/]
#=> "a\r\nb"
'日本'[/\p{Han}+/]
#=> "日本"
'a1_'[/\A\w+\z/]
#=> "a1_"
"a\n" =~ /a\Z/
#=> 0
("a\n" =~ /a\z/).inspect
#=> "nil"
'a.b'[/a\.b/]
#=> "a.b"
'[x]'[/\[x\]/]
#=> "[x]"
'a-z'[/[a\-z]+/]
#=> "a-z"
'^'[/[\^]/]
#=> "^"
']'[/[\]]/]
#=> "]"
'ab'[/[^a]/]
#=> "b"
'x5'[/[a-w&&[^b]]/].inspect
#=> "nil"
'c'[/[a-w&&[^b]]/]
#=> "c"
'foo'[/o|f/]
#=> "f"
'/path'[%r{/p}]
#=> "/p"
'a/b'[/a\/b/]
#=> "a/b"
x = 'b+'; 'ab+'[/a#{Regexp.escape(x)}/]
#=> "ab+"
x = /b/i; 'aB'[/a#{x}/]
#=> "aB"
'ab' =~ /a(?#comment)b/
#=> 0
'foo.bar'[/(?<base>[^.]+)\.(?<ext>.+)/, :ext]
#=> "bar"
"\u0000"[/\0/]
#=> "\u0000"
'aé'[/\u00e9/]
#=> "é"
"\x41"[/\x41/]
#=> "A"
'ab'[/\Aab\Z/]
#=> "ab"
'a,b;c'.split(/[,;]/)
#=> ["a", "b", "c"]
'2024-01-15'.match(/(\d+)-(\d+)-(\d+)/).captures.map(&:to_i)
#=> [2024, 1, 15]
'k1=v1;k2=v2'.scan(/(\w+)=(\w+)/).to_h
#=> {"k1"=>"v1", "k2"=>"v2"}
'aXbX'.gsub(/X/).with_index { |m, i| i.to_s }
#=> "a0b1"
'abc'.gsub(/b/, 'b' => 'B', 'c' => 'C')
#=> "aBc"
'abc'.gsub(/[abc]/, Hash.new { |h, k| k.ord.to_s })
#=> "979899"
'price: $5'.sub(/\$(\d)/, '€\1')
#=> "price: €5"
'a' * 5 =~ /(a*)*b/
#=> nil
'foo\\bar'.gsub('\\', '/')
#=> "foo/bar"
"it's".gsub("'", "\\\\'")
#=> "it\\'s"
"it's".gsub("'") { "\\'" }
#=> "it\\'s"
'John Smith'.sub(/(\w+) (\w+)/, '\2, \1')
#=> "Smith, John"
'x'.gsub(/x/, '\\\\0')
#=> "\\0"
'x'.gsub(/x/, "\\0\\0")
#=> "xx"
'abc'.gsub(/(?<first>a)/, '\k<first>\k<first>')
#=> "aabc"
'abc'.sub(/(a)/, '\9')
#=> "bc"
# objects
/a/.source
#=> "a"
/a\/b/.source
#=> "a/b"
%r{a/b}.source
#=> "a/b"
%r{a/b}.inspect
#=> "/a\\/b/"
/a/mix.inspect
#=> "/a/mix"
/a/.to_s
#=> "(?-mix:a)"
/a/i.to_s
#=> "(?i-mx:a)"
/a/mix.to_s
#=> "(?mix:a)"
/a/i.options
#=> 1
/a/x.options | Regexp::MULTILINE
#=> 6
[Regexp::IGNORECASE, Regexp::EXTENDED, Regexp::MULTILINE]
#=> [1, 2, 4]
/a/ == /a/
#=> true
/a/ == /a/i
#=> false
/a/.eql?(/a/)
#=> true
/a/.hash == /a/.hash
#=> true
/(?<x>a)(?<y>b)/.names
#=> ["x", "y"]
/a/i.casefold?
#=> true
/a/.frozen?
#=> true
Regexp.new('a.b')
#=> /a.b/
Regexp.new('a', Regexp::IGNORECASE)
#=> /a/i
Regexp.new('a', true)
#=> /a/i
Regexp.new('a', 'mi')
#=> /a/mi
Regexp.new('a', 'z')
#!! ArgumentError: unknown regexp option: z
Regexp.new(/a/i)
#=> /a/i
Regexp.new('a/b')
#=> /a\/b/
Regexp.new("a\nb").inspect
#=> "/a\nb/"
Regexp.new('')
#=> //
Regexp.escape('a.b*c?[d]{e}(f)|g^h$i\\j-k#l m')
#=> "a\\.b\\*c\\?\\[d\\]\\{e\\}\\(f\\)\\|g\\^h\\$i\\\\j\\-k\\#l\\ m"
Regexp.escape("a\nb\tc\rd\fe\vf")
#=> "a\\nb\\tc\\rd\\fe\\vf"
Regexp.quote('é-')
#=> "é\\-"
Regexp.union('a.b', /c/i, 'd')
#=> /a\.b|(?i-mx:c)|d/
Regexp.union
#=> /(?!)/
Regexp.union('a')
#=> /a/
Regexp.union(/a/)
#=> /a/
Regexp.union(%w[a b])
#=> /a|b/
Regexp.union(['x', /y/m])
#=> /x|(?m-ix:y)/
Regexp.try_convert('a').inspect
#=> "nil"
Regexp.try_convert(/a/)
#=> /a/
Regexp.compile('x')
#=> /x/
Regexp.last_match.inspect
#=> "nil"
Regexp.new('(?<n>a)').match('a')[:n]
#=> "a"
Regexp.new('a{1').source
#=> "a{1"
Regexp.new('a{,}').match?('a{,}')
#=> true
Regexp.new(']').match?(']')
#=> true
/#{'a'}b/o
#=> /ab/
/\//.source
#=> "/"
Regexp.new('(?i)a').to_s
#=> "(?i-mx:a)"
/(?i)a/.inspect
#=> "/(?i)a/"
/a b/x.to_s
#=> "(?x-mi:a b)"
MatchData.instance_methods(false).include?(:captures)
#=> true
m = 'ab'.match(/(a)(b)/); a, b = *m.captures; b + a
#=> "ba"
m = 'ab'.match(/(a)(b)/); _, x, y = *m; [x, y]
#=> ["a", "b"]
'ab'.match(/(?<x>a)/) => { x: }; x
#=> "a"
m = 'ab'.match(/a/); m == 'ab'.match(/a/)
#=> true
m = 'foo'.match(/(?<a>f)(?<b>o)/); m.values_at(:a, 'b')
#=> ["f", "o"]
"a".gsub(/(?<x>a)/, '\k<y>')
#!! IndexError: undefined group name reference: y
"a".gsub(/(?<x>a)/, '[\1]')
#=> "[]"
"ab".sub(/(?<x>a)(?<x>b)/, '\k<x>-\1-\2')
#=> "b--"
"a".sub(/(a)/, '\k<1>')
#!! IndexError: undefined group name reference: 1
/(?<a>x)\k<a>/.match("xx")
#=> #<MatchData "xx" a:"x">
/(?<a>x)(?<a>y)\k<a>/.match("xyx")
#=> #<MatchData "xyx" a:"x" a:"y">
/(?<a>x)(?<a>y)\k<a>/.match("xyy")
#=> #<MatchData "xyy" a:"x" a:"y">
Regexp.new('(?<a>x)(?<a>y)\g<a>')
#!! RegexpError: multiplex definition name <a> call: /(?<a>x)(?<a>y)\g<a>/
/(?<a>x)(?<a>y)/.match("xy").inspect
#=> "#<MatchData \"xy\" a:\"x\" a:\"y\">"
/(?<a>x)(?<a>y)/.match("xy").names
#=> ["a"]
"foo=bar" =~ /(?<key>\w+)=(?<val>\w+)/; $~[:key] + $~["val"]
#=> "foobar"
[/(?<a>.)(?<a>.)/.match("xy").named_captures, /(?<a>.)(?<a>.)?/.match("x").named_captures, /(?<a>x)|(?<a>y)/.match("x").named_captures]
#=> [{"a"=>"y"}, {"a"=>"x"}, {"a"=>"x"}]
m = /(?<a>x)|(?<a>y)/.match("y"); [m[:a], m["a"], m.names, m.captures, m.to_a, m.begin(:a), m.values_at(:a), m.deconstruct_keys([:a])]
#=> ["y", "y", ["a"], [nil, "y"], ["y", nil, "y"], 0, ["y"], {:a=>"y"}]
m = /(?<a>x)|(?<a>y)/.match("x"); [m.begin(:a), m.offset("a"), m.end(:a)]
#=> [0, [0, 1], 1]
/(?<a>.)(?<b>.)(?<a>.)/.named_captures
#=> {"a"=>[1, 3], "b"=>[2]}
/(?<a>.)(?<a>.)/ =~ "xy"; a
#=> "y"
"xy".gsub(/(?<a>x)|(?<a>y)/, '<\k<a>>')
#=> "<x><y>"
/(?<a>x)(?<a>y)(?<b>z)\k<b>/.match("xyzz").to_a
#=> ["xyzz", "x", "y", "z"]
"b.".tr("-", "Zx-A_")
#=> "b."
"b.".tr("ab","Zx-A_")
#!! ArgumentError: invalid range "x-A" in string transliteration
"b.".tr("a-c", "Zx-A_")
#!! ArgumentError: invalid range "x-A" in string transliteration
"b.".tr_s("a-c", "Zx-A_")
#!! ArgumentError: invalid range "x-A" in string transliteration
"b.".tr("ab","Zx-A")
#!! ArgumentError: invalid range "x-A" in string transliteration
"b.".tr("z-a", "x")
#!! ArgumentError: invalid range "z-a" in string transliteration
"b.".tr("^a", "Zx-A_")
#!! ArgumentError: invalid range "x-A" in string transliteration
"b.".tr("az-a", "x")
#!! ArgumentError: invalid range "z-a" in string transliteration
"-".tr("-", "Zx-A_")
#=> "Z"
"".tr("z-a", "x")
#=> ""
"####;
