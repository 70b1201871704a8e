import Text

/// The events of a replay one by one. They are a pure function of query and data, and playback can resume after any of
/// them.
///
/// It reads on demand, keeps a portion of points for each active track, and has no clock. It throws `ReplayError` and
/// the errors of the source.
public struct ReplaySequence: Sendable {
    private enum Phase {
        case reset, start
        case playing, done
    }

    /// The maximum number of tracks that may be active at once if all are on one clock.
    public static let maxTracksAtOnce = MergedPlayback.maxTracks

    private let query: ReplayQuery
    private let source: any ReplaySource
    private let queryPart: UInt64
    private let text: EventEncoder
    private var phase: Phase
    /// Only one of these is used. Not an enum, which would be copied at every step: a fifth of the time of a frame.
    private var sequentialPlayback: SequentialPlayback?
    private var mergedPlayback: MergedPlayback?
    /// The instant at which playback restarted after a track changed.
    private var restartInstant: Int64?
    private var lastInstant: Int64?
    private var photos: PhotoSchedule
    private var explorer: ExplorerSchedule?

    /// The events of a query, or those after the event of a cursor; throws a `ReplayError` if there are none.
    public init(_ query: ReplayQuery, source: any ReplaySource, after cursor: ReplayCursor? = nil) throws {
        self.query = query
        self.source = source
        queryPart = ReplayCursor.part(query.digest)
        let singleTrack = try Self.onlyTrack(query, source)
        text = EventEncoder(base: Self.base(of: query, singleTrack), isMixed: query.isTogether && singleTrack == nil)
        phase = .start
        photos = PhotoSchedule(track: singleTrack, after: cursor)
        explorer = ExplorerSchedule(query, track: singleTrack, after: cursor)
        if text.isMixed {
            let most = try source.maxTracksAtOnce(from: query.window.from, to: query.window.to)
            guard most <= Self.maxTracksAtOnce else { throw ReplayError.tooManyAtOnce(most) }
        }
        guard let cursor else { return }
        guard cursor.query == queryPart else { throw ReplayError.otherQuery }
        switch cursor.kind {
        case .end:
            throw ReplayError.complete
        case .start:
            restartInstant = cursor.instant
            phase = .playing
            try begin(from: .beginning)
        default:
            try resume(after: cursor)
        }
    }

    /// The next event; nil after `end`.
    public mutating func next() throws -> ReplayEvent? {
        guard explorer != nil else { return try nextWithPhotos() }
        if let held = explorer?.next() { return held }
        guard let event = try nextWithPhotos() else { return nil }
        let source = source
        guard let now = try explorer?.take(event, source) else { return event }
        return now
    }

    /// The next event of the tracks, or photo; nil after `end`.
    private mutating func nextWithPhotos() throws -> ReplayEvent? {
        if let due = try photos.next(source) { return due }
        return try playbackEvent().map { try photos.take($0, source) }
    }

    /// The next event of the tracks; nil after `end`.
    private mutating func playbackEvent() throws -> ReplayEvent? {
        switch phase {
        case .reset:
            phase = .start
            var json = JSONWriter()
            json.raw("{\"why\":\"data-changed\"}")
            return ReplayEvent(
                name: .reset, cursor: nil, content: .text(json.bytes), track: nil, advanceMilliseconds: 0)
        case .start:
            phase = .playing
            do {
                let event = try start()
                try begin(from: .beginning)
                return event
            } catch is TrackChanged {
                restartPlayback()
                return try playbackEvent()
            }
        case .playing:
            do {
                if let played = try nextStep() { return event(of: played) }
            } catch is TrackChanged {
                restartPlayback()
                return try playbackEvent()
            }
            phase = .done
            return end
        case .done:
            return nil
        }
    }

