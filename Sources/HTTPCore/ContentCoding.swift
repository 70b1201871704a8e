extension Request {
    /// Whether the client accepts responses compressed with gzip (RFC 9110 12.5.3).
    public var acceptsGzip: Bool {
        guard let header = headers[.acceptEncoding] else { return false }
        var accepted: Bool?
        for entry in header.lowercased().split(separator: ",") {
            let parts = entry.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let coding = parts.first, ["gzip", "x-gzip", "*"].contains(coding) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            // A coding that is named takes precedence over the wildcard.
            if coding != "*" { return (weight ?? 1) > 0 }
            accepted = (weight ?? 1) > 0
        }
        return accepted ?? false
    }
}
