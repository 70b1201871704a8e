import Text
import Tracks

/// A stay at a place: from an arrival to a departure.
struct GoogleVisit {
    /// nil if it was refused.
    var place: Place?
    var start: Instant?
    var end: Instant?

    /// When the visit ended, if that is after its start.
    var departure: Instant? {
        guard let start, let end, end.milliseconds > start.milliseconds else { return nil }
        return end
    }
}

/// When the paths of a phone export have points, to the minute.
struct GooglePathTimes {
    /// Minutes since 1970.
    private var minutes: [Int32] = []
    private var isSorted = true

    /// Number of minutes before the end of a visit in which a point of a path shows the end. A departure would then
    /// only add distance, because it is at the place that Google inferred, not where the path is.
    private static let shownMinutes: Int64 = 1

    mutating func add(_ time: Instant) {
        let minute = Int32(clamping: Self.minute(of: time))
        // Without repetitions, a minute takes 4 bytes, however many points it has.
        guard minutes.last != minute else { return }
        if let last = minutes.last, last > minute { isSorted = false }
        minutes.append(minute)
    }

    private static func minute(of time: Instant) -> Int64 { time.milliseconds.floorDivided(by: 60_000) }

    /// Sorts the times, before `showsEnd`.
    mutating func sort() {
        guard !isSorted else { return }
        minutes.sort()
        isSorted = true
    }

    /// Whether a path shows where somebody was at the end of a visit, in binary search.
    func showsEnd(of visit: GoogleVisit) -> Bool {
        guard let start = visit.start, let end = visit.departure else { return false }
        let last = Self.minute(of: end)
        let first = max(last - Self.shownMinutes, Self.minute(of: start) + 1)
        var (low, high) = (0, minutes.count)
        while low < high {
            let middle = (low + high) / 2
            if Int64(minutes[middle]) < first { low = middle + 1 } else { high = middle }
        }
        return low < minutes.count && Int64(minutes[low]) < last
    }
}

/// A record of `Records.json` being read.
struct GoogleRecord {
    /// The meaning of a record's member.
    enum Word {
        case latitude, longitude, time, timeMs, device, other
        /// A field with the file's name and its slot; nil if the value decides the name, or if there are too many
        /// fields.
        case field(String, FieldSlot?)
    }

    var latitude: FixedDecimal?
    var longitude: FixedDecimal?
    var time: Instant?
    var timeMs: Instant?
    var device: String?
    var point = PendingPoint()

    mutating func reset() {
        latitude = nil
        longitude = nil
        time = nil
        timeMs = nil
        device = nil
        point.reset()
    }
}
