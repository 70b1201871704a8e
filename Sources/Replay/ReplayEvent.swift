package import TileMath
import Tracks

/// One event of a replay, as it is sent.
public struct ReplayEvent: Sendable, Equatable {
    /// What events there are.
    public enum Name: String, Sendable {
        case start, track, frame, tiles, gap, mark
        case trackEnd = "track-end"
        case end, reset
    }

    enum Content: Sendable {
        case text([UInt8])
        /// Written when it is sent, for a slow reader may be spared it; its time counts from `base`.
        case frame(Frame, of: PlayedTrack, base: Int64)
    }

    /// What happens.
    public let name: Name
    /// Where a reader is who has seen it; nil for `reset`, behind which nobody can go on.
    public let cursor: ReplayCursor?
    /// The number of the track that it is about; nil where it is about none.
    public let track: Int64?
    /// Milliseconds of the tracks' time that pass before it, as far as they are played; 0 where that is unknown.
    public let advanceMilliseconds: Int64
    private let content: Content

    init(name: Name, cursor: ReplayCursor?, content: Content, track: Int64?, advanceMilliseconds: Int64) {
        self.name = name
        self.cursor = cursor
        self.content = content
        self.track = track
        self.advanceMilliseconds = advanceMilliseconds
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.cursor == right.cursor && left.track == right.track
            && left.advanceMilliseconds == right.advanceMilliseconds && left.data == right.data
    }

    /// Whether a slow reader may be spared it in favour of a newer one.
    public var isFrame: Bool { name == .frame }

    /// The cursor's text, `[A-Za-z0-9._-]`; empty where there is none.
    public var id: String { cursor?.text ?? "" }

    /// A JSON object; it and the cursor depend on the query and on the tracks concerned alone. Made anew when it is asked
    /// for.
    public var data: [UInt8] {
        switch content {
        case .text(let text): return text
        case .frame(let frame, let track, let base):
            var json = JSONBytes(capacity: Self.mostFrameBytes)
            json.raw(track.frameStart)
            json.add(restOf: frame, base: base)
            return json.bytes
        }
    }

    /// Appends it as `text/event-stream` has it.
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
            JSONBytes.writing(to: &text) { $0.add(restOf: frame, base: base) }
            text += Self.ending
        }
    }

    static let idStart = Array("id:".utf8)
    static let eventStart = Array("\nevent: ".utf8)
    static let dataStart = Array("\ndata: ".utf8)
    private static let ending = Array("\n\n".utf8)
    /// What a frame takes, mostly.
    private static let mostFrameBytes = 160
}

/// Says what happens in JSON.
struct EventText {
    /// What `dt` counts from.
    let base: Int64
    /// Whether steps of several tracks are mixed.
    let isMixed: Bool

    func track(_ track: ReplayTrack) -> [UInt8] {
        var json = JSONBytes()
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

    func mark(_ mark: Waypoint, of track: PlayedTrack) -> [UInt8] {
        var json = JSONBytes()
        json.raw(track.frameStart)
        json.add(placeOf: mark.frame, base: base)
        json.raw(",\"i\":")
        json.add(mark.frame.index)
        if let name = mark.name {
            json.raw(",\"name\":")
            json.add(name)
        }
        json.raw("}")
        return json.bytes
    }

    /// A gap; where tracks are mixed, of the track named.
    func gap(_ gap: Gap, of track: ReplayTrack?) -> [UInt8] {
        var json = JSONBytes()
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

    /// Which tiles are others, and as of when they are to be asked for: just behind the instant, for a window ends before
    /// its end.
    func tiles(_ patch: TileCover, at instant: Int64) -> [UInt8] {
        var json = JSONBytes()
        json.raw("{\"asof\":")
        json.add(instant + 1)
        json.raw(",")
        json.add(members: patch)
        json.raw("}")
        return json.bytes
    }

    func trackEnd(_ track: ReplayTrack) -> [UInt8] {
        var json = JSONBytes()
        json.raw("{\"track\":")
        json.add(track.id)
        json.raw(",\"why\":\"complete\"}")
        return json.bytes
    }
}

extension JSONBytes {
    /// Adds a frame from its time on, which counts from `base`, to the object's end.
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

    /// Adds a frame's time and place.
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

    /// To a tenth.
    mutating func add(metres: Double) {
        add(Int64((metres * 10).rounded()), places: 1)
    }

    /// Coordinates in 1e-7° as an array, and perhaps tenths of a metre.
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

    /// Adds the members that name tiles: `"z":14,"tiles":[[x,y],…]`, along the Morton curve.
    package mutating func add(members patch: TileCover) {
        raw("\"z\":")
        add(patch.zoom.number)
        raw(",\"tiles\":[")
        for (index, tile) in patch.tiles.enumerated() {
            raw(index > 0 ? ",[" : "[")
            add(tile.x)
            raw(",")
            add(tile.y)
            raw("]")
        }
        raw("]")
    }
}
