import Text
import Tracks

/// Writes GPS Log XML in a corrected form: well-formed, one root, named attributes, times in UTC.
///
/// Fields without an attribute of GPS Log become attributes in our namespace. Changes of heading are separate rows, as
/// in GPS Log's own files.
struct GPSLogWriter: TrackFormatWriter {
    private var session = ""
    /// Person and device of the track, until its first row is written.
    private var owner: [(attribute: String, value: String)] = []

    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText) {
        text.put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <GPSLog xmlns:ts="\(FieldNameEncoding.namespace)">

            """)
    }

    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText) {
        session = track.id
        owner = [(ExportedNames.personElement, track.person), (ExportedNames.deviceElement, track.device)].compactMap {
            attribute, value in value.map { (FieldNameEncoding.prefix + attribute, $0) }
        }
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        let chunk = points.chunk
        let fields = FieldColumns(chunk)
        for index in points.range {
            text.put("  <DataPoint")
            put("SessionID", .text(session), &text)
            for (attribute, value) in owner { put(attribute, .text(value), &text) }
            owner = []
            text.put(" Latitude=\"")
            text.put(degrees: chunk.latitudes[index], chunk.unit)
            text.put("\" Longitude=\"")
            text.put(degrees: chunk.longitudes[index], chunk.unit)
            text.put("\" TimeStamp=\"")
            if chunk.times[index] != PointColumns.untimed { text.put(time: chunk.times[index]) }
            text.put("\"" as Unicode.Scalar)
            var headings: [Heading] = []
            for (name, value) in fields.values(at: index) {
                if name == FieldName.headingChanges, let rows = Self.headings(value.text) {
                    headings = rows
                    continue
                }
                if name == FieldName.waypoint, value.whole(in: 1...1) != nil {
                    text.put(" Marked=\"true\"")
                    continue
                }
                // Without this attribute a heading of 0 means that none was measured.
                if name == FieldName.heading { text.put(" HeadingChanged=\"true\"") }
                put(Self.attribute(name, value), value, &text)
            }
            text.put("/>\n")
            for heading in headings { put(heading, &text) }
        }
    }

    // MARK: Changes of heading

    /// A change of heading in GPS Log's format.
    private struct Heading {
        var time: Substring
        var degrees: Substring
        var id: Substring
    }

    private func put(_ heading: Heading, _ text: inout ExportText) {
        text.put("  <DataPoint")
        put("SessionID", .text(session), &text)
        text.put(" Latitude=\"0\" Longitude=\"0\" TimeStamp=\"1901-01-01T00:00:00Z\"")
        if !heading.id.isEmpty { put("EntryID", .text(String(heading.id)), &text) }
        put("Heading", .text(String(heading.degrees)), &text)
        text.put(" HeadingChanged=\"true\"")
        put("HeadingTimeStamp", .text(String(heading.time)), &text)
        text.put("/>\n")
    }

    /// The changes in a text; nil if they could not be imported unchanged.
    private static func headings(_ text: String) -> [Heading]? {
        var headings: [Heading] = []
        for entry in HeadingChange.entries(of: text) {
            let parts = entry.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count >= 2, case .instant(let instant)? = DateText(String(parts[0])),
                InstantFormatter.utc(instant) == parts[0], isNumber(parts[1])
            else { return nil }
            let id = parts.count > 2 ? parts[2] : ""
            guard parts.count < 3 || !id.isEmpty, !id.hasPrefix(" "), !id.hasSuffix(" "),
                id.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != ";" && $0.value < 0xFFFE })
            else { return nil }
            headings.append(Heading(time: parts[0], degrees: parts[1], id: id))
        }
        return headings
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
    }

    // MARK: Attributes

    private func put(_ attribute: String, _ value: FieldValue, _ text: inout ExportText) {
        text.put(" \(attribute)=\"")
        text.put(xml: value)
        text.put("\"" as Unicode.Scalar)
    }

    private static let attributes = [
        FieldName.elevation: "Altitude", FieldName.horizontalAccuracy: "HorizontalAccuracy",
        FieldName.verticalAccuracy: "VerticalAccuracy", FieldName.speed: "Speed", FieldName.course: "Course",
        FieldName.address: "Address", FieldName.pointID: "EntryID", FieldName.repeats: "InstanceCount",
        FieldName.heading: "Heading", "MapX": "MapX", "MapY": "MapY",
    ]

    /// GPS Log's own attribute, unless GPS Log would read the value as missing.
    private static func attribute(_ name: String, _ value: FieldValue) -> String {
        let isNone =
            value.text == "n/a" || value.text.isEmpty || value.text.hasPrefix("-") && name != FieldName.elevation
        guard !isNone, let attribute = attributes[name] else { return FieldNameEncoding.element(name) }
        return attribute
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {}

    mutating func close(to text: inout ExportText) {
        text.put("</GPSLog>\n")
    }
}
