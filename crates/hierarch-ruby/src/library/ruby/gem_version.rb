# `Gem::Version`: versions of gems, compared part by part.
module Gem
  class Version
    include Comparable

    PATTERN = /\A\s*([0-9]+(\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?\s*\z/

    def self.correct?(version)
      version.to_s.match?(PATTERN)
    end

    def self.create(version)
      version.is_a?(Version) || version.nil? ? version : new(version)
    end

    def initialize(version)
      raise ArgumentError, "Malformed version number string #{version}" unless Version.correct?(version)
      text = version.to_s.strip
      @version = (text.empty? && !version.nil? ? "0" : text).gsub("-", ".pre.")
    end

    def version = @version.dup
    alias to_s version
    def segments = @version.scan(/[0-9]+|[a-z]+/i).map { |part| part.match?(/\A\d/) ? part.to_i : part }
    def prerelease? = @version.match?(/[a-zA-Z]/)

    def release
      return self unless prerelease?
      parts = segments
      parts.pop while parts.any?(String)
      Version.new(parts.join("."))
    end

    def bump
      parts = release.segments
      parts.pop if parts.size > 1
      parts[-1] = parts[-1].succ
      Version.new(parts.join("."))
    end

    def canonical_segments
      parts = segments
      cut = parts.index { |part| part.is_a?(String) } || parts.size
      [parts[0...cut], parts[cut..]].flat_map { |half| half.reverse.drop_while { |part| part == 0 }.reverse }
    end

    def <=>(other)
      other = Version.new(other) if other.is_a?(String) && Version.correct?(other)
      return nil unless other.is_a?(Version)
      mine, theirs = canonical_segments, other.canonical_segments
      [mine.size, theirs.size].max.times do |place|
        a, b = mine[place] || 0, theirs[place] || 0
        next if a == b
        return -1 if a.is_a?(String) && b.is_a?(Integer)
        return 1 if a.is_a?(Integer) && b.is_a?(String)
        return a <=> b
      end
      0
    end

    def eql?(other) = other.is_a?(Version) && @version == other.version
    def hash = canonical_segments.hash
    def inspect = "Gem::Version.new(#{@version.inspect})"
  end
end
