import Text

/// A request target as received: path, and query after the first `?`.
public struct RequestTarget: Hashable, Sendable {
    /// The whole target, not decoded.
    public let bytes: [UInt8]
    private let pathStart: Int
    private let pathEnd: Int
    /// `host:port` of a target in absolute form (`http://host/path`), which takes precedence over the Host header.
    public let authority: String?

    /// Splits a target in absolute form into authority and path.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
        var start = 0
        var authority: String?
        if bytes.first != Characters.slash, let hostStart = Self.authorityStart(bytes) {
            start = bytes[hostStart...].firstIndex { Characters.endsAuthority($0) } ?? bytes.count
            authority = String(decoding: bytes[hostStart..<start], as: UTF8.self)
        }
        self.authority = authority
        pathStart = start
        pathEnd = bytes[start...].firstIndex(of: Characters.questionMark) ?? bytes.count
    }

    public init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    private init(_ target: RequestTarget, pathStart: Int) {
        bytes = target.bytes
        authority = target.authority
        self.pathStart = pathStart
        pathEnd = target.pathEnd
    }

    /// The target without a prefix of its path, which ends before a slash; nil if the path does not begin with it.
    func droppingPrefix(_ prefix: [UInt8]) -> RequestTarget? {
        guard path.count > prefix.count, path.starts(with: prefix), bytes[pathStart + prefix.count] == Characters.slash
        else { return nil }
        return RequestTarget(self, pathStart: pathStart + prefix.count)
    }

    /// The path as received, still percent-encoded.
    public var path: ArraySlice<UInt8> { bytes[pathStart..<pathEnd] }

    /// The query as received, without its `?`; nil if there is no `?`.
    public var query: ArraySlice<UInt8>? {
        pathEnd < bytes.count ? bytes[(pathEnd + 1)...] : nil
    }

    /// The path's segments, each decoded on its own, so that an encoded `/` stays inside its segment: `/a/b` gives two,
    /// `/` gives one empty segment. Nil if the path does not begin with `/`, or a segment is not valid UTF-8 or
    /// contains control characters.
    public var segments: [String]? {
        guard bytes[pathStart..<pathEnd].first == Characters.slash else { return nil }
        var result: [String] = []
        for part in bytes[(pathStart + 1)..<pathEnd].split(
            separator: Characters.slash, omittingEmptySubsequences: false)
        {
            guard let text = PercentCoding.decode(part, plusIsSpace: false) else { return nil }
            result.append(text)
        }
        return result
    }

    /// The parameters of the query, in order; empty ones are skipped.
    public func parameters() throws(Problem) -> [QueryParameter] {
        guard let query else { return [] }
        var result: [QueryParameter] = []
        for part in query.split(separator: Characters.ampersand) {
            let nameEnd = part.firstIndex(of: Characters.equals) ?? part.endIndex
            let value = nameEnd < part.endIndex ? part[(nameEnd + 1)...] : part[part.endIndex...]
            guard let name = PercentCoding.decode(part[..<nameEnd], plusIsSpace: true),
                let value = PercentCoding.decode(value, plusIsSpace: true)
            else {
                throw Problem.badRequest("the query is not percent-encoded UTF-8")
            }
            result.append(QueryParameter(name: name, value: value))
        }
        return result
    }

    /// The target for logs: path and query, without parameters that carry secrets.
    public var redacted: String {
        let path = redactedPath
        guard let query else { return path }
        let kept = query.split(separator: Characters.ampersand, omittingEmptySubsequences: false).filter { part in
            let name = part.prefix { $0 != Characters.equals }
            // A name that cannot be decoded may be a secret's.
            guard let name = PercentCoding.decode(name, plusIsSpace: true) else { return false }
            return !secretParameters.contains(name)
        }
        guard !kept.isEmpty else { return path }
        return path + "?" + String(decoding: Array(kept.joined(separator: [Characters.ampersand])), as: UTF8.self)
    }

    /// The token in the query, of the first parameter that carries one, else in the path; nil if there is none or it
    /// cannot be decoded.
    public var secret: String? {
        for part in query?.split(separator: Characters.ampersand) ?? [] {
            let name = part.prefix { $0 != Characters.equals }
            guard name.count < part.count, secretParameters.contains(where: { $0.utf8.elementsEqual(name) })
            else { continue }
            return PercentCoding.decode(part[(name.endIndex + 1)...], plusIsSpace: true)
        }
        return secretSegment.flatMap { PercentCoding.decode(bytes[$0], plusIsSpace: false) }
    }

    /// The parameter that carries a token in our own links.
    public static let secretParameter = "key"

    private static func authorityStart(_ bytes: [UInt8]) -> Int? {
        for scheme in ["http://", "https://"] {
            let prefix = Array(scheme.utf8)
            guard bytes.count > prefix.count else { continue }
            if zip(bytes, prefix).allSatisfy({ $0.lowercasedASCII == $1 }) { return prefix.count }
        }
        return nil
    }
}

/// One decoded `name=value` of a query.
public struct QueryParameter: Hashable, Sendable {
    /// The text before the first `=`.
    public let name: String
    /// The text after the `=`; empty if there is none.
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

enum Characters {
    static let slash = UInt8(ascii: "/")
    static let questionMark = UInt8(ascii: "?")
    static let ampersand = UInt8(ascii: "&")
    static let equals = UInt8(ascii: "=")
    static let comma = UInt8(ascii: ",")
    static let asterisk = UInt8(ascii: "*")
    static let quote = UInt8(ascii: "\"")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == slash || byte == questionMark
    }
}
