/// A step and its track.
struct PlayedStep {
    let track: PlayedTrack
    let step: TrackStep
}

/// Where playback starts.
enum StartingPoint {
    /// At the beginning, or at the instant of `seek`.
    case beginning
    /// After a step of a track that has not changed.
    case after(ReplayTrack, StepPosition, isCommonGap: Bool)
}

/// Plays tracks one after another.
struct SequentialPlayback {
    private let source: any ReplaySource
    private let rules: TrackPlayback.Rules
    /// The only track to play, if the query is for one track.
    private var singleTrack: ReplayTrack?
    private let isSingleTrack: Bool
    private var order: ReplayOrder?
    private var playback: TrackPlayback?
    /// Stored separately, so that returning a step does not copy `playback`.
    private var played: PlayedTrack?

    init(
        _ source: any ReplaySource, rules: TrackPlayback.Rules, singleTrack: ReplayTrack?, isSingleTrack: Bool,
        from start: StartingPoint
    ) throws {
        self.source = source
        self.rules = rules
        self.isSingleTrack = isSingleTrack
        self.singleTrack = singleTrack
        guard case .after(let track, let position, _) = start else { return }
        self.singleTrack = nil
        order = track.order
        var trackRules = rules
        if position.instant < rules.lower { trackRules.lower = trackRules.from }
        playback = try TrackPlayback(track, from: source, rules: trackRules, floor: .after(position))
        played = playback?.played
    }

    mutating func next() throws -> PlayedStep? {
        while true {
            if let played, let step = try playback?.next() {
                return PlayedStep(track: played, step: step)
            }
            guard let track = try nextTrack() else { return nil }
            order = track.order
            // Only the first track can begin in the middle.
            var trackRules = rules
            if played != nil { trackRules.lower = trackRules.from }
            playback = try TrackPlayback(track, from: source, rules: trackRules)
            played = playback?.played
        }
    }

    /// The tracks whose points may be in memory.
    var activeTracks: [ReplayTrack] { playback.map { [$0.track] } ?? [] }

    private mutating func nextTrack() throws -> ReplayTrack? {
        if isSingleTrack {
            defer { singleTrack = nil }
            return singleTrack
        }
        return try source.track(after: order, from: order == nil ? rules.lower : rules.from, to: rules.to)
    }
}

/// Plays several tracks on one clock: all their steps, merged in the order of time.
///
/// Memory: a portion of points for each active track, about 8 KB; the number of active tracks is limited.
struct MergedPlayback {
    /// The maximum number of tracks that may be active at once: 4 MB of points for each reader.
    static let maxTracks = 512

    private struct Input {
        var playback: TrackPlayback
        var next: TrackStep
        /// The end of the gap that the track is in.
        var idleUntil: Int64
    }

    private let source: any ReplaySource
    private let rules: TrackPlayback.Rules
    /// In the order of tracks.
    private var inputs: [Input] = []
    private var upcomingTrack: ReplayTrack?
    private let from: Int64
    private var clock: Int64?
    private var pendingGap: PlayedStep?

    init(_ source: any ReplaySource, rules: TrackPlayback.Rules, from start: StartingPoint) throws {
        self.source = source
        var rules = rules
        guard case .after(let track, let position, let isCommonGap) = start else {
            self.rules = rules
            from = rules.lower
            upcomingTrack = try source.track(after: nil, from: from, to: rules.to)
            return
        }
        // Tracks that were active when this one began have their opening steps before it.
        if position.rank == .opening { rules.lower = max(rules.lower, position.instant) }
        self.rules = rules
        from = max(rules.lower, position.instant)
        clock = position.instant
        upcomingTrack = try source.track(after: nil, from: from, to: rules.to)
        while let next = upcomingTrack, TrackPlayback.opening(of: next, rules) <= position.instant {
            let floor: StepLowerBound =
                if isCommonGap {
                    // Nothing else happens at this instant.
                    .instant(position.instant + 1)
                } else if next.number == track.number {
                    .after(position)
                } else {
                    .instant(next.order < track.order ? position.instant + 1 : position.instant)
                }
            try open(next, floor: floor)
            upcomingTrack = try source.track(after: next.order, from: from, to: rules.to)
        }
        if position.rank == .gap || position.rank == .closing {
            findCommonGap(at: position, of: PlayedTrack(track, query: rules.query))
        }
        if isCommonGap { pendingGap = nil }
    }

    mutating func next() throws -> PlayedStep? {
        if let gap = pendingGap {
            pendingGap = nil
            return gap
        }
        while let track = upcomingTrack {
            let opening = TrackPlayback.opening(of: track, rules)
            if let first = inputs.lazy.map(\.next.position.instant).min(), first < opening { break }
            try open(track, floor: .none)
            upcomingTrack = try source.track(after: track.order, from: from, to: rules.to)
        }
        guard let index = earliest else { return nil }
        let track = inputs[index].playback.played
        var step = inputs[index].next
        try advance(index, after: step)
        step.advance = passed(until: step.position.instant)
        if step.position.rank == .gap || step.position.rank == .closing { findCommonGap(at: step.position, of: track) }
        return PlayedStep(track: track, step: step)
    }

    /// The tracks whose points may be in memory.
    var activeTracks: [ReplayTrack] { inputs.map(\.playback.track) }

    private mutating func open(_ track: ReplayTrack, floor: StepLowerBound) throws {
        // The number was checked at the start of the replay; it can only be exceeded by tracks that were added since.
        guard inputs.count < 2 * Self.maxTracks else { throw ReplayError.tooManyAtOnce(inputs.count) }
        var playback = try TrackPlayback(track, from: source, rules: rules, floor: floor)
        guard let step = try playback.next() else { return }
        inputs.append(Input(playback: playback, next: step, idleUntil: step.idleUntil ?? .min))
    }

    private mutating func advance(_ index: Int, after step: TrackStep) throws {
        guard let next = try inputs[index].playback.next() else {
            inputs.remove(at: index)
            return
        }
        inputs[index].next = next
        inputs[index].idleUntil = next.idleUntil ?? .min
    }

    /// The track with the earliest step; of several, the first in the order of tracks.
    private var earliest: Int? {
        inputs.indices.min { inputs[$0].next.position.instant < inputs[$1].next.position.instant }
    }

    private mutating func passed(until instant: Int64) -> Int64 {
        defer { clock = max(clock ?? .min, instant) }
        return clock.map { max(0, instant - $0) } ?? 0
    }

    /// Checks whether all tracks are in a gap after a step.
    private mutating func findCommonGap(at position: StepPosition, of track: PlayedTrack) {
        let now = position.instant
        guard inputs.allSatisfy({ $0.idleUntil > now }) else { return }
        let entry = upcomingTrack.map { TrackPlayback.opening(of: $0, rules) }
        guard let until = (inputs.map(\.idleUntil) + [entry].compactMap { $0 }).min(), until > now else { return }
        let gap = Gap(from: now, to: until, reason: inputs.isEmpty ? .untracked : .idle)
        pendingGap = PlayedStep(
            track: track, step: TrackStep(what: .commonGap(gap), position: position, advance: 0, idleUntil: nil))
        if rules.gaps == .skip { clock = until }
    }
}
