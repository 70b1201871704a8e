import Tracks

/// The course of a track: its playable points in the order of time, in parts between gaps.
public struct RecordedCourse: Sendable {
    public struct Point: Sendable, Equatable {
        /// In 1e-7°.
        public let longitude: Int32
        /// In 1e-7°.
        public let latitude: Int32
        /// Milliseconds since 1970.
        public let time: Int64
        /// Tenths of a metre; nil if unknown.
        public let elevation: Int64?
        /// Whether somebody marked the point; its name, if the reader may have it.
        public let isMarked: Bool
        public let name: String?
    }

    public private(set) var parts: [[Point]] = []

    /// Reads a track. Memory: 48 bytes for each point. Throws `ReplayError.noSuchTrack` if it changes meanwhile.
    public init(of track: ReplayTrack, from source: any ReplaySource) throws {
        do {
            var points = try PlayablePoints(of: track, from: source)
            while let point = try points.next() {
                if point.begins || parts.isEmpty { parts.append([]) }
                parts[parts.count - 1].append(
                    Point(
                        longitude: point.longitude, latitude: point.latitude, time: point.time,
                        elevation: point.fields.elevation, isMarked: point.fields.isWaypoint, name: point.fields.name))
            }
        } catch is TrackChanged {
            throw ReplayError.noSuchTrack
        }
    }
}
