import Text

/// What reading a file anew has changed.
public struct FileRevision: Sendable, Equatable {
    /// What was read from the file. Points in the streams of devices count, but their tracks do not belong to the file.
    public struct Content: Sendable, Equatable {
        public var tracks: Int
        public var points: Int
        /// Metres on the WGS 84 ellipsoid, of the tracks.
        public var metres: Double
        public var pins: Int

        /// Creates the counts.
        public init(tracks: Int, points: Int, metres: Double, pins: Int) {
            self.tracks = tracks
            self.points = points
            self.metres = metres
            self.pins = pins
        }

        var json: JSONObject {
            var object = JSONObject()
            object.add("tracks", tracks)
            object.add("points", points)
            object.add("metres", number: metres.rounded())
            object.add("pins", pins)
            return object
        }

        fileprivate var phrase: String {
            var parts = [DisplayText.count(tracks, "track"), DisplayText.count(points, "point")]
            if tracks > 0 { parts.append("\(DisplayText.count(Int(metres.rounded()))) m") }
            if pins > 0 { parts.append(DisplayText.count(pins, "pin")) }
            return parts.joined(separator: ", ")
        }
    }

    public var before: Content
    public var after: Content
    /// The number of tracks whose times and places are as before.
    public var sameTracks: Int
    /// Whether everything stays as it was, because reading ended with an error before as many points as before.
    public var isWithoutEffect = false

    /// Creates a revision.
    public init(before: Content, after: Content, sameTracks: Int) {
        self.before = before
        self.after = after
        self.sameTracks = sameTracks
    }

    var json: JSONObject {
        var object = JSONObject()
        object.add("before", object: before.json)
        object.add("after", object: after.json)
        object.add("sameTracks", sameTracks)
        if isWithoutEffect { object.add("kept", true) }
        return object
    }

    var sentence: String {
        guard !isWithoutEffect else {
            return "read again, only in part: \(after.phrase); what was read before stays: \(before.phrase)"
        }
        guard before != after || sameTracks < before.tracks else { return "read again: \(after.phrase), as before" }
        return "read again: \(after.phrase); before: \(before.phrase)"
    }
}
