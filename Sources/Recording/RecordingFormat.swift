import Text

/// The protocols in which apps send points.
package enum RecordingFormat: String, Sendable, CaseIterable {
    /// tileserve's own format: JSON, or one point a line.
    case own = "tileserve"
    /// One waypoint, in tileserve's own format.
    case waypoint = "mark"
    /// OwnTracks in its HTTP mode.
    case ownTracks = "owntracks"
    case overland
    /// What apps for Dawarich send: batches of Overland, and messages of OwnTracks and Traccar.
    case dawarich
    /// OsmAnd, and Traccar Client in both of its forms.
    case osmAnd = "osmand"
    /// GPSLogger's custom URL, and other apps that fill in a URL.
    case gpsLogger = "gpslogger"
    /// Colota, with any of its templates.
    case colota
    /// PhoneTrack for Nextcloud.
    case phoneTrack = "phonetrack"
    case uLogger = "ulogger"
    /// OpenGTS: an NMEA sentence in the URL.
    case openGTS = "opengts"
    /// Positions that a Traccar server forwards.
    case traccar
    /// Home Assistant's app, and states of its device trackers.
    case homeAssistant = "homeassistant"

    /// The name stored as the source of such points.
    package var source: String { self == .waypoint ? Self.own.rawValue : rawValue }

    /// Decodes a request; points that are not valid are refused one by one.
    ///
    /// Throws if the body cannot be decoded at all.
    package func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        switch self {
        case .own: try NativeBody.read(request)
        case .waypoint: try NativeBody.readWaypoint(request)
        case .ownTracks: try OwnTracksBody.read(request)
        case .overland: try OverlandBody.read(request)
        case .dawarich: try DawarichBody.read(request)
        case .osmAnd: try ParameterPoint.readOsmAnd(request)
        case .gpsLogger: try UserNamedPoint.read(request)
        case .colota: try ColotaBody.read(request)
        case .phoneTrack: try PhoneTrackBody.read(request)
        case .uLogger: try ULoggerForm.read(request)
        case .openGTS: try OpenGTSQuery.read(request)
        case .traccar: try TraccarForward.read(request)
        case .homeAssistant: try HomeAssistantBody.read(request)
        }
    }
}

extension RecordingFormat {
    /// The longest name of a device, in bytes.
    package static let deviceLimit = PointCollector.deviceLimit
}

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
            !$0.isEmpty && $0.utf8.count <= PointCollector.deviceLimit
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

/// Why a request cannot be decoded, as a sentence for its sender.
package struct RecordingError: Error, Equatable, CustomStringConvertible {
    /// The reason under which it is counted.
    package let kind: RefusalReason
    /// The sentence.
    package let description: String

    init(_ kind: RefusalReason, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
