//! Strings: literals, encodings, cutting, searching, replacing, counting up. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# literals and escapes
"\x41\u00e9\u{1F600 42}\101\t\e\s\0".bytes
#=> [65, 195, 169, 240, 159, 152, 128, 66, 65, 9, 27, 32, 0]
'a\nb\'c\\d'
#=> "a\\nb'c\\d"
"a\
#!! SyntaxError: t.rb:1: unterminated string meets end of file
b"
#!! SyntaxError: t.rb:1: unterminated string meets end of file
%q(a (nested) 'b')
#=> "a (nested) 'b'"
%Q[a #{1 + 1} "b"]
#=> "a 2 \"b\""
%(x "y" #{:z})
#=> "x \"y\" z"
%w[a\ b c#{1} d]
#=> ["a b", "c\#{1}", "d"]
%W[a\tb c#{1} d]
#=> ["a\tb", "c1", "d"]
%i[a b]
#=> [:a, :b]
%I[a#{1} b]
#=> [:a1, :b]
?a + ?\n
#=> "a\n"
"\M-a".bytes rescue $!.class
#=> [225]
"\C-a\c?".bytes
#=> [1, 127]
'' 'a' ''
#=> "a"
"#{}".inspect
#=> "\"\""
"a#b #c".size
#=> 6
"\#{x}"
#=> "\#{x}"
"a\u0300".length
#=> 2
"日本".bytes.length
#=> 6
"\u{65 66}"
#=> "ef"
:"a b".inspect
#=> ":\"a b\""
:'a'.inspect
#=> ":a"
:"a=".inspect
#=> ":a="
:"[]=".inspect
#=> ":[]="
:"9a".inspect
#=> ":\"9a\""
:"a?b".inspect
#=> ":\"a?b\""
:"é".inspect
#=> ":é"
:"@a".inspect
#=> ":@a"
:"@@".inspect
#=> ":\"@@\""
:"$1".inspect
#=> ":$1"
:"A::B".inspect
#=> ":\"A::B\""
:!.inspect
#=> ":!"
:"&&".inspect
#=> ":\"&&\""
:"foo!".inspect
#=> ":foo!"
:"foo!=".inspect
#=> ":\"foo!=\""
{ "a-b": 1, if: 2, "c d": 3, A: 4, a?: 5 }
#=> {:"a-b"=>1, :if=>2, :"c d"=>3, :A=>4, :a?=>5}
{ "a": 1 }.keys
#=> [:a]
# inspect and dump
"a\"b\\c\#{d}\e\a\b\v\f\r\x7f\u0001".inspect
#=> "\"a\\\"b\\\\c\\\#{d}\\e\\a\\b\\v\\f\\r\\u007F\\u0001\""
"\u200b\u00a0\u{e000}\u{10ffff}\ufeff".inspect
#=> "\"​ \\u{10FFFF}﻿\""
"é\u0301".inspect
#=> "\"é́\""
"\xff\xfe".inspect
#=> "\"\\xFF\\xFE\""
"a\xffb".inspect
#=> "\"a\\xFFb\""
"a\xffé".b.inspect
#=> "\"a\\xFF\\xC3\\xA9\""
"é".encode('ISO-8859-1').inspect
#=> "\"\\xE9\""
"#a #{'$'}b #@ #{'#'}{".inspect
#=> "\"#a $b \\\#@ \\\#{\""
"#$".inspect rescue 1
#!! SyntaxError: t.rb:1: unterminated string meets end of file\n"#$".inspect rescue 1\n                     ^\n
'#$a #@b #{c}'.inspect
#=> "\"\\\#$a \\\#@b \\\#{c}\""
'#a'.inspect
#=> "\"#a\""
"é\n\u{1F600}".dump
#=> "\"\\u00E9\\n\\u{1F600}\""
"é".dump.undump
#=> "é"
"a\xff".dump
#=> "\"a\\xFF\""
'"a"'.undump rescue $!.message
#=> "a"
'a'.undump rescue $!.message
#=> "invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form"
"\0\01\0012".inspect
#=> "\"\\u0000\\u0001\\u00012\""
"\e[0m".inspect
#=> "\"\\e[0m\""
# encodings
'a'.encoding
#=> #<Encoding:UTF-8>
'a'.force_encoding('ASCII-8BIT').encoding
#=> #<Encoding:ASCII-8BIT>
"é".force_encoding('BINARY').length
#=> 2
"é".b.length
#=> 2
"\xff".valid_encoding?
#=> false
"é".valid_encoding?
#=> true
"é".ascii_only?
#=> false
'e'.ascii_only?
#=> true
"é".encode('ISO-8859-1').bytes
#=> [233]
"é".encode('US-ASCII')
#!! Encoding::UndefinedConversionError: U+00E9 from UTF-8 to US-ASCII
"é".encode('US-ASCII', undef: :replace)
#=> "?"
"é".encode('US-ASCII', fallback: { "é" => 'e' })
#=> "e"
"é".encode('US-ASCII', undef: :replace, replace: '')
#=> ""
"é<".encode('US-ASCII', xml: :text)
#=> "&#xE9;&lt;"
"\"é<".encode('US-ASCII', xml: :attr)
#=> "\"&quot;&#xE9;&lt;\""
"a\xffb".encode('UTF-16LE')
#!! Encoding::InvalidByteSequenceError: "\xFF" on UTF-8
"a\xffb".encode('UTF-8', invalid: :replace)
#=> "a�b"
"a\xffb".scrub
#=> "a�b"
"a\xffb".scrub('')
#=> "ab"
"a\xffb".scrub { |b| "<#{b.unpack1('H*')}>" }
#=> "a<ff>b"
"\xE9".force_encoding('ISO-8859-1').encode('UTF-8')
#=> "é"
"a\r\nb\nc".encode(universal_newline: true)
#=> "a\nb\nc"
"a\nb".encode(crlf_newline: true)
#=> "a\r\nb"
'abc'.encode('nope')
#!! Encoding::ConverterNotFoundError: code converter not found (UTF-8 to nope)
'abc'.force_encoding('nope')
#!! ArgumentError: unknown encoding name - nope
"é" + "\xff".b rescue $!.message
#=> "incompatible character encodings: UTF-8 and ASCII-8BIT"
"a" + "\xff".b
#=> "a\xFF"
("é" + "b".b).encoding
#=> #<Encoding:UTF-8>
"é" == "é".b
#=> false
"a" == "a".b
#=> true
"é".unicode_normalize(:nfd).length
#=> 2
"e\u0301".unicode_normalize.length
#=> 1
"ﬁ".unicode_normalize(:nfkc)
#=> "fi"
"é".unicode_normalized?
#=> true
"e\u0301".unicode_normalized?
#=> false
Encoding.default_external.to_s
#=> "UTF-8"
Encoding::UTF_8.inspect
#=> "#<Encoding:UTF-8>"
Encoding::BINARY.inspect
#=> "#<Encoding:ASCII-8BIT>"
Encoding.find('utf-8')
#=> #<Encoding:UTF-8>
"aé".each_byte.to_a
#=> [97, 195, 169]
"aé".unpack('C*')
#=> [97, 195, 169]
"aé".unpack('U*')
#=> [97, 233]
[233].pack('U').encoding
#=> #<Encoding:UTF-8>
[233].pack('C').encoding
#=> #<Encoding:ASCII-8BIT>
233.chr
#=> "\xE9"
233.chr.encoding
#=> #<Encoding:ASCII-8BIT>
233.chr('UTF-8')
#=> "é"
97.chr.encoding
#=> #<Encoding:US-ASCII>
"é".ord
#=> 233
''.ord
#!! ArgumentError: empty string
"é".getbyte(0)
#=> 195
'aé'.byteslice(1, 2)
#=> "é"
'aé'.byteslice(1)
#=> "\xC3"
'aé'.byteindex('é')
#=> 1
'aéb'.byteindex('b')
#=> 3
# case
'ÀÉß'.downcase
#=> "àéß"
'straße'.upcase
#=> "STRASSE"
'ǆ'.capitalize
#=> "ǅ"
'ÉCOLE'.capitalize
#=> "École"
'İ'.downcase.length
#=> 2
'ß'.swapcase
#=> "SS"
'é'.upcase(:ascii)
#=> "é"
'a'.upcase(:nope)
#!! ArgumentError: invalid option
'hELLO wORLD'.capitalize
#=> "Hello world"
'hello'.capitalize!
#=> "Hello"
'Hello'.capitalize!.inspect
#=> "nil"
'ABC'.casecmp('abd')
#=> -1
'ABC'.casecmp?('abc')
#=> true
'É'.casecmp?('é')
#=> true
'É'.casecmp('é')
#=> -1
'a'.casecmp(1)
#=> nil
'a'.casecmp?(1)
#=> nil
'aBc'.swapcase
#=> "AbC"
# index and slices
s = 'hello'; [s[0], s[-1], s[1, 3], s[1..], s[..2], s[1..-2], s[5], s[5, 1], s[6], s[6, 1], s[-9], s[2...-1], s[3..1]]
#=> ["h", "o", "ell", "ello", "hel", "ell", nil, "", nil, nil, nil, "ll", ""]
s = 'hello'; [s['ell'], s['xyz'], s[/l+/], s[/h(.)l/, 1], s[/(?<v>e)/, 'v'], s[/(?<v>e)/, :v], s[/z/]]
#=> ["ell", nil, "ll", "e", "e", "e", nil]
'hello'[/(?<v>e)/, 'w']
#!! IndexError: undefined group name reference: w
'hello'[/(e)/, 2].inspect
#=> "nil"
'hello'[1.9]
#=> "e"
'hello'['l', 1]
#!! TypeError: no implicit conversion of String into Integer
'héllo'[1]
#=> "é"
'hello'.slice(1..2)
#=> "el"
s = +'hello'; [s.slice!(1..2), s]
#=> ["el", "hlo"]
s = +'hello'; [s.slice!(/l+/), s]
#=> ["ll", "heo"]
s = +'hello'; [s.slice!('z'), s]
#=> [nil, "hello"]
s = +'hello'; [s.slice!(9), s]
#=> [nil, "hello"]
s = +'hello'; s[0] = 'J'; s
#=> "Jello"
s = +'hello'; s[1..2] = 'XYZ'; s
#=> "hXYZlo"
s = +'hello'; s[1, 0] = '--'; s
#=> "h--ello"
s = +'hello'; s['ll'] = 'LL'; s
#=> "heLLo"
s = +'hello'; s['zz'] = 'LL'; s
#!! IndexError: string not matched
s = +'hello'; s[/l+/] = 'r'; s
#=> "hero"
s = +'hello'; s[/(h)(e)/, 2] = 'E'; s
#=> "hEllo"
s = +'hello'; s[/z/] = 'r'; s
#!! IndexError: regexp not matched
s = +'hello'; s[9] = 'r'; s
#!! IndexError: index 9 out of string
s = +'hello'; s[5] = '!'; s
#=> "hello!"
s = +'hello'; s[-1] = ''; s
#=> "hell"
s = +'hello'; s[9..] = 'r'; s
#!! RangeError: 9.. out of range
s = +'abc'; s[0] = 5
#!! TypeError: no implicit conversion of Integer into String
'hello'.index('l')
#=> 2
'hello'.index('l', 3)
#=> 3
'hello'.index('l', -1).inspect
#=> "nil"
'hello'.index(/l(.)/, 3)
#=> 3
'hello'.index('', 5)
#=> 5
'hello'.index('', 6).inspect
#=> "nil"
'hello'.rindex('l')
#=> 3
'hello'.rindex('l', 2)
#=> 2
'hello'.rindex(/l/, -3)
#=> 2
'hello'.rindex('')
#=> 5
'héllo'.index('l')
#=> 2
'hello'.chars.each_slice(2).map(&:join)
#=> ["he", "ll", "o"]
'hello'.each_char.with_index.to_a.last
#=> ["o", 4]
'hello'.start_with?('he')
#=> true
'hello'.start_with?('x', 'h')
#=> true
'hello'.start_with?(/h./)
#=> true
'hello'.start_with?('')
#=> true
'hello'.start_with?
#=> false
'hello'.end_with?('lo', 'x')
#=> true
'hello'.include?('ell')
#=> true
'hello'.include?(/l/)
#!! TypeError: no implicit conversion of Regexp into String
'hello'.match?(/L/i)
#=> true
'hello'.delete_prefix('he')
#=> "llo"
'hello'.delete_suffix('lo')
#=> "hel"
'hello'.delete_prefix('x')
#=> "hello"
s = +'hello'; s.delete_prefix!('x').inspect
#=> "nil"
'hello'.partition('l')
#=> ["he", "l", "lo"]
'hello'.partition('z')
#=> ["hello", "", ""]
'hello'.rpartition('l')
#=> ["hel", "l", "o"]
'hello'.rpartition('z')
#=> ["", "", "hello"]
'hello'.partition(/l+/)
#=> ["he", "ll", "o"]
'hello'.rpartition(/l+/)
#=> ["hel", "l", "o"]
# split, lines, join
'a,b,c'.split(',')
#=> ["a", "b", "c"]
'a,b,,c,,'.split(',')
#=> ["a", "b", "", "c"]
'a,b,,c,,'.split(',', -1)
#=> ["a", "b", "", "c", "", ""]
'a,b,c'.split(',', 2)
#=> ["a", "b,c"]
' a  b c '.split
#=> ["a", "b", "c"]
' a  b c '.split(' ')
#=> ["a", "b", "c"]
' a  b c '.split(/ /)
#=> ["", "a", "", "b", "c"]
' a  b c '.split(/\s+/)
#=> ["", "a", "b", "c"]
'abc'.split('')
#=> ["a", "b", "c"]
'abc'.split(//)
#=> ["a", "b", "c"]
'abc'.split(//, 2)
#=> ["a", "bc"]
'a1b2'.split(/\d/)
#=> ["a", "b"]
'a1b2'.split(/(\d)/)
#=> ["a", "1", "b", "2"]
'a1b2c'.split(/(\d)/, 2)
#=> ["a", "1", "b2c"]
''.split(',')
#=> []
''.split(',', -1)
#=> []
','.split(',')
#=> []
'abc'.split('abc')
#=> []
'a b'.split(nil)
#=> ["a", "b"]
'a  b'.split(' ', -1)
#=> ["a", "b"]
' a b '.split(' ', 2)
#=> ["a", "b "]
'aXbXc'.split('X') { |x| x }
#=> "aXbXc"
'a::b'.split('::')
#=> ["a", "b"]
"a\tb\nc".split
#=> ["a", "b", "c"]
"a\0b".split("\0")
#=> ["a", "b"]
'2024-01-02'.split('-').map(&:to_i)
#=> [2024, 1, 2]
'a, b,c'.split(/,\s*/)
#=> ["a", "b", "c"]
'aaa'.split('a')
#=> []
'aaa'.split('a', -1)
#=> ["", "", "", ""]
'a.b'.split('.')
#=> ["a", "b"]
"a\nb\n".lines
#=> ["a\n", "b\n"]
"a\nb".each_line.map(&:chomp)
#=> ["a", "b"]
"a\n\nb\n\n\nc".lines('')
#=> ["a\n\n", "b\n\n", "c"]
"a\n\nb".each_line('').to_a
#=> ["a\n\n", "b"]
"axbx".lines('x')
#=> ["ax", "bx"]
"a\r\nb".lines
#=> ["a\r\n", "b"]
"a\nb\n".lines(chomp: true)
#=> ["a", "b"]
"a\r\nb".each_line(chomp: true).to_a
#=> ["a", "b"]
"a\nb".lines(nil) rescue $!.class
#=> ["a\nb"]
''.lines
#=> []
# strip, chomp, chop, pad
"  a b\t\n".strip
#=> "a b"
"\0 a\0".strip
#=> "a"
"\u00a0a".strip
#=> " a"
" a ".lstrip
#=> "a "
" a\0 ".rstrip
#=> " a"
"a\n".chomp
#=> "a"
"a\r\n".chomp
#=> "a"
"a\r".chomp
#=> "a"
"a\n\n".chomp
#=> "a\n"
"a\n\n".chomp('')
#=> "a"
"a".chomp('a')
#=> ""
"abc".chomp('bc')
#=> "a"
"a\n".chomp('x')
#=> "a\n"
"a\r\n".chop
#=> "a"
''.chop
#=> ""
'a'.chomp!.inspect
#=> "nil"
'a'.strip!.inspect
#=> "nil"
'abc'.center(8, '12')
#=> "12abc121"
'abc'.ljust(8, '12')
#=> "abc12121"
'abc'.rjust(8, '12')
#=> "12121abc"
'abc'.center(2)
#=> "abc"
'é'.center(4, 'ü')
#=> "üéüü"
'abc'.ljust(-1)
#=> "abc"
'a'.rjust(5, 'é')
#=> "ééééa"
# replace
'hello'.sub('l', 'L')
#=> "heLlo"
'hello'.gsub('l', 'L')
#=> "heLLo"
'hello'.gsub(/[el]/) { |m| m.upcase }
#=> "hELLo"
'hello'.gsub(/[el]/, 'e' => '3', 'l' => '1')
#=> "h311o"
'hello'.gsub(/[elo]/, 'e' => 3)
#=> "h3"
'hello'.gsub(/(l)(l)/, '\2-\1')
#=> "hel-lo"
'hello'.gsub(/(?<x>l)/, '<\k<x>>')
#=> "he<l><l>o"
'hello'.gsub(/l/, '[\0]')
#=> "he[l][l]o"
'hello'.gsub(/l/, '[\&]')
#=> "he[l][l]o"
'hello'.sub(/l/, '\`|\\\'')
#=> "hehe|lolo"
'hello'.sub('l', '\0\0')
#=> "helllo"
'hello'.gsub('l', '\\\\')
#=> "he\\\\o"
'a.b'.gsub('.', '-')
#=> "a-b"
'a\b'.gsub('\\', '\\\\\\\\')
#=> "a\\\\b"
'hello'.gsub(/l/).with_index.map { |m, i| "#{m}#{i}" }
#=> ["l0", "l1"]
'hello'.gsub(/l/).class
#=> Enumerator
'hello'.gsub(/x*/, '-')
#=> "-h-e-l-l-o-"
'hello'.gsub('', '.')
#=> ".h.e.l.l.o."
'hello'.gsub(/$/, '!')
#=> "hello!"
'héllo'.gsub(/é/, 'e')
#=> "hello"
'hello'.sub(/(?<a>h)/) { $~[:a].upcase }
#=> "Hello"
'hello'.gsub(/l/) { $& + $`.size.to_s }
#=> "hel2l3o"
'path/to'.gsub('/', '::')
#=> "path::to"
'a-b_c'.tr('-_', '  ')
#=> "a b c"
'hello'.tr('el', 'ip')
#=> "hippo"
'hello'.tr('a-y', 'b-z')
#=> "ifmmp"
'hello'.tr('^l', '*')
#=> "**ll*"
'hello'.tr('elo', '1')
#=> "h1111"
'hello'.tr('l', '')
#=> "heo"
'hello'.tr('a-e-', 'x')
#=> "hxllo"
'hel-lo'.tr('a\-z', '_')
#=> "hel_lo"
'hello'.tr_s('l', 'r')
#=> "hero"
'aabbcc'.tr_s('ab', 'x')
#=> "xcc"
'héé'.tr('é', 'e')
#=> "hee"
'hello'.delete('l')
#=> "heo"
'hello'.delete('a-k', '^e')
#=> "ello"
'he-llo'.delete('-')
#=> "hello"
'hello'.squeeze
#=> "helo"
'aaabbb'.squeeze('a')
#=> "abbb"
'mississippi'.squeeze('a-r')
#=> "mississipi"
'hello'.count('l')
#=> 2
'hello'.count('a-z', '^l')
#=> 3
'hel\lo'.count('\\\\')
#=> 1
'hello'.count('')
#=> 0
'hello'.count
#!! ArgumentError: wrong number of arguments (given 0, expected 1+)
'hello'.insert(2, 'XX') rescue $!.class
#=> "heXXllo"
(+'hello').insert(-2, 'X')
#=> "hellXo"
(+'hello').replace('x')
#=> "x"
(+'a').prepend('b', 'c')
#=> "bca"
(+'a').concat('b', 'c')
#=> "abc"
(+'a').concat(98)
#=> "ab"
(+'a') << 98 << 'c'
#=> "abc"
(+'a') << 233
#=> "aé"
(+'a') << -1
#!! RangeError: -1 out of char range
'abc'.reverse
#=> "cba"
'aé日'.reverse
#=> "日éa"
'abc' * 0
#=> ""
'%s' % nil
#=> ""
'%s and %s' % %w[a b]
#=> "a and b"
'abc'.sum
#=> 294
'abc'.hash == 'abc'.hash
#=> true
'abc'.unpack('a1 a*')
#=> ["a", "bc"]
'abc'.unpack1('@1a')
#=> "b"
'abc'.eql?('abc')
#=> true
'abc'.equal?('abc')
#=> false
# counting up
%w[a z az zz a9 Az Zz zZ9 1.9 -9 a-9 <<koala>> *** 1999zzz ZZZ9999 a!].map(&:succ)
#=> ["b", "aa", "ba", "aaa", "b0", "Ba", "AAa", "aaA0", "2.0", "-10", "a-10", "<<koalb>>", "**+", "2000aaa", "AAAA0000", "b!"]
''.succ
#=> ""
'é'.succ
#=> "ê"
'a'.upto('e').to_a
#=> ["a", "b", "c", "d", "e"]
'a'.upto('e', true).to_a
#=> ["a", "b", "c", "d"]
'9'.upto('11').to_a
#=> ["9", "10", "11"]
'25'.upto('5').to_a
#=> []
'07'.upto('11').to_a
#=> ["07", "08", "09", "10", "11"]
'a'.upto('aa').to_a.size
#=> 27
('a'..'zz').count
#=> 702
('A'..'C').to_a
#=> ["A", "B", "C"]
('08'..'11').to_a
#=> ["08", "09", "10", "11"]
('a'..'e').step(2).to_a
#=> ["a", "c", "e"]
'az'.next
#=> "ba"
# conversions
%w[12 12abc abc 0x1f 0b11 1_000 1__0 -5 +5 --5].map(&:to_i)
#=> [12, 12, 0, 0, 0, 1000, 1, -5, 5, 0]
[' 12 '.to_i, "\n5".to_i, '1e3'.to_i, '1.9'.to_i, ''.to_i]
#=> [12, 5, 1, 1, 0]
['ff'.to_i(16), '0xff'.to_i(16), '11'.to_i(2), 'z'.to_i(36), '0b11'.to_i(0), '0o17'.to_i(0), '017'.to_i(0), '9'.to_i(8)]
#=> [255, 255, 3, 35, 3, 15, 15, 0]
['0x1f'.hex, 'ff'.hex, '-0xff'.hex, 'xyz'.hex, '777'.oct, '0x1f'.oct, '0b11'.oct, '089'.oct]
#=> [31, 255, -255, 0, 511, 31, 3, 0]
%w[1.5 1.5abc .5 5. 1e3 1e abc 1_000.5 -0.0 1e400 0x1p3].map(&:to_f)
#=> [1.5, 1.5, 0.5, 5.0, 1000.0, 1.0, 0.0, 1000.5, -0.0, Infinity, 0.0]
['1/3'.to_r, '0.75'.to_r, 'abc'.to_r, '1.2e2'.to_r, '3/0'.to_r] rescue $!.message
#=> "divided by 0"
'abc'.to_sym
#=> :abc
'a b'.intern
#=> :"a b"
'abc'.to_str
#=> "abc"
'abc'.to_s.equal?('abc')
#=> false
String.new('a').encoding
#=> #<Encoding:UTF-8>
String.new('a', capacity: 10)
#=> "a"
String.new(encoding: 'UTF-8').encoding
#=> #<Encoding:UTF-8>
String.try_convert(5).inspect
#=> "nil"
'abc'.frozen?
#=> false
'abc'.dup.frozen?
#=> false
(+'abc').frozen?
#=> false
(-'abc').frozen?
#=> true
"a#{1}".frozen?
#=> false
:abc.to_s.frozen?
#=> false
'a'.between?('a', 'b')
#=> true
'b'.clamp('c', 'd')
#=> "c"
'a' <=> 'b'
#=> -1
'a' <=> 'A'
#=> 1
'a' <=> 'ab'
#=> -1
'é' <=> 'z'
#=> 1
('a' <=> 5).inspect
#=> "nil"
'a' == 5
#=> false
'abc'.each_char.to_a
#=> ["a", "b", "c"]
'ab'.each_byte.map { |b| b }
#=> [97, 98]
'ab'.codepoints
#=> [97, 98]
'abc'.empty?
#=> false
' '.empty?
#=> false
'hello world'.scan(/o/)
#=> ["o", "o"]
'hello world'.scan(/(o)(.)/)
#=> [["o", " "], ["o", "r"]]
'hello world'.scan('o')
#=> ["o", "o"]
'hello world'.scan(/\w+/) { |w| break w }
#=> "hello"
'a1b2'.scan(/[a-z]\d/) { |m| m }
#=> "a1b2"
'key: value'.match(/(?<k>\w+): (?<v>\w+)/).named_captures
#=> {"k"=>"key", "v"=>"value"}
'foo.bar.baz'.tr('.', '/')
#=> "foo/bar/baz"
'snake_case_word'.split('_').map.with_index { |w, i| i.zero? ? w : w.capitalize }.join
#=> "snakeCaseWord"
'CamelCaseWord'.gsub(/([A-Z])/) { '_' + $1.downcase }.sub(/^_/, '')
#=> "camel_case_word"
'title case'.split.map(&:capitalize).join(' ')
#=> "Title Case"
'a' + "\u0300" == 'à'
#=> false
'abcdef'.each_char.each_slice(3).map(&:join)
#=> ["abc", "def"]
'%.3s|%5s|%-5s|' % %w[abcdef ab cd]
#=> "abc|   ab|cd   |"
'abc'.then { |s| s + s.reverse }
#=> "abccba"
[511, 512, 600].map { |n| ("a" * n).crypt("$6$ab")[0, 12] }
#=> ["$6$ab$lzQmZd", "*0", "*0"]
[("a" * 600).crypt("$1$ab"), ("a" * 250_000).crypt("$5$ab"), ("a" * 600).crypt("$2b$04$abcdefghijklmnopqrstuu")]
#=> ["*0", "*0", "*0"]
"a\0b".crypt("$6$ab")
#!! ArgumentError: string contains null byte
"a".crypt("$6$ab\0")
#=> "$6$ab$/PzCrRVMmcIPg399m0GjJEW7Is3nwj.HV3N4NLJLXwzwzPszJ55Jq.eFpjcqBciAH7lx4yAws1nleGIpiHDt91"
"\xff" =~ /x/
#!! ArgumentError: invalid byte sequence in UTF-8
"\xff".split("x")
#!! ArgumentError: invalid byte sequence in UTF-8
"\xffa b".split
#!! ArgumentError: invalid byte sequence in UTF-8
"\xff".gsub(/x/, "y")
#!! ArgumentError: invalid byte sequence in UTF-8
"\xff".scan(/x/)
#!! ArgumentError: invalid byte sequence in UTF-8
"\xff".b =~ /x/
#=> nil
/x/.match?("\xff")
#!! ArgumentError: invalid byte sequence in UTF-8
"\xff".sub("x", "y")
#=> "\xFF"
"\xff".index("x")
#=> nil
"\xff".tr("a", "b")
#!! ArgumentError: invalid byte sequence in UTF-8
"\xff".start_with?(/x/)
#!! ArgumentError: invalid byte sequence in UTF-8
"\xff"[/x/]
#!! ArgumentError: invalid byte sequence in UTF-8
"\xff".partition(/x/)
#!! ArgumentError: invalid byte sequence in UTF-8
case "\xff" when /x/ then 1 else 2 end
#!! ArgumentError: invalid byte sequence in UTF-8
"####;
