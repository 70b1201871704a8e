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
public typealias WalkSequence = TimelineSequence<Walk>

extension Walk: PlayedTimeline {
    public var total: Int64 { moments.last?.milliseconds ?? 0 }

    public var marks: [TimelineMark] {
        legs.indices.map { leg in
            let time = moments.first { $0.leg >= leg }?.milliseconds ?? total
            return TimelineMark(.leg, at: time, json: legs[leg].json)
        }
    }

    public var corners: [Int64] { moments.map(\.milliseconds) }

    public var startJSON: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"v\":1,\"metres\":")
        json.add(metres: metres)
        json.raw(",\"trackMs\":")
        json.add(total)
        json.raw(",\"legs\":")
        json.add(Int64(legs.count))
        json.raw("}")
        return json.bytes
    }

    public func frame(at time: Int64, corner: Int?) -> [UInt8] {
        // The last corner that was passed: at one instant, one is on the level where stairs end.
        let position = corner ?? max(0, (moments.firstIndex { $0.milliseconds > time } ?? moments.count) - 1)
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
        let levels = legs[last.leg].levels
        json.add(isOnStairs ? levels.first : levels.last)
        json.raw(",\"leg\":")
        json.add(Int64(last.leg))
        json.raw("}")
        return json.bytes
    }
}
