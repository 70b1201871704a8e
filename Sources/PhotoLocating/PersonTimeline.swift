import Foundation
public import TileMath
import Tracks

/// A usable point of a track; outliers are left out.
public struct PathPoint: Hashable, Sendable {
    /// Milliseconds since 1970.
    public var time: Int64
    /// 1e-7°.
    public var longitude: Int32
    /// 1e-7°.
    public var latitude: Int32
    /// The recorded accuracy; nil if the recording has none.
    public var accuracyMetres: Float?
    /// Whether there is a gap before the point.
    public var begins: Bool

    public init(time: Int64, longitude: Int32, latitude: Int32, accuracyMetres: Float? = nil, begins: Bool = false) {
        self.time = time
        self.longitude = longitude
        self.latitude = latitude
        self.accuracyMetres = accuracyMetres
        self.begins = begins
    }

    /// Metres to another point.
    public func metres(to other: PathPoint) -> Double {
        Geodesy.metres(longitude, latitude, other.longitude, other.latitude)
    }
}

/// The points of a track in the order of time.
public struct RecordedPath: Sendable {
    /// The id of the track.
    public var track: String
    public var points: [PathPoint]

    public init(track: String, points: [PathPoint]) {
        self.track = track
        self.points = points
    }

    /// The index of the first point that is later than an instant.
    func firstIndex(after instant: Int64) -> Int {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].time <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Where somebody was, and how exactly that is known.
public struct PlaceEstimate: Hashable, Sendable {
    /// How the place is known.
    public enum Method: String, Sendable {
        /// Recorded, or interpolated between two recorded points.
        case track
        /// The recording paused, but the person was at the same place before and after.
        case stay
        /// The photo names its place.
        case exif
        /// The user gave the place.
        case hand
    }

    public var place: GeoPoint
    /// The radius in which the person was, in metres.
    public var radiusMetres: Double
    public var method: Method
    /// The id of the track; nil if the place is not from a track.
    public var track: String?

    public init(place: GeoPoint, radiusMetres: Double, method: Method, track: String? = nil) {
        self.place = place
        self.radiusMetres = radiusMetres
        self.method = method
        self.track = track
    }
}

/// Why the place at an instant is not known.
public enum MissingPlace: Error, Hashable, Sendable {
    /// No track is near this time.
    case noTracks
    /// All points are later; the first one in milliseconds since 1970.
    case before(first: Int64)
    /// All points are earlier.
    case after(last: Int64)
    /// Nothing was recorded between two points.
    case gap(from: Int64, to: Int64, metres: Double)
}

/// The paths of one person around an instant.
public struct PersonTimeline: Sendable {
    /// The name of the person; nil for the owner of the library.
    public var person: String?
    public var paths: [RecordedPath]

    public init(person: String?, paths: [RecordedPath]) {
        self.person = person
        self.paths = paths
    }

    /// The accuracy of a point that has none: a receiver under open sky.
    static let receiverMetres = 10.0
    /// A person who seemed to stand still may have walked.
    static let walkingMetresPerSecond = 1.5
    /// The time on either side in which the fastest step shows how fast the person may have been: 5 min.
    static let speedMilliseconds: Int64 = 300_000
    /// A pause is a stay if its two ends are at most this far apart.
    static let stayMetres = 100.0
    /// The longest pause that a stay may have: 7 days.
    static let stayMilliseconds: Int64 = 7 * 86_400_000

    /// The place at an instant whose standard deviation is `deviation` milliseconds.
    ///
    /// Linear between two points without a gap. If several tracks know the place, the one with the smallest radius
    /// counts.
    public func place(at instant: Int64, deviation: Double = 0) -> Result<PlaceEstimate, MissingPlace> {
        var best: PlaceEstimate?
        var before: (point: PathPoint, track: String)?
        var after: PathPoint?
        for path in paths {
            let index = path.firstIndex(after: instant)
            if index > 0 {
                let previous = path.points[index - 1]
                let isOnPoint = previous.time == instant
                if isOnPoint || index < path.points.count && !path.points[index].begins {
                    let found = Self.between(path, isOnPoint ? index - 1 : index, instant, deviation)
                    if found.radiusMetres < best?.radiusMetres ?? .infinity { best = found }
                    continue
                }
                if previous.time > before?.point.time ?? .min { before = (previous, path.track) }
            }
            if index < path.points.count, path.points[index].time < after?.time ?? .max { after = path.points[index] }
        }
        if let best { return .success(best) }
        return Self.pause(before, after)
    }

