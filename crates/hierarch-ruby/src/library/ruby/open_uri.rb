# `open-uri`: pages as texts.
module OpenURI
  # An answer that is an error.
  class HTTPError < StandardError
    attr_reader :io

    def initialize(message, io)
      super(message)
      @io = io
    end
  end

  # What a page is read from.
  class Page < StringIO
    attr_accessor :status, :meta, :base_uri

    def content_type = meta['content-type'].to_s.split(';').first
    def charset = meta['content-type'].to_s[/charset=([^;]+)/i, 1]
  end

  MOST_REDIRECTS = 10

  def self.__open(uri, headers, left = MOST_REDIRECTS)
    uri = URI.parse(uri.to_s)
    raise Errno::ENOENT, uri.to_s unless %w[http https].include?(uri.scheme)

    answer = Net::HTTP.get_response(uri, headers.select { |name, _| name.is_a?(String) })
    page = Page.new(answer.body)
    page.status = [answer.code, answer.message]
    page.meta = answer.each_header.to_h
    page.base_uri = uri
    return page if answer.is_a?(Net::HTTPSuccess)
    raise HTTPError.new("#{answer.code} #{answer.message}", page) unless answer.is_a?(Net::HTTPRedirection) && left.positive?

    __open(uri.merge(answer['location']), headers, left - 1)
  end
end

module URI
  def self.open(name, *rest)
    headers = rest.last.is_a?(Hash) ? rest.last : {}
    page = OpenURI.__open(name, headers)
    block_given? ? yield(page) : page
  end

  class Generic
    def open(*rest, &block) = URI.open(self, *rest, &block)
    def read(options = {}) = URI.open(self, options).read
  end
end
