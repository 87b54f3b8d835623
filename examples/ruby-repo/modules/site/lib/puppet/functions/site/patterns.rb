require 'yaml'

# A Hiera backend: the first group whose pattern matches the name of the host has the value.
Puppet::Functions.create_function(:'site::patterns') do
  dispatch :patterns do
    param 'String[1]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def patterns(key, options, context)
    return context.cached_value(key) if context.cache_has_key(key)

    groups = context.cached_file_data(options['path']) do |text|
      YAML.safe_load(text, permitted_classes: [Regexp], filename: options['path'])
    end
    name, group = groups.find { |_, values| values['hosts'].match?(options['host']) && values.key?(key) }
    context.not_found if name.nil?
    context.explain { "#{options['host']} is one of the #{name}" }
    context.cache(key, context.interpolate(group[key]))
  end
end
