public import Digest
import Text

/// A planned walk: where somebody is after some time, and what its parts are.
public struct Walk: Sendable {
    /// A corner of the way; between two one walks evenly in a straight line.
    public struct Moment: Sendable, Equatable {
        /// Since the beginning; never less than that of the moment before.
        public let milliseconds: Int64
        /// In 1e-7°.
        public let longitude: Int32
        /// In 1e-7°.
        public let latitude: Int32
        /// The position of the leg in the list.
        public let leg: Int

        public init(milliseconds: Int64, longitude: Int32, latitude: Int32, leg: Int) {
            self.milliseconds = milliseconds
            self.longitude = longitude
            self.latitude = latitude
            self.leg = leg
        }
    }

    /// A part of the way.
    public struct Leg: Sendable {
        /// What its event says, as a JSON object.
        public let json: String
        /// The ids of the levels on which it begins and ends; nil outdoors.
        public let levels: (first: String?, last: String?)

        public init(json: String, levels: (first: String?, last: String?)) {
            self.json = json
            self.levels = levels
        }
    }

    public let moments: [Moment]
    public let legs: [Leg]
    public let metres: Double
    /// Identifies the way, so that a reader does not resume in another one.
    public let digest: ContentDigest

    public init(moments: [Moment], legs: [Leg], metres: Double, digest: ContentDigest) {
        self.moments = moments
        self.legs = legs
        self.metres = metres
        self.digest = digest
    }
}

/// The events of a walk: `start`, `leg` where a leg begins, `frame` at equal intervals and at the end, `end`.
///
/// A pure function of the walk and the pace; playback can resume after any event.
public struct WalkSequence: PlayedEvents {
    private let walk: Walk
    /// Milliseconds of the walk between two frames; nil for a frame at each corner.
    private let interval: Int64?
    private let queryPart: UInt64
    private let total: Int64
    private var isStarted = false
    private var isEnded = false
    /// The time of the last event.
    private var played: Int64 = 0
    private var nextLeg = 0
    /// The time of the next frame, or with no interval the position of the next corner; nil after the last.
    private var nextFrame: Int64? = 0
    /// The time of the first moment of each leg.
    private let legStarts: [Int64]

    /// The events of a walk, or those after the event of a cursor; throws a `ReplayError` if there are none.
    public init(_ walk: Walk, pace: ReplayQuery.Pace, after cursor: ReplayCursor? = nil) throws {
        self.walk = walk
        queryPart = ReplayCursor.part(walk.digest)
        total = walk.moments.last?.milliseconds ?? 0
        switch pace {
        case .max: interval = nil
        case .steady(let rate):
            // At least a millisecond, by the limits of the rate.
            interval = max(1, Int64(rate.speedThousandths / rate.framesPerSecond))
        }
        legStarts = walk.legs.indices.map { leg in
            walk.moments.first { $0.leg >= leg }?.milliseconds ?? walk.moments.last?.milliseconds ?? 0
        }
        guard let cursor else { return }
        guard cursor.query == queryPart else { throw ReplayError.otherQuery }
        isStarted = true
        switch cursor.kind {
        case .end: throw ReplayError.complete
        case .start: break
        default: resume(after: cursor)
        }
    }

    private mutating func resume(after cursor: ReplayCursor) {
        let instant = cursor.instant ?? 0
        played = instant
        if cursor.kind == .track {
            // A leg's ordinal counts from 1, so that it is the number of legs that have begun.
            nextLeg = min(cursor.ordinal, walk.legs.count)
            while let frame = nextFrame, time(ofFrame: frame) < instant { advanceFrame() }
        } else {
            nextLeg = legStarts.firstIndex { $0 > instant } ?? walk.legs.count
            guard interval == nil else {
                while let frame = nextFrame, time(ofFrame: frame) <= instant { advanceFrame() }
                return
            }
            nextFrame = cursor.ordinal < walk.moments.count ? Int64(cursor.ordinal) : nil
        }
    }

    /// A walk does not change.
    public mutating func recheck() -> Bool { false }

