//! Formatting: every directive of `format` with its flags, and texts of numbers. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
format('%d %i %u', 1, 2, 3)
#=> "1 2 3"
format('%d', 3.99)
#=> "3"
format('%d', -3.99)
#=> "-3"
format('%d', '0x1f')
#=> "31"
format('%d', '12')
#=> "12"
format('%d', 2**70)
#=> "1180591620717411303424"
format('%5d|%-5d|%05d|%+d|% d', 42, 42, 42, 42, 42)
#=> "   42|42   |00042|+42| 42"
format('%+5d|%-+5d|%+05d', 42, 42, 42)
#=> "  +42|+42  |+0042"
format('%05d', -42)
#=> "-0042"
format('%.3d', 5)
#=> "005"
format('%8.3d', 5)
#=> "     005"
format('%08.3d', 5)
#=> "     005"
format('%+.3d', 5)
#=> "+005"
format('%x %X %#x %#X', 255, 255, 255, 255)
#=> "ff FF 0xff 0XFF"
format('%o %#o %b %#b %B %#B', 8, 8, 5, 5, 5, 5)
#=> "10 010 101 0b101 101 0B101"
format('%x', -255)
#=> "..f01"
format('%b', -5)
#=> "..1011"
format('%o', -8)
#=> "..70"
format('%+x', -255)
#=> "-ff"
format('% x', -255)
#=> "-ff"
format('%08b', -5)
#=> "..111011"
format('%.8b', -5)
#=> "..111011"
format('%8x', -255)
#=> "   ..f01"
format('%08x', -255)
#=> "..ffff01"
format('%#010x', 255)
#=> "0x000000ff"
format('%-#10x|', 255)
#=> "0xff      |"
format('%f %.2f %.0f', 1.5, 1.555, 2.5)
#=> "1.500000 1.56 2"
format('%.0f', 0.5)
#=> "0"
format('%.0f', 1.5)
#=> "2"
format('%#.0f', 2.0)
#=> "2."
format('%10.3f|%-10.3f|%010.3f', 3.14159, 3.14159, 3.14159)
#=> "     3.142|3.142     |000003.142"
format('%+.1f % .1f', 1.0, 1.0)
#=> "+1.0  1.0"
format('%f', 1)
#=> "1.000000"
format('%f', 2**70)
#=> "1180591620717411303424.000000"
format('%f', '1.5')
#=> "1.500000"
format('%f', 1r / 3)
#=> "0.333333"
format('%.50f', 0.1)
#=> "0.10000000000000000555111512312578270211815834045410"
format('%.3f', 1e20)
#=> "100000000000000000000.000"
format('%f', Float::INFINITY)
#=> "Inf"
format('%5.1f', -Float::INFINITY)
#=> " -Inf"
format('%05f', Float::NAN)
#=> "  NaN"
format('%+f', Float::INFINITY)
#=> "+Inf"
format('%d', Float::INFINITY)
#!! FloatDomainError: Infinity
format('%e %E', 12345.678, 0.00012)
#=> "1.234568e+04 1.200000E-04"
format('%.2e', 12345.678)
#=> "1.23e+04"
format('%.0e', 12345.678)
#=> "1e+04"
format('%10.1e|', 5)
#=> "   5.0e+00|"
format('%g %g %g %g', 0.0001, 0.00001, 123456.0, 1234567.0)
#=> "0.0001 1e-05 123456 1.23457e+06"
format('%G', 1e-10)
#=> "1E-10"
format('%.3g', 1234.5)
#=> "1.23e+03"
format('%#g', 1.0)
#=> "1.00000"
format('%g', 100000)
#=> "100000"
format('%a', 1.0)
#=> "0x1p+0"
format('%a', -0.5)
#=> "-0x1p-1"
format('%A', 10.0)
#=> "0X1.4P+3"
format('%s %s %s', 'a', :b, nil)
#=> "a b "
format('%s', [1, 'a'])
#=> "[1, \"a\"]"
format('%s', { a: 1 })
#=> "{:a=>1}"
format('%10s|%-10s|', 'abc', 'abc')
#=> "       abc|abc       |"
format('%.2s', 'abcdef')
#=> "ab"
format('%5.1s|', 'abc')
#=> "    a|"
format('%05s', 'abc')
#=> "  abc"
format('%p %p', nil, 'a')
#=> "nil \"a\""
format('%-8p|', :a)
#=> ":a      |"
format('%.3p', 'abcdef')
#=> "\"ab"
format('%c%c', 65, 'B')
#=> "AB"
format('%c', 'hello')
#=> "h"
format('%5c|%-5c|', 'a', 'b')
#=> "    a|b    |"
format('%c', 0x1F600)
#=> "😀"
format('%%')
#=> "%"
format('%5%') rescue $!.message
#=> "invalid format character - %"
format('100%')
#!! ArgumentError: incomplete format specifier; use %% (double %) instead
format('%')
#!! ArgumentError: incomplete format specifier; use %% (double %) instead
format('a%')
#!! ArgumentError: incomplete format specifier; use %% (double %) instead
format("%\n")
#=> "%\n"
format('%-%') rescue $!.message
#=> "invalid format character - %"
format('%<a>d %<b>s', a: 1, b: 2)
#=> "1 2"
format('%{a}-%{b}', a: 1, b: nil)
#=> "1-"
format('%<a>5.1f|%-6<b>s|', a: 1.25, b: 'x')
#=> "  1.2|x     |"
format('%{a}d', a: 1)
#=> "1d"
format('%10{a}|', a: 'x')
#=> "         x|"
format('%<a>s %s', { a: 1 }) rescue $!.message
#=> "unnumbered(1) mixed with named"
format('%<nope>d', a: 1)
#!! KeyError: key<nope> not found
format('%{a}', Hash.new { |h, k| "dflt #{k}" })
#=> "dflt a"
format('%{a}', Hash.new(7))
#=> "7"
format('%2$s %1$s', 'a', 'b')
#=> "b a"
format('%1$s %1$s', 'a')
#=> "a a"
format('%3$s', 'a')
#!! ArgumentError: too few arguments
format('%*d|%-*d|', 5, 42, 5, 42)
#=> "   42|42   |"
format('%*d|', -5, 42)
#=> "42   |"
format('%.*f', 2, 3.14159)
#=> "3.14"
format('%d', true)
#!! TypeError: can't convert true into Integer
format('%d', [])
#!! TypeError: can't convert Array into Integer
format('%s')
#!! ArgumentError: too few arguments
format('%d %d', 1)
#!! ArgumentError: too few arguments
format('abc', 1)
#=> "abc"
format('%s', 'é').length
#=> 1
format('%5s', 'é')
#=> "    é"
format('%-5s|', '日本')
#=> "日本   |"
format('%c', 'é')
#=> "é"
format('%08.2f', -3.14159)
#=> "-0003.14"
format('%+08.2f', 3.14159)
#=> "+0003.14"
format('%x', 3.7)
#=> "3"
format('%x', 'ff')
#!! ArgumentError: invalid value for Integer(): "ff"
format('%d', '08')
#!! ArgumentError: invalid value for Integer(): "08"
format('%d', '1_000')
#=> "1000"
format('%d', ' 12 ')
#=> "12"
format('%s', Object) + format('%s', 1..2)
#=> "Object1..2"
format('%s %s', *%w[a b])
#=> "a b"
format(:'%d'.to_s, 1)
#=> "1"
'%d%%' % 50
#=> "50%"
'%s' % [[1, 2]]
#=> "[1, 2]"
'%s' % [nil]
#=> ""
'%p' % [nil]
#=> "nil"
'%s, %s' % ['a', ['b']]
#=> "a, [\"b\"]"
'%d apples' % 3
#=> "3 apples"
'%05.1f' % 2.25
#=> "002.2"
'%x' % 255
#=> "ff"
'%s' % { a: 1 }
#=> "{:a=>1}"
'%{a}' % { a: 'x' }
#=> "x"
'%08b' % 37
#=> "00100101"
'%e' % 0
#=> "0.000000e+00"
'%+d' % 0
#=> "+0"
'%+d' % -0
#=> "+0"
'%.10g' % 0.1
#=> "0.1"
'%.15g' % 0.1
#=> "0.1"
'%.17g' % 0.1
#=> "0.10000000000000001"
'%c' % 10
#=> "\n"
'%-10s|' % :sym
#=> "sym       |"
'%3d|%-3d|' % [1, 2]
#=> "  1|2  |"
'%s' % :a
#=> "a"
'% d' % 5
#=> " 5"
'%d' % 1e15
#=> "1000000000000000"
'%d' % 1e25
#=> "10000000000000000905969664"
'%.2f' % 0.005
#=> "0.01"
'%.2f' % 0.015
#=> "0.02"
'%.2f' % 1.005
#=> "1.00"
'%.1f' % 0.25
#=> "0.2"
'%.1f' % 0.35
#=> "0.4"
'%.3f' % 2.0005
#=> "2.000"
'%5.2f%%' % 12.345
#=> "12.34%"
# texts of numbers
[1.0, 1.5, 1e15, 1e16, 1e100, 1e-4, 1e-5, 0.1 + 0.2, -0.0, 123456789.123456789, 1e22, 1e23, 5e-324, 1.7976931348623157e308].map(&:to_s)
#=> ["1.0", "1.5", "1.0e+15", "1.0e+16", "1.0e+100", "0.0001", "1.0e-05", "0.30000000000000004", "-0.0", "123456789.12345679", "1.0e+22", "1.0e+23", "5.0e-324", "1.7976931348623157e+308"]
[100.0, 1e2, 12345678912345.678, 0.00001234, 1.0e-10].map(&:inspect)
#=> ["100.0", "100.0", "12345678912345.678", "1.234e-05", "1.0e-10"]
[255.to_s(2), 255.to_s(16), -255.to_s(36), (2**70).to_s(36)]
#=> ["11111111", "ff", "-73", "6x5kxtvuwilukg"]
[1.to_s, -1.to_s, 10**20, 10**25]
#=> ["1", "-1", 100000000000000000000, 10000000000000000000000000]
[1r, 1/3r, 0.5r, -1/2r].map(&:inspect)
#=> ["(1/1)", "(1/3)", "(1/2)", "(-1/2)"]
[1r, 1/3r].map(&:to_s)
#=> ["1/1", "1/3"]
[3.7.to_i, -3.7.to_i, 3.7.round, -3.5.round, 2.5.round, 3.5.round, 2.5.round(half: :even), 2.5.round(half: :down), -2.5.round(half: :up)]
#=> [3, -3, 4, -4, 3, 4, 2, 2, -3]
[1234.567.round(1), 1234.567.round(-2), 1234.567.floor(2), 1234.567.ceil(-1), 1234.567.truncate(1), 15.round(-1), 25.round(-1), 25.round(-1, half: :even)]
#=> [1234.6, 1200, 1234.56, 1240, 1234.5, 20, 30, 20]
[0.1 + 0.2, 1.1 * 3, 1.0 / 3, 2.0 / 3, 10.0 / 3, 1e308 * 10, 4.35 * 100]
#=> [0.30000000000000004, 3.3000000000000003, 0.3333333333333333, 0.6666666666666666, 3.3333333333333335, Infinity, 434.99999999999994]
[1.23456789012345e+25, 1e7, 1e8.to_i, 123e18]
#=> [1.23456789012345e+25, 10000000.0, 100000000, 1.23e+20]
[12.0.to_s, 12.50.to_s, 1_000_000.to_s, 0x1f, 0b101, 0o17, 017]
#=> ["12.0", "12.5", "1000000", 31, 5, 15, 15]
1234567.to_s.reverse.scan(/\d{1,3}/).join(',').reverse
#=> "1,234,567"
1234567.89.to_s.gsub(/(\d)(?=(\d{3})+\.)/, '\1,')
#=> "1,234,567.89"
[1e2.to_i, 1e2, '1e2'.to_f, Float('1e2'), '1e2'.to_i]
#=> [100, 100.0, 100.0, 100.0, 1]
[1.0.eql?(1.0), 1.0.equal?(1.0), 0.1 + 0.2 == 0.3, (0.1 + 0.2 - 0.3).abs < Float::EPSILON]
#=> [true, true, false, true]
[7.0.divmod(2), -7.0.divmod(2), 7.5.modulo(2), -7.5 % 2, 7.5.remainder(-2)]
#=> [[3, 1.0], [-4, 1.0], 1.5, 0.5, 1.5]
[1.0.nan?, (0.0 / 0).nan?, 1.0.infinite?.inspect, (1.0 / 0).infinite?, (-1.0 / 0).infinite?, 1.0.finite?]
#=> [false, true, "nil", 1, -1, true]
[1.5.floor, 1.5.ceil, -1.5.floor, -1.5.ceil, -1.5.truncate, 1e20.to_i, 1.5.to_i]
#=> [1, 2, -2, -1, -1, 100000000000000000000, 1]
[10.digits, 0.digits, 1234.digits(100), 255.bit_length, -1.bit_length, (2**64).bit_length]
#=> [[0, 1], [0], [34, 12], 8, 0, 65]
[10.gcd(4), 10.lcm(4), 10.gcdlcm(4), 5.pred, 5.succ, 5.ord, 65.chr, 3.zero?, 0.zero?, 3.positive?, -3.negative?]
#=> [2, 20, [2, 20], 4, 6, 5, "A", false, true, true, true]
[5.fdiv(2), 6.fdiv(3), 2**62, 2**63, 2**64, -(2**63), 4611686018427387904 - 1]
#=> [2.5, 2.0, 4611686018427387904, 9223372036854775808, 18446744073709551616, -9223372036854775808, 4611686018427387903]
[3.7 % 1, -3.7.abs, 3.7.divmod(1.2), 2 ** 0.5, 4 ** 0.5, 8 ** (1.0 / 3)]
#=> [0.7000000000000002, 3.7, [3, 0.10000000000000031], 1.4142135623730951, 2.0, 2.0]
[Integer.sqrt(24), Math.cbrt(27), Math.sqrt(16), Math.hypot(3, 4), Math.log(Math::E), Math.log2(8), Math.log10(1000), Math.log(8, 2)]
#=> [4, 3.0, 4.0, 5.0, 1.0, 3.0, 3.0, 3.0]
[1.size, (2**64).size, 1.0.hash == 1.hash, 3.allbits?(1), 3.anybits?(4), 4.nobits?(3)]
#=> [8, 9, false, true, false, true]
[5[0], 5[1], 5[0, 2], 5[0..1], -1[100]]
#=> [1, 0, 1, 1, 1]
[1 <=> 1.5, 1.5 <=> 1, 1 <=> 2**70, 1.0 <=> Float::NAN, 2**70 <=> 1e30]
#=> [-1, 1, -1, nil, -1]
[10.pow(3), 10.pow(3, 7), 2.pow(100, 1_000_007), 0**0, 0.0**0, 4**-2]
#=> [1000, 6, 698635, 1, 1.0, (1/16)]
[1.next_float > 1, 1.0.next_float, 1.0.prev_float] rescue $!.message
#=> "undefined method `next_float' for an instance of Integer"
[1.0.to_i.class, 1e30.to_i, 1.9999999999999999, 0.1.rationalize(Rational(1, 10))]
#=> [Integer, 1000000000000000019884624838656, 2.0, (0/1)]
[12.ceil(-1), 12.floor(-1), -12.ceil(-1), -12.floor(-1), 12.truncate(-1), 15.ceildiv(4), 7.ceildiv(-2)]
#=> [20, 10, -10, -20, 10, 4, -3]
[1.coerce(2.5), 1.5.coerce(2), 1.coerce('2')]
#=> [[2.5, 1.0], [2.0, 1.5], [2.0, 1.0]]
[Rational(3, 6), Rational('2/3'), Rational(1.5), Rational('0.75'), 3.to_r, 0.75.to_r, 1r + 1, 1r + 0.5, 3r / 2, 2r ** 2]
#=> [(1/2), (2/3), (3/2), (3/4), (3/1), (3/4), (2/1), 1.5, (3/2), (4/1)]
[Rational(7, 2).floor, Rational(7, 2).ceil, Rational(7, 2).round, Rational(5, 2).round, Rational(-7, 2).truncate, Rational(7, 3).round(2), Rational(7, 2).to_f, Rational(7, 2).to_i]
#=> [3, 4, 4, 3, -3, (233/100), 3.5, 3]
[Rational(7, 2).numerator, Rational(7, 2).denominator, Rational(7, 2) > 3, Rational(4, 2) == 2, Rational(1, 2).zero?, Rational(1, 2) <=> 0.5]
#=> [7, 2, true, true, false, 0]
format("%5", 1)
#!! ArgumentError: malformed format string - %*[0-9]
format("%.", 1)
#!! ArgumentError: malformed format string - %*[0-9]
format("%.3", 1)
#!! ArgumentError: malformed format string - %*[0-9]
format("%+", 1)
#!! ArgumentError: invalid format character - %
format("%")
#!! ArgumentError: incomplete format specifier; use %% (double %) instead
format("%5%")
#!! ArgumentError: invalid format character - %
format("%1$", 1)
#=> "%"
format("%<a>", a: 1)
#=> "%"
format("%1$*d", 1)
#!! ArgumentError: unnumbered(1) mixed with numbered
format("%1$1$d", 1)
#!! ArgumentError: value given twice - 1$
format("%0$d", 1)
#!! ArgumentError: malformed format string - %$
format("%3$d", 1)
#!! ArgumentError: too few arguments
format("%1$s %<a>s", {a: 1})
#!! ArgumentError: named<a> after numbered
format("%<a>s %1$s", {a: 1})
#!! ArgumentError: numbered(1) after named
format("%5 d|%-5+d|% 05d|%5-d", 1, 2, 3, 4)
#!! ArgumentError: flag after width
format("%5.2.1f", 1)
#!! ArgumentError: precision given twice
format("%5 5d", 1)
#!! ArgumentError: flag after width
format("%**d", 1, 2, 3)
#!! ArgumentError: width given twice
format("%*5d", 1, 2)
#!! ArgumentError: width given twice
format("%<a><b>d", a: 1, b: 2)
#!! ArgumentError: named<b> after <a>
format("%<a>*d", a: 1)
#!! ArgumentError: unnumbered(1) mixed with named
format("%\n", 1)
#=> "%\n"
format("%\u0000", 1)
#=> "%\u0000"
format("%-\n", 1)
#!! ArgumentError: invalid format character - %
format("abc%s%", 1)
#!! ArgumentError: incomplete format specifier; use %% (double %) instead
format('%1$*2$d|', 5, 8)
#=> "       5|"
format('%2$*1$d|', 5, 8)
#=> "    8|"
format('%1$-*2$d|', 5, 8)
#=> "5       |"
format('%1$.*2$f|', 5.25, 1)
#=> "5.2|"
format('%*d|', -5, 8)
#=> "8    |"
format('%1$s %s', 1, 2)
#!! ArgumentError: unnumbered(1) mixed with numbered
format('%s %1$s', 1, 2)
#!! ArgumentError: numbered(1) after unnumbered(1)
format('%1$08.3f|%1$+d|%1$x', 25)
#=> "0025.000|+25|19"
'%2$s-%1$s' % %w[a b]
#=> "b-a"
format('%99999999999d', 1)
#!! ArgumentError: width too big
format('%.99999999999d', 1)
#!! ArgumentError: precision too big
[:up, :even, :down].map { |h| (Float::INFINITY.round(0, half: h) rescue $!.message) }
#=> ["Infinity", "NaN", "Infinity"]
[1.5.numerator, 0.1.denominator, 2.0.numerator, -0.5.denominator, Float::INFINITY.numerator, Float::INFINITY.denominator, 0.0.numerator]
#=> [3, 36028797018963968, 2, 2, Infinity, 1, 0]
Rational(311, 100).rationalize(Rational(1, 100))
#=> (28/9)
[Rational(22, 7).rationalize(0.1), Rational(-22, 7).rationalize(0.1), Rational(1, 3).rationalize, Rational(1,3).rationalize(1)]
#=> [(16/5), (-16/5), (1/3), (0/1)]
[5e-324.rationalize, 2.2250738585072014e-308.rationalize, 1e-310.rationalize, 3.0.rationalize, 4503599627370497.5.rationalize, 0.5.rationalize, 1.0e-5.rationalize, -1.5.rationalize(Rational(1, 2)), 0.3.rationalize(1)]
#=> [(1/202402253307310595881331160939970955233628683300820540114940361666876978112940484566642705057317860148685053052862927279033232696059538717496251966479608791235187911542110919407860899782606145266062291779369319079129206873309835197374615840337467854569781457038996153763963831867916471579059802004067394143141848122235305984), (1/44942328371557892703631855932926643156483921992721106722910109724650635357288238528693004049622907769264713152082652509518741522866922259437372659025468910883913212015918974142150354951798206851978865601220229715002486975030623383403542057198946725231576739165494628061906253051009157224240331719237716377601), (1/10000000000000029585700532568710905412162044573659127867256961394138855916216577035990592132781655066040632299219124298160699847459562696640056798183800907088924439778379480018907727530761128912150211171876367354579208524858715189730041035925482684218362104686626453532566663427340026346067178972764032033222344), (3/1), (4503599627370498/1), (1/2), (1/100000), (-1/1), (0/1)]
[0.1.rationalize, 3.14.rationalize, 1e20.rationalize, -0.333.rationalize, 0.0.rationalize, 1e-300.rationalize, 1.5e300.rationalize, 0.3333333333333333.rationalize]
#=> [(1/10), (157/50), (100000000000000000000/1), (-333/1000), (0/1), (1/999999999999999892050447580210302158371353057127266359536167130114562151089365868358986438194073138751693644357363210012758486769356313009474496521291660767779755360826710851991874701575946391513289003247018299290205884169804519040679627872321120174970326830293340260739595327173377092195951673445741), (1500000000000000078757140382806630373056702871662238732373781173267703686983362293679557062620671796065556665749325817265413784853040645863467188277180060474272580801389863705606745350692182135089053429852456199917621678558451461320111979114170213741868888183230085264257173504208294580298189100810240/1), (1/3)]
[1e-20.rationalize, 0.1.rationalize(Rational(1, 100)), 3.14159.rationalize(0.01), 1.0.rationalize, 1e15.rationalize, 123456.789.rationalize]
#=> [(1/99999999999999997962), (1/10), (22/7), (1/1), (1000000000000000/1), (123456789/1000)]
"####;
