import Text
import TileMath

/// What routes as GPX have that GPX does not define: elements in a namespace of ours.
public enum RouteGPXNames {
    public static let namespace = "urn:tileserve:routes:1"
    static let prefix = "tr"
    /// Seconds of a stage; in `rte`.
    public static let level = "level"
    /// `true` if a stage asks for one session; in `rte`.
    public static let single = "single"
    /// The position of a place in its route, from 1; in `wpt`.
    public static let place = "place"
    /// A tag; in `wpt`, once for each.
    public static let tag = "tag"
    /// In `wpt`.
    public static let credit = "credit"
    /// The seconds of the stage to a place; in `wpt`.
    public static let seconds = "seconds"
}

extension JourneyRoute {
    /// The route as GPX 1.1: a `wpt` for each place, and the line as `rte`. What GPX has no element for is in
    /// `extensions`, so that reading it again gives the same route; of characters that XML cannot hold, U+FFFD is left.
    public var gpx: [UInt8] {
        var text = GPXText()
        text.put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="tileserve" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:\(RouteGPXNames.prefix)="\(RouteGPXNames.namespace)">

            """)
        for (index, place) in places.enumerated() {
            text.putPoint("wpt", place.point, end: "\n")
            text.put(element: "name", place.name)
            if let description = place.description { text.put(element: "desc", description) }
            if let tag = place.tags.first { text.put(element: "type", tag) }
            text.put("<extensions>")
            text.put(own: RouteGPXNames.place, "\(index + 1)")
            for tag in place.tags { text.put(own: RouteGPXNames.tag, tag) }
            if let credit = place.credit { text.put(own: RouteGPXNames.credit, credit) }
            if let seconds = place.seconds { text.put(own: RouteGPXNames.seconds, "\(seconds)") }
            text.put("</extensions></wpt>\n")
        }
        text.put("<rte>")
        text.put(element: "name", name)
        text.put("<extensions>")
        text.put(own: RouteGPXNames.level, "\(level)")
        if isSingle { text.put(own: RouteGPXNames.single, "true") }
        text.put("</extensions>\n")
        for point in line {
            text.putPoint("rtept", point, end: "</rtept>\n")
        }
        text.put("</rte>\n</gpx>\n")
        return text.bytes
    }
}

/// GPX that is being written.
private struct GPXText {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func put(element name: String, _ text: String) {
        put("<\(name)>")
        XMLText.append(text, to: &bytes)
        put("</\(name)>")
    }

    mutating func put(own name: String, _ text: String) { put(element: "\(RouteGPXNames.prefix):\(name)", text) }

    mutating func putPoint(_ name: String, _ point: GeoPoint, end: String) {
        put("<\(name) lat=\"")
        put(degrees: point.latitude)
        put("\" lon=\"")
        put(degrees: point.longitude)
        put("\">\(end)")
    }

    /// To ten-millionths, as points are stored; never with an exponent, which the schema of GPX does not allow.
    private mutating func put(degrees: Double) {
        FixedDecimal(mantissa: Int64((degrees * 1e7).rounded()), places: 7).write(to: &bytes, isShort: true)
    }
}
