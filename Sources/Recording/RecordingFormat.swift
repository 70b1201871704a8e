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
    package func read(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        switch self {
        case .own: try OwnBody.read(request)
        case .mark: try OwnBody.readMark(request)
        case .ownTracks: try OwnTracksBody.read(request)
        case .overland, .dawarich: try OverlandBody.read(request)
        case .osmAnd: try ParameterPoint.readOsmAnd(request)
        case .gpsLogger: try ParameterPoint.readGPSLogger(request)
        }
    }
}

/// What a request to record says, without how it came.
package struct RecordingRequest: Sendable {
    /// The body; empty where there is none.
    package var body: [UInt8]
    /// The parameters of the query, and those of a body that is a form.
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

/// Why nothing can be made of a request, in a sentence for its sender.
package struct RecordingFault: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
