import Pins
import Tracks

/// Writes GeoJSON (RFC 7946): a feature for each track, a line for each of its segments, and times and fields in
/// `coordinateProperties`, where other programs expect them.
///
/// A line must have at least two positions: the position of a lone point is written twice, and `doubled` lists the
/// indices of these lines.
struct GeoJSONWriter: TrackFormatWriter {
    private var names: [String] = []
    private var elevationIsNumber = true
    private var list = LineList()
    private var isCollection = false
    private var isFirstFeature = true
    private var track: ExportTrack?

    var needs: FieldNeeds { .ofTrack }
    /// Positions, times, then each field.
    var passes: Int { 2 + names.count }

    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText) {
        isCollection = statistics.trackCount != 1 || statistics.hasPins
        if isCollection { text.put("{\"type\":\"FeatureCollection\",\"features\":[\n") }
    }

    mutating func add(_ pin: Pin, to text: inout ExportText) {
        if !isFirstFeature { text.put(",\n") }
        isFirstFeature = false
        text.putPointFeature(pin)
    }

    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText) {
        elevationIsNumber = statistics.isNumber[FieldName.elevation] ?? true
        names = statistics.names.filter { $0 != FieldName.elevation || !elevationIsNumber }
        if !isFirstFeature { text.put(",\n") }
        isFirstFeature = false
        self.track = track
        text.putFeatureHead(of: track)
        text.put("\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[")
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        let chunk = points.chunk
        let column = pass >= 2 ? chunk.column(names[pass - 2]) : nil
        let elevations = chunk.column(FieldName.elevation)
        for index in points.range {
            if points.startsSegment(index) || !list.isInLine { list.beginLine(&text) }
            list.add(&text) { text in
                switch pass {
                case 0: text.putPosition(chunk, index, elevations)
                case 1: text.putTime(json: chunk.times[index])
                default:
                    var value = column?.value(at: index)
                    // The elevation is part of the position.
                    if names[pass - 2] == FieldName.elevation, value?.number != nil { value = nil }
                    text.put(json: value)
                }
            }
        }
    }

    mutating func endRun(pass: Int, to text: inout ExportText) {
        let doubled = list.end(&text)
        text.put("]" as Unicode.Scalar)
        switch pass {
        case 0: putProperties(to: &text)
        case passes - 1:
            text.put(",\"doubled\":[\(doubled.map { "\($0)" }.joined(separator: ","))]")
            return
        default: text.put("," as Unicode.Scalar)
        }
        text.put(json: pass == 0 ? "times" : FieldNameEncoding.label(names[pass - 1]))
        text.put(":[")
    }

    private func putProperties(to text: inout ExportText) {
        text.put("},\"properties\":{")
        if let track { text.putProperties(of: track) }
        text.put("\"coordinateProperties\":{")
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {
        text.put("}}}\n")
    }

    mutating func close(to text: inout ExportText) {
        if isCollection { text.put("]}\n") }
    }
}

/// Writes nested lists, one for each line.
private struct LineList {
    private(set) var isInLine = false
    private var lines = 0
    private var count = 0
    private var last: [UInt8] = []
    private var doubled: [Int] = []

    mutating func beginLine(_ text: inout ExportText) {
        endLine(&text)
        text.put(lines == 0 ? "[" : ",[")
        lines += 1
        count = 0
        isInLine = true
    }

    mutating func add(_ text: inout ExportText, _ put: (inout ExportText) -> Void) {
        if count > 0 { text.put("," as Unicode.Scalar) }
        let start = text.count
        put(&text)
        if count == 0 { last = Array(text.bytes[start...]) }
        count += 1
    }

    private mutating func endLine(_ text: inout ExportText) {
        guard isInLine else { return }
        if count == 1 {
            text.put("," as Unicode.Scalar)
            text.put(bytes: last)
            doubled.append(lines - 1)
        }
        text.put("]" as Unicode.Scalar)
        isInLine = false
    }

    /// Ends the list; returns the indices of the lines with only one position.
    mutating func end(_ text: inout ExportText) -> [Int] {
        endLine(&text)
        defer { self = LineList() }
        return doubled
    }
}
