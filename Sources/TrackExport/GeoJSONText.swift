import Pins
import Text
import Tracks

/// Encoding shared by GeoJSON and Moving Features JSON.
extension ExportText {
    /// Adds the beginning of a feature, up to its geometry.
    mutating func putFeatureHead(of track: ExportTrack) {
        put("{\"type\":\"Feature\",\"id\":")
        put(json: track.id)
        put("," as Unicode.Scalar)
        guard let bounds = track.bounds else { return }
        put("\"bbox\":[")
        for (index, edge) in [bounds.west, bounds.south, bounds.east, bounds.north].enumerated() {
            if index > 0 { put("," as Unicode.Scalar) }
            put(FixedDecimal(mantissa: Int64(edge), places: 7))
        }
        put("],")
    }

    /// Adds the metadata of a track as members of an object, each followed by a comma.
    mutating func putProperties(of track: ExportTrack) {
        let texts = [
            ("name", track.name), ("activity", track.activity), ("person", track.person), ("device", track.device),
            ("tags", track.tags.isEmpty ? nil : track.tags.joined(separator: ", ")),
        ]
        for case (let name, let value?) in texts {
            put("\"\(name)\":")
            put(json: value)
            put("," as Unicode.Scalar)
        }
        guard !track.attributes.isEmpty else { return }
        put("\"notes\":{")
        for (index, attribute) in track.orderedAttributes.enumerated() {
            if index > 0 { put("," as Unicode.Scalar) }
            put(json: attribute.key)
            put(":" as Unicode.Scalar)
            put(json: attribute.value)
        }
        put("},")
    }

    /// Adds `[lon,lat]`, with a third number if the elevation is numeric.
    mutating func putPosition(_ chunk: PointColumns, _ index: Int, _ elevations: FieldColumn?) {
        put("[" as Unicode.Scalar)
        put(degrees: chunk.longitudes[index], chunk.unit)
        put("," as Unicode.Scalar)
        put(degrees: chunk.latitudes[index], chunk.unit)
        if let elevation = elevations?.value(at: index)?.number {
            put("," as Unicode.Scalar)
            put(elevation)
        }
        put("]" as Unicode.Scalar)
    }

    /// Adds a time as a string, or `null`.
    mutating func putTime(json time: Int64) {
        guard time != PointColumns.untimed else { return put("null") }
        put("\"" as Unicode.Scalar)
        put(time: time)
        put("\"" as Unicode.Scalar)
    }
}

/// Writes GeoJSON with one feature for each point.
struct GeoJSONPointWriter: TrackFormatWriter {
    private var head: [UInt8] = []
    private var isFirstFeature = true

    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText) {
        text.put("{\"type\":\"FeatureCollection\",\"features\":[\n")
    }

    mutating func add(_ pin: Pin, to text: inout ExportText) {
        if !isFirstFeature { text.put(",\n") }
        isFirstFeature = false
        text.putPointFeature(pin)
    }

    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText) {
        var properties = ExportText()
        properties.put("\"properties\":{\"track\":")
        properties.put(json: track.id)
        let texts = [("activity", track.activity), ("person", track.person), ("device", track.device)]
        for case (let name, let value?) in texts {
            properties.put(",\"\(name)\":")
            properties.put(json: value)
        }
        head = properties.take()
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        let chunk = points.chunk
        let fields = FieldColumns(chunk)
        let elevations = chunk.column(FieldName.elevation)
        for index in points.range {
            if !isFirstFeature { text.put(",\n") }
            isFirstFeature = false
            text.put("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":")
            text.putPosition(chunk, index, elevations)
            text.put("},")
            text.put(bytes: head)
            text.put(",\"time\":")
            text.putTime(json: chunk.times[index])
            for (name, value) in fields.values(at: index) where name != FieldName.elevation || value.number == nil {
                text.put("," as Unicode.Scalar)
                text.put(json: FieldNameEncoding.label(name))
                text.put(":" as Unicode.Scalar)
                text.put(json: value)
            }
            text.put("}}")
        }
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {}

    mutating func close(to text: inout ExportText) {
        text.put("\n]}\n")
    }
}
