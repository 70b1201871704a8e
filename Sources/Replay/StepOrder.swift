/// A track with what its events say again and again.
final class PlayedTrack: Sendable {
    let track: ReplayTrack
    /// What cursors carry of its version.
    let version: UInt64
    /// A frame's beginning, up to its time.
    let frameStart: [UInt8]
    /// As it is sent, a frame's beginning up to the cursor's instant.
    let sentStart: [UInt8]
    /// What goes on with the cursor behind `sentStart`.
    let cursorStart: CursorWriter
    /// As it is sent, what stands between a frame's cursor and its time.
    let sentMiddle: [UInt8]

    /// Of a query by the part of its digest that cursors carry.
    init(_ track: ReplayTrack, query: UInt64) {
        self.track = track
        version = ReplayCursor.part(track.version)
        var json = JSONBytes()
        json.raw("{\"track\":")
        json.add(track.id)
        json.raw(",\"dt\":")
        frameStart = json.bytes
        var cursor = ReplayCursor(query: query, kind: .frame)
        cursor.track = track.number
        cursor.version = version
        var start = ReplayEvent.idStart
        start.append(UInt8(ascii: " "))
        cursorStart = cursor.begin(&start)
        sentStart = start
        sentMiddle =
            ReplayEvent.eventStart + Array(ReplayEvent.Name.frame.rawValue.utf8) + ReplayEvent.dataStart + frameStart
    }
}

/// A step with the track that it belongs to.
struct PlayedStep {
    let track: PlayedTrack
    let step: TrackStep
}

/// Where a replay goes on.
enum StartingPoint {
    /// From the beginning, or from where one has sought to.
    case beginning
    /// Behind a step of a track, which is as it was.
    case behind(ReplayTrack, StepPlace, isCommonGap: Bool)
}

/// Tracks one after the other.
struct SequentialPlayback {
    private let source: any ReplaySource
    private let rules: TrackPlayback.Rules
    /// The one track to be played, where it is one.
    private var only: ReplayTrack?
    private let isOne: Bool
    private var order: ReplayOrder?
    private var playback: TrackPlayback?
    /// Beside it, so that a step is given without a copy of it.
    private var played: PlayedTrack?

    init(
        _ source: any ReplaySource, rules: TrackPlayback.Rules, only: ReplayTrack?, isOne: Bool,
        from start: StartingPoint
    ) throws {
        self.source = source
        self.rules = rules
        self.isOne = isOne
        self.only = only
        guard case .behind(let track, let place, _) = start else { return }
        self.only = nil
        order = track.order
        var its = rules
        if place.instant < rules.lower { its.lower = its.from }
        playback = try TrackPlayback(track, from: source, rules: its, floor: .behind(place))
        played = playback?.played
    }

    mutating func next() throws -> PlayedStep? {
        while true {
            if let played, let step = try playback?.next() {
                return PlayedStep(track: played, step: step)
            }
            guard let track = try nextTrack() else { return nil }
            order = track.order
            // Only the first track is begun in the middle.
            var its = rules
            if played != nil { its.lower = its.from }
            playback = try TrackPlayback(track, from: source, rules: its)
            played = playback?.played
        }
    }

    /// The track of which points may be held.
    var underWay: [ReplayTrack] { playback.map { [$0.track] } ?? [] }

    private mutating func nextTrack() throws -> ReplayTrack? {
        if isOne {
            defer { only = nil }
            return only
        }
        return try source.track(behind: order, from: order == nil ? rules.lower : rules.from, to: rules.to)
    }
}

/// Tracks on one clock: all their steps in the order of time.
///
/// Memory is a portion of points for each track that is on the way, some 8 KB; so many tracks at most.
struct MergedPlayback {
    /// Tracks that may be under way at once.
    static let mostTracks = 512

    private struct Arm {
        var playback: TrackPlayback
        var next: TrackStep
        /// Until when it does not move.
        var idleUntil: Int64
    }

    private let source: any ReplaySource
    private let rules: TrackPlayback.Rules
    /// In the order of tracks.
    private var arms: [Arm] = []
    private var upcoming: ReplayTrack?
    private let from: Int64
    private var clock: Int64?
    private var pendingGap: PlayedStep?

