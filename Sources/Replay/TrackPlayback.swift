import TileMath
import Tracks

/// Plays one track: gives its steps one by one, reading points as it goes.
struct TrackPlayback {
    /// What is the same for all tracks of a replay.
    struct Rules {
        /// What cursors carry of the query.
        var query: UInt64
        var pace: ReplayQuery.Pace
        var gaps: ReplayQuery.Gaps
        /// The zoom level whose tiles are named; nil for none.
        var tiles: ZoomLevel?
        /// Nothing before this is played; where a track's own schedule begins at the earliest.
        var from: Int64
        /// From here on nothing is played.
        var to: Int64
        /// Nothing before this is given: where one has sought to, at `from` or later.
        var lower: Int64
        /// The instant from which all tracks' frames are counted; nil: each from its own beginning.
        var anchor: Int64?
        /// Points of a track that are read at once.
        var portion: Int
    }

    private enum Phase { case opening, points, passing, closing, done }
    private enum Stage { case passed, gap, frames, mark }

    let played: PlayedTrack
    var track: ReplayTrack { played.track }
    private let source: any ReplaySource
    private let rules: Rules
    private let floor: StepLowerBound
    private var points: PlayablePoints
    private var phase = Phase.opening
    private var schedule: Schedule?

    private var previous: PlayablePoint?
    private var point: PlayablePoint?
    private var leg: Edge?
    private var stage = Stage.passed
    private var ordinal = 0
    private var metres = 0.0
    /// Until when it has been played.
    private var end = Int64.min
    /// No frame of the leg before this one remains to be given.
    private var nextInstant = Int64.min
    private var idleUntil: Int64?
    /// The instant up to which time has been played; nil before the first point.
    private var clock: Int64?
    /// When the track's first point was.
    private var first: Int64?
    /// The point from which on another milestone is worth its memory.
    private var nextMilestone: Int
    /// Nothing before this is asked for.
    private let wanted: Int64
    private var trail: VisitedTiles?
    /// The tiles to be told of behind the frame that was given last.
    private var passing: (patch: TileCover, instant: Int64)?

