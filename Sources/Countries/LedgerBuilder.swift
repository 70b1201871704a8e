import Statistics
public import Tracks

/// Derives the rows of a track for the ledger of countries, from its points in the order of the track.
///
/// Lengths are those of the lines that heat and replay use: outliers are left out, and there is no line over a gap.
/// An ordinary point costs some nanoseconds: as long as the track is in a box within which the area cannot change,
/// only sums are updated. `COUNTRIES.md` describes the rules.
public struct LedgerBuilder: Sendable {
    struct Place {
        var place: LedgerPlace
        var time: Int64
        /// Whether the step to the place is within a rest, which has no length.
        var isAtRest = false
    }

    /// The day of points without time.
    static let untimed = Int32.min

    /// The route of a step is unknown if it takes longer than this over more than `OutlierDetector.farMetres`.
    static let jumpMilliseconds = OutlierDetector.farPauseMilliseconds
    /// The route of a slow step longer than this is unknown, even within one area.
    static let longJumpMetres = 50_000.0
    /// Fast steps longer than this are divided, so that the countries below are found.
    static let dividedMetres = 5000.0

    let map: LedgerMap
    let calendar: DayCalendar
    var ruler = StepRuler()
    var drafts: [LedgerRowDraft] = []
    var last: Place?
    /// The box around the last point within which the area is the same, and only sums are updated.
    var sameAreaBox = LedgerBuilder.nowhere
    /// The instants around the last point that are on its day; empty for a point without time.
    var timeRange: (day: Int32, from: Int64, to: Int64) = (Self.untimed, 0, 0)
    var areas = AreaHysteresis()
    /// What the drafts do in each minute.
    var minutes = MinuteLog()
    var stay = PlaceStay()
    var borderStay = BorderStay()
    /// Whether two countries are near the last point: the outlines may be wrong there.
    var isNearBorder = false

    static let nowhere: LedgerBox = {
        var box = LedgerBox(LedgerPlace(longitude: .max, latitude: .max))
        (box.east, box.north) = (.min, .min)
        return box
    }()

    /// Creates the rows of a track without points.
    public init(calendar: DayCalendar, map: LedgerMap = .embedded) {
        self.calendar = calendar
        self.map = map
    }

    /// Adds the next points of the track, with their fields.
    public mutating func add(_ points: [ClassifiedPoint], _ fields: ClassifiedFields) {
        let hasElevations = fields.hasElevations
        for index in points.indices where points[index].outlierReason == nil {
            let point = points[index]
            let next = Place(
                place: LedgerPlace(longitude: point.longitude, latitude: point.latitude), time: point.time,
                isAtRest: point.isAtRest)
            let isConnected = point.connection != .begins
            if !isConnected || !addInSameArea(next) {
                add(next, isConnected: isConnected, accuracy: { fields.accuracy(at: point.index) })
            }
            guard hasElevations || !isConnected else { continue }
            if !isConnected { minutes.endLine() }
            let elevation = fields.exactElevation(at: point.index)
            guard !elevation.isNaN else { continue }
            minutes.add(
                elevation: elevation, isAtRest: point.isAtRest,
                at: point.time == PointColumns.untimed ? nil : point.time, part: drafts.count - 1, day: timeRange.day)
        }
    }

    /// Adds a point in the same area: only sums are updated. Returns false if the point may change more.
    @inline(__always)
    private mutating func addInSameArea(_ next: Place) -> Bool {
        guard let start = last, next.place.longitude >= sameAreaBox.west, next.place.longitude <= sameAreaBox.east,
            next.place.latitude >= sameAreaBox.south, next.place.latitude <= sameAreaBox.north,
            next.time >= timeRange.from, next.time < timeRange.to
        else { return false }
        let milliseconds = next.time &- start.time
        guard milliseconds >= 0, milliseconds <= Self.jumpMilliseconds else { return false }
        let metres = ruler.metres(
            start.place.longitude, start.place.latitude, next.place.longitude, next.place.latitude)
        let index = drafts.count &- 1
        guard metres <= Self.dividedMetres, isFast(metres, milliseconds, drafts[index].isFast) == drafts[index].isFast
        else { return false }
        let staying = stay.add(next.place, next.time)
        addStep(metres, from: start.time, to: next, staying, index)
        last = next
        return true
    }

    @inline(__always)
    private func isFast(_ metres: Double, _ milliseconds: Int64, _ wasFast: Bool) -> Bool {
        // Without a duration there is no speed.
        milliseconds == 0 ? wasFast : metres * 1000 >= TileVisitsBuilder.landingMetresPerSecond * Double(milliseconds)
    }

