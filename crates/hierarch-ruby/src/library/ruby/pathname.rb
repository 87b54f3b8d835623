# `Pathname`: names of files, as names alone.
class Pathname
  include Comparable

  def initialize(path)
    @path = path.to_s
  end

  def to_s = @path.dup
  alias to_path to_s
  alias to_str to_s

  def +(other)
    other = other.to_s
    return Pathname.new(other) if other.start_with?("/")
    base = @path
    parts = other.split("/")
    while parts.first == "." || (parts.first == ".." && base != "." && File.basename(base) != "..")
      base = File.dirname(base) if parts.first == ".."
      parts.shift
    end
    return Pathname.new(base) if parts.empty?
    rest = parts.join("/")
    return Pathname.new(rest) if base == "."
    Pathname.new(base.end_with?("/") ? base + rest : "#{base}/#{rest}")
  end
  alias / +

  def join(*others) = others.inject(self) { |path, other| path + other }
  def basename(*args) = Pathname.new(File.basename(@path, *args))
  def dirname = Pathname.new(File.dirname(@path))
  alias parent dirname
  def extname = File.extname(@path)
  def absolute? = @path.start_with?("/")
  def relative? = !absolute?
  def root? = @path == "/"
  def each_filename(&block) = @path.split("/").reject(&:empty?).each(&block)
  def expand_path(*args) = Pathname.new(File.expand_path(@path, *args))
  def sub_ext(ext) = Pathname.new(@path.delete_suffix(extname) + ext)
  def exist? = File.exist?(@path)
  def file? = File.file?(@path)
  def directory? = File.directory?(@path)
  def read(*args) = File.read(@path, *args)
  def readlines(*args) = File.readlines(@path, *args)
  def children = Dir.children(@path).map { |name| self + name }

  def cleanpath
    parts = []
    @path.split("/").each do |part|
      next if part.empty? || part == "."
      if part == ".." && !parts.empty? && parts.last != ".."
        parts.pop
      elsif part != ".." || !absolute?
        parts << part
      end
    end
    text = parts.join("/")
    return Pathname.new("/#{text}") if absolute?
    Pathname.new(text.empty? ? "." : text)
  end

  def relative_path_from(base)
    mine = cleanpath.to_s.split("/")
    theirs = Pathname.new(base.to_s).cleanpath.to_s.split("/")
    while !mine.empty? && mine.first == theirs.first
      mine.shift
      theirs.shift
    end
    parts = ([".."] * theirs.size) + mine
    Pathname.new(parts.empty? ? "." : parts.join("/"))
  end

  def sub(*args, &block) = Pathname.new(@path.sub(*args, &block))
  def ==(other) = other.is_a?(Pathname) && @path == other.to_s
  alias eql? ==
  def hash = @path.hash
  def <=>(other) = other.is_a?(Pathname) ? @path <=> other.to_s : nil
  def inspect = "#<Pathname:#{@path}>"
end

module Kernel
  def Pathname(path) = Pathname.new(path)
end
