import Pins
import Text
import Tracks

/// Writes GPX 1.1 with Garmin's TrackPointExtension (version 2) and PowerExtension.
///
/// All other fields become elements in our namespace, so that nothing is lost.
struct GPXWriter: TrackFormatWriter {
    /// The standard elements of a point, in the order that the schema requires.
    private static let beforeTime = [FieldName.elevation]
    private static let afterTime = [
        "magvar", "geoidheight", "name", "cmt", "desc", "src", "sym", "type", "fix", "sat", "hdop", "vdop", "pdop",
        "ageofdgpsdata", "dgpsid",
    ]
    private static let fixes: Set<String> = ["none", "2d", "3d", "dgps", "pps"]
    /// Garmin's elements in the order of their schema, with our field names.
    private static let garmin: [(element: String, field: String)] = [
        ("atemp", FieldName.temperature), ("hr", FieldName.heartRate), ("cad", FieldName.cadence),
        ("speed", FieldName.speed), ("course", FieldName.course), ("bearing", FieldName.heading),
    ]

    private var isInSegment = false

    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText) {
        text.put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="\(ExportedNames.creator)" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
            xmlns:pwr="http://www.garmin.com/xmlschemas/PowerExtension/v1" xmlns:ts="\(FieldNameEncoding.namespace)">

            """)
    }

    mutating func add(_ pin: Pin, to text: inout ExportText) {
        text.putWaypoint(pin)
    }

    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText) {
        isInSegment = false
        text.put(" <trk>\n")
        text.putLine(element: "name", track.name, indent: "  ")
        for name in ["cmt", "desc", "src"] { text.putLine(element: name, track.attributes[name], indent: "  ") }
        if let link = track.attributes["link"] {
            text.put("  <link href=\"")
            text.put(xml: link)
            text.put("\"/>\n")
        }
        if let number = number(of: track) { text.putLine(element: "number", number, indent: "  ") }
        text.putLine(element: "type", track.activity, indent: "  ")
        putExtensions(of: track, to: &text)
    }

    private func number(of track: ExportTrack) -> String? {
        track.attributes["number"].flatMap { text in
            !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil
        }
    }

    private func putExtensions(of track: ExportTrack, to text: inout ExportText) {
        var own: [(String, String)] = []
        for (name, value) in track.orderedAttributes {
            switch name {
            case "cmt", "desc", "src", "link": break
            case "number" where number(of: track) != nil: break
            default: own.append((FieldNameEncoding.prefix + ElementName.encoded(name), value))
            }
        }
        if let person = track.person { own.append(("ts:person", person)) }
        if let device = track.device { own.append(("ts:device", device)) }
        if !track.tags.isEmpty { own.append(("ts:tags", track.tags.joined(separator: ", "))) }
        guard !own.isEmpty else { return }
        text.put("  <extensions>\n")
        for (element, value) in own { text.putLine(element: element, value, indent: "   ") }
        text.put("  </extensions>\n")
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        let chunk = points.chunk
        let fields = FieldColumns(chunk)
        for index in points.range {
            if points.startsSegment(index) || !isInSegment {
                text.put(isInSegment ? "  </trkseg>\n  <trkseg>\n" : "  <trkseg>\n")
                isInSegment = true
            }
            text.put("   <trkpt lat=\"")
            text.put(degrees: chunk.latitudes[index], chunk.unit)
            text.put("\" lon=\"")
            text.put(longitudeBelow180: chunk.longitudes[index], chunk.unit)
            text.put("\">")
            putFields(fields, index, time: chunk.times[index], to: &text)
            text.put("</trkpt>\n")
        }
    }

    private func putFields(_ fields: FieldColumns, _ index: Int, time: Int64, to text: inout ExportText) {
        var left: [(name: String, value: FieldValue)] = []
        var standard: [(name: String, value: FieldValue)] = []
        var known: [String: FieldValue] = [:]
        for (name, value) in fields.values(at: index) {
            if Self.beforeTime.contains(name), value.number != nil {
                text.put(element: name, value)
            } else if Self.fits(name, value) {
                standard.append((name, value))
            } else if Self.fitsGarmin(name, value) {
                known[name] = value
            } else {
                left.append((name, value))
            }
        }
        if time != PointColumns.untimed {
            text.put("<time>")
            text.put(time: time)
            text.put("</time>")
        }
        for name in Self.afterTime {
            for (found, value) in standard where found == name { text.put(element: name, value) }
        }
        guard !known.isEmpty || !left.isEmpty else { return }
        text.put("<extensions>")
        let isGarmin = Self.garmin.contains { known[$0.field] != nil }
        if isGarmin { text.put("<gpxtpx:TrackPointExtension>") }
        for (element, field) in Self.garmin {
            if let value = known[field] { text.put(element: "gpxtpx:\(element)", Self.plain(value)) }
        }
        if isGarmin { text.put("</gpxtpx:TrackPointExtension>") }
        if let power = known[FieldName.power] { text.put(element: "pwr:PowerInWatts", Self.plain(power)) }
        for (name, value) in left { text.put(element: FieldNameEncoding.element(name), value) }
        text.put("</extensions>")
    }

    /// Whether a standard GPX element can hold the value.
    private static func fits(_ name: String, _ value: FieldValue) -> Bool {
        switch name {
        case "name", "cmt", "desc", "src", "sym", "type": return true
        case "geoidheight", "hdop", "vdop", "pdop", "ageofdgpsdata": return value.number != nil
        case "magvar": return value.number.map { (0..<360).contains($0.double) } ?? false
        case "fix":
            guard case .text(let text) = value else { return false }
            return fixes.contains(text)
        case "sat": return value.whole(in: 0...Int64.max) != nil && value.number?.places == 0
        case "dgpsid": return value.whole(in: 0...1023) != nil && value.number?.places == 0
        default: return false
        }
    }

    /// Whether one of Garmin's elements can hold the value.
    private static func fitsGarmin(_ name: String, _ value: FieldValue) -> Bool {
        switch name {
        case FieldName.heartRate: value.whole(in: 1...255) != nil
        case FieldName.cadence: value.whole(in: 0...254) != nil
        case FieldName.power: value.whole(in: 0...65_535) != nil
        case FieldName.temperature, FieldName.speed: value.number != nil
        case FieldName.course, FieldName.heading: value.number.map { (0...360).contains($0.double) } ?? false
        default: false
        }
    }

    /// Removes the decimal places of integers, because some schemas reject them.
    private static func plain(_ value: FieldValue) -> FieldValue {
        value.whole(in: .min ... .max).map { .number(FixedDecimal(mantissa: $0, places: 0)) } ?? value
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {
        text.put(isInSegment ? "  </trkseg>\n </trk>\n" : " </trk>\n")
    }

    mutating func close(to text: inout ExportText) {
        text.put("</gpx>\n")
    }
}

/// The fields of a chunk, by point.
struct FieldColumns {
    private let columns: [FieldColumn]

    init(_ chunk: PointColumns) {
        columns = chunk.fields
    }

    /// The values of a point, in the order of the field names.
    func values(at index: Int) -> [(name: String, value: FieldValue)] {
        columns.compactMap { column in column.value(at: index).map { (column.name, $0) } }
    }
}
