//! Exceptions: raising, rescuing, ensuring, retrying, their messages and causes. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
# raise
raise
#!! RuntimeError: 
raise 'a'
#!! RuntimeError: a
raise ArgumentError
#!! ArgumentError: ArgumentError
raise ArgumentError, 'a'
#!! ArgumentError: a
raise ArgumentError.new('a')
#!! ArgumentError: a
raise ArgumentError.new
#!! ArgumentError: ArgumentError
raise ArgumentError.new(nil)
#!! ArgumentError: ArgumentError
raise ArgumentError.new(5)
#!! ArgumentError: 5
raise ArgumentError, nil
#!! ArgumentError: ArgumentError
raise ArgumentError, :sym
#!! ArgumentError: sym
raise Class.new(StandardError), 'x' rescue $!.message
#=> "x"
raise 5
#!! TypeError: exception class/object expected
raise String
#!! TypeError: exception class/object expected
raise nil
#!! TypeError: exception class/object expected
raise Exception, 'e'
#!! Exception: e
raise 'a', cause: nil
#!! RuntimeError: a
raise IOError
#!! IOError: IOError
raise KeyError.new('k', receiver: { a: 1 }, key: :b)
#!! KeyError: k
begin; raise KeyError.new('k', receiver: { a: 1 }, key: :b); rescue => e; [e.key, e.receiver]; end
#=> [:b, {:a=>1}]
begin; { a: 1 }.fetch(:b); rescue KeyError => e; [e.key, e.receiver]; end
#=> [:b, {:a=>1}]
begin; nope; rescue NameError => e; e.name; end
#=> :nope
begin; [1].fetch(9); rescue IndexError => e; e.message; end
#=> "index 9 outside of array bounds: -1...1"
begin; Integer('z'); rescue ArgumentError => e; e.message; end
#=> "invalid value for Integer(): \"z\""
begin; 1 / 0; rescue ZeroDivisionError => e; e.message; end
#=> "divided by 0"
begin; raise StopIteration; rescue IndexError => e; e.class; end
#=> StopIteration
begin; [].each.next; rescue StopIteration => e; [e.message, e.result]; end
#=> ["iteration reached an end", []]
begin; 'a'.freeze << 'b'; rescue FrozenError => e; [e.message, e.receiver]; end
#=> ["can't modify frozen String: \"a\"", "a"]
begin; exit; rescue SystemExit => e; [e.status, e.success?, e.message]; end
#=> [0, true, "exit"]
begin; exit 3; rescue SystemExit => e; e.status; end
#=> 3
begin; abort 'bye'; rescue SystemExit => e; [e.status, e.message]; end
#=> [1, "bye"]
# rescue
begin; 1; rescue; 2; end
#=> 1
begin; raise 'a'; rescue; 2; end
#=> 2
begin; raise 'a'; rescue => e; e.message; end
#=> "a"
begin; raise 'a'; rescue RuntimeError, ArgumentError => e; e.class; end
#=> RuntimeError
begin; raise TypeError; rescue ArgumentError; 1; rescue TypeError; 2; end
#=> 2
begin; raise Exception; rescue; 1; end
#!! Exception: Exception
begin; raise NotImplementedError; rescue; 1; end
#!! NotImplementedError: NotImplementedError
begin; raise NotImplementedError; rescue ScriptError => e; e.message; end
#=> "NotImplementedError"
begin; raise 'a'; rescue *[TypeError, RuntimeError] => e; e.class; end
#=> RuntimeError
begin; raise 'a'; rescue ArgumentError, *[RuntimeError]; :splat; end
#=> :splat
begin; raise 'a'; rescue 'x'; 1; end
#!! TypeError: class or module required for rescue clause
begin; raise 'a'; rescue nil; 1; end
#!! TypeError: class or module required for rescue clause
begin; 1; rescue 5; 2; else 3; end
#=> 3
m = Module.new { def self.===(e) = e.message == 'a' }; begin; raise 'a'; rescue m; :matched; end
#=> :matched
m = Module.new; begin; begin; raise 'a'; rescue => e; e.extend(m); raise; end; rescue m; :ext; end
#=> :ext
begin; raise 'a'; rescue => @e; end; @e.message
#=> "a"
begin; raise 'a'; rescue => $e2; end; $e2.message
#=> "a"
h = {}; begin; raise 'a'; rescue => h[:e]; end; h[:e].message
#=> "a"
begin; raise 'x'; rescue; $!.message; end
#=> "x"
begin; raise 'x'; rescue; end; $!.inspect
#=> "nil"
begin; begin; raise 'a'; rescue; raise 'b'; end; rescue; $!.message; end
#=> "b"
(raise 'a' rescue 5)
#=> 5
x = raise('a') rescue 6; x
#=> 6
x = Integer('z') rescue 0; x
#=> 0
def f = raise('a') rescue 7; f
#=> 7
a = [1, (raise 'x' rescue 2), 3]; a
#=> [1, 2, 3]
def f; raise 'x'; rescue; :m; end; f
#=> :m
def f; 1; rescue; 2; else; 3; ensure; 4; end; f
#=> 3
def f; raise 'x'; rescue; 2; else; 3; ensure; 4; end; f
#=> 2
[1].each do |x| raise 'in block' rescue break :r end
#=> :r
r = [1, 2].map do |x| raise 'b' if x == 1; x; rescue; 0; end; r
#=> [0, 2]
-> do raise 'x'; rescue; :l; end.call
#=> :l
class X; raise 'in class'; rescue => e; MSG = e.message; end; X::MSG
#=> "in class"
# else and ensure
begin; 1; rescue; 2; else; 3; end
#=> 3
begin; 1; ensure; 2; end
#=> 1
r = []; begin; r << 1; ensure; r << 2; end; r
#=> [1, 2]
r = []; begin; begin; raise 'a'; ensure; r << 1; end; rescue; r << 2; end; r
#=> [1, 2]
r = []; begin; raise 'a'; rescue; r << 1; else; r << 2; ensure; r << 3; end; r
#=> [1, 3]
r = []; begin; r << 0; rescue; r << 1; else; r << 2; ensure; r << 3; end; r
#=> [0, 2, 3]
begin; begin; raise 'a'; ensure; raise 'b'; end; rescue => e; [e.message, e.cause&.message]; end
#=> ["b", "a"]
def f; yield; ensure; $log = :done; end; f { 1 }; $log
#=> :done
def f; yield; ensure; $log2 = :done; end; [1].each { f { break } }; $log2
#=> :done
def f; begin; return 1; ensure; $l3 = 3; end; end; [f, $l3]
#=> [1, 3]
def f; loop { begin; break 1; ensure; $l4 = 4; end }; end; [f, $l4]
#=> [1, 4]
def f; [1, 2].each { |x| begin; next; ensure; ($l5 ||= []) << x; end }; end; f; $l5
#=> [1, 2]
def f; begin; raise 'a'; ensure; return 5; end; end; f
#=> 5
begin; raise 'else'; rescue TypeError; else; 1; end
#!! RuntimeError: else
begin; begin; 1; rescue; else; raise 'from else'; end; rescue => e; e.message; end
#=> "from else"
# retry
n = 0; begin; n += 1; raise 'x' if n < 3; n; rescue; retry; end
#=> 3
n = 0; begin; n += 1; Integer('z') if n < 2; :ok; rescue ArgumentError; retry if n < 5; end
#=> :ok
def f(n = 0); n += 1; raise 'x' if n < 3; n; rescue; @n = n; @n; end; f
#=> 1
# cause
begin; begin; raise 'a'; rescue; raise 'b'; end; rescue => e; e.cause.message; end
#=> "a"
begin; begin; raise 'a'; rescue => x; raise TypeError, 'b', cause: nil; end; rescue => e; e.cause.inspect; end
#=> "nil"
begin; raise 'a', cause: ArgumentError.new('z'); rescue => e; e.cause.inspect; end
#=> "#<ArgumentError: z>"
begin; begin; begin; raise 'a'; rescue; raise 'b'; end; rescue; raise 'c'; end; rescue => e; [e, e.cause, e.cause.cause, e.cause.cause.cause].map(&:inspect); end
#=> ["#<RuntimeError: c>", "#<RuntimeError: b>", "#<RuntimeError: a>", "nil"]
begin; raise 'a', cause: 5; rescue => e; [e.class, e.message]; end
#=> [TypeError, "exception object expected"]
# classes of one's own
class MyE < StandardError; end; raise MyE
#!! MyE: MyE
class MyE < StandardError; end; raise MyE, 'm'
#!! MyE: m
class MyE < StandardError; def message = 'own'; end; raise MyE
#!! MyE: own
class MyE < StandardError; def initialize(m = 'default') = super; end; raise MyE
#!! MyE: default
class MyE < StandardError; def initialize(m = 'default') = super; end; raise MyE, 'given'
#!! MyE: given
class MyE < StandardError; def initialize(a, b) = super("#{a}-#{b}"); end; raise MyE.new(1, 2)
#!! MyE: 1-2
class MyE < StandardError; def initialize(a, b) = super("#{a}-#{b}"); end; raise MyE, 1
#!! ArgumentError: wrong number of arguments (given 1, expected 2)
class MyE < StandardError; attr_reader :code; def initialize(code) = (@code = code; super('c' + code.to_s)); end; begin; raise MyE.new(4); rescue MyE => e; [e.code, e.message]; end
#=> [4, "c4"]
class MyE < StandardError; def to_s = 'tos'; end; begin; raise MyE; rescue => e; [e.message, e.to_s, e.inspect]; end
#=> ["tos", "tos", "#<MyE: tos>"]
class MyE < StandardError; end; begin; raise MyE; rescue => e; [e.message, e.inspect]; end
#=> ["MyE", "#<MyE: MyE>"]
class MyE < Exception; end; begin; raise MyE; rescue; 1; end
#!! MyE: MyE
class MyE < StandardError; end; class Sub < MyE; end; begin; raise Sub; rescue MyE => e; e.class; end
#=> Sub
module Errs; class A < StandardError; end; end; raise Errs::A
#!! Errs::A: Errs::A
E1 = Class.new(RuntimeError); begin; raise E1; rescue => e; e.message; end
#=> "E1"
class MyE < StandardError; def self.exception(m = 'd') = new("#{m}!"); end; raise MyE, 'x'
#!! MyE: x!
o = Object.new; def o.exception(*a) = ArgumentError.new("from o #{a}"); raise o, 'y'
#!! ArgumentError: from o ["y"]
class MyE < StandardError; def detailed_message(highlight: false, **) = 'detail'; end; begin; raise MyE; rescue => e; [e.message, e.detailed_message]; end
#=> ["MyE", "detail"]
# what exceptions show
RuntimeError.new('a').inspect
#=> "#<RuntimeError: a>"
RuntimeError.new.inspect
#=> "#<RuntimeError: RuntimeError>"
RuntimeError.new('').inspect
#=> "RuntimeError"
RuntimeError.new("a\nb").inspect
#=> "#<RuntimeError:\"a\\nb\">"
RuntimeError.new('a').message
#=> "a"
RuntimeError.new.message
#=> "RuntimeError"
RuntimeError.new(nil).message
#=> "RuntimeError"
RuntimeError.new([1]).message
#=> "[1]"
RuntimeError.new('a').to_s
#=> "a"
RuntimeError.new('a') == RuntimeError.new('a')
#=> true
RuntimeError.new('a') == RuntimeError.new('b')
#=> false
RuntimeError.new('a').backtrace.inspect
#=> "nil"
RuntimeError.new('a').exception.message
#=> "a"
e = RuntimeError.new('a'); e.exception('b').message
#=> "b"
e = RuntimeError.new('a'); e.exception.equal?(e)
#=> true
e = RuntimeError.new('a'); e.set_backtrace(['x']); e.backtrace
#=> ["x"]
RuntimeError.new('a').detailed_message
#=> "a (RuntimeError)"
RuntimeError.new('').detailed_message
#=> "unhandled exception"
RuntimeError.new("a\nb").detailed_message
#=> "a (RuntimeError)\nb"
RuntimeError.exception('z').message
#=> "z"
NameError.new('m', :n).name
#=> :n
StopIteration.new.message
#=> "StopIteration"
SystemExit.new.status
#=> 0
SystemExit.new(false).status
#=> 1
SystemExit.new(2, 'm').message
#=> "m"
FrozenError.new('x', receiver: 'r').receiver
#=> "r"
# the tree
[ZeroDivisionError, FloatDomainError, KeyError, StopIteration, FrozenError, NoMethodError, LoadError, Errno::ENOENT].map(&:superclass)
#=> [StandardError, RangeError, IndexError, IndexError, RuntimeError, NameError, ScriptError, SystemCallError]
StandardError.ancestors.include?(Exception)
#=> true
[RangeError, IOError, EOFError, EncodingError, FiberError, ThreadError, RegexpError, LocalJumpError].map(&:superclass)
#=> [StandardError, StandardError, IOError, StandardError, StandardError, StandardError, StandardError, StandardError]
SystemStackError.superclass
#=> Exception
[SecurityError, Interrupt, SignalException, NoMemoryError, SystemExit, ScriptError].map(&:superclass)
#=> [Exception, SignalException, Exception, Exception, Exception, Exception]
UncaughtThrowError.superclass
#=> ArgumentError
NoMatchingPatternKeyError.superclass
#=> NoMatchingPatternError
Encoding::UndefinedConversionError.superclass
#=> EncodingError
Math::DomainError.superclass
#=> StandardError
ArgumentError.instance_methods(false)
#=> []
Errno::ENOENT.new.message
#=> "No such file or directory"
Errno::ENOENT.new('x').message
#=> "No such file or directory - x"
Errno::EACCES.new('x').message
#=> "Permission denied - x"
Errno::EEXIST::Errno
#=> 17
# words of common mistakes
nil.upcase
#!! NoMethodError: undefined method `upcase' for nil
nil + 1
#!! NoMethodError: undefined method `+' for nil
nil[0]
#!! NoMethodError: undefined method `[]' for nil
nil.each { }
#!! NoMethodError: undefined method `each' for nil
true.length
#!! NoMethodError: undefined method `length' for true
5.upcase
#!! NoMethodError: undefined method `upcase' for an instance of Integer
5.5.nope
#!! NoMethodError: undefined method `nope' for an instance of Float
:a.nope
#!! NoMethodError: undefined method `nope' for an instance of Symbol
[].nope
#!! NoMethodError: undefined method `nope' for an instance of Array
{}.nope
#!! NoMethodError: undefined method `nope' for an instance of Hash
(1..2).nope
#!! NoMethodError: undefined method `nope' for an instance of Range
Object.new.nope rescue $!.message
#=> "undefined method `nope' for an instance of Object"
Object.nope
#!! NoMethodError: undefined method `nope' for class Object
Class.new.new.nope rescue $!.message.sub(/0x\h+/, 'X')
#=> "undefined method `nope' for an instance of #<Class:X>"
class Foo; end; Foo.new.bar
#!! NoMethodError: undefined method `bar' for an instance of Foo
class Foo; end; Foo.bar
#!! NoMethodError: undefined method `bar' for class Foo
module Mo; end; Mo.bar
#!! NoMethodError: undefined method `bar' for module Mo
class Foo; def inspect = 'mine'; end; Foo.new.bar
#!! NoMethodError: undefined method `bar' for an instance of Foo
class Foo; private def p = 1; end; Foo.new.p
#!! NoMethodError: private method `p' called for an instance of Foo
class Foo; protected def p = 1; end; Foo.new.p
#!! NoMethodError: protected method `p' called for an instance of Foo
Foo
#!! NameError: uninitialized constant Foo
Foo::Bar
#!! NameError: uninitialized constant Foo
String::Bar
#!! NameError: uninitialized constant String::Bar
foo
#!! NameError: undefined local variable or method `foo' for main
foo()
#!! NoMethodError: undefined method `foo' for main
self.foo
#!! NoMethodError: undefined method `foo' for main
foo = foo + 1
#!! NoMethodError: undefined method `+' for nil
@a.size
#!! NoMethodError: undefined method `size' for nil
class Foo; @@x; end
#!! NameError: uninitialized class variable @@x in Foo
$undefined.size
#!! NoMethodError: undefined method `size' for nil
1 + 'a'
#!! TypeError: String can't be coerced into Integer
1 + nil
#!! TypeError: nil can't be coerced into Integer
1.0 + 'a'
#!! TypeError: String can't be coerced into Float
'a' + 1
#!! TypeError: no implicit conversion of Integer into String
'a' + nil
#!! TypeError: no implicit conversion of nil into String
'a' + :b
#!! TypeError: no implicit conversion of Symbol into String
'a' * 'b'
#!! TypeError: no implicit conversion of String into Integer
'a' * -1
#!! ArgumentError: negative argument
[1] + 1
#!! TypeError: no implicit conversion of Integer into Array
[1] * nil
#!! TypeError: no implicit conversion from nil to integer
[1] * -1
#!! ArgumentError: negative argument
[1].first(-1)
#!! ArgumentError: negative array size
[1].first('a')
#!! TypeError: no implicit conversion of String into Integer
[1, 'a'].sort
#!! ArgumentError: comparison of Integer with String failed
[1, nil].max
#!! ArgumentError: comparison of Integer with nil failed
[nil, 1].sort
#!! ArgumentError: comparison of NilClass with 1 failed
[3, 'a', 1].min
#!! ArgumentError: comparison of String with 3 failed
{ a: 1 }.sort_by { |k, v| [nil, 1][v] }
#=> [[:a, 1]]
[[1], ['a']].sort
#!! ArgumentError: comparison of Array with Array failed
1 < 'a'
#!! ArgumentError: comparison of Integer with String failed
1 < nil
#!! ArgumentError: comparison of Integer with nil failed
'a' < 1
#!! ArgumentError: comparison of String with 1 failed
1.5 > nil
#!! ArgumentError: comparison of Float with nil failed
1 <=> 'a'
#=> nil
Integer('a')
#!! ArgumentError: invalid value for Integer(): "a"
Integer('1.5')
#!! ArgumentError: invalid value for Integer(): "1.5"
Integer('')
#!! ArgumentError: invalid value for Integer(): ""
Integer(nil)
#!! TypeError: can't convert nil into Integer
Integer([])
#!! TypeError: can't convert Array into Integer
Integer('z', 36)
#=> 35
Integer('9', 8)
#!! ArgumentError: invalid value for Integer(): "9"
Integer('1', 99)
#!! ArgumentError: invalid radix 99
Integer(1.9)
#=> 1
Integer(Float::NAN)
#!! FloatDomainError: NaN
Integer(Float::INFINITY)
#!! FloatDomainError: Infinity
Float('a')
#!! ArgumentError: invalid value for Float(): "a"
Float('')
#!! ArgumentError: invalid value for Float(): ""
Float(nil)
#!! TypeError: can't convert nil into Float
Float('1e')
#!! ArgumentError: invalid value for Float(): "1e"
Rational('x')
#!! ArgumentError: invalid value for convert(): "x"
Rational(1, 0)
#!! ZeroDivisionError: divided by 0
Array(nil)
#=> []
Array(1..2)
#=> [1, 2]
Array(a: 1)
#=> [[:a, 1]]
String(nil)
#=> ""
Hash(nil)
#=> {}
Hash([])
#=> {}
Hash([1])
#!! TypeError: can't convert Array into Hash
Hash(5)
#!! TypeError: can't convert Integer into Hash
'abc'.to_sym.to_proc.call(5)
#!! NoMethodError: undefined method `abc' for an instance of Integer
'abc'.center
#!! ArgumentError: wrong number of arguments (given 0, expected 1..2)
'abc'.center('x')
#!! TypeError: no implicit conversion of String into Integer
'abc'.ljust(5, '')
#!! ArgumentError: zero width padding
'abc'[1, 2, 3]
#!! ArgumentError: wrong number of arguments (given 3, expected 1..2)
'abc'['x', 'y']
#!! TypeError: no implicit conversion of String into Integer
'abc'[nil]
#!! TypeError: no implicit conversion from nil to integer
'abc'.sub
#!! ArgumentError: wrong number of arguments (given 0, expected 2)
'abc'.sub('a')
#!! ArgumentError: wrong number of arguments (given 1, expected 2)
'abc'.gsub(5, 'x')
#!! TypeError: wrong argument type Integer (expected Regexp)
'abc'.index(5)
#!! TypeError: no implicit conversion of Integer into String
'abc'.start_with?(5)
#!! TypeError: no implicit conversion of Integer into String
'abc'.tr('a')
#!! ArgumentError: wrong number of arguments (given 1, expected 2)
'abc'.tr('c-a', 'x')
#!! ArgumentError: invalid range "c-a" in string transliteration
'abc'.to_i(1)
#!! ArgumentError: invalid radix 1
'abc'.to_i(37)
#!! ArgumentError: invalid radix 37
'abc'.insert(9, 'x')
#!! IndexError: index 9 out of string
'abc'.unpack('@9C')
#!! ArgumentError: @ outside of string
5.round(nil)
#!! TypeError: no implicit conversion from nil to integer
5.round('a')
#!! TypeError: no implicit conversion of String into Integer
5.to_s(1)
#!! ArgumentError: invalid radix 1
5.to_s(99)
#!! ArgumentError: invalid radix 99
5.chr('nope')
#!! ArgumentError: unknown encoding name - nope
300.chr
#!! RangeError: 300 out of char range
-1.chr
#!! RangeError: -1 out of char range
5.digits(1)
#!! ArgumentError: invalid radix 1
-5.digits
#!! Math::DomainError: out of domain
5.pow(2, 0)
#!! ZeroDivisionError: divided by 0
5 % 0
#!! ZeroDivisionError: divided by 0
5.0 % 0
#!! ZeroDivisionError: divided by 0
5.divmod(0)
#!! ZeroDivisionError: divided by 0
5.fdiv(0)
#=> Infinity
0.0 / 0
#=> NaN
2**-1
#=> (1/2)
0**-1
#!! ZeroDivisionError: divided by 0
5.clamp(3, 1)
#!! ArgumentError: min argument must be less than or equal to max argument
5.step(1, 0) { break }
#!! ArgumentError: step can't be 0
1.upto
#!! ArgumentError: wrong number of arguments (given 0, expected 1)
1.upto('a') { }
#!! ArgumentError: comparison of Integer with String failed
3.times.next.next
#=> 1
Integer.sqrt(-1)
#!! Math::DomainError: Numerical argument is out of domain - "isqrt"
Math.sqrt(-1)
#!! Math::DomainError: Numerical argument is out of domain - sqrt
Math.log(-1)
#!! Math::DomainError: Numerical argument is out of domain - log
Math.sqrt('a')
#!! TypeError: can't convert String into Float
Math.sqrt(nil)
#!! TypeError: can't convert nil into Float
Comparable.clamp
#!! NoMethodError: undefined method `clamp' for module Comparable
(1..nil).to_a
#!! RangeError: cannot convert endless range to an array
(1..).size
#=> Infinity
(..1).each { }
#!! TypeError: can't iterate from NilClass
('a'..).first('x')
#!! TypeError: no implicit conversion of String into Integer
(1..2).step(0) { break }
#!! ArgumentError: step can't be 0
(1..'a')
#!! ArgumentError: bad value for range
(nil..nil).to_a
#!! RangeError: cannot convert endless range to an array
(1.0..2.0).to_a
#!! TypeError: can't iterate from Float
(1.5..2.5).each { }
#!! TypeError: can't iterate from Float
Range.new(1, 'a')
#!! ArgumentError: bad value for range
Regexp.new('(')
#!! RegexpError: end pattern with unmatched parenthesis: /(/
Regexp.new('[')
#!! RegexpError: premature end of char-class: /[/
Regexp.new('*')
#!! RegexpError: target of repeat operator is not specified: /*/
Regexp.new('a**')
#=> /a**/
Regexp.new(5)
#!! TypeError: no implicit conversion of Integer into String
/a/.match
#!! ArgumentError: wrong number of arguments (given 0, expected 1..2)
/a/.match(5)
#!! TypeError: no implicit conversion of Integer into String
'a' =~ 'a'
#!! TypeError: type mismatch: String given
'a'.match(5)
#!! TypeError: wrong argument type Integer (expected Regexp)
{ a: 1 }.fetch(:b)
#!! KeyError: key not found: :b
{ 'a' => 1 }.fetch('b')
#!! KeyError: key not found: "b"
{ a: 1 }.fetch
#!! ArgumentError: wrong number of arguments (given 0, expected 1..2)
{ a: 1 }.dig
#!! ArgumentError: wrong number of arguments (given 0, expected 1+)
{ a: 5 }.dig(:a, :b)
#!! TypeError: Integer does not have #dig method
[[1]].dig(0, 0, 0)
#!! TypeError: Integer does not have #dig method
[1].fetch(5)
#!! IndexError: index 5 outside of array bounds: -1...1
[1].fetch(-5)
#!! IndexError: index -5 outside of array bounds: -1...1
[1].fetch('x')
#!! TypeError: no implicit conversion of String into Integer
[1, 2].first(1, 2)
#!! ArgumentError: wrong number of arguments (given 2, expected 0..1)
[1, 2]['a']
#!! TypeError: no implicit conversion of String into Integer
[1, 2][nil]
#!! TypeError: no implicit conversion from nil to integer
[1][1.9]
#=> nil
[].sample(-1)
#!! ArgumentError: negative sample number
[1, 2].combination
#!! ArgumentError: wrong number of arguments (given 0, expected 1)
[1, 2].each_slice(0)
#!! ArgumentError: invalid slice size
[1, 2].each_cons(0)
#!! ArgumentError: invalid size
[1, 2].zip(5)
#!! TypeError: wrong argument type Integer (must respond to :each)
[1, 2].transpose
#!! TypeError: no implicit conversion of Integer into Array
[[1, 2], [3]].transpose
#!! IndexError: element size differs (1 should be 2)
[[1, 2, 3]].to_h
#!! ArgumentError: wrong array length at 0 (expected 2, was 3)
[1].to_h
#!! TypeError: wrong element type Integer at 0 (expected array)
[[1, 2]].to_h { |a| a.first }
#!! TypeError: wrong element type Integer at 0 (expected array)
[1, 2].inject(:nope)
#!! NoMethodError: undefined method `nope' for an instance of Integer
[1, 2].sum('a')
#!! TypeError: no implicit conversion of Integer into String
['a', 'b'].sum
#!! TypeError: String can't be coerced into Integer
[1, 2].pack('Z')
#!! TypeError: no implicit conversion of Integer into String
['a'].pack('C')
#!! TypeError: no implicit conversion of String into Integer
[1].flatten('a')
#!! TypeError: no implicit conversion of String into Integer
a = [1]; a << a; a.flatten
#!! ArgumentError: tried to flatten recursive array
a = [1]; a << a; a.join
#!! ArgumentError: recursive array join
a = [1]; a << a; a.inspect
#=> "[1, [...]]"
h = {}; h[:h] = h; h.inspect
#=> "{:h=>{...}}"
a = []; a[-1] = 1
#!! IndexError: index -1 too small for array; minimum: 0
a = [1].freeze; a << 2
#!! FrozenError: can't modify frozen Array: [1]
h = { a: 1 }.freeze; h[:b] = 1
#!! FrozenError: can't modify frozen Hash: {:a=>1}
'a'.freeze.upcase!
#!! FrozenError: can't modify frozen String: "a"
:a.instance_variable_set(:@a, 1)
#!! FrozenError: can't modify frozen Symbol: :a
1.instance_variable_set(:@a, 1)
#!! FrozenError: can't modify frozen Integer: 1
h = { a: 1 }; h.each { h[:b] = 2 }
#!! RuntimeError: can't add a new key into hash during iteration
h = { a: 1 }; h.each { h.delete(:a) }; h
#=> {}
a = [1, 2, 3]; a.each { |x| a.delete(x) }; a
#=> [2]
A = 1; A.new
#!! NoMethodError: undefined method `new' for an instance of Integer
Struct.new(:a).new(1, 2)
#!! ArgumentError: struct size differs
Struct.new('a')
#!! NameError: identifier a needs to be constant
Struct.new(:a, keyword_init: true).new(b: 1)
#!! ArgumentError: unknown keywords: b
Struct.new(:a).new(1)[:b]
#!! NameError: no member 'b' in struct
Struct.new(:a).new(1)[5]
#!! IndexError: offset 5 too large for struct(size:1)
Struct.new(:a).new(1)['b']
#!! NameError: no member 'b' in struct
Data.define(:a).new
#!! ArgumentError: missing keyword: :a
Data.define(:a).new(1, 2)
#!! ArgumentError: wrong number of arguments (given 2, expected 0..1)
Data.define(:a).new(b: 1)
#!! ArgumentError: unknown keyword: :b
Object.new.instance_variable_get('a')
#!! NameError: `a' is not allowed as an instance variable name
Object.const_get('a')
#!! NameError: wrong constant name a
Object.const_get(:Nope)
#!! NameError: uninitialized constant Nope
Object.const_set('a', 1)
#!! NameError: wrong constant name a
Object.new.send
#!! ArgumentError: no method name given
Object.new.public_send(:puts)
#!! NoMethodError: private method `puts' called for an instance of Object
5.dup.frozen?
#=> true
nil.dup.inspect
#=> "nil"
Time.at('x')
#!! TypeError: can't convert String into an exact number
Time.utc(2020, 13)
#!! ArgumentError: mon out of range
Time.utc(2020, 1, 1) + Time.utc(2020, 1, 1)
#!! TypeError: time + time?
Kernel.format('%d', 'a')
#!! ArgumentError: invalid value for Integer(): "a"
format('%d')
#!! ArgumentError: too few arguments
format('%d', nil)
#!! TypeError: can't convert nil into Integer
format('%z', 1)
#!! ArgumentError: malformed format string - %z
format('%<a>d', 1)
#!! ArgumentError: one hash required
format('%{a}', { b: 1 })
#!! KeyError: key{a} not found
format('%c', -1)
#!! ArgumentError: invalid character
format('%f', 'x')
#!! ArgumentError: invalid value for Float(): "x"
'%s %s' % [1]
#!! ArgumentError: too few arguments
'%d' % 'x'
#!! ArgumentError: invalid value for Integer(): "x"
Random.rand(-1)
#!! ArgumentError: invalid argument - -1
loop
#=> #<Enumerator: main:loop>
[].each_with_object
#!! ArgumentError: wrong number of arguments (given 0, expected 1)
[].cycle(nil, nil)
#!! ArgumentError: wrong number of arguments (given 2, expected 0..1)
require 'nope/nope'
#!! LoadError: cannot load such file -- nope/nope
def f(a) = a; f
#!! ArgumentError: wrong number of arguments (given 0, expected 1)
BasicObject.new.inspect
#!! NoMethodError: undefined method `inspect' for an instance of BasicObject
BasicObject.new.nope
#!! NoMethodError: undefined method `nope' for an instance of BasicObject
Comparable.new
#!! NoMethodError: undefined method `new' for module Comparable
Integer.new
#!! NoMethodError: undefined method `new' for class Integer
Symbol.new
#!! NoMethodError: undefined method `new' for class Symbol
NilClass.new
#!! NoMethodError: undefined method `new' for class NilClass
Class.new(5)
#!! TypeError: superclass must be an instance of Class (given an instance of Integer)
Class.new(Class)
#!! TypeError: can't make subclass of Class
class Foo < 5; end
#!! TypeError: superclass must be an instance of Class (given an instance of Integer)
class Integer < String; end
#!! TypeError: superclass mismatch for class Integer
class Foo; include 5; end
#!! TypeError: wrong argument type Integer (expected Module)
class Foo; include String; end
#!! TypeError: wrong argument type Class (expected Module)
class Foo; alias a nope; end
#!! NameError: undefined method `nope' for class `Foo'
class Foo; undef_method :nope; end
#!! NameError: undefined method `nope' for class `Foo'
class Foo; remove_method :nope; end
#!! NameError: method `nope' not defined in Foo
class Foo; public :nope; end
#!! NameError: undefined method `nope' for class `Foo'
class Foo; attr_accessor 'a b'; end
#!! NameError: invalid attribute name `a b'
class Foo; define_method(:x); end
#!! ArgumentError: tried to create Proc object without a block
class Foo; def initialize(a) = 1; end; Foo.new
#!! ArgumentError: wrong number of arguments (given 0, expected 1)
class Foo; def initialize = 1; end; Foo.new(1)
#!! ArgumentError: wrong number of arguments (given 1, expected 0)
class Foo; end; Foo.new(1)
#!! ArgumentError: wrong number of arguments (given 1, expected 0)
class Foo; def x = super; end; Foo.new.x
#!! NoMethodError: super: no superclass method `x' for an instance of Foo
def m = super; m
#!! NoMethodError: super: no superclass method `m' for main
yield
#!! SyntaxError: t.rb:1: Invalid yield
return_value = (return 1)
#!! SyntaxError: t.rb:1: void value expression\nreturn_value = (return 1)\n                ^~~~~~~~\n
"a".freeze.concat(1.5)
#!! FrozenError: can't modify frozen String: "a"
"a".freeze << nil
#!! TypeError: no implicit conversion of nil into String
"a".freeze.insert(0, 1)
#!! TypeError: no implicit conversion of Integer into String
"a".freeze.prepend(1)
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.replace(1)
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.gsub!(1, 2)
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.sub!(/x/, "y")
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.tr!("x", "y")
#!! FrozenError: can't modify frozen String: "a"
"a".freeze[0] = 1
#!! TypeError: no implicit conversion of Integer into String
"a".freeze.slice!(nil)
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.squeeze!("b")
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.upcase!
#!! FrozenError: can't modify frozen String: "a"
"A".freeze.upcase!
#!! FrozenError: can't modify frozen String: "A"
"a".freeze.chomp!("x")
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.delete!("x")
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.force_encoding("nope")
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.encode!("nope")
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.concat
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.prepend
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.replace("a")
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.clear
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.succ!
#!! FrozenError: can't modify frozen String: "a"
"a".freeze.strip!
#!! FrozenError: can't modify frozen String: "a"
[1].freeze.push
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.concat(1)
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.insert(0)
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.delete(5)
#=> nil
[1].freeze.delete_if { false }
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.sort!
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.map!
#=> #<Enumerator: [1]:map!>
[1].freeze[0, -1] = 3
#!! FrozenError: can't modify frozen Array: [1]
[].freeze.pop
#!! FrozenError: can't modify frozen Array: []
[].freeze.shift
#!! FrozenError: can't modify frozen Array: []
[].freeze.clear
#!! FrozenError: can't modify frozen Array: []
[1].freeze.unshift
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.uniq!
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.compact!
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.flatten!
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.reject! { false }
#!! FrozenError: can't modify frozen Array: [1]
[1].freeze.replace(1)
#!! FrozenError: can't modify frozen Array: [1]
{}.freeze.delete(1)
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.store(1, 2)
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.merge!(1)
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.merge!
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.update({})
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.delete_if { }
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.reject! { }
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.shift
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.clear
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.default = 1
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.compact!
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.transform_values!
#=> #<Enumerator: {}:transform_values!>
{}.freeze.transform_values! { 1 }
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.replace(1)
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.compare_by_identity
#!! FrozenError: can't modify frozen Hash: {}
{}.freeze.keep_if { }
#!! FrozenError: can't modify frozen Hash: {}
"####;
