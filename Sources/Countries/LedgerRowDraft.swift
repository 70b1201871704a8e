import Statistics
import Tracks

/// A section of a track while its rows are derived: within one area, cell, day and range of speeds.
struct LedgerRowDraft {
    /// The area that counts, after hysteresis.
    var area: Area
    /// The area of the places themselves.
    var ownArea: Area
    var cell: LedgerCell
    /// `LedgerBuilder.untimed` for points without time.
    var day: Int32
    /// Whether no line connects it with the draft before.
    var begins: Bool
    /// Whether its steps are as fast as an aircraft that lands, or faster.
    var isFast: Bool
    /// Whether it is a single long step whose route is unknown.
    var isJump = false
    /// The time of steps as fast as an aircraft in flight.
    var flightMilliseconds: Int64 = 0
    /// Whether its first step, and its last one, is as fast as an aircraft in flight.
    var beginsInFlight = false
    var endsInFlight = false
    var enter: Int64
    var leave: Int64
    var metres = 0.0
    var points = 0
    /// Metres per second.
    var topSpeed = 0.0
    var first: LedgerPlace
    var last: LedgerPlace
    var box: LedgerBox
    var stayMilliseconds: Int64 = 0

    init(_ area: Area, _ cell: LedgerCell, day: Int32, begins: Bool, isFast: Bool, at place: LedgerPlace, _ time: Int64)
    {
        self.area = area
        ownArea = area
        self.cell = cell
        self.day = day
        self.begins = begins
        self.isFast = isFast
        (enter, leave) = (time, time)
        (first, last) = (place, place)
        box = LedgerBox(place)
    }

    /// Counts a point at the end of a line; `staying` is the time that somebody has been there.
    @inline(__always)
    mutating func arrive(at place: LedgerPlace, _ time: Int64, _ staying: Int64) {
        points &+= 1
        last = place
        box.add(place)
        extend(to: time)
        if staying > stayMilliseconds { stayMilliseconds = staying }
    }

    /// Adds the length of a line.
    @inline(__always)
    mutating func addLine(_ length: Double, _ milliseconds: Int64) {
        let scaled = length * 1000
        if isFast {
            let isFlying = scaled >= TileVisitsBuilder.flightMetresPerSecond * Double(milliseconds)
            if isFlying { flightMilliseconds &+= milliseconds }
            if metres == 0 { beginsInFlight = isFlying }
            endsInFlight = isFlying
        }
        metres += length
        if milliseconds >= 1000, scaled > topSpeed * Double(milliseconds) {
            topSpeed = scaled / Double(milliseconds)
        }
    }

    @inline(__always)
    mutating func extend(to time: Int64) {
        guard time != PointColumns.untimed else { return }
        if enter == PointColumns.untimed {
            (enter, leave) = (time, time)
        } else {
            if time < enter { enter = time }
            if time > leave { leave = time }
        }
    }
}
