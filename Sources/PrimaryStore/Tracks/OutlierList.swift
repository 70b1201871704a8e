public import Tracks

/// A point that takes no part in heat, lines and replay, with the reason.
public struct OutlierPoint: Sendable, Equatable {
    /// The index of the point in the track, from 0.
    public var index: Int
    /// Milliseconds since 1970; nil if the point has no time.
    public var time: Int64?
    /// 1e-7° east.
    public var longitude: Int32
    /// 1e-7° north.
    public var latitude: Int32
    /// Why it is an outlier.
    public var outlierReason: OutlierReason
    /// The horizontal accuracy that the point gives, in metres rounded up.
    public var accuracy: UInt32?
}

extension TrackSnapshot {
    /// Calls `body` with the excluded points of a track in order; reads the whole track.
    public func forEachOutlier(of track: Track, _ body: (OutlierPoint) throws -> Void) throws {
        var detector = track.detector
        var classified: [ClassifiedPoint] = []
        var fields = ClassifiedFields()
        func give() throws {
            for point in classified {
                guard let outlierReason = point.outlierReason else { continue }
                try body(
                    OutlierPoint(
                        index: point.index, time: point.time == PointColumns.untimed ? nil : point.time,
                        longitude: point.longitude, latitude: point.latitude, outlierReason: outlierReason,
                        accuracy: fields.accuracy(at: point.index)))
            }
            classified.removeAll(keepingCapacity: true)
        }
        try forEachChunk(ofTrack: track.number, fields: OutlierDetector.wanted) { chunk in
            fields.take(DrawnFields(chunk))
            detector.add(chunk, into: &classified)
            try give()
        }
        detector.finish(into: &classified)
        try give()
    }
}
