# `OpenStruct`: an object whose members come into being when they are set.
class OpenStruct
  def initialize(hash = nil)
    @table = {}
    hash&.each_pair { |key, value| @table[key.to_sym] = value }
  end

  def [](name)
    @table[name.to_sym]
  end

  def []=(name, value)
    raise FrozenError, "can't modify frozen OpenStruct: #{inspect}" if frozen?
    @table[name.to_sym] = value
  end

  def to_h(&block)
    block ? @table.to_h(&block) : @table.dup
  end

  def each_pair(&block)
    return @table.each_pair unless block
    @table.each_pair(&block)
    self
  end

  def dig(name, *rest)
    @table.dig(name.to_sym, *rest)
  end

  def delete_field(name)
    raise NameError, "no field '#{name}' in #{inspect}" unless @table.key?(name.to_sym)
    @table.delete(name.to_sym)
  end

  def respond_to_missing?(name, all = false)
    @table.key?(name.to_s.chomp("=").to_sym) || super
  end

  def method_missing(name, *args)
    text = name.to_s
    return self[text.chomp("=")] = args.first if text.end_with?("=")
    return @table[name] if args.empty?
    super
  end

  def ==(other)
    other.is_a?(OpenStruct) && to_h == other.to_h
  end

  def hash
    @table.hash
  end

  def inspect
    members = @table.map { |key, value| " #{key}=#{value.inspect}" }
    "#<OpenStruct#{members.join(',')}>"
  end
  alias to_s inspect
end
