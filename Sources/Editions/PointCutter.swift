public import Tracks

/// Cuts the visible part out of the points of a track, chunk by chunk.
///
/// What is visible depends on each point alone: on its place and its time. So moving hidden points changes nothing of what is
/// left. Points that the cut separates are in different segments, so that no line joins them.
public struct PointCutter: Sendable {
    private let discs: HiddenDiscs
    private let times: Range<Int64>
    private let showsUntimed: Bool
    /// The last point of the segment so far, if it is visible.
    private var last: (longitude: Int32, latitude: Int32)?
    private var isSegmentPending = true

    /// Fields that are published: values of the point alone. Others tell of what is hidden (distance since the start, calories
    /// so far), of health (heart rate) or of the device.
    public static let fields = WantedFields.only(names)
    private static let names = [
        FieldName.course, FieldName.elevation, FieldName.horizontalAccuracy, FieldName.speed,
    ]

    /// Cuts points in `zones` and points whose times are outside of `times` away; `showsUntimed` keeps points without a time.
    public init(zones: [PrivacyZone], times: Range<Int64>, showsUntimed: Bool) {
        discs = HiddenDiscs(zones)
        self.times = times
        self.showsUntimed = showsUntimed
    }

    /// Whether a point with a time, in milliseconds since 1970 and 1e-7°, is visible.
    public func isVisible(time: Int64, longitude: Int32, latitude: Int32) -> Bool {
        times.contains(time) && !discs.contains(longitude, latitude)
    }

    /// The visible points of the next chunk, with the published fields, in the coarsest unit that they need: a finer one would
    /// tell of hidden points. nil if none is visible.
    public mutating func cut(_ chunk: PointColumns) -> PointColumns? {
        let converter = E7Converter(unit: chunk.unit)
        var visible: [Int] = []
        var segmentStarts: [Int] = []
        var nextStart = 0
        for index in 0..<chunk.count {
            while nextStart < chunk.segmentStarts.count, chunk.segmentStarts[nextStart] <= index {
                isSegmentPending = true
                nextStart += 1
            }
            let longitude = converter.e7(chunk.longitudes[index])
            let latitude = converter.e7(chunk.latitudes[index])
            let time = chunk.times[index]
            let isInTime = time == PointColumns.untimed ? showsUntimed : times.contains(time)
            guard isInTime, !discs.contains(longitude, latitude) else {
                isSegmentPending = true
                continue
            }
            if !isSegmentPending, let last, discs.touches(last.longitude, last.latitude, longitude, latitude) {
                isSegmentPending = true
            }
            if isSegmentPending { segmentStarts.append(visible.count) }
            isSegmentPending = false
            last = (longitude, latitude)
            visible.append(index)
        }
        guard !visible.isEmpty else { return nil }
        var published = chunk
        published.fields = chunk.fields.filter { Self.names.contains($0.name) }
        return published.gathered(visible, segmentStarts: segmentStarts)
    }
}