    public mutating func next() -> ReplayEvent? {
        guard isStarted else {
            isStarted = true
            return start
        }
        let frame = nextFrame.map { time(ofFrame: $0) }
        if nextLeg < walk.legs.count, frame.map({ legStarts[nextLeg] <= $0 }) ?? true {
            defer { nextLeg += 1 }
            return event(
                .leg, .track, at: legStarts[nextLeg], ordinal: nextLeg + 1, Array(walk.legs[nextLeg].json.utf8))
        }
        if let frame, let number = nextFrame {
            defer { advanceFrame() }
            return event(.frame, .frame, at: frame, ordinal: Int(number) + 1, self.frame(at: frame, number))
        }
        guard !isEnded else { return nil }
        isEnded = true
        return ReplayEvent(
            name: .end, cursor: ReplayCursor(query: queryPart, kind: .end),
            content: .text(Array(#"{"why":"complete"}"#.utf8)), track: nil, advanceMilliseconds: 0)
    }

    private func time(ofFrame frame: Int64) -> Int64 {
        interval == nil ? walk.moments[Int(frame)].milliseconds : frame
    }

    private mutating func advanceFrame() {
        guard let frame = nextFrame else { return }
        if let interval {
            // The last frame is at the end.
            nextFrame = frame < total ? min(total, frame + interval) : nil
        } else {
            nextFrame = frame + 1 < walk.moments.count ? frame + 1 : nil
        }
    }

    private mutating func event(
        _ name: ReplayEvent.Name, _ kind: ReplayCursor.Kind, at time: Int64, ordinal: Int, _ data: [UInt8]
    ) -> ReplayEvent {
        var cursor = ReplayCursor(query: queryPart, kind: kind)
        cursor.instant = time
        cursor.ordinal = ordinal
        defer { played = time }
        // Frames replace each other for a slow reader, as those of a track do.
        return ReplayEvent(
            name: name, cursor: cursor, content: .text(data), track: name == .frame ? 0 : nil,
            advanceMilliseconds: max(0, time - played))
    }

    private var start: ReplayEvent {
        var json = JSONWriter()
        json.raw("{\"v\":1,\"metres\":")
        json.add(metres: walk.metres)
        json.raw(",\"trackMs\":")
        json.add(total)
        json.raw(",\"legs\":")
        json.add(Int64(walk.legs.count))
        json.raw("}")
        return ReplayEvent(
            name: .start, cursor: ReplayCursor(query: queryPart, kind: .start), content: .text(json.bytes), track: nil,
            advanceMilliseconds: 0)
    }

    /// Where somebody is at a time; `number` is the position of the corner if frames are at corners.
    private func frame(at time: Int64, _ number: Int64) -> [UInt8] {
        let moments = walk.moments
        var position = interval == nil ? Int(number) : 0
        if interval != nil {
            // The last corner that was passed: at one instant, one is on the level where stairs end.
            position = max(0, (moments.firstIndex { $0.milliseconds > time } ?? moments.count) - 1)
        }
        let last = moments[position]
        var place = (longitude: last.longitude, latitude: last.latitude)
        if position + 1 < moments.count, time > last.milliseconds {
            let next = moments[position + 1]
            let part = Double(time - last.milliseconds) / Double(next.milliseconds - last.milliseconds)
            place.longitude += Int32((Double(next.longitude - last.longitude) * part).rounded())
            place.latitude += Int32((Double(next.latitude - last.latitude) * part).rounded())
        }
        let isOnStairs = position + 1 < moments.count && moments[position + 1].leg == last.leg
        var json = JSONWriter()
        json.raw("{\"dt\":")
        json.add(time)
        json.raw(",\"p\":")
        json.add(degrees: [place.longitude, place.latitude], elevation: nil)
        json.raw(",\"level\":")
        let levels = walk.legs[last.leg].levels
        json.add(isOnStairs ? levels.first : levels.last)
        json.raw(",\"leg\":")
        json.add(Int64(last.leg))
        json.raw("}")
        return json.bytes
    }
}
