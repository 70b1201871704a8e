import Text

/// A request to record points, independent of HTTP.
package struct RecordingRequest: Sendable {
    /// The body; empty if there is none. Its kind is detected from the content: apps, and the people who configure
    /// them, send any media type or none.
    package var body: [UInt8]
    /// The parameters of the query.
    package var parameters: [(name: String, value: String)]
    /// The device named in the request's headers (`X-Limit-D`).
    package var headerDevice: String?
    /// Milliseconds since 1970: the time of points in protocols that may omit it.
    package var now: Int64

    package init(
        body: [UInt8] = [], parameters: [(name: String, value: String)] = [], headerDevice: String? = nil, now: Int64
    ) {
        self.body = body
        self.parameters = parameters
        self.headerDevice = headerDevice
        self.now = now
    }
}

extension RecordingRequest {
    /// The kind of a body, detected from its content.
    enum BodyKind {
        case empty, json, form, other
    }

    var bodyKind: BodyKind {
        guard let first = body.first(where: { $0 > 0x20 && !Self.ignoredBytes.contains($0) }) else { return .empty }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
        // XML and JSON texts may contain `=`, but are not forms.
        case UInt8(ascii: "<"), UInt8(ascii: "\""): return .other
        default: return body.contains(UInt8(ascii: "=")) ? .form : .other
        }
    }

    /// The bytes of a byte order mark, and of the separators that begin a JSON text sequence (RFC 7464).
    private static let ignoredBytes: Set<UInt8> = [0x00, 0x1E, 0xBB, 0xBF, 0xEF]

    /// The device named by the headers or parameters, without reading the body.
    package var namedDevice: String? {
        let named = parameters.first { FieldAliases.device.contains($0.name) || $0.name == "d" }?.value
        return [headerDevice, named].compactMap(\.self).first {
            !$0.isEmpty && $0.utf8.count <= RecordingLimits.deviceBytes
        }
    }

    /// The parameters of the query and of a form body.
    func allParameters() throws(RecordingError) -> [(name: String, value: String)] {
        guard bodyKind == .form else { return parameters }
        guard body.count(where: { $0 == UInt8(ascii: "&") }) < FormParameters.limit else {
            throw RecordingError(.shape, "the form has more than \(FormParameters.limit) parameters")
        }
        return parameters + FormParameters.read(body[...])
    }

    /// The body as JSON; a body that was percent-encoded as a whole, as by `curl --data-urlencode`, is decoded.
    var jsonBody: [UInt8] {
        let start = String(decoding: body.prefix(3), as: UTF8.self).uppercased()
        return start == "%7B" || start == "%5B" ? PercentCoding.decodeLeniently(body[...]) : body
    }
}
