import TileMath
import Tracks

/// Plays one track: returns its steps one by one and reads points on demand.
struct TrackPlayback {
    /// The parameters that are equal for all tracks of a replay.
    struct Rules {
        /// The part of the query's digest that cursors contain.
        var query: UInt64
        var pace: ReplayQuery.Pace
        var gaps: ReplayQuery.Gaps
        /// The zoom level whose changed tiles are listed; nil for none.
        var tiles: ZoomLevel?
        /// The start of the window, at which a track's own schedule begins at the earliest.
        var from: Int64
        /// The end of the window (exclusive).
        var to: Int64
        /// Steps before this instant are not returned; `from`, or later after a seek.
        var lower: Int64
        /// The instant from which the frames of all tracks are counted; nil if each track's frames are counted from
        /// its own start.
        var anchor: Int64?
        /// The number of points of a track to read at a time.
        var batchSize: Int

        init(_ query: ReplayQuery, digestPart: UInt64, lower: Int64, anchor: Int64?, batchSize: Int) {
            self.query = digestPart
            pace = query.pace
            gaps = query.gaps
            tiles = query.tiles
            from = query.window.from
            to = query.window.to
            self.lower = lower
            self.anchor = anchor
            self.batchSize = batchSize
        }
    }

    private enum Phase { case opening, points, passing, closing, done }
    private enum Stage { case passed, gap, frames, waypoint }

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
    private var edge: Edge?
    private var stage = Stage.passed
    private var ordinal = 0
    private var metres = 0.0
    /// The instant up to which the track has been played.
    private var end = Int64.min
    /// All frames before this instant have been returned.
    private var nextInstant = Int64.min
    private var idleUntil: Int64?
    /// The instant up to which time has been counted; nil before the first point.
    private var clock: Int64?
    /// The time of the track's first point.
    private var first: Int64?
    /// The ordinal at which the next seek point is stored.
    private var nextSeekPoint: Int
    /// Steps before this instant are not needed.
    private let firstNeeded: Int64
    private var visitedTiles: VisitedTiles?
    /// The tiles to list after the last returned frame.
    private var passing: (cover: TileCover, instant: Int64)?

    init(_ track: ReplayTrack, from source: any ReplaySource, rules: Rules, floor: StepLowerBound = .none) throws {
        played = PlayedTrack(track, query: rules.query)
        nextSeekPoint = source.seekIndex?.distance ?? .max
        self.source = source
        self.rules = rules
        self.floor = floor
        points = try PlayablePoints(of: track, from: source)
        visitedTiles = rules.tiles.map { VisitedTiles(zoom: $0) }
        firstNeeded = max(rules.lower, floor.earliest ?? .min) - rules.reach
        points.batchSize = rules.batchSize
        if let start = track.start, start < firstNeeded { points.firstNeeded = firstNeeded }
        // Before the opening step, nothing has been played.
        if case .after(let position) = floor, position.rank != .opening { clock = position.instant }
        skip()
    }

    /// The instant of the opening step.
    static func opening(of track: ReplayTrack, _ rules: Rules) -> Int64 {
        max(track.playableSpan?.lowerBound ?? rules.lower, rules.lower)
    }

    /// The next step; nil at the end.
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

    /// Reads the next point; false if there is none to play.
    private mutating func advance() throws -> Bool {
        if let previous, previous.time >= rules.to { return false }
        recordSeekPoint()
        guard let next = try points.next() else { return false }
        point = next
        ordinal += 1
        stage = .passed
        first = first ?? next.time
        edge = nil
        if let previous, !next.begins { edge = Edge(from: previous, to: next, startMetres: metres) }
        if case .steady(let rate) = rules.pace, schedule == nil {
            schedule = Schedule(anchor: rules.anchor ?? max(rules.from, first ?? next.time), rate: rate)
        }
        if clock == nil { clock = max(rules.lower, next.time) }
        return true
    }

    /// The next step at the current point; nil when there are no more.
    private mutating func stepAtPoint() -> TrackStep? {
        guard let point else { return nil }
        switch stage {
        case .passed:
            stage = .gap
            return passRun(before: point)
        case .gap:
            stage = .frames
            // The first frame may lie on the edge to the point, after the previous point, which has had its own frame.
            let first = schedule == nil ? point.time : edge.map { $0.start.time + 1 } ?? point.time
            nextInstant = max(first, rules.lower, floor.earliest ?? .min)
            beginVisitedTiles(at: point)
            return passGap(before: point)
        case .frames:
            if let passing {
                self.passing = nil
                return step(.tiles(passing.cover), .tiles, at: passing.instant, ordinal: ordinal)
            }
            if let frame = nextFrame(at: point) { return frame }
            if passing != nil { return nil }
            // Frames before the cursor are skipped one by one.
            if nextInstant == .max || nextInstant > point.time { stage = .waypoint }
            return nil
        case .waypoint:
            self.point = nil
            previous = point
            guard point.time < rules.to else {
                if let edge {
                    end = rules.to
                    let place = edge.frame(at: rules.to)
                    visitedTiles?.advance(place.longitude, place.latitude)
                }
                return nil
            }
            if visitedTiles != nil { endVisitedTiles(at: point) }
            end = point.time
            metres += edge?.metres ?? 0
            guard point.fields.isWaypoint, point.time >= rules.lower else { return nil }
            let waypoint = Waypoint(frame: Frame(recorded: point, metres: metres), name: point.fields.name)
            return step(.waypoint(waypoint), .waypoint, at: point.time, ordinal: ordinal)
        }
    }

