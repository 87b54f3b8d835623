module Puppet::Parser::Functions
  newfunction(:site_sentence, :type => :rvalue, :arity => 2, :doc => 'Makes a sentence of words.') do |args|
    words, is_own = args
    host = lookupvar('facts')['short_name']
    words[0].upcase + words[1..-1] + (is_own ? ", #{host} among them." : '.')
  end
end
