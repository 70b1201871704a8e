import Pins
import Tracks

/// Writes KML with a `gx:Track` for each segment and its fields as arrays; tracks without times and fields become
/// lines.
///
/// In a `gx:Track` all `when` elements come before all `gx:coord`, as the schema requires. A track has only those
/// fields that one of its points has. The schema requires a time of every point: a point without one gets the time of
/// the point before, or else 1970, and is flagged in the array `ExportedNames.untimedPoint`.
struct KMLWriter: TrackFormatWriter {
    private static let schema = "fields"

    private var names: [String] = []
    private var isLine = false
    /// The newest time of the track, in milliseconds since 1970.
    private var latestTime: Int64 = 0

    var needs: FieldNeeds { .ofAllAndEach }
    var run: PointRun { .segment }
    /// Times, positions, then each field.
    var passes: Int { isLine ? 1 : 2 + names.count }

    /// The fields that become arrays: all except numeric elevations, which are part of the coordinates.
    private static func names(_ statistics: FieldStatistics) -> [String] {
        statistics.names.filter { $0 != FieldName.elevation || statistics.isNumber[$0] == false }
    }

    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText) {
        var names = Self.names(statistics)
        if statistics.hasUntimedPoints { names.append(ExportedNames.untimedPoint) }
        text.put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>

            """)
        guard !names.isEmpty else { return }
        text.put(" <Schema id=\"\(Self.schema)\">\n")
        for name in names {
            let type = statistics.isNumber[name] == true ? "double" : "string"
            text.put("  <gx:SimpleArrayField type=\"\(type)\" name=\"")
            text.put(xml: FieldNameEncoding.label(name))
            text.put("\"/>\n")
        }
        text.put(" </Schema>\n")
    }

    mutating func add(_ pin: Pin, to text: inout ExportText) {
        text.putPlacemark(pin)
    }

    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText) {
        names = Self.names(statistics)
        isLine = names.isEmpty && track.untimed == track.points
        latestTime = 0
        if track.untimed > 0, !isLine { names.append(ExportedNames.untimedPoint) }
        text.put(" <Placemark>\n")
        text.putLine(element: "name", track.name, indent: "  ")
        var attributes = track.orderedAttributes.filter { track.activity == nil || $0.key != "type" }
        if let activity = track.activity { attributes.append(("type", activity)) }
        if let person = track.person { attributes.append((ExportedNames.person, person)) }
        if let device = track.device { attributes.append((ExportedNames.device, device)) }
        if !track.tags.isEmpty { attributes.append(("tags", track.tags.joined(separator: ", "))) }
        if !attributes.isEmpty {
            text.put("  <ExtendedData>\n")
            for (name, value) in attributes {
                text.put("   <Data name=\"")
                text.put(xml: name)
                text.put("\"><value>")
                text.put(xml: value)
                text.put("</value></Data>\n")
            }
            text.put("  </ExtendedData>\n")
        }
        text.put(isLine ? "  <MultiGeometry>\n" : "  <gx:MultiTrack>\n")
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        if isLine { return addLine(points, isFirst: isFirst, to: &text) }
        if pass == 0 { return addTimes(points, isFirst: isFirst, to: &text) }
        if pass == 1 { return addPlaces(points, to: &text) }
        let name = names[pass - 2]
        if isFirst {
            if pass == 2 {
                text.put("    <ExtendedData><SchemaData schemaUrl=\"#\(Self.schema)\">\n")
            }
            text.put("     <gx:SimpleArrayData name=\"")
            text.put(xml: FieldNameEncoding.label(name))
            text.put("\">\n")
        }
        if name == ExportedNames.untimedPoint { return addUntimedFlags(points, to: &text) }
        let column = points.chunk.column(name)
        for index in points.range {
            var value = column?.value(at: index)
            // The elevation is part of the coordinate.
            if name == FieldName.elevation, value?.number != nil { value = nil }
            guard let value else {
                text.put("<gx:value/>")
                continue
            }
            text.put(element: "gx:value", value)
        }
        text.put("\n")
    }

    private func addUntimedFlags(_ points: PointRange, to text: inout ExportText) {
        for index in points.range {
            let isUntimed = points.chunk.times[index] == PointColumns.untimed
            text.put(isUntimed ? "<gx:value>1</gx:value>" : "<gx:value/>")
        }
        text.put("\n")
    }

    private mutating func addTimes(_ points: PointRange, isFirst: Bool, to text: inout ExportText) {
        if isFirst { text.put("   <gx:Track>\n") }
        for index in points.range {
            let time = points.chunk.times[index]
            if time != PointColumns.untimed { latestTime = time }
            text.put("    <when>")
            text.put(time: latestTime)
            text.put("</when>\n")
        }
    }

    private func addPlaces(_ points: PointRange, to text: inout ExportText) {
        let elevations = points.chunk.column(FieldName.elevation)
        for index in points.range {
            text.put("    <gx:coord>")
            put(points, index, elevations, between: " ", to: &text)
            text.put("</gx:coord>\n")
        }
    }

    private func addLine(_ points: PointRange, isFirst: Bool, to text: inout ExportText) {
        if isFirst { text.put("   <LineString><coordinates>\n") }
        let elevations = points.chunk.column(FieldName.elevation)
        for index in points.range {
            put(points, index, elevations, between: ",", to: &text)
            text.put("\n")
        }
    }

    private func put(
        _ points: PointRange, _ index: Int, _ elevations: FieldColumn?, between separator: Unicode.Scalar,
        to text: inout ExportText
    ) {
        text.put(degrees: points.chunk.longitudes[index], points.chunk.unit)
        text.put(separator)
        text.put(degrees: points.chunk.latitudes[index], points.chunk.unit)
        guard let elevation = elevations?.value(at: index)?.number else { return }
        text.put(separator)
        text.put(elevation)
    }

    mutating func endRun(pass: Int, to text: inout ExportText) {
        if isLine { return text.put("   </coordinates></LineString>\n") }
        if pass > 1 { text.put("     </gx:SimpleArrayData>\n") }
        guard pass == passes - 1 else { return }
        if pass > 1 { text.put("    </SchemaData></ExtendedData>\n") }
        text.put("   </gx:Track>\n")
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {
        text.put(isLine ? "  </MultiGeometry>\n </Placemark>\n" : "  </gx:MultiTrack>\n </Placemark>\n")
    }

    mutating func close(to text: inout ExportText) {
        text.put("</Document>\n</kml>\n")
    }
}
