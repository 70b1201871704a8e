/// How apps tell what they have recorded, each in its own words.
package enum RecordingFormat: String, Sendable, CaseIterable {
    /// Our own: JSON, or a point a line.
    case own = "tileserve"
    /// A place marked by hand, in our own words.
    case mark
    /// OwnTracks in its HTTP mode.
    case ownTracks = "owntracks"
    /// Overland.
    case overland
    /// What apps for Dawarich send.
    case dawarich
    /// OsmAnd, and Traccar Client in both of its forms.
    case osmAnd = "osmand"
    /// GPSLogger's custom URL, and whatever else fills in a URL.
    case gpsLogger = "gpslogger"

    /// What is told as the source of such points.
    package var source: String { self == .mark ? Self.own.rawValue : rawValue }

    /// Reads what a request brings; points that are none are named and refused alone.
    ///
    /// Throws where nothing can be made of the body.
    package func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        switch self {
        case .own: try NativeBody.read(request)
        case .mark: try NativeBody.readMark(request)
        case .ownTracks: try OwnTracksBody.read(request)
        case .overland, .dawarich: try OverlandBody.read(request)
        case .osmAnd: try ParameterPoint.readOsmAnd(request)
        case .gpsLogger: try ParameterPoint.readGPSLogger(request)
        }
    }
}

extension RecordingFormat {
    /// Bytes of a device's name.
    package static let deviceLimit = PointGathering.deviceLimit
}

/// What a request to record says, without how it came.
package struct RecordingRequest: Sendable {
    /// The body; empty where there is none. What it is, is told by its content: apps, and the people who set them up, give it
    /// any type or none.
    package var body: [UInt8]
    /// The parameters of the query.
    package var parameters: [(name: String, value: String)]
    /// The device that the request's headers name (`X-Limit-D`).
    package var headerDevice: String?
    /// Milliseconds since 1970: the time of points of protocols that may leave it out.
    package var now: Int64

    /// A request.
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
    /// What a body is, by its content.
    enum BodyKind {
        case empty, json, form, other
    }

    var bodyKind: BodyKind {
        guard let first = body.first(where: { $0 > 0x20 && !Self.passedOver.contains($0) }) else { return .empty }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
        case UInt8(ascii: "<"), UInt8(ascii: "\""): return .other
        default: return body.contains(UInt8(ascii: "=")) ? .form : .other
        }
    }

    /// A BOM, and what begins a text of a sequence (RFC 7464).
    private static let passedOver: Set<UInt8> = [0x00, 0x1E, 0xBB, 0xBF, 0xEF]

    /// The device that the headers or parameters name, where the body is not looked at.
    package var namedDevice: String? {
        let named = parameters.first { FieldAliases.device.contains($0.name) || $0.name == "d" }?.value
        return [headerDevice, named].compactMap(\.self).first {
            !$0.isEmpty && $0.utf8.count <= PointGathering.deviceLimit
        }
    }

    /// The parameters of the query and of a body that is a form.
    func allParameters() throws(RecordingError) -> [(name: String, value: String)] {
        guard bodyKind == .form else { return parameters }
        guard body.count(where: { $0 == UInt8(ascii: "&") }) < FormParameters.limit else {
            throw RecordingError(.shape, "the form has more than \(FormParameters.limit) parameters")
        }
        return parameters + FormParameters.read(body[...])
    }

    /// The body as JSON; one that was percent-encoded as a whole, as `curl --data-urlencode` does, is decoded.
    var jsonBody: [UInt8] {
        let start = String(decoding: body.prefix(3), as: UTF8.self).uppercased()
        return start == "%7B" || start == "%5B" ? FormParameters.decoded(body[...]) : body
    }
}

/// Why nothing can be made of a request, in a sentence for its sender.
package struct RecordingError: Error, Equatable, CustomStringConvertible {
    /// Under which name it is counted.
    package let kind: RefusalReason
    /// The sentence.
    package let description: String

    init(_ kind: RefusalReason, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