    private mutating func passGap(before point: PlayablePoint) -> TrackStep? {
        guard let previous, point.begins, point.time < rules.to else { return nil }
        let isFar =
            Geodesy.sphereMetres(previous.longitude, previous.latitude, point.longitude, point.latitude)
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
        let frame = edge?.frame(at: instant) ?? Frame(recorded: point, metres: metres)
        if visitedTiles != nil { follow(frame) }
        return step(.frame(frame), .frame, at: instant, ordinal: ordinal)
    }

    private mutating func step(
        _ what: TrackStep.What, _ rank: StepPosition.Rank, at instant: Int64, ordinal: Int
    ) -> TrackStep? {
        let position = StepPosition(ordinal: ordinal, rank: rank, instant: instant)
        guard floor.admits(position) else { return nil }
        var advance: Int64 = 0
        if let clock {
            advance = max(0, instant - clock)
            self.clock = max(clock, instant)
        }
        return TrackStep(what: what, position: position, advance: advance, idleUntil: idleUntil)
    }
}

extension TrackPlayback.Rules {
    /// Milliseconds before the first needed instant that must be read: they contain the frame from which its tiles are
    /// counted.
    fileprivate var reach: Int64 {
        guard tiles != nil, case .steady(let rate) = pace else { return 0 }
        return 2 * (Int64(rate.speedThousandths) / Int64(rate.framesPerSecond) + 1)
    }
}

// MARK: Tiles

extension TrackPlayback {
    /// The tiles that changed after the last frame of a run.
    private mutating func passRun(before point: PlayablePoint) -> TrackStep? {
        guard let previous, point.begins, previous.time >= rules.lower else { return nil }
        return passed(.passed, at: previous.time)
    }

    private mutating func passed(_ rank: StepPosition.Rank, at instant: Int64) -> TrackStep? {
        guard let visitedTiles, visitedTiles.isBegun, !visitedTiles.cover.isEmpty else { return nil }
        return step(.tiles(visitedTiles.cover), rank, at: instant, ordinal: ordinal)
    }

    /// Starts collecting tiles at the point itself, or at the last frame before those that are returned.
    private mutating func beginVisitedTiles(at point: PlayablePoint) {
        guard visitedTiles != nil else { return }
        guard let edge else { return visitedTiles?.begin(point.longitude, point.latitude) ?? () }
        if visitedTiles?.isBegun == false { visitedTiles?.begin(edge.start.longitude, edge.start.latitude) }
        guard let schedule, nextInstant > edge.start.time + 1 else { return }
        let last = schedule.last(before: min(nextInstant, point.time + 1))
        guard last > edge.start.time else { return }
        let place = edge.frame(at: last)
        visitedTiles?.begin(place.longitude, place.latitude)
    }

    /// Extends the visited tiles to a frame. They are listed when the track enters another tile, and once every
    /// playback second.
    private mutating func follow(_ frame: Frame) {
        visitedTiles?.advance(frame.longitude, frame.latitude)
        if let cover = visitedTiles?.cover, cover.count > 1 || schedule?.isWholeSecond(frame.instant) ?? false {
            passing = (cover, frame.instant)
        }
        visitedTiles?.begin(frame.longitude, frame.latitude)
    }

    private mutating func endVisitedTiles(at point: PlayablePoint) {
        if schedule == nil {
            // The point has had its frame.
            visitedTiles?.begin(point.longitude, point.latitude)
        } else {
            visitedTiles?.advance(point.longitude, point.latitude)
        }
    }
}

// MARK: Seek points

extension TrackPlayback {
    /// Continues from a cached seek point if no earlier steps are needed.
    private mutating func skip() {
        guard points.isOrdered, let seekIndex = source.seekIndex else { return }
        var before = Int.max
        if case .after(let position) = floor { before = position.ordinal - 1 }
        guard firstNeeded > .min,
            let seekPoint = seekIndex.last(of: track, before: min(firstNeeded, rules.to), ordinal: before)
        else { return }
        points.skip(to: seekPoint.progress)
        previous = seekPoint.previous
        end = seekPoint.previous.time
        ordinal = seekPoint.ordinal
        metres = seekPoint.metres
        idleUntil = seekPoint.idleUntil
        first = seekPoint.first
        nextSeekPoint = ordinal + seekIndex.distance
        // Everything up to there was before it, including gaps.
        clock = clock ?? rules.lower
    }

    private mutating func recordSeekPoint() {
        guard ordinal >= nextSeekPoint, let seekIndex = source.seekIndex,
            let progress = points.progressWithoutPendingPoints,
            let previous, let first
        else { return }
        nextSeekPoint = ordinal + seekIndex.distance
        seekIndex.record(
            track,
            SeekIndex.SeekPoint(
                progress: progress, previous: previous, ordinal: ordinal, metres: metres, idleUntil: idleUntil,
                first: first))
    }
}