    /// Checks whether the active tracks, and the photo that was played last, are unchanged; true if one has changed.
    ///
    /// Then the data read of it is discarded, the next event is a `reset`, and the last event must not be shown if it
    /// was not yet shown.
    public mutating func recheck() throws -> Bool {
        let activeTracks = (sequentialPlayback?.activeTracks ?? []) + (mergedPlayback?.activeTracks ?? [])
        let isUnchanged = try activeTracks.allSatisfy { try source.track(number: $0.number)?.version == $0.version }
        let hasLostPhoto = try photos.isOutdated(source)
        explorer?.reread()
        guard !isUnchanged || hasLostPhoto else { return false }
        sequentialPlayback = nil
        mergedPlayback = nil
        restartPlayback()
        return true
    }

    // MARK: Start

    /// The track to play if the query is for one; throws if it does not exist.
    private static func onlyTrack(_ query: ReplayQuery, _ source: any ReplaySource) throws -> ReplayTrack? {
        guard case .track(let id) = query.scope else { return nil }
        guard let track = try source.track(id: id) else { throw ReplayError.noSuchTrack }
        return track
    }

    /// The instant that `dt` is relative to: the track's start, the window's start, or 1970. It does not depend on
    /// other tracks.
    private static func base(of query: ReplayQuery, _ singleTrack: ReplayTrack?) -> Int64 {
        switch query.scope {
        case .track: singleTrack?.playableSpan?.lowerBound ?? 0
        case .window(let from, _, _): from == nil ? 0 : query.window.from
        }
    }

    private mutating func resume(after cursor: ReplayCursor) throws {
        guard let rank = cursor.kind.rank, let instant = cursor.instant,
            let track = try source.track(number: cursor.track), try belongs(track),
            ReplayCursor.part(track.version) == cursor.version
        else {
            restartInstant = cursor.instant
            phase = .reset
            return
        }
        let position = StepPosition(ordinal: cursor.ordinal, rank: rank, instant: instant)
        phase = .playing
        do {
            try begin(from: .after(track, position, isCommonGap: cursor.kind == .commonGap))
        } catch is TrackChanged {
            restartInstant = instant
            phase = .reset
        }
    }

    private func belongs(_ track: ReplayTrack) throws -> Bool {
        guard case .track(let id) = query.scope else { return true }
        return try source.track(id: id)?.number == track.number
    }

    private mutating func restartPlayback() {
        restartInstant = lastInstant ?? restartInstant
        photos.restart()
        explorer?.restart()
        phase = .reset
    }

    private mutating func begin(from start: StartingPoint) throws {
        let rules = rules
        var singleTrack: ReplayTrack?
        var isSingleTrack = false
        if case .track(let id) = query.scope {
            isSingleTrack = true
            singleTrack = try source.track(id: id)
        }
        if query.isTogether, !isSingleTrack {
            mergedPlayback = try MergedPlayback(source, rules: rules, from: start)
        } else {
            sequentialPlayback = try SequentialPlayback(
                source, rules: rules, singleTrack: singleTrack, isSingleTrack: isSingleTrack, from: start)
        }
    }

    /// The number of points of a track to read at a time, 50 bytes each: with a greater number its chunks are read
    /// less often.
    private static let batchOfSingleTrack = 256
    private static let batchOfMergedTracks = 128
    /// Without a pace, because points are sent within a few milliseconds.
    private static let batchWithoutPace = 1024

    private var rules: TrackPlayback.Rules {
        let window = query.window
        let firstInstant = restartInstant ?? query.seek ?? window.from
        return TrackPlayback.Rules(
            query, digestPart: queryPart, lower: min(max(firstInstant, window.from), window.to),
            anchor: text.isMixed ? text.base : nil,
            batchSize: text.isMixed
                ? Self.batchOfMergedTracks : query.pace == .max ? Self.batchWithoutPace : Self.batchOfSingleTrack)
    }

    // MARK: Events

    private mutating func nextStep() throws -> PlayedStep? {
        // Pattern matching on the optionals would copy them at every step.
        text.isMixed ? try mergedPlayback?.next() : try sequentialPlayback?.next()
    }

