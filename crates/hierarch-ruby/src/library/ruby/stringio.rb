# `StringIO`: a text that is read and written like a file.
class StringIO
  include Enumerable

  attr_reader :string, :lineno
  attr_accessor :pos

  def initialize(string = +"", mode = nil)
    @string = string
    @pos = mode.to_s.start_with?("a") ? string.length : 0
    @string.clear if mode.to_s.start_with?("w")
    @lineno = 0
  end

  def self.open(*args)
    io = new(*args)
    block_given? ? yield(io) : io
  end

  def write(*texts)
    texts.sum do |text|
      text = text.to_s
      if @pos == @string.length
        @string << text
      elsif @pos < @string.length
        @string[@pos, text.length] = text
      end
      @pos += text.length
      text.bytesize
    end
  end

  def <<(text)
    write(text)
    self
  end

  def print(*texts)
    write(*texts)
    nil
  end

  def puts(*texts)
    write("\n") if texts.empty?
    texts.flatten.each do |text|
      text = text.to_s
      write(text.end_with?("\n") ? text : "#{text}\n")
    end
    nil
  end

  def printf(*args)
    write(format(*args))
    nil
  end

  def read(length = nil)
    return length ? nil : "" if eof? && length != 0
    text = length ? @string[@pos, length] : @string[@pos..]
    @pos += text.length
    text
  end

  def gets(separator = "\n", chomp: false)
    return nil if eof?
    at = separator && @string.index(separator, @pos)
    line = at ? @string[@pos...(at + separator.length)] : @string[@pos..]
    @pos += line.length
    @lineno += 1
    chomp ? line.chomp : line
  end

  def readline(*args)
    gets(*args) || raise(EOFError, "end of file reached")
  end

  def getc
    return nil if eof?
    @pos += 1
    @string[@pos - 1]
  end

  def each_line(*args, **options)
    return to_enum(:each_line, *args, **options) unless block_given?
    while (line = gets(*args, **options))
      yield line
    end
    self
  end
  alias each each_line

  def readlines(*args, **options)
    each_line(*args, **options).to_a
  end

  def rewind
    @pos = 0
    @lineno = 0
    0
  end

  def seek(place, _whence = 0)
    @pos = place
    0
  end

  def truncate(length)
    @string.replace(@string[0, length])
    0
  end

  def string=(text)
    @pos = 0
    @string = text
  end

  def eof? = @pos >= @string.length
  alias eof eof?
  def tell = @pos
  def size = @string.bytesize
  alias length size
  def close = nil
  def closed? = false
  def flush = self
  def sync = true
  def sync=(value)
    value
  end
  def tty? = false
  alias isatty tty?
end
