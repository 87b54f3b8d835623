# `Shellwords`: words as a shell reads and writes them.
module Shellwords
  def self.split(line)
    words = []
    word = nil
    rest = line.to_s
    until rest.empty?
      if (m = /\A\s+/.match(rest))
        words << word if word
        word = nil
      elsif (m = /\A'([^']*)'/.match(rest)) || (m = /\A"((?:[^"\\]|\\.)*)"/m.match(rest))
        text = m[0].start_with?('"') ? m[1].gsub(/\\([$`"\\\n])/, '\1') : m[1]
        word = (word || "") + text
      elsif (m = /\A\\(.)/m.match(rest))
        word = (word || "") + m[1]
      elsif (m = /\A[^\s'"\\]+/.match(rest))
        word = (word || "") + m[0]
      else
        raise ArgumentError, "Unmatched quote: #{line}"
      end
      rest = m.post_match
    end
    words << word if word
    words
  end

  def self.shellsplit(line) = split(line)
  def self.shellwords(line) = split(line)

  def self.escape(text)
    text = text.to_s
    return "''" if text.empty?
    text.gsub(%r{[^A-Za-z0-9_\-.,:+/@\n]}) { |c| "\\#{c}" }.gsub("\n", "'\n'")
  end

  def self.shellescape(text) = escape(text)

  def self.join(words)
    words.map { |word| escape(word) }.join(" ")
  end

  def self.shelljoin(words) = join(words)
end

class String
  def shellsplit = Shellwords.split(self)
  def shellescape = Shellwords.escape(self)
end

class Array
  def shelljoin = Shellwords.join(self)
end
