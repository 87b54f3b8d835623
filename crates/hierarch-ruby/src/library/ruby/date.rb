# `Date` and `DateTime`: days of the calendar.
class Date
  include Comparable

  class Error < ArgumentError; end

  MONTHNAMES = [nil, *%w[January February March April May June July August September October November December]].freeze
  ABBR_MONTHNAMES = MONTHNAMES.map { |name| name && name[0, 3] }.freeze
  DAYNAMES = %w[Sunday Monday Tuesday Wednesday Thursday Friday Saturday].freeze
  ABBR_DAYNAMES = DAYNAMES.map { |name| name[0, 3] }.freeze

  def self.today = Time.now.to_date

  def self.leap?(year)
    (year % 4).zero? && (year % 100 != 0 || (year % 400).zero?)
  end
  singleton_class.send(:alias_method, :gregorian_leap?, :leap?)

  def self.month_days(year, month)
    return leap?(year) ? 29 : 28 if month == 2
    [4, 6, 9, 11].include?(month) ? 30 : 31
  end

  def self.valid_date?(year, month, day)
    return false unless [year, month, day].all?(Integer) && month.between?(1, 12)
    day.between?(1, month_days(year, month))
  end
  singleton_class.send(:alias_method, :valid_civil?, :valid_date?)

  def self.parse(text)
    time = begin
      Time.parse(text)
    rescue ArgumentError
      raise Error, "invalid date"
    end
    new(time.year, time.month, time.day)
  end

  def self.iso8601(text) = parse(text)

  def self.strptime(text, format = "%F")
    time = Time.strptime(text, format)
    new(time.year, time.month, time.day)
  rescue Error
    raise
  rescue ArgumentError
    raise Error, "invalid date"
  end

  def initialize(year = -4712, month = 1, day = 1)
    day += Date.month_days(year, month) + 1 if day.negative?
    raise Error, "invalid date" unless Date.valid_date?(year, month, day)
    @time = Time.utc(year, month, day)
  end

  def self.civil(*parts) = new(*parts)

  def year = @time.year
  def month = @time.month
  alias mon month
  def day = @time.day
  alias mday day
  def wday = @time.wday
  def yday = @time.yday
  def cwday = wday.zero? ? 7 : wday
  def cweek = strftime("%V").to_i
  def leap? = Date.leap?(year)
  def jd = (@time.to_i / 86_400) + 2_440_588
  def strftime(format = "%F") = @time.strftime(format)
  def to_s = strftime("%F")
  alias iso8601 to_s
  def to_date = self
  def to_time = Time.local(year, month, day)
  def saturday? = wday == 6
  def sunday? = wday.zero?
  def monday? = wday == 1

  def +(days) = moved(days)

  def -(other)
    return Rational(jd - other.jd, 1) if other.is_a?(Date)
    moved(-other)
  end

  def >>(months)
    count = year * 12 + month - 1 + months
    to_year, to_month = count / 12, count % 12 + 1
    self.class.new(to_year, to_month, [day, Date.month_days(to_year, to_month)].min)
  end

  def <<(months) = self >> -months
  def next_day(count = 1) = self + count
  def prev_day(count = 1) = self - count
  def next_month(count = 1) = self >> count
  def prev_month(count = 1) = self << count
  def next_year(count = 1) = self >> (count * 12)
  def prev_year(count = 1) = self << (count * 12)
  def succ = self + 1
  alias next succ

  def <=>(other)
    other.respond_to?(:jd) ? jd <=> other.jd : nil
  end

  def ===(other) = self == other
  def eql?(other) = other.is_a?(Date) && self == other
  def hash = jd.hash
  def step(limit, by = 1) = (0..((limit - self) / by).to_i).map { |n| self + n * by }.each { |date| yield date }
  def upto(limit, &block) = block ? (self..limit).each(&block) : (self..limit).each
  def inspect = "#<#{self.class}: #{self}>"

  private

  def moved(days)
    time = Time.at(@time.to_i + (days * 86_400).to_i).utc
    self.class.new(time.year, time.month, time.day)
  end
end

class DateTime < Date
  def self.now = from_time(Time.now)

  def self.parse(text)
    from_time(Time.parse(text))
  rescue ArgumentError
    raise Error, "invalid date"
  end

  def self.from_time(time)
    made = new(time.year, time.month, time.day, time.hour, time.min, time.sec)
    made
  end

  def initialize(year = -4712, month = 1, day = 1, hour = 0, minute = 0, second = 0)
    super(year, month, day)
    @time = Time.utc(year, month, day, hour, minute, second)
  end

  def hour = @time.hour
  def minute = @time.min
  alias min minute
  def second = @time.sec
  alias sec second
  def to_time = @time
  def to_s = strftime("%FT%T+00:00")
  alias iso8601 to_s
  def <=>(other) = other.is_a?(DateTime) ? to_time <=> other.to_time : super
end

class Time
  def to_date = Date.new(year, month, day)
  def to_datetime = DateTime.from_time(self)
end