    init(_ source: any ReplaySource, rules: TrackPlayback.Rules, from start: StartingPoint) throws {
        self.source = source
        var rules = rules
        guard case .behind(let track, let place, let isCommonGap) = start else {
            self.rules = rules
            from = rules.lower
            upcoming = try source.track(behind: nil, from: from, to: rules.to)
            return
        }
        // Tracks that were on the way already when this one entered have entered before it.
        if place.rank == .opening { rules.lower = max(rules.lower, place.instant) }
        self.rules = rules
        from = max(rules.lower, place.instant)
        clock = place.instant
        upcoming = try source.track(behind: nil, from: from, to: rules.to)
        while let next = upcoming, TrackPlayback.opening(of: next, rules) <= place.instant {
            let floor: StepLowerBound =
                if isCommonGap {
                    // Nothing else happens at its instant.
                    .instant(place.instant + 1)
                } else if next.number == track.number {
                    .behind(place)
                } else {
                    .instant(next.order < track.order ? place.instant + 1 : place.instant)
                }
            try open(next, floor: floor)
            upcoming = try source.track(behind: next.order, from: from, to: rules.to)
        }
        if place.rank == .gap || place.rank == .closing {
            findCommonGap(at: place, of: PlayedTrack(track, query: rules.query))
        }
        if isCommonGap { pendingGap = nil }
    }

    mutating func next() throws -> PlayedStep? {
        if let gap = pendingGap {
            pendingGap = nil
            return gap
        }
        while let track = upcoming {
            let opening = TrackPlayback.opening(of: track, rules)
            if let first = arms.lazy.map(\.next.place.instant).min(), first < opening { break }
            try open(track, floor: .none)
            upcoming = try source.track(behind: track.order, from: from, to: rules.to)
        }
        guard let index = earliest else { return nil }
        let track = arms[index].playback.played
        var step = arms[index].next
        try advance(index, behind: step)
        step.advance = passed(until: step.place.instant)
        if step.place.rank == .gap || step.place.rank == .closing { findCommonGap(at: step.place, of: track) }
        return PlayedStep(track: track, step: step)
    }

    /// The tracks of which points may be held.
    var underWay: [ReplayTrack] { arms.map(\.playback.track) }

    private mutating func open(_ track: ReplayTrack, floor: StepLowerBound) throws {
        // Who asked was told so; only tracks that have come since can make them more.
        guard arms.count < 2 * Self.mostTracks else { throw ReplayError.tooManyAtOnce(arms.count) }
        var playback = try TrackPlayback(track, from: source, rules: rules, floor: floor)
        guard let step = try playback.next() else { return }
        arms.append(Arm(playback: playback, next: step, idleUntil: step.idleUntil ?? .min))
    }

    private mutating func advance(_ index: Int, behind step: TrackStep) throws {
        guard let next = try arms[index].playback.next() else {
            arms.remove(at: index)
            return
        }
        arms[index].next = next
        arms[index].idleUntil = next.idleUntil ?? .min
    }

    /// The arm with the earliest step; of several, that of the first track.
    private var earliest: Int? {
        arms.indices.min { arms[$0].next.place.instant < arms[$1].next.place.instant }
    }

    private mutating func passed(until instant: Int64) -> Int64 {
        defer { clock = max(clock ?? .min, instant) }
        return clock.map { max(0, instant - $0) } ?? 0
    }

    /// Whether, behind a step, nobody moves for a while.
    private mutating func findCommonGap(at place: StepPlace, of track: PlayedTrack) {
        let now = place.instant
        guard arms.allSatisfy({ $0.idleUntil > now }) else { return }
        let entry = upcoming.map { TrackPlayback.opening(of: $0, rules) }
        guard let until = (arms.map(\.idleUntil) + [entry].compactMap { $0 }).min(), until > now else { return }
        let gap = Gap(from: now, to: until, reason: arms.isEmpty ? .untracked : .idle)
        pendingGap = PlayedStep(
            track: track, step: TrackStep(what: .commonGap(gap), place: place, advance: 0, idleUntil: nil))
        if rules.gaps == .skip { clock = until }
    }
}