    /// Adds a step, or the last section of one, to a point.
    @inline(__always)
    private mutating func addStep(
        _ metres: Double, from start: Int64, to next: Place, _ staying: Int64, _ index: Int
    ) {
        addLine(metres, from: start, to: next.time, isAtRest: next.isAtRest, index)
        drafts[index].arrive(at: next.place, next.time, staying)
    }

    /// Adds the length of a step, or of a section of one, to a draft and to the minutes. All lengths come through here, so
    /// that the sums of minutes, rows and days are equal.
    @inline(__always)
    private mutating func addLine(
        _ metres: Double, from start: Int64, to end: Int64, isAtRest: Bool, _ index: Int
    ) {
        guard start != PointColumns.untimed, end != PointColumns.untimed else {
            drafts[index].metres += metres
            return minutes.add(untimedMetres: metres, part: index)
        }
        let counted = isAtRest ? 0 : metres
        let milliseconds = abs(end &- start)
        drafts[index].addLine(counted, milliseconds)
        let isMoving = !isAtRest && metres * 1000 >= DayTotals.movingMetresPerSecond * Double(milliseconds)
        minutes.add(
            metres: counted, isMoving: isMoving, from: min(start, end), to: max(start, end), part: index)
    }

    // MARK: Points that may change something

    private mutating func add(_ next: Place, isConnected: Bool, accuracy: () -> UInt32?) {
        guard let start = last, isConnected else { return begin(at: next, accuracy()) }
        let isTimed = start.time != PointColumns.untimed && next.time != PointColumns.untimed
        let milliseconds = isTimed ? abs(next.time &- start.time) : 0
        let metres = ruler.metres(
            start.place.longitude, start.place.latitude, next.place.longitude, next.place.latitude)
        let fast = isTimed && isFast(metres, milliseconds, drafts[drafts.count - 1].isFast)
        if metres > OutlierDetector.farMetres,
            isTimed ? milliseconds > Self.jumpMilliseconds : metres > OutlierDetector.untimedFarMetres
        {
            return jump(from: start, to: next, metres, isFast: fast, accuracy())
        }
        guard fast, metres > Self.dividedMetres else {
            return step(to: next, metres, milliseconds, isFast: fast, accuracy())
        }
        // Places on the route of an aircraft.
        let count = Int((metres / Self.dividedMetres).rounded(.up))
        let way = GreatCircle(start.place, next.place)
        for part in 1..<count {
            let share = Double(part) / Double(count)
            let time = start.time + Int64((Double(next.time - start.time) * share).rounded())
            let before = last?.time ?? start.time
            step(
                to: Place(place: way.place(share), time: time, isAtRest: next.isAtRest), metres / Double(count),
                abs(time - before), isFast: fast, nil, isPoint: false)
        }
        let before = last?.time ?? start.time
        step(to: next, metres / Double(count), abs(next.time - before), isFast: fast, accuracy())
    }

    /// Begins a line; `isFast` says whether an unknown route with the speed of an aircraft leads there.
    private mutating func begin(at next: Place, isFast: Bool = false, _ accuracy: UInt32?) {
        let pause = last.map { Self.pause($0.time, next.time) }
        _ = leaveStay(to: next)
        goToDay(of: next.time)
        let (area, cell) = updateArea(next, accuracy, pause: pause)
        open(area, cell, begins: true, isFast: isFast, at: next)
        arrive(at: next)
        followStay(accuracy)
    }

    private static func pause(_ start: Int64, _ end: Int64) -> Int64 {
        start == PointColumns.untimed || end == PointColumns.untimed ? 0 : abs(end &- start)
    }

    /// Adds a step, or a section of one, up to an instant; a step over midnight is divided there by time.
    private mutating func step(
        to next: Place, _ metres: Double, _ milliseconds: Int64, isFast: Bool, _ accuracy: UInt32?, isPoint: Bool = true
    ) {
        let isStayOver = isPoint && leaveStay(to: next)
        var rest = (metres: metres, from: last?.time ?? next.time)
        if let start = last, next.time != PointColumns.untimed {
            if start.time != PointColumns.untimed {
                cut(from: start, to: next, &rest, isFast: isFast)
            } else {
                // A line with an untimed end belongs to no day.
                addLine(
                    rest.metres, from: PointColumns.untimed, to: PointColumns.untimed, isAtRest: false, drafts.count - 1
                )
                rest = (0, next.time)
            }
        }
        goToDay(of: next.time)
        let (area, cell) = updateArea(next, accuracy, pause: milliseconds)
        let draft = drafts[drafts.count - 1]
        if draft.ownArea != area || draft.cell != cell || draft.isFast != isFast || draft.isJump
            || draft.day != timeRange.day || isStayOver && isNearBorder && !isFast
        {
            open(area, cell, begins: false, isFast: isFast, at: next)
            if let time = last?.time, time >= timeRange.from { drafts[drafts.count - 1].extend(to: time) }
            // A flight begins where the aircraft left the ground, not where the first step of the flight ends.
            if isFast, !draft.isFast, !draft.isJump { drafts[drafts.count - 1].first = draft.last }
        }
        let index = drafts.count - 1
        if isPoint {
            addStep(rest.metres, from: rest.from, to: next, stay.add(next.place, next.time), index)
            followStay(accuracy)
        } else {
            addLine(rest.metres, from: rest.from, to: next.time, isAtRest: next.isAtRest, index)
            drafts[index].last = next.place
            drafts[index].extend(to: next.time)
        }
        last = next
    }

