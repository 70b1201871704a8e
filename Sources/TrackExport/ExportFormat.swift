import Text

/// A file format for exported tracks.
public enum ExportFormat: String, Sendable, CaseIterable {
    case gpx
    /// GeoJSON with one line feature for each track.
    case geojson
    /// GeoJSON with one feature for each point.
    case geojsonPoints = "geojson-points"
    case kml
    case tcx
    case csv
    /// OGC Moving Features JSON.
    case mfjson
    /// GPS Log XML, with named attributes.
    case gpslog

    /// The names of all formats in a sentence: `gpx, … or gpslog`.
    public static var list: String {
        DisplayText.list(allCases.map(\.rawValue), "or")
    }

    /// The extension of file names, with the dot.
    public var ending: String {
        switch self {
        case .geojsonPoints: ".points.geojson"
        case .mfjson: ".mfjson"
        case .gpslog: ".gpslog.xml"
        default: "." + rawValue
        }
    }

    /// The `Content-Type`.
    public var mediaType: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .geojson, .geojsonPoints: "application/geo+json"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .tcx: "application/vnd.garmin.tcx+xml"
        case .csv: "text/csv; charset=utf-8"
        case .mfjson: "application/json"
        case .gpslog: "application/xml"
        }
    }

    /// Whether the format can represent points without a time.
    public var supportsUntimed: Bool {
        switch self {
        case .gpx, .geojson, .geojsonPoints, .kml, .csv, .gpslog: true
        case .tcx, .mfjson: false
        }
    }

    /// Whether the format can represent pins.
    public var supportsPins: Bool {
        switch self {
        case .gpx, .geojson, .geojsonPoints, .kml: true
        case .tcx, .csv, .mfjson, .gpslog: false
        }
    }

    func writer() -> any TrackFormatWriter {
        switch self {
        case .gpx: GPXWriter()
        case .geojson: GeoJSONWriter()
        case .geojsonPoints: GeoJSONPointWriter()
        case .kml: KMLWriter()
        case .tcx: TCXWriter()
        case .csv: CSVWriter()
        case .mfjson: MovingFeaturesWriter()
        case .gpslog: GPSLogWriter()
        }
    }
}
