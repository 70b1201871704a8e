import Text

/// One event of a replay, as it is sent.
public struct ReplayEvent: Sendable, Equatable {
    /// The event types.
    public enum Name: String, Sendable {
        case start, track, leg, frame, tiles, gap, photo, explorer
        case waypoint = "mark"
        case trackEnd = "track-end"
        case end, reset
        /// Of journeys: how far it is, what it is after a change, and what has happened.
        case figure, journey, session, unlock, reward, done
    }

    enum Content: Sendable {
        case text([UInt8])
        /// Encoded only when it is sent, because frames may be skipped for a slow reader; its time is relative to
        /// `base`.
        case frame(Frame, of: PlayedTrack, base: Int64)
    }

    public let name: Name
    /// The position of a reader that has received the event; nil for `reset`, and in streams in which no reader can resume. That of
    /// a photo, or of figures of explorer tiles, is the one of the event before it.
    public let cursor: ReplayCursor?
    /// The number of the event's track; nil if it belongs to none.
    public let track: Int64?
    /// Milliseconds of track time that are played before the event; 0 if unknown.
    public let advanceMilliseconds: Int64
    private let content: Content

    init(name: Name, cursor: ReplayCursor?, content: Content, track: Int64?, advanceMilliseconds: Int64) {
        self.name = name
        self.cursor = cursor
        self.content = content
        self.track = track
        self.advanceMilliseconds = advanceMilliseconds
    }

    /// An event of a stream in which nobody can resume, some time after the one before.
    public init(live name: Name, json: String, advanceMilliseconds: Int64) {
        self.init(
            name: name, cursor: nil, content: .text(Array(json.utf8)), track: nil,
            advanceMilliseconds: advanceMilliseconds)
    }

    /// The same event after another playing time.
    func advancing(by milliseconds: Int64) -> ReplayEvent {
        milliseconds == advanceMilliseconds
            ? self
            : ReplayEvent(name: name, cursor: cursor, content: content, track: track, advanceMilliseconds: milliseconds)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.cursor == right.cursor && left.track == right.track
            && left.advanceMilliseconds == right.advanceMilliseconds && left.data == right.data
    }

    /// Whether the event may be skipped for a slow reader in favour of a newer one.
    public var isFrame: Bool { name == .frame }

    /// The cursor's text, `[A-Za-z0-9_-]`; empty if there is no cursor.
    public var id: String { cursor?.text ?? "" }

    /// The JSON object of the event. Data and cursor depend only on the query and on the tracks concerned. It is
    /// encoded at each call.
    public var data: [UInt8] {
        switch content {
        case .text(let text): return text
        case .frame(let frame, let track, let base):
            var json = JSONWriter(capacity: Self.maxFrameBytes)
            json.raw(track.frameStart)
            json.add(restOf: frame, base: base)
            return json.bytes
        }
    }

    /// Appends the event in the format of `text/event-stream`.
    public func writeServerSent(to text: inout [UInt8]) {
        switch content {
        case .text(let data):
            text += Self.idStart
            if let cursor {
                text.append(UInt8(ascii: " "))
                cursor.write(to: &text)
            }
            text += Self.eventStart
            text += name.rawValue.utf8
            text += Self.dataStart
            text += data
            text += Self.ending
        case .frame(let frame, let track, let base):
            text += track.sentStart
            cursor?.end(track.cursorStart, &text)
            text += track.sentMiddle
            JSONWriter.writing(to: &text) { $0.add(restOf: frame, base: base) }
            text += Self.ending
        }
    }

    static let idStart = Array("id:".utf8)
    static let eventStart = Array("\nevent: ".utf8)
    static let dataStart = Array("\ndata: ".utf8)
    private static let ending = Array("\n\n".utf8)
    /// The usual maximum length of a frame.
    private static let maxFrameBytes = 160
}

/// A track, with the parts of its events that are always the same, already encoded.
final class PlayedTrack: Sendable {
    let track: ReplayTrack
    /// The part of the track's version that cursors contain.
    let version: UInt64
    /// The beginning of a frame's data, up to its time.
    let frameStart: [UInt8]
    /// The beginning of a frame as it is sent, up to the instant in the cursor.
    let sentStart: [UInt8]
    /// The encoder state of the cursor after `sentStart`.
    let cursorStart: CursorWriter
    /// The text between a frame's cursor and its time.
    let sentMiddle: [UInt8]

    /// `query` is the part of the query's digest that cursors contain.
    init(_ track: ReplayTrack, query: UInt64) {
        self.track = track
        version = ReplayCursor.part(track.version)
        var json = JSONWriter()
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
