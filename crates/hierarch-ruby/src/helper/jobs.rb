# The jobs that `--ruby-command` is given.
module Hierarch
  BLOCKS = {}
  FUNCTIONS = {}

  # Does a job and answers it.
  def self.job(line)
    value = nil
    is_missing = catch(:hierarch_not_found) do
      value = encode(send("do_#{line['do']}", line))
      false
    end
    answer(is_missing ? { 'jump' => 'not_found' } : { 'value' => value })
  rescue Passing
    answer('passing' => true)
  rescue SystemExit, Exception => e # rubocop:disable Lint/RescueException, Lint/ShadowedException
    return answer('passing' => true) if e.instance_variable_get(:@__passing)

    answer('error' => failure(e))
  end

  # Says what went wrong, and where: this text itself is no place.
  def self.failure(error)
    frame = (error.backtrace || []).find { |line| !line.start_with?('-e:', '<internal:') }
    file, line = frame && frame.match(/\A(.*?):(\d+)/)&.captures
    {
      'message' => text(error.message.to_s), 'file' => file, 'line' => line,
      'standard' => error.is_a?(StandardError), 'lookup' => error.is_a?(Puppet::DataBinding::LookupError)
    }
  end

  def self.do_start(line)
    $LOAD_PATH.concat(line['folders'])
    RUBY_VERSION
  end

  def self.do_template(line)
    wrapper = Puppet::Parser::TemplateWrapper.new(line['file'], decode(line['variables']))
    template = ERB.new(line['text'], trim_mode: '-')
    template.filename = line['file'] if line['file']
    template.result(wrapper.__binding)
  end

  # Loads a function, if it is not there yet, and says how it can be called.
  def self.do_load(line)
    return load_old(line['name'], line['file'], line['text']) if line['old']

    function(line).class.dispatches.map(&:__shape)
  end

  def self.do_call(line)
    arguments = decode(line['arguments'])
    block = arguments.pop if line['block']
    if line['old']
      load_old(line['name'], line['file'], line['text'])
      value = Puppet::Parser::Scope.new.send("real_function_#{line['name']}", arguments)
      return Puppet::Parser::Functions.get_function(line['name'])[:type] == :statement ? nil : value
    end
    made = function(line)
    method, _, _, _, injections = made.class.dispatches[line['signature']].__shape
    given = injections.map { |what| what == :scope ? Puppet::Parser::Scope.new : Puppet::Pops::Adapters::ObjectIdCacheAdapter.new }
    made.public_send(method, *given, *arguments, &block)
  end

  def self.do_block(line)
    BLOCKS.fetch(line['number']).call(*decode(line['arguments']))
  end

  def self.with_block(block)
    number = (BLOCKS.keys.max || 0) + 1
    BLOCKS[number] = block
    yield number
  ensure
    BLOCKS.delete(number)
  end

  def self.function(line)
    FUNCTIONS[line['name']] ||= begin
      made = TOPLEVEL_BINDING.eval(line['text'], line['file'], 1)
      unless made.is_a?(Class) && made < Puppet::Pops::Functions::Function
        raise ArgumentError, "The code loaded from #{line['file']} does not seem to be a Puppet 4x API function - no create_function call."
      end

      made.new(Puppet::Parser::Scope.new, nil)
    end
  end

  def self.load_old(name, file, text)
    unless Puppet::Parser::Functions.get_function(name)
      TOPLEVEL_BINDING.eval(text, file, 1)
      unless Puppet::Parser::Functions.get_function(name)
        raise ArgumentError, "The code loaded from #{file} does not define the function '#{name}'"
      end
    end
    Puppet::Parser::Functions.get_function(name)[:arity]
  end
end

loop { Hierarch.job(Hierarch.receive) }