    /// Adds the sections of a step before each midnight, or after it if the track runs backwards.
    private mutating func cut(
        from start: Place, to next: Place, _ rest: inout (metres: Double, from: Int64), isFast: Bool
    ) {
        let isForward = next.time > start.time
        func isOver() -> Bool { isForward ? next.time >= timeRange.to : next.time < timeRange.from }
        // A step from the instant that ends the range begins outside of it.
        guard isOver(), timeRange.day != Self.untimed, next.time != start.time else { return }
        let whole = (metres: rest.metres, milliseconds: Double(abs(next.time - start.time)))
        if drafts[drafts.count - 1].isFast != isFast {
            let draft = drafts[drafts.count - 1]
            open(draft.ownArea, draft.cell, begins: false, isFast: isFast, at: start)
        }
        while isOver() {
            let end = isForward ? timeRange.to : timeRange.from
            let metres = whole.metres * Double(abs(end - rest.from)) / whole.milliseconds
            let index = drafts.count - 1
            addLine(metres, from: rest.from, to: end, isAtRest: next.isAtRest, index)
            drafts[index].extend(to: end)
            rest = (rest.metres - metres, end)
            goToDay(of: isForward ? end : end - 1)
            let draft = drafts[index]
            open(draft.ownArea, draft.cell, begins: false, isFast: isFast, at: Place(place: draft.last, time: end))
        }
        rest.metres = max(0, rest.metres)
    }

    /// Adds a long step without points: within one area it counts there, between two areas its route is unknown.
    private mutating func jump(
        from start: Place, to next: Place, _ metres: Double, isFast: Bool, _ accuracy: UInt32?
    ) {
        let milliseconds = Self.pause(start.time, next.time)
        let own = ownArea(of: next.place)
        let last = drafts[drafts.count - 1].ownArea
        // An aircraft that is above the same country after it is taken to have been above it all the time.
        let isFlight = isFast && TileVisitsBuilder.isFlight(metres: metres, milliseconds: milliseconds)
        if own.isWater && last.isWater || isFlight && own == last
            || metres <= Self.longJumpMetres && isNearCurrentArea(next.place, own, accuracy)
        {
            return step(to: next, metres, milliseconds, isFast: isFast, accuracy)
        }
        let before = drafts[drafts.count - 1]
        // A line with an untimed end belongs to no day.
        if next.time == PointColumns.untimed { goToDay(of: next.time) }
        open(before.ownArea, before.cell, begins: false, isFast: isFast, at: start)
        drafts[drafts.count - 1].isJump = true
        var rest = (metres: metres, from: start.time)
        if next.time != PointColumns.untimed, start.time != PointColumns.untimed {
            cut(from: start, to: next, &rest, isFast: isFast)
        }
        let index = drafts.count - 1
        addLine(rest.metres, from: rest.from, to: next.time, isAtRest: next.isAtRest, index)
        drafts[index].extend(to: next.time)
        drafts[index].last = next.place
        begin(at: next, isFast: isFast, accuracy)
        drafts[drafts.count - 1].begins = false
    }

    // MARK: Drafts of rows

    /// Begins a draft.
    mutating func open(_ area: Area, _ cell: LedgerCell, begins: Bool, isFast: Bool, at start: Place) {
        // What follows midnight belongs to the same unknown route.
        let isJump = drafts.last?.isJump == true && !begins && drafts[drafts.count - 1].last == start.place
        var draft = LedgerRowDraft(
            area, cell, day: timeRange.day, begins: begins, isFast: isFast, at: start.place, start.time)
        draft.isJump = isJump
        drafts.append(draft)
    }

    /// Counts the first point of a line.
    private mutating func arrive(at next: Place) {
        let staying = stay.add(next.place, next.time)
        drafts[drafts.count - 1].points += 1
        drafts[drafts.count - 1].stayMilliseconds = max(0, staying)
        last = next
    }

    private mutating func goToDay(of time: Int64) {
        guard time != PointColumns.untimed else {
            timeRange = (Self.untimed, 0, 0)
            return
        }
        if time < timeRange.from || time >= timeRange.to { timeRange = calendar.timeRange(around: time) }
    }
}
