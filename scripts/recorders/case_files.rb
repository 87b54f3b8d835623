# frozen_string_literal: true

# What the recorders of Puppet share: flags, how differences are shown, how the run ends.

class Recording
  attr_reader :files

  def initialize(arguments)
    @flags, @files = arguments.partition { |argument| argument.start_with?('--') }
    @asked = 0
    @different = 0
  end

  def check? = @flags.include?('--check')
  def new_only? = @flags.include?('--new')

  # Takes an answer: remembers in checks that it differs, otherwise puts it in the place of the old one.
  def take(title, entry, parts, answer)
    @asked += 1
    old = entry.slice(*parts)
    return replace(entry, parts, answer) unless check?
    return if old == answer

    @different += 1
    puts title
    (old.keys | answer.keys).reject { |part| old[part] == answer[part] }.each do |part|
      puts "  #{part}", "    recorded: #{old[part].inspect}", "    now:      #{answer[part].inspect}"
    end
  end

  def replace(entry, parts, answer)
    parts.each { |part| entry.delete(part) }
    entry.merge!(answer)
  end

  def finish
    $stderr.puts "Puppet #{Puppet.version}: #{@asked} asked#{check? ? ", #{@different} different" : ''}"
    exit(@different.zero? ? 0 : 1)
  end
end
