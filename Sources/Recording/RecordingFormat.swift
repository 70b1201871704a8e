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
    package static let deviceLimit = RecordingLimits.deviceBytes
}
