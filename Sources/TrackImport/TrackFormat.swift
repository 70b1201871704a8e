import Text

/// A supported file format.
public enum TrackFormat: String, Sendable, CaseIterable {
    /// GPX 1.0 and 1.1.
    case gpx
    /// GeoJSON as one text or one object per line, and OGC Moving Features.
    case geojson
    /// CSV and similar tables with a header.
    case csv
    /// TCX: Garmin's Training Center database.
    case tcx
    /// KML, including Google's `gx:Track`.
    case kml
    /// FIT: Garmin's activities and courses.
    case fit
    /// NMEA 0183: sentences of GPS receivers.
    case nmea
    /// Google's location history, from the web export and from phones.
    case google
    /// Files of the OwnTracks recorder.
    case owntracks
    /// GPS Log: its database and its exported sessions.
    case gpslog
    /// IGC: files of flight recorders.
    case igc
    /// PLT: tracks of OziExplorer and GeoLife.
    case plt
    /// Polarsteps: trips.
    case polarsteps
    /// Home Assistant: states of trackers and persons.
    case homeassistant
    /// GeoPulse: the points of its export.
    case geopulse
    /// Traccar: positions of its API.
    case traccar
    /// Polar Flow: training sessions.
    case polar
    /// Suunto: activities in JSON and SML.
    case suunto
    /// Samsung Health: locations of exercises.
    case samsung
    /// Huawei Health: activities with their samples.
    case huawei
    /// Arc Timeline: its items with their samples.
    case arc

    /// The versions of all readers, by the names of the formats.
    public static var readerVersions: [String: Int] {
        Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.readerVersion) })
    }

    /// The version of the reader, which is increased when it reads files of the format differently than before: files that
    /// an earlier one has read are then listed, so that they can be read anew. What was read before readers had
    /// versions counts as read by version 1.
    public var readerVersion: Int {
        switch self {
        case .csv, .fit, .geojson, .igc, .nmea, .tcx: 2
        case .gpx, .kml, .google, .owntracks, .gpslog, .plt, .polarsteps: 1
        case .homeassistant, .geopulse, .traccar, .polar, .suunto, .samsung, .huawei, .arc: 1
        }
    }
}

extension TrackFormat {
    /// The usual name of the format.
    public var title: String {
        switch self {
        case .gpx: "GPX"
        case .geojson: "GeoJSON"
        case .csv: "CSV"
        case .tcx: "TCX"
        case .kml: "KML"
        case .fit: "FIT"
        case .nmea: "NMEA"
        case .google: "Google location history"
        case .owntracks: "OwnTracks"
        case .gpslog: "GPS Log"
        case .igc: "IGC"
        case .plt: "PLT"
        case .polarsteps: "Polarsteps"
        case .homeassistant: "Home Assistant"
        case .geopulse: "GeoPulse"
        case .traccar: "Traccar"
        case .polar: "Polar Flow"
        case .suunto: "Suunto"
        case .samsung: "Samsung Health"
        case .huawei: "Huawei Health"
        case .arc: "Arc Timeline"
        }
    }
}

extension TrackFormat {
    /// All formats as text: `GPX, GeoJSON and CSV`.
    public static var list: String {
        DisplayText.list(allCases.map(\.title), "and")
    }
}
