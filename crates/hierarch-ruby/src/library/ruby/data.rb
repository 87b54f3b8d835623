# `Data`: objects of named values that never change.
class Data
  class << self
    def new(*)
      raise NoMethodError.new("undefined method `new' for class Data", :new)
    end

    def define(*names, &block)
      names = names.map { |name| name.is_a?(String) ? name.to_sym : name }
      names.each do |name|
        raise TypeError, "#{name.inspect} is not a symbol nor a string" unless name.is_a?(Symbol)
        raise ArgumentError, "invalid data member: #{name}" if name.end_with?("=")
        raise ArgumentError, "duplicate member: #{name}" if names.count(name) > 1
      end
      made = Class.new(self)
      made.instance_variable_set(:@members, names.freeze)
      made.extend(Made)
      made.send(:attr_reader, *names)
      made.class_eval(&block) if block
      made
    end
  end

  # What classes that `define` has made answer to.
  module Made
    def members
      @members || superclass.members
    end

    def new(*given, **named)
      unless given.empty?
        if given.size > members.size
          raise ArgumentError, "wrong number of arguments (given #{given.size}, expected #{members.empty? ? 0 : "0..#{members.size}"})"
        end
        named = members.zip(given).first(given.size).to_h
      end
      made = allocate
      made.send(:initialize, **named)
      made.freeze
    end
    alias [] new
  end

  def initialize(**named)
    named = named.transform_keys(&:to_sym)
    unknown = named.keys - members
    raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}" unless unknown.empty?
    missing = members - named.keys
    raise ArgumentError, "missing keyword#{"s" if missing.size > 1}: #{missing.map(&:inspect).join(", ")}" unless missing.empty?
    members.each { |name| instance_variable_set("@#{name}", named[name]) }
    freeze
  end

  def members
    self.class.members
  end

  def to_h(&block)
    pairs = members.map { |name| [name, instance_variable_get("@#{name}")] }
    block ? pairs.to_h(&block) : pairs.to_h
  end

  def with(*given, **named)
    raise ArgumentError, "wrong number of arguments (given #{given.size}, expected 0)" unless given.empty?
    named.empty? ? self : self.class.new(**to_h.merge(named))
  end

  def deconstruct_keys(names)
    names ? to_h.slice(*names) : to_h
  end

  def ==(other)
    other.class == self.class && to_h == other.to_h
  end

  def eql?(other)
    other.class == self.class && to_h.eql?(other.to_h)
  end

  def hash
    [self.class.name, to_h].hash
  end

  def inspect
    title = self.class.name ? " #{self.class.name}" : ""
    values = to_h.map { |name, value| "#{name}=#{value.inspect}" }
    "#<data#{title}#{" " unless values.empty?}#{values.join(", ")}>"
  end
  alias to_s inspect
end
