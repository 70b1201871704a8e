import Text
package import TileMath
import Tracks

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
