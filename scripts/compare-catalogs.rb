# Holds our catalogs against Puppet's and prints the share that is equal, and every miss with its cause.
#
#   ruby compare-catalogs.rb FOLDER
#
# FOLDER has puppet.jsonl (puppet-catalogs.rb), ours.jsonl (the same form) and errors.tsv (class@os, what we said).

require 'json'

# What says nothing about the node: when and by whom it was compiled.
PASSING = %w[version catalog_uuid code_id catalog_format].freeze

def read(path)
  File.readlines(path).to_h do |line|
    answer = JSON.parse(line)
    ["#{answer['class']}@#{answer['os']}", answer]
  end
end

def named(resources)
  resources.to_h { |resource| ["#{resource['type']}[#{resource['title']}]", resource] }
end

def short(value)
  text = JSON.generate([value])[1..-2]
  text.length > 120 ? "#{text[0, 120]}…" : text
end

# The first few differences of two catalogs, in words.
def differences(theirs, ours)
  theirs_by_name = named(theirs['resources'])
  ours_by_name = named(ours['resources'])
  missing = theirs_by_name.keys - ours_by_name.keys
  more = ours_by_name.keys - theirs_by_name.keys
  found = missing.first(3).map { |name| "missing #{name}" } + more.first(3).map { |name| "too much: #{name}" }
  (theirs_by_name.keys & ours_by_name.keys).each do |name|
    found.concat(resource_differences(name, theirs_by_name[name], ours_by_name[name]))
  end
  found << 'order of resources' if found.empty? && theirs_by_name.keys != ours_by_name.keys
  found << 'edges' if theirs['edges'] != ours['edges'] && missing.empty? && more.empty?
  found << 'classes' if theirs['classes'] != ours['classes']
  (theirs.keys | ours.keys).each do |key|
    next if PASSING.include?(key) || %w[resources edges classes].include?(key)

    same = key == 'tags' ? theirs[key].to_a.sort == ours[key].to_a.sort : theirs[key] == ours[key]
    found << "#{key}: #{short(theirs[key])} / #{short(ours[key])}" unless same
  end
  found
end

def resource_differences(name, theirs, ours)
  found = []
  theirs_parameters = theirs['parameters'] || {}
  ours_parameters = ours['parameters'] || {}
  (theirs_parameters.keys | ours_parameters.keys).each do |key|
    next if theirs_parameters[key] == ours_parameters[key] && theirs_parameters.key?(key) == ours_parameters.key?(key)

    found << "#{name} #{key}: #{short(theirs_parameters[key])} / #{short(ours_parameters[key])}"
  end
  found << "#{name} tags: #{short(theirs['tags'].sort - ours['tags'].to_a)} / #{short(ours['tags'].to_a.sort - theirs['tags'])}" if theirs['tags'].sort != ours['tags'].to_a.sort
  (theirs.keys | ours.keys).each do |key|
    next if %w[parameters tags].include?(key)

    found << "#{name} #{key}: #{short(theirs[key])} / #{short(ours[key])}" if theirs[key] != ours[key]
  end
  found
end

folder = ARGV.fetch(0)
theirs = read("#{folder}/puppet.jsonl")
ours = read("#{folder}/ours.jsonl")
errors = File.readlines("#{folder}/errors.tsv", chomp: true).to_h { |line| line.split("\t", 2) }
compiled = theirs.select { |_, answer| answer['catalog'] }
tally = Hash.new { |hash, key| hash[key] = { all: 0, same: 0 } }
compiled.each do |key, answer|
  kind = answer['ruby'] ? :ruby : :pure
  found = if ours[key]
            differences(answer['catalog'], ours[key]['catalog'])
          else
            ["no catalog: #{errors[key].to_s.strip}"]
          end
  tally[kind][:all] += 1
  tally[kind][:same] += 1 if found.empty?
  next if found.empty?

  puts "#{key}#{" (#{answer['ruby'].first(3).join(', ')})" if answer['ruby']}: #{found.length} differences"
  found.first(4).each { |line| puts "    #{line}" }
end
too_much = ours.keys.count { |key| theirs[key] && !theirs[key]['catalog'] }
puts "#{theirs.length} compilations, #{compiled.length} succeed with Puppet"
{ pure: 'neither ERB nor Ruby functions of modules', ruby: 'ERB or Ruby functions of modules' }.each do |kind, words|
  counts = tally[kind]
  next if counts[:all].zero?

  puts format('%<words>s: %<same>d of %<all>d equal (%<share>.1f %%)', words: words, share: 100.0 * counts[:same] / counts[:all], **counts)
end
puts "#{too_much} compile here and not with Puppet"