    /// The place on the line that ends at a point, or on the point itself.
    private static func between(
        _ path: RecordedPath, _ index: Int, _ instant: Int64, _ deviation: Double
    ) -> PlaceEstimate {
        let end = path.points[index]
        let start = end.time == instant || index == 0 ? end : path.points[index - 1]
        let seconds = Double(end.time - start.time) / 1000
        let metres = start.metres(to: end)
        let share = seconds > 0 ? Double(instant - start.time) / 1000 / seconds : 0
        let speed = fastest(path, around: index, instant)
        let since = share * seconds
        // The circle around the middle of the ellipse of all routes that are possible at this speed.
        let reach = speed * seconds
        let ellipse = (max(0, reach * reach - metres * metres)).squareRoot() / 2
        let drift = min(speed * since, speed * (seconds - since), ellipse)
        let accuracy = max(Double(start.accuracyMetres ?? 0), Double(end.accuracyMetres ?? 0))
        let radius = (accuracy > 0 ? accuracy : receiverMetres) + drift + deviation / 1000 * speed
        return PlaceEstimate(
            place: interpolated(start, end, share), radiusMetres: radius, method: .track, track: path.track)
    }

    /// The speed of the fastest step within 5 min, in metres a second; at least walking speed.
    private static func fastest(_ path: RecordedPath, around index: Int, _ instant: Int64) -> Double {
        var fastest = walkingMetresPerSecond
        func measure(_ index: Int) {
            guard index > 0, index < path.points.count, !path.points[index].begins else { return }
            let (start, end) = (path.points[index - 1], path.points[index])
            guard end.time > start.time else { return }
            fastest = max(fastest, start.metres(to: end) * 1000 / Double(end.time - start.time))
        }
        var left = index
        while left > 0, path.points[left].time >= instant - speedMilliseconds {
            measure(left)
            left -= 1
        }
        var right = index
        while right < path.points.count, right == index || path.points[right - 1].time <= instant + speedMilliseconds {
            measure(right)
            right += 1
        }
        return fastest
    }

    private static func interpolated(_ start: PathPoint, _ end: PathPoint, _ share: Double) -> GeoPoint {
        let east = Double(E7Longitude.difference(from: start.longitude, to: end.longitude))
        var longitude = Double(start.longitude) + east * share
        if longitude > 1.8e9 { longitude -= 3.6e9 }
        if longitude < -1.8e9 { longitude += 3.6e9 }
        let latitude = Double(start.latitude) + (Double(end.latitude) - Double(start.latitude)) * share
        return geoPoint(longitude.rounded(), latitude.rounded())
    }

    private static func geoPoint(_ longitude: Double, _ latitude: Double) -> GeoPoint {
        let bounded = GeoPoint(
            longitude: min(max(longitude / 1e7, -180), 180), latitude: min(max(latitude / 1e7, -90), 90))
        guard let bounded else { preconditionFailure("a point of a track is on the Earth") }
        return bounded
    }

    /// The place between the last point before a pause and the first one after it.
    private static func pause(
        _ before: (point: PathPoint, track: String)?, _ after: PathPoint?
    ) -> Result<PlaceEstimate, MissingPlace> {
        guard let before else { return .failure(after.map { .before(first: $0.time) } ?? .noTracks) }
        guard let after else { return .failure(.after(last: before.point.time)) }
        let metres = before.point.metres(to: after)
        guard metres <= stayMetres, after.time - before.point.time <= stayMilliseconds else {
            return .failure(.gap(from: before.point.time, to: after.time, metres: metres))
        }
        let accuracy = max(Double(before.point.accuracyMetres ?? 0), Double(after.accuracyMetres ?? 0))
        return .success(
            PlaceEstimate(
                place: interpolated(before.point, after, 0.5), radiusMetres: stayMetres + max(accuracy, receiverMetres),
                method: .stay, track: before.track))
    }
}
