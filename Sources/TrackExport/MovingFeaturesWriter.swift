import Tracks

/// Writes OGC Moving Features JSON: a moving point for each track, with its fields as temporal properties; missing
/// values are `null`.
///
/// Points without a time are skipped and segments are joined, because the format has neither.
struct MovingFeaturesWriter: TrackFormatWriter {
    private var fields: [(name: String, isNumber: Bool)] = []
    private var isCollection = false
    private var isFirstFeature = true
    private var isFirstValue = true

    var needs: FieldNeeds { .ofTrack }
    /// Positions and times; if there are fields, the times again and then each field.
    var passes: Int { fields.isEmpty ? 2 : 3 + fields.count }

    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText) {
        isCollection = statistics.trackCount != 1
        if isCollection { text.put("{\"type\":\"FeatureCollection\",\"features\":[\n") }
    }

    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText) {
        let elevationIsNumber = statistics.isNumber[FieldName.elevation] ?? true
        fields = statistics.names.filter { $0 != FieldName.elevation || !elevationIsNumber }.map {
            ($0, statistics.isNumber[$0] ?? false)
        }
        if !isFirstFeature { text.put(",\n") }
        isFirstFeature = false
        isFirstValue = true
        text.putFeatureHead(of: track)
        text.put("\"temporalGeometry\":{\"type\":\"MovingPoint\",\"coordinates\":[")
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        let chunk = points.chunk
        let name = pass >= 3 ? fields[pass - 3].name : FieldName.elevation
        let column = chunk.column(name)
        for index in points.range where chunk.times[index] != PointColumns.untimed {
            if !isFirstValue { text.put("," as Unicode.Scalar) }
            isFirstValue = false
            switch pass {
            case 0: text.putPosition(chunk, index, column)
            case 1, 2: text.putTime(json: chunk.times[index])
            default:
                var value = column?.value(at: index)
                // The elevation is part of the position.
                if name == FieldName.elevation, value?.number != nil { value = nil }
                text.put(json: value)
            }
        }
    }

    mutating func endRun(pass: Int, to text: inout ExportText) {
        isFirstValue = true
        switch pass {
        case 0: text.put("],\"datetimes\":[")
        case 1:
            text.put("],\"interpolation\":\"Linear\"}")
            if passes > 2 { text.put(",\"temporalProperties\":[{\"datetimes\":[") }
        case 2:
            text.put("]" as Unicode.Scalar)
            beginField(0, &text)
        default:
            text.put("],\"interpolation\":\"Discrete\"}")
            if pass < passes - 1 { beginField(pass - 2, &text) } else { text.put("}]") }
        }
    }

    private func beginField(_ index: Int, _ text: inout ExportText) {
        text.put("," as Unicode.Scalar)
        text.put(json: FieldNameEncoding.label(fields[index].name))
        text.put(":{\"type\":\"\(fields[index].isNumber ? "Measure" : "Text")\",\"values\":[")
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {
        var properties = ExportText()
        properties.putProperties(of: track)
        let members = properties.take()
        text.put(",\"properties\":{")
        text.put(bytes: Array(members.dropLast()))
        text.put("}}\n")
    }

    mutating func close(to text: inout ExportText) {
        if isCollection { text.put("]}\n") }
    }
}
