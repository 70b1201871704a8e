import Expat

/// The GPX elements and attributes that are used, by local name.
enum GPXName: Int, CaseIterable {
    case gpx, trk, trkseg, trkpt, wpt, rte, extensions
    case name, cmt, desc, src, number, type, link, url, urlname, sym, fix
    case ele, time, speed, course, magvar, geoidheight, sat, hdop, vdop, pdop, ageofdgpsdata, dgpsid

    case lat, lon, creator, href

    /// The local names in the order of the cases.
    static let names = allCases.map { "\($0)" }

    /// The word for an event's known name; nil for other names.
    init?(_ event: XMLEvent) {
        guard let known = event.known else { return nil }
        self.init(rawValue: known)
    }

    /// The local name.
    var name: String { Self.names[rawValue] }

    /// Whether GPX defines this name for a child of a point.
    var isPointChild: Bool {
        switch self {
        case .gpx, .trk, .trkseg, .trkpt, .wpt, .rte, .extensions, .link, .number, .lat, .lon, .creator, .href: false
        default: true
        }
    }

    /// Whether a child of a track with this name describes the track.
    var isTrackChild: Bool {
        switch self {
        case .name, .cmt, .desc, .src, .number, .type, .url, .urlname: true
        default: false
        }
    }

    /// Whether the value is a text that is never parsed as a number.
    var isText: Bool {
        switch self {
        case .name, .cmt, .desc, .src, .type, .link, .url, .urlname, .sym, .fix: true
        default: false
        }
    }
}