    private mutating func event(of played: PlayedStep) -> ReplayEvent {
        let step = played.step
        lastInstant = step.position.instant
        var cursor = ReplayCursor(query: queryPart, kind: step.cursorKind)
        let track = played.track.track
        cursor.track = track.number
        cursor.version = played.track.version
        cursor.instant = step.position.instant
        cursor.ordinal = step.position.ordinal
        let (name, content): (ReplayEvent.Name, ReplayEvent.Content) =
            switch step.what {
            case .track: (.track, .text(text.track(track)))
            case .frame(let frame): (.frame, .frame(frame, of: played.track, base: text.base))
            case .tiles(let cover): (.tiles, .text(text.tiles(cover, at: step.position.instant)))
            case .gap(let gap): (.gap, .text(text.gap(gap, of: track)))
            case .commonGap(let gap): (.gap, .text(text.gap(gap, of: nil)))
            case .waypoint(let waypoint): (.waypoint, .text(text.waypoint(waypoint, of: played.track)))
            case .trackEnd: (.trackEnd, .text(text.trackEnd(track)))
            }
        return ReplayEvent(
            name: name, cursor: cursor, content: content, track: cursor.track, advanceMilliseconds: step.advance)
    }

    private func start() throws -> ReplayEvent {
        var cursor = ReplayCursor(query: queryPart, kind: .start)
        cursor.instant = restartInstant
        let totals = try totals()
        var json = JSONWriter()
        json.raw("{\"v\":1,\"tiles\":")
        json.add(tiles)
        json.raw(",\"t0\":")
        json.add(text.base)
        json.raw(",\"tracks\":")
        json.add(totals.tracks)
        json.raw(",\"points\":")
        json.add(totals.points)
        json.raw(",\"trackMs\":")
        json.add(totals.trackMilliseconds)
        json.raw(",\"playMs\":")
        json.add(orNull: try PlayingTime.milliseconds(of: query, source, points: totals.points))
        json.raw(",\"rev\":")
        json.add(try source.revision())
        json.raw("}")
        return ReplayEvent(name: .start, cursor: cursor, content: .text(json.bytes), track: nil, advanceMilliseconds: 0)
    }

    /// The URL template of the tiles for the replay, relative to the URL of its stream, so that it also works under a
    /// path prefix; `{t}` is the `asof` instant.
    private var tiles: String {
        let url = "tiles/{z}/{x}/{y}.png?asof={t}"
        // `/v1/tracks/ID/replay` is two folders below `/v1/replay`.
        guard case .window(_, _, let layer) = query.scope else { return "../../../" + url }
        return "../" + url + (layer == ReplayQuery.everyTrack ? "" : "&layer=" + PercentCoding.encode(layer))
    }

    private func totals() throws -> ReplayTotals {
        guard case .track(let id) = query.scope else {
            return try source.totals(from: query.window.from, to: query.window.to)
        }
        guard let track = try source.track(id: id) else {
            return ReplayTotals(tracks: 0, points: 0, trackMilliseconds: 0)
        }
        let span = track.playableSpan ?? 0...0
        return ReplayTotals(
            tracks: 1, points: track.points, trackMilliseconds: span.upperBound - span.lowerBound)
    }

    private var end: ReplayEvent {
        var json = JSONWriter()
        json.raw("{\"why\":\"complete\"}")
        return ReplayEvent(
            name: .end, cursor: ReplayCursor(query: queryPart, kind: .end), content: .text(json.bytes), track: nil,
            advanceMilliseconds: 0)
    }
}

extension TrackStep {
    fileprivate var cursorKind: ReplayCursor.Kind {
        if case .commonGap = what { return .commonGap }
        return switch position.rank {
        case .opening: .track
        case .gap: .gap
        case .frame: .frame
        case .waypoint: .waypoint
        case .closing: .trackEnd
        case .tiles: .tiles
        case .passed: .passed
        case .passedLast: .passedLast
        }
    }
}

extension ReplayCursor.Kind {
    fileprivate var rank: StepPosition.Rank? {
        switch self {
        case .track: .opening
        case .gap: .gap
        case .frame: .frame
        case .waypoint: .waypoint
        case .trackEnd, .commonGap: .closing
        case .tiles: .tiles
        case .passed: .passed
        case .passedLast: .passedLast
        case .start, .end: nil
        }
    }
}
