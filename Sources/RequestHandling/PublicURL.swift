package import HTTPCore

/// A URL under which a server is reached: scheme, host, port, and optionally a path prefix.
package struct PublicURL: Hashable, Sendable {
    /// Scheme, host and port.
    package let origin: WebOrigin
    /// Without a slash at its end.
    package let text: String
    /// The path prefix, without a slash at its end; empty if there is none.
    package let pathPrefix: String

    /// nil if it is not an `http` or `https` URL, or has a query or fragment.
    package init?(_ text: String) {
        guard let origin = WebOrigin(text), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            !text.contains(where: { "?#\"<>\\".contains($0) })
        else { return nil }
        self.origin = origin
        self.text = String(text.reversed().drop { $0 == "/" }.reversed())
        pathPrefix = String(self.text.dropFirst("\(origin.scheme)://".count).drop { $0 != "/" })
    }

    /// Whether a request for `authority` was addressed to this URL, judged by host and port.
    private func isAt(_ authority: Authority) -> Bool {
        let usual = origin.scheme == "https" ? 443 : 80
        return origin.authority.host == authority.host
            && origin.authority.port ?? usual == authority.port ?? usual
    }

    /// The URL with this host and port, else one with this host: proxies may listen on another port.
    static func matching(_ host: String, in urls: [PublicURL]) -> PublicURL? {
        guard !urls.isEmpty, let authority = Authority(host) else { return nil }
        return urls.first { $0.isAt(authority) } ?? urls.first { $0.origin.authority.host == authority.host }
    }
}
