# `URI`: addresses taken apart and put together.
module URI
  class Error < StandardError; end
  class InvalidURIError < Error; end
  class InvalidComponentError < Error; end
  class BadURIError < Error; end

  FORM = %r{\A(?:([A-Za-z][A-Za-z0-9+\-.]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?\z}m
  ALLOWED = %r{\A[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*\z}

  class Generic
    DEFAULT_PORT = nil

    attr_accessor :scheme, :userinfo, :host, :path, :query, :fragment, :opaque
    attr_writer :port

    def self.default_port = self::DEFAULT_PORT
    def self.component = %i[scheme userinfo host port path query fragment]

    def self.build(parts)
      parts = component.drop(1).zip(parts).to_h if parts.is_a?(Array)
      uri = new
      uri.scheme = name.split("::").last.downcase unless self == Generic
      parts.each { |name, value| uri.send("#{name}=", value) }
      uri.path ||= ""
      uri
    end

    def port = @port || self.class.default_port
    def default_port = self.class.default_port
    def user = userinfo&.split(":", 2)&.first
    def password = userinfo&.split(":", 2)&.at(1)
    def hostname = host&.delete_prefix("[")&.delete_suffix("]")
    def absolute? = !scheme.nil?
    alias absolute absolute?
    def relative? = !absolute?
    def hierarchical? = opaque.nil?

    def user=(name)
      self.userinfo = password ? "#{name}:#{password}" : name
    end

    def password=(secret)
      self.userinfo = "#{user}:#{secret}"
    end

    def hostname=(name)
      self.host = name
    end

    def request_uri
      target = path.empty? ? "/" : path
      query ? "#{target}?#{query}" : target
    end

    def authority
      return nil unless host
      text = userinfo ? "#{userinfo}@#{host}" : host.dup
      text += ":#{port}" if port && port != default_port
      text
    end

    def origin
      "#{scheme}://#{host}#{":#{port}" if port != default_port}"
    end

    def to_s
      text = +""
      text << "#{scheme}:" if scheme
      return text << opaque if opaque
      text << "//#{authority}" if host
      text << path.to_s
      text << "?#{query}" if query
      text << "##{fragment}" if fragment
      text
    end
    alias to_str to_s

    def merge(other)
      other = URI.parse(other.to_s)
      return other if other.absolute?
      result = dup
      result.fragment = other.fragment
      if other.host
        result.host, result.port, result.userinfo = other.host, other.port, other.userinfo
        result.path, result.query = other.path, other.query
      elsif other.path.empty?
        result.query = other.query || query
      else
        base = other.path.start_with?("/") ? other.path : path.sub(%r{[^/]*\z}, "") + other.path
        result.path = URI.without_dots(base.start_with?("/") ? base : "/#{base}")
        result.query = other.query
      end
      result
    end
    alias + merge

    def normalize
      copy = dup
      copy.scheme = scheme&.downcase
      copy.host = host&.downcase
      copy.path = "/" if copy.path.empty? && host
      copy
    end

    def ==(other) = other.is_a?(Generic) && normalize.to_s == other.normalize.to_s
    def eql?(other) = self == other
    def hash = to_s.hash
    def inspect = "#<#{self.class} #{self}>"
  end

  class HTTP < Generic
    DEFAULT_PORT = 80
  end

  class HTTPS < HTTP
    DEFAULT_PORT = 443
  end

  class FTP < Generic
    DEFAULT_PORT = 21

    # The path is that from the folder after the login, and the kind of transfer is not part of it.
    def path = @path&.sub(%r{\A/}, "")&.sub(/\A%2F/i, "/")&.sub(/;type=[aid]\z/, "")
    def typecode = @path&.[](/;type=([aid])\z/, 1)
    def to_s = "#{scheme}://#{authority}#{@path}"
  end

  class LDAP < Generic
    DEFAULT_PORT = 389
  end

  class LDAPS < LDAP
    DEFAULT_PORT = 636
  end

  class File < Generic; end
  class MailTo < Generic; end
  class WS < Generic
    DEFAULT_PORT = 80
  end

  KINDS = { "http" => HTTP, "https" => HTTPS, "ftp" => FTP, "ldap" => LDAP, "ldaps" => LDAPS, "file" => File,
            "mailto" => MailTo, "ws" => WS }.freeze

  def self.parse(text)
    return text if text.is_a?(Generic)
    raise InvalidURIError, "URI must be ascii only #{text.dump}" if text.is_a?(String) && !text.ascii_only?
    raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" unless text.is_a?(String) && text.match?(ALLOWED)
    scheme, authority, path, query, fragment = FORM.match(text)&.captures
    raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" if path.nil? || text.match?(/%(?![0-9A-Fa-f]{2})/)
    # Without a scheme the first part of a path has no colon, and only a host has brackets.
    odd = path.match?(/[\[\]]/) || (scheme.nil? && authority.nil? && path.split("/", 2).first.to_s.include?(":"))
    raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" if odd
    uri = KINDS.fetch(scheme.to_s.downcase, Generic).new
    uri.scheme = scheme&.downcase
    if authority
      info, place = authority.include?("@") ? authority.split("@", 2) : [nil, authority]
      m = /\A(\[[^\[\]]*\]|[^:\[\]]*)(?::(\d*))?\z/.match(place)
      raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" unless m
      uri.userinfo, uri.host = info, m[1]
      uri.port = m[2].to_i if m[2] && !m[2].empty?
    elsif scheme && !path.start_with?("/") && !path.empty?
      uri.opaque = query ? "#{path}?#{query}" : path
      path = nil
    end
    uri.path, uri.query, uri.fragment = path, (uri.opaque ? nil : query), fragment
    uri
  end

  def self.join(base, *others)
    others.inject(parse(base)) { |uri, other| uri.merge(other) }
  end

  def self.split(text)
    uri = parse(text)
    [uri.scheme, uri.userinfo, uri.host, uri.port&.to_s, nil, uri.path, uri.opaque, uri.query, uri.fragment]
  end

  def self.without_dots(path)
    parts = []
    list = path.split("/", -1)
    list.each_with_index do |part, place|
      last = place == list.size - 1
      case part
      when "." then parts << "" if last
      when ".."
        parts.pop if parts.size > 1
        parts << "" if last
      else parts << part
      end
    end
    parts.join("/")
  end

  def self.encode_www_form_component(text, _encoding = nil)
    text.to_s.b.gsub(/[^*\-.0-9A-Z_a-z]/n) { |c| c == " " ? "+" : format("%%%02X", c.ord) }.force_encoding("UTF-8")
  end

  def self.encode_uri_component(text)
    encode_www_form_component(text).gsub("+", "%20")
  end

  def self.decode_www_form_component(text, _encoding = nil)
    text.b.tr("+", " ").gsub(/%([0-9A-Fa-f]{2})/n) { $1.hex.chr }.force_encoding("UTF-8")
  end

  def self.decode_uri_component(text)
    text.b.gsub(/%([0-9A-Fa-f]{2})/n) { $1.hex.chr }.force_encoding("UTF-8")
  end

  def self.encode_www_form(pairs)
    pairs.flat_map do |key, value|
      key = encode_www_form_component(key)
      case value
      when nil then [key]
      when Array then value.map { |item| "#{key}=#{encode_www_form_component(item)}" }
      else ["#{key}=#{encode_www_form_component(value)}"]
      end
    end.join("&")
  end

  def self.decode_www_form(text)
    text.split("&").map { |pair| pair.split("=", 2).then { |k, v| [decode_www_form_component(k), decode_www_form_component(v.to_s)] } }
  end

  def self.extract(text, schemes = nil)
    found = text.scan(%r{[A-Za-z][A-Za-z0-9+\-.]*://[^\s<>"]+})
    schemes ? found.select { |uri| Array(schemes).include?(uri[/\A[^:]+/]) } : found
  end

  def self.regexp(schemes = nil)
    schemes ? %r{(?:#{Regexp.union(*schemes).source}):[^\s<>"]+} : %r{[A-Za-z][A-Za-z0-9+\-.]*:[^\s<>"]+}
  end
  DEFAULT_PARSER = self

  def self.escape(text, unsafe = %r{[^\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]})
    text.gsub(unsafe) { |c| c.bytes.map { |byte| format("%%%02X", byte) }.join }
  end

  def self.unescape(text) = decode_uri_component(text)
  def self.make_regexp(schemes = nil) = regexp(schemes)
end
