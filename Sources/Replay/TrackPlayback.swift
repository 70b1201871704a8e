import Tracks

/// Plays one track: gives its steps one by one, reading points as it goes.
struct TrackPlayback {
    /// What is the same for all tracks of a replay.
    struct Rules {
        var pace: ReplayQuery.Pace
        var gaps: ReplayQuery.Gaps
        /// Nothing before this is played; where a track's own schedule begins at the earliest.
        var from: Int64
        /// From here on nothing is played.
        var to: Int64
        /// Nothing before this is given: where one has sought to, at `from` or later.
        var lower: Int64
        /// The instant from which all tracks' frames are counted; nil: each from its own beginning.
        var anchor: Int64?
    }

    private enum Phase { case opening, points, closing, done }
    private enum Stage { case gap, frames, mark }

    let track: ReplayTrack
    private let rules: Rules
    private let floor: StepFloor
    private var points: PlayablePoints
    private var phase = Phase.opening
    private var schedule: Schedule?

    private var previous: PlayablePoint?
    private var point: PlayablePoint?
    private var leg: Leg?
    private var stage = Stage.gap
    private var ordinal = 0
    private var metres = 0.0
    /// Until when it has been played.
    private var end = Int64.min
    /// No frame of the leg before this one remains to be given.
    private var nextInstant = Int64.min
    private var idleUntil: Int64?
    /// The instant up to which time has been played; nil before the first point.
    private var clock: Int64?

    init(_ track: ReplayTrack, from source: any ReplaySource, rules: Rules, floor: StepFloor = .none) throws {
        self.track = track
        self.rules = rules
        self.floor = floor
        points = try PlayablePoints(of: track, from: source)
        // Nothing was played yet when it entered.
        if case .behind(let place) = floor, place.rank != .opening { clock = place.instant }
    }

    /// When the track enters.
    static func opening(of track: ReplayTrack, _ rules: Rules) -> Int64 {
        max(track.playableSpan?.lowerBound ?? rules.lower, rules.lower)
    }

    /// What happens next; nil when it is over.
    mutating func next() throws -> TrackStep? {
        while true {
            switch phase {
            case .opening:
                phase = .points
                let instant = Self.opening(of: track, rules)
                if let step = step(.track, .opening, at: instant, ordinal: 0) { return step }
            case .points:
                if point == nil, try !advance() {
                    phase = .closing
                } else if let step = stepAtPoint() {
                    return step
                }
            case .closing:
                phase = .done
                let instant = max(end, Self.opening(of: track, rules))
                if let step = step(.trackEnd, .closing, at: instant, ordinal: ordinal) { return step }
            case .done:
                return nil
            }
        }
    }

    /// Goes on to the next point; false where none is played any more.
    private mutating func advance() throws -> Bool {
        if let previous, previous.time >= rules.to { return false }
        guard let next = try points.next() else { return false }
        point = next
        ordinal += 1
        stage = .gap
        leg = nil
        if let previous, !next.begins { leg = Leg(from: previous, to: next, startMetres: metres) }
        if case .steady(let rate) = rules.pace, schedule == nil {
            schedule = Schedule(anchor: rules.anchor ?? max(rules.from, next.time), rate: rate)
        }
        if clock == nil { clock = max(rules.lower, next.time) }
        return true
    }

    /// What happens next at the point at hand; nil when it is done with.
    private mutating func stepAtPoint() -> TrackStep? {
        guard let point else { return nil }
        switch stage {
        case .gap:
            stage = .frames
            nextInstant = max(firstInstant(at: point), rules.lower, floor.earliest ?? .min)
            return passGap(before: point)
        case .frames:
            if let frame = nextFrame(at: point) { return frame }
            // Frames that were seen already are passed over one by one.
            if nextInstant == .max || nextInstant > point.time { stage = .mark }
            return nil
        case .mark:
            self.point = nil
            previous = point
            guard point.time < rules.to else {
                if leg != nil { end = rules.to }
                return nil
            }
            end = point.time
            metres += leg?.metres ?? 0
            guard point.fields.isMarked, point.time >= rules.lower else { return nil }
            let mark = PlaceMark(frame: Frame(recorded: point, metres: metres), name: point.fields.name)
            return step(.mark(mark), .mark, at: point.time, ordinal: ordinal)
        }
    }

    /// When the point's first frame may be: on its leg behind the previous point, which had its own.
    private func firstInstant(at point: PlayablePoint) -> Int64 {
        guard schedule != nil, let leg else { return point.time }
        return leg.start.time + 1
    }

    private mutating func passGap(before point: PlayablePoint) -> TrackStep? {
        guard let previous, point.begins, point.time < rules.to else { return nil }
        let isFar =
            Geodesy.metres(previous.longitude, previous.latitude, point.longitude, point.latitude)
            > TrackWalk.farMetres
        let gap = Gap(from: previous.time, to: point.time, reason: isFar ? .untracked : .idle)
        let given =
            previous.time >= rules.lower ? step(.gap(gap), .gap, at: previous.time, ordinal: ordinal) : nil
        idleUntil = point.time
        if rules.gaps == .skip { clock = max(clock ?? .min, point.time) }
        return given
    }

    private mutating func nextFrame(at point: PlayablePoint) -> TrackStep? {
        guard nextInstant <= point.time, point.time >= rules.lower else { return nil }
        let instant = schedule?.first(notBefore: nextInstant) ?? point.time
        guard instant <= point.time, instant < rules.to else {
            nextInstant = .max
            return nil
        }
        nextInstant = schedule == nil ? .max : instant + 1
        let frame = leg?.frame(at: instant) ?? Frame(recorded: point, metres: metres)
        return step(.frame(frame), .frame, at: instant, ordinal: ordinal)
    }

    private mutating func step(
        _ what: TrackStep.What, _ rank: StepPlace.Rank, at instant: Int64, ordinal: Int
    ) -> TrackStep? {
        let place = StepPlace(ordinal: ordinal, rank: rank, instant: instant)
        guard floor.admits(place) else { return nil }
        var advance: Int64 = 0
        if let clock {
            advance = max(0, instant - clock)
            self.clock = max(clock, instant)
        }
        return TrackStep(what: what, place: place, advance: advance, idleUntil: idleUntil)
    }
}
