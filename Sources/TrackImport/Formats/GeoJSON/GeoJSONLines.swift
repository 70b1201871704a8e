import Text
import Tracks

extension GeoJSONReader {
    /// Stores a line, or the lines of one geometry, as a recording.
    func takeLine(_ geometry: GeoObject, _ feature: GeoObject) throws {
        let positions = geometry.positions
        reading.receipt.refused.add(positions.refused, lines: 0)
        guard positions.placeCount > 0 else { return reading.skip(.emptyTrack) }
        var header = RecordingHeader(source: reading.source)
        let isMapObject = GeoVenue.isMapObject(feature)
        for (name, value) in feature.properties {
            if name == "notes", case .object(let attributes) = value {
                for attribute in attributes where header.attributes.count < Self.attributeLimit {
                    if let text = attribute.value.text { header.attributes[attribute.name] = text }
                }
            } else {
                for leaf in value.leaves(name) {
                    describe(&header, leaf.name, leaf.value.text, isMapObject: isMapObject)
                }
            }
        }
        var columns: [(name: String, values: ValueColumn)] = []
        for (name, list) in feature.lists {
            if list.values.count == positions.count {
                columns.append((FieldVocabulary.name(name), list.values))
            } else {
                describe(&header, name, try list.text(), isMapObject: isMapObject)
            }
        }
        let times = geometry.times ?? feature.times
        if let times, times.count != positions.count { reading.receipt.remarks.insert(.timeCountMismatch) }
        let recording = try reading.begin()
        try append(geometry, feature, times.map { GeoTimeCursor($0, of: positions) }, columns, to: recording)
        try reading.end(recording, header: header)
    }

    private func append(
        _ geometry: GeoObject, _ feature: GeoObject, _ times: GeoTimeCursor?,
        _ columns: [(name: String, values: ValueColumn)], to recording: OpenRecording
    ) throws {
        let positions = geometry.positions
        var times = times
        // Fourth numbers that are too small for times are measures.
        let fourthNumbersAreTimes =
            times == nil && positions.firstFourthNumber.map { $0.double >= Self.minEpoch } ?? false
        let doubles = positions.doubles(ofLines: feature.duplicatedPointLines)
        var builder = ChunkBuilder()
        let slots = columns.map { builder.slot(for: $0.name) }
        let elevation = positions.hasAltitudes ? builder.slot(for: FieldName.elevation) : nil
        let measure =
            times == nil && !fourthNumbersAreTimes && positions.firstFourthNumber != nil ? builder.slot(for: "m") : nil
        var cursors = columns.map { ValueCursor($0.values) }
        var cursor = GeoPositionCursor(positions)
        var starts = positions.starts.makeIterator()
        var nextStart = starts.next()
        for index in 0..<positions.count {
            while let start = nextStart, start <= index {
                builder.beginSegment()
                nextStart = starts.next()
            }
            let position = try cursor.next()
            var time = try times?.next(index).flatMap { Instant(milliseconds: $0) }
            if fourthNumbersAreTimes { time = position.fourth.flatMap { InstantReader.instant($0) } }
            var values: [ColumnValue] = []
            for index in cursors.indices { values.append(try cursors[index].next() ?? .absent) }
            guard let place = position.place, !doubles.contains(index) else { continue }
            builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
            for (value, slot) in zip(values, slots) { builder.set(slot, to: value) }
            if let elevation, let altitude = position.altitude { builder.set(elevation, to: altitude) }
            if let measure, let fourth = position.fourth { builder.set(measure, to: fourth) }
            if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        }
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }

    private func describe(
        _ header: inout RecordingHeader, _ name: String, _ text: String?, isMapObject: Bool
    ) {
        guard let text, !text.isEmpty else { return }
        // The user named on a map object edited the map; nothing shows that they were there.
        let role = CSVColumns.role(of: name)
        switch isMapObject && role != .trackName ? nil : role {
        case .trackName? where header.name == nil: header.name = text
        case .activity? where header.activity == nil: header.activity = text.lowercased()
        case .person? where header.person == nil: header.person = text
        case .device? where header.device == nil: header.device = text
        default:
            if header.attributes.count < Self.attributeLimit { header.attributes[name] = text }
        }
    }
}

/// Reads the times of positions in order; if the counts differ, lists of times are matched with lines where possible.
struct GeoTimeCursor {
    private var cursor: ValueCursor
    private var taken = 0
    /// The start of each line among positions and times; empty if all are paired from the first one.
    private var lines: [(position: Int, time: Int, end: Int)] = []
    private var line = 0

    init(_ times: GeoTimes, of positions: GeoPositions) {
        cursor = ValueCursor(times.milliseconds)
        guard times.count != positions.count, times.starts.count == positions.starts.count, times.starts.count > 2
        else { return }
        for index in times.starts.indices {
            let end = index + 1 < times.starts.count ? times.starts[index + 1] : times.count
            lines.append((positions.starts[index], times.starts[index], end))
        }
    }

    /// The time of the next position, in milliseconds since 1970; nil where it has none.
    mutating func next(_ position: Int) throws -> Int64? {
        guard !lines.isEmpty else { return try cursor.nextNumber()?.mantissa }
        while line + 1 < lines.count, lines[line + 1].position <= position { line += 1 }
        let (first, start, end) = lines[line]
        let wanted = start + position - first
        guard wanted < end else { return nil }
        while taken < wanted {
            _ = try cursor.next()
            taken += 1
        }
        taken += 1
        return try cursor.nextNumber()?.mantissa
    }
}