    init(_ track: ReplayTrack, from source: any ReplaySource, rules: Rules, floor: StepLowerBound = .none) throws {
        played = PlayedTrack(track, query: rules.query)
        nextMilestone = source.milestones?.distance ?? .max
        self.source = source
        self.rules = rules
        self.floor = floor
        points = try PlayablePoints(of: track, from: source)
        trail = rules.tiles.map { VisitedTiles(zoom: $0) }
        wanted = max(rules.lower, floor.earliest ?? .min) - rules.reach
        points.portion = rules.portion
        if let start = track.start, start < wanted { points.wanted = wanted }
        // Nothing was played yet when it entered.
        if case .behind(let place) = floor, place.rank != .opening { clock = place.instant }
        skip()
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
                    phase = .passing
                } else if let step = stepAtPoint() {
                    return step
                }
            case .passing:
                phase = .closing
                if end >= rules.lower, let step = passed(.passedLast, at: end) { return step }
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
        noteMilestone()
        guard let next = try points.next() else { return false }
        point = next
        ordinal += 1
        stage = .passed
        first = first ?? next.time
        leg = nil
        if let previous, !next.begins { leg = Edge(from: previous, to: next, startMetres: metres) }
        if case .steady(let rate) = rules.pace, schedule == nil {
            schedule = Schedule(anchor: rules.anchor ?? max(rules.from, first ?? next.time), rate: rate)
        }
        if clock == nil { clock = max(rules.lower, next.time) }
        return true
    }

    /// What happens next at the point at hand; nil when it is done with.
    private mutating func stepAtPoint() -> TrackStep? {
        guard let point else { return nil }
        switch stage {
        case .passed:
            stage = .gap
            return passRun(before: point)
        case .gap:
            stage = .frames
            // The first frame may be on the point's leg, behind the previous point, which had its own.
            let first = schedule == nil ? point.time : leg.map { $0.start.time + 1 } ?? point.time
            nextInstant = max(first, rules.lower, floor.earliest ?? .min)
            beginTrail(at: point)
            return passGap(before: point)
        case .frames:
            if let passing {
                self.passing = nil
                return step(.tiles(passing.patch), .tiles, at: passing.instant, ordinal: ordinal)
            }
            if let frame = nextFrame(at: point) { return frame }
            if passing != nil { return nil }
            // Frames that were seen already are passed over one by one.
            if nextInstant == .max || nextInstant > point.time { stage = .mark }
            return nil
        case .mark:
            self.point = nil
            previous = point
            guard point.time < rules.to else {
                if let leg {
                    end = rules.to
                    let place = leg.frame(at: rules.to)
                    trail?.advance(place.longitude, place.latitude)
                }
                return nil
            }
            if trail != nil { endTrail(at: point) }
            end = point.time
            metres += leg?.metres ?? 0
            guard point.fields.isMarked, point.time >= rules.lower else { return nil }
            let mark = Waypoint(frame: Frame(recorded: point, metres: metres), name: point.fields.name)
            return step(.mark(mark), .mark, at: point.time, ordinal: ordinal)
        }
    }

    private mutating func passGap(before point: PlayablePoint) -> TrackStep? {
        guard let previous, point.begins, point.time < rules.to else { return nil }
        let isFar =
            Geodesy.metres(previous.longitude, previous.latitude, point.longitude, point.latitude)
            > OutlierDetector.farMetres
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
        if trail != nil { follow(frame) }
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

extension TrackPlayback.Rules {
    /// Before what is asked for, so many milliseconds have to be known: a frame before it, that its tiles are counted from.
    fileprivate var reach: Int64 {
        guard tiles != nil, case .steady(let rate) = pace else { return 0 }
        return 2 * (Int64(rate.speedThousandths) / Int64(rate.framesPerSecond) + 1)
    }
}

// MARK: Tiles

extension TrackPlayback {
    /// The tiles that are others at the end of a run: those since its last frame.
    private mutating func passRun(before point: PlayablePoint) -> TrackStep? {
        guard let previous, point.begins, previous.time >= rules.lower else { return nil }
        return passed(.passed, at: previous.time)
    }

    private mutating func passed(_ rank: StepPlace.Rank, at instant: Int64) -> TrackStep? {
        guard let trail, trail.isBegun, !trail.patch.isEmpty else { return nil }
        return step(.tiles(trail.patch), rank, at: instant, ordinal: ordinal)
    }

    /// The way to a point begins at the point itself, or behind the last frame before those that are given.
    private mutating func beginTrail(at point: PlayablePoint) {
        guard trail != nil else { return }
        guard let leg else { return trail?.begin(point.longitude, point.latitude) ?? () }
        if trail?.isBegun == false { trail?.begin(leg.start.longitude, leg.start.latitude) }
        guard let schedule, nextInstant > leg.start.time + 1 else { return }
        let last = schedule.last(before: min(nextInstant, point.time + 1))
        guard last > leg.start.time else { return }
        let place = leg.frame(at: last)
        trail?.begin(place.longitude, place.latitude)
    }

    /// The way goes on to a frame. Its tiles are told of where it has come into another one, and once a second.
    private mutating func follow(_ frame: Frame) {
        trail?.advance(frame.longitude, frame.latitude)
        if let patch = trail?.patch, patch.count > 1 || schedule?.isWholeSecond(frame.instant) ?? false {
            passing = (patch, frame.instant)
        }
        trail?.begin(frame.longitude, frame.latitude)
    }

    private mutating func endTrail(at point: PlayablePoint) {
        if schedule == nil {
            // The point has had its frame.
            trail?.begin(point.longitude, point.latitude)
        } else {
            trail?.advance(point.longitude, point.latitude)
        }
    }
}

// MARK: Milestones

extension TrackPlayback {
    /// Goes on from where the track was read to before, where nothing up to there is asked for.
    private mutating func skip() {
        guard points.isOrdered, let milestones = source.milestones else { return }
        var before = Int.max
        if case .behind(let place) = floor { before = place.ordinal - 1 }
        guard wanted > .min, let milestone = milestones.last(of: track, before: min(wanted, rules.to), ordinal: before)
        else { return }
        points.skip(to: milestone.progress)
        previous = milestone.previous
        end = milestone.previous.time
        ordinal = milestone.ordinal
        metres = milestone.metres
        idleUntil = milestone.idleUntil
        first = milestone.first
        nextMilestone = ordinal + milestones.distance
        // Everything up to there was before it, gaps too.
        clock = clock ?? rules.lower
    }

    private mutating func noteMilestone() {
        guard ordinal >= nextMilestone, let milestones = source.milestones, let progress = points.restingProgress,
            let previous, let first
        else { return }
        nextMilestone = ordinal + milestones.distance
        milestones.note(
            track,
            SeekIndex.SeekPoint(
                progress: progress, previous: previous, ordinal: ordinal, metres: metres, idleUntil: idleUntil,
                first: first))
    }
}
