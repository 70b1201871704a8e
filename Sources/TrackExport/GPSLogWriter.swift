import Tracks

/// Writes GPS Log's XML as it was meant: well-formed, one root, its attributes called by their names, times in UTC. What it
/// has no attribute for stands in attributes of our own.
struct GPSLogWriter: TrackWriter {
    private var session = ""

    mutating func open(_ survey: FieldSurvey, to text: inout ExportText) {
        text.put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <GPSLog xmlns:ts="\(FieldSpelling.namespace)">

            """)
    }

    mutating func begin(_ track: ExportTrack, _ survey: FieldSurvey, to text: inout ExportText) {
        session = track.id
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        let chunk = points.chunk
        let fields = FieldColumns(chunk)
        for index in points.range {
            text.put("  <DataPoint")
            put("SessionID", .text(session), &text)
            text.put(" Latitude=\"")
            text.put(degrees: chunk.latitudes[index], chunk.unit)
            text.put("\" Longitude=\"")
            text.put(degrees: chunk.longitudes[index], chunk.unit)
            text.put("\" TimeStamp=\"")
            if chunk.times[index] != Instant.none { text.put(time: chunk.times[index]) }
            text.put("\"" as Unicode.Scalar)
            for (name, value) in fields.values(at: index) {
                if name == FieldName.mark, value.whole(in: 1...1) != nil {
                    text.put(" Marked=\"true\"")
                    continue
                }
                // Else a heading of 0 is one that was not measured.
                if name == FieldName.heading { text.put(" HeadingChanged=\"true\"") }
                put(Self.attribute(name, value), value, &text)
            }
            text.put("/>\n")
        }
    }

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

    /// GPS Log's own attribute, where the value does not mean there that there is none.
    private static func attribute(_ name: String, _ value: FieldValue) -> String {
        let isNone =
            value.text == "n/a" || value.text.isEmpty || value.text.hasPrefix("-") && name != FieldName.elevation
        guard !isNone, let attribute = attributes[name] else { return FieldSpelling.element(name) }
        return attribute
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {}

    mutating func close(to text: inout ExportText) {
        text.put("</GPSLog>\n")
    }
}
