import Text

/// What one track did on one day.
///
/// The numbers are whole, so that sums over days, weeks, months and years are equal, whatever the order of addition.
public struct DayTotals: Sendable, Equatable {
    /// Days since 1970-01-01 in the library's time zone; nil for points without time.
    public var day: Int32?
    /// The first instant of the track on the day, in milliseconds since 1970; 0 for points without time.
    public var start: Int64 = 0
    /// The length of the lines on the ellipsoid WGS 84, without rests.
    public var millimetres: Int64 = 0
    /// From the first to the last instant of the track on the day.
    public var milliseconds: Int64 = 0
    /// The time of steps with at least `movingMetresPerSecond`, without rests and gaps.
    public var movingMilliseconds: Int64 = 0
    /// The sum of the rises; see `ClimbMeter`.
    public var climbCentimetres: Int64 = 0

    /// A step at this speed or faster is a movement.
    public static let movingMetresPerSecond = 0.5
    /// Creates the totals of a day on which nothing was recorded.
    public init(day: Int32?) {
        self.day = day
    }

    /// From the first to the last instant; nil for points without time.
    public var span: ClosedRange<Int64>? {
        let (end, overflow) = start.addingReportingOverflow(max(0, milliseconds))
        return day == nil || overflow ? nil : start...end
    }

    /// Sets the sums of a day.
    public mutating func set(_ amounts: TrackMinute.Amounts) {
        millimetres = amounts.millimetres
        movingMilliseconds = amounts.movingMilliseconds
        climbCentimetres = amounts.climbCentimetres
    }
}

/// Where a track begins and ends, in 1e-7°: its first and its last point that is not an outlier, in the order of the track.
public struct TrackEnds: Sendable, Hashable {
    public var startLongitude: Int32
    public var startLatitude: Int32
    public var endLongitude: Int32
    public var endLatitude: Int32

    /// Creates the ends of a track.
    public init(startLongitude: Int32, startLatitude: Int32, endLongitude: Int32, endLatitude: Int32) {
        self.startLongitude = startLongitude
        self.startLatitude = startLatitude
        self.endLongitude = endLongitude
        self.endLatitude = endLatitude
    }
}

/// The totals of a track by day.
public struct TrackTotals: Sendable, Equatable {
    /// The number of the track's person.
    public var person: Int64
    /// The word for its activity, as recorded or edited; empty if it has none.
    public var activity: String
    /// Where it begins and ends; nil if all its points are outliers.
    public var ends: TrackEnds?
    /// The days in ascending order, the points without time first.
    public var days: [DayTotals]

    /// From the first to the last instant of all days; nil without time.
    public var span: ClosedRange<Int64>? {
        let spans = days.compactMap(\.span)
        guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() else { return nil }
        return first...last
    }

    /// Creates the totals of a track from those of its days.
    public init(person: Int64, activity: String, ends: TrackEnds? = nil, days: [DayTotals]) {
        self.person = person
        self.activity = activity
        self.ends = ends
        self.days = days
    }
}

/// The totals of a track as bytes: about 25, and 20 for each day.
extension TrackTotals {
    /// The totals as bytes.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(UInt64(bitPattern: person), to: &bytes)
        let word = Array(activity.utf8)
        Varint.append(UInt64(word.count), to: &bytes)
        bytes += word
        Varint.append(ends == nil ? 0 : 1, to: &bytes)
        if let ends {
            for degrees in [ends.startLongitude, ends.startLatitude, ends.endLongitude, ends.endLatitude] {
                Varint.append(Varint.zigzag(Int64(degrees)), to: &bytes)
            }
        }
        for totals in days {
            // 0 for points without time.
            Varint.append(totals.day.map { Varint.zigzag(Int64($0)) + 1 } ?? 0, to: &bytes)
            Varint.append(Varint.zigzag(totals.start), to: &bytes)
            for number in [
                totals.millimetres, totals.milliseconds, totals.movingMilliseconds, totals.climbCentimetres,
            ] {
                Varint.append(UInt64(bitPattern: number), to: &bytes)
            }
        }
        return bytes
    }

    /// Reads the totals that `encoded` has written.
    public init(decoding bytes: borrowing Span<UInt8>) {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        person = Int64(bitPattern: cursor.next(in: bytes))
        let count = Int(truncatingIfNeeded: min(cursor.next(in: bytes), UInt64(bytes.count - cursor.offset)))
        activity = String(decoding: (cursor.offset..<cursor.offset + count).map { bytes[$0] }, as: UTF8.self)
        cursor.offset += count
        if cursor.next(in: bytes) == 1 {
            let startLongitude = Int32(truncatingIfNeeded: Varint.unzigzag(cursor.next(in: bytes)))
            let startLatitude = Int32(truncatingIfNeeded: Varint.unzigzag(cursor.next(in: bytes)))
            let endLongitude = Int32(truncatingIfNeeded: Varint.unzigzag(cursor.next(in: bytes)))
            let endLatitude = Int32(truncatingIfNeeded: Varint.unzigzag(cursor.next(in: bytes)))
            ends = TrackEnds(
                startLongitude: startLongitude, startLatitude: startLatitude, endLongitude: endLongitude,
                endLatitude: endLatitude)
        }
        days = []
        while !cursor.isAtEnd {
            let day = cursor.next(in: bytes)
            var totals = DayTotals(
                day: day == 0 ? nil : Int32(truncatingIfNeeded: Varint.unzigzag(day - 1)))
            totals.start = Varint.unzigzag(cursor.next(in: bytes))
            totals.millimetres = Int64(bitPattern: cursor.next(in: bytes))
            totals.milliseconds = Int64(bitPattern: cursor.next(in: bytes))
            totals.movingMilliseconds = Int64(bitPattern: cursor.next(in: bytes))
            totals.climbCentimetres = Int64(bitPattern: cursor.next(in: bytes))
            days.append(totals)
        }
    }
}
