# Prints the MB/s of Psych's best round: `parse` makes its tree, `load` all values. Takes ROUNDS and files.
require 'yaml'
rounds = ARGV.shift.to_i
texts = ARGV.map { |f| File.read(f, encoding: 'utf-8') }.select(&:valid_encoding?)
bytes = texts.sum(&:bytesize)
clock = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }
best = lambda do |work|
  seconds = Array.new(rounds) do
    start = clock.call
    texts.each do |text|
      work.call(text)
    rescue StandardError, Psych::Exception
      nil
    end
    clock.call - start
  end
  bytes / seconds.min / 1e6
end
parse = best.call(->(text) { Psych.parse(text) })
load = best.call(->(text) { YAML.safe_load(text, permitted_classes: [Symbol], aliases: true) })
puts format('tree %.2f values %.2f', parse, load)
