import Text
package import TileMath
import Tracks

/// One event of a replay, as it is sent.
public struct ReplayEvent: Sendable, Equatable {
    /// The event types.
    public enum Name: String, Sendable {
        case start, track, frame, tiles, gap, photo, explorer
        case waypoint = "mark"
        case trackEnd = "track-end"
        case end, reset
    }

    enum Content: Sendable {
        case text([UInt8])
        /// Encoded only when it is sent, because frames may be skipped for a slow reader; its time is relative to
        /// `base`.
        case frame(Frame, of: PlayedTrack, base: Int64)
    }

    public let name: Name
    /// The position of a reader that has received the event; nil for `reset`, after which no reader can resume. That of
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

/// Encodes the data of events as JSON.
struct EventEncoder {
    /// The instant that `dt` is relative to.
    let base: Int64
    /// Whether the steps of several tracks are merged.
    let isMixed: Bool

    func track(_ track: ReplayTrack) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"track\":")
        json.add(track.id)
        json.raw(",\"name\":")
        json.add(track.name)
        json.raw(",\"start\":")
        json.add(orNull: track.start)
        json.raw(",\"end\":")
        json.add(orNull: track.end)
        json.raw(",\"bbox\":")
        if let bounds = track.bounds {
            json.add(degrees: [bounds.west, bounds.south, bounds.east, bounds.north])
        } else {
            json.raw("null")
        }
        json.raw(",\"metres\":")
        json.add(metres: track.metres)
        json.raw("}")
        return json.bytes
    }

    func waypoint(_ waypoint: Waypoint, of track: PlayedTrack) -> [UInt8] {
        var json = JSONWriter()
        json.raw(track.frameStart)
        json.add(placeOf: waypoint.frame, base: base)
        json.raw(",\"i\":")
        json.add(waypoint.frame.index)
        if let name = waypoint.name {
            json.raw(",\"name\":")
            json.add(name)
        }
        json.raw("}")
        return json.bytes
    }

    /// A gap; if tracks are merged, with its track.
    func gap(_ gap: Gap, of track: ReplayTrack?) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{")
        if isMixed, let track {
            json.raw("\"track\":")
            json.add(track.id)
            json.raw(",")
        }
        json.raw("\"from\":")
        json.add(gap.from)
        json.raw(",\"to\":")
        json.add(gap.to)
        json.raw(gap.reason == .idle ? ",\"why\":\"idle\"}" : ",\"why\":\"untracked\"}")
        return json.bytes
    }

    /// The changed tiles and the `asof` with which to request them: one millisecond after the instant, because the end
    /// of a window is exclusive.
    func tiles(_ cover: TileCover, at instant: Int64) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"asof\":")
        json.add(instant + 1)
        json.raw(",")
        json.add(members: cover)
        json.raw("}")
        return json.bytes
    }

    func trackEnd(_ track: ReplayTrack) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"track\":")
        json.add(track.id)
        json.raw(",\"why\":\"complete\"}")
        return json.bytes
    }
}

extension JSONWriter {
    /// Adds the rest of a frame's object, starting with its time, which is relative to `base`.
    mutating func add(restOf frame: Frame, base: Int64) {
        add(placeOf: frame, base: base)
        if let speed = frame.speed {
            raw(",\"v\":")
            add(speed, places: 2)
        }
        if let course = frame.course {
            raw(",\"c\":")
            add(course)
        }
        raw(",\"i\":")
        add(frame.index)
        raw(",\"d\":")
        add(metres: frame.metres)
        raw(frame.isRecorded ? ",\"q\":0}" : ",\"q\":1}")
    }

    /// Adds a frame's time and position.
    mutating func add(placeOf frame: Frame, base: Int64) {
        add(frame.instant - base)
        raw(",\"p\":[")
        add(Int64(frame.longitude), places: 7)
        raw(",")
        add(Int64(frame.latitude), places: 7)
        if let elevation = frame.elevation {
            raw(",")
            add(elevation, places: 1)
        }
        raw("]")
    }

    mutating func add(orNull number: Int64?) {
        if let number { add(number) } else { raw("null") }
    }

    /// Adds metres, rounded to a tenth.
    mutating func add(metres: Double) {
        add(Int64((metres * 10).rounded()), places: 1)
    }

    /// Adds coordinates in 1e-7° as an array, optionally followed by tenths of a metre.
    package mutating func add(degrees: [Int32], elevation: Int64? = nil) {
        raw("[")
        for (index, coordinate) in degrees.enumerated() {
            if index > 0 { raw(",") }
            add(Int64(coordinate), places: 7)
        }
        if let elevation {
            raw(",")
            add(elevation, places: 1)
        }
        raw("]")
    }

    /// Adds the members that list tiles: `"z":14,"tiles":[[x,y],…]`, in Morton order.
    package mutating func add(members cover: TileCover) {
        raw("\"z\":")
        add(cover.zoom.number)
        raw(",\"tiles\":[")
        for (index, tile) in cover.tiles.enumerated() {
            raw(index > 0 ? ",[" : "[")
            add(tile.x)
            raw(",")
            add(tile.y)
            raw("]")
        }
        raw("]")
    }
}
