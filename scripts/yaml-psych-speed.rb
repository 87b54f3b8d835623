# Prints how fast Psych loads the files given: bytes, seconds of CPU, MB/s.
require 'yaml'
texts = ARGF.argv.map { |f| File.read(f, encoding: 'utf-8') }.select(&:valid_encoding?)
clock = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }
start = clock.call
texts.each do |text|
  YAML.safe_load(text, permitted_classes: [Symbol], aliases: true)
rescue StandardError, Psych::Exception
  nil
end
seconds = clock.call - start
bytes = texts.sum(&:bytesize)
puts format('%d bytes, %.3f s, %.1f MB/s', bytes, seconds, bytes / seconds / 1e6)
