import Tracks

/// Finds the gaps between playable points with an `OutlierDetector`, without the points that are not playable.
struct GapDetector: Sendable {
    private let track: ReplayTrack
    private let longSegments: Set<Int>
    private var detector: OutlierDetector?
    private var segment = 0
    private var waiting: [TimedPoint] = []
    /// The detector would skip the previous point. It is played all the same, with a gap after it.
    private var followsOutlier = false
    private var followsEstimate = false

    init(_ track: ReplayTrack) {
        self.track = track
        longSegments = Set(track.longSegments)
    }

    mutating func take(_ raw: [TimedPoint], into ready: inout [PlayablePoint]) {
        var start = 0
        while start < raw.count {
            let end = raw[start...].firstIndex { $0.segment != raw[start].segment } ?? raw.count
            begin(raw[start].segment, into: &ready)
            let points = raw[start..<end]
            waiting += points
            var classified: [ClassifiedPoint] = []
            detector?.add(
                PointColumns(
                    unit: .decimal(places: 7), longitudes: points.map { Int64($0.longitude) },
                    latitudes: points.map { Int64($0.latitude) }, times: points.map(\.time), segmentStarts: []),
                into: &classified)
            emit(classified, &ready)
            start = end
        }
    }

    mutating func finish(into ready: inout [PlayablePoint]) {
        var classified: [ClassifiedPoint] = []
        detector?.finish(into: &classified)
        detector = nil
        emit(classified, &ready)
    }

    private mutating func begin(_ segment: Int, into ready: inout [PlayablePoint]) {
        guard detector == nil || segment != self.segment else { return }
        finish(into: &ready)
        self.segment = segment
        // Each segment has its own detector; the pause rule applies to streams and to a file's long segments.
        let pausesAreGaps = track.isStream || longSegments.contains(segment)
        detector = OutlierDetector(
            gap: track.gap, kind: pausesAreGaps ? .stream : .file(longSegments: []), outlierRule: track.outlierRule)
    }

    private mutating func emit(_ classified: [ClassifiedPoint], _ ready: inout [PlayablePoint]) {
        for (point, classified) in zip(waiting, classified) {
            // Between estimated times there are no pauses: untimed points are joined by lines.
            let isPause = classified.connection != .continues && !point.isTimeEstimated && !followsEstimate
            ready.append(
                PlayablePoint(
                    longitude: point.longitude, latitude: point.latitude, time: point.time, index: point.index,
                    fields: point.fields, isTimeEstimated: point.isTimeEstimated, begins: followsOutlier || isPause))
            followsOutlier = classified.outlierReason != nil
            followsEstimate = point.isTimeEstimated
        }
        // A new array, because the old one keeps the capacity of a whole portion.
        waiting = Array(waiting.dropFirst(classified.count))
    }
}
