# `StringScanner`: reading a text from left to right by patterns.
class StringScanner
  attr_reader :string, :pos
  alias pointer pos

  def initialize(string, *)
    @string = string
    @pos = 0
    @match = nil
  end

  def string=(text)
    @string = text
    reset
  end

  def pos=(place)
    @pos = place
  end
  alias pointer= pos=

  def scan(pattern) = step(pattern, true, true, true)
  def match?(pattern) = step(pattern, false, false, true)
  def skip(pattern) = step(pattern, true, false, true)
  def check(pattern) = step(pattern, false, true, true)
  def scan_until(pattern) = step(pattern, true, true, false)
  def skip_until(pattern) = step(pattern, true, false, false)
  def check_until(pattern) = step(pattern, false, true, false)
  def exist?(pattern) = step(pattern, false, false, false)

  def getch = scan(/./m)

  def peek(count)
    @string.byteslice(@pos, count)
  end

  def rest = @string.byteslice(@pos..) || ""
  def rest? = !eos?
  def rest_size = @string.bytesize - @pos
  def eos? = @pos >= @string.bytesize
  def bol? = @pos.zero? || @string.byteslice(@pos - 1, 1) == "\n"
  alias beginning_of_line? bol?
  def matched = @match && @match[0]
  def matched? = !@match.nil?
  def matched_size = @match && @match[0].bytesize
  def [](group) = @match && @match[group]
  def captures = @match && @match.captures
  def values_at(*groups) = @match && @match.values_at(*groups)
  def pre_match = @match && @string.byteslice(0, @start)
  def post_match = @match && @match.post_match

  def unscan
    @pos = @before
    @match = nil
    self
  end

  def reset
    @pos = 0
    @match = nil
    self
  end

  def terminate
    @pos = @string.bytesize
    @match = nil
    self
  end

  def inspect
    return "#<StringScanner fin>" if eos?
    "#<StringScanner #{@pos}/#{@string.bytesize} @ #{rest[0, 5].inspect[0..-2]}...\">"
  end

  private

  def step(pattern, moves, gives, anchored)
    pattern = /#{Regexp.escape(pattern)}/ if pattern.is_a?(String)
    text = rest
    @match = (anchored ? /\A(?:#{pattern.source})/.then { |it| Regexp.new(it.source, pattern.options) } : pattern).match(text)
    return nil unless @match
    length = @match.pre_match.bytesize + @match[0].bytesize
    @before = @pos
    @start = @pos + @match.pre_match.bytesize
    @pos += length if moves
    gives ? text.byteslice(0, length) : length
  end
end
