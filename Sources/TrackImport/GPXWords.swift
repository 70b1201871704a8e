import Expat

/// The elements of GPX that are looked at, by their local names.
enum GPXWord: Int, CaseIterable {
    case gpx, trk, trkseg, trkpt, wpt, rte, extensions
    case name, cmt, desc, src, number, type, link, url, urlname, sym, fix
    case ele, time, speed, course, magvar, geoidheight, sat, hdop, vdop, pdop, ageofdgpsdata, dgpsid

    case lat, lon, creator, href

    /// The local names in the order of the cases.
    static let names = allCases.map { "\($0)" }

    /// The word that an event's known name is; nil for others.
    init?(_ event: XMLEvent) {
        guard let known = event.known else { return nil }
        self.init(rawValue: known)
    }

    /// The local name.
    var name: String { Self.names[rawValue] }

    /// Whether a point's child of this name is one of GPX's own.
    var isPointChild: Bool {
        switch self {
        case .gpx, .trk, .trkseg, .trkpt, .wpt, .rte, .extensions, .link, .number, .lat, .lon, .creator, .href: false
        default: true
        }
    }

    /// Whether a track's child of this name says something of the track.
    var isTrackChild: Bool {
        switch self {
        case .name, .cmt, .desc, .src, .number, .type, .url, .urlname: true
        default: false
        }
    }

    /// Whether a point's child of this name is a text, which is never taken for a number.
    var isText: Bool {
        switch self {
        case .name, .cmt, .desc, .src, .type, .link, .url, .urlname, .sym, .fix: true
        default: false
        }
    }
}
