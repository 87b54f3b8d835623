# Shortens texts: what a function of a module costs.
Puppet::Functions.create_function(:'bench::shorten') do
  dispatch :shorten do
    param 'String', :text
    optional_param 'Integer', :length
    return_type 'String'
  end

  def shorten(text, length = 8)
    words = text.split(/[\s_-]+/).map(&:capitalize)
    words.join[0, length]
  end
end
