extension Request {
    /// Throws a `400` if the request line or headers are ambiguous about the request, its host or the length of its
    /// body (RFC 9112 3.2, 6.3): where a proxy and this server read them differently, requests can be smuggled past the
    /// proxy.
    public func checkFraming() throws(Problem) {
        try checkTarget()
        try checkHost()
        try checkLength()
    }

    private func checkTarget() throws(Problem) {
        let bytes = target.bytes
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw Problem.badRequest("the URL contains a space or a control character; percent-encode it")
        }
        let isAsterisk = method == .options && bytes == [UInt8(ascii: "*")]
        guard bytes.first == Characters.slash || target.authority != nil || isAsterisk else {
            throw Problem.badRequest("the URL must begin with / or http://")
        }
    }

    private func checkHost() throws(Problem) {
        let count = headers.count(of: .host)
        // HTTP/1.0 clients may not send Host; every browser does.
        guard count == 1 || (count == 0 && version == .http10) else {
            throw Problem.badRequest("a request must have exactly one Host header")
        }
        guard let authority = target.authority else { return }
        guard let named = Authority(authority) else { throw Problem.badRequest("the URL's host name is not valid") }
        guard count == 0 || headers[.host].flatMap({ Authority($0) }) == named else {
            throw Problem.badRequest("the URL and the Host header name different hosts")
        }
    }

    private func checkLength() throws(Problem) {
        let lengths = headers.count(of: .contentLength)
        let codings = headers.count(of: .transferEncoding)
        guard lengths + codings <= 1 else {
            throw Problem.badRequest("a body needs exactly one Content-Length, or Transfer-Encoding: chunked")
        }
        if lengths == 1 {
            guard let digits = headers.single(.contentLength), !digits.isEmpty,
                digits.allSatisfy({ (0x30...0x39).contains($0) })
            else { throw Problem.badRequest("Content-Length must be a number") }
        }
        if codings == 1 {
            guard version == .http11, headers[.transferEncoding]?.lowercased() == "chunked" else {
                throw Problem.badRequest("the only supported Transfer-Encoding is chunked, in HTTP/1.1")
            }
        }
    }
}
