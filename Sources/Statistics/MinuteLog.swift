import Text

/// Collects what a track does in each minute, from sections of its steps in the order of the track.
///
/// A section belongs to a part of the track, which becomes a row of its ledger only at the end of the track. Lengths are
/// rounded so that the sum is that of the exact lengths.
public struct MinuteLog: Sendable {
    /// A place in the log: a minute of a part of the track.
    struct Place: Sendable, Equatable {
        var minute: Int64?
        var part: Int
    }

    /// A place where a track climbs.
    private struct ClimbPlace: Sendable, Equatable {
        var place: Place
        /// The day of the part.
        var day: Int32
    }

    private var encoder = TrackMinutes.Encoder()
    private var place = Place(minute: nil, part: 0)
    private var amounts = TrackMinute.Amounts()
    /// The metres of the current minute, which are rounded when it ends.
    private var metres = 0.0
    /// The metres of the minutes before, and the millimetres that were written of them.
    private var metresBefore = 0.0
    private var millimetresBefore: Int64 = 0
    /// The instants of the current minute.
    private var from: Int64 = 0
    private var to: Int64 = 0
    private var climb = ClimbMeter<ClimbPlace>()
    /// Rises; their ends may be in minutes that are written already.
    private var rises: [(centimetres: Int64, place: Place)] = []

    /// An empty log.
    public init() {}

    /// Adds a section of a step, from one instant to a later or equal one.
    @inline(__always)
    public mutating func add(metres: Double, isMoving: Bool, from start: Int64, to end: Int64, part: Int) {
        guard start >= from, end < to, part == place.part else {
            return addFar(metres: metres, isMoving: isMoving, from: start, to: end, part: part)
        }
        self.metres += metres
        if isMoving { amounts.movingMilliseconds &+= end &- start }
    }

    /// Adds a step without time.
    public mutating func add(untimedMetres metres: Double, part: Int) {
        if place.minute != nil || part != place.part { go(to: nil, part) }
        self.metres += metres
    }

    private mutating func addFar(metres: Double, isMoving: Bool, from start: Int64, to end: Int64, part: Int) {
        let length = TrackMinute.milliseconds
        let (first, last) = (start.floorDivided(by: length), end.floorDivided(by: length))
        // The way before an instant; the last one is exact.
        func way(at instant: Int64) -> Double {
            instant >= end ? metres : metres * (Double(instant - start) / Double(end - start))
        }
        func addPart(_ minute: Int64, from begin: Int64, to stop: Int64) {
            if minute != place.minute || part != place.part { go(to: minute, part) }
            self.metres += way(at: stop) - (begin > start ? way(at: begin) : 0)
            if isMoving { amounts.movingMilliseconds += stop - begin }
        }
        addPart(first, from: start, to: min(end, (first + 1) * length))
        guard last > first else { return }
        let (begin, stop) = ((first + 1) * length, last * length)
        if last - first > 1, metres > 0 || isMoving {
            // One entry, whatever the length of the step.
            go(to: first + 1, part)
            self.metres = way(at: stop) - way(at: begin)
            if isMoving { amounts.movingMilliseconds = stop - begin }
            write(count: last - first - 1)
            go(to: last, part)
        }
        if end > stop { addPart(last, from: stop, to: end) }
    }

    private mutating func go(to minute: Int64?, _ part: Int) {
        write(count: 1)
        place = Place(minute: minute, part: part)
        from = (minute ?? 0) * TrackMinute.milliseconds
        to = minute == nil ? from : from + TrackMinute.milliseconds
    }

    private mutating func write(count: Int64) {
        metresBefore += metres
        metres = 0
        let millimetres = Int64((metresBefore * 1000).rounded())
        amounts.millimetres = millimetres - millimetresBefore
        millimetresBefore = millimetres
        if !amounts.isZero {
            encoder.append(TrackMinute(minute: place.minute, count: count, row: place.part, amounts))
        }
        amounts = TrackMinute.Amounts()
    }

    // MARK: Climb

    /// Adds the elevation of a point in metres, which must be a number. `isAtRest` says that it differs from the one before
    /// only by errors. The point is in a part of the track, which has a day.
    @inline(__always)
    public mutating func add(elevation: Double, isAtRest: Bool, at instant: Int64?, part: Int, day: Int32) {
        if isAtRest { endLine() }
        let rise = climb.add(
            elevation,
            at: ClimbPlace(
                place: Place(minute: instant?.floorDivided(by: TrackMinute.milliseconds), part: part), day: day))
        if !rise.isEmpty { take(rise) }
    }

    /// Ends a line: at a gap or a new segment, a rise ends.
    public mutating func endLine() {
        take(climb.finish())
    }

    /// A rise counts on the day of its highest point, and there in the minutes in which it has grown.
    private mutating func take(_ rise: [ClimbMeter<ClimbPlace>.Growth]) {
        guard let top = rise.last?.place, let first = rise.first(where: { $0.place.day == top.day })?.place else {
            return
        }
        var (metres, centimetres) = (0.0, Int64(0))
        for growth in rise {
            metres += growth.metres
            let whole = Int64((metres * 100).rounded())
            let place = growth.place.day == top.day ? growth.place.place : first.place
            if whole > centimetres { rises.append((whole - centimetres, place)) }
            centimetres = whole
        }
    }

    // MARK: End

    /// The entries in their order; `row` is the row of each part. The log must not be used afterwards.
    public mutating func finish(row: (_ part: Int) -> Int) -> [TrackMinute] {
        endLine()
        write(count: 1)
        var entries: [TrackMinute] = []
        var decoder = TrackMinutes.Decoder(encoder.bytes)
        encoder = TrackMinutes.Encoder()
        var isOrdered = rises.isEmpty
        func append(_ entry: TrackMinute) {
            if let last = entries.last, isOrdered {
                if last.minute == entry.minute, last.row == entry.row, last.count == 1, entry.count == 1 {
                    entries[entries.count - 1].amounts += entry.amounts
                    return
                }
                isOrdered = TrackMinute.isOrdered(last, entry)
            }
            entries.append(entry)
        }
        while var entry = decoder.next() {
            entry.row = row(entry.row)
            append(entry)
        }
        guard !isOrdered else { return entries }
        for rise in rises {
            append(
                TrackMinute(
                    minute: rise.place.minute, row: row(rise.place.part),
                    TrackMinute.Amounts(millimetres: 0, climbCentimetres: rise.centimetres)))
        }
        return Self.united(entries)
    }

    /// Sorts entries, and unites those of the same minute and row.
    private static func united(_ entries: [TrackMinute]) -> [TrackMinute] {
        var united: [TrackMinute] = []
        // Equal ones have equal keys, so that the result does not depend on the algorithm.
        for entry in entries.sorted(by: TrackMinute.isOrdered) {
            if let last = united.last, last.minute == entry.minute, last.row == entry.row, last.count == 1,
                entry.count == 1
            {
                united[united.count - 1].amounts += entry.amounts
            } else {
                united.append(entry)
            }
        }
        return united
    }
}
