# Nothing takes long here: limits end what would.
module Timeout
  # What a block would be ended with.
  class ExitException < Exception
  end

  # The time is over.
  class Error < RuntimeError
  end

  def self.timeout(seconds, _klass = nil, _message = nil)
    yield seconds
  end

  def timeout(seconds, klass = nil, message = nil, &block)
    Timeout.timeout(seconds, klass, message, &block)
  end
  private :timeout
end
