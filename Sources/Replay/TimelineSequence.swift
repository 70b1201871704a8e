public import Digest
import Text

/// Something that happens at an instant of a time line.
public struct TimelineMark: Sendable, Equatable {
    public let name: ReplayEvent.Name
    /// Milliseconds since the beginning.
    public let time: Int64
    /// What its event says, as a JSON object.
    public let json: String

    public init(_ name: ReplayEvent.Name, at time: Int64, json: String) {
        self.name = name
        self.time = time
        self.json = json
    }
}

/// What a `TimelineSequence` plays. Times are milliseconds since the beginning.
public protocol PlayedTimeline: Sendable {
    /// Identifies the time line, so that a reader does not resume in another one.
    var digest: ContentDigest { get }
    var total: Int64 { get }
    /// In the order of time.
    var marks: [TimelineMark] { get }
    /// The times of the frames that are played without a pace, in their order.
    var corners: [Int64] { get }
    /// What the event `start` says.
    var startJSON: [UInt8] { get }

    /// What the frame at a time says; `corner` is its position among the corners if it is at one.
    func frame(at time: Int64, corner: Int?) -> [UInt8]
}

/// The events of a time line: `start`, its marks, `frame` at equal intervals and at the end, `end`.
///
/// A pure function of the time line and the pace; playback can resume after any event.
public struct TimelineSequence<Timeline: PlayedTimeline>: PlayedEvents {
    private let timeline: Timeline
    private let marks: [TimelineMark]
    private let corners: [Int64]
    /// Milliseconds of the time line between two frames; nil for a frame at each corner.
    private let interval: Int64?
    private let queryPart: UInt64
    private let total: Int64
    private var isReset = false
    private var isStarted = false
    private var isEnded = false
    /// The time of the last event.
    private var played: Int64 = 0
    private var nextMark = 0
    /// The time of the next frame, or with no interval the position of the next corner; nil after the last.
    private var nextFrame: Int64? = 0

    /// The events of a time line, or those after the event of a cursor; throws a `ReplayError` if there are none.
    public init(_ timeline: Timeline, pace: ReplayQuery.Pace, after cursor: ReplayCursor? = nil) throws {
        self.timeline = timeline
        queryPart = ReplayCursor.part(timeline.digest)
        (total, marks, corners) = (timeline.total, timeline.marks, timeline.corners)
        switch pace {
        case .max: interval = nil
        case .steady(let rate):
            // At least a millisecond, by the limits of the rate.
            interval = max(1, Int64(rate.speedThousandths / rate.framesPerSecond))
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

    /// The events of a time line that has changed since a reader has received some: `reset`, and then all of them.
    public static func anew(_ timeline: Timeline, pace: ReplayQuery.Pace) throws -> TimelineSequence {
        var sequence = try TimelineSequence(timeline, pace: pace)
        sequence.isReset = true
        return sequence
    }

    private mutating func resume(after cursor: ReplayCursor) {
        let instant = cursor.instant ?? 0
        played = instant
        if cursor.kind == .track {
            // A mark's ordinal counts from 1, so that it is the number of marks that were played.
            nextMark = min(cursor.ordinal, marks.count)
            while let frame = nextFrame, time(ofFrame: frame) < instant { advanceFrame() }
        } else {
            nextMark = marks.firstIndex { $0.time > instant } ?? marks.count
            guard interval == nil else {
                while let frame = nextFrame, time(ofFrame: frame) <= instant { advanceFrame() }
                return
            }
            nextFrame = cursor.ordinal < corners.count ? Int64(cursor.ordinal) : nil
        }
    }

    /// A time line does not change.
    public mutating func recheck() -> Bool { false }

    public mutating func next() -> ReplayEvent? {
        if isReset {
            isReset = false
            return ReplayEvent(live: .reset, json: #"{"why":"data-changed"}"#, advanceMilliseconds: 0)
        }
        guard isStarted else {
            isStarted = true
            return start
        }
        let frame = nextFrame.map { time(ofFrame: $0) }
        if nextMark < marks.count, frame.map({ marks[nextMark].time <= $0 }) ?? true {
            defer { nextMark += 1 }
            let mark = marks[nextMark]
            return event(mark.name, .track, at: mark.time, ordinal: nextMark + 1, Array(mark.json.utf8))
        }
        if let frame, let number = nextFrame {
            defer { advanceFrame() }
            let corner = interval == nil ? Int(number) : nil
            return event(
                .frame, .frame, at: frame, ordinal: Int(number) + 1, timeline.frame(at: frame, corner: corner))
        }
        guard !isEnded else { return nil }
        isEnded = true
        return ReplayEvent(
            name: .end, cursor: ReplayCursor(query: queryPart, kind: .end),
            content: .text(Array(#"{"why":"complete"}"#.utf8)), track: nil, advanceMilliseconds: 0)
    }

    private func time(ofFrame frame: Int64) -> Int64 {
        interval == nil ? corners[Int(frame)] : frame
    }

    private mutating func advanceFrame() {
        guard let frame = nextFrame else { return }
        if let interval {
            // The last frame is at the end.
            nextFrame = frame < total ? min(total, frame + interval) : nil
        } else {
            nextFrame = frame + 1 < corners.count ? frame + 1 : nil
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
        ReplayEvent(
            name: .start, cursor: ReplayCursor(query: queryPart, kind: .start), content: .text(timeline.startJSON),
            track: nil, advanceMilliseconds: 0)
    }
}
