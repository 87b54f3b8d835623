# `Set`: elements without order or repetition, kept as the keys of a hash.
class Set
  include Enumerable

  def self.[](*items)
    new(items)
  end

  def initialize(items = nil, &block)
    @hash = {}
    return if items.nil?
    raise ArgumentError, "value must be enumerable" unless items.respond_to?(:each)
    items = items.each_entry if !items.is_a?(Array) && items.respond_to?(:each_entry)
    items = items.map(&block) if block
    items.each { |item| @hash[item] = true }
  end

  def initialize_copy(other)
    @hash = other.to_a.to_h { |item| [item, true] }
  end

  def add(item)
    raise FrozenError, "can't modify frozen Set: #{inspect}" if frozen?
    @hash[item] = true
    self
  end
  alias << add

  def add?(item)
    include?(item) ? nil : add(item)
  end

  def delete(item)
    raise FrozenError, "can't modify frozen Set: #{inspect}" if frozen?
    @hash.delete(item)
    self
  end

  def delete?(item)
    include?(item) ? delete(item) : nil
  end

  def include?(item)
    @hash.key?(item)
  end
  alias member? include?
  alias === include?
  alias contain? include?

  def each(&block)
    return to_enum(:each) unless block
    @hash.each_key(&block)
    self
  end

  def size
    @hash.size
  end
  alias length size
  alias count_all size

  def count(*args, &block)
    args.empty? && !block ? size : super
  end

  def empty?
    @hash.empty?
  end

  def clear
    @hash.clear
    self
  end

  def to_a
    @hash.keys
  end

  def to_set
    self
  end

  def dup
    Set.new(to_a)
  end

  def merge(*others)
    others.each { |other| other.each { |item| add(item) } }
    self
  end

  def subtract(other)
    other.each { |item| delete(item) }
    self
  end

  def replace(other)
    clear
    merge(other)
  end

  def |(other)
    dup.merge(other)
  end
  alias + |
  alias union |

  def -(other)
    dup.subtract(other)
  end
  alias difference -

  def &(other)
    result = Set.new
    other.each { |item| result.add(item) if include?(item) }
    result
  end
  alias intersection &

  def ^(other)
    other = Set.new(other)
    (self - other) | (other - self)
  end

  def subset?(other)
    raise ArgumentError, "value must be a set" unless other.is_a?(Set)
    size <= other.size && all? { |item| other.include?(item) }
  end
  alias <= subset?

  def superset?(other)
    raise ArgumentError, "value must be a set" unless other.is_a?(Set)
    other.subset?(self)
  end
  alias >= superset?

  def proper_subset?(other)
    subset?(other) && size < other.size
  end
  alias < proper_subset?

  def proper_superset?(other)
    superset?(other) && size > other.size
  end
  alias > proper_superset?

  def <=>(other)
    return nil unless other.is_a?(Set)
    return 0 if self == other
    return -1 if proper_subset?(other)
    return 1 if proper_superset?(other)
    nil
  end

  def intersect?(other)
    other.any? { |item| include?(item) }
  end

  def disjoint?(other)
    !intersect?(other)
  end

  def ==(other)
    other.is_a?(Set) && size == other.size && all? { |item| other.include?(item) }
  end

  def eql?(other)
    self == other
  end

  def hash
    to_a.map(&:hash).sort.hash
  end

  def map!(&block)
    replace(to_a.map(&block))
  end

  def select!(&block)
    before = size
    keep_if(&block)
    size == before ? nil : self
  end
  alias filter! select!

  def reject!(&block)
    before = size
    delete_if(&block)
    size == before ? nil : self
  end

  def keep_if
    to_a.each { |item| delete(item) unless yield(item) }
    self
  end

  def delete_if
    to_a.each { |item| delete(item) if yield(item) }
    self
  end

  def select(&block)
    return to_enum(:select) unless block
    Set.new(to_a.select(&block))
  end
  alias filter select

  def reject(&block)
    return to_enum(:reject) unless block
    Set.new(to_a.reject(&block))
  end

  def partition(&block)
    to_a.partition(&block)
  end

  def group_by(&block)
    to_a.group_by(&block).transform_values { |items| Set.new(items) }
  end
  alias classify group_by

  def first(*args)
    to_a.first(*args)
  end

  def min(*args, &block)
    to_a.min(*args, &block)
  end

  def join(separator = nil)
    to_a.join(separator)
  end

  def flatten
    result = Set.new
    each { |item| item.is_a?(Set) ? result.merge(item.flatten) : result.add(item) }
    result
  end

  def freeze
    @hash.freeze
    super
  end

  def inspect
    "#<#{self.class}: {#{to_a.map(&:inspect).join(', ')}}>"
  end
  alias to_s inspect
end
