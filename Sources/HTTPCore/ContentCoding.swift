extension Request {
    /// Whether responses are to be compressed with gzip: the client accepts it, and does not prefer that they are not
    /// compressed (RFC 9110 12.5.3).
    public var acceptsGzip: Bool {
        guard let header = headers[.acceptEncoding] else { return false }
        let codings = AcceptedCodings(header)
        // What is not named has no preference.
        return (codings.gzip ?? 0) > 0 && (codings.gzip ?? 0) >= (codings.identity ?? 0)
    }
}

extension Request {
    /// Whether the client asks for a media type by its name, and not for `other` rather (RFC 9110 12.5.1). Wildcards do not count:
    /// clients that know one type only send them, too.
    public func accepts(_ mediaType: String, over other: String) -> Bool {
        guard let header = headers[.accept] else { return false }
        let types = AcceptedCodings(header)
        let weight = types[mediaType] ?? 0
        return weight > 0 && weight >= types[other] ?? 0
    }
}

/// The weights of a header `Accept-Encoding` or `Accept`.
private struct AcceptedCodings {
    /// By coding in lower case. Of several weights of one coding the first counts.
    private var weights: [Substring: Double] = [:]

    init(_ header: String) {
        for entry in header.lowercased().split(separator: ",") {
            let parts = entry.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingBlanks)
            guard let coding = parts.first, !coding.isEmpty, weights[coding] == nil else { continue }
            weights[coding] = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Self.weight($0.dropFirst(2)) } ?? 1
        }
    }

    /// nil if it is not named.
    subscript(name: String) -> Double? { weights[name[...]] }

    /// `x-gzip` is another name of `gzip` (RFC 9110 8.4.1.3), but the proper name takes precedence, and both take
    /// precedence over the wildcard.
    var gzip: Double? { weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] }

    /// nil if it is not named: then it is acceptable, but not preferred.
    var identity: Double? { weights["identity"] }

    /// A number from 0 to 1; 0 for other texts, because a response without compression is always understood.
    private static func weight(_ text: Substring) -> Double {
        let isDecimal = text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard isDecimal, let number = Double(text), (0...1).contains(number) else { return 0 }
        return number
    }
}

extension Substring {
    /// Without the spaces and tabs around it.
    fileprivate var trimmingBlanks: Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = drop(while: isBlank)
        return start[..<(start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex)]
    }
}
