import Text
import Tracks

/// Reads a track's playable points chunk by chunk, in stored order.
struct FileOrderReader: Sendable {
    private let track: ReplayTrack
    private let readsFields: Bool
    private var position = ReadingPosition()
    private var detector: OutlierDetector
    private var waiting: [PointFields] = []
    private var firstWaiting = 0
    private var points = 0
    private var segmentStarts: [Int] = []
    private var segment = -1
    private var isAtEnd = false

    init(_ track: ReplayTrack, fields: Bool) {
        self.track = track
        readsFields = fields
        detector = track.summary.detector(
            gap: track.gap, isStream: track.isStream, outlierRule: track.outlierRule)
    }

    /// Reads about `most` points and appends those that are playable; false at the end. Some calls append none.
    mutating func read(from source: any PointSource, most: Int, into raw: inout [TimedPoint]) throws -> Bool {
        guard !isAtEnd else { return false }
        // Only undecided points are kept between chunks, because many tracks may be read at the same time.
        var classified: [ClassifiedPoint] = []
        switch try source.points(of: track, at: position, fields: readsFields, most: most) {
        case .changed:
            throw TrackChanged()
        case .end:
            isAtEnd = true
            detector.finish(into: &classified)
        case .points(let chunk):
            position.advance(over: chunk)
            if !track.isStream { segmentStarts += chunk.segmentStarts.map { $0 + points } }
            points += chunk.count
            if readsFields { waiting += chunk.replayFields }
            detector.add(chunk, into: &classified)
        }
        raw.reserveCapacity(raw.count + classified.count)
        for point in classified { take(point, into: &raw) }
        if let last = classified.last, readsFields {
            waiting = Array(waiting.dropFirst(last.index + 1 - firstWaiting))
            firstWaiting = last.index + 1
        }
        return true
    }

    private mutating func take(_ point: ClassifiedPoint, into raw: inout [TimedPoint]) {
        while let next = segmentStarts.first, next <= point.index {
            segment += 1
            segmentStarts.removeFirst()
        }
        guard point.outlierReason == nil, point.time.magnitude <= UInt64(PlayableTimes.limit) else { return }
        raw.append(
            TimedPoint(
                longitude: point.longitude, latitude: point.latitude, time: point.time, index: point.index,
                segment: segment, isTimeEstimated: point.isTimeEstimated,
                fields: readsFields ? waiting[point.index - firstWaiting] : PointFields()))
    }
}

extension PointColumns {
    fileprivate var replayFields: [PointFields] {
        var result = [PointFields](repeating: PointFields(), count: count)
        if let elevations = column(FieldName.elevation) {
            for index in result.indices { result[index].elevation = elevations.decimal(at: index, places: 1) }
        }
        if let waypoints = column(FieldName.waypoint) {
            let names = column(FieldName.pointName)
            for index in result.indices where waypoints.decimal(at: index, places: 1) ?? 0 != 0 {
                result[index].addWaypoint(named: names?.text(at: index))
            }
        }
        return result
    }
}

extension FieldColumn {
    /// The value × 10^`places`, rounded half away from zero; nil if it is missing or not a number.
    package func decimal(at index: Int, places wanted: UInt8) -> Int64? {
        switch values {
        case .numbers(let places, let numbers):
            guard numbers[index] != FieldColumn.absent else { return nil }
            return FixedDecimal(mantissa: numbers[index], places: places).rescaled(to: wanted)
        case .texts(let texts):
            let factor = Double(FixedDecimal.integerPower(wanted))
            return texts[index].flatMap { Double($0) }.flatMap { Int64(exactly: ($0 * factor).rounded()) }
        }
    }

    fileprivate func text(at index: Int) -> String? {
        guard case .texts(let texts) = values else { return decimal(at: index, places: 0).map { String($0) } }
        return texts[index]
    }
}
