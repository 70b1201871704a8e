/// A host with an optional port, as in the Host header and in origins.
public struct Authority: Hashable, Sendable {
    public enum Host: Hashable, Sendable {
        case address(IPAddress)
        /// In lower case, without a trailing dot.
        case name(String)
    }

    public let host: Host
    /// The port, if given.
    public let port: Int?

    /// Parses `name`, `1.2.3.4` or `[::1]`, each with an optional `:port`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        var hostText = text[...]
        var portText: Substring?
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            hostText = text[text.index(after: text.startIndex)..<end]
            guard let address = IPAddress(hostText), hostText.contains(":") else { return nil }
            host = .address(address)
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            if !rest.isEmpty { portText = Substring(rest.dropFirst()) }
        } else {
            if let colon = text.firstIndex(of: ":") {
                hostText = text[..<colon]
                portText = Substring(text[text.index(after: colon)...])
            }
            guard let host = Self.host(hostText) else { return nil }
            self.host = host
        }
        // `host:` with an empty port is allowed by RFC 3986.
        if let portText, !portText.isEmpty {
            guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(portText) else {
                return nil
            }
            self.port = Int(port)
        } else {
            port = nil
        }
    }

    /// Whether the host always means this machine: `localhost`, names under it (RFC 6761), loopback addresses.
    public var isLoopback: Bool {
        switch host {
        case .address(let address): address.isLoopback
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        }
    }

    private static func host(_ text: some StringProtocol) -> Host? {
        if let address = IPAddress(text) { return .address(address) }
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isName && !name.isEmpty ? .name(name) : nil
    }
}

/// A scheme, host and port, as browsers send them in `Origin`.
public struct WebOrigin: Hashable, Sendable {
    /// `http` or `https`.
    public let scheme: String
    /// The host, and the port unless it is the scheme's default.
    public let authority: Authority

    /// Parses an origin; a path after it is ignored. Nil for `null` and for other schemes.
    public init?(_ text: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let separator = "://"
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix(separator) else {
            return nil
        }
        let rest = text.dropFirst(scheme.count + separator.count).prefix { $0 != "/" }
        guard let authority = Authority(rest) else { return nil }
        self.scheme = scheme
        self.authority = authority
    }
}
